//! A run on the terminal.

use crate::error::Error;
use crate::level;
use crate::output::{Cell, Sheet, print};
use bristle::output::summary;
use bristle::run::Run;
use bristle::world::{Model, WORLD_ACCOUNTS};

/// What a person wants to know first: where things are, where the energy went, what hit what.
pub fn run(model: &Model, run: &Run) -> Result<(), Error> {
    let all = summary(model, run);
    let mut bodies = Sheet::new(
        &format!("At {} s", run.state.t),
        &[("body", ""), ("x", "m"), ("y", "m"), ("z", "m"), ("vx", "m/s"), ("vy", "m/s"), ("vz", "m/s")],
    );
    let free = model.bodies.iter().filter(|b| b.is_movable);
    for body in free.clone().take(12) {
        let entry = &all["bodies"][&body.name];
        let numbers = ["position", "velocity"].iter().flat_map(|key| (0..3).map(|i| entry[*key][i].as_f64()));
        bodies.push(std::iter::once(Cell::from(body.name.as_str())).chain(numbers.map(Cell::from)).collect());
    }
    print(&bodies.to_text())?;
    if free.count() > 12 {
        print("(the first 12 bodies; summary.json has all)")?;
    }
    let mut energy = Sheet::new("Energy", &[("account", ""), ("J", ""), ("of what moved", "")]);
    let last = &run.last;
    let before = &run.initial;
    let mechanical = before.balance();
    let mut row = |name: &str, joules: f64| {
        if joules != 0.0 {
            energy.push(vec![
                name.into(),
                joules.into(),
                format!("{:.3} %", 100.0 * joules / run.in_play).into(),
            ]);
        }
    };
    row("at the start", mechanical);
    row("kinetic now", last.kinetic);
    row("gravity now", last.gravity);
    row("elastic, normal, now", last.elastic_normal);
    row("elastic, tangential, now", last.elastic_tangential);
    row("springs now", last.springs);
    row("joints now", last.elastic_joints);
    for (name, lost) in WORLD_ACCOUNTS.iter().zip(last.lost) {
        row(&format!("lost: {}", name.replace('_', " ")), lost);
    }
    row("work from outside", last.work);
    row("work of actuators", last.actuators);
    row("what the ledger cannot place, at most", run.closure);
    print(&energy.to_text())?;
    impacts(run)?;
    print(&format!(
        "{} steps ({} rejected), {} evaluations, {} events, {} samples, {:.3} s",
        run.stats.steps,
        run.stats.rejected,
        run.stats.evaluations,
        run.stats.events,
        run.recording.len(),
        run.wall_seconds
    ))?;
    if let Some(choice) = &run.choice {
        print(&format!("integrator: {choice}"))?;
    }
    if level::is_verbose() {
        let (small, large) = (run.stats.smallest_step, run.stats.largest_step);
        print(&format!(
            "steps from {small:.3e} s to {large:.3e} s, {} event evaluations",
            run.stats.event_evaluations
        ))?;
    }
    Ok(())
}

fn impacts(run: &Run) -> Result<(), Error> {
    if let Some(touching) = run.unfollowed() {
        return print(&format!(
            "{touching} contacts touch at the end; record.impacts = true follows each from touch to lift-off"
        ));
    }
    let columns = [
        ("contact", ""),
        ("start", "s"),
        ("lasted", "s"),
        ("speed in", "m/s"),
        ("restitution", ""),
        ("peak force", "N"),
        ("peak depth", "m"),
        ("lost", "J"),
    ];
    let mut sheet = Sheet::new(&format!("{} contact episodes", run.episodes.len()), &columns);
    for e in run.episodes.iter().take(20) {
        let ended = |x: f64| if e.end.is_some() { Cell::Number(x) } else { Cell::Empty };
        sheet.push(vec![
            e.pair.as_str().into(),
            e.start.into(),
            e.end.map(|t| t - e.start).into(),
            e.speed_in.into(),
            ended(e.newton()),
            e.peak_force.0.into(),
            e.peak_depth.0.into(),
            e.losses.iter().sum::<f64>().into(),
        ]);
    }
    print(&sheet.to_text())?;
    if run.episodes.len() > 20 {
        print("(the first 20; impacts.csv has all)")?;
    }
    Ok(())
}
