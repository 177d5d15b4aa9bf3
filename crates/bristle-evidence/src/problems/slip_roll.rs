//! T0-4: a sphere that slides, rolls, spins and strikes.

use super::{last, scene, set, slope};
use crate::simulate::{Shipped, column};
use crate::{Case, Check, Deviation, Fault, Measure};
use bristle_report::{Axis, Curve, Plot};

const SLIP_TO_ROLL: Shipped = scene!("slip_to_roll");
const OBLIQUE: Shipped = scene!("gross_slip_impact");
const RESISTANCES: Shipped = scene!("rolling_resistance");
const INCLINE: Shipped = scene!("incline");

const G: f64 = 9.81;

/// Sliding until it rolls.
pub(super) fn slip_to_roll() -> Case {
    Case::new("slip-to-roll", "T0-4 A bowling ball slides, then rolls", |section, stop| {
        let (mu, start, radius) = (0.12, 7.0, 0.108);
        let run = SLIP_TO_ROLL.run(&[], stop)?;
        let (times, speeds) = (column(&run, "time")?, column(&run, "ball.velocity.x")?);
        let rolls = 2.0 * start / (7.0 * mu * G);
        let exact = |t: f64| if t < rolls { start - mu * G * t } else { 5.0 * start / 7.0 };
        let slips = run.episodes.first().and_then(|e| e.spans.iter().rfind(|s| s.slips));
        let slips = slips.ok_or_else(|| Fault::Missing { what: "slipping".into() })?;
        let about_speed = |id: &str, what: &str, achieved: f64| {
            Check::new(id, what, "m/s", 5.0 * start / 7.0, achieved)
                .within(1e-8, Measure::Relative)
                .source("5u₀/7")
        };
        Ok(section
            .about(
                "Thrown without spin it is slowed by friction until the point of contact stands still. The moment is located as an event. \
                 The ball is set down with its lowest point at the lane and sinks in by its weight over the stiffness while the \
                 friction builds up: over some 1e-4 s, so that the moment of rolling may be off by as much times the friction missing \
                 meanwhile; 1e-6 relative is allowed.",
            )
            .equations("", "u = u₀ − μ g t until t = 2u₀/(7μg), then u = 5u₀/7 = ω r")
            .parameter("scene", SLIP_TO_ROLL.name)
            .plot(
                Plot::new("Speed", Axis::linear("time", "s"), Axis::linear("speed", "m/s"))
                    .curve(Curve::new("Bristle", times.iter().copied().zip(speeds.iter().copied())).solid())
                    .curve(Curve::new("closed form", times.iter().step_by(10).map(|t| (*t, exact(*t)))).rings()),
            )
            .check(Check::new("time", "rolls from", "s", rolls, slips.end).within(1e-6, Measure::Relative).source("2u₀/(7μg)"))
            .check(about_speed("speed", "speed of the centre", last(&run, "ball.velocity.x")?))
            .check(about_speed("spin", "speed of turning, ω r", last(&run, "ball.angular_velocity.y")? * radius)))
    })
}

/// What a ball of the oblique scene did: normal, tangential velocity and spin before and after.
struct Oblique {
    normal: [f64; 2],
    tangential: [f64; 2],
    spin: f64,
    gain: f64,
}

fn oblique(angle: f64, changes: &[String], stop: &crate::Stop<'_>) -> Result<Oblique, Fault> {
    let mut all = vec![set("parameters.angle", angle)];
    all.extend_from_slice(changes);
    let run = OBLIQUE.run(&all, stop)?;
    let (sin, cos) = angle.to_radians().sin_cos();
    Ok(Oblique {
        normal: [2.0 * cos, last(&run, "ball.velocity.z")?],
        tangential: [2.0 * sin, last(&run, "ball.velocity.x")?],
        spin: last(&run, "ball.angular_velocity.y")?,
        gain: run.last.kinetic / run.initial.kinetic - 1.0,
    })
}

/// Slides throughout, or sticks.
pub(super) fn gross_slip() -> Case {
    Case::new("gross-slip", "T0-4 Oblique impact that slides throughout", |section, stop| {
        let (mu, e, radius) = (0.2f64, 0.8f64, 0.02);
        // without the push of the conservative spring, which moves the restitution by some μ²/5
        let printed = ["materials.wall.friction.variant=as-printed".to_string()];
        let mut speed = Deviation::new("tangential speed after", "m/s");
        let mut spin = Deviation::new("spin after, ω r", "m/s");
        let limit = (3.5 * mu * (1.0 + e)).atan().to_degrees();
        let mut points = Vec::new();
        for angle in [5.0, 15.0, 25.0, 35.0, 45.0, 50.0, 55.0, 60.0, 65.0, 70.0, 75.0, 80.0, 85.0] {
            let ball = oblique(angle, &printed, stop)?;
            points.push((angle, ball.tangential[1] / ball.tangential[0]));
            if angle > limit + 2.0 {
                speed.compare(ball.tangential[1], ball.tangential[0] - mu * (1.0 + e) * ball.normal[0], 1.0);
                spin.compare(ball.spin * radius, 2.5 * mu * (1.0 + e) * ball.normal[0], 1.0);
            }
        }
        // with the default form: the restitution differs, friction is still μ times what pushed
        let default = oblique(70.0, &[], stop)?;
        let impulse = default.normal[0] + default.normal[1];
        let slid = (1..=100).map(|i| limit + (89.0 - limit) * f64::from(i) / 100.0);
        let slid = slid.map(|a| (a, 1.0 - mu * (1.0 + e) / a.to_radians().tan()));
        Ok(section
            .about(format!(
                "Beyond tan θ = 3.5μ(1 + e), here {limit:.1}° from the normal, a ball slides throughout: friction takes μ times the normal \
                 impulse, whatever the tangential stiffness. Below, it sticks and springs back.\n\n\
                 The conservative spring-clutch pushes along the normal as its stiffness falls, and so moves the restitution asked \
                 for from 0.8 to {:.4}; friction stays μ times the normal impulse. Tolerance: 1e-8 m/s at rtol 1e-11.",
                default.normal[1] / default.normal[0]
            ))
            .equations("", "v_t' = v_t − μ(1 + e)v_n      ω' r = ⁵⁄₂ μ(1 + e)v_n")
            .parameter("scene", OBLIQUE.name)
            .plot(
                Plot::new("Tangential speed kept", Axis::linear("angle from the normal", "°"), Axis::linear("v_t'/v_t", ""))
                    .curve(Curve::new("closed form, sliding", slid).solid())
                    .curve(Curve::new("Bristle", points).points()),
            )
            .check(speed.within("speed", 1e-8, Measure::Absolute).source("v_t − μ(1 + e)v_n"))
            .check(spin.within("spin", 1e-8, Measure::Absolute).source("⁵⁄₂ μ(1 + e)v_n"))
            .check(
                Check::new("impulse", "tangential impulse, conservative form", "m/s", mu * impulse, default.tangential[0] - default.tangential[1])
                    .within(1e-8, Measure::Absolute)
                    .source("μ(v_n + v_n') with the v_n' that came out"),
            ))
    })
}

/// Resistance to rolling and to spinning.
pub(super) fn resistances() -> Case {
    Case::new("rolling-resistance", "T0-4 Resistance to rolling and to spinning", |section, stop| {
        let run = RESISTANCES.run(&[], stop)?;
        let rolling = -5.0 / 7.0 * (1e-3 / 0.05) * G;
        let spinning = -2.5 * 0.5 * 2e-3 * G / (0.05 * 0.05);
        let of = |id: &str, quantity: &str, unit: &str, expected: f64, achieved: f64, source: &str| {
            Check::new(id, quantity, unit, expected, achieved).within(1e-8, Measure::Relative).source(source)
        };
        Ok(section
            .about(
                "Both resistances have a limit and hold up to it. Rates are taken after 0.1 s, when the springs before the limit are \
                 stretched. Tolerance: 1e-8, from rtol 1e-10 over some thousand steps.",
            )
            .parameter("scene", RESISTANCES.name)
            .check(of(
                "rolling",
                "acceleration of a rolling ball",
                "m/s²",
                rolling,
                slope(&run, "roller.velocity.x", 0.1, 0.5)?,
                "−(5/7)(ρ/r)g: the torque ρN turns ball and path together",
            ))
            .check(of(
                "spinning",
                "angular acceleration of a spinning ball",
                "rad/s²",
                spinning,
                slope(&run, "spinner.angular_velocity.z", 0.1, 0.5)?,
                "−5μℓg/(2r²)",
            )))
    })
}

/// Three balls on a slope.
pub(super) fn incline() -> Case {
    Case::new("incline", "T0-4 Balls on a slope: roll, stay, slide", |section, stop| {
        let run = INCLINE.run(&[], stop)?;
        let (sin, cos) = 20f64.to_radians().sin_cos();
        let of = |id: &str, quantity: &str, expected: f64, achieved: f64, source: &str| {
            Check::new(id, quantity, "m/s²", expected, achieved)
                .within(1e-6, Measure::Relative)
                .source(source)
        };
        Ok(section
            .about(
                "At 20°. Springs of friction and rolling are stretched first and swing out; accelerations are means from 0.2 s on, and \
                 the allowed 1e-6 is what is left of the swing by then (damping 1e3/s and more, e^−200, and 1e-8 of the integrator).",
            )
            .parameter("scene", INCLINE.name)
            .check(of(
                "rolls",
                "acceleration of the rolling ball",
                5.0 / 7.0 * G * (sin - 0.1 * cos),
                slope(&run, "roller.velocity.x", 0.2, 0.5)?,
                "⁵⁄₇ g(sin θ − μ_r cos θ)",
            ))
            .check(of(
                "slides",
                "acceleration of the ball that slides",
                G * (sin - 0.05 * cos),
                slope(&run, "slider.velocity.x", 0.2, 0.5)?,
                "g(sin θ − μ cos θ), since tan θ > 3.5μ",
            ))
            .check(
                Check::at_most("stays", "speed of the ball that stays", "m/s", 1e-9, last(&run, "stayer.velocity.x")?.abs())
                    .source("0, since μ_r > tan θ; 1e-9 is left of the swing"),
            ))
    })
}

/// Energy in frictional impacts.
pub(super) fn passivity() -> Case {
    Case::new("passivity", "T0-4 Grazing impacts never gain energy (lammps PR #5007)", |section, stop| {
        let mut worst = (f64::NEG_INFINITY, 0.0, 0.0);
        let mut curves = Vec::new();
        for mu in [0.1, 0.5, 1.0] {
            let mut points = Vec::new();
            for angle in (1..=44).map(|i| 2.0 * f64::from(i)) {
                let changes = [set("parameters.mu", mu), set("parameters.e", 1.0)];
                let ball = oblique(angle, &changes, stop)?;
                points.push((angle, ball.gain));
                if ball.gain > worst.0 {
                    worst = (ball.gain, mu, angle);
                }
            }
            curves.push(Curve::new(format!("μ = {mu}"), points));
        }
        let plot = Plot::new(
            "Kinetic energy gained",
            Axis::linear("angle from the normal", "°"),
            Axis::linear("share", ""),
        );
        Ok(section
            .about(format!(
                "Kinetic energy after an impact with friction and without normal loss may not exceed that before. LAMMPS gained 34 % at \
                 μ = 0.5 and 76°. The largest gain here is at μ = {}, {}°. Bound: the integrator's 1e-9.",
                worst.1, worst.2
            ))
            .parameter("scene", OBLIQUE.name)
            .plot(curves.into_iter().fold(plot, Plot::curve))
            .check(Check::at_most("gain", "largest gain of kinetic energy", "", 1e-9, worst.0).source("second law")))
    })
}
