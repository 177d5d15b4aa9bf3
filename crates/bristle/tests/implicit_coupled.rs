//! Linearly implicit steps of bodies that touch each other: balls on balls, loose boxes, stacks, grasps.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

#[path = "support/loose_bodies.rs"]
mod loose_bodies;

use bristle::math::Vector3;
use bristle::run::{Run, run};
use bristle::scene::Scene;
use bristle::{Prepared, prepare};
use loose_bodies::{STEPS, ball_on_box, finger, heading, stack, weightless};

fn prepared(scene: &str) -> Prepared {
    prepare(&Scene::parse(scene, "coupled.toml", &[]).unwrap()).unwrap()
}

fn simulate(scene: &str) -> Run {
    let p = prepared(scene);
    run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap()
}

fn column(run: &Run, name: &str) -> Vec<f64> {
    run.recording.column(name).unwrap_or_else(|| panic!("no column {name}")).values.clone()
}

fn vector(run: &Run, name: &str) -> Vec<Vector3<f64>> {
    let [x, y, z] = ["x", "y", "z"].map(|axis| column(run, &format!("{name}.{axis}")));
    (0..x.len()).map(|i| Vector3::new(x[i], y[i], z[i])).collect()
}

/// Of motion, of height and stored.
fn energy(run: &Run) -> Vec<f64> {
    let of = |name: &str| column(run, &format!("energy.{name}"));
    let parts = ["kinetic", "gravity", "elastic_normal", "elastic_tangential"].map(of);
    (0..parts[0].len()).map(|i| parts.iter().map(|p| p[i]).sum()).collect()
}

/// From no step to the next.
fn gains_nothing(scene: &str, what: &str) -> Run {
    let run = simulate(scene);
    let total = energy(&run);
    assert!(total.iter().all(|x| x.is_finite()), "{what}");
    for (i, pair) in total.windows(2).enumerate() {
        assert!(
            pair[1] <= pair[0] + 1e-9 * total[0].abs(),
            "{what}, step {i}: {} J, then {} J",
            pair[0],
            pair[1]
        );
    }
    run
}

const STIFF: [f64; 4] = [1e5, 1e6, 1e7, 1e9];

fn cases() -> impl Iterator<Item = (f64, f64)> {
    STIFF.into_iter().flat_map(|k| STEPS.map(|h| (k, h)))
}

/// Two balls that meet off centre, spinning, far from everything.
fn two_balls(stiffness: f64, step: f64) -> String {
    weightless(&heading(stiffness, step, 0.4))
        + r#"
        [bodies.one]
        mass = 1.0
        shape = { sphere = { radius = 0.05 } }
        position = [0.0, 0.0, 0.0]
        velocity = [1.0, 0.0, 0.0]
        angular_velocity = [3.0, -20.0, 5.0]
        [bodies.other]
        mass = 0.3
        shape = { sphere = { radius = 0.04 } }
        position = [0.2, 0.03, -0.02]
        velocity = [-0.4, 0.1, 0.0]
        angular_velocity = [0.0, 7.0, -11.0]
        "#
}

#[test]
fn two_balls_keep_their_momentum_and_gain_no_energy() {
    for (stiffness, step) in cases() {
        for exponent in ["exponent = 1,", "exponent = 1.5,"] {
            let scene = two_balls(stiffness, step).replace("exponent = 1,", exponent);
            let run = gains_nothing(&scene, &format!("{stiffness:e} N/m, {step} s, {exponent}"));
            let momenta: Vec<(Vector3<f64>, Vector3<f64>)> = {
                let part = |name: &str, mass: f64, radius: f64| {
                    let [x, v, w] = ["position", "velocity", "angular_velocity"]
                        .map(|what| vector(&run, &format!("{name}.{what}")));
                    let about = 0.4 * mass * radius * radius;
                    (0..x.len())
                        .map(|i| (v[i] * mass, x[i].cross(&v[i]) * mass + w[i] * about))
                        .collect::<Vec<_>>()
                };
                let (one, other) = (part("one", 1.0, 0.05), part("other", 0.3, 0.04));
                one.iter().zip(&other).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect()
            };
            let (start, spin) = momenta[0];
            // A gap that closes within a step at u = 1.5 m/s is met with k h u, of which little is left once it gives way: the blow has
            // the rounding of its impulse k h² u, in a few steps and on both bodies.
            let rounding = 1e-13 + 8.0 * f64::EPSILON * stiffness * step * step * 1.5;
            for (linear, angular) in &momenta {
                assert!((linear - start).norm() < rounding, "{stiffness:e} N/m, {step} s: {linear}");
                assert!((angular - spin).norm() < rounding, "{stiffness:e} N/m, {step} s: {angular}");
            }
            // the blow was felt, along the line of centres and across it
            let v = vector(&run, "other.velocity");
            assert!((v[v.len() - 1] - v[0]).norm() > 0.5, "{stiffness:e} N/m, {step} s");
        }
    }
}

#[test]
fn a_ball_on_a_loose_box_gains_no_energy_and_comes_to_rest_on_it() {
    for (stiffness, step) in cases() {
        gains_nothing(&ball_on_box(stiffness, step), &format!("{stiffness:e} N/m, {step} s"));
    }
    let still = ball_on_box(1e6, 2e-3).replace("angular_velocity = [0.0, 4.0, 0.0]", "");
    let run = simulate(&still);
    let [ball, top] = ["ball", "crate"].map(|name| column(&run, &format!("{name}.position.z")));
    let (ball, top) = (ball[ball.len() - 1], top[top.len() - 1]);
    let depth = top + 0.05 + 0.04 - ball;
    // the spring under the ball, and the box that tilts on its corners under a load beside its middle
    let (x, y) = (0.01f64 / 0.15, 0.02f64 / 0.1);
    let sag = 0.5 * 9.81 / 1e6 * (1.0 + 0.25 * (x * x + y * y));
    assert!((depth / sag - 1.0).abs() < 1e-3, "{depth}");
}

#[test]
fn a_stack_of_three_stands_and_gains_no_energy() {
    for (stiffness, step) in cases() {
        let run = gains_nothing(&stack(stiffness, step), &format!("{stiffness:e} N/m, {step} s"));
        for level in 0..3 {
            let x = vector(&run, &format!("box{level}.position"));
            let (start, end) = (x[0], x[x.len() - 1]);
            let side = Vector3::new(end.x - start.x, end.y - start.y, 0.0).norm();
            // by less than they fall
            assert!(side < 5e-4, "{stiffness:e} N/m, {step} s: box {level} moved aside by {side} m");
            let height = 0.06 + 0.1 * f64::from(level);
            assert!((end.z - height).abs() < 1e-3, "{stiffness:e} N/m, {step} s: box {level} at {} m", end.z);
        }
    }
}

/// Two fingers on sliders under servos hold a ball against gravity.
fn gripper(stiffness: f64, step: f64, duration: f64) -> String {
    let mut scene = heading(stiffness, step, duration)
        + r#"
        [bodies.ball]
        mass = 0.3
        shape = { sphere = { radius = 0.03 } }
        position = [0.0, 0.0, 1.0]
        "#;
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        scene += &finger(name, side, "{ box = { size = [0.02, 0.04, 0.06] } }", 0.04, 0.005);
    }
    scene
}

#[test]
fn a_grasp_holds_without_slip() {
    for step in STEPS {
        let run = simulate(&gripper(1e6, step, 6.0));
        let z = column(&run, "ball.position.z");
        let at = |t: f64| (t / step).round() as usize;
        // fingers that touch without load press from the first step on, and rub from the second: it falls for two steps, is stopped by
        // twice its weight in the third, and then moves no more
        let fall = z[0] - z[at(1.0)];
        assert!((0.0..4.0 * 9.81 * step * step).contains(&fall), "{step} s: {fall} m");
        let creep = (z[at(6.0)] - z[at(4.0)]) / 2.0;
        assert!(creep.abs() < 1e-12, "{step} s: {creep:e} m/s");
        for finger in ["left", "right"] {
            let name = |what: &str| {
                let both = [format!("ball-{finger}.{what}"), format!("{finger}-ball.{what}")];
                let known: Vec<&str> = run.recording.columns.iter().map(|c| c.name.as_str()).collect();
                let found = both.iter().find(|name| known.iter().any(|k| k.starts_with(name.as_str())));
                found.unwrap_or_else(|| panic!("none of {both:?} in {known:?}")).clone()
            };
            let (load, pull) = (column(&run, &name("normal_force")), vector(&run, &name("friction")));
            for (load, pull) in load.iter().zip(&pull) {
                assert!(pull.norm() <= 0.6 * load * (1.0 + 1e-9), "{step} s: {pull} at {load}");
            }
            // half the weight each, and the force of the servo
            let last = pull.len() - 1;
            assert!((pull[last].z.abs() / (0.5 * 0.3 * 9.81) - 1.0).abs() < 1e-6, "{step} s: {}", pull[last]);
            assert!((load[last] / 10.0 - 1.0).abs() < 1e-2, "{step} s: {}", load[last]);
        }
    }
}

#[test]
fn the_shipped_grasp_lifts_and_holds() {
    let path = format!("{}/../../scenes/grasp.toml", env!("CARGO_MANIFEST_DIR"));
    let p = prepare(&Scene::load(path, &[]).unwrap()).unwrap();
    let run = run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap();
    let (z, palm) = (column(&run, "ball.position.z"), column(&run, "palm.position.z"));
    let last = z.len() - 1;
    let at = |t: f64| (t / 6.0 * last as f64).round() as usize;
    println!("{:?}", [0.5, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 6.0].map(|t| (t, z[at(t)], palm[at(t)])));
    // it goes up with the palm
    let slip = (z[last] - z[at(1.2)]) - (palm[last] - palm[at(1.2)]);
    assert!(slip.abs() < 1e-5, "{slip} m");
    assert!((z[last] - 0.13).abs() < 1e-3, "{} m", z[last]);
    let creep = (z[last] - z[at(4.0)]) / 2.0;
    assert!(creep.abs() < 1e-12, "{creep:e} m/s");
}
