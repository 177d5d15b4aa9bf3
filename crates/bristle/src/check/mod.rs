//! What is allowed in a scene but rarely meant: warnings, each with its place.
//!
//! ```
//! use bristle::{check, prepare, scene::Scene};
//! let text = r#"
//! schema = 1
//! [simulation]
//! duration = 1e-4
//! [bodies.ball]
//! mass = 1.0
//! shape = { sphere = { radius = 0.1 } }
//! "#;
//! let scene = Scene::parse(text, "ball.toml", &[])?;
//! let warnings = check::warnings(&scene, &prepare(&scene)?);
//! assert_eq!(warnings[0].to_string(), "ball.toml:3:2: simulation.record.every = 0.001 is longer than \
//!     the duration: only the start and the end are recorded");
//! # Ok::<(), bristle::scene::SceneErrors>(())
//! ```

mod pairs;
mod reach;
mod stability;

use crate::build::Prepared;
use crate::scene::{Method, Place, Scene, ShapeSpec, Start};
use crate::world::World;
use bristle_ode::System;

/// Something that is allowed but rarely meant. Prints as one line with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// The key it is about.
    pub place: Place,
    /// Short name of the kind of warning, e.g. `stiff-step`; the same in every release.
    pub code: &'static str,
    /// What is odd, as the rest of a sentence about the key.
    pub message: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} {}", self.place, self.place.key(), self.message)
    }
}

impl Warning {
    /// The warning, and below it the line it is about with carets under the key.
    pub fn explain(&self) -> String {
        match self.place.excerpt(false) {
            Some(excerpt) => format!("{self}\n{excerpt}"),
            None => self.to_string(),
        }
    }
}

/// Overlap at the start that is taken for a mistake, in sizes of the smaller shape.
const DEEP: f64 = 0.05;
/// Coefficient of friction that is taken for a mistake: rubber on dry rock reaches about 1.5.
const ROUGH: f64 = 2.0;

/// Shapes of free bodies that are many for methods that know no crowds: with some hundred contacts steps take milliseconds.
const MANY: usize = 200;

/// Everything odd about a scene, in the order of its lines.
pub fn warnings(scene: &Scene, prepared: &Prepared) -> Vec<Warning> {
    let mut all = Vec::new();
    times(scene, &mut all);
    nothing_moves(scene, &mut all);
    robots(scene, &mut all);
    meshes(scene, &mut all);
    materials(scene, &mut all);
    pairs::check(scene, prepared, &mut all);
    reach::check(scene, prepared, &mut all);
    overlaps(scene, prepared, &mut all);
    stability::check(scene, prepared, &mut all);
    crowds(scene, prepared, &mut all);
    for name in scene.unused_parameters() {
        warn(
            &mut all,
            scene.place(&format!("parameters.{name}")),
            "unused-parameter",
            "is used by no formula",
        );
    }
    all.sort_by_key(|w| w.place.order(false));
    all
}

fn warn(all: &mut Vec<Warning>, place: Place, code: &'static str, message: impl Into<String>) {
    all.push(Warning { place, code, message: message.into() });
}

/// Many free bodies, and a method that does not take them as a crowd.
fn crowds(scene: &Scene, prepared: &Prepared, all: &mut Vec<Warning>) {
    let (method, count) = (scene.simulation.integrator.method, prepared.model.shapes.len());
    if method == Method::SemiImplicitEuler || count < MANY || !crate::crowd::is_crowd(&prepared.model) {
        return;
    }
    let message = format!(
        "= \"{}\" follows each contact of {count} shapes by itself; semi-implicit-euler takes free bodies as a crowd, many times faster",
        method.name()
    );
    warn(all, scene.place("simulation.integrator.method"), "slow-crowd", message);
}

/// What was put right in meshes as they were read.
fn meshes(scene: &Scene, all: &mut Vec<Warning>) {
    for shape in scene.bodies.iter().flat_map(|b| &b.shapes) {
        if let ShapeSpec::Mesh(mesh) = &shape.shape {
            for what in mesh.warnings() {
                warn(all, shape.place.clone(), "mesh", format!("holds a mesh that {what}"));
            }
        }
    }
}

pub(crate) fn times(scene: &Scene, all: &mut Vec<Warning>) {
    let sim = &scene.simulation;
    if sim.record.every > sim.duration {
        let message = format!(
            "= {} is longer than the duration: only the start and the end are recorded",
            sim.record.every
        );
        warn(all, scene.place("simulation.record.every"), "record-interval", message);
    }
    if let Some(step) = sim.integrator.step.filter(|step| *step > sim.duration) {
        let message = format!("= {} is shorter than one step of {step} s", sim.duration);
        warn(all, scene.place("simulation.duration"), "short-duration", message);
    }
}

fn nothing_moves(scene: &Scene, all: &mut Vec<Warning>) {
    if !scene.bodies.iter().any(|b| b.is_free()) {
        warn(
            all,
            scene.place("bodies"),
            "nothing-moves",
            "are all fixed or driven: nothing follows from forces",
        );
    }
}

/// What robot files say and a scene cannot hold.
fn robots(scene: &Scene, all: &mut Vec<Warning>) {
    for robot in &scene.robots {
        for loss in robot.warnings.iter().filter(|w| w.effect == crate::robot::Effect::Motion) {
            warn(all, robot.place.inside("file"), "robot-loss", format!("says more than is read: {loss}"));
        }
    }
}

fn materials(scene: &Scene, all: &mut Vec<Warning>) {
    for material in &scene.materials {
        if material.friction.is_none() && !material.is_frictionless {
            let message = "has no friction: bodies slide freely; write friction = \"none\" if that is meant";
            warn(all, material.place.clone(), "no-friction", message);
        }
        for name in ["friction", "static", "kinetic"] {
            let Some(law) = &material.friction else { continue };
            if let Some(bristle_laws::Value::Number(x)) = law.params.get(name)
                && *x > ROUGH
            {
                let place = law.place_of(name).clone();
                warn(all, place, "friction-coefficient", format!("= {x} is more than any dry surfaces have"));
            }
        }
    }
}

/// Bodies that begin deep inside each other fly apart.
fn overlaps(scene: &Scene, prepared: &Prepared, all: &mut Vec<Warning>) {
    let model = &prepared.model;
    let world = World::new(model);
    let (mut ws, state) = (world.scratch(), world.start(&prepared.q, &prepared.v));
    let mut deepest: Vec<(usize, f64)> = Vec::new();
    world.for_each_gap(0.0, &state.x, &state.mode, &mut ws, |pair, depth| match deepest.last_mut() {
        Some((last, d)) if *last == pair => *d = d.max(depth),
        _ => deepest.push((pair, depth)),
    });
    // of copies, which stand at one place of the file, the worst
    let mut worst: Vec<(&Place, f64, usize, String)> = Vec::new();
    for (pair, depth) in deepest {
        let shapes = state.mode.pairs[pair].shapes.map(|s| &model.shapes[s]);
        let sizes =
            shapes.map(|s| s.shape.bounding_radius()).into_iter().filter(|r| *r > 0.0 && r.is_finite());
        let size = sizes.fold(f64::INFINITY, f64::min);
        let size = if size.is_finite() { size } else { model.scale.length };
        let [a, b] = shapes.map(|s| &scene.bodies[s.body]);
        let rests = a.start == Start::Rest || b.start == Start::Rest;
        if depth <= DEEP * size || rests {
            continue;
        }
        let (own, other) = if a.is_free() { (a, b) } else { (b, a) };
        let share = depth / size;
        let message =
            format!("starts {depth:.3e} m inside {}, {:.0} % of its size", other.name, 100.0 * share);
        match worst.iter_mut().find(|(place, ..)| **place == own.place) {
            Some((_, most, others, said)) => {
                *others += 1;
                if share > *most {
                    (*most, *said) = (share, message);
                }
            }
            None => worst.push((&own.place, share, 0, message)),
        }
    }
    for (place, _, others, message) in worst {
        let more = if others > 0 { format!(" ({others} more pairs like this)") } else { String::new() };
        warn(all, place.clone(), "deep-overlap", format!("{message}: they will fly apart{more}"));
    }
}
