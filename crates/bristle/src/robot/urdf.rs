//! URDF: links and joints side by side, put together by names.

mod geometry;
mod tree;

use super::error::{Effect, Log};
use super::file::Files;
use super::form::{Form, report_losses};
use super::inertial::Inertial;
use super::link::Link;
use super::xml::{Element, Range};
use super::{Format, Joint, JointKind, Robot};
use geometry::Surroundings;
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};

pub(crate) static FORMS: &[Form] = &[
    Form::new("robot", &["name"])
        .looks(&["version"])
        .children(&["link", "joint", "material"])
        .looks_children(&["self_filter"]),
    Form::new("link", &["name"]).looks(&["type"]).children(&["inertial", "visual", "collision", "contact"]),
    Form::new("inertial", &[]).children(&["origin", "mass", "inertia"]),
    Form::new("origin", &["xyz", "rpy"]),
    Form::new("mass", &["value"]),
    Form::new("inertia", &["ixx", "iyy", "izz", "ixy", "ixz", "iyz"]),
    Form::new("visual", &["name"]).children(&["origin", "geometry", "material"]),
    Form::new("collision", &["name"]).children(&["origin", "geometry"]).looks_children(&["material"]),
    Form::new("geometry", &[]).children(&["box", "sphere", "cylinder", "capsule", "mesh"]),
    Form::new("box", &["size"]),
    Form::new("sphere", &["radius"]),
    Form::new("cylinder", &["radius", "length"]),
    Form::new("capsule", &["radius", "length"]),
    Form::new("mesh", &["filename", "scale"]),
    Form::new("material", &["name"]).children(&["color"]).looks_children(&["texture"]),
    Form::new("color", &["rgba"]),
    Form::new("contact", &[]).children(&["lateral_friction", "spinning_friction", "rolling_friction"]),
    Form::new("lateral_friction", &["value"]),
    Form::new("spinning_friction", &["value"]),
    Form::new("rolling_friction", &["value"]),
    Form::new("joint", &["name", "type"])
        .children(&["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"]),
    Form::new("parent", &["link"]),
    Form::new("child", &["link"]),
    Form::new("axis", &["xyz"]),
    Form::new("limit", &["lower", "upper", "effort", "velocity"]),
    Form::new("dynamics", &["damping", "friction"]),
    Form::new("mimic", &["joint", "multiplier", "offset"]),
];

/// A joint before the tree is known.
struct LooseJoint<'a> {
    element: &'a Element,
    joint: Joint,
    parent: &'a str,
    child: &'a str,
    mimic: Option<(&'a Element, &'a str, f64, f64)>,
}

/// Reads a `<robot>`; `None` only if there are errors.
pub(crate) fn read(root: &Element, files: Option<&Files>, log: &mut Log) -> Option<Robot> {
    report_losses(root, FORMS, log);
    let mut robot = Robot::new(root.text("name").unwrap_or_default().to_string(), Format::Urdf);
    let mut surroundings = Surroundings::new(root, files, log);
    let links: Vec<Link> = root.all("link").filter_map(|e| read_link(e, &mut surroundings, log)).collect();
    let joints: Vec<LooseJoint<'_>> = root.all("joint").filter_map(|e| read_joint(e, log)).collect();
    if root.all("link").next().is_none() {
        log.error(root.missing("link", "a robot has one or more <link name=\"…\">"));
    }
    if log.has_errors() {
        return None;
    }
    tree::assemble(&mut robot, root, links, joints, log)?;
    Some(robot)
}

fn read_link(element: &Element, surroundings: &mut Surroundings<'_>, log: &mut Log) -> Option<Link> {
    let name = element.required("name", "every link has a name", log)?.to_string();
    let inertial = match element.one("inertial", log) {
        Some(inertial) => read_inertial(inertial, log)?,
        None => Inertial::zero(),
    };
    let geometries = surroundings.geometries(element, log);
    Some(Link { name, inertial, geometries, is_between_joints: false, place: element.place.clone() })
}

fn read_inertial(element: &Element, log: &mut Log) -> Option<Inertial> {
    let pose = read_origin(element, log);
    let Some(mass) = element.one("mass", log) else {
        log.error(element.missing("mass", "give <mass value=\"…\"/> (kg)"));
        return None;
    };
    let Some(inertia) = element.one("inertia", log) else {
        log.error(element.missing("inertia", "give <inertia ixx=\"…\" iyy=\"…\" izz=\"…\"/> (kg m²)"));
        return None;
    };
    if !mass.has("value") {
        log.error(mass.missing("value", "the mass (kg)"));
    }
    for name in ["ixx", "iyy", "izz"] {
        if !inertia.has(name) {
            log.error(inertia.missing(name, "the moments ixx, iyy, izz (kg m²)"));
        }
    }
    let mass = mass.number("value", Range::NotNegative, "kg", log);
    let mut moment = |name: &str| match inertia.has(name) {
        true => inertia.number(name, Range::Any, "kg m²", log),
        false => Some(0.0),
    };
    let [xx, yy, zz] = [moment("ixx"), moment("iyy"), moment("izz")];
    let [xy, xz, yz] = [moment("ixy")?, moment("ixz")?, moment("iyz")?];
    let inertia = Matrix3::new(xx?, xy, xz, xy, yy?, yz, xz, yz, zz?);
    Some(Inertial { mass: mass?, center: Vector3::zeros(), inertia }.seen_from(&pose))
}

/// `<origin xyz rpy>`: turned about the fixed x, y and z axes in turn.
fn read_origin(element: &Element, log: &mut Log) -> Isometry3<f64> {
    let Some(origin) = element.one("origin", log) else { return Isometry3::identity() };
    let xyz = origin.vector("xyz", "m", log).unwrap_or_default();
    let [roll, pitch, yaw] = origin.array::<3>("rpy", Range::Any, "rad", log).unwrap_or_default();
    let turn = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    Isometry3::from_parts(Translation3::from(xyz), turn)
}

const KINDS: &[(&str, JointKind)] = &[
    ("revolute", JointKind::Revolute),
    ("continuous", JointKind::Continuous),
    ("prismatic", JointKind::Prismatic),
    ("fixed", JointKind::Fixed),
    ("floating", JointKind::Floating),
    ("planar", JointKind::Planar),
];

fn read_joint<'a>(element: &'a Element, log: &mut Log) -> Option<LooseJoint<'a>> {
    let name = element.required("name", "every joint has a name", log)?.to_string();
    element.required("type", "revolute, continuous, prismatic, fixed, floating or planar", log)?;
    let kind = element.choice("type", KINDS, log)?;
    let parent = end(element, "parent", log);
    let child = end(element, "child", log);
    let mut joint = Joint::new(name, kind, [0, 0], element.place.clone());
    joint.in_parent = read_origin(element, log);
    let axis = element.one("axis", log);
    let has_axis = !matches!(kind, JointKind::Fixed | JointKind::Floating);
    joint.axis = Vector3::x();
    if let Some(axis) = axis
        && has_axis
    {
        match axis.has("xyz") {
            true => joint.axis = axis.direction("xyz", log)?,
            false => log.error(axis.missing("xyz", "the direction of the axis")),
        }
    }
    read_limit(element, &mut joint, log);
    if let Some(dynamics) = element.one("dynamics", log) {
        let unit = "N m s/rad or N s/m";
        joint.damping = dynamics.number("damping", Range::NotNegative, unit, log).unwrap_or(0.0);
        joint.friction_loss = dynamics.number("friction", Range::NotNegative, "N m or N", log).unwrap_or(0.0);
    }
    let mimic = element.one("mimic", log).and_then(|mimic| {
        let followed = mimic.required("joint", "the joint that is followed", log)?;
        let multiplier = mimic.number("multiplier", Range::Any, "", log).unwrap_or(1.0);
        let offset = mimic.number("offset", Range::Any, "rad or m", log).unwrap_or(0.0);
        Some((mimic, followed, multiplier, offset))
    });
    Some(LooseJoint { element, joint, parent: parent?, child: child?, mimic })
}

fn end<'a>(element: &'a Element, which: &'static str, log: &mut Log) -> Option<&'a str> {
    match element.one(which, log) {
        Some(end) => end.required("link", "the name of a link", log),
        None => {
            log.error(element.missing(which, "a joint has a <parent link=\"…\"/> and a <child link=\"…\"/>"));
            None
        }
    }
}

fn read_limit(element: &Element, joint: &mut Joint, log: &mut Log) {
    let is_bounded = matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic);
    let Some(limit) = element.one("limit", log) else {
        if is_bounded {
            log.error(element.missing("limit", "give <limit lower=\"…\" upper=\"…\"/>, or type continuous"));
        }
        return;
    };
    let unit = joint.kind.unit();
    if is_bounded {
        let lower = limit.number("lower", Range::Limit, unit, log).unwrap_or(0.0);
        let upper = limit.number("upper", Range::Limit, unit, log).unwrap_or(0.0);
        if lower > upper {
            log.error(limit.wrong("lower", format!("at most upper = {upper} ({unit})")));
        }
        joint.limits = Some([lower, upper]);
    } else {
        for name in ["lower", "upper"].into_iter().filter(|name| limit.has(name)) {
            let message = format!("means nothing for a {} joint", joint.kind.name());
            log.warn(&limit.place, "limit", Some(name), &message, Effect::Looks);
        }
    }
    let not_negative = |name: &str, log: &mut Log| match limit.number(name, Range::Limit, "", log) {
        Some(x) if x < 0.0 => {
            log.error(limit.wrong(name, "a number >= 0"));
            None
        }
        other => other,
    };
    joint.velocity_limit = not_negative("velocity", log);
    joint.effort_limits = not_negative("effort", log).map(|effort| [-effort, effort]);
}
