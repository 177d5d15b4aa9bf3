//! Two balls, without what never changes: a gap is seen without a root, and nothing passes through memory.

use crate::touch::{Ball, across, direction};
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

/// How two balls lie, whatever their motion. World axes.
#[derive(Debug, Clone, Copy)]
pub struct BallsLie<T> {
    /// Overlap, m.
    pub depth: T,
    /// From A into B.
    pub normal: Vector3<T>,
    /// One over the distance of the centres, zero where they coincide, 1/m.
    pub inverse: T,
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
    /// From each centre along the normal to the middle of the overlap, m.
    levers: [T; 2],
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

    /// How they lie, by the way from the centre of A to that of B.
    #[inline(always)]
    pub fn lie(&self, offset: &Vector3<T>) -> BallsLie<T> {
        let (normal, distance, inverse) = direction(offset, &Vector3::z());
        BallsLie { depth: self.radii[0] + self.radii[1] - distance, normal, inverse }
    }

    /// How they meet, by the velocity of B's centre over A's and the spins of both.
    ///
    /// ```text
    /// ℓ = r − δ/2      v = v_B − v_A + n × (ℓ_A ω_A + ℓ_B ω_B)
    /// ```
    #[inline(always)]
    pub fn move_by(&self, lie: &BallsLie<T>, velocity: &Vector3<T>, [a, b]: [&Vector3<T>; 2]) -> BallsMet<T> {
        let BallsLie { depth, normal, inverse } = *lie;
        let half = T::lit(0.5) * depth;
        let levers = [self.radii[0] - half, self.radii[1] - half];
        let linear = velocity + normal.cross(&(a * levers[0] + b * levers[1]));
        BallsMet {
            depth,
            rate: -velocity.dot(&normal),
            normal,
            normal_rate: across(velocity, &normal) * inverse,
            levers,
            relative: Twist { angular: b - a, linear },
        }
    }

    /// How they meet: the same as the patch says, without what cancels in the place of its point.
    #[inline(always)]
    pub fn meet(&self, [a, b]: [&Placed<T>; 2]) -> BallsMet<T> {
        let lie = self.lie(&(b.origin() - a.origin()));
        self.move_by(&lie, &(b.twist.linear - a.twist.linear), [&a.twist.angular, &b.twist.angular])
    }
}

impl<T: Real> BallsMet<T> {
    /// Wrenches on A and B about their centres, of a force on B in the middle of the overlap and a torque on B.
    #[inline(always)]
    pub fn wrenches(&self, force: Vector3<T>, torque: &Vector3<T>) -> [Wrench<T>; 2] {
        let turn = self.normal.cross(&force);
        let [a, b] = self.levers;
        [Wrench { torque: -(turn * a + torque), force: -force }, Wrench { torque: torque - turn * b, force }]
    }
}
