//! A scene becomes a model: bodies joints, shapes classes, materials laws.

mod auto;
mod bodies;
mod contacts;
mod elements;
mod joints;
mod touching;

pub(crate) use contacts::lens_of;

use crate::rest::{self, RestError};
use crate::run::{Method, RunOptions};
use crate::scene::{BodyKind, MotionSpec, Scene, SceneErrors, Start};
use crate::world::{Actuator, Body, BodyShape, Drive, Model, Place, Scale, World};
use bristle_bodies::{Kinematics, Link, Tree, Wrench};
use bristle_ode::{AdaptiveOptions, EventHandling, FixedOptions, Pair as Formulas, System};
use std::collections::BTreeMap;

/// A model with its start and how to run it.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The model.
    pub model: Model,
    /// Configuration at the start.
    pub q: Vec<f64>,
    /// Velocity at the start.
    pub v: Vec<f64>,
    /// How to run it.
    pub options: RunOptions,
}

/// Builds everything a scene describes; all that is wrong with its bodies or its contacts is said at once.
pub fn prepare(scene: &Scene) -> Result<Prepared, SceneErrors> {
    if scene.nonsmooth.is_some() {
        let message = "is a system of formulas, not of bodies: bristle::nonsmooth::prepare takes it";
        return Err(scene.complain("nonsmooth", message).into());
    }
    let mut builder = Builder {
        scene,
        links: Vec::new(),
        bodies: scene.bodies.iter().map(Body::unplaced).collect(),
        shapes: Vec::new(),
        drives: Vec::new(),
        start: Vec::new(),
        links_by_name: BTreeMap::new(),
        joint_links: BTreeMap::new(),
        armature: BTreeMap::new(),
        indices: scene.bodies.iter().enumerate().map(|(i, b)| (b.name.as_str(), i)).collect(),
        joint_of: BTreeMap::new(),
    };
    builder.find_joints();
    let order = builder.order();
    let mut errors: Vec<_> = order.iter().filter_map(|i| builder.add_body(*i).err()).collect();
    if let Some(errors) = SceneErrors::of(std::mem::take(&mut errors)) {
        return Err(errors);
    }
    let links = std::mem::take(&mut builder.links);
    let armature = links.iter().enumerate().flat_map(|(i, link)| {
        std::iter::repeat_n(builder.armature.get(&i).copied().unwrap_or(0.0), link.joint.nv())
    });
    let armature = armature.collect();
    let tree = Tree::with_armature(links, armature).map_err(|e| scene.complain("bodies", e))?;
    for body in &mut builder.bodies {
        body.is_movable &= !tree.is_still(body.link);
    }
    let apart = builder.apart();
    let groups: Vec<bool> = scene.robots.iter().map(|r| r.self_contact).collect();
    let (classes, interactions, materials) = builder.interactions(&tree, &apart, &groups, &mut errors);
    let along = builder.along(&tree, &mut errors);
    if let Some(errors) = SceneErrors::of(errors) {
        return Err(errors);
    }
    let (mut q, mut v) = (vec![0.0; tree.nq()], vec![0.0; tree.nv()]);
    tree.neutral(&mut q);
    for (link, at, rate) in &builder.start {
        q[tree.q_range(*link)].copy_from_slice(at);
        v[tree.v_range(*link)].copy_from_slice(rate);
    }
    let mut kin = Kinematics::new(&tree);
    let driven: Vec<_> = builder.drives.iter().map(|d| d.at(0.0)).collect();
    tree.kinematics(&q, &v, &driven, &mut kin);
    let mut wrenches = vec![Wrench::zero(); tree.links().len()];
    let springs = builder.springs(&kin);
    let torsion_springs = builder.torsion_springs(&kin);
    let forces = builder.forces(&tree);
    let (pins, actuators, sensors) = (builder.pins(), builder.actuators(&tree), builder.sensors());
    let stored = springs.iter().map(|s| s.act(&kin, &mut wrenches).stored).sum::<f64>()
        + torsion_springs.iter().map(|s| s.act(&kin, &mut wrenches).stored).sum::<f64>()
        + along.springs.iter().map(|s| s.act(&q, &v).stored).sum::<f64>();
    let scale = builder.scale(&tree, stored, &actuators);
    let offset_shapes = (0..builder.shapes.len()).filter(|s| builder.shapes[*s].place == Place::Offset);
    let offset_shapes = offset_shapes.collect();
    let model = Model {
        offset_shapes,
        bodies: builder.bodies,
        shapes: builder.shapes,
        classes,
        interactions,
        materials,
        drives: builder.drives,
        springs,
        torsion_springs,
        forces,
        pins,
        actuators,
        sensors,
        joints: along.joints,
        joint_springs: along.springs,
        couplings: along.couplings,
        stops: along.stops,
        frictions: along.frictions,
        robots: scene.robots.iter().map(|r| r.name.clone()).collect(),
        apart,
        groups,
        gravity: scene.simulation.gravity,
        carries_spin: true,
        scale,
        tree,
    };
    if scene.simulation.integrator.method == crate::scene::Method::LinearlyImplicit
        && let Some(reason) = model.not_yielding()
    {
        return Err(scene.complain("simulation.integrator.method", reason).into());
    }
    let alone = (0..scene.bodies.len()).filter(|i| scene.bodies[*i].start == Start::Rest).map(|i| vec![i]);
    let robots = scene.robots.iter().filter(|r| r.start == Start::Rest);
    let whole =
        robots.map(|r| r.bodies.iter().filter_map(|b| builder.indices.get(b.as_str()).copied()).collect());
    let resting: Vec<Vec<usize>> = alone.chain(whole).collect();
    rest::settle(&model, &mut q, &resting).map_err(|error| {
        let (RestError::NoSupport { body } | RestError::NoEquilibrium { body, .. }) = &error;
        let key = match scene.body(body).and_then(|b| b.robot.as_ref()) {
            Some(robot) => format!("robots.{robot}.start"),
            None => format!("bodies.{body}.start"),
        };
        scene.complain(&key, error)
    })?;
    let mut options = options(scene);
    if let (crate::scene::Method::Auto, Method::Adaptive(open)) =
        (scene.simulation.integrator.method, options.method)
    {
        let (chosen, reason) = auto::choose(&model, &q, &v, open, options.duration);
        (options.method, options.choice) = (Method::Adaptive(chosen), Some(reason));
    }
    if let Method::Adaptive(chosen) = options.method
        && chosen.pair.is_implicit()
    {
        let world = World::new(&model);
        let unknowns = world.layout(&world.start(&q, &v).mode).w().start;
        let size = chosen.pair.check_size(unknowns);
        size.map_err(|error| scene.complain("simulation.integrator.method", error))?;
    }
    if let Method::Fixed(fixed) = options.method
        && fixed.method == bristle_ode::Method::SemiImplicitEuler
        && crate::crowd::is_crowd(&model)
    {
        // something touches or leaves in almost every step: to cut them there would be to make many small ones
        options.method = Method::Fixed(fixed.with_events(EventHandling::AtStepEnd));
        options.impacts = scene.simulation.record.impacts.unwrap_or(false);
    }
    Ok(Prepared { model, q, v, options })
}

/// A method with a tolerance or a step (s), and defaults for the rest.
pub(crate) fn method_of(name: crate::scene::Method, value: f64) -> Method {
    use crate::scene::Method as Name;
    let adaptive = |pair| Method::Adaptive(AdaptiveOptions { pair, ..AdaptiveOptions::with_rtol(value) });
    let fixed = |method| Method::Fixed(FixedOptions::new(method, value));
    match name {
        // of what is left open the tolerances are known
        Name::Dopri5 | Name::Auto => adaptive(Formulas::Dopri5),
        Name::Dop853 => adaptive(Formulas::Dop853),
        Name::Rodas4 => adaptive(Formulas::Rodas4),
        Name::Bdf => adaptive(Formulas::Bdf),
        Name::Euler => fixed(bristle_ode::Method::Euler),
        Name::SemiImplicitEuler => fixed(bristle_ode::Method::SemiImplicitEuler),
        Name::Rk3 => fixed(bristle_ode::Method::Rk3),
        Name::Rk4 => fixed(bristle_ode::Method::Rk4),
        // its steps are long beside a contact: to locate events in them would be to cut them up
        Name::LinearlyImplicit => Method::Fixed(
            FixedOptions::new(bristle_ode::Method::LinearlyImplicitEuler, value)
                .with_events(EventHandling::AtStepEnd),
        ),
    }
}

pub(crate) fn options(scene: &Scene) -> RunOptions {
    let (sim, i) = (&scene.simulation, &scene.simulation.integrator);
    let method = match method_of(i.method, i.step.unwrap_or(i.rtol)) {
        Method::Adaptive(chosen) => Method::Adaptive(AdaptiveOptions {
            atol: i.atol,
            initial_step: i.initial_step,
            min_step: i.min_step,
            max_step: i.max_step,
            ..chosen
        }),
        fixed => fixed,
    };
    let named =
        |q| crate::scene::Quantity::NAMES.iter().find(|(_, k)| *k == q).map(|(n, _)| (*n).to_string());
    RunOptions {
        duration: sim.duration,
        method,
        every: sim.record.every,
        during_contact: sim.record.during_contact,
        quantities: sim.record.quantities.iter().filter_map(|q| named(*q)).collect(),
        impacts: sim.record.impacts.unwrap_or(true),
        threads: sim.threads,
        film: None,
        choice: None,
    }
}

struct Builder<'s> {
    scene: &'s Scene,
    links: Vec<Link<f64>>,
    bodies: Vec<Body>,
    shapes: Vec<BodyShape>,
    drives: Vec<Drive>,
    /// (link, its q, its v)
    start: Vec<(usize, Vec<f64>, Vec<f64>)>,
    links_by_name: BTreeMap<String, usize>,
    /// Links of joints by name.
    joint_links: BTreeMap<String, usize>,
    /// By link.
    armature: BTreeMap<usize, f64>,
    /// Bodies of the scene by name.
    indices: BTreeMap<&'s str, usize>,
    /// Joints of the scene by the body that they carry.
    joint_of: BTreeMap<usize, usize>,
}

impl Builder<'_> {
    fn find_joints(&mut self) {
        for (j, joint) in self.scene.joints.iter().enumerate() {
            if let Some(&child) = self.indices.get(joint.child.as_str()) {
                self.joint_of.insert(child, j);
            }
        }
    }

    /// Typical magnitudes: the smallest moving shape, the fastest start, the energy of both; of springs that are stretched at
    /// the start, and of motors that move something by a tenth of a radian, or by the size of the shapes.
    fn scale(&self, tree: &Tree<f64>, stored: f64, actuators: &[Actuator]) -> Scale {
        let radii =
            self.shapes.iter().filter(|s| self.bodies[s.body].is_movable).map(|s| s.shape.bounding_radius());
        let length = radii.filter(|r| *r > 0.0 && r.is_finite()).fold(f64::INFINITY, f64::min);
        let length = if length.is_finite() { length } else { 0.01 };
        let moving = self.scene.bodies.iter().map(|b| {
            let driven = match &b.kind {
                BodyKind::Driven(MotionSpec::Velocity(v)) => v.norm(),
                BodyKind::Driven(MotionSpec::Turn { rate, about, .. }) => {
                    let arm = about.map_or(0.0, |about| (b.pose.translation.vector - about).norm());
                    rate.abs() * arm.max(length)
                }
                BodyKind::Driven(MotionSpec::Sine { amplitude, frequency, .. }) => {
                    std::f64::consts::TAU * amplitude * frequency
                }
                _ => 0.0,
            };
            b.velocity.norm().max(b.angular_velocity.norm() * length).max(driven)
        });
        let joints = self.scene.joints.iter().flat_map(|j| {
            let turns = |k: usize| !crate::scene::is_distance(j.kind, k);
            j.velocity.iter().enumerate().map(move |(k, v)| if turns(k) { v.abs() * length } else { v.abs() })
        });
        let moving = moving.chain(joints);
        let fall = (self.scene.simulation.gravity.norm() * length).sqrt();
        let speed = moving.fold(fall, f64::max).max(1e-6);
        let mass: f64 = tree.links().iter().map(|l| l.inertia.mass).sum();
        let motors = actuators.iter().map(|a| {
            let way = if tree.is_speed(a.v) { length } else { 0.1 };
            let served = a.phases.iter().map(|p| p.stiffness * way).fold(1.0, f64::max);
            a.limits.map_or(served, |[low, high]| served.min(high.abs().max(low.abs()))) * way
        });
        let energy = motors.fold(stored, f64::max).max(0.5 * mass * speed * speed);
        let speed = if mass > 0.0 { speed.max((2.0 * energy / mass).sqrt()) } else { speed };
        Scale { length, speed, energy: energy.max(f64::MIN_POSITIVE) }
    }
}
