//! Every quick problem of `bristle validate`: all numbers within their tolerance; and its scenes and its page.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle::scene::Scene;
use bristle::{check, nonsmooth};
use bristle_evidence::{Chosen, problems, run};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_quick_problem_passes() {
    all_pass("quick", |chosen| !chosen.case.is_slow);
}

#[test]
#[ignore = "takes minutes without optimisation; `cargo xtask validate` runs it too"]
fn every_slow_problem_passes() {
    all_pass("slow", |chosen| chosen.case.is_slow);
}

fn all_pass(name: &str, is_wanted: impl Fn(&Chosen<'_>) -> bool) {
    let catalogue = problems::catalogue();
    let chosen: Vec<Chosen<'_>> = catalogue.select(&[]).unwrap().into_iter().filter(is_wanted).collect();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let report = run(&chosen, threads, &|| false, |_| {});
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("problems-{name}.html"));
    report.to_page(&catalogue, "cargo test").save(page).unwrap();
    let mut faults = String::new();
    for finished in &report.sections {
        let section = &finished.section;
        println!("{:6.2} s  {}", finished.seconds, section.id);
        if !section.passes() {
            writeln!(faults, "{}: {:?}", section.id, section.failure).unwrap();
        }
        for check in section.checks.iter().filter(|check| !check.passes()) {
            writeln!(faults, "{}: {check:?}", section.id).unwrap();
        }
    }
    assert!(faults.is_empty(), "{}\n{faults}", report.verdict());
}

#[test]
fn every_scene_is_used_and_says_nothing_odd() {
    let mut count = 0;
    let sources: String = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/problems"))
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    for entry in std::fs::read_dir(root().join("validation")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(sources.contains(&format!("scene!(\"{name}\")")), "{name} is used by no problem");
        let scene = Scene::load(&path, &[]).unwrap();
        let odd = if scene.nonsmooth.is_some() {
            nonsmooth::warnings(&scene, &nonsmooth::prepare(&scene).unwrap())
        } else {
            check::warnings(&scene, &bristle::prepare(&scene).unwrap())
        };
        assert!(odd.is_empty(), "{name}: {odd:?}");
        count += 1;
    }
    assert!(count > 30, "{count} scenes");
}

#[test]
fn the_page_in_docs_has_every_problem() {
    let page = std::fs::read_to_string(root().join("docs/validation.md")).unwrap();
    let anchor = |line: &str| Some(line.strip_prefix("<a id=\"")?.strip_suffix("\"></a>")?.to_string());
    let anchors: Vec<String> = page.lines().filter_map(anchor).collect();
    let catalogue = problems::catalogue();
    let groups = catalogue.groups.iter();
    let ids: Vec<String> = groups
        .flat_map(|group| std::iter::once(&group.id).chain(group.cases.iter().map(|case| &case.id)))
        .cloned()
        .collect();
    assert_eq!(anchors, ids, "`cargo xtask validate` makes it");
}
