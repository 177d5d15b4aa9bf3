//! A capsule on a half-space: the two balls at its ends for laws on depth, the exact volume for the others.
//!
//! Key 0 is the end at +z of the capsule's frame, key 1 the end at −z. A capsule that lies flat rests on both, which
//! is what keeps it from rocking. Depth and rate of each end are exact; area and volume of these patches are those of
//! its ball, without the straight part between them.
//!
//! The volume is that of the straight part, as for a cylinder, and of the half balls at its ends. Across the axis a
//! half ball has circles too, r = R cos λ at x = R sin λ, cut at cos θ = H/kr. With H = R cos γ at its centre and
//! n·g = sin β along its own axis g,
//!
//! ```text
//! kr − H = R(cos(λ + β) − cos γ)      kr + H = R(cos(λ − β) + cos γ)
//! ```
//!
//! so the λ at which a circle begins or ceases to be cut are known; between them the integrands are analytic in
//! λ = middle − half cos φ. The section is a segment of the ball's own disc.

use super::cylinder_half_space::Leaning;
use super::sphere_half_space;
use crate::touch::{Ball, direction};
use crate::wet::{Plane, Wet};
use crate::{Overlap, Patch, Placed};
use bristle_math::crossed::segment;
use bristle_math::{Real, Scalar, Vector3, gauss};
use std::f64::consts::PI;

/// Both ends.
#[inline]
pub(crate) fn ends<T: Real>(support: &Placed<T>, at: &Placed<T>, radius: T, half_length: T) -> [Patch<T>; 2] {
    let to_end = at.axis_z() * half_length;
    let mut far = sphere_half_space::sphere(support, &Ball::fixed(at, &-to_end, radius));
    far.key = 1;
    [sphere_half_space::sphere(support, &Ball::fixed(at, &to_end, radius)), far]
}

/// A half ball on the end of a capsule, seen from the capsule's centre.
struct HalfBall<'p, T> {
    plane: &'p Plane<T>,
    center: Vector3<T>,
    /// Out of the capsule.
    axis: Vector3<T>,
    /// Across the axis, towards the plane.
    down: Vector3<T>,
    radius: T,
}

impl<T: Scalar> HalfBall<'_, T> {
    fn wet(&self) -> Wet<T> {
        let mut sum = Wet::dry();
        let (r, two) = (self.radius, T::lit(2.0));
        let depth = self.plane.depth(&self.center) + r;
        if depth.value() <= 0.0 {
            return sum;
        }
        let gamma = two * (depth.min(two * r) / (two * r - depth).max(T::lit(1e-300))).sqrt().simd_atan();
        let beta = self.axis.dot(&self.plane.normal).clamp(T::lit(-1.0), T::lit(1.0)).simd_asin();
        let (zero, right) = (T::lit(0.0), T::lit(PI / 2.0));
        let rest = T::lit(PI) - gamma;
        let mut ends = [zero, gamma - beta, -gamma - beta, beta + rest, beta - rest, right];
        for end in &mut ends {
            *end = end.clamp(zero, right);
        }
        ends.sort_by(|a, b| a.value().total_cmp(&b.value()));
        for pair in ends.windows(2) {
            if pair[1].value() > pair[0].value() {
                self.stretch(&mut sum, [pair[0], pair[1]], gamma, beta);
            }
        }
        self.section(&mut sum, depth);
        sum
    }

    /// Circles between two angles λ at which their kind may change.
    fn stretch(&self, sum: &mut Wet<T>, [from, to]: [T; 2], gamma: T, beta: T) {
        let (half, zero) = (T::lit(0.5), T::lit(0.0));
        let sin = |x: T| x.sin_cos().0;
        let k = beta.sin_cos().1;
        let (middle, width) = (half * (from + to), half * (to - from));
        for (node, weight) in gauss::nodes16() {
            let (sin_phi, cos_phi) = (PI * node).sin_cos();
            let lambda = middle - width * T::lit(cos_phi);
            let d_lambda = width * T::lit(PI * sin_phi * weight);
            let (s, c) = lambda.sin_cos();
            let (x, r) = (self.radius * s, self.radius * c);
            // (kr − H)/2R and (kr + H)/2R
            let above = sin(half * (gamma + lambda + beta)) * sin(half * (gamma - lambda - beta));
            let rest = T::lit(PI) - gamma;
            let below = sin(half * (rest + lambda - beta)) * sin(half * (rest - lambda + beta));
            let (is_cut, is_wet) = (above.value() > 0.0, below.value() <= 0.0);
            if !is_cut {
                continue;
            }
            let dx = r * d_lambda;
            let (area, lever, moment) = if is_wet {
                let height = self.plane.height + self.plane.normal.dot(&(self.center + self.axis * x));
                let disc = T::lit(PI) * r.squared();
                (disc, zero, -height * disc)
            } else {
                let theta = T::lit(2.0) * (above / below.max(T::lit(1e-300))).sqrt().simd_atan();
                let cube = r.squared() * r;
                let lever = T::lit(2.0 / 3.0) * cube * sin(theta).squared() * sin(theta);
                (
                    r.squared() * segment(theta),
                    lever,
                    k * cube * super::cylinder_half_space::sunk_moment(theta),
                )
            };
            let slice = area * dx;
            sum.volume += slice;
            sum.first += self.center * slice + self.axis * (slice * x) + self.down * (lever * dx);
            sum.moment += moment * dx;
        }
    }

    /// The part of the ball's disc in the plane that lies on the outer side.
    fn section(&self, sum: &mut Wet<T>, depth: T) {
        let (two, r, n) = (T::lit(2.0), self.radius, self.plane.normal);
        let square = depth * (two * r - depth);
        if square.value() <= 0.0 {
            return;
        }
        let (height, rho) = (r - depth, square.sqrt());
        let lean = self.axis.dot(&n);
        let (outward, k, _) = direction(&(self.axis - n * lean), &self.down);
        let share = (height * lean / (k.max(T::lit(1e-100)) * rho)).clamp(T::lit(-1.0), T::lit(1.0));
        let theta = share.simd_acos();
        let (sin, cos) = theta.sin_cos();
        let cube = sin.squared() * sin;
        let area = square * segment(theta);
        let first = T::lit(2.0 / 3.0) * rho * square * cube;
        let along = square.squared() / T::lit(4.0) * (segment(theta) + two * cube * cos);
        let across = square.squared() / T::lit(12.0) * (T::lit(3.0) * segment(theta) - two * cube * cos);
        let middle = self.center - n * height;
        let (u, v) = (outward, n.cross(&outward));
        sum.area += area;
        sum.area_first += middle * area + u * first;
        let mixed = middle * u.transpose() * first;
        sum.area_second += middle * middle.transpose() * area
            + mixed
            + mixed.transpose()
            + u * u.transpose() * along
            + v * v.transpose() * across;
    }
}

/// What lies below the plane.
pub(crate) fn overlap<T: Scalar>(
    support: &Placed<T>,
    at: &Placed<T>,
    radius: T,
    half_length: T,
) -> Overlap<T> {
    let Leaning { plane, axis, down, cos, .. } = Leaning::new(support, at);
    let depth = half_length * cos + radius - plane.height;
    let mut wet = Wet::dry();
    if depth.value() > 0.0 {
        wet = Leaning::new(support, at).rod(radius, half_length);
        for axis in [axis, -axis] {
            let center = axis * half_length;
            wet.add(&HalfBall { plane: &plane, center, axis, down, radius }.wet());
        }
    }
    Overlap::in_half_space(support, at, &wet.sunk(&plane, &at.origin(), depth))
}
