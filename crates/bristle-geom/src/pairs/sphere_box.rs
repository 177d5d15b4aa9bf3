//! A ball or a tip on a box: the nearest face, edge or corner decides.
//!
//! ```text
//! q = clamp(c, −half, half)      d = c − q      n = d/|d|          centre outside
//! n = ± the axis with the largest |cᵢ| − halfᵢ                      centre inside
//! ```
//!
//! Depth, rate, normal and its rate are exact. On a face, area and volume are exact while the patch does not
//! reach over an edge; on edges and corners the box counts as flat, so that both stay continuous where a
//! ball rolls over an edge. The force acts at the ball's own deepest point.

use crate::touch::{Ball, Seen, Surface, across, choose, direction, sign};
use crate::{Patch, Placed};
use bristle_math::{Real, Vector3, select};

/// Unit vector out of the nearest face for a point inside the box, and the distance of that face (negative).
#[inline]
fn nearest_face<T: Real>(center: &Vector3<T>, half: &Vector3<T>) -> (Vector3<T>, T) {
    let zero = T::lit(0.0);
    let over = center.zip_map(half, |c, h| Real::abs(c) - h);
    let is_x = over.x.simd_ge(over.y) & over.x.simd_ge(over.z);
    let is_y = over.y.simd_ge(over.z);
    let normal = Vector3::new(
        select(is_x, sign(center.x), zero),
        select(is_x, zero, select(is_y, sign(center.y), zero)),
        select(is_x, zero, select(is_y, zero, sign(center.z))),
    );
    (normal, select(is_x, over.x, select(is_y, over.y, over.z)))
}

/// The nearest point of a box.
#[inline]
pub(crate) fn surface<T: Real>(at: &Placed<T>, half: &Vector3<T>, seen: &Seen<T>) -> Surface<T> {
    let zero = T::lit(0.0);
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    let center = axes.tr_mul(&seen.offset);
    let velocity = axes.tr_mul(&seen.velocity);
    let beyond = center.zip_map(half, |c, h| c - c.clamp(-h, h));
    let (face, inner) = nearest_face(&center, half);
    let (normal, length, inverse) = direction(&beyond, &face);
    // Along a face or an edge the nearest point follows the ball, so that part does not turn the normal.
    let moving = beyond.zip_map(&velocity, |d, v| select(Real::abs(d).simd_gt(zero), v, zero));
    let is_outside = length.simd_gt(zero);
    let turning = across(&moving, &normal) * inverse;
    Surface {
        normal: axes * normal,
        distance: select(is_outside, length, inner),
        turning: choose(is_outside, &(axes * turning), &Vector3::zeros()),
        curvature: zero,
    }
}

/// A ball.
#[inline]
pub(crate) fn sphere<T: Real>(at: &Placed<T>, half: &Vector3<T>, ball: &Ball<T>) -> Patch<T> {
    let seen = ball.seen_from(at);
    let on = surface(at, half, &seen);
    ball.deepest(at, &seen, &on).round(0, on.curvature, T::lit(1.0) / ball.radius)
}

/// A tip.
#[inline]
pub(crate) fn point<T: Real>(at: &Placed<T>, half: &Vector3<T>, tip: &Placed<T>) -> Patch<T> {
    let ball = Ball::new(tip, T::lit(0.0));
    let seen = ball.seen_from(at);
    ball.deepest(at, &seen, &surface(at, half, &seen)).tip(0)
}
