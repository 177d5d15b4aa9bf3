//! `[springs.NAME]`, `[torsion_springs.NAME]` and `[forces.NAME]`.

use super::error::SceneError;
use super::form::{KeyInfo, Kind, TableInfo};
use super::known::Known;
use super::place::Place;
use super::read::Fields;
use super::schedule::{FORCE_SCHEDULE, TORQUE_SCHEDULE};
use super::tree::Node;
use crate::schedule::Schedule;
use nalgebra::{Unit, Vector3};

/// One end of a spring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Anchor {
    /// The world frame.
    World,
    /// A body by its name.
    Body(String),
}

/// A straight spring and damper between two points.
#[derive(Debug, Clone, PartialEq)]
pub struct SpringSpec {
    /// Name.
    pub name: String,
    /// What it joins; two different things.
    pub between: [Anchor; 2],
    /// End points, each in the frame of its body or of the world, m.
    pub points: [Vector3<f64>; 2],
    /// N/m, ≥ 0; 0 if not given.
    pub stiffness: f64,
    /// N s/m, ≥ 0; 0 if not given.
    pub damping: f64,
    /// m, ≥ 0; `None`: the distance at the start.
    pub rest_length: Option<f64>,
    /// Where the table stands.
    pub place: Place,
}

/// Holds a point of one thing to a point of another, in all directions.
#[derive(Debug, Clone, PartialEq)]
pub struct PinSpec {
    /// Name.
    pub name: String,
    /// What it joins; two different things.
    pub between: [Anchor; 2],
    /// The points, each in the frame of its body or of the world, m.
    pub points: [Vector3<f64>; 2],
    /// N/m, > 0.
    pub stiffness: f64,
    /// N s/m, ≥ 0; 0 if not given.
    pub damping: f64,
    /// Where the table stands.
    pub place: Place,
}

/// A spring and damper against turning about an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct TorsionSpringSpec {
    /// Name.
    pub name: String,
    /// What it joins; two different things.
    pub between: [Anchor; 2],
    /// Axis in the frame of the first.
    pub axis: Unit<Vector3<f64>>,
    /// N m/rad, ≥ 0; 0 if not given.
    pub stiffness: f64,
    /// N m s/rad, ≥ 0; 0 if not given.
    pub damping: f64,
    /// Turn of the second about the axis, seen from the first, at which the spring is relaxed, rad; `None`: the
    /// one at the start.
    pub rest_angle: Option<f64>,
    /// Where the table stands.
    pub place: Place,
}

/// A force or torque applied to a body.
#[derive(Debug, Clone, PartialEq)]
pub struct ForceSpec {
    /// Name.
    pub name: String,
    /// Body it acts on; never a fixed or driven one.
    pub on: String,
    /// What it is.
    pub load: LoadSpec,
    /// Axes of the schedule's vectors.
    pub frame: ForceFrame,
    /// Where the table stands.
    pub place: Place,
}

/// What acts on the body.
#[derive(Debug, Clone, PartialEq)]
pub enum LoadSpec {
    /// A force at a point.
    Force {
        /// N
        schedule: Schedule,
        /// Point of action in the body frame, m; `None`: the centre of mass.
        at: Option<Vector3<f64>>,
    },
    /// A torque, N m.
    Torque(Schedule),
}

/// In which axes the vectors of a force are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForceFrame {
    /// World axes.
    World,
    /// Axes of the body: the force turns with it.
    Body,
}

const ENDS: &str = "two names: bodies, or a body and \"world\"";
const ENDS_KEY: KeyInfo = KeyInfo::new(
    "between",
    Kind::Pair { rule: ENDS, each: "the name of a body, or \"world\"" },
    "two bodies, or a body and `\"world\"`; at least one is free",
)
.need(ENDS);
const POINTS: &str = "two points [[x, y, z], [x, y, z]] (m), each in the frame of its body";

pub(crate) static SPRING: TableInfo = TableInfo::new(
    "spring",
    &[
        ENDS_KEY,
        KeyInfo::new(
            "points",
            Kind::Points { rule: POINTS },
            "the two ends, each in the frame of its body, m",
        )
        .need(POINTS),
        KeyInfo::new("stiffness", Kind::not_negative("N/m"), "stiffness; this, `damping` or both")
            .default("0"),
        KeyInfo::new("damping", Kind::not_negative("N s/m"), "damping").default("0"),
        KeyInfo::new("rest_length", Kind::not_negative("m"), "length without force")
            .default("that at the start"),
    ],
);

pub(crate) static PIN: TableInfo = TableInfo::new(
    "pin",
    &[
        ENDS_KEY,
        KeyInfo::new(
            "points",
            Kind::Points { rule: POINTS },
            "the points that it holds together, each in the frame of its body, m",
        )
        .need(POINTS),
        KeyInfo::new("stiffness", Kind::positive("N/m"), "in every direction").need("the stiffness (N/m)"),
        KeyInfo::new("damping", Kind::not_negative("N s/m"), "in every direction").default("0"),
    ],
);

pub(crate) static TORSION_SPRING: TableInfo = TableInfo::new(
    "torsion_spring",
    &[
        ENDS_KEY,
        KeyInfo::new("axis", Kind::Direction, "in the frame of the first body")
            .need("the axis, in the frame of the first body"),
        KeyInfo::new("stiffness", Kind::not_negative("N m/rad"), "stiffness; this, `damping` or both")
            .default("0"),
        KeyInfo::new("damping", Kind::not_negative("N m s/rad"), "damping").default("0"),
        KeyInfo::new(
            "rest_angle",
            Kind::number("degrees"),
            "turn of the second body about the axis, as seen from the first, without torque",
        )
        .default("that at the start"),
    ],
);

pub(crate) static FORCE: TableInfo = TableInfo::new(
    "force",
    &[
        KeyInfo::new("on", Kind::Text { rule: "the name of a body" }, "a free body")
            .need("the name of a body"),
        KeyInfo::new("at", Kind::vector("m"), "point of the body frame where `force` acts")
            .default("the centre of mass"),
        KeyInfo::new("force", Kind::Table(&FORCE_SCHEDULE), "force; this or `torque`"),
        KeyInfo::new("torque", Kind::Table(&TORQUE_SCHEDULE), "torque; it has no point"),
        KeyInfo::new("frame", Kind::Word(&["world", "body"]), "axes of the vectors").default("\"world\""),
    ],
);

fn anchors(fields: &Fields<'_>, known: &Known<'_>, errors: &mut Vec<SceneError>) -> Option<[Anchor; 2]> {
    let node = fields.get("between")?;
    let [a, b] = node.list() else { return None };
    let [a, b] = [a, b].map(|node| match node.text()? {
        "world" => Some((Anchor::World, false)),
        _ => known.body(node, errors).map(|name| (Anchor::Body(name.to_string()), known.is_free(name))),
    });
    let ((a, a_is_free), (b, b_is_free)) = (a?, b?);
    if a == b {
        errors.push(node.wrong("two different things"));
    } else if !(a_is_free || b_is_free) {
        errors.push(node.wrong("at least one body that is free to move"));
    }
    Some([a, b])
}

/// Stiffness and damping, at least one of them given.
fn strength(fields: &Fields<'_>, units: [&str; 2], errors: &mut Vec<SceneError>) -> (f64, f64) {
    if !fields.has("stiffness") && !fields.has("damping") {
        let what = format!("stiffness ({}), damping ({}) or both", units[0], units[1]);
        errors.push(fields.missing("stiffness", &what));
    }
    (fields.number("stiffness").unwrap_or(0.0), fields.number("damping").unwrap_or(0.0))
}

impl SpringSpec {
    pub(crate) fn read(
        name: &str,
        node: &Node,
        known: &Known<'_>,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let fields = node.fields(&SPRING);
        let between = anchors(&fields, known, errors);
        let (stiffness, damping) = strength(&fields, ["N/m", "N s/m"], errors);
        let points = fields.get("points")?.vectors()?.try_into().ok()?;
        let rest_length = fields.number("rest_length");
        let (name, place) = (name.to_string(), node.place.clone());
        Some(Self { name, between: between?, points, stiffness, damping, rest_length, place })
    }
}

impl PinSpec {
    pub(crate) fn read(
        name: &str,
        node: &Node,
        known: &Known<'_>,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let fields = node.fields(&PIN);
        let between = anchors(&fields, known, errors);
        let points = fields.get("points")?.vectors()?.try_into().ok()?;
        let (stiffness, damping) = (fields.number("stiffness"), fields.number("damping").unwrap_or(0.0));
        let (name, place) = (name.to_string(), node.place.clone());
        Some(Self { name, between: between?, points, stiffness: stiffness?, damping, place })
    }
}

impl TorsionSpringSpec {
    pub(crate) fn read(
        name: &str,
        node: &Node,
        known: &Known<'_>,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let fields = node.fields(&TORSION_SPRING);
        let between = anchors(&fields, known, errors);
        let (stiffness, damping) = strength(&fields, ["N m/rad", "N m s/rad"], errors);
        let rest_angle = fields.angle("rest_angle");
        let (name, place) = (name.to_string(), node.place.clone());
        let axis = fields.direction("axis")?;
        Some(Self { name, between: between?, axis, stiffness, damping, rest_angle, place })
    }
}

impl ForceSpec {
    pub(crate) fn read(
        name: &str,
        node: &Node,
        known: &Known<'_>,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let fields = node.fields(&FORCE);
        let on = fields.get("on").and_then(|on| {
            let body = known.body(on, errors)?;
            if !known.is_free(body) {
                errors.push(on.wrong("a body that is free to move"));
            }
            Some(body.to_string())
        });
        let load = match (fields.get("force"), fields.get("torque")) {
            (Some(force), None) => Schedule::read(force, &FORCE_SCHEDULE, errors)
                .map(|schedule| LoadSpec::Force { schedule, at: fields.vector("at") }),
            (None, Some(torque)) => {
                fields.refuse("at", "torque", "a torque has no point of action", errors);
                Schedule::read(torque, &TORQUE_SCHEDULE, errors).map(LoadSpec::Torque)
            }
            (Some(_), Some(torque)) => {
                errors.push(torque.excludes("force", "write two entries of [forces]"));
                None
            }
            (None, None) => {
                errors.push(fields.missing("force", "force (N) or torque (N m)"));
                None
            }
        };
        let frames = [("world", ForceFrame::World), ("body", ForceFrame::Body)];
        let frame = fields.word("frame", &frames).unwrap_or(ForceFrame::World);
        Some(Self { name: name.to_string(), on: on?, load: load?, frame, place: node.place.clone() })
    }
}
