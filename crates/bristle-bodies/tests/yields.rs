//! Loads that give way: what the recursion finds is what the loads it leaves would cause.

#[allow(dead_code)]
mod random;

use bristle_bodies::{Driven, Kinematics, Loads, Scratch, Tree, Twist, Wrench, Yields};
use nalgebra::Matrix3;
use random::Random;

#[test]
fn the_accelerations_are_those_of_the_loads_that_are_left() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let tree = random.tree(1 + seed as usize % 20, seed % 2 == 1);
        let (nv, links) = (tree.nv(), tree.links().len());
        if nv == 0 {
            continue; // all links fixed: nothing to solve
        }
        let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
        let (q, v) = (random.configuration(&tree), random.numbers(nv));
        let (driven, wrenches) = (random.driven(&tree), random.wrenches(&tree));
        let (efforts, gravity) = (random.numbers(nv), random.vector() * 9.81);
        tree.kinematics(&q, &v, &driven, &mut kin);

        let mut yields = Yields::new(&tree);
        // two points on each link, each with a matrix B Bᵀ; and something along each velocity
        let mut points = Vec::new();
        for link in 0..links {
            for _ in 0..2 {
                let b = Matrix3::from_columns(&[random.vector(), random.vector(), random.vector()]);
                let point = (link, random.vector(), b * b.transpose());
                yields.add_at(point.0, &point.1, &point.2);
                points.push(point);
            }
        }
        let along: Vec<f64> = random.numbers(nv).iter().map(|x| x * x).collect();
        along.iter().enumerate().for_each(|(k, by)| {
            // a floating joint has no inertia of its own along its velocities
            if !is_floating(&tree, k) {
                yields.add_along(k, *by);
            }
        });
        let loads =
            Loads { wrenches: &wrenches, efforts: &efforts, gravity, driven: &driven, yields: Some(&yields) };
        let mut vdot = vec![f64::NAN; nv];
        tree.accelerations_under(&kin, &v, &loads, &mut vdot, &mut ws);

        let mut moved = vec![Twist::zero(); links];
        let (still, steady) = at_rest(&tree, &kin, &driven);
        tree.link_accelerations(&still, &vec![0.0; nv], &vdot, &steady, &mut moved);
        let mut left: Vec<Wrench<f64>> = wrenches.clone();
        for (link, offset, by) in &points {
            let force = -(by * (moved[*link].linear + moved[*link].angular.cross(offset)));
            left[*link] += Wrench { torque: offset.cross(&force), force };
        }
        let efforts: Vec<f64> = (0..nv)
            .map(|k| efforts[k] - if is_floating(&tree, k) { 0.0 } else { along[k] * vdot[k] })
            .collect();
        let loads = Loads { wrenches: &left, efforts: &efforts, gravity, driven: &driven, yields: None };
        let mut again = vec![f64::NAN; nv];
        tree.accelerations_under(&kin, &v, &loads, &mut again, &mut ws);
        let size: f64 = vdot.iter().map(|x| x.abs()).fold(1.0, f64::max);
        for (k, (a, b)) in vdot.iter().zip(&again).enumerate() {
            // the loads left are small differences of large ones: conditions of some 1e4 are common in such trees
            assert!((a - b).abs() < 1e-9 * size, "seed {seed}, velocity {k}: {a} {b}");
        }
    }
}

/// Links where they are, without velocities: their accelerations are what loads give way to.
fn at_rest(
    tree: &Tree<f64>,
    kin: &Kinematics<f64>,
    driven: &[Driven<f64>],
) -> (Kinematics<f64>, Vec<Driven<f64>>) {
    let (mut still, mut steady) = (kin.clone(), driven.to_vec());
    steady.iter_mut().for_each(|driven| driven.twist = Twist::zero());
    tree.twists(&vec![0.0; tree.nv()], &steady, &mut still);
    (still, steady)
}

fn is_floating(tree: &Tree<f64>, k: usize) -> bool {
    let mut next = 0;
    for link in tree.links() {
        next += link.joint.nv();
        if k < next {
            return matches!(link.joint, bristle_bodies::Joint::Floating);
        }
    }
    false
}
