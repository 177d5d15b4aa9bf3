//! One freedom: angle about a line through the link origin.
//!
//! ```text
//! q = [θ]     pose = (n̂ sin θ/2, cos θ/2)     S = (n̂, 0)
//! ```

use crate::{Pose, Twist};
use bristle_math::Real;
use nalgebra::{Quaternion, Translation3, Unit, UnitQuaternion, Vector3};

/// Rotation by `angle` about the unit vector `axis`.
#[inline]
pub(crate) fn turn<T: Real>(axis: &Vector3<T>, angle: T) -> UnitQuaternion<T> {
    let (sin, cos) = (angle * T::lit(0.5)).sin_cos();
    UnitQuaternion::new_unchecked(Quaternion::from_parts(cos, axis * sin))
}

#[inline]
pub(super) fn pose<T: Real>(axis: &Unit<Vector3<T>>, angle: T) -> Pose<T> {
    Pose::from_parts(Translation3::identity(), turn(axis, angle))
}

#[inline]
pub(super) fn column<T: Real>(axis: &Unit<Vector3<T>>) -> Twist<T> {
    super::turning(*axis.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let turned = pose(&Vector3::z_axis(), std::f64::consts::FRAC_PI_2) * Vector3::<f64>::x();
        assert!((turned - Vector3::y()).norm() < 1e-15);
    }
}
