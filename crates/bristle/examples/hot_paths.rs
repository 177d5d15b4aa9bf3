//! The paths that a simulation spends its time on, each so many times: `hot_paths NAME COUNT`. `cargo xtask guard` counts
//! their instructions.

#![allow(clippy::expect_used)] // the scenes are right, or the guard is wrong

use bristle::ode::{Adaptive, EventHandling, FixedOptions, FixedStep, Integrator, Method, System};
use bristle::prepare;
use bristle::run::{Method as RunMethod, RunOptions};
use bristle::runner::Runner;
use bristle::scene::Scene;
use bristle::world::{Model, World};
use std::hint::black_box;

/// What is counted: its name, and what it does so many times.
type Path = (&'static str, fn(u64));

const PATHS: [Path; 10] = [
    ("rates-rolling-sphere", |n| rates(&shipped("rolling_sphere", &[]), n, |q| q[2] = 0.0162)),
    ("rates-quadruped", |n| rates(&shipped("quadruped_stand", &[]), n, |_| {})),
    ("rates-mesh-260-facets", |n| rates(&mesh(), n, |_| {})),
    ("step-quadruped-semi-implicit", |n| steps(Method::SemiImplicitEuler, 2e-4, n, &[])),
    ("step-quadruped-linearly-implicit", |n| steps(Method::LinearlyImplicitEuler, 4e-3, n, &[])),
    ("step-falling-quadruped-linearly-implicit", |n| steps(Method::LinearlyImplicitEuler, 4e-3, n, &FALLING)),
    ("run-rolling-sphere-adaptive", |n| adaptive(&shipped("rolling_sphere", &[]), n)),
    ("run-double-pendulum-adaptive", followed),
    ("run-falling-quadruped-bdf", |n| {
        adaptive(&shipped("quadruped_stand", &[&FALLING[..], &STIFF].concat()), n)
    }),
    ("energy-quadruped", energy),
];

/// It lands in the middle of what is counted, and stumbles.
const FALLING: [&str; 3] =
    ["robots.dog.position=[0, 0, 0.5]", "robots.dog.velocity=[1, 0.5, 0]", "robots.dog.start=\"given\""];

/// Its steps need slopes of all rates.
const STIFF: [&str; 1] = [r#"simulation.integrator={method="bdf",rtol=1e-2}"#];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let found = words.first().and_then(|name| PATHS.iter().find(|(known, _)| known == name));
    match (found, words.get(1).and_then(|n| n.parse().ok())) {
        (Some((_, path)), Some(count)) => path(count),
        _ => PATHS.iter().for_each(|(name, _)| println!("{name}")),
    }
}

struct Start {
    model: Model,
    q: Vec<f64>,
    v: Vec<f64>,
    options: RunOptions,
}

fn load(scene: &Scene) -> Start {
    let p = prepare(scene).expect("the scene is right");
    Start { model: p.model, q: p.q, v: p.v, options: p.options }
}

fn shipped(name: &str, overrides: &[&str]) -> Start {
    let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    load(&Scene::load(path, &overrides).expect("the scene is right"))
}

fn mesh() -> Start {
    let text = r#"
        schema = 1
        [simulation]
        duration = 1
        [materials.m]
        normal = { law = "volume-kelvin-voigt", modulus = 1e6, damping = 100.0, bed_depth = 0.01, clip = "element" }
        [bodies.ball]
        density = 1000.0
        shape = { mesh = { sphere = { radius = 1.0 }, edge = 0.0314 } }
        position = [0.0, 0.0, 0.98]
        [bodies.table]
        fixed = true
        shape = { plane = {} }
        [[contacts]]
        between = ["ball", "table"]
        material = "m"
        "#;
    load(&Scene::parse(text, "mesh.toml", &[]).expect("the scene is right"))
}

fn rates(start: &Start, count: u64, put: fn(&mut [f64])) {
    let mut q = start.q.clone();
    put(&mut q);
    let world = World::new(&start.model);
    let state = world.start(&q, &start.v);
    let (mut ws, mut dx) = (world.scratch(), vec![0.0; state.x.len()]);
    // two places in turn: of one that stays, much is known already
    let mut beside = state.x.clone();
    beside[0] += 1e-9;
    for x in [&state.x, &beside].into_iter().cycle().take(count as usize) {
        world.derivative(0.0, black_box(x), &state.mode, black_box(&mut dx), &mut ws);
    }
}

fn steps(method: Method, step: f64, count: u64, overrides: &[&str]) {
    let start = shipped("quadruped_stand", overrides);
    let world = World::new(&start.model);
    let mut state = world.start(&start.q, &start.v);
    let options = FixedOptions::new(method, step).with_events(EventHandling::AtStepEnd);
    let mut method = FixedStep::new(&world, &state.mode, options).expect("the options are right");
    for _ in 0..count {
        method.step(&world, &mut state, f64::INFINITY).expect("it stands");
    }
}

fn adaptive(start: &Start, count: u64) {
    let RunMethod::Adaptive(options) = start.options.method else { return };
    let world = World::new(&start.model);
    let mut state = world.start(&start.q, &start.v);
    let mut method = Adaptive::new(&world, &state.mode, options).expect("the options are right");
    for _ in 0..count {
        method.step(&world, &mut state, f64::INFINITY).expect("it goes on");
    }
}

/// Joints that strike a floor, with energy, peaks and episodes as a run has them.
fn followed(count: u64) {
    let start = shipped("double_pendulum", &["simulation.record.every=10"]);
    let mut runner =
        Runner::new(&start.model, &start.q, &start.v, &start.options).expect("the options are right");
    for _ in 0..count {
        runner.step().expect("it swings");
    }
}

fn energy(count: u64) {
    let start = shipped("quadruped_stand", &[]);
    let world = World::new(&start.model);
    let state = world.start(&start.q, &start.v);
    let mut ws = world.scratch();
    for _ in 0..count {
        black_box(world.energy(0.0, black_box(&state.x), &state.mode, &mut ws));
    }
}
