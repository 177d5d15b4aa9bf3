//! Cost of one pair, in touch and apart, and of finding candidates among many bodies.

#![allow(clippy::expect_used)] // shapes of a bench are right, or the bench is wrong

use bristle_geom::{Aabb, BroadScratch, Pair, Patch, Placed, Pose, Shape, candidate_pairs};
use bristle_math::Vector3;
use bristle_math::spatial::Twist;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

fn pairs(c: &mut Criterion) {
    let mut group = c.benchmark_group("pair");
    group.measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(200));
    let sphere = Shape::Sphere { radius: 0.5 };
    let capsule = Shape::Capsule { radius: 0.3, half_length: 0.6 };
    let cuboid = Shape::Cuboid { half: Vector3::new(0.3, 0.5, 0.7) };
    let cylinder = Shape::Cylinder { radius: 0.4, half_length: 0.7 };
    let tube = Shape::Tube { radius: 1.2, half_length: f64::INFINITY };
    let cases = [
        (Shape::HalfSpace, sphere.clone(), 0.49),
        (Shape::HalfSpace, capsule.clone(), 0.2),
        (Shape::HalfSpace, cuboid.clone(), 0.2),
        (sphere.clone(), sphere.clone(), 0.99),
        (cylinder, sphere.clone(), 0.89),
        (tube.clone(), sphere.clone(), 0.71),
        (cuboid, sphere.clone(), 0.79),
        (capsule.clone(), sphere, 0.79),
        (capsule.clone(), capsule, 0.59),
    ];
    for (a, b, touching) in cases.clone() {
        let pair = Pair::of(&a, &b).expect("supported");
        let along = if a == Shape::HalfSpace { Vector3::z() } else { Vector3::x() };
        let twist = Twist { angular: Vector3::new(0.1, 0.2, 0.3), linear: Vector3::new(-1.0, 0.5, -1.0) };
        let at_a = Placed { pose: Pose::identity(), twist };
        let apart = if a == tube { 0.3 } else { 3.0 };
        for (state, distance) in [("touching", touching), ("apart", apart)] {
            let pose = Pose::new(along * distance, Vector3::new(0.01, 0.02, 0.03));
            let at_b = Placed { pose, twist: Twist { angular: -twist.angular, linear: -twist.linear } };
            let mut out = vec![Patch::none(); pair.patch_count()];
            let name = format!("{}-{}", a.name(), b.name());
            group.bench_function(BenchmarkId::new(name, state), |bench| {
                bench.iter(|| {
                    pair.patches(black_box(&a), black_box(&at_a), black_box(&b), black_box(&at_b), &mut out);
                    black_box(&mut out);
                });
            });
        }
    }
    group.finish();
}

fn broad(c: &mut Criterion) {
    let mut group = c.benchmark_group("broad");
    group.measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300)).sample_size(20);
    for side in [10, 22, 46] {
        let place = |i: i32| {
            let jitter = f64::from(i.wrapping_mul(7919) % 97) / 97.0 * 0.05;
            let at = [i % side, i / side % side, i / side / side].map(|k| f64::from(k) * 0.1 + jitter);
            let min = Vector3::from(at);
            Aabb { min, max: min.add_scalar(0.1) }
        };
        let boxes: Vec<Aabb> = (0..side * side * side).map(place).collect();
        let is_movable = vec![true; boxes.len()];
        let (mut out, mut scratch) = (Vec::new(), BroadScratch::default());
        group.bench_function(BenchmarkId::from_parameter(boxes.len()), |bench| {
            bench.iter(|| candidate_pairs(black_box(&boxes), &is_movable, &mut out, &mut scratch));
        });
    }
    group.finish();
}

criterion_group!(benches, pairs, broad);
criterion_main!(benches);
