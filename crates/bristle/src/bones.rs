//! Links of joints as rods, for pictures: most have no shape of their own.

use crate::robot::turn_of_z_to;
use crate::world::Model;
use bristle_bodies::Pose;
use bristle_geom::Shape;
use bristle_math::Vector3;
use nalgebra::Isometry3;

/// Thickness of a rod per length.
const SLENDER: f64 = 0.04;

/// Rods of a body, in its frame: from its origin to each joint that it carries, to each shape that sits elsewhere, and to its
/// centre of mass if there is nothing else. None for a body that no joint carries and that carries none.
pub fn bones(model: &Model, body: usize) -> Vec<(Shape<f64>, Pose<f64>)> {
    let link = model.bodies[body].link;
    let joint_links: Vec<usize> = model.joints.iter().map(|j| j.link).collect();
    let links = model.tree.links();
    let hangs = joint_links.contains(&link) || links[link].parent.is_some_and(|p| joint_links.contains(&p));
    let carried = joint_links.iter().filter(|l| links[**l].parent == Some(link));
    let mut ends: Vec<Vector3<f64>> = carried.map(|l| links[*l].placement.translation.vector).collect();
    if (ends.is_empty() && !hangs) || !model.bodies[body].is_movable {
        return Vec::new();
    }
    ends.extend(model.shapes.iter().filter(|s| s.body == body).map(|s| s.pose.translation.vector));
    let is_long = |end: &Vector3<f64>| end.norm() > 1e-9;
    if !ends.iter().any(is_long) {
        ends.push(links[link].inertia.center);
    }
    let rod = |end: Vector3<f64>| {
        let length = end.norm();
        let pose = Isometry3::from_parts((end * 0.5).into(), turn_of_z_to(&(end / length)));
        (Shape::Capsule { radius: SLENDER * length, half_length: 0.5 * length }, pose)
    };
    ends.into_iter().filter(is_long).map(rod).collect()
}
