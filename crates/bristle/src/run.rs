//! A run: a model integrated to its end, recorded and audited.

use crate::episode::Episode;
use crate::film::{Film, FilmLimits};
use crate::record::Recording;
use crate::runner::Runner;
use crate::world::{Energy, Mode, Model};
use bristle_laws::Phase;
use bristle_ode::{AdaptiveOptions, FixedOptions, State, Stats, StepError};

/// How to integrate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// With error control.
    Adaptive(AdaptiveOptions),
    /// With a fixed step.
    Fixed(FixedOptions),
}

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOptions {
    /// End time, s.
    pub duration: f64,
    /// Integrator.
    pub method: Method,
    /// Spacing of samples, s.
    pub every: f64,
    /// Finer spacing while anything touches, s.
    pub during_contact: Option<f64>,
    /// Columns to keep; all if empty.
    pub quantities: Vec<String>,
    /// Whether contacts are followed from touchdown to lift-off.
    pub impacts: bool,
    /// Threads, where the run is one of a crowd.
    pub threads: usize,
    /// Frames for playback; none by default.
    pub film: Option<FilmLimits>,
    /// Why this method, where a scene leaves it open (`auto`).
    pub choice: Option<String>,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Run {
    /// The samples.
    pub recording: Recording,
    /// Contact episodes in order of touchdown.
    pub episodes: Vec<Episode>,
    /// Frames for playback, if asked for.
    pub film: Option<Film>,
    /// Energy at the beginning.
    pub initial: Energy,
    /// Energy at the end.
    pub last: Energy,
    /// Largest energy the ledger could not place at an accepted step, J.
    pub closure: f64,
    /// Largest energy in play, J: spread of the mechanical energy, of motion, or stored.
    pub in_play: f64,
    /// Steps, evaluations and events.
    pub stats: Stats,
    /// How many of the steps were those of a crowd.
    pub crowd_steps: u64,
    /// Why its method was chosen, where the scene left it open.
    pub choice: Option<String>,
    /// Why the run ended before its time; `None` if it did not.
    pub cut: Option<String>,
    /// Time on the clock, s.
    pub wall_seconds: f64,
    /// The state at the end.
    pub state: State<f64, Mode>,
}

impl Run {
    /// How many contacts touch at the end, if contacts were not followed from touch to lift-off: steps of a crowd do not.
    pub fn unfollowed(&self) -> Option<usize> {
        let touching = self.state.mode.contacts.iter().filter(|c| c.phase == Phase::Touching);
        (self.crowd_steps > 0 && self.episodes.is_empty()).then(|| touching.count())
    }
}

/// Integrates a model from a configuration and velocity. `progress(t)` is told the time reached and may end the
/// run by answering false; what was recorded until then is returned, with [`Run::cut`] set.
pub fn run(
    model: &Model,
    q: &[f64],
    v: &[f64],
    options: &RunOptions,
    mut progress: impl FnMut(f64) -> bool,
) -> Result<Run, StepError> {
    let mut runner = Runner::new(model, q, v, options)?;
    while runner.step()? {
        if !progress(runner.time()) {
            break;
        }
    }
    Ok(runner.finish())
}
