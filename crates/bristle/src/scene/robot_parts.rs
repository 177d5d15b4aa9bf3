//! What a robot file brings into a scene: bodies, joints, motors and sensors.

use super::actuator::{ActuatorSpec, ControlSpec};
use super::body::{BodyKind, BodySpec, Freedoms, MassSpec, Start};
use super::element::Anchor;
use super::error::SceneError;
use super::joint::JointSpec;
use super::material::LawSpec;
use super::robot::RobotSpec;
use super::sensor::SensorSpec;
use super::shape::{PosedShape, ShapeSpec};
use crate::robot::{ActuatorLaw, Geometry, JointKind, Robot, SensorTarget, Solid};
use crate::signal::Signal;
use bristle_geom::Shape;
use bristle_laws::Params;
use nalgebra::{Unit, Vector3};
use std::sync::Arc;

/// Stiffness of a stop that is not given: N m/rad, N/m. A robot of 50 kg that hangs on a lever of 0.2 m goes half a degree
/// beyond the limit.
const STOP: [f64; 2] = [1e4, 1e6];
/// Its dissipation, s/rad or s/m: nearly no rebound from 1 rad/s or 1 m/s on.
const STOP_DISSIPATION: f64 = 5.0;
/// How far a joint moves before its dry friction is fully there, rad or m, and how fast that play settles, s.
const PLAY: [f64; 2] = [1e-3, 1e-5];
const PLAY_TIME: f64 = 1e-3;

/// What a robot adds to a scene.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) bodies: Vec<BodySpec>,
    pub(crate) joints: Vec<JointSpec>,
    pub(crate) actuators: Vec<ActuatorSpec>,
    pub(crate) sensors: Vec<SensorSpec>,
}

impl RobotSpec {
    /// The robot as parts of the scene.
    pub(crate) fn parts(&self, robot: &Robot, errors: &mut Vec<SceneError>) -> Parts {
        let mut parts = Parts::default();
        let q = self.coordinates(robot);
        let mut poses = robot.link_poses(&q);
        poses.iter_mut().for_each(|pose| *pose = self.pose * *pose);
        // what is fixed together is one body to the equations of motion, as real files need: their sensors have inertias that
        // nothing has by itself
        let inertials = robot.rigid_inertials();
        for (i, own) in inertials.iter().enumerate() {
            let joint = robot.joints.iter().find(|j| j.child == i);
            // a base that floats in the world is a free body, with or without a joint that says so
            let is_base = match joint {
                None => !self.is_fixed,
                Some(joint) => joint.kind == JointKind::Floating && joint.parent == 0 && self.is_fixed,
            };
            let kind = match joint {
                _ if is_base => BodyKind::Free,
                None => BodyKind::Fixed,
                Some(_) => BodyKind::Jointed,
            };
            let mass = own.mass;
            let moves = if is_base { (self.velocity, self.angular_velocity) } else { Default::default() };
            parts.bodies.push(BodySpec {
                name: self.bodies[i].clone(),
                kind,
                mass: (mass > 0.0).then_some(MassSpec::Mass(mass)),
                inertia: Some(own.inertia),
                center_of_mass: Some(own.center),
                shapes: self.shapes(i, robot, errors),
                pose: poses[i],
                velocity: moves.0,
                angular_velocity: moves.1,
                freedoms: Freedoms::ALL,
                start: Start::AsGiven, // the robot settles as a whole
                robot: Some(self.name.clone()),
                place: self.place.clone(),
            });
            if let (Some(joint), false) = (joint, is_base) {
                parts.joints.push(self.joint(joint, robot));
            }
        }
        self.add_actuators(robot, &mut parts, errors);
        self.add_sensors(robot, &mut parts);
        parts
    }

    /// Coordinates of all joints at the start.
    fn coordinates(&self, robot: &Robot) -> Vec<f64> {
        robot.joints.iter().flat_map(|joint| self.position(joint)).collect()
    }

    fn position(&self, joint: &crate::robot::Joint) -> Vec<f64> {
        self.joints.get(&joint.name).unwrap_or(&joint.reference).clone()
    }

    fn shapes(&self, link: usize, robot: &Robot, errors: &mut Vec<SceneError>) -> Vec<PosedShape> {
        let link = &robot.links[link];
        if !self.touch.iter().any(|who| who.matches(&link.name)) {
            return Vec::new();
        }
        let solids = link.geometries.iter().filter(|g| !g.contact.is_visual_only());
        let posed = solids.filter_map(|geometry: &Geometry| {
            let Some(shape) = shape(&geometry.solid) else {
                let message = format!(
                    "link {} has a {} that touches nothing, see its warnings; name the links that touch: \
                     touch = [\"…\"]",
                    link.name,
                    geometry.solid.name()
                );
                errors.push(SceneError::Model { place: self.place.inside("touch"), message });
                return None;
            };
            let bits = Some([geometry.contact.kind, geometry.contact.accepts]);
            Some(PosedShape { shape, pose: geometry.pose, bits, place: self.place.clone() })
        });
        posed.collect()
    }

    fn joint(&self, joint: &crate::robot::Joint, robot: &Robot) -> JointSpec {
        let is_simple = joint.kind.freedoms() == 1;
        let unit = usize::from(joint.kind.unit() == "m");
        let offset = if is_simple { joint.reference[0] } else { 0.0 };
        let velocity = match self.joint_velocities.get(&joint.name) {
            Some(x) => vec![*x],
            None => vec![0.0; joint.kind.freedoms()],
        };
        let law = |id: &str, params: Params| LawSpec::plain(id, params, &self.place);
        let stop = Params::new().set("stiffness", STOP[unit]).set("dissipation", STOP_DISSIPATION);
        let loss = joint.friction_loss;
        let friction = Params::new()
            .choose("variant", "linear")
            .set("friction", loss)
            .set("stiffness", loss / PLAY[unit])
            .set("damping", loss / PLAY[unit] * PLAY_TIME);
        JointSpec {
            name: format!("{}/{}", self.name, joint.name),
            parent: Anchor::Body(self.bodies[joint.parent].clone()),
            child: self.bodies[joint.child].clone(),
            kind: joint.kind,
            axis: Unit::try_new(joint.axis, 1e-9).unwrap_or(Vector3::z_axis()),
            in_parent: joint.in_parent,
            in_child: joint.in_child,
            position: self.position(joint),
            velocity,
            offset,
            limits: joint.limits.filter(|_| is_simple).map_or([None, None], |l| l.map(Some)),
            stop: self.stop.clone().or_else(|| law("hunt-crossley", stop)),
            damping: joint.damping,
            stiffness: if is_simple { joint.stiffness } else { 0.0 },
            rest: is_simple.then_some(joint.spring_reference),
            friction: if loss > 0.0 && is_simple { law("spring-clutch", friction) } else { None },
            armature: joint.armature,
            mimic: joint.mimic.map(|m| (format!("{}/{}", self.name, robot.joints[m.joint].name), m)),
            place: self.place.clone(),
        }
    }

    fn add_actuators(&self, robot: &Robot, parts: &mut Parts, errors: &mut Vec<SceneError>) {
        if let Some(hold) = self.hold {
            for joint in robot.joints.iter().filter(|j| j.kind.freedoms() == 1 && j.mimic.is_none()) {
                let limits = hold.limit.map(|l| [-l, l]).or(joint.effort_limits);
                let control = ControlSpec {
                    stiffness: hold.stiffness,
                    damping: hold.damping,
                    ..ControlSpec::nothing(&self.place)
                };
                parts.actuators.push(self.actuator(&joint.name, &joint.name, 0, 1.0, limits, control));
            }
            return;
        }
        for actuator in &robot.actuators {
            let joint = &robot.joints[actuator.joint];
            let told = self.controls.get(&actuator.name).copied().unwrap_or(0.0);
            let told = actuator.control_limits.map_or(told, |[low, high]| told.max(low).min(high));
            let nothing = ControlSpec { target: Some(Signal::ZERO), ..ControlSpec::nothing(&self.place) };
            let constant = Signal::Constant;
            let control = match actuator.law {
                ActuatorLaw::Motor => ControlSpec { effort: constant(told), ..nothing },
                ActuatorLaw::Position { stiffness, damping } => {
                    ControlSpec { stiffness, damping, target: Some(constant(told)), ..nothing }
                }
                ActuatorLaw::Velocity { gain } => {
                    ControlSpec { damping: gain, rate: constant(told), ..nothing }
                }
                ActuatorLaw::Affine { gain, bias: [force, position, velocity] } => ControlSpec {
                    effort: constant(gain * told + force),
                    stiffness: -position,
                    damping: -velocity,
                    ..nothing
                },
            };
            let geared: Vec<usize> = (0..6).filter(|k| actuator.gear[*k] != 0.0).collect();
            let alone = robot.actuators.iter().filter(|a| a.joint == actuator.joint).count() == 1;
            if let (Some(_), false) = (joint.effort_limits, alone && geared.len() == 1) {
                let message = format!(
                    "joint {} limits the sum of several motors, which a scene cannot hold; use hold",
                    joint.name
                );
                errors.push(SceneError::Model { place: self.place.inside("file"), message });
            }
            for k in geared.into_iter().filter(|k| *k < joint.kind.freedoms()) {
                let gear = actuator.gear[k];
                let of_joint = joint.effort_limits.map(|[a, b]| {
                    let (a, b) = (a / gear, b / gear);
                    [a.min(b), a.max(b)]
                });
                let limits = match (actuator.force_limits, of_joint) {
                    (Some([a, b]), Some([c, d])) => Some([a.max(c), b.min(d)]),
                    (one, other) => one.or(other),
                };
                parts.actuators.push(self.actuator(
                    &actuator.name,
                    &joint.name,
                    k,
                    gear,
                    limits,
                    control.clone(),
                ));
            }
        }
    }

    fn actuator(
        &self,
        name: &str,
        joint: &str,
        freedom: usize,
        gear: f64,
        limits: Option<[f64; 2]>,
        control: ControlSpec,
    ) -> ActuatorSpec {
        ActuatorSpec {
            name: format!("{}/{name}", self.name),
            joint: format!("{}/{joint}", self.name),
            freedom,
            gear,
            limits,
            phases: vec![control],
            place: self.place.clone(),
        }
    }

    /// Sites that measure acceleration or turning become sensors; what else a file measures is recorded anyway.
    fn add_sensors(&self, robot: &Robot, parts: &mut Parts) {
        for sensor in robot.sensors.iter().filter(|s| s.kind == "accelerometer" || s.kind == "gyro") {
            let Some(SensorTarget::Site(site)) = sensor.target else { continue };
            let site = &robot.sites[site];
            let name = format!("{}/{}", self.name, site.name);
            if parts.sensors.iter().any(|s| s.name == name) {
                continue;
            }
            let (on, pose) = (self.bodies[site.link].clone(), site.pose);
            parts.sensors.push(SensorSpec { name, on, pose, place: self.place.clone() });
        }
    }
}

/// A solid of a robot file as a shape of a scene; none for those that touch nothing.
fn shape(solid: &Solid) -> Option<ShapeSpec> {
    Some(match *solid {
        Solid::Plane => ShapeSpec::HalfSpace,
        Solid::Sphere { radius } => ShapeSpec::Sphere { radius },
        Solid::Capsule { radius, length } => ShapeSpec::Capsule { radius, length },
        Solid::Cylinder { radius, length } => ShapeSpec::Cylinder { radius, length },
        Solid::Box { size } => ShapeSpec::Box { size },
        Solid::Ellipsoid { radii } => ShapeSpec::Ellipsoid { radii },
        Solid::Mesh { shape: Some(Shape::Mesh(ref surface)), .. } => ShapeSpec::Mesh(Arc::clone(surface)),
        Solid::Mesh { shape: Some(Shape::Convex(ref hull)), .. } => ShapeSpec::Convex(Arc::clone(hull)),
        Solid::Mesh { .. } => return None,
    })
}

impl ControlSpec {
    fn nothing(place: &super::Place) -> Self {
        Self {
            until: None,
            effort: Signal::ZERO,
            stiffness: 0.0,
            target: None,
            damping: 0.0,
            rate: Signal::ZERO,
            place: place.clone(),
        }
    }
}
