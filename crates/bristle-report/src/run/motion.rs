//! Plots of positions and velocities of the bodies that move.

use super::{MOST_CURVES, Points, RunReport, Sketch, range, series};
use crate::{Axis, Plot};

/// A motion quantity: column, title, unit.
const QUANTITIES: [(&str, &str, &str); 3] = [
    ("position", "Position", "m"),
    ("velocity", "Velocity", "m/s"),
    ("angular_velocity", "Angular velocity", "rad/s"),
];

pub(super) fn sketches(report: &RunReport<'_>) -> Vec<Sketch> {
    let (bodies, note) = bodies(report);
    QUANTITIES.iter().flat_map(|quantity| plots(report, &bodies, &note, *quantity)).collect()
}

/// Bodies that move, those that travel furthest if there are too many, and a remark about it.
fn bodies<'a>(report: &RunReport<'a>) -> (Vec<&'a str>, String) {
    let all = &report.model.bodies;
    let moving = || all.iter().filter(|b| b.is_movable || b.driven.is_some());
    let count = moving().count();
    let Some(film) = report.run.film.as_ref().filter(|_| count > MOST_CURVES) else {
        return (moving().take(MOST_CURVES).map(|b| b.name.as_str()).collect(), String::new());
    };
    let travel = |place: usize| -> f32 {
        let spread = |axis: usize| {
            let at = film.frames.iter().map(|f| f.poses[place][axis]);
            at.clone().fold(f32::MIN, f32::max) - at.fold(f32::MAX, f32::min)
        };
        [0, 1, 2].map(spread).iter().map(|s| s * s).sum()
    };
    let mut order: Vec<(usize, f32)> = (0..film.bodies.len()).map(|place| (place, travel(place))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let names = order.iter().take(MOST_CURVES).map(|(place, _)| all[film.bodies[*place]].name.as_str());
    (
        names.collect(),
        format!("The {MOST_CURVES} bodies of {count} that travel furthest; series.parquet has all."),
    )
}

/// One plot of all components for one or two bodies, one per component for more. Components that never change are
/// left out.
fn plots(
    report: &RunReport<'_>,
    bodies: &[&str],
    note: &str,
    (column, title, unit): (&str, &str, &str),
) -> Vec<Sketch> {
    let curves: Vec<(&str, &str, Points)> = ["x", "y", "z"]
        .into_iter()
        .flat_map(|axis| bodies.iter().map(move |body| (*body, axis)))
        .filter_map(|(body, axis)| Some((body, axis, series(report, &format!("{body}.{column}.{axis}"))?)))
        .collect();
    // Rounding is no motion.
    let size = |points: &Points| points.iter().map(|p| p.1.abs()).fold(0.0, f64::max);
    let largest = curves.iter().map(|(_, _, points)| size(points)).fold(0.0, f64::max);
    let moves = |points: &Points| {
        let (low, high) = range(points);
        high - low > 1e-9 * largest
    };
    let sketch = |title: String, label: String, curves: Vec<(String, Points)>| {
        let plot = Plot::new(title, Axis::linear("time", "s"), Axis::linear(label, unit));
        let mut sketch = Sketch::new(plot.note(note));
        sketch.curves = curves;
        sketch
    };
    if bodies.len() <= 2 {
        let shown = curves.into_iter().filter(|(_, _, points)| moves(points));
        let name = |body: &str, axis: &str| {
            if bodies.len() == 1 { axis.to_string() } else { format!("{body} {axis}") }
        };
        let label = title.to_lowercase();
        let title = if bodies.len() == 1 { format!("{title} of {}", bodies[0]) } else { title.to_string() };
        let shown: Vec<_> = shown.map(|(body, axis, points)| (name(body, axis), points)).collect();
        return if shown.is_empty() { Vec::new() } else { vec![sketch(title, label, shown)] };
    }
    let axes = ["x", "y", "z"].into_iter().filter_map(|axis| {
        let of_axis = || curves.iter().filter(|c| c.1 == axis);
        let shown: Vec<_> =
            of_axis().map(|(body, _, points)| ((*body).to_string(), points.clone())).collect();
        let is_any = of_axis().any(|(_, _, points)| moves(points));
        is_any.then(|| sketch(format!("{title} {axis}"), format!("{} {axis}", title.to_lowercase()), shown))
    });
    axes.collect()
}
