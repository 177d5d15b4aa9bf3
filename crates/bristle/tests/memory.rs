//! `recovery = "memory"`: the ground recovers by itself, and a second touchdown meets it where it is.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use bristle::laws::{Normal, Params, Phase};
use bristle::math::Vector3;
use bristle::ode::{Adaptive, AdaptiveOptions, Pair, State, integrate};
use bristle::{Applied, PointContact, Setup};
use std::ops::ControlFlow;

const K: f64 = 8.5e6;
const D: f64 = 3.1e3;
const MASS: f64 = 0.154;

fn ground(recovery: &str) -> Normal<f64> {
    let params = Params::new().set("stiffness", K).set("damping", D).choose("recovery", recovery);
    Normal::build("azad-featherstone", &params).unwrap()
}

/// Follows the mass under a constant press until the phase changes to `until`, or 5 ms have passed.
fn follow(law: &Normal<f64>, state: &mut State<f64, Phase>, press: f64, until: Phase) -> f64 {
    let applied = |_: f64, _: &Vector3<f64>, _: &Vector3<f64>| Vector3::new(0.0, 0.0, press);
    run(&system(law, &applied), state, 5e-3, Some(until))
}

/// Integrates for a time, at most until a phase is entered; returns what the ledger cannot place, J.
fn run(system: &PointContact, state: &mut State<f64, Phase>, time: f64, until: Option<Phase>) -> f64 {
    let options = AdaptiveOptions { pair: Pair::Dop853, ..AdaptiveOptions::with_rtol(1e-12) };
    let mut method = Adaptive::new(system, &state.mode, options).unwrap();
    let start = system.balance(&state.x, state.mode);
    let end = state.t + time;
    integrate(system, &mut method, state, end, |now| {
        Ok(if Some(now.state.mode) == until { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })
    .unwrap();
    (system.balance(&state.x, state.mode) - start).abs()
}

/// Follows the free mass for a time, s.
fn fly(law: &Normal<f64>, state: &mut State<f64, Phase>, time: f64) -> f64 {
    let none = |_: f64, _: &Vector3<f64>, _: &Vector3<f64>| Vector3::zeros();
    run(&system(law, &none), state, time, None)
}

fn system<'a>(normal: &'a Normal<f64>, applied: &'a Applied<'a>) -> PointContact<'a> {
    PointContact::new(Setup {
        normal,
        friction: None,
        lens: None,
        mass: MASS,
        plane_velocity: Vector3::zeros(),
        applied,
        scale: (7e-4, 1.0),
    })
}

fn started(law: &Normal<f64>) -> State<f64, Phase> {
    let none = |_: f64, _: &Vector3<f64>, _: &Vector3<f64>| Vector3::zeros();
    system(law, &none).start(Vector3::zeros(), Vector3::new(0.0, 0.0, 1.0))
}

#[test]
fn the_free_surface_follows_its_exponential_and_is_met_where_it_is() {
    let law = ground("memory");
    let mut state = started(&law);
    let closure = follow(&law, &mut state, 0.0, Phase::Recovering);
    let (released, depth, surface) = (state.t, state.x[2], state.x[6]);
    // integrated side by side: equal but for the rounding of some hundred steps
    assert!((surface - depth).abs() < 1e-14, "the ground lets go where the body is: {surface} {depth}");
    assert!((released - 2.377_507_289_996_757e-3).abs() < 1e-11, "force zero, as with the body");
    // Let it fly for 0.2 ms, then press it back: it turns and meets the ground on its way up.
    let closure = closure + fly(&law, &mut state, 2e-4);
    let closure = closure + follow(&law, &mut state, 2e3, Phase::Touching);
    let expected = depth * (-(K / D) * (state.t - released)).exp();
    assert!(state.t - released > 5e-5, "it was away for a while");
    assert!((state.x[6] - expected).abs() < 1e-12, "surface {} against {expected}", state.x[6]);
    assert!((state.x[2] - expected).abs() < 1e-12, "second touchdown at {}", state.x[2]);
    assert!(closure < 1e-11, "the ledger closes over the hand-over: {closure:e} J");
}

#[test]
fn a_flat_surface_is_forgotten() {
    let law = ground("memory");
    let mut state = started(&law);
    // 2.3e-4 m decay to 1e-12 m in 19 time constants of 0.365 ms; the body flies on.
    follow(&law, &mut state, 0.0, Phase::Recovering);
    for _ in 0..2 {
        follow(&law, &mut state, 0.0, Phase::Open);
    }
    assert_eq!(state.mode, Phase::Open);
}

#[test]
fn recovery_with_the_body_keeps_the_contact_until_depth_zero() {
    let law = ground("with-body");
    let mut state = started(&law);
    follow(&law, &mut state, 0.0, Phase::Open);
    assert!((state.t - 2.742_213_172_351e-3).abs() < 1e-11);
}

#[test]
fn a_body_pressed_back_as_it_lets_go_takes_up_the_contact_again() {
    let law = ground("memory");
    let mut state = started(&law);
    follow(&law, &mut state, 0.0, Phase::Recovering);
    // At force zero body and ground move together; pressed at once, the body never leaves.
    let closure = follow(&law, &mut state, 2e3, Phase::Touching);
    assert_eq!(state.mode, Phase::Touching);
    let applied = |_: f64, _: &Vector3<f64>, _: &Vector3<f64>| Vector3::new(0.0, 0.0, 2e3);
    let closure = closure + run(&system(&law, &applied), &mut state, 0.05, None);
    let depth = (2e3 / K).powf(2.0 / 3.0);
    assert!((state.x[2] / depth - 1.0).abs() < 1e-9, "it comes to rest where the press is carried");
    assert!((state.x[6] - state.x[2]).abs() < 1e-12, "and the surface with it");
    assert!(closure < 1e-8, "{closure:e} J");
}
