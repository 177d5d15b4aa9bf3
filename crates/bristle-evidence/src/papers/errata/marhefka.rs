//! Marhefka & Orin.

use super::super::draw::Drawing;
use super::super::params;
use super::{Item, list};
use crate::{Check, Fault, Measure, Section, Stop};
use bristle::laws::{Impact, Normal, proportional};
use bristle_report::Axis;

const ITEMS: [Item; 6] = [
    (
        "Eq. 19",
        "product of two (n+1)-th roots of negative numbers",
        "one root of the product; as printed, n = 1 gives −x",
        "here, marhefka-fig2",
    ),
    (
        "Fig. 3",
        "restitution by integration",
        "closed form with Lambert's W; at α v = 0.2 it is 0.83287, not 0.8",
        "here, marhefka-fig3",
    ),
    (
        "Eq. 4",
        "contact until x = 0, tension included",
        "the model's own defect; with the force cut at 0 more comes back; needs b² < 4 m k; \"e\" is \
             also Euler's number there",
        "here, azad-fig2",
    ),
    (
        "text",
        "½ m v_i² (e² − 1) as the energy lost",
        "that is the (negative) change; the area of the loop is its opposite",
        "marhefka-fig4",
    ),
    ("Fig. 5–8", "n is not given, xⁿ for any x", "n = 1; xⁿ for x ≥ 0 only", "marhefka-fig5"),
    (
        "Fig. 8",
        "weight and times missing",
        "1500 N, lifted at 0.5 s; no pull occurs; after lift-off Eq. 24 alone is an undamped oscillator \
             about the ramp",
        "marhefka-fig8",
    ),
];

/// Restitution of a linear spring and damper with the share ζ of critical damping.
fn linear(zeta: f64, tension: &str) -> Result<f64, Fault> {
    let law = params(&[("stiffness", 1e4), ("damping", 2.0 * zeta * 1e2)]).choose("tension", tension);
    let e = Normal::build("kelvin-voigt", &law)?.forecast(&Impact::new(1.0, 1.0)).restitution;
    e.ok_or_else(|| Fault::Missing { what: "closed form of the restitution".into() })
}

pub(super) fn section(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    let mut curves = [Vec::new(), Vec::new()];
    for i in 0..=49 {
        let zeta = 0.02 * f64::from(i);
        curves[0].push((zeta, linear(zeta, "cut")?));
        curves[1].push((zeta, linear(zeta, "keep")?));
    }
    let [cut, keep] = curves;
    let drawing = Drawing::new(
        "Restitution of the linear model",
        Axis::linear("ζ = b/(2√(k m))", ""),
        Axis::linear("restitution", ""),
    )
    .line("force cut at 0", cut)
    .dashed("Eq. 4, pulls to x = 0", keep);
    // Eq. 19 at v = 0 for n = 1, m = k = a = v_i = 1: both factors are roots of negative numbers, i·i = −1
    let squared: f64 = 2.0 * (1.0 - 2f64.ln());
    let printed = -squared.sqrt();
    let law = bristle::laws::normal::HuntCrossley::new(1.0, 1.0, 1.0)?;
    let depth = law.forecast(&Impact::new(1.0, 1.0)).peak_depth.unwrap_or(f64::NAN);
    Ok(section
        .equations("as printed (Eq. 4, 19)", "e = exp(−π ζ/√(1 − ζ²))\nx = ⁿ⁺¹√(−…) · ⁿ⁺¹√(−…)")
        .equations(
            "corrected",
            "e = exp(−(ζ/w) atan2(2 ζ w, 2 ζ² − 1)),   w = √(1 − ζ²)\nx^(n+1) = \
             (n+1) m/(k a²) [a (v_i − v) − ln|(1 + a v_i)/(1 + a v)|]",
        )
        .plot(drawing.done())
        .table(list(&ITEMS))
        .check(
            Check::new("eq19", "1: largest depth for m = k = a = v_i = n = 1", "m", -printed, depth)
                .within(1e-12, Measure::Relative)
                .source("corrected form; the printed one is its opposite"),
        )
        // five and four digits are stated
        .check(
            Check::new("closed", "2: e at α v = 0.2", "", 0.832_87, proportional::restitution(0.3))
                .within(5e-6, Measure::Absolute)
                .source("closed form"),
        )
        .check(
            Check::new("cut", "3: e at ζ = 0.2, force cut", "", 0.5717, linear(0.2, "cut")?)
                .within(5e-5, Measure::Absolute)
                .source("closed form"),
        )
        .check(
            Check::new("keep", "3: e at ζ = 0.2, Eq. 4", "", 0.5266, linear(0.2, "keep")?)
                .within(5e-5, Measure::Absolute)
                .source("closed form"),
        ))
}
