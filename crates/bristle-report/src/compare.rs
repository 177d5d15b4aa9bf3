//! The page that sets runs side by side: overlaid curves and a table of differences.

use crate::{Axis, Cell, Curve, Page, Plot, Table, thinned};
use bristle::compare::{Difference, common_quantities};
use bristle::folder::RunFolder;

/// Plots on a page, and points of all their curves together.
const MOST_PLOTS: usize = 40;
const POINTS: usize = 60_000;

/// Builds the page; differences are those of [`bristle::compare::differences`].
pub fn page(runs: &[RunFolder], differences: &[Difference]) -> Page {
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let mut shown = moving(runs);
    let count = shown.len();
    shown.truncate(MOST_PLOTS);
    let limit = (POINTS / (shown.len() * runs.len()).max(1)).clamp(100, 2000);
    let plots = shown.into_iter().map(|name| plot(runs, name, limit)).collect();
    let mut page = Page::new("Comparison of runs").lead(names.join(" · ")).table(outcomes(runs));
    page = page.heading("Quantities over time");
    if count > MOST_PLOTS {
        page = page.text(format!(
            "The first {MOST_PLOTS} of {count} quantities that change; the table below has all."
        ));
    }
    let first = names.first().unwrap_or(&"the first");
    page.gallery(plots)
        .heading("Differences")
        .text(format!(
            "Each run minus {first}, at the sample times of {first} as far as both go, on straight lines between samples."
        ))
        .table(table(runs, differences))
}

/// What each run says about itself.
fn outcomes(runs: &[RunFolder]) -> Table {
    let table = Table::new("Runs")
        .column("run", "")
        .column("simulated", "s")
        .column("steps", "")
        .column("impacts", "");
    let table = table.column("energy lost", "J").column("closure", "J").column("wall time", "s");
    runs.iter().fold(table, |table, run| {
        let outcome = run.outcome();
        let steps = outcome.steps.map(|n| n as f64);
        table.row([
            run.name.as_str().into(),
            outcome.time.into(),
            steps.into(),
            outcome.impacts.map(|n| n as f64).into(),
            outcome.lost.into(),
            outcome.closure.into(),
            outcome.wall_seconds.into(),
        ])
    })
}

/// Common quantities that change in some run or differ between runs; whether a pair touches is seen from its force.
fn moving(runs: &[RunFolder]) -> Vec<&str> {
    let values = |name: &str| {
        let all = runs.iter().filter_map(|run| run.series(name)).flat_map(|s| s.values.iter().copied());
        all.filter(|v| v.is_finite()).collect::<Vec<f64>>()
    };
    let changes = |name: &&str| {
        let values = values(name);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        most - least > 1e-12 * most.abs().max(least.abs())
    };
    let common = common_quantities(runs).into_iter().filter(|name| !name.ends_with(".touching"));
    common.filter(changes).collect()
}

fn plot(runs: &[RunFolder], name: &str, limit: usize) -> Plot {
    let unit = runs.first().and_then(|run| run.series(name)).map_or("", |s| s.unit.as_str());
    let unit = if unit == "1" { "" } else { unit };
    let is_depth = name.ends_with(".depth");
    let title = name.replace(['.', '_'], " ");
    let label = name.rsplit('.').find(|part| part.len() > 1).unwrap_or(name).replace('_', " ");
    let mut plot = Plot::new(title, Axis::linear("time", "s"), Axis::linear(label, unit)).timed();
    if is_depth {
        plot = plot.note("Zero while apart.");
    }
    for run in runs {
        let Some(series) = run.series(name) else { continue };
        // A gap is many times larger than any depth and would flatten it.
        let value = |v: &f64| if is_depth { v.max(0.0) } else { *v };
        let points = run.times.iter().copied().zip(series.values.iter().map(value)).collect();
        plot = plot.curve(Curve::new(run.name.as_str(), thinned(points, limit)));
    }
    plot
}

/// Quantities that differ; the others are counted.
fn table(runs: &[RunFolder], differences: &[Difference]) -> Table {
    let apart: Vec<&Difference> = differences.iter().filter(|d| d.largest != 0.0).collect();
    let equal = differences.len() - apart.len();
    let mut table =
        Table::new(format!("{} differences; {equal} times a quantity is equal in both", apart.len()));
    for (name, unit) in [
        ("quantity", ""),
        ("unit", ""),
        ("run", ""),
        ("largest difference", ""),
        ("at", "s"),
        ("last difference", ""),
        ("size", ""),
        ("largest / size", ""),
    ] {
        table = table.column(name, unit);
    }
    for d in apart {
        let run = runs.get(d.run).map_or("", |run| run.name.as_str());
        let cells: [Cell; 8] = [
            d.quantity.as_str().into(),
            d.unit.as_str().into(),
            run.into(),
            d.largest.into(),
            d.time.into(),
            d.last.into(),
            d.size.into(),
            d.relative().into(),
        ];
        table = table.row_at(d.time, cells);
    }
    table
}
