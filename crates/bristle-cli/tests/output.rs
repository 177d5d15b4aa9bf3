//! Output that cannot hurt: nothing of others is overwritten, nothing is half-written.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Folder, Outcome, command, run, scene, succeed};

/// A run of some ten milliseconds with all its files.
fn words(out: &str) -> Vec<String> {
    let words = ["run", &scene("bouncing_sphere"), "--out", out, "--csv", "--set", "simulation.duration=0.3"];
    words.map(str::to_string).to_vec()
}

fn run_into(out: &str) -> Outcome {
    run(&words(out).iter().map(String::as_str).collect::<Vec<_>>())
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// All files of a run, each to its end.
fn is_whole(run: &Path) -> Result<(), String> {
    let read = |name: &str| std::fs::read(run.join(name)).map_err(|e| format!("{name}: {e}"));
    let summary: Value = serde_json::from_slice(&read("summary.json")?).map_err(|e| e.to_string())?;
    let parquet = read("series.parquet")?;
    if !parquet.starts_with(b"PAR1") || !parquet.ends_with(b"PAR1") {
        return Err("series.parquet".to_string());
    }
    let lines = |name: &str| -> Result<u64, String> {
        let text = String::from_utf8(read(name)?).map_err(|e| e.to_string())?;
        if text.ends_with('\n') { Ok(text.lines().count() as u64) } else { Err(format!("{name} is cut")) }
    };
    if Some(lines("series.csv")? - 1) != summary["samples"].as_u64() {
        return Err("series.csv lacks samples".to_string());
    }
    if Some(lines("impacts.csv")? - 1) != summary["impacts"].as_array().map(|a| a.len() as u64) {
        return Err("impacts.csv lacks rows".to_string());
    }
    lines("scene.toml").map(|_| ())
}

fn refused(outcome: &Outcome, code: i32, words: &[&str]) {
    assert_eq!(outcome.code, Some(code), "{}", outcome.stderr);
    assert!(outcome.stdout.is_empty(), "{}", outcome.stdout);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    for word in words {
        assert!(outcome.stderr.contains(word), "{} lacks {word}", outcome.stderr);
    }
}

#[test]
fn a_run_replaces_a_run() {
    let folder = Folder::new();
    let out = folder.file("run");
    assert_eq!(run_into(&out).code, Some(0));
    std::fs::write(folder.path().join("run/impacts.csv"), "old").unwrap();
    assert_eq!(run_into(&out).code, Some(0));
    assert_eq!(is_whole(Path::new(&out)), Ok(()));
    assert_eq!(names(folder.path()), ["run"]);
}

#[test]
fn what_is_not_a_run_is_left_alone() {
    let folder = Folder::new();
    let out = |name: &str| folder.file(name);
    std::fs::create_dir(out("photos")).unwrap();
    std::fs::write(out("photos/one.jpg"), "picture").unwrap();
    refused(&run_into(&out("photos")), 2, &["photos", "no run or sweep has made", "left alone"]);
    std::fs::write(out("file"), "text").unwrap();
    refused(&run_into(&out("file")), 2, &["is a file"]);
    // a summary.json of someone else is no mark
    std::fs::create_dir(out("other")).unwrap();
    std::fs::write(out("other/summary.json"), "{\"format\": \"x\"}").unwrap();
    refused(&run_into(&out("other")), 2, &["no run or sweep has made"]);
    // nor is a run to which someone has added a file
    assert_eq!(run_into(&out("noted")).code, Some(0));
    std::fs::write(out("noted/notes.txt"), "mine").unwrap();
    refused(&run_into(&out("noted")), 2, &["holds notes.txt, which no run has made"]);
    std::os::unix::fs::symlink(out("nowhere"), out("link")).unwrap();
    refused(&run_into(&out("link")), 2, &["a link that leads nowhere"]);
    assert_eq!(std::fs::read_to_string(out("photos/one.jpg")).unwrap(), "picture");
    assert_eq!(std::fs::read_to_string(out("noted/notes.txt")).unwrap(), "mine");
    assert_eq!(names(folder.path()), ["file", "link", "noted", "other", "photos"]);
}

#[test]
fn an_empty_folder_and_a_link_to_a_run_are_taken() {
    let folder = Folder::new();
    std::fs::create_dir(folder.file("empty")).unwrap();
    assert_eq!(run_into(&folder.file("empty")).code, Some(0));
    std::os::unix::fs::symlink(folder.file("empty"), folder.file("latest")).unwrap();
    assert_eq!(run_into(&folder.file("latest")).code, Some(0));
    assert!(std::fs::symlink_metadata(folder.file("latest")).unwrap().is_symlink());
    assert_eq!(is_whole(Path::new(&folder.file("empty"))), Ok(()));
    assert_eq!(names(folder.path()), ["empty", "latest"]);
}

#[test]
fn an_unwritable_place_is_noticed_before_the_work() {
    let folder = Folder::new();
    std::fs::write(folder.file("file"), "text").unwrap();
    // even for root: nothing can be made inside a file, or in /proc
    for out in [folder.file("file/run"), "/proc/bristle/run".to_string()] {
        let words = ["run", &scene("bouncing_sphere"), "--out", &out, "--set", "simulation.duration=1000"];
        let clock = Instant::now();
        refused(&run(&words), 1, &["cannot write", &out]);
        assert!(clock.elapsed() < Duration::from_secs(20), "it ran first");
        let vary = ["sweep", &scene("bouncing_sphere"), "--out", &out, "--vary", "bodies.ball.mass=1,2"];
        refused(&run(&vary), 1, &["cannot write", &out]);
    }
    assert_eq!(names(folder.path()), ["file"]);
}

/// Runs with files limited to so many blocks of 512 bytes, as a full disk would do it.
fn limited(blocks: usize, words: &[&str]) -> Outcome {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_bristle")])
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Outcome { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn a_full_disk_leaves_the_old_run_and_nothing_else() {
    let folder = Folder::new();
    let out = folder.file("run");
    let words = words(&out);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    refused(&limited(8, &words), 1, &["cannot write", &out, "too large"]);
    assert!(folder.is_empty());
    assert_eq!(run(&words).code, Some(0));
    let before = std::fs::read(folder.path().join("run/summary.json")).unwrap();
    refused(&limited(8, &words), 1, &["cannot write", &out]);
    assert_eq!(std::fs::read(folder.path().join("run/summary.json")).unwrap(), before);
    assert_eq!(is_whole(Path::new(&out)), Ok(()));
    assert_eq!(names(folder.path()), ["run"]);
    // a page or a table alone
    let law = ["law", "curve", "hertz", "--param", "stiffness=1e6"];
    for option in ["--csv", "--html"] {
        let file = folder.file("file");
        refused(
            &limited(1, &[&law[..], &["--speed", "0.1:10:500", option, &file]].concat()),
            1,
            &["cannot write"],
        );
    }
    assert_eq!(names(folder.path()), ["run"]);
}

#[test]
fn a_sweep_that_filled_the_disk_goes_on_when_there_is_room() {
    let folder = Folder::new();
    let (full, whole) = (folder.file("full"), folder.file("whole"));
    let base = support::sweep_words(60);
    let base: Vec<&str> = base.iter().map(String::as_str).collect();
    let outcome = limited(8, &[&base[..], &["--out", &full]].concat());
    refused(&outcome, 1, &["cannot write", "journal.jsonl"]);
    let rows = support::journal_rows(&full);
    assert!((1..60).contains(&rows), "{rows}");
    assert!(
        std::fs::read(Path::new(&full).join("journal.jsonl")).unwrap().ends_with(b"\n"),
        "a torn line is left"
    );
    succeed(&["sweep", "--resume", &full]);
    succeed(&[&base[..], &["--out", &whole]].concat());
    assert_eq!(support::table(&full), support::table(&whole));
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full_is_an_error() {
    let folder = Folder::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let words = words(&folder.file("run"));
    let words: Vec<&str> = words.iter().map(String::as_str).chain(["--json"]).collect();
    let output = command(&words).stdout(full).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("cannot write to standard output"), "{stderr}");
}

#[test]
fn killed_at_any_time_a_run_leaves_the_old_or_the_new_and_never_half() {
    let folder = Folder::new();
    let out = folder.path().join("run");
    let words = words(out.to_str().unwrap());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // the least of a few: a first start reads the program from disk
    let time = || {
        let clock = Instant::now();
        succeed(&words);
        clock.elapsed()
    };
    let usual = (0..5).map(|_| time()).min().unwrap_or_default();
    std::fs::remove_dir_all(&out).unwrap();
    let (mut state, mut is_there, mut killed, mut finished) = (1_u64, false, 0, 0);
    for round in 0..40 {
        if round == 15 {
            succeed(&words); // from here on there is a run to be replaced
            is_there = true;
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // most kills fall into the second half, where files are written
        let share = 0.3 + 0.9 * (state >> 11) as f64 / (1_u64 << 53) as f64;
        let mut child = command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(usual.mul_f64(share));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            finished += 1
        } else {
            killed += 1
        }
        if out.exists() {
            is_there = true;
            assert_eq!(is_whole(&out), Ok(()), "after kill {killed}");
        }
        assert!(out.exists() || !is_there, "neither the old run nor the new one");
    }
    assert!(killed >= 10, "{killed} killed, {finished} finished: the delays miss the run");
    // the next run clears away what the dead ones left
    succeed(&words);
    assert_eq!(names(folder.path()), ["run"]);
    assert_eq!(is_whole(&out), Ok(()));
}
