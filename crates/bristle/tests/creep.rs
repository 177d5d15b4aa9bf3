//! Below the friction limit a body does not drift: under an oscillating push, and under a steady push while the
//! load oscillates. Laws that do drift are measured.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use bristle::laws::{Friction, Normal, Params, Phase};
use bristle::math::Vector3;
use bristle::ode::{Adaptive, AdaptiveOptions, Pair, integrate};
use bristle::{PointContact, Setup};
use std::f64::consts::TAU;
use std::ops::ControlFlow;

const MASS: f64 = 1.0;
const WEIGHT: f64 = 10.0;
const MU: f64 = 0.5;
const FREQUENCY: f64 = 2.0;

/// Drift per cycle over ten seconds, m, after two seconds of settling. The push and the press are multiples of the
/// friction limit and the weight, plus an oscillation.
fn drift(normal: &Normal<f64>, friction: &Friction<f64>, push: (f64, f64), press: (f64, f64)) -> f64 {
    let wave = |(mean, swing): (f64, f64), t: f64| mean + swing * (TAU * FREQUENCY * t).sin();
    let applied = |t: f64, _: &Vector3<f64>, _: &Vector3<f64>| {
        Vector3::new(wave(push, t) * MU * WEIGHT, 0.0, wave(press, t) * WEIGHT)
    };
    let system = PointContact::new(Setup {
        normal,
        friction: Some(friction),
        lens: None,
        mass: MASS,
        plane_velocity: Vector3::zeros(),
        applied: &applied,
        scale: (1e-5, 1e-3),
    });
    let mut state = system.start(Vector3::new(0.0, 0.0, 1e-5), Vector3::zeros());
    let options = AdaptiveOptions { pair: Pair::Dopri5, ..AdaptiveOptions::with_rtol(1e-8) };
    let mut method = Adaptive::new(&system, &Phase::Touching, options).unwrap();
    let mut at = |end: f64| {
        integrate(&system, &mut method, &mut state, end, |_| Ok(ControlFlow::Continue(()))).unwrap();
        state.x[0]
    };
    let (before, after) = (at(2.0), at(12.0));
    (after - before) / (10.0 * FREQUENCY)
}

fn floor() -> Normal<f64> {
    Normal::build("kelvin-voigt", &Params::new().set("stiffness", 1e6).set("damping", 600.0)).unwrap()
}

fn half_space() -> Normal<f64> {
    Normal::build("azad-featherstone", &Params::new().set("stiffness", 8.5e6).set("damping", 6e4)).unwrap()
}

/// (name, law, normal law it goes with)
fn holding_laws() -> Vec<(&'static str, Friction<f64>, Normal<f64>)> {
    let build = |id: &str, p: Params| Friction::build(id, &p).unwrap();
    let spring = |variant: &str| {
        let p = Params::new().set("friction", MU).set("viscous", 0.1).choose("variant", variant);
        if variant == "linear" {
            build("spring-clutch", p.set("stiffness", 1e5).set("damping", 300.0))
        } else {
            build("spring-clutch", p.set("stiffness", 12.75e6).set("damping", 6e4))
        }
    };
    let proxy = Params::new().set("friction", MU).set("stiffness", 1e5).set("beta", 3e-3);
    let dwell = bristle_params().set("static", MU * 1.2).set("kinetic", MU);
    vec![
        ("spring-clutch conservative", spring("conservative"), half_space()),
        ("spring-clutch linear", spring("linear"), floor()),
        ("proxy-coulomb", build("proxy-coulomb", proxy), floor()),
        ("dwell-bristle passive", build("dwell-bristle", dwell), floor()),
    ]
}

fn bristle_params() -> Params {
    Params::new()
        .set("stiffness", 1e5)
        .set("damping", 1e5f64.sqrt())
        .set("viscous", 0.1)
        .set("stribeck_speed", 1e-3)
        .set("dwell_time", 2.0)
}

#[test]
fn nothing_drifts_under_an_oscillating_push() {
    for (name, friction, normal) in holding_laws() {
        let drift = drift(&normal, &friction, (0.3, 0.5), (1.0, 0.0));
        println!("{name}: {drift:.1e} m per cycle");
        assert!(drift.abs() < 1e-12, "{name}: {drift:e} m per cycle");
    }
}

#[test]
fn nothing_drifts_under_an_oscillating_load() {
    for (name, friction, normal) in holding_laws() {
        let drift = drift(&normal, &friction, (0.5, 0.0), (1.0, 0.3));
        println!("{name}: {drift:.1e} m per cycle");
        assert!(drift.abs() < 1e-12, "{name}: {drift:e} m per cycle");
    }
}

#[test]
fn the_laws_that_drift_are_known() {
    let build = |id: &str, p: Params| Friction::build(id, &p).unwrap();
    let lugre = Params::new().set("static", MU).set("stiffness", 1e5).set("damping", 300.0);
    let coulomb = Params::new().set("static", MU).set("slip_speed", 1e-3);
    let printed = bristle_params().set("static", MU * 1.2).set("kinetic", MU).choose("variant", "as-printed");
    for (name, law) in [
        ("lugre", build("lugre", lugre)),
        ("coulomb", build("coulomb", coulomb)),
        ("dwell-bristle as-printed", build("dwell-bristle", printed)),
    ] {
        let drift = drift(&floor(), &law, (0.3, 0.5), (1.0, 0.0));
        println!("{name}: {drift:.1e} m per cycle");
        assert!(drift > 1e-10, "{name}: {drift:e} m per cycle");
    }
}
