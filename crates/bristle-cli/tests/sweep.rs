//! `bristle sweep` from outside.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use std::path::Path;
use std::process::Stdio;
use support::{Folder, command, journal_rows, json, run, scene, succeed, sweep_words, table, wait_until};

fn words(rows: usize, more: &[&str]) -> Vec<String> {
    sweep_words(rows).into_iter().chain(more.iter().map(ToString::to_string)).collect()
}

fn of(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[test]
fn a_killed_sweep_goes_on_without_losing_or_repeating_a_row() {
    let folder = Folder::new();
    let (killed, whole) = (folder.file("killed"), folder.file("whole"));
    let words_killed = words(200, &["--out", &killed, "--threads", "2"]);
    let mut kills = 0;
    for at in [30, 80, 130] {
        let mut child =
            command(&of(&words_killed)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until("rows", || journal_rows(&killed) >= at);
        child.kill().unwrap(); // SIGKILL
        kills += usize::from(!child.wait().unwrap().success());
        assert!(journal_rows(&killed) < 200, "killed too late to mean anything");
    }
    assert_eq!(kills, 3);
    let before = journal_rows(&killed);
    let answer = json(&of(&words_killed));
    assert_eq!((&answer["done"], &answer["missing"]), (&200.into(), &0.into()));
    let lines = journal_rows(&killed);
    assert_eq!(lines, 200, "{before} before: a row was run twice");
    succeed(&of(&words(200, &["--out", &whole, "--threads", "1"])));
    let rows = table(&killed);
    assert_eq!(rows.len(), 201);
    assert_eq!(rows, table(&whole));
    let mut heights: Vec<&String> = rows[1..].iter().map(|row| &row[1]).collect();
    heights.sort();
    heights.dedup();
    assert_eq!(heights.len(), 200, "200 distinct rows");
}

#[test]
fn two_parts_equal_the_whole() {
    let folder = Folder::new();
    let out = |name: &str| folder.file(name);
    succeed(&of(&words(21, &["--out", &out("whole")])));
    succeed(&of(&words(21, &["--out", &out("a"), "--shard", "1/2"])));
    succeed(&of(&words(21, &["--out", &out("b"), "--shard", "2/2"])));
    let answer = json(&["sweep", "--merge", &out("a"), &out("b"), "--out", &out("both")]);
    assert_eq!((&answer["done"], &answer["missing"]), (&21.into(), &0.into()));
    assert_eq!(table(&out("both")), table(&out("whole")));
    assert_eq!((table(&out("a")).len(), table(&out("b")).len()), (12, 11));
    let again = run(&["sweep", "--merge", &out("a"), &out("b"), "--out", &out("both")]);
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("holds a sweep"), "{}", again.stderr);
}

#[test]
fn the_page_has_plots_rows_and_failures() {
    let folder = Folder::new();
    let out = folder.file("sweep");
    let vary =
        ["--vary", "bodies.ball.mass=-1,0.1,0.2", "--vary", "materials.ground.normal.damping=1e3:1e4:4:log"];
    let head = ["sweep", &scene("bouncing_sphere"), "--set", "simulation.duration=0.2", "--out", &out];
    let answer = json(&[&head[..], &vary[..]].concat());
    assert_eq!((&answer["rows"], &answer["failed"]), (&12.into(), &4.into()));
    let page = std::fs::read_to_string(Path::new(&out).join("report.html")).unwrap();
    for part in [
        "class=\"explorer\"",
        "value=\"map\" selected",
        "Rows that failed",
        "must be &gt; 0",
        "default-src 'none'",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.len() < 10_000_000);
    let names: Vec<String> = table(&out)[0].clone();
    assert_eq!(names[..3], ["index", "bodies.ball.mass (kg)", "materials.ground.normal.damping (N s/m^3/2)"]);
    assert!(names.contains(&"energy.closure_relative".to_string()), "{names:?}");
    let mut files: Vec<String> =
        std::fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(
        files,
        ["journal.jsonl", "report.html", "rows.csv", "rows.parquet", "scene.toml", "sweep.json"]
    );
}

#[test]
fn random_quasi_random_and_listed_values() {
    let folder = Folder::new();
    let scene = scene("bouncing_sphere");
    let base = ["sweep", &scene, "--no-report", "--set", "simulation.duration=0.2", "--quantity", "steps"];
    let rows = |name: &str, more: &[&str]| {
        let out = folder.file(name);
        succeed(&[&base[..], more, &["--out", &out]].concat());
        table(&out)
    };
    let vary = ["--vary", "bodies.ball.position[2]=0.05:0.2"];
    let first = rows("r1", &[&vary[..], &["--random", "6", "--seed", "5"]].concat());
    assert_eq!(rows("r2", &[&vary[..], &["--random", "6", "--seed", "5", "--threads", "1"]].concat()), first);
    assert_ne!(rows("r3", &[&vary[..], &["--random", "6", "--seed", "6"]].concat()), first);
    let sobol = rows("s", &[&vary[..], &["--sobol", "4"]].concat());
    let heights: Vec<f64> = sobol[1..].iter().map(|row| row[1].parse().unwrap()).collect();
    for (height, share) in heights.iter().zip([0.0, 0.5, 0.75, 0.25]) {
        assert!((height - (0.05 + 0.15 * share)).abs() < 1e-12, "{heights:?}");
    }
    let file = folder.file("values.csv");
    std::fs::write(&file, "bodies.ball.position[2],bodies.ball.mass\n0.1,0.154\n0.2,0.3\n").unwrap();
    let listed = rows("l", &["--list", &file]);
    assert_eq!(listed[2][..3], ["1", "0.2", "0.3"]);
    // a list sweep can go on without its list
    std::fs::remove_file(&file).unwrap();
    assert_eq!(json(&["sweep", "--resume", &folder.file("l"), "--no-report"])["done"], 2);
}

#[test]
fn bad_sweeps_exit_with_2_and_leave_nothing() {
    let folder = Folder::new();
    let scene = scene("bouncing_sphere");
    let list = folder.file("list.csv");
    std::fs::write(&list, "a,b\n1\n").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&[], "nothing to vary"),
        (&["--vary", "bodies.ball.mass"], "must be KEY=START:STOP:COUNT"),
        (&["--vary", "bodies.ball.mass=1:2:0"], "COUNT of at least 1"),
        (&["--vary", "bodies.ball.mas=1,2"], "did you mean mass?"),
        (&["--vary", "bodies.ball.mass=1,2", "--quantity", "energy.closure"], "near are energy.closure_max"),
        (&["--vary", "bodies.ball.mass=1,2", "--shard", "3/2"], "--shard = 3/2 must be i/n"),
        (&["--vary", "bodies.ball.mass=1,2", "--set", "bodies.ball=1"], "bodies.ball"),
        (&["--list", &list], "list.csv:2: 1 values, but the header has 2 keys"),
        (&["--list", "nowhere.csv"], "nowhere.csv: cannot be read"),
    ];
    let out = folder.file("never");
    for (more, words) in cases {
        let outcome = run(&[&["sweep", &scene, "--out", &out][..], more].concat());
        assert_eq!(outcome.code, Some(2), "{more:?}: {}", outcome.stderr);
        assert!(outcome.stdout.is_empty() && outcome.stderr.lines().count() == 1, "{}", outcome.stderr);
        assert!(
            outcome.stderr.starts_with("error: ") && outcome.stderr.contains(words),
            "{more:?}: {}",
            outcome.stderr
        );
        assert!(!Path::new(&out).exists(), "{more:?} left a folder");
    }
    for more in [
        &["--vary", "bodies.ball.mass=1,2", "--seed", "1"][..],
        &["--vary", "bodies.ball.mass=1:2", "--random", "2", "--sobol", "2"],
        &["--vary", "bodies.ball.mass=1,2", "--threads", "0"],
        &["--vary", "bodies.ball.mass=1,2", "--resume", "x"],
    ] {
        assert_eq!(run(&[&["sweep", &scene][..], more].concat()).code, Some(2), "{more:?}");
    }
    assert_eq!(run(&["sweep", "--merge", "x"]).code, Some(2), "--merge needs --out");
    assert_eq!(run(&["sweep"]).code, Some(2));
}

#[test]
fn failing_rows_are_reported_by_the_exit_code_only_when_asked_or_when_all_fail() {
    let folder = Folder::new();
    let scene = scene("bouncing_sphere");
    let base = ["sweep", &scene, "--no-report", "--threads", "1"];
    // a step that is never small enough: the run fails, the scene does not
    let rows = "simulation.integrator={rtol=1e-10},{rtol=1e-10,min_step=0.05},{rtol=1e-9}";
    let some = run(&[&base[..], &["--vary", rows, "--out", &folder.file("some")]].concat());
    assert_eq!(some.code, Some(0), "{}", some.stderr);
    assert!(some.stdout.contains("3 of 3 rows, 1 failed"), "{}", some.stdout);
    let stopped =
        run(&[&base[..], &["--vary", rows, "--stop-on-error", "--out", &folder.file("stopped")]].concat());
    assert_eq!(stopped.code, Some(1), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("row 1 failed: "), "{}", stopped.stderr);
    assert_eq!(table(&folder.file("stopped")).len(), 3, "two rows and the header");
    let all = "simulation.integrator={rtol=1e-10,min_step=0.05},{rtol=1e-10,min_step=0.06}";
    let every = run(&[&base[..], &["--vary", all, "--out", &folder.file("every")]].concat());
    assert_eq!(every.code, Some(1), "{}", every.stderr);
    assert!(every.stderr.contains("every row failed; row 0: "), "{}", every.stderr);
}
