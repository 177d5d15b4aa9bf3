//! Smooth problems against an independent solver (diffsol, TSIT45).

#![allow(clippy::unwrap_used, clippy::panic)] // a step that fails, fails the test

use bristle_ode::*;
use diffsol::{NalgebraMat, OdeBuilder, OdeSolverMethod, OdeSolverStopReason};
use std::ops::ControlFlow;

/// Tolerance of both solvers.
const RTOL: f64 = 1e-10;

type Rate = fn(&[f64], &mut [f64]);

/// `x' = f(x)`, two numbers.
struct Plane {
    layout: Layout,
    rate: Rate,
}

impl System<f64> for Plane {
    type Mode = ();
    type Scratch = ();
    fn layout<'a>(&'a self, _mode: &'a ()) -> &'a Layout {
        &self.layout
    }
    fn scratch(&self) {}
    fn derivative(&self, _t: f64, x: &[f64], _mode: &(), dx: &mut [f64], _ws: &mut ()) {
        (self.rate)(x, dx);
    }
}

fn van_der_pol(x: &[f64], dx: &mut [f64]) {
    dx[0] = x[1];
    dx[1] = (1.0 - x[0] * x[0]) * x[1] - x[0];
}

fn pendulum(x: &[f64], dx: &mut [f64]) {
    dx[0] = x[1];
    dx[1] = -x[0].sin();
}

fn oracle(rate: Rate, start: [f64; 2], t_end: f64) -> [f64; 2] {
    let problem = OdeBuilder::<NalgebraMat<f64>>::new()
        .rtol(RTOL)
        .atol([RTOL, RTOL])
        .rhs(move |x, _p, _t, y| {
            let mut dx = [0.0; 2];
            rate(&[x[0], x[1]], &mut dx);
            (y[0], y[1]) = (dx[0], dx[1]);
        })
        .init(move |_p, _t, y| (y[0], y[1]) = (start[0], start[1]), 2)
        .build()
        .unwrap();
    let mut solver = problem.tsit45().unwrap();
    solver.set_stop_time(t_end).unwrap();
    while !matches!(solver.step().unwrap(), OdeSolverStopReason::TstopReached) {}
    let x = solver.state().y;
    [x[0], x[1]]
}

#[test]
fn pairs_agree_with_an_independent_solver() {
    let problems: [(Rate, [f64; 2], f64); 2] =
        [(van_der_pol, [2.0, 0.0], 10.0), (pendulum, [3.0, 0.0], 20.0)];
    for (rate, start, t_end) in problems {
        let expected = oracle(rate, start, t_end);
        for pair in [Pair::Dopri5, Pair::Dop853] {
            let sys = Plane { layout: Layout::new().with_q("x", 1.0).with_v("v", 1.0), rate };
            let mut state = State::new(0.0, start.to_vec(), ());
            let options = AdaptiveOptions { pair, ..AdaptiveOptions::with_rtol(RTOL) };
            let mut method = Adaptive::new(&sys, &(), options).unwrap();
            integrate(&sys, &mut method, &mut state, t_end, |_| Ok(ControlFlow::Continue(()))).unwrap();
            // A local error of RTOL in each of about 1000 steps, on paths that pull together
            // or diverge no faster than the step count.
            for (x, expected) in state.x.iter().zip(expected) {
                assert!((x - expected).abs() < 1e3 * RTOL, "{pair:?} {x} {expected}");
            }
        }
    }
}
