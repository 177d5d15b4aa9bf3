//! `bristle check`, `bristle new` and `bristle schema` from outside.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use support::{Folder, run, succeed};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn scene(name: &str) -> String {
    format!("{ROOT}/scenes/{name}.toml")
}

#[test]
fn what_is_generated_is_what_is_kept() {
    let page = std::fs::read_to_string(format!("{ROOT}/docs/scenes.md")).unwrap();
    assert!(
        page == succeed(&["schema", "--markdown"]).stdout,
        "run `bristle schema --markdown > docs/scenes.md`"
    );
    let schema = std::fs::read_to_string(format!("{ROOT}/docs/bristle.schema.json")).unwrap();
    assert!(schema == succeed(&["schema"]).stdout, "run `bristle schema > docs/bristle.schema.json`");
}

#[test]
fn scenes_that_ship_have_no_warnings() {
    let files: Vec<String> = std::fs::read_dir(format!("{ROOT}/scenes"))
        .unwrap()
        .map(|e| e.unwrap().path().to_str().unwrap().to_string())
        .filter(|path| path.ends_with(".toml"))
        .collect();
    let words: Vec<&str> =
        ["check", "--strict"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let outcome = succeed(&words);
    assert_eq!(outcome.stdout.lines().filter(|l| l.ends_with(": fine")).count(), files.len());
}

#[test]
fn every_template_is_written_once_checks_without_warnings_and_runs() {
    let folder = Folder::new();
    let list = succeed(&["new", "--list"]).stdout;
    assert!(list.lines().count() >= 8);
    for line in list.lines() {
        let (name, about) = line.split_once(' ').unwrap();
        assert!(about.trim().len() > 20, "{line}");
        let file = folder.file(&format!("{name}.toml"));
        succeed(&["new", file.strip_suffix(".toml").unwrap(), "--from", name]);
        assert!(std::fs::read_to_string(&file).unwrap().matches('#').count() >= 3, "{name} is commented");
        succeed(&["check", "--strict", &file]);
        succeed(&["run", &file, "--out", &folder.file(name), "--quiet", "--set", "simulation.duration=0.02"]);
        let again = run(&["new", &file, "--from", name]);
        assert_eq!((again.code, again.stdout.as_str()), (Some(2), ""));
        assert!(again.stderr.contains("exists already"), "{}", again.stderr);
    }
    let wrong = run(&["new", &folder.file("x"), "--from", "nope"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("unknown template nope; there are bouncing-ball, "), "{}", wrong.stderr);
    let unwritable = run(&["new", &folder.file("missing/x")]);
    assert_eq!(unwritable.code, Some(1), "{}", unwritable.stderr);
}

#[test]
fn exit_codes_tell_errors_from_warnings() {
    let stiff = "simulation.integrator={ method = \"rk4\", step = 1e-3 }";
    let file = scene("rolling_sphere");
    let warned = succeed(&["check", &file, "--set", stiff]);
    assert!(warned.stdout.starts_with("warning: ") && warned.stdout.contains("is long for the contact"));
    let strict = run(&["check", &file, "--set", stiff, "--strict"]);
    assert_eq!(strict.code, Some(1));
    assert_eq!(strict.stderr, "error: warnings: 1, and --strict was given\n");
    let wrong = run(&["check", &file, &scene("two_spheres"), "--set", "bodies.left.mass=-1"]);
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong.stdout.contains("bodies.left is unknown") && wrong.stdout.contains("mass = -1 must be > 0")
    );
    assert_eq!(wrong.stderr, "error: 2 of 2 scenes cannot be run\n");
}

#[test]
fn json_has_every_error_and_warning() {
    let folder = Folder::new();
    let file = folder.file("bad.toml");
    std::fs::write(&file, "schema = 1\n[simulation]\nduration = 0\n[bodies.ball]\nmas = 1\n").unwrap();
    let outcome =
        run(&["check", &file, &scene("rolling_sphere"), "--json", "--set", "simulation.record.every=9"]);
    assert_eq!(outcome.code, Some(2));
    let answer: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let errors = answer[0]["errors"].as_array().unwrap();
    let lines: Vec<_> = errors.iter().map(|e| e["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [3, 4, 5], "{}", outcome.stdout);
    assert_eq!(errors[0]["message"], "simulation.duration = 0 must be > 0 (s)");
    assert_eq!((&errors[0]["column"], &errors[0]["key"]), (&12.into(), &"simulation.duration".into()));
    assert_eq!(answer[1]["warnings"][0]["code"], "record-interval");
    assert_eq!(answer[1]["warnings"][0]["set"], "simulation.record.every=9");
}

#[test]
fn run_prints_every_error_and_reads_outside_only_if_told() {
    let folder = Folder::new();
    let bad = folder.file("bad.toml");
    std::fs::write(&bad, "schema = 1\n[simulation]\nduration = 0\n[bodies.ball]\nmass = -1\n").unwrap();
    let outcome = run(&["run", &bad]);
    assert_eq!(outcome.code, Some(2));
    assert_eq!(outcome.stderr.lines().filter(|l| l.starts_with("error: ")).count(), 3, "{}", outcome.stderr);
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let main = folder.file("sub/main.toml");
    std::fs::write(&main, "schema = 1\ninclude = \"../common.toml\"\n").unwrap();
    std::fs::copy(scene("newtons_cradle"), folder.file("common.toml")).unwrap();
    let out = folder.file("out");
    let refused = run(&["run", &main, "--out", &out]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--allow-outside reads it anyway"), "{}", refused.stderr);
    succeed(&["run", &main, "--out", &out, "--allow-outside", "--quiet"]);
    // what is kept in the run folder runs by itself
    succeed(&["check", "--strict", &format!("{out}/scene.toml")]);
}
