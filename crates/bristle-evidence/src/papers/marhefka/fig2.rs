//! Figure 2: phase portrait, with the curves on which the contact pulls.

use super::super::CLOSED;
use super::super::draw::{Drawing, pairs};
use super::super::largest;
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle::laws::normal::HuntCrossley;
use bristle_report::Axis;

pub(super) fn section(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("marhefka_fig2_phase.csv")?;
    let (mass, stiffness, a) = (50.0, 50e3, 1.5 * 0.4);
    let law = HuntCrossley::new(stiffness, 1.0, a)?;
    let law =
        law.proportional().ok_or_else(|| Fault::Missing { what: "closed form of the phase curve".into() })?;
    let mut drawing =
        Drawing::new("Phase curves", Axis::linear("depth", "m"), Axis::linear("depth rate", "m/s")).rings(10);
    // x² is what the velocity determines to rounding; x itself only away from x = 0
    let mut squares = Deviation::new("x² on the phase curves", "m²");
    let mut sticky = 0;
    for label in table.keys() {
        let rows = table.rows_of(label);
        let (v, x) = (rows.column("v")?, rows.column("x")?);
        let size = largest(&x).powi(2);
        let ours: Vec<f64> = v.iter().map(|v| law.phase_depth(mass, label, *v)).collect();
        ours.iter().zip(&x).for_each(|(a, b)| squares.compare(a * a, b * b, size));
        sticky += usize::from(label < -1.0 / a);
        let name = format!("{label} m/s at the surface");
        let curve: Vec<_> = pairs(&ours, &v).collect();
        drawing = if label > 0.0 { drawing.line(&name, curve) } else { drawing.dashed(&name, curve) };
        drawing = drawing.reference(pairs(&x, &v));
    }
    Ok(section
        .about(
            "Impacts come in at the top left and leave at the bottom left, slower. Below −1/a = −1.667 \
                 m/s the force pulls: such curves (dashed) are reached only when something else pulls \
                 the body out. Bristle cuts the pull by default (`tension`).",
        )
        .equations(
            "as printed (Eq. 19)",
            "x = ⁿ⁺¹√(…) · ⁿ⁺¹√(…): a product of roots of two negative \
             numbers,\nwhich for n = 1 gives −x",
        )
        .equations("corrected", "x^(n+1) = (n+1) m/(k a²) [a (v_i − v) − ln|(1 + a v_i)/(1 + a v)|]")
        .parameter("m", "50 kg")
        .parameter("k", "50e3 N/m")
        .parameter("n", "1")
        .parameter("α", "0.4 s/m, a = 3/2 α")
        .plot(drawing.done())
        .check(squares.within("phase", CLOSED, Measure::OfLargest).source("closed form, 1e-15"))
        .check(
            Check::new("sticky", "curves on which the contact pulls", "", 4.0, f64::from(sticky as u32))
                .source("reference file"),
        ))
}
