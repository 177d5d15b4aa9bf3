//! A ball or a tip on a capsule: the nearest point of the capsule's segment decides.
//!
//! ```text
//! q = clamp(z, −h, h) along the axis      d = c − q      n = d/|d|      depth = r + R − |d|
//! ```
//!
//! Depth, rate, normal and its rate are exact. The volume is exact on the round ends; on the straight part it is
//! that of a lens with the equivalent curvature, so it jumps where the ball rolls from one to the other. A
//! ball is pushed in the middle of the overlap, a tip at the tip. On the segment itself the normal is the x
//! axis of the capsule's frame.

use crate::touch::{Ball, Seen, Surface, across, direction, equivalent_curvature};
use crate::{Patch, Placed};
use bristle_math::{Real, select};

/// The nearest point of a capsule to a ball of curvature `curvature`.
#[inline]
fn surface<T: Real>(
    at: &Placed<T>,
    (radius, half_length): (T, T),
    seen: &Seen<T>,
    curvature: T,
) -> Surface<T> {
    let axis = at.axis_z();
    let z = seen.offset.dot(&axis);
    let nearest = z.clamp(-half_length, half_length);
    let (normal, length, inverse) = direction(&(seen.offset - axis * nearest), &at.axis_x());
    let is_side = z.abs().simd_lt(half_length);
    let along = select(is_side, seen.velocity.dot(&axis), T::lit(0.0));
    let end = T::lit(1.0) / radius;
    Surface {
        normal,
        distance: length - radius,
        turning: across(&(seen.velocity - axis * along), &normal) * inverse,
        curvature: select(is_side, equivalent_curvature(curvature, end), end),
    }
}

/// A ball.
#[inline]
pub(crate) fn sphere<T: Real>(at: &Placed<T>, sizes: (T, T), ball: &Ball<T>) -> Patch<T> {
    let seen = ball.seen_from(at);
    let curvature = T::lit(1.0) / ball.radius;
    let on = surface(at, sizes, &seen, curvature);
    ball.deepest(at, &seen, &on).in_the_middle().round(0, on.curvature, curvature)
}

/// A tip.
#[inline]
pub(crate) fn point<T: Real>(at: &Placed<T>, sizes: (T, T), tip: &Placed<T>) -> Patch<T> {
    let ball = Ball::new(tip, T::lit(0.0));
    let seen = ball.seen_from(at);
    let on = surface(at, sizes, &seen, T::lit(1.0));
    ball.deepest(at, &seen, &on).tip(0)
}
