//! How long the next step may be.

use crate::error::StepError;
use crate::stepper::{Model, Stepper};
use crate::system::System;
use bristle_math::Scalar;

/// Proportional–integral control of the step (Gustafsson 1991; Hairer, Nørsett, Wanner 1993, II.4).
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepControl {
    /// Power of the error of this step.
    now: f64,
    /// Power of the error of the step before.
    before: f64,
    last_error: f64,
}

/// Part of the step that the error estimate would allow.
const SAFETY: f64 = 0.9;
const LEAST: f64 = 0.2;
const MOST: f64 = 10.0;

impl StepControl {
    pub fn new(order: u32, integral: f64) -> Self {
        Self { now: 1.0 / f64::from(order) - 0.75 * integral, before: integral, last_error: 1e-4 }
    }

    /// Error of the last accepted step.
    pub fn last_error(&self) -> f64 {
        self.last_error
    }

    /// Goes on after a step with this error.
    pub fn resume(&mut self, last_error: f64) {
        self.last_error = last_error;
    }

    /// Forgets the error of the step before.
    pub fn forget(&mut self) {
        self.last_error = 1e-4;
    }

    /// Factor for the step after an accepted one with this error (1 = as large as allowed).
    pub fn accept(&mut self, error: f64, was_rejected: bool) -> f64 {
        let factor = SAFETY * self.last_error.powf(self.before) / error.max(1e-30).powf(self.now);
        self.last_error = error.max(1e-4);
        // A step that was just found too long is not lengthened at once.
        factor.clamp(LEAST, if was_rejected { 1.0 } else { MOST })
    }

    /// Factor for another try after a rejected step with this error.
    pub fn reject(&self, error: f64) -> f64 {
        (SAFETY / error.powf(self.now)).max(LEAST)
    }
}

/// Inverse error scales `1 / (rtol · scale + atol)`, zero where error control does not look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights(Vec<f64>);

impl Weights {
    pub fn read<T: Scalar, S: System<T>>(
        &mut self,
        sys: &S,
        mode: &S::Mode,
        rtol: f64,
        atol: f64,
    ) -> Result<(), StepError> {
        self.0.clear();
        for component in sys.layout(mode).components() {
            let scale = rtol * component.scale + atol;
            crate::error::check(
                !component.is_controlled || (scale > 0.0 && scale.is_finite()),
                "component scale",
                component.scale,
                "positive and finite",
            )?;
            self.0.push(if component.is_controlled { scale.recip() } else { 0.0 });
        }
        Ok(())
    }

    /// Largest of `|x|` in units of the error scales; not finite if any component is not.
    ///
    /// The largest and not the mean: one contact among a thousand resting bodies must be as exact
    /// as one alone.
    pub fn norm<T: Scalar>(&self, x: &[T]) -> f64 {
        let mut norm = Largest::default();
        for (x, weight) in x.iter().zip(&self.0) {
            norm.add(x.value() * weight);
        }
        norm.get()
    }

    pub fn of(&self, index: usize) -> f64 {
        self.0.get(index).copied().unwrap_or(0.0)
    }

    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }
}

/// Largest magnitude of many numbers, NaN if one of them is not finite.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Largest {
    largest: f64,
    poison: f64,
}

impl Largest {
    #[inline]
    pub fn add(&mut self, x: f64) {
        let x = x.abs();
        // Comparisons ignore NaN, the product does not: 0 · NaN and 0 · ∞ are NaN.
        self.poison += 0.0 * x;
        if x > self.largest {
            self.largest = x;
        }
    }

    pub fn get(self) -> f64 {
        self.largest + self.poison
    }

    /// That of what `measure` makes of the numbers of three lists.
    #[inline(always)]
    pub fn of<T: Copy>(a: &[T], b: &[T], c: &[f64], measure: impl Fn(T, T, f64) -> f64) -> f64 {
        // Four at a time: none waits for the one before it.
        let mut parts = [Self::default(); 4];
        let fours = a.chunks_exact(4).zip(b.chunks_exact(4)).zip(c.chunks_exact(4));
        for ((a, b), c) in fours {
            for (i, part) in parts.iter_mut().enumerate() {
                part.add(measure(a[i], b[i], c[i]));
            }
        }
        let last = a.len() - a.len() % 4;
        let rest = a[last..].iter().zip(&b[last..]).zip(&c[last..]);
        for (part, ((a, b), c)) in parts.iter_mut().zip(rest) {
            part.add(measure(*a, *b, *c));
        }
        let all = parts.into_iter().reduce(|all, part| Self {
            largest: all.largest.max(part.largest),
            poison: all.poison + part.poison,
        });
        all.unwrap_or_default().get()
    }
}

/// Part of the typical magnitude that the change of the rates may move a component by in the first step.
const BEND: f64 = 1e-3;
/// Rates that change within a part of the Euler step make the first step no shorter than this part of it: steps grow tenfold.
const LEAST_GUESS: f64 = 1e-3;

/// First step (s) from the rate at the start and its change over a small Euler step (Hairer,
/// Nørsett, Wanner 1993, II.4), with typical magnitudes in place of `|x|`.
///
/// Their guess holds the error of the order of the method against the tolerance. Where a stiff contact has just begun the rates have no
/// such order, and a step of that length sees the whole contact as one kick, which an error estimate may find no fault
/// with. So what the change of the rates moves in the first step, `h² Δf/Δt`, is held to a small part of the typical magnitude.
pub(crate) fn initial_step<T: Scalar, S: System<T>>(
    stepper: &mut Stepper<T>,
    model: &mut Model<T, S>,
    weights: &Weights,
    (rtol, order): (f64, u32),
    span: f64,
) -> f64 {
    // A run without end says nothing about its time scale.
    let span = if span.is_finite() { span } else { 1.0 };
    let rate = weights.norm(stepper.start_rate());
    let careful = if rate * rtol * span > 1e-5 { 0.01 / (rate * rtol) } else { 1e-3 * span };
    let careful = careful.min(span);
    stepper.probe_euler(model, T::lit(careful));
    let mut change = Largest::default();
    for (i, (after, before)) in stepper.euler_rates().enumerate() {
        change.add((after.value() - before.value()) * weights.of(i));
    }
    let bend = change.get() / careful;
    let by_order = (0.01 / rate.max(bend)).powf(1.0 / f64::from(order + 1));
    let by_bend = (BEND / (bend * rtol)).sqrt().max(LEAST_GUESS * careful);
    let step = if by_order.is_finite() { by_order.min(100.0 * careful).min(by_bend) } else { careful };
    step.min(span)
}
