//! One patch of contact.

use bristle_math::lens::Lens;
use bristle_math::{Real, Vector3, select};
use nalgebra::SimdBool;

/// Depth at which a ball is swallowed, in radii: two, less what keeps the lens of equal balls finite.
const SWALLOWED: f64 = 2.0 * (1.0 - 1e-9);

/// Where and how two shapes A and B touch. All fields are in world axes.
///
/// Depth, rate, normal and normal rate are exact for every pair. Area, volume and moment are exact for a ball
/// on a half-space and for two balls. Against a surface with two different curvatures κ₁, κ₂ (cylinder, tube,
/// straight part of a capsule) they are those of a lens whose area and volume agree with the true ones as the
/// depth goes to zero:
///
/// ```text
/// c_eff² = (c + κ₁)(c + κ₂)       curvature of the other side = c_eff − c        c = 1/R of the ball
/// ```
///
/// Two crossed capsules count with the mean curvature of each (1/2R), because the product vanishes where
/// they are parallel. Flat caps, rims, edges and corners count as flat, so that depth and volume stay
/// continuous where a ball rolls over an edge of a box. Tips and the corners of a box are points: no area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch<T> {
    /// Names the feature (corner, end of a capsule …): the identity of the patch over time.
    pub key: u32,
    /// Where the force acts, m.
    pub point: Vector3<T>,
    /// Unit normal from A into B.
    pub normal: Vector3<T>,
    /// Rate of the normal by the motion of both bodies, 1/s.
    pub normal_rate: Vector3<T>,
    /// Overlap, m; negative for a gap.
    pub depth: T,
    /// Rate of the overlap, m/s: −(v_B − v_A)·normal at the point.
    pub rate: T,
    /// Curvatures of A's and B's side; both zero where there is no round patch.
    pub lens: Lens<T>,
    /// Projected area, m²; zero for a gap.
    pub area: T,
    /// Interference volume, m³; zero for a gap.
    pub volume: T,
    /// Its rate, m³/s.
    pub volume_rate: T,
    /// ½∫δ² dA over the patch, m⁴; zero for a gap.
    pub volume_moment: T,
}

impl<T: Real> Patch<T> {
    /// No contact: to size buffers with.
    #[inline]
    pub fn none() -> Self {
        let zero = T::lit(0.0);
        Self {
            key: 0,
            point: Vector3::zeros(),
            normal: Vector3::zeros(),
            normal_rate: Vector3::zeros(),
            depth: zero,
            rate: zero,
            lens: Lens { curvature_a: zero, curvature_b: zero },
            area: zero,
            volume: zero,
            volume_rate: zero,
            volume_moment: zero,
        }
    }

    /// The patch with area, volume and moment if it is round, from its depth and the curvatures of its sides. A patch without
    /// curvature has none.
    #[inline(never)]
    #[must_use]
    pub fn measured(mut self) -> Self {
        let zero = T::lit(0.0);
        // The more curved side first: a flat one then has a closed form for the moment.
        let curved = self.lens.curvature_a.max(self.lens.curvature_b);
        let other = self.lens.curvature_a.min(self.lens.curvature_b);
        let is_round = self.depth.simd_gt(zero) & curved.simd_gt(zero);
        // Not a branch in the result, only in the work: most candidates are gaps and measure nothing.
        if is_round.none() {
            return self;
        }
        let curved = select(is_round, curved, T::lit(1.0));
        let lens = Lens { curvature_a: curved, curvature_b: other };
        // At this depth the smaller side is swallowed: the volume stays, the lens would be 0/0.
        let whole = T::lit(SWALLOWED) / curved;
        let is_lens = self.depth.simd_lt(whole);
        let depth = self.depth.positive().min(whole);
        let volume = lens.volume(depth);
        let moment = lens.moment(depth) + volume * (self.depth - depth).positive();
        self.area = select(is_round & is_lens, lens.area(depth), zero);
        self.volume = select(is_round, volume, zero);
        self.volume_rate = self.area * self.rate;
        self.volume_moment = select(is_round, moment, zero);
        self
    }

    /// The same contact with the names of the bodies exchanged.
    #[inline(always)]
    pub fn seen_from_b(&self) -> Self {
        Self {
            normal: -self.normal,
            normal_rate: -self.normal_rate,
            lens: Lens { curvature_a: self.lens.curvature_b, curvature_b: self.lens.curvature_a },
            ..*self
        }
    }
}
