//! What acts along joints, taken at the end of a step.
//!
//! An effort τ(q, v) becomes τ̂ − h (d + h k) v̇ with τ̂ = τ − h k v, where k = −∂τ/∂q and d = −∂τ/∂v.

use super::Ends;
use super::acting::Acting;
use super::resist::Resist;
use super::rub::{Law, Place, Rub};
use super::slopes::{AtEnd, STATES, Start};
use crate::world::actuator::{Actuator, Held};
use crate::world::joint::Stop;
use crate::world::meeting::MOST_STATES;
use crate::world::mode::Mode;
use crate::world::model::Model;
use crate::world::number::Number;
use crate::world::{Contact, Scratch};
use bristle_laws::FrictionLaw;
use bristle_math::Vector3;

/// Differences are taken over this much, rad or m, and this much per second.
const NEAR: f64 = 1e-7;

/// Slopes −∂τ/∂q and −∂τ/∂v of an effort, neither of them negative.
#[derive(Debug, Clone, Copy)]
struct Slopes<T> {
    stiffness: T,
    damping: T,
}

impl<T: Number> Model<T> {
    /// Puts the efforts in `ws` at the end of the step.
    pub(super) fn joints_to_end(
        &self,
        (t, h): (T, T),
        x: &[T],
        mode: &Mode<T>,
        dx: &[T],
        ws: &mut Scratch<T>,
    ) {
        let (nq, nv) = (self.tree.nq(), self.tree.nv());
        let Scratch { wrenches, efforts, ends, .. } = ws;
        let (q, v) = x[..nq + nv].split_at(nq);
        let Ends { yields, coupled, rubs, stops, trial, .. } = ends;
        // as for contacts: a stop that is reached within the step acts already
        let mut acting = Acting { wrenches, efforts, yields, coupled };
        self.look_at_stops(h, mode, (q, v, v), stops, &mut acting);
        let mut add = |k: usize, s: Slopes<T>| {
            efforts[k] -= h * s.stiffness * v[k];
            yields.add_along(k, h * (s.damping + h * s.stiffness));
        };
        for spring in &self.joint_springs {
            let stiffness = spring.q.map_or(T::lit(0.0), |_| spring.stiffness);
            add(spring.v, Slopes { stiffness, damping: spring.damping });
        }
        trial.clear();
        trial.extend_from_slice(&x[..nq + nv]);
        for (stop, at) in self.stops.iter().zip(&mode.stops).filter(|(s, at)| !s.is_clear(q, at.phase)) {
            add(stop.v, stop.slopes(trial, nq, &x[at.z..at.z + stop.states()], at));
        }
        for (actuator, held) in self.actuators.iter().zip(&mode.held) {
            add(actuator.v, actuator.slopes(t, q, v, held));
        }
        for (number, (friction, &z)) in self.frictions.iter().zip(&mode.frictions).enumerate() {
            let count = friction.states();
            let at = Start {
                depth: None,
                velocity: Vector3::new(v[friction.v], T::lit(0.0), T::lit(0.0)),
                states: &x[z..z + count],
                rates: &dx[z..z + count],
            };
            let scales = friction.law.states().iter().map(|s| s.scale);
            let mut slip = friction.slip(v);
            let end = AtEnd::new(h, &at, scales, |_, velocity, z: &[T; STATES], rates| {
                slip.velocity = *velocity;
                friction.law.eval(&slip, &z[..count], &mut rates[..count]).force
            });
            let now =
                friction.law.eval(&friction.slip(v), &x[z..z + count], &mut [T::lit(0.0); STATES][..count]);
            efforts[friction.v] += end.force.x - now.force.x;
            let resist = end.resist[(0, 0)];
            let resist = if resist.value() > 0.0 { resist } else { T::lit(0.0) };
            yields.add_along(friction.v, h * resist);
            rubs.push(Rub {
                z,
                count,
                place: Place::Along(friction.v),
                law: Law::Joint(number),
                slip: friction.slip(v),
                before: at.velocity,
                end,
                gives: Resist::along(&Vector3::x(), resist),
                is_held: false,
            });
        }
    }
}

impl<T: Number> Model<T> {
    /// Mean power of the motors over the step: what they give at its end, τ⁺ v⁺.
    pub(super) fn motor_power(&self, (t, h): (T, T), (q, v, v_end): (&[T], &[T], &[T]), mode: &Mode<T>) -> T {
        let power = |(actuator, held): (&Actuator<T>, &Held)| {
            let s = actuator.slopes(t, q, v, held);
            let (before, after) = (v[actuator.v], v_end[actuator.v]);
            let given = s.stiffness * h * after + s.damping * (after - before);
            (actuator.effort(t, q, v, held) - given) * after
        };
        self.actuators.iter().zip(&mode.held).map(power).fold(T::lit(0.0), |sum, power| sum + power)
    }
}

impl<T: Number> Stop<T> {
    /// By differences; `motion` holds positions and velocities, and is left as it was.
    fn slopes(&self, motion: &mut [T], nq: usize, z: &[T], at: &Contact) -> Slopes<T> {
        let step = T::lit(NEAR);
        let mut unused = [T::lit(0.0); MOST_STATES];
        let mut effort = |motion: &[T]| {
            let (q, v) = motion.split_at(nq);
            self.act(q, v, z, at.phase, &mut unused[..z.len()]).effort
        };
        let here = effort(motion);
        let mut slope = |index: usize| {
            let before = motion[index];
            motion[index] += step;
            let there = effort(motion);
            motion[index] = before;
            let slope = (here - there) / step;
            if slope.value() > 0.0 { slope } else { T::lit(0.0) }
        };
        Slopes { stiffness: slope(self.q), damping: slope(nq + self.v) }
    }
}

impl<T: Number> Actuator<T> {
    /// None where the motor gives all it has.
    fn slopes(&self, t: T, q: &[T], v: &[T], held: &Held) -> Slopes<T> {
        let zero = T::lit(0.0);
        if let Some([low, high]) = self.limits {
            let demand = self.demand(t, q, v, held).value();
            if demand <= low.value() || demand >= high.value() {
                return Slopes { stiffness: zero, damping: zero };
            }
        }
        let (control, square) = (&self.phases[held.phase], self.gear * self.gear);
        let stiffness = if self.q.is_some() { square * control.stiffness } else { zero };
        Slopes { stiffness, damping: square * control.damping }
    }
}
