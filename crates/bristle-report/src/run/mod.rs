//! The page of a run: verdict, playback, plots, impacts, how it was integrated, the scene.
//!
//! A section appears only if the run has data for it.

mod contacts;
mod energy;
mod impacts;
mod integration;
mod joints;
mod motion;
mod nonsmooth;
mod verdict;

pub use nonsmooth::{SystemReport, page as system_page};

use crate::{Curve, Page, Playback, Plot, thinned};
use bristle::record::Recording;
use bristle::run::{Run, RunOptions};
use bristle::world::Model;

/// All that a page about a run is made of.
#[derive(Debug, Clone, Copy)]
pub struct RunReport<'a> {
    /// Title of the page: the name of the scene.
    pub title: &'a str,
    /// What was run.
    pub model: &'a Model,
    /// How it was to be run.
    pub options: &'a RunOptions,
    /// What came out, with its film.
    pub run: &'a Run,
    /// The scene as it was run; its leading comment becomes the lead of the page.
    pub scene: &'a str,
    /// The command that made the run.
    pub command: &'a str,
    /// Warnings of whoever prepared the run; the page adds its own.
    pub warnings: &'a [String],
}

/// Points of all curves of a page together: about 1 MB.
const POINTS: usize = 40_000;
/// Points of one curve: no screen shows more.
const POINTS_OF_A_CURVE: usize = 2_000;
/// Bodies and pairs that get curves of their own.
const MOST_CURVES: usize = 8;

type Points = Vec<(f64, f64)>;

/// A plot in the making: curves that are still complete.
struct Sketch {
    plot: Plot,
    curves: Vec<(String, Points)>,
}

impl Sketch {
    fn new(plot: Plot) -> Self {
        Self { plot: plot.timed(), curves: Vec::new() }
    }

    /// Draws the curves with at most `limit` points each.
    fn finish(self, limit: usize) -> Plot {
        let curves = self.curves.into_iter();
        curves.fold(self.plot, |plot, (name, points)| plot.curve(Curve::new(name, thinned(points, limit))))
    }
}

/// Builds the page.
pub fn page(report: &RunReport<'_>) -> Page {
    let mut page = Page::new(report.title).lead(lead(report.scene));
    page = page.facts(verdict::facts(report)).warnings(verdict::warnings(report));
    let mut sketches = joints::sketches(report);
    sketches.extend(motion::sketches(report));
    sketches.extend(contacts::sketches(report));
    let curves: usize = sketches.iter().map(|s| s.curves.len()).sum::<usize>() + energy::CURVES;
    let limit = (POINTS / curves.max(1)).clamp(200, POINTS_OF_A_CURVE);
    let mut plots: Vec<Plot> = sketches.into_iter().map(|s| s.finish(limit)).collect();
    plots.extend(contacts::bands(report));
    plots.extend(energy::plots(report, limit));
    plots.retain(|plot| !plot.is_empty());
    page = match Playback::new(format!("Playback of {}", report.title), report.model, report.run) {
        Some(playback) => page.stage(playback, plots),
        None => plots.into_iter().fold(page, Page::plot),
    };
    page = impacts::section(page, report);
    page = integration::section(page, report);
    page.heading("Scene").folded("Scene file as it was run", report.scene).code(report.command)
}

/// The comment at the head of a scene, without overrides.
fn lead(scene: &str) -> String {
    let is_override = |line: &&str| line.starts_with("# --set");
    let lines = scene.lines().skip_while(is_override).take_while(|line| line.starts_with('#'));
    let words = lines.map(|line| line.trim_start_matches('#').trim()).collect::<Vec<_>>().join(" ");
    words.replace('`', "").trim().to_string()
}

/// A column of the recording as a curve over time, if it was recorded.
fn series(report: &RunReport<'_>, name: &str) -> Option<Points> {
    recorded(&report.run.recording, name)
}

fn recorded(recording: &Recording, name: &str) -> Option<Points> {
    let values = &recording.column(name)?.values;
    let times = &recording.columns.first()?.values;
    Some(times.iter().copied().zip(values.iter().copied()).collect())
}

/// Least and largest y.
fn range(points: &[(f64, f64)]) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, y)| (low.min(*y), high.max(*y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_is_the_comment_at_the_head() {
        assert_eq!(lead("# --set a=1\n# A ball.\n# It falls.\nschema = 1\n# not this"), "A ball. It falls.");
        assert_eq!(lead("schema = 1"), "");
    }
}
