//! The gyroscopic torque over a long step.
//!
//! A body that turns freely keeps its energy, because L × ω, with L = I ω, is across ω. A step with the torque at its start does
//! not: it gains ½h² (L × ω)·I⁻¹(L × ω). With the spin of the middle of the step,
//!
//! ```text
//! I Δω = h L × (ω + ½Δω)       ⇔   (I − ½h [L]×) Δω = h L × ω
//! ½(ω + Δω)·I(ω + Δω) − ½ω·Iω = (ω + ½Δω)·I Δω = 0
//! ```
//! it gains and loses nothing, whatever the step. The matrix is that of the inertia and a skew one, so it can always be solved for.

use crate::symmetric::Symmetric;
use bristle_math::Real;
use nalgebra::{Matrix3, Vector3};

/// Torque that a body of this `inertia` about its centre needs to keep its `spin`, mean over a `step` in which it has none; all in one set of axes.
pub(crate) fn whirl<T: Real>(inertia: &Symmetric<T>, spin: &Vector3<T>, step: T) -> Vector3<T> {
    let momentum = inertia * spin;
    let torque = momentum.cross(spin);
    let half = step * T::lit(0.5);
    let matrix = inertia.full() - momentum.cross_matrix() * half;
    let half_change = solve(&matrix, &(torque * half));
    (spin + half_change).cross(&momentum)
}

/// A⁻¹ b by the rule of Cramer.
pub(crate) fn solve<T: Real>(a: &Matrix3<T>, b: &Vector3<T>) -> Vector3<T> {
    let [x, y, z]: [Vector3<T>; 3] = std::array::from_fn(|k| a.column(k).into_owned());
    let (yz, zx, xy) = (y.cross(&z), z.cross(&x), x.cross(&y));
    Vector3::new(yz.dot(b), zx.dot(b), xy.dot(b)) / x.dot(&yz)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over a turn of 2 rad in one step, as over a small one.
    #[test]
    fn free_turning_keeps_its_energy_at_any_step() {
        let inertia =
            Symmetric::of(&Matrix3::new(0.02, 0.003, -0.001, 0.003, 0.05, 0.004, -0.001, 0.004, 0.06));
        let energy = |spin: &Vector3<f64>| 0.5 * spin.dot(&(&inertia * spin));
        for step in [1e-4, 4e-3, 0.2] {
            let spin = Vector3::new(3.0, -8.0, 5.0);
            let torque = -whirl(&inertia, &spin, step);
            let change = solve(&inertia.full(), &(torque * step));
            assert!(change.norm() > 0.0);
            assert!((energy(&(spin + change)) / energy(&spin) - 1.0).abs() < 1e-14, "{step} s");
        }
    }

    #[test]
    fn in_a_short_step_it_is_that_of_euler() {
        let inertia = Symmetric::of(&Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0)));
        let spin = Vector3::new(0.3, -0.5, 0.7);
        let exact = spin.cross(&(&inertia * &spin));
        assert!((whirl(&inertia, &spin, 1e-8) - exact).norm() < 1e-7 * exact.norm());
    }
}
