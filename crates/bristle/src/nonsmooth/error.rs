//! What can be wrong with a system, when it is built and while it runs.

use crate::scene::Place;
use bristle_ode::StepError;

/// Why a system cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Nothing to integrate.
    #[error("a system has at least one state")]
    NoStates,
    /// One name for two things.
    #[error("{name} is declared twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// A position that is declared after a velocity: their order is that of the state vector.
    #[error("state {name} is declared after a velocity; velocities come last")]
    Order {
        /// The state.
        name: String,
    },
    /// A parameter out of range.
    #[error("{term}: {name} = {value} must be {rule}")]
    Parameter {
        /// Name of the term or state.
        term: String,
        /// Name of the parameter.
        name: &'static str,
        /// The value given.
        value: f64,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// The right-hand side is missing.
    #[error("the rates are not given")]
    NoRates,
    /// The right-hand side does not write a rate, or writes one that is not finite.
    #[error("the rate of {state} is not set, or not finite at the start")]
    Rate {
        /// Whose.
        state: String,
    },
    /// The start is not in the domain of the system.
    #[error(transparent)]
    Start(#[from] Fault),
}

/// What a run ran into.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// χ < 0.
    #[error("at t = {time} s: the limit of friction term {term} is {value}, and must not be negative")]
    NegativeLimit {
        /// When, s.
        time: f64,
        /// Name of the term.
        term: String,
        /// χ.
        value: f64,
    },
    /// A value that is not a finite number.
    #[error("at t = {time} s: {what} is not finite")]
    NotFinite {
        /// When, s.
        time: f64,
        /// Which value.
        what: String,
    },
    /// A formula of a scene that has no finite value, or a limit below zero.
    #[error("{}: {} = {text:?}: {message} at t = {time} s", place.value(), place.key())]
    Formula {
        /// Where the fault is written.
        place: Place,
        /// The formula.
        text: String,
        /// What is wrong: division by zero, say.
        message: String,
        /// When, s.
        time: f64,
    },
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The system left its domain.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The integrator could not go on.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// Something that is allowed but rarely meant.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// α > β: the contact gives back more than it took.
    AddsEnergy {
        /// Name of the term.
        term: String,
        /// α/β.
        share: f64,
    },
    /// No rate depends on it.
    Unused {
        /// Name of the term.
        term: String,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AddsEnergy { term, share } => {
                write!(f, "{term}: alpha is {share} times beta, and above 1 the contact adds energy")
            }
            Self::Unused { term } => write!(f, "{term} is never used: no rate depends on it"),
        }
    }
}

pub(crate) fn check_positive(term: &str, name: &'static str, value: f64) -> Result<(), BuildError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(BuildError::Parameter { term: term.to_string(), name, value, rule: "> 0 and finite" })
}
