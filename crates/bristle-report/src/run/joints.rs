//! Plots of joints: where they are, how fast they move, what their motors do.

use super::{MOST_CURVES, Points, RunReport, Sketch, range, series};
use crate::{Axis, Plot};
use bristle::bodies::Joint;

/// Column, title, and the units for joints that turn and that slide.
const QUANTITIES: [(&str, &str, [&str; 2]); 3] = [
    ("position", "position", ["degrees", "m"]),
    ("velocity", "velocity", ["rad/s", "m/s"]),
    ("effort", "effort of motors", ["N m", "N"]),
];

pub(super) fn sketches(report: &RunReport<'_>) -> Vec<Sketch> {
    let mut all = Vec::new();
    for (column, title, units) in QUANTITIES {
        for (slides, unit) in [(false, units[0]), (true, units[1])] {
            let of_kind = report.model.joints.iter().filter(|joint| {
                match report.model.tree.links()[joint.link].joint {
                    Joint::Prismatic { .. } => slides,
                    Joint::Revolute { .. } => !slides,
                    _ => false, // joints with several freedoms show in their bodies
                }
            });
            let factor = if unit == "degrees" { 1f64.to_degrees() } else { 1.0 };
            let mut curves: Vec<(String, Points)> = of_kind
                .filter_map(|joint| {
                    let mut points = series(report, &format!("{}.{column}", joint.name))?;
                    points.iter_mut().for_each(|p| p.1 *= factor);
                    Some((joint.name.clone(), points))
                })
                .filter(|(_, points)| column != "effort" || points.iter().any(|p| p.1 != 0.0))
                .collect();
            if curves.is_empty() {
                continue;
            }
            let spread = |points: &Points| {
                let (low, high) = range(points);
                high - low
            };
            let (count, mut note) = (curves.len(), String::new());
            if count > MOST_CURVES {
                curves.sort_by(|a, b| spread(&b.1).total_cmp(&spread(&a.1)));
                curves.truncate(MOST_CURVES);
                note =
                    format!("The {MOST_CURVES} joints of {count} that change most; series.parquet has all.");
            }
            let plot =
                Plot::new(format!("Joint {title}"), Axis::linear("time", "s"), Axis::linear(title, unit));
            let mut sketch = Sketch::new(plot.note(&note));
            sketch.curves = curves;
            all.push(sketch);
        }
    }
    all
}
