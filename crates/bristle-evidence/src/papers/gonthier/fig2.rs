//! Figure 2: the restitution that the usual choice of damping reaches.

use super::super::CLOSED;
use super::super::draw::{Drawing, pairs};
use crate::{Deviation, Fault, Measure, Section, Stop};
use bristle::laws::Impact;
use bristle::laws::normal::{Gonthier, HuntCrossley, Restitution};
use bristle_report::Axis;

pub(super) fn section(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("gonthier_fig2_ratio.csv")?;
    let (speeds, asked) = (table.column("v_i")?, table.column("e_emp")?);
    let usual = HuntCrossley::new(1e9, 1.5, 1.5 * 0.2)?;
    let exact = Gonthier::new(1e9, 1.5, Restitution::Linear { alpha: 0.2 })?;
    let ratio = |e: Option<f64>, asked: f64| e.unwrap_or(f64::NAN) / asked;
    let at = |v: f64| Impact::new(0.454, v);
    let of_usual: Vec<f64> =
        pairs(&speeds, &asked).map(|(v, e)| ratio(usual.forecast(&at(v)).restitution, e)).collect();
    let of_exact: Vec<f64> =
        pairs(&speeds, &asked).map(|(v, e)| ratio(exact.forecast(&at(v)).restitution, e)).collect();
    let mut drawing = Drawing::new(
        "Restitution reached over restitution asked for",
        Axis::linear("impact speed", "m/s"),
        Axis::log("ratio", ""),
    );
    let mut checks = Vec::new();
    for (id, name, ours, theirs) in [
        ("usual", "Hunt–Crossley, a = 3/2 α", &of_usual, "ratio_HC"),
        ("exact", "Gonthier, a = d(e)/(e v_i)", &of_exact, "ratio_proposed"),
    ] {
        let want = table.column(theirs)?;
        let mut deviation = Deviation::new(&format!("ratio, {name}"), "");
        ours.iter().zip(&want).for_each(|(a, b)| deviation.relative(*a, *b));
        checks.push(deviation.within(id, CLOSED, Measure::Relative).source("closed form, 1e-15"));
        drawing = drawing.line(name, pairs(&speeds, ours)).reference(pairs(&speeds, &want));
    }
    Ok(section
        .about(
            "Asked for e = 1 − α v, the usual choice of damping returns more, without bound as e goes \
                 to 0. The law of the paper returns what is asked for at any speed.",
        )
        .equations("", "f = k x^p (1 + a v),   a = d(e)/(e v_i)")
        .parameter("α", "0.2 s/m")
        .plot(drawing.done())
        .checks(checks))
}
