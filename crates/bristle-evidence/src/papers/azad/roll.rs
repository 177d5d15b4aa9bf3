//! Figures 13 to 16: a ball thrown on the ground, by `scenes/rolling_sphere.toml`.

use super::super::draw::{Drawing, pairs};
use super::super::largest;
use super::{GRAVITY, RADIUS};
use crate::simulate::{Shipped, at_times, column};
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle::run::Run;
use bristle_report::Axis;

const SCENE: Shipped = scene!("rolling_sphere.toml");
const SOURCE: &str = "integration: 1e-10 m, 1e-10 m/s, 1e-12 J";

fn run(stop: &Stop<'_>) -> Result<Run, Fault> {
    SCENE.run(&["simulation.record={every=2.5e-3}".into()], stop)
}

fn with_parameters(section: Section) -> Section {
    section
        .equations(
            "as printed (Eq. 26–27, 30–31)",
            "f_stick = −k u − b V,   k = K_t √z,   b = D_t √z\nstick: F = f_stick, u̇ = V\nslip:  F = μ \
                 F_n f_stick/|f_stick| − C_V V_clutch,   u̇ = V − V_clutch",
        )
        .equations(
            "solved: Eq. 27 is implicit in V_clutch",
            "c = μ F_n f_stick/|f_stick|\nV_clutch = (c − f_stick)/(b + C_V)\nF = (b c + C_V \
                 f_stick)/(b + C_V)",
        )
        .parameter("K", "8.5e6 N/m^(3/2)")
        .parameter("D = D_t", "3.1e3 N s/m^(3/2)")
        .parameter("K_t", "12.75e6 N/m^(3/2)")
        .parameter("μ", "0.2")
        .parameter("C_V", "0.1 N s/m")
        .parameter("scene", SCENE.name)
}

fn time() -> Axis {
    Axis::linear("time", "s")
}

pub(super) fn velocity(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("azad_fig13_16_roll.csv")?;
    let run = run(stop)?;
    let times = table.column("t")?;
    let (vx, wy) =
        (at_times(&run, "ball.velocity.x", &times)?, at_times(&run, "ball.angular_velocity.y", &times)?);
    let lowest: Vec<f64> = vx.iter().zip(&wy).map(|(v, w)| v - RADIUS * w).collect();
    let mut drawing = Drawing::new("Velocity along x", time(), Axis::linear("velocity", "m/s")).rings(50);
    let mut checks = Vec::new();
    for (id, name, ours, theirs) in
        [("centre", "of the centre", &vx, "vx"), ("lowest", "of the lowest point", &lowest, "Vsph_x")]
    {
        let expected = table.column(theirs)?;
        let mut deviation = Deviation::new(&format!("velocity {name}"), "m/s");
        deviation.curves(ours, &expected, 1.0);
        // friction turns the lowest point by up to 34 N/0.154 kg × 7/2 = 770 m/s²: 1e-9 s are 1e-6 m/s
        checks.push(deviation.within(id, 1e-6, Measure::Absolute).source(SOURCE));
        drawing = drawing.line(name, pairs(&times, ours)).reference(pairs(&times, &expected));
    }
    let last = column(&run, "ball.velocity.x")?.last().copied().unwrap_or(f64::NAN);
    Ok(with_parameters(section)
        .about(
            "The ball slips, sticks and rolls. Whatever the friction, it ends with 5/7 of its velocity: \
                 angular momentum about the ground decides.",
        )
        .plot(drawing.done())
        .checks(checks)
        .check(
            Check::new("rolling", "velocity at the end, 5/7 of 0.5 m/s", "m/s", 2.5 / 7.0, last)
                .within(1e-9, Measure::Absolute)
                .source("angular momentum, exact"),
        ))
}

pub(super) fn first(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("azad_fig14_first_bounce_friction.csv")?;
    let scalars = scalars!("azad_fig13_16_roll.json")?.at("variant_A");
    let times = table.column("t_since_touch")?;
    let (step, end) = (times[1], times[times.len() - 2]);
    let changes = [
        format!("bodies.ball.position=[0,0,{RADIUS}]"),
        format!("bodies.ball.velocity=[0.5,0.5,-{}]", scalars.at("first_contact").number("v_in")?),
        format!("simulation.duration={end}"),
        format!("simulation.record={{every={step}}}"),
    ];
    let run = SCENE.run(&changes, stop)?;
    // recorded is the force on the ground, the second of the pair
    let ours: Vec<f64> = column(&run, "ball-ground.friction.x")?.iter().map(|f| -f).collect();
    let expected = table.column("F_fx")?;
    let limit: Vec<f64> = column(&run, "ball-ground.normal_force")?
        .iter()
        .map(|f| -0.2 * f / std::f64::consts::SQRT_2)
        .collect();
    let mut force = Deviation::new("friction along x", "N");
    ours.iter().zip(&expected).for_each(|(a, b)| force.compare(*a, *b, largest(&expected)));
    let whole =
        SCENE.run(&["simulation.duration=0.3".into(), "simulation.record={every=0.3}".into()], stop)?;
    let episode = whole.episodes.first().ok_or_else(|| Fault::Missing { what: "first contact".into() })?;
    let mut switches = Deviation::new("times at which the clutch slips and sticks", "s");
    let contact = scalars.at("contacts").list();
    let contact =
        contact.first().ok_or_else(|| Fault::Missing { what: "contact of the reference".into() })?;
    for (span, want) in episode.spans.iter().skip(1).zip(contact.at("stick_slip_switch_times").list()) {
        switches.compare(span.start, want.value()?, 1.0);
    }
    let drawing = Drawing::new(
        "Friction in the first bounce",
        Axis::linear("time since touchdown", "s"),
        Axis::linear("force along x", "N"),
    );
    Ok(with_parameters(section)
        .about(
            "The clutch slips at first, along the friction cone (dashed, which the viscous term leaves a little), then it sticks for \
             0.86 ms while the stretched spring swings the force round, and slips again as the load vanishes.",
        )
        .plot(
            drawing
                .line("Bristle", pairs(&times, &ours))
                .dashed("μ F_n along x", pairs(&times, &limit))
                .reference(pairs(&times, &expected))
                .done(),
        )
        // started from rounded values of the reference
        .check(force.within("force", 1e-6, Measure::OfLargest).source(SOURCE))
        .check(switches.within("switches", 1e-8, Measure::Absolute).source("located to 1e-10 s")))
}

pub(super) fn path(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("azad_fig13_16_roll.csv")?;
    let run = run(stop)?;
    let times = table.column("t")?;
    let height: Vec<f64> = at_times(&run, "ball.position.z", &times)?.iter().map(|z| z - RADIUS).collect();
    let mut drawing = Drawing::new("Path", time(), Axis::linear("position", "m")).rings(50);
    let mut checks = Vec::new();
    for (id, name, ours, theirs) in [
        ("x", "x of the centre", &at_times(&run, "ball.position.x", &times)?, "cx"),
        ("h", "height of the lowest point", &height, "h_bottom"),
    ] {
        let expected = table.column(theirs)?;
        let mut deviation = Deviation::new(name, "m");
        deviation.curves(ours, &expected, 1.0);
        // ten contacts, 1e-10 per step
        checks.push(deviation.within(id, 1e-8, Measure::Absolute).source(SOURCE));
        drawing = drawing.line(name, pairs(&times, ours)).reference(pairs(&times, &expected));
    }
    let fine = SCENE.run(
        &["simulation.duration=1".into(), "simulation.record={every=2.5e-3, during_contact=2e-4}".into()],
        stop,
    )?;
    let friction: Vec<f64> = column(&fine, "ball-ground.friction.x")?.iter().map(|f| -f).collect();
    let expected = table.column("F_fx")?;
    let coarse: Vec<f64> = at_times(&run, "ball-ground.friction.x", &times)?.iter().map(|f| -f).collect();
    let mut force = Deviation::new("friction along x", "N");
    force.curves(&coarse, &expected, 1.0);
    let push = Drawing::new("Friction", time(), Axis::linear("force along x", "N")).rings(200);
    Ok(with_parameters(section)
        .about(
            "The friction brakes while the ball bounces and vanishes when it rolls. The viscous term \
                 also acts while the ground recovers and carries no load, as Eq. 26–27 are written \
                 (variant A of the errata).",
        )
        .plot(drawing.done())
        .plot(
            push.line("Bristle", pairs(column(&fine, "time")?, &friction))
                .reference(pairs(&times, &expected))
                .done(),
        )
        .checks(checks)
        // up to 2e5 N/s when the clutch slips: 1e-9 s are 2e-4 N
        .check(force.within("friction", 2e-4, Measure::Absolute).source(SOURCE)))
}

pub(super) fn energy(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("azad_fig13_16_roll.csv")?;
    let run = run(stop)?;
    let times = table.column("t")?;
    let lift = super::MASS * GRAVITY * RADIUS;
    let get = |name: &str| at_times(&run, name, &times);
    let body: Vec<f64> =
        std::iter::zip(get("energy.kinetic")?, get("energy.gravity")?).map(|(t, v)| t + v - lift).collect();
    // Eq. 33: what is stored, less what the growing stiffness put there
    let spring = std::iter::zip(get("energy.elastic_tangential")?, get("energy.stiffness")?);
    let spring: Vec<f64> = spring.map(|(stored, account)| stored + account).collect();
    let mut whole = Drawing::new("Energy", time(), Axis::linear("energy", "J")).rings(50);
    let mut small =
        Drawing::new("Energy of the tangential parts", time(), Axis::linear("energy", "J")).rings(50);
    let mut checks = Vec::new();
    for (id, name, ours, theirs) in [
        ("body", "of the ball", body, "E_body"),
        ("ndamper", "lost in the normal damper", get("energy.normal")?, "E_ndamper"),
        ("nspring", "in the normal spring", get("energy.elastic_normal")?, "E_nspring"),
        ("clutch", "lost in the clutch", get("energy.clutch")?, "E_clutch"),
        ("tdamper", "lost in the tangential damper", get("energy.damper")?, "E_tdamper"),
        ("viscous", "lost to viscosity", get("energy.viscous")?, "E_visc"),
        ("eq33", "\"tangential spring\" of Eq. 33", spring, "E_tspring_eq33"),
    ] {
        let expected = table.column(theirs)?;
        let mut deviation = Deviation::new(&format!("energy {name}"), "J");
        deviation.curves(&ours, &expected, 1.0);
        // 1e-9 s at up to 300 W
        checks.push(deviation.within(id, 3e-7, Measure::Absolute).source(SOURCE));
        let add = |d: Drawing| d.line(name, pairs(&times, &ours)).reference(pairs(&times, &expected));
        if matches!(id, "body" | "ndamper" | "nspring") {
            whole = add(whole);
        } else {
            small = add(small);
        }
    }
    Ok(with_parameters(section)
        .about(
            "The ledger closes, but only because Eq. 33 is no stored energy: it ends at −0.67 mJ \
                 although nothing is stored any more. The stiffness of the tangential spring grows with \
                 depth while it is stretched, which is work that no force of the printed model does. \
                 Bristle books it in an account of its own (`stiffness`); the default form of the law \
                 pushes back on the normal direction instead and creates nothing.",
        )
        .plot(whole.done())
        .plot(small.done())
        .checks(checks)
        .check(
            Check::at_most("closure", "energy that the ledger cannot place", "J", 1e-10, run.closure)
                .source("exact"),
        ))
}
