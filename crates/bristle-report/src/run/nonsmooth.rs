//! The page of a run of a system of formulas: verdict, states, terms, ledger.

use super::contacts::{SLIP, STICK};
use super::verdict::{CLOSED, short};
use super::{
    MOST_CURVES, POINTS, POINTS_OF_A_CURVE, Points, Sketch, energy, integration, lead, range, recorded,
};
use crate::{Axis, Cell, Curve, Fact, Page, Plot, Table, Tone};
use bristle::nonsmooth::{Run, System};
use bristle::run::RunOptions;

/// All that a page about a run of a system is made of.
#[derive(Debug, Clone, Copy)]
pub struct SystemReport<'a> {
    /// Title of the page: the name of the scene.
    pub title: &'a str,
    /// What was run.
    pub system: &'a System,
    /// How it was to be run.
    pub options: &'a RunOptions,
    /// What came out.
    pub run: &'a Run,
    /// The scene as it was run; its leading comment becomes the lead of the page.
    pub scene: &'a str,
    /// The command that made the run.
    pub command: &'a str,
    /// Warnings of whoever prepared the run; the page adds its own.
    pub warnings: &'a [String],
}

/// Builds the page.
pub fn page(report: &SystemReport<'_>) -> Page {
    let mut page = Page::new(report.title).lead(lead(report.scene));
    page = page.facts(facts(report)).warnings(warnings(report));
    let mut sketches = states(report);
    sketches.extend(forces(report));
    sketches.extend(slides(report));
    let curves: usize = sketches.iter().map(|s| s.curves.len()).sum::<usize>() + energy::CURVES;
    let limit = (POINTS / curves.max(1)).clamp(200, POINTS_OF_A_CURVE);
    let mut plots: Vec<Plot> = sketches.into_iter().map(|s| s.finish(limit)).collect();
    plots.extend(bands(report));
    plots.extend(ledger(report, limit));
    page = plots.into_iter().filter(|plot| !plot.is_empty()).fold(page, Page::plot);
    let run = report.run;
    let times = [run.state.t, run.wall_seconds];
    let samples = run.recording.len().to_string();
    let table = integration::table(&report.options.method, &run.stats, samples, times);
    page = page.heading("Terms").table(terms(report)).heading("Integration").table(table);
    page.heading("Scene").folded("Scene file as it was run", report.scene).code(report.command)
}

fn series(report: &SystemReport<'_>, name: &str) -> Option<Points> {
    recorded(&report.run.recording, name)
}

/// Suffixes of the components of a friction term.
fn parts(size: usize) -> &'static [&'static str] {
    if size == 1 { &[""] } else { &["_x", "_y"] }
}

fn sketch(title: String, label: &str, unit: &str, mut curves: Vec<(String, Points)>) -> Option<Sketch> {
    let count = curves.len();
    let mut note = String::new();
    if count > MOST_CURVES {
        let spread = |points: &Points| {
            let (low, high) = range(points);
            high - low
        };
        curves.sort_by(|a, b| spread(&b.1).total_cmp(&spread(&a.1)));
        curves.truncate(MOST_CURVES);
        note = format!("The {MOST_CURVES} of {count} that change most; series.parquet has all.");
    }
    let unit = if unit == "1" { "" } else { unit };
    let plot = Plot::new(title, Axis::linear("time", "s"), Axis::linear(label, unit)).note(note);
    let mut sketch = Sketch::new(plot);
    sketch.curves = curves;
    (count > 0).then_some(sketch)
}

/// One plot per unit.
fn states(report: &SystemReport<'_>) -> Vec<Sketch> {
    let mut units: Vec<&str> = Vec::new();
    for state in report.system.states() {
        if !units.contains(&state.unit) {
            units.push(state.unit);
        }
    }
    let of_unit = |unit: &&str| {
        let states = report.system.states().iter().filter(|s| s.unit == *unit);
        let curves: Vec<_> =
            states.filter_map(|s| Some((s.name.clone(), series(report, &s.name)?))).collect();
        let names = curves.iter().map(|c| c.0.as_str()).collect::<Vec<_>>().join(", ");
        let title = match curves.len() {
            1 => format!("State {names}"),
            2..=4 => format!("States {names}"),
            _ => format!("States in {unit}"),
        };
        sketch(title, "state", unit, curves)
    };
    units.iter().filter_map(of_unit).collect()
}

/// Values of contact terms, and how far their gaps are open.
fn forces(report: &SystemReport<'_>) -> Vec<Sketch> {
    let mut all = Vec::new();
    for unit in ["N", "N m", "1"] {
        let terms = || report.system.contacts().iter().filter(|c| c.unit == unit);
        let curves = |suffix: &str| -> Vec<(String, Points)> {
            let column = |name: &str| series(report, &format!("{name}{suffix}"));
            terms().filter_map(|c| Some((c.name.clone(), column(&c.name)?))).collect()
        };
        all.extend(sketch("Contact terms".to_string(), "force", unit, curves("")));
        let length = if unit == "N" { "m" } else { "" };
        all.extend(sketch("Gaps of contact terms".to_string(), "gap", length, curves(".gap")));
    }
    all
}

/// Values of friction terms with their limits, and their velocities.
fn slides(report: &SystemReport<'_>) -> Vec<Sketch> {
    let mut all = Vec::new();
    for (unit, speed) in [("N", "m/s"), ("N m", "rad/s"), ("1", "")] {
        let terms: Vec<_> = report.system.frictions().iter().filter(|f| f.unit == unit).collect();
        let curves = |quantity: &str| -> Vec<(String, Points)> {
            let of_term = |name: &str, size: usize| -> Vec<(String, Points)> {
                let curve = |part: &&str| {
                    Some((format!("{name}{part}"), series(report, &format!("{name}{quantity}{part}"))?))
                };
                parts(size).iter().filter_map(curve).collect()
            };
            terms.iter().flat_map(|f| of_term(&f.name, f.size)).collect()
        };
        let mut forces = curves("");
        if terms.len() <= 2 {
            forces.extend(terms.iter().filter_map(|f| {
                Some((format!("limit of {}", f.name), series(report, &format!("{}.limit", f.name))?))
            }));
        }
        all.extend(sketch("Friction terms".to_string(), "force", unit, forces));
        all.extend(sketch(
            "Velocities of friction terms".to_string(),
            "velocity",
            speed,
            curves(".velocity"),
        ));
    }
    all
}

/// When contacts push, and when frictions stick and slip.
fn bands(report: &SystemReport<'_>) -> Option<Plot> {
    const MOST_ROWS: usize = 16;
    let (contacts, frictions) = (report.system.contacts(), report.system.frictions());
    let names: Vec<String> = report.system.term_names().take(MOST_ROWS).map(str::to_string).collect();
    if names.is_empty() {
        return None;
    }
    let bar = |row: usize, start: f64, end: f64| [(start, row as f64), (end, row as f64), (end, f64::NAN)];
    let pushes: Points = (0..contacts.len().min(MOST_ROWS))
        .flat_map(|i| report.run.pushes[i].iter().flat_map(move |s| bar(i, s.0, s.1)))
        .collect();
    let slides = |slips: bool| -> Points {
        (0..frictions.len().min(MOST_ROWS.saturating_sub(contacts.len())))
            .flat_map(|j| {
                let spans = report.run.slides[j].iter().filter(move |s| s.slips == slips);
                spans.flat_map(move |s| bar(contacts.len() + j, s.start, s.end))
            })
            .collect()
    };
    let plot = Plot::new("Contact, stick and slip", Axis::linear("time", "s"), Axis::names("term", names));
    let curves = [("pushes", pushes, 0), ("sticks", slides(false), STICK), ("slips", slides(true), SLIP)];
    let shown = curves.into_iter().filter(|(_, points, _)| !points.is_empty());
    Some(shown.fold(plot.timed(), |plot, (name, points, colour)| {
        plot.curve(Curve::new(name, points).band().coloured(colour))
    }))
}

/// Where the energy is, and what the ledger cannot place; without an energy of the states, what was lost.
fn ledger(report: &SystemReport<'_>, limit: usize) -> Vec<Plot> {
    let run = report.run;
    let lost: Vec<(String, Points)> = report
        .system
        .term_names()
        .filter_map(|name| Some((format!("lost: {name}"), series(report, &format!("energy.lost.{name}"))?)))
        .collect();
    let Some(mut states) = series(report, "energy.states") else {
        let note = "Without energy = \"…\" in the scene the ledger cannot be closed.";
        let plot = Plot::new("Energy lost in terms", Axis::linear("time", "s"), Axis::linear("energy", "J"));
        let mut sketch = Sketch::new(plot.note(note));
        sketch.curves = lost;
        return vec![sketch.finish(limit)];
    };
    let least = range(&states).0.min(0.0).min(states.first().map_or(0.0, |p| p.1));
    states.iter_mut().for_each(|p| p.1 -= least);
    let name = if least < 0.0 { "states, above their least" } else { "states" };
    let proxies = series(report, "energy.proxies").unwrap_or_default();
    let mut all = vec![(name.to_string(), states), ("proxies".to_string(), proxies)];
    all.extend(lost);
    let start = run.initial.balance().unwrap_or(0.0) - least;
    let work = series(report, "energy.work").unwrap_or_default();
    let total = work.into_iter().map(|(t, w)| (t, start + w)).collect();
    let closure = series(report, "energy.closure");
    let stacked = energy::stack(all, total, run.in_play, limit);
    let closure = closure.and_then(|points| energy::closure_of(points, run.in_play, limit));
    stacked.into_iter().chain(closure).collect()
}

fn facts(report: &SystemReport<'_>) -> Vec<Fact> {
    let run = report.run;
    let closure = match run.closure {
        None => Fact::new("Ledger", "not closed").remark("the scene gives no energy of its states"),
        Some(_) if run.in_play == 0.0 => {
            Fact::new("Ledger", "nothing moved").remark("there is no energy in play")
        }
        Some(closure) => {
            let relative = closure / run.in_play;
            let is_closed = relative <= CLOSED;
            Fact::new(
                if is_closed { "Ledger closes to" } else { "Ledger does not close" },
                format!("{} J", short(closure)),
            )
            .remark(format!("{} of the {} J in play", short(relative), short(run.in_play)))
            .tone(if is_closed { Tone::Good } else { Tone::Doubtful })
        }
    };
    let mut lost: Vec<(&str, f64)> = report.system.term_names().zip(run.last.lost.iter().copied()).collect();
    lost.sort_by(|a, b| b.1.total_cmp(&a.1));
    let total: f64 = lost.iter().map(|l| l.1).sum();
    let gained: Vec<_> = lost.iter().filter(|l| l.1 < -1e-9 * run.in_play).collect();
    let losses = if gained.is_empty() {
        let share = |part: f64| format!("{:.0} %", 100.0 * part / total.max(f64::MIN_POSITIVE));
        let parts = lost.iter().take(2).filter(|l| l.1 > 0.005 * total);
        let remark = parts.map(|(name, j)| format!("{} {name}", share(*j))).collect::<Vec<_>>().join(", ");
        Fact::new("Energy lost", format!("{} J", short(total))).remark(remark)
    } else {
        let names = gained.iter().map(|l| l.0).collect::<Vec<_>>().join(", ");
        let joules = -gained.iter().map(|l| l.1).sum::<f64>();
        Fact::new("Energy from nothing", format!("{} J", short(joules)))
            .remark(format!("terms that gave energy: {names}"))
            .tone(Tone::Doubtful)
    };
    let (contacts, frictions) = (report.system.contacts(), report.system.frictions());
    let hardest = contacts.iter().zip(&run.forces).max_by(|a, b| a.1.0.total_cmp(&b.1.0));
    let remark = hardest.map_or_else(
        || "nothing to hit".to_string(),
        |(c, force)| format!("hardest {} {} in {}", short(force.0), c.unit, c.name),
    );
    let count = format!("{} contact, {} friction", contacts.len(), frictions.len());
    let steps = format!(
        "in {} s, {} steps of {}",
        short(run.wall_seconds),
        run.stats.steps,
        integration::method_name(&report.options.method)
    );
    vec![
        closure,
        losses,
        Fact::new("Terms", count).remark(remark),
        Fact::new("Simulated", format!("{} s", short(run.state.t))).remark(steps),
    ]
}

fn warnings(report: &SystemReport<'_>) -> Vec<String> {
    let (run, mut all) = (report.run, report.warnings.to_vec());
    if let Some(closure) = run.closure.filter(|c| *c > CLOSED * run.in_play) {
        all.push(format!(
            "The ledger cannot place {} J of {} J in play: the tolerance or step is too coarse, or energy and power do \
             not belong to these rates.",
            short(closure),
            short(run.in_play)
        ));
    }
    if run.state.t < report.options.duration * (1.0 - 1e-9) {
        all.push(format!(
            "The run was cut at {} s of {} s.",
            short(run.state.t),
            short(report.options.duration)
        ));
    }
    all
}

/// What each term is and did.
fn terms(report: &SystemReport<'_>) -> Table {
    let mut table = Table::new("").column("term", "").column("kind", "").column("stiffness", "N/m");
    for (name, unit) in
        [("alpha", "s"), ("beta", "s"), ("largest", ""), ("least", ""), ("active", "s"), ("lost", "J")]
    {
        table = table.column(name, unit);
    }
    let run = report.run;
    let contacts = report.system.contacts();
    for (i, c) in contacts.iter().enumerate() {
        let pushing: f64 = run.pushes[i].iter().map(|s| s.1 - s.0).sum();
        let (most, least) = run.forces[i];
        table = table.row([
            c.name.as_str().into(),
            "contact".into(),
            c.dio.stiffness.into(),
            c.dio.alpha.into(),
            c.dio.beta.into(),
            most.into(),
            least.into(),
            pushing.into(),
            run.last.lost[i].into(),
        ]);
    }
    for (j, f) in report.system.frictions().iter().enumerate() {
        let slipping: f64 = run.slides[j].iter().filter(|s| s.slips).map(|s| s.end - s.start).sum();
        let values: Vec<Points> =
            parts(f.size).iter().filter_map(|p| series(report, &format!("{}{p}", f.name))).collect();
        let ranges: Vec<(f64, f64)> = values.iter().map(|v| range(v)).collect();
        let least = ranges.iter().map(|r| r.0).fold(f64::INFINITY, f64::min);
        let most = ranges.iter().map(|r| r.1).fold(f64::NEG_INFINITY, f64::max);
        table = table.row([
            f.name.as_str().into(),
            "friction".into(),
            f.sgn.stiffness.into(),
            Cell::Empty,
            f.sgn.beta.into(),
            most.into(),
            least.into(),
            slipping.into(),
            run.last.lost[contacts.len() + j].into(),
        ]);
    }
    table
}
