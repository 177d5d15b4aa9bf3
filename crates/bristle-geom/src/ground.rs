//! A ball over a half-space that stands still: what a right-hand side repeats most, without what never changes.

use crate::{Patch, Placed};
use bristle_math::lens::Lens;
use bristle_math::spatial::{Twist, Wrench};
use bristle_math::{Real, Vector3};

/// The half-space, and the size of the ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground<T> {
    /// Outward normal of the half-space.
    up: Vector3<T>,
    /// Where along it the centre of a ball lies that just touches, m.
    reach: T,
    radius: T,
    /// 1 if the ball is B, −1 if it is A.
    sign: T,
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
            sign: T::lit(if is_ball_first { -1.0 } else { 1.0 }),
            normal: if is_ball_first { -up } else { up },
            lens: Lens { curvature_a, curvature_b },
            is_ball_first,
        }
    }

    /// The same on another scalar.
    pub fn map<U: Real>(&self, mut f: impl FnMut(T) -> U) -> Ground<U> {
        Ground {
            up: self.up.map(&mut f),
            reach: f(self.reach),
            radius: f(self.radius),
            sign: f(self.sign),
            normal: self.normal.map(&mut f),
            lens: Lens { curvature_a: f(self.lens.curvature_a), curvature_b: f(self.lens.curvature_b) },
            is_ball_first: self.is_ball_first,
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
        let (depth, rate) = self.depth(ball);
        Patch { point: self.lowest(ball), normal: self.normal, depth, rate, lens: self.lens, ..Patch::none() }
    }

    /// Depth and its rate.
    #[inline(always)]
    pub fn depth(&self, ball: &Placed<T>) -> (T, T) {
        let (center, up) = (ball.origin(), &self.up);
        // summed from both ends: half the wait of a dot product
        let depth = (self.reach - up.x * center.x) - (up.y * center.y + up.z * center.z);
        (depth, -up.dot(&ball.twist.linear))
    }

    #[inline(always)]
    fn lowest(&self, ball: &Placed<T>) -> Vector3<T> {
        ball.origin() - self.up * self.radius
    }

    /// Motion of B over A at the lowest point of the ball.
    #[inline(always)]
    pub fn relative(&self, ball: &Placed<T>) -> Twist<T> {
        ball.twist_at(&self.lowest(ball)) * self.sign
    }

    /// Wrench on the ball about its centre of a force on B at its lowest point and a torque on B.
    #[inline(always)]
    pub fn wrench(&self, ball: &Placed<T>, force: Vector3<T>, torque: &Vector3<T>) -> Wrench<T> {
        let mut wrench = Wrench::from_force(force, &(self.lowest(ball) - ball.origin()));
        wrench.torque += torque;
        wrench * self.sign
    }

    /// The normal from A into B.
    #[inline(always)]
    pub fn normal(&self) -> &Vector3<T> {
        &self.normal
    }

    /// The curvatures of A and B.
    #[inline(always)]
    pub fn lens(&self) -> Lens<T> {
        self.lens
    }
}
