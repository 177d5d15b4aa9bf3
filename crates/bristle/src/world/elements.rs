//! Springs, dampers, applied forces and prescribed motions: what acts besides contact.

use crate::schedule::Schedule;
use bristle_bodies::{Driven, Kinematics, Pose};
use bristle_math::Vector3;
use bristle_math::spatial::{Twist, Wrench};
use nalgebra::{Unit, UnitQuaternion};
use std::f64::consts::TAU;

/// A prescribed motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Drive {
    /// Link it moves.
    pub link: usize,
    /// Pose at time zero, or at displacement zero.
    pub pose: Pose<f64>,
    /// What it does.
    pub motion: Motion,
}

/// How a driven body moves.
#[derive(Debug, Clone, PartialEq)]
pub enum Motion {
    /// By a displacement over time, m, at a fixed orientation.
    Path(Schedule),
    /// With constant angular velocity about a fixed line.
    Turn {
        /// Direction of the line.
        axis: Unit<Vector3<f64>>,
        /// A point of the line, m.
        about: Vector3<f64>,
        /// rad/s.
        rate: f64,
    },
}

impl Drive {
    /// Where the body is and how it moves.
    pub fn at(&self, t: f64) -> Driven<f64> {
        match &self.motion {
            Motion::Path(displacement) => {
                let [x, v, a] = displacement.at(t);
                let mut pose = self.pose;
                pose.translation.vector += x;
                let linear = |linear| Twist { angular: Vector3::zeros(), linear };
                Driven { pose, twist: linear(v), acceleration: linear(a) }
            }
            Motion::Turn { axis, about, rate } => {
                let turn = UnitQuaternion::from_axis_angle(axis, rate * t);
                let arm = turn * (self.pose.translation.vector - about);
                let pose = Pose::from_parts((about + arm).into(), turn * self.pose.rotation);
                let angular = axis.into_inner() * *rate;
                let linear = angular.cross(&arm);
                let acceleration = Twist { angular: Vector3::zeros(), linear: angular.cross(&linear) };
                Driven { pose, twist: Twist { angular, linear }, acceleration }
            }
        }
    }

    /// Times at which the motion has a kink, s.
    pub(crate) fn kinks(&self) -> Vec<f64> {
        match &self.motion {
            Motion::Path(displacement) => displacement.kinks(),
            Motion::Turn { .. } => Vec::new(),
        }
    }
}

/// Energy of an element and the power it takes and gives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Power {
    /// Stored, J.
    pub stored: f64,
    /// Dissipated, W.
    pub dissipated: f64,
    /// Delivered from outside, W.
    pub external: f64,
}

/// One end of a spring: a point on a link, or in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// Link; `None` for the world.
    pub link: Option<usize>,
    /// Point in the link frame (world frame for the world), m.
    pub point: Vector3<f64>,
}

impl End {
    /// Offset from the link origin, position and velocity in the world.
    fn at(&self, kin: &Kinematics<f64>) -> (Vector3<f64>, Vector3<f64>, Vector3<f64>) {
        match self.link {
            None => (self.point, self.point, Vector3::zeros()),
            Some(link) => {
                let pose = &kin.pose(link);
                let arm = pose.rotation * self.point;
                (arm, pose.translation.vector + arm, kin.twist(link).at(&arm).linear)
            }
        }
    }
}

/// A linear spring and damper between two points.
#[derive(Debug, Clone, PartialEq)]
pub struct Spring {
    /// Name in the scene.
    pub name: String,
    /// Both ends.
    pub ends: [End; 2],
    /// N/m.
    pub stiffness: f64,
    /// N s/m.
    pub damping: f64,
    /// m.
    pub rest_length: f64,
}

impl Spring {
    /// Adds its force to both links.
    pub fn act(&self, kin: &Kinematics<f64>, wrenches: &mut [Wrench<f64>]) -> Power {
        let (arm_a, p_a, v_a) = self.ends[0].at(kin);
        let (arm_b, p_b, v_b) = self.ends[1].at(kin);
        let span = p_b - p_a;
        let length = span.norm();
        // A spring of rest length zero has no direction when its ends meet, and needs none.
        let along = if length > 0.0 { span / length } else { Vector3::zeros() };
        let stretch = length - self.rest_length;
        let rate = (v_b - v_a).dot(&along);
        let pull = along * (self.stiffness * stretch + self.damping * rate);
        for (end, arm, force) in [(self.ends[0], arm_a, pull), (self.ends[1], arm_b, -pull)] {
            if let Some(link) = end.link {
                wrenches[link] += Wrench::from_force(force, &arm);
            }
        }
        Power {
            stored: 0.5 * self.stiffness * stretch * stretch,
            dissipated: self.damping * rate * rate,
            external: 0.0,
        }
    }
}

/// A pin that holds a point of one body to a point of another in all directions: closes loops of joints.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin {
    /// Name in the scene.
    pub name: String,
    /// Both points.
    pub ends: [End; 2],
    /// N/m.
    pub stiffness: f64,
    /// N s/m.
    pub damping: f64,
}

impl Pin {
    /// Adds its force to both links.
    pub fn act(&self, kin: &Kinematics<f64>, wrenches: &mut [Wrench<f64>]) -> Power {
        let (arm_a, p_a, v_a) = self.ends[0].at(kin);
        let (arm_b, p_b, v_b) = self.ends[1].at(kin);
        let (gap, rate) = (p_b - p_a, v_b - v_a);
        let pull = gap * self.stiffness + rate * self.damping;
        for (end, arm, force) in [(self.ends[0], arm_a, pull), (self.ends[1], arm_b, -pull)] {
            if let Some(link) = end.link {
                wrenches[link] += Wrench::from_force(force, &arm);
            }
        }
        Power {
            stored: 0.5 * self.stiffness * gap.norm_squared(),
            dissipated: self.damping * rate.norm_squared(),
            external: 0.0,
        }
    }
}

/// A torsional spring and damper about an axis fixed in the first body (or the world).
#[derive(Debug, Clone, PartialEq)]
pub struct TorsionSpring {
    /// Name in the scene.
    pub name: String,
    /// Links; `None` for the world.
    pub links: [Option<usize>; 2],
    /// Axis in the first frame, unit.
    pub axis: Vector3<f64>,
    /// N m/rad.
    pub stiffness: f64,
    /// N m s/rad.
    pub damping: f64,
    /// rad.
    pub rest_angle: f64,
}

impl TorsionSpring {
    /// Adds its torque to both links. The angle is that of the relative rotation's twist about the axis.
    pub fn act(&self, kin: &Kinematics<f64>, wrenches: &mut [Wrench<f64>]) -> Power {
        let rotation = |link: Option<usize>| link.map_or_else(Default::default, |l| kin.pose(l).rotation);
        let spin = |link: Option<usize>| link.map_or_else(Vector3::zeros, |l| kin.twist(l).angular);
        let (ra, rb): (nalgebra::UnitQuaternion<f64>, nalgebra::UnitQuaternion<f64>) =
            (rotation(self.links[0]), rotation(self.links[1]));
        let relative = ra.inverse() * rb;
        let axis = ra * self.axis;
        let angle = 2.0 * relative.imag().dot(&self.axis).atan2(relative.w);
        let stretch = (angle - self.rest_angle + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0;
        let rate = (spin(self.links[1]) - spin(self.links[0])).dot(&axis);
        let torque = axis * (self.stiffness * stretch + self.damping * rate);
        for (link, torque) in [(self.links[0], torque), (self.links[1], -torque)] {
            if let Some(link) = link {
                wrenches[link] += Wrench { torque, force: Vector3::zeros() };
            }
        }
        Power {
            stored: 0.5 * self.stiffness * stretch * stretch,
            dissipated: self.damping * rate * rate,
            external: 0.0,
        }
    }
}

/// A force or torque that follows a schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct AppliedForce {
    /// Name in the scene.
    pub name: String,
    /// Link it acts on.
    pub link: usize,
    /// Point of action in the link frame, m.
    pub point: Vector3<f64>,
    /// Force, N.
    pub force: Option<Schedule>,
    /// Torque, N m.
    pub torque: Option<Schedule>,
    /// Whether the vectors turn with the body.
    pub in_body_axes: bool,
}

impl AppliedForce {
    /// Adds it to the link.
    pub fn act(&self, t: f64, kin: &Kinematics<f64>, wrenches: &mut [Wrench<f64>]) -> Power {
        let pose = &kin.pose(self.link);
        let read = |schedule: &Option<Schedule>| {
            let value = schedule.as_ref().map_or_else(Vector3::zeros, |s| s.at(t)[0]);
            if self.in_body_axes { pose.rotation * value } else { value }
        };
        let mut wrench = Wrench::from_force(read(&self.force), &(pose.rotation * self.point));
        wrench.torque += read(&self.torque);
        wrenches[self.link] += wrench;
        Power { external: kin.twist(self.link).power(&wrench), ..Power::default() }
    }
}
