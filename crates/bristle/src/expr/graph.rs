//! Formulas in the making: one graph, in which equal parts are one part and constants are numbers.

use super::function::Code;
use std::collections::BTreeMap;

/// A value of a [`Graph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ref(pub(super) u32);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Node {
    Number(f64),
    Input(u32),
    Op { code: Code, args: [Ref; 3], from: Origin },
}

/// Where an operation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Origin {
    /// Which formula, as numbered by [`Graph::begin`].
    pub formula: u32,
    /// Byte of that formula.
    pub at: u32,
}

/// Values that follow from inputs. Nothing is computed twice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(super) nodes: Vec<Node>,
    numbers: BTreeMap<u64, Ref>,
    ops: BTreeMap<(Code, [Ref; 3]), Ref>,
    inputs: Vec<Ref>,
    formula: u32,
}

impl Graph {
    /// What is added next belongs to this formula.
    pub(crate) fn begin(&mut self, formula: u32) {
        self.formula = formula;
    }

    /// The formula that is being added.
    pub(crate) fn formula(&self) -> u32 {
        self.formula
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn number(&mut self, x: f64) -> Ref {
        match self.numbers.get(&x.to_bits()) {
            Some(known) => *known,
            None => {
                let new = self.push(Node::Number(x));
                self.numbers.insert(x.to_bits(), new);
                new
            }
        }
    }

    /// The next input.
    pub(crate) fn input(&mut self) -> Ref {
        let new = self.push(Node::Input(self.inputs.len() as u32));
        self.inputs.push(new);
        new
    }

    pub(super) fn inputs(&self) -> usize {
        self.inputs.len()
    }

    fn push(&mut self, node: Node) -> Ref {
        self.nodes.push(node);
        Ref(self.nodes.len() as u32 - 1)
    }

    fn constant(&self, x: Ref) -> Option<f64> {
        if let Node::Number(x) = self.nodes[x.0 as usize] { Some(x) } else { None }
    }

    fn negated(&self, x: Ref) -> Option<Ref> {
        match self.nodes[x.0 as usize] {
            Node::Op { code: Code::Negate, args, .. } => Some(args[0]),
            _ => None,
        }
    }

    /// A value by an operation that is written at a byte. Arguments beyond those it takes are ignored.
    pub(crate) fn op(&mut self, code: Code, args: [Ref; 3], at: usize) -> Ref {
        let [a, b, c] = args;
        let args = match code.arity() {
            1 => [a; 3],
            2 => [a, b, a],
            _ => [a, b, c],
        };
        if let [Some(x), Some(y), Some(z)] = args.map(|arg| self.constant(arg)) {
            return self.number(code.apply(x, y, z));
        }
        if let Some(same) = self.same(code, args) {
            return same;
        }
        let (code, mut args) = self.simpler(code, args);
        if matches!(code, Code::Add | Code::Multiply) && args[1] < args[0] {
            args = [args[1], args[0], args[1]];
        }
        if let Some(known) = self.ops.get(&(code, args)) {
            return *known;
        }
        let from = Origin { formula: self.formula, at: at as u32 };
        let new = self.push(Node::Op { code, args, from });
        self.ops.insert((code, args), new);
        new
    }

    /// The value that an operation leaves as it is.
    fn same(&self, code: Code, [a, b, _]: [Ref; 3]) -> Option<Ref> {
        let is_one = |x: Ref| self.constant(x) == Some(1.0);
        match code {
            Code::Multiply | Code::Divide | Code::Power if is_one(b) => Some(a),
            Code::Multiply if is_one(a) => Some(b),
            Code::Negate => self.negated(a),
            _ => None,
        }
    }

    /// The same value, to the last bit, by a cheaper operation.
    fn simpler(&mut self, code: Code, args: [Ref; 3]) -> (Code, [Ref; 3]) {
        let [a, b, _] = args;
        match code {
            Code::Power if self.constant(b) == Some(2.0) => (Code::Multiply, [a, a, a]),
            Code::Add => match (self.negated(a), self.negated(b)) {
                (_, Some(b)) => (Code::Subtract, [a, b, a]),
                (Some(a), _) => (Code::Subtract, [b, a, b]),
                _ => (code, args),
            },
            Code::Subtract => match self.negated(b) {
                Some(b) => (Code::Add, [a, b, a]),
                None => (code, args),
            },
            // 1/2ⁿ is exact
            Code::Divide => match self.constant(b) {
                Some(x) if is_power_of_two(x) => (Code::Multiply, [a, self.number(1.0 / x), a]),
                _ => (code, args),
            },
            _ => (code, args),
        }
    }
}

fn is_power_of_two(x: f64) -> bool {
    x.is_normal() && x.to_bits() << 12 == 0 && (1.0 / x).is_normal()
}
