//! A capsule on a half-space: the two balls at its ends, one patch each.
//!
//! Key 0 is the end at +z of the capsule's frame, key 1 the end at −z. A capsule that lies flat rests on both, which
//! is what keeps it from rocking. Depth and rate of each end are exact; area and volume are those of its
//! ball, without the straight part between them.

use super::sphere_half_space;
use crate::touch::Ball;
use crate::{Patch, Placed};
use bristle_math::Real;

/// Both ends.
#[inline]
pub(crate) fn ends<T: Real>(support: &Placed<T>, at: &Placed<T>, radius: T, half_length: T) -> [Patch<T>; 2] {
    let to_end = at.axis_z() * half_length;
    let mut far = sphere_half_space::sphere(support, &Ball::fixed(at, &-to_end, radius));
    far.key = 1;
    [sphere_half_space::sphere(support, &Ball::fixed(at, &to_end, radius)), far]
}
