//! Time of `kinematics` + `accelerations`: the part of a right-hand side that belongs to this crate.
#![allow(clippy::expect_used)]

use bristle_bodies::{Inertia, Joint, Kinematics, Link, Pose, Scratch, Tree, Wrench};
use criterion::{Criterion, criterion_group, criterion_main};
use nalgebra::{Matrix3, Translation3, Vector3};
use std::hint::black_box;

fn free(i: usize, inertia: Inertia<f64>) -> Link<f64> {
    Link {
        name: format!("body {i}"),
        parent: None,
        joint: Joint::Floating,
        placement: Pose::identity(),
        inertia,
    }
}

fn ball() -> Inertia<f64> {
    Inertia::solid_sphere(1.0, 0.1)
}

fn brick() -> Inertia<f64> {
    let about_center = Matrix3::from_diagonal(&Vector3::new(1e-3, 2e-3, 2.5e-3));
    Inertia { mass: 1.0, center: Vector3::new(0.0, 0.0, 0.01), about_center }
}

/// Six revolute links with axes in turn along z, y, x.
fn chain() -> Vec<Link<f64>> {
    let axes = [Vector3::z_axis(), Vector3::y_axis(), Vector3::x_axis()];
    (0..6usize)
        .map(|i| Link {
            name: format!("arm {i}"),
            parent: i.checked_sub(1),
            joint: Joint::Revolute { axis: axes[i % 3] },
            placement: Pose::from_parts(Translation3::new(0.0, 0.0, 0.3), nalgebra::one()),
            inertia: brick(),
        })
        .collect()
}

fn measure(c: &mut Criterion, name: &str, links: Vec<Link<f64>>) {
    let tree = Tree::new(links).expect("valid links");
    let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
    let mut q = vec![0.0; tree.nq()];
    tree.neutral(&mut q);
    let v: Vec<f64> = (0..tree.nv()).map(|k| 0.1 * (k % 7) as f64).collect();
    let force = Wrench { torque: Vector3::new(0.1, 0.2, 0.3), force: Vector3::new(1.0, 2.0, 3.0) };
    let wrenches = vec![force; tree.links().len()];
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    let mut vdot = vec![0.0; tree.nv()];
    c.bench_function(name, |b| {
        b.iter(|| {
            tree.kinematics(black_box(&q), black_box(&v), &[], &mut kin);
            tree.accelerations(&kin, &v, black_box(&wrenches), &gravity, &[], &mut vdot, &mut ws);
            black_box(&mut vdot);
        });
    });
}

fn dynamics(c: &mut Criterion) {
    measure(c, "1 sphere", vec![free(0, ball())]);
    measure(c, "1 brick, centre offset", vec![free(0, brick())]);
    measure(c, "1000 spheres", (0..1000).map(|i| free(i, ball())).collect());
    measure(c, "chain of 6", chain());
}

criterion_group!(benches, dynamics);
criterion_main!(benches);
