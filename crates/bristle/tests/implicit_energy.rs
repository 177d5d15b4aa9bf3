//! A linearly implicit step never gains energy: not one step of any of these scenes, at any of these stiffnesses and lengths.
//!
//! Energy is that of motion, of height and stored, less the work of motors; all as the ledger has it. What is allowed is rounding:
//! each step adds up numbers as large as all the energy at play a few dozen times.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

#[path = "support/loose_bodies.rs"]
mod loose_bodies;

use bristle::ode::{FixedStep, Integrator, State, System};
use bristle::prepare;
use bristle::run::Method;
use bristle::scene::Scene;
use bristle::world::{Mode, World};
use loose_bodies::{STEPS, TABLE, ball_on_box, finger, heading, stack, weightless};

const STIFF: [f64; 3] = [1e5, 1e6, 1e7];

/// 64 roundings of what is at play, and friction that is held only beyond 1e-12 of it.
const ROUNDING: f64 = 1e-12;

/// Every step of a scene: the largest rise of energy, and what was lost in all.
fn go(scene: &str, what: &str) -> f64 {
    let p = prepare(&Scene::parse(scene, "energy.toml", &[]).unwrap()).unwrap();
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
    let (start, mut play) = energy(&state);
    let (mut before, mut worst) = (start, (f64::NEG_INFINITY, 0.0));
    while state.t < p.options.duration {
        method.step(&world, &mut state, p.options.duration).unwrap();
        let (now, at_play) = energy(&state);
        play = play.max(at_play);
        if now - before > worst.0 {
            worst = (now - before, state.t);
        }
        before = now;
    }
    println!(
        "{what}: rises by {:.1e} J of {play:.3} J at {:.3} s, loses {:.4} J",
        worst.0,
        worst.1,
        start - before
    );
    assert!(before.is_finite(), "{what}");
    assert!(worst.0 <= ROUNDING * play, "{what}: {:e} J more at {} s, {play} J at play", worst.0, worst.1);
    start - before
}

fn everywhere(name: &str, scene: impl Fn(f64, f64) -> String) {
    for (stiffness, step) in STIFF.into_iter().flat_map(|k| STEPS.map(|h| (k, h))) {
        let lost = go(&scene(stiffness, step), &format!("{name}, {stiffness:e} N/m, {step} s"));
        assert!(lost > 0.0, "{name}: something was to be lost");
    }
}

/// Laws that stiffen: the tangent where a body is says little of what it runs into.
fn hertz(scene: &str) -> String {
    scene.replace("exponent = 1,", "exponent = 1.5,")
}

#[test]
fn a_ball_that_lands_slides_and_rolls() {
    let scene = |k, h| {
        heading(k, h, 2.0)
            + r#"
            [bodies.ball]
            mass = 1.0
            shape = { sphere = { radius = 0.05 } }
            position = [0.0, 0.0, 0.08]
            velocity = [1.0, 0.0, 0.0]
            "#
            + TABLE
    };
    everywhere("ball", scene);
    everywhere("hertz ball", |k, h| hertz(&scene(k, h)));
}

fn tumbling(k: f64, h: f64) -> String {
    heading(k, h, 2.0)
        + r#"
        [bodies.crate]
        mass = 2.0
        shape = { box = { size = [0.3, 0.2, 0.1] } }
        position = [0.0, 0.0, 0.3]
        velocity = [1.0, 0.3, 0.0]
        angular_velocity = [3.0, 5.0, 2.0]
        "#
}

/// A corner that lands turns the next one in faster than the start of the step foretells.
#[test]
fn a_box_that_tumbles() {
    let scene = |k, h| tumbling(k, h) + TABLE;
    everywhere("tumbling box", scene);
    everywhere("hertz box", |k, h| hertz(&scene(k, h)));
    everywhere("smooth box", |k, h| scene(k, h).replace("friction = 0.6", "friction = 0.0"));
}

/// Nothing is lost and nothing is gained while it turns freely about no axis of its own.
#[test]
fn a_box_in_flight_keeps_its_energy() {
    for step in STEPS {
        let lost = go(&weightless(&tumbling(1e6, step)), "flight");
        assert!(lost.abs() < ROUNDING * 2.0, "{lost}");
    }
}

#[test]
fn a_ball_that_falls_on_a_loose_box() {
    everywhere("ball on a box", ball_on_box);
    // beside its middle: the box tips, and the ball comes off
    everywhere("ball on the edge", |k, h| {
        ball_on_box(k, h).replace("[0.01, 0.02, 0.19]", "[0.13, 0.08, 0.4]")
    });
}

#[test]
fn a_stack_of_three_boxes() {
    everywhere("stack", stack);
}

/// Two fingers with round tips close on a box in the air and hold it; what their motors do is theirs.
#[test]
fn a_gripper_that_closes_on_a_box() {
    everywhere("gripper", |k, h| {
        let mut scene = heading(k, h, 1.0)
            + r#"
            [bodies.cargo]
            mass = 0.3
            shape = { box = { size = [0.06, 0.06, 0.06] } }
            position = [0.0, 0.0, 1.0]
            "#;
        for (name, side) in [("left", -1.0), ("right", 1.0)] {
            let tip = |y: f64, z: f64| {
                format!("{{ sphere = {{ radius = 0.01 }}, position = [{}, {y}, {z}] }}", -0.01 * side)
            };
            let tips = [tip(0.02, -0.02), tip(-0.02, -0.02), tip(0.0, 0.02)].join(", ");
            scene += &finger(name, side, &tips, 0.055, 0.01);
        }
        scene
    });
}
