//! What comes back when a restitution is asked for: all laws, and the formulas in use elsewhere.

use super::super::draw::Drawing;
use super::super::{INTEGRATED, params};
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle::design::{Targets, design};
use bristle::impact::{Options, simulate};
use bristle::laws::approximate::{Formula, tsuji};
use bristle::laws::normal::Tension;
use bristle::laws::{Impact, Params, proportional};
use bristle::math::lens::Lens;
use bristle_report::{Axis, Table};

const MASS: f64 = 1.0;
const STIFFNESS: f64 = 1e7;

/// The laws and what is given of them; the rest is found.
fn laws() -> [(&'static str, Params); 7] {
    [
        ("kelvin-voigt", params(&[("stiffness", 1e6)])),
        ("hunt-crossley", params(&[("stiffness", 1e7)])),
        ("gonthier", params(&[("stiffness", 1e8)])),
        ("azad-featherstone", params(&[("stiffness", 8.5e6)])),
        ("volume-kelvin-voigt", params(&[("modulus", 1e8)])),
        ("volume-hunt-crossley", params(&[("modulus", 1e8)])),
        // β of eight natural times reaches down to e = 0.016
        ("proxy", params(&[("stiffness", 1e5), ("beta", 8.0 * (MASS / 1e5f64).sqrt())])),
    ]
}

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let asked: Vec<f64> = (1..=49).map(|i| 0.02 * f64::from(i)).collect();
    let axes = || (Axis::linear("restitution asked for", ""), Axis::linear("restitution returned", ""));
    let mut of_formulas = Drawing::new("Formulas in use elsewhere", axes().0, axes().1);
    let mut table = Table::new("Largest miss on 0.02 … 0.98")
        .column("formula", "")
        .column("equation", "")
        .column("largest miss", "");
    table = table.column("at e", "");
    let worst_of = |name: &str, equation: &str, curve: &[(f64, f64)], table: Table| {
        let worst = curve.iter().copied().max_by(|a, b| (a.1 - a.0).abs().total_cmp(&(b.1 - b.0).abs()));
        let (e, out) = worst.unwrap_or((f64::NAN, f64::NAN));
        table.row([name.into(), equation.into(), (out - e).into(), e.into()])
    };
    let mut simulated = Deviation::new("formulas: closed form against simulation", "");
    for formula in Formula::ALL {
        let mut curve = Vec::new();
        for (i, e) in asked.iter().enumerate() {
            let out = proportional::restitution(formula.damping_number(*e));
            curve.push((*e, out));
            if i % 8 == 4 {
                let law = formula.law(STIFFNESS, 1.5, *e, 1.0)?.into();
                simulated.compare(
                    simulate(&law, &Impact::new(MASS, 1.0), &Options::default())?.restitution.newton,
                    out,
                    1.0,
                );
            }
        }
        table = worst_of(formula.name(), formula.equation(), &curve, table);
        of_formulas = of_formulas.line(formula.name(), curve);
    }
    let mut pulling = Deviation::new("Tsuji, contact may pull", "");
    for (name, tension) in [("Tsuji 1992, may pull", Tension::Keep), ("Tsuji 1992, cut at 0", Tension::Cut)] {
        let mut curve = Vec::new();
        for e in &asked {
            stop.check()?;
            let law = tsuji(STIFFNESS, MASS, *e, tension)?.into();
            let out = simulate(&law, &Impact::new(MASS, 1.0), &Options::default())?.restitution.newton;
            curve.push((*e, out));
            if tension == Tension::Keep {
                pulling.compare(out, *e, 1.0);
            }
        }
        table = worst_of(name, "f = k x^(3/2) + η √(m k) x^(1/4) v", &curve, table);
        of_formulas = of_formulas.line(name, curve);
    }
    let mut of_laws = Drawing::new(
        "What Bristle's laws miss when designed for a restitution",
        axes().0,
        Axis::log("|returned − asked for|", ""),
    );
    let mut exact = Deviation::new("laws of Bristle: simulated against asked for", "");
    let lens = Lens::of_spheres(0.2, 0.3);
    for (id, given) in laws() {
        let mut curve = Vec::new();
        for e in [0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99] {
            stop.check()?;
            let impact = Impact::new(MASS, 1.0).with_lens(lens);
            let targets = Targets { restitution: Some(e), ..Targets::default() };
            let out = design(id, &given.clone().between(lens), &impact, &targets)?.check.restitution.newton;
            exact.compare(out, e, 1.0);
            // rounding alone would be a gap on a logarithmic axis
            curve.push((e, (out - e).abs().max(f64::EPSILON)));
        }
        of_laws = of_laws.marked(id, curve);
    }
    let usual = proportional::restitution(Formula::HuntCrossley.damping_number(0.5));
    Ok(section
        .about(
            "The oldest formulas hold near e = 1 only: asked for 0.1, Hunt & Crossley's returns 0.52, \
                 Lankarani & Nikravesh's 0.67. Flores' is usable, Carvalho & Martins' is good above \
                 0.3. Tsuji's is exact if the contact may pull; cut at zero, as programs do, it returns \
                 too much. Bristle's laws return what was asked for, because their damping is found \
                 from the impact itself.",
        )
        .equations("", "f = k x^(3/2) (1 + (b/v_i) v)")
        .parameter("m", "1 kg")
        .parameter("v_i", "1 m/s")
        .plot(of_formulas.dashed("what was asked for", [(0.0, 0.0), (1.0, 1.0)]).done())
        .table(table)
        .plot(of_laws.done())
        .check(simulated.within("simulated", INTEGRATED, Measure::Absolute).source("closed form"))
        .check(
            pulling
                .within("tsuji", INTEGRATED, Measure::Absolute)
                .source("Antypov & Elliott 2011, closed form"),
        )
        // the search ends within 1e-6
        .check(exact.within("exact", 1e-6, Measure::Absolute).source("what was asked for"))
        // seven digits are given here
        .check(
            Check::new("usual", "Hunt & Crossley's formula asked for 0.5", "", 0.662_962_2, usual)
                .within(1e-7, Measure::Absolute)
                .source("figure 5 of Marhefka & Orin, α v = 0.5"),
        ))
}
