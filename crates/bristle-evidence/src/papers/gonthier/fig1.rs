//! Figure 1: the damping factor d(e).

use super::super::CLOSED;
use super::super::draw::{Drawing, pairs};
use crate::{Deviation, Fault, Measure, Section, Stop};
use bristle::laws::proportional::{damping_factor, damping_number};
use bristle_report::Axis;

pub(super) fn section(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("gonthier_fig1_d_of_e.csv")?;
    let (e, want) = (table.column("e")?, table.column("d_exact")?);
    let d: Vec<f64> = e.iter().map(|e| damping_factor(*e).0).collect();
    let mut factor = Deviation::new("damping factor d", "");
    factor.curves(&d, &want, 1.0);
    let mut number = Deviation::new("damping number d/e, where e ≤ 0.99", "");
    for (e, want) in pairs(&e, &table.column("d_over_e")?).filter(|(e, _)| *e <= 0.99) {
        number.relative(damping_number(e), want);
    }
    let (usual, simple) = (table.column("d_HC")?, table.column("d_est_1-e2")?);
    let drawing = Drawing::new("Damping factor", Axis::linear("restitution", ""), Axis::linear("d", ""));
    Ok(section
        .about(
            "The factor that makes the restitution exact, beside two common estimates. Below e = 0.025 \
                 the factor itself rounds to 1 and Eq. 10, which divides by 1 − d, fails in double \
                 precision; Bristle computes 1 − d on its own.",
        )
        .equations("paper (Eq. 10), implicit", "(1 + d/e)/(1 − d) = exp(d (1 + 1/e))")
        .equations(
            "parametric closed form",
            "d = 1 − ln q/(q − 1),   e = (q − 1 − ln q)/(q ln q − q + \
             1),   q ≥ 1",
        )
        .plot(
            drawing
                .line("exact, Bristle", pairs(&e, &d))
                .dashed("Hunt–Crossley: 3/2 e (1 − e)", pairs(&e, &usual))
                .dashed("1 − e²", pairs(&e, &simple))
                .reference(pairs(&e, &want))
                .done(),
        )
        // 15 digits, a few roundings
        .check(factor.within("d", 1e-14, Measure::Absolute).source("18 digits"))
        // d/e falls to 0 at e = 1: the rounding of e alone is 1e-16/(1 − e) of it
        .check(number.within("d-over-e", CLOSED, Measure::Relative).source("18 digits")))
}
