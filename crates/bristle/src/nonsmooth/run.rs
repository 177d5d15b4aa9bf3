//! A run of a system: stepped, recorded, audited, saved and taken up again.

use super::error::RunError;
use super::form::Form;
use super::ledger::{Audit, Ledger};
use super::system::{Leg, Scratch, System};
use crate::episode::Span;
use crate::record::{Recording, SampleTimes};
use crate::run::{Method, RunOptions};
use crate::runner::ResumeError;
use bristle_ode::{Adaptive, Checkpoint, FixedStep, Integrator, State, Stats, System as Steppable};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// What came out.
#[derive(Debug, Clone)]
pub struct Run {
    /// The samples.
    pub recording: Recording,
    /// For every contact term, when it pushed.
    pub pushes: Vec<Vec<(f64, f64)>>,
    /// For every friction term, when it stuck and when it slipped.
    pub slides: Vec<Vec<Span>>,
    /// Largest and least value of every contact term at accepted steps.
    pub forces: Vec<(f64, f64)>,
    /// Energies at the beginning.
    pub initial: Ledger,
    /// Energies at the end.
    pub last: Ledger,
    /// Largest energy that the ledger could not place at an accepted step, J; `None` without an energy to close it
    /// against.
    pub closure: Option<f64>,
    /// Energy in play, J.
    pub in_play: f64,
    /// Steps, evaluations and events.
    pub stats: Stats,
    /// Why the run ended before its time; `None` if it did not.
    pub cut: Option<String>,
    /// Time on the clock, s.
    pub wall_seconds: f64,
    /// The state at the end.
    pub state: State<f64, Leg>,
}

/// What is kept of one term on the way: when it was active (pushed, slipped), and its range.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Watch {
    is_active: bool,
    since: f64,
    /// Start, end and whether it was active.
    spans: Vec<(f64, f64, bool)>,
    range: Option<(f64, f64)>,
}

impl Watch {
    fn see(&mut self, t: f64, is_active: bool, value: f64) {
        if is_active != self.is_active {
            self.close(t);
            (self.is_active, self.since) = (is_active, t);
        }
        let (low, high) = self.range.unwrap_or((value, value));
        self.range = Some((low.min(value), high.max(value)));
    }

    fn close(&mut self, t: f64) {
        if t > self.since {
            self.spans.push((self.since, t, self.is_active));
        }
    }
}

/// A run that can be stepped, saved and resumed. [`run`] does the whole of it at once.
pub struct Runner<'s> {
    pub(super) system: &'s System,
    method: Box<dyn Integrator<f64, System> + 's>,
    pub(super) options: RunOptions,
    pub(super) state: State<f64, Leg>,
    ws: Scratch,
    /// Times that a step must not cross, the end last.
    stops: Vec<f64>,
    recording: Recording,
    times: SampleTimes,
    watches: Vec<Watch>,
    audit: Audit,
    initial: Ledger,
    last: Ledger,
    /// Buffers: a state inside the last step, its rate, a row.
    x: Vec<f64>,
    dx: Vec<f64>,
    row: Vec<f64>,
    clock: Instant,
    spent: f64,
}

/// All that a [`Runner`] knows beyond its system and options.
#[derive(Serialize, Deserialize)]
struct Saved {
    time: f64,
    x: Vec<f64>,
    leg: usize,
    method: Checkpoint,
    values: Vec<Vec<f64>>,
    times: SampleTimes,
    watches: Vec<Watch>,
    audit: Audit,
    initial: Ledger,
    last: Ledger,
    spent: f64,
}

/// Integrates a system from its start. `progress(t)` is told the time reached and may end the run by answering false;
/// what was recorded until then is returned, with [`Run::cut`] set.
pub fn run(
    system: &System,
    options: &RunOptions,
    mut progress: impl FnMut(f64) -> bool,
) -> Result<Run, RunError> {
    let mut runner = Runner::new(system, options)?;
    while runner.step()? {
        if !progress(runner.time()) {
            break;
        }
    }
    Ok(runner.finish())
}

impl<'s> Runner<'s> {
    /// A run from the start of a system. Of the options, `quantities` and `film` mean nothing here.
    pub fn new(system: &'s System, options: &RunOptions) -> Result<Self, RunError> {
        let state = system.start();
        let method: Box<dyn Integrator<f64, System> + 's> = match options.method {
            Method::Adaptive(o) => Box::new(Adaptive::new(system, &state.mode, o)?),
            Method::Fixed(o) => Box::new(FixedStep::new(system, &state.mode, o)?),
        };
        let mut ws = system.scratch();
        let (x, mut dx) = (state.x.clone(), vec![0.0; state.x.len()]);
        system.derivative(0.0, &x, &state.mode, &mut dx, &mut ws);
        let initial = system.ledger(0.0, &x, &mut ws);
        let rows = (options.duration / options.every).ceil() as usize + 2;
        let inside = system.breaks.iter().copied().filter(|t| *t > 0.0 && *t < options.duration);
        let mut runner = Self {
            stops: inside.chain([options.duration]).collect(),
            recording: system.columns(rows.min(10_000_000)),
            times: SampleTimes::new(options),
            watches: vec![Watch::default(); system.contacts.len() + system.frictions.len()],
            audit: Audit::new(&initial),
            last: initial.clone(),
            options: options.clone(),
            row: Vec::new(),
            clock: Instant::now(),
            spent: 0.0,
            system,
            method,
            state,
            ws,
            initial,
            x,
            dx,
        };
        runner.sample(0.0, Leg(runner.state.mode.0));
        runner.look()?;
        Ok(runner)
    }

    /// The time reached, s.
    pub fn time(&self) -> f64 {
        self.state.t
    }

    /// One accepted step. False when the end was reached before.
    pub fn step(&mut self) -> Result<bool, RunError> {
        let Some(&stop) = self.stops.iter().find(|stop| **stop > self.state.t) else { return Ok(false) };
        let leg = self.state.mode;
        let touches = self.watches[..self.system.contacts.len()].iter().any(|w| w.is_active);
        let advance = match self.method.step(self.system, &mut self.state, stop) {
            Ok(advance) => advance,
            Err(error) => return Err(self.diagnose(error)),
        };
        let span = (advance.start, advance.end);
        while let Some(t) = self.times.next(span, touches) {
            let mut x = std::mem::take(&mut self.x);
            let inside = self.method.dense(t, &mut x);
            self.x = x;
            inside?;
            self.sample(t, leg);
        }
        self.look()?;
        self.audit.see(&self.last);
        Ok(true)
    }

    /// Writes a row about the state in `x`.
    fn sample(&mut self, t: f64, leg: Leg) {
        let Self { system, x, dx, ws, row, .. } = self;
        system.derivative(t, x, &leg, dx, ws);
        system.row(t, x, self.initial.balance(), ws, row);
        for (column, value) in self.recording.columns.iter_mut().zip(&self.row) {
            column.values.push(*value);
        }
    }

    /// Looks at the end of a step: terms and ledger.
    fn look(&mut self) -> Result<(), RunError> {
        let Self { system, state, ws, dx, .. } = self;
        let State { t, x, mode } = &*state;
        system.derivative(*t, x, mode, dx, ws);
        self.last = system.ledger(*t, x, ws);
        if let Some(fault) = system.bad_energy(*t, &self.last, ws) {
            return Err(fault.into());
        }
        let [first_e, first_a, ..] = system.offsets();
        let contacts = system.contacts.len();
        for (i, contact) in system.contacts.iter().enumerate() {
            let pushes = match system.form {
                Form::Proxy => contact.dio.reach(ws.gaps[i], x[first_e + i]) > 0.0,
                _ => ws.gaps[i] < 0.0,
            };
            self.watches[i].see(*t, pushes, ws.contacts[i]);
        }
        for (j, friction) in system.frictions.iter().enumerate() {
            let at = friction.first..friction.first + friction.size;
            let size = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
            let force = size(&ws.frictions[at.clone()]);
            let reach = match system.form {
                Form::Proxy => {
                    let stretch: f64 = at
                        .map(|k| (x[first_a + k] + friction.sgn.beta * ws.velocities[k]).powi(2))
                        .sum::<f64>();
                    friction.sgn.stiffness * stretch.sqrt()
                }
                // these only approach their limit
                _ => force / (1.0 - 1e-3),
            };
            self.watches[contacts + j].see(*t, reach > ws.limits[j], force);
        }
        Ok(())
    }

    /// The run so far as bytes for [`Runner::restore`]. The run goes on as the restored one does, to the bit.
    pub fn save(&self) -> Result<Vec<u8>, ResumeError> {
        let saved = Saved {
            time: self.state.t,
            x: self.state.x.clone(),
            leg: self.state.mode.0,
            method: self.method.checkpoint(),
            values: self.recording.columns.iter().map(|c| c.values.clone()).collect(),
            times: self.times,
            watches: self.watches.clone(),
            audit: self.audit.clone(),
            initial: self.initial.clone(),
            last: self.last.clone(),
            spent: self.wall_seconds(),
        };
        postcard::to_stdvec(&saved).map_err(|e| ResumeError::Unreadable { reason: e.to_string() })
    }

    /// Takes up a run that was saved, in a runner of the same system and options.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), ResumeError> {
        let saved: Saved =
            postcard::from_bytes(bytes).map_err(|e| ResumeError::Unreadable { reason: e.to_string() })?;
        let (len, events) = (self.state.x.len(), self.system.event_count(&self.state.mode));
        let carried = saved.method.carried.as_ref();
        let fits = carried
            .is_none_or(|c| c.rate.len() == len && c.events.len() == events && c.signs.len() == events);
        let rows = saved.values.first().map_or(0, Vec::len);
        let columns = &mut self.recording.columns;
        if !fits
            || saved.x.len() != len
            || saved.watches.len() != self.watches.len()
            || saved.values.len() != columns.len()
            || saved.values.iter().any(|v| v.len() != rows)
        {
            return Err(ResumeError::OtherModel);
        }
        columns.iter_mut().zip(saved.values).for_each(|(column, values)| column.values = values);
        self.method.resume(&saved.method);
        self.state = State::new(saved.time, saved.x, Leg(saved.leg));
        (self.times, self.watches, self.audit) = (saved.times, saved.watches, saved.audit);
        (self.initial, self.last, self.spent) = (saved.initial, saved.last, saved.spent);
        self.clock = Instant::now();
        Ok(())
    }

    fn wall_seconds(&self) -> f64 {
        self.spent + self.clock.elapsed().as_secs_f64()
    }

    /// What came out, up to the time reached.
    pub fn finish(mut self) -> Run {
        let t = self.state.t;
        self.watches.iter_mut().for_each(|watch| watch.close(t));
        let (contacts, frictions) = self.watches.split_at(self.system.contacts.len());
        let pushes = |w: &Watch| w.spans.iter().filter(|s| s.2).map(|s| (s.0, s.1)).collect();
        let slides = |w: &Watch| {
            w.spans.iter().map(|&(start, end, slips)| Span { start, end, slips }).collect::<Vec<Span>>()
        };
        Run {
            pushes: contacts.iter().map(pushes).collect(),
            slides: frictions.iter().map(slides).collect(),
            forces: contacts.iter().map(|w| w.range.map_or((0.0, 0.0), |(low, high)| (high, low))).collect(),
            closure: self.system.has_energy.then_some(self.audit.closure),
            in_play: self.audit.in_play(),
            stats: *self.method.stats(),
            cut: (t < self.options.duration).then(|| "asked to stop".to_string()),
            wall_seconds: self.wall_seconds(),
            recording: self.recording,
            initial: self.initial,
            last: self.last,
            state: self.state,
        }
    }
}
