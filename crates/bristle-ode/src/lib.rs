//! Steps event-driven systems through time. Knows no mechanics.
//!
//! A [`System`] gives rates, event functions and a `commit` that runs between steps. An
//! [`Integrator`] takes one accepted step at a time, ends it at the earliest event, commits, and
//! answers for any time inside the step. [`integrate`] runs it to an end time with an observer.

pub mod adaptive;
mod control;
mod dense;
mod drive;
mod error;
mod events;
pub mod explicit;
mod integrator;
mod layout;
mod linear;
mod lu;
mod multistep;
pub mod problems;
mod saltation;
mod stepper;
mod system;
mod tableau;
mod track;

pub use adaptive::{Adaptive, AdaptiveOptions, Pair};
pub use drive::{Moment, UniformGrid, integrate};
pub use error::StepError;
pub use explicit::{EventHandling, FixedOptions, FixedStep, Kernel, Method};
pub use integrator::{Advance, Carried, Checkpoint, Integrator, Past, Slopes, Stats};
pub use layout::{Component, Layout};
pub use system::{Change, Direction, Fired, State, System};
