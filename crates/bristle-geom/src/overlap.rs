//! The interference of two shapes as one patch: what laws on volume act on.
//!
//! With v the velocity of B over A at [`Patch::point`] and ω its angular velocity over A,
//!
//! ```text
//! dV/dt = area · rate + volume_turn · ω          rate = −v·normal
//! dM/dt = −push · v − push_turn · ω              M = volume_moment = ½∫δ² dA
//! ```
//!
//! so a bed of springs of stiffness k per volume stores k M and acts on B with the force k `push` at the point and
//! the torque k `push_turn` about it, and takes no energy from nowhere. On a plane, push = V n and push_turn = 0:
//! the point is the centroid of the displaced volume. A bed of dampers sees the rate δ̇ = rate + r·(ω×n), r from the
//! point; [`Overlap::bed_rates`] sums it.

use crate::{Patch, Placed};
use bristle_math::{Matrix3, Real, Vector3, select};

/// The overlap of two shapes. World axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap<T> {
    /// Centroid of the volume as the point, effective normal, greatest depth, rate at the point, area, volume, its
    /// rate and ½∫δ² dA. The depth is at least the true one and is zero or less where the shapes are apart.
    pub patch: Patch<T>,
    /// Centroid of the projected patch, m.
    pub area_center: Vector3<T>,
    /// ∫ r rᵀ dA about `area_center`, across the normal, m⁴. Its trace is the polar moment.
    pub second: Matrix3<T>,
    /// Change of the volume with the relative turning, m³.
    pub volume_turn: Vector3<T>,
    /// Force on B per stiffness of the bed, m³.
    pub push: Vector3<T>,
    /// Torque on B about the point per stiffness of the bed, m⁴.
    pub push_turn: Vector3<T>,
}

/// Sums of a bed of dampers over the patch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BedRates<T> {
    /// ∫ δ̇ dA, m³/s.
    pub volume: T,
    /// ∫ n δ̇ dA: force on B per damping, m³/s.
    pub force: Vector3<T>,
    /// ∫ r × n δ̇ dA, r from the point: torque on B about the point per damping, m⁴/s.
    pub torque: Vector3<T>,
    /// ∫ δ̇² dA, m⁴/s²: power lost per damping.
    pub square: T,
    /// Force on B per pressure that is the same all over the patch, m²: `volume` is −`even`·v − `even_turn`·ω.
    pub even: Vector3<T>,
    /// Torque on B about the point per such pressure, m³.
    pub even_turn: Vector3<T>,
}

impl<T: Real> BedRates<T> {
    /// A bed at rest.
    pub fn none() -> Self {
        let zero = T::lit(0.0);
        let none = Vector3::zeros();
        Self { volume: zero, force: none, torque: none, square: zero, even: none, even_turn: none }
    }
}

/// What lies below a plane, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sunk<T> {
    pub depth: T,
    pub volume: T,
    pub center: Vector3<T>,
    pub moment: T,
    pub area: T,
    pub area_center: Vector3<T>,
    pub second: Matrix3<T>,
}

impl<T: Real> Overlap<T> {
    /// Nothing: to size buffers with.
    pub fn none() -> Self {
        let zero = Vector3::zeros();
        Self {
            patch: Patch::none(),
            area_center: zero,
            second: Matrix3::zeros(),
            volume_turn: zero,
            push: zero,
            push_turn: zero,
        }
    }

    /// Shapes that do not overlap.
    pub(crate) fn apart(patch: Patch<T>) -> Self {
        Self { area_center: patch.point, patch, ..Self::none() }
    }

    /// A body B in a half-space A.
    pub(crate) fn in_half_space(support: &Placed<T>, body: &Placed<T>, sunk: &Sunk<T>) -> Self {
        let normal = support.axis_z();
        let velocity = |p: &Vector3<T>| body.twist_at(p).linear - support.twist_at(p).linear;
        let arm = sunk.area_center - sunk.center;
        let (rate, area) = (-velocity(&sunk.center).dot(&normal), sunk.area);
        let patch = Patch {
            point: sunk.center,
            normal,
            normal_rate: support.twist.angular.cross(&normal),
            depth: sunk.depth,
            rate,
            area,
            volume: sunk.volume,
            volume_rate: -velocity(&sunk.area_center).dot(&normal) * area,
            volume_moment: sunk.moment,
            ..Patch::none()
        };
        Self {
            patch,
            area_center: sunk.area_center,
            second: sunk.second,
            volume_turn: normal.cross(&arm) * area,
            push: normal * sunk.volume,
            push_turn: Vector3::zeros(),
        }
    }

    /// Two surfaces of revolution about the normal, e.g. balls: `patch` measured, round, with its centroid as the point.
    pub(crate) fn round(patch: Patch<T>) -> Self {
        let n = patch.normal;
        let quarter = patch.area.squared() * T::lit(0.25 / std::f64::consts::PI);
        Self {
            area_center: patch.point,
            second: (Matrix3::identity() - n * n.transpose()) * quarter,
            volume_turn: Vector3::zeros(),
            push: n * patch.volume,
            push_turn: Vector3::zeros(),
            patch,
        }
    }

    /// Sums of a bed of dampers, for the angular velocity `spin` of B over A, rad/s.
    pub fn bed_rates(&self, spin: &Vector3<T>) -> BedRates<T> {
        let (n, area) = (self.patch.normal, self.patch.area);
        let arm = self.area_center - self.patch.point;
        let slope = spin.cross(&n);
        let middle = self.patch.rate + arm.dot(&slope);
        let spread = self.second * slope;
        BedRates {
            volume: area * middle,
            force: n * (area * middle),
            torque: (arm * (area * middle) + spread).cross(&n),
            square: area * middle.squared() + slope.dot(&spread),
            even: n * area,
            even_turn: arm.cross(&n) * area,
        }
    }

    /// Lever of friction about the normal, ∫p r dA over the load, m, for a pressure that follows the overlap.
    ///
    /// From the polar moment J of the patch and how full it is, φ = V/(A δ): 4√2/(3(3 − φ)) √(J/A). That is exact for a disc
    /// and a pressure that falls from its centre as 1 − ρˢ: a flat face (φ = 1), a ball (½), a cone (⅓).
    pub fn lever(&self) -> T {
        let (zero, one) = (T::lit(0.0), T::lit(1.0));
        let is_open = self.patch.area.simd_gt(zero) & self.patch.depth.simd_gt(zero);
        let area = select(is_open, self.patch.area, one);
        let depth = select(is_open, self.patch.depth, one);
        let full = (self.patch.volume / (area * depth)).min(one);
        let polar = (self.second.trace() / area).positive();
        let share = T::lit(4.0 * std::f64::consts::SQRT_2 / 3.0) / (T::lit(3.0) - full);
        let radius = select(polar.simd_gt(zero), polar, one).sqrt();
        select(is_open & polar.simd_gt(zero), share * radius, zero)
    }

    /// The rate at which a bed of springs is pressed, m/s: dM/dt over the volume. That of the point where the support is
    /// flat.
    pub fn press_rate(&self, velocity: &Vector3<T>, spin: &Vector3<T>) -> T {
        let zero = T::lit(0.0);
        let is_open = self.patch.volume.simd_gt(zero);
        let pressed = -(self.push.dot(velocity) + self.push_turn.dot(spin));
        select(is_open, pressed / select(is_open, self.patch.volume, T::lit(1.0)), self.patch.rate)
    }

    /// The same overlap with the names of the bodies exchanged.
    #[must_use]
    pub fn seen_from_b(&self) -> Self {
        Self {
            patch: self.patch.seen_from_b(),
            volume_turn: -self.volume_turn,
            push: -self.push,
            push_turn: -self.push_turn,
            ..*self
        }
    }
}
