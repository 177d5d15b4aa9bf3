//! `bristle gradient` from outside.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use support::{json, run, scene, succeed};

const KEY: &str = "bodies.ball.velocity[0]";

#[test]
fn derivatives_are_printed_beside_differences_of_runs() {
    let file = scene("rolling_sphere");
    let ask = ["gradient", &file, "--with", KEY, "--of", "ball.velocity.x", "--check"];
    let answer = json(&ask);
    // a ball that has come to roll keeps 5/7 of its speed
    let exact = answer["jacobian"][0][0].as_f64().unwrap();
    assert!((exact - 5.0 / 7.0).abs() < 1e-8, "{exact}");
    let rough = answer["differences"][0][0].as_f64().unwrap();
    // runs at rtol = 1e-10 over a step of 1e-4: 1e-6
    assert!((exact - rough).abs() < 1e-6, "{rough}");
    assert_eq!(answer["keys"][0]["value"], 0.5);
    assert_eq!(answer["quantities"][0]["unit"], "m/s");
    let text = succeed(&ask).stdout;
    assert!(text.contains("0.714286") && text.contains("by differences"), "{text}");
}

#[test]
fn what_carries_no_derivative_is_bad_input() {
    let file = scene("rolling_sphere");
    let fixed = ["--set", "simulation.integrator={ method = \"rk4\", step = 1e-5 }"];
    for (words, reason) in [
        (&["--with", KEY, "--of", "ball.position.x", fixed[0], fixed[1]][..], "fixed step"),
        (&["--with", "bodies.ball.colour", "--of", "ball.position.x"], "no number written in the scene"),
        (&["--with", KEY, "--of", "ball.positon.x"], "did you mean ball.position.x?"),
        (&["--with", KEY], "--of"),
    ] {
        let outcome = run(&[&["gradient", &file], words].concat());
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
    }
}
