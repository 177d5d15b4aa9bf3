//! Stiff systems: the L-stable pair takes steps of the slow motion, its error follows the tolerance.

#![allow(clippy::unwrap_used)]

use bristle_ode::{
    Adaptive, AdaptiveOptions, Change, Fired, Integrator, Layout, Pair, State, Stats, StepError, System,
};

/// A mass on a spring in a strong damper, driven slowly, with the work of the damper as an account.
struct Damped {
    layout: Layout,
    stiffness: f64,
    damping: f64,
    /// How far the drive moves.
    drive: f64,
}

impl Damped {
    fn new(stiffness: f64, damping: f64) -> Self {
        let layout = Layout::new().with_q("x", 1.0).with_v("v", 1.0).with_w("lost", 1.0);
        Self { layout, stiffness, damping, drive: 1.0 }
    }
}

impl System<f64> for Damped {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.layout
    }
    fn scratch(&self) {}
    fn derivative(&self, t: f64, x: &[f64], _mode: &(), dx: &mut [f64], _ws: &mut ()) {
        dx[0] = x[1];
        dx[1] = -self.stiffness * x[0] - self.damping * x[1] + self.stiffness * self.drive * t.sin();
        dx[2] = self.damping * x[1] * x[1];
    }
    fn event_count(&self, _mode: &()) -> usize {
        0
    }
    fn events(&self, _t: f64, _x: &[f64], _mode: &(), _g: &mut [f64], _ws: &mut ()) {}
    fn commit(&self, _state: &mut State<f64, ()>, _fired: &[Fired], _ws: &mut ()) -> Change {
        Change::Smooth
    }
}

fn run(sys: &Damped, pair: Pair, rtol: f64, end: f64) -> (Vec<f64>, Stats) {
    let mut state = State::new(0.0, vec![0.0, 0.0, 0.0], ());
    let options = AdaptiveOptions { pair, ..AdaptiveOptions::with_rtol(rtol) };
    let mut method = Adaptive::new(sys, &(), options).unwrap();
    while state.t < end {
        method.step(sys, &mut state, end).unwrap();
    }
    (state.x, *method.stats())
}

/// Eigenvalues −1e5 and −1: explicit steps stay below 3.3e-5 s, the motion takes seconds.
#[test]
fn steps_follow_the_slow_motion() {
    let sys = Damped::new(1e5, 1e5);
    let (explicit, counts) = run(&sys, Pair::Dopri5, 1e-8, 2.0);
    let (implicit, stiff) = run(&sys, Pair::Rodas4, 1e-8, 2.0);
    assert!(counts.steps > 50_000 && stiff.steps < 300, "{} {}", counts.steps, stiff.steps);
    for (a, b) in explicit.iter().zip(&implicit) {
        // errors of some hundred steps, accounts of a size of 1e5
        assert!((a - b).abs() < 1e-6 * a.abs().max(1.0), "{explicit:?} {implicit:?}");
    }
}

/// Infinitely stiff: a start off the slow motion is forgotten at once, without ringing.
#[test]
fn what_is_fast_dies_in_one_step() {
    let sys = Damped::new(1e12, 1e12);
    let mut state = State::new(0.0, vec![0.0, 5.0, 0.0], ());
    let options = AdaptiveOptions {
        pair: Pair::Rodas4,
        rtol: 1e9, // every step is accepted
        initial_step: Some(0.01),
        max_step: 0.01,
        ..AdaptiveOptions::default()
    };
    let mut method = Adaptive::new(&sys, &(), options).unwrap();
    method.step(&sys, &mut state, 1.0).unwrap();
    // v = ẋ of ẋ = sin t − x
    assert!(state.x[1].abs() < 0.02, "{:?}", state.x);
}

#[test]
fn the_error_follows_the_tolerance() {
    let sys = Damped::new(1e3, 1e3);
    let (exact, _) = run(&sys, Pair::Dop853, 1e-13, 2.0);
    let mut before = f64::INFINITY;
    for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
        let (x, _) = run(&sys, Pair::Rodas4, rtol, 2.0);
        let error = (x[0] - exact[0]).abs().max((x[1] - exact[1]).abs());
        assert!(error < 30.0 * rtol && error < before, "{error:e} at {rtol:e}");
        before = error;
    }
}

/// The slopes of linear equations never change: those of the first step serve on, at six evaluations and one at the end each.
#[test]
fn slopes_that_foretell_are_kept() {
    let sys = Damped { drive: 0.0, ..Damped::new(1e3, 1e3) };
    let mut state = State::new(0.0, vec![1.0, 0.0, 0.0], ());
    let options = AdaptiveOptions { pair: Pair::Rodas4, ..AdaptiveOptions::with_rtol(1e-4) };
    let mut method = Adaptive::new(&sys, &(), options).unwrap();
    while state.t < 2.0 {
        method.step(&sys, &mut state, 2.0).unwrap();
    }
    let counts = method.stats();
    // slopes take the point itself, two columns and one in time; with new ones in every step it would be 11 of each
    let tries = counts.steps + counts.rejected;
    assert!(tries > 20 && counts.evaluations < 8 * tries + 10, "{counts:?}");
}

/// Slopes are part of a checkpoint: a run that goes on elsewhere gives the same bits.
#[test]
fn a_resumed_run_is_the_same_run() {
    let sys = Damped { drive: 0.0, ..Damped::new(1e3, 1e3) };
    let options = AdaptiveOptions { pair: Pair::Rodas4, ..AdaptiveOptions::with_rtol(1e-4) };
    let mut state = State::new(0.0, vec![1.0, 0.0, 0.0], ());
    let mut method = Adaptive::new(&sys, &(), options).unwrap();
    for _ in 0..15 {
        method.step(&sys, &mut state, 2.0).unwrap();
    }
    let (mut other_state, saved) = (state.clone(), method.checkpoint());
    assert!(saved.slopes.as_ref().is_some_and(|slopes| slopes.age > 0), "old slopes are in use: {saved:?}");
    let mut other = Adaptive::new(&sys, &(), options).unwrap();
    other.resume(&saved);
    while state.t < 2.0 {
        method.step(&sys, &mut state, 2.0).unwrap();
        other.step(&sys, &mut other_state, 2.0).unwrap();
        assert_eq!((state.t, &state.x), (other_state.t, &other_state.x));
    }
    assert_eq!(method.stats(), other.stats());
}

/// Many numbers that do not move.
struct Still(Layout);

impl System<f64> for Still {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.0
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: f64, _x: &[f64], _mode: &(), dx: &mut [f64], _ws: &mut ()) {
        dx.fill(0.0);
    }
    fn event_count(&self, _mode: &()) -> usize {
        0
    }
    fn events(&self, _t: f64, _x: &[f64], _mode: &(), _g: &mut [f64], _ws: &mut ()) {}
    fn commit(&self, _state: &mut State<f64, ()>, _fired: &[Fired], _ws: &mut ()) -> Change {
        Change::Smooth
    }
}

#[test]
fn what_is_too_large_for_full_matrices_is_refused() {
    let many =
        |count: usize| Still((0..count).fold(Layout::new(), |layout, i| layout.with_q(format!("x{i}"), 1.0)));
    let build = |pair, count| {
        let options = AdaptiveOptions { pair, ..AdaptiveOptions::default() };
        Adaptive::new(&many(count), &(), options).map(|_| ())
    };
    for pair in [Pair::Rodas4, Pair::Bdf] {
        assert!(build(pair, 500).is_ok());
        let expected = StepError::TooManyUnknowns { unknowns: 5000, most: 4096 };
        assert_eq!((build(pair, 5000), pair.check_size(5000)), (Err(expected.clone()), Err(expected)));
    }
    assert!(build(Pair::Dopri5, 5000).is_ok());
}
