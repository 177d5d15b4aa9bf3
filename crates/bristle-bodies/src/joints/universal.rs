//! Two freedoms: a turn about a first axis, which carries a second one.
//!
//! ```text
//! q = [θ₁, θ₂]     pose = turn(n̂₁, θ₁) turn(n̂₂, θ₂)     S = [(n̂₁, 0) | (turn(n̂₁, θ₁) n̂₂, 0)]
//! Ṡ v = (n̂₁ × turn(n̂₁, θ₁) n̂₂  θ̇₁ θ̇₂, 0)
//! ```
//! The second column of S turns with the first angle: the one joint here whose S is not constant in the joint frame.

use super::revolute::turn;
use crate::{Pose, Twist};
use bristle_math::Real;
use nalgebra::{Translation3, Unit, Vector3};

#[inline]
pub(super) fn pose<T: Real>(axes: &[Unit<Vector3<T>>; 2], q: &[T]) -> Pose<T> {
    Pose::from_parts(Translation3::identity(), turn(&axes[0], q[0]) * turn(&axes[1], q[1]))
}

#[inline]
pub(super) fn column<T: Real>(axes: &[Unit<Vector3<T>>; 2], k: usize, q: &[T]) -> Twist<T> {
    let second = || turn(&axes[0], q[0]) * axes[1].as_ref();
    super::turning(if k == 0 { *axes[0].as_ref() } else { second() })
}

/// Ṡ v out of the columns of S, in any axes.
#[inline]
pub(super) fn bias<T: Real>(columns: &[Twist<T>], v: &[T]) -> Vector3<T> {
    columns[0].angular.cross(&columns[1].angular) * (v[0] * v[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bias_is_the_rate_of_the_second_column() {
        let axes = [Vector3::x_axis(), Unit::new_normalize(Vector3::new(0.1, 1.0, 0.2))];
        let (q, v, h) = ([0.7, -0.4], [1.3, -2.1], 1e-6);
        let spin = |q: &[f64]| column(&axes, 0, q).angular * v[0] + column(&axes, 1, q).angular * v[1];
        let slope = (spin(&[q[0] + h * v[0], q[1]]) - spin(&[q[0] - h * v[0], q[1]])) / (2.0 * h);
        let found = bias(&[column(&axes, 0, &q), column(&axes, 1, &q)], &v);
        assert!((found - slope).norm() < 1e-9, "{found} {slope}");
    }
}
