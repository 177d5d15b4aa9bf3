//! `bristle bench` from outside.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

mod support;

use support::{json, run, scene, succeed};

/// Until after the first contact, which begins at √(2 · 0.1 m / g) = 0.143 s.
const SHORT: [&str; 6] = ["--duration", "0.16", "--methods", "dopri5,rk4", "--limit", "20"];

#[test]
fn errors_shrink_with_tolerances_and_cost_is_counted() {
    let file = scene("rolling_sphere");
    let answer = json(&[&["bench", &file][..], &SHORT].concat());
    let rows = answer["sheets"][0]["rows"].as_array().unwrap();
    let errors = |method: &str, key: &str| -> Vec<(f64, f64, f64)> {
        let own = rows.iter().filter(|row| row["method"] == method && !row["error"].is_null());
        own.map(|row| {
            (row[key].as_f64().unwrap(), row["error"].as_f64().unwrap(), row["evaluations"].as_f64().unwrap())
        })
        .collect()
    };
    for (method, key) in [("dopri5", "rtol"), ("rk4", "step")] {
        let found = errors(method, key);
        let (first, last) = (found.first().unwrap(), found.last().unwrap());
        assert!(first.0 > last.0 && last.1 < 1e-3 * first.1 && last.2 > first.2, "{method}: {found:?}");
    }
}

#[test]
fn a_page_with_a_plot_is_written() {
    let folder = std::env::temp_dir().join(format!("bristle-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let page = folder.join("bench.html");
    let file = scene("rolling_sphere");
    let out = succeed(&[&["bench", &file, "--html", page.to_str().unwrap()][..], &SHORT].concat());
    assert!(out.stdout.contains("rolling_sphere, 0.16 s"), "{}", out.stdout);
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("Error against cost") && html.contains("dopri5"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bad_input_is_refused_by_name() {
    let file = scene("rolling_sphere");
    let nonsmooth = scene("xiong_point_mass");
    for (words, reason) in [
        (vec!["bench", &file, "--methods", "magic"], "no integrator magic; there are dopri5"),
        (vec!["bench", &file, "--duration", "0"], "--duration = 0 must be positive"),
        (vec!["bench", &file, "--limit=-1"], "--limit"),
        (vec!["bench", "nothing.toml"], "nothing.toml"),
        (vec!["bench", &nonsmooth], "system of formulas"),
    ] {
        let outcome = run(&words);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
    }
}
