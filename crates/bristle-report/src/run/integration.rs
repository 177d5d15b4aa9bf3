//! How the run was integrated.

use super::RunReport;
use crate::number::for_table;
use crate::{Page, Table};
use bristle::ode::{Method as FixedMethod, Pair, Stats};
use bristle::run::Method;

/// The method's name in scenes.
pub(super) fn method_name(method: &Method) -> &'static str {
    match method {
        Method::Adaptive(o) => match o.pair {
            Pair::Dop853 => "dop853",
            Pair::Rodas4 => "rodas4",
            Pair::Bdf => "bdf",
            _ => "dopri5",
        },
        Method::Fixed(o) => match o.method {
            FixedMethod::Euler => "euler",
            FixedMethod::SemiImplicitEuler => "semi-implicit-euler",
            FixedMethod::Rk3 => "rk3",
            FixedMethod::LinearlyImplicitEuler => "linearly-implicit",
            _ => "rk4",
        },
    }
}

pub(super) fn section(page: Page, report: &RunReport<'_>) -> Page {
    let (run, options) = (report.run, report.options);
    let frames = run.film.as_ref().map_or(0, |f| f.frames.len());
    let samples = format!("{}, and {frames} frames of the playback", run.recording.len());
    let page = page.heading("Integration").table(table(
        &options.method,
        &run.stats,
        samples,
        [run.state.t, run.wall_seconds],
    ));
    match &run.choice {
        Some(reason) => page.text(format!("The scene leaves the method open (auto). Chosen: {reason}.")),
        None => page,
    }
}

/// How it was integrated, with the simulated time and that on the clock, s.
pub(super) fn table(method: &Method, stats: &Stats, samples: String, [t, wall]: [f64; 2]) -> Table {
    let mut rows: Vec<(&str, String)> = vec![("method", method_name(method).to_string())];
    let seconds = |t: f64| format!("{} s", for_table(t));
    match method {
        Method::Adaptive(o) => rows.extend([
            ("relative tolerance", for_table(o.rtol)),
            ("absolute tolerance", format!("{}, in the unit of each quantity", for_table(o.atol))),
        ]),
        Method::Fixed(o) => rows.push(("step", seconds(o.step))),
    }
    rows.push(("steps", format!("{} accepted, {} rejected", stats.steps, stats.rejected)));
    if stats.smallest_step.is_finite() {
        rows.push((
            "step sizes",
            format!("{} to {}", seconds(stats.smallest_step), seconds(stats.largest_step)),
        ));
    }
    rows.extend([
        ("evaluations", format!("{}, and {} of event functions", stats.evaluations, stats.event_evaluations)),
        ("events", stats.events.to_string()),
        ("samples", samples),
        ("simulated", seconds(t)),
        ("wall time", seconds(wall)),
    ]);
    let table = Table::new("").column("quantity", "").column("value", "");
    rows.into_iter().fold(table, |table, (name, value)| table.row([name.into(), value.into()]))
}
