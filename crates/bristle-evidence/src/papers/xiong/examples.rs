//! Examples 1 and 2, by `scenes/xiong_point_mass.toml` and `scenes/xiong_two_blocks.toml`.

use super::super::draw::{Drawing, pairs};
use super::{FORCE, POSITION};
use crate::reference::Table;
use crate::simulate::{Shipped, at_times};
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle::nonsmooth::Run;
use bristle_report::{Axis, Plot};

const POINT: Shipped = scene!("xiong_point_mass.toml");
const BLOCKS: Shipped = scene!("xiong_two_blocks.toml");
const SOURCE: &str = "integration, 1e-10 m";

fn run(scene: &Shipped, duration: f64, every: f64, stop: &Stop<'_>) -> Result<Run, Fault> {
    let changes = [
        format!("simulation.duration={duration}"),
        "simulation.integrator={method=\"dop853\", rtol=1e-12}".into(),
        format!("simulation.record={{every={every}}}"),
    ];
    scene.run_formulas(&changes, stop)
}

/// Columns of a run against those of a table: (ours, theirs, sign).
fn compare(
    (title, label, unit): (&str, &str, &str),
    run: &Run,
    table: &Table,
    columns: &[(&str, &str, f64)],
) -> Result<(Plot, Deviation), Fault> {
    let times = table.column("t")?;
    let mut drawing = Drawing::new(title, Axis::linear("time", "s"), Axis::linear(label, unit)).rings(50);
    let mut deviation = Deviation::new(label, unit);
    for (ours, theirs, sign) in columns {
        let got = at_times(run, ours, &times)?;
        let want: Vec<f64> = table.column(theirs)?.iter().map(|x| sign * x).collect();
        deviation.curves(&got, &want, 1.0);
        drawing = drawing.line(&ours.replace('_', " "), pairs(&times, &got)).reference(pairs(&times, &want));
    }
    Ok((drawing.done(), deviation))
}

pub(super) fn point(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("xiong_example1.csv")?;
    let run = run(&POINT, 1.5, 0.005, stop)?;
    let (path, positions) = compare(
        ("Position", "position", "m"),
        &run,
        &table,
        &[("px", "px", 1.0), ("py", "py", 1.0), ("pz", "pz", 1.0)],
    )?;
    // the file has the force on the mass
    let (pull, forces) = compare(
        ("Forces", "force", "N"),
        &run,
        &table,
        &[("n", "fz", 1.0), ("f_x", "fx_fric_on_mass", -1.0), ("f_y", "fy_fric_on_mass", -1.0)],
    )?;
    Ok(section
        .about(
            "The mass bounces, slides in a straight line and stops for good. As printed, friction \
                 accelerates the mass and gravity is missing; with the printed sign the velocity grows \
                 from (1, 0.5) to (2.31, 1.16) m/s in half a second.",
        )
        .equations("as printed (Eq. 19–20)", "M v̇_xy = +f_xy,   M v̇_z = f_z")
        .equations("corrected", "M v̇_xy = −f_xy,   M v̇_z = f_z − M g")
        .parameter("M", "1 kg")
        .parameter("μ", "0.3")
        .parameter("K", "1e5 N/m")
        .parameter("β", "0.005 s")
        .parameter("α", "0.0025 s")
        .parameter("scene", POINT.name)
        .plot(path)
        .plot(pull)
        .check(positions.within("position", POSITION, Measure::Absolute).source(SOURCE))
        .check(forces.within("force", FORCE, Measure::Absolute).source(SOURCE)))
}

pub(super) fn blocks(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("xiong_example2.csv")?;
    let run = run(&BLOCKS, 3.0, 0.01, stop)?;
    let places = [("p1x", "p1x", 1.0), ("p1y", "p1y", 1.0), ("p2x", "p2x", 1.0), ("p2y", "p2y", 1.0)];
    let (path, positions) = compare(("Positions", "position", "m"), &run, &table, &places)?;
    let terms = [
        ("wall", "psi1", 1.0),
        ("between", "psi2", 1.0),
        ("floor", "psi3", 1.0),
        ("wall_friction", "theta1", 1.0),
        ("between_friction", "theta2", 1.0),
        ("belt", "theta3", 1.0),
    ];
    let (pull, forces) = compare(("Forces", "force", "N"), &run, &table, &terms)?;
    let least = run.forces.iter().map(|(_, least)| *least).fold(f64::INFINITY, f64::min);
    Ok(section
        .about(
            "Three contacts with friction that depend on each other: a block on a spring between a wall \
                 and a second block, which a conveyor presses against it. Written as six terms, solved \
                 as one ordinary differential equation.",
        )
        .equations("as printed", "text before Eq. 30: sgn(p₁y − p₂y)")
        .equations("corrected", "sgn(ṗ₁y − ṗ₂y), as in Eq. 25 and 31")
        .parameter("M₁, M₂", "1, 2 kg")
        .parameter("spring", "200 N/m")
        .parameter("belt", "0.5 m/s")
        .parameter("μ", "0.2, 0.3, 0.4")
        .parameter("K", "1e5 N/m")
        .parameter("β", "0.005 s")
        .parameter("scene", BLOCKS.name)
        .plot(path)
        .plot(pull)
        .check(positions.within("position", POSITION, Measure::Absolute).source(SOURCE))
        .check(forces.within("force", FORCE, Measure::Absolute).source(SOURCE))
        .check(Check::at_least("pull", "least contact force", "N", 0.0, least).source("no pull")))
}
