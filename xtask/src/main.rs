//! Development tasks: `cargo xtask test` is what continuous integration runs.

mod apt;
mod browser;
mod check;
mod guard;
mod python;

use std::process::{Command, ExitCode};

const HELP: &str = "cargo xtask TASK

tasks:
  test    everything that must hold: format, lints, build, tests, doc tests, documentation, the Python package, pages in a
          browser, instructions of the hot paths, text checks
  python  only the Python package: built into target/python/env, tested, types checked
  browser only the pages in a browser; installs Chromium if there is none
  text    only the text checks: banned words, dead links
  validate
          every figure of bristle reproduce and every problem of bristle validate, optimised; writes their pages in docs
  guard   instructions of the hot paths against those in bench/instructions.csv; installs valgrind if there is none
          [--update] writes them down
  bench   benchmarks (criterion), one group with `cargo xtask bench NAME`
  fuzz    mangled scenes: none may panic, hang or eat memory [--count N] [--seed S] [--threads T] [--only N]";

/// One command of a task: what it is for, its words, its environment.
struct Step {
    what: &'static str,
    words: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

// Lints deny every warning of the compiler too; the same flag on the build would only compile it all twice.
const TEST: &[Step] = &[
    Step { what: "format", words: &["fmt", "--all", "--check"], environment: &[] },
    Step {
        what: "lints",
        words: &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
        environment: &[],
    },
    Step { what: "build", words: &["build", "--workspace"], environment: &[] },
    Step { what: "tests and doc tests", words: &["test", "--workspace"], environment: &[] },
    Step {
        what: "documentation",
        words: &["doc", "--workspace", "--no-deps"],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["test"] => test(),
        ["browser"] => pages(),
        ["text"] => check::text(),
        ["validate"] => validate(),
        ["python"] => python::test(),
        ["guard"] => guard::run(false),
        ["guard", "--update"] => guard::run(true),
        ["bench", rest @ ..] => cargo(&[&["bench", "--workspace", "--benches", "--"], rest].concat(), &[]),
        ["fuzz", rest @ ..] => fuzz(rest),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    for step in TEST {
        println!("== {}", step.what);
        cargo(step.words, step.environment).map_err(|e| format!("{}: {e}", step.what))?;
    }
    println!("== Python package");
    python::test()?;
    println!("== pages in a browser");
    pages()?;
    println!("== instructions of the hot paths");
    guard::run(false)?;
    println!("== text");
    check::text()
}

/// All evidence in an optimised build, with its pages in docs; what fails is told when all have run.
fn validate() -> Result<(), String> {
    let run = |words: &[&str]| {
        cargo(&[&["run", "--release", "--package", "bristle-cli", "--"], words].concat(), &[])
    };
    let reproduced = run(&["reproduce", "all", "--markdown", "docs/reproduction.md"]);
    let corrected = run(&["reproduce", "errata", "--markdown", "docs/errata.md"]);
    let validated = run(&["validate", "--markdown", "docs/validation.md"]);
    reproduced.and(corrected).and(validated)
}

/// Mangled scenes in a process of their own, which a stack overflow would end.
fn fuzz(rest: &[&str]) -> Result<(), String> {
    let words = ["run", "--release", "--package", "bristle", "--example", "fuzz_scenes", "--"];
    cargo(&[&words, rest].concat(), &[]).map_err(|e| {
        let last = (0..16).filter_map(|i| std::fs::read_to_string(format!("target/fuzz/current-{i}")).ok());
        let last: Vec<String> = last.map(|text| text.trim().to_string()).collect();
        format!("{e}; inputs tried last: {}; see one with --only N", last.join(", "))
    })
}

/// Reports in a headless browser; screenshots stay in target/browser.
fn pages() -> Result<(), String> {
    browser::provide()?;
    // not by `-p`: that would choose other features, and build all dependencies again
    let words = ["test", "--workspace", "--features", "bristle-cli/browser", "--test", "browser"];
    // one at a time: each drives a browser that draws in software
    cargo(&[&words[..], &["--", "--test-threads=1"]].concat(), &[])
}

fn cargo(words: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let mut command = Command::new(program);
    command.args(words).envs(environment.iter().copied());
    let status = command.status().map_err(|e| format!("cargo {}: {e}", words.join(" ")))?;
    if status.success() { Ok(()) } else { Err(format!("cargo {} failed", words.join(" "))) }
}
