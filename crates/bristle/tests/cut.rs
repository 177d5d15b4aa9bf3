//! A run that is told to stop ends there, with what it has.

#![allow(clippy::unwrap_used, missing_docs)] // what fails here, fails the test

use bristle::output::summary;
use bristle::run::run;
use bristle::scene::Scene;

const SCENE: &str = r#"
schema = 1
[simulation]
duration = 1.0
[bodies.ball]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
[forces.push]
on = "ball"
force = { table = { times = [0.0, 0.2, 0.4, 0.6, 0.8], values = [[0, 0, 0], [1, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0]] } }
"#;

#[test]
fn a_schedule_with_kinks_does_not_go_on_after_the_first() {
    let start = bristle::prepare(&Scene::parse(SCENE, "push.toml", &[]).unwrap()).unwrap();
    let mut calls = 0;
    let result = run(&start.model, &start.q, &start.v, &start.options, |t| {
        calls += usize::from(t > 0.1);
        t <= 0.1
    })
    .unwrap();
    assert_eq!(calls, 1, "asked again after it was told to stop");
    assert!(result.state.t > 0.1 && result.state.t <= 0.2, "{}", result.state.t);
    assert!(result.recording.len() as f64 >= result.state.t / 1e-3);
    let summary = summary(&start.model, &result);
    assert_eq!((&summary["cut"], summary["cut_reason"].is_string()), (&true.into(), true));
    assert_eq!(summary["time"], result.state.t);
}

#[test]
fn a_run_that_reaches_its_end_is_not_cut() {
    let start = bristle::prepare(&Scene::parse(SCENE, "push.toml", &[]).unwrap()).unwrap();
    let result = run(&start.model, &start.q, &start.v, &start.options, |t| t < 1.0).unwrap();
    let summary = summary(&start.model, &result);
    assert_eq!((&summary["cut"], &summary["cut_reason"]), (&false.into(), &serde_json::Value::Null));
    assert_eq!(summary["format"], "bristle-run");
}
