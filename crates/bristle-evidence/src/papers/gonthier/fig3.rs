//! Figure 3: loops for ten restitutions.

use super::super::draw::Drawing;
use super::super::{CLOSED, INTEGRATED, largest};
use crate::{Deviation, Fault, Measure, Section, Stop};
use bristle::impact::{Options, simulate};
use bristle::laws::Impact;
use bristle::laws::normal::{Gonthier, Restitution};
use bristle_report::Axis;

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let (table, scalars) = (table!("gonthier_fig3_loops.csv")?, scalars!("gonthier_fig3.json")?);
    let p = scalars.at("parameters");
    let mut drawing =
        Drawing::new("Force over depth", Axis::linear("depth", "m"), Axis::linear("force", "N")).rings(12);
    // x^(5/2) is what the velocity determines to rounding; x itself only away from x = 0
    let mut powers = Deviation::new("x^(5/2) on the loops", "m^(5/2)");
    let mut forecast = Deviation::new("restitution, depth, force, times and loss in closed form", "");
    let mut simulated = Deviation::new("the same, simulated", "");
    for case in scalars.at("loops").list() {
        stop.check()?;
        let e = case.number("e")?;
        let law = Gonthier::new(p.number("k")?, p.number("p")?, Restitution::Constant(e))?;
        let impact = Impact::new(p.number("m")?, p.number("v_i")?);
        let curve = law.proportional(impact.speed);
        let rows = table.rows_of(e);
        let (v, x, f) = (rows.column("v")?, rows.column("x")?, rows.column("f")?);
        let ours: Vec<f64> = v.iter().map(|v| curve.phase_depth(impact.mass, impact.speed, *v)).collect();
        let size = largest(&x).powf(2.5);
        ours.iter().zip(&x).for_each(|(a, b)| powers.compare(a.powf(2.5), b.powf(2.5), size));
        let force = |i: usize| curve.spring.force(ours[i]) * (1.0 + curve.compression * v[i]);
        drawing = drawing.line(&format!("e = {e}"), (0..v.len()).map(|i| (ours[i], force(i))));
        drawing = drawing.reference((0..v.len()).map(|i| (x[i], f[i])));
        let closed = law.forecast(&impact);
        let run = simulate(&law.into(), &impact, &Options::default())?;
        for (key, a, b) in [
            ("e", closed.restitution, run.restitution.newton),
            ("x_max", closed.peak_depth, run.deepest.depth),
            ("f_peak", closed.peak_force, run.peak.force),
            ("t_compression", closed.compression_time, run.deepest.time),
            ("duration", closed.duration, run.duration()),
            ("energy_loss", closed.energy_loss(&impact), run.energy_loss),
        ] {
            if case.has(key) {
                forecast.relative(a.unwrap_or(f64::NAN), case.number(key)?);
                simulated.relative(b, case.number(key)?);
            }
        }
    }
    Ok(section
        .about(
            "The closer the restitution is to 0, the more the force leads: at e = 0.1 most of the work \
                 is done before half the depth. The force starts at zero and never pulls.",
        )
        .equations("", "f = k x^(3/2) (1 + d(e)/e · v/v_i)")
        .parameter("m", "0.454 kg")
        .parameter("k", "3.4e10 N/m^(3/2)")
        .parameter("v_i", "1 m/s (chosen)")
        .plot(drawing.done())
        .check(powers.within("loops", CLOSED, Measure::OfLargest).source("closed form, 1e-14"))
        .check(forecast.within("forecast", CLOSED, Measure::Relative).source("closed form, 1e-14"))
        .check(simulated.within("simulated", INTEGRATED, Measure::Relative).source("closed form, 1e-14")))
}
