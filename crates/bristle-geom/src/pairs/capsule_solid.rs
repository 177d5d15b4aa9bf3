//! A capsule on a box, a convex polyhedron or the outside of a cylinder: the deepest ball along its segment.
//!
//! The distance of the segment's point p(t) = o + t e from a convex solid is convex in t, with the slope e·n(t), so its
//! minimum is found by halving, that from a box in closed form (`segment_box.rs`). Where the capsule lies along a face the minimum is a stretch: its middle is taken, as for
//! two parallel capsules; a tilt moves the point to one end, depth stays continuous. Depth, rate, normal and its rate
//! are exact while the segment itself stays outside of the solid: as long as its point is free to slide, e·n = 0 stays
//! true, which gives its speed
//!
//! ```text
//! ṫ = −(ė·n + e·ṅ) / (e·∂n/∂t)
//! ```
//!
//! A segment that has entered the solid is deepest where two faces are equally near. Depth stays continuous there, but
//! the normal is that of one of them.
//!
//! The side of the capsule counts with its mean curvature 1/2R, its ends with 1/R. The force acts at the deepest point.

use super::segment_box::{LEVEL, Segment};
use super::sphere_cylinder::Ring;
use super::{sphere_box, sphere_convex};
use crate::touch::{Ball, Seen, Surface};
use crate::{Convex, Patch, Placed};
use bristle_math::{Real, Vector3, select};
use nalgebra::SimdBool;

/// Halvings of the segment, to rounding error.
const HALVINGS: usize = 54;

/// A solid that answers for a ball with its nearest point.
pub(crate) enum Solid<'p, T> {
    Cuboid(&'p Vector3<T>),
    Cylinder(Ring<T>),
    Convex(&'p Convex),
}

impl<T: Real> Solid<'_, T> {
    #[inline]
    fn surface(&self, at: &Placed<T>, seen: &Seen<T>, curvature: T) -> Surface<T> {
        match self {
            Self::Cuboid(half) => sphere_box::surface(at, half, seen),
            Self::Cylinder(ring) => ring.surface(at, seen, curvature),
            Self::Convex(body) => sphere_convex::surface(at, body, seen),
        }
    }
}

/// The one patch of a capsule.
pub(crate) fn capsule<T: Real>(
    solid: &Solid<'_, T>,
    at: &Placed<T>,
    on: &Placed<T>,
    (radius, half_length): (T, T),
) -> Patch<T> {
    let (zero, one, half) = (T::lit(0.0), T::lit(1.0), T::lit(0.5));
    let axis = on.axis_z();
    let curvature = one / radius;
    // The surface under the point t of the segment, for a ball that moves along the segment.
    let sliding = |t: T| {
        let offset = on.origin() + axis * t - at.origin();
        solid.surface(at, &Seen { offset, velocity: axis }, curvature)
    };
    let reach = half_length.map_value(|x| x);
    let t = match solid {
        Solid::Cuboid(half_sizes) => {
            let axes = at.pose.rotation.to_rotation_matrix().into_inner();
            let center = axes.tr_mul(&(on.origin() - at.origin()));
            Segment { center, axis: axes.tr_mul(&axis), reach }.nearest(half_sizes)
        }
        _ => halved(reach, |t| sliding(t).normal.dot(&axis).map_value(|x| x)),
    };
    let is_free = t.abs().simd_lt(reach * T::lit(1.0 - 1e-12));

    // One step of Newton moves nothing but carries derivatives.
    let here = sliding(t);
    let bend = here.turning.dot(&axis).map_value(|x| x);
    let is_bent = is_free & bend.simd_gt(T::lit(1e-9) * curvature.map_value(|x| x));
    let divisor = select(is_bent, bend, one);
    let residual = here.normal.dot(&axis);
    let correction = select(is_bent, (residual - residual.map_value(|x| x)) / divisor, zero);
    let t = t - correction;

    let ball = Ball::fixed(on, &(axis * t), radius);
    let seen = ball.seen_from(at);
    let surface = solid.surface(at, &seen, curvature);
    let mut touch = ball.deepest(at, &seen, &surface);
    if !is_bent.none() {
        let axis_rate = on.twist.angular.cross(&axis);
        let drift = axis_rate.dot(&touch.normal) + axis.dot(&touch.normal_rate);
        let speed = select(is_bent, -drift / divisor, zero);
        touch.normal_rate += here.turning * speed;
    }
    let own = select(is_free, half * curvature, curvature);
    touch.round(0, surface.curvature, own)
}

/// The middle of the stretch, from minus to plus `reach`, on which a rising slope is level.
fn halved<T: Real>(reach: T, slope: impl Fn(T) -> T) -> T {
    let half = T::lit(0.5);
    // First and last point of the level stretch.
    let mut first = (-reach, reach);
    let mut last = (-reach, reach);
    for _ in 0..HALVINGS {
        let middle = half * (first.0 + first.1);
        let is_falling = slope(middle).simd_lt(T::lit(-LEVEL));
        first = (select(is_falling, middle, first.0), select(is_falling, first.1, middle));
        let middle = half * (last.0 + last.1);
        let is_rising = slope(middle).simd_gt(T::lit(LEVEL));
        last = (select(is_rising, last.0, middle), select(is_rising, middle, last.1));
    }
    half * (half * (first.0 + first.1) + half * (last.0 + last.1))
}
