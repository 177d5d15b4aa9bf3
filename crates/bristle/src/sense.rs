//! What is measured along joints, on links and by sensors, as columns of a recording.
//!
//! ```text
//! JOINT.position, .velocity       rad or m
//! JOINT.effort, .power            of its motors
//! BODY.contact_force, _torque     what all contacts together do to a body, world axes, torque about its origin
//! BODY.pressure_center            mean of its contact points, weighted by their normal forces; its origin in the air
//! ROBOT.contact_force, .pressure_center     the same of all links together
//! SENSOR.acceleration, .angular_velocity    as felt: at rest 9.81 m/s² upwards, in the axes of the sensor
//! ```

use crate::world::{Mode, Model, Scratch, World};
use bristle_bodies::Joint;
use bristle_math::Vector3;
use bristle_math::spatial::{Twist, Wrench};
use bristle_ode::System;

const XYZ: [&str; 3] = ["x", "y", "z"];

/// Which of these are recorded, and room for them.
pub(crate) struct Senses {
    joints: bool,
    /// Bodies whose contact forces are recorded.
    bodies: Vec<usize>,
    /// Robots by name, with theirs.
    robots: Vec<String>,
    sensors: bool,
    loads: Vec<Load>,
    rates: Vec<f64>,
    accelerations: Vec<Twist<f64>>,
}

/// What contacts do to a body.
#[derive(Clone, Copy)]
struct Load {
    wrench: Wrench<f64>,
    /// Sum of normal forces, and of points times them.
    pressure: (f64, Vector3<f64>),
}

impl Load {
    const NONE: Self = Self {
        wrench: Wrench { torque: Vector3::new(0.0, 0.0, 0.0), force: Vector3::new(0.0, 0.0, 0.0) },
        pressure: (0.0, Vector3::new(0.0, 0.0, 0.0)),
    };

    fn center(&self, otherwise: &Vector3<f64>) -> Vector3<f64> {
        if self.pressure.0 > 0.0 { self.pressure.1 / self.pressure.0 } else { *otherwise }
    }
}

impl Senses {
    /// `wants`: joints, wrenches, sensors.
    pub(crate) fn new(model: &Model, wants: [bool; 3]) -> Self {
        let [joints, wrenches, sensors] = wants;
        let touches = |body: usize| {
            let own = model.shapes.iter().filter(|s| s.body == body);
            let mut classes = own.map(|s| s.class);
            classes.any(|a| {
                (0..model.classes).any(|b| {
                    let row = |a: usize, b: usize| model.interactions[a * model.classes + b].is_some();
                    row(a, b) || row(b, a)
                })
            })
        };
        // of single bodies the pair says it all; many bodies would only fill the disk
        let is_jointed = !model.joints.is_empty() && wrenches;
        let all = 0..model.bodies.len();
        let bodies = all.filter(|b| is_jointed && model.bodies[*b].is_movable && touches(*b)).collect();
        let robots = if wrenches { model.robots.clone() } else { Vec::new() };
        Self {
            joints,
            bodies,
            robots,
            sensors,
            loads: vec![Load::NONE; model.bodies.len()],
            rates: Vec::new(),
            accelerations: vec![Twist::zero(); model.tree.links().len()],
        }
    }

    /// Names and units of the columns.
    pub(crate) fn columns(&self, model: &Model) -> Vec<(String, &'static str)> {
        let mut all = Vec::new();
        if self.joints {
            for joint in &model.joints {
                let kind = &model.tree.links()[joint.link].joint;
                let is_one = kind.nv() == 1;
                let named = |what: &str, k: usize| match is_one {
                    true => format!("{}.{what}", joint.name),
                    false => format!("{}.{what}[{k}]", joint.name),
                };
                let pick = |k: bool, yes, no| if k { yes } else { no };
                for k in 0..kind.nq() {
                    let is_turn =
                        matches!(kind, Joint::Spherical) || (matches!(kind, Joint::Floating) && k > 2);
                    let unit = if is_turn { "1" } else { pick(kind.is_distance(k), "m", "rad") };
                    all.push((named("position", k), unit));
                }
                for k in 0..kind.nv() {
                    all.push((named("velocity", k), pick(kind.is_speed(k), "m/s", "rad/s")));
                }
                for k in 0..kind.nv() {
                    all.push((named("effort", k), pick(kind.is_speed(k), "N", "N m")));
                    all.push((named("power", k), "W"));
                }
            }
        }
        let mut three = |name: String, unit: &'static str| {
            all.extend(XYZ.map(|axis| (format!("{name}.{axis}"), unit)));
        };
        for body in self.bodies.iter().map(|b| &model.bodies[*b].name) {
            three(format!("{body}.contact_force"), "N");
            three(format!("{body}.contact_torque"), "N m");
            three(format!("{body}.pressure_center"), "m");
        }
        for robot in &self.robots {
            three(format!("{robot}.contact_force"), "N");
            three(format!("{robot}.pressure_center"), "m");
        }
        if self.sensors {
            for sensor in &model.sensors {
                three(format!("{}.acceleration", sensor.name), "m/s²");
                three(format!("{}.angular_velocity", sensor.name), "rad/s");
            }
        }
        all
    }

    /// One row of them. Moves everything to the state.
    pub(crate) fn sample(
        &mut self,
        world: &World<'_>,
        t: f64,
        x: &[f64],
        mode: &Mode,
        ws: &mut Scratch,
        row: &mut Vec<f64>,
    ) {
        let model = world.model;
        let (nq, nv) = (model.tree.nq(), model.tree.nv());
        let (q, v) = (&x[..nq], &x[nq..nq + nv]);
        if self.joints {
            for joint in &model.joints {
                row.extend(q[model.tree.q_range(joint.link)].iter().map(|q| q + joint.offset));
                row.extend(&v[model.tree.v_range(joint.link)]);
                for k in model.tree.v_range(joint.link) {
                    let effort = model.motor_effort(k, t, x, mode);
                    row.extend([effort, effort * v[k]]);
                }
            }
        }
        if !(self.bodies.is_empty() && self.robots.is_empty()) {
            self.loads.fill(Load::NONE);
            let loads = &mut self.loads;
            // origins are read before: evaluating the contacts needs all of `ws`
            let origins: Vec<Vector3<f64>> = {
                let kin = world.kinematics(t, x, ws);
                model.bodies.iter().map(|b| *kin.origin(b.link)).collect()
            };
            world.for_each_touch(t, x, mode, ws, |p, _, touch| {
                let push = touch.normal.force + touch.friction.normal;
                let bodies = mode.pairs[p].shapes.map(|s| model.shapes[s].body);
                for (body, sign) in bodies.into_iter().zip([-1.0, 1.0]) {
                    let wrench = touch.wrench_about(&origins[body]);
                    let load = &mut loads[body];
                    load.wrench.force += wrench.force * sign;
                    load.wrench.torque += wrench.torque * sign;
                    load.pressure.0 += push;
                    load.pressure.1 += touch.patch.point * push;
                }
            });
            for &body in &self.bodies {
                let load = &self.loads[body];
                row.extend(load.wrench.force.iter());
                row.extend(load.wrench.torque.iter());
                row.extend(load.center(&origins[body]).iter());
            }
            for group in 0..self.robots.len() {
                let links = (0..model.bodies.len())
                    .filter(|b| model.bodies[*b].group == Some(group) && model.bodies[*b].is_movable);
                let mut sum = Load::NONE;
                let mut first = None;
                for body in links {
                    first.get_or_insert(origins[body]);
                    sum.wrench.force += self.loads[body].wrench.force;
                    sum.pressure.0 += self.loads[body].pressure.0;
                    sum.pressure.1 += self.loads[body].pressure.1;
                }
                row.extend(sum.wrench.force.iter());
                row.extend(sum.center(&first.unwrap_or_default()).iter());
            }
        }
        if self.sensors && !model.sensors.is_empty() {
            self.rates.resize(x.len(), 0.0);
            world.derivative(t, x, mode, &mut self.rates, ws);
            world.kinematics(t, x, ws);
            let (vdot, out) = (&self.rates[nq..nq + nv], &mut self.accelerations);
            model.tree.link_accelerations(&ws.kin, v, vdot, &ws.driven, out);
            for sensor in &model.sensors {
                let pose = ws.kin.pose(sensor.link);
                let (spin, arm) =
                    (ws.kin.twist(sensor.link).angular, pose.rotation * sensor.pose.translation.vector);
                let origin = &self.accelerations[sensor.link];
                let felt = origin.linear + origin.angular.cross(&arm) + spin.cross(&spin.cross(&arm))
                    - model.gravity;
                let axes = (pose.rotation * sensor.pose.rotation).inverse();
                row.extend((axes * felt).iter());
                row.extend((axes * spin).iter());
            }
        }
    }
}
