//! Formulas as one list of instructions on registers, evaluated in one loop.
//!
//! Registers: the inputs, the constants, then one per instruction, which writes to its own. Instructions are in the
//! order in which their formulas were added, so that a part of the list (a [`Program::run`] over a range) brings the
//! values of the formulas added in that time.

use super::function::Code;
use super::graph::{Graph, Node, Origin, Ref};
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Instruction {
    code: Code,
    args: [u32; 3],
}

/// Compiled formulas.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Program {
    instructions: Vec<Instruction>,
    origins: Vec<Origin>,
    inputs: usize,
    constants: Vec<f64>,
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
        let first = inputs + constants.len();
        let (mut instructions, mut origins, mut ends) = (Vec::new(), Vec::new(), vec![0; stages.len()]);
        for (i, node) in nodes.iter().enumerate() {
            let Node::Op { code, args, from } = node else { continue };
            if uses[i] > 0 {
                places[i] = (first + instructions.len()) as u32;
                let mut args = args.map(|arg| places[arg.0 as usize]);
                // what is not looked at is read all the same
                (code.arity()..3).for_each(|k| args[k] = args[0]);
                instructions.push(Instruction { code: *code, args });
                origins.push(*from);
                for (end, stage) in ends.iter_mut().zip(stages) {
                    if i < *stage {
                        *end = instructions.len();
                    }
                }
            }
        }
        (Self { instructions, origins, inputs, constants }, Registers(places), ends)
    }

    /// Registers with the constants in place.
    pub(crate) fn registers(&self) -> Vec<f64> {
        let mut registers = vec![0.0; self.len()];
        self.prepare(&mut registers);
        registers
    }

    /// How many registers there are.
    pub(crate) fn len(&self) -> usize {
        self.inputs + self.constants.len() + self.instructions.len()
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
        let first = self.inputs + self.constants.len() + range.start;
        for (i, instruction) in self.instructions[range].iter().enumerate() {
            let [a, b, c] = instruction.args.map(|arg| registers[arg as usize]);
            registers[first + i] = instruction.code.apply(a, b, c);
        }
    }

    /// Where a value that is not finite comes from; `None` if an input is not.
    pub(crate) fn blame(&self, registers: &[f64], register: usize) -> Option<Blame> {
        let first = self.inputs + self.constants.len();
        let mut at = register;
        loop {
            let index = at.checked_sub(first)?;
            let Instruction { code, args } = *self.instructions.get(index)?;
            let values = args.map(|arg| registers[arg as usize]);
            // of two alternatives only the chosen one counts
            let looked_at = match code {
                Code::If => [args[0], if values[0] != 0.0 { args[1] } else { args[2] }, args[0]],
                _ => args,
            };
            match looked_at.iter().find(|arg| !registers[**arg as usize].is_finite()) {
                Some(arg) => at = *arg as usize,
                None => {
                    let from = self.origins[index];
                    return Some(Blame { from, message: code.complaint(values[0], values[1]) });
                }
            }
        }
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
