//! One fixed step and one right-hand side of robots that stand on their feet: contacts, servos, articulated bodies.

#![allow(clippy::expect_used)] // parameters of a bench are right, or the bench is wrong

use bristle::ode::{EventHandling, FixedOptions, FixedStep, Integrator, Method, System};
use bristle::prepare;
use bristle::scene::Scene;
use bristle::world::World;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

fn standing(c: &mut Criterion) {
    let path = format!("{}/../../scenes/quadruped_stand.toml", env!("CARGO_MANIFEST_DIR"));
    let p = prepare(&Scene::load(path, &[]).expect("the scene is right")).expect("the scene is right");
    let world = World::new(&p.model);
    let mut group = c.benchmark_group("quadruped standing, 4 feet in contact, servos on");
    let start = world.start(&p.q, &p.v);
    let (mut ws, mut dx) = (world.scratch(), vec![0.0; start.x.len()]);
    group.bench_function("right-hand side", |b| {
        b.iter(|| world.derivative(0.0, black_box(&start.x), &start.mode, black_box(&mut dx), &mut ws));
    });
    let mut state = start.clone();
    // as in real time: the same work in every step
    let options = FixedOptions::new(Method::SemiImplicitEuler, 2e-4).with_events(EventHandling::AtStepEnd);
    let mut method = FixedStep::new(&world, &state.mode, options).expect("the options are right");
    group.bench_function("step of semi-implicit Euler", |b| {
        b.iter(|| method.step(&world, &mut state, f64::INFINITY).expect("it stands"));
    });
    let options =
        FixedOptions::new(Method::LinearlyImplicitEuler, 4e-3).with_events(EventHandling::AtStepEnd);
    let (mut later, mut method) =
        (start.clone(), FixedStep::new(&world, &start.mode, options).expect("the options are right"));
    group.bench_function("linearly implicit step", |b| {
        b.iter(|| method.step(&world, &mut later, f64::INFINITY).expect("it stands"));
    });
    assert!((later.x[2] - start.x[2]).abs() < 1e-3, "it still stands");
    assert!(
        state.x.iter().all(|x| x.is_finite()) && (state.x[2] - start.x[2]).abs() < 1e-3,
        "it still stands"
    );
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = standing
}
criterion_main!(benches);
