//! The overlap of two endless cylinders whose axes cross at a distance: volume, projected area, moments.
//!
//! With A's axis at height 0 and B's at height d = R₁ + R₂ − χ, a slice at height z holds a strip of each,
//! p = √(R₁² − z²) and q = √(R₂² − (z − d)²) to either side. At right angles they share a rectangle 2p × 2q, so
//!
//! ```text
//! V = 4∫ p q dz        A = dV/dχ = 4∫ p (d − z)/q dz        M = ∫ V dχ = 2R₂² ∫ p σ(θ) dz
//! I_A = ∫ y² dA = 4∫ p q z dz        I_B = ∫ s² dA = 4∫ p q (d − z) dz        (y, s: distance from A's, B's axis)
//! cos θ = (d − z)/R₂        σ = θ − sin θ cos θ
//! ```
//!
//! At an angle α strips share a parallelogram: V, A and M grow by 1/sin α. The slices hold at any depth; area and
//! second moments are those of the projection while χ is at most the smaller radius. With z = c + w cos φ every
//! integrand is an analytic function of cos φ, for which the midpoint rule converges geometrically: sixteen points
//! reach rounding error up to that depth.
//!
//! Source: Roy & Carretero (2012), §2.1, with the stretch 1/sin α in place of the printed 1/cos α.

use crate::{Real, select};
use std::f64::consts::PI;

/// cos φ of the sixteen midpoints of (0, π), one of each pair ±.
const NODES: [f64; 8] = [
    0.995_184_726_672_196_9,
    0.956_940_335_732_208_8,
    0.881_921_264_348_355,
    0.773_010_453_362_737,
    0.634_393_284_163_645_5,
    0.471_396_736_825_997_8,
    0.290_284_677_254_462_4,
    0.098_017_140_329_560_7,
];

/// Two endless cylinders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossedCylinders<T> {
    /// Radius of A, m.
    pub radius_a: T,
    /// Radius of B, m.
    pub radius_b: T,
}

/// Their overlap at right angles; see the module for what an angle changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossedOverlap<T> {
    /// Volume, m³.
    pub volume: T,
    /// Projected area, m²: the derivative of the volume by the depth.
    pub area: T,
    /// ½∫δ² dA, m⁴: the integral of the volume over the depth.
    pub moment: T,
    /// ∫ y² dA, y the distance from A's axis, m⁴; also the volume times its centroid's height above A's axis.
    pub second_a: T,
    /// ∫ s² dA, s the distance from B's axis, m⁴; also the volume times its centroid's depth below B's axis.
    pub second_b: T,
}

/// The elliptical patch of Roy & Carretero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchEllipse<T> {
    /// Larger semi-axis, m.
    pub semi_major: T,
    /// Smaller semi-axis, m.
    pub semi_minor: T,
    /// Angle from A's axis to the larger semi-axis, towards B's axis, rad.
    pub direction: T,
    /// Half width across A's axis, m.
    pub across_a: T,
    /// Half width across B's axis, m.
    pub across_b: T,
}

/// θ − sin θ cos θ, the area of a segment of the unit circle of half angle θ; a series where the difference cancels.
#[inline]
pub fn segment<T: Real>(angle: T) -> T {
    let one = T::lit(1.0);
    let x = angle + angle;
    let square = x.squared();
    let mut series = one;
    for divisor in [342.0, 272.0, 210.0, 156.0, 110.0, 72.0, 42.0, 20.0] {
        series = one - square * series / T::lit(divisor);
    }
    let direct = x - x.sin_cos().0;
    T::lit(0.5) * select(x.simd_lt(one), square * x * series / T::lit(6.0), direct)
}

impl<T: Real> CrossedCylinders<T> {
    /// The overlap at a depth χ ≥ 0, m; nothing for a gap.
    pub fn overlap(&self, depth: T) -> CrossedOverlap<T> {
        let zero = T::lit(0.0);
        let is_touching = depth.simd_gt(zero);
        let depth = depth.max(T::lit(1e-100));
        let (r, s) = (self.radius_a, self.radius_b);
        let distance = r + s - depth;
        let high = r.min(distance + s);
        let low = (-r).max(distance - s);
        // Written from the ends, so that nothing cancels where the overlap is thin.
        let is_plain = (distance - s).simd_ge(-r) & (distance + s).simd_ge(r);
        let w = T::lit(0.5) * select(is_plain, depth, (high - low).positive());
        let (top_a, top_b) = (r - high, distance + s - high);
        let (bottom_a, bottom_b) = (low + r, low - (distance - s));
        let mut sum = [zero; 5];
        for node in NODES.into_iter().flat_map(|c| [c, -c]) {
            let (from_top, from_low) = (w * T::lit(1.0 - node), w * T::lit(1.0 + node));
            let z = high - from_top;
            let (b_low, b_high) = (bottom_b + from_low, top_b + from_top);
            let p = ((top_a + from_top) * (bottom_a + from_low)).sqrt();
            let q = (b_low * b_high).sqrt();
            let dz = w * T::lit((1.0 - node * node).sqrt());
            let angle = T::lit(2.0) * (b_low / b_high).sqrt().simd_atan();
            let slice = p * q * dz;
            sum[0] += slice;
            sum[1] += p * (distance - z) * dz / q;
            sum[2] += p * segment(angle) * dz;
            sum[3] += slice * z;
            sum[4] += slice * (distance - z);
        }
        let scale = T::lit(4.0 * PI / (2 * NODES.len()) as f64);
        let [volume, area, moment, second_a, second_b] = sum.map(|x| select(is_touching, x * scale, zero));
        let moment = T::lit(0.5) * s.squared() * moment;
        CrossedOverlap { volume, area, moment, second_a, second_b }
    }

    /// The ellipse that stands for the patch, for axes that cross at the angle `angle`, rad.
    pub fn ellipse(&self, depth: T, angle: T) -> PatchEllipse<T> {
        let (zero, two) = (T::lit(0.0), T::lit(2.0));
        let depth = depth.positive();
        let half_width = |r: T| (depth * (two * r - depth)).positive().sqrt();
        let (across_a, across_b) = (half_width(self.radius_a), half_width(self.radius_b));
        let (sin, cos) = angle.sin_cos();
        let (a, b) = (across_a.squared(), across_b.squared());
        // Axes of the ellipse r = (y f ± s e)/sin α: eigenvalues of (a ffᵀ + b eeᵀ)/sin²α, e = (1, 0), f = (cos α, sin α).
        let (xx, xy, yy) = (b + a * cos.squared(), a * cos * sin, a * sin.squared());
        let spread = ((xx - yy).squared() + T::lit(4.0) * xy.squared()).sqrt();
        let semi_major = (T::lit(0.5) * (xx + yy + spread)).sqrt() / sin;
        let is_flat = semi_major.simd_gt(zero);
        let semi_minor =
            select(is_flat, across_a * across_b / (sin * select(is_flat, semi_major, two)), zero);
        let direction = T::lit(0.5) * (two * xy).simd_atan2(xx - yy);
        PatchEllipse { semi_major, semi_minor, direction, across_a, across_b }
    }
}

impl<T: Real> PatchEllipse<T> {
    /// Area, m².
    pub fn area(&self) -> T {
        T::lit(PI) * self.semi_major * self.semi_minor
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;
    use nalgebra::{Const, U1};

    fn slope(y: Dual<1>) -> f64 {
        y.eps.unwrap_generic(Const::<1>, U1)[0]
    }

    #[test]
    fn equal_cylinders_on_one_axis_height_share_the_bicylinder() {
        let whole = CrossedCylinders { radius_a: 0.3, radius_b: 0.3 }.overlap(0.6);
        // Both ends of a slice coincide only here, where the rule converges with the fourth power of its points.
        assert!((whole.volume / (16.0 / 3.0 * 0.3f64.powi(3)) - 1.0).abs() < 16f64.powi(-3));
    }

    #[test]
    fn area_is_the_slope_of_volume_and_volume_that_of_moment() {
        for (a, b) in [(1.0, 1.0), (1.0, 0.5), (0.02, 0.05)] {
            for share in [1e-6, 1e-3, 0.1, 0.5, 1.0] {
                let depth = share * f64::min(a, b);
                let at = CrossedCylinders { radius_a: a, radius_b: b }.overlap(depth);
                let dual = CrossedCylinders { radius_a: Dual::lit(a), radius_b: Dual::lit(b) };
                let moved = dual.overlap(Dual::<1>::from_re(depth).derivative(0));
                assert!((slope(moved.volume) / at.area - 1.0).abs() < 1e-9, "{a} {b} {depth}");
                assert!((slope(moved.moment) / at.volume - 1.0).abs() < 1e-9, "{a} {b} {depth}");
            }
        }
    }

    #[test]
    fn exchanging_the_cylinders_changes_nothing() {
        let (here, there) = (
            CrossedCylinders { radius_a: 1.0, radius_b: 0.4 }.overlap(0.2),
            CrossedCylinders { radius_a: 0.4, radius_b: 1.0 }.overlap(0.2),
        );
        assert!((here.volume / there.volume - 1.0).abs() < 1e-14);
        assert!((here.area / there.area - 1.0).abs() < 1e-14);
        assert!((here.moment / there.moment - 1.0).abs() < 1e-13);
        assert!((here.second_a / there.second_b - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_thin_overlap_has_the_leading_terms() {
        let (r, s, depth) = (0.7, 0.2, 1e-9);
        let thin = CrossedCylinders { radius_a: r, radius_b: s }.overlap(depth);
        let root = (r * s).sqrt();
        assert!((thin.volume / (PI * root * depth * depth) - 1.0).abs() < 1e-8);
        assert!((thin.area / (2.0 * PI * root * depth) - 1.0).abs() < 1e-8);
        assert!((thin.moment / (PI * root * depth.powi(3) / 3.0) - 1.0).abs() < 1e-8);
        assert_eq!(CrossedCylinders { radius_a: r, radius_b: s }.overlap(-0.1).volume, 0.0);
    }

    #[test]
    fn a_segment_is_smooth_through_its_series() {
        for angle in [0.4999999, 0.5000001, 1e-4, 2.0] {
            let direct: f64 = angle - f64::sin(angle) * f64::cos(angle);
            assert!((segment(angle) - direct).abs() < 3e-16, "{angle}");
        }
        assert!((segment(1e-6) / (2.0 / 3.0 * 1e-18) - 1.0).abs() < 1e-11);
    }
}
