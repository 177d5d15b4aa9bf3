//! Many steps at once, between what is recorded: those of a crowd.

use super::Runner;
use crate::crowd::{self, Crowd};
use crate::run::{Method, RunOptions};
use crate::world::{Mode, Model};
use bristle_ode::{EventHandling, State, StepError};

/// Steps of all bodies in one leap: who runs it is told the time between leaps, and may end it there.
const BODY_STEPS: u64 = 4_000_000;

/// The world as a crowd, if it is one and nobody asks what happens inside its steps.
pub(super) fn crowd<'m>(
    model: &'m Model,
    state: &State<f64, Mode>,
    options: &RunOptions,
) -> Option<Crowd<'m>> {
    let Method::Fixed(fixed) = options.method else { return None };
    let is_asked = !options.impacts
        && fixed.method == bristle_ode::Method::SemiImplicitEuler
        && fixed.events == EventHandling::AtStepEnd;
    if !is_asked || crowd::serves(model).is_err() {
        return None;
    }
    Some(Crowd::of_state(model, state.clone(), fixed.step))
}

impl Runner<'_> {
    /// Steps of a crowd to the last step before anything is recorded, and before `stop` (s). False where there is none, or no room
    /// for one.
    pub(super) fn leap(&mut self, stop: f64) -> Result<bool, StepError> {
        let Some(crowd) = &mut self.crowd else { return Ok(false) };
        let frame = self.filming.as_ref().map_or(f64::INFINITY, |filming| filming.upcoming());
        let wanted = stop.min(self.recorder.upcoming(self.state.t)).min(frame);
        // one step is left to look inside
        let room = ((wanted - self.state.t) / crowd.step()).floor() - 1.0;
        let most = (BODY_STEPS / crowd.len().max(1) as u64).max(1);
        if room.is_nan() || room < 1.0 {
            return Ok(false);
        }
        let steps = (room as u64).min(most);
        let mut checkpoint = self.method.checkpoint();
        let grid = match checkpoint.stats.steps {
            0 => (self.state.t, 0), // the method has no grid before its first step
            _ => (checkpoint.grid_origin, checkpoint.grid_count),
        };
        crowd.carry_on(&mut self.state, grid, steps, self.threads)?;
        (checkpoint.grid_origin, checkpoint.grid_count) = (grid.0, grid.1 + steps);
        checkpoint.stats.steps += steps;
        checkpoint.stats.evaluations += 2 * steps;
        // the next step starts from nothing but the state
        checkpoint.carried = None;
        self.method.resume(&checkpoint);
        self.crowd_steps += steps;
        self.before.clone_from(&self.state.mode);
        Ok(true)
    }
}
