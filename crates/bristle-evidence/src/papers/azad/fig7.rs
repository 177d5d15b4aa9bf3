//! Figure 7: the loop of the half-space.

use super::super::INTEGRATED;
use super::super::draw::{Drawing, pairs};
use super::super::loops::impact_at;
use super::{DAMPING, EQUATIONS, GRAVITY, MASS, half_space};
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle::impact::{Options, simulate};
use bristle::laws::Impact;
use bristle_report::Axis;

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("azad_fig7_loop.csv")?;
    let (times, depths, forces) = (table.column("t")?, table.column("z")?, table.column("force")?);
    let law = half_space(DAMPING)?;
    let (deep, strong) = (super::super::largest(&depths), super::super::largest(&forces));
    let got = impact_at(&law, &Impact::new(MASS, 1.0), deep, &times, stop)?;
    let z: Vec<f64> = got.iter().map(|m| m.depth).collect();
    let f: Vec<f64> = got.iter().map(|m| m.force).collect();
    let (mut depth, mut force) =
        (Deviation::new("depth over time", "m"), Deviation::new("force over time", "N"));
    depth.curves(&z, &depths, deep);
    force.curves(&f, &forces, strong);
    let mut checks = vec![
        depth.within("depth", INTEGRATED, Measure::OfLargest),
        force.within("force", INTEGRATED, Measure::OfLargest),
    ];
    for (name, gravity) in [("fig7_azad_g0", 0.0), ("fig7_azad_g981", GRAVITY)] {
        let scalars = scalars!("azad_fig6_7.json")?.at(name);
        let run = simulate(&law, &Impact::new(MASS, 1.0), &Options { gravity, ..Options::default() })?;
        for (key, words, unit, achieved) in [
            ("e_contact", "restitution", "", run.restitution.newton),
            ("f_peak", "largest force", "N", run.peak.force),
            ("z_max", "largest depth", "m", run.deepest.depth),
            ("duration_force", "time under force", "s", run.duration()),
        ] {
            let words = format!("{words}, g = {gravity} m/s²");
            let check =
                Check::new(&format!("{key}-g{gravity}"), &words, unit, scalars.number(key)?, achieved);
            checks.push(check.within(INTEGRATED, Measure::Relative));
        }
    }
    let drawing =
        Drawing::new("Force over depth at 1 m/s", Axis::linear("depth", "m"), Axis::linear("force", "N"));
    Ok(section
        .about(
            "The force ends while the ground is still pressed in: the ball leaves first, the ground \
                 follows. A contact that is said to end at depth 0 would pull the ball back here.",
        )
        .equations("", EQUATIONS)
        .parameter("m", "0.154 kg")
        .parameter("K", "8.5e6 N/m^(3/2)")
        .parameter("D", "3.1e3 N s/m^(3/2)")
        .parameter("v_i", "1 m/s")
        .plot(drawing.line("Bristle", pairs(&z, &f)).reference(pairs(&depths, &forces)).done())
        .checks(checks.into_iter().map(|c| c.source("integration, 1e-10"))))
}
