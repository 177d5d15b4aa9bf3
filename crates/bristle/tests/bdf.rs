//! `method = "bdf"` on scenes: a robot that lands, its ledger, and a run that is taken up again.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

use bristle::ode::Stats;
use bristle::run::run;
use bristle::runner::Runner;
use bristle::scene::{Access, Scene};
use bristle::{Prepared, prepare};

fn scene(file: &str, method: &str, rtol: f64, duration: f64) -> Prepared {
    let path = format!("{}/../../{file}", env!("CARGO_MANIFEST_DIR"));
    let set = [
        format!("simulation.integrator={{ method = \"{method}\", rtol = {rtol:e} }}"),
        format!("simulation.duration={duration}"),
    ];
    prepare(&Scene::load_with(path, &set, Access::Anywhere).unwrap()).unwrap()
}

const LANDING: &str = "bench/peers/scenes/quadruped.toml";

/// Positions at the end, and counts.
fn land(method: &str, rtol: f64) -> (Vec<f64>, Stats) {
    let scene = scene(LANDING, method, rtol, 0.3);
    let done = run(&scene.model, &scene.q, &scene.v, &scene.options, |_| true).unwrap();
    (done.state.x[..scene.q.len()].to_vec(), done.stats)
}

#[test]
fn a_robot_lands_with_few_evaluations() {
    let (exact, _) = land("dop853", 1e-9);
    let error = |q: &[f64]| q.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let mut before = f64::INFINITY;
    for rtol in [1e-2, 1e-4, 1e-6] {
        let (q, stats) = land("bdf", rtol);
        println!("{rtol:e}: {:e} {stats:?}", error(&q));
        assert!(error(&q) < before && error(&q) < rtol, "{rtol:e}: {:e}", error(&q));
        before = error(&q);
    }
    let (stiff, [bdf, rodas4]) = (1e-3, ["bdf", "rodas4"].map(|method| land(method, 1e-3).1.evaluations));
    assert!(bdf * 5 < rodas4, "{stiff:e}: {bdf} {rodas4}");
}

/// Accounts are integrated with the motion: what the ledger cannot place shrinks with the tolerance.
#[test]
fn the_ledger_closes_on_a_drop() {
    let mut before = f64::INFINITY;
    for rtol in [1e-4, 1e-6, 1e-8] {
        let scene = scene("scenes/quadruped_drop.toml", "bdf", rtol, 0.6);
        let done = run(&scene.model, &scene.q, &scene.v, &scene.options, |_| true).unwrap();
        let open = done.closure / done.in_play;
        println!("{rtol:e}: {open:e} {:?}", done.stats);
        assert!(done.stats.events > 4 && open < 0.1 * rtol && open < before, "{rtol:e}: {open:e}");
        before = open;
    }
}

/// Saved in contact and in flight, with a past and without: the same bits.
#[test]
fn a_restored_run_is_the_same_run() {
    let scene = scene("scenes/quadruped_drop.toml", "bdf", 1e-5, 0.5);
    let fresh = || Runner::new(&scene.model, &scene.q, &scene.v, &scene.options).unwrap();
    let (mut whole, mut parts) = (fresh(), fresh());
    let mut step = 0;
    while whole.step().unwrap() {
        if step % 13 == 0 {
            let saved = parts.save().unwrap();
            parts = fresh();
            parts.restore(&saved).unwrap();
        }
        assert!(parts.step().unwrap());
        step += 1;
    }
    let (whole, parts) = (whole.finish(), parts.finish());
    assert!(step > 100 && whole.stats.events > 4, "{:?}", whole.stats);
    assert_eq!(whole.state.x, parts.state.x);
    assert_eq!(whole.stats, parts.stats);
}
