//! The ordinary differential equation that stands for a non-smooth system (Eq. 18).
//!
//! ```text
//! x = [ states | velocities | e₁ … (contacts) | a₁ … (frictions) | lost per term, ∫θ dt, work from outside ]
//! ```
//! The right-hand side has kinks where a term begins or ceases to push or to slip: these are its events, so that a
//! method keeps its order between them. At `breaks` the author's own formulas may jump: no step crosses one, and
//! before it they are evaluated at the last time before it.

use super::at::{At, Loads, States};
use super::equations::Equations;
use super::error::{Fault, Warning};
use super::form::Form;
use super::term::{Dio, Sgn};
use bristle_ode::{Change, Fired, Layout, System as Steppable};
use std::sync::Arc;

/// A state as declared.
#[derive(Debug, Clone, PartialEq)]
pub struct StateInfo {
    /// Name.
    pub name: String,
    /// Unit, `1` if none.
    pub unit: &'static str,
    /// Value at the start.
    pub start: f64,
    /// Typical size, in its unit: error control asks for `rtol` of it.
    pub scale: f64,
    /// Whether the semi-implicit method moves it first.
    pub is_velocity: bool,
}

/// A contact term as declared.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactInfo {
    /// Name.
    pub name: String,
    /// Unit of its value: N, or N m for an angle.
    pub unit: &'static str,
    /// Parameters.
    pub dio: Dio,
    /// Typical size of its proxy, in the unit of the gap.
    pub scale: f64,
}

/// A friction term as declared.
#[derive(Debug, Clone, PartialEq)]
pub struct FrictionInfo {
    /// Name.
    pub name: String,
    /// Unit of its value: N, or N m for an angular velocity.
    pub unit: &'static str,
    /// Parameters.
    pub sgn: Sgn,
    /// Typical size of its proxy; by default that at which it begins to slide at the start.
    pub scale: Option<f64>,
    /// Components of θ: 1 or 2.
    pub size: usize,
    /// Its first component among those of all friction terms.
    pub(super) first: usize,
}

/// A system of [`Builder`](super::Builder) or of a scene with `[nonsmooth]`, ready to be integrated.
#[derive(Clone)]
pub struct System {
    pub(super) states: Vec<StateInfo>,
    pub(super) contacts: Vec<ContactInfo>,
    pub(super) frictions: Vec<FrictionInfo>,
    pub(super) equations: Arc<dyn Equations>,
    pub(super) breaks: Vec<f64>,
    pub(super) form: Form,
    pub(super) layout: Layout,
    pub(super) warnings: Vec<Warning>,
    /// Whether the author gave an energy and a power.
    pub(super) has_energy: bool,
    pub(super) has_power: bool,
}

impl std::fmt::Debug for System {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { states, contacts, frictions, breaks, form, .. } = self;
        let mut out = f.debug_struct("System");
        out.field("states", states).field("contacts", contacts).field("frictions", frictions);
        out.field("breaks", breaks).field("form", form).finish_non_exhaustive()
    }
}

/// Which stretch between breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Leg(pub(super) usize);

/// Buffers of a [`System`].
#[derive(Debug, Clone)]
pub struct Scratch {
    pub(super) gaps: Vec<f64>,
    pub(super) limits: Vec<f64>,
    pub(super) velocities: Vec<f64>,
    /// Values of terms.
    pub(super) contacts: Vec<f64>,
    pub(super) frictions: Vec<f64>,
    pub(super) ws: Vec<f64>,
    /// A state and its rate beside the path.
    pub(super) beside: [Vec<f64>; 2],
    pub(super) gap_rates: Vec<f64>,
    /// Looks for faults at every evaluation and keeps the first.
    pub(super) is_watching: bool,
    pub(super) fault: Option<Fault>,
}

impl System {
    pub(super) fn lay_out(&mut self) {
        let mut layout = Layout::new();
        for state in &self.states {
            let (name, scale) = (state.name.clone(), state.scale);
            layout = if state.is_velocity { layout.with_v(name, scale) } else { layout.with_q(name, scale) };
        }
        for contact in &self.contacts {
            layout = layout.with_z(format!("proxy of {}", contact.name), contact.scale);
        }
        for friction in &self.frictions {
            for _ in 0..friction.size {
                // without a limit to go by, as the law of the same equation has it
                layout = layout.with_z(format!("proxy of {}", friction.name), friction.scale.unwrap_or(1e-6));
            }
        }
        for name in self.term_names() {
            layout = layout.with_w(format!("energy lost in {name}"), 1.0);
        }
        for friction in &self.frictions {
            for _ in 0..friction.size {
                layout = layout.with_w(format!("way of {}", friction.name), 1.0);
            }
        }
        self.layout = layout.with_w("work from outside", 1.0);
    }

    /// The states, in the order of the state vector.
    pub fn states(&self) -> &[StateInfo] {
        &self.states
    }

    /// The contact terms.
    pub fn contacts(&self) -> &[ContactInfo] {
        &self.contacts
    }

    /// The friction terms.
    pub fn frictions(&self) -> &[FrictionInfo] {
        &self.frictions
    }

    /// What is allowed but rarely meant.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Times that no step crosses, s, rising.
    pub fn breaks(&self) -> &[f64] {
        &self.breaks
    }

    /// Whether an energy of the states was given, so that the ledger can be closed.
    pub fn has_energy(&self) -> bool {
        self.has_energy
    }

    /// Names of contact terms, then of friction terms.
    pub fn term_names(&self) -> impl Iterator<Item = &str> {
        let contacts = self.contacts.iter().map(|c| c.name.as_str());
        contacts.chain(self.frictions.iter().map(|f| f.name.as_str()))
    }

    /// The state vector at the start: all proxies at rest, nothing dissipated.
    pub fn start(&self) -> bristle_ode::State<f64, Leg> {
        let mut x = vec![0.0; self.layout.len()];
        x.iter_mut().zip(&self.states).for_each(|(x, state)| *x = state.start);
        let leg = self.breaks.iter().take_while(|t| **t <= 0.0).count();
        bristle_ode::State::new(0.0, x, Leg(leg))
    }

    /// The same system with other terms, for comparison.
    pub(crate) fn with_form(&self, form: Form) -> Self {
        Self { form, ..self.clone() }
    }

    /// The last time at which formulas of this leg are evaluated, where a step ends at its break.
    #[inline]
    pub(super) fn inside(&self, t: f64, leg: Leg) -> f64 {
        match self.breaks.get(leg.0) {
            Some(end) if t >= *end => end.next_down(),
            _ => t,
        }
    }

    /// First component of the proxies of contacts, of frictions, of the losses and of the ways.
    #[inline]
    pub(super) fn offsets(&self) -> [usize; 4] {
        let contacts = self.states.len();
        let frictions = contacts + self.contacts.len();
        let losses = frictions + self.components();
        [contacts, frictions, losses, losses + self.contacts.len() + self.frictions.len()]
    }

    /// Components of all friction terms.
    #[inline]
    fn components(&self) -> usize {
        self.frictions.last().map_or(0, |f| f.first + f.size)
    }

    /// Gaps and values of contact terms, limits, velocities and values of friction terms. With `dx` also the rates of
    /// proxies and accounts.
    #[inline]
    pub(super) fn terms(&self, t: f64, x: &[f64], mut dx: Option<&mut [f64]>, s: &mut Scratch) {
        let [first_e, first_a, first_w, first_way] = self.offsets();
        let states = &x[..first_e];
        if self.form != Form::Proxy {
            self.gap_rates(t, states, s);
        }
        self.equations.gaps(&States { t, x: states }, &mut s.ws, &mut s.gaps);
        for (i, contact) in self.contacts.iter().enumerate() {
            let push = match self.form {
                Form::Proxy => contact.dio.push(s.gaps[i], x[first_e + i]),
                _ => super::form::penalty(&contact.dio, s.gaps[i], s.gap_rates[i]),
            };
            s.contacts[i] = push.force;
            if let Some(dx) = dx.as_deref_mut() {
                dx[first_e + i] = push.rate;
                dx[first_w + i] = push.lost;
            }
        }
        let loads = Loads { t, x: states, contacts: &s.contacts };
        self.equations.slides(&loads, &mut s.ws, &mut s.limits, &mut s.velocities);
        if let Some(dx) = dx.as_deref_mut() {
            dx[first_way..][..s.velocities.len()].copy_from_slice(&s.velocities);
        }
        let first_w = first_w + self.contacts.len();
        for (j, friction) in self.frictions.iter().enumerate() {
            let at = friction.first..friction.first + friction.size;
            // a limit below zero has no meaning: the step fails, and the fault says why
            let limit = if s.limits[j] >= 0.0 { s.limits[j] } else { f64::NAN };
            let a = &x[first_a..][at.clone()];
            macro_rules! pull {
                ($n:literal) => {{
                    let (mut theta, mut proxy) = ([0.0; $n], [0.0; $n]);
                    theta.copy_from_slice(&s.velocities[at.clone()]);
                    proxy.copy_from_slice(a);
                    let (force, rate, lost) = self.form.pull(j, &friction.sgn, limit, theta, proxy);
                    s.frictions[at.clone()].copy_from_slice(&force);
                    if let Some(dx) = dx.as_deref_mut() {
                        dx[first_a..][at].copy_from_slice(&rate);
                        dx[first_w + j] = lost;
                    }
                }};
            }
            if friction.size == 1 { pull!(1) } else { pull!(2) }
        }
    }

    /// Energy of the states, J, at the point where the terms and rates were just evaluated.
    pub(super) fn energy_of_states(&self, t: f64, x: &[f64], s: &mut Scratch) -> Option<f64> {
        self.equations.energy(&States { t, x: &x[..self.states.len()] }, &mut s.ws)
    }
}

impl Steppable<f64> for System {
    type Mode = Leg;
    type Scratch = Scratch;

    fn layout<'a>(&'a self, _mode: &'a Leg) -> &'a Layout {
        &self.layout
    }

    fn scratch(&self) -> Scratch {
        let (contacts, frictions, states) = (self.contacts.len(), self.frictions.len(), self.states.len());
        let components = self.components();
        Scratch {
            gaps: vec![0.0; contacts],
            limits: vec![0.0; frictions],
            velocities: vec![0.0; components],
            contacts: vec![0.0; contacts],
            frictions: vec![0.0; components],
            ws: self.equations.scratch(),
            beside: [vec![0.0; states], vec![0.0; states]],
            gap_rates: vec![0.0; contacts],
            is_watching: false,
            fault: None,
        }
    }

    fn derivative(&self, t: f64, x: &[f64], leg: &Leg, dx: &mut [f64], s: &mut Scratch) {
        let t = self.inside(t, *leg);
        self.terms(t, x, Some(dx), s);
        let n = self.states.len();
        let at = At { t, x: &x[..n], contacts: &s.contacts, frictions: &s.frictions };
        self.equations.rates(&at, &mut s.ws, &mut dx[..n]);
        if let Some(power) = dx.last_mut() {
            *power = if self.has_power { self.equations.power(&at, &mut s.ws) } else { 0.0 };
        }
        if s.is_watching && s.fault.is_none() {
            s.fault = self.look(t, dx, s);
        }
    }

    fn event_count(&self, _leg: &Leg) -> usize {
        // the other forms have no kinks of that kind, or too many to follow
        if self.form == Form::Proxy { self.contacts.len() + self.frictions.len() } else { 0 }
    }

    fn events(&self, t: f64, x: &[f64], leg: &Leg, g: &mut [f64], s: &mut Scratch) {
        let t = self.inside(t, *leg);
        self.terms(t, x, None, s);
        let [first_e, first_a, ..] = self.offsets();
        for (i, contact) in self.contacts.iter().enumerate() {
            g[i] = contact.dio.reach(s.gaps[i], x[first_e + i]);
        }
        for (j, friction) in self.frictions.iter().enumerate() {
            let k = friction.first;
            let (theta, a) = (&s.velocities[k..], &x[first_a + k..]);
            g[self.contacts.len() + j] = if friction.size == 1 {
                friction.sgn.excess(s.limits[j], [theta[0]], [a[0]])
            } else {
                friction.sgn.excess(s.limits[j], [theta[0], theta[1]], [a[0], a[1]])
            };
        }
    }

    fn commit(&self, state: &mut bristle_ode::State<f64, Leg>, fired: &[Fired], _s: &mut Scratch) -> Change {
        if self.breaks.get(state.mode.0).is_some_and(|end| state.t >= *end) {
            state.mode.0 += 1;
            return Change::Jumped;
        }
        // the equations go on without a jump, but what a method remembers of the other side of a kink misleads it
        if fired.is_empty() { Change::Smooth } else { Change::Jumped }
    }
}
