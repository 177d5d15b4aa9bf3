//! Figures 9 and 10: a ball on an incline, by `scenes/ball_on_incline.toml`.

use super::super::draw::{Drawing, pairs};
use super::EQUATIONS;
use crate::simulate::{Shipped, at_times};
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle::run::Run;
use bristle_report::Axis;

const SCENE: Shipped = scene!("ball_on_incline.toml");
const SOURCE: &str = "integration: 5e-10 m, 2e-9 rad/s";
/// The step error of 1e-10 of the scene through four contacts, some of them sliding.
const TOLERANCE: f64 = 1e-6;

fn run(stop: &Stop<'_>) -> Result<Run, Fault> {
    SCENE.run(&["simulation.duration=3".into(), "simulation.record={every=1e-2}".into()], stop)
}

/// A vector of the ball in the frame of the plane: x downhill, z along the normal.
fn in_plane(run: &Run, name: &str, times: &[f64]) -> Result<[Vec<f64>; 3], Fault> {
    let (sin, cos) = 20f64.to_radians().sin_cos();
    let get = |axis: &str| at_times(run, &format!("ball.{name}.{axis}"), times);
    let (x, y, z) = (get("x")?, get("y")?, get("z")?);
    let turned = |a: f64, b: f64| -> Vec<f64> { pairs(&x, &z).map(|(x, z)| a * x + b * z).collect() };
    Ok([turned(cos, -sin), y, turned(sin, cos)])
}

fn with_parameters(section: Section) -> Section {
    section
        .equations("", EQUATIONS)
        .parameter("m", "2 kg")
        .parameter("R", "0.1 m")
        .parameter("k", "1e6 N/m^(3/2)")
        .parameter("e", "0.5")
        .parameter("friction", "Table II")
        .parameter("start", "0.5 m above the plane (chosen)")
        .parameter("scene", SCENE.name)
}

pub(super) fn path(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("gonthier_fig9_10_incline.csv")?;
    let run = run(stop)?;
    let times = table.column("t")?;
    let mut drawing = Drawing::new(
        "Position in the frame of the plane",
        Axis::linear("time", "s"),
        Axis::linear("position", "m"),
    );
    let mut deviation = Deviation::new("position, three components", "m");
    for ((ours, axis), name) in in_plane(&run, "position", &times)?.iter().zip(["x", "y", "z"]).zip([
        "downhill",
        "across",
        "along the normal",
    ]) {
        let want = table.column(axis)?;
        deviation.curves(ours, &want, 1.0);
        drawing = drawing.line(name, pairs(&times, ours)).reference(pairs(&times, &want));
    }
    Ok(with_parameters(section)
        .about("Thrown uphill and sideways, the ball bounces three times, slips, grips and rolls down.")
        .plot(drawing.done())
        .check(deviation.within("position", TOLERANCE, Measure::Absolute).source(SOURCE)))
}

pub(super) fn velocity(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("gonthier_fig9_10_incline.csv")?;
    let run = run(stop)?;
    let times = table.column("t")?;
    let v = in_plane(&run, "velocity", &times)?;
    let w = in_plane(&run, "angular_velocity", &times)?;
    let mut drawing =
        Drawing::new("Velocity and rolling speed", Axis::linear("time", "s"), Axis::linear("speed", "m/s"));
    let mut linear = Deviation::new("velocity, three components", "m/s");
    let mut angular = Deviation::new("angular velocity, three components", "rad/s");
    for (k, axis) in ["x", "y", "z"].iter().enumerate() {
        linear.curves(&v[k], &table.column(&format!("v{axis}"))?, 1.0);
        angular.curves(&w[k], &table.column(&format!("w{axis}"))?, 1.0);
    }
    drawing = drawing.line("downhill", pairs(&times, &v[0])).reference(pairs(&times, &table.column("vx")?));
    let rolling: Vec<f64> = w[1].iter().map(|w| 0.1 * w).collect();
    let want: Vec<f64> = table.column("wy")?.iter().map(|w| 0.1 * w).collect();
    drawing = drawing.line("radius times spin", pairs(&times, &rolling)).reference(pairs(&times, &want));
    drawing = drawing.line("across", pairs(&times, &v[1])).reference(pairs(&times, &table.column("vy")?));
    let late = |t: f64| times.iter().position(|x| (x - t).abs() < 1e-9).map_or(f64::NAN, |i| v[0][i]);
    let rolled = (late(3.0) - late(2.0)) / 1.0;
    Ok(with_parameters(section)
        .about(
            "Velocity and spin meet when the ball grips. It then rolls with (5/7) g sin 20° = 2.397 \
                 m/s², not with the g sin 20° that the text names.",
        )
        .equations("as printed", "acceleration while rolling: g sin 20° = 3.355 m/s²")
        .equations("corrected", "acceleration while rolling: (5/7) g sin 20° = 2.3966 m/s²")
        .plot(drawing.done())
        // contacts turn the velocity by up to 200 m/s², the spin by 5000 rad/s²; times are good to 1e-9 s
        .check(linear.within("velocity", TOLERANCE, Measure::Absolute).source(SOURCE))
        .check(angular.within("spin", 1e-5, Measure::Absolute).source(SOURCE))
        .check(
            Check::new(
                "rolling",
                "acceleration while rolling, 2 … 3 s",
                "m/s²",
                5.0 / 7.0 * 9.81 * 20f64.to_radians().sin(),
                rolled,
            )
            .within(1e-6, Measure::Relative)
            .source("rolling ball, exact"),
        ))
}
