//! The shipped block of grains falls into its box, comes to rest, and leaves of its energy unplaced what a method of order one does.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle::prepare;
use bristle::run::{Run, run};
use bristle::scene::Scene;

/// Side of the block, grains.
const SIDE: usize = 6;

fn settled(step: f64) -> Run {
    let path = format!("{}/../../scenes/grains.toml", env!("CARGO_MANIFEST_DIR"));
    let set = [
        format!("bodies.grain.copies.count=[{SIDE},{SIDE},{SIDE}]"),
        format!("parameters.width={}", 0.011 * SIDE as f64),
        "simulation.duration=0.6".to_string(),
        format!("simulation.integrator.step={step}"),
    ];
    let p = prepare(&Scene::load(&path, &set).unwrap()).unwrap();
    run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap()
}

#[test]
fn a_block_of_grains_comes_to_rest_in_its_box() {
    let [fine, rough] = [5e-5, 1e-4].map(settled);
    assert!(fine.crowd_steps > 11_000, "{} steps of a crowd", fine.crowd_steps);
    assert!(fine.unfollowed() > Some(SIDE.pow(3)), "each carries the next: {:?}", fine.unfollowed());
    let lost: f64 = fine.last.lost.iter().sum();
    assert!(lost > 0.2 * fine.initial.gravity, "the block has fallen: {lost} J");
    assert!(fine.last.kinetic < 1e-4 * lost, "still moving: {} J", fine.last.kinetic);
    let width = 0.011 * SIDE as f64;
    for grain in fine.state.x[..7 * SIDE.pow(3)].chunks(7) {
        // 4 to 5 mm from every wall: pressed into it by less than a fifth of the radius
        assert!(grain[..2].iter().all(|x| *x > 0.004 && *x < width - 0.004) && grain[2] > 0.004, "{grain:?}");
    }
    // of order one: half as much with half the step, but for other impacts in another disorder
    assert!(fine.closure < 0.75 * rough.closure, "{} {}", fine.closure, rough.closure);
}
