//! A robot as JSON, all numbers in full.

use super::{ActuatorLaw, Geometry, Joint, JointKind, Robot, SensorTarget, Solid};
use bristle_geom::Shape;
use nalgebra::{Isometry3, Matrix3, Vector3};
use serde_json::{Value, json};

impl Robot {
    /// The whole description with its warnings. Poses are `position` (m) and `quaternion` (w, x, y, z); links and
    /// joints refer to each other by name.
    pub fn to_json(&self) -> Value {
        let totals = self.totals();
        json!({
            "name": self.name,
            "format": self.format.name(),
            "root_is_world": self.is_rooted_in_world(),
            "totals": {
                "mass": totals.mass,
                "center_of_mass": vector(&totals.center),
                "degrees_of_freedom": totals.freedoms,
                "coordinates": totals.coordinates,
                "links": self.links.len(),
                "joints": self.joints.len(),
                "moving_joints": totals.moving_joints,
            },
            "gravity": self.gravity.as_ref().map(vector),
            "time_step": self.time_step,
            "links": self.links.iter().map(|link| json!({
                "name": link.name,
                "mass": link.inertial.mass,
                "center_of_mass": vector(&link.inertial.center),
                "inertia": matrix(&link.inertial.inertia),
                "is_between_joints": link.is_between_joints,
                "geometries": link.geometries.iter().map(geometry).collect::<Vec<_>>(),
                "line": link.place.line(),
            })).collect::<Vec<_>>(),
            "joints": self.joints.iter().map(|j| self.joint_json(j)).collect::<Vec<_>>(),
            "actuators": self.actuators.iter().map(|a| json!({
                "name": a.name,
                "joint": self.joints[a.joint].name,
                "law": law(&a.law),
                "gear": a.gear,
                "force_limits": a.force_limits,
                "control_limits": a.control_limits,
                "line": a.place.line(),
            })).collect::<Vec<_>>(),
            "sites": self.sites.iter().map(|s| json!({
                "name": s.name, "link": self.links[s.link].name, "pose": pose(&s.pose), "line": s.place.line(),
            })).collect::<Vec<_>>(),
            "sensors": self.sensors.iter().map(|s| json!({
                "name": s.name, "kind": s.kind, "on": s.target.map(|t| self.target(t)), "line": s.place.line(),
            })).collect::<Vec<_>>(),
            "keyframes": self.keyframes.iter().map(|k| json!({
                "name": k.name, "time": k.time, "q": k.q, "v": k.v, "control": k.control, "line": k.place.line(),
            })).collect::<Vec<_>>(),
            "excludes": self.excludes.iter()
                .map(|e| json!(e.links.map(|i| self.links[i].name.as_str()))).collect::<Vec<_>>(),
            "warnings": self.warnings.iter().map(|w| json!({
                "file": w.place.file(),
                "line": w.place.line(),
                "element": w.element,
                "attribute": w.attribute,
                "message": w.message,
                "changes_motion": w.effect == super::Effect::Motion,
                "also": w.also.iter().map(|p| json!({ "file": p.file(), "line": p.line() })).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        })
    }

    fn joint_json(&self, joint: &Joint) -> Value {
        let second =
            if let JointKind::Universal { second } = &joint.kind { Some(vector(second)) } else { None };
        // JSON has no infinity: a limit that limits nothing is null
        let limits = |pair: Option<[f64; 2]>| pair.map(|p| p.map(|x| x.is_finite().then_some(x)));
        json!({
            "name": joint.name,
            "type": joint.kind.name(),
            "parent": self.links[joint.parent].name,
            "child": self.links[joint.child].name,
            "in_parent": pose(&joint.in_parent),
            "in_child": pose(&joint.in_child),
            "axis": vector(&joint.axis),
            "second_axis": second,
            "limits": limits(joint.limits),
            "velocity_limit": joint.velocity_limit.filter(|x| x.is_finite()),
            "effort_limits": limits(joint.effort_limits),
            "damping": joint.damping,
            "friction_loss": joint.friction_loss,
            "stiffness": joint.stiffness,
            "spring_reference": joint.spring_reference,
            "armature": joint.armature,
            "reference": joint.reference,
            "mimic": joint.mimic.map(|m| json!({
                "joint": self.joints[m.joint].name, "multiplier": m.multiplier, "offset": m.offset,
            })),
            "line": joint.place.line(),
        })
    }

    fn target(&self, target: SensorTarget) -> Value {
        match target {
            SensorTarget::Site(i) => json!({ "site": self.sites[i].name }),
            SensorTarget::Joint(i) => json!({ "joint": self.joints[i].name }),
            SensorTarget::Link(i) => json!({ "link": self.links[i].name }),
            SensorTarget::CenterOfLink(i) => json!({ "center_of_link": self.links[i].name }),
            SensorTarget::Actuator(i) => json!({ "actuator": self.actuators[i].name }),
        }
    }
}

fn law(law: &ActuatorLaw) -> Value {
    match law {
        ActuatorLaw::Motor => json!({ "type": "motor" }),
        ActuatorLaw::Position { stiffness, damping } => {
            json!({ "type": "position", "stiffness": stiffness, "damping": damping })
        }
        ActuatorLaw::Velocity { gain } => json!({ "type": "velocity", "gain": gain }),
        ActuatorLaw::Affine { gain, bias } => json!({ "type": "affine", "gain": gain, "bias": bias }),
    }
}

fn geometry(geometry: &Geometry) -> Value {
    let size = match &geometry.solid {
        Solid::Plane => json!({}),
        Solid::Sphere { radius } => json!({ "radius": radius }),
        Solid::Capsule { radius, length } | Solid::Cylinder { radius, length } => {
            json!({ "radius": radius, "length": length })
        }
        Solid::Box { size } => json!({ "size": vector(size) }),
        Solid::Ellipsoid { radii } => json!({ "radii": vector(radii) }),
        Solid::Mesh { file, path, scale, shape } => {
            let facets = match shape {
                Some(Shape::Mesh(mesh)) => Some(mesh.triangles().len()),
                Some(Shape::Convex(hull)) => Some(hull.triangles().count()),
                _ => None,
            };
            json!({
                "file": file,
                "is_found": path.is_some(),
                "scale": vector(scale),
                "is_hull": matches!(shape, Some(Shape::Convex(_))),
                "facets": facets,
            })
        }
    };
    json!({
        "name": geometry.name,
        "type": geometry.solid.name(),
        "size": size,
        "pose": pose(&geometry.pose),
        "is_visual_only": geometry.contact.is_visual_only(),
        "touches": !geometry.contact.is_visual_only() && geometry.solid.shape().is_some(),
        "contype": geometry.contact.kind,
        "conaffinity": geometry.contact.accepts,
        "condim": geometry.contact.directions,
        "friction": geometry.friction,
        "group": geometry.group,
        "color": geometry.color,
        "line": geometry.place.line(),
    })
}

fn pose(pose: &Isometry3<f64>) -> Value {
    let q = pose.rotation;
    json!({ "position": vector(&pose.translation.vector), "quaternion": [q.w, q.i, q.j, q.k] })
}

fn vector(v: &Vector3<f64>) -> [f64; 3] {
    [v.x, v.y, v.z]
}

fn matrix(m: &Matrix3<f64>) -> [[f64; 3]; 3] {
    let row = |i: usize| [m[(i, 0)], m[(i, 1)], m[(i, 2)]];
    [row(0), row(1), row(2)]
}
