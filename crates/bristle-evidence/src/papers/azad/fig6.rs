//! Figure 6: the loop of the classical model.

use super::super::CLOSED;
use super::super::draw::{Drawing, pairs};
use super::{MASS, STIFFNESS};
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle::laws::Impact;
use bristle::laws::normal::HuntCrossley;
use bristle_report::Axis;

pub(super) fn section(section: Section, _stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("azad_fig6_loop_classical.csv")?;
    let scalars = scalars!("azad_fig6_7.json")?.at("fig6_classical");
    let law = HuntCrossley::new(STIFFNESS, 1.5, 3.1e6 / STIFFNESS)?;
    let missing = || Fault::Missing { what: "closed form of the loop".into() };
    let curve = law.proportional().ok_or_else(missing)?;
    let (depths, rates, forces) = (table.column("z")?, table.column("zdot")?, table.column("force")?);
    let (deep, strong) = (super::super::largest(&depths), super::super::largest(&forces));
    let z: Vec<f64> = rates.iter().map(|v| curve.phase_depth(MASS, 1.0, *v)).collect();
    let f: Vec<f64> =
        z.iter().zip(&rates).map(|(z, v)| curve.spring.force(*z) * (1.0 + curve.compression * v)).collect();
    // z^(5/2) is what the velocity determines to rounding; z itself only away from z = 0
    let mut powers = Deviation::new("z^(5/2) over the loop", "m^(5/2)");
    let mut force = Deviation::new("force over the loop, beyond 1 % of the depth", "N");
    for i in 0..z.len() {
        powers.compare(z[i].powf(2.5), depths[i].powf(2.5), deep.powf(2.5));
        if depths[i] > 0.01 * deep {
            force.compare(f[i], forces[i], strong);
        }
    }
    let impact = Impact::new(MASS, 1.0);
    let forecast = law.forecast(&impact);
    let mut checks = vec![
        powers.within("depth", CLOSED, Measure::OfLargest),
        force.within("force", CLOSED, Measure::OfLargest),
    ];
    for (key, name, unit, value) in [
        ("e", "restitution", "", forecast.restitution),
        ("z_max", "largest depth", "m", forecast.peak_depth),
        ("f_peak", "largest force", "N", forecast.peak_force),
        ("energy_loss", "energy lost", "J", forecast.energy_loss(&impact)),
    ] {
        let achieved = value.ok_or_else(missing)?;
        let check = Check::new(key, name, unit, scalars.number(key)?, achieved);
        checks.push(check.within(CLOSED, Measure::Relative));
    }
    let drawing =
        Drawing::new("Force over depth at 1 m/s", Axis::linear("depth", "m"), Axis::linear("force", "N"));
    Ok(section
        .about(
            "The classical model's force returns to zero with the depth, so the loop is closed at the \
                 origin and the ball leaves when the ground is flat again.",
        )
        .equations(
            "",
            "f = k z^(3/2) (1 + a ż),   a = λ/k\nz^(5/2) = (5/2) m/(k a²) [a (v_i − ż) − \
             ln((1 + a v_i)/(1 + a ż))]",
        )
        .parameter("m", "0.154 kg")
        .parameter("k", "8.5e6 N/m^(3/2)")
        .parameter("λ", "3.1e6 N s/m^(5/2)")
        .parameter("v_i", "1 m/s")
        .plot(drawing.line("Bristle", pairs(&z, &f)).reference(pairs(&depths, &forces)).done())
        .checks(checks.into_iter().map(|c| c.source("closed form"))))
}
