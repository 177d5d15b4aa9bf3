//! Pure translation along chosen axes of the joint frame; orientation stays that of the joint frame.
//!
//! ```text
//! q = the chosen of [x, y, z]     v = q̇     S = unit vectors of the chosen axes
//! ```
//! A block that must not tip, a point mass, or a one-dimensional impact: no rotational inertia is needed.

use crate::{Pose, Twist};
use bristle_math::Real;
use nalgebra::{Translation3, UnitQuaternion, Vector3};

/// Axes of the joint frame along which a link is free to move, in the order of their coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum SlideAxes {
    X,
    Y,
    Z,
    XY,
    XZ,
    YZ,
    XYZ,
}

impl SlideAxes {
    /// The free axes: 0 for x, 1 for y, 2 for z.
    pub fn indices(self) -> &'static [usize] {
        match self {
            Self::X => &[0],
            Self::Y => &[1],
            Self::Z => &[2],
            Self::XY => &[0, 1],
            Self::XZ => &[0, 2],
            Self::YZ => &[1, 2],
            Self::XYZ => &[0, 1, 2],
        }
    }

    /// The axes whose flag is set; none when no flag is.
    pub fn from_flags(free: [bool; 3]) -> Option<Self> {
        match free {
            [false, false, false] => None,
            [true, false, false] => Some(Self::X),
            [false, true, false] => Some(Self::Y),
            [false, false, true] => Some(Self::Z),
            [true, true, false] => Some(Self::XY),
            [true, false, true] => Some(Self::XZ),
            [false, true, true] => Some(Self::YZ),
            [true, true, true] => Some(Self::XYZ),
        }
    }
}

#[inline]
pub(super) fn pose<T: Real>(axes: SlideAxes, q: &[T]) -> Pose<T> {
    let mut shift = Vector3::zeros();
    for (k, &axis) in axes.indices().iter().enumerate() {
        shift[axis] = q[k];
    }
    Pose::from_parts(Translation3::from(shift), UnitQuaternion::identity())
}

#[inline]
pub(super) fn column<T: Real>(axes: SlideAxes, k: usize) -> Twist<T> {
    let mut axis = Vector3::zeros();
    axis[axes.indices()[k]] = T::lit(1.0);
    super::sliding(axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_go_to_the_chosen_axes() {
        let shift = pose(SlideAxes::XZ, &[1.0, 2.0]).translation.vector;
        assert_eq!(shift, Vector3::new(1.0, 0.0, 2.0));
        assert_eq!(column::<f64>(SlideAxes::XZ, 1).linear, Vector3::z());
    }

    #[test]
    fn flags_and_indices_agree() {
        for bits in 0..8u8 {
            let flags = [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0];
            let expected: Vec<usize> = (0..3).filter(|&k| flags[k]).collect();
            let found = SlideAxes::from_flags(flags).map_or(&[][..], SlideAxes::indices);
            assert_eq!(found, expected);
        }
    }
}
