//! Two balls, without what never changes: a gap is seen without a root, and nothing passes through memory.

use crate::touch::Ball;
use crate::{Patch, Placed, pairs::sphere_sphere};
use bristle_math::lens::Lens;
use bristle_math::spatial::{Twist, Wrench};
use bristle_math::{Real, Vector3};

/// The sizes of two balls around the origins of their frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Balls<T> {
    radii: [T; 2],
    reach_square: T,
    lens: Lens<T>,
}

/// Two balls at one instant. World axes.
#[derive(Debug, Clone, Copy)]
pub struct BallsMet<T> {
    /// Overlap, m.
    pub depth: T,
    /// Its rate, m/s.
    pub rate: T,
    /// From A into B.
    pub normal: Vector3<T>,
    /// Its rate, 1/s.
    pub normal_rate: Vector3<T>,
    /// From each centre to the middle of the overlap, m.
    arms: [Vector3<T>; 2],
    /// Motion of B over A there.
    pub relative: Twist<T>,
}

impl<T: Real> Balls<T> {
    pub(crate) fn new(a: T, b: T) -> Self {
        let one = T::lit(1.0);
        let lens = Lens { curvature_a: one / a, curvature_b: one / b };
        Self { radii: [a, b], reach_square: (a + b).squared(), lens }
    }

    /// The same balls on another scalar.
    pub fn map<U: Real>(&self, mut f: impl FnMut(T) -> U) -> Balls<U> {
        Balls::new(f(self.radii[0]), f(self.radii[1]))
    }

    /// Distance of the centres of balls that just touch, m.
    pub fn reach(&self) -> T {
        self.radii[0] + self.radii[1]
    }

    /// Positive where there is a gap, m².
    #[inline(always)]
    pub fn gap_square(&self, [a, b]: [&Placed<T>; 2]) -> T {
        (b.origin() - a.origin()).norm_squared() - self.reach_square
    }

    /// The curvatures.
    #[inline(always)]
    pub fn lens(&self) -> Lens<T> {
        self.lens
    }

    /// The patch, as [`crate::Pair::touches`] writes it.
    #[inline(always)]
    pub fn touch(&self, [a, b]: [&Placed<T>; 2]) -> Patch<T> {
        sphere_sphere::spheres(&Ball::new(a, self.radii[0]), &Ball::new(b, self.radii[1]))
    }

    /// How they meet: the same numbers as those of the patch.
    #[inline(always)]
    pub fn meet(&self, at: [&Placed<T>; 2]) -> BallsMet<T> {
        let Patch { depth, rate, normal, normal_rate, point, .. } = self.touch(at);
        let arms = at.map(|ball| point - ball.origin());
        let relative = at[1].twist.at(&arms[1]) - at[0].twist.at(&arms[0]);
        BallsMet { depth, rate, normal, normal_rate, arms, relative }
    }
}

impl<T: Real> BallsMet<T> {
    /// Wrenches on A and B about their centres, of a force on B in the middle of the overlap and a torque on B.
    #[inline(always)]
    pub fn wrenches(&self, force: Vector3<T>, torque: &Vector3<T>) -> [Wrench<T>; 2] {
        let mut wrenches = self.arms.map(|arm| Wrench::from_force(force, &arm));
        wrenches.iter_mut().for_each(|wrench| wrench.torque += torque);
        [-wrenches[0], wrenches[1]]
    }
}
