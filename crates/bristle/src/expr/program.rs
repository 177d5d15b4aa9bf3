//! Formulas as one list of instructions on registers, evaluated in one loop.
//!
//! Registers: the inputs, the constants, then one per operation. Instructions are in the order in which their formulas
//! were added, so that a part of the list (a [`Program::run`] over a range) brings the values of the formulas added in
//! that time. What only one alternative of an `if` needs is skipped while the other holds.

use super::function::Code;
use super::graph::{Graph, Node, Origin, Ref};
use std::collections::BTreeMap;
use std::ops::Range;

/// An operation, or a jump over the next `to` instructions while its condition is (not) zero.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Instruction {
    step: Step,
    args: [u32; 3],
    to: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Apply(Code),
    SkipIfZero,
    SkipIfNot,
}

/// Compiled formulas.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Program {
    instructions: Vec<Instruction>,
    origins: Vec<Origin>,
    inputs: usize,
    constants: Vec<f64>,
    registers: usize,
}

/// Why a value is not a finite number: what was written where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blame {
    pub(crate) from: Origin,
    pub(crate) message: String,
}

/// Where a value of the graph is in the program.
pub(crate) struct Registers(Vec<u32>);

impl Registers {
    /// The register of a value that was asked for.
    pub(crate) fn of(&self, value: Ref) -> usize {
        self.0[value.0 as usize] as usize
    }
}

/// A value that no register holds.
const NOWHERE: u32 = u32::MAX;

impl Program {
    /// Compiles what `wanted` needs. `stages` are lengths of the graph at which parts end; their ends in the list of
    /// instructions are the third answer.
    pub(crate) fn compile(graph: &Graph, wanted: &[Ref], stages: &[usize]) -> (Self, Registers, Vec<usize>) {
        let mut nodes = graph.nodes.clone();
        let mut uses = vec![0_u32; nodes.len()];
        wanted.iter().for_each(|value| uses[value.0 as usize] += 2); // asked for: never merged into another
        for i in (0..nodes.len()).rev() {
            if uses[i] > 0
                && let Node::Op { code, args, .. } = nodes[i]
            {
                args[..code.arity()].iter().for_each(|arg| uses[arg.0 as usize] += 1);
            }
        }
        for i in 0..nodes.len() {
            if uses[i] > 0 {
                merge_product(&mut nodes, &mut uses, i);
            }
        }
        let mut places = vec![NOWHERE; nodes.len()];
        let mut constants = Vec::new();
        let inputs = graph.inputs();
        for (place, (node, uses)) in places.iter_mut().zip(nodes.iter().zip(&uses)) {
            match node {
                Node::Input(k) => *place = *k,
                Node::Number(x) if *uses > 0 => {
                    *place = (inputs + constants.len()) as u32;
                    constants.push(*x);
                }
                _ => {}
            }
        }
        let mut writer = Writer {
            guards: guards(&nodes, &uses, wanted),
            nodes: &nodes,
            places,
            next: (inputs + constants.len()) as u32,
            instructions: Vec::new(),
            origins: Vec::new(),
        };
        let always = std::mem::take(&mut writer.guards.members[0]);
        let (mut ends, mut from) = (Vec::new(), 0);
        for stage in stages {
            let to = always.partition_point(|i| i < stage);
            writer.write(&always[from..to]);
            ends.push(writer.instructions.len());
            from = to;
        }
        writer.write(&always[from..]);
        let Writer { instructions, origins, places, next, .. } = writer;
        let program = Self { instructions, origins, inputs, constants, registers: next as usize };
        (program, Registers(places), ends)
    }

    /// Registers with the constants in place.
    pub(crate) fn registers(&self) -> Vec<f64> {
        let mut registers = vec![0.0; self.len()];
        self.prepare(&mut registers);
        registers
    }

    /// How many registers there are.
    pub(crate) fn len(&self) -> usize {
        self.registers
    }

    /// Puts the constants in place.
    pub(crate) fn prepare(&self, registers: &mut [f64]) {
        registers[self.inputs..][..self.constants.len()].copy_from_slice(&self.constants);
    }

    /// How many instructions there are.
    pub(crate) fn count(&self) -> usize {
        self.instructions.len()
    }

    /// Evaluates a range of instructions.
    #[inline]
    pub(crate) fn run(&self, range: Range<usize>, registers: &mut [f64]) {
        let mut rest = self.instructions[range].iter();
        while let Some(instruction) = rest.next() {
            let [a, b, c] = instruction.args.map(|arg| registers[arg as usize]);
            let skips = match instruction.step {
                Step::Apply(code) => {
                    registers[instruction.to as usize] = code.apply(a, b, c);
                    false
                }
                Step::SkipIfZero => a == 0.0,
                Step::SkipIfNot => a != 0.0,
            };
            if skips {
                rest.nth(instruction.to as usize - 1);
            }
        }
    }

    /// Where a value that is not finite comes from; `None` if an input is not.
    pub(crate) fn blame(&self, registers: &[f64], register: usize) -> Option<Blame> {
        let mut at = register as u32;
        loop {
            let writes = |i: &Instruction| matches!(i.step, Step::Apply(_)) && i.to == at;
            let index = self.instructions.iter().position(writes)?;
            let Instruction { step: Step::Apply(code), args, .. } = self.instructions[index] else {
                return None;
            };
            let values = args.map(|arg| registers[arg as usize]);
            // of two alternatives only the chosen one counts
            let looked_at = match code {
                Code::If => [args[0], if values[0] != 0.0 { args[1] } else { args[2] }, args[0]],
                _ => args,
            };
            match looked_at.iter().find(|arg| !registers[**arg as usize].is_finite()) {
                Some(arg) => at = *arg,
                None => {
                    let from = self.origins[index];
                    return Some(Blame { from, message: code.complaint(values[0], values[1]) });
                }
            }
        }
    }
}

/// A set of values that only one alternative of an `if` needs, and the set around it. Set 0 is needed always.
#[derive(Debug, Clone, Copy)]
struct Guard {
    outer: usize,
    depth: usize,
}

/// The values of every guard, rising, and the guards of every `if`.
struct Guards {
    members: Vec<Vec<usize>>,
    of_choice: BTreeMap<usize, [usize; 2]>,
}

fn guards(nodes: &[Node], uses: &[u32], wanted: &[Ref]) -> Guards {
    let mut all = vec![Guard { outer: 0, depth: 0 }];
    let mut of_choice = BTreeMap::new();
    // what every user of a value has in common; users come after what they use
    let mut of: Vec<Option<usize>> = vec![None; nodes.len()];
    wanted.iter().for_each(|value| of[value.0 as usize] = Some(0));
    for i in (0..nodes.len()).rev() {
        let Node::Op { code, args, .. } = nodes[i] else { continue };
        if uses[i] == 0 {
            continue;
        }
        let own = of[i].unwrap_or(0);
        let mut inner = [own; 3];
        if code == Code::If {
            let guard = Guard { outer: own, depth: all[own].depth + 1 };
            inner = [own, all.len(), all.len() + 1];
            all.extend([guard, guard]);
            of_choice.insert(i, [inner[1], inner[2]]);
        }
        for (arg, guard) in args[..code.arity()].iter().zip(inner) {
            let known = &mut of[arg.0 as usize];
            *known = Some(known.map_or(guard, |other| common(&all, other, guard)));
        }
    }
    let mut members = vec![Vec::new(); all.len()];
    for (i, node) in nodes.iter().enumerate() {
        if uses[i] > 0 && matches!(node, Node::Op { .. }) {
            members[of[i].unwrap_or(0)].push(i);
        }
    }
    Guards { members, of_choice }
}

/// The innermost set that holds two others.
fn common(all: &[Guard], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if all[a].depth >= all[b].depth {
            a = all[a].outer;
        } else {
            b = all[b].outer;
        }
    }
    a
}

/// Writes instructions, alternatives just before their `if`.
struct Writer<'a> {
    nodes: &'a [Node],
    guards: Guards,
    places: Vec<u32>,
    /// The next register.
    next: u32,
    instructions: Vec<Instruction>,
    origins: Vec<Origin>,
}

impl Writer<'_> {
    /// Operations of one set.
    fn write(&mut self, members: &[usize]) {
        for i in members.iter().copied() {
            let Node::Op { code, args, from } = self.nodes[i] else { continue };
            if let Some(guards) = self.guards.of_choice.get(&i).copied() {
                let condition = self.places[args[0].0 as usize];
                self.alternative(Step::SkipIfZero, condition, guards[0]);
                self.alternative(Step::SkipIfNot, condition, guards[1]);
            }
            let mut args = args.map(|arg| self.places[arg.0 as usize]);
            // what is not looked at is read all the same
            (code.arity()..3).for_each(|k| args[k] = args[0]);
            self.places[i] = self.next;
            self.push(Step::Apply(code), args, self.next, from);
            self.next += 1;
        }
    }

    fn alternative(&mut self, step: Step, condition: u32, guard: usize) {
        let members = std::mem::take(&mut self.guards.members[guard]);
        if members.is_empty() {
            return;
        }
        // a jump costs as much as a few sums and products
        let is_cheap = |i: &usize| matches!(self.nodes[*i], Node::Op { code, .. } if code.is_cheap());
        if members.len() <= 3 && members.iter().all(is_cheap) {
            return self.write(&members);
        }
        let jump = self.instructions.len();
        self.push(step, [condition; 3], 0, Origin::default());
        self.write(&members);
        self.instructions[jump].to = (self.instructions.len() - jump - 1) as u32;
    }

    fn push(&mut self, step: Step, args: [u32; 3], to: u32, from: Origin) {
        self.instructions.push(Instruction { step, args, to });
        self.origins.push(from);
    }
}

/// Makes one instruction of a sum or difference and a product that nothing else uses.
fn merge_product(nodes: &mut [Node], uses: &mut [u32], i: usize) {
    let Node::Op { code, args: [a, b, _], from } = nodes[i] else { return };
    let product = |value: Ref, other: Ref, uses: &[u32]| match nodes[value.0 as usize] {
        Node::Op { code: Code::Multiply, args: [x, y, _], .. }
            if uses[value.0 as usize] == 1 && value != other =>
        {
            Some((value, [x, y, other]))
        }
        _ => None,
    };
    let merged = match code {
        Code::Add => product(a, b, uses).or_else(|| product(b, a, uses)).map(|m| (Code::MultiplyAdd, m)),
        Code::Subtract => product(b, a, uses)
            .map(|m| (Code::SubtractProduct, m))
            .or_else(|| product(a, b, uses).map(|m| (Code::ProductSubtract, m))),
        _ => None,
    };
    if let Some((code, (value, args))) = merged {
        uses[value.0 as usize] = 0;
        nodes[i] = Node::Op { code, args, from };
    }
}
