//! Cost per body of one right-hand side, from a hundred balls on a floor to a thousand: it should stay flat.

#![allow(clippy::expect_used)] // parameters of a bench are right, or the bench is wrong

use bristle::ode::System;
use bristle::prepare;
use bristle::scene::Scene;
use bristle::world::World;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

/// Balls on a floor, each a little inside it, in rows of ten.
fn balls(count: usize) -> String {
    let mut text = String::from(
        r#"
        schema = 1
        [simulation]
        duration = 0.02
        [materials.m]
        normal = { law = "hunt-crossley", stiffness = 1e6, alpha = 0.3 }
        friction = { law = "proxy-coulomb", friction = 0.4, stiffness = 1e4, beta = 2e-3 }
        [bodies.floor]
        fixed = true
        shape = { plane = {} }
        [[contacts]]
        between = ["*", "*"]
        material = "m"
        "#,
    );
    for i in 0..count {
        let (x, y) = ((i % 10) as f64 * 0.05, (i / 10) as f64 * 0.05);
        text += &format!("[bodies.b{i}]\nmass = 0.01\nshape = {{ sphere = {{ radius = 0.01 }} }}\n");
        text += &format!("position = [{x}, {y}, 0.00999]\n");
    }
    text
}

fn cost_per_body(c: &mut Criterion) {
    let mut group = c.benchmark_group("right-hand side of balls on a floor");
    for count in [100, 300, 1000] {
        let scene = Scene::parse(&balls(count), "balls", &[]).expect("the scene is right");
        let p = prepare(&scene).expect("the scene is right");
        let world = World::new(&p.model);
        let state = world.start(&p.q, &p.v);
        let (mut ws, mut dx) = (world.scratch(), vec![0.0; state.x.len()]);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::from_parameter(count), |b| {
            b.iter(|| world.derivative(0.0, black_box(&state.x), &state.mode, black_box(&mut dx), &mut ws));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = cost_per_body
}
criterion_main!(benches);
