//! What is behind a step that failed: which value left its domain, where and when.

use super::equations::What;
use super::error::{Fault, RunError};
use super::run::Runner;
use super::system::{Scratch, System};
use crate::run::Method;
use bristle_ode::{Kernel, State, StepError, System as _};

impl System {
    /// The first value at a point that is wrong, in the order of evaluation; the point was just evaluated.
    pub(super) fn look(&self, t: f64, dx: &[f64], s: &Scratch) -> Option<Fault> {
        let fault = |what: What, name: String| {
            self.equations.blame(what, t, &s.ws).unwrap_or(Fault::NotFinite { time: t, what: name })
        };
        for (i, gap) in s.gaps.iter().enumerate() {
            if !gap.is_finite() {
                return Some(fault(What::Gap(i), format!("the gap of {}", self.contacts[i].name)));
            }
        }
        for (j, limit) in s.limits.iter().enumerate() {
            let term = &self.frictions[j].name;
            if !limit.is_finite() {
                return Some(fault(What::Limit(j), format!("the limit of {term}")));
            }
            if *limit < 0.0 {
                let (term, value) = (term.clone(), *limit);
                let plain = Fault::NegativeLimit { time: t, term, value };
                return Some(self.equations.blame(What::Limit(j), t, &s.ws).unwrap_or(plain));
            }
        }
        for friction in &self.frictions {
            for k in friction.first..friction.first + friction.size {
                if !s.velocities[k].is_finite() {
                    return Some(fault(What::Velocity(k), format!("the velocity of {}", friction.name)));
                }
            }
        }
        for (i, state) in self.states.iter().enumerate() {
            if !dx[i].is_finite() {
                return Some(fault(What::Rate(i), format!("the rate of {}", state.name)));
            }
        }
        let power = dx.last().copied().unwrap_or(0.0);
        (!power.is_finite()).then(|| fault(What::Power, "the power".to_string()))
    }
}

impl Runner<'_> {
    /// What is behind the failure of a step: the same step with a formula that can be watched, at growing lengths.
    pub(super) fn diagnose(&self, error: StepError) -> RunError {
        if !matches!(error, StepError::NonFinite { .. } | StepError::NonFiniteEvent { .. }) {
            return error.into();
        }
        let longest = match self.options.method {
            Method::Fixed(o) => o.step,
            Method::Adaptive(_) => self.options.duration - self.state.t,
        };
        let State { t, x, mode } = &self.state;
        let mut ws = self.system.scratch();
        ws.is_watching = true;
        let mut kernel = Kernel::new(bristle_ode::Method::Rk4, x.len());
        let mut h = (f64::EPSILON * t.abs()).max(1e-18);
        while ws.fault.is_none() && h < longest {
            h = (2.0 * h).min(longest);
            kernel.advance(self.system, *t, h, &mut x.clone(), mode, &mut ws);
        }
        ws.fault.map_or(RunError::Step(error), RunError::Fault)
    }
}
