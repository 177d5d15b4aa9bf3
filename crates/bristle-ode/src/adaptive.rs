//! Explicit methods that choose their own step.
//!
//! The step is as long as the error estimate allows, per component `rtol · typical + atol` with the
//! typical magnitude from the [`Layout`](crate::Layout), largest component counted. Derivatives that ride along on duals
//! count as well.
//!
//! Which pair: evaluations (error) of a Hunt–Crossley ball with eight located events, measured by
//! `examples/work_precision.rs`; all tables are in `docs/integrators.md`.
//!
//! ```text
//! rtol     Dopri5             Dop853
//! 1e-4      457 (8.2e-4)      1092 (8.8e-5)
//! 1e-8     1492 (1.5e-6)      1959 (4.9e-7)
//! 1e-10    3293 (1.5e-8)      3007 (4.0e-9)
//! 1e-12    7461 (1.7e-10)     4769 (2.4e-11)
//! ```
//! The square root at touchdown and lift-off keeps the higher order from paying earlier; on smooth
//! stretches it does from 1e-4 on.

use crate::control::{Largest, StepControl, Weights, initial_step};
use crate::error::{StepError, check};
use crate::integrator::{Advance, Checkpoint, Integrator, Stats};
use crate::multistep::Plan;
use crate::stepper::Scheme;
use crate::system::{Change, Fired, State, System};
use crate::tableau;
use crate::track::Track;
use bristle_math::Scalar;

/// Which pair of formulas steps and estimates the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pair {
    /// Dormand and Prince 5(4): six evaluations per step, dense output of order 4.
    Dopri5,
    /// Dormand and Prince 8(5,3): twelve evaluations per step, three more with dense output, which
    /// is of order 7.
    Dop853,
    /// Rosenbrock method of order 4(3), L-stable, for stiff systems: six evaluations per step, one for every component
    /// of `[q | v | z]` where the slopes of an earlier step no longer serve, and a dense solve. Dense output of order 3.
    Rodas4,
    /// Backward differentiation of order 1 to 5 for stiff systems: one or two evaluations and a dense solve per step, slopes that serve for
    /// long, one step of [`Pair::Rodas4`] after each event. Dense output of its order. Carries no derivatives.
    Bdf,
}

impl Pair {
    /// Whether its steps solve with the slopes of the rates: for stiff systems.
    pub fn is_implicit(self) -> bool {
        self.scheme().has_slopes()
    }

    /// Whether it takes systems whose state has so many numbers, without accounts.
    ///
    /// # Errors
    /// When it solves for all of them at once and they are too many for that.
    pub fn check_size(self, unknowns: usize) -> Result<(), StepError> {
        self.scheme().check_size(unknowns)
    }

    fn scheme(self) -> Scheme {
        match self {
            Self::Dopri5 => Scheme::RungeKutta(&tableau::DOPRI5),
            Self::Dop853 => Scheme::RungeKutta(&tableau::DOP853),
            Self::Rodas4 => Scheme::Rosenbrock(&tableau::RODAS4),
            Self::Bdf => Scheme::Multistep(&tableau::RODAS4),
        }
    }
}

/// Most that the rate at the end of a step may move a velocity, in what the step did.
const FAR: f64 = 20.0;

/// How many times longer than the one before a jump the first step after it may be: as much as two steps grow.
const SOFTER: f64 = 100.0;

/// Steps are not shortened for derivatives, nor to reach an event, below this many tolerances of event times.
const RESOLVED: f64 = 10.0;

/// How often a step may be taken anew because its stages were beyond an event.
const MOST_OVERRUNS: u32 = 8;

/// Settings of [`Adaptive`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveOptions {
    /// The pair of formulas.
    pub pair: Pair,
    /// Error per step, relative to the typical magnitude of each component.
    pub rtol: f64,
    /// Error per step that is added to it, in each component's own unit.
    pub atol: f64,
    /// First step, s; chosen from the rates when `None`.
    pub initial_step: Option<f64>,
    /// Smallest step that may be asked for, s. Never less than time resolves.
    pub min_step: f64,
    /// Largest step, s.
    pub max_step: f64,
    /// Points inside each step where event functions are looked at, to see pairs of crossings.
    pub event_samples: u32,
    /// Tolerance of event times, relative to the larger of time and step.
    pub event_tolerance: f64,
    /// Whether [`Integrator::dense`] works. Off saves evaluations for pairs that need more of them.
    pub is_dense: bool,
}

impl Default for AdaptiveOptions {
    fn default() -> Self {
        Self {
            pair: Pair::Dopri5,
            rtol: 1e-8,
            atol: 0.0,
            initial_step: None,
            min_step: 0.0,
            max_step: f64::INFINITY,
            event_samples: 3,
            event_tolerance: 1e-14,
            is_dense: true,
        }
    }
}

impl AdaptiveOptions {
    /// The defaults with this relative error.
    pub fn with_rtol(rtol: f64) -> Self {
        Self { rtol, ..Self::default() }
    }

    fn validate(&self) -> Result<(), StepError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        check(positive(self.rtol), "rtol", self.rtol, "positive and finite")?;
        check(self.atol >= 0.0 && self.atol.is_finite(), "atol", self.atol, ">= 0 and finite")?;
        if let Some(step) = self.initial_step {
            check(positive(step), "initial_step", step, "positive and finite")?;
        }
        check(self.min_step >= 0.0, "min_step", self.min_step, ">= 0")?;
        check(self.max_step > self.min_step, "max_step", self.max_step, "larger than min_step")?;
        crate::events::check_tolerance(self.event_tolerance)
    }
}

/// An explicit pair with error control, dense output and located events.
///
/// ```
/// use bristle_ode::{Adaptive, AdaptiveOptions, Integrator, problems::Oscillator, State};
/// # fn main() -> Result<(), bristle_ode::StepError> {
/// let sys = Oscillator::new(2.0);
/// let mut state = State::new(0.0, vec![1.0, 0.0], ());
/// let mut method = Adaptive::new(&sys, &state.mode, AdaptiveOptions::with_rtol(1e-10))?;
/// while state.t < 3.0 {
///     method.step(&sys, &mut state, 3.0)?;
/// }
/// assert_eq!(state.t, 3.0);
/// assert!((state.x[0] - 6.0_f64.cos()).abs() < 1e-8);
/// # Ok(())
/// # }
/// ```
pub struct Adaptive<T: Scalar, S: System<T>> {
    pub(crate) track: Track<T, S>,
    pub(crate) options: AdaptiveOptions,
    scheme: Scheme,
    control: StepControl,
    /// Error of the step just tried, in tolerances.
    pub(crate) error: f64,
    weights: Weights,
    /// The step to try next, s.
    pub(crate) next: Option<f64>,
    /// How a multistep method goes on.
    pub(crate) plan: Plan,
    /// The next step is given and not to be chosen anew: by the options.
    is_step_given: bool,
    /// The weights may be those of another layout.
    is_resumed: bool,
}

impl<T: Scalar, S: System<T>> Adaptive<T, S> {
    /// Sizes all buffers for `sys` in `mode`.
    pub fn new(sys: &S, mode: &S::Mode, options: AdaptiveOptions) -> Result<Self, StepError> {
        options.validate()?;
        if T::IS_DUAL && options.pair == Pair::Bdf {
            return Err(StepError::NoDerivatives);
        }
        let scheme = options.pair.scheme();
        let order = scheme.order();
        let mut weights = Weights::default();
        weights.read(sys, mode, options.rtol, options.atol)?;
        let mut track = Track::new(sys, mode, scheme, options.event_samples, options.event_tolerance)?;
        sys.end_steps_at_events(&mut track.ws);
        Ok(Self {
            track,
            options,
            scheme,
            // Damping by the last error helps the fifth-order pair; higher orders do without.
            control: StepControl::new(order, if order > 5 { 0.0 } else { 0.04 }),
            error: 0.0,
            weights,
            next: options.initial_step,
            plan: Plan { order: 1, is_cut: false },
            is_step_given: options.initial_step.is_some(),
            is_resumed: false,
        })
    }

    /// The step that will be tried next, s; `None` before the first one.
    pub fn next_step(&self) -> Option<f64> {
        self.next
    }

    /// Error of the current step in units of the tolerance; not finite if the step is not.
    fn error(&mut self) -> f64 {
        self.largest_error(|error, _, weight| error.value() * weight)
    }

    /// The same of its derivatives, relative to the typical magnitude of each component, or to the derivative where that is
    /// larger. So derivatives are to be taken by numbers of size one, such as parts of a parameter.
    fn derivative_error(&mut self) -> f64 {
        let rtol = self.options.rtol;
        self.largest_error(|error, end, weight| {
            let size = rtol * weight * end.largest_derivative();
            error.largest_derivative() * weight / size.max(1.0)
        })
    }

    /// The error estimate of the current step, largest component counted; `measure(error, end, weight)` puts each into units of
    /// the tolerance.
    fn largest_error(&mut self, measure: impl Fn(T, T, f64) -> f64) -> f64 {
        let Self { track, weights, scheme, .. } = self;
        let mut norm = |row| {
            let (error, end) = track.stepper.estimate(row);
            Largest::of(error, end, weights.as_slice(), &measure)
        };
        match scheme.error() {
            // Method 853 corrects its fifth-order estimate by a third-order one (Hairer, Nørsett,
            // Wanner 1993, II.10).
            &[fifth, third] => {
                let (fifth, third) = (norm(fifth), norm(third));
                let scale = (fifth * fifth + 0.01 * third * third).sqrt();
                if scale > 0.0 { fifth * fifth / scale } else { fifth + third }
            }
            rows => rows.iter().map(|&row| norm(row)).sum(),
        }
    }

    /// Whether the rate at the end of the step fits what the step did, roughly.
    ///
    /// An error estimate sees its stages alone. Where they were thrown out of a contact, they all see free flight, agree with
    /// each other, and the step ends deep inside. The rate there tells: it alone would move a velocity by many times what
    /// the step and the rate at its start did.
    fn lands_well(&mut self, sys: &S, state: &State<T, S::Mode>) -> bool {
        if !self.scheme.is_error_at_end() {
            self.track.evaluate_end(sys, state);
        }
        let (stepper, layout) = (&self.track.stepper, sys.layout(&state.mode));
        let h = stepper.h.value();
        layout.v().all(|i| {
            let (moved, before) =
                ((stepper.x1[i] - stepper.x0[i]).value(), h * stepper.start_rate()[i].value());
            let after = h * stepper.end_rate()[i].value();
            after.abs() <= FAR * (moved.abs() + before.abs() + layout.components()[i].scale)
        })
    }

    /// The component with the largest error in the current step.
    fn limiting_component(&mut self) -> usize {
        let (mut worst, mut largest) = (0, 0.0);
        if let Some(&row) = self.scheme.error().first() {
            let (errors, _) = self.track.stepper.estimate(row);
            for (i, (error, weight)) in errors.iter().zip(self.weights.as_slice()).enumerate() {
                let error = error.value().abs() * weight;
                if error > largest {
                    (worst, largest) = (i, error);
                }
            }
        }
        worst
    }

    /// The least step (s) that may be asked for from a time (s).
    pub(crate) fn least_step(&self, t0: f64) -> f64 {
        let resolved = (16.0 * f64::EPSILON * t0.abs()).max(f64::MIN_POSITIVE);
        self.options.min_step.max(resolved)
    }

    /// Tries shorter and shorter steps until the error is small enough. Returns whether the
    /// step ends at `t_max`, and its length (s).
    fn try_steps(
        &mut self,
        sys: &S,
        state: &State<T, S::Mode>,
        t_max: T,
        mut h: f64,
    ) -> Result<(bool, f64), StepError> {
        let t0 = state.t.value();
        let remaining = t_max.value() - t0;
        let least = self.least_step(t0);
        let mut was_rejected = false;
        loop {
            h = h.min(self.options.max_step);
            let proposed = h;
            let is_last = h >= remaining * (1.0 - 1e-9);
            if !is_last {
                h = h.min(0.5 * remaining); // no sliver is left for the end
            }
            let length = if is_last { t_max - state.t } else { T::lit(h) };
            sys.overrun(&mut self.track.ws);
            self.track.advance(sys, state, length, self.scheme.is_error_at_end());
            let error = self.error();
            self.error = error;
            let is_good = error <= 1.0 && self.lands_well(sys, state);
            if is_good || (error.is_finite() && self.is_at_event(sys, state)?) {
                let grown = self.control.accept(error, was_rejected) * length.value();
                let is_cut = length.value() < proposed;
                self.next = Some(if is_cut { grown.max(proposed) } else { grown });
                return Ok((is_last, length.value()));
            }
            self.track.stats.rejected += 1;
            was_rejected = true;
            self.track.stepper.renew_old_slopes();
            let factor = if error.is_finite() && error > 1.0 { self.control.reject(error) } else { 0.1 };
            h = factor * length.value();
            if h < least {
                return Err(self.too_small(sys, state, h, error));
            }
        }
    }

    /// Whether the step goes past an event that is nearer than event times are resolved. Where rates grow beyond bounds towards a lift-off
    /// no step that goes past it is exact, and none is needed that is shorter.
    fn is_at_event(&mut self, sys: &S, state: &State<T, S::Mode>) -> Result<bool, StepError> {
        let stepper = &self.track.stepper;
        let resolved = RESOLVED * self.options.event_tolerance * (stepper.t0 + stepper.h).value().abs();
        Ok(stepper.h.value() <= resolved && self.track.passes_event(sys, state)?)
    }

    /// The step to try instead of one whose derivatives are not exact enough; when they are, they bound the next step.
    ///
    /// They are judged only now: before a step is cut at its event they may have no bound. What still has none, such as the
    /// derivative of a power that grows beyond bounds, is let pass once steps are near what event times are resolved to.
    fn shorter_for_derivatives(&mut self, is_event: bool) -> Option<f64> {
        let error = self.derivative_error();
        let stepper = &self.track.stepper;
        let taken = stepper.h.value();
        let least = RESOLVED * self.options.event_tolerance * (stepper.t0 + stepper.h).value().abs();
        let allowed = self.control.reject(error) * taken;
        if error > 1.0 && error.is_finite() && taken > least {
            return Some(allowed);
        }
        if error <= 1.0 && !is_event {
            self.next = self.next.map(|next| next.min(allowed));
        }
        None
    }

    fn too_small(&mut self, sys: &S, state: &State<T, S::Mode>, step: f64, error: f64) -> StepError {
        let (layout, time) = (sys.layout(&state.mode), state.t.value());
        match self.track.stepper.culprit() {
            Some(index) if !error.is_finite() => StepError::NonFinite { time, component: layout.name(index) },
            _ => StepError::StepTooSmall { time, step, component: layout.name(self.limiting_component()) },
        }
    }

    /// The step to try first after a start from nothing.
    fn fresh_step(&mut self, sys: &S, state: &State<T, S::Mode>, span: f64) -> f64 {
        let Self { track, weights, options, scheme, .. } = self;
        let first = track.initial_step(sys, state, |stepper, model| {
            initial_step(stepper, model, weights, (options.rtol, scheme.order()), span)
        });
        first.max(options.min_step).min(options.max_step)
    }
}

impl<T: Scalar, S: System<T>> Integrator<T, S> for Adaptive<T, S> {
    fn step(&mut self, sys: &S, state: &mut State<T, S::Mode>, t_max: T) -> Result<Advance, StepError> {
        let start = state.t.value();
        let span = t_max.value() - start;
        if span.is_nan() || span <= 0.0 {
            self.track.finder.clear();
            return Ok(Advance { start, end: start, fired: 0, change: Change::Smooth });
        }
        let is_anew = self.track.start(sys, state)?;
        let is_step_given = std::mem::take(&mut self.is_step_given);
        if is_anew || std::mem::take(&mut self.is_resumed) {
            self.weights.read(sys, &state.mode, self.options.rtol, self.options.atol)?;
            if self.options.pair == Pair::Bdf {
                self.track.stepper.history.weigh(self.weights.as_slice());
            }
        }
        if is_anew && !is_step_given {
            self.control.forget();
        }
        let mut h = match self.next {
            Some(next) if !is_anew || is_step_given => next,
            // What follows a jump may be much stiffer, or softer: the old step bounds the new one from afar.
            old => self.fresh_step(sys, state, span).min(old.map_or(f64::INFINITY, |old| SOFTER * old)),
        };
        let before = T::IS_DUAL.then(|| self.track.finder.carried());
        let mut overruns = 0;
        loop {
            let (is_last, length) = if self.track.stepper.history.is_empty() {
                self.plan = Plan { order: 1, is_cut: false }; // that of the stretch before tells nothing
                self.try_steps(sys, state, t_max, h)?
            } else {
                self.try_multisteps(sys, state, t_max, h)?
            };
            let overrun = sys.overrun(&mut self.track.ws) - start;
            let is_event = self.track.cut_at_event(sys, state)?;
            let is_inside = overrun < length && overrun > self.least_step(start);
            if is_inside && !is_event && overruns < MOST_OVERRUNS {
                overruns += 1;
                self.track.finder.step_back();
                self.track.stats.rejected += 1;
                h = overrun;
                continue;
            }
            if !is_event && self.track.finder.count() == 0 && self.options.is_dense {
                self.track.prepare_dense(sys, state);
            }
            let taken = self.track.stepper.h.value();
            let is_whole = taken == length;
            let end = if is_last && is_whole { t_max } else { self.track.stepper.t0 + self.track.stepper.h };
            let shift = if is_event {
                self.track.follow_event(sys, state)?
            } else if is_last {
                None
            } else {
                self.track.approach_event(sys, state)
            };
            if let Some(before) = &before
                && let Some(shorter) = self.shorter_for_derivatives(is_event)
            {
                self.track.finder.carry(before);
                self.track.stats.rejected += 1;
                h = shorter;
                continue;
            }
            if self.options.pair == Pair::Bdf {
                self.remember(is_event, length);
            } else {
                self.track.stepper.judge_slopes(self.weights.as_slice(), self.error);
            }
            let advance = self.track.finish(sys, state, end, shift)?;
            self.track.stats.accept(taken, is_event || is_last);
            return Ok(advance);
        }
    }

    fn dense(&self, t: T, x: &mut [T]) -> Result<(), StepError> {
        self.track.dense(t, x)
    }

    fn fired(&self) -> &[Fired] {
        self.track.finder.fired()
    }

    fn reset(&mut self, change: Change) {
        self.track.reset(change);
    }

    fn checkpoint(&self) -> Checkpoint {
        let (next_step, is_step_given) = (self.next, self.is_step_given);
        let last_error = self.control.last_error();
        Checkpoint { next_step, is_step_given, last_error, ..self.track.checkpoint() }
    }

    fn resume(&mut self, checkpoint: &Checkpoint) {
        self.track.resume(checkpoint);
        self.control.resume(checkpoint.last_error);
        self.next = checkpoint.next_step;
        self.is_step_given = checkpoint.is_step_given;
        self.is_resumed = true;
    }

    fn stats(&self) -> &Stats {
        &self.track.stats
    }

    fn scratch(&mut self) -> &mut S::Scratch {
        &mut self.track.ws
    }
}
