//! A scene in words: bodies with their masses and shapes, and which pairs touch.

use crate::error::Error;
use crate::level;
use crate::output::{Cell, Sheet, print, short};
use bristle::check::warnings;
use bristle::scene::{BodyKind, BodySpec, ContactRule, Scene, ShapeSpec, Who};
use serde_json::json;

pub fn show(scene: &Scene, is_strict: bool, is_json: bool) -> Result<(), Error> {
    let prepared = bristle::prepare(scene)?;
    let mut bodies = Sheet::new(
        &format!("{} bodies", scene.bodies.len()),
        &[("body", ""), ("moves", ""), ("mass", "kg"), ("x", "m"), ("y", "m"), ("z", "m"), ("shapes", "")],
    );
    let tree = &prepared.model.tree;
    let mut total = 0.0;
    for (spec, body) in scene.bodies.iter().zip(&prepared.model.bodies) {
        let mass = spec.is_free().then(|| tree.links()[body.link].inertia.mass);
        total += mass.unwrap_or(0.0);
        let [x, y, z] = spec.pose.translation.vector.into();
        bodies.push(vec![
            spec.name.as_str().into(),
            moves(spec).into(),
            Cell::from(mass),
            x.into(),
            y.into(),
            z.into(),
            shapes(spec).into(),
        ]);
    }
    let mut contacts = Sheet::new(
        &format!("{} contact entries, the first that matches counts", scene.contacts.len()),
        &[("between", ""), ("and", ""), ("material", ""), ("normal law", ""), ("friction law", "")],
    );
    for contact in &scene.contacts {
        let [a, b] = contact.between.each_ref().map(|who| match who {
            Who::Any => "*",
            Who::Body(name) | Who::Pattern(name) => name.as_str(),
        });
        let laws = match &contact.rule {
            ContactRule::Ignore => ["none".to_string(), String::new(), String::new()],
            ContactRule::Material(name) => {
                let material = scene.material(name);
                let normal = material.map(|m| m.normal.info.id.to_string()).unwrap_or_default();
                let friction = material.and_then(|m| Some(m.friction.as_ref()?.info.id.to_string()));
                [name.clone(), normal, friction.unwrap_or_else(|| "none".to_string())]
            }
        };
        contacts.push([a.into(), b.into()].into_iter().chain(laws.map(Cell::from)).collect());
    }
    let found = warnings(scene, &prepared);
    let freedoms = tree.nv();
    if is_json {
        let warnings: Vec<String> = found.iter().map(ToString::to_string).collect();
        let totals = json!({ "mass": total, "degrees_of_freedom": freedoms });
        let sheets = [bodies.to_json(), contacts.to_json()];
        print(&format!("{:#}", json!({ "sheets": sheets, "totals": totals, "warnings": warnings })))?;
    } else {
        print(&bodies.to_text())?;
        print(&contacts.to_text())?;
        print(&format!("total mass {} kg, {freedoms} degrees of freedom", short(total)))?;
        found.iter().for_each(|warning| level::warning(&warning.explain()));
    }
    if is_strict && !found.is_empty() {
        return Err(Error::Warnings { count: found.len() });
    }
    Ok(())
}

fn moves(body: &BodySpec) -> &'static str {
    match body.kind {
        BodyKind::Free => "freely",
        BodyKind::Jointed => "by its joint",
        BodyKind::Fixed => "not",
        BodyKind::Driven(_) => "as driven",
    }
}

fn shapes(body: &BodySpec) -> String {
    let names: Vec<String> = body.shapes.iter().map(|posed| name(&posed.shape)).collect();
    if names.is_empty() { "none".to_string() } else { names.join(", ") }
}

fn name(shape: &ShapeSpec) -> String {
    match shape {
        ShapeSpec::HalfSpace => "plane".to_string(),
        ShapeSpec::Point => "point".to_string(),
        ShapeSpec::Sphere { radius } => format!("sphere of radius {radius}"),
        ShapeSpec::Cylinder { radius, length } => format!("cylinder {radius} x {length}"),
        ShapeSpec::Tube { radius, .. } => format!("tube of radius {radius}"),
        ShapeSpec::Capsule { radius, length } => format!("capsule {radius} x {length}"),
        ShapeSpec::Box { size } => format!("box {} x {} x {}", size.x, size.y, size.z),
        ShapeSpec::Spheres(balls) => format!("{} spheres", balls.len()),
        ShapeSpec::Ellipsoid { radii } => format!("ellipsoid {} x {} x {}", radii.x, radii.y, radii.z),
        ShapeSpec::Convex(body) => format!("convex, {} corners", body.vertices().len()),
        ShapeSpec::Mesh(mesh) => format!("mesh, {} facets", mesh.triangles().len()),
        ShapeSpec::Terrain(_) => "terrain".to_string(),
        _ => "another shape".to_string(),
    }
}
