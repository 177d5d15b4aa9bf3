//! A ball over a half-space that stands still: what a right-hand side repeats most, without what never changes.

use crate::{Patch, Placed};
use bristle_math::lens::Lens;
use bristle_math::{Real, Vector3};

/// The half-space, and the size of the ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground<T> {
    /// Outward normal of the half-space.
    up: Vector3<T>,
    /// Where along it the centre of a ball lies that just touches, m.
    reach: T,
    radius: T,
    /// The normal from A into B, whichever of them is the ball.
    normal: Vector3<T>,
    lens: Lens<T>,
    /// Whether the ball is A.
    is_ball_first: bool,
}

impl<T: Real> Ground<T> {
    pub(crate) fn new(support: &Placed<T>, radius: T, is_ball_first: bool) -> Self {
        let up = support.axis_z();
        let (flat, round) = (T::lit(0.0), T::lit(1.0) / radius);
        let (curvature_a, curvature_b) = if is_ball_first { (round, flat) } else { (flat, round) };
        Self {
            up,
            reach: up.dot(&support.origin()) + radius,
            radius,
            normal: if is_ball_first { -up } else { up },
            lens: Lens { curvature_a, curvature_b },
            is_ball_first,
        }
    }

    /// Which of A's and B's belongs to the ball.
    #[inline(always)]
    pub fn ball<U>(&self, [a, b]: [U; 2]) -> U {
        if self.is_ball_first { a } else { b }
    }

    /// The patch, as [`crate::Pair::touches`] writes it.
    #[inline(always)]
    pub fn touch(&self, ball: &Placed<T>) -> Patch<T> {
        let center = ball.origin();
        let up = &self.up;
        Patch {
            point: center - up * self.radius,
            normal: self.normal,
            // summed from both ends: half the wait of a dot product
            depth: (self.reach - up.x * center.x) - (up.y * center.y + up.z * center.z),
            rate: -up.dot(&ball.twist.linear),
            lens: self.lens,
            ..Patch::none()
        }
    }
}
