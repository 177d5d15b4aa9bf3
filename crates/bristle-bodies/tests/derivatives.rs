//! Exact derivatives by duals: twists are the rates of poses, and power is the rate of energy.

#[allow(dead_code)]
mod random;

use bristle_bodies::{Driven, Kinematics, Loads, Placed, Pose, Scratch, Tree};
use bristle_math::{Dual, Lanes, Real};
use nalgebra::{Const, Quaternion, SimdValue, Translation3, U1, UnitQuaternion, Vector3};
use random::Random;

fn slope(x: Dual<1>) -> f64 {
    x.eps.unwrap_generic(Const::<1>, U1)[0]
}

/// `value + rate · t` at t = 0.
fn moving(value: &[f64], rate: &[f64]) -> Vec<Dual<1>> {
    let time = Dual::<1>::from_re(0.0).derivative(0);
    value.iter().zip(rate).map(|(&x, &r)| Dual::lit(x) + time * Dual::lit(r)).collect()
}

/// The driven motion near t = 0, to first order in its pose and twist.
fn moving_driven(driven: &Driven<f64>) -> Driven<Dual<1>> {
    let lift = |x: &Vector3<f64>, r: &Vector3<f64>| Vector3::from_vec(moving(x.as_slice(), r.as_slice()));
    let spin = Quaternion::from_imag(driven.twist.angular) * driven.pose.rotation.into_inner() * 0.5;
    let turn = moving(driven.pose.rotation.coords.as_slice(), spin.coords.as_slice());
    let twist = bristle_bodies::Twist {
        angular: lift(&driven.twist.angular, &driven.acceleration.angular),
        linear: lift(&driven.twist.linear, &driven.acceleration.linear),
    };
    let pose = Pose::from_parts(
        Translation3::from(lift(&driven.pose.translation.vector, &driven.twist.linear)),
        UnitQuaternion::new_unchecked(Quaternion::new(turn[3], turn[0], turn[1], turn[2])),
    );
    Driven { pose, twist, acceleration: bristle_bodies::Twist::zero() }
}

fn along(
    tree: &Tree<f64>,
    q: &[f64],
    v: &[f64],
    vdot: &[f64],
    driven: &[Driven<f64>],
) -> Kinematics<Dual<1>> {
    let lifted = tree.map(&mut Dual::<1>::lit);
    let mut qdot = vec![0.0; tree.nq()];
    tree.rates(q, v, &mut qdot);
    let driven: Vec<_> = driven.iter().map(moving_driven).collect();
    let mut kin = Kinematics::new(&lifted);
    lifted.kinematics(&moving(q, &qdot), &moving(v, vdot), &driven, &mut kin);
    kin
}

#[test]
fn twists_are_the_rates_of_poses() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let tree = random.tree(7, seed % 2 == 0);
        let (q, v) = (random.configuration(&tree), random.numbers(tree.nv()));
        let driven = random.driven(&tree);
        let kin = along(&tree, &q, &v, &vec![0.0; tree.nv()], &driven);
        for Placed { pose, twist } in &kin.links {
            let velocity = pose.translation.vector.map(slope);
            assert!((velocity - twist.linear.map(|x| x.re)).norm() < 1e-13, "seed {seed}");
            let turn = Quaternion::from(pose.rotation.coords.map(|x| x.re));
            let rate = Quaternion::from(pose.rotation.coords.map(slope));
            let spin = rate * turn.conjugate() * 2.0;
            assert!((spin.imag() - twist.angular.map(|x| x.re)).norm() < 1e-13, "seed {seed}");
            assert!(spin.w.abs() < 1e-13, "the quaternion keeps its length");
        }
    }
}

#[test]
fn energy_changes_by_the_power_of_the_loads() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let tree = random.tree(7, false);
        let (q, v) = (random.configuration(&tree), random.numbers(tree.nv()));
        let (wrenches, efforts) = (random.wrenches(&tree), random.numbers(tree.nv()));
        let gravity = Vector3::new(1.0, -2.0, -9.81);
        let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
        tree.kinematics(&q, &v, &[], &mut kin);
        let loads = Loads { wrenches: &wrenches, efforts: &efforts, gravity, driven: &[], yields: None };
        let mut vdot = vec![0.0; tree.nv()];
        tree.accelerations_under(&kin, &v, &loads, &mut vdot, &mut ws);

        let lifted = tree.map(&mut Dual::<1>::lit);
        let moved = along(&tree, &q, &v, &vdot, &[]);
        let energy = lifted.kinetic_energy(&moved)
            + lifted
                .potential_energy(&moved, &Vector3::new(Dual::lit(1.0), Dual::lit(-2.0), Dual::lit(-9.81)));
        let power: f64 = kin.links.iter().zip(&wrenches).map(|(l, w)| l.twist.power(w)).sum::<f64>()
            + v.iter().zip(&efforts).map(|(v, e)| v * e).sum::<f64>();
        let scale = tree.kinetic_energy(&kin) + vdot.iter().map(|x| x.abs()).sum::<f64>() + 1.0;
        assert!((slope(energy) - power).abs() < 1e-12 * scale, "seed {seed}: {} {power}", slope(energy));
    }
}

#[test]
fn links_on_a_driven_base_satisfy_the_principle_of_virtual_power() {
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let tree = random.tree(5, true);
        let (q, v) = (random.configuration(&tree), random.numbers(tree.nv()));
        let (driven, wrenches) = (random.driven(&tree), random.wrenches(&tree));
        let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
        tree.kinematics(&q, &v, &driven, &mut kin);
        let mut vdot = vec![0.0; tree.nv()];
        tree.accelerations(&kin, &v, &wrenches, &Vector3::zeros(), &driven, &mut vdot, &mut ws);

        // Jourdain: the virtual power of wrenches less rate of momentum vanishes for every free velocity
        let lifted = tree.map(&mut Dual::<1>::lit);
        let moved = along(&tree, &q, &v, &vdot, &driven);
        for k in 0..tree.nv() {
            let mut unit = vec![0.0; tree.nv()];
            unit[k] = 1.0;
            let mut virtual_motion = Kinematics::new(&tree);
            let still: Vec<_> = driven.iter().map(|d| Driven::at_rest(d.pose)).collect();
            tree.kinematics(&q, &unit, &still, &mut virtual_motion);
            let mut power = -tree.armature()[k] * vdot[k];
            for (i, link) in lifted.links().iter().enumerate() {
                let inertia = link.inertia.rotated(&moved.pose(i).rotation);
                let momentum = inertia.momentum(moved.twist(i));
                let force = momentum.force.map(slope);
                // angular momentum about the moving link origin changes by τ_o less v_o × p
                let torque =
                    momentum.torque.map(slope) + kin.twist(i).linear.cross(&momentum.force.map(|x| x.re));
                let rate = bristle_bodies::Wrench { torque, force };
                power += virtual_motion.twist(i).power(&(wrenches[i] - rate));
            }
            assert!(power.abs() < 1e-11, "seed {seed}, velocity {k}: {power:e}");
        }
    }
}

#[test]
fn lanes_equal_single_runs() {
    let mut random = Random::new(7);
    let tree = random.tree(6, false);
    let wrenches = random.wrenches(&tree);
    let states: Vec<_> = (0..4).map(|_| (random.configuration(&tree), random.numbers(tree.nv()))).collect();
    let gravity = Vector3::new(0.0, 0.0, -9.81);

    let wide = tree.map(&mut Lanes::lit);
    let pack = |pick: &dyn Fn(usize) -> f64| Lanes::from([pick(0), pick(1), pick(2), pick(3)]);
    let q: Vec<_> = (0..tree.nq()).map(|k| pack(&|lane| states[lane].0[k])).collect();
    let v: Vec<_> = (0..tree.nv()).map(|k| pack(&|lane| states[lane].1[k])).collect();
    let loads: Vec<_> = wrenches
        .iter()
        .map(|w| bristle_bodies::Wrench { torque: w.torque.map(Lanes::lit), force: w.force.map(Lanes::lit) })
        .collect();
    let (mut kin, mut ws) = (Kinematics::new(&wide), Scratch::new(&wide));
    let mut vdot_wide = vec![Lanes::lit(0.0); tree.nv()];
    wide.kinematics(&q, &v, &[], &mut kin);
    wide.accelerations(&kin, &v, &loads, &gravity.map(Lanes::lit), &[], &mut vdot_wide, &mut ws);

    for (lane, (q, v)) in states.iter().enumerate() {
        let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
        let mut vdot = vec![0.0; tree.nv()];
        tree.kinematics(q, v, &[], &mut kin);
        tree.accelerations(&kin, v, &wrenches, &gravity, &[], &mut vdot, &mut ws);
        for (wide, single) in vdot_wide.iter().zip(vdot) {
            assert!((wide.extract(lane) - single).abs() < 1e-12 * single.abs().max(1.0), "lane {lane}");
        }
    }
}

#[test]
fn accelerations_of_links_are_the_rates_of_their_twists() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let tree = random.tree(7, seed % 2 == 0);
        let (q, v, vdot) =
            (random.configuration(&tree), random.numbers(tree.nv()), random.numbers(tree.nv()));
        let driven = random.driven(&tree);
        let exact = along(&tree, &q, &v, &vdot, &driven);
        let mut kin = Kinematics::new(&tree);
        tree.kinematics(&q, &v, &driven, &mut kin);
        let mut found = vec![bristle_bodies::Twist::zero(); tree.links().len()];
        tree.link_accelerations(&kin, &v, &vdot, &driven, &mut found);
        for (i, found) in found.iter().enumerate() {
            let twist = exact.twist(i);
            let (angular, linear) = (twist.angular.map(slope), twist.linear.map(slope));
            let size = 1.0 + angular.norm() + linear.norm();
            assert!((found.angular - angular).norm() < 1e-12 * size, "seed {seed}, link {i}");
            assert!((found.linear - linear).norm() < 1e-12 * size, "seed {seed}, link {i}");
        }
    }
}

#[test]
fn twists_at_known_poses_are_those_of_the_kinematics() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let tree = random.tree(7, seed % 2 == 0);
        let (q, first, v) =
            (random.configuration(&tree), random.numbers(tree.nv()), random.numbers(tree.nv()));
        let driven = random.driven(&tree);
        let (mut whole, mut kept) = (Kinematics::new(&tree), Kinematics::new(&tree));
        tree.kinematics(&q, &v, &driven, &mut whole);
        tree.kinematics(&q, &first, &driven, &mut kept);
        tree.twists(&v, &driven, &mut kept);
        for (a, b) in whole.links.iter().zip(&kept.links) {
            // to the bit: who keeps poses must find what others find
            assert_eq!(a.pose, b.pose);
            assert_eq!(a.twist.linear, b.twist.linear, "seed {seed}");
            assert_eq!(a.twist.angular, b.twist.angular, "seed {seed}");
        }
        assert!((tree.kinetic_energy(&whole) - tree.kinetic_energy(&kept)).abs() < 1e-12, "armature too");
    }
}
