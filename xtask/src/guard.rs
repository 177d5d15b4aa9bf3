//! Instructions of the hot paths against those written down: what makes them slower fails a test, without a clock.
//!
//! Each path of `crates/bristle/examples/hot_paths.rs` runs twice in callgrind, once with more repetitions; the difference is free of
//! all that happens before. Counts are those of one compiler: with another a wider margin holds.

use crate::{apt, cargo};
use std::fmt::Write as _;
use std::process::Command;

const FILE: &str = "bench/instructions.csv";

/// How far a count may rise, with the compiler that the counts were made with and with another. Counts of one compiler repeat exactly,
/// in other folders too; another processor may pick other routines for copies and powers.
const MARGINS: [f64; 2] = [0.1, 0.3];

/// Repetitions that are subtracted, and counted.
const COUNTS: [u64; 2] = [20, 120];

/// Counts, and complains about what has become slower; `is_update` writes the counts down instead.
pub fn run(is_update: bool) -> Result<(), String> {
    if !apt::runs("valgrind", "--version") {
        apt::install("valgrind")?;
    }
    // not by `--package`: that would choose other features, and build all dependencies again
    cargo(&["build", "--release", "--example", "hot_paths"], &[])?;
    let names = output("target/release/examples/hot_paths", &[])?;
    let compiler = output("rustc", &["--version"])?.trim().to_string();
    let text = std::fs::read_to_string(FILE).unwrap_or_default();
    let mut lines = text.lines();
    let is_same = lines.next() == Some(&format!("# {compiler}"));
    let known: Vec<(&str, f64)> = lines
        .filter_map(|line| line.split_once(','))
        .filter_map(|(name, count)| Some((name, count.parse().ok()?)))
        .collect();
    let margin = MARGINS[usize::from(!is_same)];
    let (mut written, mut slower) = (format!("# {compiler}\npath,instructions\n"), Vec::new());
    for name in names.lines() {
        let [few, many] = COUNTS.map(|count| instructions(name, count));
        let each = (many? - few?) as f64 / (COUNTS[1] - COUNTS[0]) as f64;
        let before = known.iter().find(|(known, _)| *known == name).map(|(_, count)| *count);
        let change = before.map_or(String::new(), |b| format!(" ({:+.1} %)", 100.0 * (each / b - 1.0)));
        println!("{name}: {each:.0} instructions{change}");
        let _ = writeln!(written, "{name},{each:.0}");
        match before {
            None if !is_update => slower.push(format!("{name} is not in {FILE}")),
            Some(b) if each > b * (1.0 + margin) => {
                slower.push(format!("{name}: {each:.0} instructions, and {b:.0} are written down"));
            }
            _ => {}
        }
    }
    if is_update {
        return std::fs::write(FILE, written).map_err(|e| format!("{FILE}: {e}"));
    }
    if slower.is_empty() {
        return Ok(());
    }
    Err(format!("{}; `cargo xtask guard --update` if it must be so", slower.join("; ")))
}

/// Instructions of a whole run.
fn instructions(name: &str, count: u64) -> Result<u64, String> {
    let count = count.to_string();
    let words = [
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "target/release/examples/hot_paths",
        name,
        &count,
    ];
    let output = Command::new("valgrind").args(words).output().map_err(|e| format!("valgrind: {e}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let total = text.lines().find_map(|line| line.split_once("Collected :"));
    let total = total.and_then(|(_, count)| count.trim().parse().ok());
    total.filter(|_| output.status.success()).ok_or_else(|| format!("valgrind says of {name}: {text}"))
}

fn output(program: &str, words: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(words).output().map_err(|e| format!("{program}: {e}"))?;
    String::from_utf8(output.stdout).map_err(|e| format!("{program}: {e}"))
}
