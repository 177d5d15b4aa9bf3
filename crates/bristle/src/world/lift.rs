//! A model on another scalar, number by number: how parameters come to carry derivatives.
//!
//! Every number that the equations see passes through one function, always in the same order. What stays plain whatever the
//! scalar (times of schedules, corners of polyhedra) passes too, and must come back without derivatives.

use super::actuator::{Actuator, Control};
use super::elements::{AppliedForce, Drive, End, Motion, Pin, Spring, TorsionSpring};
use super::joint::{Coupling, JointFriction, JointSpring, Stop};
use super::material::Material;
use super::model::{BodyShape, Interaction, JointPlace, Model, Scale, Sensor, Touching};
use super::number::AnyNumber;
use crate::schedule::Schedule;
use crate::signal::Signal;
use bristle_bodies::Pose;
use bristle_geom::Shape;
use bristle_laws::normal::Restitution;
use bristle_laws::{Friction, Normal};
use bristle_math::Vector3;
use nalgebra::{Quaternion, Unit, UnitQuaternion};

/// What of a model has no form on another scalar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LiftError {
    /// Facets of meshes are measured in `f64`.
    #[error("{a} and {b} touch over the facets of a mesh, whose forces carry no derivatives")]
    Facets {
        /// A body.
        a: String,
        /// Another.
        b: String,
    },
    /// A formula of time knows its value only.
    #[error("the motor {name} follows a formula, which carries no derivatives; a table does")]
    Formula {
        /// The motor.
        name: String,
    },
    /// A law from outside is there for one scalar.
    #[error("{of} has a law of its own, which carries no derivatives")]
    CustomLaw {
        /// What has it.
        of: String,
    },
    /// A number that is plain on every scalar depends on what derivatives are taken by.
    #[error("{what} would change with it, and they carry no derivatives")]
    Plain {
        /// What it is.
        what: String,
    },
}

/// Takes numbers to another scalar.
struct Lifter<'f, T> {
    f: &'f mut dyn FnMut(f64) -> T,
    /// Whether numbers that stay plain must come back as they were.
    is_checking: bool,
}

impl Model {
    /// The same model on another scalar: `f` sees every number, always in the same order.
    ///
    /// # Errors
    /// When something in the model has no form on that scalar, or `f` gives derivatives to what cannot carry them.
    pub fn lift<T: AnyNumber>(&self, f: &mut dyn FnMut(f64) -> T) -> Result<Model<T>, LiftError> {
        self.lift_by(Lifter { f, is_checking: true })
    }

    /// Everything about the model but its numbers, as text: models of one form run together in a batch.
    pub(crate) fn form(&self) -> Result<String, LiftError> {
        let scale = Scale { length: 1.0, speed: 1.0, energy: 1.0 };
        let blank = Model { scale, ..self.lift_by(Lifter { f: &mut |_| 1.0, is_checking: false })? };
        let laws = blank.materials.iter().map(Material::form).chain(blank.stops.iter().map(|s| s.law.form()));
        let laws: Vec<String> = laws.chain(blank.frictions.iter().map(|f| f.law.form())).collect();
        Ok(format!("{blank:?} {laws:?}"))
    }

    fn lift_by<T: AnyNumber>(&self, mut l: Lifter<'_, T>) -> Result<Model<T>, LiftError> {
        let tree = self.tree.map(l.f);
        Ok(Model {
            tree,
            bodies: self.bodies.clone(),
            shapes: self.shapes.iter().map(|s| l.shape(s, self)).collect::<Result<_, _>>()?,
            offset_shapes: self.offset_shapes.clone(),
            classes: self.classes,
            interactions: self.lift_interactions()?,
            materials: self.materials.iter().map(|m| l.material(m)).collect::<Result<_, _>>()?,
            drives: self.drives.iter().map(|d| l.drive(d, self)).collect::<Result<_, _>>()?,
            springs: self.springs.iter().map(|s| l.spring(s)).collect(),
            torsion_springs: self.torsion_springs.iter().map(|s| l.torsion_spring(s)).collect(),
            forces: self.forces.iter().map(|s| l.force(s)).collect::<Result<_, _>>()?,
            pins: self.pins.iter().map(|p| l.pin(p)).collect(),
            joints: self.joints.iter().map(|j| l.joint(j)).collect(),
            joint_springs: self.joint_springs.iter().map(|s| l.joint_spring(s)).collect(),
            couplings: self.couplings.iter().map(|c| l.coupling(c)).collect(),
            stops: self.stops.iter().map(|s| l.stop(s)).collect::<Result<_, _>>()?,
            frictions: self.frictions.iter().map(|s| l.joint_friction(s)).collect::<Result<_, _>>()?,
            actuators: self.actuators.iter().map(|a| l.actuator(a)).collect::<Result<_, _>>()?,
            sensors: self.sensors.iter().map(|s| l.sensor(s)).collect(),
            robots: self.robots.clone(),
            apart: self.apart.clone(),
            groups: self.groups.clone(),
            gravity: l.vector(&self.gravity),
            carries_spin: self.carries_spin,
            scale: self.scale,
        })
    }

    fn lift_interactions<T: AnyNumber>(&self) -> Result<Vec<Option<Interaction<T>>>, LiftError> {
        let name = |class: usize| {
            let shape = self.shapes.iter().find(|s| s.class == class);
            shape.map_or_else(String::new, |s| self.bodies[s.body].name.clone())
        };
        let lift = |(i, interaction): (usize, &Option<Interaction>)| {
            let Some(Interaction { touching, material }) = interaction else { return Ok(None) };
            let touching = match touching {
                Touching::Points(pair) => Touching::Points(*pair),
                Touching::Volume(pair) => Touching::Volume(*pair),
                Touching::Bed(_) => {
                    return Err(LiftError::Facets { a: name(i / self.classes), b: name(i % self.classes) });
                }
            };
            Ok(Some(Interaction { touching, material: *material }))
        };
        self.interactions.iter().enumerate().map(lift).collect()
    }
}

impl<T: AnyNumber> Lifter<'_, T> {
    fn number(&mut self, x: f64) -> T {
        (self.f)(x)
    }

    /// Numbers that stay what they are.
    fn plain<'x>(&mut self, numbers: impl IntoIterator<Item = &'x f64>, what: &str) -> Result<(), LiftError> {
        for x in numbers {
            if !self.number(*x).is_exactly(*x) && self.is_checking {
                return Err(LiftError::Plain { what: what.to_string() });
            }
        }
        Ok(())
    }

    fn vector(&mut self, v: &Vector3<f64>) -> Vector3<T> {
        v.map(|x| self.number(x))
    }

    fn pose(&mut self, pose: &Pose<f64>) -> Pose<T> {
        let translation = self.vector(&pose.translation.vector);
        let rotation = Quaternion::from(pose.rotation.coords.map(|x| self.number(x)));
        Pose::from_parts(translation.into(), UnitQuaternion::new_unchecked(rotation))
    }

    fn shape(&mut self, s: &BodyShape, model: &Model) -> Result<BodyShape<T>, LiftError> {
        let corners = match &s.shape {
            Shape::Convex(body) => body.vertices(),
            Shape::Mesh(mesh) => mesh.vertices(),
            _ => &[],
        };
        let what = format!("corners of {}", model.bodies[s.body].name);
        self.plain(corners.iter().flat_map(|v| v.iter()), &what)?;
        Ok(BodyShape {
            body: s.body,
            link: s.link,
            shape: s.shape.map(self.f),
            pose: self.pose(&s.pose),
            place: s.place,
            bits: s.bits,
            class: s.class,
        })
    }

    fn normal(&mut self, law: &Normal<f64>, of: &str) -> Result<Normal<T>, LiftError> {
        let custom = || LiftError::CustomLaw { of: of.to_string() };
        if let Normal::Gonthier(gonthier) = law {
            match gonthier.restitution() {
                Restitution::Table(pairs) => {
                    self.plain(
                        pairs.iter().flat_map(|(v, e)| [v, e]),
                        "the speeds of a table of restitutions",
                    )?;
                }
                Restitution::Custom(_) => return Err(custom()),
                Restitution::Constant(_) | Restitution::Linear { .. } => {}
            }
        }
        law.map(self.f).ok_or_else(custom)
    }

    fn friction(&mut self, law: &Friction<f64>, of: &str) -> Result<Friction<T>, LiftError> {
        law.map(self.f).ok_or_else(|| LiftError::CustomLaw { of: of.to_string() })
    }

    fn material(&mut self, m: &Material) -> Result<Material<T>, LiftError> {
        let of = "a material";
        let normal = self.normal(m.normal(), of)?;
        let friction = m.friction().map(|law| self.friction(law, of)).transpose()?;
        let resist = m.resist().iter().map(|law| law.map(self.f)).collect::<Option<Vec<_>>>();
        let resist = resist.ok_or_else(|| LiftError::CustomLaw { of: of.to_string() })?;
        let initial = m.initial().iter().map(|(name, x)| (name.clone(), self.number(*x))).collect();
        let lifted = Material::new(normal, friction, resist, initial);
        Ok(if m.spins() { lifted.spinning() } else { lifted })
    }

    fn schedule(&mut self, schedule: &Schedule, of: &str) -> Result<Schedule<T>, LiftError> {
        let times = format!("times of the schedule of {of}");
        Ok(match schedule {
            Schedule::Constant(value) => Schedule::Constant(self.vector(value)),
            Schedule::Ramp { from, to, start, end } => {
                self.plain([start, end], &times)?;
                Schedule::Ramp { from: self.vector(from), to: self.vector(to), start: *start, end: *end }
            }
            Schedule::Sine { amplitude, frequency, phase, offset } => Schedule::Sine {
                amplitude: self.vector(amplitude),
                frequency: self.number(*frequency),
                phase: self.number(*phase),
                offset: self.vector(offset),
            },
            Schedule::Table { times: t, values } => {
                self.plain(t, &times)?;
                let values = values.iter().map(|v| self.vector(v)).collect();
                Schedule::Table { times: t.clone(), values }
            }
            Schedule::Linear { offset, rate } => {
                Schedule::Linear { offset: self.vector(offset), rate: self.vector(rate) }
            }
        })
    }

    fn signal(&mut self, signal: &Signal, of: &str) -> Result<Signal<T>, LiftError> {
        Ok(match signal {
            Signal::Constant(value) => Signal::Constant(self.number(*value)),
            Signal::Formula { .. } => return Err(LiftError::Formula { name: of.to_string() }),
            Signal::Table { times, values } => {
                self.plain(times, &format!("times of the motor {of}"))?;
                let values = values.iter().map(|x| self.number(*x)).collect();
                Signal::Table { times: times.clone(), values }
            }
        })
    }

    fn drive(&mut self, d: &Drive, model: &Model) -> Result<Drive<T>, LiftError> {
        let pose = self.pose(&d.pose);
        let motion = match &d.motion {
            Motion::Path(path) => Motion::Path(self.schedule(path, &model.tree.links()[d.link].name)?),
            Motion::Turn { axis, about, rate } => Motion::Turn {
                axis: Unit::new_unchecked(self.vector(axis)),
                about: self.vector(about),
                rate: self.number(*rate),
            },
        };
        Ok(Drive { link: d.link, pose, motion })
    }

    fn ends(&mut self, ends: &[End; 2]) -> [End<T>; 2] {
        [&ends[0], &ends[1]].map(|end| End { link: end.link, point: self.vector(&end.point) })
    }

    fn spring(&mut self, s: &Spring) -> Spring<T> {
        Spring {
            name: s.name.clone(),
            ends: self.ends(&s.ends),
            stiffness: self.number(s.stiffness),
            damping: self.number(s.damping),
            rest_length: self.number(s.rest_length),
        }
    }

    fn pin(&mut self, p: &Pin) -> Pin<T> {
        Pin {
            name: p.name.clone(),
            ends: self.ends(&p.ends),
            stiffness: self.number(p.stiffness),
            damping: self.number(p.damping),
        }
    }

    fn torsion_spring(&mut self, s: &TorsionSpring) -> TorsionSpring<T> {
        TorsionSpring {
            name: s.name.clone(),
            links: s.links,
            axis: self.vector(&s.axis),
            stiffness: self.number(s.stiffness),
            damping: self.number(s.damping),
            rest_angle: self.number(s.rest_angle),
        }
    }

    fn force(&mut self, s: &AppliedForce) -> Result<AppliedForce<T>, LiftError> {
        Ok(AppliedForce {
            name: s.name.clone(),
            link: s.link,
            point: self.vector(&s.point),
            force: s.force.as_ref().map(|f| self.schedule(f, &s.name)).transpose()?,
            torque: s.torque.as_ref().map(|f| self.schedule(f, &s.name)).transpose()?,
            in_body_axes: s.in_body_axes,
        })
    }

    fn joint(&mut self, j: &JointPlace) -> JointPlace<T> {
        JointPlace { name: j.name.clone(), link: j.link, offset: self.number(j.offset) }
    }

    fn joint_spring(&mut self, s: &JointSpring) -> JointSpring<T> {
        JointSpring {
            q: s.q,
            v: s.v,
            stiffness: self.number(s.stiffness),
            rest: self.number(s.rest),
            damping: self.number(s.damping),
        }
    }

    fn coupling(&mut self, c: &Coupling) -> Coupling<T> {
        Coupling {
            links: c.links,
            q: c.q,
            v: c.v,
            ratio: self.number(c.ratio),
            offset: self.number(c.offset),
            stiffness: self.number(c.stiffness),
            damping: self.number(c.damping),
        }
    }

    fn stop(&mut self, s: &Stop) -> Result<Stop<T>, LiftError> {
        Ok(Stop {
            name: s.name.clone(),
            q: s.q,
            v: s.v,
            bound: self.number(s.bound),
            is_upper: s.is_upper,
            law: self.normal(&s.law, &s.name)?,
        })
    }

    fn joint_friction(&mut self, s: &JointFriction) -> Result<JointFriction<T>, LiftError> {
        Ok(JointFriction { name: s.name.clone(), v: s.v, law: self.friction(&s.law, &s.name)? })
    }

    fn control(&mut self, c: &Control, of: &str) -> Result<Control<T>, LiftError> {
        self.plain([&c.until], &format!("times of the motor {of}"))?;
        Ok(Control {
            until: c.until,
            feed_forward: self.signal(&c.feed_forward, of)?,
            stiffness: self.number(c.stiffness),
            target: self.signal(&c.target, of)?,
            damping: self.number(c.damping),
            rate: self.signal(&c.rate, of)?,
        })
    }

    fn actuator(&mut self, a: &Actuator) -> Result<Actuator<T>, LiftError> {
        Ok(Actuator {
            name: a.name.clone(),
            q: a.q,
            v: a.v,
            offset: self.number(a.offset),
            gear: self.number(a.gear),
            limits: a.limits.map(|limits| limits.map(|x| self.number(x))),
            phases: a.phases.iter().map(|c| self.control(c, &a.name)).collect::<Result<_, _>>()?,
        })
    }

    fn sensor(&mut self, s: &Sensor) -> Sensor<T> {
        Sensor { name: s.name.clone(), link: s.link, pose: self.pose(&s.pose) }
    }
}
