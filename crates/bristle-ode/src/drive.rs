//! Runs an integrator to an end time.

use crate::error::StepError;
use crate::integrator::{Advance, Integrator};
use crate::system::{Fired, State, System};
use bristle_math::Scalar;
use std::ops::ControlFlow;

/// What an observer sees after an accepted step.
pub struct Moment<'a, T: Scalar, S: System<T>, I: Integrator<T, S>> {
    /// What the step did.
    pub advance: Advance,
    /// The state after the commit.
    pub state: &'a State<T, S::Mode>,
    integrator: &'a I,
}

impl<T: Scalar, S: System<T>, I: Integrator<T, S>> Moment<'_, T, S, I> {
    /// The solution at a time (s) inside the step, before the commit changed it.
    pub fn dense(&self, t: T, x: &mut [T]) -> Result<(), StepError> {
        self.integrator.dense(t, x)
    }

    /// The events that ended the step.
    pub fn fired(&self) -> &[Fired] {
        self.integrator.fired()
    }
}

/// Steps `state` to `t_end` (s), calling `observer` after every accepted step and event. The
/// observer ends the run early with [`ControlFlow::Break`]. Returns whether `t_end` was reached.
///
/// ```
/// use bristle_ode::{Adaptive, AdaptiveOptions, State, UniformGrid, integrate, problems::Oscillator};
/// use std::ops::ControlFlow;
/// # fn main() -> Result<(), bristle_ode::StepError> {
/// let sys = Oscillator::new(1.0);
/// let mut state = State::new(0.0, vec![1.0, 0.0], ());
/// let mut method = Adaptive::new(&sys, &state.mode, AdaptiveOptions::default())?;
/// let mut grid = UniformGrid::new(0.0, 0.25);
/// let mut heights = vec![];
/// integrate(&sys, &mut method, &mut state, 2.0, |moment| {
///     let mut x = [0.0; 2];
///     while let Some(t) = grid.next_until(moment.advance.end) {
///         moment.dense(t, &mut x)?;
///         heights.push(x[0]);
///     }
///     Ok(ControlFlow::Continue(()))
/// })?;
/// assert_eq!(heights.len(), 9);
/// assert!((heights[8] - 2.0_f64.cos()).abs() < 1e-6);
/// # Ok(())
/// # }
/// ```
pub fn integrate<T: Scalar, S: System<T>, I: Integrator<T, S>>(
    sys: &S,
    integrator: &mut I,
    state: &mut State<T, S::Mode>,
    t_end: T,
    mut observer: impl FnMut(&Moment<T, S, I>) -> Result<ControlFlow<()>, StepError>,
) -> Result<bool, StepError> {
    while state.t.value() < t_end.value() {
        let advance = integrator.step(sys, state, t_end)?;
        let moment = Moment { advance, state, integrator: &*integrator };
        if observer(&moment)?.is_break() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Equally spaced times, handed out as a run reaches them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniformGrid {
    start: f64,
    spacing: f64,
    count: u64,
}

impl UniformGrid {
    /// Times `start`, `start + spacing`, … (s).
    pub fn new(start: f64, spacing: f64) -> Self {
        Self { start, spacing, count: 0 }
    }

    /// The next time (s) of the grid if it is not after `t` (s). Times are products, not sums: they do not drift.
    pub fn next_until(&mut self, t: f64) -> Option<f64> {
        let next = self.start + self.count as f64 * self.spacing;
        // A time that is meant to be `t` may differ from it by a rounding.
        let is_same = (next - t).abs() <= 2.0 * f64::EPSILON * t.abs();
        if next > t && !is_same {
            return None;
        }
        self.count += 1;
        Some(if is_same { t } else { next })
    }
}
