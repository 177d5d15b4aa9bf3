//! Every quick section of `bristle reproduce`: all numbers within their tolerance.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle_evidence::{Chosen, papers, run};
use std::fmt::Write;

#[test]
fn every_quick_section_passes() {
    all_pass("quick", |chosen| !chosen.case.is_slow);
}

#[test]
#[ignore = "takes minutes without optimisation; `bristle reproduce` runs it too"]
fn every_slow_section_passes() {
    all_pass("slow", |chosen| chosen.case.is_slow);
}

fn all_pass(name: &str, is_wanted: impl Fn(&Chosen<'_>) -> bool) {
    let catalogue = papers::catalogue();
    let chosen: Vec<Chosen<'_>> = catalogue.select(&[]).unwrap().into_iter().filter(is_wanted).collect();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let report = run(&chosen, threads, &|| false, |_| {});
    let page = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("papers-{name}.html"));
    report.to_page(&catalogue, "cargo test").save(page).unwrap();
    let mut faults = String::new();
    for finished in &report.sections {
        let section = &finished.section;
        println!("{:6.2} s  {}", finished.seconds, section.id);
        if let Some(failure) = &section.failure {
            writeln!(faults, "{}: {failure}", section.id).unwrap();
        }
        for check in section.checks.iter().filter(|check| !check.passes()) {
            writeln!(faults, "{}: {check:?}", section.id).unwrap();
        }
        if section.checks.is_empty() {
            writeln!(faults, "{}: compares nothing", section.id).unwrap();
        }
    }
    assert!(faults.is_empty(), "{}\n{faults}", report.verdict());
}

#[test]
fn names_are_unique_and_fit_for_a_command_line() {
    let catalogue = papers::catalogue();
    let mut ids: Vec<&str> =
        catalogue.groups.iter().flat_map(|g| g.cases.iter().map(|c| c.id.as_str())).collect();
    ids.extend(catalogue.groups.iter().map(|g| g.id.as_str()));
    for id in &ids {
        assert!(id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{id}");
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}
