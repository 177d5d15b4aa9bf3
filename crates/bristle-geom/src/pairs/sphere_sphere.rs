//! Two balls, or a tip on a ball. Exact in everything: the overlap is a lens.
//!
//! ```text
//! d = c_B − c_A      n = d/|d|      depth = r_A + r_B − |d|      ṅ = (1 − nnᵀ)(v_B − v_A)/|d|
//! ```
//!
//! Two balls push each other in the middle of their overlap, a tip is pushed at the tip. Where the centres
//! coincide there is no direction: the world's z axis is taken.

use crate::touch::{Ball, Touch, across, direction};
use crate::{Patch, Placed};
use bristle_math::{Real, Vector3};

/// The contact at the deepest point of `b`.
#[inline]
fn touch<T: Real>(a: &Ball<T>, b: &Ball<T>) -> Touch<T> {
    let (normal, distance, inverse) = direction(&(b.center - a.center), &Vector3::z());
    let velocity = b.velocity - a.velocity;
    Touch {
        point: b.center - normal * b.radius,
        normal,
        normal_rate: across(&velocity, &normal) * inverse,
        depth: a.radius + b.radius - distance,
        rate: -velocity.dot(&normal),
    }
}

/// Two balls.
#[inline]
pub(crate) fn spheres<T: Real>(a: &Ball<T>, b: &Ball<T>) -> Patch<T> {
    touch(a, b).in_the_middle().round(0, T::lit(1.0) / a.radius, T::lit(1.0) / b.radius)
}

/// A tip on a ball.
#[inline]
pub(crate) fn point<T: Real>(a: &Ball<T>, tip: &Placed<T>) -> Patch<T> {
    touch(a, &Ball::new(tip, T::lit(0.0))).tip(0)
}
