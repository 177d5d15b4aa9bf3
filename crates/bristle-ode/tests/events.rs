//! Events: which fire, when, in what order, and what happens when they go wrong.

#![allow(clippy::unwrap_used, clippy::panic)] // a step that fails, fails the test

use bristle_math::{Dual, Real};
use bristle_ode::problems::{BouncingBall, CompliantBall, ContactLaw};
use bristle_ode::*;
use nalgebra::{Const, U1};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// `x' = 1` with event functions of `x` alone; commit counts what fired.
struct Ramp {
    layout: Layout,
    functions: Vec<fn(f64) -> f64>,
}

impl Ramp {
    fn new(functions: Vec<fn(f64) -> f64>) -> Self {
        Self { layout: Layout::new().with_q("x", 1.0), functions }
    }
}

impl System<f64> for Ramp {
    type Mode = Vec<(f64, Fired)>;
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a Self::Mode) -> &'a Layout {
        &self.layout
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: f64, _x: &[f64], _mode: &Self::Mode, dx: &mut [f64], _ws: &mut ()) {
        dx[0] = 1.0;
    }
    fn event_count(&self, _mode: &Self::Mode) -> usize {
        self.functions.len()
    }
    fn events(&self, _t: f64, x: &[f64], _mode: &Self::Mode, g: &mut [f64], _ws: &mut ()) {
        for (g, f) in g.iter_mut().zip(&self.functions) {
            *g = f(x[0]);
        }
    }
    fn commit(&self, state: &mut State<f64, Self::Mode>, fired: &[Fired], _ws: &mut ()) -> Change {
        for &fired in fired {
            state.mode.push((state.t, fired));
        }
        Change::Smooth
    }
}

fn log_of(sys: &Ramp, t_end: f64, step: f64) -> Vec<(f64, Fired)> {
    let mut logs = vec![];
    for is_fixed in [true, false] {
        let mut state = State::new(0.0, vec![0.0], vec![]);
        let go_on = |_: &Moment<_, _, _>| Ok(ControlFlow::Continue(()));
        if is_fixed {
            let options = FixedOptions { event_samples: 3, ..FixedOptions::new(Method::Rk4, step) };
            let mut method = FixedStep::new(sys, &state.mode, options).unwrap();
            integrate(sys, &mut method, &mut state, t_end, go_on).unwrap();
        } else {
            let options = AdaptiveOptions { max_step: step, ..AdaptiveOptions::default() };
            let mut method = Adaptive::new(sys, &state.mode, options).unwrap();
            integrate(sys, &mut method, &mut state, t_end, |_| Ok(ControlFlow::Continue(()))).unwrap();
        }
        logs.push(state.mode);
    }
    assert_eq!(logs[0].len(), logs[1].len());
    logs.swap_remove(0)
}

#[test]
fn several_events_in_one_step_come_in_order_of_time() {
    let sys = Ramp::new(vec![|x| 0.8 - x, |x| x - 0.31, |x| x - 0.3]);
    let log = log_of(&sys, 1.0, 1.0);
    let order: Vec<_> = log.iter().map(|(_, fired)| fired.index).collect();
    assert_eq!(order, [2, 1, 0]);
    let expected = [0.3, 0.31, 0.8];
    for ((t, _), expected) in log.iter().zip(expected) {
        // The far side, within the tolerance of event times.
        assert!(*t > expected && t - expected < 2e-14, "{t}");
    }
    assert_eq!(log[2].1.direction, Direction::Falling);
}

#[test]
fn events_at_the_same_time_fire_together() {
    let sys = Ramp::new(vec![|x| x - 0.5, |x| 1.0 - 2.0 * x]);
    let log = log_of(&sys, 1.0, 0.7);
    assert_eq!(log.len(), 2);
    assert_eq!(log[0].0, log[1].0);
}

#[test]
fn a_pair_of_crossings_inside_a_step_is_seen() {
    let sys = Ramp::new(vec![|x| (x - 0.4) * (x - 0.6)]);
    let log = log_of(&sys, 1.0, 1.0);
    let directions: Vec<_> = log.iter().map(|(_, fired)| fired.direction).collect();
    assert_eq!(directions, [Direction::Falling, Direction::Rising]);
}

/// Between steps that give no hint of it but the bend of the function, and in the first step after others.
#[test]
fn a_pair_of_crossings_between_two_steps_is_seen() {
    for functions in [vec![(|x| (x - 1.4) * (x - 1.6)) as fn(f64) -> f64], vec![|x| (x - 2.4) * (x - 2.6)]] {
        assert_eq!(log_of(&Ramp::new(functions), 5.0, 1.0).len(), 2);
    }
}

/// A step without a hint of an event looks at its end alone.
#[test]
fn functions_far_from_zero_are_looked_at_once_a_step() {
    let sys = Ramp::new(vec![|x| 100.0 + x, |x| (x - 50.0) * (x - 60.0)]);
    let mut state = State::new(0.0, vec![0.0], vec![]);
    let options = FixedOptions { event_samples: 3, ..FixedOptions::new(Method::Rk4, 0.5) };
    let mut method = FixedStep::new(&sys, &state.mode, options).unwrap();
    integrate(&sys, &mut method, &mut state, 20.0, |_| Ok(ControlFlow::Continue(()))).unwrap();
    // one at the start, one in the middle of the first step, which has none before it
    assert_eq!((method.stats().steps, method.stats().event_evaluations), (40, 42));
}

#[test]
fn a_zero_on_a_step_end_is_one_event() {
    let log = log_of(&Ramp::new(vec![|x| x - 0.5]), 1.0, 0.25);
    assert_eq!(log.len(), 1);
}

/// An event that is less than a rounding of time away from where a step ends leaves no step without length.
#[test]
fn an_event_beside_a_step_end_leaves_no_empty_step() {
    static ROUNDINGS: AtomicI32 = AtomicI32::new(0);
    for roundings in -100..100 {
        ROUNDINGS.store(roundings, Relaxed);
        let beside = |x: f64| if x < 7e-6 + f64::from(ROUNDINGS.load(Relaxed)) * 1e-14 { -1.0 } else { 1e-3 };
        let sys = Ramp::new(vec![beside]);
        let mut state = State::new(1000.0, vec![0.0], vec![]);
        let options = FixedOptions::new(Method::SemiImplicitEuler, 1e-6);
        let mut method = FixedStep::new(&sys, &state.mode, options).unwrap();
        let mut steps = 0;
        while steps < 12 {
            let advance = method.step(&sys, &mut state, 1001.0).unwrap();
            assert!(advance.end > advance.start, "{roundings}: {advance:?}");
            steps += 1;
        }
        assert!(
            state.mode.len() == 1 && state.x[0] > 1e-5,
            "{roundings}: {:?} at {}",
            state.mode,
            state.x[0]
        );
    }
}

#[test]
fn touching_zero_without_crossing_is_no_event() {
    let log = log_of(&Ramp::new(vec![|x| (x - 0.5) * (x - 0.5)]), 1.0, 0.125);
    assert!(log.is_empty(), "{log:?}");
}

#[test]
fn a_kinked_function_is_located() {
    // The slope jumps by 1e6 at the zero: secants fail, bisection does not.
    let log = log_of(&Ramp::new(vec![|x| if x < 0.7 { x - 0.7 } else { 1e6 * (x - 0.7) }]), 1.0, 1.0);
    assert_eq!(log.len(), 1);
    assert!((log[0].0 - 0.7).abs() < 2e-14, "{log:?}");
}

#[test]
fn accumulating_events_end_in_an_error() {
    let sys = BouncingBall::new(9.81, 0.5);
    let mut state = State::new(0.0, vec![1.0, 0.0], ());
    let mut method = Adaptive::new(&sys, &(), AdaptiveOptions::default()).unwrap();
    let end = integrate(&sys, &mut method, &mut state, 10.0, |_| Ok(ControlFlow::Continue(())));
    assert!(matches!(end, Err(StepError::EventsAccumulate { event: 0, .. })), "{end:?}");
    // √(2h/g) (1 + 2 Σ eⁿ) = 3 √(2/9.81) s.
    assert!((state.t - 3.0 * (2.0f64 / 9.81).sqrt()).abs() < 1e-9);
}

#[test]
fn the_state_at_an_event_is_on_the_far_side() {
    let sys = CompliantBall::new(9.81, 1e6, 0.1, ContactLaw::Hertz);
    let mut state = State::new(0.0, vec![0.1, 0.0], false);
    let mut method = Adaptive::new(&sys, &false, AdaptiveOptions::default()).unwrap();
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
    assert!(events >= 4 && events % 2 == 0, "{events}");
}

#[test]
fn an_observer_stops_the_run_and_samples_inside_the_step() {
    let sys = BouncingBall::new(9.81, 0.8);
    let mut state = State::new(0.0, vec![1.0, 0.0], ());
    let mut method = Adaptive::new(&sys, &(), AdaptiveOptions::default()).unwrap();
    let mut x = [0.0; 2];
    let is_done = integrate(&sys, &mut method, &mut state, 5.0, |moment| {
        let middle = 0.5 * (moment.advance.start + moment.advance.end);
        moment.dense(middle, &mut x)?;
        assert!((x[0] - (1.0 - 0.5 * 9.81 * middle * middle)).abs() < 1e-12);
        Ok(if moment.fired().is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })
    .unwrap();
    assert!(!is_done);
    assert!((state.t - (2.0f64 / 9.81).sqrt()).abs() < 1e-13);
    let outside = method.dense(4.0, &mut x);
    assert!(matches!(outside, Err(StepError::OutsideLastStep { .. })), "{outside:?}");
    // The last step still ends before the bounce.
    method.dense(state.t, &mut x).unwrap();
    assert!(x[1] < 0.0 && state.x[1] > 0.0);
}

type D3 = Dual<3>;

fn gradient(y: D3) -> [f64; 3] {
    y.eps.unwrap_generic(Const::<3>, U1).into()
}

/// Gradient by (height, gravity, restitution) of the state after the first bounce.
fn bounce_gradient(method: &mut dyn Integrator<D3, BouncingBall<D3>>, sys: &BouncingBall<D3>) -> Vec<D3> {
    let height = D3::from_re(1.0).derivative(0);
    let mut state = State::new(D3::lit(0.0), vec![height, D3::lit(0.0)], ());
    while state.t.re < 1.1 {
        method.step(sys, &mut state, D3::lit(1.1)).unwrap();
    }
    state.x
}

#[test]
fn gradients_through_a_bounce_are_exact() {
    let sys = BouncingBall::new(D3::from_re(9.81).derivative(1), D3::from_re(0.8).derivative(2));
    // The closed form on the same duals.
    let exact = sys.after_first_bounce(D3::from_re(1.0).derivative(0), D3::lit(1.1));
    let mut adaptive = Adaptive::new(&sys, &(), AdaptiveOptions::default()).unwrap();
    let mut fixed = FixedStep::new(&sys, &(), FixedOptions::new(Method::Rk4, 0.03)).unwrap();
    let runs: [&mut dyn Integrator<D3, _>; 2] = [&mut adaptive, &mut fixed];
    for method in runs {
        let x = bounce_gradient(method, &sys);
        for (x, exact) in x.into_iter().zip(exact) {
            assert!((x.re - exact.re).abs() < 1e-12);
            for (a, b) in gradient(x).into_iter().zip(gradient(exact)) {
                assert!((a - b).abs() < 1e-9, "{a} {b}");
            }
        }
    }
}

#[test]
fn the_event_time_carries_its_derivative() {
    let sys = BouncingBall::new(D3::from_re(9.81).derivative(1), D3::from_re(0.8).derivative(2));
    let height = D3::from_re(1.0).derivative(0);
    let mut state = State::new(D3::lit(0.0), vec![height, D3::lit(0.0)], ());
    let mut method = Adaptive::new(&sys, &(), AdaptiveOptions::default()).unwrap();
    while method.fired().is_empty() {
        method.step(&sys, &mut state, D3::lit(1.1)).unwrap();
    }
    let exact = Real::sqrt(D3::lit(2.0) * height / sys.gravity);
    for (a, b) in gradient(state.t).into_iter().zip(gradient(exact)) {
        assert!((a - b).abs() < 1e-11, "{a} {b}");
    }
}

#[test]
fn gradients_through_a_compliant_contact_match_differences() {
    let run = |stiffness: f64| {
        let sys = CompliantBall::new(9.81, stiffness, 0.1, ContactLaw::Hertz);
        let mut state = State::new(0.0, vec![0.1, 0.0], false);
        let mut method = Adaptive::new(&sys, &false, AdaptiveOptions::with_rtol(1e-13)).unwrap();
        integrate(&sys, &mut method, &mut state, 0.3, |_| Ok(ControlFlow::Continue(()))).unwrap();
        state.x[1]
    };
    let sys = CompliantBall::new(
        Dual::<1>::lit(9.81),
        Dual::<1>::from_re(1e5).derivative(0),
        Dual::<1>::lit(0.1),
        ContactLaw::Hertz,
    );
    let mut state = State::new(Dual::lit(0.0), vec![Dual::lit(0.1), Dual::lit(0.0)], false);
    let mut method = Adaptive::new(&sys, &false, AdaptiveOptions::with_rtol(1e-11)).unwrap();
    integrate(&sys, &mut method, &mut state, Dual::lit(0.3), |_| Ok(ControlFlow::Continue(()))).unwrap();
    assert!(!state.mode && state.x[1].re > 0.0, "{state:?}");
    let slope = state.x[1].eps.unwrap_generic(Const::<1>, U1)[0];
    let step = 1e2; // relative 1e-3: truncation 1e-6, noise of the runs 1e-10
    let difference = (run(1e5 + step) - run(1e5 - step)) / (2.0 * step);
    assert!((slope - difference).abs() < 3e-6 * difference.abs(), "{slope} {difference}");
}

#[test]
fn a_gradient_past_an_event_that_is_not_located_is_refused() {
    let sys = BouncingBall::new(D3::lit(9.81), D3::lit(0.8));
    let height = D3::from_re(1.0).derivative(0);
    let mut state = State::new(D3::lit(0.0), vec![height, D3::lit(0.0)], ());
    let options = FixedOptions::new(Method::Rk4, 0.01).with_events(EventHandling::AtStepEnd);
    let mut method = FixedStep::new(&sys, &(), options).unwrap();
    let end = integrate(&sys, &mut method, &mut state, D3::lit(1.0), |_| Ok(ControlFlow::Continue(())));
    assert!(matches!(end, Err(StepError::UnlocatedGradient { event: 0, .. })), "{end:?}");
}

#[test]
fn events_at_step_ends_cost_the_same_in_every_step() {
    let sys = BouncingBall::new(9.81, 0.8);
    let mut state = State::new(0.0, vec![1.0, 0.0], ());
    let options = FixedOptions::new(Method::Rk4, 0.01).with_events(EventHandling::AtStepEnd);
    let mut method = FixedStep::new(&sys, &(), options).unwrap();
    integrate(&sys, &mut method, &mut state, 1.0, |_| Ok(ControlFlow::Continue(()))).unwrap();
    let stats = *method.stats();
    assert_eq!((stats.steps, stats.events), (100, 1));
    // Four per step, one at the start and one after the jump.
    assert_eq!(stats.evaluations, 4 * 100 + 2);
}

/// Saved every 7 steps, contacts and flights alike, and resumed by a new integrator.
#[test]
fn a_resumed_run_gives_the_same_bits() {
    let sys = CompliantBall::new(9.81, 1e5, 0.1, ContactLaw::Hertz);
    let adaptive = || Adaptive::new(&sys, &false, AdaptiveOptions::default()).unwrap();
    let fixed = || FixedStep::new(&sys, &false, FixedOptions::new(Method::Rk4, 1e-3)).unwrap();
    for is_fixed in [false, true] {
        let fresh = || -> Box<dyn Integrator<f64, _>> {
            if is_fixed { Box::new(fixed()) } else { Box::new(adaptive()) }
        };
        let mut state = State::new(0.0, vec![0.01, 0.0], false);
        let mut resumed = state.clone();
        let (mut method, mut other) = (fresh(), fresh());
        for step in 0..300 {
            if step % 7 == 0 {
                let checkpoint = method.checkpoint();
                other = fresh();
                other.resume(&checkpoint);
            }
            method.step(&sys, &mut state, 10.0).unwrap();
            other.step(&sys, &mut resumed, 10.0).unwrap();
            assert_eq!(state, resumed, "step {step}");
        }
        assert!(method.stats().events > 4);
    }
}

/// A pool of states that grows by one number at each event.
struct Growing;

impl System<f64> for Growing {
    type Mode = Layout;
    type Scratch = ();
    fn layout<'a>(&'a self, mode: &'a Layout) -> &'a Layout {
        mode
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: f64, _x: &[f64], _mode: &Layout, dx: &mut [f64], _ws: &mut ()) {
        dx.fill(1.0);
    }
    fn event_count(&self, mode: &Layout) -> usize {
        1 + mode.z().len() // grows too
    }
    fn events(&self, _t: f64, x: &[f64], mode: &Layout, g: &mut [f64], _ws: &mut ()) {
        g.fill(1.0);
        g[mode.z().len()] = x[0] - 0.3 * (mode.z().len() + 1) as f64;
    }
    fn commit(&self, state: &mut State<f64, Layout>, fired: &[Fired], _ws: &mut ()) -> Change {
        if fired.is_empty() {
            return Change::Smooth;
        }
        let at = state.mode.push_z("slot", 1.0);
        state.x.insert(at, 0.0);
        Change::Jumped
    }
}

#[test]
fn the_state_may_grow_in_commit() {
    let mut state = State::new(0.0, vec![0.0, 0.0], Layout::new().with_q("x", 1.0).with_w("time", 1.0));
    let mut method = Adaptive::new(&Growing, &state.mode, AdaptiveOptions::default()).unwrap();
    integrate(&Growing, &mut method, &mut state, 1.0, |_| Ok(ControlFlow::Continue(()))).unwrap();
    let expected = [1.0, 0.7, 0.4, 0.1, 1.0];
    assert_eq!(state.x.len(), expected.len());
    for (x, expected) in state.x.iter().zip(expected) {
        assert!((x - expected).abs() < 1e-13);
    }
    assert_eq!(method.stats().resizes, 3);
}

/// Two clocks of rate one that ring at the times they are given: `x' = 1`, events `x - ring`.
struct Clocks(Layout, [Dual<1>; 2]);

impl System<Dual<1>> for Clocks {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.0
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: Dual<1>, _x: &[Dual<1>], _mode: &(), dx: &mut [Dual<1>], _ws: &mut ()) {
        dx[0] = Dual::lit(1.0);
    }
    fn event_count(&self, _mode: &()) -> usize {
        2
    }
    fn events(&self, _t: Dual<1>, x: &[Dual<1>], _mode: &(), g: &mut [Dual<1>], _ws: &mut ()) {
        g[0] = x[0] - self.1[0];
        g[1] = x[0] - self.1[1];
    }
}

#[test]
fn events_at_once_have_a_gradient_only_if_they_stay_together() {
    let ring = |other: Dual<1>| {
        let sys = Clocks(Layout::new().with_q("x", 1.0), [Dual::from_re(0.5).derivative(0), other]);
        let mut state = State::new(Dual::lit(0.0), vec![Dual::lit(0.0)], ());
        let mut method = Adaptive::new(&sys, &(), AdaptiveOptions::default()).unwrap();
        while method.fired().is_empty() {
            method.step(&sys, &mut state, Dual::lit(1.0))?;
        }
        Ok::<_, StepError>(state.t.eps.unwrap_generic(Const::<1>, U1)[0])
    };
    assert!((ring(Dual::from_re(0.5).derivative(0)).unwrap() - 1.0).abs() < 1e-9);
    let apart = ring(Dual::lit(0.5));
    assert!(matches!(apart, Err(StepError::SimultaneousGradient { first: 0, second: 1, .. })), "{apart:?}");
}

#[test]
fn a_grazed_event_has_no_gradient() {
    // thrown up at 1 m/s to a ceiling that lies 1e-15 m under the apex: crossed at 1.4e-7 m/s, far below what the step did
    let height = 0.5 / 9.81;
    let graze = |ceiling: f64, is_kink: bool| {
        let sys = Thrown(Layout::new().with_q("z", 0.1).with_v("v", 1.0), ceiling, is_kink);
        let mut state =
            State::new(Dual::<1>::lit(0.0), vec![Dual::lit(0.0), Dual::from_re(1.0).derivative(0)], ());
        let mut method = Adaptive::new(&sys, &(), AdaptiveOptions::default()).unwrap();
        integrate(&sys, &mut method, &mut state, Dual::lit(1.0 / 9.81), |_| Ok(ControlFlow::Continue(())))
    };
    assert!(matches!(graze(height - 1e-15, false), Err(StepError::GrazingGradient { event: 0, .. })));
    assert!(graze(height - 1e-3, false).is_ok());
    // nothing changes at a kink but slopes: its time does not matter
    assert!(graze(height - 1e-15, true).is_ok());
}

/// Thrown against a push that grows by a thousand times, and is gone behind: `x'' = a/√(x + s)` while `x > 0`. Mode: whether
/// it got through.
struct Pushed(Layout, D3);

const SMALL: f64 = 1e-7;

impl System<D3> for Pushed {
    type Mode = bool;
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a bool) -> &'a Layout {
        &self.0
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: D3, x: &[D3], is_through: &bool, dx: &mut [D3], _ws: &mut ()) {
        dx[0] = x[1];
        let is_free = *is_through || x[0].re <= 0.0;
        dx[1] = if is_free { D3::lit(0.0) } else { self.1 / Real::sqrt(x[0] + D3::lit(SMALL)) };
    }
    fn event_count(&self, _mode: &bool) -> usize {
        1
    }
    fn events(&self, _t: D3, x: &[D3], _mode: &bool, g: &mut [D3], _ws: &mut ()) {
        g[0] = x[0];
    }
    fn commit(&self, state: &mut State<D3, bool>, fired: &[Fired], _ws: &mut ()) -> Change {
        if fired.is_empty() {
            return Change::Smooth;
        }
        state.mode = true;
        Change::Jumped
    }
}

#[test]
fn gradients_past_a_steep_force_that_ends_are_exact() {
    let (start, speed, push) =
        (D3::from_re(0.1).derivative(0), D3::from_re(-1.0).derivative(1), D3::from_re(0.3).derivative(2));
    let sys = Pushed(Layout::new().with_q("x", 0.1).with_v("v", 1.0), push);
    for pair in [Pair::Dopri5, Pair::Dop853] {
        let options = AdaptiveOptions { pair, ..AdaptiveOptions::with_rtol(1e-10) };
        let mut method = Adaptive::new(&sys, &false, options).unwrap();
        let mut state = State::new(D3::lit(0.0), vec![start, speed], false);
        integrate(&sys, &mut method, &mut state, D3::lit(0.5), |_| Ok(ControlFlow::Continue(()))).unwrap();
        // v² = v₀² − 4a (√(x₀ + s) − √s) behind
        let root = Real::sqrt(start + D3::lit(SMALL)) - D3::lit(SMALL.sqrt());
        let exact = -Real::sqrt(speed * speed - D3::lit(4.0) * push * root);
        for (a, b) in gradient(state.x[1]).into_iter().zip(gradient(exact)) {
            // every step may be off by the tolerance, of the typical magnitude or of the derivative
            let allowed = 1e-10 * method.stats().steps as f64 * (1.0 + b.abs());
            assert!((a - b).abs() < allowed, "{pair:?}: {a} {b}, allowed {allowed}");
        }
    }
}

/// A state drawn to a parameter where it already is: `x' = -1000 (x - p)`.
struct Drawn(Layout, Dual<1>);

impl System<Dual<1>> for Drawn {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.0
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: Dual<1>, x: &[Dual<1>], _mode: &(), dx: &mut [Dual<1>], _ws: &mut ()) {
        dx[0] = (self.1 - x[0]) * 1000.0;
    }
}

#[test]
fn steps_are_short_enough_for_derivatives() {
    // the value does not move, so that its error allows any step; the derivative goes to one with a time of 1 ms
    let sys = Drawn(Layout::new().with_q("x", 1.0), Dual::from_re(1.0).derivative(0));
    let mut method = Adaptive::new(&sys, &(), AdaptiveOptions::with_rtol(1e-9)).unwrap();
    let mut state = State::new(Dual::lit(0.0), vec![Dual::lit(1.0)], ());
    let end = 3e-3;
    integrate(&sys, &mut method, &mut state, Dual::lit(end), |_| Ok(ControlFlow::Continue(()))).unwrap();
    let slope = state.x[0].eps.unwrap_generic(Const::<1>, U1)[0];
    // some tens of steps of 1e-9 each
    assert!((slope - (1.0 - (-1000.0 * end).exp())).abs() < 1e-7, "{slope}");
}

/// A stone under a ceiling that it passes: `z'' = -g`, event `z - ceiling`, which may be said to be a kink.
struct Thrown(Layout, f64, bool);

impl System<Dual<1>> for Thrown {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.0
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: Dual<1>, x: &[Dual<1>], _mode: &(), dx: &mut [Dual<1>], _ws: &mut ()) {
        dx[0] = x[1];
        dx[1] = Dual::lit(-9.81);
    }
    fn event_count(&self, _mode: &()) -> usize {
        1
    }
    fn events(&self, _t: Dual<1>, x: &[Dual<1>], _mode: &(), g: &mut [Dual<1>], _ws: &mut ()) {
        g[0] = x[0] - Dual::lit(self.1);
    }
    fn is_kink(&self, _mode: &(), _event: usize) -> bool {
        self.2
    }
}

/// `x' = 1` past a window of x in which the event function is negative; notes when rates are asked for inside it.
struct Window {
    layout: Layout,
    is_telling: bool,
}

impl System<f64> for Window {
    type Mode = ();
    type Scratch = f64;
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.layout
    }
    fn scratch(&self) -> f64 {
        f64::INFINITY
    }
    fn derivative(&self, t: f64, x: &[f64], _mode: &(), dx: &mut [f64], first: &mut f64) {
        dx[0] = 1.0;
        if self.is_telling && (x[0] - 0.3).abs() < 0.01 {
            *first = first.min(t);
        }
    }
    fn overrun(&self, first: &mut f64) -> f64 {
        std::mem::replace(first, f64::INFINITY)
    }
    fn event_count(&self, _mode: &()) -> usize {
        1
    }
    fn events(&self, _t: f64, x: &[f64], _mode: &(), g: &mut [f64], _ws: &mut f64) {
        g[0] = (x[0] - 0.3).powi(2) - 1e-4;
    }
}

/// The window lies between all points where the signs are looked at, and one stage (at 3/10 of the step) falls into it.
#[test]
fn a_stage_beyond_an_event_has_the_step_end_there() {
    let found = |is_telling| {
        let sys = Window { layout: Layout::new().with_q("x", 1.0), is_telling };
        let mut state = State::new(0.0, vec![0.0], ());
        let options = AdaptiveOptions { initial_step: Some(1.0), ..AdaptiveOptions::default() };
        let mut method = Adaptive::new(&sys, &(), options).unwrap();
        let advance = method.step(&sys, &mut state, 10.0).unwrap();
        (advance.fired, state.t)
    };
    let (fired, time) = found(true);
    assert!(fired == 1 && (time - 0.29).abs() < 1e-12, "{fired} {time}");
    assert_eq!(found(false), (0, 1.0), "without being told it is not seen, so this test tells nothing");
}
