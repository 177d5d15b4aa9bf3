//! Scene files: TOML in, checked and resolved values out.
//!
//! Text becomes a tree of values that know their place (`tree`), files it includes are merged in (`include`),
//! overrides and parameters applied, and the tree is checked against the form of the format (`form`, `conform`), all
//! of it in one go. What is left is read into the types here, with the rules that concern several keys. Every
//! refusal is one line that names file, line, column, key, value and rule, and every item of a [`Scene`] keeps its
//! [`Place`], so that what the model finds later can be said the same way. Units are SI; angles are degrees in the
//! file and radians here. `docs/scenes.md` is the reference of the format, made by [`reference()`].
//!
//! ```
//! use bristle::scene::Scene;
//! let text = r#"
//! schema = 1
//! [simulation]
//! duration = 1.0
//! [bodies.ball]
//! mass = -0.154
//! shape = { sphere = { radius = 0.0165 } }
//! "#;
//! let errors = Scene::parse(text, "ball.toml", &[]).unwrap_err();
//! assert_eq!(errors.to_string(), "ball.toml:6:8: bodies.ball.mass = -0.154 must be > 0 (kg)");
//! let scene = Scene::parse(text, "ball.toml", &["bodies.ball.mass=0.154".to_string()])?;
//! assert_eq!(scene.body("ball").map(|b| b.place.line()), Some(Some(5)));
//! # Ok::<(), bristle::scene::SceneErrors>(())
//! ```

mod actuator;
mod body;
mod conform;
mod contact;
mod copies;
mod design;
mod element;
mod error;
mod file;
mod form;
mod include;
mod inertia;
mod joint;
mod known;
mod material;
mod nonsmooth;
mod orientation;
mod overrides;
mod parameters;
mod place;
mod reach;
mod read;
mod reference;
mod robot;
mod robot_parts;
mod schedule;
mod schema;
mod sensor;
mod shape;
mod simulation;
mod source;
mod surface;
mod tree;
mod write;

pub use crate::schedule::Schedule;
pub use actuator::{ActuatorSpec, ControlSpec};
pub use body::{BodyKind, BodySpec, Freedoms, MassSpec, Start};
pub use contact::{ContactRule, ContactSpec, Who};
pub use design::DesignSpec;
pub use element::{Anchor, ForceFrame, ForceSpec, LoadSpec, PinSpec, SpringSpec, TorsionSpringSpec};
pub use error::{SceneError, SceneErrors};
pub use file::{Access, FileError, MAX_BYTES, resolve_file};
pub(crate) use inertia::broken_rule as broken_inertia_rule;
pub use joint::JointSpec;
pub(crate) use joint::is_distance;
pub use material::{LawSpec, MaterialSpec};
pub use nonsmooth::{AlphaSpec, Formula, NonsmoothContact, NonsmoothFriction, NonsmoothSpec, NonsmoothState};
pub use place::Place;
pub(crate) use place::shortened;
pub use reference::reference;
pub use robot::{Hold, RobotSpec};
pub use schedule::MotionSpec;
pub use schema::schema;
pub use sensor::SensorSpec;
pub use shape::{BallSpec, PosedShape, ShapeSpec};
pub use simulation::{IntegratorSpec, Method, Quantity, RecordSpec, SimulationSpec};

use form::{KeyInfo, Kind, TableInfo};
use known::Known;
use reach::Reach;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tree::{Data, Node};

/// A checked scene. Lists are in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// `[simulation]`
    pub simulation: SimulationSpec,
    /// `[materials.NAME]`
    pub materials: Vec<MaterialSpec>,
    /// `[bodies.NAME]`, then the links of robots; at least one
    pub bodies: Vec<BodySpec>,
    /// `[joints.NAME]`, then the joints of robots
    pub joints: Vec<JointSpec>,
    /// `[actuators.NAME]`, then the motors of robots
    pub actuators: Vec<ActuatorSpec>,
    /// `[sensors.NAME]`, then those of robots
    pub sensors: Vec<SensorSpec>,
    /// `[robots.NAME]`
    pub robots: Vec<RobotSpec>,
    /// `[[contacts]]`
    pub contacts: Vec<ContactSpec>,
    /// `[springs.NAME]`
    pub springs: Vec<SpringSpec>,
    /// `[pins.NAME]`
    pub pins: Vec<PinSpec>,
    /// `[torsion_springs.NAME]`
    pub torsion_springs: Vec<TorsionSpringSpec>,
    /// `[forces.NAME]`
    pub forces: Vec<ForceSpec>,
    /// `[nonsmooth]`: a system of formulas in place of bodies
    pub nonsmooth: Option<NonsmoothSpec>,
    /// Parameters by name with their values, in the order of the file.
    pub parameters: Vec<(String, f64)>,
    places: BTreeMap<String, Place>,
    unused_parameters: Vec<String>,
    text: String,
}

static SCENE: TableInfo = TableInfo::new(
    "scene",
    &[
        KeyInfo::new("schema", Kind::Version, "version of the format: 1")
            .need("the version of the format: schema = 1"),
        KeyInfo::new(
            "include",
            Kind::Files,
            "files to merge in, a path or a list of paths, relative to this file",
        ),
        KeyInfo::new("parameters", Kind::Numbers, "numbers by name, used in formulas `\"${…}\"`"),
        KeyInfo::new(
            "simulation",
            Kind::Table(&simulation::SIMULATION),
            "how long, integrated and recorded how",
        )
        .need("[simulation] with duration (s)"),
        KeyInfo::new(
            "materials",
            Kind::Named(&material::MATERIAL),
            "what happens between two surfaces, by name",
        ),
        KeyInfo::new("bodies", Kind::Named(&body::BODY), "bodies by name; at least one, or a robot"),
        KeyInfo::new("joints", Kind::Named(&joint::JOINT), "how bodies move on each other, by name"),
        KeyInfo::new("robots", Kind::Named(&robot::ROBOT), "URDF and MJCF files by name"),
        KeyInfo::new("actuators", Kind::Named(&actuator::ACTUATOR), "motors on joints by name"),
        KeyInfo::new(
            "sensors",
            Kind::Named(&sensor::SENSOR),
            "points that feel acceleration and turning, by name",
        ),
        KeyInfo::new(
            "contacts",
            Kind::Tables {
                info: &contact::CONTACT,
                rule: "a list of tables: [[contacts]]",
                can_be_empty: true,
                most: 2000,
            },
            "which pairs touch; the first entry that matches counts",
        ),
        KeyInfo::new("springs", Kind::Named(&element::SPRING), "straight springs and dampers by name"),
        KeyInfo::new(
            "pins",
            Kind::Named(&element::PIN),
            "points held together by name: loops of joints close with them",
        ),
        KeyInfo::new(
            "torsion_springs",
            Kind::Named(&element::TORSION_SPRING),
            "springs against turning by name",
        ),
        KeyInfo::new("forces", Kind::Named(&element::FORCE), "applied forces and torques by name"),
        KeyInfo::new(
            "nonsmooth",
            Kind::Table(&nonsmooth::NONSMOOTH),
            "a system of formulas with contact and friction terms, in place of bodies",
        ),
    ],
);

const NO_BODIES: &str = "at least one body: [bodies.NAME], or a robot: [robots.NAME]";

impl Scene {
    /// Reads a scene file, with overrides such as `bodies.ball.velocity=[1,0,0]`. Files that it includes must lie
    /// in its folder.
    pub fn load(path: impl AsRef<Path>, overrides: &[String]) -> Result<Self, SceneErrors> {
        Self::load_with(path, overrides, Access::Folder)
    }

    /// Reads a scene file; `access` says which other files it may name.
    pub fn load_with(
        path: impl AsRef<Path>,
        overrides: &[String],
        access: Access,
    ) -> Result<Self, SceneErrors> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let mut files = include::Files::new(path, access);
        let root = files.read_scene(path, &file);
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::build(root, &file, overrides, &Reach { root: Some(folder), access })
    }

    /// The text of a scene file with the files that it includes merged in; formulas stay as they are.
    pub fn merged(path: impl AsRef<Path>, access: Access) -> Result<String, SceneErrors> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let mut files = include::Files::new(path, access);
        let mut root = files.read_scene(path, &file).map_err(|found| of_at_least_one(found, &file))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        if (Reach { root: Some(folder), access }).name_whole_paths(&mut root) {
            if let Data::Table(items) = &mut root.data {
                items.retain(|(key, _)| key != "include");
            }
            return Ok(write::merged(&root));
        }
        match (&mut root.data, root.place.origin()) {
            (Data::Table(items), _) if items.iter().any(|(key, _)| key == "include") => {
                items.retain(|(key, _)| key != "include");
                Ok(write::merged(&root))
            }
            (_, place::Origin::Text { source, .. }) => Ok(source.text.clone()),
            _ => Ok(write::merged(&root)),
        }
    }

    /// Reads the text of a scene; `file_name` is for messages. Such a scene cannot name files.
    pub fn parse(text: &str, file_name: &str, overrides: &[String]) -> Result<Self, SceneErrors> {
        Self::parse_with(text, file_name, overrides, &Reach { root: None, access: Access::Folder })
    }

    /// Reads a text that [`text`](Self::text) or [`merged`](Self::merged) gave: the files it names are read
    /// wherever they are, because they were allowed when the scene was first read.
    pub fn parse_again(text: &str, file_name: &str, overrides: &[String]) -> Result<Self, SceneErrors> {
        let folder = Path::new(file_name).parent().unwrap_or(Path::new(""));
        Self::parse_with(text, file_name, overrides, &Reach { root: Some(folder), access: Access::Anywhere })
    }

    fn parse_with(
        text: &str,
        file_name: &str,
        overrides: &[String],
        reach: &Reach<'_>,
    ) -> Result<Self, SceneErrors> {
        let source = Arc::new(source::Source::new(file_name, text.to_string(), 0));
        let root = file::check_size(text.len() as u64, file_name)
            .map_err(|error| vec![error])
            .and_then(|()| Node::parse(&source))
            .and_then(|root| include::none(&root).map(|()| root));
        Self::build(root, file_name, overrides, reach)
    }

    fn build(
        root: Result<Node, Vec<SceneError>>,
        file_name: &str,
        overrides: &[String],
        reach: &Reach<'_>,
    ) -> Result<Self, SceneErrors> {
        let mut errors = Vec::new();
        let mut root = match root {
            Ok(root) => root,
            Err(found) => return Err(of_at_least_one(found, file_name)),
        };
        let file: Arc<str> = file_name.into();
        for text in overrides {
            overrides::apply(&mut root, &file, text).unwrap_or_else(|error| errors.push(error));
        }
        if let Some(errors) = SceneErrors::of(std::mem::take(&mut errors)) {
            return Err(errors); // half an override would only raise errors that nobody wrote
        }
        let (parameters, unused_parameters) = parameters::apply(&mut root, &mut errors);
        let mut whole = root.clone();
        reach.name_whole_paths(&mut whole);
        let text = write::evaluated(&whole);
        conform::table(&mut root, &SCENE, &mut errors);
        let scene = Self::read(&root, reach, &mut errors);
        match (SceneErrors::of(errors), scene) {
            (None, Some(scene)) => Ok(Self { parameters, unused_parameters, text, ..scene }),
            (Some(errors), _) => Err(errors),
            (None, None) => Err(of_at_least_one(Vec::new(), file_name)),
        }
    }

    /// Reads a tree that was checked. `None` only if there are errors.
    fn read(root: &Node, reach: &Reach<'_>, errors: &mut Vec<SceneError>) -> Option<Self> {
        let fields = root.fields(&SCENE);
        for applied in ["schema", "include", "parameters"] {
            fields.get(applied); // they have had their effect
        }
        let mut known = Known::of(root);
        let simulation = fields.get("simulation").and_then(|node| SimulationSpec::read(node, errors));
        let nonsmooth = fields.get("nonsmooth").filter(|node| !matches!(node.data, Data::Bad));
        if let Some(node) = fields.get("nonsmooth") {
            refuse_beside_nonsmooth(root, node, errors);
        }
        let nonsmooth = nonsmooth.map(|node| NonsmoothSpec::read(node, errors));
        let is_empty =
            |key| fields.get(key).is_none_or(|n| matches!(&n.data, Data::Table(all) if all.is_empty()));
        if is_empty("bodies") && is_empty("robots") && !fields.has("nonsmooth") {
            errors.push(fields.missing("bodies", NO_BODIES));
        }
        let robots = read_named(fields.get("robots"), |n, node| RobotSpec::read(n, node, reach, errors));
        for (spec, _) in robots.iter().flatten() {
            for (i, name) in spec.bodies.iter().enumerate() {
                known.add_link(name, i > 0 || !spec.is_fixed);
            }
        }
        let blocks = copies::read(fields.get("bodies"), &mut known, errors);
        let bodies =
            read_named(fields.get("bodies"), |n, node| BodySpec::read(n, node, &known, reach, errors));
        let materials =
            read_named(fields.get("materials"), |n, node| MaterialSpec::read(n, node, &known, errors));
        let mut contacts = Vec::new();
        let mut is_whole = true;
        for node in fields.get("contacts").map(Node::list).unwrap_or_default() {
            let contact = ContactSpec::read(node, &known, &contacts, errors);
            is_whole &= contact.is_some();
            contacts.extend(contact);
        }
        let springs = read_named(fields.get("springs"), |n, node| SpringSpec::read(n, node, &known, errors));
        let torsion_springs = read_named(fields.get("torsion_springs"), |n, node| {
            TorsionSpringSpec::read(n, node, &known, errors)
        });
        let pins = read_named(fields.get("pins"), |n, node| PinSpec::read(n, node, &known, errors));
        let joints = read_named(fields.get("joints"), |n, node| JointSpec::read(n, node, &known, errors));
        let sensors = read_named(fields.get("sensors"), |n, node| SensorSpec::read(n, node, &known, errors));
        let (mut bodies, mut joints, mut sensors) = (copies::expand(bodies?, &blocks), joints?, sensors?);
        let mut motors = Vec::new();
        let mut specs = Vec::new();
        for (mut spec, robot) in robots? {
            if let Some(node) = fields.get("robots").and_then(|all| all.entry(&spec.name)) {
                spec.read_stop(node, &known, errors);
            }
            let parts = spec.parts(&robot, errors);
            bodies.extend(parts.bodies);
            joints.extend(parts.joints);
            sensors.extend(parts.sensors);
            motors.extend(parts.actuators);
            specs.push(spec);
        }
        joint::check(&joints, errors);
        let actuators =
            read_named(fields.get("actuators"), |n, node| ActuatorSpec::read(n, node, &joints, errors));
        let mut actuators = actuators?;
        actuators.extend(motors);
        let forces = read_named(fields.get("forces"), |n, node| ForceSpec::read(n, node, &known, errors));
        let mut places = Vec::new();
        root.places(&mut places);
        Some(Self {
            simulation: simulation?,
            materials: materials?,
            bodies,
            joints,
            actuators,
            sensors,
            robots: specs,
            pins: pins?,
            contacts: is_whole.then_some(contacts)?,
            springs: springs?,
            torsion_springs: torsion_springs?,
            forces: forces?,
            nonsmooth: match nonsmooth {
                Some(read) => Some(read?),
                None => None,
            },
            places: places.into_iter().map(|p| (p.key().to_string(), p)).collect(),
            parameters: Vec::new(),
            unused_parameters: Vec::new(),
            text: String::new(),
        })
    }

    /// The scene as one TOML text of its own: includes merged in, overrides and parameters applied.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of the scene as it was written, to be kept beside its results; [`text`](Self::text) if it includes
    /// other files, without which the written one would say little.
    pub fn written(&self) -> &str {
        if self.places.contains_key("include") {
            return &self.text;
        }
        match self.places.get("").map(Place::origin) {
            Some(place::Origin::Text { source, .. }) => &source.text,
            _ => &self.text,
        }
    }

    /// Parameters that no formula uses.
    pub fn unused_parameters(&self) -> &[String] {
        &self.unused_parameters
    }

    /// A body by its name.
    pub fn body(&self, name: &str) -> Option<&BodySpec> {
        self.bodies.iter().find(|b| b.name == name)
    }

    /// A material by its name.
    pub fn material(&self, name: &str) -> Option<&MaterialSpec> {
        self.materials.iter().find(|m| m.name == name)
    }

    /// The first entry of `[[contacts]]` that speaks of two bodies, and the bodies in its order.
    pub fn contact_between<'a>(&self, a: &'a str, b: &'a str) -> Option<(&ContactSpec, [&'a str; 2])> {
        self.contacts.iter().find_map(|c| Some((c, c.matches(a, b)?)))
    }

    /// Where a key path such as `bodies.ball.shape.sphere.radius` stands. A key that is not written is placed at
    /// the innermost table around it.
    pub fn place(&self, key: &str) -> Place {
        let mut outer = key;
        loop {
            match (self.places.get(outer), outer.rfind(['.', '['])) {
                (Some(place), _) => return Place::at(place.origin().clone(), key.to_string()),
                (None, Some(end)) => outer = &outer[..end],
                (None, None) if outer.is_empty() => return self.simulation.place.clone(),
                (None, None) => outer = "",
            }
        }
    }

    /// The error that the value at a key path breaks a rule: prints `file:line:column: key = value must be rule`.
    pub fn error(&self, key: &str, value: impl std::fmt::Display, rule: &str) -> SceneError {
        SceneError::Value { place: self.place(key), value: value.to_string(), rule: rule.to_string() }
    }

    /// Any other error about a key path: prints `file:line:column: key message`.
    pub fn complain(&self, key: &str, message: impl std::fmt::Display) -> SceneError {
        SceneError::Model { place: self.place(key), message: message.to_string() }
    }
}

/// What a system of formulas has no use for.
fn refuse_beside_nonsmooth(root: &Node, nonsmooth: &Node, errors: &mut Vec<SceneError>) {
    const BESIDE: [&str; 5] = ["schema", "include", "parameters", "simulation", "nonsmooth"];
    let simulation = root.entry("simulation");
    let gravity = simulation.and_then(|s| s.entry("gravity"));
    let quantities = simulation.and_then(|s| s.entry("record")?.entry("quantities"));
    let other = nonsmooth.place.key();
    for (name, node) in root.entries().iter().filter(|(name, _)| SCENE.key(name).is_some()) {
        if !BESIDE.contains(&name.as_str()) {
            errors.push(node.excludes(other, "a scene has bodies or a system of formulas"));
        }
    }
    for (node, rule) in [(gravity, "write it into a rate"), (quantities, "all of a system is recorded")] {
        errors.extend(node.map(|node| node.excludes(other, rule)));
    }
}

/// Errors that are there; a scene without one that could not be read is itself an error.
fn of_at_least_one(errors: Vec<SceneError>, file: &str) -> SceneErrors {
    let nothing = SceneError::File { file: file.to_string(), reason: "it holds no scene".to_string() };
    SceneErrors::of(errors).unwrap_or_else(|| nothing.into())
}

/// The entries of a table of named things, in the order of the file; `None` if one could not be read.
fn read_named<T>(node: Option<&Node>, mut read: impl FnMut(&str, &Node) -> Option<T>) -> Option<Vec<T>> {
    let Some(node) = node else { return Some(Vec::new()) };
    if matches!(node.data, Data::Bad) {
        return None;
    }
    // every entry is read, so that every error is found
    let all: Vec<Option<T>> = node
        .entries()
        .iter()
        .map(|(name, node)| if matches!(node.data, Data::Bad) { None } else { read(name, node) })
        .collect();
    all.into_iter().collect()
}
