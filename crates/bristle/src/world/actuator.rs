//! Motors: what they are told, and what they deliver.
//!
//! ```text
//! force = feed_forward + stiffness (target − l) + damping (rate − l̇)      l = gear · q, cut at the limits
//! effort = gear · force                                                   power = effort · v
//! ```
//! One form for all: a torque motor has feed-forward only, a position servo stiffness and damping, a speed servo damping.
//! What a controller commands is added to target, rate and feed-forward, and held between its ticks.

use crate::signal::Signal;
use bristle_math::Real;

/// A motor on one freedom of a joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Actuator<T: Real = f64> {
    /// Name.
    pub name: String,
    /// Where the position stands in `q`; none for a freedom of a spherical joint.
    pub q: Option<usize>,
    /// Where the velocity stands in `v`.
    pub v: usize,
    /// Position of the joint where its coordinate in `q` is zero, rad or m.
    pub offset: T,
    /// Turns of the motor per turn of the joint.
    pub gear: T,
    /// Least and greatest force (N) or torque (N m) before the gear.
    pub limits: Option<[T; 2]>,
    /// What it does, one after the other; at least one.
    pub phases: Vec<Control<T>>,
}

/// What a motor does until a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Control<T: Real = f64> {
    /// End, s; infinite for the last.
    pub until: f64,
    /// Force (N) or torque (N m).
    pub feed_forward: Signal<T>,
    /// N/m or N m/rad.
    pub stiffness: T,
    /// m or rad.
    pub target: Signal<T>,
    /// N s/m or N m s/rad.
    pub damping: T,
    /// m/s or rad/s.
    pub rate: Signal<T>,
}

/// What a controller adds to target, rate and feed-forward of one motor.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Command {
    /// m or rad.
    pub target: f64,
    /// m/s or rad/s.
    pub rate: f64,
    /// N or N m, before the gear.
    pub effort: f64,
}

/// What is constant between steps of a motor.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Held {
    /// Which of its phases.
    pub phase: usize,
    /// What it is told besides.
    pub command: Command,
}

impl Control {
    /// Nothing but a force.
    pub fn effort(feed_forward: Signal) -> Self {
        let zero = Signal::ZERO;
        Self {
            until: f64::INFINITY,
            feed_forward,
            stiffness: 0.0,
            target: zero.clone(),
            damping: 0.0,
            rate: zero,
        }
    }

    /// A servo that holds a position.
    pub fn servo(stiffness: f64, damping: f64, target: Signal) -> Self {
        Self { stiffness, damping, target, ..Self::effort(Signal::ZERO) }
    }
}

impl<T: Real> Control<T> {
    pub(crate) fn signals(&self) -> [&Signal<T>; 3] {
        [&self.feed_forward, &self.target, &self.rate]
    }
}

impl<T: Real> Actuator<T> {
    /// Force before gear and limits, N or N m.
    #[inline]
    pub(crate) fn demand(&self, t: T, q: &[T], v: &[T], held: &Held) -> T {
        let (control, told) = (&self.phases[held.phase], &held.command);
        let mut force = control.feed_forward.at(t) + T::lit(told.effort);
        if !control.stiffness.is_exactly(0.0) {
            let length = self.gear * self.q.map_or(T::lit(0.0), |i| q[i] + self.offset);
            force += control.stiffness * (control.target.at(t) + T::lit(told.target) - length);
        }
        if !control.damping.is_exactly(0.0) {
            force += control.damping * (control.rate.at(t) + T::lit(told.rate) - self.gear * v[self.v]);
        }
        force
    }

    /// Torque (N m) or force (N) on the joint.
    #[inline]
    pub fn effort(&self, t: T, q: &[T], v: &[T], held: &Held) -> T {
        let force = self.demand(t, q, v, held);
        self.gear * self.limits.map_or(force, |[low, high]| force.max(low).min(high))
    }

    /// Times at which what it is told has a kink or a step, s.
    pub(crate) fn kinks(&self) -> impl Iterator<Item = f64> + '_ {
        let signals = self.phases.iter().flat_map(Control::signals);
        signals.flat_map(|s| s.kinks().iter().copied()).chain(self.phases.iter().map(|p| p.until))
    }

    /// The phase that is on from a time on.
    pub(crate) fn phase_at(&self, t: f64) -> usize {
        self.phases.iter().position(|p| t < p.until).unwrap_or(self.phases.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_serves_motors_and_servos_with_gear_and_limits() {
        let motor = Actuator {
            name: "m".into(),
            q: Some(0),
            v: 0,
            offset: 0.0,
            gear: 10.0,
            limits: Some([-2.0, 3.0]),
            phases: vec![
                Control { until: 1.0, ..Control::effort(Signal::Constant(1.5)) },
                Control { until: 2.0, ..Control::servo(4.0, 0.5, Signal::Constant(1.0)) },
                Control { damping: 0.1, rate: Signal::Constant(30.0), ..Control::effort(Signal::ZERO) },
            ],
        };
        let held = |phase| Held { phase, ..Held::default() };
        assert_eq!(motor.effort(0.0, &[0.0], &[0.0], &held(0)), 15.0);
        // 4 (1 − 10·0.05) − 0.5·10·0.2 = 1
        assert!((motor.effort(1.5, &[0.05], &[0.2], &held(1)) - 10.0).abs() < 1e-14);
        assert_eq!(motor.effort(1.5, &[-1.0], &[0.0], &held(1)), 30.0, "cut");
        assert!((motor.effort(3.0, &[9.0], &[2.0], &held(2)) - 10.0).abs() < 1e-14);
        assert_eq!([0.0, 1.0, 1.99, 2.0, 99.0].map(|t| motor.phase_at(t)), [0, 1, 1, 2, 2]);
        assert_eq!(motor.kinks().collect::<Vec<_>>(), [1.0, 2.0, f64::INFINITY]);
        let told = Command { target: 0.25, rate: 0.0, effort: 0.5 };
        let force = motor.effort(1.5, &[0.1], &[0.0], &Held { phase: 1, command: told });
        assert!((force - 15.0).abs() < 1e-14, "{force}");
    }
}
