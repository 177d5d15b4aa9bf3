//! Figure 8: a foot, by `scenes/walking_foot.toml`.

use super::super::draw::{Drawing, pairs};
use crate::simulate::{Shipped, at_times, column};
use crate::{Check, Deviation, Fault, Measure, Section, Stop};
use bristle_report::Axis;

const SCENE: Shipped = scene!("walking_foot.toml");
const SOURCE: &str = "integration, 1e-12";

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("marhefka_fig8_foot.csv")?;
    let scalars = scalars!("marhefka_fig8_foot.json")?;
    let run = SCENE.run(&[], stop)?;
    let (times, x, f) = (table.column("t")?, table.column("x")?, table.column("F_ground")?);
    let ours_x = at_times(&run, "leg.position", &times)?;
    let ours_f = at_times(&run, "foot-ground.normal_force", &times)?;
    let (mut position, mut force) =
        (Deviation::new("position, downwards", "m"), Deviation::new("force on the ground", "N"));
    position.curves(&ours_x, &x, 1.0);
    force.curves(&ours_f, &f, 1.0);
    let episode =
        run.episodes.first().ok_or_else(|| Fault::Missing { what: "contact of the foot".into() })?;
    let lift_off = scalars.at("x_crossings").list();
    let lift_off = lift_off
        .first()
        .ok_or_else(|| Fault::Missing { what: "lift-off of the reference".into() })?
        .value()?;
    let peak = scalars.at("peak_ground_force");
    let least = column(&run, "foot-ground.normal_force")?.iter().copied().fold(f64::INFINITY, f64::min);
    let time = || Axis::linear("time", "s");
    let place = Drawing::new("Position of the foot", time(), Axis::linear("position, downwards", "m"));
    let push = Drawing::new("Force on the ground", time(), Axis::linear("force", "N")).rings(60);
    let desired = table.column("x_d")?;
    Ok(section
        .about(
            "Put down at 2 m/s by position control, loaded with 1500 N, lifted again: no jump of the \
                 force at touchdown, no pull at lift-off. The weight and the times are not in the \
                 paper; they are a reconstruction.",
        )
        .equations("", "m ẍ = F_leg − k x (1 + a ẋ)")
        .parameter("m", "25 kg")
        .parameter("k", "50e3 N/m")
        .parameter("α", "0.5 s/m")
        .parameter("K_p", "20e3 N/m")
        .parameter("scene", SCENE.name)
        .plot(
            place
                .line("Bristle", pairs(&times, &ours_x))
                .dashed("asked for by the controller", pairs(&times, &desired))
                .reference(pairs(&times, &x))
                .done(),
        )
        .plot(push.line("Bristle", pairs(&times, &ours_f)).reference(pairs(&times, &f)).done())
        // 1e-11 per step, a few hundred steps; the spring of the leg does not amplify
        .check(position.within("position", 1e-9, Measure::Absolute).source(SOURCE))
        // 5e4 N/m × 1e-11 m, the error of a step, and the damper on top
        .check(force.within("force", 1e-6, Measure::Absolute).source(SOURCE))
        .check(
            Check::new("peak", "largest force", "N", peak.number("F")?, episode.peak_force.0)
                .within(1e-8, Measure::Relative)
                .source(SOURCE),
        )
        .check(
            Check::new("lift-off", "lift-off", "s", lift_off, episode.end.unwrap_or(f64::NAN))
                .within(1e-8, Measure::Absolute)
                .source(SOURCE),
        )
        .check(Check::at_least("pull", "least force on the ground", "N", 0.0, least).source("no pull")))
}
