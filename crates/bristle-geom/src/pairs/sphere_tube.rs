//! A ball or a tip inside a bore: the mirror image of the cylinder's side.
//!
//! The solid is the wall, ρ ≥ R and |z| ≤ h, so a = R − ρ takes the place of ρ − R and the wall's curvature is
//! −1/R around the axis and 0 along it. Beyond an open end the ball meets the rim, and outside of the bore
//! the flat end of the wall. An endless tube has neither. A ball wider than the bore is refused when the
//! pair is chosen: it would touch along a circle.
//!
//! Depth, rate, normal and its rate are exact; area and volume are those of a lens with the equivalent
//! curvature √(c(c − 1/R)) − c, c = 1/r. The force acts at the ball's own deepest point.

use super::sphere_cylinder::Ring;
use bristle_math::Real;

/// The inside of a bore.
#[inline]
pub(crate) fn tube<T: Real>(radius: T, half_length: T) -> Ring<T> {
    Ring { radius, half_length, outward: T::lit(-1.0) }
}
