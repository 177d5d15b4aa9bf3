//! Backward differentiation: stiff problems with known ends, events, commits, stops, and runs that are resumed.

#![allow(clippy::unwrap_used, clippy::panic)] // a step that fails, fails the test

use bristle_math::{Dual, Real, Vector3};
use bristle_ode::problems::{BouncingBall, CompliantBall, ContactLaw, FreeTop, Oscillator};
use bristle_ode::*;
use std::ops::ControlFlow;

/// Any right-hand side.
struct Free<F> {
    layout: Layout,
    rate: F,
}

impl<F: Fn(f64, &[f64], &mut [f64])> System<f64> for Free<F> {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.layout
    }
    fn scratch(&self) {}
    fn derivative(&self, t: f64, x: &[f64], _mode: &(), dx: &mut [f64], _ws: &mut ()) {
        (self.rate)(t, x, dx);
    }
}

fn options(rtol: f64) -> AdaptiveOptions {
    AdaptiveOptions { pair: Pair::Bdf, ..AdaptiveOptions::with_rtol(rtol) }
}

fn run<S: System<f64>>(
    sys: &S,
    start: &State<f64, S::Mode>,
    options: AdaptiveOptions,
    t_end: f64,
) -> (State<f64, S::Mode>, Stats) {
    let mut state = start.clone();
    let mut method = Adaptive::new(sys, &state.mode, options).unwrap();
    integrate(sys, &mut method, &mut state, t_end, |_| Ok(ControlFlow::Continue(()))).unwrap();
    (state, *method.stats())
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Errors of single steps add up, and none is above the tolerance.
#[test]
fn the_error_follows_the_tolerance() {
    let (sys, start) = (Oscillator::new(2.0), State::new(0.0, vec![1.0, 0.0], ()));
    for exponent in 3..10 {
        let rtol = 10f64.powi(-exponent);
        let (state, stats) = run(&sys, &start, options(rtol), 10.0);
        let error = distance(&state.x, &[20f64.cos(), -2.0 * 20f64.sin()]);
        assert!(error < 2.0 * rtol * stats.steps as f64, "{rtol:e}: {error:e} {stats:?}");
    }
}

/// Robertson (1966), three reactions whose speeds differ by 1e9; the end at 40 s from Hairer & Wanner (1996), IV.10.
#[test]
fn robertsons_reactions_come_to_their_known_end() {
    let rate = |_: f64, x: &[f64], dx: &mut [f64]| {
        let (slow, fast) = (0.04 * x[0] - 1e4 * x[1] * x[2], 3e7 * x[1] * x[1]);
        dx.copy_from_slice(&[-slow, slow - fast, fast]);
    };
    let layout = Layout::new().with_z("a", 1.0).with_z("b", 1e-5).with_z("c", 1.0);
    let sys = Free { layout, rate };
    let start = State::new(0.0, vec![1.0, 0.0, 0.0], ());
    for rtol in [1e-4, 1e-6, 1e-8] {
        let (state, stats) = run(&sys, &start, options(rtol), 40.0);
        let exact = [0.715_827_068_8, 0.918_553_476_5e-5, 0.284_163_745_7];
        // the known numbers have ten digits
        let error = distance(&state.x, &exact);
        assert!(error < 20.0 * rtol + 1e-10 && stats.steps < 400, "{rtol:e}: {error:e} {stats:?}");
    }
}

/// The equation of van der Pol with 1e6: it creeps along a slow curve, jumps, and creeps on.
#[test]
fn van_der_pols_jumps_are_followed() {
    let rate = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx.copy_from_slice(&[x[1], 1e6 * ((1.0 - x[0] * x[0]) * x[1] - x[0])]);
    };
    let sys = Free { layout: Layout::new().with_z("y", 1.0).with_z("y'", 1.0), rate };
    let start = State::new(0.0, vec![2.0, 0.0], ());
    // At t = 2, Hairer & Wanner (1996), IV.10.
    let exact = [1.706_167_732_170_483, -0.892_809_701_024_794_8];
    for (rtol, bound) in [(1e-4, 1e-1), (1e-6, 1e-3), (1e-8, 1e-5)] {
        let (state, stats) = run(&sys, &start, options(rtol), 2.0);
        // the moment of a jump is as wrong as the creep before it, and the slope grows by 1e6 there
        assert!(
            distance(&state.x, &exact) < bound && stats.steps < 10_000,
            "{rtol:e}: {:?} {stats:?}",
            state.x
        );
    }
}

/// Points are made unit after every step: neither error nor cost is that of a method which starts again.
#[test]
fn a_commit_that_projects_keeps_the_past() {
    let sys = FreeTop::new(Vector3::new(1.0, 2.0, 3.0));
    let start = State::new(0.0, vec![1.0, 0.0, 0.0, 0.0, 0.5, 2.0, -0.3], ());
    let tight = AdaptiveOptions { pair: Pair::Dop853, ..AdaptiveOptions::with_rtol(1e-13) };
    let (exact, _) = run(&sys, &start, tight, 5.0);
    for rtol in [1e-4, 1e-6, 1e-8] {
        let (state, stats) = run(&sys, &start, options(rtol), 5.0);
        let error = distance(&state.x, &exact.x);
        assert!(error < 3.0 * rtol * stats.steps as f64, "{rtol:e}: {error:e}");
        assert!(stats.evaluations < 3 * stats.steps + 150, "{stats:?}");
    }
}

#[test]
fn events_are_located_by_real_steps() {
    let sys = CompliantBall::new(9.81, 1e6, 0.1, ContactLaw::Hertz);
    let start = State::new(0.0, vec![0.1, 0.0], false);
    let tight = AdaptiveOptions { pair: Pair::Dop853, ..AdaptiveOptions::with_rtol(1e-13) };
    let (exact, expected) = run(&sys, &start, tight, 1.0);
    let mut state = start.clone();
    let mut method = Adaptive::new(&sys, &false, options(1e-8)).unwrap();
    let mut events = 0;
    integrate(&sys, &mut method, &mut state, 1.0, |moment| {
        if let [fired] = moment.fired() {
            events += 1;
            assert_eq!(moment.state.x[0] > 0.0, fired.direction == Direction::Rising);
            assert!(moment.state.x[0].abs() < 1e-13); // 1e-14 s at 1.4 m/s
        }
        Ok(ControlFlow::Continue(()))
    })
    .unwrap();
    assert_eq!(events, expected.events);
    assert!(distance(&state.x, &exact.x) < 1e-4, "{:?} {:?}", state.x, exact.x); // bounces multiply errors
}

/// Flight is a parabola: the event time is known, and dense output is that of the solution.
#[test]
fn dense_output_is_the_path() {
    let sys = BouncingBall::new(9.81, 0.8);
    let mut state = State::new(0.0, vec![1.0, 0.0], ());
    let mut method = Adaptive::new(&sys, &(), options(1e-8)).unwrap();
    let mut x = [0.0; 2];
    while method.fired().is_empty() {
        let advance = method.step(&sys, &mut state, 5.0).unwrap();
        for part in [0.0, 0.3, 0.7, 1.0] {
            let t = advance.start + part * (advance.end - advance.start);
            method.dense(t, &mut x).unwrap();
            assert!((x[0] - (1.0 - 0.5 * 9.81 * t * t)).abs() < 1e-11);
        }
    }
    assert!((state.t - (2.0f64 / 9.81).sqrt()).abs() < 1e-12);
    let sys = Oscillator::new(1.0);
    let mut state = State::new(0.0, vec![1.0, 0.0], ());
    let mut method = Adaptive::new(&sys, &(), options(1e-7)).unwrap();
    let mut end = [1.0, 0.0];
    while state.t < 10.0 {
        let advance = method.step(&sys, &mut state, 10.0).unwrap();
        method.dense(advance.start, &mut x).unwrap();
        assert!(distance(&x, &end) < 1e-14, "one path: {x:?} {end:?}");
        let middle = 0.5 * (advance.start + advance.end);
        method.dense(middle, &mut x).unwrap();
        assert!(distance(&x, &[middle.cos(), -middle.sin()]) < 1e-4);
        method.dense(advance.end, &mut end).unwrap();
        assert!(distance(&end, &state.x) < 1e-14);
    }
}

/// A run that is stopped a thousand times takes two short steps to each stop, and keeps its past.
#[test]
fn stops_leave_the_past_as_it_is() {
    let sys = Oscillator::new(1.0);
    let mut state = State::new(0.0, vec![1.0, 0.0], ());
    let mut method = Adaptive::new(&sys, &(), options(1e-6)).unwrap();
    for stop in 1..=1000 {
        while state.t < 0.01 * f64::from(stop) {
            method.step(&sys, &mut state, 0.01 * f64::from(stop)).unwrap();
        }
    }
    assert!(distance(&state.x, &[10f64.cos(), -10f64.sin()]) < 1e-4, "{state:?}");
    assert!(method.stats().evaluations < 4000, "{:?}", method.stats());
}

/// Accounts neither limit steps nor count as unknowns, and are as exact as the motion.
#[test]
fn accounts_follow() {
    // A mass in a damper: what is lost is what the motion had. It fades twice as fast as the motion does, so its error is some
    // 2⁵ times larger.
    let rate = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx.copy_from_slice(&[x[1], -1e3 * x[1], 1e3 * x[1] * x[1], 1e2 * (1e3 * x[0]).sin()]);
    };
    let layout = Layout::new().with_q("x", 1e-3).with_v("v", 1.0).with_w("lost", 1.0).with_w("fast", 1e-9);
    let sys = Free { layout, rate };
    for rtol in [1e-4, 1e-6, 1e-8] {
        let (state, stats) = run(&sys, &State::new(0.0, vec![0.0, 1.0, 0.0, 0.0], ()), options(rtol), 1.0);
        assert!((state.x[2] - 0.5).abs() < 300.0 * rtol, "{rtol:e}: {:?}", state.x);
        assert!(stats.steps < 200, "{stats:?}");
    }
}

/// Saved every 7 steps, contacts and flights alike, and resumed by a new integrator.
#[test]
fn a_resumed_run_gives_the_same_bits() {
    let sys = CompliantBall::new(9.81, 1e5, 0.1, ContactLaw::Hertz);
    let fresh = || Adaptive::new(&sys, &false, options(1e-8)).unwrap();
    let mut state = State::new(0.0, vec![0.01, 0.0], false);
    let mut resumed = state.clone();
    let (mut method, mut other) = (fresh(), fresh());
    let mut had_past = false;
    for step in 0..600 {
        if step % 7 == 0 {
            let checkpoint = method.checkpoint();
            had_past |= checkpoint.past.as_ref().is_some_and(|past| past.order > 3);
            other = fresh();
            other.resume(&checkpoint);
        }
        method.step(&sys, &mut state, 10.0).unwrap();
        other.step(&sys, &mut resumed, 10.0).unwrap();
        assert_eq!(state, resumed, "step {step}");
        assert_eq!(method.stats(), other.stats());
    }
    assert!(had_past && method.stats().events > 4, "{:?}", method.stats());
}

/// A checkpoint that was tampered with is not a past.
#[test]
fn a_past_that_does_not_fit_is_left() {
    let sys = Oscillator::new(1.0);
    let mut state = State::new(0.0, vec![1.0, 0.0], ());
    let mut method = Adaptive::new(&sys, &(), options(1e-6)).unwrap();
    for _ in 0..20 {
        method.step(&sys, &mut state, 10.0).unwrap();
    }
    let good = method.checkpoint();
    let past = good.past.clone().unwrap();
    for bad in [
        Past { order: 0, ..past.clone() },
        Past { order: 17, ..past.clone() },
        Past { differences: vec![], ..past.clone() },
        Past { differences: vec![vec![0.0]; past.differences.len()], ..past },
    ] {
        let mut other = Adaptive::new(&sys, &(), options(1e-6)).unwrap();
        other.resume(&Checkpoint { past: Some(bad), ..good.clone() });
        let mut state = state.clone();
        while state.t < 10.0 {
            other.step(&sys, &mut state, 10.0).unwrap();
        }
        assert!(distance(&state.x, &[10f64.cos(), -10f64.sin()]) < 1e-4, "{state:?}");
    }
}

#[test]
fn what_goes_wrong_is_named() {
    let rate = |_: f64, x: &[f64], dx: &mut [f64]| dx[0] = x[0] * x[0];
    let sys = Free { layout: Layout::new().with_q("blow-up", 1.0), rate };
    let mut state = State::new(0.0, vec![1.0], ());
    let mut method = Adaptive::new(&sys, &(), AdaptiveOptions { min_step: 1e-9, ..options(1e-8) }).unwrap();
    let end = integrate(&sys, &mut method, &mut state, 2.0, |_| Ok(ControlFlow::Continue(())));
    assert!(
        matches!(&end, Err(StepError::StepTooSmall { component, .. }) if component == "blow-up"),
        "{end:?}"
    );
    let rate = |t: f64, _: &[f64], dx: &mut [f64]| dx.copy_from_slice(&[1.0, (0.5 - t).sqrt()]);
    let sys = Free { layout: Layout::new().with_q("good", 1.0).with_v("bad", 1.0), rate };
    let mut state = State::new(0.0, vec![0.0, 0.0], ());
    let mut method = Adaptive::new(&sys, &(), options(1e-6)).unwrap();
    let end = integrate(&sys, &mut method, &mut state, 1.0, |_| Ok(ControlFlow::Continue(())));
    assert!(matches!(&end, Err(StepError::NonFinite { component, .. }) if component == "bad"), "{end:?}");
}

#[test]
fn derivatives_are_refused() {
    let sys = BouncingBall::new(Dual::<1>::lit(9.81), Dual::<1>::lit(0.8));
    let refused = Adaptive::<Dual<1>, _>::new(&sys, &(), options(1e-6)).map(|_| ());
    assert_eq!(refused, Err(StepError::NoDerivatives));
}
