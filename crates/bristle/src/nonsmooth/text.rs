//! Systems of a scene: all formulas of `[nonsmooth]` in one program.
//!
//! The program has five parts, run one after the other: gaps, limits and velocities, rates, power, energy. A part that a
//! later formula shares with an earlier one is computed once.

use super::at::{At, Loads, States};
use super::equations::{Equations, What};
use super::error::Fault;
use super::scope::{Level, Scope};
use crate::expr::{Graph, Program, Ref, Registers};
use crate::scene::{Formula, NonsmoothSpec, SceneError};
use std::collections::BTreeSet;

/// Equations as a program on registers: time, states, contact terms, components of friction terms, then the rest.
pub(super) struct Text {
    program: Program,
    /// Where the parts of the program end.
    ends: [usize; 5],
    /// Registers of the values.
    gaps: Vec<usize>,
    limits: Vec<usize>,
    velocities: Vec<usize>,
    rates: Vec<usize>,
    power: Option<usize>,
    energy: Option<usize>,
    states: usize,
    /// By the numbers that the graph knows them by.
    formulas: Vec<Formula>,
    /// Formula of every limit.
    limit_formulas: Vec<usize>,
}

/// What a system of a scene was compiled to.
pub(super) struct Compiled {
    pub(super) text: Text,
    /// Place of each state of the specification in the state vector: positions first, then velocities.
    pub(super) order: Vec<usize>,
    pub(super) is_velocity: Vec<bool>,
    /// Names that some formula uses.
    pub(super) used: BTreeSet<String>,
}

/// Reads all formulas of a system; all that is wrong with them is said at once.
pub(super) fn compile(
    spec: &NonsmoothSpec,
    parameters: &[(String, f64)],
) -> Result<Compiled, Vec<SceneError>> {
    let is_velocity = velocities(spec);
    let order = order(&is_velocity);
    let mut graph = Graph::default();
    let mut scope = Scope::new(spec);
    scope.declare(parameters, &order, &mut graph);
    let mut stages = Vec::new();
    let gaps: Vec<Ref> =
        spec.contacts.iter().map(|c| scope.formula(&c.gap, Level::States, "a gap", &mut graph)).collect();
    stages.push(graph.len());
    let (mut limits, mut velocities, mut limit_formulas) = (Vec::new(), Vec::new(), Vec::new());
    for friction in &spec.frictions {
        limit_formulas.push(scope.formulas.len());
        limits.push(scope.formula(&friction.limit, Level::Contacts, "the limit of friction", &mut graph));
        for velocity in &friction.velocity {
            let subject = "the velocity of friction";
            velocities.push(scope.formula(velocity, Level::Contacts, subject, &mut graph));
        }
    }
    stages.push(graph.len());
    let mut rates = vec![None; spec.states.len()];
    for (state, at) in spec.states.iter().zip(&order) {
        rates[*at] = Some(scope.formula(&state.rate, Level::All, "a rate", &mut graph));
    }
    let rates: Vec<Ref> = rates.into_iter().flatten().collect();
    stages.push(graph.len());
    let power = spec.power.as_ref().map(|f| scope.formula(f, Level::All, "the power", &mut graph));
    stages.push(graph.len());
    let energy = spec.energy.as_ref().map(|f| scope.formula(f, Level::States, "the energy", &mut graph));
    stages.push(graph.len());
    if !scope.errors.is_empty() {
        return Err(scope.errors);
    }
    let all: Vec<Ref> = [&gaps, &limits, &velocities, &rates]
        .into_iter()
        .flatten()
        .copied()
        .chain(power)
        .chain(energy)
        .collect();
    let (program, registers, ends) = Program::compile(&graph, &all, &stages);
    let of = |values: &[Ref], registers: &Registers| values.iter().map(|v| registers.of(*v)).collect();
    let mut parts = [0; 5];
    parts.copy_from_slice(&ends);
    let text = Text {
        ends: parts,
        gaps: of(&gaps, &registers),
        limits: of(&limits, &registers),
        velocities: of(&velocities, &registers),
        rates: of(&rates, &registers),
        power: power.map(|v| registers.of(v)),
        energy: energy.map(|v| registers.of(v)),
        states: spec.states.len(),
        formulas: scope.formulas,
        limit_formulas,
        program,
    };
    Ok(Compiled { text, order, is_velocity, used: scope.used })
}

/// States that are, as they stand, the rate of another.
fn velocities(spec: &NonsmoothSpec) -> Vec<bool> {
    let is_rate = |name: &str| spec.states.iter().any(|s| s.rate.text.trim() == name && s.name != name);
    spec.states.iter().map(|state| is_rate(&state.name)).collect()
}

/// Place of every state: others first, then velocities.
fn order(is_velocity: &[bool]) -> Vec<usize> {
    let others = is_velocity.iter().filter(|v| !**v).count();
    let mut next = [0, others];
    let place = |is_velocity: &bool| {
        let at = &mut next[usize::from(*is_velocity)];
        *at += 1;
        *at - 1
    };
    is_velocity.iter().map(place).collect()
}

impl Text {
    fn part(&self, part: usize, ws: &mut [f64]) {
        let start = if part == 0 { 0 } else { self.ends[part - 1] };
        self.program.run(start..self.ends[part], ws);
    }
}

#[inline]
fn gather(registers: &[usize], ws: &[f64], values: &mut [f64]) {
    for (value, register) in values.iter_mut().zip(registers) {
        *value = ws[*register];
    }
}

impl Equations for Text {
    fn scratch(&self) -> Vec<f64> {
        self.program.registers()
    }

    fn gaps(&self, at: &States<'_>, ws: &mut [f64], gaps: &mut [f64]) {
        ws[0] = at.t;
        ws[1..][..self.states].copy_from_slice(at.x);
        self.part(0, ws);
        gather(&self.gaps, ws, gaps);
    }

    fn slides(&self, at: &Loads<'_>, ws: &mut [f64], limits: &mut [f64], velocities: &mut [f64]) {
        ws[1 + self.states..][..at.contacts.len()].copy_from_slice(at.contacts);
        self.part(1, ws);
        gather(&self.limits, ws, limits);
        gather(&self.velocities, ws, velocities);
    }

    fn rates(&self, at: &At<'_>, ws: &mut [f64], dx: &mut [f64]) {
        ws[1 + self.states + at.contacts.len()..][..at.frictions.len()].copy_from_slice(at.frictions);
        // and the power, which follows
        self.program.run(self.ends[1]..self.ends[3], ws);
        gather(&self.rates, ws, dx);
    }

    fn power(&self, _at: &At<'_>, ws: &mut [f64]) -> f64 {
        self.power.map_or(0.0, |register| ws[register])
    }

    fn energy(&self, _at: &States<'_>, ws: &mut [f64]) -> Option<f64> {
        let register = self.energy?;
        self.part(4, ws);
        Some(ws[register])
    }

    fn blame(&self, what: What, time: f64, ws: &[f64]) -> Option<Fault> {
        let register = match what {
            What::Gap(i) => self.gaps[i],
            What::Limit(j) => self.limits[j],
            What::Velocity(k) => self.velocities[k],
            What::Rate(i) => self.rates[i],
            What::Power => self.power?,
            What::Energy => self.energy?,
        };
        let value = ws[register];
        let (formula, at, message) = match what {
            What::Limit(j) if value.is_finite() => {
                (self.limit_formulas[j], 0, format!("the limit is {value}, and must not be negative,"))
            }
            _ => {
                let blame = self.program.blame(ws, register)?;
                (blame.from.formula as usize, blame.from.at as usize, blame.message)
            }
        };
        let formula = self.formulas.get(formula)?;
        Some(Fault::Formula {
            place: formula.place.part(&formula.text, at),
            text: formula.text.clone(),
            message,
            time,
        })
    }
}
