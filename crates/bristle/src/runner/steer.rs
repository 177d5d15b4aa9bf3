//! A run seen and told from outside between its steps: a controller that is called step by step needs no more.

use super::Runner;
use crate::world::{Command, Mode, Model, Touch};
use bristle_laws::Phase;
use bristle_ode::{Change, State, StepError};

/// A contact as [`Runner::for_each_touch`] shows it.
pub struct Touched<'a> {
    /// The two bodies: the second feels the force of `touch`, the first the opposite.
    pub bodies: [&'a str; 2],
    /// Which patch of the pair.
    pub patch: usize,
    /// Whether the surfaces touch; otherwise they part and still recover.
    pub is_touching: bool,
    /// Geometry and forces.
    pub touch: &'a Touch,
}

impl<'m> Runner<'m> {
    /// What is run.
    pub fn model(&self) -> &'m Model {
        self.world.model
    }

    /// Time, state vector and mode.
    pub fn state(&self) -> &State<f64, Mode> {
        &self.state
    }

    /// Names and units of what is recorded; the first is the time.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.recorder.columns().iter().map(|c| (c.name.as_str(), c.unit))
    }

    /// What would be recorded now: one value for each of [`Runner::columns`].
    pub fn measure(&mut self, row: &mut Vec<f64>) {
        let State { t, x, mode } = &self.state;
        self.recorder.measure(&self.world, *t, x, mode, &mut self.ws, self.initial.balance(), row);
    }

    /// Every contact that acts now.
    pub fn for_each_touch(&mut self, mut visit: impl FnMut(&Touched<'_>)) {
        let (State { t, x, mode }, model) = (&self.state, self.world.model);
        self.world.for_each_touch(*t, x, mode, &mut self.ws, |p, c, touch| {
            let pair = &mode.pairs[p];
            visit(&Touched {
                bodies: pair.shapes.map(|s| model.bodies[model.shapes[s].body].name.as_str()),
                patch: c - pair.contacts.start,
                is_touching: mode.contacts[c].phase == Phase::Touching,
                touch,
            });
        });
    }

    /// What a motor is told besides the scene, by its place among [`Model::actuators`].
    pub fn command(&self, motor: usize) -> Option<Command> {
        self.state.mode.held.get(motor).map(|held| held.command)
    }

    /// Tells a motor something, from now until told otherwise; added to what the scene tells it.
    ///
    /// # Errors
    /// When there is no such motor, or a number is not finite.
    pub fn set_command(&mut self, motor: usize, command: Command) -> Result<(), StepError> {
        let motors = self.state.mode.held.len();
        let Some(held) = self.state.mode.held.get_mut(motor) else {
            return Err(StepError::WrongLength { what: "motors", found: motors, expected: motor + 1 });
        };
        let Command { target, rate, effort } = command;
        for (name, value) in [("target", target), ("rate", rate), ("effort", effort)] {
            if !value.is_finite() {
                return Err(StepError::InvalidOption { name, value, rule: "finite" });
            }
        }
        if held.command != command {
            held.command = command;
            self.before.held.clone_from(&self.state.mode.held);
            self.method.reset(Change::Jumped);
        }
        Ok(())
    }
}
