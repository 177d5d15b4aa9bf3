//! Bodies that start at rest: moved until the contacts carry them.
//!
//! Newton's method on the forces along the freedoms over the configuration, with friction at rest: a body standing on its
//! contacts finds its depth, a robot its posture under its motors, directions that nothing holds stay as they are
//! (least-norm steps). Forces and not accelerations: their slopes are stiffnesses, which light links do not blow up.

use crate::world::{Mode, Model, Scratch, World};
use bristle_bodies::Loads;
use bristle_math::Vector3;
use bristle_ode::System;
use nalgebra::{DMatrix, DVector};

/// Why a body found no rest.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RestError {
    /// Nothing below it.
    #[error("{body} cannot start at rest: nothing it touches lies in the direction of gravity")]
    NoSupport {
        /// Body name.
        body: String,
    },
    /// No equilibrium near the given position.
    #[error(
        "{body} cannot start at rest: its acceleration stays at {acceleration:.3e} m/s²; contact must hold it without friction"
    )]
    NoEquilibrium {
        /// Body name.
        body: String,
        /// What is left, m/s² or rad/s².
        acceleration: f64,
    },
}

/// Largest acceleration left at rest, relative to gravity.
const STILL: f64 = 1e-12;

/// Moves groups of bodies (each the index of one body, or of all links of a robot, the root first), one after the other,
/// until their contacts carry them.
pub fn settle(model: &Model, q: &mut [f64], groups: &[Vec<usize>]) -> Result<(), RestError> {
    for group in groups {
        bring_into_touch(model, q, group)?;
    }
    let bodies = groups.concat();
    if bodies.is_empty() { Ok(()) } else { balance(model, q, &bodies) }
}

/// Lowers (or lifts) bodies along gravity until their deepest contact just overlaps.
fn bring_into_touch(model: &Model, q: &mut [f64], group: &[usize]) -> Result<(), RestError> {
    // the first that can move takes the others along
    let first = group.iter().find(|b| model.bodies[**b].is_movable).or(group.first());
    let Some(&body) = first else { return Ok(()) };
    let world = World::new(model);
    let down = model.gravity.normalize();
    for _ in 0..200 {
        let (mut ws, state) = (world.scratch(), world.start(q, &vec![0.0; model.tree.nv()]));
        let mut deepest = f64::NEG_INFINITY;
        let own = |pair: usize, mode: &Mode| {
            mode.pairs[pair].shapes.iter().any(|s| group.contains(&model.shapes[*s].body))
        };
        world.for_each_gap(0.0, &state.x, &state.mode, &mut ws, |pair, depth| {
            if own(pair, &state.mode) {
                deepest = deepest.max(depth);
            }
        });
        if !deepest.is_finite() {
            break;
        }
        if deepest > 0.0 && deepest < 1e-3 * model.scale.length {
            return Ok(());
        }
        // just past the surface, whatever the angle of approach: repeated until it is
        nudge(model, q, body, down * (1e-6 * model.scale.length - deepest));
    }
    Err(RestError::NoSupport { body: model.bodies[body].name.clone() })
}

/// The velocities that move a body: those of its link and of the links it hangs on.
fn freedoms(model: &Model, body: usize) -> Vec<usize> {
    let mut link = Some(model.bodies[body].link);
    let mut all = Vec::new();
    while let Some(l) = link {
        all.extend(model.tree.v_range(l));
        link = model.tree.links()[l].parent;
    }
    all.sort_unstable();
    all
}

/// Shifts a body as far as its freedoms allow.
fn nudge(model: &Model, q: &mut [f64], body: usize, shift: Vector3<f64>) {
    let world = World::new(model);
    let mut ws = world.scratch();
    let link = model.bodies[body].link;
    let mut move_by = vec![0.0; model.tree.nv()];
    for i in freedoms(model, body) {
        let mut v = vec![0.0; model.tree.nv()];
        v[i] = 1.0;
        let x: Vec<f64> = q.iter().chain(&v).copied().collect();
        let twist = world.kinematics(0.0, &x, &mut ws).links[link].twist;
        if twist.angular.norm() == 0.0 {
            move_by[i] = shift.dot(&twist.linear);
        }
    }
    step(model, q, &move_by);
}

/// q += N(q) v, renormalised.
fn step(model: &Model, q: &mut [f64], v: &[f64]) {
    let mut rates = vec![0.0; q.len()];
    model.tree.rates(q, v, &mut rates);
    q.iter_mut().zip(&rates).for_each(|(q, r)| *q += r);
    model.tree.normalise(q);
}

/// What is out of balance in a configuration at rest.
struct Unbalance {
    /// Along the chosen freedoms: N, N m.
    forces: DVector<f64>,
    /// Largest acceleration along them, m/s² or rad/s².
    acceleration: f64,
}

fn unbalance(model: &Model, q: &[f64], free: &[usize]) -> Unbalance {
    let world = World::new(model);
    let v = vec![0.0; model.tree.nv()];
    let state = world.start(q, &v);
    let mut ws = world.scratch();
    let mut dx = vec![0.0; state.x.len()];
    world.derivative(0.0, &state.x, &state.mode, &mut dx, &mut ws);
    world.drift(0.0, &state.x, &state.mode, &mut dx, &mut ws); // leaves what acts in `ws`
    let rates = free.iter().map(|i| dx[model.tree.nq() + i].abs());
    let acceleration = rates.fold(0.0, f64::max);
    // what would have to act besides to keep everything still
    let mut missing = vec![0.0; model.tree.nv()];
    let Scratch { kin, wrenches, efforts, driven, tree, .. } = &mut ws;
    let loads = Loads { wrenches, efforts, gravity: model.gravity, driven, yields: None };
    model.tree.inverse_dynamics(kin, &v, &v, &loads, &mut missing, tree);
    Unbalance { forces: DVector::from_iterator(free.len(), free.iter().map(|i| -missing[*i])), acceleration }
}

fn balance(model: &Model, q: &mut [f64], bodies: &[usize]) -> Result<(), RestError> {
    let mut free: Vec<usize> = bodies.iter().flat_map(|b| freedoms(model, *b)).collect();
    free.sort_unstable();
    free.dedup();
    let limit = STILL * model.gravity.norm().max(1e-3);
    let mut now = unbalance(model, q, &free);
    for _ in 0..200 {
        if now.acceleration <= limit {
            return Ok(());
        }
        let h = 1e-7 * model.scale.length;
        let mut slopes = DMatrix::zeros(free.len(), free.len());
        for (column, i) in free.iter().enumerate() {
            let moved = |by: f64| {
                let mut moved = q.to_vec();
                let mut v = vec![0.0; model.tree.nv()];
                v[*i] = by;
                step(model, &mut moved, &v);
                unbalance(model, &moved, &free).forces
            };
            slopes.set_column(column, &((moved(h) - moved(-h)) / (2.0 * h)));
        }
        // beyond this the decomposition itself is no longer finite
        if !slopes.iter().all(|slope| slope.abs() < 1e150) {
            break;
        }
        let threshold = 1e-7 * slopes.amax();
        let Ok(change) = slopes.svd(true, true).solve(&-&now.forces, threshold) else { break };
        // A step that makes it worse is halved: forces rise steeply with depth.
        let tried = std::iter::successors(Some(1.0), |share| Some(0.5 * share).filter(|share| *share > 1e-6));
        let better = tried.into_iter().find_map(|share| {
            let mut v = vec![0.0; model.tree.nv()];
            free.iter().zip(change.iter()).for_each(|(i, c)| v[*i] = share * c);
            let mut moved = q.to_vec();
            step(model, &mut moved, &v);
            let next = unbalance(model, &moved, &free);
            (next.forces.norm() < now.forces.norm()).then_some((moved, next))
        });
        // where no step is better, all that is left is rounding
        let Some((moved, next)) = better else { break };
        q.copy_from_slice(&moved);
        now = next;
    }
    // At the limit of rounding the last digits tell nothing.
    if now.acceleration <= 1e3 * limit {
        return Ok(());
    }
    let body = model.bodies[bodies[0]].name.clone();
    Err(RestError::NoEquilibrium { body, acceleration: now.acceleration })
}
