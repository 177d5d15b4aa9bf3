//! Three formulations of the same mechanics must agree: articulated bodies, Newton–Euler, and the mass matrix.

#[allow(dead_code)]
mod random;

use bristle_bodies::{Kinematics, Loads, Scratch};
use nalgebra::{DVector, Vector3};
use random::Random;

#[test]
fn articulated_bodies_agree_with_newton_euler_and_the_mass_matrix() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let size = 1 + seed as usize % 60;
        let tree = random.tree(size, seed % 2 == 1);
        if tree.nv() == 0 {
            continue; // all links fixed: nothing to solve
        }
        let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
        let (q, v) = (random.configuration(&tree), random.numbers(tree.nv()));
        let (driven, wrenches) = (random.driven(&tree), random.wrenches(&tree));
        let efforts = if seed % 3 == 0 { vec![] } else { random.numbers(tree.nv()) };
        let gravity = random.vector() * 9.81;
        let loads = Loads { wrenches: &wrenches, efforts: &efforts, gravity, driven: &driven, yields: None };

        tree.kinematics(&q, &v, &driven, &mut kin);
        let mut vdot = vec![f64::NAN; tree.nv()];
        tree.accelerations_under(&kin, &v, &loads, &mut vdot, &mut ws);

        // M v̇ = −(effort needed for v̇ = 0); both sides from the other two algorithms
        let mut rest = vec![f64::NAN; tree.nv()];
        tree.inverse_dynamics(&kin, &v, &vec![0.0; tree.nv()], &loads, &mut rest, &mut ws);
        let mass = tree.mass_matrix(&kin);
        let solved = mass.clone().lu().solve(&-DVector::from_vec(rest)).unwrap();
        // measured by the energy that the velocity v̇ would have: metres and radians weigh as they should
        let found = DVector::from_vec(vdot.clone());
        let size_of = |a: &DVector<f64>| a.dot(&(&mass * a)).sqrt();
        let error = size_of(&(&found - solved)) / size_of(&found);
        assert!(error < 1e-12, "seed {seed}, {size} links: {error:e}");
        let scale = found.norm().max(1.0);

        // the effort needed for v̇ beyond the loads is none
        let mut none = vec![f64::NAN; tree.nv()];
        tree.inverse_dynamics(&kin, &v, &vdot, &loads, &mut none, &mut ws);
        let residual = DVector::from_vec(none).norm() / (mass.norm() * scale);
        assert!(residual < 1e-13, "seed {seed}: residual {residual:e}");
    }
}

#[test]
fn inertias_that_are_kept_give_the_same_bits() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let tree = random.tree(1 + seed as usize % 20, seed % 2 == 1);
        let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
        let (q, driven) = (random.configuration(&tree), random.driven(&tree));
        let mut kept = vec![f64::NAN; tree.nv()];
        for round in 0..3 {
            let (v, wrenches) = (random.numbers(tree.nv()), random.wrenches(&tree));
            let (efforts, gravity) = (random.numbers(tree.nv()), random.vector() * 9.81);
            let loads =
                Loads { wrenches: &wrenches, efforts: &efforts, gravity, driven: &driven, yields: None };
            tree.kinematics(&q, &v, &driven, &mut kin);
            if round == 0 {
                tree.accelerations_under(&kin, &v, &loads, &mut kept, &mut ws);
            } else {
                tree.accelerations_again(&kin, &v, &loads, &mut kept, &mut ws);
            }
            let mut found = vec![f64::NAN; tree.nv()];
            tree.accelerations_under(&kin, &v, &loads, &mut found, &mut Scratch::new(&tree));
            assert_eq!(kept, found, "seed {seed}, round {round}");
        }
    }
}

#[test]
fn kinetic_energy_is_the_quadratic_form_of_the_mass_matrix() {
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let tree = random.tree(6, false);
        let mut kin = Kinematics::new(&tree);
        let (q, v) = (random.configuration(&tree), random.numbers(tree.nv()));
        tree.kinematics(&q, &v, &[], &mut kin);
        let v = DVector::from_vec(v);
        let form = 0.5 * v.dot(&(tree.mass_matrix(&kin) * &v));
        let energy = tree.kinetic_energy(&kin);
        assert!((form - energy).abs() < 1e-13 * energy, "seed {seed}: {form} {energy}");
    }
}

#[test]
fn a_free_body_with_a_massless_twin_attached_moves_the_same() {
    // the attached link takes the body out of the closed form and into the recursion with its 6×6 solve
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut link = random.tree(1, false).links()[0].clone();
        link.joint = bristle_bodies::Joint::Floating;
        let mut twin = link.clone();
        (twin.parent, twin.joint) = (Some(0), bristle_bodies::Joint::Fixed);
        twin.inertia = bristle_bodies::Inertia::point(0.0);
        let free = bristle_bodies::Tree::new(vec![link.clone()]).unwrap();
        let held = bristle_bodies::Tree::new(vec![link, twin]).unwrap();
        let (q, v) = (random.configuration(&free), random.numbers(6));
        let wrenches = [random.wrench(), bristle_bodies::Wrench::zero()];
        let gravity = Vector3::new(0.3, -1.0, -9.81);
        let run = |tree: &bristle_bodies::Tree<f64>| {
            let (mut kin, mut ws, mut vdot) = (Kinematics::new(tree), Scratch::new(tree), [0.0; 6]);
            tree.kinematics(&q, &v, &[], &mut kin);
            let n = tree.links().len();
            tree.accelerations(&kin, &v, &wrenches[..n], &gravity, &[], &mut vdot, &mut ws);
            DVector::from_row_slice(&vdot)
        };
        let (short, long) = (run(&free), run(&held));
        assert!((&short - &long).norm() < 1e-12 * long.norm(), "seed {seed}: {short} {long}");
    }
}
