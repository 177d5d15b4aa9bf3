//! Cost of a right-hand side of a system of formulas, beside the same system with closures in Rust, and of a chain of
//! blocks on a conveyor against its length.

#![allow(clippy::expect_used)] // systems of a bench are right, or the bench is wrong

#[path = "../tests/support/chain.rs"]
mod chain;
#[path = "../tests/support/xiong.rs"]
mod xiong;

use bristle::nonsmooth::{System, prepare};
use bristle::ode::System as _;
use bristle::scene::Scene;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

fn scene(text: &str) -> System {
    let scene = Scene::parse(text, "bench.toml", &[]).expect("a scene");
    prepare(&scene).expect("a system").system
}

fn file(name: &str) -> System {
    let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    scene(&std::fs::read_to_string(path).expect("a scene"))
}

fn right_hand_side(c: &mut Criterion) {
    let mut group = c.benchmark_group("nonsmooth");
    group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for (name, text, rust) in [
        ("friction", file("xiong_friction"), xiong::friction()),
        ("contact", file("xiong_contact"), xiong::contact()),
        ("point_mass", file("xiong_point_mass"), xiong::point_mass()),
        ("two_blocks", file("xiong_two_blocks"), xiong::two_blocks()),
        ("chain_200", scene(&chain::text(200)), chain::system(200)),
    ] {
        for (kind, system) in [("text", text), ("rust", rust)] {
            let state = system.start();
            let (mut ws, mut dx) = (system.scratch(), vec![0.0; state.x.len()]);
            group.bench_function(format!("{name}/{kind}"), |b| {
                b.iter(|| {
                    system.derivative(black_box(0.3), black_box(&state.x), &state.mode, &mut dx, &mut ws)
                });
            });
        }
    }
    for count in [50, 100, 400] {
        let system = chain::system(count);
        let state = system.start();
        let (mut ws, mut dx) = (system.scratch(), vec![0.0; state.x.len()]);
        group.bench_function(format!("chain_{count}/rust"), |b| {
            b.iter(|| system.derivative(black_box(0.3), black_box(&state.x), &state.mode, &mut dx, &mut ws));
        });
    }
    group.finish();
}

criterion_group!(benches, right_hand_side);
criterion_main!(benches);
