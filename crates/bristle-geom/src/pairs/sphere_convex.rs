//! A ball or a tip on a convex polyhedron: the nearest face, edge or corner decides.
//!
//! A point over a face, within its edges, is nearest to that face; any other outside is nearest to an edge or its
//! ends. Inside, the face of the least distance is the way out. Depth, rate, normal and its rate are exact. On a face,
//! area and volume are exact while the patch does not reach over an edge; edges and corners count as flat, as for a
//! box. The force acts at the ball's own deepest point. The cost grows with the number of faces.

use crate::touch::{Ball, Seen, Surface, across, choose, direction};
use crate::{Convex, Patch, Placed};
use bristle_math::{Real, Vector3, select};
use nalgebra::SimdBool;

/// The nearest point so far, in the body's axes.
struct Nearest<T: Real> {
    distance: T,
    normal: Vector3<T>,
    turning: Vector3<T>,
}

impl<T: Real> Nearest<T> {
    fn consider(&mut self, is_valid: T::SimdBool, distance: T, normal: &Vector3<T>, turning: &Vector3<T>) {
        let is_nearer = is_valid & distance.simd_lt(self.distance);
        self.distance = select(is_nearer, distance, self.distance);
        self.normal = choose(is_nearer, normal, &self.normal);
        self.turning = choose(is_nearer, turning, &self.turning);
    }
}

/// The nearest point of a polyhedron.
pub(crate) fn surface<T: Real>(at: &Placed<T>, body: &Convex, seen: &Seen<T>) -> Surface<T> {
    let zero = T::lit(0.0);
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    let (point, velocity) = (axes.tr_mul(&seen.offset), axes.tr_mul(&seen.velocity));
    let vertex = |i: u32| body.vertices()[i as usize].map(T::lit);

    let mut inside = (T::lit(-1e300), Vector3::z());
    let none = Vector3::zeros();
    let mut outside = Nearest { distance: T::lit(1e300), normal: Vector3::z(), turning: none };
    for ((n, offset), face) in body.planes().iter().zip(body.faces()) {
        let n = n.map(T::lit);
        let height = n.dot(&point) - T::lit(*offset);
        let is_higher = height.simd_gt(inside.0);
        inside = (select(is_higher, height, inside.0), choose(is_higher, &n, &inside.1));
        let is_above = height.simd_gt(zero);
        if is_above.none() {
            continue;
        }
        let mut is_over = is_above;
        for (k, &i) in face.iter().enumerate() {
            let (p, q) = (vertex(i), vertex(face[(k + 1) % face.len()]));
            let edge = q - p;
            is_over = is_over & n.dot(&edge.cross(&(point - p))).simd_ge(zero);
            // Each edge of a face that looks at the point; the nearest one is among these.
            let share = ((point - p).dot(&edge) / edge.dot(&edge)).clamp(zero, T::lit(1.0));
            let (normal, distance, inverse) = direction(&(point - p - edge * share), &n);
            let is_between = share.simd_gt(zero) & share.simd_lt(T::lit(1.0));
            let along = edge * (edge.dot(&velocity) / edge.dot(&edge));
            let moving = velocity - choose(is_between, &along, &none);
            outside.consider(is_above, distance, &normal, &(across(&moving, &normal) * inverse));
        }
        // Over a face nothing is nearer; an edge may be as near, by rounding.
        outside.distance = select(is_over, T::lit(1e300), outside.distance);
        outside.consider(is_over, height, &n, &none);
    }
    let is_outside = inside.0.simd_gt(zero);
    let normal = choose(is_outside, &outside.normal, &inside.1);
    Surface {
        normal: axes * normal,
        distance: select(is_outside, outside.distance, inside.0),
        turning: axes * choose(is_outside, &outside.turning, &none),
        curvature: zero,
    }
}

/// A ball.
pub(crate) fn sphere<T: Real>(at: &Placed<T>, body: &Convex, ball: &Ball<T>) -> Patch<T> {
    let seen = ball.seen_from(at);
    let on = surface(at, body, &seen);
    ball.deepest(at, &seen, &on).round(0, on.curvature, T::lit(1.0) / ball.radius)
}

/// A tip.
pub(crate) fn point<T: Real>(at: &Placed<T>, body: &Convex, tip: &Placed<T>) -> Patch<T> {
    let ball = Ball::new(tip, T::lit(0.0));
    let seen = ball.seen_from(at);
    ball.deepest(at, &seen, &surface(at, body, &seen)).tip(0)
}
