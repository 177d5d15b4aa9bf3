//! Tables I to III: friction parameters, and what they mean in force, stretch and time.

use super::{EQUATIONS, Parameters, TABLE_I};
use crate::{Check, Fault, Measure, Section, Stop};
use bristle::drag::{Pressed, steady_force};
use bristle::laws::Friction;
use bristle_report::Table;

/// Table II: the ball on the incline and in the cylinder.
const TABLE_II: Parameters = [
    ("static", 0.45),
    ("kinetic", 0.4),
    ("stiffness", 1e5),
    ("damping", 1e4),
    ("viscous", 0.0),
    ("stribeck_speed", 0.1),
    ("dwell_time", 0.01),
];

/// Table III: the tip of the double pendulum.
const TABLE_III: Parameters = [
    ("static", 0.15),
    ("kinetic", 0.12),
    ("stiffness", 1e5),
    ("damping", 316.227_766_016_837_94),
    ("viscous", 0.0),
    ("stribeck_speed", 0.1),
    ("dwell_time", 0.75),
];

pub(super) fn first(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let section = parameters(section, &TABLE_I, 10.0)?;
    // the block starts with full static friction: the first peak of figure 5 is the static force
    let peaks = super::bowden::force_peaks(0.1, "as-printed", 8.0, stop)?;
    let peak = peaks.first().map_or(f64::NAN, |p| p.1);
    let wanted = scalars!("gonthier_fig5_7_bowden.json")?.at("0.1").at("peaks_signed_max").list();
    let wanted =
        wanted.first().ok_or_else(|| Fault::Missing { what: "peak of the reference".into() })?.number("F")?;
    Ok(section
        .about("A block of 1 kg under 10 N. With these values all 30 force peaks of figure 5 come out.")
        .check(
            Check::new("break-away", "first break-away at 0.1 m/s", "N", wanted, peak)
                .within(1e-6, Measure::Absolute)
                .source("figure 5"),
        ))
}

pub(super) fn second(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    Ok(parameters(section, &TABLE_II, 19.62)?
        .about("A ball of 2 kg, here under its weight. With these values figures 9 to 15 come out."))
}

pub(super) fn third(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    Ok(parameters(section, &TABLE_III, 30.0)?.about(
        "The tip of the double pendulum, here under 30 N. With these values figures 17 to 21 come out.",
    ))
}

/// The parameters, and what the law makes of them under a load (N).
fn parameters(section: Section, values: &Parameters, load: f64) -> Result<Section, Fault> {
    let law =
        Friction::build("dwell-bristle", &super::super::params(values).choose("variant", "as-printed"))?;
    let get = |name: &str| values.iter().find(|(n, _)| *n == name).map_or(f64::NAN, |(_, v)| *v);
    let mut table = Table::new("Parameters")
        .column("name", "")
        .column("symbol", "")
        .column("value", "")
        .column("unit", "");
    let symbols = [
        ("μ_s", ""),
        ("μ_k", ""),
        ("σ₀", "N/m"),
        ("σ₁", "N s/m"),
        ("σ₂", "N s/m"),
        ("v_S", "m/s"),
        ("τ_dw", "s"),
    ];
    for ((name, value), (symbol, unit)) in values.iter().zip(symbols) {
        table = table.row([(*name).into(), symbol.into(), (*value).into(), unit.into()]);
    }
    let derived = Table::new(format!("What they mean under {load} N"))
        .column("quantity", "")
        .column("value", "")
        .column("unit", "")
        .row(["static friction".into(), (get("static") * load).into(), "N".into()])
        .row(["kinetic friction".into(), (get("kinetic") * load).into(), "N".into()])
        .row([
            "stretch of the bristle before it slips".into(),
            (get("static") * load / get("stiffness")).into(),
            "m".into(),
        ])
        .row([
            "time in which the dwell state collapses, σ₁/σ₀".into(),
            (get("damping") / get("stiffness")).into(),
            "s".into(),
        ]);
    let pressed = Pressed { load, depth: 1e-4 };
    let mut section = section.equations("", EQUATIONS).table(table).table(derived);
    for (share, speed) in [(0.5, 0.5 * get("stribeck_speed")), (3.0, 3.0 * get("stribeck_speed"))] {
        let want = get("kinetic") * load + get("viscous") * speed + stribeck(&get, load, speed);
        let id = format!("steady-{share}");
        let check = Check::new(
            &id,
            &format!("steady friction at {share} v_S"),
            "N",
            want,
            steady_force(&law, pressed, speed)?,
        );
        // steady to 1e-9 of the force, integrated at 1e-10
        section =
            section.check(check.within(1e-7, Measure::Relative).source("Eq. 19, 24 at rest of the states"));
    }
    Ok(section)
}

/// What is left of the static friction at a steady speed, N.
fn stribeck(get: &dyn Fn(&str) -> f64, load: f64, speed: f64) -> f64 {
    (get("static") - get("kinetic")) * load * (-(speed / get("stribeck_speed")).powi(2)).exp()
}
