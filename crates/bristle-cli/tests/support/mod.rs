//! Running the binary, and folders that vanish.

#![allow(dead_code, reason = "each test binary uses its part of this module")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What a run left behind.
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The binary with these words.
pub fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bristle"));
    command.args(words).stdin(Stdio::null());
    command
}

pub fn run(words: &[&str]) -> Outcome {
    let output = command(words).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Outcome { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs what must succeed.
pub fn succeed(words: &[&str]) -> Outcome {
    let outcome = run(words);
    assert_eq!(outcome.code, Some(0), "bristle {}: {}", words.join(" "), outcome.stderr);
    outcome
}

/// Runs with `--json` and reads standard output, all of it.
pub fn json(words: &[&str]) -> Value {
    let outcome = succeed(&[words, &["--json"]].concat());
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// Rows of a sheet in a `--json` answer.
pub fn rows(answer: &Value, sheet: usize) -> &Vec<Value> {
    answer["sheets"][sheet]["rows"].as_array().unwrap()
}

/// A folder of its own for one test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("bristle-cli-{}-{count}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        std::fs::read_dir(self.path()).unwrap().next().is_none()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A scene of the collection.
pub fn scene(name: &str) -> String {
    format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// Waits up to a minute for something to become true.
pub fn wait_until(what: &str, is_true: impl Fn() -> bool) {
    let clock = std::time::Instant::now();
    while !is_true() {
        assert!(clock.elapsed().as_secs() < 60, "waited too long for {what}");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// `bristle sweep` over so many heights, a few milliseconds each.
pub fn sweep_words(rows: usize) -> Vec<String> {
    let vary = format!("bodies.ball.position[2]=0.05:0.5:{rows}");
    let words = [
        "sweep",
        &scene("bouncing_sphere"),
        "--vary",
        &vary,
        "--set",
        "simulation.duration=0.5",
        "--no-report",
    ];
    words.map(str::to_string).to_vec()
}

/// Complete lines of a journal.
pub fn journal_rows(folder: &str) -> usize {
    let journal = std::fs::read(Path::new(folder).join("journal.jsonl")).unwrap_or_default();
    journal.iter().filter(|b| **b == b'\n').count()
}

/// `rows.csv` without its last column, the time on the clock.
pub fn table(folder: &str) -> Vec<Vec<String>> {
    let path = Path::new(folder).join("rows.csv");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
    let cells =
        |record: csv::StringRecord| record.iter().take(record.len() - 1).map(str::to_string).collect();
    reader.records().map(|record| cells(record.unwrap())).collect()
}
