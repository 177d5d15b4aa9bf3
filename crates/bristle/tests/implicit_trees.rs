//! Bodies with joints under linearly implicit steps: no step gains energy, and flight keeps its momentum.
//!
//! Energy is that of motion, of height and stored, less the work of motors and drives.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use bristle::ode::{FixedStep, Integrator, State, System};
use bristle::prepare;
use bristle::run::{Method, run};
use bristle::scene::Scene;
use bristle::world::{Mode, World};
use nalgebra::Vector3;

const STEPS: [f64; 4] = [1e-3, 2e-3, 4e-3, 16e-3];
const SPINS: [[f64; 3]; 6] = [
    [5.0, 0.0, 0.0],
    [0.0, 5.0, 0.0],
    [3.0, 3.0, 2.6],
    [5.5, -11.0, 4.0],
    [-2.19, -6.66, -7.54],
    [-1.6, 0.35, -6.68],
];

/// Roundings of what is at play in one step.
const ROUNDING: f64 = 1e-12;

/// What a run has done.
struct Done {
    start: f64,
    lost: f64,
    /// The largest rise of one step, over the energy at play.
    rise: f64,
    /// Changes of momentum and angular momentum, over what there was of the latter.
    momentum: f64,
    turned: f64,
}

fn scene(file: &str, step: f64, overrides: &[String]) -> Scene {
    let path = format!("{}/../../scenes/{file}.toml", env!("CARGO_MANIFEST_DIR"));
    let method = format!("simulation.integrator={{method=\"linearly-implicit\",step={step}}}");
    let overrides: Vec<String> = [method].iter().chain(overrides).cloned().collect();
    Scene::load(path, &overrides).unwrap()
}

/// Every step of a scene, with a spin of its first floating body.
fn go(scene: &Scene, spin: Option<[f64; 3]>, what: &str) -> Done {
    let mut p = prepare(scene).unwrap();
    if let Some(spin) = spin {
        p.v[..3].copy_from_slice(&spin);
    }
    let world = World::new(&p.model);
    let mut state = world.start(&p.q, &p.v);
    let Method::Fixed(options) = p.options.method else { panic!("no fixed step") };
    let mut method = FixedStep::new(&world, &state.mode, options).unwrap();
    let mut ws = world.scratch();
    let mut energy = |state: &State<f64, Mode>| {
        let energy = world.energy(state.t, &state.x, &state.mode, &mut ws);
        let all = [energy.mechanical(), energy.work, energy.actuators];
        (all[0] - all[1] - all[2], all.iter().map(|x: &f64| x.abs()).sum::<f64>())
    };
    let mut own = world.scratch();
    let mut momentum = |state: &State<f64, Mode>| {
        let kin = world.kinematics(state.t, &state.x, &mut own);
        let all = p.model.tree.momentum(kin);
        let center: Vector3<f64> = p.model.tree.common_center(kin);
        (all.force, all.torque - center.cross(&all.force))
    };
    let ((start, mut play), pushed) = (energy(&state), momentum(&state));
    let (mut before, mut rise, mut at) = (start, f64::NEG_INFINITY, 0.0);
    while state.t < p.options.duration {
        method.step(&world, &mut state, p.options.duration).unwrap();
        let (now, at_play) = energy(&state);
        play = play.max(at_play);
        if now - before > rise {
            (rise, at) = (now - before, state.t);
        }
        before = now;
    }
    let after = momentum(&state);
    let size = pushed.1.norm();
    let done = Done {
        start,
        lost: start - before,
        rise: rise / play,
        momentum: (after.0 - pushed.0).norm() / size,
        turned: (after.1 - pushed.1).norm() / size,
    };
    println!(
        "{what}: rises by {:.1e} of {play:.3} J at {at:.3} s, from {start:.3} J loses {:.2e} J, momentum {:.1e}, angular {:.1e}",
        done.rise, done.lost, done.momentum, done.turned
    );
    assert!(before.is_finite(), "{what}");
    done
}

fn never_gains(done: &Done, what: &str) {
    assert!(done.rise <= ROUNDING, "{what}: {:e} more of {} J", done.rise, done.start);
}

fn flight(step: f64, spin: [f64; 3], more: &[&str]) -> Done {
    let mut all = vec!["simulation.duration=1", "simulation.gravity=[0,0,0]", "robots.dog.position=[0,0,5]"];
    all.extend(more);
    all.push("robots.dog.start=\"given\"");
    let all: Vec<String> = all.into_iter().map(String::from).collect();
    let what = format!("{spin:?} rad/s, {step} s, {more:?}");
    let done = go(&scene("quadruped_stand", step, &all), Some(spin), &what);
    never_gains(&done, &what);
    assert!(done.momentum < 1e-12, "{what}: {:e}", done.momentum);
    done
}

/// Legs held by servos swing out and back.
#[test]
fn a_quadruped_that_tumbles_gains_nothing() {
    for (spin, step) in SPINS.into_iter().flat_map(|spin| STEPS.map(|step| (spin, step))) {
        flight(step, spin, &[]);
    }
}

#[test]
fn nor_does_one_whose_joints_are_loose() {
    for (spin, step) in SPINS.into_iter().flat_map(|spin| STEPS.map(|step| (spin, step))) {
        flight(step, spin, &["robots.dog.hold={stiffness=0,damping=0}"]);
    }
}

/// Onto ground that it meets with its feet, any side up: feet go along arcs, and take turns in closing their gaps.
#[test]
fn a_quadruped_that_tumbles_onto_the_ground_gains_nothing() {
    for (stiffness, step) in [1e5, 1e6, 1e7].into_iter().flat_map(|k| STEPS.map(|step| (k, step))) {
        for spin in SPINS {
            let all = [
                "simulation.duration=1.5".to_string(),
                "robots.dog.position=[0,0,0.8]".to_string(),
                "robots.dog.start=\"given\"".to_string(),
                format!("materials.rubber.normal.stiffness={stiffness}"),
                format!("materials.rubber.friction.stiffness={stiffness}"),
            ];
            let what = format!("{spin:?} rad/s onto {stiffness:e} N/m, {step} s");
            let done = go(&scene("quadruped_stand", step, &all), Some(spin), &what);
            never_gains(&done, &what);
            assert!(done.lost > 0.1 * done.start, "{what}: it has landed");
        }
    }
}

/// Without the floor, which is far below.
fn pendulum(step: f64) -> Scene {
    let all =
        ["bodies.floor.shape.plane.offset=-5", "joints.shoulder.position=120", "joints.elbow.position=40"];
    scene("double_pendulum", step, &all.map(String::from))
}

#[test]
fn a_double_pendulum_gains_nothing() {
    for step in STEPS {
        let what = format!("pendulum, {step} s");
        let done = go(&pendulum(step), None, &what);
        never_gains(&done, &what);
    }
}

/// Where each link is after half a second.
fn ends(scene: &Scene) -> Vec<f64> {
    let p = prepare(scene).unwrap();
    let nq = p.model.tree.nq();
    run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap().state.x[..nq].to_vec()
}

/// First order: halving the step halves what is left of the error.
#[test]
fn the_error_falls_with_the_step() {
    let floor = "bodies.floor.shape.plane.offset=-5";
    let tumbling = "robots.dog.angular_velocity=[3,2,0.5]";
    let cases: [(&str, &[&str]); 2] = [
        ("double_pendulum", &[floor, "joints.elbow.position=40"]),
        ("quadruped_stand", &["robots.dog.position=[0,0,5]", "robots.dog.start=\"given\"", tumbling]),
    ];
    for (file, more) in cases {
        let all = |last: &str| -> Vec<String> {
            [&["simulation.duration=0.5"], more, &[last]].concat().into_iter().map(String::from).collect()
        };
        let exact = ends(&scene(file, 1e-3, &all("simulation.integrator={method=\"dopri5\",rtol=1e-10}")));
        let error = |step: f64| {
            let found = ends(&scene(file, step, &all("simulation.duration=0.5")));
            found.iter().zip(&exact).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        let errors = [4e-4, 2e-4, 1e-4].map(error);
        for pair in errors.windows(2) {
            assert!((1.7..2.3).contains(&(pair[0] / pair[1])), "{file}: {errors:?}");
        }
    }
}

/// A pendulum swings as exactly as an order of two makes it: 0.1 mrad at 2 ms, over a second from 60 degrees. A friction of a thousandth of its weight does no harm.
#[test]
fn a_pendulum_keeps_its_time() {
    let text = r#"
        schema = 1
        [simulation]
        duration = 1
        [bodies.bob]
        mass = 3.0
        shape = { sphere = { radius = 0.1 } }
        [joints.hinge]
        parent = "world"
        child = "bob"
        type = "revolute"
        axis = [0, 1, 0]
        in_child = { position = [0, 0, 0.3] }
        position = 60
        "#;
    for damping in [0.0, 1e-3] {
        let end = |method: &str| {
            let all = [format!("simulation.integrator={method}"), format!("joints.hinge.damping={damping}")];
            ends(&Scene::parse(text, "pendulum.toml", &all).unwrap())[0]
        };
        let exact = end("{method=\"dop853\",rtol=1e-11}");
        let errors = [2e-3, 1e-3, 5e-4]
            .map(|step| (end(&format!("{{method=\"linearly-implicit\",step={step}}}")) - exact).abs());
        assert!(errors[0] < 2e-4, "{damping}: {errors:?}");
        let least = if damping > 0.0 { 1.8 } else { 3.8 };
        assert!(errors.windows(2).all(|pair| pair[0] > least * pair[1]), "{damping}: {errors:?}");
    }
}

/// What falls freely goes along its parabola to rounding, a robot whose legs swing as well as a ball, at any step.
#[test]
fn what_falls_goes_along_a_parabola() {
    let ball = r#"
        schema = 1
        [simulation]
        duration = 0.48
        gravity = [0.5, 0, -9.81]
        [bodies.ball]
        mass = 2.0
        shape = { sphere = { radius = 0.1 } }
        position = [0, 0, 5]
        velocity = [1, 2, 3]
        [bodies.ground]
        fixed = true
        shape = { plane = {} }
        [materials.m]
        normal = { law = "hunt-crossley", stiffness = 1e6, exponent = 1, dissipation = 1 }
        [[contacts]]
        between = ["ball", "ground"]
        material = "m"
        "#;
    let t = 0.48;
    for step in STEPS {
        let method = format!("simulation.integrator={{method=\"linearly-implicit\",step={step}}}");
        let p = prepare(&Scene::parse(ball, "ball.toml", &[method]).unwrap()).unwrap();
        let end = run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap();
        let there = ["x", "y", "z"].map(|axis| {
            *end.recording.column(&format!("ball.position.{axis}")).unwrap().values.last().unwrap()
        });
        let there = Vector3::from(there);
        let expected = Vector3::new(t + 0.25 * t * t, 2.0 * t, 5.0 + 3.0 * t - 4.905 * t * t);
        assert!((there - expected).norm() < 1e-12, "{step} s: {there} {expected}");

        // and a robot whose legs are held, with nothing but the fall in its energy
        let thrown =
            ["simulation.duration=0.48", "robots.dog.position=[0,0,5]", "robots.dog.velocity=[1,2,3]"];
        let all = [&thrown[..], &["robots.dog.start=\"given\""]].concat();
        let p =
            prepare(&scene("quadruped_stand", step, &all.into_iter().map(String::from).collect::<Vec<_>>()))
                .unwrap();
        let world = World::new(&p.model);
        let mut ws = world.scratch();
        let start = world.start(&p.q, &p.v);
        let before = p.model.tree.common_center(world.kinematics(0.0, &start.x, &mut ws));
        let end = run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap().state;
        let fallen = p.model.tree.common_center(world.kinematics(end.t, &end.x, &mut ws)) - before;
        let expected = Vector3::new(1.0, 2.0, 3.0) * t + p.model.gravity * (0.5 * t * t);
        assert!((fallen - expected).norm() < 1e-12, "{step} s: {fallen} {expected}");
    }
}

/// A pendulum on a driven slide that rubs over a table with bristles that dwell: what hangs on a drive is not balanced, and all the same goes to where it belongs.
#[test]
fn a_pendulum_on_a_driven_body_follows_the_exact_one() {
    let text = r#"
        schema = 1
        [simulation]
        duration = 0.5
        gravity = [0, 0, -9.81]
        record = { every = 0.1 }
        [materials.m]
        normal = { law = "hunt-crossley", stiffness = 1e5, exponent = 1, alpha = 0.1 }
        friction = { law = "dwell-bristle", variant = "as-printed", static = 0.45, kinetic = 0.4, stiffness = 1e5, damping = 300, viscous = 0.0, stribeck_speed = 0.1, dwell_time = 0.01 }
        [bodies.slide]
        motion = { sine = { axis = [1, 0, 0], amplitude = 0.05, frequency = 2 } }
        [bodies.rod]
        mass = 1.0
        center_of_mass = [0.0, 0.0, -0.3]
        [joints.pin]
        parent = "slide"
        child = "rod"
        type = "revolute"
        axis = [0, 1, 0]
        position = 30.0
        [bodies.ball]
        mass = 1.0
        shape = { sphere = { radius = 0.05 } }
        position = [1.0, 0.0, -0.9505]
        velocity = [0.6, 0.0, 0.0]
        [bodies.table]
        fixed = true
        shape = { plane = { normal = [0, 0, 1], offset = -1.0 } }
        [[contacts]]
        between = ["ball", "table"]
        material = "m"
        "#;
    let end = |method: &str| {
        let method = format!("simulation.integrator={method}");
        ends(&Scene::parse(text, "driven.toml", &[method]).unwrap())
    };
    let exact = end("{method=\"rodas4\",rtol=1e-8}");
    let error = |step: f64| {
        let found = end(&format!("{{method=\"linearly-implicit\",step={step}}}"));
        found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let errors = [1e-3, 2.5e-4].map(error);
    assert!(errors[0] < 0.02 && errors[1] < 0.4 * errors[0], "{errors:?}");
}
