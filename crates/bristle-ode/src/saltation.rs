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
//!
//! Steps on the way to an event are treated alike: they end at a given value of its function instead of a given time. What length
//! a step has is free, and so are the derivatives it carries: they only say where on its path each neighbour is looked at.
//! Neighbours that are equally deep have no difference in the root of the depth, and none without bound in its inverse.
//!
//! Kinks are not followed: where the rates are continuous, and nothing else changes, the time of the change does not matter.

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
    let is_followed = |event: &usize| !model.sys.is_kink(model.mode, *event);
    let fired = finder.fired().iter().map(|f| f.index).filter(is_followed);
    if fired.clone().all(|event| is_constant(functions[event])) {
        return Ok(None);
    }
    let fired: Vec<usize> = fired.collect();
    let Some((&first, others)) = fired.split_first() else { return Ok(None) };
    // Time may carry most of the derivative already, from steps on the way.
    let carried = stepper.t0 + stepper.h;
    let size = |shift: T| shift.largest_derivative().max((carried + shift).largest_derivative());
    let shift = shift(first, finder, model, stepper)?;
    for &second in others {
        evaluate_end(finder, model, stepper);
        let other = self::shift(second, finder, model, stepper)?;
        let size = size(shift).max(size(other));
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
        if rest.largest_derivative() <= SETTLED * size(total) {
            return Ok(Some(total));
        }
    }
    Err(StepError::GrazingGradient { time: (stepper.t0 + stepper.h).value(), event: first })
}

/// Events this many steps ahead are on the way.
const SOON: f64 = 10.0;
/// Part of the step over which the rates of event functions are taken to see which is next.
const BESIDE: f64 = 1e-3;

/// Lets a step that ends on the way to an event end at a given value of its function. Returns the derivative of its time.
pub(crate) fn approach_event<T: Scalar, S: System<T>>(
    finder: &mut EventFinder<T>,
    model: &mut Model<T, S>,
    stepper: &mut Stepper<T>,
) -> Option<T> {
    let h = stepper.h.value();
    let mut at = |dt: f64| -> Vec<T> {
        probe_along(finder, model, stepper, dt);
        finder.functions().to_vec()
    };
    let (before, now, after) = (at(-BESIDE * h), at(0.0), at(BESIDE * h));
    let (mut soonest, mut shift) = (SOON * h, None);
    for (event, ((before, now), after)) in before.into_iter().zip(now).zip(after).enumerate() {
        let rate = (after.value() - before.value()) / (2.0 * BESIDE * h);
        let time = -now.value() / rate;
        if time > 0.0 && time < soonest && !is_constant(now) && !model.sys.is_kink(model.mode, event) {
            (soonest, shift) = (time, Some((T::lit(now.value()) - now) / T::lit(rate)));
        }
    }
    take_again(model, stepper, shift?);
    shift
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
        probe_along(finder, model, stepper, dt);
        finder.functions()[event].value()
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

/// The event functions beside the end of the step, along its rate, for [`EventFinder::functions`].
fn probe_along<T: Scalar, S: System<T>>(
    finder: &mut EventFinder<T>,
    model: &mut Model<T, S>,
    stepper: &Stepper<T>,
    dt: f64,
) {
    let (x, g) = finder.probe_buffers();
    let dt = T::lit(dt);
    for (x, (&at, &rate)) in x.iter_mut().zip(stepper.x1.iter().zip(stepper.end_rate())) {
        *x = at + rate * dt;
    }
    model.events(stepper.t0 + stepper.h + dt, x, g);
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
