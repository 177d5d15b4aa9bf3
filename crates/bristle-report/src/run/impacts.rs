//! The table of contact episodes.

use super::RunReport;
use crate::{Cell, Page, Table};
use bristle::Episode;

/// More rows make a page slow and help nobody.
const MOST_ROWS: usize = 1000;

pub(super) fn section(page: Page, report: &RunReport<'_>) -> Page {
    let episodes = &report.run.episodes;
    if episodes.is_empty() {
        return page;
    }
    let has_patches = episodes.iter().any(|e| e.patch > 0);
    let mut table = Table::new(format!("{} contact episodes, from touchdown to lift-off", episodes.len()));
    table = table.column("start", "s").column("contact", "");
    if has_patches {
        table = table.column("patch", "");
    }
    for (name, unit) in [
        ("lasted", "s"),
        ("speed in", "m/s"),
        ("speed out", "m/s"),
        ("restitution", ""),
        ("peak force", "N"),
        ("peak depth", "m"),
        ("slipped", "s"),
        ("lost", "J"),
        ("sliding x", "m/s"),
        ("sliding y", "m/s"),
        ("sliding z", "m/s"),
    ] {
        table = table.column(name, unit);
    }
    for episode in episodes.iter().take(MOST_ROWS) {
        table = table.row_at(episode.start, row(episode, has_patches));
    }
    let mut note = "A click on a row goes to its touchdown. Sliding is the tangential velocity of the second body of the \
                    pair's name over the first, at lift-off or at the end of the run."
        .to_string();
    if episodes.len() > MOST_ROWS {
        note += &format!(" The first {MOST_ROWS} of {}; impacts.csv has all.", episodes.len());
    }
    page.heading("Impacts").table(table).text(note)
}

fn row(e: &Episode, has_patches: bool) -> Vec<Cell> {
    let ended = |x: f64| if e.end.is_some() && x.is_finite() { Cell::Number(x) } else { Cell::Empty };
    let slipped: f64 = e.spans.iter().filter(|s| s.slips).map(|s| s.end - s.start).sum();
    let mut cells: Vec<Cell> = vec![e.start.into(), e.pair.as_str().into()];
    if has_patches {
        cells.push((e.patch as f64).into());
    }
    cells.extend([
        e.end.map(|end| end - e.start).into(),
        e.speed_in.into(),
        ended(e.speed_out),
        ended(e.newton()),
        e.peak_force.0.into(),
        e.peak_depth.0.into(),
        slipped.into(),
        e.losses.iter().sum::<f64>().into(),
    ]);
    cells.extend(e.sliding.iter().map(|v| Cell::Number(*v)));
    cells
}
