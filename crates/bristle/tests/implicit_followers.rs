//! Linearly implicit steps of joints that follow others: chains of gears and a gripper with one motor.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use bristle::prepare;
use bristle::run::{Run, run};
use bristle::scene::Scene;

/// A scene beside the robots of the tests, with a method, every so often (s) recorded.
fn simulate(file: &str, method: &str, every: f64) -> Run {
    let path = format!("{}/testdata/robots/{file}.toml", env!("CARGO_MANIFEST_DIR"));
    let overrides =
        [format!("simulation.integrator={{ {method} }}"), format!("simulation.record.every={every}")];
    let p = prepare(&Scene::load(path, &overrides).unwrap()).unwrap();
    run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap()
}

fn implicit(step: f64) -> String {
    format!("method = \"linearly-implicit\", step = {step}")
}

fn column(run: &Run, name: &str) -> Vec<f64> {
    run.recording.column(name).unwrap_or_else(|| panic!("no column {name}")).values.clone()
}

#[test]
fn gears_swing_as_with_short_steps_to_first_order() {
    let exact = column(&simulate("geared", "method = \"bdf\", rtol = 1e-10", 0.1), "r/shoulder.position");
    let error = |step: f64| {
        let run = simulate("geared", &implicit(step), 0.1);
        let [shoulder, elbow, wheel] =
            ["shoulder", "elbow", "wheel"].map(|name| column(&run, &format!("r/{name}.position")));
        for i in 0..shoulder.len() {
            // 1e4 N m/rad give way by less than a milliradian to an arm of 3 kg
            assert!(
                (elbow[i] - (20f64.to_radians() - 0.5 * shoulder[i])).abs() < 1e-3,
                "{step} s: {}",
                elbow[i]
            );
            assert!((wheel[i] - 3.0 * elbow[i]).abs() < 1e-3, "{step} s: {}", wheel[i]);
        }
        assert!((shoulder[0] - shoulder[shoulder.len() - 1]).abs() > 0.5, "it swings");
        shoulder.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let errors = [2e-3, 1e-3, 5e-4].map(error);
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.8..2.2).contains(&ratio), "{errors:?}");
    }
}

#[test]
fn gears_gain_no_energy() {
    for step in [1e-3, 4e-3, 16e-3] {
        let run = simulate("geared", &implicit(step), step);
        let of = |name: &str| column(&run, &format!("energy.{name}"));
        let parts = ["kinetic", "gravity", "elastic_joints"].map(of);
        let total: Vec<f64> = (0..parts[0].len()).map(|i| parts.iter().map(|p| p[i]).sum()).collect();
        let size = parts.iter().flatten().map(|x| x.abs()).fold(0.0, f64::max);
        for (i, pair) in total.windows(2).enumerate() {
            assert!(
                pair[1] <= pair[0] + 1e-9 * size,
                "{step} s, step {i}: {} J, then {} J",
                pair[0],
                pair[1]
            );
        }
    }
}

#[test]
fn a_gripper_with_one_motor_lifts_a_ball_and_holds_it() {
    for step in [1e-3, 2e-3, 4e-3] {
        let run = simulate("gripper", &implicit(step), 0.1);
        let height = column(&run, "ball.position.z");
        let [left, right] = ["left", "right"].map(|side| column(&run, &format!("r/{side}.position")));
        let last = height.len() - 1;
        assert!((height[last] - 0.13).abs() < 1e-3, "{step} s: {}", height[last]);
        // half of the motor's force goes through the coupling of 1e6 N/m
        assert!((left[last] - right[last]).abs() < 1e-4, "{step} s: {} {}", left[last], right[last]);
        let creep = (height[last] - height[last - 20]) / 2.0;
        assert!(creep.abs() < 1e-9, "{step} s: {creep} m/s");
    }
}
