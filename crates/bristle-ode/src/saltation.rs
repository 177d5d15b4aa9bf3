//! Exact derivatives of the state at an event.
//!
//! An event time is found in values. Its derivative follows from `g(t*, x(t*)) = 0`:
//!
//! ```text
//! dt* = - dg|ₜ / ġ        h ← h + dt*
//! ```
//! with `dg|ₜ` the derivative of the event function at fixed time, which the dual already carries,
//! and `ġ` its rate along the path. The step is then taken again with a length that carries `dt*`: values do not change, and
//! the derivatives are those of a path that ends at the event. That beats adding `ẋ dt*` to the end: forces
//! like the root of a depth have derivatives without bound at fixed times near the event, and none on the way to it. For the
//! same reason time carries the derivative from there on, so that all that follows is seen from the event, until a step
//! ends at a given time: its length carries the opposite one.

use crate::error::StepError;
use crate::events::EventFinder;
use crate::stepper::{Model, Stepper};
use crate::system::System;
use bristle_math::Scalar;

/// The rate of an event function is taken over parts of the time in which the state changes by its own size: powers of ten from
/// the first to the last of these. Steps are no measure: a step that ends at an event may be as short as time resolves.
const TENTHS: std::ops::RangeInclusive<i32> = 2..=11;
/// Two of these parts must agree to this on the rate; if none do, the path grazes the event. Corrections do the rest.
const KNOWN: f64 = 0.03;
/// Most corrections of the derivative of an event's time, and the part of it that the last may be.
const CORRECTIONS: u32 = 8;
const SETTLED: f64 = 1e-7;
/// So it does when its function falls this much slower at the end of the step than over the step: a path that turns just there
/// falls as the square of the time.
const GRAZED: f64 = 1e-6;
/// Derivatives of the times of events that happen at once agree to this, relative to the larger.
const TOGETHER: f64 = 1e-6;

/// The derivative `dt*` of the time of a located event, as a number of value zero; `None` when the
/// event functions carry no derivative.
/// The step of `stepper` ends at the event; afterwards its length and its end carry the derivative.
pub(crate) fn follow_event<T: Scalar, S: System<T>>(
    finder: &mut EventFinder<T>,
    model: &mut Model<T, S>,
    stepper: &mut Stepper<T>,
) -> Result<Option<T>, StepError> {
    let functions = finder.functions();
    let fired: Vec<usize> = match finder.fired() {
        fired if fired.iter().all(|f| is_constant(functions[f.index])) => return Ok(None),
        fired => fired.iter().map(|f| f.index).collect(),
    };
    let (first, shift) = (fired[0], shift(fired[0], finder, model, stepper)?);
    for &second in &fired[1..] {
        evaluate_end(finder, model, stepper);
        let other = self::shift(second, finder, model, stepper)?;
        let size = shift.largest_derivative().max(other.largest_derivative());
        if (shift - other).largest_derivative() > TOGETHER * size {
            let time = (stepper.t0 + stepper.h).value();
            return Err(StepError::SimultaneousGradient { time, first, second });
        }
    }
    take_again(model, stepper, shift);
    // What is left falls with every correction by the error of the rate; a rate that is no good does not get there.
    let mut total = shift;
    for _ in 0..CORRECTIONS {
        evaluate_end(finder, model, stepper);
        let rest = self::shift(first, finder, model, stepper)?;
        take_again(model, stepper, rest);
        total += rest;
        if rest.largest_derivative() <= SETTLED * total.largest_derivative() {
            return Ok(Some(total));
        }
    }
    Err(StepError::GrazingGradient { time: (stepper.t0 + stepper.h).value(), event: first })
}

/// The derivative of the time of one event, from the event functions at the end of the step.
fn shift<T: Scalar, S: System<T>>(
    event: usize,
    finder: &mut EventFinder<T>,
    model: &mut Model<T, S>,
    stepper: &Stepper<T>,
) -> Result<T, StepError> {
    let at_event = finder.functions()[event];
    if is_constant(at_event) {
        return Ok(T::lit(0.0));
    }
    let t1 = stepper.t0 + stepper.h;
    let layout = model.sys.layout(model.mode);
    let moving = layout.components().iter().zip(stepper.end_rate()).take(layout.w().start);
    let size = moving.map(|(c, rate)| c.scale / rate.value().abs()).fold(f64::INFINITY, f64::min);
    let size = if size.is_finite() { size } else { 1.0 };
    let mut along = |dt: f64| {
        let (x, g) = finder.probe_buffers();
        let dt = T::lit(dt);
        for (x, (&at, &rate)) in x.iter_mut().zip(stepper.x1.iter().zip(stepper.end_rate())) {
            *x = at + rate * dt;
        }
        model.events(t1 + dt, x, g);
        g[event].value()
    };
    // Long parts suffer from curvature, short ones from rounding: the best are those that agree.
    let (mut rate, mut apart, mut last) = (0.0, KNOWN, f64::NAN);
    for tenth in TENTHS {
        let dt = size * 0.1_f64.powi(tenth);
        let now = (8.0 * (along(dt) - along(-dt)) - (along(2.0 * dt) - along(-2.0 * dt))) / (12.0 * dt);
        let difference = (now - last).abs() / now.abs();
        if difference < apart {
            (rate, apart) = (now, difference);
        }
        last = now;
    }
    let (_, g) = finder.probe_buffers();
    model.events(stepper.t0, &stepper.x0, g);
    let fall = (g[event].value() - at_event.value()) / stepper.h.value();
    if rate == 0.0 || rate.abs() < GRAZED * fall.abs() {
        return Err(StepError::GrazingGradient { time: t1.value(), event });
    }
    Ok((T::lit(at_event.value()) - at_event) / T::lit(rate))
}

fn is_constant<T: Scalar>(g: T) -> bool {
    g.is_exactly(g.value())
}

/// The event functions at the end of the step, for [`EventFinder::functions`].
fn evaluate_end<T: Scalar, S: System<T>>(
    finder: &mut EventFinder<T>,
    model: &mut Model<T, S>,
    stepper: &Stepper<T>,
) {
    let (_, g) = finder.probe_buffers();
    model.events(stepper.t0 + stepper.h, &stepper.x1, g);
}

/// The same step with a length that carries one more derivative.
fn take_again<T: Scalar, S: System<T>>(model: &mut Model<T, S>, stepper: &mut Stepper<T>, shift: T) {
    stepper.advance(model, stepper.h + shift);
    stepper.evaluate_end(model);
    stepper.prepare_dense(model);
}
