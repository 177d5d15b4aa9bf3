//! Friction with states, taken at the end of a step to first order.
//!
//! A law answers with a force f(u, z) and rates ż(u, z) for a velocity u and its states z. Over a step h
//!
//! ```text
//! u⁺ = u + T a      z⁺ = z + Δz                    T: one or two directions, across the normal or along a joint
//! Δz = h (ż + ż_u T a + ż_z Δz)              ⇒   Δz = Δz₀ + Z a       one small solve
//! f⁺ = f + f_u T a + f_z Δz                  ⇒   f⁺ = f̂ − D a
//! ```
//! States that relax faster than the step (bristles that slip) are thus where they settle, and a is all that is left to know.
//! Three states or more begin with a vector, which lies in those directions, too: what changes it along others is not asked.
//! Slopes are differences of the law: they decide how well a step is damped, not what it converges to.

use bristle_math::{Scalar, Vector3};

/// Most states of a law that are taken at the end of a step.
pub(super) const STATES: usize = 4;

/// Most directions.
pub(super) const WAYS: usize = 2;

/// Most states that are solved for: the vector has one number less.
const SOLVED: usize = STATES - 1;

/// Differences are taken over this share of a typical size.
pub(super) const SHARE: f64 = 1e-6;

/// The velocity that differences are measured by at rest, m/s.
const SLOW: f64 = 1e-3;

/// Over how much a velocity is changed to see a slope, m/s.
pub(super) fn stride<T: Scalar>(velocity: &Vector3<T>) -> T {
    T::lit(SHARE * velocity.dot(velocity).value().sqrt().max(SLOW))
}

/// What a law acts on at the start of a step, and how it answers.
pub(super) struct Start<'z, T, const N: usize> {
    /// T: unit vectors, at right angles.
    pub ways: [Vector3<T>; N],
    /// u, m/s.
    pub velocity: Vector3<T>,
    /// Over how much it is changed to see a slope, m/s.
    pub stride: T,
    /// z
    pub states: &'z [T],
    /// f
    pub force: Vector3<T>,
    /// ż as the law has it.
    pub rates: [T; STATES],
    /// By how much the turn of the contact frame changes z.
    pub turned: [T; STATES],
}

/// Friction at the end of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct AtEnd<T> {
    /// f̂: the force if the velocity stays.
    pub force: Vector3<T>,
    /// D: by how much it is less along each direction, for each change of velocity.
    pub resist: [[T; WAYS]; WAYS],
    /// Δz₀: change of the states if the velocity stays.
    pub states: [T; STATES],
    /// Z: what each change of velocity adds.
    pub follow: [[T; STATES]; WAYS],
}

impl<T: Scalar> AtEnd<T> {
    /// A force that nothing changes.
    pub fn constant(force: Vector3<T>) -> Self {
        let zero = T::lit(0.0);
        Self { force, resist: [[zero; WAYS]; WAYS], states: [zero; STATES], follow: [[zero; STATES]; WAYS] }
    }

    /// The force of a law that answers `law(velocity, states, rates)`; `scales` are typical sizes of the states.
    #[inline(always)]
    pub fn new<const N: usize>(
        h: T,
        at: &Start<'_, T, N>,
        scales: impl Fn(usize) -> f64,
        law: impl FnMut(&Vector3<T>, &[T], &mut [T]) -> Vector3<T>,
    ) -> Self {
        // bristles, which most laws have, with a count that the compiler knows
        if at.states.len() == 3 {
            return Self::of_states(3, h, at, scales, law);
        }
        Self::of_states(at.states.len(), h, at, scales, law)
    }

    #[inline(always)]
    fn of_states<const N: usize>(
        count: usize,
        h: T,
        at: &Start<'_, T, N>,
        scales: impl Fn(usize) -> f64,
        mut law: impl FnMut(&Vector3<T>, &[T], &mut [T]) -> Vector3<T>,
    ) -> Self {
        let zero = T::lit(0.0);
        let axes = Axes { ways: at.ways, is_vector: count >= 3 };
        let solved = axes.count(count);
        let mut end = Self::constant(at.force);
        // rows of (1 − h ż_z) Δz = h ż + turned, and h ż_u T beside it
        let (mut system, mut right) = ([[zero; SOLVED]; SOLVED], [[zero; WAYS + 1]; SOLVED]);
        let mut f_states = [Vector3::zeros(); SOLVED];
        let mut there = [zero; STATES];
        for k in 0..solved {
            let mut moved = [zero; STATES];
            moved[..count].copy_from_slice(at.states);
            let step = T::lit(SHARE * axes.size(k, &moved).max(scales(axes.place(k))));
            axes.add(k, step, &mut moved);
            let force = law(&at.velocity, &moved[..count], &mut there[..count]);
            let inverse = T::lit(1.0) / step;
            f_states[k] = (force - at.force) * inverse;
            let change: [T; STATES] = std::array::from_fn(|i| there[i] - at.rates[i]);
            let factor = -h * inverse;
            (0..solved).for_each(|row| system[row][k] = factor * axes.along(row, &change));
            system[k][k] += T::lit(1.0);
        }
        let inverse = T::lit(1.0) / at.stride;
        for (way, along) in at.ways.iter().enumerate() {
            let force = law(&(at.velocity + along * at.stride), at.states, &mut there[..count]);
            let slope = (force - at.force) * inverse;
            (0..N).for_each(|row| end.resist[row][way] = -at.ways[row].dot(&slope));
            let change: [T; STATES] = std::array::from_fn(|i| there[i] - at.rates[i]);
            let factor = h * inverse;
            (0..solved).for_each(|row| right[row][way] = factor * axes.along(row, &change));
        }
        (0..count).for_each(|i| end.states[i] = h * at.rates[i] + at.turned[i]);
        (0..solved).for_each(|row| right[row][WAYS] = axes.along(row, &end.states));
        let before = right;
        solve(&mut system, &mut right, solved);
        for (k, (slope, solution)) in f_states.iter().zip(&right).enumerate().take(solved) {
            // what lies across the axes stays as the rates have it
            axes.add(k, solution[WAYS] - before[k][WAYS], &mut end.states);
            end.force += slope * solution[WAYS];
            for (way, more) in solution.iter().enumerate().take(N) {
                axes.add(k, *more, &mut end.follow[way]);
                (0..N).for_each(|row| end.resist[row][way] -= at.ways[row].dot(slope) * *more);
            }
        }
        end
    }
}

/// Along what states are solved for: a vector at their beginning in the directions of the velocity, the others by themselves.
struct Axes<T, const N: usize> {
    ways: [Vector3<T>; N],
    is_vector: bool,
}

impl<T: Scalar, const N: usize> Axes<T, N> {
    /// How many there are for so many states.
    #[inline(always)]
    fn count(&self, states: usize) -> usize {
        if self.is_vector { N + states - 3 } else { states }
    }

    /// The place of a state that is by itself, or of the vector.
    #[inline(always)]
    fn place(&self, k: usize) -> usize {
        match (self.is_vector, k.checked_sub(N)) {
            (true, None) => 0,
            (true, Some(rest)) => 3 + rest,
            (false, _) => k,
        }
    }

    #[inline(always)]
    fn is_along(&self, k: usize) -> bool {
        self.is_vector && k < N
    }

    #[inline(always)]
    fn add(&self, k: usize, amount: T, z: &mut [T; STATES]) {
        if self.is_along(k) {
            (0..3).for_each(|i| z[i] += self.ways[k][i] * amount);
        } else {
            z[self.place(k)] += amount;
        }
    }

    #[inline(always)]
    fn along(&self, k: usize, z: &[T; STATES]) -> T {
        if self.is_along(k) {
            let way = &self.ways[k];
            way.x * z[0] + way.y * z[1] + way.z * z[2]
        } else {
            z[self.place(k)]
        }
    }

    #[inline(always)]
    fn size(&self, k: usize, z: &[T; STATES]) -> f64 {
        if self.is_along(k) {
            let [x, y, z] = [z[0].value(), z[1].value(), z[2].value()];
            (x * x + y * y + z * z).sqrt()
        } else {
            z[self.place(k)].value().abs()
        }
    }
}

/// By how much a vector `z` changes that is carried along by a turn `w` of the contact frame. It lies across the vector, so z + h w would be longer
/// than z, and a bristle that is turned would gain energy: it is brought back to its length.
pub(super) fn turned<T: Scalar>(h: T, z: &Vector3<T>, w: &Vector3<T>) -> Vector3<T> {
    let there = z + w * h;
    let (square, longer) = (z.dot(z), there.dot(&there));
    if longer.value() > square.value() { there * (square / longer).sqrt() - z } else { w * h }
}

/// Solves a small system for several right-hand sides, in place.
#[inline(always)]
fn solve<T: Scalar>(a: &mut [[T; SOLVED]; SOLVED], b: &mut [[T; WAYS + 1]; SOLVED], count: usize) {
    if count == 2 {
        return solve_two(a, b);
    }
    solve_any(a, b, count);
}

/// Two by the rule of Cramer.
#[inline(always)]
fn solve_two<T: Scalar>(a: &[[T; SOLVED]; SOLVED], b: &mut [[T; WAYS + 1]; SOLVED]) {
    let inverse = T::lit(1.0) / (a[0][0] * a[1][1] - a[0][1] * a[1][0]);
    let [first, second, ..] = b;
    for (x, y) in first.iter_mut().zip(second) {
        (*x, *y) = ((a[1][1] * *x - a[0][1] * *y) * inverse, (a[0][0] * *y - a[1][0] * *x) * inverse);
    }
}

fn solve_any<T: Scalar>(a: &mut [[T; SOLVED]; SOLVED], b: &mut [[T; WAYS + 1]; SOLVED], count: usize) {
    for k in 0..count {
        let pivot = (k..count).max_by(|i, j| a[*i][k].value().abs().total_cmp(&a[*j][k].value().abs()));
        let pivot = pivot.unwrap_or(k);
        a.swap(k, pivot);
        b.swap(k, pivot);
        let inverse = T::lit(1.0) / a[k][k];
        a[k].iter_mut().chain(&mut b[k]).for_each(|x| *x *= inverse);
        let (of_a, of_b) = (a[k], b[k]);
        for i in (0..count).filter(|i| *i != k) {
            let factor = a[i][k];
            a[i].iter_mut().zip(of_a).for_each(|(x, y)| *x -= factor * y);
            b[i].iter_mut().zip(of_b).for_each(|(x, y)| *x -= factor * y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bristle u̇ = v − r z with r h ≫ 1 settles at v/r within the step, along a joint and in a plane.
    #[test]
    fn a_state_that_relaxes_fast_settles() {
        let (k, relax, h) = (1e5, 1e6, 1e-3);
        let z = [2e-5, 0.0, 0.0];
        let law = |u: &Vector3<f64>, z: &[f64], rates: &mut [f64]| {
            (0..3).for_each(|i| rates[i] = u[i] - relax * z[i]);
            Vector3::new(z[0], z[1], z[2]) * -k
        };
        let velocity = Vector3::new(0.3, 0.0, 0.0);
        let mut rates = [0.0; STATES];
        let force = law(&velocity, &z, &mut rates);
        let settled = (z[0] + h * 0.3) / (1.0 + h * relax);
        let check = |end: AtEnd<f64>, ways: usize| {
            assert!((z[0] + end.states[0] - settled).abs() < 1e-12, "{}", z[0] + end.states[0]);
            assert!((end.force.x + k * settled).abs() < 1e-6 * k * settled);
            for i in 0..ways {
                assert!((end.resist[i][i] / (k * h / (1.0 + h * relax)) - 1.0).abs() < 1e-5);
                assert!((end.follow[i][i] / (h / (1.0 + h * relax)) - 1.0).abs() < 1e-5);
            }
        };
        let (stride, turned, states) = (stride(&velocity), [0.0; STATES], &z);
        let at = Start { ways: [Vector3::x()], velocity, stride, states, force, rates, turned };
        check(AtEnd::new(h, &at, |_| 1e-6, law), 1);
        let at = Start { ways: [Vector3::x(), Vector3::y()], velocity, stride, states, force, rates, turned };
        check(AtEnd::new(h, &at, |_| 1e-6, law), 2);
    }

    /// A state beside the vector takes part: ż = v − w z with w, the fourth, that follows itself alone.
    #[test]
    fn a_state_beside_the_vector_is_solved_for_with_it() {
        let h = 1e-2;
        let law = |u: &Vector3<f64>, z: &[f64], rates: &mut [f64]| {
            (0..3).for_each(|i| rates[i] = u[i] - z[3] * z[i]);
            rates[3] = 50.0 - 200.0 * z[3];
            Vector3::new(z[0], z[1], z[2]) * -3.0
        };
        let (z, velocity) = ([0.4, 0.0, 0.0, 1.0], Vector3::new(0.2, 0.1, 0.0));
        let mut rates = [0.0; STATES];
        let force = law(&velocity, &z, &mut rates);
        let (ways, stride) = ([Vector3::x(), Vector3::y()], stride(&velocity));
        let at = Start { ways, velocity, stride, states: &z, force, rates, turned: [0.0; STATES] };
        let end = AtEnd::new(h, &at, |_| 1.0, law);
        // Δw = h (50 − 200 w)/(1 + 200 h), Δz = h (v − w z − z Δw)/(1 + h w)
        let w = h * (50.0 - 200.0) / (1.0 + 200.0 * h);
        let x = h * (0.2 - 0.4 - 0.4 * w) / (1.0 + h);
        assert!((end.states[3] - w).abs() < 1e-7 && (end.states[0] - x).abs() < 1e-7, "{:?}", end.states);
        assert!((end.force.x + 3.0 * (0.4 + x)).abs() < 1e-6);
    }

    #[test]
    fn what_is_turned_keeps_its_length() {
        let (z, w) = (Vector3::new(3e-6, 4e-6, 0.0), Vector3::new(-4e-4, 3e-4, 0.0));
        let there = z + turned(1e-2, &z, &w);
        assert!((there.norm() / z.norm() - 1.0f64).abs() < 1e-14);
        assert!(there.x < z.x && there.y > z.y);
    }
}
