//! Cost of interference volumes, and of a bed of facets by how many of them touch.

#![allow(clippy::expect_used)] // shapes of a bench are right, or the bench is wrong

use bristle_geom::{Bed, FlatBed, Interference, Mesh, MeshOptions, OverlapScratch, Placed, Pose, Shape};
use bristle_math::Vector3;
use bristle_math::spatial::Twist;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

fn volumes(c: &mut Criterion) {
    let mut group = c.benchmark_group("volume");
    group.measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(200));
    let cuboid = Shape::Cuboid { half: Vector3::new(0.3, 0.5, 0.7) };
    let cylinder = Shape::Cylinder { radius: 0.4, half_length: 0.7 };
    let cases = [
        ("sphere on plane", Shape::HalfSpace, Shape::Sphere { radius: 0.5 }, 0.49, Vector3::zeros()),
        (
            "ellipsoid on plane",
            Shape::HalfSpace,
            Shape::Ellipsoid { radii: Vector3::new(0.3, 0.5, 0.7) },
            0.69,
            Vector3::zeros(),
        ),
        ("cylinder on plane", Shape::HalfSpace, cylinder.clone(), 0.69, Vector3::new(0.01, 0.02, 0.0)),
        (
            "capsule on plane",
            Shape::HalfSpace,
            Shape::Capsule { radius: 0.3, half_length: 0.6 },
            0.5,
            Vector3::x(),
        ),
        ("box on plane", Shape::HalfSpace, cuboid.clone(), 0.69, Vector3::new(0.01, 0.02, 0.0)),
        ("crossed cylinders", cylinder.clone(), cylinder.clone(), 0.79, Vector3::x() * 1.3),
        ("ends of cylinders", cylinder.clone(), cylinder, 0.79, Vector3::x() * 0.02),
        ("box on box", cuboid.clone(), cuboid, 1.39, Vector3::new(0.01, 0.02, 0.3)),
    ];
    for (name, a, b, distance, turn) in cases {
        let along = if name.contains("cylinders") { Vector3::x() } else { Vector3::z() };
        let twist = Twist { angular: Vector3::new(0.1, 0.2, 0.3), linear: Vector3::new(-1.0, 0.5, -1.0) };
        let at = Placed { pose: Pose::identity(), twist };
        let on = Placed { pose: Pose::new(along * distance, turn), twist };
        let pair = Interference::of(&a, &b).expect("supported");
        let mut ws = OverlapScratch::default();
        group.bench_function(name, |bench| {
            bench.iter(|| {
                black_box(pair.overlap(
                    (black_box(&a), black_box(&at)),
                    (black_box(&b), black_box(&on)),
                    &mut ws,
                ))
            });
        });
    }
    group.finish();
}

fn beds(c: &mut Criterion) {
    let mut group = c.benchmark_group("bed");
    group.measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(200));
    let ball = Shape::Sphere { radius: 1.0 };
    for longest in [0.03, 0.015] {
        let mesh = Arc::new(Mesh::of_shape(&ball, longest, &MeshOptions::default()).expect("a ball"));
        for depth in [0.005, 0.02, 0.1] {
            let (at, on) = (
                Placed::at_rest(Pose::identity()),
                Placed::at_rest(Pose::translation(0.0, 0.0, 1.0 - depth)),
            );
            let bed = Bed::of(&Shape::HalfSpace, &Shape::Mesh(Arc::clone(&mesh))).expect("supported");
            let mut out = Vec::new();
            bed.touches((&Shape::HalfSpace, &at), (&mesh, &on), &mut out);
            let name = format!("{} of {}", out.len(), mesh.facets().len());
            group.bench_function(BenchmarkId::new("on plane", &name), |bench| {
                bench.iter(|| {
                    out.clear();
                    bed.touches((&Shape::HalfSpace, black_box(&at)), (&mesh, black_box(&on)), &mut out);
                    black_box(&mut out);
                });
            });
            let mut flat = Vec::new();
            group.bench_function(BenchmarkId::new("in the frame of the mesh", name), |bench| {
                bench.iter(|| {
                    let bed = FlatBed::new(black_box(&at), black_box(&on));
                    black_box((bed.touches(&mesh, &mut flat), &mut flat));
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, volumes, beds);
criterion_main!(benches);
