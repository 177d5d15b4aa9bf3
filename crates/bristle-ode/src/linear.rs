//! The linear part of a system at a point, for methods that solve with it.

use crate::stepper::Model;
use crate::system::System;
use bristle_math::Scalar;

/// Times are differed over this share of the step, to both sides: the error is its square.
const TIME_SHARE: f64 = 1e-3;

/// `J = ∂f/∂x` and `∂f/∂t` at the start of a step, and `I/γ − h J` in factors.
///
/// Accounts (`w`) appear on no right-hand side, so only `[q | v | z]` is solved for and accounts follow.
#[derive(Clone, Debug)]
pub(crate) struct Linear<T> {
    /// Columns one after another, each as long as the state.
    jacobian: Vec<T>,
    time_rate: Vec<T>,
    /// Rows one after another.
    factors: Vec<T>,
    pivots: Vec<usize>,
    probe: Vec<T>,
    here: Vec<T>,
    /// How many components are solved for.
    active: usize,
    is_current: bool,
}

impl<T> Linear<T> {
    /// Nothing yet; grows when it is used.
    pub fn new() -> Self {
        Self {
            jacobian: Vec::new(),
            time_rate: Vec::new(),
            factors: Vec::new(),
            pivots: Vec::new(),
            probe: Vec::new(),
            here: Vec::new(),
            active: 0,
            is_current: false,
        }
    }

    /// Makes room for states of this length.
    pub fn reserve(&mut self, len: usize) {
        for (buffer, size) in [
            (&mut self.jacobian, len * len),
            (&mut self.factors, len * len),
            (&mut self.time_rate, len),
            (&mut self.probe, len),
            (&mut self.here, len),
        ] {
            buffer.reserve(size.saturating_sub(buffer.len()));
        }
        self.pivots.reserve(len.saturating_sub(self.pivots.len()));
    }

    /// Forgets the point: the next step starts elsewhere.
    pub fn leave(&mut self) {
        self.is_current = false;
    }
}

impl<T: Scalar> Linear<T> {
    /// The linear part at `(t, x)`; nothing is done twice at one point.
    pub fn find<S: System<T>>(&mut self, model: &mut Model<T, S>, t: T, h: T, x: &[T]) {
        if self.is_current {
            return;
        }
        let layout = model.sys.layout(model.mode);
        let (len, active) = (x.len(), layout.w().start);
        self.active = active;
        self.jacobian.resize(len * active, T::lit(0.0));
        self.time_rate.resize(len, T::lit(0.0));
        self.probe.resize(len, T::lit(0.0));
        self.here.resize(len, T::lit(0.0));
        let Self { jacobian, time_rate, probe, here, .. } = self;
        // Not the rate that the step before left: a commit may have moved the state a little since.
        model.derivative(t, x, here);
        for (i, column) in jacobian.chunks_exact_mut(len).enumerate() {
            probe.copy_from_slice(x);
            // Rates bend over the typical magnitude and arguments are rounded by their own: the best step is between.
            let scale = model.sys.layout(model.mode).components()[i].scale;
            let step = (f64::EPSILON * scale * probe[i].value().abs().max(scale)).sqrt();
            let step = (probe[i].value() + step) - probe[i].value(); // as it is after rounding
            probe[i] += T::lit(step);
            model.derivative(t, probe, column);
            difference(column, here, step);
        }
        let step = TIME_SHARE * h.value();
        model.derivative(t + T::lit(step), x, time_rate);
        model.derivative(t - T::lit(step), x, probe);
        difference(time_rate, probe, 2.0 * step);
        self.is_current = true;
    }

    /// Factors `I/γ − h J`. False if it has no inverse.
    pub fn factor(&mut self, h: T, gamma: f64) -> bool {
        let (n, len) = (self.active, self.time_rate.len());
        self.factors.resize(n * n, T::lit(0.0));
        self.pivots.resize(n, 0);
        for (i, row) in self.factors.chunks_exact_mut(n.max(1)).enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = -h * self.jacobian[j * len + i];
            }
            row[i] += T::lit(1.0 / gamma);
        }
        lu(&mut self.factors, &mut self.pivots)
    }

    /// Solves `(I/γ − h J) k = r` in place.
    pub fn solve(&self, h: T, gamma: f64, r: &mut [T]) {
        let (n, len) = (self.active, r.len());
        let (active, accounts) = r.split_at_mut(n);
        substitute(&self.factors, &self.pivots, active);
        for (i, account) in accounts.iter_mut().enumerate() {
            let columns = self.jacobian.chunks_exact(len).zip(&*active);
            let flow = columns.fold(T::lit(0.0), |sum, (column, k)| sum + column[n + i] * *k);
            *account = (*account + h * flow) * T::lit(gamma);
        }
    }

    /// ∂f/∂t.
    pub fn time_rate(&self) -> &[T] {
        &self.time_rate
    }
}

fn difference<T: Scalar>(ahead: &mut [T], here: &[T], step: f64) {
    let over = T::lit(1.0 / step);
    ahead.iter_mut().zip(here).for_each(|(a, b)| *a = (*a - *b) * over);
}

/// Factors a square matrix in place, largest pivots first.
///
/// By hand, because it works on scalars that carry derivatives and in buffers that are there already.
fn lu<T: Scalar>(a: &mut [T], pivots: &mut [usize]) -> bool {
    let n = pivots.len();
    for k in 0..n {
        let size = |i: usize, a: &[T]| a[i * n + k].value().abs();
        let best = (k..n).fold(k, |best, i| if size(i, a) > size(best, a) { i } else { best });
        pivots[k] = best;
        if size(best, a) == 0.0 || !size(best, a).is_finite() {
            return false;
        }
        if best != k {
            (0..n).for_each(|j| a.swap(k * n + j, best * n + j));
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let row = &above[k * n..];
        let inverse = T::lit(1.0) / row[k];
        for other in below.chunks_exact_mut(n) {
            let share = other[k] * inverse;
            if share.is_exactly(0.0) {
                continue;
            }
            other[k] = share;
            other[k + 1..].iter_mut().zip(&row[k + 1..]).for_each(|(x, y)| *x -= share * *y);
        }
    }
    true
}

fn substitute<T: Scalar>(lu: &[T], pivots: &[usize], x: &mut [T]) {
    let n = pivots.len();
    for (k, &pivot) in pivots.iter().enumerate() {
        x.swap(k, pivot);
    }
    for i in 0..n {
        let (done, rest) = x.split_at_mut(i);
        let row = &lu[i * n..i * n + i];
        rest[0] -= row.iter().zip(done.iter()).fold(T::lit(0.0), |sum, (a, x)| sum + *a * *x);
    }
    for i in (0..n).rev() {
        let (head, solved) = x.split_at_mut(i + 1);
        let row = &lu[i * n..(i + 1) * n];
        let sum = row[i + 1..].iter().zip(solved.iter()).fold(T::lit(0.0), |sum, (a, x)| sum + *a * *x);
        head[i] = (head[i] - sum) / row[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_solve_with_rows_that_must_be_exchanged() {
        let matrix = [0.0, 2.0, 1.0, 4.0, -1.0, 0.5, 3.0, 5.0, -2.0];
        let x = [1.5, -2.0, 0.25];
        let mut right: Vec<f64> =
            matrix.chunks(3).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect();
        let (mut a, mut pivots) = (matrix, [0; 3]);
        assert!(lu(&mut a, &mut pivots));
        substitute(&a, &pivots, &mut right);
        right.iter().zip(x).for_each(|(found, x)| assert!((found - x).abs() < 1e-15 * 16.0));
        assert!(!lu(&mut [1.0, 2.0, 2.0, 4.0], &mut [0; 2]));
    }
}
