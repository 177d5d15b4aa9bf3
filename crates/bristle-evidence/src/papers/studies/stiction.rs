//! How break-away depends on the speed of the plate, which sets the time at rest.

use super::super::draw::Drawing;
use super::super::gonthier::bowden::force_peaks;
use crate::{Check, Fault, Section, Stop};
use bristle_report::{Axis, Table};

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let mut curves = [Vec::new(), Vec::new()];
    let mut table = Table::new("Break-away in the last of four cycles")
        .column("plate", "m/s")
        .column("as printed", "N")
        .column("passive", "N");
    let speeds = [0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2];
    let mut apart: f64 = 0.0;
    for speed in speeds {
        // the first break-away after 0.75 m of the plate, then cycles of some 0.5 m and the slip
        let end = 0.75 / speed + 4.0 * (0.55 / speed + 2.3);
        let mut row = [f64::NAN; 2];
        for (k, variant) in ["as-printed", "passive"].into_iter().enumerate() {
            let peaks = force_peaks(speed, variant, end, stop)?;
            // peaks of sliding lie near the kinetic friction, those of break-away above it
            let last = peaks.iter().skip(1).rfind(|p| p.1 > 1.06);
            row[k] = last.map_or(f64::NAN, |p| p.1);
            curves[k].push((speed, row[k]));
        }
        apart = apart.max((row[0] - row[1]).abs());
        table = table.row([speed, row[0], row[1]].map(Into::into));
    }
    let rise = curves[0].windows(2).map(|w| w[1].1 - w[0].1).fold(f64::NEG_INFINITY, f64::max);
    let [printed, passive] = curves;
    let (slow, fast) = (printed.first().map_or(f64::NAN, |p| p.1), printed.last().map_or(f64::NAN, |p| p.1));
    let drawing = Drawing::new(
        "Break-away over the speed of the plate",
        Axis::log("speed of the plate", "m/s"),
        Axis::linear("friction at break-away", "N"),
    );
    Ok(section
        .about(
            "A slow plate lets the block rest longer, and more of the static friction returns: \
                 break-away approaches 1.5 N as the plate slows and falls towards the kinetic 1 N as it \
                 speeds up. A law without dwell breaks away at the same force at any speed. The passive \
                 form has the same break-away as the printed one.",
        )
        .parameter("rig", "Bowden–Leben, Table I")
        .plot(
            drawing
                .marked("as printed", printed)
                .marked("passive", passive)
                .dashed("static", [(0.02, 1.5), (0.2, 1.5)])
                .dashed("kinetic", [(0.02, 1.0), (0.2, 1.0)])
                .done(),
        )
        .table(table)
        .check(
            Check::at_most("falls", "largest rise between neighbouring speeds", "N", 0.0, rise)
                .source("claim: it falls"),
        )
        .check(Check::at_most("below", "break-away at 0.02 m/s", "N", 1.5, slow).source("static friction"))
        .check(Check::at_least("above", "break-away at 0.2 m/s", "N", 1.0, fast).source("kinetic friction"))
        // Both forms hold the same limit; they differ by the creep of the printed one before it lets go: σ₁ times the creep
        // rate, below 316 N s/m × 1e-5 m/s.
        .check(
            Check::at_most("same", "largest difference between the forms", "N", 3e-3, apart)
                .source("same limit"),
        ))
}
