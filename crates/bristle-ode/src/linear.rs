//! The linear part of a system at a point, for methods that solve with it.

use crate::integrator::Slopes;
use crate::lu::{lu, substitute, subtract};
use crate::stepper::Model;
use crate::system::System;
use bristle_math::Scalar;

/// Times are differed over this share of the step, to both sides: the error is its square.
const TIME_SHARE: f64 = 1e-3;

/// Most steps that slopes serve.
const LASTING: u32 = 50;

/// `J = ∂f/∂x` and `∂f/∂t` at the start of a step, and `I/γ − h J` in factors.
///
/// Accounts (`w`) appear on no right-hand side, so only `[q | v | z]` is solved for and accounts follow. Components whose rates
/// depend on none of each other (E: the positions of joints, whose rates are velocities) go before the solve of the rest (R):
///
/// ```text
/// k_E = γ (r_E + h J_ER k_R)        (I/γ − h J_RR − γ h² J_RE J_ER) k_R = r_R + γ h J_RE r_E
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Linear<T> {
    /// Columns one after another, each as long as the state.
    jacobian: Vec<T>,
    time_rate: Vec<T>,
    /// E, and R.
    easy: Vec<usize>,
    rest: Vec<usize>,
    /// J_ER without its zeros: place in E, place in R, value.
    links: Vec<(usize, usize, T)>,
    /// J_RE and J_RR in columns of their own, by component: those of the Jacobian without the rows of E and of accounts.
    packed: Vec<T>,
    /// Columns of the matrix of R, one after another.
    factors: Vec<T>,
    pivots: Vec<usize>,
    /// The step (s) and γ that are factored.
    factored: Option<(T, f64)>,
    /// How many matrices were factored since they were last counted.
    count: u64,
    probe: Vec<T>,
    here: Vec<T>,
    /// How many components are solved for.
    active: usize,
    /// Steps that started since the slopes were found; `None` without slopes.
    age: Option<u32>,
}

impl<T> Linear<T> {
    /// Nothing yet; grows when it is used.
    pub fn new() -> Self {
        Self {
            jacobian: Vec::new(),
            time_rate: Vec::new(),
            easy: Vec::new(),
            rest: Vec::new(),
            links: Vec::new(),
            packed: Vec::new(),
            factors: Vec::new(),
            pivots: Vec::new(),
            factored: None,
            count: 0,
            probe: Vec::new(),
            here: Vec::new(),
            active: 0,
            age: None,
        }
    }

    /// Makes room for states of this length, of which so many `active` ones are solved for.
    pub fn reserve(&mut self, len: usize, active: usize) {
        for (buffer, size) in [
            (&mut self.jacobian, len * active),
            (&mut self.packed, active * active),
            (&mut self.factors, active * active),
            (&mut self.time_rate, len),
            (&mut self.probe, len),
            (&mut self.here, len),
        ] {
            buffer.reserve(size.saturating_sub(buffer.len()));
        }
        for places in [&mut self.pivots, &mut self.easy, &mut self.rest] {
            places.reserve(active.saturating_sub(places.len()));
        }
        self.links.reserve((active * active / 4).saturating_sub(self.links.len())); // E and R are `active` together
        self.forget();
    }

    /// The next step starts elsewhere.
    pub fn leave(&mut self) {
        self.age = self.age.map(|age| age + 1).filter(|age| *age < LASTING);
    }

    /// The next step starts elsewhere, and its method tells by itself whether slopes still serve.
    pub fn stay(&mut self) {
        self.age = self.age.map(|age| age.saturating_add(1));
    }

    /// How many matrices were factored since this was last asked.
    pub fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.count)
    }

    /// Whether the slopes are those of an earlier step.
    pub fn is_old(&self) -> bool {
        self.age.is_some_and(|age| age > 0)
    }

    /// Slopes are found anew when they are next needed.
    pub fn forget(&mut self) {
        self.age = None;
    }
}

impl<T: Scalar> Linear<T> {
    /// The linear part at `(t, x)`, unless there is one that still serves. Returns whether it is new.
    pub fn find<S: System<T>>(&mut self, model: &mut Model<T, S>, t: T, h: T, x: &[T]) -> bool {
        let layout = model.sys.layout(model.mode);
        let (len, active) = (x.len(), layout.w().start);
        if self.age.is_some() && (self.time_rate.len(), self.active) == (len, active) {
            return false;
        }
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
        if time_rate.iter().zip(&*here).all(|(there, here)| (*there - *here).is_exactly(0.0)) {
            time_rate.fill(T::lit(0.0)); // nothing depends on time
        } else {
            model.derivative(t - T::lit(step), x, probe);
            difference(time_rate, probe, 2.0 * step);
        }
        self.divide();
        self.age = Some(0);
        self.factored = None;
        true
    }

    /// Which components go before the others.
    fn divide(&mut self) {
        let len = self.time_rate.len();
        let Self { jacobian, easy, rest, links, packed, active, .. } = self;
        let is_zero = |row: usize, column: usize| jacobian[column * len + row].is_exactly(0.0);
        easy.clear();
        rest.clear();
        links.clear();
        for i in 0..*active {
            let is_apart = easy.iter().all(|&e| is_zero(i, e) && is_zero(e, i));
            if is_zero(i, i) && is_apart { easy.push(i) } else { rest.push(i) }
        }
        for (e, &row) in easy.iter().enumerate() {
            for (r, &column) in rest.iter().enumerate() {
                let slope = jacobian[column * len + row];
                if !slope.is_exactly(0.0) {
                    links.push((e, r, slope));
                }
            }
        }
        packed.clear();
        for column in jacobian.chunks_exact(len).take(*active) {
            packed.extend(rest.iter().map(|row| column[*row]));
        }
    }

    /// What one component does to those that are solved for.
    fn onto_rest(packed: &[T], count: usize, component: usize) -> &[T] {
        &packed[component * count..][..count]
    }

    /// Factors `I/γ − h J`. False if it has no inverse.
    pub fn factor(&mut self, h: T, gamma: f64) -> bool {
        if self.factored.is_some_and(|(step, of)| (step - h).is_exactly(0.0) && of == gamma) {
            return true;
        }
        self.count += 1;
        let n = self.rest.len();
        self.factors.resize(n * n, T::lit(0.0));
        self.pivots.resize(n, 0);
        let Self { easy, rest, links, packed, factors, pivots, .. } = self;
        for ((i, column), of) in factors.chunks_exact_mut(n.max(1)).enumerate().zip(&*rest) {
            column.iter_mut().zip(Self::onto_rest(packed, n, *of)).for_each(|(x, slope)| *x = -h * *slope);
            column[i] += T::lit(1.0 / gamma);
        }
        for &(e, r, slope) in &*links {
            let through = T::lit(gamma) * h * h * slope;
            subtract(&mut factors[r * n..][..n], through, Self::onto_rest(packed, n, easy[e]));
        }
        self.factored = lu(factors, pivots).then_some((h, gamma));
        self.factored.is_some()
    }

    /// Solves `(I/γ − h J) k = r` in place.
    pub fn solve(&mut self, h: T, gamma: f64, r: &mut [T]) {
        self.solve_moving(h, gamma, r);
        self.solve_accounts(h, gamma, r);
    }

    /// The same without accounts, which stay as they are.
    pub fn solve_moving(&mut self, h: T, gamma: f64, r: &mut [T]) {
        let Self { easy, rest, links, packed, factors, pivots, probe, .. } = self;
        let lead = T::lit(gamma) * h;
        let solved = &mut probe[..rest.len()];
        solved.iter_mut().zip(&*rest).for_each(|(k, of)| *k = r[*of]);
        for &e in &*easy {
            subtract(solved, -lead * r[e], Self::onto_rest(packed, rest.len(), e));
        }
        substitute(factors, pivots, solved);
        easy.iter().for_each(|e| r[*e] *= T::lit(gamma));
        links.iter().for_each(|&(e, r_place, slope)| r[easy[e]] += lead * slope * solved[r_place]);
        rest.iter().zip(&*solved).for_each(|(of, k)| r[*of] = *k);
    }

    /// The accounts after [`Self::solve_moving`].
    pub fn solve_accounts(&self, h: T, gamma: f64, r: &mut [T]) {
        let (n, len) = (self.active, r.len());
        let Self { jacobian, .. } = self;
        let lead = T::lit(gamma) * h;
        let (active, accounts) = r.split_at_mut(n);
        accounts.iter_mut().for_each(|account| *account *= T::lit(gamma));
        for (column, k) in jacobian.chunks_exact(len).zip(&*active) {
            let flow = lead * *k;
            accounts.iter_mut().zip(&column[n..]).for_each(|(account, slope)| *account += *slope * flow);
        }
    }

    /// The slopes for a checkpoint; none if they carry derivatives, which are not saved.
    pub fn save(&self) -> Option<Slopes> {
        let is_plain = self.jacobian.iter().chain(&self.time_rate).all(|s| s.is_exactly(s.value()));
        let values = |from: &[T]| from.iter().map(|s| s.value()).collect();
        let age = self.age.filter(|_| is_plain)?;
        let factored = self.factored.map(|(step, gamma)| (step.value(), gamma));
        Some(Slopes { age, jacobian: values(&self.jacobian), time_rate: values(&self.time_rate), factored })
    }

    /// Goes on with slopes of a checkpoint.
    pub fn restore(&mut self, slopes: Option<&Slopes>) {
        self.forget();
        let Some(slopes) = slopes.filter(|s| !s.time_rate.is_empty()) else { return };
        let len = slopes.time_rate.len();
        let fill = |to: &mut Vec<T>, from: &[f64]| {
            to.clear();
            to.extend(from.iter().map(|s| T::lit(*s)));
        };
        self.active = (slopes.jacobian.len() / len).min(len);
        fill(&mut self.jacobian, &slopes.jacobian[..self.active * len]);
        fill(&mut self.time_rate, &slopes.time_rate);
        for buffer in [&mut self.probe, &mut self.here] {
            buffer.resize(len, T::lit(0.0));
        }
        self.divide();
        (self.age, self.factored) = (Some(slopes.age), None);
        if let Some((step, gamma)) = slopes.factored {
            self.factor(T::lit(step), gamma);
        }
        self.count = 0; // these were counted before
    }

    /// Forgets slopes that do not foretell how the rates change over a step. What they miss, times the step, is what wrong slopes add
    /// to its error, but for a factor below one: it must stay below the `error` that the step has anyway, in tolerances, of which
    /// `weights` are the inverse. As steps shrink the error goes before it, so slopes are new and the order is kept.
    pub fn judge(&mut self, h: T, [x0, x1]: [&[T]; 2], [f0, f1]: [&[T]; 2], weights: &[f64], error: f64) {
        if self.age.is_none() {
            return;
        }
        let (n, len) = (self.active, x0.len());
        let missed = &mut self.here[..n];
        for i in 0..n {
            missed[i] = f1[i] - f0[i] - h * self.time_rate[i];
        }
        for (column, (x0, x1)) in self.jacobian.chunks_exact(len).zip(x0.iter().zip(x1)) {
            let way = *x1 - *x0;
            missed.iter_mut().zip(column).for_each(|(m, slope)| *m -= *slope * way);
        }
        let most = missed.iter().zip(weights).map(|(m, w)| (h * *m).value().abs() * w).fold(0.0, f64::max);
        if most > error {
            self.forget();
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
