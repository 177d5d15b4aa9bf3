//! `[joints.NAME]`: how one body moves on another.

use super::element::Anchor;
use super::error::SceneError;
use super::form::{KeyInfo, Kind, Part, TableInfo};
use super::known::Known;
use super::material::LawSpec;
use super::orientation::ORIENTATION;
use super::place::Place;
use super::read::Fields;
use super::tree::{Data, Node};
use crate::robot::{JointKind, Mimic};
use nalgebra::{Isometry3, Translation3, Unit, Vector3};

/// `[joints.NAME]`, or a joint of a robot. Angles are radians.
#[derive(Debug, Clone, PartialEq)]
pub struct JointSpec {
    /// Name.
    pub name: String,
    /// What carries it.
    pub parent: Anchor,
    /// The body that it carries.
    pub child: String,
    /// Which motion it allows.
    pub kind: JointKind,
    /// In the joint frame.
    pub axis: Unit<Vector3<f64>>,
    /// Joint frame in the frame of the parent.
    pub in_parent: Isometry3<f64>,
    /// Joint frame in the frame of the child.
    pub in_child: Isometry3<f64>,
    /// At the start; quaternions are (w, x, y, z). As many as the kind has coordinates.
    pub position: Vec<f64>,
    /// At the start.
    pub velocity: Vec<f64>,
    /// Position at which the child stands as the frames say; zero but in some robot files.
    pub offset: f64,
    /// Least and greatest position.
    pub limits: [Option<f64>; 2],
    /// What pushes back at the limits.
    pub stop: Option<LawSpec>,
    /// N m s/rad or N s/m, in each freedom.
    pub damping: f64,
    /// N m/rad or N/m.
    pub stiffness: f64,
    /// Position without force of the spring; that at the start if none.
    pub rest: Option<f64>,
    /// Dry friction; its coefficient is the torque or force.
    pub friction: Option<LawSpec>,
    /// kg m² or kg, in each freedom.
    pub armature: f64,
    /// Follows another joint of the same robot.
    pub mimic: Option<(String, Mimic)>,
    /// Where the table stands.
    pub place: Place,
}

pub(crate) static FRAME: TableInfo = TableInfo::new(
    "frame",
    &[
        KeyInfo::new("position", Kind::vector("m"), "of its origin").default("[0, 0, 0]"),
        KeyInfo::new("orientation", Kind::Table(&ORIENTATION), "of its axes").default("not turned"),
    ],
);

static LIMITS: TableInfo = TableInfo::new(
    "limits",
    &[
        KeyInfo::new("lower", Kind::number("degrees or m"), "least position").default("none"),
        KeyInfo::new("upper", Kind::number("degrees or m"), "greatest position").default("none"),
        KeyInfo::new(
            "stop",
            Kind::Law(Part::Normal),
            "what pushes back beyond them: a normal law, its depth in rad or m, its force in N m or N",
        )
        .need("the law that pushes back: stop = { law = \"…\", … }"),
    ],
);

const TYPES: &[&str] =
    &["revolute", "prismatic", "cylindrical", "planar", "spherical", "universal", "fixed", "floating"];

pub(crate) static JOINT: TableInfo = TableInfo::new(
    "joint",
    &[
        KeyInfo::new("parent", Kind::Text { rule: "the name of a body, or \"world\"" }, "a body, or `\"world\"`")
            .need("the name of a body, or \"world\""),
        KeyInfo::new("child", Kind::Text { rule: "the name of a body" }, "the body that it carries")
            .need("the name of a body"),
        KeyInfo::new("type", Kind::Word(TYPES), "which motion it allows").need("the type of the joint"),
        KeyInfo::new(
            "axis",
            Kind::Direction,
            "in the joint frame: of the turn, of the slide; of a planar joint the normal of the plane",
        )
        .default("[0, 0, 1]"),
        KeyInfo::new("second_axis", Kind::Direction, "of a universal joint; turns with the first")
            .default("[1, 0, 0]"),
        KeyInfo::new("in_parent", Kind::Table(&FRAME), "joint frame in the frame of the parent")
            .default("the same"),
        KeyInfo::new("in_child", Kind::Table(&FRAME), "joint frame in the frame of the child").default("the same"),
        KeyInfo::new(
            "position",
            Kind::Coordinates,
            "at the start, degrees or m: one number for each freedom (distances before angles); of a spherical joint \
             the quaternion `[w, x, y, z]`",
        )
        .default("0"),
        KeyInfo::new("velocity", Kind::Coordinates, "at the start, rad/s or m/s: one number for each freedom")
            .default("0"),
        KeyInfo::new("limits", Kind::Table(&LIMITS), "of a revolute or prismatic joint").default("none"),
        KeyInfo::new("damping", Kind::not_negative("N m s/rad or N s/m"), "in each freedom").default("0"),
        KeyInfo::new(
            "stiffness",
            Kind::not_negative("N m/rad or N/m"),
            "of a spring in a revolute or prismatic joint",
        )
        .default("0"),
        KeyInfo::new("rest", Kind::number("degrees or m"), "position without force of the spring")
            .default("that at the start"),
        KeyInfo::new(
            "friction",
            Kind::Law(Part::Friction),
            "dry friction of a revolute or prismatic joint: a friction law; its coefficient is the torque (N m) or force (N)",
        )
        .default("none"),
        KeyInfo::new("armature", Kind::not_negative("kg m² or kg"), "inertia of a drive, in each freedom")
            .default("0"),
    ],
);

/// `{ position, orientation }`.
pub(crate) fn read_frame(node: Option<&Node>, errors: &mut Vec<SceneError>) -> Isometry3<f64> {
    let Some(node) = node.filter(|n| matches!(n.data, Data::Table(_))) else { return Isometry3::identity() };
    let fields = node.fields(&FRAME);
    let position = fields.vector("position").unwrap_or_default();
    Isometry3::from_parts(Translation3::from(position), fields.orientation(errors))
}

/// Whether the k-th freedom of a joint is a distance.
pub(crate) fn is_distance(kind: JointKind, k: usize) -> bool {
    match kind {
        JointKind::Prismatic => true,
        JointKind::Cylindrical => k == 0,
        JointKind::Planar => k < 2,
        _ => false,
    }
}

impl JointSpec {
    /// Whether it has one freedom with a position: revolute and prismatic joints.
    pub fn is_simple(&self) -> bool {
        self.kind.freedoms() == 1
    }

    pub(crate) fn read(
        name: &str,
        node: &Node,
        known: &Known<'_>,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let fields = node.fields(&JOINT);
        let parent = fields.get("parent").and_then(|node| match node.text()? {
            "world" => Some(Anchor::World),
            _ => known.body(node, errors).map(|name| Anchor::Body(name.to_string())),
        });
        let child = fields.get("child").and_then(|node| {
            let name = known.body(node, errors)?;
            if !known.is_free(name) {
                errors.push(node.wrong("a body that is free to move"));
            }
            Some(name.to_string())
        });
        if let (Some(Anchor::Body(parent)), Some(child), Some(node)) = (&parent, &child, fields.get("child"))
            && parent == child
        {
            errors.push(node.wrong("another body than parent"));
        }
        let kind = read_kind(&fields, errors);
        let limits = read_limits(&fields, kind, known, errors);
        let friction = fields.get("friction").and_then(|n| LawSpec::read(n, Part::Friction, known, errors));
        let kind = kind?;
        for key in ["limits", "stiffness", "rest", "friction"] {
            if let (Some(node), false) = (fields.get(key), kind.freedoms() == 1) {
                errors.push(node.complain("is for revolute and prismatic joints"));
            }
        }
        let position = read_position(&fields, kind, errors);
        let velocity = fields.get("velocity").map(|n| coordinates(n, kind.freedoms(), errors));
        let angle =
            |key: &str| fields.number(key).map(|x| if is_distance(kind, 0) { x } else { x.to_radians() });
        let axis = fields.direction("axis").unwrap_or(Vector3::z_axis());
        if let (JointKind::Universal { second }, Some(node)) = (kind, fields.get("second_axis"))
            && axis.cross(&second).norm() < 1e-6
        {
            errors.push(node.wrong("a direction that is not parallel to axis"));
        }
        let (limits, stop) = limits;
        Some(Self {
            name: name.to_string(),
            parent: parent?,
            child: child?,
            kind,
            axis,
            in_parent: read_frame(fields.get("in_parent"), errors),
            in_child: read_frame(fields.get("in_child"), errors),
            position: position?,
            velocity: velocity.unwrap_or_else(|| Some(vec![0.0; kind.freedoms()]))?,
            offset: 0.0,
            limits,
            stop,
            damping: fields.number("damping").unwrap_or(0.0),
            stiffness: fields.number("stiffness").unwrap_or(0.0),
            rest: angle("rest"),
            friction,
            armature: fields.number("armature").unwrap_or(0.0),
            mimic: None,
            place: node.place.clone(),
        })
    }
}

fn read_kind(fields: &Fields<'_>, errors: &mut Vec<SceneError>) -> Option<JointKind> {
    let second = fields.direction("second_axis").unwrap_or(Vector3::x_axis()).into_inner();
    let kinds = [
        ("revolute", JointKind::Revolute),
        ("prismatic", JointKind::Prismatic),
        ("cylindrical", JointKind::Cylindrical),
        ("planar", JointKind::Planar),
        ("spherical", JointKind::Spherical),
        ("universal", JointKind::Universal { second }),
        ("fixed", JointKind::Fixed),
        ("floating", JointKind::Floating),
    ];
    let kind = fields.word("type", &kinds)?;
    if !matches!(kind, JointKind::Universal { .. })
        && let Some(node) = fields.get("second_axis")
    {
        errors.push(node.complain("is for universal joints"));
    }
    Some(kind)
}

type Limits = ([Option<f64>; 2], Option<LawSpec>);

fn read_limits(
    fields: &Fields<'_>,
    kind: Option<JointKind>,
    known: &Known<'_>,
    errors: &mut Vec<SceneError>,
) -> Limits {
    let none = ([None, None], None);
    let Some(node) = fields.get("limits").filter(|n| matches!(n.data, Data::Table(_))) else { return none };
    let inner = node.fields(&LIMITS);
    let [lower, upper] = ["lower", "upper"].map(|key| {
        let value = inner.number(key)?;
        Some(if kind.is_some_and(|k| is_distance(k, 0)) { value } else { value.to_radians() })
    });
    match (lower, upper, inner.get("upper")) {
        (Some(low), Some(high), Some(node)) if high <= low => errors.push(node.wrong("> lower")),
        (None, None, _) if !inner.has("lower") && !inner.has("upper") => {
            errors.push(inner.missing("lower", "lower, upper or both"));
        }
        _ => {}
    }
    let stop = inner.get("stop").and_then(|n| read_stop(n, known, errors));
    ([lower, upper], stop)
}

/// A law for stops: any that needs neither a patch nor a wanted impact.
pub(crate) fn read_stop(node: &Node, known: &Known<'_>, errors: &mut Vec<SceneError>) -> Option<LawSpec> {
    let stop = LawSpec::read(node, Part::Normal, known, errors)?;
    if let Some(design) = &stop.design {
        let message = "is for contacts: a stop has no impact to be designed for".to_string();
        errors.push(SceneError::Model { place: design.place.clone(), message });
    }
    Some(stop)
}

/// One number for each freedom.
fn coordinates(node: &Node, count: usize, errors: &mut Vec<SceneError>) -> Option<Vec<f64>> {
    let numbers: Vec<f64> = match &node.data {
        Data::Number(x) => vec![*x],
        Data::List(items) => items.iter().map(Node::number).collect::<Option<_>>()?,
        _ => return None,
    };
    if numbers.len() != count {
        let what = match count {
            0 => "left out: the joint has no freedom".to_string(),
            1 => "one number".to_string(),
            n => format!("a list of {n} numbers"),
        };
        errors.push(node.wrong(what));
        return None;
    }
    Some(numbers)
}

fn read_position(fields: &Fields<'_>, kind: JointKind, errors: &mut Vec<SceneError>) -> Option<Vec<f64>> {
    let given = fields.get("position");
    match kind {
        JointKind::Floating => {
            if let Some(node) = given {
                errors
                    .push(node.complain("is not for floating joints: in_parent says where the child starts"));
            }
            Some(vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        }
        JointKind::Spherical => {
            let Some(node) = given else { return Some(vec![1.0, 0.0, 0.0, 0.0]) };
            let wxyz = coordinates(node, 4, errors)?;
            let length = wxyz.iter().map(|x| x * x).sum::<f64>().sqrt();
            if !(length > 1e-6 && length.is_finite()) {
                errors.push(node.wrong("a quaternion [w, x, y, z], not zero"));
                return None;
            }
            Some(wxyz.iter().map(|x| x / length).collect())
        }
        _ => {
            let count = kind.freedoms();
            let Some(node) = given else { return Some(vec![0.0; count]) };
            let mut all = coordinates(node, count, errors)?;
            for (_, x) in all.iter_mut().enumerate().filter(|(k, _)| !is_distance(kind, *k)) {
                *x = x.to_radians();
            }
            Some(all)
        }
    }
}

/// What concerns whole joints: they start within their limits, no body has two, and none close a loop.
pub(crate) fn check(joints: &[JointSpec], errors: &mut Vec<SceneError>) {
    let complain = |joint: &JointSpec, key: &str, message: String| SceneError::Model {
        place: joint.place.inside(key),
        message,
    };
    for (i, joint) in joints.iter().enumerate() {
        let (start, [lower, upper]) = (joint.position.first().copied().unwrap_or(0.0), joint.limits);
        if lower.is_some_and(|l| start < l) || upper.is_some_and(|u| start > u) {
            let show = |x: f64| match is_distance(joint.kind, 0) {
                true => format!("{x:.6} m"),
                false => format!("{:.4} degrees", x.to_degrees()),
            };
            let bound = |x: Option<f64>| x.map_or("none".to_string(), show);
            let message = format!(
                "{} starts at {}, beyond its limits of {} and {}: give it a position within them",
                joint.name,
                show(start),
                bound(lower),
                bound(upper)
            );
            errors.push(complain(
                joint,
                if joint.name.contains('/') { "joints" } else { "position" },
                message,
            ));
        }
        if let Some(other) = joints[..i].iter().find(|other| other.child == joint.child) {
            let message = format!(
                "{} is carried by {} already; a loop is closed by [pins.NAME]",
                joint.child, other.name
            );
            errors.push(complain(joint, "child", message));
            continue;
        }
        let carrier = |body: &str| joints.iter().find(|j| j.child == body);
        let mut at = &joint.parent;
        for _ in 0..=joints.len() {
            let Anchor::Body(body) = at else { break };
            if *body == joint.child {
                let message = format!("hangs on {} itself: joints make a tree", joint.child);
                errors.push(complain(joint, "parent", message));
                break;
            }
            let Some(next) = carrier(body) else { break };
            at = &next.parent;
        }
    }
}

/// Whether a freedom of a joint that a value names turns.
pub(crate) fn turns(
    joints: &[JointSpec],
    node: &Node,
    freedom: usize,
    errors: &mut Vec<SceneError>,
) -> Option<bool> {
    let name = node.text()?;
    let Some(joint) = joints.iter().find(|j| j.name == name) else {
        errors.push(node.no_such("joint", name, joints.iter().map(|j| j.name.as_str())));
        return None;
    };
    if freedom >= joint.kind.freedoms() {
        let count = joint.kind.freedoms();
        errors.push(node.complain(format!("has {count} freedoms: there is no freedom {freedom}")));
        return None;
    }
    Some(!is_distance(joint.kind, freedom))
}
