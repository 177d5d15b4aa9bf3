//! Exact derivatives of the state at an event.
//!
//! An event time is found in values. Its derivative follows from `g(t*, x(t*)) = 0`:
//!
//! ```text
//! dt* = - dg|ₜ / ġ        t ← t + dt*        x ← x + f dt*
//! ```
//! with `dg|ₜ` the derivative of the event function at fixed time, which the dual already carries,
//! and `ġ` its rate along the path. Values do not change. Time carries the derivative until the
//! next step ends: its length carries the opposite one.

use crate::error::StepError;
use crate::events::EventFinder;
use crate::stepper::{Model, Stepper};
use crate::system::System;
use bristle_math::Scalar;

/// Difference quotients over this fraction of the step: with four points the truncation is about
/// its fourth power and rounding about 1e-16 over it, both near 1e-12.
const FRACTION: f64 = 1e-3;

/// The derivative `dt*` of the time of a located event, as a number of value zero; `None` when the
/// event functions carry no derivative. `span` is a length of time (s) over which the path is smooth.
pub(crate) fn event_time_shift<T: Scalar, S: System<T>>(
    finder: &mut EventFinder<T>,
    model: &mut Model<T, S>,
    stepper: &Stepper<T>,
    span: f64,
) -> Result<Option<T>, StepError> {
    let Some(event) = finder.fired().first().map(|fired| fired.index) else { return Ok(None) };
    let at_event = finder.functions()[event];
    if at_event.is_exactly(at_event.value()) {
        return Ok(None);
    }
    let t1 = stepper.t0 + stepper.h;
    let delta = FRACTION * span;
    let mut along = |reach: f64| {
        let (x, g) = finder.probe_buffers();
        let dt = T::lit(reach * delta);
        for (x, (&at, &rate)) in x.iter_mut().zip(stepper.x1.iter().zip(stepper.end_rate())) {
            *x = at + rate * dt;
        }
        model.events(t1 + dt, x, g);
        g[event].value()
    };
    let rate = (8.0 * (along(1.0) - along(-1.0)) - (along(2.0) - along(-2.0))) / (12.0 * delta);
    if rate == 0.0 || !rate.is_finite() {
        return Err(StepError::GrazingGradient { time: t1.value(), event });
    }
    Ok(Some((T::lit(at_event.value()) - at_event) / T::lit(rate)))
}
