//! What must not change: energy of a falling chain, momentum of a robot that moves its own joints.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
mod random;

use bristle_bodies::{Inertia, Joint, Kinematics, Link, Loads, Pose, Scratch, Tree, Wrench};
use nalgebra::{Matrix3, Translation3, Unit, Vector3};
use random::Random;

const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

/// Steps a tree in time with the classical Runge–Kutta method.
struct Mover<'a> {
    tree: &'a Tree<f64>,
    gravity: Vector3<f64>,
    /// Efforts along all velocities as a function of time.
    efforts: &'a dyn Fn(f64) -> Vec<f64>,
}

impl Mover<'_> {
    fn rhs(&self, t: f64, x: &[f64]) -> Vec<f64> {
        let (nq, nv) = (self.tree.nq(), self.tree.nv());
        let (q, v) = x.split_at(nq);
        let (mut kin, mut ws) = (Kinematics::new(self.tree), Scratch::new(self.tree));
        let wrenches = vec![Wrench::zero(); self.tree.links().len()];
        let efforts = (self.efforts)(t);
        let mut dx = vec![0.0; nq + nv];
        self.tree.rates(q, v, &mut dx[..nq]);
        self.tree.kinematics(q, v, &[], &mut kin);
        let loads = Loads {
            wrenches: &wrenches,
            efforts: &efforts,
            gravity: self.gravity,
            driven: &[],
            yields: None,
        };
        self.tree.accelerations_under(&kin, v, &loads, &mut dx[nq..], &mut ws);
        dx
    }

    fn run(&self, x: &mut [f64], end: f64, steps: usize) {
        let h = end / steps as f64;
        for n in 0..steps {
            let t = n as f64 * h;
            let shifted = |k: &[f64], h: f64| x.iter().zip(k).map(|(x, k)| x + h * k).collect::<Vec<_>>();
            let k1 = self.rhs(t, x);
            let k2 = self.rhs(t + h / 2.0, &shifted(&k1, h / 2.0));
            let k3 = self.rhs(t + h / 2.0, &shifted(&k2, h / 2.0));
            let k4 = self.rhs(t + h, &shifted(&k3, h));
            for (i, x) in x.iter_mut().enumerate() {
                *x += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
            self.tree.normalise(&mut x[..self.tree.nq()]);
        }
    }
}

fn at(tree: &Tree<f64>, x: &[f64]) -> Kinematics<f64> {
    let mut kin = Kinematics::new(tree);
    tree.kinematics(&x[..tree.nq()], &x[tree.nq()..], &[], &mut kin);
    kin
}

/// Twenty rods, joined in turn by revolute, universal, spherical and cylindrical joints; the first one is free.
fn chain() -> Tree<f64> {
    let rod = Inertia {
        mass: 0.3,
        center: Vector3::new(0.0, 0.01, -0.1),
        about_center: Matrix3::from_diagonal(&Vector3::new(1.1e-3, 1.0e-3, 3e-4)),
    };
    let joint = |i: usize| match i {
        0 => Joint::Floating,
        _ if i % 4 == 1 => Joint::Revolute { axis: Vector3::x_axis() },
        _ if i % 4 == 2 => Joint::Universal { axes: [Vector3::x_axis(), Vector3::y_axis()] },
        _ if i % 4 == 3 => Joint::Spherical,
        _ => Joint::Cylindrical { axis: Vector3::z_axis() },
    };
    let link = |i: usize| Link {
        name: format!("rod {i}"),
        parent: i.checked_sub(1),
        joint: joint(i),
        placement: Pose::from_parts(Translation3::new(0.0, 0.0, -0.2), nalgebra::one()),
        inertia: rod,
    };
    let links: Vec<_> = (0..20).map(link).collect();
    let armature =
        links.iter().flat_map(|l| vec![if l.parent.is_some() { 1e-3 } else { 0.0 }; l.joint.nv()]).collect();
    Tree::with_armature(links, armature).unwrap()
}

/// Change of the energy of the chain over 0.5 s of falling and spinning, against its kinetic energy at the start.
fn energy_error(steps: usize) -> f64 {
    let tree = chain();
    let mut random = Random::new(5);
    let mut x = vec![0.0; tree.nq()];
    tree.neutral(&mut x);
    x.iter_mut().for_each(|x| *x += 0.2 * random.number());
    tree.normalise(&mut x);
    x.extend(random.numbers(tree.nv()).iter().map(|v| 2.0 * v));
    let energy = |x: &[f64]| {
        let kin = at(&tree, x);
        (tree.kinetic_energy(&kin), tree.potential_energy(&kin, &GRAVITY))
    };
    let (kinetic, potential) = energy(&x);
    let mover = Mover { tree: &tree, gravity: GRAVITY, efforts: &|_| vec![] };
    mover.run(&mut x, 0.5, steps);
    let (kinetic_end, potential_end) = energy(&x);
    assert!(
        (potential_end - potential).abs() > 1.0,
        "the chain moves in gravity: {potential} {potential_end}"
    );
    ((kinetic_end + potential_end) - (kinetic + potential)).abs() / kinetic
}

#[test]
fn a_falling_spinning_chain_of_twenty_links_keeps_its_energy_to_the_order_of_the_integrator() {
    let errors = [250, 500, 1000].map(energy_error);
    assert!(errors[2] < 1e-9, "{errors:?}");
    for pair in errors.windows(2) {
        assert!(pair[0] / pair[1] > 12.0, "order four or better: {errors:?}");
    }
}

#[test]
fn a_floating_robot_cannot_change_its_momentum_by_its_own_joints() {
    let mut random = Random::new(11);
    let joints = [
        Joint::Revolute { axis: Unit::new_normalize(random.vector()) },
        Joint::Spherical,
        Joint::Universal { axes: [Vector3::z_axis(), Vector3::x_axis()] },
        Joint::Prismatic { axis: Vector3::y_axis() },
        Joint::Cylindrical { axis: Vector3::x_axis() },
        Joint::Planar,
    ];
    let mut links = vec![random.tree(1, true).links()[0].clone()];
    (links[0].joint, links[0].placement) = (Joint::Floating, Pose::identity());
    for (i, joint) in joints.into_iter().enumerate() {
        let (placement, inertia) = (random.pose(), random.inertia());
        links.push(Link { name: format!("limb {i}"), parent: Some(i / 2), joint, placement, inertia });
    }
    let armature: Vec<f64> = (0..18).map(|k| if k < 6 { 0.0 } else { 0.05 }).collect();
    let tree = Tree::with_armature(links, armature).unwrap();
    let nv = tree.nv();
    let efforts = |t: f64| (0..nv).map(|k| if k < 6 { 0.0 } else { (7.0 * t + k as f64).sin() }).collect();

    let drift = |steps: usize| {
        let mut random = Random::new(3);
        let mut x = random.configuration(&tree);
        x.extend(random.numbers(nv));
        let before = tree.momentum(&at(&tree, &x));
        let energy = tree.kinetic_energy(&at(&tree, &x));
        Mover { tree: &tree, gravity: Vector3::zeros(), efforts: &efforts }.run(&mut x, 1.0, steps);
        let after = tree.momentum(&at(&tree, &x));
        assert!((tree.kinetic_energy(&at(&tree, &x)) / energy - 1.0).abs() > 0.01, "the joints do work");
        ((after.torque - before.torque).norm() / before.torque.norm())
            .max((after.force - before.force).norm() / before.force.norm())
    };
    let (coarse, fine) = (drift(200), drift(400));
    assert!(fine < 1e-8, "{fine:e}");
    assert!(coarse / fine > 10.0 || fine < 1e-13, "{coarse:e} {fine:e}");
}

#[test]
fn jacobians_times_velocity_are_velocities() {
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let tree = random.tree(8, false);
        let (q, v) = (random.configuration(&tree), random.numbers(tree.nv()));
        let mut kin = Kinematics::new(&tree);
        tree.kinematics(&q, &v, &[], &mut kin);
        let (link, point) = (random.below(8), random.vector());
        let mut columns = vec![bristle_bodies::Twist::zero(); tree.nv()];
        tree.jacobian(&kin, link, &point, &mut columns);
        let sum = columns.iter().zip(&v).fold(bristle_bodies::Twist::zero(), |sum, (c, &v)| sum + *c * v);
        let twist = kin.links[link].twist_at(&point);
        assert!((sum.angular - twist.angular).norm() + (sum.linear - twist.linear).norm() < 1e-13);

        let mut columns = vec![Vector3::zeros(); tree.nv()];
        tree.center_jacobian(&kin, &mut columns, &mut Scratch::new(&tree));
        let sum = columns.iter().zip(&v).fold(Vector3::zeros(), |sum, (c, &v)| sum + c * v);
        let velocity = tree.momentum(&kin).force / tree.mass();
        assert!((sum - velocity).norm() < 1e-13 * (1.0 + velocity.norm()), "seed {seed}");
    }
}
