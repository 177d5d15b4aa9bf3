//! Ctrl-C and SIGTERM: what was recorded is kept, and the summary says that it was cut.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use serde_json::Value;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use support::{Folder, command, run, scene, wait_until};

/// A run that would take minutes.
fn long_run(out: &str) -> Child {
    let words =
        ["run", &scene("bouncing_sphere"), "--out", out, "--json", "--set", "simulation.duration=1000"];
    // small steps for ever
    let more = ["--set", "simulation.integrator={method=\"rk4\",step=1e-6}"];
    let mut command = command(&[&words[..], &more[..]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn send(child: &Child, signal: &str) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Waits for the draft of the folder, then a little: the run is then under way and listens.
fn wait_for_start(folder: &Folder) {
    wait_until("a draft", || !folder.is_empty());
    std::thread::sleep(Duration::from_millis(300));
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_run_ends_with_what_it_has() {
    for (signal, code, word) in [("-INT", 130, "SIGINT"), ("-TERM", 143, "SIGTERM")] {
        let folder = Folder::new();
        let child = long_run(&folder.file("run"));
        wait_for_start(&folder);
        send(&child, signal);
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(code), "{stderr}");
        let last = stderr.lines().last().unwrap();
        assert!(last.contains(word) && last.contains("of 1000 s done"), "{stderr}");
        let summary = read_json(&folder.path().join("run/summary.json"));
        assert_eq!(summary["cut"], true);
        assert!(summary["cut_reason"].as_str().unwrap().contains(word));
        let time = summary["time"].as_f64().unwrap();
        assert!(time > 0.0 && time < 1000.0);
        // the series reaches as far as the run: one sample per millisecond at least
        assert!(summary["samples"].as_f64().unwrap() >= (time / 1e-3).floor());
        assert_eq!(serde_json::from_slice::<Value>(&stdout).unwrap(), summary);
        for file in ["series.parquet", "impacts.csv", "scene.toml"] {
            assert!(folder.path().join("run").join(file).is_file(), "{file}");
        }
        let mut left: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["run", "run.checkpoint"], "the folder, and what to go on from");
    }
}

#[test]
fn a_run_that_was_not_cut_says_so() {
    let folder = Folder::new();
    let words =
        ["run", &scene("bouncing_sphere"), "--out", &folder.file("run"), "--set", "simulation.duration=0.1"];
    assert_eq!(run(&words).code, Some(0));
    let summary = read_json(&folder.path().join("run/summary.json"));
    assert_eq!((&summary["cut"], &summary["cut_reason"]), (&Value::Bool(false), &Value::Null));
}

#[test]
fn a_stopped_process_that_is_signalled_twice_dies_at_once() {
    // both signals arrive before the run can look: the second one takes its usual course
    let folder = Folder::new();
    let child = long_run(&folder.file("run"));
    wait_for_start(&folder);
    for signal in ["-STOP", "-TERM", "-INT", "-CONT"] {
        send(&child, signal);
    }
    let status = child.wait_with_output().unwrap().status;
    assert!(status.signal().is_some(), "{status}");
    assert!(!folder.path().join("run").exists());
}

#[test]
fn a_sweep_ends_with_what_it_has_and_goes_on() {
    let folder = Folder::new();
    let (cut, whole) = (folder.file("cut"), folder.file("whole"));
    let base = support::sweep_words(400);
    let base: Vec<&str> = base.iter().map(String::as_str).collect();
    let child = command(&[&base[..], &["--out", &cut]].concat())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("some rows", || support::journal_rows(&cut) >= 40);
    send(&child, "-INT");
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(130), "{stderr}");
    assert!(stderr.contains(&format!("to go on: bristle sweep --resume {cut}")), "{stderr}");
    let plan = read_json(&Path::new(&cut).join("sweep.json"));
    assert_eq!(plan["status"]["cut"], true);
    let done = plan["status"]["done"].as_u64().unwrap();
    assert!((40..400).contains(&done), "{done}");
    assert_eq!(support::table(&cut).len() as u64, 1 + done, "the table has what is done");
    let resumed = support::json(&["sweep", "--resume", &cut]);
    assert_eq!((&resumed["done"], &resumed["cut"]), (&400.into(), &false.into()));
    support::succeed(&[&base[..], &["--out", &whole]].concat());
    assert_eq!(support::table(&cut), support::table(&whole));
    assert_eq!(read_json(&Path::new(&cut).join("sweep.json"))["status"]["cut"], false);
}
