//! A run: a model integrated to its end, recorded and audited.

use crate::episode::{Episode, Episodes};
use crate::film::{Film, FilmLimits, Filming};
use crate::record::{Recorder, Recording};
use crate::world::{Energy, Mode, Model, World};
use bristle_laws::Phase;
use bristle_ode::{
    Adaptive, AdaptiveOptions, Change, FixedOptions, FixedStep, Integrator, State, Stats, StepError, System,
};
use std::time::Instant;

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
    /// Frames for playback; none by default.
    pub film: Option<FilmLimits>,
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
    /// Largest energy in play, J: of motion and stored, above its least.
    pub in_play: f64,
    /// Steps, evaluations and events.
    pub stats: Stats,
    /// Why the run ended before its time; `None` if it did not.
    pub cut: Option<String>,
    /// Time on the clock, s.
    pub wall_seconds: f64,
    /// The state at the end.
    pub state: State<f64, Mode>,
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
    let clock = Instant::now();
    let world = World::new(model);
    let mut state = world.start(q, v);
    let mut ws = world.scratch();
    let mut method: Box<dyn Integrator<f64, World<'_>>> = match options.method {
        Method::Adaptive(o) => Box::new(Adaptive::new(&world, &state.mode, o)?),
        Method::Fixed(o) => Box::new(FixedStep::new(&world, &state.mode, o)?),
    };
    let initial = world.energy(0.0, &state.x, &state.mode, &mut ws);
    let mut audit = Audit::new(&initial);
    let mut recorder = Recorder::new(&world, &state.mode, options);
    let mut episodes = Episodes::new();
    let mut filming = options.film.map(|limits| Filming::new(&world, options.duration, limits));
    let mut before = state.mode.clone();
    let mut x = state.x.clone();
    recorder.sample(&world, 0.0, &state.x, &state.mode, &mut ws, initial.balance());
    episodes.begin(&world, 0.0, &state.x, &state.mode, &mut ws);
    if let Some(filming) = &mut filming {
        filming.begin(&world, &state.x, &state.mode, &mut ws);
    }
    let kinks = kinks(model, options.duration);
    let mut last = initial;
    let mut cut = None;
    'run: for stop in kinks {
        while state.t < stop {
            let advance = method.step(&world, &mut state, stop)?;
            x.resize(before.layout.len(), 0.0);
            let mut failed = None;
            let mut dense = |t: f64, x: &mut [f64]| {
                if let Err(error) = method.dense(t, x) {
                    failed.get_or_insert(error);
                }
            };
            let touches = before.contacts.iter().any(|c| c.phase == Phase::Touching);
            recorder.step(
                &world,
                (advance.start, advance.end),
                touches,
                &before,
                &mut ws,
                &mut x,
                &mut dense,
                initial.balance(),
            );
            if episodes.any() {
                episodes.step(&world, (advance.start, advance.end), &before, &mut ws, &mut x, &mut dense);
            }
            if let Some(filming) = &mut filming {
                filming.step(&world, (advance.start, advance.end), &before, &mut ws, &mut x, &mut dense);
            }
            if let Some(error) = failed {
                return Err(error);
            }
            last = world.energy(state.t, &state.x, &state.mode, &mut ws);
            audit.see(&last);
            if advance.change == Change::Jumped {
                if state.mode.contacts.len() != before.contacts.len() || state.mode.pairs != before.pairs {
                    episodes.renew(&before, &state.mode);
                }
                episodes.close(state.t, &state.x, &state.mode);
                episodes.begin(&world, state.t, &state.x, &state.mode, &mut ws);
                before.clone_from(&state.mode);
            }
            if !progress(state.t) && state.t < options.duration {
                cut = Some("asked to stop".to_string());
                break 'run;
            }
        }
    }
    Ok(Run {
        recording: recorder.finish(),
        episodes: episodes.finish(&state.x, &state.mode),
        film: filming.map(|f| f.finish(&world, state.t, &state.x, &state.mode, &mut ws)),
        initial,
        last,
        closure: audit.closure,
        in_play: audit.in_play(),
        stats: *method.stats(),
        cut,
        wall_seconds: clock.elapsed().as_secs_f64(),
        state,
    })
}

/// Times at which a schedule has a kink, and the end.
fn kinks(model: &Model, end: f64) -> Vec<f64> {
    let forces = model.forces.iter().flat_map(|f| f.force.iter().chain(&f.torque));
    let drives = model.drives.iter().map(|d| &d.displacement);
    let mut times: Vec<f64> =
        forces.chain(drives).flat_map(|s| s.kinks()).filter(|t| *t > 0.0 && *t < end).collect();
    times.push(end);
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Watches the ledger.
struct Audit {
    start: f64,
    closure: f64,
    /// Least and largest mechanical energy seen.
    range: (f64, f64),
    kinetic: f64,
}

impl Audit {
    fn new(initial: &Energy) -> Self {
        let mut audit = Self {
            start: initial.balance(),
            closure: 0.0,
            range: (f64::INFINITY, f64::NEG_INFINITY),
            kinetic: 0.0,
        };
        audit.see(initial);
        audit
    }

    fn see(&mut self, energy: &Energy) {
        self.closure = self.closure.max((energy.balance() - self.start).abs());
        let mechanical = energy.kinetic
            + energy.gravity
            + energy.elastic_normal
            + energy.elastic_tangential
            + energy.springs;
        self.range = (self.range.0.min(mechanical), self.range.1.max(mechanical));
        self.kinetic = self.kinetic.max(energy.kinetic);
    }

    /// Energy that moved: the spread of mechanical energy, or the largest kinetic energy if that is more.
    fn in_play(&self) -> f64 {
        (self.range.1 - self.range.0).max(self.kinetic)
    }
}
