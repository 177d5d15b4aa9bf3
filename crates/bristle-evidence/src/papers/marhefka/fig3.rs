//! Figure 3: restitution over impact speed.

use super::super::CLOSED;
use super::super::draw::{Drawing, pairs};
use crate::{Deviation, Fault, Measure, Section, Stop};
use bristle::laws::proportional::restitution;
use bristle_report::Axis;

pub(super) fn section(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("marhefka_fig3_cor.csv")?;
    let speeds = table.column("v_i")?;
    let mut drawing =
        Drawing::new("Restitution", Axis::linear("impact speed", "m/s"), Axis::linear("restitution", ""))
            .rings(12);
    let mut deviation = Deviation::new("restitution, ten values of α", "");
    for (alpha, expected) in table.family("alpha") {
        let e: Vec<f64> = speeds.iter().map(|v| restitution(1.5 * alpha * v)).collect();
        e.iter().zip(&expected).for_each(|(a, b)| deviation.relative(*a, *b));
        drawing = drawing
            .line(&format!("α = {alpha} s/m"), pairs(&speeds, &e))
            .reference(pairs(&speeds, &expected));
    }
    let universal = table!("marhefka_universal_e_of_av.csv")?;
    let (b, expected) = (universal.column("a_times_v_i")?, universal.column("e")?);
    let e: Vec<f64> = b.iter().map(|b| restitution(*b)).collect();
    let mut one = Deviation::new("restitution over a v", "");
    e.iter().zip(&expected).for_each(|(a, b)| one.relative(*a, *b));
    let master = Drawing::new("One curve for all", Axis::log("a v_i", ""), Axis::linear("restitution", ""));
    let line: Vec<(f64, f64)> = b.iter().map(|b| (*b, 1.0 - b / 1.5)).filter(|p| p.1 > 0.0).collect();
    Ok(section
        .about(
            "Restitution depends on the product of damping and speed alone. The rule e = 1 − α v is its \
                 tangent at low speed: at α v = 0.2 the model returns 0.833, not 0.8. `restitution` as \
                 a parameter, or `bristle law design`, avoids the difference.",
        )
        .equations("paper", "found by integration; e ≈ 1 − α v")
        .equations(
            "closed form",
            "e = (1 + W₀(−S e^(−S)))/(a v_i),   S = 1 + a v_i,   a = 3/2 α\ne = 1 \
             − α v + α² v² − …",
        )
        .plot(drawing.done())
        .plot(
            master
                .line("Bristle", pairs(&b, &e))
                .dashed("1 − α v", line)
                .reference(pairs(&b, &expected))
                .done(),
        )
        .check(deviation.within("e", CLOSED, Measure::Relative).source("closed form, 1e-15"))
        .check(one.within("universal", CLOSED, Measure::Relative).source("closed form, 1e-15")))
}
