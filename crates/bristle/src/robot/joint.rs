//! Joints of a robot.

use super::error::Place;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, UnitVector3, Vector3};

/// A joint between two links. The joint frame on the parent and the joint frame on the child coincide when the joint
/// does not move.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Name; no two joints have the same.
    pub name: String,
    /// Which motion it allows.
    pub kind: JointKind,
    /// Index of the link that carries it.
    pub parent: usize,
    /// Index of the link that it carries.
    pub child: usize,
    /// Joint frame in the frame of the parent link.
    pub in_parent: Isometry3<f64>,
    /// Joint frame in the frame of the child link.
    pub in_child: Isometry3<f64>,
    /// Axis in the joint frame, of length 1; without meaning for fixed, spherical and floating joints.
    pub axis: Vector3<f64>,
    /// Least and greatest position, rad or m; of a spherical joint the angle of its turn. None: no limit.
    pub limits: Option<[f64; 2]>,
    /// Greatest speed, rad/s or m/s.
    pub velocity_limit: Option<f64>,
    /// Least and greatest torque (N m) or force (N) of all actuators of the joint together.
    pub effort_limits: Option<[f64; 2]>,
    /// Viscous damping, N m s/rad or N s/m, in each direction of motion.
    pub damping: f64,
    /// Dry friction torque (N m) or force (N).
    pub friction_loss: f64,
    /// Spring, N m/rad or N/m.
    pub stiffness: f64,
    /// Position at which the spring is slack, rad or m.
    pub spring_reference: f64,
    /// Inertia of the drive seen at the joint, kg m² or kg.
    pub armature: f64,
    /// Coordinates at which the robot stands as the file draws it; as many as [`JointKind::coordinates`]. Angles
    /// and lengths move the joint by their difference to these; quaternions (w, x, y, z) and the seven numbers of
    /// a floating joint (x, y, z, quaternion) are the motion itself.
    pub reference: Vec<f64>,
    /// Follows another joint.
    pub mimic: Option<Mimic>,
    /// Where it stands.
    pub place: Place,
}

/// A joint that follows another: position = multiplier · position of the other + offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mimic {
    /// Index of the joint that is followed.
    pub joint: usize,
    /// No unit.
    pub multiplier: f64,
    /// rad or m
    pub offset: f64,
}

/// Which motion a joint allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// None.
    Fixed,
    /// Turns about the axis.
    Revolute,
    /// Turns about the axis without limits.
    Continuous,
    /// Slides along the axis.
    Prismatic,
    /// Slides along the axis and turns about it: length, angle.
    Cylindrical,
    /// Slides across the axis and turns about it: two lengths, angle. The lengths are along the two directions that
    /// the shortest turn from z to the axis makes of x and y.
    Planar,
    /// Turns about a point: quaternion.
    Spherical,
    /// Turns about the axis, then about a second axis that turns with it: two angles.
    Universal {
        /// Second axis in the joint frame, of length 1.
        second: Vector3<f64>,
    },
    /// Moves freely: position and quaternion.
    Floating,
}

impl JointKind {
    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute => "revolute",
            Self::Continuous => "continuous",
            Self::Prismatic => "prismatic",
            Self::Cylindrical => "cylindrical",
            Self::Planar => "planar",
            Self::Spherical => "spherical",
            Self::Universal { .. } => "universal",
            Self::Floating => "floating",
        }
    }

    /// Numbers that say where it is.
    pub fn coordinates(&self) -> usize {
        match self {
            Self::Spherical => 4,
            Self::Floating => 7,
            other => other.freedoms(),
        }
    }

    /// Numbers that say how it moves.
    pub fn freedoms(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Continuous | Self::Prismatic => 1,
            Self::Cylindrical | Self::Universal { .. } => 2,
            Self::Planar | Self::Spherical => 3,
            Self::Floating => 6,
        }
    }

    /// Unit of the coordinate of a joint with one freedom.
    pub fn unit(&self) -> &'static str {
        if matches!(self, Self::Prismatic) { "m" } else { "rad" }
    }
}

impl Joint {
    /// A joint without limits and losses, its frames those of its links, drawn at zero.
    pub fn new(name: String, kind: JointKind, [parent, child]: [usize; 2], place: Place) -> Self {
        let reference = match kind {
            JointKind::Spherical => vec![1.0, 0.0, 0.0, 0.0],
            JointKind::Floating => vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
            other => vec![0.0; other.coordinates()],
        };
        Self {
            name,
            kind,
            parent,
            child,
            in_parent: Isometry3::identity(),
            in_child: Isometry3::identity(),
            axis: Vector3::z(),
            limits: None,
            velocity_limit: None,
            effort_limits: None,
            damping: 0.0,
            friction_loss: 0.0,
            stiffness: 0.0,
            spring_reference: 0.0,
            armature: 0.0,
            reference,
            mimic: None,
            place,
        }
    }

    /// Pose of the child link in the frame of the parent link at these coordinates; missing ones count as those of
    /// the [`reference`](Self::reference).
    pub fn child_in_parent(&self, q: &[f64]) -> Isometry3<f64> {
        self.in_parent * self.motion(q) * self.in_child.inverse()
    }

    fn motion(&self, q: &[f64]) -> Isometry3<f64> {
        let whole = |i: usize| q.get(i).or(self.reference.get(i)).copied().unwrap_or(0.0);
        let moved = |i: usize| whole(i) - self.reference.get(i).copied().unwrap_or(0.0);
        let turn = |axis: Vector3<f64>, angle| {
            UnitQuaternion::from_axis_angle(&UnitVector3::new_unchecked(axis), angle)
        };
        let shift = |by: Vector3<f64>| Translation3::from(by);
        let spin = |turn| Isometry3::from_parts(Translation3::identity(), turn);
        let quaternion = |i: usize| {
            let q = Quaternion::new(whole(i), whole(i + 1), whole(i + 2), whole(i + 3));
            UnitQuaternion::try_new(q, 1e-12).unwrap_or_default()
        };
        match self.kind {
            JointKind::Fixed => Isometry3::identity(),
            JointKind::Revolute | JointKind::Continuous => spin(turn(self.axis, moved(0))),
            JointKind::Prismatic => shift(self.axis * moved(0)).into(),
            JointKind::Cylindrical => {
                Isometry3::from_parts(shift(self.axis * moved(0)), turn(self.axis, moved(1)))
            }
            JointKind::Planar => {
                let plane = turn_of_z_to(&self.axis);
                let by = plane * Vector3::new(moved(0), moved(1), 0.0);
                Isometry3::from_parts(shift(by), turn(self.axis, moved(2)))
            }
            JointKind::Spherical => spin(quaternion(0)),
            JointKind::Universal { second } => spin(turn(self.axis, moved(0)) * turn(second, moved(1))),
            JointKind::Floating => {
                Isometry3::from_parts(Translation3::new(whole(0), whole(1), whole(2)), quaternion(3))
            }
        }
    }
}

/// The shortest turn of the z axis to a direction of length 1; a half turn is about x.
pub(crate) fn turn_of_z_to(direction: &Vector3<f64>) -> UnitQuaternion<f64> {
    let across = Vector3::z().cross(direction);
    let axis = UnitVector3::try_new(across, 1e-10).unwrap_or(Vector3::x_axis());
    UnitQuaternion::from_axis_angle(&axis, across.norm().atan2(direction.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;
    use std::sync::Arc;

    fn moved(kind: JointKind, axis: Vector3<f64>, q: &[f64]) -> Isometry3<f64> {
        let file: Arc<str> = "x".into();
        let joint = Joint { axis, ..Joint::new("j".into(), kind, [0, 1], Place::new(&file, 1)) };
        assert_eq!((joint.reference.len(), q.len()), (kind.coordinates(), kind.coordinates()));
        assert!(
            (joint.child_in_parent(&[]).to_homogeneous() - Isometry3::identity().to_homogeneous()).amax()
                < 1e-15
        );
        joint.child_in_parent(q)
    }

    #[test]
    fn every_kind_moves_as_it_says() {
        let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
        let close = |a: Vector3<f64>, b: Vector3<f64>| assert!((a - b).norm() < 1e-15, "{a} {b}");
        let of = |pose: Isometry3<f64>, p: Vector3<f64>| pose.rotation * p + pose.translation.vector;
        close(of(moved(JointKind::Fixed, z, &[]), x), x);
        close(of(moved(JointKind::Revolute, z, &[FRAC_PI_2]), x), y);
        close(of(moved(JointKind::Continuous, x, &[FRAC_PI_2]), y), z);
        close(of(moved(JointKind::Prismatic, y, &[2.0]), x), x + 2.0 * y);
        close(of(moved(JointKind::Cylindrical, z, &[2.0, FRAC_PI_2]), x), y + 2.0 * z);
        close(of(moved(JointKind::Planar, z, &[1.0, 2.0, FRAC_PI_2]), x), x + 3.0 * y);
        close(of(moved(JointKind::Planar, x, &[1.0, 2.0, 0.0]), x), x + 2.0 * y - z);
        let half = 0.5f64.sqrt();
        close(of(moved(JointKind::Spherical, z, &[half, 0.0, 0.0, half]), x), y);
        let universal = moved(JointKind::Universal { second: y }, x, &[FRAC_PI_2, FRAC_PI_2]);
        close(of(universal, x), y); // about y: x to -z; then about x: -z to y
        close(
            of(moved(JointKind::Floating, z, &[1.0, 2.0, 3.0, half, 0.0, 0.0, half]), x),
            Vector3::new(1.0, 3.0, 3.0),
        );
    }

    #[test]
    fn positions_count_from_the_reference_and_turns_are_about_the_joint() {
        let file: Arc<str> = "x".into();
        let mut joint = Joint::new("j".into(), JointKind::Revolute, [0, 1], Place::new(&file, 1));
        joint.reference = vec![0.5];
        joint.in_parent = Translation3::new(1.0, 0.0, 0.0).into();
        joint.in_child = Translation3::new(1.0, 0.0, 0.0).into();
        let child = joint.child_in_parent(&[0.5 + FRAC_PI_2]);
        assert!((child.translation.vector - Vector3::new(1.0, -1.0, 0.0)).norm() < 1e-15);
        assert!(joint.child_in_parent(&[0.5]).translation.vector.norm() < 1e-15);
    }

    #[test]
    fn z_turns_to_any_direction() {
        for d in [Vector3::z(), -Vector3::z(), Vector3::new(0.6, 0.0, -0.8), Vector3::new(0.0, 0.6, 0.8)] {
            assert!((turn_of_z_to(&d) * Vector3::z() - d).norm() < 1e-15);
        }
    }
}
