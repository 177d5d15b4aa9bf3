//! Which order, and which step.

use super::{History, MOST, error_constant};
use crate::control::Largest;
use bristle_math::Scalar;

/// Part of the step that error would allow, by what is done to the order: a change must be worth it.
const STAY: f64 = 1.0 / 1.2;
const LOWER: f64 = 1.0 / 1.3;
const HIGHER: f64 = 1.0 / 1.4;

/// Steps change by at least this and at most that factor.
const WORTH: f64 = 1.1;
const LARGEST: f64 = 10.0;
const SMALLEST: f64 = 0.1;

/// After a step that could not be solved.
const UNSOLVED: f64 = 0.25;

/// Rejected steps in a row after which the past is no guide.
const MISLED: u32 = 3;

impl<T: Scalar> History<T> {
    /// Error of the step that was tried, in tolerances; not finite if it was not solved.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// After a step that something else cut: nothing changes.
    pub fn stay(&self) -> (usize, f64) {
        (self.order.unwrap_or(1), 1.0)
    }

    /// After an accepted step: the order of the next, and its length in this one's.
    ///
    /// Differences of the next order are known when as many steps as it has points were alike: before that nothing changes.
    pub fn choose(&mut self, was_rejected: bool) -> (usize, f64) {
        let Some(order) = self.order else { return (1, 1.0) };
        self.alike += 1;
        if self.alike <= order as u32 {
            return (order, 1.0);
        }
        let allowed = |error: f64, order: usize| error.max(1e-10).powf(-1.0 / (order as f64 + 1.0));
        let (mut best, mut factor) = (order, STAY * allowed(self.error, order));
        if order > 1 {
            let lower = LOWER * allowed(self.lower_error(order), order - 1);
            if lower > factor {
                (best, factor) = (order - 1, lower);
            }
        }
        if order < MOST {
            let higher = HIGHER * allowed(self.higher_error(order), order + 1);
            if higher > factor {
                (best, factor) = (order + 1, higher);
            }
        }
        let factor = factor.min(if was_rejected { 1.0 } else { LARGEST });
        if factor < WORTH && best >= order {
            return (order, 1.0);
        }
        self.alike = 0;
        (best, factor)
    }

    /// After a step that was rejected for the `tries`-th time: the next try in its length. The order may fall.
    pub fn shorten(&mut self, tries: u32) -> f64 {
        let Some(order) = self.order else { return UNSOLVED };
        self.alike = 0;
        if !self.error.is_finite() {
            return UNSOLVED;
        }
        let allowed = |error: f64, order: usize| error.max(1e-10).powf(-1.0 / (order as f64 + 1.0));
        let mut factor = STAY * allowed(self.error, order);
        if order > 1 {
            let lower = LOWER * allowed(self.lower_error(order), order - 1);
            if lower > factor {
                (self.order, factor) = (Some(order - 1), lower);
            }
        }
        if tries >= MISLED {
            self.order = Some(1);
        }
        factor.clamp(SMALLEST, 0.9)
    }

    /// What the error would have been with one order less.
    fn lower_error(&self, order: usize) -> f64 {
        let sum = |i: usize| self.tried[order][i] + self.correction[i];
        error_constant(order - 1) * self.largest(sum)
    }

    /// The same with one more.
    fn higher_error(&self, order: usize) -> f64 {
        let beyond = self.beyond(order);
        error_constant(order + 1) * self.largest(|i| self.correction[i] - beyond[i])
    }

    fn largest(&self, of: impl Fn(usize) -> T) -> f64 {
        let mut size = Largest::default();
        self.weights.iter().enumerate().for_each(|(i, weight)| size.add(of(i).value() * weight));
        size.get()
    }

    /// The component with the largest correction.
    pub fn limiting_component(&self) -> usize {
        let size = |i: &usize| self.correction[*i].value().abs() * self.weights[*i];
        (0..self.weights.len()).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(0)
    }
}
