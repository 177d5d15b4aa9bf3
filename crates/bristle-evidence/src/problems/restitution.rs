//! T0-1 and T0-2: restitution of one free impact.

use super::{first_impact, last, scene, set};
use crate::simulate::Shipped;
use crate::{Case, Deviation, Measure};
use bristle_report::{Axis, Cell, Curve, Plot, Table};

const MAP: Shipped = scene!("restitution_map");
const CLIPPED: Shipped = scene!("clipped_dashpot");

/// e of b = a·v: the root of ln((1 + b)/(1 − e b)) = b(1 + e) between 0 and 1, by halving.
fn exact(b: f64) -> f64 {
    // ln(1 + b) − ln(1 − e b) − b(1 + e) has the trivial root e = −1 and rises in e beyond the wanted one
    let f = |e: f64| b.ln_1p() - (-e * b).ln_1p() - b * (1.0 + e);
    let (mut low, mut high) = (0.0, (1.0 / b).min(1.0));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// T0-1.
pub(super) fn map() -> Case {
    Case::new("restitution-map", "T0-1 Restitution of damping in proportion to the force", |section, stop| {
        let mut adaptive = Deviation::new("restitution, adaptive", "");
        let mut fixed = Deviation::new("restitution, RK4 with 100 steps per contact", "");
        let mut table = Table::new("")
            .column("b = a·v", "")
            .column("n", "")
            .column("expected", "")
            .column("achieved", "");
        let mut points = Vec::new();
        for n in [1.0, 1.5, 2.0] {
            for b in [0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0] {
                let changes = [set("parameters.b", b), set("parameters.n", n)];
                let run = MAP.run(&changes, stop)?;
                let impact = first_impact(&run)?;
                let (e, expected) = (impact.newton(), exact(b));
                adaptive.compare(e, expected, 1.0);
                points.push((b, e));
                table = table.row([b.into(), n.into(), expected.into(), e.into()]);
                let duration = impact.end.unwrap_or(impact.start) - impact.start;
                let step =
                    format!("simulation.integrator={{ method = \"rk4\", step = {:e} }}", duration / 100.0);
                let run = MAP.run(&[changes[0].clone(), changes[1].clone(), step], stop)?;
                fixed.compare(first_impact(&run)?.newton(), expected, 1.0);
            }
        }
        let source = "ln((1 + b)/(1 − e b)) = b(1 + e), solved by halving";
        let curve = (0..=200).map(|i| 10f64.powf(-2.0 + 0.015 * f64::from(i))).map(|b| (b, exact(b)));
        Ok(section
            .about(
                "A law whose damping grows with its elastic force has a restitution that depends on b = a·v alone: on no mass, no \
                 stiffness and no exponent. Whoever wants a restitution at a speed gets the damping from the same formula.\n\n\
                 Tolerances: 1e-8 is ten times the ledger's usual closure at rtol 1e-12; with a fixed step the contact begins and \
                 ends between steps, and a power law has a kink there, so that 1e-4 is what a hundred steps can give.",
            )
            .equations("", "f = k xⁿ(1 + a v)      ln((1 + b)/(1 − e b)) = b(1 + e)      b = a·v")
            .parameter("scene", MAP.name)
            .plot(
                Plot::new("Restitution", Axis::log("b = a·v", ""), Axis::linear("restitution", ""))
                    .curve(Curve::new("closed form", curve).solid())
                    .curve(Curve::new("Bristle, n = 1, 1.5, 2", points).points()),
            )
            .table(table)
            .check(adaptive.within("adaptive", 1e-8, Measure::Absolute).source(source))
            .check(fixed.within("fixed", 1e-4, Measure::Absolute).source(source)))
    })
}

/// Restitution of a linear spring and dashpot whose contact ends when the force vanishes.
fn cut(e: f64) -> f64 {
    let zeta = -e.ln() / e.ln().hypot(std::f64::consts::PI);
    let rest = (1.0 - zeta * zeta).sqrt();
    // the force k x + b v vanishes before the depth does: at the phase π − 2·asin ζ
    (-(zeta / rest) * (std::f64::consts::PI - 2.0 * zeta.asin())).exp()
}

/// T0-2.
pub(super) fn clipped() -> Case {
    Case::new("clipped-dashpot", "T0-2 Dashpots with and without pull", |section, stop| {
        let mut keep = Deviation::new("restitution with pull, both laws", "");
        let mut cut_ = Deviation::new("restitution without pull, both laws", "");
        let mut table = Table::new("Without pull");
        for name in ["wanted", "expected", "linear", "Tsuji"] {
            table = table.column(name, "");
        }
        for e in [0.9, 0.7, 0.5, 0.3, 0.1] {
            let run = CLIPPED.run(&[set("parameters.e", e)], stop)?;
            let speeds = [last(&run, "first.velocity.z")?, last(&run, "second.velocity.z")?];
            speeds.iter().for_each(|v| cut_.compare(*v, cut(e), 1.0));
            table = table.row([e.into(), cut(e).into(), Cell::from(speeds[0]), speeds[1].into()]);
            let pull = ["linear", "tsuji"].map(|m| format!("materials.{m}.normal.tension=keep"));
            let run = CLIPPED.run(&[set("parameters.e", e), pull[0].clone(), pull[1].clone()], stop)?;
            for body in ["first", "second"] {
                keep.compare(last(&run, &format!("{body}.velocity.z"))?, e, 1.0);
            }
        }
        let closed = "e = exp(−ζ/√(1 − ζ²)·(π − 2 asin ζ)); the same for both laws, because the Hertz spring with damping in \
                      x^¼ is a linear oscillator in another time";
        Ok(section
            .about(
                "The textbook dashpot for a restitution e gives exactly e, and pulls at the end of the contact. Engines cut the pull \
                 and keep the formula: asked for 0.1 they give 0.25. Bristle's `design` finds the damping for the law as it is.\n\n\
                 Tolerance: 1e-9, from rtol 1e-12 over a few hundred steps.",
            )
            .parameter("scene", CLIPPED.name)
            .table(table)
            .check(keep.within("keep", 1e-9, Measure::Absolute).source("ζ = −ln e/√(π² + ln² e)"))
            .check(cut_.within("cut", 1e-9, Measure::Absolute).source(closed)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_have_the_values_of_the_tables() {
        for (b, e) in [(0.01, 0.99338), (0.5, 0.74843), (1.0, 0.59362), (5.0, 0.19698), (10.0, 0.09998)] {
            assert!((exact(b) - e).abs() < 6e-6, "{b}: {}", exact(b));
        }
        for (e, cut_) in [(0.9, 0.9020), (0.5, 0.5503), (0.1, 0.2527)] {
            assert!((cut(e) - cut_).abs() < 6e-5, "{e}: {}", cut(e));
        }
    }
}
