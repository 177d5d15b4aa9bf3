//! What a link can do relative to its parent: one file per joint.
//!
//! A joint gives the pose of the link frame in the joint frame as a function of `q`, and the motion subspace S:
//! relative twist at the link origin, in the axes of the joint frame, per unit of each entry of `v`.
//!
//! ```text
//! joint      q                              v                                    q̇
//! fixed      –                              –                                    –
//! driven     –                              –                                    –
//! floating   [x, y, z, i, j, k, w]          [ωx, ωy, ωz, vx, vy, vz]             [v, ½ ω ⊗ quaternion]
//! prismatic  [distance]                     [rate]                               v
//! revolute   [angle]                        [rate]                               v
//! planar     [x, y, angle]                  [vx, vy, rate]                       v
//! slide      [the chosen of x, y, z]        [their rates]                        v
//! ```
//! All of these have S constant in the joint frame; the acceleration recursion relies on it.

pub(crate) mod floating;
mod planar;
mod prismatic;
mod revolute;
mod slide;

use crate::{Pose, Twist};
use bristle_math::Real;
use nalgebra::{Unit, Vector3};
pub use slide::SlideAxes;

pub(crate) use floating::{read_twist, write_twist};

/// How a link moves relative to its parent (the world, for roots).
#[derive(Debug, Clone)]
pub enum Joint<T> {
    /// Rigidly attached.
    Fixed,
    /// Pose, twist and acceleration are prescribed in the world from outside ([`crate::Driven`]), e.g. a moving
    /// plate. No degrees of freedom; roots only.
    Driven,
    /// Free in the joint frame. `q`: position of the link origin (m), then the quaternion in the order
    /// i, j, k, w. `v`: angular velocity (rad/s), then velocity of the link origin (m/s), **both in the axes of the
    /// joint frame** (world axes for a root with an unturned placement), not in those of the body.
    Floating,
    /// Slides along a line of the joint frame. `q`: distance, m.
    Prismatic {
        /// Direction of the line in the joint frame.
        axis: Unit<Vector3<T>>,
    },
    /// Turns about a line through the link origin. `q`: angle, rad.
    Revolute {
        /// Direction of the line in the joint frame.
        axis: Unit<Vector3<T>>,
    },
    /// Moves in the x-y plane of the joint frame and turns about its z axis. `q`: x, y (m), angle (rad).
    Planar,
    /// Moves along one, two or three axes of the joint frame without turning. `q`: one distance for each, m.
    Slide {
        /// Which axes are free.
        axes: SlideAxes,
    },
}

impl<T: Real> Joint<T> {
    /// Numbers in `q`.
    pub fn nq(&self) -> usize {
        match self {
            Self::Floating => 7,
            _ => self.nv(),
        }
    }

    /// Numbers in `v`: degrees of freedom.
    pub fn nv(&self) -> usize {
        match self {
            Self::Fixed | Self::Driven => 0,
            Self::Floating => 6,
            Self::Prismatic { .. } | Self::Revolute { .. } => 1,
            Self::Planar => 3,
            Self::Slide { axes } => axes.indices().len(),
        }
    }

    /// True when the link can turn relative to its parent.
    pub fn rotates(&self) -> bool {
        matches!(self, Self::Driven | Self::Floating | Self::Revolute { .. } | Self::Planar)
    }

    /// The identity configuration.
    pub(crate) fn neutral(&self, q: &mut [T]) {
        q.fill(T::lit(0.0));
        if let Self::Floating = self {
            q[6] = T::lit(1.0);
        }
    }

    /// Pose of the link frame in the joint frame.
    #[inline]
    pub(crate) fn pose(&self, q: &[T]) -> Pose<T> {
        match self {
            Self::Fixed | Self::Driven => Pose::identity(),
            Self::Floating => floating::pose(q),
            Self::Prismatic { axis } => prismatic::pose(axis, q[0]),
            Self::Revolute { axis } => revolute::pose(axis, q[0]),
            Self::Planar => planar::pose(q),
            Self::Slide { axes } => slide::pose(*axes, q),
        }
    }

    /// Column `k` of S, in the axes of the joint frame.
    #[inline]
    pub(crate) fn column(&self, k: usize) -> Twist<T> {
        match self {
            Self::Fixed | Self::Driven => Twist::zero(),
            Self::Floating => floating::column(k),
            Self::Prismatic { axis } => prismatic::column(axis),
            Self::Revolute { axis } => revolute::column(axis),
            Self::Planar => planar::column(k),
            Self::Slide { axes } => slide::column(*axes, k),
        }
    }

    /// `q̇ = N(q) v`.
    #[inline]
    pub(crate) fn rates(&self, q: &[T], v: &[T], qdot: &mut [T]) {
        match self {
            Self::Floating => floating::rates(q, v, qdot),
            _ => qdot.copy_from_slice(v),
        }
    }

    /// Makes quaternions unit again.
    pub(crate) fn normalise(&self, q: &mut [T]) {
        if let Self::Floating = self {
            floating::normalise(q);
        }
    }

    pub(crate) fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Joint<U> {
        let mut lift = |axis: &Unit<Vector3<T>>| Unit::new_unchecked(axis.map(&mut *f));
        match self {
            Self::Fixed => Joint::Fixed,
            Self::Driven => Joint::Driven,
            Self::Floating => Joint::Floating,
            Self::Prismatic { axis } => Joint::Prismatic { axis: lift(axis) },
            Self::Revolute { axis } => Joint::Revolute { axis: lift(axis) },
            Self::Planar => Joint::Planar,
            Self::Slide { axes } => Joint::Slide { axes: *axes },
        }
    }
}

/// A twist that only translates.
#[inline]
fn sliding<T: Real>(linear: Vector3<T>) -> Twist<T> {
    Twist { angular: Vector3::zeros(), linear }
}

/// A twist that only turns about the link origin.
#[inline]
fn turning<T: Real>(angular: Vector3<T>) -> Twist<T> {
    Twist { angular, linear: Vector3::zeros() }
}
