//! Systems of formulas on the command line.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use serde_json::Value;
use support::{Folder, run, succeed};

fn scene(name: &str) -> String {
    format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_run_has_series_summary_and_report() {
    let folder = Folder::new();
    let out = folder.file("run");
    let outcome = succeed(&["run", &scene("xiong_point_mass"), "--out", &out, "--json", "--csv"]);
    let summary: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert!((summary["states"]["px"].as_f64().unwrap() - 0.202_428_172_995).abs() < 1e-9);
    assert!(summary["energy"]["closure_relative"].as_f64().unwrap() < 1e-10);
    assert!(summary["terms"]["n"]["least"].as_f64().unwrap() >= 0.0);
    let head = std::fs::read_to_string(format!("{out}/series.csv")).unwrap();
    let head = head.lines().next().unwrap();
    for column in
        ["px (m)", "n (N)", "n.gap (m)", "f_x (N)", "f.limit (N)", "f.velocity_y (m/s)", "energy.lost.f (J)"]
    {
        assert!(head.contains(column), "{column} in {head}");
    }
    let page = std::fs::read_to_string(format!("{out}/report.html")).unwrap();
    for title in
        ["States px, py, pz", "Contact terms", "Contact, stick and slip", "Ledger closes to", "Energy"]
    {
        assert!(page.contains(title), "{title}");
    }
    let shown = succeed(&["run", &scene("xiong_point_mass"), "--out", &out, "--no-report"]).stdout;
    assert!(shown.contains("what the ledger cannot place") && shown.contains("724 steps"), "{shown}");
    let other = folder.file("other");
    let set = "parameters.mu=0.2";
    succeed(&["run", &scene("xiong_point_mass"), "--set", set, "--out", &other, "--quiet", "--no-report"]);
    assert!(succeed(&["compare", &out, &other]).stdout.contains("px"));
}

#[test]
fn comparing_forms_shows_creep_and_pulling() {
    let folder = Folder::new();
    let page = folder.file("compare.html");
    let outcome = succeed(&["nonsmooth", "compare", &scene("xiong_two_blocks"), "--json", "--html", &page]);
    let sheets: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let forms = sheets["sheets"][0]["rows"].as_array().unwrap();
    assert_eq!(forms.len(), 3);
    assert_eq!(forms[1]["outcome"], "a contact pulls");
    let friction = sheets["sheets"][1]["rows"].as_array().unwrap();
    let creep = |row: usize| friction[row]["creep"].as_f64().unwrap();
    assert!(creep(0) < 1e-12 && creep(2) > 1e-4, "{} {}", creep(0), creep(2));
    assert!(std::fs::read_to_string(page).unwrap().contains("three forms"));
    let bodies = run(&["nonsmooth", "compare", &scene("two_spheres")]);
    assert_eq!(bodies.code, Some(2));
    assert!(bodies.stderr.contains("has no [nonsmooth]"), "{}", bodies.stderr);
    let wrong = run(&["nonsmooth", "compare", &scene("xiong_friction"), "--slip-speed", "0"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
}

#[test]
fn design_chooses_parameters_or_says_what_a_step_allows() {
    let words =
        ["nonsmooth", "design", "--mass", "1", "--restitution", "0.4", "--penetration", "1e-3", "--step"];
    let table = succeed(&[&words[..], &["1e-4"]].concat()).stdout;
    assert!(table.contains("longest stable step, rk4"), "{table}");
    let long = run(&[&words[..], &["1e-2"]].concat());
    assert_eq!(long.code, Some(2));
    assert!(long.stderr.contains("penetration >= 0.0036"), "{}", long.stderr);
    let friction = succeed(&["nonsmooth", "design", "--mass", "2", "--limit", "3", "--distance", "1e-5"]);
    assert!(friction.stdout.contains("300000"), "{}", friction.stdout);
    assert_eq!(run(&["nonsmooth", "design", "--mass", "1"]).code, Some(2));
}

#[test]
fn checks_inspections_and_sweeps_take_systems() {
    let folder = Folder::new();
    assert!(succeed(&["check", "--strict", &scene("clutch")]).stdout.ends_with(": fine\n"));
    let text = succeed(&["inspect", &scene("clutch")]).stdout;
    assert!(text.contains("mu*radius*n") && text.contains("2 contact terms"), "{text}");
    let out = folder.file("sweep");
    succeed(&[
        "sweep",
        &scene("xiong_point_mass"),
        "--vary",
        "parameters.mu=0.1:0.5:3",
        "--out",
        &out,
        "--quiet",
    ]);
    let rows = std::fs::read_to_string(format!("{out}/rows.csv")).unwrap();
    assert_eq!(rows.lines().count(), 4, "{rows}");
    assert!(rows.lines().next().unwrap().contains("states.px"), "{rows}");
}

#[test]
fn a_fault_on_the_way_has_a_place_and_leaves_nothing() {
    let folder = Folder::new();
    let file = folder.file("bad.toml");
    let text = std::fs::read_to_string(scene("xiong_friction"))
        .unwrap()
        .replace("\"(push - f)/M\"", "\"(push - f)/(0.5 - t)\"");
    std::fs::write(&file, text).unwrap();
    let outcome = run(&[
        "run",
        &file,
        "--out",
        &folder.file("run"),
        "--set",
        "simulation.integrator={ method = \"rk4\", step = 1e-3 }",
    ]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(
        outcome
            .stderr
            .contains("nonsmooth.states.v.rate = \"(push - f)/(0.5 - t)\": division by zero at t = 0.5"),
        "{}",
        outcome.stderr
    );
    assert!(!std::path::Path::new(&folder.file("run")).exists());
}
