//! Worlds one by one: for the method that asks every contact how far it yields, which lanes do not.

use super::group::Steps;
use super::{BatchError, Outcome};
use crate::world::{Contact, Mode, Model, PairSlot, World};
use bristle_ode::{Checkpoint, EventHandling, FixedOptions, FixedStep, Integrator, State, System};
use std::sync::Arc;

/// One world by itself.
pub(super) struct Single {
    model: Arc<Model>,
    pub state: State<f64, Mode>,
    /// Its number.
    world: usize,
    pub outcome: Outcome,
}

impl Single {
    /// A world at its start.
    ///
    /// # Errors
    /// When something in it does not yield.
    pub fn new(model: &Arc<Model>, (q, v): (&[f64], &[f64]), world: usize) -> Result<Self, BatchError> {
        let start = World::new(model);
        if !start.yields() {
            return Err(BatchError::Method { method: "\"linearly-implicit\" in such a scene".to_string() });
        }
        Ok(Self { state: start.start(q, v), model: model.clone(), world, outcome: Outcome::Running })
    }

    /// Bytes that the world takes, besides its model.
    pub fn bytes(&self) -> usize {
        let mode = &self.state.mode;
        let names: usize = mode.layout.components().iter().map(|c| size_of_val(c) + c.name.len()).sum();
        size_of::<Self>()
            + size_of_val(&*self.state.x)
            + mode.pairs.len() * size_of::<PairSlot>()
            + (mode.contacts.len() + mode.stops.len()) * size_of::<Contact>()
            + size_of_val(&*mode.held)
            + size_of_val(&*mode.frictions)
            + names
    }

    /// Steps on the grid of the batch, however they are portioned. Buffers are made before the first step of a call.
    pub fn advance(&mut self, steps: Steps<'_>, options: FixedOptions) {
        if self.outcome != Outcome::Running {
            return;
        }
        if let Err(after) = self.try_advance(steps, options) {
            self.outcome = Outcome::Failed { after };
        }
    }

    /// Fails with the last time at which all numbers were finite, s.
    fn try_advance(&mut self, steps: Steps<'_>, options: FixedOptions) -> Result<(), f64> {
        let Self { model, state, world: number, outcome } = self;
        let (world, options) = (World::new(model), options.with_events(EventHandling::AtStepEnd));
        let mut method = FixedStep::new(&world, &state.mode, options).map_err(|_| state.t)?;
        let grid = Checkpoint { grid_origin: 0.0, grid_count: steps.from, ..method.checkpoint() };
        method.resume(&grid);
        let (nq, nv) = (model.tree.nq(), model.tree.nv());
        for taken in 1..=steps.count {
            method.step(&world, state, f64::INFINITY).map_err(|_| state.t)?;
            let Some(watch) = steps.watch else { continue };
            let is_asked = taken.is_multiple_of(watch.every.max(1)) || taken == steps.count;
            if is_asked && (watch.ends)(*number, state.t, &state.x[..nq], &state.x[nq..nq + nv]) {
                *outcome = Outcome::Ended { at: state.t };
                return Ok(());
            }
        }
        Ok(())
    }
}
