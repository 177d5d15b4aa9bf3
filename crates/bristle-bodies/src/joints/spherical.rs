//! Three freedoms: any turn about the link origin.
//!
//! ```text
//! q = (i, j, k, w)     v = ω in the axes of the joint frame      q̇ = ½ (ω, 0) ⊗ q      S = (1, 0)
//! ```
//! Angular velocity in the axes of the joint frame, as in a floating joint: S is constant there. In the axes of the
//! link S would turn with the link. The quaternion is treated as in `floating.rs`.

use super::turning;
use crate::{Pose, Twist};
use bristle_math::{Real, select};
use nalgebra::{Quaternion, Translation3, UnitQuaternion, Vector3};

/// How far the square of the length may be from one.
const NEAR: f64 = 1e-13;

#[inline]
fn quaternion<T: Real>(q: &[T]) -> Quaternion<T> {
    Quaternion::new(q[3], q[0], q[1], q[2])
}

/// Orientation; only the direction of the four numbers counts.
#[inline(always)]
pub(super) fn turn<T: Real>(q: &[T]) -> UnitQuaternion<T> {
    let raw = quaternion(q);
    let length = Real::sqrt(raw.coords.dot(&raw.coords));
    UnitQuaternion::new_unchecked(raw * (T::lit(1.0) / length))
}

#[inline]
pub(super) fn pose<T: Real>(q: &[T]) -> Pose<T> {
    Pose::from_parts(Translation3::identity(), turn(q))
}

#[inline]
pub(super) fn column<T: Real>(k: usize) -> Twist<T> {
    let mut axis = Vector3::zeros();
    axis[k] = T::lit(1.0);
    turning(axis)
}

/// Half the product with a quaternion that has no real part: four of the sixteen terms vanish.
#[inline(always)]
pub(super) fn rates<T: Real>(q: &[T], spin: &[T], qdot: &mut [T]) {
    let half = T::lit(0.5);
    let (a, b, c) = (spin[0] * half, spin[1] * half, spin[2] * half);
    let (i, j, k, w) = (q[0], q[1], q[2], q[3]);
    qdot[0] = a * w + b * k - c * j;
    qdot[1] = b * w + c * i - a * k;
    qdot[2] = c * w + a * j - b * i;
    qdot[3] = -(a * i + b * j + c * k);
}

pub(super) fn normalise<T: Real>(q: &mut [T]) {
    let raw = quaternion(q);
    let square = raw.coords.dot(&raw.coords);
    // what is unit but for rounding stays as it is, and whoever knows its pose still does
    let off = (square - T::lit(1.0)).abs();
    if off.max(T::lit(NEAR)).is_exactly(NEAR) {
        return;
    }
    let length = select(off.simd_gt(T::lit(NEAR)), Real::sqrt(square), T::lit(1.0));
    for x in &mut q[..4] {
        *x /= length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rates_turn_the_link_with_the_spin_in_joint_axes() {
        // a quarter turn about z, then a spin about joint x: the link's own y axis (now −x) does not move
        let half = 0.5f64.sqrt();
        let q = [0.0, 0.0, half, half];
        let mut qdot = [0.0; 4];
        rates(&q, &[2.0, 0.0, 0.0], &mut qdot);
        let h = 1e-6;
        let later: Vec<f64> = q.iter().zip(qdot).map(|(q, r)| q + h * r).collect();
        let moved = (turn(&later) * Vector3::y() - turn(&q) * Vector3::y()).norm();
        assert!(moved < 1e-11, "{moved:e}");
        let swung = (turn(&later) * Vector3::x() - turn(&q) * Vector3::x()) / h;
        assert!((swung - Vector3::new(0.0, 0.0, 2.0)).norm() < 1e-5, "{swung}");
    }
}
