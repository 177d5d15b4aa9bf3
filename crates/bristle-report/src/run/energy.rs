//! Plots of the ledger: where the energy is, stacked, and what it cannot place.

use super::{Points, RunReport, range, series};
use crate::number::for_table;
use crate::{Axis, Curve, Plot, thinned};
use bristle::world::{LOSSES, WORLD_ACCOUNTS};

/// About as many curves as the plots have, for sharing out points.
pub(super) const CURVES: usize = 10;
/// Accounts smaller than this share of the energy in play would be areas of no height: they are drawn as one.
const VISIBLE: f64 = 3e-3;

const STORED: [(&str, &str); 6] = [
    ("kinetic", "kinetic"),
    ("gravity", "gravity, above its least"),
    ("elastic_normal", "elastic, normal"),
    ("elastic_tangential", "elastic, tangential"),
    ("springs", "springs"),
    ("elastic_joints", "joints"),
];

pub(super) fn plots(report: &RunReport<'_>, limit: usize) -> Vec<Plot> {
    [accounts(report, limit), closure(report, limit)].into_iter().flatten().collect()
}

fn accounts(report: &RunReport<'_>, limit: usize) -> Option<Plot> {
    let column = |name: &str| series(report, &format!("energy.{name}"));
    let mut gravity = column("gravity")?;
    let least = range(&gravity).0;
    gravity.iter_mut().for_each(|p| p.1 -= least);
    let stored = STORED.iter().filter_map(|(name, title)| {
        Some((title.to_string(), if *name == "gravity" { gravity.clone() } else { column(name)? }))
    });
    let lost = WORLD_ACCOUNTS[..LOSSES]
        .iter()
        .filter_map(|name| Some((format!("lost: {}", name.replace('_', " ")), column(name)?)));
    let all: Vec<(String, Points)> = stored.chain(lost).collect();
    let (work, start) = (column("work")?, report.run.initial.balance() - least);
    let total = work.into_iter().map(|(t, w)| (t, start + w)).collect();
    stack(all, total, report.run.in_play, limit)
}

/// Energies over the same times, stacked, under the line that they should reach.
pub(super) fn stack(all: Vec<(String, Points)>, total: Points, in_play: f64, limit: usize) -> Option<Plot> {
    let (low, high) = all.iter().fold((0.0_f64, 0.0_f64), |(low, high), (_, points)| {
        let (least, most) = range(points);
        (low.min(least), high.max(most))
    });
    let floor = VISIBLE * (high - low).max(in_play);
    let is_visible = |points: &Points| points.iter().any(|p| p.1.abs() > floor);
    let (mut shown, small): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, points)| is_visible(points));
    if shown.is_empty() {
        return None;
    }
    let mut rest = small.into_iter().map(|(_, points)| points).filter(|p| p.iter().any(|p| p.1 != 0.0));
    if let Some(mut other) = rest.next() {
        rest.for_each(|points| other.iter_mut().zip(points).for_each(|(sum, p)| sum.1 += p.1));
        shown.push(("other accounts".to_string(), other));
    }
    // Areas can be stacked only over the same times: those that matter for any of them.
    let share = (limit / shown.len()).max(100);
    let mut rows: Vec<usize> = shown.iter().flat_map(|(_, points)| rows_of(points, share)).collect();
    rows.sort_unstable();
    rows.dedup();
    let pick = |points: &Points| rows.iter().map(|i| points[*i]).collect::<Points>();
    let plot = Plot::new("Energy", Axis::linear("time", "s"), Axis::linear("energy", "J")).timed();
    let plot = plot.note(
        "Stacked. Together they are the energy at the start plus the work from outside, the dashed line.",
    );
    let areas = shown.iter();
    let plot = areas
        .fold(plot, |plot, (name, points)| plot.curve(Curve::new(name.as_str(), pick(points)).stacked()));
    Some(plot.curve(Curve::new("start + work", pick(&total)).dashed().coloured(6)))
}

/// Rows of a series that thinning keeps.
fn rows_of(points: &Points, limit: usize) -> Vec<usize> {
    let counted = points.iter().enumerate().map(|(row, p)| (row as f64, p.1)).collect();
    thinned(counted, limit).into_iter().map(|(row, _)| row as usize).collect()
}

fn closure(report: &RunReport<'_>, limit: usize) -> Option<Plot> {
    closure_of(series(report, "energy.closure")?, report.run.in_play, limit)
}

/// What a ledger cannot place, over time.
pub(super) fn closure_of(points: Points, in_play: f64, limit: usize) -> Option<Plot> {
    let plot = Plot::new(
        "Energy that the ledger cannot place",
        Axis::linear("time", "s"),
        Axis::linear("closure", "J"),
    );
    if in_play == 0.0 {
        return None;
    }
    let note = format!("Of {} J in play.", for_table(in_play));
    Some(plot.timed().note(note).curve(Curve::new("closure", thinned(points, limit))))
}
