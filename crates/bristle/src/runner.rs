//! A run in the making: step by step, saved and taken up again.

mod leap;
mod steer;

use crate::audit::Audit;
use crate::control::{Commands, Controller, Observation};
use crate::crowd::Crowd;
use crate::episode::Episodes;
use crate::film::Filming;
use crate::record::{Recorder, SavedRecording};
use crate::run::{Method, Run, RunOptions};
use crate::world::{Energy, Mode, Model, SavedMode, Scratch, World};
use bristle_laws::Phase;
use bristle_ode::{
    Adaptive, Advance, Change, Checkpoint, EventHandling, FixedStep, Integrator, State, StepError, System,
};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A run that can be stepped, saved and resumed. [`crate::run::run`] does the whole of it at once.
pub struct Runner<'m> {
    world: World<'m>,
    method: Box<dyn Integrator<f64, World<'m>> + Send + 'm>,
    state: State<f64, Mode>,
    ws: Scratch,
    /// Times that a step must not cross, the end last.
    stops: Vec<f64>,
    recorder: Recorder,
    episodes: Episodes,
    filming: Option<Filming>,
    /// Steps between what is recorded, where the world is one of free bodies.
    crowd: Option<Crowd<'m>>,
    crowd_steps: u64,
    threads: usize,
    /// Whether episodes are followed.
    follows: bool,
    /// Whether the method looks at no event functions: events are those of the commit.
    is_blind: bool,
    audit: Audit,
    initial: Energy,
    last: Energy,
    controller: Option<Controller<'m>>,
    /// The mode during the last step, and room for states in it.
    before: Mode,
    x: Vec<f64>,
    choice: Option<String>,
    clock: Instant,
    /// Time on the clock before this runner, s.
    spent: f64,
}

/// All that a [`Runner`] knows beyond its model and options.
#[derive(Serialize, Deserialize)]
struct Saved {
    time: f64,
    x: Vec<f64>,
    mode: SavedMode,
    method: Checkpoint,
    recording: SavedRecording,
    episodes: Episodes,
    filming: Option<Filming>,
    audit: Audit,
    initial: Energy,
    last: Energy,
    ticks: u64,
    crowd_steps: u64,
    spent: f64,
}

/// A saved run that cannot be taken up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// Not the bytes of a saved run, or of another version.
    #[error("cannot be read as a saved run: {reason}")]
    Unreadable {
        /// Why.
        reason: String,
    },
    /// A saved run of another model, or one that was recorded otherwise.
    #[error("does not belong to this scene")]
    OtherModel,
}

impl<'m> Runner<'m> {
    /// A run from a configuration and velocity.
    pub fn new(model: &'m Model, q: &[f64], v: &[f64], options: &RunOptions) -> Result<Self, StepError> {
        let world = World::new(model);
        let state = world.start(q, v);
        let mut ws = world.scratch();
        let method: Box<dyn Integrator<f64, World<'m>> + Send + 'm> = match options.method {
            Method::Adaptive(o) => Box::new(Adaptive::new(&world, &state.mode, o)?),
            Method::Fixed(o) => Box::new(FixedStep::new(&world, &state.mode, o)?),
        };
        let initial = world.energy(0.0, &state.x, &state.mode, &mut ws);
        let mut recorder = Recorder::new(&world, &state.mode, options);
        recorder.sample(&world, 0.0, &state.x, &state.mode, &mut ws, initial.balance());
        let mut episodes = Episodes::new();
        if options.impacts {
            episodes.begin(&world, 0.0, &state.x, &state.mode, &mut ws);
        }
        let mut filming = options.film.map(|limits| Filming::new(&world, options.duration, limits));
        if let Some(filming) = &mut filming {
            filming.begin(&world, &state.x, &state.mode, &mut ws);
        }
        Ok(Self {
            audit: Audit::new(&initial),
            stops: stops(model, options.duration),
            before: state.mode.clone(),
            x: state.x.clone(),
            last: initial,
            clock: Instant::now(),
            spent: 0.0,
            choice: options.choice.clone(),
            crowd: leap::crowd(model, &state, options),
            crowd_steps: 0,
            threads: options.threads,
            follows: options.impacts,
            is_blind: matches!(options.method, Method::Fixed(o) if o.events == EventHandling::AtStepEnd),
            controller: None,
            world,
            method,
            state,
            ws,
            recorder,
            episodes,
            filming,
            initial,
        })
    }

    /// The time reached, s.
    pub fn time(&self) -> f64 {
        self.state.t
    }

    /// Calls `controller(t, seen, told)` at t = 0 and then `rate` times a second (Hz), and holds what it tells the motors
    /// exactly until the next call: no step crosses a tick. What a controller remembers itself is not part of
    /// [`Runner::save`].
    ///
    /// # Errors
    /// When the rate is not positive and finite.
    pub fn control(
        &mut self,
        rate: f64,
        controller: impl FnMut(f64, &Observation<'_>, &mut Commands<'_>) + Send + 'm,
    ) -> Result<(), StepError> {
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(StepError::InvalidOption { name: "rate", value: rate, rule: "positive and finite" });
        }
        self.controller = Some(Controller::new(rate, controller));
        Ok(())
    }

    /// One accepted step. False when the end was reached before.
    pub fn step(&mut self) -> Result<bool, StepError> {
        self.step_to(f64::INFINITY)
    }

    /// One accepted step that does not go beyond `limit` (s). False when that time, or the end, was reached before.
    pub fn step_to(&mut self, limit: f64) -> Result<bool, StepError> {
        let Some(&stop) = self.stops.iter().find(|stop| **stop > self.state.t) else { return Ok(false) };
        if limit <= self.state.t {
            return Ok(false);
        }
        let mut stop = stop.min(limit);
        if let Some(controller) = &mut self.controller {
            if controller.tick(&self.world, &mut self.state, &mut self.ws) {
                self.before.held.clone_from(&self.state.mode.held);
                self.method.reset(Change::Jumped);
            }
            stop = stop.min(controller.next());
        }
        if self.leap(stop)? {
            return Ok(true);
        }
        let advance = self.method.step(&self.world, &mut self.state, stop)?;
        // without a jump the contacts at the end are those that the energy is asked of
        let is_end_seen = advance.change != Change::Jumped && self.episodes.any();
        // the method knows where everything is there
        let ws = self.method.scratch();
        self.last = if is_end_seen {
            self.episodes.see_end(&self.world, &self.state, ws)
        } else {
            self.world.energy(self.state.t, &self.state.x, &self.state.mode, ws)
        };
        self.audit.see(&self.last);
        self.look_inside(&advance, is_end_seen)?;
        let State { t, x, mode } = &self.state;
        if advance.change == Change::Jumped {
            if self.follows {
                if mode.contacts.len() != self.before.contacts.len() || mode.pairs != self.before.pairs {
                    self.episodes.renew(&self.before, mode);
                }
                self.episodes.close(*t, x, mode);
                self.episodes.begin(&self.world, *t, x, mode, &mut self.ws);
            }
            self.before.clone_from(mode);
        }
        Ok(true)
    }

    /// Samples, episodes and frames that fall into the last step.
    fn look_inside(&mut self, advance: &Advance, is_end_seen: bool) -> Result<(), StepError> {
        let Self { world, method, ws, x, before, .. } = self;
        x.resize(before.layout.len(), 0.0);
        let mut failed = None;
        let mut dense = |t: f64, x: &mut [f64]| {
            if let Err(error) = method.dense(t, x) {
                failed.get_or_insert(error);
            }
        };
        let span = (advance.start, advance.end);
        let touches = before.contacts.iter().any(|c| c.phase == Phase::Touching);
        self.recorder.step(world, span, touches, before, ws, x, &mut dense, self.initial.balance());
        if self.episodes.any() {
            // contacts do not ask for accounts
            let x = &mut x[..before.accounts()];
            self.episodes.step(world, span, is_end_seen, before, ws, x, &mut dense);
        }
        if let Some(filming) = &mut self.filming {
            filming.step(world, span, before, ws, x, &mut dense);
        }
        failed.map_or(Ok(()), Err)
    }

    /// The run so far as bytes for [`Runner::restore`]. The run goes on as the restored one does, to the bit.
    pub fn save(&self) -> Result<Vec<u8>, ResumeError> {
        let saved = Saved {
            time: self.state.t,
            x: self.state.x.clone(),
            mode: self.state.mode.save(),
            method: self.method.checkpoint(),
            recording: self.recorder.save(),
            episodes: self.episodes.clone(),
            filming: self.filming.clone(),
            audit: self.audit,
            initial: self.initial,
            last: self.last,
            ticks: self.controller.as_ref().map_or(0, |c| c.ticks),
            crowd_steps: self.crowd_steps,
            spent: self.wall_seconds(),
        };
        postcard::to_stdvec(&saved).map_err(|e| ResumeError::Unreadable { reason: e.to_string() })
    }

    /// Takes up a run that was saved, in a runner of the same model and options.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), ResumeError> {
        let saved: Saved =
            postcard::from_bytes(bytes).map_err(|e| ResumeError::Unreadable { reason: e.to_string() })?;
        let mode = &mut self.state.mode;
        mode.restore(self.world.model, &saved.mode).ok_or(ResumeError::OtherModel)?;
        let events = if self.is_blind { 0 } else { self.world.event_count(mode) };
        let len = mode.layout.len();
        let fits = saved.method.carried.as_ref().is_none_or(|c| {
            c.rate.len() == len && [c.events.len(), c.signs.len(), c.before.len()] == [events; 3]
        });
        if saved.x.len() != len || !fits || saved.filming.is_some() != self.filming.is_some() {
            return Err(ResumeError::OtherModel);
        }
        self.recorder.restore(saved.recording).ok_or(ResumeError::OtherModel)?;
        self.method.resume(&saved.method);
        (self.state.t, self.state.x) = (saved.time, saved.x);
        (self.episodes, self.filming, self.audit) = (saved.episodes, saved.filming, saved.audit);
        (self.initial, self.last, self.spent) = (saved.initial, saved.last, saved.spent);
        self.crowd_steps = saved.crowd_steps;
        self.before.clone_from(&self.state.mode);
        if let Some(controller) = &mut self.controller {
            controller.ticks = saved.ticks;
        }
        self.clock = Instant::now();
        Ok(())
    }

    /// What came out, up to the time reached.
    pub fn finish(self) -> Run {
        let wall_seconds = self.wall_seconds();
        let Self { world, state, mut ws, audit, stops, .. } = self;
        let is_whole = stops.last().is_none_or(|end| state.t >= *end);
        Run {
            recording: self.recorder.finish(),
            episodes: self.episodes.finish(&state.x, &state.mode),
            film: self.filming.map(|f| f.finish(&world, state.t, &state.x, &state.mode, &mut ws)),
            initial: self.initial,
            last: self.last,
            closure: audit.closure,
            in_play: audit.in_play(),
            stats: *self.method.stats(),
            crowd_steps: self.crowd_steps,
            choice: self.choice,
            cut: (!is_whole).then(|| "asked to stop".to_string()),
            wall_seconds,
            state,
        }
    }

    fn wall_seconds(&self) -> f64 {
        self.spent + self.clock.elapsed().as_secs_f64()
    }
}

/// Times at which a schedule has a kink, and the end.
pub(crate) fn stops(model: &Model, end: f64) -> Vec<f64> {
    let forces = model.forces.iter().flat_map(|f| f.force.iter().chain(&f.torque));
    let drives = model.drives.iter().flat_map(|d| d.kinks());
    let actuators = model.actuators.iter().flat_map(|a| a.kinks());
    let kinks = forces.flat_map(|s| s.kinks()).chain(drives).chain(actuators);
    let mut times: Vec<f64> = kinks.filter(|t| *t > 0.0 && *t < end).collect();
    times.push(end);
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}
