//! A finite cylinder on a half-space: four points of its rims for laws on depth, the exact volume for the others.
//!
//! The points are the deepest and the highest of each rim. They follow the tilt, and both are stationary, so their
//! depths change with the velocity of the material there; a cylinder that stands rests on both ends of the
//! diameter it tilts about, one that lies on the deepest point of each end. Key: 2 × (0 for the rim at +z, 1 at −z) +
//! (0 deepest, 1 highest).
//!
//! Across the axis the plane cuts segments off circles. With c = n·e, k = |n×e| and the height H(x) of the axis,
//!
//! ```text
//! cos θ = H/kR      segment R²σ(θ)      its moment ⅔R³ sin³θ      ∫ depth dA = kR³ τ(θ)      dx = −(kR/c) sin θ dθ
//! ```
//!
//! All are entire functions of θ, which sixteen points integrate to rounding error; Δθ/c is formed without the
//! difference, so a cylinder that lies flat is no special case.

use super::polyhedron_half_space::plane;
use crate::touch::{Touch, direction};
use crate::wet::{Plane, Wet};
use crate::{Overlap, Patch, Placed};
use bristle_math::crossed::segment;
use bristle_math::{Real, Scalar, Vector3, gauss};
use std::f64::consts::PI;

/// Points of both rims, in the order of their keys.
#[inline]
pub(crate) fn rims<T: Real>(support: &Placed<T>, at: &Placed<T>, radius: T, half_length: T) -> [Patch<T>; 4] {
    let (normal, axis) = (support.axis_z(), at.axis_z());
    let (down, _, _) = direction(&(axis * axis.dot(&normal) - normal), &at.axis_x());
    let normal_rate = support.twist.angular.cross(&normal);
    [0, 1, 2, 3].map(|key| {
        let end = if key < 2 { half_length } else { -half_length };
        let side = if key % 2 == 0 { radius } else { -radius };
        let offset = axis * end + down * side;
        let point = at.origin() + offset;
        let from_support = point - support.origin();
        let velocity = at.velocity(&offset) - support.velocity(&from_support);
        let depth = -from_support.dot(&normal);
        Touch { point, normal, normal_rate, depth, rate: -velocity.dot(&normal) }.tip(key)
    })
}

/// A cylinder as the plane sees it: `axis` points away from the plane, `down` across it towards the plane.
pub(crate) struct Leaning<T> {
    pub plane: Plane<T>,
    pub axis: Vector3<T>,
    pub down: Vector3<T>,
    /// n·axis ≥ 0 and |n × axis| > 0.
    pub cos: T,
    pub sin: T,
}

/// (2/3) sin³θ − cos θ σ(θ) = ∫ σ sin θ dθ, without the cancellation of small angles.
pub(crate) fn sunk_moment<T: Scalar>(angle: T) -> T {
    if angle.value() < 0.5 {
        return gauss::legendre8(T::lit(0.0), angle, |x| segment(x) * x.sin_cos().0);
    }
    let (sin, cos) = angle.sin_cos();
    T::lit(2.0 / 3.0) * sin.squared() * sin - cos * segment(angle)
}

impl<T: Scalar> Leaning<T> {
    pub fn new(support: &Placed<T>, at: &Placed<T>) -> Self {
        let plane = plane(support, at);
        let axis = at.axis_z();
        let lean = axis.dot(&plane.normal);
        let (axis, cos) = if lean.value() < 0.0 { (-axis, -lean) } else { (axis, lean) };
        let across = plane.normal.cross(&axis);
        let sin = (across.dot(&across) + T::lit(1e-30)).sqrt();
        let (down, _, _) = direction(&(axis * cos - plane.normal), &at.axis_x());
        Self { plane, axis, down, cos, sin }
    }

    /// What lies below the plane of the part |x| ≤ half_length.
    pub fn rod(&self, radius: T, half_length: T) -> Wet<T> {
        let zero = T::lit(0.0);
        let (c, kr) = (self.cos, self.sin * radius);
        let h = half_length;
        let lowest = kr - self.plane.height; // depth of the line underneath, at x = 0
        let safe = c.max(T::lit(1e-200));
        let (wet, dry) = ((lowest - kr - kr) / safe, lowest / safe);
        let (low, high) = (wet.clamp(-h, h), dry.clamp(-h, h));
        let mut sum = Wet::dry();
        let whole = low + h;
        if whole.value() > 0.0 {
            let (area, middle) = (T::lit(PI) * radius.squared(), T::lit(0.5) * (low - h));
            sum.volume = area * whole;
            sum.first = self.axis * (sum.volume * middle);
            sum.moment = -sum.volume * (self.plane.height + c * middle);
        }
        let length = high - low;
        if length.value() <= 0.0 {
            // Upright, the partly wet stretch may vanish in rounding; its section does not.
            if !(wet.value() >= -h.value() && dry.value() <= h.value()) {
                return sum;
            }
        }
        // Ends where the section is full or empty are known without rounding.
        let two = T::lit(2.0);
        let deep = if wet.value() > -h.value() { two * kr } else { (lowest - c * low).clamp(zero, two * kr) };
        let shallow = if dry.value() < h.value() { zero } else { (lowest - c * high).clamp(zero, two * kr) };
        self.partly(&mut sum, radius, [low, high], [deep, shallow]);
        sum
    }

    /// The stretch that is partly wet: from `low`, where the line underneath is `deep`, to `high`.
    fn partly(&self, sum: &mut Wet<T>, radius: T, [low, high]: [T; 2], [deep, shallow]: [T; 2]) {
        let (one, two, half) = (T::lit(1.0), T::lit(2.0), T::lit(0.5));
        let (c, kr) = (self.cos, self.sin * radius);
        let length = high - low;
        let angle = |d: T| two * (d / (two * kr - d).max(T::lit(1e-300))).sqrt().simd_atan();
        let (from, to) = (angle(shallow), angle(deep));
        let sines = (from.sin_cos().0 + to.sin_cos().0).max(T::lit(1e-150));
        // Δθ and Δθ/c from tan Δθ/2 = (cos θ₁ − cos θ₀)/(sin θ₀ + sin θ₁).
        let (turn, per_cos) = if c.value() > 0.3 {
            (to - from, (to - from) / c)
        } else {
            let slope = length / (kr * sines);
            let x = c * slope;
            let ratio = if x.value() > 1e-4 { x.simd_atan() / x } else { one - x.squared() / T::lit(3.0) };
            (two * x * ratio, two * slope * ratio)
        };
        let lateral = self.axis.cross(&self.down);
        for (node, weight) in gauss::nodes16() {
            let theta = from + turn * T::lit(node);
            let (sin, cos) = theta.sin_cos();
            let share = if turn.value() > 1e-6 {
                let ends = (half * (theta + from)).sin_cos().0 / (half * (to + from)).sin_cos().0;
                ends * (half * (theta - from)).sin_cos().0 / (half * turn).sin_cos().0
            } else {
                T::lit(node)
            };
            let x = high - length * share;
            let dl = radius * sin * per_cos * T::lit(weight); // along the plane
            let dx = dl * self.sin;
            let cap = T::lit(2.0 / 3.0) * radius.squared() * radius * sin.squared() * sin;
            let slice = radius.squared() * segment(theta) * dx;
            sum.volume += slice;
            sum.first += self.axis * (slice * x) + self.down * (cap * dx);
            sum.moment += kr * radius.squared() * sunk_moment(theta) * dx;
            let chord = two * radius * sin * dl;
            let middle = self.axis * x + self.down * (radius * cos);
            sum.area += chord;
            sum.area_first += middle * chord;
            sum.area_second +=
                middle * middle.transpose() * chord + lateral * lateral.transpose() * (cap * dl);
        }
    }
}

/// What lies below the plane.
pub(crate) fn overlap<T: Scalar>(
    support: &Placed<T>,
    at: &Placed<T>,
    radius: T,
    half_length: T,
) -> Overlap<T> {
    let leaning = Leaning::new(support, at);
    let depth = half_length * leaning.cos + radius * leaning.sin - leaning.plane.height;
    let wet = if depth.value() > 0.0 { leaning.rod(radius, half_length) } else { Wet::dry() };
    Overlap::in_half_space(support, at, &wet.sunk(&leaning.plane, &at.origin(), depth))
}
