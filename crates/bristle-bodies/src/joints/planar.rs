//! Three freedoms in a plane.
//!
//! ```text
//! q = [x, y, θ]     v = q̇     S = [x̂ | ŷ | turn about ẑ at the link origin]
//! ```

use super::{sliding, turning};
use crate::{Pose, Twist};
use bristle_math::Real;
use nalgebra::{Translation3, Vector3};

#[inline]
pub(super) fn pose<T: Real>(q: &[T]) -> Pose<T> {
    let turn = super::revolute::turn(&Vector3::z(), q[2]);
    Pose::from_parts(Translation3::new(q[0], q[1], T::lit(0.0)), turn)
}

#[inline]
pub(super) fn column<T: Real>(k: usize) -> Twist<T> {
    match k {
        0 => sliding(Vector3::x()),
        1 => sliding(Vector3::y()),
        _ => turning(Vector3::z()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Point3;

    #[test]
    fn a_point_turns_about_the_link_origin_and_then_shifts() {
        let moved = pose(&[2.0, 3.0, std::f64::consts::FRAC_PI_2]) * Point3::new(1.0, 0.0, 0.5);
        assert!((moved - Point3::new(2.0, 4.0, 0.5)).norm() < 1e-15);
    }
}
