//! Robots from URDF and MJCF files, as one description that does not depend on the format.
//!
//! A [`Robot`] is a tree of [`Link`]s held together by [`Joint`]s, with actuators, sensors, key frames and excluded
//! contacts. Units are SI, angles are radians, quaternions are (w, x, y, z). What a file says and the description
//! cannot hold is listed in [`Robot::warnings`], with line and element; with [`Options::is_strict`] it is an error.
//! `docs/robots.md` lists what is read of each format.
//!
//! ```
//! use bristle::robot::Robot;
//! let text = r#"<robot name="arm">
//!   <link name="base"/>
//!   <link name="rod">
//!     <inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.17" iyy="0.17" izz="0.01"/></inertial>
//!   </link>
//!   <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
//! </robot>"#;
//! let robot = Robot::parse(text, "arm.urdf")?;
//! let totals = robot.totals();
//! assert_eq!((totals.mass, totals.freedoms, totals.center.z), (2.0, 1, -0.5));
//! let errors = Robot::parse(&text.replace(r#"value="2""#, r#"value="-2""#), "arm.urdf").unwrap_err();
//! assert_eq!(errors.to_string(), "arm.urdf:4: mass of link rod: value = -2 must be a number >= 0 and at most 1e12 (kg)");
//! # Ok::<(), bristle::robot::RobotErrors>(())
//! ```

mod check;
mod device;
mod error;
mod file;
mod form;
mod inertial;
mod inspect;
mod joint;
mod json;
mod link;
mod mesh;
mod mjcf;
mod totals;
mod urdf;
mod xml;

pub use device::{Actuator, ActuatorLaw, Exclude, Keyframe, Sensor, SensorTarget, Site};
pub use error::{Effect, Place, RobotError, RobotErrors, Warning};
pub use inertial::Inertial;
pub(crate) use joint::turn_of_z_to;
pub use joint::{Joint, JointKind, Mimic};
pub use link::{Contact, Geometry, Link, Solid};
pub use totals::Totals;

use crate::scene::Access;
use error::Log;
use file::Files;
use nalgebra::Vector3;
use std::path::Path;
use xml::Element;

/// A robot as its file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Robot {
    /// Name of the model; empty if the file gives none.
    pub name: String,
    /// Format of the file.
    pub format: Format,
    /// Links, parents before their children; the first is the root.
    pub links: Vec<Link>,
    /// Joints; joint i carries link i + 1. Coordinates of the robot are those of its joints in this order.
    pub joints: Vec<Joint>,
    /// Actuators in the order of the file.
    pub actuators: Vec<Actuator>,
    /// Named states.
    pub keyframes: Vec<Keyframe>,
    /// Pairs of links that do not touch.
    pub excludes: Vec<Exclude>,
    /// Frames on links, for sensors.
    pub sites: Vec<Site>,
    /// Sensors in the order of the file.
    pub sensors: Vec<Sensor>,
    /// Gravity, m/s², if the file gives it.
    pub gravity: Option<Vector3<f64>>,
    /// Time step, s, if the file gives it.
    pub time_step: Option<f64>,
    /// What the file says and this description does not hold; what may change the motion first.
    pub warnings: Vec<Warning>,
}

/// Format of a robot file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Unified robot description format: `<robot>`.
    Urdf,
    /// MuJoCo's format: `<mujoco>`.
    Mjcf,
}

/// How a robot file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Which other files it may name.
    pub access: Access,
    /// Whether a loss that may change the motion is an error.
    pub is_strict: bool,
}

impl Robot {
    /// Reads a URDF or MJCF file; its root element says which. Files that it names must lie in its folder.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, RobotErrors> {
        Self::load_with(path, &Options::default())
    }

    /// Reads a URDF or MJCF file.
    pub fn load_with(path: impl AsRef<Path>, options: &Options) -> Result<Self, RobotErrors> {
        let mut files = Files::new(path.as_ref(), options.access);
        let root = files.read_robot(path.as_ref())?;
        Self::read(root, Some(&mut files), options.is_strict)
    }

    /// Reads the text of a URDF or MJCF file; `file_name` is for messages. Such a text cannot include files.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, RobotErrors> {
        if text.len() as u64 > crate::scene::MAX_BYTES {
            let reason = format!("more than {} MB", crate::scene::MAX_BYTES >> 20);
            return Err(RobotError::File { file: file_name.to_string(), reason }.into());
        }
        Self::read(Element::parse(text, &file_name.into())?, None, false)
    }

    fn read(root: Element, files: Option<&mut Files>, is_strict: bool) -> Result<Self, RobotErrors> {
        let mut log = Log::default();
        let file = root.place.file().to_string();
        let robot = match root.tag.as_str() {
            "robot" => urdf::read(&root, files.as_deref(), &mut log),
            "mujoco" => mjcf::read(root, files, &mut log),
            _ => {
                log.error(root.complain("is no robot: the root must be <robot> (URDF) or <mujoco> (MJCF)"));
                None
            }
        };
        if let (Some(robot), false) = (&robot, log.has_errors()) {
            check::check(robot, &mut log);
        }
        let warnings = log.finish(is_strict)?;
        // a reader that gives up has said why
        let nothing = RobotError::File { file, reason: "it holds no robot".to_string() };
        robot.map(|robot| Self { warnings, ..robot }).ok_or_else(|| nothing.into())
    }

    fn new(name: String, format: Format) -> Self {
        Self {
            name,
            format,
            links: Vec::new(),
            joints: Vec::new(),
            actuators: Vec::new(),
            keyframes: Vec::new(),
            excludes: Vec::new(),
            sites: Vec::new(),
            sensors: Vec::new(),
            gravity: None,
            time_step: None,
            warnings: Vec::new(),
        }
    }

    /// Whether the root link is the world itself and does not move: always in MJCF, in URDF if it is named `world`.
    pub fn is_rooted_in_world(&self) -> bool {
        self.format == Format::Mjcf || self.links.first().is_some_and(|link| link.name == "world")
    }

    /// Index of a link by its name.
    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// Index of a joint by its name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }
}

impl Format {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Urdf => "URDF",
            Self::Mjcf => "MJCF",
        }
    }
}
