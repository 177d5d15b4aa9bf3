//! Motions with a closed form or a conserved quantity.
#![allow(clippy::unwrap_used)]

use bristle_bodies::{Driven, Inertia, Joint, Kinematics, Link, Pose, Scratch, Tree, Twist, Wrench};
use nalgebra::{Matrix3, Translation3, UnitQuaternion, Vector3};

fn link(parent: Option<usize>, joint: Joint<f64>, at: Vector3<f64>, inertia: Inertia<f64>) -> Link<f64> {
    let placement = Pose::from_parts(Translation3::from(at), UnitQuaternion::identity());
    Link { name: "link".into(), parent, joint, placement, inertia }
}

fn accelerate(
    tree: &Tree<f64>,
    q: &[f64],
    v: &[f64],
    wrenches: &[Wrench<f64>],
    gravity: Vector3<f64>,
    driven: &[Driven<f64>],
) -> Vec<f64> {
    let (mut kin, mut ws, mut vdot) = (Kinematics::new(tree), Scratch::new(tree), vec![0.0; tree.nv()]);
    tree.kinematics(q, v, driven, &mut kin);
    tree.accelerations(&kin, v, wrenches, &gravity, driven, &mut vdot, &mut ws);
    vdot
}

/// One classical Runge–Kutta step without loads.
fn rk4(tree: &Tree<f64>, x: &mut [f64], h: f64) {
    let nq = tree.nq();
    let wrenches = vec![Wrench::zero(); tree.links().len()];
    let rhs = |x: &[f64]| {
        let mut dx = vec![0.0; nq];
        tree.rates(&x[..nq], &x[nq..], &mut dx);
        dx.extend(accelerate(tree, &x[..nq], &x[nq..], &wrenches, Vector3::zeros(), &[]));
        dx
    };
    let shifted = |k: &[f64], h: f64| x.iter().zip(k).map(|(x, k)| x + h * k).collect::<Vec<_>>();
    let k1 = rhs(x);
    let k2 = rhs(&shifted(&k1, h / 2.0));
    let k3 = rhs(&shifted(&k2, h / 2.0));
    let k4 = rhs(&shifted(&k3, h));
    for (i, x) in x.iter_mut().enumerate() {
        *x += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    tree.normalise(&mut x[..nq]);
}

/// Relative drift of energy and of angular momentum of a tumbling body after 2 s.
fn drift(steps: usize) -> (f64, f64) {
    let about_center = Matrix3::from_diagonal(&Vector3::new(0.2, 0.3, 0.45));
    let body = Inertia { mass: 2.0, center: Vector3::new(0.1, -0.2, 0.05), about_center };
    let tree = Tree::new(vec![link(None, Joint::Floating, Vector3::zeros(), body)]).unwrap();
    let mut x = vec![0.5, 0.2, -0.3, 0.0, 0.0, 0.0, 1.0, 0.4, 3.0, 0.3, 0.2, -0.1, 0.6];
    let mut kin = Kinematics::new(&tree);
    let mut sample = |x: &[f64]| {
        tree.kinematics(&x[..7], &x[7..], &[], &mut kin);
        (tree.kinetic_energy(&kin), tree.momentum(&kin))
    };
    let (energy, momentum) = sample(&x);
    for _ in 0..steps {
        rk4(&tree, &mut x, 2.0 / steps as f64);
    }
    let (energy_end, momentum_end) = sample(&x);
    let turned = (momentum_end.torque - momentum.torque).norm() / momentum.torque.norm();
    ((energy_end / energy - 1.0).abs(), turned)
}

#[test]
fn a_free_asymmetric_top_conserves_energy_and_angular_momentum_to_order_four() {
    let (coarse, fine) = (drift(200), drift(400));
    assert!(fine.0 < 1e-8 && fine.1 < 1e-8, "{fine:?}");
    assert!(coarse.0 / fine.0 > 12.0 && coarse.1 / fine.1 > 12.0, "{coarse:?} {fine:?}");
}

#[test]
fn a_double_pendulum_accelerates_as_in_the_textbook() {
    // point masses on rods along −z at rest, turning about y; angles from the vertical: θ1 = q1, θ2 = q1 + q2
    let (m1, m2, l1, l2, g) = (1.3, 0.7, 0.9, 0.6, 9.81);
    let mass = |m: f64, l: f64| Inertia { center: Vector3::new(0.0, 0.0, -l), ..Inertia::point(m) };
    let joint = Joint::Revolute { axis: Vector3::y_axis() };
    let tree = Tree::new(vec![
        link(None, joint.clone(), Vector3::new(0.3, 0.1, 2.0), mass(m1, l1)),
        link(Some(0), joint, Vector3::new(0.0, 0.0, -l1), mass(m2, l2)),
    ])
    .unwrap();
    let (q, v) = ([0.7, -1.9], [1.1, 2.3]);
    let found = accelerate(&tree, &q, &v, &[Wrench::zero(); 2], Vector3::new(0.0, 0.0, -g), &[]);

    let (a1, a2, w1, w2) = (q[0], q[0] + q[1], v[0], v[0] + v[1]);
    let d = a1 - a2;
    let den = 2.0 * m1 + m2 - m2 * (2.0 * d).cos();
    let acc1 = (-g * (2.0 * m1 + m2) * a1.sin()
        - m2 * g * (a1 - 2.0 * a2).sin()
        - 2.0 * d.sin() * m2 * (w2 * w2 * l2 + w1 * w1 * l1 * d.cos()))
        / (l1 * den);
    let acc2 =
        2.0 * d.sin() * (w1 * w1 * l1 * (m1 + m2) + g * (m1 + m2) * a1.cos() + w2 * w2 * l2 * m2 * d.cos())
            / (l2 * den);
    assert!((found[0] - acc1).abs() < 1e-12 * acc1.abs(), "{} {acc1}", found[0]);
    assert!((found[0] + found[1] - acc2).abs() < 1e-12 * acc2.abs(), "{} {acc2}", found[0] + found[1]);
}

#[test]
fn a_planar_body_moves_as_newton_and_euler_say() {
    // centre of mass c ahead of the origin: a_c = f/m, I_c θ̈ = τ − (c × f)_z, a_o = a_c − θ̈ ẑ × c + θ̇² c
    let (m, izz, arm) = (3.0, 0.4, 0.25);
    let about_center = Matrix3::from_diagonal(&Vector3::new(0.3, 0.3, izz));
    let body = Inertia { mass: m, center: Vector3::new(arm, 0.0, 0.0), about_center };
    let tree = Tree::new(vec![link(None, Joint::Planar, Vector3::new(0.0, 0.0, 1.0), body)]).unwrap();
    let (angle, rate) = (0.8f64, 1.7);
    let (f, torque) = (Vector3::new(2.0, -5.0, 11.0), 0.9);
    let load = Wrench { torque: Vector3::new(4.0, 5.0, torque), force: f };
    let found = accelerate(&tree, &[0.4, -0.2, angle], &[0.3, 0.6, rate], &[load], Vector3::zeros(), &[]);

    let c = Vector3::new(arm * angle.cos(), arm * angle.sin(), 0.0);
    let spin = (torque - c.cross(&f).z) / izz;
    let origin = f / m - Vector3::new(0.0, 0.0, spin).cross(&c) + c * rate * rate;
    assert!((found[2] - spin).abs() < 1e-13 * spin.abs());
    assert!((found[0] - origin.x).abs() < 1e-13 && (found[1] - origin.y).abs() < 1e-13, "{found:?} {origin}");
}

#[test]
fn a_pendulum_on_a_driven_pivot_feels_its_acceleration() {
    // I θ̈ = −m l (g + z̈) sin θ − m l ẍ cos θ for a point mass at −l z, θ about −y so that x grows with θ
    let (m, l, g) = (0.8, 0.5, 9.81);
    let bob = Inertia { center: Vector3::new(0.0, 0.0, -l), ..Inertia::point(m) };
    let joint = Joint::Revolute { axis: -Vector3::y_axis() };
    let tree = Tree::new(vec![
        link(None, Joint::Driven, Vector3::zeros(), Inertia::point(0.0)),
        link(Some(0), joint, Vector3::zeros(), bob),
    ])
    .unwrap();
    let acceleration = Twist { angular: Vector3::zeros(), linear: Vector3::new(3.0, 0.0, 2.0) };
    let twist = Twist { angular: Vector3::zeros(), linear: Vector3::new(7.0, 1.0, -4.0) };
    let driven = [Driven { pose: Pose::translation(1.0, 2.0, 3.0), twist, acceleration }];
    let (angle, rate) = (0.6f64, 2.0);
    let gravity = Vector3::new(0.0, 0.0, -g);
    let found = accelerate(&tree, &[angle], &[rate], &[Wrench::zero(); 2], gravity, &driven);
    let expected = -((g + 2.0) * angle.sin() + 3.0 * angle.cos()) / l;
    assert!((found[0] - expected).abs() < 1e-13 * expected.abs(), "{} {expected}", found[0]);
}

#[test]
fn a_bead_on_a_spinning_bar_is_thrown_outward() {
    // r̈ = ω² r on a bar driven at constant spin; the Coriolis force is held by the bar
    let joint = Joint::Prismatic { axis: Vector3::x_axis() };
    let tree = Tree::new(vec![
        link(None, Joint::Driven, Vector3::zeros(), Inertia::point(0.0)),
        link(Some(0), joint, Vector3::zeros(), Inertia::point(0.3)),
    ])
    .unwrap();
    let twist = Twist { angular: Vector3::new(0.0, 0.0, 4.0), linear: Vector3::zeros() };
    let driven = [Driven { twist, ..Driven::at_rest(Pose::identity()) }];
    let found = accelerate(&tree, &[0.5], &[2.0], &[Wrench::zero(); 2], Vector3::zeros(), &driven);
    assert!((found[0] - 16.0 * 0.5).abs() < 1e-14, "{found:?}");
}

#[test]
fn a_thousand_spheres_fall_alike() {
    let ball = link(None, Joint::Floating, Vector3::zeros(), Inertia::solid_sphere(1.0, 0.1));
    let tree = Tree::new(vec![ball; 1000]).unwrap();
    let mut q = vec![0.0; tree.nq()];
    tree.neutral(&mut q);
    let wrenches = vec![Wrench::zero(); 1000];
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    let found = accelerate(&tree, &q, &vec![1.0; tree.nv()], &wrenches, gravity, &[]);
    assert!(found.chunks(6).all(|vdot| vdot == [0.0, 0.0, 0.0, 0.0, 0.0, -9.81]));
}
