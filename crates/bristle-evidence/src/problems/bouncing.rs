//! T0-5: the series of a bouncing ball.

use super::{scene, set};
use crate::simulate::{Shipped, column};
use crate::{Case, Check, Fault, Measure};
use bristle_report::{Axis, Curve, Plot};

const SCENE: Shipped = scene!("bouncing_ball");
const G: f64 = 9.81;

/// T0-5.
pub(super) fn case() -> Case {
    Case::new("bouncing-ball", "T0-5 A bouncing ball comes to rest", |mut section, stop| {
        let fall = (2.0f64 / G).sqrt();
        let mut plot = Plot::new("Height", Axis::linear("time", "s"), Axis::linear("height", "m"));
        for e in [0.5, 0.8, 0.9] {
            let (time, path) = (fall * (1.0 + e) / (1.0 - e), (1.0 + e * e) / (1.0 - e * e));
            let run = SCENE.run(&[set("parameters.e", e), set("simulation.duration", 1.05 * time)], stop)?;
            let bounces = || run.episodes.iter().filter_map(|i| Some((i, i.end?)));
            let (last, _) = bounces().next_back().ok_or_else(|| Fault::Missing { what: "bounce".into() })?;
            // what the series still holds after the last bounce that was told apart
            let rest = 2.0 * last.speed_in * e / (G * (1.0 - e));
            let rest_path = last.speed_in.powi(2) * e * e / (G * (1.0 - e * e));
            let climbed: f64 = bounces()
                .take_while(|(i, _)| i.start < last.start)
                .map(|(i, _)| i.speed_out.powi(2) / G)
                .sum();
            // Impacts take time, and gravity acts meanwhile: each is late by its duration T and takes g·T from the speed,
            // which counts 1/(1 − e) times in time and v/g·1/(1 − e²) times in height.
            let durations: f64 = bounces().map(|(i, end)| end - i.start).sum();
            let slowed: f64 = bounces().map(|(i, end)| 2.0 * i.speed_in * (end - i.start)).sum();
            let (late, low) = (3.0 * durations / (1.0 - e), slowed / (1.0 - e * e));
            section = section
                .check(
                    Check::new(
                        &format!("time-{e}"),
                        &format!("e = {e}: at rest after"),
                        "s",
                        time,
                        last.start + rest,
                    )
                    .within(late, Measure::Absolute)
                    .source("√(2h/g)(1 + e)/(1 − e), allowed: 3ΣT/(1 − e), T the durations of the impacts"),
                )
                .check(
                    Check::new(
                        &format!("path-{e}"),
                        &format!("e = {e}: path"),
                        "m",
                        path,
                        1.0 + climbed + rest_path,
                    )
                    .within(low, Measure::Absolute)
                    .source("h(1 + e²)/(1 − e²), allowed: 2ΣvT/(1 − e²)"),
                );
            let (times, heights) = (column(&run, "time")?, column(&run, "ball.position.z")?);
            let points = times.iter().copied().zip(heights.iter().copied()).step_by(10);
            plot = plot.curve(Curve::new(format!("e = {e}"), points));
        }
        Ok(section
            .about(
                "Infinitely many bounces in a finite time. The closed form takes impacts for instants; ground of 1e12 N/m^1.5 is close to \
                 that, and the tolerance is what the duration of the impacts explains.",
            )
            .parameter("scene", SCENE.name)
            .plot(plot))
    })
}
