//! `[springs.NAME]`, `[torsion_springs.NAME]` and `[forces.NAME]`.

use super::body::{BodyKind, BodySpec};
use super::error::SceneError;
use super::place::Place;
use super::read::Fields;
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

/// Body names, for references to them.
pub(crate) fn find<'a>(node: &Node, bodies: &'a [BodySpec]) -> Result<&'a BodySpec, SceneError> {
    let name = node.text("the name of a body")?;
    let names = || bodies.iter().map(|b| b.name.as_str());
    bodies.iter().find(|b| b.name == name).ok_or_else(|| node.no_such("body", name, names()))
}

fn anchors(fields: &Fields<'_>, bodies: &[BodySpec]) -> Result<[Anchor; 2], SceneError> {
    let rule = "two names: bodies, or a body and \"world\"";
    let node = fields.need("between", rule)?;
    let [a, b] = node.array::<2>(rule)?;
    let anchor = |node: &Node| match node.text("the name of a body, or \"world\"")? {
        "world" => Ok((Anchor::World, false)),
        _ => find(node, bodies).map(|b| (Anchor::Body(b.name.clone()), b.is_free())),
    };
    let ((a, a_is_free), (b, b_is_free)) = (anchor(a)?, anchor(b)?);
    if a == b {
        return Err(node.wrong("two different things"));
    }
    if !(a_is_free || b_is_free) {
        return Err(node.wrong("at least one body that is free to move"));
    }
    Ok([a, b])
}

/// Stiffness and damping, at least one of them given.
fn strength(fields: &Fields<'_>, units: [&str; 2]) -> Result<(f64, f64), SceneError> {
    let stiffness = fields.read("stiffness", |n| n.not_negative(units[0]))?;
    let damping = fields.read("damping", |n| n.not_negative(units[1]))?;
    if stiffness.is_none() && damping.is_none() {
        let what = format!("stiffness ({}), damping ({}) or both", units[0], units[1]);
        return Err(fields.missing("stiffness", &what));
    }
    Ok((stiffness.unwrap_or(0.0), damping.unwrap_or(0.0)))
}

impl SpringSpec {
    pub(crate) fn read(name: &str, node: &Node, bodies: &[BodySpec]) -> Result<Self, SceneError> {
        let fields = node.fields(&["between", "points", "stiffness", "damping", "rest_length"])?;
        let between = anchors(&fields, bodies)?;
        let rule = "two points [[x, y, z], [x, y, z]] (m), each in the frame of its body";
        let [a, b] = fields.need("points", rule)?.array::<2>(rule)?;
        let points = [a.vector("m")?, b.vector("m")?];
        let (stiffness, damping) = strength(&fields, ["N/m", "N s/m"])?;
        let rest_length = fields.read("rest_length", |n| n.not_negative("m"))?;
        let (name, place) = (name.to_string(), node.place.clone());
        Ok(Self { name, between, points, stiffness, damping, rest_length, place })
    }
}

impl TorsionSpringSpec {
    pub(crate) fn read(name: &str, node: &Node, bodies: &[BodySpec]) -> Result<Self, SceneError> {
        let fields = node.fields(&["between", "axis", "stiffness", "damping", "rest_angle"])?;
        let between = anchors(&fields, bodies)?;
        let axis = fields.need("axis", "the axis, in the frame of the first body")?.direction()?;
        let (stiffness, damping) = strength(&fields, ["N m/rad", "N m s/rad"])?;
        let rest_angle = fields.read("rest_angle", Node::angle)?;
        let (name, place) = (name.to_string(), node.place.clone());
        Ok(Self { name, between, axis, stiffness, damping, rest_angle, place })
    }
}

impl ForceSpec {
    pub(crate) fn read(name: &str, node: &Node, bodies: &[BodySpec]) -> Result<Self, SceneError> {
        let fields = node.fields(&["on", "at", "force", "torque", "frame"])?;
        let on = fields.need("on", "the name of a body")?;
        let body = find(on, bodies)?;
        if !matches!(body.kind, BodyKind::Free) {
            return Err(on.wrong("a body that is free to move"));
        }
        let load = match (fields.get("force"), fields.get("torque")) {
            (Some(force), None) => LoadSpec::Force {
                schedule: Schedule::read(force, "N")?,
                at: fields.read("at", |n| n.vector("m"))?,
            },
            (None, Some(torque)) => {
                fields.refuse("at", "torque", "a torque has no point of action")?;
                LoadSpec::Torque(Schedule::read(torque, "N m")?)
            }
            (Some(_), Some(torque)) => return Err(torque.excludes("force", "write two entries of [forces]")),
            (None, None) => return Err(fields.missing("force", "force (N) or torque (N m)")),
        };
        let frames = [("world", ForceFrame::World), ("body", ForceFrame::Body)];
        let frame = fields.read("frame", |n| n.choice(&frames))?.unwrap_or(ForceFrame::World);
        Ok(Self { name: name.to_string(), on: body.name.clone(), load, frame, place: node.place.clone() })
    }
}
