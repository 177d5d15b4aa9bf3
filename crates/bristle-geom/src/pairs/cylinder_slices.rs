//! Two finite cylinders cut into slices along the common perpendicular of their axes: each slice is the intersection
//! of two rectangles, whatever the pose.
//!
//! ```text
//! V = ∫ |P(z)| dz      P = rectangle (2h₁ × 2p) ∩ rectangle (2h₂ × 2q, turned by α)      p, q as for endless cylinders
//! S = ∫ n_B dA over B's surface inside A      dV/dt = ∫ (v_B − v_A)·n_B dA
//! ```
//!
//! The edges of P that belong to B tell S and its moment: the caps of B with normal ±f, its side with ±ŝ in the slice
//! and (z − d)/q along z per length of edge.

use super::cylinder_cylinder::approach;
use super::rectangle::{Edge, Rectangle, Slice};
use crate::adaptive::{integrate, rule};
use crate::touch::direction;
use crate::{Overlap, Patch, Placed};
use bristle_math::{Matrix3, Scalar, Vector3, gauss};
use std::f64::consts::PI;

/// Share of an integral that may change when an interval is halved.
const PRECISE: f64 = 1e-12;
/// The same for the volumes inside the moment, which is a sum of sixteen.
const FAIR: f64 = 1e-8;

/// A cylinder in the world.
pub(crate) struct Rod<'p, T> {
    pub at: &'p Placed<T>,
    pub radius: T,
    pub half_length: T,
}

/// Both cylinders seen from A's centre, with x along A's axis and z along the common perpendicular.
pub(crate) struct Slices<'p, T> {
    a: &'p Rod<'p, T>,
    b: &'p Rod<'p, T>,
    axes: Matrix3<T>,
    /// B's centre.
    center: Vector3<T>,
    cos: T,
    sin: T,
}

impl<'p, T: Scalar> Slices<'p, T> {
    pub fn new(a: &'p Rod<'p, T>, b: &'p Rod<'p, T>, up: &Vector3<T>) -> Self {
        let (e, f) = (a.at.axis_z(), b.at.axis_z());
        let axes = Matrix3::from_columns(&[e, up.cross(&e), *up]);
        let center = axes.tr_mul(&(b.at.origin() - a.at.origin()));
        Self { a, b, axes, center, cos: f.dot(&axes.column(0)), sin: f.dot(&axes.column(1)) }
    }

    /// The same with B moved.
    fn moved(&self, by: &Vector3<T>) -> Self {
        Self { center: self.center + by, axes: self.axes, ..*self }
    }

    /// Middle and half of the heights that both share.
    fn heights(&self) -> (T, T, T) {
        let (r, s, d) = (self.a.radius, self.b.radius, self.center.z);
        let (low, high) = ((-r).max(d - s), r.min(d + s));
        (low, high, T::lit(0.5) * (high - low))
    }

    /// The slice at φ, z = middle + w cos φ.
    fn slice(&self, phi: f64) -> Slice<T> {
        let (low, high, w) = self.heights();
        let (r, s, d) = (self.a.radius, self.b.radius, self.center.z);
        let (sin, cos) = phi.sin_cos();
        let (from_top, from_low) = (w * T::lit(1.0 - cos), w * T::lit(1.0 + cos));
        let root = |x: T, y: T| (x * y).positive().sqrt();
        let p = root(r - high + from_top, low + r + from_low);
        let (top, bottom) = (d + s - high, low - (d - s));
        let q = root(top + from_top, bottom + from_low);
        // dz/q stays finite where both vanish.
        let share = |x: T, base: T| if base.value() > 0.0 { x / (base + x) } else { T::lit(1.0) };
        let per_q = root(share(from_top, top), share(from_low, bottom));
        let own = Rectangle {
            center: [T::lit(0.0); 2],
            axis: [T::lit(1.0), T::lit(0.0)],
            half: [self.a.half_length, p],
        };
        let other = Rectangle {
            center: [self.center.x, self.center.y],
            axis: [self.cos, self.sin],
            half: [self.b.half_length, q],
        };
        Slice { z: high - from_top, dz: w * T::lit(sin), per_q, polygon: own.clipped(&other) }
    }

    /// n_B dA of one edge per dφ, in the axes of the slices.
    fn outward(&self, edge: &Edge<T>, slice: &Slice<T>) -> Vector3<T> {
        let [x, y] = edge.normal.map(|n| n * slice.dz);
        let rise = if edge.is_side { (slice.z - self.center.z) * slice.per_q } else { T::lit(0.0) };
        Vector3::new(x, y, rise) * edge.length
    }

    fn volume(&self, tolerance: f64) -> T {
        if self.heights().2.value() <= 0.0 {
            return T::lit(0.0);
        }
        let at = |phi: f64| {
            let slice = self.slice(phi);
            [slice.polygon.area() * slice.dz]
        };
        integrate((0.0, PI), &[tolerance], at)[0]
    }

    /// Volume, its first moments, the vector area and its moment.
    fn sums(&self) -> [T; 10] {
        let mut at = |phi: f64| {
            let slice = self.slice(phi);
            let (area, first) = slice.polygon.moments();
            let dz = slice.dz;
            let (mut vector, mut turn) = (Vector3::zeros(), Vector3::zeros());
            for edge in slice.polygon.edges() {
                let n = self.outward(&edge, &slice);
                vector += n;
                turn += Vector3::new(edge.middle[0], edge.middle[1], slice.z).cross(&n);
            }
            let [x, y] = first;
            let (s, t) = (vector, turn);
            [area * dz, x * dz, y * dz, area * slice.z * dz, s.x, s.y, s.z, t.x, t.y, t.z]
        };
        let scale = rule(0.0, PI, &mut at)[0].value().abs() * PRECISE;
        let reach = self.a.half_length.value() + self.a.radius.value();
        let thin = self.heights().2.value();
        let [volume, first, area, turn] = [scale, scale * reach, scale / thin, scale * reach / thin];
        let tolerance = [volume, first, first, first, area, area, area, turn, turn, turn];
        integrate((0.0, PI), &tolerance, at)
    }

    /// ∫ r rᵀ dA about `center` over B's surface inside A, seen along `normal`.
    fn second(&self, center: &Vector3<T>, normal: &Vector3<T>, scale: f64) -> Matrix3<T> {
        let at = |phi: f64| {
            let slice = self.slice(phi);
            let mut sum = Matrix3::zeros();
            for edge in slice.polygon.edges() {
                let share = -self.outward(&edge, &slice).dot(normal);
                let middle = Vector3::new(edge.middle[0], edge.middle[1], slice.z) - center;
                let along = Vector3::new(-edge.normal[1], edge.normal[0], T::lit(0.0)) * edge.length;
                sum += (middle * middle.transpose() + along * along.transpose() / T::lit(12.0)) * share;
            }
            [sum.m11, sum.m12, sum.m13, sum.m22, sum.m23, sum.m33]
        };
        let [xx, xy, xz, yy, yz, zz] = integrate((0.0, PI), &[scale; 6], at);
        let across = Matrix3::identity() - normal * normal.transpose();
        across * Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz) * across
    }

    /// How far B reaches into A along a unit vector from A into B.
    fn depth_along(&self, n: &Vector3<T>) -> T {
        let reach = |along: T, radius: T, half: T| {
            half * along.abs() + radius * (T::lit(1.0) - along.squared()).positive().sqrt()
        };
        let own = reach(n.x, self.a.radius, self.a.half_length);
        let other = reach(n.x * self.cos + n.y * self.sin, self.b.radius, self.b.half_length);
        own + other - n.dot(&self.center)
    }

    /// Cylinders apart: the best of the directions that can tell, which are all but the rims'.
    fn apart(&self) -> Overlap<T> {
        let zero = T::lit(0.0);
        let f = Vector3::new(self.cos, self.sin, zero);
        let sideways = |axis: &Vector3<T>| {
            let off = self.center - axis * axis.dot(&self.center);
            direction(&off, &Vector3::z()).0
        };
        let mut best = (Vector3::z(), T::lit(f64::INFINITY));
        for n in [Vector3::x(), f, Vector3::z(), sideways(&Vector3::x()), sideways(&f)] {
            let n = if n.dot(&self.center).value() < 0.0 { -n } else { n };
            let depth = self.depth_along(&n);
            if depth.value() < best.1.value() {
                best = (n, depth);
            }
        }
        let middle = self.center * T::lit(0.5);
        self.finish(Patch { depth: best.1.min(zero), ..Patch::none() }, &best.0, &middle)
    }

    /// Places the patch in the world; what the normal's own turning adds beside the mean spin is left out.
    fn finish(&self, mut patch: Patch<T>, normal: &Vector3<T>, center: &Vector3<T>) -> Overlap<T> {
        let (a, b) = (self.a.at, self.b.at);
        patch.normal = self.axes * normal;
        patch.normal_rate = (a.twist.angular + b.twist.angular).cross(&patch.normal) * T::lit(0.5);
        patch.point = a.origin() + self.axes * center;
        patch.rate = approach(a, b, &patch);
        Overlap::apart(patch)
    }

    /// All of it.
    pub fn overlap(&self) -> Overlap<T> {
        if self.heights().2.value() <= 0.0 {
            return self.apart();
        }
        let [volume, x, y, z, sx, sy, sz, tx, ty, tz] = self.sums();
        let vector = Vector3::new(sx, sy, sz);
        let (away, area, _) = direction(&vector, &Vector3::z());
        // Below this a sliver holds nothing but rounding.
        let size = self.a.radius.min(self.b.radius).value();
        if volume.value() <= 1e-30 * size.powi(3) || area.value() <= 0.0 {
            return self.apart();
        }
        let (normal, center) = (-away, Vector3::new(x, y, z) / volume);
        let turn = Vector3::new(tx, ty, tz) - center.cross(&vector);
        let depth = self.depth_along(&normal);
        if depth.value() <= 1e-13 * size {
            return self.apart(); // sides that coincide but for rounding
        }
        let moment = self.moment(&normal, depth, volume.value());
        let patch = Patch { depth, area, volume, volume_moment: moment, ..Patch::none() };
        let mut out = self.finish(patch, &normal, &center);
        let scale = FAIR * area.value() * self.a.half_length.min(self.b.half_length).value().powi(2);
        let second = self.second(&center, &normal, scale);
        out.second = self.axes * second * self.axes.transpose();
        out.volume_turn = self.axes * turn;
        out.push = out.patch.normal * volume;
        let spin = self.b.at.twist.angular - self.a.at.twist.angular;
        out.patch.volume_rate = area * out.patch.rate + out.volume_turn.dot(&spin);
        out
    }

    /// ∫ V over a straight withdrawal along the normal. Next to its end V goes like a power of the way that is left.
    fn moment(&self, normal: &Vector3<T>, depth: T, volume: f64) -> T {
        let mut sum = T::lit(0.0);
        for (x, w) in gauss::nodes16() {
            let left = x * x;
            let way = normal * (depth * T::lit(1.0 - left));
            sum += self.moved(&way).volume(FAIR * volume) * T::lit(2.0 * x * w);
        }
        sum * depth
    }
}
