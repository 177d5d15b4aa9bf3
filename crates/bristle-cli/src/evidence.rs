//! What `bristle reproduce` and `bristle validate` share: choosing cases, progress, page, verdicts.

use crate::error::Error;
use crate::interrupt;
use crate::level;
use crate::output::{command_line, print};
use bristle::output::save;
use bristle_evidence::{Catalogue, Check, Report, run as compute};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args, Clone, Default)]
pub struct Args {
    /// Groups or single cases, as --list shows them [default: all]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Write the page here [default: runs/COMMAND.html]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Write the same as Markdown, without the plots
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub markdown: Option<PathBuf>,
    /// Print every comparison as JSON on standard output, and nothing else there
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Show what there is, and compute nothing
    #[arg(long)]
    pub list: bool,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

/// Computes what was asked for, writes the page and says what passes.
pub fn run(args: &Args, catalogue: &Catalogue) -> Result<(), Error> {
    let chosen = catalogue.select(&args.names)?;
    if args.list {
        return list(catalogue);
    }
    let interrupt = interrupt::watch()?;
    let bar = progress_bar(chosen.len(), level::is_quiet() || args.json);
    let threads = args
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let report = compute(&chosen, threads, &|| interrupt.has_come(), |progress| {
        bar.set_position(progress.done as u64);
        bar.set_message(progress.last.id.clone());
    });
    bar.finish_and_clear();
    write(args, catalogue, &report)?;
    if interrupt.has_come() {
        let done: Vec<&str> = report.sections.iter().map(|f| f.section.id.as_str()).collect();
        let names = if done.is_empty() { "none".to_string() } else { done.join(", ") };
        return Err(interrupt.error(format!(
            "{} of {} sections finished: {names}",
            done.len(),
            report.asked
        )));
    }
    match report.sections.len() - report.passed_sections() {
        0 => Ok(()),
        failed => Err(Error::Fails { failed, all: report.sections.len() }),
    }
}

fn list(catalogue: &Catalogue) -> Result<(), Error> {
    for group in &catalogue.groups {
        print(&format!("{}: {}", group.id, group.title))?;
        for case in &group.cases {
            print(&format!("  {:<28} {}", case.id, case.title))?;
        }
    }
    Ok(())
}

fn write(args: &Args, catalogue: &Catalogue, report: &Report) -> Result<(), Error> {
    let html =
        args.html.clone().unwrap_or_else(|| Path::new("runs").join(format!("{}.html", catalogue.command)));
    if args.html.is_none() {
        let failed = |error: std::io::Error| Error::Write { path: html.clone(), reason: error.to_string() };
        std::fs::create_dir_all("runs").map_err(failed)?;
    }
    report.to_page(catalogue, &command_line()).save(&html)?;
    if let Some(path) = &args.markdown {
        save(path, report.to_markdown(catalogue).as_bytes())?;
    }
    if args.json {
        print(&format!("{:#}", report.to_json()))?;
    } else {
        verdicts(report)?;
    }
    level::note(&format!("page: {}", html.display()));
    if let Some(path) = &args.markdown {
        level::note(&format!("text: {}", path.display()));
    }
    Ok(())
}

/// One line per section, the comparisons that fail below it, and the counts.
fn verdicts(report: &Report) -> Result<(), Error> {
    for finished in &report.sections {
        let section = &finished.section;
        let word = if section.passes() { "pass" } else { "FAIL" };
        let counts = format!("{}/{}", section.passed(), section.checks.len());
        let line =
            format!("{word}  {:<28} {counts:>6}  {:6.2} s  {}", section.id, finished.seconds, section.title);
        if !level::is_quiet() || !section.passes() {
            print(&line)?;
        }
        if let Some(reason) = &section.failure {
            print(&format!("      could not be made: {reason}"))?;
        }
        for check in section.checks.iter().filter(|check| !check.passes()) {
            print(&format!("      {}", explain(check)))?;
        }
    }
    print(&format!("{}, {:.1} s", report.verdict(), report.seconds))
}

fn explain(check: &Check) -> String {
    let Check { id, quantity, unit, expected, achieved, error, tolerance, measure, .. } = check;
    let measure = measure.name();
    format!(
        "{id}: {quantity}: {achieved} {unit}, expected {expected}; error {error:.2e}, allowed \
             {tolerance:.2e} {measure}"
    )
}

fn progress_bar(count: usize, hidden: bool) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    let style = ProgressStyle::with_template(
        "{bar:32} {pos} of {len} sections  {elapsed} elapsed, {eta} left  {msg}",
    );
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
