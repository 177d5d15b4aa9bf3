//! Robots from files in scenes: both formats alike, standing without creep, falling with a closed ledger.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // what fails here, fails the test

use bristle::ode::System;
use bristle::run::run;
use bristle::scene::Scene;
use bristle::world::World;
use bristle::{Prepared, prepare};

fn scenes(name: &str) -> String {
    format!("{}/../../scenes/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn prepared(name: &str, changes: &[&str]) -> Prepared {
    let changes: Vec<String> = changes.iter().map(|c| (*c).to_string()).collect();
    prepare(&Scene::load(scenes(name), &changes).unwrap()).unwrap()
}

/// A robot alone, its joints bent by different angles.
fn alone(file: &str) -> Prepared {
    let path = std::env::temp_dir().join(format!("bristle-alone-{}-{file}.toml", std::process::id()));
    let text = format!(
        "schema = 1\n[simulation]\nduration = 1\n[robots.r]\nfile = \"{}\"\ntouch = []\nhold = {{ stiffness = 0 }}\n",
        scenes(&format!("robots/{file}"))
    );
    std::fs::write(&path, text).unwrap();
    let scene = Scene::load_with(&path, &[], bristle::scene::Access::Anywhere).unwrap();
    std::fs::remove_file(path).unwrap();
    prepare(&scene).unwrap()
}

/// Accelerations of all joints by name, in a state that depends on names only.
fn accelerations(p: &Prepared) -> Vec<(String, Vec<f64>)> {
    let tree = &p.model.tree;
    let (mut q, mut v) = (p.q.clone(), p.v.clone());
    let pick = |name: &str, k: usize| {
        let seed: usize = name.bytes().map(usize::from).sum::<usize>() + 7 * k;
        (seed as f64 * 0.37).sin()
    };
    for joint in &p.model.joints {
        let (rq, rv) = (tree.q_range(joint.link), tree.v_range(joint.link));
        q[rq.start] = pick(&joint.name, 1);
        v[rv.start] = pick(&joint.name, 2);
    }
    let base = p.model.bodies.iter().find(|b| b.name == "r/trunk" || b.name == "r/pelvis").unwrap();
    for (k, i) in tree.v_range(base.link).enumerate() {
        v[i] = pick("base", k);
    }
    let world = World::new(&p.model);
    let state = world.start(&q, &v);
    let mut dx = vec![0.0; state.x.len()];
    world.derivative(0.0, &state.x, &state.mode, &mut dx, &mut world.scratch());
    let of = |link: usize| tree.v_range(link).map(|i| dx[tree.nq() + i]).collect::<Vec<f64>>();
    let mut all: Vec<_> = p.model.joints.iter().map(|j| (j.name.clone(), of(j.link))).collect();
    all.push(("base".to_string(), of(base.link)));
    all.retain(|(_, rates)| !rates.is_empty());
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

#[test]
fn one_model_in_both_formats_accelerates_alike() {
    for (model, count) in [("quadruped", 13), ("humanoid", 22)] {
        let [urdf, mjcf] = ["urdf", "xml"].map(|end| accelerations(&alone(&format!("{model}.{end}"))));
        assert_eq!((urdf.len(), mjcf.len()), (count, count), "{model}");
        let size = urdf.iter().flat_map(|(_, r)| r).fold(0.0f64, |m, x| m.max(x.abs()));
        for ((name, a), (other, b)) in urdf.iter().zip(&mjcf) {
            assert_eq!(name, other);
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() <= 1e-12 * size, "{model} {name}: {a} {b}");
            }
        }
    }
}

#[test]
fn a_standing_quadruped_weighs_what_it_weighs_and_does_not_creep() {
    let p = prepared("quadruped_stand.toml", &["simulation.record={every=10}"]);
    let run = run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap();
    let column = |name: &str| &run.recording.column(name).unwrap_or_else(|| panic!("no {name}")).values;
    let weight = 13.6 * 9.81;
    for force in column("dog.contact_force.z") {
        assert!((force / weight - 1.0).abs() < 1e-9, "{force} N");
    }
    for foot in ["FR", "FL", "RR", "RL"] {
        for axis in ["x", "y"] {
            let path = column(&format!("dog/{foot}_calf.position.{axis}"));
            let drift = (path[path.len() - 1] - path[0]) / 60.0;
            assert!(drift.abs() < 1e-12, "{foot} {axis}: {drift:e} m/s");
        }
    }
    // the feet press evenly left and right, and the centre of pressure lies below the trunk
    assert!(column("dog.pressure_center.y").iter().all(|y| y.abs() < 1e-8));
    assert!(
        (column("dog/FR_calf.contact_force.z")[0] - column("dog/FL_calf.contact_force.z")[0]).abs() < 1e-6
    );
}

#[test]
fn falling_robots_close_their_ledger_with_motors_on() {
    for (name, duration) in [("quadruped_drop.toml", 1.0), ("humanoid_drop.toml", 0.5)] {
        let p = prepared(name, &[&format!("simulation.duration={duration}")]);
        let run = run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap();
        assert!(run.last.actuators.abs() > 0.1 * run.in_play, "{name}: the motors work");
        assert!(run.closure <= 1e-8 * run.in_play, "{name}: {:e}", run.closure / run.in_play);
        assert!(run.last.lost.iter().all(|l| *l >= -1e-12 * run.in_play), "{name} gains energy");
        assert!(run.episodes.len() >= 4, "{name} lands");
    }
}

#[test]
fn links_touch_what_the_scene_says_and_not_each_other() {
    let pairs = |changes: &[&str]| {
        let changes = &[&["robots.dog.start=given"], changes].concat();
        let p = prepared("quadruped_stand.toml", changes);
        let world = World::new(&p.model);
        world.start(&p.q, &p.v).mode.pairs.len()
    };
    assert_eq!(pairs(&[]), 4, "four feet and the ground");
    let all = "contacts=[{between=[\"*\", \"*\"], material=\"rubber\"}]";
    assert_eq!(pairs(&[all]), 4, "feet do not touch each other");
    assert_eq!(pairs(&[all, "robots.dog.self_contact=true"]), 4 + 6, "unless they are told to");
    let apart = "robots.dog.exclude=[[\"FR_calf\", \"FL_calf\"]]";
    assert_eq!(pairs(&[all, "robots.dog.self_contact=true", apart]), 4 + 5);
    assert_eq!(pairs(&["robots.dog.touch=[\"F*_calf\"]"]), 2, "only the front feet have shapes");
}
