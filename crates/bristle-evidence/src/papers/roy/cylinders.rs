//! Figure 2: what crossed cylinders share.

use super::super::draw::Drawing;
use crate::reference::Table;
use crate::{Deviation, Fault, Measure, Section, Stop};
use bristle::math::crossed::CrossedCylinders;
use bristle_report::Axis;

/// The table prints 12 to 13 digits.
const DIGITS: f64 = 1e-11;

pub(super) fn section(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    let text = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../bristle-geom/testdata/roy_cylinder_volume.csv"
    ));
    let table = Table::read("roy_cylinder_volume.csv", text)?;
    let mut volume = Deviation::new("interference volume", "m³");
    let mut area = Deviation::new("area of its projection", "m²");
    let mut ellipse = Deviation::new("area of the ellipse", "m²");
    for row in table.rows() {
        let [radius_a, radius_b, degrees, chi, v, a, e, ..] = row[..] else {
            return Err(Fault::Reference { file: table.file().into(), what: "a row is too short".into() });
        };
        let (cylinders, angle) = (CrossedCylinders { radius_a, radius_b }, degrees.to_radians());
        let at = cylinders.overlap(chi);
        volume.relative(at.volume / angle.sin(), v);
        area.relative(at.area / angle.sin(), a);
        ellipse.relative(cylinders.ellipse(chi, angle).area(), e);
    }
    let cylinders = CrossedCylinders { radius_a: 1.0, radius_b: 0.5 };
    let flat = cylinders.overlap(0.1).area;
    let angles = || (10..=90).map(f64::from);
    let drawing = Drawing::new(
        "Area of the patch, radii 1 and 0.5, depth 0.1",
        Axis::linear("angle between the axes", "°"),
        Axis::log("area", "m²"),
    );
    let grid = [(30.0, 0.83812)];
    Ok(section
        .about(
            "The patch of crossed cylinders stretches with 1/sin of the angle between them. The printed \
                 1/cos is infinite for perpendicular cylinders, whose patch the text itself calls a \
                 circle.",
        )
        .equations("as printed (Eq. 20)", "x = x_max cos θ/cos α + …")
        .equations(
            "corrected",
            "x = x_max cos θ/sin α + y/tan α\nV(α) = V(90°)/sin α,   A(α) = \
             A(90°)/sin α,   dV/dχ = A",
        )
        .plot(
            drawing
                .line("Bristle, exact", angles().map(|d| (d, flat / d.to_radians().sin())))
                .line(
                    "Bristle, ellipse",
                    angles().map(|d| (d, cylinders.ellipse(0.1, d.to_radians()).area())),
                )
                .dashed(
                    "printed stretch 1/cos α",
                    (10..90).map(f64::from).map(|d| (d, flat / d.to_radians().cos())),
                )
                .reference(grid)
                .note("The ring is an integration on a grid, 0.83812 m² at 30°."),
        )
        .check(volume.within("volume", DIGITS, Measure::Relative).source("quadrature, 1e-12"))
        .check(area.within("area", DIGITS, Measure::Relative).source("quadrature, 1e-12"))
        .check(ellipse.within("ellipse", DIGITS, Measure::Relative).source("Eq. 19–22, corrected"))
        .check({
            let mut check = Deviation::new("area at 30°, radii 1 and 0.5, depth 0.1", "m²");
            check.compare(flat / 30f64.to_radians().sin(), 0.83812, 1.0);
            // five digits are stated
            check.within("grid", 5e-6, Measure::Absolute).source("integration on a grid")
        }))
}
