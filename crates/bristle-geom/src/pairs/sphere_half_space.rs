//! A ball or a tip on a half-space. Exact in everything: the overlap is a spherical cap.
//!
//! ```text
//! depth = r − n·(c − o)      n the z axis of the half-space, ṅ = ω×n
//! ```
//!
//! The force acts at the ball's own deepest point.

use crate::touch::{Ball, Touch};
use crate::{Patch, Placed};
use bristle_math::Real;

/// The contact of a ball with a half-space whose frame is `support`.
#[inline]
pub(crate) fn touch<T: Real>(support: &Placed<T>, ball: &Ball<T>) -> Touch<T> {
    let seen = ball.seen_from(support);
    let normal = support.axis_z();
    Touch {
        point: ball.center - normal * ball.radius,
        normal,
        normal_rate: support.twist.angular.cross(&normal),
        depth: ball.radius - seen.offset.dot(&normal),
        rate: -seen.velocity.dot(&normal),
    }
}

/// A ball.
#[inline]
pub(crate) fn sphere<T: Real>(support: &Placed<T>, ball: &Ball<T>) -> Patch<T> {
    touch(support, ball).round(0, T::lit(0.0), T::lit(1.0) / ball.radius)
}

/// A tip.
#[inline]
pub(crate) fn point<T: Real>(support: &Placed<T>, tip: &Placed<T>) -> Patch<T> {
    touch(support, &Ball::new(tip, T::lit(0.0))).tip(0)
}
