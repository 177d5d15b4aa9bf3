//! What acts along joints, taken at the end of a step.
//!
//! An effort τ(q, v) becomes τ̂ − h (d + h k) v̇ with τ̂ = τ − h k v, where k = −∂τ/∂q and d = −∂τ/∂v.

use super::Ends;
use super::acting::Acting;
use super::contacts::Press;
use super::resist::Resist;
use super::rub::{Law, Place, Rub};
use super::slopes::{AtEnd, STATES, Start, stride};
use super::stops::{Reach, Way};
use crate::world::actuator::{Actuator, Held};
use crate::world::joint::{Share, Stop};
use crate::world::meeting::MOST_STATES;
use crate::world::mode::{JOINT_LOSSES, Mode};
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

/// What a motor gives at the start of the step, and how it gives way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Motor<T> {
    effort: T,
    slopes: Slopes<T>,
}

impl<T: Number> Model<T> {
    /// Efforts at the end of the step, rates of the states of joints, power of their losses.
    pub(super) fn joints_to_end(
        &self,
        (t, h): (T, T),
        x: &[T],
        mode: &Mode<T>,
        dx: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let (nq, nv) = (self.tree.nq(), self.tree.nv());
        let Scratch { wrenches, efforts, ends, .. } = ws;
        let (q, v) = x[..nq + nv].split_at(nq);
        let Ends { yields, coupled, rubs, stops, motors, trial, .. } = ends;
        efforts.fill(T::lit(0.0));
        let mut acting = Acting { wrenches, efforts, yields, coupled };
        let mut lost = T::lit(0.0);
        for spring in &self.joint_springs {
            let stiffness = spring.q.map_or(T::lit(0.0), |_| spring.stiffness);
            let share = spring.act(q, v);
            acting.lean((h, v), spring.v, share.effort, &Slopes { stiffness, damping: spring.damping });
            lost += share.lost;
        }
        for coupling in &self.couplings {
            let (share, stiffness) = (coupling.act(q, v), coupling.stiffness);
            let effort = share.effort - h * stiffness * coupling.slip(v);
            acting.efforts[coupling.v[0]] += effort;
            acting.efforts[coupling.v[1]] -= coupling.ratio * effort;
            acting.coupled.follow(coupling, h * (coupling.damping + h * stiffness));
            lost += share.lost;
        }
        dx[mode.stop_states.clone()].fill(T::lit(0.0));
        trial.clear();
        let way = Way { h, q, v, v_end: v };
        for ((stop, at), reach) in self.stops.iter().zip(&mode.stops).zip(stops) {
            *reach = Reach::none();
            if stop.is_clear(q, at.phase) {
                // as for contacts: a stop that is reached within the step acts already
                if stop.is_beyond_at_end(&way) {
                    stop.turn(&way, false, reach, &mut acting);
                }
                continue;
            }
            if trial.is_empty() {
                trial.extend_from_slice(&x[..nq + nv]);
            }
            let own = at.z..at.z + stop.states();
            let share = stop.act(q, v, &x[own.clone()], at.phase, &mut dx[own.clone()]);
            let slopes = stop.slopes(&share, trial, nq, &x[own], at);
            (reach.effort, reach.gives) = acting.lean((h, v), stop.v, share.effort, &slopes);
            lost += share.lost;
        }
        motors.clear();
        for (actuator, held) in self.actuators.iter().zip(&mode.held) {
            let motor = actuator.motor(t, q, v, held);
            acting.lean((h, v), actuator.v, motor.effort, &motor.slopes);
            motors.push(motor);
        }
        for (number, (friction, &z)) in self.frictions.iter().zip(&mode.frictions).enumerate() {
            let (count, mut slip) = (friction.states(), friction.slip(v));
            let (states, mut rates) = (&x[z..z + count], [T::lit(0.0); STATES]);
            let now = friction.law.eval(&slip, states, &mut rates[..count]);
            dx[z..z + count].copy_from_slice(&rates[..count]);
            lost += now.losses.total();
            let (velocity, force, turned) = (slip.velocity, now.force, [T::lit(0.0); STATES]);
            let (ways, stride) = ([Vector3::x(), Vector3::zeros()], stride(&velocity));
            let at = Start { ways: [ways[0]], velocity, stride, states, force, rates, turned };
            let infos = friction.law.states();
            let end = AtEnd::new(
                h,
                &at,
                |k| infos[k].scale,
                |velocity, z, rates| {
                    slip.velocity = *velocity;
                    friction.law.eval(&slip, z, rates).force
                },
            );
            acting.efforts[friction.v] += end.force.x;
            let resist = end.resist[0][0];
            let resist = if resist.value() > 0.0 { resist } else { T::lit(0.0) };
            acting.yields.add_along(friction.v, h * resist);
            rubs.push(Rub {
                z,
                count,
                place: Place::Along(friction.v),
                law: Law::Joint(number),
                slip: friction.slip(v),
                stored: now.stored,
                before: velocity,
                ways,
                end,
                press: Press::none(),
                gives: Resist::along(&Vector3::x(), resist),
                is_held: false,
                whole: now.stored,
                torque: Vector3::zeros(),
                missed: [T::lit(0.0); 2],
            });
        }
        dx[mode.accounts() + JOINT_LOSSES] = lost;
    }

    /// Mean power of the motors over the step: what they give at its end, τ⁺ v⁺.
    pub(super) fn motor_power(&self, h: T, (v, v_end): (&[T], &[T]), motors: &[Motor<T>]) -> T {
        let power = |(actuator, motor): (&Actuator<T>, &Motor<T>)| {
            let Motor { effort, slopes } = motor;
            let (before, after) = (v[actuator.v], v_end[actuator.v]);
            let given = slopes.stiffness * h * after + slopes.damping * (after - before);
            (*effort - given) * after
        };
        self.actuators.iter().zip(motors).map(power).fold(T::lit(0.0), |sum, power| sum + power)
    }
}

impl<T: Number> Acting<'_, T> {
    /// Adds an effort along velocity `k`, and how it gives way. Answers both.
    #[inline(always)]
    fn lean(&mut self, (h, v): (T, &[T]), k: usize, effort: T, s: &Slopes<T>) -> (T, T) {
        let (effort, gives) = (effort - h * s.stiffness * v[k], h * (s.damping + h * s.stiffness));
        self.efforts[k] += effort;
        self.yields.add_along(k, gives);
        (effort, gives)
    }
}

impl<T: Number> Stop<T> {
    /// By differences from what it does `here`; `motion` holds positions and velocities, and is left as it was.
    fn slopes(&self, here: &Share<T>, motion: &mut [T], nq: usize, z: &[T], at: &Contact) -> Slopes<T> {
        let step = T::lit(NEAR);
        let mut unused = [T::lit(0.0); MOST_STATES];
        let mut effort = |motion: &[T]| {
            let (q, v) = motion.split_at(nq);
            self.act(q, v, z, at.phase, &mut unused[..z.len()]).effort
        };
        let mut slope = |index: usize| {
            let before = motion[index];
            motion[index] += step;
            let there = effort(motion);
            motion[index] = before;
            let slope = (here.effort - there) / step;
            if slope.value() > 0.0 { slope } else { T::lit(0.0) }
        };
        Slopes { stiffness: slope(self.q), damping: slope(nq + self.v) }
    }
}

impl<T: Number> Actuator<T> {
    /// What it gives. Where that is all it has, it gives way to nothing.
    fn motor(&self, t: T, q: &[T], v: &[T], held: &Held) -> Motor<T> {
        let zero = T::lit(0.0);
        let demand = self.demand(t, q, v, held);
        let (control, square) = (&self.phases[held.phase], self.gear * self.gear);
        let stiffness = if self.q.is_some() { square * control.stiffness } else { zero };
        let slopes = Slopes { stiffness, damping: square * control.damping };
        let Some([low, high]) = self.limits else { return Motor { effort: self.gear * demand, slopes } };
        let is_within = demand.value() > low.value() && demand.value() < high.value();
        let slopes = if is_within { slopes } else { Slopes { stiffness: zero, damping: zero } };
        Motor { effort: self.gear * demand.max(low).min(high), slopes }
    }
}
