//! `<joint>` and `<freejoint>`.

use super::super::error::Effect;
use super::super::xml::{Element, Range};
use super::super::{Joint, JointKind};
use super::Reader;
use nalgebra::{Isometry3, Translation3, Vector3};

const KINDS: &[(&str, JointKind)] = &[
    ("hinge", JointKind::Revolute),
    ("slide", JointKind::Prismatic),
    ("ball", JointKind::Spherical),
    ("free", JointKind::Floating),
];

impl Reader<'_> {
    /// Joints of a body in their order, not yet between links. Frames of both sides are at the anchor.
    pub(crate) fn read_joints(&mut self, body: &Element, name: &str, class: Option<&str>) -> Vec<Joint> {
        let mut joints = Vec::new();
        for element in body.children.iter().filter(|c| c.tag == "joint" || c.tag == "freejoint") {
            let fallback = format!("{name}#joint{}", joints.len() + 1);
            joints.extend(self.read_joint(element, fallback, class));
        }
        joints
    }

    fn read_joint(&mut self, written: &Element, fallback: String, class: Option<&str>) -> Option<Joint> {
        let name = written.text("name").filter(|name| !name.is_empty()).map_or(fallback, str::to_string);
        let element = self.classes.apply(written, class, self.log);
        let kind = match (element.tag.as_str(), element.has("type")) {
            ("freejoint", _) => JointKind::Floating,
            (_, true) => element.choice("type", KINDS, self.log)?,
            (_, false) => JointKind::Revolute,
        };
        let mut joint = Joint::new(name, kind, [0, 0], written.place.clone());
        if element.tag == "freejoint" {
            return Some(joint);
        }
        let anchor = element.vector("pos", "m", self.log).unwrap_or_default();
        if kind != JointKind::Floating {
            joint.in_parent = Isometry3::from_parts(Translation3::from(anchor), Default::default());
            joint.in_child = joint.in_parent;
        }
        if element.has("axis") && matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
            joint.axis = element.direction("axis", self.log).unwrap_or(Vector3::z());
        }
        self.read_limits(&element, &mut joint);
        self.read_resistance(&element, &mut joint);
        Some(joint)
    }

    fn read_limits(&mut self, element: &Element, joint: &mut Joint) {
        let angle = if joint.kind == JointKind::Prismatic { 1.0 } else { self.compiler.angle };
        if joint.kind == JointKind::Floating {
            return;
        }
        let range = element.array::<2>("range", Range::Any, "", self.log);
        let is_limited = self.compiler.is_limited(element, "limited", "range", self.log);
        if let Some(range) = range.filter(|_| is_limited) {
            if range[0] >= range[1] {
                self.log.error(element.wrong("range", "two numbers, the first below the second"));
            } else if joint.kind == JointKind::Spherical && range[0] != 0.0 {
                self.log.error(element.wrong("range", "0 and the greatest angle, for a ball joint"));
            }
            joint.limits = Some(range.map(|x| x * angle));
        } else if joint.kind == JointKind::Revolute {
            joint.kind = JointKind::Continuous;
        }
        let efforts = element.array::<2>("actuatorfrcrange", Range::Any, "N m or N", self.log);
        let is_limited =
            self.compiler.is_limited(element, "actuatorfrclimited", "actuatorfrcrange", self.log);
        joint.effort_limits = efforts.filter(|_| is_limited);
        if joint.kind.freedoms() == 1 {
            let unit = joint.kind.unit();
            let reference = element.number("ref", Range::Any, unit, self.log).unwrap_or(0.0) * angle;
            let spring = element.number("springref", Range::Any, unit, self.log).unwrap_or(0.0) * angle;
            joint.reference = vec![reference];
            joint.spring_reference = spring;
        }
    }

    fn read_resistance(&mut self, element: &Element, joint: &mut Joint) {
        let mut first = |name: &str, unit: &str| {
            // newer files may add the coefficients of a polynomial in position or speed
            let all = element.list(name, (1, 3), Range::NotNegative, unit, self.log)?;
            if all[1..].iter().any(|x| *x != 0.0) {
                let message = "counts as its first number: a polynomial has no counterpart";
                self.log.warn(&element.place, "joint", Some(name), message, Effect::Motion);
            }
            Some(all[0])
        };
        joint.damping = first("damping", "N m s/rad or N s/m").unwrap_or(0.0);
        joint.stiffness = first("stiffness", "N m/rad or N/m").unwrap_or(0.0);
        joint.friction_loss =
            element.number("frictionloss", Range::NotNegative, "N m or N", self.log).unwrap_or(0.0);
        joint.armature =
            element.number("armature", Range::NotNegative, "kg m² or kg", self.log).unwrap_or(0.0);
    }
}
