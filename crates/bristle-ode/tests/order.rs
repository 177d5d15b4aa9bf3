//! Observed orders of every method, on smooth problems and through events.
//!
//! The order is measured between two steps, `log2(error(h) / error(h/2))`, and must be at least that
//! of the method. Terms of the next order shift it by about `ω h` times a ratio of error constants:
//! below a quarter at the steps used up to order 5. At order 8 rounding leaves no room for steps
//! that small, and one order is allowed. `docs/integrators.md` has the numbers.

#![allow(clippy::unwrap_used, clippy::panic)] // a step that fails, fails the test

use bristle_math::Vector3;
use bristle_ode::problems::*;
use bristle_ode::*;
use std::ops::ControlFlow;

/// Allowed shift of an observed order by terms of higher order.
const SHIFT: f64 = 0.25;
/// The same at order 8.
const SHIFT_OF_EIGHT: f64 = 1.0;

/// What differences for the Jacobian leave of the error.
const JACOBIAN_FLOOR: f64 = 1e-12;

#[derive(Clone, Copy, Debug)]
enum Any {
    Fixed(Method),
    Paired(Pair),
}

const ALL: [(Any, f64); 7] = [
    (Any::Fixed(Method::Euler), 1.0),
    (Any::Fixed(Method::SemiImplicitEuler), 1.0),
    (Any::Fixed(Method::Rk3), 3.0),
    (Any::Fixed(Method::Rk4), 4.0),
    (Any::Paired(Pair::Dopri5), 5.0),
    (Any::Paired(Pair::Dop853), 8.0),
    (Any::Paired(Pair::Rodas4), 4.0),
];

/// Runs with `steps` equal steps. A pair gets a tolerance that accepts everything, so that its
/// step is its largest one.
fn run<S: System<f64>>(sys: &S, any: Any, start: &State<f64, S::Mode>, t_end: f64, steps: u32) -> Vec<f64> {
    let step = t_end / f64::from(steps);
    let mut state = start.clone();
    let go_on = |_: &Moment<f64, S, _>| Ok(ControlFlow::Continue(()));
    match any {
        Any::Fixed(method) => {
            let mut method = FixedStep::new(sys, &state.mode, FixedOptions::new(method, step)).unwrap();
            integrate(sys, &mut method, &mut state, t_end, go_on).unwrap();
        }
        Any::Paired(pair) => {
            let options = AdaptiveOptions {
                pair,
                rtol: 1e9,
                initial_step: Some(step),
                max_step: step,
                ..AdaptiveOptions::default()
            };
            let mut method = Adaptive::new(sys, &state.mode, options).unwrap();
            integrate(sys, &mut method, &mut state, t_end, |_| Ok(ControlFlow::Continue(()))).unwrap();
        }
    }
    assert_eq!(state.t, t_end);
    state.x
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// `steps_of_eight` is for order 8; lower orders need more to come near their limit.
fn check_order<S: System<f64>>(
    sys: &S,
    start: &State<f64, S::Mode>,
    t_end: f64,
    exact: &[f64],
    steps_of_eight: u32,
) {
    for (any, order) in ALL {
        let (steps, shift) = match order as u32 {
            1 => (2000, SHIFT),
            3 | 4 => (320, SHIFT),
            5 => (80, SHIFT),
            _ => (steps_of_eight, SHIFT_OF_EIGHT),
        };
        let coarse = distance(&run(sys, any, start, t_end, steps), exact);
        let fine = distance(&run(sys, any, start, t_end, 2 * steps), exact);
        let observed = (coarse / fine).log2();
        println!("{any:?}: {coarse:.2e} {fine:.2e} order {observed:.2}");
        let is_exact = matches!(any, Any::Paired(Pair::Rodas4)) && fine < JACOBIAN_FLOOR;
        assert!(is_exact || observed > order - shift, "{any:?}: {coarse:e} → {fine:e}, order {observed}");
    }
}

#[test]
fn orders_on_an_oscillator() {
    let (sys, start) = (Oscillator::new(2.0), State::new(0.0, vec![1.0, 0.0], ()));
    check_order(&sys, &start, 3.0, &[6f64.cos(), -2.0 * 6f64.sin()], 16);
}

#[test]
fn orders_on_a_nonlinear_problem_in_time() {
    let start = State::new(0.0, vec![1.0], ());
    // Not 8 steps at order 8: there its error changes sign and says nothing about the order.
    check_order(&Hyperbola::default(), &start, 3.0, &[0.1], 12);
}

#[test]
fn orders_on_a_rotating_body_made_unit_in_commit() {
    let sys = FreeTop::new(Vector3::new(1.0, 2.0, 3.0));
    let start = State::new(0.0, vec![1.0, 0.0, 0.0, 0.0, 0.5, 2.0, -0.3], ());
    // No elementary solution: a run whose error is far below those compared.
    let exact = run(&sys, Any::Paired(Pair::Dop853), &start, 2.0, 400);
    for (a, b) in sys.invariants(&exact).into_iter().zip(sys.invariants(&start.x)) {
        assert!((a - b).abs() < 1e-12); // 400 steps of rounding near 1e-15
    }
    check_order(&sys, &start, 2.0, &exact, 8);
}

/// Through touchdown and lift-off to the next flight: times in closed form.
#[test]
fn orders_through_touchdown_and_lift_off() {
    let sys = CompliantBall::new(10.0, 400.0, 0.0, ContactLaw::Linear);
    let height = 0.2;
    let [fall, contact] = sys.linear_times(height);
    let t_end = fall + contact + 0.13;
    let rebound = 10.0 * fall;
    let exact = [0.13 * (rebound - 5.0 * 0.13), rebound - 10.0 * 0.13];
    check_order(&sys, &State::new(0.0, vec![height, 0.0], false), t_end, &exact, 28);
}

/// Two cycles and a bit, from the moment of sticking.
#[test]
fn orders_through_stick_and_slip() {
    let sys = StickSlip::new(1.0, 3.0, 12.0, 6.0);
    let start = State::new(0.0, vec![sys.stick_position(), 1.0], true);
    let t_end = 2.0 * sys.period() + 0.3;
    check_order(&sys, &start, t_end, &[sys.stick_position() + 0.3, 1.0], 40);
}

/// Constant gravity is solved exactly by methods of order 2 and more: only rounding is left.
#[test]
fn bounce_matches_closed_form_to_rounding() {
    let sys = BouncingBall::new(9.81, 0.8);
    let exact = sys.after_first_bounce(1.0, 1.1);
    for (any, order) in ALL {
        let x = run(&sys, any, &State::new(0.0, vec![1.0, 0.0], ()), 1.1, 37);
        if order > 1.0 {
            // Event times are good to 1e-14 s · 5 m/s, and 37 steps round at 1e-16 each.
            assert!(distance(&x, &exact) < 1e-12, "{any:?} {x:?} {exact:?}");
        }
    }
}

/// A tolerance ten times smaller gives an error about ten times smaller.
#[test]
fn error_follows_the_tolerance() {
    let sys = Oscillator::new(2.0);
    for pair in [Pair::Dopri5, Pair::Dop853] {
        for exponent in 4..12 {
            let rtol = 10f64.powi(-exponent);
            let mut state = State::new(0.0, vec![1.0, 0.0], ());
            let options = AdaptiveOptions { pair, ..AdaptiveOptions::with_rtol(rtol) };
            let mut method = Adaptive::new(&sys, &(), options).unwrap();
            integrate(&sys, &mut method, &mut state, 10.0, |_| Ok(ControlFlow::Continue(()))).unwrap();
            let error = distance(&state.x, &[20f64.cos(), -2.0 * 20f64.sin()]);
            // Errors of all steps add up, each below rtol and on average half of it, rates twice
            // positions.
            assert!(error < 2.0 * rtol * method.stats().steps as f64, "{pair:?} {rtol:e} {error:e}");
        }
    }
}

/// Dense output: largest error over the step, `order + 1` locally.
#[test]
fn orders_of_dense_output() {
    for (pair, order) in [(Pair::Dopri5, 4.0), (Pair::Dop853, 7.0)] {
        let sys = Oscillator::new(1.0);
        let error = |step: f64| {
            let options = AdaptiveOptions {
                pair,
                rtol: 1e9,
                initial_step: Some(step),
                max_step: step,
                ..AdaptiveOptions::default()
            };
            let mut method = Adaptive::new(&sys, &(), options).unwrap();
            let mut state = State::new(0.0, vec![1.0, 0.0], ());
            method.step(&sys, &mut state, 10.0).unwrap();
            let mut x = [0.0; 2];
            (1..20).fold(0.0, |worst: f64, i| {
                let t = step * f64::from(i) / 20.0;
                method.dense(t, &mut x).unwrap();
                worst.max(distance(&x, &[t.cos(), -t.sin()]))
            })
        };
        let observed = (error(0.5) / error(0.25)).log2();
        assert!(observed > order + 1.0 - SHIFT, "{pair:?} {observed}");
    }
}
