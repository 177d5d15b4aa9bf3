//! Checkpoints: a run that was cut goes on to the bytes of one that was not.

#![cfg(unix)]
#![allow(clippy::unwrap_used)] // what fails here, fails the test

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use support::{Folder, command, run, scene, succeed, wait_until};

/// A second of steps small enough to be cut in the middle.
const LONG: [&str; 4] =
    ["--set", "simulation.duration=0.2", "--set", "simulation.integrator={method=\"rk4\",step=1e-6}"];

fn files(run: &str) -> Vec<(String, Vec<u8>)> {
    let names = ["series.parquet", "impacts.csv", "scene.toml"];
    names.map(|name| (name.to_string(), std::fs::read(Path::new(run).join(name)).unwrap())).into()
}

#[test]
fn a_run_killed_after_a_checkpoint_is_resumed_to_the_byte() {
    let folder = Folder::new();
    let (whole, cut) = (folder.file("whole"), folder.file("cut"));
    let file = scene("ball_in_cylinder_3d");
    succeed(&[&["run", &file, "--out", &whole, "--quiet"], &LONG[..]].concat());
    for signal in ["-KILL", "-TERM"] {
        let words = ["run", &file, "--out", &cut, "--quiet", "--checkpoint", "0.02s"];
        let mut child = command(&[&words[..], &LONG[..]].concat());
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let checkpoint = format!("{cut}.checkpoint");
        wait_until("a checkpoint", || Path::new(&checkpoint).exists());
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        assert!(Path::new(&checkpoint).exists(), "the run was not done before the signal");
        succeed(&["resume", &cut, "--quiet"]);
        assert!(!Path::new(&checkpoint).exists(), "a complete run has no checkpoint");
        assert!(files(&cut) == files(&whole), "{signal}");
        std::fs::remove_dir_all(&cut).unwrap();
    }
}

#[test]
fn what_cannot_be_resumed_is_said() {
    let folder = Folder::new();
    let none = run(&["resume", &folder.file("nothing")]);
    assert_eq!(none.code, Some(2));
    let said = none.stderr;
    assert!(said.contains("nothing.checkpoint: no checkpoint of this run"), "{said}");
    std::fs::write(folder.file("text.checkpoint"), "bristle checkpoint 0.0.0\nx").unwrap();
    let other = run(&["resume", &folder.file("text")]);
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("one of another version"));
    let good = format!("bristle checkpoint {}\n", env!("CARGO_PKG_VERSION"));
    for damage in [&b""[..], &b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"[..], &[7; 300][..]] {
        std::fs::write(folder.file("text.checkpoint"), [good.as_bytes(), damage].concat()).unwrap();
        let damaged = run(&["resume", &folder.file("text")]);
        assert_eq!(damaged.code, Some(2), "{damage:?}");
    }
}

#[test]
fn topics_and_completions_are_there() {
    for topic in ["laws", "scenes", "outputs", "sweeps", "exit-codes", "run"] {
        assert!(succeed(&["help", topic]).stdout.len() > 200, "{topic}");
    }
    assert!(succeed(&["help", "law", "curve"]).stdout.contains("Usage: bristle law curve"));
    let unknown = run(&["help", "nonsense"]);
    assert_eq!(unknown.code, Some(2));
    for shell in ["bash", "zsh", "fish"] {
        assert!(succeed(&["completions", shell]).stdout.contains("bristle"), "{shell}");
    }
}
