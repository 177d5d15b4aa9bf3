//! Marhefka & Orin: restitution depends on a v alone.

use super::super::INTEGRATED;
use super::super::draw::Drawing;
use crate::{Deviation, Fault, Measure, Section, Stop};
use bristle::impact::{Options, simulate};
use bristle::laws::normal::HuntCrossley;
use bristle::laws::{Impact, proportional};
use bristle_report::Axis;

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let masses: Vec<f64> = (0..=10).map(|i| 10f64.powf(-2.0 + 0.5 * f64::from(i))).collect();
    let mut of_e = Drawing::new("Restitution", Axis::log("mass", "kg"), Axis::linear("restitution", ""));
    let mut of_time = Drawing::new("Duration", Axis::log("mass", "kg"), Axis::log("duration", "s"));
    let mut deviation = Deviation::new("restitution, 4 exponents × 3 stiffnesses × 11 masses × 3 a v", "");
    for number in [0.15, 0.6, 2.4] {
        let want = proportional::restitution(number);
        for exponent in [1.0, 1.5, 2.0, 3.0] {
            for stiffness in [1e3, 1e6, 1e9] {
                stop.check()?;
                let law = HuntCrossley::new(stiffness, exponent, number / 2.0)?.into();
                let mut curves = (Vec::new(), Vec::new());
                for mass in &masses {
                    let run = simulate(&law, &Impact::new(*mass, 2.0), &Options::default())?;
                    deviation.compare(run.restitution.newton, want, 1.0);
                    curves.0.push((*mass, run.restitution.newton));
                    curves.1.push((*mass, run.duration()));
                }
                if stiffness == 1e6 && exponent == 1.5 {
                    of_e = of_e
                        .line(&format!("a v = {number}"), curves.0)
                        .reference(masses.iter().map(|m| (*m, want)));
                }
                if stiffness == 1e6 && number == 0.6 {
                    of_time = of_time.line(&format!("n = {exponent}"), curves.1);
                }
            }
        }
    }
    Ok(section
        .about(
            "Simulated impacts over five decades of mass, six of stiffness and four exponents: the \
                 restitution is that of the closed form, while the duration changes by orders of \
                 magnitude. The claim holds, exactly.",
        )
        .equations("", "e = e(a v_i)")
        .parameter("v_i", "2 m/s")
        .plot(of_e.done())
        .plot(of_time.note("k = 1e6 N/mⁿ, a v = 0.6."))
        .check(deviation.within("e", INTEGRATED, Measure::Absolute).source("closed form")))
}
