//! What a robot is as a whole.

use super::{Inertial, Robot};
use nalgebra::{Isometry3, Vector3};

/// Sums over a robot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Totals {
    /// kg
    pub mass: f64,
    /// Centre of mass in the frame of the root link, the robot as the file draws it, m.
    pub center: Vector3<f64>,
    /// Degrees of freedom of all joints; joints that follow others count.
    pub freedoms: usize,
    /// Coordinates of all joints.
    pub coordinates: usize,
    /// Joints that move.
    pub moving_joints: usize,
}

impl Robot {
    /// Mass, centre of mass and degrees of freedom.
    pub fn totals(&self) -> Totals {
        let poses = self.link_poses(&[]);
        let seen: Vec<Inertial> =
            self.links.iter().zip(&poses).map(|(link, pose)| link.inertial.seen_from(pose)).collect();
        let whole = Inertial::sum(&seen);
        Totals {
            mass: whole.mass,
            center: whole.center,
            freedoms: self.joints.iter().map(|j| j.kind.freedoms()).sum(),
            coordinates: self.joints.iter().map(|j| j.kind.coordinates()).sum(),
            moving_joints: self.joints.iter().filter(|j| j.kind.freedoms() > 0).count(),
        }
    }

    /// Pose of every link in the frame of the root link; `q` holds the coordinates of all joints, missing ones are
    /// those of the pose that the file draws.
    pub fn link_poses(&self, q: &[f64]) -> Vec<Isometry3<f64>> {
        let mut poses = vec![Isometry3::identity(); self.links.len()];
        let mut first = 0;
        for joint in &self.joints {
            let next = first + joint.kind.coordinates();
            let own = q.get(first..next).unwrap_or_default();
            poses[joint.child] = poses[joint.parent] * joint.child_in_parent(own);
            first = next;
        }
        poses
    }
}
