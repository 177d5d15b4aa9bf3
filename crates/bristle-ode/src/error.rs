//! What can go wrong in a step.

use thiserror::Error;

/// Why a step failed. The state is left as it was before the step.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// The error control asks for less than the minimum step.
    #[error("at t = {time} s: step {step} s is below the minimum, limited by {component}")]
    StepTooSmall {
        /// Time at the start of the step, s.
        time: f64,
        /// The step that was asked for, s.
        step: f64,
        /// Name of the component with the largest error.
        component: String,
    },
    /// A state or a rate is not a finite number.
    #[error("at t = {time} s: {component} is not finite")]
    NonFinite {
        /// Time at the start of the step, s.
        time: f64,
        /// Name of the component.
        component: String,
    },
    /// An event function is not a finite number.
    #[error("at t = {time} s: event function {event} is not finite")]
    NonFiniteEvent {
        /// Time, s.
        time: f64,
        /// Index of the event function.
        event: usize,
    },
    /// Events follow each other faster than time can resolve: they accumulate (Zeno).
    #[error("at t = {time} s: {count} events in a row are less than {gap} s apart, last event {event}")]
    EventsAccumulate {
        /// Time, s.
        time: f64,
        /// Index of the last event.
        event: usize,
        /// How many came in a row.
        count: u32,
        /// The gap that separates events, s.
        gap: f64,
    },
    /// Dense output was asked for outside the last step, or before any step.
    #[error("t = {time} s is outside the last step [{start}, {end}] s")]
    OutsideLastStep {
        /// The time asked for, s.
        time: f64,
        /// Start of the last step, s.
        start: f64,
        /// End of the last step, s.
        end: f64,
    },
    /// Dense output was asked for but is turned off in the options.
    #[error("dense output is turned off in the options")]
    DenseOff,
    /// A slice has the wrong length.
    #[error("{what} has length {found}, needs {expected}")]
    WrongLength {
        /// Which slice.
        what: &'static str,
        /// The length it has.
        found: usize,
        /// The length it needs.
        expected: usize,
    },
    /// An option is not valid.
    #[error("option {name} = {value} must be {rule}")]
    InvalidOption {
        /// Name of the option.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What it must be.
        rule: &'static str,
    },
    /// A linearly implicit method for a system that does not know the slopes of its forces.
    #[error("this system has no linearly implicit step")]
    NotYielding,
    /// A method that solves with the slopes of all rates, for a system with more numbers than that is meant for.
    #[error(
        "a method for stiff systems solves for all {unknowns} numbers of the state at once and takes at most {most}: \
        take dopri5, dop853 or a fixed step"
    )]
    TooManyUnknowns {
        /// Numbers of the state, without accounts.
        unknowns: usize,
        /// The most that are taken.
        most: usize,
    },
    /// Multistep methods carry no derivatives.
    #[error("a multistep method carries no derivatives: take dopri5, dop853 or rodas4")]
    NoDerivatives,
    /// A gradient through an event needs the event to be located.
    #[error("at t = {time} s: a gradient crosses event {event} that is not located; locate events")]
    UnlocatedGradient {
        /// Time at the end of the step, s.
        time: f64,
        /// Index of the event.
        event: usize,
    },
    /// The path touches the event surface without crossing it, so the event time has no derivative.
    #[error("at t = {time} s: event {event} is grazed, its time has no derivative")]
    GrazingGradient {
        /// Time of the event, s.
        time: f64,
        /// Index of the event.
        event: usize,
    },
    /// Two events at once that any change of the parameters would pull apart: which comes first decides what follows.
    #[error(
        "at t = {time} s: events {first} and {second} happen at once, but not for nearby parameters: no derivative"
    )]
    SimultaneousGradient {
        /// Time of the events, s.
        time: f64,
        /// Index of one.
        first: usize,
        /// Index of the other.
        second: usize,
    },
}

/// Checks an option: `Err` names it when `is_valid` is false.
pub(crate) fn check(
    is_valid: bool,
    name: &'static str,
    value: f64,
    rule: &'static str,
) -> Result<(), StepError> {
    if is_valid { Ok(()) } else { Err(StepError::InvalidOption { name, value, rule }) }
}
