//! Differences of the last points of a path, equally far apart.

#[cfg(test)]
mod tests;

use super::MOST;
use super::newton::UNKNOWN;
use crate::dense;
use crate::integrator::Past;
use bristle_math::{Real, Scalar};

/// Room for two differences beyond the highest order: they tell what the next order would do.
const ROWS: usize = MOST + 3;

/// Coefficients up to the highest order.
type Row<T = f64> = [T; MOST + 1];

/// The order that a cubic gives.
const FIRST: usize = 3;

/// The past of a path, and the step that is tried from its end.
#[derive(Clone, Debug)]
pub(crate) struct History<T> {
    /// Order of the next step; none without history.
    pub(super) order: Option<usize>,
    /// ∇ʲx at the end of the past, and the step between its points, s.
    table: [Vec<T>; ROWS],
    spacing: f64,
    /// Steps in a row of this length and order.
    pub(super) alike: u32,
    /// The differences on the grid of the step that is tried.
    pub(super) tried: [Vec<T>; MOST + 1],
    pub(super) predicted: Vec<T>,
    pub(super) shift: Vec<T>,
    pub(super) correction: Vec<T>,
    /// Differences at the end of the last step, and their number: the solution inside it.
    path: [Vec<T>; MOST + 1],
    pub(super) path_order: Option<usize>,
    /// By how much an iteration shortens what is left.
    pub(super) rate: f64,
    /// Inverse error scales.
    pub(super) weights: Vec<f64>,
    /// Error of the step that was tried, in tolerances; not finite if it was not solved.
    pub(super) error: f64,
    /// A step that cannot be solved is reported, and not made otherwise.
    pub may_fail: bool,
}

impl<T: Real> History<T> {
    /// Without a past; grows when it is used.
    pub fn new() -> Self {
        Self {
            order: None,
            table: std::array::from_fn(|_| Vec::new()),
            spacing: 0.0,
            alike: 0,
            tried: std::array::from_fn(|_| Vec::new()),
            predicted: Vec::new(),
            shift: Vec::new(),
            correction: Vec::new(),
            path: std::array::from_fn(|_| Vec::new()),
            path_order: None,
            rate: UNKNOWN,
            weights: Vec::new(),
            error: 0.0,
            may_fail: false,
        }
    }

    /// Makes room for states of this length, and forgets the past.
    pub fn resize(&mut self, len: usize) {
        let tables = self.table.iter_mut().chain(&mut self.tried).chain(&mut self.path);
        for row in tables.chain([&mut self.predicted, &mut self.shift, &mut self.correction]) {
            row.resize(len, T::lit(0.0));
        }
        self.weights.resize(len, 0.0);
        self.forget();
    }

    /// Errors are measured by these inverse scales.
    pub fn weigh(&mut self, weights: &[f64]) {
        self.weights.clear();
        self.weights.extend_from_slice(weights);
    }

    /// Whether there is no past.
    pub fn is_empty(&self) -> bool {
        self.order.is_none()
    }

    /// Whether the last step was made from the past, so that [`Self::interpolate`] knows it.
    pub fn has_path(&self) -> bool {
        self.path_order.is_some()
    }

    /// The next step knows nothing of the past.
    pub fn forget(&mut self) {
        self.order = None;
        self.alike = 0;
        self.rate = UNKNOWN;
    }

    /// The last step was made otherwise.
    pub fn leave_path(&mut self) {
        self.path_order = None;
    }

    /// The commit moved the end of the past to `x`: the differences are those of the points as they are.
    pub fn settle(&mut self, x: &[T]) {
        let Some(order) = self.order else { return };
        for (i, x) in x.iter().enumerate() {
            let moved = *x - self.table[0][i];
            self.table[0][i] = *x;
            self.table[1..=order + 2].iter_mut().for_each(|row| row[i] += moved);
        }
    }

    /// Keeps the polynomial of the step that was tried, for [`Self::interpolate`].
    pub fn keep_path(&mut self, x1: &[T]) {
        let Some(order) = self.path_order else { return };
        let Self { path, tried, correction, .. } = self;
        for (i, d) in correction.iter().enumerate() {
            let mut sum = *d;
            for j in (1..=order).rev() {
                sum += tried[j][i];
                path[j][i] = sum;
            }
        }
        path[0].copy_from_slice(x1);
    }

    /// The first numbers of the solution at the fraction `theta` of the last step, as many as `x` has.
    pub fn interpolate(&self, theta: T, x: &mut [T]) {
        let Some(order) = self.path_order else { return };
        let back = rising(theta - T::lit(1.0), order);
        x.copy_from_slice(&self.path[0][..x.len()]);
        for (row, weight) in self.path[1..=order].iter().zip(&back[1..]) {
            x.iter_mut().zip(row).for_each(|(x, difference)| *x += *weight * *difference);
        }
    }
}

impl<T: Scalar> History<T> {
    /// A past of the cubic through both ends of a step of length `h` (s).
    pub fn begin(&mut self, h: T, [x0, x1]: [&[T]; 2], [f0, f1]: [&[T]; 2]) {
        for (back, row) in self.table.iter_mut().take(FIRST + 1).enumerate() {
            let theta = T::lit(1.0 - back as f64 / FIRST as f64);
            dense::interpolate([x0, x1, f0, f1], &[], h, theta, row);
        }
        self.table[0].copy_from_slice(x1);
        self.subtract(FIRST);
        self.order = Some(FIRST);
        self.spacing = h.value() / FIRST as f64;
        self.alike = 0;
        self.rate = UNKNOWN;
    }

    /// A past of given points, `at(n)` n steps of `h` (s) back.
    #[cfg(test)]
    pub fn put(&mut self, h: f64, order: usize, at: impl Fn(i32) -> Vec<T>) {
        for (back, row) in self.table.iter_mut().enumerate().take(order + 1) {
            row.copy_from_slice(&at(back as i32));
        }
        self.subtract(order);
        (self.order, self.spacing) = (Some(order), h);
    }

    /// Points, the last one first, become differences.
    fn subtract(&mut self, order: usize) {
        for level in 1..=order {
            for j in (level..=order).rev() {
                let (newer, older) = self.table.split_at_mut(j);
                older[0].iter_mut().zip(&newer[j - 1]).for_each(|(o, n)| *o = *n - *o);
            }
        }
    }

    /// Lays the past on the grid of a step `h` (s).
    pub(super) fn lay(&mut self, h: f64, order: usize) {
        let Self { table, tried, .. } = self;
        let ratio = h / self.spacing;
        if ratio == 1.0 {
            return tried[..=order].iter_mut().zip(table).for_each(|(to, from)| to.copy_from_slice(from));
        }
        let stretch = stretch(ratio, order);
        tried[0].copy_from_slice(&table[0]);
        for j in 1..=order {
            tried[j].fill(T::lit(0.0));
            for m in j..=order {
                let weight = T::lit(stretch[j][m]);
                tried[j].iter_mut().zip(&table[m]).for_each(|(to, from)| *to += weight * *from);
            }
        }
    }

    /// Takes the step that was tried into the past; `h` is its length (s), `x1` its end. A step that was cut leaves the grid as it is:
    /// points of the past are then those of its polynomial.
    pub fn push(&mut self, h: f64, x1: &[T], is_cut: bool, next: usize) {
        let Some(order) = self.order else { return };
        if is_cut {
            self.push_between(h / self.spacing, x1, order);
        } else {
            self.push_whole(x1, order);
            self.spacing = h;
        }
        self.order = Some(next);
    }

    fn push_whole(&mut self, x1: &[T], order: usize) {
        let Self { table, tried, correction, .. } = self;
        for (i, d) in correction.iter().enumerate() {
            table[order + 2][i] = *d - table[order + 1][i];
            table[order + 1][i] = *d;
            let mut sum = *d;
            for j in (0..=order).rev() {
                sum += tried[j][i];
                table[j][i] = sum;
            }
        }
        table[0].copy_from_slice(x1);
    }

    fn push_between(&mut self, theta: f64, x1: &[T], order: usize) {
        let ahead = rising(theta, order);
        for (i, x1) in x1.iter().enumerate() {
            for j in 0..=order {
                let sum = (j..=order).map(|m| T::lit(ahead[m - j]) * self.table[m][i]);
                self.table[j][i] = sum.fold(T::lit(0.0), |sum, term| sum + term);
            }
            let moved = *x1 - self.table[0][i];
            self.table[0][i] = *x1;
            self.table[1..=order].iter_mut().for_each(|row| row[i] += moved);
        }
    }

    /// The difference after the last of the order, as the past had it.
    pub(super) fn beyond(&self, order: usize) -> &[T] {
        &self.table[order + 1]
    }

    /// The past for a checkpoint.
    pub fn save(&self) -> Option<Past> {
        let order = self.order?;
        let values = |row: &Vec<T>| row.iter().map(|x| x.value()).collect();
        Some(Past {
            order: order as u32,
            spacing: self.spacing,
            alike: self.alike,
            rate: self.rate,
            differences: self.table[..order + 3].iter().map(values).collect(),
        })
    }

    /// Goes on with the past of a checkpoint, of states of length `len`; without one if it does not fit.
    pub fn restore(&mut self, past: Option<&Past>, len: usize) {
        self.resize(len);
        self.leave_path();
        let Some(past) = past else { return };
        let order = past.order as usize;
        let fits = (1..=MOST).contains(&order)
            && past.differences.len() == order + 3
            && past.differences.iter().all(|row| row.len() == len);
        if !fits {
            return;
        }
        for (to, from) in self.table.iter_mut().zip(&past.differences) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = T::lit(*from));
        }
        (self.order, self.spacing) = (Some(order), past.spacing);
        (self.alike, self.rate) = (past.alike, past.rate);
    }
}

/// Weights of ∇ᵐ in a polynomial `theta` steps ahead: θ (θ + 1) … (θ + m − 1) / m!.
fn rising<T: Real>(theta: T, order: usize) -> Row<T> {
    let mut row = [T::lit(1.0); MOST + 1];
    for m in 1..=order {
        row[m] = row[m - 1] * (theta + T::lit((m - 1) as f64)) * T::lit(1.0 / m as f64);
    }
    row
}

/// Row j: ∇ʲ over steps of `ratio`, in the ∇ᵐ over steps of one, m ≥ j.
fn stretch(ratio: f64, order: usize) -> [Row; MOST + 1] {
    let mut rows = [[0.0; MOST + 1]; MOST + 1];
    for (back, row) in rows.iter_mut().enumerate().take(order + 1) {
        *row = rising(-(back as f64) * ratio, order);
    }
    for level in 1..=order {
        for j in (level..=order).rev() {
            let newer = rows[j - 1];
            rows[j].iter_mut().zip(newer).for_each(|(o, n)| *o = n - *o);
        }
    }
    rows
}
