//! Methods with a fixed step.
//!
//! Steps end on a grid `t₀ + n h`, counted and not summed, so time does not drift. An event cuts
//! the step in two, the second of which returns to the grid.

use crate::error::{StepError, check};
use crate::integrator::{Advance, Checkpoint, Integrator, Stats};
use crate::stepper::{Model, Scheme, Stepper};
use crate::system::{Change, Fired, State, System};
use crate::tableau;
use crate::track::Track;
use bristle_math::{Real, Scalar};
use std::marker::PhantomData;

/// A step this close to the end of the run, in steps, ends there.
const SAME: f64 = 1e-9;

/// The formula of a fixed step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Explicit Euler, order 1, one evaluation.
    Euler,
    /// Semi-implicit Euler, order 1: `v` with the rates at the start, then `q`, `z` and `w` with
    /// their rates at the new `v` ([`System::drift`]). Springs in `q` and in `z` (bristles) then
    /// neither gain nor lose energy over a period.
    SemiImplicitEuler,
    /// Third order with the weights of Bogacki and Shampine, three evaluations.
    Rk3,
    /// The classical method of order 4, four evaluations.
    Rk4,
    /// Linearly implicit Euler, order 1: stiff forces at the end of the step, by their own slopes
    /// ([`System::yielding_rates`]). For systems that know them.
    LinearlyImplicitEuler,
}

impl Method {
    fn scheme(self) -> Scheme {
        match self {
            Self::Euler => Scheme::RungeKutta(&tableau::EULER),
            Self::SemiImplicitEuler => Scheme::SemiImplicit,
            Self::Rk3 => Scheme::RungeKutta(&tableau::RK3),
            Self::Rk4 => Scheme::RungeKutta(&tableau::RK4),
            Self::LinearlyImplicitEuler => Scheme::Yielding,
        }
    }

    /// Order of the error over a run.
    pub fn order(self) -> u32 {
        self.scheme().order()
    }
}

/// What a fixed step does about events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventHandling {
    /// The step is cut at the event: the order is kept, gradients are exact, the cost varies.
    Located,
    /// Events are committed at the end of the step: fixed cost, for real time. Gradients through
    /// events are refused. Where the commit goes by the state alone, each change counts as one event,
    /// and the next step starts with the rates of what the commit left.
    AtStepEnd,
}

/// Settings of [`FixedStep`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedOptions {
    /// The formula.
    pub method: Method,
    /// The step, s.
    pub step: f64,
    /// What is done about events.
    pub events: EventHandling,
    /// Points inside each step where event functions are looked at, to see pairs of crossings.
    pub event_samples: u32,
    /// Tolerance of event times, relative to the larger of time and step.
    pub event_tolerance: f64,
}

impl FixedOptions {
    /// A `method` with a `step` (s) and located events.
    pub fn new(method: Method, step: f64) -> Self {
        Self { method, step, events: EventHandling::Located, event_samples: 1, event_tolerance: 1e-14 }
    }

    /// The same with another handling of events.
    pub fn with_events(self, events: EventHandling) -> Self {
        Self { events, ..self }
    }
}

/// A fixed-step method with dense output (the cubic through both ends) and, if wanted, located events.
///
/// ```
/// use bristle_ode::{FixedOptions, FixedStep, Integrator, Method, State, problems::Oscillator};
/// # fn main() -> Result<(), bristle_ode::StepError> {
/// let sys = Oscillator::new(1.0);
/// let mut state = State::new(0.0, vec![1.0, 0.0], ());
/// let mut method = FixedStep::new(&sys, &state.mode, FixedOptions::new(Method::Rk4, 0.01))?;
/// while state.t < 1.0 {
///     method.step(&sys, &mut state, 1.0)?;
/// }
/// assert_eq!((state.t, method.stats().steps), (1.0, 100));
/// assert!((state.x[0] - 1.0_f64.cos()).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
pub struct FixedStep<T: Scalar, S: System<T>> {
    track: Track<T, S>,
    options: FixedOptions,
    grid: Grid,
}

/// Where the steps end.
#[derive(Clone, Copy, Debug)]
struct Grid {
    origin: f64,
    count: u64,
    /// Time at the end of the last step: the grid starts anew when the state is elsewhere. `None`
    /// after a checkpoint, which belongs to the state it came with.
    reached: Option<f64>,
}

impl Grid {
    /// Where the step ends that is on the way, s.
    fn next(&self, step: f64) -> f64 {
        self.origin + (self.count + 1) as f64 * step
    }
}

impl<T: Scalar, S: System<T>> FixedStep<T, S> {
    /// Sizes all buffers for `sys` in `mode`.
    pub fn new(sys: &S, mode: &S::Mode, options: FixedOptions) -> Result<Self, StepError> {
        let step = options.step;
        check(step > 0.0 && step.is_finite(), "step", step, "positive and finite")?;
        crate::events::check_tolerance(options.event_tolerance)?;
        if options.method == Method::LinearlyImplicitEuler && !sys.yields() {
            return Err(StepError::NotYielding);
        }
        let scheme = options.method.scheme();
        let mut track = Track::new(sys, mode, scheme, options.event_samples, options.event_tolerance)?;
        if options.events == EventHandling::AtStepEnd && sys.commits_by_state() {
            track.look_away();
        }
        Ok(Self { track, options, grid: Grid { origin: 0.0, count: 0, reached: Some(f64::NAN) } })
    }
}

impl<T: Scalar, S: System<T>> Integrator<T, S> for FixedStep<T, S> {
    fn step(&mut self, sys: &S, state: &mut State<T, S::Mode>, t_max: T) -> Result<Advance, StepError> {
        let start = state.t.value();
        if t_max.value() <= start || t_max.value().is_nan() {
            self.track.finder.clear();
            return Ok(Advance { start, end: start, fired: 0, change: Change::Smooth });
        }
        if self.grid.reached.is_some_and(|reached| reached != start) {
            self.grid = Grid { origin: start, count: 0, reached: None };
        }
        let step = self.options.step;
        if self.grid.next(step) - start <= SAME * step {
            self.grid.count += 1; // an event was where the grid is, and nothing is left until there
        }
        let on_grid = self.grid.next(step);
        let is_last = on_grid >= t_max.value() - SAME * step;
        let target = if is_last { t_max } else { T::lit(on_grid) };

        self.track.start(sys, state)?;
        let length = target - state.t;
        // Where the commit goes by the state, nobody asks for the rates before it: they are those of what it leaves.
        let is_rated_after = self.track.is_blind();
        self.track.advance(sys, state, length, !is_rated_after);
        self.track.check_end(sys, state, start, !is_rated_after)?;
        let is_cut = match self.options.events {
            EventHandling::Located => self.track.cut_at_event(sys, state)?,
            EventHandling::AtStepEnd => {
                self.track.compare_ends(sys, state)?;
                false
            }
        };
        self.track.prepare_dense(sys, state);
        let taken = self.track.stepper.h.value();
        let is_whole = taken == length.value();
        let end = if is_whole { target } else { self.track.stepper.t0 + self.track.stepper.h };
        let shift = self.track.follow_event(sys, state)?;
        let advance = self.track.finish(sys, state, end, shift)?;
        if is_rated_after {
            self.track.rate_after_commit(sys, state, start)?;
        }
        self.grid.reached = Some(advance.end);
        if is_whole {
            if is_last && on_grid > t_max.value() + SAME * step {
                self.grid = Grid { origin: advance.end, count: 0, reached: Some(advance.end) };
            } else {
                self.grid.count += 1;
            }
        }
        let is_remainder = taken < (1.0 - SAME) * step;
        self.track.stats.accept(taken, is_cut || is_last || is_remainder);
        Ok(advance)
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
        let Grid { origin, count, .. } = self.grid;
        Checkpoint { grid_origin: origin, grid_count: count, ..self.track.checkpoint() }
    }

    fn resume(&mut self, checkpoint: &Checkpoint) {
        self.track.resume(checkpoint);
        let (origin, count) = (checkpoint.grid_origin, checkpoint.grid_count);
        self.grid = Grid { origin, count, reached: None };
    }

    fn stats(&self) -> &Stats {
        &self.track.stats
    }

    fn scratch(&mut self) -> &mut S::Scratch {
        &mut self.track.ws
    }
}

/// The bare formula of a fixed step, on any scalar, lanes included: no events, no commit, no
/// decision that looks at a value.
///
/// ```
/// use bristle_math::{Lanes, Real};
/// use bristle_ode::{Kernel, Method, problems::Oscillator};
/// let sys = Oscillator::new(Lanes::from([1.0, 2.0, 3.0, 4.0])); // four frequencies at once
/// let mut x = [Lanes::lit(1.0), Lanes::lit(0.0)];
/// let mut kernel = Kernel::new(Method::Rk4, x.len());
/// for n in 0..100 {
///     let t = Lanes::lit(0.01 * f64::from(n));
///     kernel.advance(&sys, t, Lanes::lit(0.01), &mut x, &(), &mut ());
/// }
/// let cosines: [f64; 4] = x[0].into();
/// assert!((cosines[3] - 4.0_f64.cos()).abs() < 1e-6);
/// ```
#[derive(Clone, Debug)]
pub struct Kernel<T> {
    stepper: Stepper<T>,
    evaluations: u64,
}

impl<T: Real> Kernel<T> {
    /// Buffers for states of length `len`.
    pub fn new(method: Method, len: usize) -> Self {
        Self { stepper: Stepper::new(method.scheme(), len), evaluations: 0 }
    }

    /// Moves `x` from time `t` (s) by `h` (s).
    ///
    /// # Panics
    /// When `x` has not the length that the kernel was made for.
    pub fn advance<S: System<T>>(
        &mut self,
        sys: &S,
        t: T,
        h: T,
        x: &mut [T],
        mode: &S::Mode,
        ws: &mut S::Scratch,
    ) {
        let evaluations = &mut self.evaluations;
        let event_evaluations = &mut 0;
        let mut model = Model { sys, mode, ws, evaluations, event_evaluations, scalar: PhantomData };
        self.stepper.start(&mut model, t, x, false);
        self.stepper.advance_explicit(&mut model, h);
        x.copy_from_slice(&self.stepper.x1);
    }

    /// Evaluations of the right-hand side so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }
}
