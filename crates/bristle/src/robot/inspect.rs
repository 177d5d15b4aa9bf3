//! A robot in words: the tree with masses, joints and geometries, and what acts on it.

use super::{
    Actuator, ActuatorLaw, Effect, Geometry, Inertial, Joint, JointKind, Robot, SensorTarget, Solid,
};
use bristle_geom::Shape;
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::fmt::{self, Write};

impl Robot {
    /// The whole description for a person to read, without the warnings.
    pub fn listing(&self) -> String {
        let mut text = String::new();
        // writing to a string cannot fail
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let totals = self.totals();
        let name = if self.name.is_empty() { "robot without a name" } else { &self.name };
        writeln!(
            out,
            "{name} ({}): {} links, {} joints of which {} move, {} degrees of freedom",
            self.format.name(),
            self.links.len(),
            self.joints.len(),
            totals.moving_joints,
            totals.freedoms
        )?;
        let frame = if self.is_rooted_in_world() { "the world" } else { "the root link" };
        let center = vector(&totals.center);
        writeln!(
            out,
            "total mass {} kg, centre of mass {center} m in {frame}, as drawn",
            short(totals.mass)
        )?;
        if let Some(gravity) = &self.gravity {
            writeln!(out, "gravity {} m/s²", vector(gravity))?;
        }
        if let Some(step) = self.time_step {
            writeln!(out, "time step {} s", short(step))?;
        }
        self.write_tree(out)?;
        self.write_devices(out)?;
        self.write_contacts(out)
    }

    fn write_tree(&self, out: &mut String) -> fmt::Result {
        let mut depth = vec![0; self.links.len()];
        self.joints.iter().for_each(|joint| depth[joint.child] = depth[joint.parent] + 1);
        writeln!(out)?;
        for (i, link) in self.links.iter().enumerate() {
            let indent = "  ".repeat(depth[i]);
            let mass = match (link.is_between_joints, link.inertial.mass) {
                (true, _) => "between joints of one body".to_string(),
                (false, 0.0) => "no mass".to_string(),
                _ => mass(&link.inertial),
            };
            writeln!(out, "{indent}{}: {mass}", link.name)?;
            if let Some(joint) = i.checked_sub(1).and_then(|j| self.joints.get(j)) {
                writeln!(out, "{indent}  joint {}", self.describe_joint(joint))?;
            }
            for geometry in &link.geometries {
                writeln!(out, "{indent}  {}", describe_geometry(geometry))?;
            }
            for site in self.sites.iter().filter(|site| site.link == i) {
                writeln!(out, "{indent}  site {} {}", site.name, pose(&site.pose))?;
            }
        }
        Ok(())
    }

    fn describe_joint(&self, joint: &Joint) -> String {
        let mut text = format!("{}: {}", joint.name, joint.kind.name());
        let is_single = joint.kind.freedoms() == 1;
        if is_single
            || matches!(joint.kind, JointKind::Planar | JointKind::Cylindrical | JointKind::Universal { .. })
        {
            text += &format!(" about {}", vector(&joint.axis));
        }
        if joint.kind == JointKind::Prismatic {
            text = text.replace(" about ", " along ");
        }
        if joint.kind != JointKind::Floating && joint.in_parent != Isometry3::identity() {
            text += &format!(" {}", pose(&joint.in_parent));
        }
        if joint.kind == JointKind::Floating {
            text += &format!(" from {}", numbers(&joint.reference));
        }
        let unit = joint.kind.unit();
        if let Some(limits) = joint.limits {
            text += &format!(", from {} to {} {unit}", short(limits[0]), short(limits[1]));
        }
        let force = if unit == "m" { "N" } else { "N m" };
        if let Some([low, high]) = joint.effort_limits {
            text += &match low == -high {
                true => format!(", at most {} {force}", short(high)),
                false => format!(", {} to {} {force}", short(low), short(high)),
            };
        }
        if let Some(speed) = joint.velocity_limit {
            text += &format!(", at most {} {unit}/s", short(speed));
        }
        let inertia = if unit == "m" { "kg" } else { "kg m²" };
        let mut part = |name: &str, value: f64, unit: &str| {
            if value != 0.0 {
                text += &format!(", {name} {} {unit}", short(value));
            }
        };
        part("damping", joint.damping, &format!("{force} s/{unit}"));
        part("friction", joint.friction_loss, force);
        part("stiffness", joint.stiffness, &format!("{force}/{unit}"));
        part("armature", joint.armature, inertia);
        if is_single {
            part("slack at", joint.spring_reference, unit);
            part("drawn at", joint.reference[0], unit);
        }
        if let Some(mimic) = joint.mimic {
            let followed = &self.joints[mimic.joint].name;
            text += &format!(
                ", follows {followed} times {} plus {}",
                short(mimic.multiplier),
                short(mimic.offset)
            );
        }
        text
    }

    fn write_devices(&self, out: &mut String) -> fmt::Result {
        title(out, "actuators", self.actuators.len())?;
        for actuator in &self.actuators {
            writeln!(out, "  {}", self.describe_actuator(actuator))?;
        }
        title(out, "sensors", self.sensors.len())?;
        for sensor in &self.sensors {
            let target = match sensor.target {
                None => String::new(),
                Some(SensorTarget::Site(i)) => format!(" on site {}", self.sites[i].name),
                Some(SensorTarget::Joint(i)) => format!(" on joint {}", self.joints[i].name),
                Some(SensorTarget::Link(i)) => format!(" on link {}", self.links[i].name),
                Some(SensorTarget::CenterOfLink(i)) => {
                    format!(" on the centre of link {}", self.links[i].name)
                }
                Some(SensorTarget::Actuator(i)) => format!(" on actuator {}", self.actuators[i].name),
            };
            writeln!(out, "  {}: {}{target}", sensor.name, sensor.kind)?;
        }
        title(out, "key frames", self.keyframes.len())?;
        for key in &self.keyframes {
            write!(out, "  {} at {} s", key.name, short(key.time))?;
            for (name, list) in [("q", &key.q), ("v", &key.v), ("control", &key.control)] {
                if !list.is_empty() {
                    write!(out, ", {name} = {}", numbers(list))?;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn describe_actuator(&self, actuator: &Actuator) -> String {
        let law = match actuator.law {
            ActuatorLaw::Motor => "motor".to_string(),
            ActuatorLaw::Position { stiffness, damping } => {
                format!("position servo, stiffness {}, damping {}", short(stiffness), short(damping))
            }
            ActuatorLaw::Velocity { gain } => format!("velocity servo, gain {}", short(gain)),
            ActuatorLaw::Affine { gain, bias } => {
                format!("affine, gain {}, bias {}", short(gain), numbers(&bias))
            }
        };
        let joint = &self.joints[actuator.joint];
        let used = joint.kind.freedoms().max(1);
        let mut text =
            format!("{}: {law} on {}, gear {}", actuator.name, joint.name, numbers(&actuator.gear[..used]));
        for (name, limits) in [("force", actuator.force_limits), ("control", actuator.control_limits)] {
            if let Some([low, high]) = limits {
                text += &format!(", {name} from {} to {}", short(low), short(high));
            }
        }
        text
    }

    fn write_contacts(&self, out: &mut String) -> fmt::Result {
        let all: Vec<&Geometry> = self.links.iter().flat_map(|link| &link.geometries).collect();
        let seen = all.iter().filter(|g| g.contact.is_visual_only()).count();
        let is_lost = |g: &Geometry| g.solid.shape().is_none() && !g.contact.is_visual_only();
        let lost = all.iter().filter(|g| is_lost(g)).count();
        let touching = all.len() - seen - lost;
        write!(out, "\ncontacts: {touching} geometries touch, {seen} are only seen")?;
        let lost = if lost > 0 { format!(", {lost} meshes touch nothing") } else { String::new() };
        writeln!(out, "{lost}")?;
        for exclude in &self.excludes {
            let [a, b] = exclude.links.map(|i| &self.links[i].name);
            writeln!(out, "  {a} and {b} do not touch")?;
        }
        let count = |effect| self.warnings.iter().filter(|w| w.effect == effect).count();
        writeln!(
            out,
            "not represented: {} kinds of things that may change the motion, {} that do not",
            count(Effect::Motion),
            count(Effect::Looks)
        )
    }
}

fn title(out: &mut String, what: &str, count: usize) -> fmt::Result {
    if count == 0 { Ok(()) } else { writeln!(out, "\n{count} {what}") }
}

fn describe_geometry(geometry: &Geometry) -> String {
    let solid = match &geometry.solid {
        Solid::Plane => String::new(),
        Solid::Sphere { radius } => format!(" of radius {} m", short(*radius)),
        Solid::Capsule { radius, length } | Solid::Cylinder { radius, length } => {
            format!(" of radius {} m and length {} m", short(*radius), short(*length))
        }
        Solid::Box { size } => format!(" of {} m", vector(size)),
        Solid::Ellipsoid { radii } => format!(" of half axes {} m", vector(radii)),
        Solid::Mesh { file, path, shape, .. } => match (shape, path) {
            (Some(Shape::Mesh(mesh)), _) => format!(" {file} of {} facets", mesh.triangles().len()),
            (Some(Shape::Convex(hull)), _) => {
                let (corners, facets) = (hull.vertices().len(), hull.triangles().count());
                format!(" {file}, touching as its hull of {corners} corners and {facets} facets")
            }
            (_, None) => format!(" {file} (not found)"),
            (_, Some(_)) if geometry.contact.is_visual_only() => format!(" {file}"),
            (_, Some(_)) => format!(" {file} (touches nothing)"),
        },
    };
    let name = geometry.name.as_ref().map_or(String::new(), |name| format!(" {name}"));
    let contact = geometry.contact;
    let role = match (contact.is_visual_only(), (contact.kind, contact.accepts)) {
        (true, _) => ", only seen".to_string(),
        (false, (1, 1)) => String::new(),
        (false, (kind, accepts)) => format!(", of kind {kind} touching kind {accepts}"),
    };
    let friction = match geometry.friction {
        Some(friction) if !contact.is_visual_only() => format!(", friction {}", numbers(&friction)),
        _ => String::new(),
    };
    format!("{}{name}{solid} {}{role}{friction}", geometry.solid.name(), pose(&geometry.pose))
}

fn mass(inertial: &Inertial) -> String {
    let inertia = matrix(&inertial.inertia);
    format!("{} kg at {} m, inertia {inertia} kg m²", short(inertial.mass), vector(&inertial.center))
}

/// Diagonal, and the three others if they matter.
fn matrix(m: &Matrix3<f64>) -> String {
    let others = [m.m12, m.m13, m.m23];
    let diagonal = numbers(&[m.m11, m.m22, m.m33]);
    if others.iter().all(|x| x.abs() <= 1e-12 * m.amax()) {
        return diagonal;
    }
    let least = m.amax() * 1e-12;
    format!("{diagonal}, xy xz yz {}", numbers(&others.map(|x| if x.abs() < least { 0.0 } else { x })))
}

fn pose(pose: &Isometry3<f64>) -> String {
    let turn = match pose.rotation.axis_angle() {
        Some((axis, angle)) if angle > 1e-12 => {
            format!(" turned {}° about {}", short(angle.to_degrees()), vector(&axis))
        }
        _ => String::new(),
    };
    format!("at {}{turn}", vector(&pose.translation.vector))
}

fn vector(v: &Vector3<f64>) -> String {
    let least = v.amax() * 1e-12; // what rounding leaves of a zero
    numbers(v.map(|x| if x.abs() < least { 0.0 } else { x }).as_slice())
}

fn numbers(list: &[f64]) -> String {
    let texts: Vec<String> = list.iter().map(|x| short(*x)).collect();
    format!("({})", texts.join(", "))
}

/// Six digits, as few characters as they need.
fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    match rounded.abs() {
        0.0 => "0".to_string(),
        size if !(1e-4..1e7).contains(&size) => format!("{rounded:e}"),
        _ => format!("{rounded}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(0.1 + 0.2), "0.3");
        assert_eq!(short(-0.0), "0");
        assert_eq!(short(1.23456789e-7), "1.23457e-7");
        assert_eq!(short(f64::INFINITY), "inf");
    }
}
