//! Two hundred frictional contacts: a chain of blocks on a conveyor, from Rust and from text.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

#[path = "support/chain.rs"]
mod chain;

use bristle::nonsmooth::{System, prepare, run};
use bristle::ode::{AdaptiveOptions, System as _};
use bristle::run::{Method, RunOptions};
use bristle::scene::Scene;

fn text(count: usize) -> System {
    prepare(&Scene::parse(&chain::text(count), "chain.toml", &[]).unwrap()).unwrap().system
}

#[test]
fn two_hundred_frictional_contacts_run_and_their_ledger_closes() {
    let system = chain::system(200);
    let method = Method::Adaptive(AdaptiveOptions::with_rtol(1e-8));
    let options = RunOptions {
        duration: 0.3,
        method,
        every: 0.01,
        during_contact: None,
        quantities: Vec::new(),
        impacts: true,
        threads: 1,
        film: None,
        choice: None,
    };
    let result = run(&system, &options, |_| true).unwrap();
    println!(
        "{} steps, {} events, {:.2} s on the clock, closure {:e} of {:e} J",
        result.stats.steps,
        result.stats.events,
        result.wall_seconds,
        result.closure.unwrap(),
        result.in_play
    );
    // the belt's work is not given: what it does shows as what is lost beyond the start
    assert!(result.forces.iter().all(|(_, least)| *least >= 0.0));
    assert!(result.last.lost.iter().all(|lost| *lost >= 0.0));
    // the first blocks, held by the spring, slip on the belt; the last ones ride on it
    let speed = |name: &str| *result.recording.column(name).unwrap().values.last().unwrap();
    assert!((speed("v199") - 0.2).abs() < 1e-6, "{}", speed("v199"));
    assert!(speed("v0").abs() < 0.19, "{}", speed("v0"));
}

#[test]
fn text_and_rust_are_the_same_system() {
    let (text, rust) = (text(50), chain::system(50));
    let index = |system: &System, name: &str| system.states().iter().position(|s| s.name == name).unwrap();
    let rates = |system: &System| {
        let mut state = system.start();
        for (i, info) in system.states().iter().enumerate() {
            let number = info.name[1..].parse::<f64>().unwrap();
            state.x[i] = 1e-4 * (number * 0.7 + f64::from(info.name.as_bytes()[0])).sin();
        }
        let (mut dx, mut ws) = (vec![0.0; state.x.len()], system.scratch());
        system.derivative(0.0, &state.x, &state.mode, &mut dx, &mut ws);
        dx
    };
    let (a, b) = (rates(&text), rates(&rust));
    for state in rust.states() {
        let (a, b) = (a[index(&text, &state.name)], b[index(&rust, &state.name)]);
        assert!((a - b).abs() <= 1e-13 * b.abs().max(1.0), "{}: {a} {b}", state.name);
    }
}
