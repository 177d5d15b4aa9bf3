//! Error control of multistep methods.

use crate::adaptive::Adaptive;
use crate::error::StepError;
use crate::system::{State, System};
use bristle_math::Scalar;

/// The first step from a new past, in the step that error allows the method that began it.
const BEGIN: f64 = 0.4;

/// What follows the step that was tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Order of the next step.
    pub order: usize,
    /// The grid of the past stays: something else than the method chose the length of the step.
    pub is_cut: bool,
}

impl<T: Scalar, S: System<T>> Adaptive<T, S> {
    /// Tries steps from the past until one is solved and its error small enough. Returns whether the step ends at `t_max`, and its
    /// length (s).
    pub(crate) fn try_multisteps(
        &mut self,
        sys: &S,
        state: &State<T, S::Mode>,
        t_max: T,
        mut h: f64,
    ) -> Result<(bool, f64), StepError> {
        let remaining = t_max.value() - state.t.value();
        let least = self.least_step(state.t.value());
        let mut tries = 0;
        loop {
            h = h.min(self.options.max_step);
            let is_last = h >= remaining * (1.0 - 1e-9);
            let wanted = if is_last { remaining } else { h.min(0.5 * remaining) }; // no sliver is left for the end
            let length = if is_last { t_max - state.t } else { T::lit(wanted) };
            self.track.stepper.history.may_fail = true;
            sys.overrun(&mut self.track.ws);
            self.track.advance(sys, state, length, false);
            let history = &mut self.track.stepper.history;
            history.may_fail = false;
            self.error = history.error();
            if self.error <= 1.0 {
                let is_cut = wanted < h;
                let (order, factor) = if is_cut { history.stay() } else { history.choose(tries > 0) };
                self.plan = Plan { order, is_cut };
                self.next = Some(factor * h);
                return Ok((is_last, length.value()));
            }
            self.track.stats.rejected += 1;
            tries += 1;
            h = history.shorten(tries) * length.value();
            if h < least {
                return Err(self.unsolved(sys, state, h));
            }
        }
    }

    /// Takes an accepted step of this length (s) into the past; events end it.
    pub(crate) fn remember(&mut self, is_event: bool, length: f64) {
        let stepper = &mut self.track.stepper;
        if is_event {
            stepper.history.forget();
            return stepper.forget_slopes(); // a law may have gone over to another branch
        }
        if !stepper.history.has_path() {
            self.next = self.next.map(|next| BEGIN * next.min(4.0 * length));
        }
        stepper.remember(self.plan.is_cut, self.plan.order);
    }

    fn unsolved(&self, sys: &S, state: &State<T, S::Mode>, step: f64) -> StepError {
        let (layout, time) = (sys.layout(&state.mode), state.t.value());
        match self.track.stepper.culprit() {
            Some(index) => StepError::NonFinite { time, component: layout.name(index) },
            None => {
                let limiting = self.track.stepper.history.limiting_component();
                StepError::StepTooSmall { time, step, component: layout.name(limiting) }
            }
        }
    }
}
