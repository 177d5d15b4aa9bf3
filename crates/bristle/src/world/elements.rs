//! Springs, dampers, applied forces and prescribed motions: what acts besides contact.

use crate::schedule::Schedule;
use bristle_bodies::{Driven, Kinematics, Pose};
use bristle_math::spatial::{Twist, Wrench};
use bristle_math::{Real, Vector3, select};
use nalgebra::{Unit, UnitQuaternion};
use std::f64::consts::TAU;

/// A prescribed motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Drive<T: Real = f64> {
    /// Link it moves.
    pub link: usize,
    /// Pose at time zero, or at displacement zero.
    pub pose: Pose<T>,
    /// What it does.
    pub motion: Motion<T>,
}

/// How a driven body moves.
#[derive(Debug, Clone, PartialEq)]
pub enum Motion<T: Real = f64> {
    /// By a displacement over time, m, at a fixed orientation.
    Path(Schedule<T>),
    /// With constant angular velocity about a fixed line.
    Turn {
        /// Direction of the line.
        axis: Unit<Vector3<T>>,
        /// A point of the line, m.
        about: Vector3<T>,
        /// rad/s.
        rate: T,
    },
}

impl<T: Real> Drive<T> {
    /// Where the body is and how it moves.
    pub fn at(&self, t: T) -> Driven<T> {
        match &self.motion {
            Motion::Path(displacement) => {
                let [x, v, a] = displacement.at(t);
                let mut pose = self.pose;
                pose.translation.vector += x;
                let linear = |linear| Twist { angular: Vector3::zeros(), linear };
                Driven { pose, twist: linear(v), acceleration: linear(a) }
            }
            Motion::Turn { axis, about, rate } => {
                let turn = UnitQuaternion::from_axis_angle(axis, *rate * t);
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Power<T: Real = f64> {
    /// Stored, J.
    pub stored: T,
    /// Dissipated, W.
    pub dissipated: T,
    /// Delivered from outside, W.
    pub external: T,
}

impl<T: Real> Power<T> {
    /// Of nothing.
    pub fn none() -> Self {
        Self { stored: T::lit(0.0), dissipated: T::lit(0.0), external: T::lit(0.0) }
    }
}

/// One end of a spring: a point on a link, or in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End<T: Real = f64> {
    /// Link; `None` for the world.
    pub link: Option<usize>,
    /// Point in the link frame (world frame for the world), m.
    pub point: Vector3<T>,
}

impl<T: Real> End<T> {
    /// Offset from the link origin, position and velocity in the world.
    fn at(&self, kin: &Kinematics<T>) -> (Vector3<T>, Vector3<T>, Vector3<T>) {
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
pub struct Spring<T: Real = f64> {
    /// Name in the scene.
    pub name: String,
    /// Both ends.
    pub ends: [End<T>; 2],
    /// N/m.
    pub stiffness: T,
    /// N s/m.
    pub damping: T,
    /// m.
    pub rest_length: T,
}

impl<T: Real> Spring<T> {
    /// Adds its force to both links.
    pub fn act(&self, kin: &Kinematics<T>, wrenches: &mut [Wrench<T>]) -> Power<T> {
        let (arm_a, p_a, v_a) = self.ends[0].at(kin);
        let (arm_b, p_b, v_b) = self.ends[1].at(kin);
        let span = p_b - p_a;
        let length = span.norm_squared().sqrt();
        // A spring of rest length zero has no direction when its ends meet, and needs none.
        let (zero, is_long) = (T::lit(0.0), length.simd_gt(T::lit(0.0)));
        let safe = select(is_long, length, T::lit(1.0));
        let along = (span / safe).map(|x| select(is_long, x, zero));
        let stretch = length - self.rest_length;
        let rate = (v_b - v_a).dot(&along);
        let pull = along * (self.stiffness * stretch + self.damping * rate);
        for (end, arm, force) in [(self.ends[0], arm_a, pull), (self.ends[1], arm_b, -pull)] {
            if let Some(link) = end.link {
                wrenches[link] += Wrench::from_force(force, &arm);
            }
        }
        Power {
            stored: T::lit(0.5) * self.stiffness * stretch * stretch,
            dissipated: self.damping * rate * rate,
            external: T::lit(0.0),
        }
    }
}

/// A pin that holds a point of one body to a point of another in all directions: closes loops of joints.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin<T: Real = f64> {
    /// Name in the scene.
    pub name: String,
    /// Both points.
    pub ends: [End<T>; 2],
    /// N/m.
    pub stiffness: T,
    /// N s/m.
    pub damping: T,
}

impl<T: Real> Pin<T> {
    /// Adds its force to both links.
    pub fn act(&self, kin: &Kinematics<T>, wrenches: &mut [Wrench<T>]) -> Power<T> {
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
            stored: T::lit(0.5) * self.stiffness * gap.norm_squared(),
            dissipated: self.damping * rate.norm_squared(),
            external: T::lit(0.0),
        }
    }
}

/// A torsional spring and damper about an axis fixed in the first body (or the world).
#[derive(Debug, Clone, PartialEq)]
pub struct TorsionSpring<T: Real = f64> {
    /// Name in the scene.
    pub name: String,
    /// Links; `None` for the world.
    pub links: [Option<usize>; 2],
    /// Axis in the first frame, unit.
    pub axis: Vector3<T>,
    /// N m/rad.
    pub stiffness: T,
    /// N m s/rad.
    pub damping: T,
    /// rad.
    pub rest_angle: T,
}

impl<T: Real> TorsionSpring<T> {
    /// Adds its torque to both links. The angle is that of the relative rotation's twist about the axis.
    pub fn act(&self, kin: &Kinematics<T>, wrenches: &mut [Wrench<T>]) -> Power<T> {
        let rotation =
            |link: Option<usize>| link.map_or_else(UnitQuaternion::identity, |l| kin.pose(l).rotation);
        let spin = |link: Option<usize>| link.map_or_else(Vector3::zeros, |l| kin.twist(l).angular);
        let (ra, rb): (nalgebra::UnitQuaternion<T>, nalgebra::UnitQuaternion<T>) =
            (rotation(self.links[0]), rotation(self.links[1]));
        let relative = ra.inverse() * rb;
        let axis = ra * self.axis;
        let angle = T::lit(2.0) * relative.imag().dot(&self.axis).simd_atan2(relative.w);
        let turned = angle - self.rest_angle + T::lit(TAU / 2.0);
        let whole = turned.map_value(|x| x.rem_euclid(TAU)) + (turned - turned.map_value(|x| x));
        let stretch = whole - T::lit(TAU / 2.0);
        let rate = (spin(self.links[1]) - spin(self.links[0])).dot(&axis);
        let torque = axis * (self.stiffness * stretch + self.damping * rate);
        for (link, torque) in [(self.links[0], torque), (self.links[1], -torque)] {
            if let Some(link) = link {
                wrenches[link] += Wrench { torque, force: Vector3::zeros() };
            }
        }
        Power {
            stored: T::lit(0.5) * self.stiffness * stretch * stretch,
            dissipated: self.damping * rate * rate,
            external: T::lit(0.0),
        }
    }
}

/// A force or torque that follows a schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct AppliedForce<T: Real = f64> {
    /// Name in the scene.
    pub name: String,
    /// Link it acts on.
    pub link: usize,
    /// Point of action in the link frame, m.
    pub point: Vector3<T>,
    /// Force, N.
    pub force: Option<Schedule<T>>,
    /// Torque, N m.
    pub torque: Option<Schedule<T>>,
    /// Whether the vectors turn with the body.
    pub in_body_axes: bool,
}

impl<T: Real> AppliedForce<T> {
    /// Adds it to the link.
    pub fn act(&self, t: T, kin: &Kinematics<T>, wrenches: &mut [Wrench<T>]) -> Power<T> {
        let pose = &kin.pose(self.link);
        let read = |schedule: &Option<Schedule<T>>| {
            let value = schedule.as_ref().map_or_else(Vector3::zeros, |s| s.at(t)[0]);
            if self.in_body_axes { pose.rotation * value } else { value }
        };
        let mut wrench = Wrench::from_force(read(&self.force), &(pose.rotation * self.point));
        wrench.torque += read(&self.torque);
        wrenches[self.link] += wrench;
        Power { external: kin.twist(self.link).power(&wrench), ..Power::none() }
    }
}
