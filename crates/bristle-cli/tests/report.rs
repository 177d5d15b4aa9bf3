//! `report.html`, `bristle view` and `bristle compare` from outside.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use support::{Folder, json, rows, run, succeed};

fn bounce(folder: &Folder, name: &str, words: &[&str]) -> String {
    let scene = format!("{}/../../scenes/bouncing_sphere.toml", env!("CARGO_MANIFEST_DIR"));
    let out = folder.file(name);
    let fixed = ["run", &scene, "--out", &out, "--quiet", "--set", "simulation.duration=0.3"];
    succeed(&[&fixed[..], words].concat());
    out
}

#[test]
fn a_run_writes_one_page_that_holds_all_and_can_be_left_out() {
    let folder = Folder::new();
    let with = bounce(&folder, "with", &[]);
    let page = std::fs::read_to_string(format!("{with}/report.html")).unwrap();
    assert!(page.len() < 10_000_000);
    for part in [
        "class=\"playback\"",
        "Ledger closes to",
        "Contact force",
        "Stick and slip",
        "Impacts",
        "second body",
    ] {
        let is_there = page.contains(part);
        let is_expected = part != "Stick and slip"; // this scene has no friction
        assert_eq!(is_there, is_expected, "{part}");
    }
    assert!(page.contains("[bodies.ball]"), "the scene text");
    let without = bounce(&folder, "without", &["--no-report"]);
    assert!(!std::path::Path::new(&format!("{without}/report.html")).exists());
    let series = |path: &str| std::fs::read(format!("{path}/series.parquet")).unwrap();
    assert_eq!(series(&with), series(&without), "the report changes nothing else");
}

#[test]
fn view_says_what_is_missing() {
    let folder = Folder::new();
    let plain = bounce(&folder, "plain", &["--no-report"]);
    for (path, words) in [(plain.as_str(), "--no-report"), (folder.path().to_str().unwrap(), "no run folder")]
    {
        let outcome = run(&["view", path]);
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(words) && outcome.stderr.contains(path), "{}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 1);
    }
}

#[test]
fn compare_measures_how_far_runs_are_apart() {
    let folder = Folder::new();
    let low = bounce(&folder, "low", &["--no-report"]);
    let high = bounce(&folder, "high", &["--no-report", "--set", "bodies.ball.position[2]=0.2"]);
    let page = folder.file("compare.html");
    let answer = json(&["compare", &low, &high, "--html", &page]);
    let height = rows(&answer, 1).iter().find(|row| row["quantity"] == "ball.position.z").unwrap();
    // at the start they are 0.2 m - 0.1165 m apart
    assert!(height["largest difference"].as_f64().unwrap() >= 0.0835 - 1e-12, "{height}");
    assert_eq!((&height["unit"], &height["run"]), (&"m".into(), &"high".into()));
    assert!(std::fs::read_to_string(&page).unwrap().contains("ball position z"));
    let same = json(&["compare", &low, &low]);
    assert!(rows(&same, 1).iter().all(|row| row["largest difference"] == 0.0));
    let text = succeed(&["compare", &low, &high]).stdout;
    assert!(text.contains("Differences from low") && text.contains("are equal"), "{text}");
}

#[test]
fn compare_refuses_what_is_no_run() {
    let folder = Folder::new();
    let good = bounce(&folder, "good", &["--no-report"]);
    let outcome = run(&["compare", &good, folder.path().to_str().unwrap()]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("is no run folder: series.parquet is missing"), "{}", outcome.stderr);
    std::fs::write(format!("{good}/series.parquet"), "not a table").unwrap();
    let outcome = run(&["compare", &good, &good]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("series.parquet"), "{}", outcome.stderr);
}
