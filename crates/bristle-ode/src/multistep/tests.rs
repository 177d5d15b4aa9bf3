//! Observed orders of the formulas, with their order held.

use super::{History, MOST};
use crate::problems::{Hyperbola, Oscillator};
use crate::stepper::{Model, Scheme, Stepper};
use crate::system::System;
use crate::tableau::RODAS4;
use std::marker::PhantomData;

/// Allowed shift of an observed order by terms of higher order.
const SHIFT: f64 = 0.25;

/// Error at `end` of `steps` equal steps of one order, from exact points of the past.
fn error<S: System<f64, Mode = (), Scratch = ()>>(
    sys: &S,
    exact: impl Fn(f64) -> Vec<f64>,
    end: f64,
    (order, steps): (usize, u32),
) -> f64 {
    let h = end / f64::from(steps);
    let len = exact(0.0).len();
    let mut stepper = Stepper::new(Scheme::Multistep(&RODAS4), len);
    let (mut evaluations, mut event_evaluations) = (0, 0);
    let mut model = Model {
        sys,
        mode: &(),
        ws: &mut (),
        evaluations: &mut evaluations,
        event_evaluations: &mut event_evaluations,
        scalar: PhantomData,
    };
    // iteration is to leave nothing
    stepper.history.weigh(&vec![1e10; len]);
    stepper.history.may_fail = true;
    stepper.history.put(h, order, |back| exact(-f64::from(back) * h));
    for n in 0..steps {
        stepper.t0 = f64::from(n) * h;
        stepper.linear.stay();
        stepper.advance(&mut model, h);
        stepper.remember(false, order);
    }
    let differences = stepper.x1.iter().zip(exact(end)).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}

#[test]
fn formulas_have_their_orders() {
    let turn = |t: f64| vec![(2.0 * t).cos(), -2.0 * (2.0 * t).sin()];
    let fall = |t: f64| vec![1.0 / (1.0 + t * t)];
    for order in 1..=MOST {
        let observed = |coarse: f64, fine: f64| (coarse / fine).log2();
        let steps = [0, 2000, 400, 200, 100, 80][order];
        let linear = |steps| error(&Oscillator::new(2.0), turn, 3.0, (order, steps));
        let curved = |steps| error(&Hyperbola::default(), fall, 3.0, (order, steps));
        for found in [observed(linear(steps), linear(2 * steps)), observed(curved(steps), curved(2 * steps))]
        {
            println!("order {order}: {found:.2}");
            assert!(found > order as f64 - SHIFT, "order {order}: {found}");
        }
    }
}

/// A past that a commit moved is that of the points as they are.
#[test]
fn moved_points_are_kept_as_they_are() {
    let mut history = History::new();
    history.resize(1);
    history.put(0.1, 3, |back| vec![f64::from(back * back)]);
    history.settle(&[0.5]);
    history.lay(0.1, 3);
    // 0.5, 1, 4, 9 backwards: differences −0.5, 2.5, 0.5
    let found: Vec<f64> = history.tried[..4].iter().map(|row| row[0]).collect();
    assert_eq!(found, [0.5, -0.5, 2.5, 0.5]);
}
