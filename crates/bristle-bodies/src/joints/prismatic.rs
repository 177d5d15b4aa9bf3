//! One freedom: distance along a line.
//!
//! ```text
//! q = [s]     pose = shift by s n̂     S = (0, n̂)
//! ```

use crate::{Pose, Twist};
use bristle_math::Real;
use nalgebra::{Translation3, Unit, UnitQuaternion, Vector3};

#[inline]
pub(super) fn pose<T: Real>(axis: &Unit<Vector3<T>>, distance: T) -> Pose<T> {
    Pose::from_parts(Translation3::from(axis.as_ref() * distance), UnitQuaternion::identity())
}

#[inline]
pub(super) fn column<T: Real>(axis: &Unit<Vector3<T>>) -> Twist<T> {
    super::sliding(*axis.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pose_shifts_along_the_axis() {
        let axis = Unit::new_normalize(Vector3::new(3.0, 0.0, 4.0));
        let shift = pose(&axis, 10.0).translation.vector;
        assert!((shift - Vector3::new(6.0, 0.0, 8.0)).norm() < 1e-14);
        assert_eq!(column(&axis).linear, axis.into_inner());
    }
}
