//! A force with states, taken at the end of a step to first order.
//!
//! A law answers with a force f(δ, u, z) and rates ż(δ, u, z) for a depth δ, a velocity u and its states z. Over a step h
//!
//! ```text
//! u⁺ = u + Δu      δ⁺ = δ − h n·u⁺      z⁺ = z + Δz
//! Δz = h (ż + ż_u Δu + ż_z Δz)               ⇒   Δz = Δz₀ + Z Δu      one small solve
//! f⁺ = f + n f_δ Δδ + f_u Δu + f_z Δz        ⇒   f⁺ = f̂ − D Δu
//! ```
//! Only the normal force follows the depth: friction has the load of the start of the step, for the load that an approach
//! foretells is not there when it is stopped.
//!
//! States that relax faster than the step (bristles that slip) are thus where they settle, and Δu is all that is left to know.
//! Convex laws lose energy this way at any step, as implicit Euler does. Slopes are differences of the law: they decide how well
//! a step is damped, not what it converges to.

use bristle_math::{Scalar, Vector3};
use nalgebra::Matrix3;

/// Most states of a law that are taken at the end of a step.
pub(super) const STATES: usize = 4;

/// Differences are taken over this share of a typical size.
const SHARE: f64 = 1e-6;

/// The velocity that differences are measured by at rest, m/s.
const SLOW: f64 = 1e-3;

/// What a law acts on at the start of a step.
pub(super) struct Start<'z, T> {
    /// Depth, m, and the normal along which it grows against the velocity; none for friction of a joint.
    pub depth: Option<(T, Vector3<T>)>,
    /// Velocity, m/s.
    pub velocity: Vector3<T>,
    /// States that are taken at the end.
    pub states: &'z [T],
    /// Their rates.
    pub rates: &'z [T],
}

/// A force at the end of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct AtEnd<T> {
    /// f̂: the force if the velocity stays.
    pub force: Vector3<T>,
    /// D: by how much it is less for each change of velocity.
    pub resist: Matrix3<T>,
    /// Δz₀: change of the states if the velocity stays.
    pub states: [T; STATES],
    /// Z: what the change of velocity adds.
    pub follow: [Vector3<T>; STATES],
    /// n·f_δ, and the way over which it was taken, m.
    pub slope: T,
    pub way: T,
}

impl<T: Scalar> AtEnd<T> {
    /// The force of a law that answers `law(depth, velocity, states, rates)`; `scales` are typical sizes of the states.
    pub fn new(
        h: T,
        at: &Start<'_, T>,
        scales: impl Iterator<Item = f64>,
        mut law: impl FnMut(T, &Vector3<T>, &[T; STATES], &mut [T; STATES]) -> Vector3<T>,
    ) -> Self {
        let zero = T::lit(0.0);
        let count = at.states.len();
        let mut z = [zero; STATES];
        z[..count].copy_from_slice(at.states);
        let mut rates = [zero; STATES];
        let (depth, normal) = at.depth.unwrap_or((zero, Vector3::zeros()));
        let u = at.velocity;
        let force = law(depth, &u, &z, &mut rates);
        let base = rates;
        let slope = |force_there: Vector3<T>, rates_there: [T; STATES], step: T| {
            let of_rates: [T; STATES] = std::array::from_fn(|i| (rates_there[i] - base[i]) / step);
            ((force_there - force) / step, of_rates)
        };
        let mut there = [zero; STATES];
        let rate = -normal.dot(&u);
        // n·f_δ, over the way that lies ahead where it closes: laws stiffen with depth, and a slope at the start would let the
        // body in further than it has energy for. Where it opens the slope at the start is the safe one.
        let near = SHARE * depth.value().abs().max(1e-9);
        let way = T::lit((h * rate).value().max(near));
        let slope_of_depth = if at.depth.is_some() {
            let f = law(depth + way, &u, &z, &mut there);
            normal.dot(&(f - force)) / way
        } else {
            zero
        };
        let step = T::lit(SHARE * u.map(|x| x.value()).norm().max(SLOW));
        let mut f_velocity = Matrix3::zeros();
        let mut z_velocity = [Vector3::zeros(); STATES];
        for axis in 0..3 {
            let mut moved = u;
            moved[axis] += step;
            let f = law(depth, &moved, &z, &mut there);
            let (f, rates) = slope(f, there, step);
            f_velocity.set_column(axis, &f);
            z_velocity.iter_mut().zip(rates).for_each(|(row, rate)| row[axis] = rate);
        }
        z_velocity.iter_mut().for_each(|row| *row -= normal * normal.dot(row));
        let mut f_states = [Vector3::zeros(); STATES];
        let mut system = [[zero; STATES]; STATES];
        for ((k, scale), f_state) in scales.enumerate().take(count).zip(&mut f_states) {
            let step = T::lit(SHARE * z[k].value().abs().max(scale));
            let mut moved = z;
            moved[k] += step;
            let f = law(depth, &u, &moved, &mut there);
            let (f, rates) = slope(f, there, step);
            *f_state = f;
            system.iter_mut().zip(rates).for_each(|(row, rate)| row[k] = -h * rate);
        }
        (0..STATES).for_each(|i| system[i][i] += T::lit(1.0));
        // δ⁺ = δ + h rate − h n·Δu
        let mut right = [[zero; 4]; STATES];
        let turned = turned(h, &z, at.rates, &base);
        for (i, row) in right.iter_mut().enumerate().take(count) {
            row[3] = h * base[i] + turned[i];
            (0..3).for_each(|axis| row[axis] = h * z_velocity[i][axis]);
        }
        solve(&mut system, &mut right, count);
        let states = right.map(|row| row[3]);
        let follow = right.map(|[x, y, z, _]| Vector3::new(x, y, z));
        let mut end = Self {
            force: force + normal * (slope_of_depth * h * rate),
            resist: normal * normal.transpose() * (h * slope_of_depth) - f_velocity,
            states,
            follow,
            slope: slope_of_depth,
            way,
        };
        for i in 0..count {
            end.force += f_states[i] * states[i];
            end.resist -= f_states[i] * follow[i].transpose();
        }
        end
    }
}

/// By how much states change that are carried along. What a law does not say of its rates is the turn of the contact frame, w = ż − ż_law, across the
/// vector that it turns: z + h w would be longer than z, and a bristle that is turned would gain energy. It is brought back to its length.
fn turned<T: Scalar>(h: T, z: &[T; STATES], rates: &[T], law: &[T; STATES]) -> [T; STATES] {
    let mut change = [T::lit(0.0); STATES];
    let (mut square, mut longer) = (T::lit(0.0), T::lit(0.0));
    for (i, rate) in rates.iter().enumerate() {
        change[i] = h * (*rate - law[i]);
        if change[i].value() != 0.0 {
            square += z[i] * z[i];
            longer += (z[i] + change[i]) * (z[i] + change[i]);
        }
    }
    if longer.value() > square.value() {
        let share = (square / longer).sqrt();
        for (change, z) in change.iter_mut().zip(z).filter(|(change, _)| change.value() != 0.0) {
            *change = (*z + *change) * share - *z;
        }
    }
    change
}

/// Solves a small system for several right-hand sides, in place.
fn solve<T: Scalar>(a: &mut [[T; STATES]; STATES], b: &mut [[T; 4]; STATES], count: usize) {
    for k in 0..count {
        let pivot = (k..count).max_by(|i, j| a[*i][k].value().abs().total_cmp(&a[*j][k].value().abs()));
        let pivot = pivot.unwrap_or(k);
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in (0..count).filter(|i| *i != k) {
            let factor = a[i][k] / a[k][k];
            let (of_a, of_b) = (a[k], b[k]);
            a[i].iter_mut().zip(of_a).for_each(|(x, y)| *x -= factor * y);
            b[i].iter_mut().zip(of_b).for_each(|(x, y)| *x -= factor * y);
        }
    }
    for k in 0..count {
        let pivot = a[k][k];
        b[k].iter_mut().for_each(|x| *x /= pivot);
    }
}

#[cfg(test)]
mod tests {
    use super::super::resist::Resist;
    use super::*;

    /// A spring and damper along z: implicit Euler in closed form.
    #[test]
    fn a_spring_and_damper_gives_its_slopes() {
        let (k, d, h) = (1e6, 300.0, 1e-3);
        let at = Start {
            depth: Some((1e-4, Vector3::z())),
            velocity: Vector3::new(0.2, 0.0, -0.5),
            states: &[],
            rates: &[],
        };
        let end =
            AtEnd::new(h, &at, std::iter::empty(), |depth, u, _, _| Vector3::z() * (k * depth - d * u.z));
        let force = k * (1e-4 + h * 0.5) + d * 0.5;
        assert!((end.force.z / force - 1.0).abs() < 1e-9, "{}", end.force.z);
        assert!((end.resist[(2, 2)] / (h * k + d) - 1.0).abs() < 1e-6, "{}", end.resist);
        assert!(
            (Resist::of(&end.resist, &Vector3::z()).matrix() - end.resist).norm() < 1e-6 * end.resist.norm()
        );
    }

    /// A bristle u̇ = v − r z with r h ≫ 1 settles at v/r within the step.
    #[test]
    fn a_state_that_relaxes_fast_settles() {
        let (k, relax, h) = (1e5, 1e6, 1e-3);
        let z = [2e-5];
        let law = |_: f64, u: &Vector3<f64>, z: &[f64; STATES], rates: &mut [f64; STATES]| {
            rates[0] = u.x - relax * z[0];
            Vector3::x() * (-k * z[0])
        };
        let at = Start {
            depth: None,
            velocity: Vector3::new(0.3, 0.0, 0.0),
            states: &z,
            rates: &[0.3 - relax * z[0]],
        };
        let end = AtEnd::new(h, &at, [1e-6].into_iter(), law);
        let settled = (z[0] + h * 0.3) / (1.0 + h * relax);
        assert!((z[0] + end.states[0] - settled).abs() < 1e-12, "{}", z[0] + end.states[0]);
        assert!((end.force.x + k * settled).abs() < 1e-6 * k * settled);
        assert!((end.resist[(0, 0)] / (k * h / (1.0 + h * relax)) - 1.0).abs() < 1e-5);
    }
}
