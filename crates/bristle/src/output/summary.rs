//! `summary.json`: how a run ended, and where its energy went.

use super::RUN_FORMAT;
use crate::episode::Episode;
use crate::run::Run;
use crate::world::{Model, WORLD_ACCOUNTS, World};
use bristle_ode::System;
use serde_json::{Map, Value, json};

/// The summary that `summary.json` and `--json` show.
pub fn summary(model: &Model, run: &Run) -> Value {
    let world = World::new(model);
    let mut ws = world.scratch();
    let kin = world.kinematics(run.state.t, &run.state.x, &mut ws);
    let list = |v: &bristle_math::Vector3<f64>| json!([v.x, v.y, v.z]);
    let bodies: Map<String, Value> = model
        .bodies
        .iter()
        .map(|b| {
            let (pose, twist) = (kin.pose(b.link), kin.twist(b.link));
            let q = pose.rotation.quaternion();
            let value = json!({
                "position": list(&pose.translation.vector),
                "velocity": list(&twist.linear),
                "orientation": [q.w, q.i, q.j, q.k],
                "angular_velocity": list(&twist.angular),
            });
            (b.name.clone(), value)
        })
        .collect();
    let e = &run.last;
    let mut accounts = Map::new();
    for (name, value) in [
        ("kinetic", e.kinetic),
        ("gravity", e.gravity),
        ("elastic_normal", e.elastic_normal),
        ("elastic_tangential", e.elastic_tangential),
        ("springs", e.springs),
        ("elastic_joints", e.elastic_joints),
    ] {
        accounts.insert(name.to_string(), json!(value));
    }
    for (name, value) in WORLD_ACCOUNTS.iter().zip(e.lost.iter().chain([&e.work, &e.actuators])) {
        accounts.insert((*name).to_string(), json!(value));
    }
    let mut contacts: Map<String, Value> = Map::new();
    for episode in &run.episodes {
        let entry = contacts
            .entry(episode.pair.clone())
            .or_insert_with(|| json!({ "episodes": 0, "peak_force": 0.0, "peak_depth": 0.0 }));
        let larger = |key: &str, value: f64| entry[key].as_f64().unwrap_or(0.0).max(value);
        let (force, depth) =
            (larger("peak_force", episode.peak_force.0), larger("peak_depth", episode.peak_depth.0));
        *entry = json!({
            "episodes": entry["episodes"].as_u64().unwrap_or(0) + 1,
            "peak_force": force,
            "peak_depth": depth,
        });
    }
    let impacts: Vec<Value> = run.episodes.iter().map(|e| impact(e, &list)).collect();
    json!({
        "format": RUN_FORMAT,
        "version": env!("CARGO_PKG_VERSION"),
        "time": run.state.t,
        "cut": run.cut.is_some(),
        "cut_reason": run.cut,
        "bodies": bodies,
        "energy": {
            "initial": run.initial.mechanical(),
            "final": run.last.mechanical(),
            "accounts": accounts,
            "in_play": run.in_play,
            "closure_max": run.closure,
            "closure_relative": run.closure / run.in_play.max(f64::MIN_POSITIVE),
        },
        "contacts": contacts,
        "impacts": impacts,
        "integrator_choice": run.choice,
        "steps": run.stats.steps,
        "crowd_steps": run.crowd_steps,
        "rejected": run.stats.rejected,
        "evaluations": run.stats.evaluations,
        "events": run.stats.events,
        "samples": run.recording.len(),
        "wall_seconds": run.wall_seconds,
    })
}

fn impact(e: &Episode, list: &dyn Fn(&bristle_math::Vector3<f64>) -> Value) -> Value {
    let ended = |x: f64| if e.end.is_some() && x.is_finite() { json!(x) } else { Value::Null };
    let spans: Vec<Value> = e
        .spans
        .iter()
        .map(|s| json!({ "start": s.start, "end": s.end, "state": if s.slips { "slip" } else { "stick" } }))
        .collect();
    let losses: Map<String, Value> =
        WORLD_ACCOUNTS.iter().zip(e.losses).map(|(name, loss)| ((*name).to_string(), json!(loss))).collect();
    json!({
        "pair": e.pair,
        "patch": e.patch,
        "start": e.start,
        "end": e.end,
        "duration": e.end.map(|t| t - e.start),
        "v_in": e.speed_in,
        "v_out": ended(e.speed_out),
        "restitution": ended(e.newton()),
        "restitution_poisson": ended(e.poisson),
        "restitution_energetic": ended(e.energetic),
        "peak_force": e.peak_force.0,
        "peak_force_time": e.peak_force.1,
        "peak_depth": e.peak_depth.0,
        "peak_depth_time": e.peak_depth.1,
        "intervals": spans,
        "lost": losses,
        "tangential_velocity": list(&e.sliding),
        "spin": list(&e.spin),
    })
}
