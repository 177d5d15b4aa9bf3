//! What acts along the joints of a world, all of it: springs, stops, friction, motors.

use super::ahead::Ahead;
use super::joint::Share;
use super::mode::{ACTUATORS, JOINT_LOSSES, Mode, RELEASED};
use super::model::Model;
use super::number::Number;
use bristle_laws::{FrictionLaw, NormalLaw, Phase};
use bristle_ode::State;

impl<T: Number> Model<T> {
    /// Position and velocity in a state.
    fn motion<'x>(&self, x: &'x [T]) -> (&'x [T], &'x [T]) {
        let (nq, nv) = (self.tree.nq(), self.tree.nv());
        (&x[..nq], &x[nq..nq + nv])
    }

    /// Efforts along all velocities, rates of the states of joints, power of their losses and of motors.
    pub(super) fn push_joints(
        &self,
        t: T,
        x: &[T],
        mode: &Mode<T>,
        dx: &mut [T],
        efforts: &mut [T],
        ahead: &mut Ahead,
    ) {
        let (q, v) = self.motion(x);
        efforts.fill(T::lit(0.0));
        let (mut lost, mut work) = (T::lit(0.0), T::lit(0.0));
        let mut add = |k: usize, share: Share<T>| {
            efforts[k] += share.effort;
            lost += share.lost;
        };
        for spring in &self.joint_springs {
            add(spring.v, spring.act(q, v));
        }
        for coupling in &self.couplings {
            let share = coupling.act(q, v);
            add(coupling.v[0], share);
            add(coupling.v[1], Share { effort: -coupling.ratio * share.effort, ..Share::none() });
        }
        dx[mode.stop_states.clone()].fill(T::lit(0.0));
        for (stop, at) in self.stops.iter().zip(&mode.stops).filter(|(s, at)| !s.is_clear(q, at.phase)) {
            if ahead.waits(at, stop.indent(q, v).depth.value()) {
                continue;
            }
            let range = at.z..at.z + stop.states();
            add(stop.v, stop.act(q, v, &x[range.clone()], at.phase, &mut dx[range]));
        }
        for (friction, &z) in self.frictions.iter().zip(&mode.frictions) {
            let range = z..z + friction.states();
            add(friction.v, friction.act(v, &x[range.clone()], &mut dx[range]));
        }
        for (actuator, held) in self.actuators.iter().zip(&mode.held) {
            let effort = actuator.effort(t, q, v, held);
            efforts[actuator.v] += effort;
            work += effort * v[actuator.v];
        }
        let world = mode.accounts();
        dx[world + JOINT_LOSSES] = lost;
        dx[world + ACTUATORS] = work;
    }

    /// What the motors together do along one velocity, N m or N.
    pub(crate) fn motor_effort(&self, v: usize, t: T, x: &[T], mode: &Mode<T>) -> T {
        let (q, rates) = self.motion(x);
        let own = self.actuators.iter().zip(&mode.held).filter(|(a, _)| a.v == v);
        own.map(|(a, held)| a.effort(t, q, rates, held)).fold(T::lit(0.0), |sum, x| sum + x)
    }

    /// Energy stored in springs, stops and friction of joints, J.
    pub(super) fn joint_energy(&self, x: &[T], mode: &Mode<T>) -> T {
        let (q, v) = self.motion(x);
        let springs: T =
            self.joint_springs.iter().map(|s| s.act(q, v).stored).fold(T::lit(0.0), |sum, x| sum + x);
        let couplings: T =
            self.couplings.iter().map(|c| c.act(q, v).stored).fold(T::lit(0.0), |sum, x| sum + x);
        let stops = self.stops.iter().zip(&mode.stops);
        let stops: T = stops
            .map(|(s, at)| s.stored(q, v, &x[at.z..at.z + s.states()], at.phase))
            .fold(T::lit(0.0), |sum, x| sum + x);
        let frictions = self.frictions.iter().zip(&mode.frictions);
        springs
            + couplings
            + stops
            + frictions.map(|(f, z)| f.stored(v, &x[*z..*z + f.states()])).fold(T::lit(0.0), |sum, x| sum + x)
    }

    pub(super) fn joint_event_count(&self) -> usize {
        let stops: usize = self.stops.iter().map(|s| 1 + s.law.switch_count()).sum();
        let frictions: usize = self.frictions.iter().map(|f| f.law.switch_count()).sum();
        stops + frictions + 2 * self.actuators.iter().filter(|a| a.limits.is_some()).count()
    }

    /// Stops that are reached and left, branches of their laws, motors that reach a limit.
    pub(super) fn joint_events(&self, t: T, x: &[T], mode: &Mode<T>, g: &mut [T]) {
        let (q, v) = self.motion(x);
        let mut next = 0;
        let mut take = |n: usize| {
            next += n;
            next - n..next
        };
        for (stop, contact) in self.stops.iter().zip(&mode.stops) {
            let (at, z) = (stop.indent(q, v), &x[contact.z..contact.z + stop.states()]);
            let slots = &mut g[take(1 + stop.law.switch_count())];
            slots[0] = stop.law.touching(&at, z, contact.phase);
            if contact.phase == Phase::Touching && at.depth.value() > 0.0 {
                stop.law.switches(&at, z, contact.phase, &mut slots[1..]);
            } else {
                slots[1..].fill(T::lit(1.0));
            }
        }
        for (friction, &z) in self.frictions.iter().zip(&mode.frictions) {
            let slots = &mut g[take(friction.law.switch_count())];
            friction.law.switches(&friction.slip(v), &x[z..z + friction.states()], slots);
        }
        for (actuator, held) in self.actuators.iter().zip(&mode.held) {
            if let Some([low, high]) = actuator.limits {
                let demand = actuator.demand(t, q, v, held);
                g[take(2)].copy_from_slice(&[demand - low, demand - high]);
            }
        }
    }

    /// After a step: stops open and close, motors go on to their next phase. Answers whether any did.
    pub(super) fn settle_joints(&self, state: &mut State<T, Mode<T>>) -> bool {
        let (nq, nv) = (self.tree.nq(), self.tree.nv());
        let released_at = state.mode.accounts() + RELEASED;
        let mut changed = false;
        for (stop, at) in self.stops.iter().zip(&mut state.mode.stops) {
            at.is_apart = stop.is_clear(&state.x[..nq], at.phase);
            if at.is_apart {
                continue;
            }
            let (moved, released) = stop.settle(at, &mut state.x, nq, nv);
            changed |= moved;
            state.x[released_at] += released;
        }
        for (actuator, held) in self.actuators.iter().zip(&mut state.mode.held) {
            let phase = actuator.phase_at(state.t.value());
            changed |= phase != held.phase;
            held.phase = phase;
        }
        changed
    }
}
