//! What fixed and adaptive integrators share: starting a step, cutting it at an event, committing.

use crate::error::StepError;
use crate::events::EventFinder;
use crate::integrator::{Advance, Carried, Checkpoint, Stats};
use crate::saltation;
use crate::stepper::{Model, Scheme, Stepper};
use crate::system::{Change, State, System};
use bristle_math::Scalar;
use std::marker::PhantomData;

/// Events that follow each other this many times faster than time resolves are an accumulation.
const MAX_RAPID_EVENTS: u32 = 100;
/// Events are rapid below this many location tolerances.
const RAPID: f64 = 100.0;

/// A step in the making and what is kept from the one before.
pub(crate) struct Track<T: Scalar, S: System<T>> {
    pub stepper: Stepper<T>,
    pub finder: EventFinder<T>,
    pub ws: S::Scratch,
    pub stats: Stats,
    /// What changed since the last step; everything, until a step ends well.
    pending: Change,
    /// Relative tolerance of event times.
    event_tolerance: f64,
    rapid_events: u32,
    is_dense_ready: bool,
    /// Event functions are not looked at: the commit sees all it needs in the state.
    is_blind: bool,
}

/// A model from the parts of a track, which stay usable one by one.
macro_rules! model {
    ($track:expr, $sys:expr, $mode:expr) => {
        Model {
            sys: $sys,
            mode: $mode,
            ws: &mut $track.ws,
            evaluations: &mut $track.stats.evaluations,
            event_evaluations: &mut $track.stats.event_evaluations,
            scalar: PhantomData,
        }
    };
}

impl<T: Scalar, S: System<T>> Track<T, S> {
    pub fn new(
        sys: &S,
        mode: &S::Mode,
        scheme: Scheme,
        samples: u32,
        event_tolerance: f64,
    ) -> Result<Self, StepError> {
        let (len, unknowns) = (sys.layout(mode).len(), sys.layout(mode).w().start);
        let mut finder = EventFinder::new(samples);
        finder.resize(len, sys.event_count(mode));
        let mut stepper = Stepper::new(scheme, len);
        stepper.reserve_slopes(unknowns)?;
        Ok(Self {
            stepper,
            finder,
            ws: sys.scratch(),
            stats: Stats::default(),
            pending: Change::Jumped,
            event_tolerance,
            rapid_events: 0,
            is_dense_ready: false,
            is_blind: false,
        })
    }

    /// Leaves the event functions out from here on.
    pub fn look_away(&mut self) {
        self.is_blind = true;
        self.finder.resize(self.stepper.len(), 0);
    }

    /// Whether event functions are left out.
    pub fn is_blind(&self) -> bool {
        self.is_blind
    }

    /// Refuses a step that ends in a number that is not finite; with `is_rated` its rate counts too.
    pub fn check_end(
        &self,
        sys: &S,
        state: &State<T, S::Mode>,
        time: f64,
        is_rated: bool,
    ) -> Result<(), StepError> {
        match self.stepper.bad_end(is_rated) {
            None => Ok(()),
            Some(index) => Err(StepError::NonFinite { time, component: sys.layout(&state.mode).name(index) }),
        }
    }

    /// The rate of the committed state, which the next step starts with; `time` (s) is where this one started.
    pub fn rate_after_commit(
        &mut self,
        sys: &S,
        state: &State<T, S::Mode>,
        time: f64,
    ) -> Result<(), StepError> {
        if state.x.len() != self.stepper.len() || !self.stepper.has_end_rate() {
            return Ok(()); // the next step evaluates what it needs
        }
        self.stepper.evaluate_at(&mut model!(self, sys, &state.mode), state.t, &state.x);
        self.pending = Change::Projected;
        self.check_end(sys, state, time, true)
    }

    fn event_count(&self, sys: &S, mode: &S::Mode) -> usize {
        if self.is_blind { 0 } else { sys.event_count(mode) }
    }

    pub fn reset(&mut self, change: Change) {
        self.pending = self.pending.max(change);
    }

    /// The shared part of a checkpoint.
    pub fn checkpoint(&self) -> Checkpoint {
        let rate = self.stepper.end_rate();
        // derivatives of duals are not saved, so a rate that has some is computed anew
        let is_plain = rate.iter().all(|r| r.is_exactly(r.value()));
        let carried = (self.pending < Change::Jumped && is_plain)
            .then(|| Carried { rate: rate.iter().map(|r| r.value()).collect(), ..self.finder.carried() });
        Checkpoint {
            carried,
            slopes: self.stepper.linear.save(),
            past: self.stepper.history.save().filter(|_| self.pending < Change::Jumped),
            next_step: None,
            is_step_given: false,
            last_error: 0.0,
            last_step: self.stepper.h.value(),
            grid_origin: 0.0,
            grid_count: 0,
            rapid_events: self.rapid_events,
            stats: self.stats,
        }
    }

    pub fn resume(&mut self, checkpoint: &Checkpoint) {
        self.pending = Change::Jumped;
        if let Some(carried) = &checkpoint.carried {
            self.stepper.resize(carried.rate.len());
            self.finder.resize(carried.rate.len(), carried.events.len());
            self.stepper.set_end_rate(&carried.rate);
            self.finder.carry(carried);
            self.pending = Change::Projected;
        }
        self.stepper.linear.restore(checkpoint.slopes.as_ref());
        self.stepper.resume_history(checkpoint.past.as_ref());
        self.stepper.h = T::lit(checkpoint.last_step);
        self.rapid_events = checkpoint.rapid_events;
        self.stats = checkpoint.stats;
        self.is_dense_ready = false;
    }

    /// Starts a step at `state`. Returns whether nothing of the last step could be kept.
    pub fn start(&mut self, sys: &S, state: &State<T, S::Mode>) -> Result<bool, StepError> {
        // Should anything fail from here on, the next step starts from nothing.
        let pending = std::mem::replace(&mut self.pending, Change::Jumped);
        let is_anew = pending == Change::Jumped;
        self.is_dense_ready = false;
        self.finder.clear();
        if is_anew {
            self.resize(sys, state)?;
        }
        let soon = RAPID * self.event_tolerance * state.t.value().abs().max(self.stepper.h.value());
        if is_anew || !self.finder.fired().is_empty() {
            self.stepper.forget_slopes(); // a law may have gone over to another branch
        }
        let mut model = model!(self, sys, &state.mode);
        self.stepper.start(&mut model, state.t, &state.x, !is_anew);
        if is_anew {
            self.finder.begin(&mut model, &self.stepper, soon)?;
        }
        Ok(is_anew)
    }

    fn resize(&mut self, sys: &S, state: &State<T, S::Mode>) -> Result<(), StepError> {
        let (found, expected) = (state.x.len(), sys.layout(&state.mode).len());
        if found != expected {
            return Err(StepError::WrongLength { what: "state vector", found, expected });
        }
        let count = self.event_count(sys, &state.mode);
        if expected != self.stepper.len() || count != self.finder.count() {
            self.stats.resizes += 1;
            self.stepper.resize(expected);
            self.stepper.reserve_slopes(sys.layout(&state.mode).w().start)?;
            self.finder.resize(expected, count);
        }
        Ok(())
    }

    /// All stages of a step of length `h`, and with `is_with_end` the rate at its end.
    pub fn advance(&mut self, sys: &S, state: &State<T, S::Mode>, h: T, is_with_end: bool) {
        let mut model = model!(self, sys, &state.mode);
        self.stepper.advance(&mut model, h);
        if is_with_end {
            self.stepper.evaluate_end(&mut model);
        }
    }

    pub fn evaluate_end(&mut self, sys: &S, state: &State<T, S::Mode>) {
        self.stepper.evaluate_end(&mut model!(self, sys, &state.mode));
    }

    pub fn prepare_dense(&mut self, sys: &S, state: &State<T, S::Mode>) {
        self.stepper.prepare_dense(&mut model!(self, sys, &state.mode));
        self.is_dense_ready = true;
    }

    /// A first step (s); see [`crate::control::initial_step`].
    pub fn initial_step(
        &mut self,
        sys: &S,
        state: &State<T, S::Mode>,
        guess: impl FnOnce(&mut Stepper<T>, &mut Model<T, S>) -> f64,
    ) -> f64 {
        guess(&mut self.stepper, &mut model!(self, sys, &state.mode))
    }

    /// Cuts the step at its earliest event. Returns whether there was one.
    pub fn cut_at_event(&mut self, sys: &S, state: &State<T, S::Mode>) -> Result<bool, StepError> {
        if self.finder.count() == 0 {
            return Ok(false);
        }
        self.prepare_dense(sys, state);
        let t0 = self.stepper.t0.value();
        let h = self.stepper.h.value();
        let tolerance = self.event_tolerance * (t0 + h).abs().max(t0.abs()).max(h);
        let mut model = model!(self, sys, &state.mode);
        let Some(length) = self.finder.find(&mut model, &mut self.stepper, tolerance)? else {
            self.rapid_events = 0;
            return Ok(false);
        };
        self.stepper.evaluate_end(&mut model);
        self.stepper.prepare_dense(&mut model);
        let gap = RAPID * tolerance;
        self.rapid_events = if length < gap { self.rapid_events + 1 } else { 0 };
        if self.rapid_events > MAX_RAPID_EVENTS {
            let event = self.finder.fired().first().map_or(0, |fired| fired.index);
            return Err(StepError::EventsAccumulate { time: t0, event, count: self.rapid_events, gap });
        }
        Ok(true)
    }

    /// Whether an event function has another sign at the end of the step.
    pub fn passes_event(&mut self, sys: &S, state: &State<T, S::Mode>) -> Result<bool, StepError> {
        self.finder.is_passed(&mut model!(self, sys, &state.mode), &self.stepper)
    }

    /// Which events the step went past, without locating them.
    pub fn compare_ends(&mut self, sys: &S, state: &State<T, S::Mode>) -> Result<(), StepError> {
        let mut model = model!(self, sys, &state.mode);
        self.finder.compare_ends(&mut model, &self.stepper)?;
        for fired in self.finder.fired() {
            let g = self.finder.functions()[fired.index];
            if !g.is_exactly(g.value()) {
                let time = (self.stepper.t0 + self.stepper.h).value();
                return Err(StepError::UnlocatedGradient { time, event: fired.index });
            }
        }
        Ok(())
    }

    /// Lets a step that ends at an event carry the derivative of the event's time, which is returned.
    pub fn follow_event(&mut self, sys: &S, state: &State<T, S::Mode>) -> Result<Option<T>, StepError> {
        let mut model = model!(self, sys, &state.mode);
        saltation::follow_event(&mut self.finder, &mut model, &mut self.stepper)
    }

    /// Lets a step on the way to an event carry derivatives in its length, which are returned.
    pub fn approach_event(&mut self, sys: &S, state: &State<T, S::Mode>) -> Option<T> {
        if !T::IS_DUAL || self.finder.count() == 0 {
            return None;
        }
        let mut model = model!(self, sys, &state.mode);
        saltation::approach_event(&mut self.finder, &mut model, &mut self.stepper)
    }

    /// Writes the step to `state` and commits; `end` is the time at its end, `shift` the derivative of that time.
    pub fn finish(
        &mut self,
        sys: &S,
        state: &mut State<T, S::Mode>,
        end: T,
        shift: Option<T>,
    ) -> Result<Advance, StepError> {
        let start = state.t.value();
        state.t = shift.map_or(end, |shift| end + shift);
        state.x.copy_from_slice(&self.stepper.x1);
        let t = state.t;
        let change = sys.commit(state, self.finder.fired(), &mut self.ws);
        state.t = t;
        let is_resized = state.x.len() != self.stepper.len()
            || self.event_count(sys, &state.mode) != self.finder.count()
            || (shift.is_some() && !self.finder.fired().is_empty());
        self.pending = if is_resized { Change::Jumped } else { change };
        let unseen = self.is_blind && change == Change::Jumped;
        let fired = self.finder.fired().len() + usize::from(unseen);
        self.stats.factored += self.stepper.linear.take_count();
        self.stats.events += fired as u64;
        Ok(Advance { start, end: t.value(), fired, change })
    }

    /// The solution inside the last step.
    pub fn dense(&self, t: T, x: &mut [T]) -> Result<(), StepError> {
        let (start, h) = (self.stepper.t0.value(), self.stepper.h.value());
        let (time, end) = (t.value(), start + h);
        if x.len() != self.stepper.len() && x.len() != self.stepper.active() {
            let (found, expected) = (x.len(), self.stepper.len());
            return Err(StepError::WrongLength { what: "dense output", found, expected });
        }
        // The end may be a rounding away from a time that was set exactly.
        let slack = 4.0 * f64::EPSILON * start.abs().max(end.abs());
        if h <= 0.0 || !(time >= start - slack && time <= end + slack) {
            return Err(StepError::OutsideLastStep { time, start, end });
        }
        if !self.is_dense_ready {
            return Err(StepError::DenseOff);
        }
        self.stepper.interpolate((t - self.stepper.t0) / self.stepper.h, x);
        Ok(())
    }
}
