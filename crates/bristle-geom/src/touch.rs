//! What all pairs with a ball share: the ball seen from a support, and the patch it makes there.
//!
//! A support answers with its nearest point: outward normal n, distance d of the ball's centre, and how n
//! turns for an observer on the support. Then
//!
//! ```text
//! depth = r − d      rate = −u·n      ṅ = ω×n + turning      u = velocity of the centre seen from the support
//! ```
//!
//! The spin of the ball drops out, because ω×n has no part along n. Here A is the support and B the ball.

use crate::{Patch, Placed};
use bristle_math::lens::Lens;
use bristle_math::{Real, Vector3, select};

/// A ball, or a tip where the radius is zero.
#[derive(Clone, Copy)]
pub(crate) struct Ball<T> {
    pub center: Vector3<T>,
    pub velocity: Vector3<T>,
    pub radius: T,
}

/// Position and velocity of a ball's centre for an observer on a support, in world axes.
#[derive(Clone, Copy)]
pub(crate) struct Seen<T> {
    pub offset: Vector3<T>,
    pub velocity: Vector3<T>,
}

/// The nearest point of a support.
#[derive(Clone, Copy)]
pub(crate) struct Surface<T> {
    /// Outward, unit.
    pub normal: Vector3<T>,
    /// From the surface to the centre of the ball; negative inside.
    pub distance: T,
    /// Rate of the normal seen from the support.
    pub turning: Vector3<T>,
    /// Equivalent curvature of the support under the ball.
    pub curvature: T,
}

/// A contact before its patch is measured.
#[derive(Clone, Copy)]
pub(crate) struct Touch<T> {
    pub point: Vector3<T>,
    pub normal: Vector3<T>,
    pub normal_rate: Vector3<T>,
    pub depth: T,
    pub rate: T,
}

impl<T: Real> Ball<T> {
    /// A ball around the origin of a frame.
    #[inline]
    pub fn new(at: &Placed<T>, radius: T) -> Self {
        Self { center: at.origin(), velocity: at.twist.linear, radius }
    }

    /// A ball fixed to a frame, `offset` away from its origin.
    #[inline]
    pub fn fixed(at: &Placed<T>, offset: &Vector3<T>, radius: T) -> Self {
        Self { center: at.origin() + offset, velocity: at.velocity(offset), radius }
    }

    /// Position and velocity seen from a support.
    #[inline]
    pub fn seen_from(&self, support: &Placed<T>) -> Seen<T> {
        let offset = self.center - support.origin();
        Seen { offset, velocity: self.velocity - support.velocity(&offset) }
    }

    /// The contact at the ball's own deepest point.
    #[inline]
    pub fn deepest(&self, support: &Placed<T>, seen: &Seen<T>, on: &Surface<T>) -> Touch<T> {
        Touch {
            point: self.center - on.normal * self.radius,
            normal: on.normal,
            normal_rate: support.twist.angular.cross(&on.normal) + on.turning,
            depth: self.radius - on.distance,
            rate: -seen.velocity.dot(&on.normal),
        }
    }
}

impl<T: Real> Touch<T> {
    /// Acting in the middle of the overlap instead of the ball's deepest point.
    #[inline]
    pub fn in_the_middle(mut self) -> Self {
        self.point += self.normal * (T::lit(0.5) * self.depth);
        self
    }

    /// A contact without area.
    #[inline]
    pub fn tip(self, key: u32) -> Patch<T> {
        let Touch { point, normal, normal_rate, depth, rate } = self;
        Patch { key, point, normal, normal_rate, depth, rate, ..Patch::none() }
    }

    /// A round patch between a support and a ball of the given curvatures.
    #[inline]
    pub fn round(self, key: u32, support: T, ball: T) -> Patch<T> {
        Patch { lens: Lens { curvature_a: support, curvature_b: ball }, ..self.tip(key) }
    }
}

/// A direction, its length and the inverse of the length; where the length vanishes, the given direction and
/// zero for both.
#[inline]
pub(crate) fn direction<T: Real>(d: &Vector3<T>, or: &Vector3<T>) -> (Vector3<T>, T, T) {
    let (zero, one) = (T::lit(0.0), T::lit(1.0));
    let squared = d.dot(d);
    let is_long = squared.simd_gt(T::lit(1e-200));
    let length = select(is_long, squared, one).sqrt();
    let inverse = one / length;
    (choose(is_long, &(d * inverse), or), select(is_long, length, zero), select(is_long, inverse, zero))
}

/// `yes` where `mask` holds, `no` elsewhere.
#[inline]
pub(crate) fn choose<T: Real>(mask: T::SimdBool, yes: &Vector3<T>, no: &Vector3<T>) -> Vector3<T> {
    yes.zip_map(no, |y, n| select(mask, y, n))
}

/// The part of `v` across the unit vector `n`.
#[inline]
pub(crate) fn across<T: Real>(v: &Vector3<T>, n: &Vector3<T>) -> Vector3<T> {
    v - n * n.dot(v)
}

/// −1 for negative numbers, +1 otherwise.
#[inline]
pub(crate) fn sign<T: Real>(x: T) -> T {
    select(x.simd_lt(T::lit(0.0)), T::lit(-1.0), T::lit(1.0))
}

/// Curvature of the other side of a lens that agrees with a ball of curvature `c` on a cylinder of curvature
/// `k` in area and volume, as the depth goes to zero: √(c(c + k)) − c.
#[inline]
pub(crate) fn equivalent_curvature<T: Real>(c: T, k: T) -> T {
    c * k / ((c * (c + k)).sqrt() + c)
}
