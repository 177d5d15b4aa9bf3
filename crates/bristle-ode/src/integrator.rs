//! What every integrator offers.

use crate::error::StepError;
use crate::system::{Change, Fired, State, System};
use bristle_math::Scalar;

/// What one call of [`Integrator::step`] did. The events that fired are in [`Integrator::fired`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advance {
    /// Time before the step, s.
    pub start: f64,
    /// Time reached, s.
    pub end: f64,
    /// How many events ended the step.
    pub fired: usize,
    /// What the commit changed.
    pub change: Change,
}

/// Counts of a run so far.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Stats {
    /// Accepted steps, those to events included.
    pub steps: u64,
    /// Steps rejected by the error control.
    pub rejected: u64,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
    /// Evaluations of the event functions.
    pub event_evaluations: u64,
    /// Matrices that implicit methods factored.
    pub factored: u64,
    /// Events that fired.
    pub events: u64,
    /// Times that the buffers were sized anew because the state changed its length.
    pub resizes: u64,
    /// Smallest accepted step that neither an event nor the end of the run cut short, s.
    pub smallest_step: f64,
    /// Largest accepted step, s.
    pub largest_step: f64,
}

impl Default for Stats {
    fn default() -> Self {
        Self {
            steps: 0,
            rejected: 0,
            evaluations: 0,
            event_evaluations: 0,
            factored: 0,
            events: 0,
            resizes: 0,
            smallest_step: f64::INFINITY,
            largest_step: 0.0,
        }
    }
}

impl Stats {
    /// Books an accepted step of length `h` (s); `is_cut` when something else than the method chose it.
    pub(crate) fn accept(&mut self, h: f64, is_cut: bool) {
        self.steps += 1;
        self.largest_step = self.largest_step.max(h);
        if !is_cut {
            self.smallest_step = self.smallest_step.min(h);
        }
    }
}

/// What an integrator remembers beyond the state, for a run that is saved and goes on elsewhere.
///
/// Plain numbers: write them beside the state. The run that is resumed from the same state then gives the bits of
/// the one that was saved, and saving changes nothing in it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Checkpoint {
    /// The step to try next, s.
    pub next_step: Option<f64>,
    /// Whether that step is taken even after a jump.
    pub is_step_given: bool,
    /// Error of the last step in units of the tolerance.
    pub last_error: f64,
    /// Length of the last step, s.
    pub last_step: f64,
    /// Time from which fixed steps are counted, s.
    pub grid_origin: f64,
    /// Fixed steps counted so far.
    pub grid_count: u64,
    /// Events in a row that were too close to each other.
    pub rapid_events: u32,
    /// Counts so far.
    pub stats: Stats,
    /// What the next step takes over from the last one; none after a jump.
    pub carried: Option<Carried>,
    /// Slopes that an implicit method goes on with.
    pub slopes: Option<Slopes>,
    /// Points that a multistep method goes on from.
    pub past: Option<Past>,
}

/// The last points of a path, equally far apart, as their differences.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Past {
    /// Order of the next step.
    pub order: u32,
    /// Step between the points, s.
    pub spacing: f64,
    /// Steps in a row of this length and order.
    pub alike: u32,
    /// By how much an iteration shortens what is left.
    pub rate: f64,
    /// ∇ʲx at the last point, from j = 0 to two beyond the order.
    pub differences: Vec<Vec<f64>>,
}

/// Slopes of the rates that serve several steps.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Slopes {
    /// Steps since they were found.
    pub age: u32,
    /// ∂f/∂x by columns, those of accounts left out.
    pub jacobian: Vec<f64>,
    /// ∂f/∂t.
    pub time_rate: Vec<f64>,
    /// The step (s) and γ of the factors in use.
    pub factored: Option<(f64, f64)>,
}

/// What a step takes over from the one before it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Carried {
    /// Rate at the end of the last step.
    pub rate: Vec<f64>,
    /// Event functions there.
    pub events: Vec<f64>,
    /// Their signs.
    pub signs: Vec<i8>,
    /// Event functions where the last step began.
    pub before: Vec<f64>,
    /// Length of the last step, s, if no event was in it.
    pub past: Option<f64>,
}

/// Steps a [`System`]. What happens is decided by values; derivatives of duals ride along, and methods that choose their step
/// keep it short enough for them too.
pub trait Integrator<T: Scalar, S: System<T>> {
    /// One accepted step, at most to `t_max` (s), cut at the earliest event, then committed. At
    /// `t_max` the time is `t_max` exactly. With `t_max` not after `state.t` nothing happens.
    fn step(&mut self, sys: &S, state: &mut State<T, S::Mode>, t_max: T) -> Result<Advance, StepError>;

    /// The solution at a time (s) inside the last step, ends included, before the commit changed it. An `x` as long as
    /// `[ q | v | z ]` gets these alone.
    fn dense(&self, t: T, x: &mut [T]) -> Result<(), StepError>;

    /// The events that ended the last step.
    fn fired(&self) -> &[Fired];

    /// Tells that the state was changed from outside between two steps.
    fn reset(&mut self, change: Change);

    /// What to save beside the state.
    fn checkpoint(&self) -> Checkpoint;

    /// Goes on from a state that was saved with this checkpoint.
    fn resume(&mut self, checkpoint: &Checkpoint);

    /// Counts so far.
    fn stats(&self) -> &Stats;

    /// The memory in which the system was last looked at: at the end of the step, after its commit.
    fn scratch(&mut self) -> &mut S::Scratch;
}
