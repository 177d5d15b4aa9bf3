//! Two freedoms on one line: slide along it and turn about it.
//!
//! ```text
//! q = [s, θ]     pose = shift by s n̂, turn by θ about n̂     S = [(0, n̂) | (n̂, 0)] at the link origin
//! ```

use super::{sliding, turning};
use crate::{Pose, Twist};
use bristle_math::Real;
use nalgebra::{Translation3, Unit, Vector3};

#[inline]
pub(super) fn pose<T: Real>(axis: &Unit<Vector3<T>>, q: &[T]) -> Pose<T> {
    Pose::from_parts(Translation3::from(axis.as_ref() * q[0]), super::revolute::turn(axis, q[1]))
}

#[inline]
pub(super) fn column<T: Real>(axis: &Unit<Vector3<T>>, k: usize) -> Twist<T> {
    if k == 0 { sliding(*axis.as_ref()) } else { turning(*axis.as_ref()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Point3;

    #[test]
    fn a_point_turns_about_the_line_and_moves_along_it() {
        let moved =
            pose(&Vector3::z_axis(), &[3.0, std::f64::consts::FRAC_PI_2]) * Point3::new(1.0, 0.0, 0.5);
        assert!((moved - Point3::new(0.0, 1.0, 3.5)).norm() < 1e-15);
    }
}
