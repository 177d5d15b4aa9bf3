//! Solves a step for its end.

use super::{GAMMA, History, error_constant, lead};
use crate::control::Largest;
use crate::linear::Linear;
use crate::stepper::Model;
use crate::system::System;
use bristle_math::Scalar;

/// Most iterations of a step.
const ITERATIONS: u32 = 4;

/// What iteration leaves, in tolerances: a small part of what a step may be wrong by.
const LEFT: f64 = 0.05;

/// Iteration that shortens what is left by less than this does not settle.
const SLOW: f64 = 0.9;

/// A rate of convergence that is measured anew counts at least this part of what it was before.
const FADE: f64 = 0.3;

/// It takes two iterations to measure; with every step that does with one, slopes are trusted this much less.
const AGE: f64 = 2.0;

/// Rate of convergence with new slopes, until it is measured; old ones are not trusted less.
pub(super) const UNKNOWN: f64 = 0.5;

/// The step that is solved for.
pub(crate) struct Ahead<'a, T> {
    /// Its start and length, s.
    pub t0: T,
    pub h: T,
    /// Its end, and the rate there.
    pub x1: &'a mut [T],
    pub f1: &'a mut [T],
    pub room: &'a mut [T],
}

impl<T: Scalar> History<T> {
    /// A step from the end of the past. Slopes are found anew where the old ones do not serve. False if it cannot be solved.
    pub fn advance<S: System<T>>(
        &mut self,
        model: &mut Model<T, S>,
        linear: &mut Linear<T>,
        mut ahead: Ahead<'_, T>,
    ) -> bool {
        let Some(order) = self.order else { return false };
        self.path_order = Some(order);
        self.predict(ahead.h, order);
        let mut is_solved = self.iterate(model, linear, &mut ahead, order);
        if !is_solved && linear.is_old() {
            linear.forget();
            is_solved = self.iterate(model, linear, &mut ahead, order);
        }
        self.error = if is_solved { error_constant(order) * self.size(&self.correction) } else { f64::NAN };
        is_solved
    }

    /// p and ψ.
    fn predict(&mut self, h: T, order: usize) {
        self.lay(h.value(), order);
        let Self { tried, predicted, shift, .. } = self;
        predicted.copy_from_slice(&tried[0]);
        shift.fill(T::lit(0.0));
        for (row, gamma) in tried[1..=order].iter().zip(&GAMMA[1..]) {
            let weight = T::lit(gamma / lead(order));
            for (i, difference) in row.iter().enumerate() {
                predicted[i] += *difference;
                shift[i] += weight * *difference;
            }
        }
    }

    fn iterate<S: System<T>>(
        &mut self,
        model: &mut Model<T, S>,
        linear: &mut Linear<T>,
        ahead: &mut Ahead<'_, T>,
        order: usize,
    ) -> bool {
        let c = ahead.h * T::lit(1.0 / lead(order));
        let t1 = ahead.t0 + ahead.h;
        let Ahead { x1, f1, room: rest, .. } = ahead;
        if linear.find(model, t1, ahead.h, &self.predicted) {
            self.rate = UNKNOWN;
        }
        x1.copy_from_slice(&self.predicted);
        self.correction.fill(T::lit(0.0));
        if !linear.factor(c, 1.0) {
            return false;
        }
        let active = model.sys.layout(model.mode).w().start;
        let mut before = f64::INFINITY;
        for _ in 0..ITERATIONS {
            model.derivative(t1, x1, f1);
            for i in 0..rest.len() {
                rest[i] = c * f1[i] - self.shift[i] - self.correction[i];
            }
            linear.solve_moving(c, 1.0, rest);
            let size = self.size(&rest[..active]);
            self.rate = if before.is_finite() {
                (size / before).max(FADE * self.rate)
            } else {
                (AGE * self.rate).min(UNKNOWN)
            };
            // not a number is no way to go on either
            if size.is_nan() || size >= SLOW * before {
                return false;
            }
            for i in 0..active {
                self.correction[i] += rest[i];
                x1[i] += rest[i];
            }
            if size * self.rate / (1.0 - self.rate) <= LEFT {
                linear.solve_accounts(c, 1.0, rest);
                self.close(ahead, c, active);
                return true;
            }
            before = size;
        }
        false
    }

    /// Accounts follow the last iteration; the rate at the end is that of the formula.
    fn close(&mut self, ahead: &mut Ahead<'_, T>, c: T, active: usize) {
        let over = T::lit(1.0) / c;
        for i in 0..ahead.x1.len() {
            if i >= active {
                self.correction[i] += ahead.room[i];
                ahead.x1[i] += ahead.room[i];
            }
            ahead.f1[i] = (self.correction[i] + self.shift[i]) * over;
        }
    }

    /// The largest component, in tolerances.
    pub(super) fn size(&self, x: &[T]) -> f64 {
        let mut size = Largest::default();
        x.iter().zip(&self.weights).for_each(|(x, weight)| size.add(x.value() * weight));
        size.get()
    }
}
