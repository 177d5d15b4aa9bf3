//! `bristle run` from outside.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use support::{Folder, json, run, succeed};

fn scene(name: &str) -> String {
    format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_run_leaves_a_folder_and_a_summary_that_a_person_understands() {
    let folder = Folder::new();
    let out = folder.file("rolling");
    let outcome = succeed(&["run", &scene("rolling_sphere"), "--out", &out, "--csv"]);
    for word in
        ["ball", "Energy", "lost: clutch", "what the ledger cannot place", "contact episodes", "steps"]
    {
        assert!(outcome.stdout.contains(word), "{word} in {}", outcome.stdout);
    }
    for file in ["series.parquet", "series.csv", "impacts.csv", "summary.json", "scene.toml"] {
        assert!(std::path::Path::new(&out).join(file).is_file(), "{file}");
    }
    let impacts = std::fs::read_to_string(std::path::Path::new(&out).join("impacts.csv")).unwrap();
    assert_eq!(impacts.lines().count(), 11, "a header and ten episodes");
}

#[test]
fn the_summary_is_json_and_nothing_else() {
    let folder = Folder::new();
    let out = folder.file("bounce");
    let words = ["run", &scene("bouncing_sphere"), "--out", &out, "--set", "simulation.duration=0.5"];
    let answer = json(&words);
    assert!(answer["energy"]["closure_relative"].as_f64().unwrap() < 1e-9);
    assert!((answer["impacts"][0]["restitution"].as_f64().unwrap() - 0.598_187_41).abs() < 1e-6);
    assert_eq!(answer["contacts"]["ball-ground"]["episodes"], answer["impacts"].as_array().unwrap().len());
    assert_eq!(answer["bodies"]["ball"]["position"].as_array().unwrap().len(), 3);
}

#[test]
fn an_override_changes_the_run() {
    let folder = Folder::new();
    let out = folder.file("x");
    let base = ["run", &scene("newtons_cradle"), "--out", &out];
    let slow = json(&[&base[..], &["--set", "bodies.first.velocity[0]=0.5"]].concat());
    let speed = slow["bodies"]["third"]["velocity"][0].as_f64().unwrap();
    assert!((speed - 0.5 * 0.994_549_31).abs() < 1e-6, "{speed}");
}

#[test]
fn bad_scenes_exit_with_2_and_name_the_place() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(scene("rolling_sphere")).unwrap();
    let cases = [
        ("mass = 0.154", "mass = -1", "bodies.ball.mass = -1 must be"),
        ("mass = 0.154", "mass = nan", "bodies.ball.mass"),
        ("law = \"azad-featherstone\"", "law = \"azad\"", "azad"),
        ("friction = 0.2", "friktion = 0.2", "friktion"),
        ("between = [\"ball\", \"ground\"]", "between = [\"ball\", \"floor\"]", "floor"),
        ("radius = 0.0165", "radius = 0", "radius = 0 must be"),
        ("duration = 2.0", "duration = \"long\"", "simulation.duration"),
        ("schema = 1", "schema = 9", "schema = 9 must be"),
        ("[bodies.ground]", "[bodies.ball]", "ball"),
        (
            "shape = { plane = { normal = [0.0, 0.0, 1.0] } }",
            "shape = { plane = { normal = [0.0, 0.0] } }",
            "normal",
        ),
        ("rtol = 1e-10", "rtol = 0", "rtol = 0 must be"),
        ("fixed = true", "fixed = true\nvelocity = [1, 0, 0]", "velocity"),
    ];
    for (good, bad, words) in cases {
        assert!(text.contains(good), "{good}");
        let file = folder.file("bad.toml");
        std::fs::write(&file, text.replacen(good, bad, 1)).unwrap();
        let outcome = run(&["run", &file, "--out", &folder.file("never")]);
        assert_eq!(outcome.code, Some(2), "{bad}: {}", outcome.stderr);
        assert!(outcome.stdout.is_empty(), "{bad}");
        assert!(
            outcome.stderr.starts_with("error: ") && outcome.stderr.contains("bad.toml:"),
            "{}",
            outcome.stderr
        );
        assert!(outcome.stderr.contains(words), "{bad}: {}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 3, "message, line, caret: {}", outcome.stderr);
        assert!(!std::path::Path::new(&folder.file("never")).exists(), "{bad} left a folder");
    }
    let missing = run(&["run", &folder.file("nowhere.toml")]);
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
}

#[test]
fn a_pair_without_geometry_is_refused_when_the_scene_is_read() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(scene("rolling_sphere")).unwrap();
    let file = folder.file("pair.toml");
    let pipe = "shape = { tube = { radius = 0.01, length = 0.1 } }\ninertia = [1, 1, 1]";
    std::fs::write(&file, text.replace("shape = { sphere = { radius = 0.0165 } }", pipe)).unwrap();
    let outcome = run(&["run", &file, "--out", &folder.file("never")]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("tube") && outcome.stderr.contains("half-space"), "{}", outcome.stderr);
}
