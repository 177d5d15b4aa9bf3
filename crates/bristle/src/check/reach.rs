//! Pairs that have a material but cannot meet, however they move: the boxes they can reach do not overlap.

use super::{Warning, warn};
use crate::build::Prepared;
use crate::scene::{BodyKind, ContactRule, MotionSpec, Scene, Who};
use crate::world::World;
use bristle_geom::Aabb;
use bristle_math::Vector3;
use bristle_ode::System;

/// Pairs of bodies are looked at one by one only in scenes of up to this many.
const MOST_BODIES: usize = 200;

pub(super) fn check(scene: &Scene, prepared: &Prepared, all: &mut Vec<Warning>) {
    if scene.bodies.len() > MOST_BODIES {
        return;
    }
    let boxes: Vec<Option<Aabb>> = reachable(scene, prepared);
    for contact in scene.contacts.iter().filter(|c| matches!(c.rule, ContactRule::Material(_))) {
        // an entry with "*" is there for the pairs that can meet
        let [Who::Body(a), Who::Body(b)] = &contact.between else { continue };
        let index = |name: &str| scene.bodies.iter().position(|body| body.name == name);
        let (Some(i), Some(j)) = (index(a), index(b)) else { continue };
        let (a, b) = (&scene.bodies[i], &scene.bodies[j]);
        let (Some(reach_a), Some(reach_b)) = (boxes[i], boxes[j]) else { continue };
        if (a.is_free() || b.is_free()) && !meet(&reach_a, &reach_b) {
            let message = format!("can never happen: as they can move, {} and {} stay apart", a.name, b.name);
            warn(all, contact.place.clone(), "never-touch", message);
        }
    }
}

fn meet(a: &Aabb, b: &Aabb) -> bool {
    (0..3).all(|k| a.min[k] <= b.max[k] && b.min[k] <= a.max[k])
}

/// The box that each body's shapes can ever be in; `None` without shapes.
fn reachable(scene: &Scene, prepared: &Prepared) -> Vec<Option<Aabb>> {
    let model = &prepared.model;
    let world = World::new(model);
    let mut ws = world.scratch();
    let x: Vec<f64> = prepared.q.iter().chain(&prepared.v).copied().collect();
    let kin = world.kinematics(0.0, &x, &mut ws);
    let mut boxes: Vec<Option<Aabb>> = vec![None; scene.bodies.len()];
    for shape in &model.shapes {
        let spec = &scene.bodies[shape.body];
        let pose = *kin.pose(shape.link);
        let own = if spec.is_free() && spec.freedoms.can_turn() {
            let reach = shape.pose.translation.vector.norm() + shape.shape.bounding_radius();
            let center = pose.translation.vector;
            Aabb { min: center.add_scalar(-reach), max: center.add_scalar(reach) }
        } else {
            shape.shape.aabb(&(pose * shape.pose))
        };
        let whole = boxes[shape.body].get_or_insert(own);
        *whole = Aabb { min: whole.min.inf(&own.min), max: whole.max.sup(&own.max) };
    }
    for (spec, reach) in scene.bodies.iter().zip(&mut boxes) {
        let Some(reach) = reach else { continue };
        let moves: [bool; 3] = match &spec.kind {
            BodyKind::Fixed => [false; 3],
            BodyKind::Free => spec.freedoms.linear,
            BodyKind::Jointed => [true; 3],
            BodyKind::Driven(MotionSpec::Velocity(v)) => [0, 1, 2].map(|k| v[k] != 0.0),
            BodyKind::Driven(MotionSpec::Sine { axis, .. }) => [0, 1, 2].map(|k| axis[k] != 0.0),
            BodyKind::Driven(MotionSpec::Turn { .. }) => [true; 3],
            BodyKind::Driven(MotionSpec::Table { positions, .. }) => {
                [0, 1, 2].map(|k| positions.iter().any(|p: &Vector3<f64>| p[k] != positions[0][k]))
            }
        };
        for (k, _) in moves.iter().enumerate().filter(|(_, moves)| **moves) {
            (reach.min[k], reach.max[k]) = (f64::NEG_INFINITY, f64::INFINITY);
        }
    }
    boxes
}
