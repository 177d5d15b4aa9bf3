//! What does not change during a playback: bodies, shapes, the upward direction, when contacts acted.

use super::shapes::Shapes;
use bristle::bones;
use bristle::film::{Film, Grip};
use bristle::geom::Pose;
use bristle::ode::System;
use bristle::run::Run;
use bristle::world::{Model, World};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn pose(at: &Pose<f64>) -> Value {
    let (p, q) = (at.translation.vector, at.rotation.coords);
    json!([p.x, p.y, p.z, q.x, q.y, q.z, q.w])
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
    let mut drawn = Shapes::new(model, film);
    let mut bodies: Vec<Value> = Vec::new();
    for (index, body) in model.bodies.iter().enumerate() {
        let at = kin.pose(body.link);
        let own = model.shapes.iter().filter(|s| s.body == index).map(|s| (s.shape.clone(), s.pose));
        let shapes = own.chain(bones(model, index)).map(|(shape, place)| {
            let mut value = drawn.describe(&shape, &(at * place), &body.name);
            value["pose"] = pose(&place);
            value
        });
        let shapes: Vec<Value> = shapes.collect();
        bodies.push(json!({
            "name": body.name,
            "is_free": body.is_movable,
            "mover": film.bodies.iter().position(|b| *b == index),
            "pose": pose(at),
            "shapes": shapes,
        }));
    }
    let (meshes, notes) = drawn.finish();
    json!({ "up": up(model), "bodies": bodies, "pairs": film.pairs, "meshes": meshes, "notes": notes })
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
