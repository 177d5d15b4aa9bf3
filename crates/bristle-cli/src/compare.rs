//! `bristle compare`: the same quantities of several runs, and how far they are apart.

use crate::error::Error;
use crate::output::{Output, Sheet};
use bristle::compare::{Difference, differences};
use bristle::folder::{self, RunFolder};
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  bristle compare runs/rolling_sphere runs/faster
  bristle compare runs/coarse runs/fine --html compare.html";

/// Rows of differences on a terminal.
const ON_SCREEN: usize = 20;

#[derive(clap::Args)]
pub struct Args {
    /// Run folders; the others are compared with the first
    #[arg(value_name = "RUN", num_args = 2.., required = true)]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let mut runs = args.runs.iter().map(folder::read).collect::<Result<Vec<_>, _>>()?;
    tell_apart(&mut runs);
    let found = differences(&runs);
    if found.is_empty() {
        return Err(Error::NothingInCommon);
    }
    let caption = format!("Differences from {}", runs[0].name);
    let all = sheet(&caption, &runs, found.iter());
    let shown = if args.output.json { all.clone() } else { furthest(&caption, &runs, &found) };
    let page = || bristle_report::compare::page(&runs, &found);
    args.output.write(&[&outcomes(&runs), &shown], if args.output.json { &shown } else { &all }, page)
}

/// Runs of one name in different folders go by their paths.
fn tell_apart(runs: &mut [RunFolder]) {
    let names: Vec<String> = runs.iter().map(|run| run.name.clone()).collect();
    for (index, run) in runs.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == run.name).count() > 1 {
            run.name = format!("{} ({})", run.path.display(), index + 1);
        }
    }
}

/// What each run says about itself.
fn outcomes(runs: &[RunFolder]) -> Sheet {
    let columns = [
        ("run", ""),
        ("time", "s"),
        ("steps", ""),
        ("impacts", ""),
        ("lost energy", "J"),
        ("closure", "J"),
        ("wall time", "s"),
    ];
    let mut sheet = Sheet::new("Runs", &columns);
    for run in runs {
        let outcome = run.outcome();
        sheet.push(vec![
            run.name.as_str().into(),
            outcome.time.into(),
            outcome.steps.into(),
            outcome.impacts.map(|n| n as u64).into(),
            outcome.lost.into(),
            outcome.closure.into(),
            outcome.wall_seconds.into(),
        ]);
    }
    sheet
}

/// What fits a screen: the quantities that are furthest apart for their size.
fn furthest(caption: &str, runs: &[RunFolder], found: &[Difference]) -> Sheet {
    let mut apart: Vec<&Difference> = found.iter().filter(|d| d.largest != 0.0).collect();
    apart.sort_by(|a, b| b.relative().total_cmp(&a.relative()));
    let (count, equal) = (apart.len(), found.len() - apart.len());
    apart.truncate(ON_SCREEN);
    let which =
        if count > ON_SCREEN { format!("the furthest {ON_SCREEN} of {count}") } else { format!("{count}") };
    let caption = format!("{caption}: {which}, {equal} are equal (--csv, --json and --html have all)");
    sheet(&caption, runs, apart.into_iter())
}

fn sheet<'a>(caption: &str, runs: &[RunFolder], found: impl Iterator<Item = &'a Difference>) -> Sheet {
    let columns = [
        ("quantity", ""),
        ("unit", ""),
        ("run", ""),
        ("largest difference", ""),
        ("at", "s"),
        ("last difference", ""),
        ("size", ""),
    ];
    let mut sheet = Sheet::new(caption, &columns);
    for d in found {
        sheet.push(vec![
            d.quantity.as_str().into(),
            d.unit.as_str().into(),
            runs[d.run].name.as_str().into(),
            d.largest.into(),
            d.time.into(),
            d.last.into(),
            d.size.into(),
        ]);
    }
    sheet
}
