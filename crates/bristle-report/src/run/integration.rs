//! How the run was integrated.

use super::RunReport;
use crate::{Cell, Page, Table};
use bristle::ode::{Method as FixedMethod, Pair};
use bristle::run::Method;

/// The method's name in scenes.
pub(super) fn method_name(method: &Method) -> &'static str {
    match method {
        Method::Adaptive(o) => match o.pair {
            Pair::Dop853 => "dop853",
            _ => "dopri5",
        },
        Method::Fixed(o) => match o.method {
            FixedMethod::Euler => "euler",
            FixedMethod::SemiImplicitEuler => "semi-implicit-euler",
            FixedMethod::Rk3 => "rk3",
            _ => "rk4",
        },
    }
}

pub(super) fn section(page: Page, report: &RunReport<'_>) -> Page {
    let (run, options) = (report.run, report.options);
    let mut rows: Vec<(&str, Cell, &str)> = vec![("method", method_name(&options.method).into(), "")];
    match options.method {
        Method::Adaptive(o) => rows.extend([
            ("relative tolerance", o.rtol.into(), ""),
            ("absolute tolerance", o.atol.into(), "in the unit of each quantity"),
        ]),
        Method::Fixed(o) => rows.push(("step", o.step.into(), "s")),
    }
    let stats = &run.stats;
    let count = |n: u64| Cell::Number(n as f64);
    rows.extend([
        ("steps", count(stats.steps), ""),
        ("rejected", count(stats.rejected), ""),
        ("smallest step", stats.smallest_step.is_finite().then_some(stats.smallest_step).into(), "s"),
        ("largest step", stats.largest_step.into(), "s"),
        ("evaluations", count(stats.evaluations), ""),
        ("event evaluations", count(stats.event_evaluations), ""),
        ("events", count(stats.events), ""),
        ("samples", Cell::Number(run.recording.len() as f64), ""),
        ("frames of the playback", run.film.as_ref().map(|f| f.frames.len() as f64).into(), ""),
        ("simulated", run.state.t.into(), "s"),
        ("wall time", run.wall_seconds.into(), "s"),
    ]);
    let table = Table::new("").column("quantity", "").column("value", "").column("unit", "");
    let table = rows
        .into_iter()
        .filter(|(_, value, _)| *value != Cell::Empty)
        .fold(table, |table, (name, value, unit)| table.row([name.into(), value, unit.into()]));
    page.heading("Integration").table(table)
}
