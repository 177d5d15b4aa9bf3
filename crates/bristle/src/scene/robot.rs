//! `[robots.NAME]`: a URDF or MJCF file put into the scene.
//!
//! The file becomes bodies, joints, motors and sensors of the scene, named `ROBOT/LINK` and so on, as if they were
//! written there: nothing after this module knows where they came from.

use super::body::Start;
use super::contact::Who;
use super::error::SceneError;
use super::form::{KeyInfo, Kind, Part, TableInfo};
use super::joint::read_stop;
use super::known::Known;
use super::material::LawSpec;
use super::orientation::ORIENTATION;
use super::place::Place;
use super::reach::Reach;
use super::read::Fields;
use super::tree::{Data, Node};
use crate::robot::{Options, Robot, Warning};
use nalgebra::{Isometry3, Translation3, Vector3};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// `[robots.NAME]`.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotSpec {
    /// Name.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Frame of the robot's root in the world.
    pub pose: Isometry3<f64>,
    /// Of a root that is free, m/s, world axes.
    pub velocity: Vector3<f64>,
    /// Of a root that is free, rad/s, world axes.
    pub angular_velocity: Vector3<f64>,
    /// Whether its root cannot move.
    pub is_fixed: bool,
    /// Coordinates of joints that are given, by name; rad or m, quaternions (w, x, y, z).
    pub joints: BTreeMap<String, Vec<f64>>,
    /// Velocities of joints that are given, by name; rad/s or m/s.
    pub joint_velocities: BTreeMap<String, f64>,
    /// Servo on every joint, in place of the motors of the file.
    pub hold: Option<Hold>,
    /// What the motors of the file are told, by name.
    pub controls: BTreeMap<String, f64>,
    /// What pushes back at the limits of joints.
    pub stop: Option<LawSpec>,
    /// Which links touch anything.
    pub touch: Vec<Who>,
    /// Whether its links touch each other.
    pub self_contact: bool,
    /// Bodies that do not touch each other, by their names in the scene.
    pub exclude: Vec<[String; 2]>,
    /// How it starts.
    pub start: Start,
    /// Names of its bodies in the scene.
    pub bodies: Vec<String>,
    /// What of the file is not represented.
    pub warnings: Vec<Warning>,
    /// Where the table stands.
    pub place: Place,
}

/// A servo that holds every joint where it starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hold {
    /// N m/rad or N/m
    pub stiffness: f64,
    /// N m s/rad or N s/m
    pub damping: f64,
    /// Greatest torque (N m) or force (N); that of the file if none.
    pub limit: Option<f64>,
}

static HOLD: TableInfo = TableInfo::new(
    "hold",
    &[
        KeyInfo::new("stiffness", Kind::not_negative("N m/rad or N/m"), "of every joint")
            .need("the stiffness of the servos"),
        KeyInfo::new("damping", Kind::not_negative("N m s/rad or N s/m"), "of every joint").default("0"),
        KeyInfo::new("limit", Kind::positive("N m or N"), "greatest torque or force")
            .default("that of the file"),
    ],
);

pub(crate) static ROBOT: TableInfo = TableInfo::new(
    "robot",
    &[
        KeyInfo::new(
            "file",
            Kind::Text { rule: "the path of a URDF or MJCF file" },
            "URDF or MJCF, relative to this file",
        )
        .need("the path of a URDF or MJCF file"),
        KeyInfo::new("position", Kind::vector("m"), "of the root").default("[0, 0, 0]"),
        KeyInfo::new("orientation", Kind::Table(&ORIENTATION), "of the root").default("not turned"),
        KeyInfo::new("velocity", Kind::vector("m/s"), "of a free root, world axes").default("[0, 0, 0]"),
        KeyInfo::new("angular_velocity", Kind::vector("rad/s"), "of a free root, world axes")
            .default("[0, 0, 0]"),
        KeyInfo::new("base", Kind::Word(&["free", "fixed"]), "whether the root of a URDF file moves")
            .default("`\"free\"`, unless it is named `world`"),
        KeyInfo::new(
            "keyframe",
            Kind::Text { rule: "the name of a key frame of the file" },
            "start of an MJCF file",
        )
        .default("the pose of the file"),
        KeyInfo::new("joints", Kind::Numbers, "positions at the start by joint, degrees or m")
            .default("those of the file"),
        KeyInfo::new("joint_velocities", Kind::Numbers, "velocities at the start by joint, rad/s or m/s")
            .default("0"),
        KeyInfo::new(
            "hold",
            Kind::Table(&HOLD),
            "servos that hold every joint where it starts, instead of the file's motors",
        )
        .default("none"),
        KeyInfo::new(
            "controls",
            Kind::Numbers,
            "what the file's motors are told, by name, in the file's units",
        )
        .default("those of the key frame, or 0"),
        KeyInfo::new("stop", Kind::Law(Part::Normal), "what pushes back at the limits of joints")
            .default("hunt-crossley, 1e4 N m/rad or 1e6 N/m"),
        KeyInfo::new("touch", Kind::Patterns, "links that can touch something").default("all"),
        KeyInfo::new("self_contact", Kind::Flag, "whether its links touch each other").default("false"),
        KeyInfo::new(
            "exclude",
            Kind::Pairs,
            "links that do not touch each other; those that share a joint never do",
        )
        .default("those of the file"),
        KeyInfo::new(
            "start",
            Kind::Word(&["given", "rest"]),
            "`\"rest\"`: settled on its contacts, without velocity",
        )
        .default("`\"given\"`: as the other keys say"),
        KeyInfo::new("strict", Kind::Flag, "whether what the file says and a scene cannot hold is an error")
            .default("false"),
    ],
);

impl RobotSpec {
    /// The table and the file it names.
    pub(crate) fn read(
        name: &str,
        node: &Node,
        reach: &Reach<'_>,
        errors: &mut Vec<SceneError>,
    ) -> Option<(Self, Robot)> {
        let fields = node.fields(&ROBOT);
        let file = fields.get("file")?;
        let path = reach.resolve(file, file.text()?).map_err(|error| errors.push(error)).ok()?;
        let options = Options { access: reach.access, is_strict: fields.flag("strict").unwrap_or(false) };
        let robot = match Robot::load_with(&path, &options) {
            Ok(robot) => robot,
            Err(found) => {
                errors.extend(found.iter().map(|error| file.complain(format!("cannot be read: {error}"))));
                return None;
            }
        };
        let orientation = fields.orientation(errors);
        let position = fields.vector("position").unwrap_or_default();
        let is_fixed = read_base(&fields, &robot, errors);
        let start = if fields.text("start") == Some("rest") { Start::Rest } else { Start::AsGiven };
        let numbers = |key: &str| -> BTreeMap<String, f64> {
            let entries = fields.get(key).map(Node::entries).unwrap_or_default();
            entries.iter().filter_map(|(name, value)| Some((name.clone(), value.number()?))).collect()
        };
        let mut spec = Self {
            name: name.to_string(),
            path,
            pose: Isometry3::from_parts(Translation3::from(position), orientation),
            velocity: fields.vector("velocity").unwrap_or_default(),
            angular_velocity: fields.vector("angular_velocity").unwrap_or_default(),
            is_fixed,
            joints: numbers("joints").into_iter().map(|(name, x)| (name, vec![x])).collect(),
            joint_velocities: numbers("joint_velocities"),
            hold: read_hold(&fields),
            controls: numbers("controls"),
            stop: None,
            touch: match fields.get("touch") {
                Some(list) => list.list().iter().filter_map(|n| Some(Who::of(n.text()?))).collect(),
                None => vec![Who::Any],
            },
            self_contact: fields.flag("self_contact").unwrap_or(false),
            exclude: Vec::new(),
            start,
            bodies: robot.links.iter().map(|link| format!("{name}/{}", link.name)).collect(),
            warnings: robot.warnings.clone(),
            place: node.place.clone(),
        };
        spec.read_names(&fields, &robot, errors);
        if start == Start::Rest {
            for key in ["velocity", "angular_velocity", "joint_velocities"] {
                fields.refuse(key, "start", "a robot that starts at rest has no velocity", errors);
            }
        }
        Some((spec, robot))
    }

    /// Keys that name parts of the file.
    fn read_names(&mut self, fields: &Fields<'_>, robot: &Robot, errors: &mut Vec<SceneError>) {
        let link_names = || robot.links.iter().map(|l| l.name.as_str());
        for key in ["joints", "joint_velocities"] {
            for (name, node) in fields.get(key).map(Node::entries).unwrap_or_default() {
                match robot.joint(name).map(|j| &robot.joints[j]) {
                    None => {
                        errors.push(node.no_such("joint", name, robot.joints.iter().map(|j| j.name.as_str())))
                    }
                    Some(joint) if joint.kind.freedoms() != 1 => {
                        errors.push(node.complain("has not one freedom: only joints that have are set here"));
                    }
                    Some(joint) if key == "joints" && joint.kind.unit() == "rad" => {
                        self.joints.entry(name.clone()).and_modify(|x| x[0] = x[0].to_radians());
                    }
                    Some(_) => {}
                }
            }
        }
        for (name, node) in fields.get("controls").map(Node::entries).unwrap_or_default() {
            if !robot.actuators.iter().any(|a| a.name == *name) {
                errors.push(node.no_such("actuator", name, robot.actuators.iter().map(|a| a.name.as_str())));
            }
            if fields.has("hold") {
                errors.push(node.complain("is told to a motor that hold replaces"));
            }
        }
        for node in fields.get("touch").map(Node::list).unwrap_or_default() {
            if let Some(text) = node.text()
                && !link_names().any(|link| Who::of(text).matches(link))
            {
                errors.push(node.no_such("link", text, link_names()));
            }
        }
        for pair in fields.get("exclude").map(Node::list).unwrap_or_default() {
            let mut both = pair.list().iter().filter_map(|node| {
                let name = node.text()?;
                if robot.link(name).is_none() {
                    errors.push(node.no_such("link", name, link_names()));
                }
                Some(format!("{}/{name}", self.name))
            });
            if let (Some(a), Some(b)) = (both.next(), both.next()) {
                self.exclude.push([a, b]);
            }
        }
        for exclude in &robot.excludes {
            self.exclude.push(exclude.links.map(|l| format!("{}/{}", self.name, robot.links[l].name)));
        }
        if let Some(node) = fields.get("keyframe")
            && let Some(text) = node.text()
        {
            let names = || robot.keyframes.iter().map(|k| k.name.as_str());
            match robot.keyframes.iter().find(|k| k.name == text) {
                Some(key) => self.take_keyframe(key, robot),
                None => errors.push(node.no_such("key frame", text, names())),
            }
        }
    }

    /// What the scene gives itself stays.
    fn take_keyframe(&mut self, key: &crate::robot::Keyframe, robot: &Robot) {
        let (mut q, mut v) = (0, 0);
        for joint in &robot.joints {
            let (next_q, next_v) = (q + joint.kind.coordinates(), v + joint.kind.freedoms());
            if let Some(own) = key.q.get(q..next_q) {
                self.joints.entry(joint.name.clone()).or_insert(own.to_vec());
            }
            match key.v.get(v..next_v) {
                Some([rate]) => {
                    self.joint_velocities.entry(joint.name.clone()).or_insert(*rate);
                }
                // of a free base: linear in world axes, angular in its own
                Some(&[x, y, z, a, b, c]) if self.velocity == Vector3::zeros() => {
                    let turn = self.pose.rotation * joint.child_in_parent(&self.joints[&joint.name]).rotation;
                    self.velocity = self.pose.rotation * Vector3::new(x, y, z);
                    self.angular_velocity = turn * Vector3::new(a, b, c);
                }
                _ => {}
            }
            (q, v) = (next_q, next_v);
        }
        if self.hold.is_none() {
            for (actuator, control) in robot.actuators.iter().zip(&key.control) {
                self.controls.entry(actuator.name.clone()).or_insert(*control);
            }
        }
    }

    /// The law of its stops, once the bodies of the scene are known.
    pub(crate) fn read_stop(&mut self, node: &Node, known: &Known<'_>, errors: &mut Vec<SceneError>) {
        self.stop = node.fields(&ROBOT).get("stop").and_then(|n| read_stop(n, known, errors));
    }
}

fn read_base(fields: &Fields<'_>, robot: &Robot, errors: &mut Vec<SceneError>) -> bool {
    let given = fields.word("base", &[("free", false), ("fixed", true)]);
    let by_file = robot.is_rooted_in_world();
    if let (Some(node), true, Some(false)) = (fields.get("base"), by_file, given) {
        errors.push(
            node.complain(
                "cannot be free: the root of the file is the world; its bodies move by their joints",
            ),
        );
    }
    let is_fixed = given.unwrap_or(by_file);
    for key in ["velocity", "angular_velocity"] {
        if is_fixed {
            fields.refuse(key, "file", "the root of the robot does not move", errors);
        }
    }
    is_fixed
}

fn read_hold(fields: &Fields<'_>) -> Option<Hold> {
    let node = fields.get("hold").filter(|n| matches!(n.data, Data::Table(_)))?;
    let inner = node.fields(&HOLD);
    Some(Hold {
        stiffness: inner.number("stiffness")?,
        damping: inner.number("damping").unwrap_or(0.0),
        limit: inner.number("limit"),
    })
}
