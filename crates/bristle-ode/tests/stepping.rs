//! Steps without events: time, errors, semi-implicit treatment, lanes.

#![allow(clippy::unwrap_used, clippy::panic)] // a step that fails, fails the test

use bristle_math::{Lanes, Real};
use bristle_ode::problems::{FreeTop, Oscillator};
use bristle_ode::*;
use nalgebra::Vector3;
use std::ops::ControlFlow;

/// `x' = rate(t, x)` of two numbers with a layout of choice.
struct Free {
    layout: Layout,
    rate: fn(f64, &[f64], &mut [f64]),
}

impl System<f64> for Free {
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

fn finish<S: System<f64, Mode = ()>>(
    sys: &S,
    method: &mut impl Integrator<f64, S>,
    x: Vec<f64>,
    t_end: f64,
) -> Result<State<f64, ()>, StepError> {
    let mut state = State::new(0.0, x, ());
    integrate(sys, method, &mut state, t_end, |_| Ok(ControlFlow::Continue(())))?;
    Ok(state)
}

#[test]
fn time_does_not_drift() {
    let sys = Oscillator::new(1.0);
    let mut method = FixedStep::new(&sys, &(), FixedOptions::new(Method::Euler, 1e-3)).unwrap();
    let mut state = State::new(0.0, vec![1.0, 0.0], ());
    for n in 1..=100_000u32 {
        method.step(&sys, &mut state, 1e3).unwrap();
        assert_eq!(state.t, f64::from(n) * 1e-3);
    }
}

#[test]
fn the_last_step_ends_on_the_end_and_leaves_no_sliver() {
    let sys = Oscillator::new(1.0);
    let mut method = FixedStep::new(&sys, &(), FixedOptions::new(Method::Rk4, 0.1)).unwrap();
    let state = finish(&sys, &mut method, vec![1.0, 0.0], 0.7).unwrap();
    assert_eq!((state.t, method.stats().steps), (0.7, 7)); // 7 · 0.1 is not 0.7 in doubles
    let state = finish(&sys, &mut method, vec![1.0, 0.0], 0.25).unwrap();
    assert_eq!((state.t, method.stats().steps), (0.25, 10));
}

#[test]
fn nothing_happens_at_the_end() {
    let sys = Oscillator::new(1.0);
    let mut method = Adaptive::new(&sys, &(), AdaptiveOptions::default()).unwrap();
    let mut state = State::new(1.0, vec![1.0, 0.0], ());
    let advance = method.step(&sys, &mut state, 1.0).unwrap();
    assert_eq!((advance.end, method.stats().steps), (1.0, 0));
    assert!(matches!(method.dense(1.0, &mut [0.0; 2]), Err(StepError::OutsideLastStep { .. })));
}

#[test]
fn a_singularity_ends_in_a_step_that_is_too_small() {
    // x' = x²: infinite at t = 1.
    let rate = |_: f64, x: &[f64], dx: &mut [f64]| dx[0] = x[0] * x[0];
    let sys = Free { layout: Layout::new().with_q("blow-up", 1.0), rate };
    let options = AdaptiveOptions { min_step: 1e-9, ..AdaptiveOptions::default() };
    let mut method = Adaptive::new(&sys, &(), options).unwrap();
    match finish(&sys, &mut method, vec![1.0], 2.0) {
        Err(StepError::StepTooSmall { time, component, .. }) => {
            assert!((time - 1.0).abs() < 1e-4 && component == "blow-up");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_value_that_is_not_finite_is_named() {
    let rate = |t: f64, _: &[f64], dx: &mut [f64]| dx.copy_from_slice(&[1.0, (0.5 - t).sqrt()]);
    let sys = Free { layout: Layout::new().with_q("good", 1.0).with_v("bad", 1.0), rate };
    let mut adaptive = Adaptive::new(&sys, &(), AdaptiveOptions::default()).unwrap();
    let mut fixed = FixedStep::new(&sys, &(), FixedOptions::new(Method::Rk4, 0.1)).unwrap();
    for end in
        [finish(&sys, &mut adaptive, vec![0.0, 0.0], 1.0), finish(&sys, &mut fixed, vec![0.0, 0.0], 1.0)]
    {
        assert!(matches!(&end, Err(StepError::NonFinite { component, .. }) if component == "bad"), "{end:?}");
    }
}

#[test]
fn invalid_options_are_named() {
    let sys = Oscillator::new(1.0);
    let named = |options: AdaptiveOptions| match Adaptive::<f64, _>::new(&sys, &(), options) {
        Err(StepError::InvalidOption { name, .. }) => name,
        _ => "",
    };
    let good = AdaptiveOptions::default();
    assert_eq!(named(AdaptiveOptions { rtol: 0.0, ..good }), "rtol");
    assert_eq!(named(AdaptiveOptions { atol: f64::NAN, ..good }), "atol");
    assert_eq!(named(AdaptiveOptions { initial_step: Some(-1.0), ..good }), "initial_step");
    assert_eq!(named(AdaptiveOptions { min_step: 1.0, max_step: 0.5, ..good }), "max_step");
    assert_eq!(named(AdaptiveOptions { event_tolerance: 0.0, ..good }), "event_tolerance");
    let fixed = FixedStep::<f64, _>::new(&sys, &(), FixedOptions::new(Method::Rk4, -1.0));
    assert!(matches!(fixed, Err(StepError::InvalidOption { name: "step", .. })));
}

#[test]
fn quadratures_do_not_limit_the_step() {
    let rate = |t: f64, x: &[f64], dx: &mut [f64]| {
        dx.copy_from_slice(&[-x[0], 1e2 * (100.0 * t).sin()]);
    };
    let alone = Free { layout: Layout::new().with_q("x", 1.0).with_w("work", 1e-6), rate };
    let mut method = Adaptive::new(&alone, &(), AdaptiveOptions::default()).unwrap();
    finish(&alone, &mut method, vec![1.0, 0.0], 1.0).unwrap();
    let controlled = Free { layout: Layout::new().with_q("x", 1.0).with_z("work", 1e-6), rate };
    let mut slow = Adaptive::new(&controlled, &(), AdaptiveOptions::default()).unwrap();
    finish(&controlled, &mut slow, vec![1.0, 0.0], 1.0).unwrap();
    assert!(method.stats().steps < 30 && slow.stats().steps > 1000);
}

#[test]
fn accuracy_does_not_depend_on_the_origin() {
    let run = |offset: f64| {
        let sys = Free {
            layout: Layout::new().with_q("x", 1.0).with_v("v", 1.0),
            rate: if offset == 0.0 {
                |_, x, dx| dx.copy_from_slice(&[x[1], -x[0]])
            } else {
                |_, x, dx| dx.copy_from_slice(&[x[1], 1024.0 - x[0]])
            },
        };
        let mut method = Adaptive::new(&sys, &(), AdaptiveOptions::default()).unwrap();
        finish(&sys, &mut method, vec![1.0 + offset, 0.0], 10.0).unwrap();
        method.stats().steps
    };
    assert_eq!(run(0.0), run(1024.0));
}

#[test]
fn semi_implicit_euler_keeps_the_energy_of_springs_in_q_and_in_z() {
    let rate = |_: f64, x: &[f64], dx: &mut [f64]| dx.copy_from_slice(&[-x[1], x[0]]);
    let bristle = Free { layout: Layout::new().with_v("v", 1.0).with_z("stretch", 1.0), rate };
    let mut method =
        FixedStep::new(&bristle, &(), FixedOptions::new(Method::SemiImplicitEuler, 0.1)).unwrap();
    let x = finish(&bristle, &mut method, vec![1.0, 0.0], 1000.0).unwrap().x;
    // The energy of this map swings by h/2 about its mean for ever.
    assert!((x[0] * x[0] + x[1] * x[1] - 1.0).abs() < 0.1, "{x:?}");
}

#[test]
fn lanes_equal_single_runs_bit_for_bit() {
    let inertia = |scale: f64| Vector3::new(1.0, 2.0, 3.0 * scale);
    let scales = [1.0, 1.1, 1.2, 1.3];
    let start = [1.0, 0.0, 0.0, 0.0, 0.5, 2.0, -0.3];
    for method in [Method::Euler, Method::SemiImplicitEuler, Method::Rk3, Method::Rk4] {
        let wide = FreeTop::new(Vector3::new(
            Lanes::lit(1.0),
            Lanes::lit(2.0),
            Lanes::from(scales.map(|s| 3.0 * s)),
        ));
        let mut x = start.map(Lanes::lit);
        let mut kernel = Kernel::new(method, x.len());
        for _ in 0..100 {
            kernel.advance(&wide, Lanes::lit(0.0), Lanes::lit(0.01), &mut x, &(), &mut ());
        }
        for (lane, scale) in scales.into_iter().enumerate() {
            let narrow = FreeTop::new(inertia(scale));
            let mut single = start;
            let mut kernel = Kernel::new(method, single.len());
            for _ in 0..100 {
                kernel.advance(&narrow, 0.0, 0.01, &mut single, &(), &mut ());
            }
            for (wide, single) in x.iter().zip(single) {
                assert_eq!(<[f64; 4]>::from(*wide)[lane], single, "{method:?}");
            }
        }
    }
}

#[test]
fn a_run_may_have_no_end() {
    let rate = |_: f64, _: &[f64], dx: &mut [f64]| dx[0] = 0.0;
    let sys = Free { layout: Layout::new().with_q("x", 1.0), rate };
    let mut method = Adaptive::new(&sys, &(), AdaptiveOptions::default()).unwrap();
    let mut state = State::new(0.0, vec![1.0], ());
    for _ in 0..10 {
        method.step(&sys, &mut state, f64::INFINITY).unwrap();
    }
    assert!(state.t > 0.0 && state.t.is_finite() && state.x == [1.0]);
}
