//! One full right-hand side of a robot: kinematics and accelerations, as much as one `aba` call of other codes does.
#![allow(clippy::expect_used)]

use bristle_bodies::{Inertia, Joint, Kinematics, Link, Loads, Pose, Scratch, Tree, Wrench};
use criterion::{Criterion, criterion_group, criterion_main};
use nalgebra::{Matrix3, Translation3, Vector3};
use std::hint::black_box;

fn link(parent: Option<usize>, joint: Joint<f64>, at: [f64; 3]) -> Link<f64> {
    let about_center = Matrix3::from_diagonal(&Vector3::new(4e-3, 3e-3, 2e-3));
    let inertia = Inertia { mass: 1.2, center: Vector3::new(0.01, -0.02, -0.09), about_center };
    let placement = Pose::from_parts(Translation3::new(at[0], at[1], at[2]), nalgebra::one());
    Link { name: "link".into(), parent, joint, placement, inertia }
}

/// A floating trunk with limbs of so many revolute joints each.
fn robot(limbs: &[usize]) -> Vec<Link<f64>> {
    let axes = [Vector3::x_axis(), Vector3::y_axis(), Vector3::y_axis(), Vector3::z_axis()];
    let mut links = vec![link(None, Joint::Floating, [0.0; 3])];
    for (limb, &joints) in limbs.iter().enumerate() {
        let side = if limb % 2 == 0 { 0.1 } else { -0.1 };
        let mut parent = 0;
        for k in 0..joints {
            let at = if k == 0 { [0.2 - 0.1 * limb as f64, side, 0.0] } else { [0.0, 0.03 * side, -0.2] };
            links.push(link(Some(parent), Joint::Revolute { axis: axes[k % 4] }, at));
            parent = links.len() - 1;
        }
    }
    links
}

fn measure(c: &mut Criterion, name: &str, limbs: &[usize]) {
    let tree = Tree::new(robot(limbs)).expect("valid links");
    let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
    let mut q = vec![0.0; tree.nq()];
    tree.neutral(&mut q);
    for (k, q) in q.iter_mut().enumerate().skip(7) {
        *q = 0.3 * (k % 5) as f64 - 0.5;
    }
    let v: Vec<f64> = (0..tree.nv()).map(|k| 0.1 * (k % 7) as f64).collect();
    let (efforts, mut vdot) = (vec![0.5; tree.nv()], vec![0.0; tree.nv()]);
    let wrenches = vec![Wrench::zero(); tree.links().len()];
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    c.bench_function(name, |b| {
        b.iter(|| {
            tree.kinematics(black_box(&q), black_box(&v), &[], &mut kin);
            let loads = Loads {
                wrenches: &wrenches,
                efforts: black_box(&efforts),
                gravity,
                driven: &[],
                yields: None,
            };
            tree.accelerations_under(&kin, &v, &loads, &mut vdot, &mut ws);
            black_box(&mut vdot);
        });
    });
}

fn aba(c: &mut Criterion) {
    measure(c, "quadruped, 12 joints", &[3; 4]);
    measure(c, "humanoid, 21 joints", &[3, 3, 3, 6, 6]);
    measure(c, "humanoid, 27 joints", &[3, 6, 6, 6, 6]);
}

criterion_group!(benches, aba);
criterion_main!(benches);
