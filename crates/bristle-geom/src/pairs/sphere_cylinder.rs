//! A ball or a tip on the outside of a cylinder: side, flat caps and the rims between them.
//!
//! With the centre of the ball at radius ρ and height z of the cylinder's frame, the solid is the quadrant
//! a ≤ 0, b ≤ 0 of
//!
//! ```text
//! a = ρ − R      b = |z| − h      distance = |(a⁺, b⁺)| outside,  max(a, b) inside
//! ```
//!
//! Depth, rate, normal and its rate are exact. On the side, area and volume are those of a lens with an
//! equivalent curvature; caps and rims count as flat. The force acts at the ball's own deepest point. On
//! the axis, the radial direction is the x axis of the frame.

use crate::touch::{Ball, Seen, Surface, across, direction, equivalent_curvature, sign};
use crate::{Patch, Placed};
use bristle_math::{Real, select};

/// Sizes of a cylinder, or of a bore where `outward` is −1.
pub(crate) struct Ring<T> {
    pub radius: T,
    pub half_length: T,
    /// +1 where the solid is inside the radius, −1 where it is outside.
    pub outward: T,
}

/// Nearest point of the quadrant a ≤ 0, b ≤ 0: distance, normal and the normal's rate.
struct Quadrant<T> {
    distance: T,
    normal: (T, T),
    turning: (T, T),
}

#[inline]
fn quadrant<T: Real>((a, b): (T, T), (rate_a, rate_b): (T, T)) -> Quadrant<T> {
    let (zero, one) = (T::lit(0.0), T::lit(1.0));
    let (over_a, over_b) = (a.positive(), b.positive());
    let squared = over_a.squared() + over_b.squared();
    let is_outside = squared.simd_gt(T::lit(1e-200));
    let length = select(is_outside, squared, one).sqrt();
    let inverse = one / length;
    let is_nearer_a = a.simd_gt(b);
    let normal = (
        select(is_outside, over_a * inverse, select(is_nearer_a, one, zero)),
        select(is_outside, over_b * inverse, select(is_nearer_a, zero, one)),
    );
    // The normal turns only around the corner, where both excesses are positive.
    let rate_a = select(a.simd_gt(zero), rate_a, zero);
    let rate_b = select(b.simd_gt(zero), rate_b, zero);
    let turn = (normal.0 * rate_b - normal.1 * rate_a) * select(is_outside, inverse, zero);
    Quadrant {
        distance: select(is_outside, length, a.max(b)),
        normal,
        turning: (-normal.1 * turn, normal.0 * turn),
    }
}

impl<T: Real> Ring<T> {
    /// The nearest point to a ball of curvature `curvature`.
    #[inline]
    pub fn surface(&self, at: &Placed<T>, seen: &Seen<T>, curvature: T) -> Surface<T> {
        let axis = at.axis_z();
        let (z, climb) = (seen.offset.dot(&axis), seen.velocity.dot(&axis));
        let (radial, rho, inverse) = direction(&(seen.offset - axis * z), &at.axis_x());
        let outwards = seen.velocity.dot(&radial);
        let swing = across(&(seen.velocity - axis * climb), &radial) * inverse;

        let up = sign(z);
        let a = self.outward * (rho - self.radius);
        let b = z * up - self.half_length;
        let on = quadrant((a, b), (self.outward * outwards, up * climb));
        let is_side = b.simd_le(T::lit(0.0)) & a.simd_gt(b);
        let side = equivalent_curvature(curvature, self.outward / self.radius);
        Surface {
            normal: radial * (self.outward * on.normal.0) + axis * (up * on.normal.1),
            distance: on.distance,
            turning: radial * (self.outward * on.turning.0)
                + swing * (self.outward * on.normal.0)
                + axis * (up * on.turning.1),
            curvature: select(is_side, side, T::lit(0.0)),
        }
    }

    /// The contact of a ball.
    #[inline]
    pub fn sphere(&self, at: &Placed<T>, ball: &Ball<T>) -> Patch<T> {
        let seen = ball.seen_from(at);
        let curvature = T::lit(1.0) / ball.radius;
        let on = self.surface(at, &seen, curvature);
        ball.deepest(at, &seen, &on).round(0, on.curvature, curvature)
    }

    /// The contact of a tip.
    #[inline]
    pub fn point(&self, at: &Placed<T>, tip: &Placed<T>) -> Patch<T> {
        let ball = Ball::new(tip, T::lit(0.0));
        let seen = ball.seen_from(at);
        let on = self.surface(at, &seen, T::lit(1.0));
        ball.deepest(at, &seen, &on).tip(0)
    }
}

/// A solid cylinder.
#[inline]
pub(crate) fn cylinder<T: Real>(radius: T, half_length: T) -> Ring<T> {
    Ring { radius, half_length, outward: T::lit(1.0) }
}
