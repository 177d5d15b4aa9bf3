//! A system declared in Rust, in the words of the mathematics.

use super::at::{At, Contact, Friction, Friction2, Loads, Rates, State, States};
use super::equations::{Closures, Limit, Velocity};
use super::error::{BuildError, Warning};
use super::form::Form;
use super::system::{ContactInfo, FrictionInfo, Leg, StateInfo, System};
use super::term::{Dio, Sgn};
use bristle_ode::{Layout, System as Steppable};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Typical size of the proxy of a contact, m, as the law of the same equation has it.
pub(super) const CONTACT_SCALE: f64 = 1e-5;

/// Declares a system `ẋ ∈ Φ(x, dio(ψ), χ sgn(θ))` term by term. See [`nonsmooth`](super) for an example.
#[derive(Default)]
pub struct Builder {
    states: Vec<StateInfo>,
    contacts: Vec<ContactInfo>,
    frictions: Vec<FrictionInfo>,
    breaks: Vec<f64>,
    equations: Closures,
}

impl Builder {
    /// Nothing declared.
    pub fn new() -> Self {
        Self::default()
    }

    /// A state and its value at the start.
    pub fn state(&mut self, name: impl Into<String>, start: f64) -> State {
        self.declare(name.into(), start, false)
    }

    /// A state that the semi-implicit method moves first; declared after all others.
    pub fn velocity(&mut self, name: impl Into<String>, start: f64) -> State {
        self.declare(name.into(), start, true)
    }

    fn declare(&mut self, name: String, start: f64, is_velocity: bool) -> State {
        self.states.push(StateInfo { name, unit: "1", start, scale: 1.0, is_velocity });
        State(self.states.len() - 1)
    }

    /// Gives a state a unit, and its typical size in that unit, 1 unless given: error control asks for `rtol` of it.
    pub fn scaled(&mut self, state: State, unit: &'static str, scale: f64) -> &mut Self {
        if let Some(info) = self.states.get_mut(state.0) {
            (info.unit, info.scale) = (unit, scale);
        }
        self
    }

    /// `f ∈ dio(ψ)`: a force that is zero while ψ > 0 and does not let ψ become negative.
    pub fn dio(
        &mut self,
        name: impl Into<String>,
        gap: impl Fn(&States<'_>) -> f64 + Send + Sync + 'static,
        dio: Dio,
    ) -> Contact {
        self.contacts.push(ContactInfo { name: name.into(), unit: "N", dio, scale: CONTACT_SCALE });
        self.equations.gaps.push(Box::new(gap));
        Contact(self.contacts.len() - 1)
    }

    /// `f ∈ χ sgn(θ)` with a scalar θ.
    pub fn sgn(
        &mut self,
        name: impl Into<String>,
        limit: impl Into<Limit>,
        velocity: impl Fn(&Loads<'_>) -> f64 + Send + Sync + 'static,
        sgn: Sgn,
    ) -> Friction {
        Friction(self.slide(name.into(), limit.into(), Velocity::Scalar(Box::new(velocity)), sgn))
    }

    /// `f ∈ χ sgn(θ)` with θ in a plane: f has the direction of θ and at most the length χ.
    pub fn sgn2(
        &mut self,
        name: impl Into<String>,
        limit: impl Into<Limit>,
        velocity: impl Fn(&Loads<'_>) -> [f64; 2] + Send + Sync + 'static,
        sgn: Sgn,
    ) -> Friction2 {
        Friction2(self.slide(name.into(), limit.into(), Velocity::Plane(Box::new(velocity)), sgn))
    }

    fn slide(&mut self, name: String, limit: Limit, velocity: Velocity, sgn: Sgn) -> usize {
        let first = self.frictions.last().map_or(0, |f| f.first + f.size);
        self.frictions.push(FrictionInfo { name, unit: "N", sgn, size: velocity.size(), scale: None, first });
        self.equations.slides.push((limit, velocity));
        first
    }

    /// Φ: writes the rate of every state.
    pub fn rates(&mut self, rates: impl Fn(&At<'_>, &mut Rates<'_>) + Send + Sync + 'static) -> &mut Self {
        self.equations.rates = Some(Box::new(rates));
        self
    }

    /// Energy of the states, J, against which the ledger is closed.
    pub fn energy(&mut self, energy: impl Fn(&States<'_>) -> f64 + Send + Sync + 'static) -> &mut Self {
        self.equations.energy = Some(Box::new(energy));
        self
    }

    /// Power that comes from outside, W: applied forces, belts, motors.
    pub fn power(&mut self, power: impl Fn(&At<'_>) -> f64 + Send + Sync + 'static) -> &mut Self {
        self.equations.power = Some(Box::new(power));
        self
    }

    /// Times at which functions of time jump or have a kink, s: no step crosses them.
    pub fn breaks(&mut self, times: &[f64]) -> &mut Self {
        self.breaks.extend_from_slice(times);
        self
    }

    /// Checks the declarations and makes the system.
    pub fn build(self) -> Result<System, BuildError> {
        let Self { states, contacts, frictions, breaks, equations } = self;
        if equations.rates.is_none() {
            return Err(BuildError::NoRates);
        }
        let (has_energy, has_power) = (equations.energy.is_some(), equations.power.is_some());
        let mut system = System {
            states,
            contacts,
            frictions,
            equations: Arc::new(equations),
            breaks,
            form: Form::Proxy,
            layout: Layout::new(),
            warnings: Vec::new(),
            has_energy,
            has_power,
        };
        system.check()?;
        let unused: Vec<Warning> = system.unused().map(|term| Warning::Unused { term }).collect();
        system.warnings.extend(unused);
        Ok(system)
    }
}

impl System {
    /// Checks what was declared and lays the state vector out.
    pub(super) fn check(&mut self) -> Result<(), BuildError> {
        if self.states.is_empty() {
            return Err(BuildError::NoStates);
        }
        let mut seen = BTreeSet::new();
        for name in self.states.iter().map(|s| s.name.as_str()).chain(self.term_names()) {
            if !seen.insert(name) {
                return Err(BuildError::Twice { name: name.to_string() });
            }
        }
        for pair in self.states.windows(2) {
            if pair[0].is_velocity && !pair[1].is_velocity {
                return Err(BuildError::Order { name: pair[1].name.clone() });
            }
        }
        for state in &self.states {
            super::error::check_positive(&state.name, "scale", state.scale)?;
            if !state.start.is_finite() {
                let (term, value) = (state.name.clone(), state.start);
                return Err(BuildError::Parameter { term, name: "start", value, rule: "finite" });
            }
        }
        self.contacts.iter().try_for_each(|c| c.dio.check(&c.name))?;
        self.frictions.iter().try_for_each(|f| f.sgn.check(&f.name))?;
        self.breaks.retain(|t| t.is_finite());
        self.breaks.sort_by(f64::total_cmp);
        self.breaks.dedup();
        self.lay_out();
        for contact in self.contacts.iter().filter(|c| c.dio.alpha > c.dio.beta) {
            let (term, share) = (contact.name.clone(), contact.dio.alpha / contact.dio.beta);
            self.warnings.push(Warning::AddsEnergy { term, share });
        }
        self.check_start()
    }

    /// The right-hand side at the start: every rate is set, no limit is negative.
    fn check_start(&mut self) -> Result<(), BuildError> {
        let start = self.start();
        let mut s = self.scratch();
        s.is_watching = true;
        let mut dx = vec![f64::NAN; start.x.len()];
        self.derivative(0.0, &start.x, &start.mode, &mut dx, &mut s);
        let unset = self.states.iter().zip(&dx).find(|(_, rate)| !rate.is_finite());
        match (s.fault.take(), unset) {
            (Some(super::Fault::NotFinite { .. }), Some((state, _))) => {
                Err(BuildError::Rate { state: state.name.clone() })
            }
            (Some(fault), _) => Err(fault.into()),
            (None, _) => {
                let ledger = self.ledger(0.0, &start.x, &mut s);
                if let Some(fault) = self.bad_energy(0.0, &ledger, &s) {
                    return Err(fault.into());
                }
                for (friction, limit) in self.frictions.iter_mut().zip(&s.limits).filter(|(_, l)| **l > 0.0) {
                    friction.scale.get_or_insert(limit / friction.sgn.stiffness);
                }
                self.lay_out();
                Ok(())
            }
        }
    }

    /// Terms on which no rate, limit or velocity depends: their value is changed at the start, and nothing follows.
    /// Of very many terms that would take long, and none is looked at.
    fn unused(&self) -> impl Iterator<Item = String> {
        const MOST: usize = 1000;
        let mut names: Vec<String> = self.term_names().map(str::to_string).collect();
        if names.len() > MOST {
            names.clear();
        }
        let start = self.start();
        let (contacts, frictions) = (self.contacts.len(), &self.frictions);
        let is_unused = |term: usize| {
            let mut s = self.scratch();
            let plain = self.response(&start.x, start.mode, None, &mut s);
            let range = match term.checked_sub(contacts) {
                None => term..term + 1,
                Some(j) => frictions[j].first..frictions[j].first + frictions[j].size,
            };
            [f64::NAN, 1.0, -1.0, 1e3].into_iter().all(|value| {
                let changed = Some((term < contacts, range.clone(), value));
                let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
                self.response(&start.x, start.mode, changed, &mut s).iter().zip(&plain).all(same)
            })
        };
        let unused: Vec<bool> = (0..names.len()).map(is_unused).collect();
        names.into_iter().zip(unused).filter(|(_, is_unused)| *is_unused).map(|(name, _)| name)
    }

    /// Limits, velocities and rates at a point, with some values of terms changed: of contacts or of frictions.
    fn response(
        &self,
        x: &[f64],
        leg: Leg,
        changed: Option<(bool, std::ops::Range<usize>, f64)>,
        s: &mut super::system::Scratch,
    ) -> Vec<f64> {
        let t = self.inside(0.0, leg);
        self.terms(t, x, None, s);
        let states = &x[..self.states.len()];
        if let Some((true, range, value)) = &changed {
            s.contacts[range.clone()].fill(*value);
        }
        let loads = Loads { t, x: states, contacts: &s.contacts };
        self.equations.slides(&loads, &mut s.ws, &mut s.limits, &mut s.velocities);
        if let Some((false, range, value)) = &changed {
            s.frictions[range.clone()].fill(*value);
        }
        let mut dx = vec![0.0; states.len()];
        let at = At { t, x: states, contacts: &s.contacts, frictions: &s.frictions };
        self.equations.rates(&at, &mut s.ws, &mut dx);
        dx.extend_from_slice(&s.limits);
        dx.extend_from_slice(&s.velocities);
        dx
    }
}
