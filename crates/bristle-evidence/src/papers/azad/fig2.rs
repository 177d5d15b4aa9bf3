//! Figure 2: restitution against speed of the two models that the paper starts from.

use super::super::draw::{Drawing, pairs};
use super::super::{CLOSED, params};
use super::{MASS, STIFFNESS};
use crate::{Deviation, Fault, Measure, Section, Stop};
use bristle::laws::{Impact, Normal};
use bristle_report::Axis;

pub(super) fn section(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("azad_fig2_3_cor.csv")?;
    // The classical columns of the first file lose up to eight digits; these have all of them.
    let classical = table!("azad_fig2_3_classical.csv")?;
    let speeds = table.column("v_i")?;
    let axes = || (Axis::log("impact speed", "m/s"), Axis::linear("restitution", ""));
    let mut linear = Drawing::new("Linear model", axes().0, axes().1).rings(12);
    let mut checks = Vec::new();
    for (tension, prefix, words) in [
        ("cut", "e_linear_clamped_d", "force cut at 0"),
        ("keep", "e_linear_unclamped_d", "until depth 0, Eq. 4"),
    ] {
        let mut deviation = Deviation::new(&format!("restitution, linear model, {words}"), "");
        for (damping, expected) in table.family(prefix) {
            let law = params(&[("stiffness", 1e6), ("damping", damping)]).choose("tension", tension);
            let e = forecast(&Normal::build("kelvin-voigt", &law)?, &speeds)?;
            e.iter().zip(&expected).for_each(|(a, b)| deviation.relative(*a, *b));
            let name = format!("d = {damping} N s/m, {words}");
            let points = pairs(&speeds, &e).collect::<Vec<_>>();
            linear = if tension == "cut" { linear.line(&name, points) } else { linear.dashed(&name, points) };
            linear = linear.reference(pairs(&speeds, &expected));
        }
        checks.push(deviation.within(&format!("linear-{tension}"), CLOSED, Measure::Relative));
    }
    let mut power = Drawing::new("Classical model (Hunt–Crossley)", axes().0, axes().1);
    let mut deviation = Deviation::new("restitution, classical model", "");
    for (lambda, expected) in classical.family("e_classical_lambda") {
        let law = params(&[("stiffness", STIFFNESS), ("exponent", 1.5), ("damping", lambda)]);
        let e = forecast(&Normal::build("hunt-crossley", &law)?, &speeds)?;
        e.iter().zip(&expected).for_each(|(a, b)| deviation.relative(*a, *b));
        power = power.line(&format!("λ = {lambda:e} N s/m^(5/2)"), pairs(&speeds, &e));
        power = power.reference(pairs(&speeds, &expected));
    }
    checks.push(deviation.within("classical", CLOSED, Measure::Relative));
    Ok(section
        .about(
            "The linear spring and damper returns the same share of the speed at any speed, which no \
                 material does; the classical model returns everything at low speed. The linear model \
                 depends on where the contact is said to end: at force 0 or at depth 0, where it has \
                 pulled the body back.",
        )
        .equations("linear", "f = k z + d ż")
        .equations("classical", "f = k z^(3/2) + λ z^(3/2) ż")
        .parameter("m", "0.154 kg")
        .parameter("k", "1e6 N/m (linear), 8.5e6 N/m^(3/2) (classical)")
        .plot(linear.done())
        .plot(power.done())
        .checks(checks.into_iter().map(|c| c.source("closed form, 60 digits"))))
}

fn forecast(law: &Normal<f64>, speeds: &[f64]) -> Result<Vec<f64>, Fault> {
    let e = |v: &f64| {
        let missing = || Fault::Missing { what: "closed form of the restitution".into() };
        law.forecast(&Impact::new(MASS, *v)).restitution.ok_or_else(missing)
    };
    speeds.iter().map(e).collect()
}
