//! What further forces and efforts add is the difference to accelerations found with them.

#[allow(dead_code)]
mod random;

use bristle_bodies::{Kinematics, Loads, Push, Response, Scratch, Twist, Yields};
use nalgebra::Matrix3;
use random::Random;

#[test]
fn answers_to_pushes_are_differences_of_accelerations() {
    let (mut compared, mut along) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let tree = random.tree(1 + seed as usize % 20, seed % 2 == 1);
        let (nv, links) = (tree.nv(), tree.links().len());
        let pushable: Vec<usize> = (0..links).filter(|&link| tree.is_pushable(link)).collect();
        if pushable.is_empty() {
            continue;
        }
        let (mut kin, mut ws) = (Kinematics::new(&tree), Scratch::new(&tree));
        let (q, v) = (random.configuration(&tree), random.numbers(nv));
        let (driven, mut wrenches) = (random.driven(&tree), random.wrenches(&tree));
        let (mut efforts, gravity) = (random.numbers(nv), random.vector() * 9.81);
        tree.kinematics(&q, &v, &driven, &mut kin);
        let mut yields = Yields::new(&tree);
        for &link in pushable.iter().step_by(2) {
            let b = Matrix3::from_columns(&[random.vector(), random.vector(), random.vector()]);
            yields.add_at(link, &random.vector(), &(b * b.transpose()));
        }
        // links by wrenches, and joints along their velocities
        let pushes: Vec<Push<f64>> = (0..4)
            .map(|number| {
                let link = pushable[random.below(pushable.len())];
                let range = tree.v_range(link);
                match range.len() {
                    1..=3 if (seed + number) % 2 == 0 => {
                        let (v, effort) = (range.start + random.below(range.len()), random.numbers(1)[0]);
                        Push::Along { link, v, effort }
                    }
                    _ => Push::On(link, random.wrench()),
                }
            })
            .collect();

        let mut vdot = vec![f64::NAN; nv];
        let yields = Some(&yields);
        let loads = Loads { wrenches: &wrenches, efforts: &efforts, gravity, driven: &driven, yields };
        tree.accelerations_under(&kin, &v, &loads, &mut vdot, &mut ws);
        // without velocities: what loads give way to
        let (mut still, mut steady) = (kin.clone(), driven.clone());
        steady.iter_mut().for_each(|driven| driven.twist = Twist::zero());
        tree.twists(&vec![0.0; nv], &steady, &mut still);
        let at_rest = |vdot: &[f64]| {
            let mut all = vec![Twist::zero(); links];
            tree.link_accelerations(&still, &vec![0.0; nv], vdot, &steady, &mut all);
            all
        };
        let before = at_rest(&vdot);
        let size: f64 = vdot.iter().map(|x| x.abs()).fold(1.0, f64::max);
        let close = |a: &Twist<f64>, b: &Twist<f64>| {
            (a.angular - b.angular).norm() + (a.linear - b.linear).norm() < 1e-9 * size
        };
        let mut response = Response::new();
        for round in 0..2 {
            response.clear(&tree, links);
            pushes.iter().for_each(|push| response.ask(push.link()));
            tree.prepare(&kin, &loads, &ws, &mut response);
            for link in pushes.iter().map(Push::link) {
                let mut all = tree.acceleration_beyond_gravity(link, &vdot, &gravity, &ws);
                all.linear += gravity;
                assert!(close(&all, &before[link]), "seed {seed}, link {link}, round {round}");
            }
        }
        tree.respond(&kin, &ws, &[pushes[0], pushes[1]], &mut response);
        let answers: Vec<Option<Twist<f64>>> =
            pushes.iter().map(|push| response.of(push.link()).copied()).collect();
        let rates: Vec<(usize, f64)> = pushes
            .iter()
            .filter(|push| (1..=3).contains(&tree.v_range(push.link()).len()))
            .flat_map(|push| tree.v_range(push.link()).map(|v| (push.link(), v)))
            .map(|(link, v)| (v, response.along(link, v).unwrap_or(0.0)))
            .collect();
        pushes.iter().for_each(|push| tree.push(&kin, &ws, push, &mut response));
        let mut after_all = vdot.clone();
        tree.settle(&kin, &ws, &mut response, &mut after_all);

        let mut again = vec![f64::NAN; nv];
        for (number, push) in pushes.iter().enumerate() {
            match *push {
                Push::On(link, wrench) => wrenches[link] += wrench,
                Push::Along { v, effort, .. } => efforts[v] += effort,
            }
            let loads = Loads { wrenches: &wrenches, efforts: &efforts, gravity, driven: &driven, yields };
            tree.accelerations_under(&kin, &v, &loads, &mut again, &mut ws);
            if number != 1 {
                continue;
            }
            let after = at_rest(&again);
            for (link, answer) in pushes.iter().map(Push::link).zip(&answers) {
                let expected = after[link] - before[link];
                let found = answer.unwrap_or_else(Twist::zero);
                assert!(close(&found, &expected), "seed {seed}, link {link}: {found:?} {expected:?}");
                compared += 1;
            }
            for &(k, rate) in &rates {
                let expected = again[k] - vdot[k];
                assert!(
                    (rate - expected).abs() < 1e-9 * size,
                    "seed {seed}, velocity {k}: {rate} {expected}"
                );
                along += 1;
            }
        }
        for (k, (a, b)) in after_all.iter().zip(&again).enumerate() {
            assert!((a - b).abs() < 1e-9 * size, "seed {seed}, velocity {k}: {a} {b}");
        }
    }
    assert!(along > 400, "{along}");
    assert!(compared > 400, "{compared}");
}
