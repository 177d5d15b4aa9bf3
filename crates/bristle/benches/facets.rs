//! A mesh of 20 000 facets of which one in eighty touches: a right-hand side beside the law on the touched facets alone,
//! and the same mesh with ten times as many facets that do not touch.

#![allow(clippy::expect_used)] // parameters of a bench are right, or the bench is wrong

use bristle::geom::{Bed, Mesh, MeshOptions, Placed, Pose, Shape};
use bristle::laws::normal::{BedSide, Clip, VolumeKelvinVoigt};
use bristle::laws::{Indent, NormalLaw, Phase};
use bristle::math::lens::Lens;
use bristle::ode::System;
use bristle::prepare;
use bristle::scene::Scene;
use bristle::world::World;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

fn scene(edge: f64, height: f64) -> String {
    format!(
        r#"
        schema = 1
        [simulation]
        duration = 1
        [materials.m]
        normal = {{ law = "volume-kelvin-voigt", modulus = 1e6, damping = 100.0, bed_depth = 0.01, clip = "element" }}
        [bodies.ball]
        density = 1000.0
        shape = {{ mesh = {{ sphere = {{ radius = 1.0 }}, edge = {edge} }} }}
        position = [0.0, 0.0, {height}]
        velocity = [0.0, 0.0, -1.0]
        [bodies.table]
        fixed = true
        shape = {{ plane = {{}} }}
        [[contacts]]
        between = ["ball", "table"]
        material = "m"
        "#
    )
}

/// Facets that touch in both scenes.
const TOUCHED: usize = 260;

fn touched(edge: f64, height: f64) -> usize {
    let ball = Arc::new(
        Mesh::of_shape(&Shape::Sphere { radius: 1.0 }, edge, &MeshOptions::default()).expect("it is right"),
    );
    let (at, on) = ([0.0, height]).map(|z| Placed::at_rest(Pose::translation(0.0, 0.0, z))).into();
    let mut out = Vec::new();
    let bed = Bed::of(&Shape::HalfSpace, &Shape::Mesh(Arc::clone(&ball))).expect("it is right");
    bed.touches((&Shape::HalfSpace, &at), (&ball, &on), &mut out);
    out.len()
}

fn facets(c: &mut Criterion) {
    let mut group = c.benchmark_group("mesh ball on a plane, facet by facet");
    // a cap of height h has the share h/2R of a ball's surface; facets are counted by their centres
    for (name, edge, height) in
        [("260 of 20 808 facets", 0.0314, 0.98), ("260 of 202 248 facets", 0.00994, 0.998)]
    {
        assert_eq!(touched(edge, height), TOUCHED);
        let p = prepare(&Scene::parse(&scene(edge, height), "bench.toml", &[]).expect("it is right"))
            .expect("it is right");
        let world = World::new(&p.model);
        let start = world.start(&p.q, &p.v);
        let (mut ws, mut dx) = (world.scratch(), vec![0.0; start.x.len()]);
        group.bench_function(name, |b| {
            b.iter(|| world.derivative(0.0, black_box(&start.x), &start.mode, black_box(&mut dx), &mut ws));
        });
    }
    let side = BedSide { modulus: 1e6, damping: 100.0, depth: 0.01 };
    let law = VolumeKelvinVoigt::new(side, side, 1.0, Clip::Patch).expect("it is right");
    let lens = Lens { curvature_a: 0.0, curvature_b: 0.0 };
    let touched: Vec<Indent<f64>> = (0..TOUCHED)
        .map(|i| {
            let (depth, area) = (1e-4 * i as f64, 6e-4);
            Indent {
                depth,
                rate: 1.0,
                lens,
                area,
                volume: area * depth,
                volume_rate: area,
                volume_moment: 0.5 * area * depth * depth,
                rate_square: area,
                lever: 0.0,
            }
        })
        .collect();
    group.bench_function("the law on 260 facets", |b| {
        b.iter(|| {
            for at in black_box(&touched) {
                // all of the answer: force, energy and power
                black_box(law.eval(at, &[], Phase::Touching, &mut []));
            }
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = facets
}
criterion_main!(benches);
