//! One step of a method, without any decision: the part that also runs on lanes.

use crate::dense;
use crate::error::StepError;
use crate::integrator::Past;
use crate::linear::Linear;
use crate::multistep::{Ahead, History};
use crate::system::System;
use crate::tableau::{Rosenbrock, Row, Tableau};
use bristle_math::{Real, Scalar};
use std::array::from_fn;

/// Most numbers that a method which solves with slopes takes. Matrices are full: of so many they take some 0.5 GB, and to factor one takes some seconds.
const MOST_UNKNOWNS: usize = 4096;

/// How a step is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scheme {
    /// An explicit Runge–Kutta method.
    RungeKutta(&'static Tableau),
    /// Velocities first, then all else with the new velocities.
    SemiImplicit,
    /// One rate, which the system itself takes at the end of the step.
    Yielding,
    /// A linearly implicit method.
    Rosenbrock(&'static Rosenbrock),
    /// Backward differentiation, after a first step of a linearly implicit method.
    Multistep(&'static Rosenbrock),
}

impl Scheme {
    /// Number of the rate at the end of the step.
    fn end(self) -> usize {
        match self {
            Self::RungeKutta(tableau) => tableau.stages(),
            Self::SemiImplicit => 2,
            Self::Yielding => 0,
            Self::Rosenbrock(method) | Self::Multistep(method) => method.stages.len() + 1,
        }
    }

    /// Order of the solution.
    pub fn order(self) -> u32 {
        match self {
            Self::RungeKutta(tableau) => tableau.order,
            Self::SemiImplicit | Self::Yielding => 1,
            Self::Rosenbrock(method) | Self::Multistep(method) => method.order,
        }
    }

    /// Weights of the error estimate: none, one, or two that are combined.
    pub fn error(self) -> &'static [Row] {
        match self {
            Self::RungeKutta(tableau) => tableau.error,
            Self::SemiImplicit | Self::Yielding => &[],
            Self::Rosenbrock(method) | Self::Multistep(method) => method.error,
        }
    }

    /// Whether the error estimate uses the rate at the end.
    pub fn is_error_at_end(self) -> bool {
        matches!(self, Self::RungeKutta(tableau) if tableau.is_error_at_end)
    }

    /// Whether its steps solve with the slopes of the rates.
    pub fn has_slopes(self) -> bool {
        matches!(self, Self::Rosenbrock(_) | Self::Multistep(_))
    }

    /// Refuses to solve with slopes for more `unknowns` than memory and time allow.
    pub fn check_size(self, unknowns: usize) -> Result<(), StepError> {
        if self.has_slopes() && unknowns > MOST_UNKNOWNS {
            return Err(StepError::TooManyUnknowns { unknowns, most: MOST_UNKNOWNS });
        }
        Ok(())
    }

    fn rates(self) -> usize {
        match self {
            Self::RungeKutta(tableau) => tableau.rates(),
            Self::SemiImplicit => 3,
            Self::Yielding => 1,
            Self::Rosenbrock(_) | Self::Multistep(_) => self.end() + 1,
        }
    }

    fn bumps(self) -> &'static [Row] {
        match self {
            Self::RungeKutta(tableau) => tableau.bumps,
            Self::SemiImplicit | Self::Yielding | Self::Rosenbrock(_) | Self::Multistep(_) => &[],
        }
    }
}

/// The system, its mode and its buffers: what every evaluation needs.
pub(crate) struct Model<'a, T: Real, S: System<T>> {
    pub sys: &'a S,
    pub mode: &'a S::Mode,
    pub ws: &'a mut S::Scratch,
    pub evaluations: &'a mut u64,
    pub event_evaluations: &'a mut u64,
    pub scalar: std::marker::PhantomData<T>,
}

impl<T: Real, S: System<T>> Model<'_, T, S> {
    pub fn derivative(&mut self, t: T, x: &[T], dx: &mut [T]) {
        *self.evaluations += 1;
        self.sys.derivative(t, x, self.mode, dx, self.ws);
    }

    pub fn events(&mut self, t: T, x: &[T], g: &mut [T]) {
        *self.event_evaluations += 1;
        self.sys.events(t, x, self.mode, g, self.ws);
    }
}

/// A step from `(t0, x0)` of length `h` to `x1`, with all its rates.
#[derive(Clone, Debug)]
pub(crate) struct Stepper<T> {
    scheme: Scheme,
    pub t0: T,
    pub h: T,
    pub x0: Vec<T>,
    pub x1: Vec<T>,
    k: Vec<Vec<T>>,
    bumps: Vec<Vec<T>>,
    trial: Vec<T>,
    /// How many numbers rates and event functions depend on: all but the quadratures.
    active: usize,
    pub(crate) linear: Linear<T>,
    /// Of multistep methods.
    pub(crate) history: History<T>,
}

impl<T: Real> Stepper<T> {
    pub fn new(scheme: Scheme, len: usize) -> Self {
        let zeros = || vec![T::lit(0.0); len];
        let mut stepper = Self {
            scheme,
            t0: T::lit(0.0),
            h: T::lit(0.0),
            x0: zeros(),
            x1: zeros(),
            k: (0..scheme.rates()).map(|_| zeros()).collect(),
            bumps: scheme.bumps().iter().map(|_| zeros()).collect(),
            trial: zeros(),
            active: len,
            linear: Linear::new(),
            history: History::new(),
        };
        stepper.resize_history(len);
        stepper
    }

    fn resize_history(&mut self, len: usize) {
        if matches!(self.scheme, Scheme::Multistep(_)) {
            self.history.resize(len);
        }
    }

    /// Finds room for the slopes by so many `unknowns`, if the method asks for any.
    pub fn reserve_slopes(&mut self, unknowns: usize) -> Result<(), StepError> {
        self.scheme.check_size(unknowns)?;
        if self.scheme.has_slopes() {
            self.linear.reserve(self.len(), unknowns);
        }
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.x0.len()
    }

    pub fn resize(&mut self, len: usize) {
        let buffers = [&mut self.x0, &mut self.x1, &mut self.trial];
        for buffer in buffers.into_iter().chain(&mut self.k).chain(&mut self.bumps) {
            buffer.resize(len, T::lit(0.0));
        }
        self.linear.forget();
        self.resize_history(len);
    }

    /// Puts the step's start at `(t, x)`. With `is_continued` the rate at the last end is reused.
    pub fn start<S: System<T>>(&mut self, model: &mut Model<T, S>, t: T, x: &[T], is_continued: bool) {
        self.t0 = t;
        self.x0.copy_from_slice(x);
        self.active = model.sys.layout(model.mode).w().start.min(x.len());
        if matches!(self.scheme, Scheme::Multistep(_)) {
            self.linear.stay();
            if is_continued && !self.history.is_empty() {
                return self.history.settle(x); // its steps take no rate at the start
            }
            self.history.forget();
            return model.derivative(t, &self.x0, &mut self.k[0]);
        }
        self.linear.leave();
        if matches!(self.scheme, Scheme::Yielding) {
            return; // its one rate depends on the length of the step
        }
        if is_continued {
            let end = self.scheme.end();
            self.k.swap(0, end);
        } else {
            model.derivative(t, &self.x0, &mut self.k[0]);
        }
    }

    /// Slopes are found anew in the next step.
    pub fn forget_slopes(&mut self) {
        self.linear.forget();
    }

    /// Slopes of an earlier step are found anew when this one is tried again.
    pub fn renew_old_slopes(&mut self) {
        if self.linear.is_old() {
            self.linear.forget();
        }
    }

    /// Rate at the start.
    pub fn start_rate(&self) -> &[T] {
        &self.k[0]
    }

    /// Rate at the end; valid after [`Self::evaluate_end`].
    pub fn end_rate(&self) -> &[T] {
        &self.k[self.scheme.end()]
    }

    /// Puts back a rate at the end of the last step.
    pub fn set_end_rate(&mut self, rate: &[f64]) {
        let end = self.scheme.end();
        self.k[end].iter_mut().zip(rate).for_each(|(k, r)| *k = T::lit(*r));
    }

    /// All stages and `x1` of an explicit step of length `h`.
    pub fn advance_explicit<S: System<T>>(&mut self, model: &mut Model<T, S>, h: T) {
        self.h = h;
        match self.scheme {
            Scheme::RungeKutta(tableau) => {
                for (i, (&c, &row)) in tableau.c.iter().zip(tableau.a).enumerate() {
                    self.stage(model, i + 1, c, row);
                }
                let Self { x0, x1, k, .. } = self;
                let n = x0.len();
                // Slices of one length: the compiler then checks no index inside the loop.
                let (from, to) = (&x0[..n], &mut x1[..n]);
                sum_stages(tableau.b, k, h, n, |i, sum| to[i] = from[i] + sum);
            }
            Scheme::SemiImplicit => self.advance_semi_implicit(model, h),
            Scheme::Yielding => {
                *model.evaluations += 1;
                let Self { x0, x1, k, t0, .. } = self;
                model.sys.yielding_rates(*t0, h, x0, model.mode, &mut k[0], model.ws);
                x1.iter_mut().zip(x0.iter().zip(&k[0])).for_each(|(x1, (x0, rate))| *x1 = *x0 + h * *rate);
            }
            Scheme::Rosenbrock(_) | Scheme::Multistep(_) => {}
        }
    }

    fn stage<S: System<T>>(&mut self, model: &mut Model<T, S>, number: usize, c: f64, row: Row) {
        let Self { x0, k, trial, h, t0, active, .. } = self;
        // Quadratures appear on no right-hand side: those of a stage are read by nobody.
        let n = *active;
        let (from, to) = (&x0[..n], &mut trial[..n]);
        sum_stages(row, k, *h, n, |i, sum| to[i] = from[i] + sum);
        model.derivative(*t0 + *h * T::lit(c), trial, &mut k[number]);
    }

    fn advance_semi_implicit<S: System<T>>(&mut self, model: &mut Model<T, S>, h: T) {
        let v = model.sys.layout(model.mode).v();
        self.trial.copy_from_slice(&self.x0);
        for i in v.clone() {
            self.trial[i] = self.x0[i] + h * self.k[0][i];
        }
        *model.evaluations += 1;
        model.sys.drift(self.t0, &self.trial, model.mode, &mut self.k[1], model.ws);
        for (x1, (&x0, &rate)) in self.x1.iter_mut().zip(self.x0.iter().zip(&self.k[1])) {
            *x1 = x0 + h * rate;
        }
        self.x1[v.clone()].copy_from_slice(&self.trial[v]);
    }

    /// Rate at the end of the step.
    pub fn evaluate_end<S: System<T>>(&mut self, model: &mut Model<T, S>) {
        if matches!(self.scheme, Scheme::Yielding) || self.history.has_path() {
            return; // there is none, or the step has left it
        }
        let end = self.scheme.end();
        model.derivative(self.t0 + self.h, &self.x1, &mut self.k[end]);
    }

    /// Whether there is a rate at the end of the step.
    pub fn has_end_rate(&self) -> bool {
        !matches!(self.scheme, Scheme::Yielding)
    }

    /// Takes the rate at a given state for the one at the end of the step.
    pub fn evaluate_at<S: System<T>>(&mut self, model: &mut Model<T, S>, t: T, x: &[T]) {
        let end = self.scheme.end();
        model.derivative(t, x, &mut self.k[end]);
    }

    /// What [`Self::interpolate`] needs beyond both ends.
    pub fn prepare_dense<S: System<T>>(&mut self, model: &mut Model<T, S>) {
        if self.history.has_path() {
            return self.history.keep_path(&self.x1);
        }
        let Scheme::RungeKutta(tableau) = self.scheme else { return };
        for (i, (&c, &row)) in tableau.extra_c.iter().zip(tableau.extra_a).enumerate() {
            self.stage(model, tableau.stages() + 1 + i, c, row);
        }
        let (k, h, n) = (&self.k, self.h, self.x0.len());
        for (&row, bump) in tableau.bumps.iter().zip(&mut self.bumps) {
            let bump = &mut bump[..n];
            sum_stages(row, k, h, n, |i, sum| bump[i] = sum);
        }
    }

    /// How many numbers rates and event functions depend on.
    pub fn active(&self) -> usize {
        self.active
    }

    /// The first numbers of the solution at the fraction `theta` of the step, as many as `x` has.
    pub fn interpolate(&self, theta: T, x: &mut [T]) {
        if self.history.has_path() {
            return self.history.interpolate(theta, x);
        }
        let ends = [&*self.x0, &*self.x1, self.start_rate(), self.end_rate()];
        dense::interpolate(ends, &self.bumps, self.h, theta, x);
    }

    /// Evaluates the rate after an Euler step of length `h`, for [`Self::euler_rates`].
    pub fn probe_euler<S: System<T>>(&mut self, model: &mut Model<T, S>, h: T) {
        for (trial, (&x, &rate)) in self.trial.iter_mut().zip(self.x0.iter().zip(&self.k[0])) {
            *trial = x + h * rate;
        }
        model.derivative(self.t0 + h, &self.trial, &mut self.k[1]);
    }

    /// Rates after and before the Euler step of [`Self::probe_euler`].
    pub fn euler_rates(&self) -> impl Iterator<Item = (T, T)> {
        self.k[1].iter().copied().zip(self.k[0].iter().copied())
    }

    /// `h Σ wⱼ kⱼ` of every component, and the state at the end of the step.
    pub fn estimate(&mut self, row: Row) -> (&[T], &[T]) {
        let Self { k, trial, x1, h, .. } = self;
        let n = x1.len();
        let to = &mut trial[..n];
        sum_stages(row, k, *h, n, |i, sum| to[i] = sum);
        (to, x1)
    }
}

impl<T: Scalar> Stepper<T> {
    /// All stages and `x1` for a step of length `h`.
    pub fn advance<S: System<T>>(&mut self, model: &mut Model<T, S>, h: T) {
        match self.scheme {
            Scheme::Rosenbrock(method) => self.advance_rosenbrock(model, method, h),
            Scheme::Multistep(first) => self.advance_multistep(model, first, h),
            _ => self.advance_explicit(model, h),
        }
    }

    fn advance_rosenbrock<S: System<T>>(&mut self, model: &mut Model<T, S>, method: &Rosenbrock, h: T) {
        self.h = h;
        let Self { x0, x1, k, trial, t0, linear, .. } = self;
        let n = x0.len();
        linear.find(model, *t0, h, x0);
        if !linear.factor(h, method.gamma) {
            x1.fill(T::lit(f64::NAN)); // the step is rejected, and the next one is shorter
            return;
        }
        for (i, stage) in method.stages.iter().enumerate() {
            let number = i + 1;
            if stage.a.is_empty() {
                trial.copy_from_slice(&k[0]);
            } else {
                sum_stages(stage.a, k, h, n, |i, sum| x1[i] = x0[i] + sum);
                model.derivative(*t0 + h * T::lit(stage.c), x1, trial);
                sum_stages(stage.e, k, T::lit(1.0), n, |i, sum| trial[i] += sum);
            }
            let lead = h * T::lit(stage.d);
            trial.iter_mut().zip(linear.time_rate()).for_each(|(r, f)| *r += lead * *f);
            linear.solve(h, method.gamma, trial);
            k[number].copy_from_slice(trial);
        }
        sum_stages(method.b, k, h, n, |i, sum| x1[i] = x0[i] + sum);
    }

    fn advance_multistep<S: System<T>>(&mut self, model: &mut Model<T, S>, first: &Rosenbrock, h: T) {
        self.h = h;
        let Self { x1, k, trial, t0, linear, history, scheme, .. } = self;
        if history.is_empty() {
            history.leave_path();
            return self.advance_rosenbrock(model, first, h);
        }
        let ahead = Ahead { t0: *t0, h, x1, f1: &mut k[scheme.end()], room: trial };
        if !history.advance(model, linear, ahead) && !history.may_fail {
            // A shorter step to an event was not solved where the whole one was: a kink lies in its way.
            history.leave_path();
            linear.forget();
            model.derivative(*t0, &self.x0, &mut k[0]);
            self.advance_rosenbrock(model, first, h);
        }
    }

    /// Takes the step into the past of a multistep method: a step that was `is_cut` leaves the grid as it was. `next` is the order to go
    /// on with.
    pub fn remember(&mut self, is_cut: bool, next: usize) {
        let Self { x0, x1, k, h, history, scheme, .. } = self;
        if history.has_path() {
            history.push(h.value(), x1, is_cut, next);
        } else {
            history.begin(*h, [x0, x1], [&k[0], &k[scheme.end()]]);
        }
    }

    /// Goes on with the past of a checkpoint.
    pub fn resume_history(&mut self, past: Option<&Past>) {
        if matches!(self.scheme, Scheme::Multistep(_)) {
            self.history.restore(past, self.x0.len());
        }
    }

    /// Keeps slopes for the next step if they fit this one, whose rate at the end is known.
    pub fn judge_slopes(&mut self, weights: &[f64], error: f64) {
        let Self { linear, x0, x1, k, h, scheme, .. } = self;
        linear.judge(*h, [x0, x1], [&k[0], &k[scheme.end()]], weights, error);
    }

    /// The first component that is not finite at the end of the step, in value or, with `is_rated`, in rate.
    pub fn bad_end(&self, is_rated: bool) -> Option<usize> {
        let rates = if is_rated { self.end_rate() } else { &[] };
        let poison = self.x1.iter().chain(rates).fold(0.0, |poison, x| poison + 0.0 * x.value());
        if poison == 0.0 { None } else { self.culprit() }
    }

    /// The first component that is not finite among the state and the rates of this step.
    pub fn culprit(&self) -> Option<usize> {
        let is_bad = |x: &Vec<T>| x.iter().position(|x| !x.value().is_finite());
        is_bad(&self.x0).or_else(|| is_bad(&self.x1)).or_else(|| self.k.iter().find_map(is_bad))
    }
}

/// Calls `put(i, h Σ wⱼ kⱼᵢ)` for `i` in `0..n`: one pass, the number of stages known to the compiler.
fn sum_stages<T: Real>(row: Row, k: &[Vec<T>], h: T, n: usize, put: impl FnMut(usize, T)) {
    match row.len() {
        1 => sum_fixed::<T, 1>(row, k, h, n, put),
        2 => sum_fixed::<T, 2>(row, k, h, n, put),
        3 => sum_fixed::<T, 3>(row, k, h, n, put),
        4 => sum_fixed::<T, 4>(row, k, h, n, put),
        5 => sum_fixed::<T, 5>(row, k, h, n, put),
        6 => sum_fixed::<T, 6>(row, k, h, n, put),
        7 => sum_fixed::<T, 7>(row, k, h, n, put),
        8 => sum_fixed::<T, 8>(row, k, h, n, put),
        9 => sum_fixed::<T, 9>(row, k, h, n, put),
        10 => sum_fixed::<T, 10>(row, k, h, n, put),
        11 => sum_fixed::<T, 11>(row, k, h, n, put),
        _ => sum_fixed::<T, 12>(row, k, h, n, put),
    }
}

#[inline]
fn sum_fixed<T: Real, const M: usize>(row: Row, k: &[Vec<T>], h: T, n: usize, mut put: impl FnMut(usize, T)) {
    let weights: [T; M] = from_fn(|j| h * T::lit(row[j].1));
    let rates: [&[T]; M] = from_fn(|j| &k[row[j].0][..n]);
    #[expect(clippy::needless_range_loop, reason = "one index into M slices at once")]
    for i in 0..n {
        let mut sum = weights[0] * rates[0][i];
        for j in 1..M {
            sum += weights[j] * rates[j][i];
        }
        put(i, sum);
    }
}
