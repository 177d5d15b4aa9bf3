//! `[bodies.NAME]`.

use super::copies::COPIES;
use super::error::SceneError;
use super::form::{KeyInfo, Kind, TableInfo};
use super::inertia;
use super::known::Known;
use super::orientation::ORIENTATION;
use super::place::Place;
use super::reach::Reach;
use super::read::Fields;
use super::schedule::{MOTION, MotionSpec};
use super::shape::{PosedShape, SHAPE};
use super::tree::{Data, Node};
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
    /// Robot that it is a link of.
    pub robot: Option<String>,
    /// Where the table stands.
    pub place: Place,
}

/// What moves a body.
#[derive(Debug, Clone, PartialEq)]
pub enum BodyKind {
    /// Forces.
    Free,
    /// Forces, as far as the joint that carries it allows.
    Jointed,
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

    /// From a list of words that conform.
    fn read(node: &Node) -> Self {
        let has = |name: &str| node.list().iter().any(|item| item.text() == Some(name));
        let [linear, angular] = Self::NAMES.map(|names| names.map(has));
        Self { linear, angular }
    }
}

pub(crate) static BODY: TableInfo = TableInfo::new(
    "body",
    &[
        KeyInfo::new("fixed", Kind::Flag, "whether the body stands still").default("false"),
        KeyInfo::new("motion", Kind::Table(&MOTION), "prescribed motion"),
        KeyInfo::new("mass", Kind::positive("kg"), "mass; this or `density` for a free body"),
        KeyInfo::new("density", Kind::positive("kg/m³"), "mass per volume of the shapes, instead of `mass`"),
        KeyInfo::new(
            "inertia",
            Kind::Inertia,
            "about the centre of mass, body axes: `[Ixx, Iyy, Izz]`, `[Ixx, Iyy, Izz, Ixy, Ixz, Iyz]` (entries of \
             the matrix: Ixy = −∫xy dm) or three rows; needed by a free body that can turn and whose shapes have no \
             volume (point, plane, tube)",
        )
        .default("from the shapes"),
        KeyInfo::new("center_of_mass", Kind::vector("m"), "in the body frame").default("from the shapes"),
        KeyInfo::new("shape", Kind::Table(&SHAPE), "one shape"),
        KeyInfo::new(
            "shapes",
            Kind::Tables { info: &SHAPE, rule: "a list of at least one shape", can_be_empty: false, most: 10_000 },
            "several shapes, instead of `shape`",
        ),
        KeyInfo::new("position", Kind::vector("m"), "of the body's origin").default("[0, 0, 0]"),
        KeyInfo::new("orientation", Kind::Table(&ORIENTATION), "of the body's frame").default("that of the world"),
        KeyInfo::new("velocity", Kind::vector("m/s"), "of the body's origin, world axes; free bodies")
            .default("[0, 0, 0]"),
        KeyInfo::new("angular_velocity", Kind::vector("rad/s"), "world axes; free bodies").default("[0, 0, 0]"),
        KeyInfo::new(
            "move",
            Kind::Words {
                words: &["x", "y", "z", "rx", "ry", "rz"],
                rule: "a list of some of x, y, z, rx, ry, rz (a body that does not move is fixed = true)",
                can_be_empty: false,
            },
            "motions a free body has, along and about the world's axes; the others are locked",
        )
        .default("all"),
        KeyInfo::new(
            "start",
            Kind::Word(&["given", "rest"]),
            "`\"rest\"`: settled on its contacts, without velocity; free bodies",
        )
        .default("`\"given\"`: as the other keys say"),
        KeyInfo::new("copies", Kind::Table(&COPIES), "a block of such bodies in rows; free bodies"),
    ],
);

impl BodySpec {
    /// Whether forces move it.
    pub fn is_free(&self) -> bool {
        matches!(self.kind, BodyKind::Free | BodyKind::Jointed)
    }

    pub(crate) fn read(
        name: &str,
        node: &Node,
        known: &Known<'_>,
        reach: &Reach<'_>,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let fields = node.fields(&BODY);
        let joint = known.joint_of(name);
        let kind = match (read_kind(&fields, errors), joint) {
            (Some(BodyKind::Free), Some(_)) => Some(BodyKind::Jointed),
            (kind, _) => kind,
        };
        let shapes = read_shapes(&fields, reach, errors);
        let mass = read_mass(&fields, errors);
        let orientation = fields.orientation(errors);
        let position = match &kind {
            Some(BodyKind::Driven(MotionSpec::Table { positions, .. })) => {
                fields.refuse("position", "motion.table", "the table says where the body is", errors);
                positions.first().copied()
            }
            _ => fields.vector("position"),
        };
        let mut body = Self {
            name: name.to_string(),
            kind: kind?,
            mass,
            inertia: fields.get("inertia").and_then(inertia::read),
            center_of_mass: fields.vector("center_of_mass"),
            shapes: Vec::new(),
            pose: Isometry3::from_parts(Translation3::from(position.unwrap_or_default()), orientation),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
            freedoms: Freedoms::ALL,
            start: Start::AsGiven,
            robot: None,
            place: node.place.clone(),
        };
        match body.kind {
            BodyKind::Free => {
                body.read_free(&fields, errors);
                check_mass(&fields, shapes.as_deref(), body.freedoms, errors);
            }
            BodyKind::Jointed => {
                let beside = format!("joints.{}", joint.unwrap_or_default());
                for key in
                    ["position", "orientation", "velocity", "angular_velocity", "move", "start", "copies"]
                {
                    fields.refuse(key, &beside, "the joint says where the body is and how it moves", errors);
                }
                // without shape and inertia it is a point mass, which a joint can carry
                let held = Freedoms { linear: [true; 3], angular: [false; 3] };
                check_mass(&fields, shapes.as_deref(), held, errors);
            }
            BodyKind::Fixed => refuse_free(&fields, "fixed", "a fixed body does not move", errors),
            BodyKind::Driven(_) => refuse_free(&fields, "motion", "motion says how the body moves", errors),
        }
        body.shapes = shapes?;
        Some(body)
    }

    /// What only a free body has.
    fn read_free(&mut self, fields: &Fields<'_>, errors: &mut Vec<SceneError>) {
        if let Some(node) = fields.get("move").filter(|n| matches!(n.data, Data::List(_))) {
            self.freedoms = Freedoms::read(node);
        }
        if fields.text("start") == Some("rest") {
            self.start = Start::Rest;
            let rule = "a body that starts at rest has no velocity";
            fields.refuse("velocity", "start", rule, errors);
            fields.refuse("angular_velocity", "start", rule, errors);
        }
        let linear = (self.freedoms.linear, Freedoms::NAMES[0]);
        self.velocity = read_velocity(fields, "velocity", "m/s", linear, errors);
        let angular = (self.freedoms.angular, Freedoms::NAMES[1]);
        self.angular_velocity = read_velocity(fields, "angular_velocity", "rad/s", angular, errors);
    }
}

/// Mass and inertia are given or follow from the shapes.
fn check_mass(
    fields: &Fields<'_>,
    shapes: Option<&[PosedShape]>,
    freedoms: Freedoms,
    errors: &mut Vec<SceneError>,
) {
    let Some(shapes) = shapes else { return };
    let has_volume = shapes.iter().any(|s| s.shape.has_volume());
    match (fields.has("mass"), fields.get("density")) {
        (false, None) => {
            errors.push(fields.missing("mass", "mass (kg), or density (kg/m³), or fixed = true"));
        }
        (false, Some(density)) if !has_volume => {
            errors.push(density.wrong("given for a body with a shape that has a volume; give mass"));
        }
        _ => {}
    }
    let has_move = fields.get("move").is_none_or(|n| matches!(n.data, Data::List(_)));
    if !fields.has("inertia") && !has_volume && freedoms.can_turn() && has_move {
        let what = "the inertia (kg m²): no shape of the body has a volume; or move = [\"x\", \"y\", \"z\"]";
        errors.push(fields.missing("inertia", what));
    }
}

fn read_kind(fields: &Fields<'_>, errors: &mut Vec<SceneError>) -> Option<BodyKind> {
    let is_fixed = match fields.get("fixed") {
        Some(_) => fields.flag("fixed")?,
        None => false,
    };
    match fields.get("motion") {
        Some(motion) if is_fixed => {
            errors.push(motion.excludes("fixed", "a fixed body does not move"));
            None
        }
        Some(motion) => MotionSpec::read(motion, errors).map(BodyKind::Driven),
        None if is_fixed => Some(BodyKind::Fixed),
        None => Some(BodyKind::Free),
    }
}

fn read_mass(fields: &Fields<'_>, errors: &mut Vec<SceneError>) -> Option<MassSpec> {
    match (fields.get("mass"), fields.get("density")) {
        (Some(_), Some(density)) => {
            errors.push(density.excludes("mass", "give one of them"));
            None
        }
        (Some(mass), None) => mass.number().map(MassSpec::Mass),
        (None, Some(density)) => density.number().map(MassSpec::Density),
        (None, None) => None,
    }
}

/// `None` if a shape was refused.
fn read_shapes(
    fields: &Fields<'_>,
    reach: &Reach<'_>,
    errors: &mut Vec<SceneError>,
) -> Option<Vec<PosedShape>> {
    match (fields.get("shape"), fields.get("shapes")) {
        (Some(_), Some(shapes)) => {
            errors.push(shapes.excludes("shape", "put all shapes into shapes"));
            None
        }
        (Some(shape), None) => Some(vec![PosedShape::read(shape, reach, errors)?]),
        (None, Some(shapes)) if matches!(shapes.data, Data::Bad) => None,
        (None, Some(shapes)) => {
            let all: Vec<_> = shapes.list().iter().map(|s| PosedShape::read(s, reach, errors)).collect();
            all.into_iter().collect()
        }
        (None, None) => Some(Vec::new()),
    }
}

/// A velocity without components that `move` locks.
fn read_velocity(
    fields: &Fields<'_>,
    key: &str,
    unit: &str,
    (free, names): ([bool; 3], [&str; 3]),
    errors: &mut Vec<SceneError>,
) -> Vector3<f64> {
    let Some(node) = fields.get(key) else { return Vector3::zeros() };
    for (i, item) in node.list().iter().enumerate() {
        if !free[i] && item.number().is_some_and(|x| x != 0.0) {
            errors.push(item.wrong(format!("0: move does not have {} ({unit})", names[i])));
        }
    }
    node.vector().unwrap_or_default()
}

fn refuse_free(fields: &Fields<'_>, beside: &str, rule: &str, errors: &mut Vec<SceneError>) {
    for name in ["velocity", "angular_velocity", "move", "start", "copies"] {
        fields.refuse(name, beside, rule, errors);
    }
}
