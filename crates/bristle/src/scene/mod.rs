//! Scene files: TOML in, checked and resolved values out.
//!
//! Every refusal is one line that names file, line, key, value and rule, and every item of a [`Scene`] keeps its
//! [`Place`], so that what the model finds later can be said the same way. Units are SI; angles are degrees in the
//! file and radians here. `docs/scenes.md` is the reference of the format.
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
//! let error = Scene::parse(text, "ball.toml", &[]).unwrap_err();
//! assert_eq!(error.to_string(), "ball.toml:6: bodies.ball.mass = -0.154 must be > 0 (kg)");
//! let scene = Scene::parse(text, "ball.toml", &["bodies.ball.mass=0.154".to_string()])?;
//! assert_eq!(scene.body("ball").map(|b| b.place.line()), Some(Some(5)));
//! # Ok::<(), bristle::scene::SceneError>(())
//! ```

mod body;
mod contact;
mod design;
mod element;
mod error;
mod inertia;
mod material;
mod overrides;
mod place;
mod read;
mod schedule;
mod shape;
mod simulation;
mod tree;

pub use crate::schedule::Schedule;
pub use body::{BodyKind, BodySpec, Freedoms, MassSpec, Start};
pub use contact::{ContactRule, ContactSpec, Who};
pub use design::DesignSpec;
pub use element::{Anchor, ForceFrame, ForceSpec, LoadSpec, SpringSpec, TorsionSpringSpec};
pub use error::SceneError;
pub use material::{LawSpec, MaterialSpec};
pub use place::Place;
pub use schedule::MotionSpec;
pub use shape::{BallSpec, PosedShape, ShapeSpec};
pub use simulation::{IntegratorSpec, Method, Quantity, RecordSpec, SimulationSpec};

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tree::Node;

/// A checked scene. Lists are in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// `[simulation]`
    pub simulation: SimulationSpec,
    /// `[materials.NAME]`
    pub materials: Vec<MaterialSpec>,
    /// `[bodies.NAME]`; at least one
    pub bodies: Vec<BodySpec>,
    /// `[[contacts]]`
    pub contacts: Vec<ContactSpec>,
    /// `[springs.NAME]`
    pub springs: Vec<SpringSpec>,
    /// `[torsion_springs.NAME]`
    pub torsion_springs: Vec<TorsionSpringSpec>,
    /// `[forces.NAME]`
    pub forces: Vec<ForceSpec>,
    places: BTreeMap<String, Place>,
}

impl Scene {
    /// Reads a scene file, with overrides such as `bodies.ball.velocity=[1,0,0]`.
    pub fn load(path: impl AsRef<Path>, overrides: &[String]) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let bytes = std::fs::read(path)
            .map_err(|error| SceneError::File { file: file.clone(), reason: error.to_string() })?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + bytes.iter().take(error.valid_up_to()).filter(|b| **b == b'\n').count();
            SceneError::Syntax { place: Place::new(&file, line, ""), message: "not UTF-8 text".to_string() }
        })?;
        Self::parse(text, &file, overrides)
    }

    /// Reads the text of a scene; `file_name` is for messages.
    pub fn parse(text: &str, file_name: &str, overrides: &[String]) -> Result<Self, SceneError> {
        let file: Arc<str> = file_name.into();
        let mut root = Node::parse(text, &file)?;
        for text in overrides {
            overrides::apply(&mut root, &file, text)?;
        }
        Self::read(&root)
    }

    fn read(root: &Node) -> Result<Self, SceneError> {
        let fields = root.fields(&[
            "schema",
            "simulation",
            "materials",
            "bodies",
            "contacts",
            "springs",
            "torsion_springs",
            "forces",
        ])?;
        let schema = fields.need("schema", "the version of the format: schema = 1")?;
        if schema.number("")? != 1.0 {
            return Err(schema.wrong("1, the version of the format that this release reads"));
        }
        let simulation = SimulationSpec::read(fields.need("simulation", "[simulation] with duration (s)")?)?;
        let node = fields.need("bodies", "at least one body: [bodies.NAME]")?;
        let bodies = read_named(Some(node), BodySpec::read)?;
        if bodies.is_empty() {
            return Err(fields.missing("bodies", "at least one body: [bodies.NAME]"));
        }
        let materials = read_named(fields.get("materials"), |n, node| MaterialSpec::read(n, node, &bodies))?;
        let mut contacts = Vec::new();
        if let Some(list) = fields.get("contacts") {
            for node in list.list("a list of tables: [[contacts]]")? {
                contacts.push(ContactSpec::read(node, &bodies, &materials, &contacts)?);
            }
        }
        let springs = read_named(fields.get("springs"), |n, node| SpringSpec::read(n, node, &bodies))?;
        let torsion_springs =
            read_named(fields.get("torsion_springs"), |n, node| TorsionSpringSpec::read(n, node, &bodies))?;
        let forces = read_named(fields.get("forces"), |n, node| ForceSpec::read(n, node, &bodies))?;
        let mut places = Vec::new();
        root.places(&mut places);
        let places = places.into_iter().map(|p| (p.key().to_string(), p)).collect();
        Ok(Self { simulation, materials, bodies, contacts, springs, torsion_springs, forces, places })
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
            if let Some(place) = self.places.get(outer) {
                return Place::at(place.origin().clone(), key.to_string());
            }
            match outer.rfind(['.', '[']) {
                Some(end) => outer = &outer[..end],
                None if outer.is_empty() => return Place::new("", 1, key),
                None => outer = "",
            }
        }
    }

    /// The error that the value at a key path breaks a rule: prints `file:line: key = value must be rule`.
    pub fn error(&self, key: &str, value: impl std::fmt::Display, rule: &str) -> SceneError {
        SceneError::Value { place: self.place(key), value: value.to_string(), rule: rule.to_string() }
    }

    /// Any other error about a key path: prints `file:line: key message`.
    pub fn complain(&self, key: &str, message: impl std::fmt::Display) -> SceneError {
        SceneError::Model { place: self.place(key), message: message.to_string() }
    }
}

/// The entries of a table of named things, in the order of the file.
fn read_named<T>(
    node: Option<&Node>,
    read: impl Fn(&str, &Node) -> Result<T, SceneError>,
) -> Result<Vec<T>, SceneError> {
    let items = node.map(Node::named).transpose()?.unwrap_or_default();
    items
        .iter()
        .map(|(name, node)| {
            if name.trim().is_empty() || name == "*" || name == "world" || name.contains(char::is_control) {
                return Err(node.complain("is no name: it must be a word other than world and *"));
            }
            read(name, node)
        })
        .collect()
}
