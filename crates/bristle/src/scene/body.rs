//! `[bodies.NAME]`.

use super::error::SceneError;
use super::inertia;
use super::place::Place;
use super::read::Fields;
use super::schedule::MotionSpec;
use super::shape::PosedShape;
use super::tree::Node;
use nalgebra::{Isometry3, Matrix3, Translation3, Vector3};

/// `[bodies.NAME]`.
#[derive(Debug, Clone, PartialEq)]
pub struct BodySpec {
    /// Name.
    pub name: String,
    /// Free, fixed or driven.
    pub kind: BodyKind,
    /// Mass or density; always given for a free body, without meaning for others.
    pub mass: Option<MassSpec>,
    /// About the centre of mass in body axes, kg m²; `None`: from the shapes. A free body that can turn and has
    /// no shape with a volume has it given.
    pub inertia: Option<Matrix3<f64>>,
    /// In the body frame, m; `None`: from the shapes, or the origin if none of them has a volume.
    pub center_of_mass: Option<Vector3<f64>>,
    /// Shapes with their poses on the body; may be empty.
    pub shapes: Vec<PosedShape>,
    /// Body frame in the world at the start.
    pub pose: Isometry3<f64>,
    /// Velocity of the body's origin, world axes, m/s; zero unless the body is free.
    pub velocity: Vector3<f64>,
    /// World axes, rad/s; zero unless the body is free.
    pub angular_velocity: Vector3<f64>,
    /// Directions in which a free body may move.
    pub freedoms: Freedoms,
    /// How a free body starts.
    pub start: Start,
    /// Where the table stands.
    pub place: Place,
}

/// What moves a body.
#[derive(Debug, Clone, PartialEq)]
pub enum BodyKind {
    /// Forces.
    Free,
    /// Nothing.
    Fixed,
    /// A prescribed motion.
    Driven(MotionSpec),
}

/// How the mass is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MassSpec {
    /// kg
    Mass(f64),
    /// kg/m³, times the volume of the shapes
    Density(f64),
}

/// How a free body starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// As the scene says.
    AsGiven,
    /// Settled on its contacts, at rest.
    Rest,
}

/// Which of the six motions a body has; world axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freedoms {
    /// Translation along x, y, z.
    pub linear: [bool; 3],
    /// Rotation about x, y, z.
    pub angular: [bool; 3],
}

impl Freedoms {
    /// All six.
    pub const ALL: Self = Self { linear: [true; 3], angular: [true; 3] };

    /// Names in scenes: translations, rotations.
    pub const NAMES: [[&'static str; 3]; 2] = [["x", "y", "z"], ["rx", "ry", "rz"]];

    /// Whether nothing is locked.
    pub fn is_all(&self) -> bool {
        *self == Self::ALL
    }

    /// Whether the body can turn.
    pub fn can_turn(&self) -> bool {
        self.angular.contains(&true)
    }

    fn read(node: &Node) -> Result<Self, SceneError> {
        let rule = "a list of some of x, y, z, rx, ry, rz (a body that does not move is fixed = true)";
        let mut freedoms = Self { linear: [false; 3], angular: [false; 3] };
        let items = node.list(rule)?;
        if items.is_empty() {
            return Err(node.wrong(rule));
        }
        for item in items {
            let words: Vec<(&str, (usize, usize))> = Self::NAMES
                .iter()
                .enumerate()
                .flat_map(|(group, names)| names.iter().enumerate().map(move |(i, n)| (*n, (group, i))))
                .collect();
            let (group, i) = item.choice(&words)?;
            let flags = if group == 0 { &mut freedoms.linear } else { &mut freedoms.angular };
            if std::mem::replace(&mut flags[i], true) {
                return Err(item.wrong("given once"));
            }
        }
        Ok(freedoms)
    }
}

const KEYS: [&str; 14] = [
    "fixed",
    "motion",
    "mass",
    "density",
    "inertia",
    "center_of_mass",
    "shape",
    "shapes",
    "position",
    "orientation",
    "velocity",
    "angular_velocity",
    "move",
    "start",
];

impl BodySpec {
    /// Whether forces move it.
    pub fn is_free(&self) -> bool {
        matches!(self.kind, BodyKind::Free)
    }

    pub(crate) fn read(name: &str, node: &Node) -> Result<Self, SceneError> {
        let fields = node.fields(&KEYS)?;
        let kind = read_kind(&fields)?;
        let position = fields.read("position", |n| n.vector("m"))?;
        let position = match &kind {
            BodyKind::Driven(MotionSpec::Table { positions, .. }) => {
                fields.refuse("position", "motion.table", "the table says where the body is")?;
                positions.first().copied().unwrap_or_default()
            }
            _ => position.unwrap_or_default(),
        };
        let orientation = fields.read("orientation", Node::orientation)?.unwrap_or_default();
        let mut body = Self {
            name: name.to_string(),
            kind,
            mass: read_mass(&fields)?,
            inertia: fields.read("inertia", inertia::read)?,
            center_of_mass: fields.read("center_of_mass", |n| n.vector("m"))?,
            shapes: read_shapes(&fields)?,
            pose: Isometry3::from_parts(Translation3::from(position), orientation),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
            freedoms: Freedoms::ALL,
            start: Start::AsGiven,
            place: node.place.clone(),
        };
        match body.kind {
            BodyKind::Free => body.read_free(&fields)?,
            BodyKind::Fixed => refuse_free(&fields, "fixed", "a fixed body does not move")?,
            BodyKind::Driven(_) => refuse_free(&fields, "motion", "motion says how the body moves")?,
        }
        Ok(body)
    }

    /// What only a free body has, and what it must have.
    fn read_free(&mut self, fields: &Fields<'_>) -> Result<(), SceneError> {
        if let Some(freedoms) = fields.read("move", Freedoms::read)? {
            self.freedoms = freedoms;
        }
        if let Some(start) = fields.read("start", |n| n.choice(&[("rest", Start::Rest)]))? {
            self.start = start;
            let rule = "a body that starts at rest has no velocity";
            fields.refuse("velocity", "start", rule)?;
            fields.refuse("angular_velocity", "start", rule)?;
        }
        let linear = (self.freedoms.linear, Freedoms::NAMES[0]);
        if let Some(velocity) = fields.read("velocity", |n| read_velocity(n, "m/s", linear))? {
            self.velocity = velocity;
        }
        let angular = (self.freedoms.angular, Freedoms::NAMES[1]);
        if let Some(velocity) = fields.read("angular_velocity", |n| read_velocity(n, "rad/s", angular))? {
            self.angular_velocity = velocity;
        }
        self.check_mass(fields)
    }

    fn check_mass(&self, fields: &Fields<'_>) -> Result<(), SceneError> {
        let has_volume = self.shapes.iter().any(|s| s.shape.has_volume());
        match self.mass {
            None => return Err(fields.missing("mass", "mass (kg), or density (kg/m³), or fixed = true")),
            Some(MassSpec::Density(_)) if !has_volume => {
                let node = fields.need("density", "")?;
                return Err(node.wrong("given for a body with a shape that has a volume; give mass"));
            }
            Some(_) => {}
        }
        if self.inertia.is_none() && !has_volume && self.freedoms.can_turn() {
            let what =
                "the inertia (kg m²): no shape of the body has a volume; or move = [\"x\", \"y\", \"z\"]";
            return Err(fields.missing("inertia", what));
        }
        Ok(())
    }
}

fn read_kind(fields: &Fields<'_>) -> Result<BodyKind, SceneError> {
    let is_fixed = fields.read("fixed", Node::flag)?.unwrap_or(false);
    match fields.get("motion") {
        Some(motion) if is_fixed => Err(motion.excludes("fixed", "a fixed body does not move")),
        Some(motion) => Ok(BodyKind::Driven(MotionSpec::read(motion)?)),
        None if is_fixed => Ok(BodyKind::Fixed),
        None => Ok(BodyKind::Free),
    }
}

fn read_mass(fields: &Fields<'_>) -> Result<Option<MassSpec>, SceneError> {
    match (fields.get("mass"), fields.get("density")) {
        (Some(_), Some(density)) => Err(density.excludes("mass", "give one of them")),
        (Some(mass), None) => Ok(Some(MassSpec::Mass(mass.positive("kg")?))),
        (None, Some(density)) => Ok(Some(MassSpec::Density(density.positive("kg/m³")?))),
        (None, None) => Ok(None),
    }
}

fn read_shapes(fields: &Fields<'_>) -> Result<Vec<PosedShape>, SceneError> {
    match (fields.get("shape"), fields.get("shapes")) {
        (Some(_), Some(shapes)) => Err(shapes.excludes("shape", "put all shapes into shapes")),
        (Some(shape), None) => Ok(vec![PosedShape::read(shape)?]),
        (None, Some(shapes)) => {
            let rule = "a list of at least one shape";
            match shapes.list(rule)? {
                [] => Err(shapes.wrong(rule)),
                items => items.iter().map(PosedShape::read).collect(),
            }
        }
        (None, None) => Ok(Vec::new()),
    }
}

/// A velocity without components that `move` locks.
fn read_velocity(
    node: &Node,
    unit: &str,
    (free, names): ([bool; 3], [&str; 3]),
) -> Result<Vector3<f64>, SceneError> {
    let velocity = node.vector(unit)?;
    for (i, item) in node.list("")?.iter().enumerate() {
        if !free[i] && velocity[i] != 0.0 {
            return Err(item.wrong(format!("0: move does not have {} ({unit})", names[i])));
        }
    }
    Ok(velocity)
}

fn refuse_free(fields: &Fields<'_>, beside: &str, rule: &str) -> Result<(), SceneError> {
    ["velocity", "angular_velocity", "move", "start"]
        .iter()
        .try_for_each(|name| fields.refuse(name, beside, rule))
}
