//! Where a frame is and how it moves.

use crate::Real;
use crate::spatial::Twist;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

/// Position and orientation of a frame in the world.
pub type Pose<T> = Isometry3<T>;

/// A frame in the world and its motion.
#[derive(Debug, Clone, Copy)]
pub struct Placed<T> {
    /// The frame in the world.
    pub pose: Pose<T>,
    /// Its motion at the frame's origin, in world axes.
    pub twist: Twist<T>,
}

impl<T: Real> Placed<T> {
    /// A frame that does not move.
    pub fn at_rest(pose: Pose<T>) -> Self {
        Self { pose, twist: Twist::zero() }
    }

    /// Origin of the frame, m.
    #[inline]
    pub fn origin(&self) -> Vector3<T> {
        self.pose.translation.vector
    }

    /// Motion of the body at a point of the world.
    #[inline]
    pub fn twist_at(&self, point: &Vector3<T>) -> Twist<T> {
        self.twist.at(&(point - self.origin()))
    }

    /// A frame that is fixed to this one.
    #[inline]
    pub fn carrying(&self, pose: &Pose<T>) -> Self {
        let pose = self.pose * pose;
        Self { pose, twist: self.twist_at(&pose.translation.vector) }
    }

    /// The frame's z axis in the world.
    #[inline]
    pub fn axis_z(&self) -> Vector3<T> {
        axis_z(&self.pose.rotation)
    }

    /// The frame's x axis in the world.
    #[inline]
    pub fn axis_x(&self) -> Vector3<T> {
        let q = self.pose.rotation.quaternion().coords;
        let two = T::lit(2.0);
        Vector3::new(
            T::lit(1.0) - two * (q.y * q.y + q.z * q.z),
            two * (q.x * q.y + q.w * q.z),
            two * (q.x * q.z - q.w * q.y),
        )
    }

    /// Velocity of the point of the body that is `offset` away from the origin.
    #[inline]
    pub fn velocity(&self, offset: &Vector3<T>) -> Vector3<T> {
        self.twist.linear + self.twist.angular.cross(offset)
    }
}

/// Third column of the rotation matrix: cheaper than turning a vector.
#[inline]
pub fn axis_z<T: Real>(rotation: &UnitQuaternion<T>) -> Vector3<T> {
    let q = rotation.quaternion().coords;
    let two = T::lit(2.0);
    Vector3::new(
        two * (q.x * q.z + q.w * q.y),
        two * (q.y * q.z - q.w * q.x),
        T::lit(1.0) - two * (q.x * q.x + q.y * q.y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_the_columns_of_the_rotation() {
        let rotation = UnitQuaternion::from_euler_angles(0.3, -1.1, 2.0);
        let placed = Placed::at_rest(Pose::from_parts(nalgebra::Translation3::identity(), rotation));
        assert!((placed.axis_x() - rotation * Vector3::x()).norm() < 1e-15);
        assert!((placed.axis_z() - rotation * Vector3::z()).norm() < 1e-15);
    }
}
