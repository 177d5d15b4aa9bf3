//! What does not change during a playback: bodies, shapes, the upward direction, when contacts acted.

use bristle::bones;
use bristle::film::{Film, Grip};
use bristle::geom::{Pose, Shape};
use bristle::ode::System;
use bristle::run::Run;
use bristle::world::{Model, World};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn pose(at: &Pose<f64>) -> Value {
    let (p, q) = (at.translation.vector, at.rotation.coords);
    json!([p.x, p.y, p.z, q.x, q.y, q.z, q.w])
}

fn shape(shape: &Shape<f64>) -> Value {
    match *shape {
        Shape::HalfSpace => json!({ "kind": "half-space" }),
        Shape::Sphere { radius } => json!({ "kind": "sphere", "radius": radius }),
        Shape::Cylinder { radius, half_length } => {
            json!({ "kind": "cylinder", "radius": radius, "half_length": half_length })
        }
        // An endless tube has `null`, as JSON knows no infinity.
        Shape::Tube { radius, half_length } => {
            json!({ "kind": "tube", "radius": radius, "half_length": half_length.is_finite().then_some(half_length) })
        }
        Shape::Capsule { radius, half_length } => {
            json!({ "kind": "capsule", "radius": radius, "half_length": half_length })
        }
        Shape::Cuboid { half } => json!({ "kind": "box", "half": [half.x, half.y, half.z] }),
        // `Point`, and whatever has no drawing of its own: a dot.
        _ => json!({ "kind": "point" }),
    }
}

/// The axis of the world against gravity; z without gravity.
fn up(model: &Model) -> [f64; 3] {
    let g = model.gravity;
    let axis = if g.norm() > 0.0 { g.iamax() } else { 2 };
    [0, 1, 2].map(|i| {
        if i != axis {
            0.0
        } else if g[axis] > 0.0 {
            -1.0
        } else {
            1.0
        }
    })
}

/// Bodies with their shapes; `mover` is the body's place in the film, or `null` for one that stands still.
pub(super) fn describe(model: &Model, film: &Film) -> Value {
    let world = World::new(model);
    let mut ws = world.scratch();
    let (mut q, v) = (vec![0.0; model.tree.nq()], vec![0.0; model.tree.nv()]);
    model.tree.neutral(&mut q);
    let start: Vec<f64> = q.into_iter().chain(v).collect();
    let kin = world.kinematics(0.0, &start, &mut ws);
    let bodies = model.bodies.iter().enumerate().map(|(index, body)| {
        let shapes = model.shapes.iter().filter(|s| s.body == index).map(|s| {
            let mut value = shape(&s.shape);
            value["pose"] = pose(&s.pose);
            value
        });
        let rods = bones(model, index).into_iter().map(|(rod, at)| {
            let mut value = shape(&rod);
            value["pose"] = pose(&at);
            value
        });
        json!({
            "name": body.name,
            "is_free": body.is_movable,
            "mover": film.bodies.iter().position(|b| *b == index),
            "pose": pose(kin.pose(body.link)),
            "shapes": shapes.chain(rods).collect::<Vec<_>>(),
        })
    });
    json!({ "up": up(model), "bodies": bodies.collect::<Vec<_>>(), "pairs": film.pairs })
}

/// Contact episodes with their spans of sticking and slipping: `[start, end, grip]`.
pub(super) fn episodes(model: &Model, run: &Run) -> Value {
    let end = run.state.t;
    let smooth = frictionless(model, run);
    let list = run.episodes.iter().map(|e| {
        let whole = [(e.start, e.end.unwrap_or(end), "none")];
        let spans = e.spans.iter().map(|s| (s.start, s.end, if s.slips { "slip" } else { "stick" }));
        let spans: Vec<_> = if smooth.contains(&e.pair) { whole.into() } else { spans.collect() };
        json!({ "start": e.start, "spans": spans })
    });
    list.collect::<Vec<_>>().into()
}

/// Names of the pairs that touch without friction: they neither stick nor slip.
pub(crate) fn frictionless(model: &Model, run: &Run) -> BTreeSet<String> {
    let film = run
        .film
        .iter()
        .flat_map(|f| f.frames.iter().flat_map(move |frame| frame.contacts.iter().map(move |c| (f, c))));
    let smooth = film.filter(|(_, c)| c.grip == Grip::Frictionless);
    let bodies: BTreeSet<[usize; 2]> = smooth.filter_map(|(f, c)| f.pairs.get(c.pair).copied()).collect();
    bodies.into_iter().map(|pair| pair.map(|b| model.bodies[b].name.as_str()).join("-")).collect()
}
