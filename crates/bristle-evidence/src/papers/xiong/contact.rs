//! Figure 5: masses dropped on contacts with different α, by `scenes/xiong_contact.toml`.

use super::super::draw::{Drawing, pairs};
use super::{FORCE, POSITION};
use crate::simulate::{Shipped, at_times};
use crate::{Deviation, Fault, Measure, Section, Stop};
use bristle_report::Axis;

const SCENE: Shipped = scene!("xiong_contact.toml");
const SOURCE: &str = "integration, 1e-10";
const SHARES: [&str; 4] = ["1", "0.7", "0.5", "0.1"];

pub(super) fn section(section: Section, stop: &Stop<'_>) -> Result<Section, Fault> {
    let table = table!("xiong_fig5_contact.csv")?;
    let events = scalars!("xiong_fig5.json")?.at("results");
    let changes = |record: &str| {
        [
            "simulation.duration=2".into(),
            "simulation.integrator={method=\"dop853\", rtol=1e-12}".into(),
            record.to_string(),
        ]
    };
    let run = SCENE.run_formulas(&changes("simulation.record={every=0.01}"), stop)?;
    let fine = SCENE.run_formulas(&changes("simulation.record={every=2e-3}"), stop)?;
    let mut height = Drawing::new("Height", Axis::linear("time", "s"), Axis::linear("height", "m")).rings(40);
    let (mut position, mut force) = (Deviation::new("height", "m"), Deviation::new("force", "N"));
    let mut instants = Deviation::new("times at which the force begins and ends", "s");
    for (i, share) in SHARES.iter().enumerate() {
        let key: f64 = share.parse().unwrap_or(f64::NAN);
        let rows = table.rows_of(key);
        let times = rows.column("t")?;
        let (p, f) = (rows.column("p")?, rows.column("f")?);
        let name = |letter: &str| format!("{letter}{}", i + 1);
        position.curves(&at_times(&run, &name("p"), &times)?, &p, 1.0);
        force.curves(&at_times(&run, &name("f"), &times)?, &f, 1.0);
        for (span, want) in
            run.pushes[i].iter().zip(events.at(&format!("alpha_over_beta_{share}")).at("contacts").list())
        {
            instants.compare(span.0, want.number("t_on")?, 1.0);
            instants.compare(span.1, want.number("t_off")?, 1.0);
        }
        let all = fine.recording.columns.first().map_or(&[][..], |c| &c.values);
        height = height.line(&format!("α/β = {share}"), pairs(all, &at_times(&fine, &name("p"), all)?));
        height = height.reference(pairs(&times, &p));
    }
    Ok(section
        .about(
            "α = β is a spring that returns everything; smaller α returns less, down to a contact that \
                 hardly bounces. α > β creates energy and is refused.",
        )
        .equations("", "M p̈ = f + f_e,   ė = max(−e/β, −(p + e)/α),   f = K max(0, e − β (p + e)/α)")
        .parameter("M", "1 kg")
        .parameter("K", "1e4 N/m")
        .parameter("β", "0.01 s")
        .parameter("f_e", "−9.8 N")
        .parameter("scene", SCENE.name)
        .plot(height.done())
        .check(position.within("height", POSITION, Measure::Absolute).source(SOURCE))
        .check(force.within("force", FORCE, Measure::Absolute).source(SOURCE))
        // 1e-8 m at the 1 m/s of a blow
        .check(instants.within("instants", 1e-8, Measure::Absolute).source(SOURCE)))
}
