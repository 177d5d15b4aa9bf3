//! What a robot is as a whole.

use super::{Inertial, JointKind, Robot};
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

    /// The link that carries each link rigidly; the root and what moves carry themselves.
    pub fn carriers(&self) -> Vec<usize> {
        let mut carrier: Vec<usize> = (0..self.links.len()).collect();
        for joint in self.joints.iter().filter(|j| j.kind == JointKind::Fixed) {
            carrier[joint.child] = carrier[joint.parent];
        }
        carrier
    }

    /// Mass, centre of mass and inertia of every link with all that is fixed to it, in its own frame; nothing for links that
    /// are fixed to another.
    pub fn rigid_inertials(&self) -> Vec<Inertial> {
        let (carrier, poses) = (self.carriers(), self.link_poses(&[]));
        let whole = |link: usize| {
            let own = (0..self.links.len()).filter(|i| carrier[*i] == link);
            let to_link = poses[link].inverse();
            let parts: Vec<Inertial> =
                own.map(|i| self.links[i].inertial.seen_from(&(to_link * poses[i]))).collect();
            // one link by itself stays as it is, to the last digit
            if parts.len() == 1 { self.links[link].inertial } else { Inertial::sum(&parts) }
        };
        (0..self.links.len()).map(|i| if carrier[i] == i { whole(i) } else { Inertial::zero() }).collect()
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
