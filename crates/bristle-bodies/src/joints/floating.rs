//! Six freedoms: position and quaternion.
//!
//! ```text
//! q = [p, (i, j, k, w)]     v = [ω, ṗ]  in the axes of the joint frame      ṗ = v_lin     q̇uat = ½ (ω, 0) ⊗ quat
//! ```
//! Angular velocity in joint-frame axes (world axes for a free body) keeps S = 1, so that the equations of motion
//! have no term from turning coordinate axes; contact wrenches arrive in world axes anyway.
//!
//! The quaternion is integrated as four plain numbers. A stage of an integrator may leave it slightly off unit length;
//! the pose uses its direction only, so that a stage never sees a stretched body, and q̇uat keeps its length.

use super::{sliding, spherical};
use crate::{Pose, Twist};
use bristle_math::Real;
use nalgebra::{Translation3, Vector3};

#[inline(always)]
pub(crate) fn pose<T: Real>(q: &[T]) -> Pose<T> {
    Pose::from_parts(Translation3::new(q[0], q[1], q[2]), spherical::turn(&q[3..7]))
}

#[inline]
pub(super) fn column<T: Real>(k: usize) -> Twist<T> {
    if k < 3 {
        return spherical::column(k);
    }
    let mut axis = Vector3::zeros();
    axis[k - 3] = T::lit(1.0);
    sliding(axis)
}

#[inline(always)]
pub(crate) fn rates<T: Real>(q: &[T], v: &[T], qdot: &mut [T]) {
    qdot[..3].copy_from_slice(&v[3..6]);
    spherical::rates(&q[3..7], &v[..3], &mut qdot[3..7]);
}

pub(crate) fn normalise<T: Real>(q: &mut [T]) {
    spherical::normalise(&mut q[3..7]);
}

/// Six numbers, angular first, as a twist.
#[inline]
pub(crate) fn read_twist<T: Real>(v: &[T]) -> Twist<T> {
    Twist { angular: Vector3::new(v[0], v[1], v[2]), linear: Vector3::new(v[3], v[4], v[5]) }
}

/// A twist as six numbers, angular first.
#[inline]
pub(crate) fn write_twist<T: Real>(twist: &Twist<T>, v: &mut [T]) {
    v[..3].copy_from_slice(twist.angular.as_slice());
    v[3..6].copy_from_slice(twist.linear.as_slice());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pose_uses_the_direction_of_the_quaternion_only() {
        let half = 0.5f64.sqrt();
        let q = [1.0, 2.0, 3.0, 0.0, 0.0, half, half];
        let stretched = [1.0, 2.0, 3.0, 0.0, 0.0, 1.5 * half, 1.5 * half];
        let moved = pose(&q) * nalgebra::Point3::new(1.0, 0.0, 0.0);
        assert!((moved - nalgebra::Point3::new(1.0, 3.0, 3.0)).norm() < 1e-15, "a quarter turn about z");
        assert!((pose(&q).rotation.coords - pose(&stretched).rotation.coords).norm() < 1e-15);
    }

    #[test]
    fn normalising_makes_the_quaternion_unit_and_keeps_the_rest() {
        let mut q = [1.0, 2.0, 3.0, 0.3, -0.4, 1.2, 0.5];
        normalise(&mut q);
        assert_eq!(q[..3], [1.0, 2.0, 3.0]);
        assert!((q[3..].iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15);
        assert!((q[3] / q[5] - 0.25).abs() < 1e-15);
    }

    #[test]
    fn rates_keep_the_length_of_the_quaternion() {
        let q = [0.0, 0.0, 0.0, 0.3, -0.4, 1.2, 0.5];
        let mut qdot = [0.0; 7];
        rates(&q, &[0.7, -1.1, 2.3, 4.0, 5.0, 6.0], &mut qdot);
        assert_eq!(qdot[..3], [4.0, 5.0, 6.0]);
        assert!(q[3..].iter().zip(&qdot[3..]).map(|(a, b)| a * b).sum::<f64>().abs() < 1e-15);
    }
}
