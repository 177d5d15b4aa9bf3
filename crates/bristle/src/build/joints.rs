//! Joints: links of the tree, and what acts along them.

use super::Builder;
use crate::robot::{JointKind, turn_of_z_to};
use crate::scene::{ActuatorSpec, Anchor, BodySpec, JointSpec, LawSpec, SceneError};
use crate::signal::Signal;
use crate::world::{Actuator, Control, Coupling, JointFriction, JointPlace, JointSpring, Sensor, Stop};
use bristle_bodies::{Inertia, Joint, Pose, Tree};
use bristle_laws::{Friction, Normal, NormalLaw};
use bristle_math::Vector3;
use nalgebra::{Isometry3, Matrix3, Unit};

/// Coupling of a joint that follows another: N m/rad or N/m, and the time in which it settles, s.
const FOLLOW: [f64; 2] = [1e4, 1e6];
const FOLLOW_TIME: f64 = 1e-3;

/// What acts along joints.
#[derive(Default)]
pub(super) struct Along {
    pub(super) joints: Vec<JointPlace>,
    pub(super) springs: Vec<JointSpring>,
    pub(super) couplings: Vec<Coupling>,
    pub(super) stops: Vec<Stop>,
    pub(super) frictions: Vec<JointFriction>,
}

impl Builder<'_> {
    /// The order in which bodies can be made links: what carries before what is carried.
    pub(super) fn order(&self) -> Vec<usize> {
        let scene = self.scene;
        let index = |name: &str| self.indices.get(name).copied();
        let carrier = |i: usize| {
            let joint = self.joint_of.get(&i).map(|j| &scene.joints[*j])?;
            if let Anchor::Body(name) = &joint.parent { index(name) } else { None }
        };
        // joints were found to make a tree
        let depth = |body: usize| std::iter::successors(Some(body), |b| carrier(*b)).count();
        let mut order: Vec<usize> = (0..scene.bodies.len()).collect();
        order.sort_by_cached_key(|i| depth(*i));
        order
    }

    /// The links of a body that hangs on a joint.
    pub(super) fn jointed_link(
        &mut self,
        spec: &BodySpec,
        joint: &JointSpec,
        inertia: Inertia<f64>,
    ) -> Result<usize, SceneError> {
        let parent = match &joint.parent {
            Anchor::World => None,
            Anchor::Body(name) => self.link_of(name),
        };
        // the plane of a planar joint is the x-y plane of its frame
        let turn = match joint.kind {
            JointKind::Planar => Isometry3::from_parts(Default::default(), turn_of_z_to(&joint.axis)),
            _ => Isometry3::identity(),
        };
        let (in_parent, in_child) = (joint.in_parent * turn, joint.in_child * turn);
        if joint.kind == JointKind::Fixed {
            let link = self.link(&spec.name, parent, Joint::Fixed, in_parent * in_child.inverse(), inertia);
            self.joint_links.insert(joint.name.clone(), link);
            return Ok(link);
        }
        let axis = joint.axis;
        let freedom = match joint.kind {
            JointKind::Revolute | JointKind::Continuous => Joint::Revolute { axis },
            JointKind::Prismatic => Joint::Prismatic { axis },
            JointKind::Cylindrical => Joint::Cylindrical { axis },
            JointKind::Planar => Joint::Planar,
            JointKind::Spherical => Joint::Spherical,
            JointKind::Universal { second } => Joint::Universal { axes: [axis, Unit::new_normalize(second)] },
            JointKind::Floating => Joint::Floating,
            JointKind::Fixed => Joint::Fixed,
        };
        let is_own_frame = in_child == Pose::identity();
        let weightless = Inertia { mass: 0.0, center: Vector3::zeros(), about_center: Matrix3::zeros() };
        let own = if is_own_frame { inertia } else { weightless };
        let link = self.link(&spec.name, parent, freedom, in_parent, own);
        self.joint_links.insert(joint.name.clone(), link);
        self.armature.insert(link, joint.armature);
        let at = match (joint.kind, joint.position.as_slice()) {
            (JointKind::Spherical, &[w, x, y, z]) => vec![x, y, z, w],
            (JointKind::Floating, &[a, b, c, w, x, y, z]) => vec![a, b, c, x, y, z, w],
            (_, all) => all.iter().map(|x| x - joint.offset).collect(),
        };
        self.start.push((link, at, joint.velocity.clone()));
        if is_own_frame {
            return Ok(link);
        }
        Ok(self.link(&spec.name, Some(link), Joint::Fixed, in_child.inverse(), inertia))
    }

    /// Springs, stops, friction and couplings of all joints.
    pub(super) fn along(&self, tree: &Tree<f64>, errors: &mut Vec<SceneError>) -> Along {
        let mut all = Along::default();
        for joint in &self.scene.joints {
            let Some(&link) = self.joint_links.get(&joint.name) else { continue };
            let (q, v) = (tree.q_range(link).start, tree.v_range(link));
            let is_distance = joint.kind == JointKind::Prismatic;
            let offset = joint.offset;
            all.joints.push(JointPlace { name: joint.name.clone(), link, offset });
            let has_positions = joint.is_simple();
            if joint.damping > 0.0 || joint.stiffness > 0.0 {
                let rest = joint.rest.or(joint.position.first().copied()).unwrap_or(0.0) - offset;
                all.springs.extend(v.clone().map(|v| JointSpring {
                    q: has_positions.then_some(q),
                    v,
                    stiffness: joint.stiffness,
                    rest,
                    damping: joint.damping,
                }));
            }
            for (bound, is_upper) in joint.limits.iter().zip([false, true]) {
                let (Some(bound), Some(spec)) = (bound, &joint.stop) else { continue };
                match stop(spec) {
                    Ok(law) => all.stops.push(Stop {
                        name: joint.name.clone(),
                        q,
                        v: v.start,
                        bound: bound - offset,
                        is_upper,
                        law,
                    }),
                    Err(error) => errors.push(error),
                }
            }
            if let Some(spec) = &joint.friction {
                match Friction::build(spec.info.id, &spec.params) {
                    Ok(law) => {
                        all.frictions.push(JointFriction { name: joint.name.clone(), v: v.start, law });
                    }
                    Err(error) => errors.push(spec.error(error)),
                }
            }
            if let Some((other, mimic)) = &joint.mimic {
                let Some(&leader) = self.joint_links.get(other) else { continue };
                let of_leader = self.scene.joints.iter().find(|j| j.name == *other).map_or(0.0, |j| j.offset);
                let stiffness = FOLLOW[usize::from(is_distance)];
                all.couplings.push(Coupling {
                    links: [link, leader],
                    q: [q, tree.q_range(leader).start],
                    v: [v.start, tree.v_range(leader).start],
                    ratio: mimic.multiplier,
                    offset: mimic.offset + mimic.multiplier * of_leader - offset,
                    stiffness,
                    damping: stiffness * FOLLOW_TIME,
                });
            }
        }
        all
    }

    pub(super) fn actuators(&self, tree: &Tree<f64>) -> Vec<Actuator> {
        let actuator = |spec: &ActuatorSpec| {
            let joint = self.scene.joints.iter().find(|j| j.name == spec.joint)?;
            let &link = self.joint_links.get(&spec.joint)?;
            let has_position = !matches!(joint.kind, JointKind::Spherical | JointKind::Floating);
            let start = spec.gear * joint.position.get(spec.freedom).copied().unwrap_or(0.0);
            let phase = |c: &crate::scene::ControlSpec| Control {
                until: c.until.unwrap_or(f64::INFINITY),
                feed_forward: c.effort.clone(),
                stiffness: c.stiffness,
                target: c.target.clone().unwrap_or(Signal::Constant(start)),
                damping: c.damping,
                rate: c.rate.clone(),
            };
            Some(Actuator {
                name: spec.name.clone(),
                q: has_position.then(|| tree.q_range(link).start + spec.freedom),
                v: tree.v_range(link).start + spec.freedom,
                offset: joint.offset,
                gear: spec.gear,
                limits: spec.limits,
                phases: spec.phases.iter().map(phase).collect(),
            })
        };
        self.scene.actuators.iter().filter_map(actuator).collect()
    }

    pub(super) fn sensors(&self) -> Vec<Sensor> {
        let sensor = |s: &crate::scene::SensorSpec| {
            Some(Sensor { name: s.name.clone(), link: self.link_of(&s.on)?, pose: s.pose })
        };
        self.scene.sensors.iter().filter_map(sensor).collect()
    }

    /// Pairs of bodies that never touch: those that share a joint, and those that a robot excludes. Sorted.
    pub(super) fn apart(&self) -> Vec<[usize; 2]> {
        let of = |name: &str| self.indices.get(name).copied();
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        for joint in &self.scene.joints {
            let Some(child) = of(&joint.child) else { continue };
            // links without mass between the joints of one body are not there for contact
            let mut parent = if let Anchor::Body(name) = &joint.parent { of(name) } else { None };
            while let Some(body) = parent {
                pairs.push([child.min(body), child.max(body)]);
                let is_frame = self.scene.bodies[body].mass.is_none() && self.scene.bodies[body].is_free();
                parent = match self
                    .joint_of
                    .get(&body)
                    .filter(|_| is_frame)
                    .map(|j| &self.scene.joints[*j].parent)
                {
                    Some(Anchor::Body(name)) => of(name),
                    _ => None,
                };
            }
        }
        let excluded = self.scene.robots.iter().flat_map(|r| &r.exclude);
        pairs.extend(excluded.filter_map(|[a, b]| {
            let (a, b) = (of(a)?, of(b)?);
            Some([a.min(b), a.max(b)])
        }));
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// The law of a stop, which has no patch.
fn stop(spec: &LawSpec) -> Result<Normal<f64>, SceneError> {
    let law = Normal::build(spec.info.id, &spec.params).map_err(|e| spec.error(e))?;
    if law.needs_patch() {
        let message = "works on the patch of a contact, which a stop has not".to_string();
        return Err(SceneError::Model { place: spec.place.clone(), message });
    }
    Ok(law)
}
