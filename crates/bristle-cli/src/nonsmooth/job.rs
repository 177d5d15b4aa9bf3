//! `bristle run` of a system of formulas.

use crate::error::Error;
use crate::job::Job;
use crate::output::{Cell, Sheet, command_line, print};
use crate::{interrupt, level};
use bristle::nonsmooth::{Run, Runner, System, prepare, summary, warnings, write};
use bristle::output::{Contents, Draft};
use bristle_report::run::{SystemReport, system_page};

pub fn job(job: &Job<'_>) -> Result<(), Error> {
    let prepared = prepare(job.scene)?;
    let warnings = warnings(job.scene, &prepared);
    for warning in &warnings {
        level::warning(&if level::is_verbose() { warning.explain() } else { warning.to_string() });
    }
    let draft = Draft::begin(&job.path)?;
    let interrupt = interrupt::watch()?;
    let (system, options) = (&prepared.system, &prepared.options);
    let mut runner = Runner::new(system, options)?;
    job.drive(&mut runner, options.duration, &interrupt)?;
    let mut run = runner.finish();
    if run.cut.is_some() {
        run.cut = interrupt.reason().map(str::to_string);
    }
    write(&draft, &Contents { scene: &job.written, csv: job.csv }, system, &run)?;
    if job.report {
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let report = SystemReport {
            title: &job.name,
            system,
            options,
            run: &run,
            scene: &job.written,
            command: &command_line(),
            warnings: &warnings,
        };
        draft.file("report.html", system_page(&report).to_html().as_bytes())?;
    }
    draft.commit()?;
    if job.json {
        print(&format!("{:#}", summary(system, &run)))?;
    } else if !level::is_quiet() {
        show(system, &run)?;
    }
    job.conclude(run.cut.is_some().then_some((run.state.t, options.duration)), &interrupt)
}

/// What a person wants to know first: where the states are, what the terms did, where the energy went.
fn show(system: &System, run: &Run) -> Result<(), Error> {
    const MOST: usize = 24;
    let caption = format!("At {} s", run.state.t);
    let mut states = Sheet::new(&caption, &[("state", ""), ("value", ""), ("unit", "")]);
    for (state, x) in system.states().iter().zip(&run.state.x).take(MOST) {
        states.push(vec![state.name.as_str().into(), (*x).into(), state.unit.into()]);
    }
    let columns =
        [("term", ""), ("unit", ""), ("largest", ""), ("least", ""), ("active", "s"), ("lost", "J")];
    let mut terms = Sheet::new("Terms (active: a contact pushes, friction slips)", &columns);
    let column = |name: &str| run.recording.column(name).map_or(&[][..], |c| &c.values);
    for (i, contact) in system.contacts().iter().enumerate().take(MOST) {
        let active: f64 = run.pushes[i].iter().map(|s| s.1 - s.0).sum();
        terms.push(vec![
            contact.name.as_str().into(),
            contact.unit.into(),
            run.forces[i].0.into(),
            run.forces[i].1.into(),
            active.into(),
            run.last.lost[i].into(),
        ]);
    }
    for (j, friction) in system.frictions().iter().enumerate().take(MOST) {
        let active: f64 = run.slides[j].iter().filter(|s| s.slips).map(|s| s.end - s.start).sum();
        let parts: &[&str] = if friction.size == 1 { &[""] } else { &["_x", "_y"] };
        let values = || parts.iter().flat_map(|p| column(&format!("{}{p}", friction.name)).iter().copied());
        terms.push(vec![
            friction.name.as_str().into(),
            friction.unit.into(),
            values().fold(f64::NEG_INFINITY, f64::max).into(),
            values().fold(f64::INFINITY, f64::min).into(),
            active.into(),
            run.last.lost[system.contacts().len() + j].into(),
        ]);
    }
    print(&states.to_text())?;
    print(&terms.to_text())?;
    let mut energy = Sheet::new("Energy", &[("account", ""), ("J", "")]);
    let mut row = |name: &str, joules: Option<f64>| energy.push(vec![name.into(), Cell::from(joules)]);
    row("states and proxies at the start", run.initial.mechanical());
    row("states now", run.last.states);
    row("proxies now", Some(run.last.stored.iter().sum()));
    row("lost in terms", Some(run.last.lost.iter().sum()));
    row("work from outside", Some(run.last.work));
    row("what the ledger cannot place, at most", run.closure);
    print(&energy.to_text())?;
    print(&format!(
        "{} steps ({} rejected), {} evaluations, {} events, {} samples, {:.3} s",
        run.stats.steps,
        run.stats.rejected,
        run.stats.evaluations,
        run.stats.events,
        run.recording.len(),
        run.wall_seconds
    ))
}
