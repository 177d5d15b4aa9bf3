//! Cost of one right-hand side of `rolling_sphere`, beside the same equations written by hand.

#![allow(clippy::expect_used)] // parameters of a bench are right, or the bench is wrong

use bristle::ode::System;
use bristle::prepare;
use bristle::scene::Scene;
use bristle::world::World;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

/// Azad & Featherstone's ball on the ground, and nothing else: position, quaternion, spin, velocity, stretch, accounts.
fn by_hand(x: &[f64], dx: &mut [f64]) {
    const M: f64 = 0.154;
    const R: f64 = 0.0165;
    const INERTIA: f64 = 0.4 * M * R * R;
    // the pair is ball and ground, so the stretch in `x` is that of the ground under the ball
    let (q, w, v, u) = (&x[3..7], &x[7..10], &x[10..13], [-x[13], -x[14]]);
    let carry = 0.5 * w[2]; // the stretch turns with the mean spin of ball and ground
    dx[0..3].copy_from_slice(v);
    // quaternion rate ½ (ω, 0) ⊗ q
    dx[3] = 0.5 * (w[0] * q[3] + w[1] * q[2] - w[2] * q[1]);
    dx[4] = 0.5 * (w[1] * q[3] + w[2] * q[0] - w[0] * q[2]);
    dx[5] = 0.5 * (w[2] * q[3] + w[0] * q[1] - w[1] * q[0]);
    dx[6] = -0.5 * (w[0] * q[0] + w[1] * q[1] + w[2] * q[2]);
    let depth = R - x[2];
    let (mut fx, mut fy, mut fz) = (0.0, 0.0, 0.0);
    let mut losses = [0.0; 6];
    let mut stretch = [0.0; 2];
    if depth > 0.0 {
        let rate = -v[2];
        let root = depth.sqrt();
        let elastic = 8.5e6 * depth * root;
        let viscous = 3.1e3 * root * rate;
        fz = (elastic + viscous).max(0.0);
        losses[0] = if elastic + viscous > 0.0 { viscous * rate } else { -elastic * rate };
        // velocity of the ball's lowest point
        let (sx, sy) = (v[0] - w[1] * R, v[1] + w[0] * R);
        let (k, b, c, drag) = (12.75e6 * root, 3.1e3 * root, 0.2 * fz, 0.1);
        let (px, py) = (k * u[0] + b * sx, k * u[1] + b * sy);
        let size = (px * px + py * py + 1e-280).sqrt();
        let slip = (size - c).max(0.0) / (b + drag);
        let share = slip / size;
        stretch = [sx - px * share, sy - py * share];
        let hold = size.min(c + drag * slip) / size;
        (fx, fy) = (-px * hold, -py * hold);
        losses[1] = b * (stretch[0] * stretch[0] + stretch[1] * stretch[1]);
        losses[2] = c * slip;
        losses[3] = drag * slip * slip;
        losses[4] = -0.25 * 12.75e6 / root * (u[0] * u[0] + u[1] * u[1]) * rate;
    }
    dx[7..10].copy_from_slice(&[fy * R / INERTIA, -fx * R / INERTIA, 0.0]);
    dx[10..13].copy_from_slice(&[fx / M, fy / M, fz / M - 9.81]);
    dx[13..16].copy_from_slice(&[carry * u[1] - stretch[0], -carry * u[0] - stretch[1], 0.0]);
    dx[16..26].fill(0.0);
    dx[26..32].copy_from_slice(&losses);
}

fn right_hand_side(c: &mut Criterion) {
    let path = format!("{}/../../scenes/rolling_sphere.toml", env!("CARGO_MANIFEST_DIR"));
    let p = prepare(&Scene::load(path, &[]).expect("the scene is right")).expect("the scene is right");
    let world = World::new(&p.model);
    let mut q = p.q.clone();
    q[2] = 0.0162; // in contact
    let mut state = world.start(&q, &p.v);
    state.x[7..10].copy_from_slice(&[1.0, -3.0, 2.0]);
    state.x[13..16].copy_from_slice(&[3e-6, 1e-6, 0.0]);
    let (mut ws, mut dx) = (world.scratch(), vec![0.0; state.x.len()]);
    let mut hand = vec![0.0; state.x.len()];
    world.derivative(0.0, &state.x, &state.mode, &mut dx, &mut ws);
    by_hand(&state.x, &mut hand);
    for (i, (a, b)) in dx.iter().zip(&hand).enumerate() {
        assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "both sides agree: {i} {a} {b}");
    }
    let mut group =
        c.benchmark_group("right-hand side of the rolling sphere, calls that do not wait for each other");
    group.bench_function("by hand", |b| b.iter(|| by_hand(black_box(&state.x), black_box(&mut hand))));
    group.bench_function("world", |b| {
        b.iter(|| world.derivative(0.0, black_box(&state.x), &state.mode, black_box(&mut dx), &mut ws));
    });
    group.finish();
    // As in an integrator: every state is made of the rates of the one before.
    let still = black_box(0.0);
    let advance = |x: &mut [f64], dx: &[f64]| x.iter_mut().zip(dx).for_each(|(x, dx)| *x += still * dx);
    let mut group =
        c.benchmark_group("right-hand side of the rolling sphere, each with the rates of the last");
    let mut x = state.x.clone();
    group.bench_function("by hand", |b| {
        b.iter(|| {
            by_hand(&x, &mut hand);
            advance(&mut x, &hand);
        });
    });
    group.bench_function("world", |b| {
        b.iter(|| {
            world.derivative(0.0, &x, &state.mode, &mut dx, &mut ws);
            advance(&mut x, &dx);
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = right_hand_side
}
criterion_main!(benches);
