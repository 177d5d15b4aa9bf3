//! A page with every element, to look at in a browser. `cargo run --example gallery -- page.html`
//!
//! The curves are simple formulas that stand in for recorded data.

use bristle_report::{Axis, Cell, Curve, Page, Plot, ReportError, Table};
use std::f64::consts::TAU;

fn main() -> Result<(), ReportError> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "gallery.html".into());
    Page::new("Restitution and hysteresis of four contact laws")
        .lead("Every element of a report page, drawn from stand-in formulas.")
        .text(
            "Plots zoom by dragging and reset by a double click. Legend entries hide their curve, a double \
             click on one leaves it alone. Tables sort by a click on a column's name.",
        )
        .equations(
            "f = k δⁿ (1 + d δ̇)₊        U = k δⁿ⁺¹/(n+1)        D = k δⁿ d δ̇²   while f > 0\n\
             e ≈ 1 − α v                 α = ⅔ d                  v → 0",
        )
        .heading("Impact")
        .plot(restitution())
        .table(summary())
        .heading("Cycle")
        .plot(hysteresis())
        .plot(gaps())
        .heading("How this page was made")
        .code("bristle law curve steel-on-steel.toml --laws hertz,hunt-crossley,lankarani,flores --speed 1e-3..10 --html gallery.html")
        .save(path)
}

/// Points that are equally far apart on a logarithmic axis.
fn log_spaced(from: f64, to: f64, count: u32) -> impl Iterator<Item = f64> {
    (0..count).map(move |i| from * (to / from).powf(f64::from(i) / f64::from(count - 1)))
}

fn restitution() -> Plot {
    let curve = |name, e: fn(f64) -> f64| Curve::new(name, log_spaced(1e-3, 10.0, 200).map(|v| (v, e(v))));
    Plot::new(
        "Coefficient of restitution",
        Axis::log("impact speed", "m/s"),
        Axis::linear("coefficient of restitution", ""),
    )
    .curve(curve("Hertz", |_| 1.0))
    .curve(curve("Hunt–Crossley", |v| 1.0 / (1.0 + 0.12 * v)))
    .curve(curve("Lankarani–Nikravesh", |v| 1.0 - 0.35 * v / (1.0 + v)))
    .curve(curve("yielding <plastic>", |v| 1.18_f64.min(v.powf(-0.25)).min(1.0)))
    .curve(
        Curve::new("measured", [(0.05, 0.99), (0.2, 0.97), (0.8, 0.93), (2.0, 0.79), (6.0, 0.63)]).points(),
    )
    .note("Steel sphere of 10 mm radius on a steel plate; the measured points are invented.")
}

fn hysteresis() -> Plot {
    let lobe = |name, loss: f64| {
        let points = (0..=240).map(move |i| {
            let angle = TAU * f64::from(i) / 240.0;
            let depth = 20e-6 * (0.5 - 0.5 * angle.cos());
            (depth, 4e10 * depth * depth.sqrt() / 10.0 * (1.0 + loss * angle.sin()))
        });
        Curve::new(name, points)
    };
    Plot::new("Force over one cycle", Axis::linear("depth", "m"), Axis::linear("normal force", "N"))
        .curve(lobe("Hunt–Crossley", 0.25))
        .curve(lobe("Lankarani–Nikravesh", 0.45))
        .note("The enclosed area is the energy lost in the cycle.")
}

fn gaps() -> Plot {
    let decades = || log_spaced(1.0, 1e4, 60);
    let resonance = |f: f64| 1e-3 / ((1.0 - (f / 180.0).powi(2)).abs() + 0.01);
    let broken = decades().map(|f| (f, if (400.0..900.0).contains(&f) { f64::NAN } else { resonance(f) }));
    Plot::new(
        "Transfer over frequency, with a gap",
        Axis::log("frequency", "Hz"),
        Axis::log("transfer", "m/N"),
    )
    .curve(Curve::new("sampled", broken).line_and_points())
    .curve(Curve::new("limit", [(1.0, 0.05), (1e4, 0.05)]).dashed())
}

fn summary() -> Table {
    let row = |name: &str, e: f64, time: f64, depth: f64, force: f64, loss: Option<f64>| -> Vec<Cell> {
        vec![name.into(), e.into(), time.into(), depth.into(), force.into(), loss.into()]
    };
    Table::new("Impact at 1 m/s")
        .column("law", "")
        .column("restitution", "")
        .column("contact time", "s")
        .column("largest depth", "m")
        .column("largest force", "N")
        .column("energy lost", "J")
        .row(row("Hertz", 1.0, 5.832_194_412e-5, 1.981_204e-5, 2_710.448_21, Some(0.0)))
        .row(row("Hunt–Crossley", 1.0 / 1.12, 6.014_288_1e-5, 1.902_77e-5, 2_644.9, Some(0.003_331_9)))
        .row(row("Lankarani–Nikravesh", 0.825, 6.2e-5, 1.85e-5, 2_598.123_456_78, Some(1.0 / 192.0)))
        .row(row("yielding <plastic>", 1.0, f64::NAN, 2.4e-5, 1_234_567.9, None))
}
