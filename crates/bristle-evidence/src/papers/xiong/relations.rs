//! Figure 1: the relations dio and sgn, and what their proxies make of them at rest and at steady speed.

use super::super::draw::Drawing;
use super::super::params;
use crate::{Deviation, Fault, Measure, Section, Stop};
use bristle::drag::{Pressed, steady_force};
use bristle::laws::{Friction, Indent, Normal, NormalLaw, Phase};
use bristle::math::lens::Lens;
use bristle_report::Axis;

pub(super) fn section(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    let friction =
        Friction::build("proxy-coulomb", &params(&[("friction", 0.5), ("stiffness", 1e4), ("beta", 0.02)]))?;
    let mut sgn = Deviation::new("steady friction over velocity", "N");
    let mut sliding = Vec::new();
    for v in [-1.0, -0.1, -1e-3, -1e-5, 1e-5, 1e-3, 0.1, 1.0f64] {
        let force = v.signum() * steady_force(&friction, Pressed { load: 1.0, depth: 0.0 }, v.abs())?;
        sgn.compare(force, 0.5 * v.signum(), 1.0);
        sliding.push((v, force));
    }
    let left: Vec<_> = sliding.iter().copied().filter(|p| p.0 < 0.0).collect();
    let right: Vec<_> = sliding.into_iter().filter(|p| p.0 > 0.0).collect();
    let mut dio = Deviation::new("force of a contact at rest over the gap", "N");
    let mut plot = Drawing::new("Contact at rest", Axis::linear("gap", "m"), Axis::linear("force", "N"));
    for stiffness in [1e3, 1e4, 1e5] {
        let law =
            Normal::build("proxy", &params(&[("stiffness", stiffness), ("alpha", 0.005), ("beta", 0.01)]))?;
        let mut curve = Vec::new();
        for i in -20..=20 {
            let gap = 1e-4 * f64::from(i);
            // at rest: ė = 0, so the proxy stands at the depth, or at 0 without contact
            let (depth, mut rate) = ((-gap).max(0.0), [0.0]);
            let at = Indent::from_lens(Lens::on_plane(1.0), -gap, 0.0);
            let out =
                law.eval(&at, &[depth], if gap < 0.0 { Phase::Touching } else { Phase::Open }, &mut rate);
            dio.compare(out.force + rate[0].abs(), stiffness * depth, 1.0);
            curve.push((gap, out.force));
        }
        plot = plot.line(&format!("K = {stiffness:e} N/m"), curve);
    }
    let slide =
        Drawing::new("Friction at steady speed", Axis::linear("velocity", "m/s"), Axis::linear("force", "N"));
    Ok(section
        .about(
            "Friction is any force up to its limit at rest and the limit itself when it slides: the \
                 proxy keeps that, exactly, at every speed however small. Contact is no force with a \
                 gap and any force without: the proxy makes it a spring of stiffness K, which \
                 approaches the relation as K grows.",
        )
        .equations("relations", "f ∈ F sgn(v)\nf ∈ dio(p):   p ≥ 0, f ≥ 0, p f = 0")
        .equations(
            "proxies (Eq. 8–10, 14–15)",
            "β ȧ = sat(F/K, a + β v) − a,   f = K (a + β ȧ)\nė = \
             max(−e/β, −(p + e)/α),   f = K max(0, e − β (p + e)/α)",
        )
        .plot(
            slide
                .marked("sliding backwards", left)
                .marked("sliding forwards", right)
                .dashed("limit F", [(-1.0, -0.5), (0.0, -0.5), (0.0, 0.5), (1.0, 0.5)])
                .done(),
        )
        .plot(plot.done())
        // steady to 1e-9 of the force, integrated at 1e-10
        .check(sgn.within("sgn", 1e-7, Measure::Absolute).source("F sgn(v), exact"))
        // one product each
        .check(dio.within("dio", 1e-12, Measure::Absolute).source("K max(0, −p), exact")))
}
