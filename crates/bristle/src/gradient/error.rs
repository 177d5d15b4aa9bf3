//! Why there is no gradient.

use crate::scene::SceneErrors;
use crate::world::LiftError;
use bristle_ode::StepError;

/// What is asked has no derivative, or none that is known to be right.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GradientError {
    /// The scene itself is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// Nothing to differentiate, or nothing to differentiate by.
    #[error("a gradient needs at least one {what}")]
    Nothing {
        /// Key or quantity.
        what: &'static str,
    },
    /// A key that has no derivative.
    #[error("no derivative with respect to {key}: {reason}")]
    Key {
        /// The key.
        key: String,
        /// Why not.
        reason: String,
    },
    /// A quantity that is not there.
    #[error("quantity {text}: {reason}")]
    Quantity {
        /// As it was given.
        text: String,
        /// Why not.
        reason: String,
    },
    /// Methods of fixed step go past events.
    #[error(
        "no gradient with a fixed step: events are not located, and the derivative of a bounce would be wrong; \
         use integrator.method = \"dopri5\" or \"dop853\""
    )]
    FixedStep,
    /// Something in the scene carries no derivatives.
    #[error("no gradient: {0}")]
    Lift(#[from] LiftError),
    /// An event that the path touches without crossing.
    #[error("no gradient: at t = {time} s the path grazes {what}, so its time has no derivative")]
    Grazed {
        /// s.
        time: f64,
        /// What is grazed.
        what: String,
    },
    /// Events at once that nearby parameters pull apart.
    #[error(
        "no gradient: at t = {time} s {first} and {second} happen at once, but not for nearby values of the keys; \
         which comes first decides what follows"
    )]
    Simultaneous {
        /// s.
        time: f64,
        /// One event.
        first: String,
        /// The other.
        second: String,
    },
    /// A contact that began or ended without an event.
    #[error(
        "no gradient: between t = {start} s and {end} s a contact began or ended whose time was not located"
    )]
    Unlocated {
        /// s.
        start: f64,
        /// s.
        end: f64,
    },
    /// Two runs that differ in tolerance only give different derivatives.
    #[error(
        "no gradient: {quantity} by {key} is {slope:e}, but {other:e} with ten times the tolerance; tighten rtol"
    )]
    Uncertain {
        /// What was asked for.
        quantity: String,
        /// The key.
        key: String,
        /// Its derivative.
        slope: f64,
        /// The same with ten times the tolerance.
        other: f64,
    },
    /// An event in the very moment in which a quantity is read.
    #[error("no gradient: an event happens at the end of the run; choose another duration")]
    EventAtEnd,
    /// The run itself failed.
    #[error(transparent)]
    Run(#[from] StepError),
    /// Asked to stop.
    #[error("stopped at t = {time} s")]
    Stopped {
        /// s.
        time: f64,
    },
}

impl GradientError {
    /// Whether what was asked for is at fault, not the course of the run.
    pub fn is_bad_input(&self) -> bool {
        matches!(
            self,
            Self::Scene(_)
                | Self::Nothing { .. }
                | Self::Key { .. }
                | Self::Quantity { .. }
                | Self::FixedStep
                | Self::Lift(_)
        )
    }
}
