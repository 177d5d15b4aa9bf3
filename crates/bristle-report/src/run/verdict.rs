//! What a reader wants to know first: does the ledger close, where did the energy go, what touched, how long it took.

use super::RunReport;
use super::integration::method_name;
use crate::number::for_table;
use crate::{Fact, Tone};
use bristle::run::Method;
use bristle::world::WORLD_ACCOUNTS;

/// Closure over energy in play up to which a run counts as closed.
pub(super) const CLOSED: f64 = 1e-6;
/// Depth over the size of the smallest movable shape from which contact is no longer small.
const DEEP: f64 = 0.1;

pub(super) fn short(x: f64) -> String {
    for_table(format!("{x:.2e}").parse().unwrap_or(x))
}

fn relative_closure(report: &RunReport<'_>) -> f64 {
    report.run.closure / report.run.in_play.max(f64::MIN_POSITIVE)
}

/// Accounts that gave energy instead of taking it: name and joules.
fn gains(report: &RunReport<'_>) -> Vec<(&'static str, f64)> {
    let run = report.run;
    let floor = run.closure.max(1e-9 * run.in_play);
    WORLD_ACCOUNTS
        .iter()
        .copied()
        .zip(run.last.lost)
        .filter(|(_, lost)| *lost < -floor)
        .map(|(n, l)| (n, -l))
        .collect()
}

pub(super) fn facts(report: &RunReport<'_>) -> Vec<Fact> {
    let run = report.run;
    let relative = relative_closure(report);
    let nothing_moved = run.in_play == 0.0;
    let closure = if nothing_moved {
        Fact::new("Ledger", "nothing moved").remark("there is no energy in play")
    } else {
        let is_closed = relative <= CLOSED;
        Fact::new(
            if is_closed { "Ledger closes to" } else { "Ledger does not close" },
            format!("{} J", short(run.closure)),
        )
        .remark(format!("{} of the {} J in play", short(relative), short(run.in_play)))
        .tone(if is_closed { Tone::Good } else { Tone::Doubtful })
    };
    vec![closure, losses(report), contacts(report), work(report)]
}

fn losses(report: &RunReport<'_>) -> Fact {
    let run = report.run;
    let gained: f64 = gains(report).iter().map(|g| g.1).sum();
    if gained > 0.0 {
        let names: Vec<_> = gains(report).iter().map(|g| g.0).collect();
        let remark = format!("accounts that gave energy: {}", names.join(", "));
        return Fact::new("Energy from nothing", format!("{} J", short(gained)))
            .remark(remark)
            .tone(Tone::Doubtful);
    }
    let lost: f64 = run.last.lost.iter().sum();
    let mut parts: Vec<(&str, f64)> = WORLD_ACCOUNTS.iter().copied().zip(run.last.lost).collect();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let share = |part: f64| format!("{:.0} %", 100.0 * part / lost);
    let largest = parts.iter().take(2).filter(|p| p.1 > 0.005 * lost);
    let remark = largest
        .map(|(name, j)| format!("{} {}", share(*j), name.replace('_', " ")))
        .collect::<Vec<_>>()
        .join(", ");
    if lost <= run.closure.max(1e-12 * run.in_play) {
        return Fact::new("Energy lost", "none").remark("no account took any; no account gave any");
    }
    Fact::new("Energy lost", format!("{} J", short(lost))).remark(remark)
}

fn contacts(report: &RunReport<'_>) -> Fact {
    let episodes = &report.run.episodes;
    if let Some(touching) = report.run.unfollowed() {
        let remark = "at the end; record.impacts = true follows each from touch to lift-off";
        return Fact::new("Contact", format!("{touching} touch")).remark(remark);
    }
    let hardest = episodes.iter().max_by(|a, b| a.peak_force.0.total_cmp(&b.peak_force.0));
    let count = match episodes.len() {
        0 => "no contact".to_string(),
        1 => "1 episode".to_string(),
        n => format!("{n} episodes"),
    };
    let remark = hardest.map_or_else(
        || "nothing touched".to_string(),
        |e| format!("hardest {} N, {}, at {} s", short(e.peak_force.0), e.pair, short(e.peak_force.1)),
    );
    Fact::new("Contact", count).remark(remark)
}

fn work(report: &RunReport<'_>) -> Fact {
    let run = report.run;
    let detail = match report.options.method {
        Method::Adaptive(o) => format!("rtol {}", short(o.rtol)),
        Method::Fixed(o) => format!("step {} s", short(o.step)),
    };
    Fact::new("Simulated", format!("{} s", for_table(run.state.t))).remark(format!(
        "in {} s, {} steps of {}, {detail}",
        short(run.wall_seconds),
        run.stats.steps,
        method_name(&report.options.method)
    ))
}

/// The page's own warnings after the ones it was given.
pub(super) fn warnings(report: &RunReport<'_>) -> Vec<String> {
    let (run, options) = (report.run, report.options);
    let mut all = report.warnings.to_vec();
    if relative_closure(report) > CLOSED && run.in_play > 0.0 {
        all.push(format!(
            "The ledger cannot place {} of the energy in play. Use a smaller tolerance or step.",
            short(relative_closure(report))
        ));
    }
    for (name, joules) in gains(report) {
        all.push(format!(
            "The account {} gave {} J: the law creates energy. Its default form does not.",
            name.replace('_', " "),
            short(joules)
        ));
    }
    if run.state.t < options.duration * (1.0 - 1e-9) {
        all.push(format!(
            "The run was cut at {} s of {} s.",
            for_table(run.state.t),
            for_table(options.duration)
        ));
    }
    let radii = report.model.shapes.iter().filter(|s| report.model.bodies[s.body].is_movable);
    let sizes = radii.map(|s| s.shape.bounding_radius()).filter(|r| *r > 0.0 && r.is_finite());
    let size = sizes.fold(f64::INFINITY, f64::min);
    let deepest = run.episodes.iter().map(|e| e.peak_depth.0).fold(0.0, f64::max);
    if deepest > DEEP * size {
        all.push(format!(
            "A contact is {} m deep, {:.0} % of the smallest body's radius: contact laws assume small depths.",
            short(deepest),
            100.0 * deepest / size
        ));
    }
    all
}
