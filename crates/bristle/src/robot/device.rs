//! What acts on a robot and measures it: actuators, sensors, key frames; and which links do not touch.

use super::error::Place;
use nalgebra::Isometry3;

/// A drive of a joint. Its force is limited to `force_limits`, multiplied by the gear ratio, and acts on the joint;
/// the position and velocity that its law sees are those of the joint times the gear ratio.
#[derive(Debug, Clone, PartialEq)]
pub struct Actuator {
    /// Name.
    pub name: String,
    /// Index of the joint.
    pub joint: usize,
    /// Force from control, position and velocity.
    pub law: ActuatorLaw,
    /// Gear ratio, one per freedom of the joint; the rest is zero.
    pub gear: [f64; 6],
    /// Least and greatest force (N) or torque (N m) before the gear.
    pub force_limits: Option<[f64; 2]>,
    /// Least and greatest control.
    pub control_limits: Option<[f64; 2]>,
    /// Where it stands.
    pub place: Place,
}

/// Force of an actuator; `u` is its control, `l` position times gear, `l'` velocity times gear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ActuatorLaw {
    /// u
    Motor,
    /// stiffness · (u − l) − damping · l'
    Position {
        /// N m/rad or N/m
        stiffness: f64,
        /// N m s/rad or N s/m
        damping: f64,
    },
    /// gain · (u − l')
    Velocity {
        /// N m s/rad or N s/m
        gain: f64,
    },
    /// gain · u + bias\[0\] + bias\[1\] · l + bias\[2\] · l'
    Affine {
        /// Force per control.
        gain: f64,
        /// Force, force per position, force per velocity.
        bias: [f64; 3],
    },
}

/// A state by name. Each list is empty if the file does not give it.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyframe {
    /// Name; empty if the file gives none.
    pub name: String,
    /// s
    pub time: f64,
    /// Coordinates of all joints, in their order.
    pub q: Vec<f64>,
    /// Velocities of all joints, in their order.
    pub v: Vec<f64>,
    /// Controls of all actuators, in their order.
    pub control: Vec<f64>,
    /// Where it stands.
    pub place: Place,
}

/// Two links that do not touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Exclude {
    /// Indices of the links.
    pub links: [usize; 2],
    /// Where it stands.
    pub place: Place,
}

/// A frame on a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// Name; empty if the file gives none.
    pub name: String,
    /// Index of the link.
    pub link: usize,
    /// Its frame in the link frame.
    pub pose: Isometry3<f64>,
    /// Where it stands.
    pub place: Place,
}

/// A sensor that the file names.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensor {
    /// Name; empty if the file gives none.
    pub name: String,
    /// What it measures, in the words of the file: `accelerometer`, `jointpos` …
    pub kind: String,
    /// On what.
    pub target: Option<SensorTarget>,
    /// Where it stands.
    pub place: Place,
}

/// What a sensor measures on, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SensorTarget {
    /// A site.
    Site(usize),
    /// A joint.
    Joint(usize),
    /// A link, in its frame.
    Link(usize),
    /// The centre of mass of a link, in its principal axes.
    CenterOfLink(usize),
    /// An actuator.
    Actuator(usize),
}
