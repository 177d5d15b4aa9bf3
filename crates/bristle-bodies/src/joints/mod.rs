//! What a link can do relative to its parent: one file per joint.
//!
//! A joint gives the pose of the link frame in the joint frame as a function of `q`, and the motion subspace S:
//! relative twist at the link origin, in the axes of the joint frame, per unit of each entry of `v`.
//!
//! ```text
//! joint        q                              v                                    q̇
//! fixed        –                              –                                    –
//! driven       –                              –                                    –
//! floating     [x, y, z, i, j, k, w]          [ωx, ωy, ωz, vx, vy, vz]             [v, ½ ω ⊗ quaternion]
//! prismatic    [distance]                     [rate]                               v
//! revolute     [angle]                        [rate]                               v
//! cylindrical  [distance, angle]              [their rates]                        v
//! universal    [first angle, second angle]    [their rates]                        v
//! spherical    [i, j, k, w]                   [ωx, ωy, ωz]                         ½ ω ⊗ quaternion
//! planar       [x, y, angle]                  [vx, vy, rate]                       v
//! slide        [the chosen of x, y, z]        [their rates]                        v
//! ```
//! S is constant in the joint frame for all but the universal joint, which adds Ṡ v to the accelerations.

mod cylindrical;
pub(crate) mod floating;
mod planar;
mod prismatic;
pub(crate) mod revolute;
mod slide;
mod spherical;
mod universal;

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
    /// Turns about a line through the link origin, without limit (a joint that files call continuous; limits are
    /// forces that act from outside). `q`: angle, rad.
    Revolute {
        /// Direction of the line in the joint frame.
        axis: Unit<Vector3<T>>,
    },
    /// Slides along a line through the link origin and turns about it. `q`: distance (m), angle (rad).
    Cylindrical {
        /// Direction of the line in the joint frame.
        axis: Unit<Vector3<T>>,
    },
    /// Turns about a first axis, and about a second one that the first carries along, both through the link origin:
    /// a Cardan joint when they are at right angles. `q`: the two angles, rad.
    Universal {
        /// Directions in the joint frame when both angles are zero; not parallel.
        axes: [Unit<Vector3<T>>; 2],
    },
    /// Turns freely about the link origin. `q`: quaternion in the order i, j, k, w. `v`: angular velocity (rad/s) **in
    /// the axes of the joint frame**, as for [`Joint::Floating`].
    Spherical,
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
            Self::Spherical => 4,
            _ => self.nv(),
        }
    }

    /// Numbers in `v`: degrees of freedom.
    pub fn nv(&self) -> usize {
        match self {
            Self::Fixed | Self::Driven => 0,
            Self::Floating => 6,
            Self::Prismatic { .. } | Self::Revolute { .. } => 1,
            Self::Cylindrical { .. } | Self::Universal { .. } => 2,
            Self::Planar | Self::Spherical => 3,
            Self::Slide { axes } => axes.indices().len(),
        }
    }

    /// True when the link can turn relative to its parent.
    pub fn rotates(&self) -> bool {
        !matches!(self, Self::Fixed | Self::Prismatic { .. } | Self::Slide { .. })
    }

    /// Whether entry `k` of `q` is a distance, m (otherwise an angle or part of a quaternion).
    pub fn is_distance(&self, k: usize) -> bool {
        match self {
            Self::Floating => k < 3,
            _ => self.is_speed(k),
        }
    }

    /// Whether entry `k` of `v` is a speed, m/s (otherwise an angular velocity, rad/s).
    pub fn is_speed(&self, k: usize) -> bool {
        match self {
            Self::Floating => k >= 3,
            Self::Planar => k < 2,
            Self::Cylindrical { .. } => k == 0,
            Self::Prismatic { .. } | Self::Slide { .. } => true,
            Self::Fixed | Self::Driven | Self::Revolute { .. } | Self::Universal { .. } | Self::Spherical => {
                false
            }
        }
    }

    /// The identity configuration.
    pub(crate) fn neutral(&self, q: &mut [T]) {
        q.fill(T::lit(0.0));
        if let (Self::Floating | Self::Spherical, Some(real)) = (self, q.last_mut()) {
            *real = T::lit(1.0);
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
            Self::Cylindrical { axis } => cylindrical::pose(axis, q),
            Self::Universal { axes } => universal::pose(axes, q),
            Self::Spherical => spherical::pose(q),
            Self::Planar => planar::pose(q),
            Self::Slide { axes } => slide::pose(*axes, q),
        }
    }

    /// Column `k` of S at `q`, in the axes of the joint frame.
    #[inline]
    pub(crate) fn column(&self, k: usize, q: &[T]) -> Twist<T> {
        match self {
            Self::Fixed | Self::Driven => Twist::zero(),
            Self::Floating => floating::column(k),
            Self::Prismatic { axis } => prismatic::column(axis),
            Self::Revolute { axis } => revolute::column(axis),
            Self::Cylindrical { axis } => cylindrical::column(axis, k),
            Self::Universal { axes } => universal::column(axes, k, q),
            Self::Spherical => spherical::column(k),
            Self::Planar => planar::column(k),
            Self::Slide { axes } => slide::column(*axes, k),
        }
    }

    /// `q̇ = N(q) v`.
    #[inline]
    pub(crate) fn rates(&self, q: &[T], v: &[T], qdot: &mut [T]) {
        match self {
            Self::Floating => floating::rates(q, v, qdot),
            Self::Spherical => spherical::rates(q, v, qdot),
            _ => qdot.copy_from_slice(v),
        }
    }

    /// Makes quaternions unit again.
    pub(crate) fn normalise(&self, q: &mut [T]) {
        match self {
            Self::Floating => floating::normalise(q),
            Self::Spherical => spherical::normalise(q),
            _ => {}
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
            Self::Cylindrical { axis } => Joint::Cylindrical { axis: lift(axis) },
            Self::Universal { axes } => Joint::Universal { axes: [lift(&axes[0]), lift(&axes[1])] },
            Self::Spherical => Joint::Spherical,
            Self::Planar => Joint::Planar,
            Self::Slide { axes } => Joint::Slide { axes: *axes },
        }
    }
}

/// Ṡ v of a joint with these columns of S: only the universal joint has one.
#[inline]
pub(crate) fn bias<T: Real>(joint: &Joint<T>, columns: &[Twist<T>], v: &[T]) -> Vector3<T> {
    match joint {
        Joint::Universal { .. } => universal::bias(columns, v),
        _ => Vector3::zeros(),
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
