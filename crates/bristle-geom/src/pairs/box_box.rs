//! Two boxes, for laws on depth: one patch along the direction in which they overlap least.
//!
//! Directions are the faces of both and the cross products of their edges; the least overlap over these fifteen is the
//! depth, and boxes are apart where one of them shows a gap. Along a face of A the point is the lowest corner of B, or
//! the middle of the lowest edge or face where that lies level; along a face of B the other way round; for two
//! edges, the middle between their nearest points. Depth, rate, normal and its rate are exact for an overlap; a gap
//! between corners is shown smaller than it is. Boxes that lie flat on each other rock on one point; laws on
//! volume do not: [`convex_convex`](super::convex_convex).

use crate::touch::{Touch, across, direction, sign};
use crate::{Patch, Placed};
use bristle_math::{Matrix3, Real, Vector3, select};

/// Edges count as level to a face below this sine of their tilt.
const LEVEL: f64 = 1e-9;
/// Cross products of edges are left out below this sine, where faces tell the same.
const PARALLEL: f64 = 1e-6;

/// A box in the world: axes as columns.
struct Block<'p, T> {
    at: &'p Placed<T>,
    axes: Matrix3<T>,
    half: &'p Vector3<T>,
}

impl<T: Real> Block<'_, T> {
    fn axis(&self, i: usize) -> Vector3<T> {
        self.axes.column(i).into_owned()
    }

    /// How far it reaches from its centre along a direction.
    fn reach(&self, n: &Vector3<T>) -> T {
        let along = self.axes.tr_mul(n);
        along.x.abs() * self.half.x + along.y.abs() * self.half.y + along.z.abs() * self.half.z
    }

    /// Its farthest point along a direction, from its centre; the middle of those that are equally far.
    fn farthest(&self, n: &Vector3<T>) -> Vector3<T> {
        let along = self.axes.tr_mul(n);
        let part =
            along.zip_map(self.half, |c, h| select(c.abs().simd_lt(T::lit(LEVEL)), T::lit(0.0), sign(c) * h));
        self.axes * part
    }
}

struct Pair<'p, T> {
    a: Block<'p, T>,
    b: Block<'p, T>,
    gap: Vector3<T>,
}

impl<T: Real> Pair<'_, T> {
    fn candidate(&self, normal: Vector3<T>, normal_rate: Vector3<T>, point: Vector3<T>) -> Touch<T> {
        let velocity = self.b.at.twist_at(&point).linear - self.a.at.twist_at(&point).linear;
        let depth = self.a.reach(&normal) + self.b.reach(&normal) - self.gap.dot(&normal);
        Touch { point, normal, normal_rate, depth, rate: -velocity.dot(&normal) }
    }

    /// Turned so that it points from A towards B.
    fn towards_b(&self, n: Vector3<T>) -> Vector3<T> {
        n * sign(self.gap.dot(&n))
    }

    fn face_of_a(&self, i: usize) -> Touch<T> {
        let n = self.towards_b(self.a.axis(i));
        let point = self.b.at.origin() + self.b.farthest(&-n);
        self.candidate(n, self.a.at.twist.angular.cross(&n), point)
    }

    fn face_of_b(&self, i: usize) -> Touch<T> {
        let n = self.towards_b(self.b.axis(i));
        let point = self.a.at.origin() + self.a.farthest(&n);
        self.candidate(n, self.b.at.twist.angular.cross(&n), point)
    }

    /// Edges along axis `i` of A and axis `j` of B, with the sine of their angle.
    fn edges(&self, i: usize, j: usize) -> (Touch<T>, T) {
        let (e, f) = (self.a.axis(i), self.b.axis(j));
        let (cross, sine, inverse) = direction(&e.cross(&f), &e);
        let n = self.towards_b(cross);
        let (spin_a, spin_b) = (self.a.at.twist.angular, self.b.at.twist.angular);
        let turning = spin_a.cross(&e).cross(&f) + e.cross(&spin_b.cross(&f));
        let rate = across(&turning, &cross) * (inverse * n.dot(&cross));
        // From A's edge to B's edge; the middle between their nearest points.
        let on_b = self.b.at.origin() + self.b.farthest(&-n);
        let apart = on_b - (self.a.at.origin() + self.a.farthest(&n));
        let cos = e.dot(&f);
        let slide = (cos * apart.dot(&e) - apart.dot(&f)) * inverse * inverse;
        let mut touch = self.candidate(n, rate, on_b + f * slide);
        touch.point += n * (T::lit(0.5) * touch.depth);
        (touch, sine)
    }
}

/// The one patch of two boxes.
pub(crate) fn boxes<T: Real>(
    at: &Placed<T>,
    half_a: &Vector3<T>,
    on: &Placed<T>,
    half_b: &Vector3<T>,
) -> Patch<T> {
    let block = |at, half| Block { at, axes: axes(at), half };
    let pair = Pair { a: block(at, half_a), b: block(on, half_b), gap: on.origin() - at.origin() };
    let mut best = pair.face_of_a(0);
    for i in 1..3 {
        best = least(best, pair.face_of_a(i), T::lit(0.0));
    }
    for i in 0..3 {
        best = least(best, pair.face_of_b(i), T::lit(0.0));
    }
    for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
        let (edges, sine) = pair.edges(i, j);
        let handicap = select(sine.simd_lt(T::lit(PARALLEL)), T::lit(1e300), T::lit(0.0));
        best = least(best, edges, handicap);
    }
    best.tip(0)
}

fn axes<T: Real>(at: &Placed<T>) -> Matrix3<T> {
    at.pose.rotation.to_rotation_matrix().into_inner()
}

/// The one of less depth; the second with a handicap.
fn least<T: Real>(a: Touch<T>, b: Touch<T>, handicap: T) -> Touch<T> {
    let is_b = (b.depth + handicap).simd_lt(a.depth);
    let choose = |x: &Vector3<T>, y: &Vector3<T>| crate::touch::choose(is_b, y, x);
    Touch {
        point: choose(&a.point, &b.point),
        normal: choose(&a.normal, &b.normal),
        normal_rate: choose(&a.normal_rate, &b.normal_rate),
        depth: select(is_b, b.depth, a.depth),
        rate: select(is_b, b.rate, a.rate),
    }
}
