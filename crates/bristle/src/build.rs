//! A scene becomes a model: bodies joints, shapes classes, materials laws.

use crate::design::{self, DesignError};
use crate::rest::{self, RestError};
use crate::run::{Method, RunOptions};
use crate::scene::{
    Anchor, BodyKind, BodySpec, ContactRule, ForceFrame, LawSpec, LoadSpec, MassSpec, MotionSpec, Scene,
    SceneError, ScheduleSpec, ShapeSpec, Start,
};
use crate::world::{
    AppliedForce, Body, BodyShape, Drive, End, Interaction, Material, Model, Scale, Schedule, Spring,
    TorsionSpring,
};
use bristle_bodies::{Joint, Kinematics, Link, Pose, SlideAxes, Tree};
use bristle_geom::{Pair, Patch, Placed, Shape};
use bristle_laws::{Friction, Impact, Normal, Resist};
use bristle_math::Vector3;
use bristle_math::lens::Lens;
use bristle_math::spatial::Inertia;
use bristle_ode::{AdaptiveOptions, FixedOptions, Pair as Formulas};
use nalgebra::{Isometry3, Matrix3, Unit, UnitQuaternion};
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

/// Builds everything a scene describes.
pub fn prepare(scene: &Scene) -> Result<Prepared, SceneError> {
    let mut builder = Builder {
        scene,
        links: Vec::new(),
        bodies: Vec::new(),
        shapes: Vec::new(),
        drives: Vec::new(),
        start: Vec::new(),
    };
    for spec in &scene.bodies {
        builder.add_body(spec)?;
    }
    let tree = Tree::new(std::mem::take(&mut builder.links)).map_err(|e| scene.complain("bodies", e))?;
    let (classes, interactions, materials) = builder.interactions(&tree)?;
    let (mut q, mut v) = (vec![0.0; tree.nq()], vec![0.0; tree.nv()]);
    tree.neutral(&mut q);
    for (link, at, rate) in &builder.start {
        q[tree.q_range(*link)].copy_from_slice(at);
        v[tree.v_range(*link)].copy_from_slice(rate);
    }
    let mut kin = Kinematics::new(&tree);
    let driven: Vec<_> = builder.drives.iter().map(|d| d.at(0.0)).collect();
    tree.kinematics(&q, &v, &driven, &mut kin);
    let springs = builder.springs(&kin);
    let torsion_springs = builder.torsion_springs(&kin);
    let forces = builder.forces(&tree);
    let scale = builder.scale(&tree);
    let model = Model {
        tree,
        bodies: builder.bodies,
        shapes: builder.shapes,
        classes,
        interactions,
        materials,
        drives: builder.drives,
        springs,
        torsion_springs,
        forces,
        gravity: scene.simulation.gravity,
        carries_spin: true,
        scale,
    };
    let resting: Vec<usize> =
        (0..scene.bodies.len()).filter(|i| scene.bodies[*i].start == Start::Rest).collect();
    rest::settle(&model, &mut q, &resting).map_err(|error| {
        let (RestError::NoSupport { body } | RestError::NoEquilibrium { body, .. }) = &error;
        scene.complain(&format!("bodies.{body}.start"), error)
    })?;
    Ok(Prepared { model, q, v, options: options(scene) })
}

fn options(scene: &Scene) -> RunOptions {
    use crate::scene::Method as Name;
    let (sim, i) = (&scene.simulation, &scene.simulation.integrator);
    let adaptive = |pair| {
        Method::Adaptive(AdaptiveOptions {
            pair,
            rtol: i.rtol,
            atol: i.atol,
            initial_step: i.initial_step,
            min_step: i.min_step,
            max_step: i.max_step,
            ..AdaptiveOptions::default()
        })
    };
    let fixed = |method| Method::Fixed(FixedOptions::new(method, i.step.unwrap_or(1e-4)));
    let method = match i.method {
        Name::Dopri5 => adaptive(Formulas::Dopri5),
        Name::Dop853 => adaptive(Formulas::Dop853),
        Name::Euler => fixed(bristle_ode::Method::Euler),
        Name::SemiImplicitEuler => fixed(bristle_ode::Method::SemiImplicitEuler),
        Name::Rk3 => fixed(bristle_ode::Method::Rk3),
        Name::Rk4 => fixed(bristle_ode::Method::Rk4),
    };
    let named =
        |q| crate::scene::Quantity::NAMES.iter().find(|(_, k)| *k == q).map(|(n, _)| (*n).to_string());
    RunOptions {
        duration: sim.duration,
        method,
        every: sim.record.every,
        during_contact: sim.record.during_contact,
        quantities: sim.record.quantities.iter().filter_map(|q| named(*q)).collect(),
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
}

/// Interactions by class and class, row by row, and the materials they name.
type Interactions = (usize, Vec<Option<Interaction>>, Vec<Material>);

impl Builder<'_> {
    fn add_body(&mut self, spec: &BodySpec) -> Result<(), SceneError> {
        let index = self.bodies.len();
        let inertia = self.inertia(spec)?;
        let driven = match &spec.kind {
            BodyKind::Driven(motion) => {
                self.drives.push(drive(motion, &spec.pose));
                Some(self.drives.len() - 1)
            }
            _ => None,
        };
        let link = match &spec.kind {
            BodyKind::Fixed => self.link(&spec.name, None, Joint::Fixed, spec.pose, inertia),
            BodyKind::Driven(_) => self.link(&spec.name, None, Joint::Driven, Isometry3::identity(), inertia),
            BodyKind::Free => self.free_link(spec, inertia)?,
        };
        self.bodies.push(Body { name: spec.name.clone(), link, driven, is_movable: spec.is_free() });
        for posed in &spec.shapes {
            for (shape, pose) in pieces(&posed.shape) {
                let shape = shape.checked().map_err(|e| self.scene.complain(posed.place.key(), e))?;
                self.shapes.push(BodyShape { body: index, link, shape, pose: posed.pose * pose, class: 0 });
            }
        }
        Ok(())
    }

    fn link(
        &mut self,
        name: &str,
        parent: Option<usize>,
        joint: Joint<f64>,
        placement: Pose<f64>,
        inertia: Inertia<f64>,
    ) -> usize {
        self.links.push(Link { name: name.to_string(), parent, joint, placement, inertia });
        self.links.len() - 1
    }

    /// The joints that leave a body the motions it has, and its start.
    fn free_link(&mut self, spec: &BodySpec, inertia: Inertia<f64>) -> Result<usize, SceneError> {
        let (linear, angular) = (spec.freedoms.linear, spec.freedoms.angular);
        let position = spec.pose.translation.vector;
        if spec.freedoms.is_all() {
            let link = self.link(&spec.name, None, Joint::Floating, Isometry3::identity(), inertia);
            let q = spec.pose.rotation.coords;
            let at = [position.as_slice(), q.as_slice()].concat();
            let rate = [spec.angular_velocity.as_slice(), spec.velocity.as_slice()].concat();
            self.start.push((link, at, rate));
            return Ok(link);
        }
        if angular == [true; 3] {
            let rule = "x, y, z beside rx, ry, rz: a body that turns freely in place needs a spherical joint";
            return Err(self
                .scene
                .complain(&format!("bodies.{}.move", spec.name), format!("must have {rule}")));
        }
        // Slide along the free axes, then turn about them one after the other; the body hangs at the end.
        let weightless = || Inertia { mass: 0.0, center: Vector3::zeros(), about_center: Matrix3::zeros() };
        let turns: Vec<usize> = (0..3).filter(|k| angular[*k]).collect();
        let is_turned = spec.pose.rotation.angle() > 0.0;
        let mut parent = None;
        let mut placement = Isometry3::from(position);
        let slide = SlideAxes::from_flags(linear);
        let mut steps = usize::from(slide.is_some()) + turns.len() + usize::from(is_turned);
        let mut last = |builder: &mut Self, joint: Joint<f64>, placement, parent| {
            steps -= 1;
            let own = if steps == 0 { inertia } else { weightless() };
            builder.link(&spec.name, parent, joint, placement, own)
        };
        if let Some(axes) = slide {
            let link = last(self, Joint::Slide { axes }, placement, parent);
            let free = axes.indices();
            self.start.push((link, vec![0.0; free.len()], free.iter().map(|k| spec.velocity[*k]).collect()));
            (parent, placement) = (Some(link), Isometry3::identity());
        }
        for k in turns {
            let axis = Unit::new_normalize(Vector3::ith(k, 1.0));
            let link = last(self, Joint::Revolute { axis }, placement, parent);
            self.start.push((link, vec![0.0], vec![spec.angular_velocity[k]]));
            (parent, placement) = (Some(link), Isometry3::identity());
        }
        if is_turned {
            let link = last(
                self,
                Joint::Fixed,
                Isometry3::from_parts(Default::default(), spec.pose.rotation),
                parent,
            );
            parent = Some(link);
        }
        parent.ok_or_else(|| self.scene.complain(&format!("bodies.{}.move", spec.name), "leaves no motion"))
    }

    /// Mass, centre and inertia from the scene and the shapes.
    fn inertia(&self, spec: &BodySpec) -> Result<Inertia<f64>, SceneError> {
        let zero = Inertia { mass: 0.0, center: Vector3::zeros(), about_center: Matrix3::zeros() };
        if !spec.is_free() {
            return Ok(zero);
        }
        // Shapes of unit density; overlapping pieces count twice, which a mass that is given scales away.
        let mut solid: Option<Inertia<f64>> = None;
        for posed in &spec.shapes {
            for (shape, pose) in pieces(&posed.shape) {
                let Some((mass, about)) = shape.mass_properties(1.0) else { continue };
                let pose = posed.pose * pose;
                let turn = pose.rotation.to_rotation_matrix();
                let about_center = turn.matrix() * about * turn.matrix().transpose();
                let piece = Inertia { mass, center: pose.translation.vector, about_center };
                solid = Some(solid.map_or(piece, |sum| sum.joined(&piece)));
            }
        }
        let mass = match (spec.mass, &solid) {
            (Some(MassSpec::Mass(mass)), _) => mass,
            (Some(MassSpec::Density(density)), Some(solid)) => density * solid.mass,
            _ => return Ok(zero),
        };
        let center = spec.center_of_mass.or(solid.as_ref().map(|s| s.center)).unwrap_or_default();
        let about_center = match (spec.inertia, &solid) {
            (Some(given), _) => given,
            (None, Some(solid)) => solid.about_center * (mass / solid.mass),
            (None, None) => Matrix3::zeros(),
        };
        Ok(Inertia { mass, center, about_center })
    }

    /// Sorts shapes into classes that meet the same laws, and builds what each pair of classes does.
    fn interactions(&mut self, tree: &Tree<f64>) -> Result<Interactions, SceneError> {
        let mut keys: BTreeMap<String, usize> = BTreeMap::new();
        let mut examples: Vec<usize> = Vec::new();
        for i in 0..self.shapes.len() {
            let name = &self.bodies[self.shapes[i].body].name;
            let key = format!("{:?}|{}", self.shapes[i].shape, self.signature(name));
            let next = keys.len();
            let class = *keys.entry(key).or_insert(next);
            if class == next {
                examples.push(i);
            }
            self.shapes[i].class = class;
        }
        let n = examples.len();
        let mut interactions = vec![None; n * n];
        let mut materials = Vec::new();
        for (ca, a) in examples.iter().enumerate() {
            for (cb, b) in examples.iter().enumerate() {
                // two shapes of one class meet only if there are two bodies of it
                let alone = ca == cb
                    && self.shapes.iter().filter(|s| s.class == ca).all(|s| s.body == self.shapes[*a].body);
                let movable = [a, b].iter().any(|s| self.bodies[self.shapes[**s].body].is_movable);
                if alone || !movable || (ca != cb && self.shapes[*a].body == self.shapes[*b].body) {
                    continue;
                }
                interactions[ca * n + cb] = self.interaction(*a, *b, tree, &mut materials)?;
            }
        }
        Ok((n, interactions, materials))
    }

    /// What tells bodies apart in contacts and in parameters that are given by name.
    fn signature(&self, name: &str) -> String {
        let rules =
            self.scene.contacts.iter().map(|c| {
                c.between.iter().map(|w| if w.matches(name) { '1' } else { '0' }).collect::<String>()
            });
        let is_named = self
            .scene
            .materials
            .iter()
            .any(|m| m.normal.params.entries().any(|(_, v)| matches!(v, bristle_laws::Value::Map(_))));
        let needs_mass = self.scene.materials.iter().any(|m| m.normal.design.is_some());
        let own = if is_named || needs_mass { name } else { "" };
        format!("{}{own}", rules.collect::<Vec<_>>().join(","))
    }

    fn interaction(
        &self,
        a: usize,
        b: usize,
        tree: &Tree<f64>,
        materials: &mut Vec<Material>,
    ) -> Result<Option<Interaction>, SceneError> {
        let (sa, sb) = (&self.shapes[a], &self.shapes[b]);
        let names = [sa, sb].map(|s| self.bodies[s.body].name.as_str());
        let Some((contact, [first, second])) = self.scene.contact_between(names[0], names[1]) else {
            return Ok(None);
        };
        let ContactRule::Material(name) = &contact.rule else { return Ok(None) };
        let Some(spec) = self.scene.material(name) else { return Ok(None) };
        let pair = Pair::of(&sa.shape, &sb.shape).map_err(|e| self.scene.complain(contact.place.key(), e))?;
        let mut lens = pair_lens(&pair, &sa.shape, &sb.shape);
        if first != names[0] {
            lens = lens.map(|l| Lens { curvature_a: l.curvature_b, curvature_b: l.curvature_a });
        }
        let mass = |body: usize| {
            let body = &self.bodies[body];
            if body.is_movable { tree.links()[body.link].inertia.mass } else { f64::INFINITY }
        };
        let effective = 1.0 / (1.0 / mass(sa.body) + 1.0 / mass(sb.body));
        let friction = |law: &LawSpec| {
            let mut params = law.params_for(first, second)?;
            params.lens = lens;
            Ok::<_, SceneError>((law.info.id, params))
        };
        let material = Material {
            normal: normal(&spec.normal, [first, second], lens, effective)?,
            friction: match &spec.friction {
                Some(law) => {
                    let (id, params) = friction(law)?;
                    Some(Friction::build(id, &params).map_err(|e| law.error(e))?)
                }
                None => None,
            },
            resist: [&spec.rolling, &spec.spin]
                .into_iter()
                .flatten()
                .map(|law| {
                    let (id, params) = friction(law)?;
                    Resist::build(id, &params).map_err(|e| law.error(e))
                })
                .collect::<Result<_, _>>()?,
            initial: contact.initial.iter().map(|(k, v)| (k.clone(), *v)).collect(),
        };
        self.check_initial(&material, contact)?;
        materials.push(material);
        Ok(Some(Interaction { pair, material: materials.len() - 1 }))
    }

    /// Initial states must be states of the material's laws.
    fn check_initial(&self, m: &Material, contact: &crate::scene::ContactSpec) -> Result<(), SceneError> {
        use bristle_laws::{FrictionLaw, NormalLaw};
        let friction = m.friction.iter().flat_map(|l| l.states());
        let resist = m.resist.iter().flat_map(|l| l.states());
        let known: Vec<&str> =
            m.normal.states().iter().chain(friction).chain(resist).map(|s| s.name).collect();
        match m.initial.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) => {
                let list = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                let key = format!("{}.initial.{name}", contact.place.key());
                Err(self.scene.complain(&key, format!("is no state of the contact's laws; they have {list}")))
            }
            None => Ok(()),
        }
    }

    fn link_of(&self, name: &str) -> Option<usize> {
        self.bodies.iter().find(|b| b.name == name).map(|b| b.link)
    }

    fn end(&self, anchor: &Anchor, point: Vector3<f64>) -> End {
        match anchor {
            Anchor::World => End { link: None, point },
            Anchor::Body(name) => End { link: self.link_of(name), point },
        }
    }

    fn springs(&self, kin: &Kinematics<f64>) -> Vec<Spring> {
        let spring = |s: &crate::scene::SpringSpec| {
            let ends = [0, 1].map(|i| self.end(&s.between[i], s.points[i]));
            let [a, b] = ends
                .map(|e| e.link.map_or(e.point, |l| (kin.poses[l] * nalgebra::Point3::from(e.point)).coords));
            Spring {
                name: s.name.clone(),
                ends,
                stiffness: s.stiffness,
                damping: s.damping,
                rest_length: s.rest_length.unwrap_or_else(|| (b - a).norm()),
            }
        };
        self.scene.springs.iter().map(spring).collect()
    }

    fn torsion_springs(&self, kin: &Kinematics<f64>) -> Vec<TorsionSpring> {
        let spring = |s: &crate::scene::TorsionSpringSpec| {
            let links = [0, 1].map(|i| self.end(&s.between[i], Vector3::zeros()).link);
            let turn = |l: Option<usize>| l.map_or_else(UnitQuaternion::identity, |l| kin.poses[l].rotation);
            let relative = turn(links[0]).inverse() * turn(links[1]);
            let angle = 2.0 * relative.imag().dot(&s.axis).atan2(relative.w);
            TorsionSpring {
                name: s.name.clone(),
                links,
                axis: s.axis.into_inner(),
                stiffness: s.stiffness,
                damping: s.damping,
                rest_angle: s.rest_angle.unwrap_or(angle),
            }
        };
        self.scene.torsion_springs.iter().map(spring).collect()
    }

    fn forces(&self, tree: &Tree<f64>) -> Vec<AppliedForce> {
        let force = |f: &crate::scene::ForceSpec| {
            let link = self.link_of(&f.on)?;
            let center = tree.links()[link].inertia.center;
            let (force, torque, point) = match &f.load {
                LoadSpec::Force { schedule: s, at } => (Some(schedule(s)), None, at.unwrap_or(center)),
                LoadSpec::Torque(s) => (None, Some(schedule(s)), center),
            };
            let in_body_axes = f.frame == ForceFrame::Body;
            Some(AppliedForce { name: f.name.clone(), link, point, force, torque, in_body_axes })
        };
        self.scene.forces.iter().filter_map(force).collect()
    }

    /// Typical magnitudes: the smallest moving shape, the fastest start, the energy of both.
    fn scale(&self, tree: &Tree<f64>) -> Scale {
        let radii =
            self.shapes.iter().filter(|s| self.bodies[s.body].is_movable).map(|s| s.shape.bounding_radius());
        let length = radii.filter(|r| *r > 0.0 && r.is_finite()).fold(f64::INFINITY, f64::min);
        let length = if length.is_finite() { length } else { 0.01 };
        let moving = self.scene.bodies.iter().map(|b| {
            let driven = match &b.kind {
                BodyKind::Driven(MotionSpec::Velocity(v)) => v.norm(),
                BodyKind::Driven(MotionSpec::Sine { amplitude, frequency, .. }) => {
                    std::f64::consts::TAU * amplitude * frequency
                }
                _ => 0.0,
            };
            b.velocity.norm().max(b.angular_velocity.norm() * length).max(driven)
        });
        let fall = (self.scene.simulation.gravity.norm() * length).sqrt();
        let speed = moving.fold(fall, f64::max).max(1e-6);
        let mass: f64 = tree.links().iter().map(|l| l.inertia.mass).sum();
        Scale { length, speed, energy: (0.5 * mass * speed * speed).max(f64::MIN_POSITIVE) }
    }
}

/// The normal law of a pair, designed if the scene asks for it.
fn normal(
    spec: &LawSpec,
    names: [&str; 2],
    lens: Option<Lens<f64>>,
    effective_mass: f64,
) -> Result<Normal<f64>, SceneError> {
    let mut params = spec.params_for(names[0], names[1])?;
    params.lens = lens;
    let Some(wanted) = &spec.design else {
        return Normal::build(spec.info.id, &params).map_err(|e| spec.error(e));
    };
    let impact = Impact { mass: wanted.mass.unwrap_or(effective_mass), speed: wanted.speed, lens };
    match design::design(spec.info.id, &params, &impact, &wanted.targets) {
        Ok(design) => Ok(design.law),
        Err(DesignError::Param(error)) => Err(spec.error(error)),
        Err(error) => Err(SceneError::Model { place: wanted.place.clone(), message: error.to_string() }),
    }
}

/// Curvatures of a pair, as its patches report them; `None` where nothing is round.
fn pair_lens(pair: &Pair, a: &Shape<f64>, b: &Shape<f64>) -> Option<Lens<f64>> {
    let mut patches = vec![Patch::none(); pair.patch_count()];
    let near = Placed::at_rest(Isometry3::identity());
    let far = Placed::at_rest(Isometry3::translation(0.0, 0.0, 1e-3));
    pair.patches(a, &near, b, &far, &mut patches);
    let lens = patches.first()?.lens;
    let is_round = (lens.curvature_a + lens.curvature_b) > 0.0;
    is_round.then_some(lens)
}

/// A scene's shape as shapes of the geometry, each with its pose in the frame of the whole.
fn pieces(shape: &ShapeSpec) -> Vec<(Shape<f64>, Pose<f64>)> {
    let one = |shape| vec![(shape, Isometry3::identity())];
    match shape {
        ShapeSpec::HalfSpace => one(Shape::HalfSpace),
        ShapeSpec::Point => one(Shape::Point),
        ShapeSpec::Sphere { radius } => one(Shape::Sphere { radius: *radius }),
        ShapeSpec::Cylinder { radius, length } => {
            one(Shape::Cylinder { radius: *radius, half_length: 0.5 * length })
        }
        ShapeSpec::Tube { radius, length } => {
            let half_length = length.map_or(f64::INFINITY, |l| 0.5 * l);
            one(Shape::Tube { radius: *radius, half_length })
        }
        ShapeSpec::Capsule { radius, length } => {
            one(Shape::Capsule { radius: *radius, half_length: 0.5 * length })
        }
        ShapeSpec::Box { size } => one(Shape::Cuboid { half: size * 0.5 }),
        ShapeSpec::Spheres(balls) => balls
            .iter()
            .map(|ball| (Shape::Sphere { radius: ball.radius }, Isometry3::from(ball.center)))
            .collect(),
    }
}

fn drive(motion: &MotionSpec, pose: &Pose<f64>) -> Drive {
    let displacement = match motion {
        MotionSpec::Velocity(rate) => Schedule::Linear { offset: Vector3::zeros(), rate: *rate },
        MotionSpec::Sine { axis, amplitude, frequency, phase } => Schedule::Sine {
            amplitude: axis.into_inner() * *amplitude,
            frequency: *frequency,
            phase: *phase,
            offset: Vector3::zeros(),
        },
        MotionSpec::Table { times, positions } => Schedule::Table {
            times: times.clone(),
            values: positions.iter().map(|p| p - pose.translation.vector).collect(),
        },
    };
    Drive { pose: *pose, displacement }
}

fn schedule(spec: &ScheduleSpec) -> Schedule {
    match spec {
        ScheduleSpec::Constant(value) => Schedule::Constant(*value),
        ScheduleSpec::Ramp { from, to, start, end } => {
            Schedule::Ramp { from: *from, to: *to, start: *start, end: *end }
        }
        ScheduleSpec::Sine { amplitude, frequency, phase, offset } => {
            Schedule::Sine { amplitude: *amplitude, frequency: *frequency, phase: *phase, offset: *offset }
        }
        ScheduleSpec::Table { times, values } => {
            Schedule::Table { times: times.clone(), values: values.clone() }
        }
    }
}
