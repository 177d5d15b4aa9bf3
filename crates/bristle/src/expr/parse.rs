//! Formulas by recursive descent, into a graph.

use super::ExprError;
use super::function::{Code, FUNCTIONS, Takes};
use super::graph::{Graph, Ref};
use crate::nearest::hint;

/// Parentheses, signs, powers and calls inside each other; more is refused.
const MAX_NESTING: usize = 64;

/// What names mean in a formula.
pub(crate) trait Names {
    /// The value of a name; `None` if it has none.
    fn find(&mut self, name: &str, graph: &mut Graph) -> Option<Ref>;
    /// What to say of a name that has no value.
    fn unknown(&self, name: &str) -> String;
}

/// Adds the value of a whole formula to a graph.
pub(crate) fn read(text: &str, names: &mut dyn Names, graph: &mut Graph) -> Result<Ref, ExprError> {
    let mut parser = Parser { text, at: 0, names, depth: 0, graph };
    let value = parser.comparison()?;
    parser.skip_space();
    match parser.rest().chars().next() {
        None => Ok(value),
        Some(c) => Err(parser.fault(format!("{} does not belong there", shown(c)))),
    }
}

/// comparison = sum [(<|<=|>|>=) sum];  sum = product { (+|-) product };  product = signed { (*|/) signed };
/// signed = [-|+] signed | power;  power = atom [^ signed];
/// atom = number | name | name ( comparison, … ) | ( comparison )
struct Parser<'a, 'n> {
    text: &'a str,
    at: usize,
    names: &'n mut dyn Names,
    depth: usize,
    graph: &'n mut Graph,
}

impl<'a> Parser<'a, '_> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn fault(&self, message: String) -> ExprError {
        ExprError { at: self.at, message }
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, symbol: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len_utf8();
        }
        found
    }

    fn expect(&mut self, symbol: char) -> Result<(), ExprError> {
        if self.take(symbol) { Ok(()) } else { Err(self.fault(format!("{symbol} is missing"))) }
    }

    /// Takes one of several symbols; where it stands, and what it means.
    fn take_one(&mut self, symbols: &[(char, Code)]) -> Option<(usize, Code)> {
        symbols.iter().find_map(|(symbol, code)| self.take(*symbol).then(|| (self.at - 1, *code)))
    }

    fn two(&mut self, (at, code): (usize, Code), a: Ref, b: Ref) -> Ref {
        self.graph.op(code, [a, b, a], at)
    }

    fn comparison(&mut self) -> Result<Ref, ExprError> {
        let a = self.sum()?;
        let Some((at, _)) = self.take_one(&[('<', Code::Less), ('>', Code::Less)]) else { return Ok(a) };
        let is_less = self.text[at..].starts_with('<');
        // no space between the two signs
        let code = if self.rest().starts_with('=') {
            self.at += 1;
            Code::LessEqual
        } else {
            Code::Less
        };
        let b = self.sum()?;
        let (a, b) = if is_less { (a, b) } else { (b, a) };
        Ok(self.two((at, code), a, b))
    }

    fn sum(&mut self) -> Result<Ref, ExprError> {
        let mut a = self.product()?;
        while let Some(operation) = self.take_one(&[('+', Code::Add), ('-', Code::Subtract)]) {
            let b = self.product()?;
            a = self.two(operation, a, b);
        }
        Ok(a)
    }

    fn product(&mut self) -> Result<Ref, ExprError> {
        let mut a = self.signed()?;
        while let Some(operation) = self.take_one(&[('*', Code::Multiply), ('/', Code::Divide)]) {
            let b = self.signed()?;
            a = self.two(operation, a, b);
        }
        Ok(a)
    }

    fn signed(&mut self) -> Result<Ref, ExprError> {
        if self.depth >= MAX_NESTING {
            return Err(self.fault(format!("nested deeper than {MAX_NESTING}")));
        }
        self.depth += 1;
        let value = if let Some((at, code)) = self.take_one(&[('-', Code::Negate)]) {
            let a = self.signed()?;
            self.graph.op(code, [a; 3], at)
        } else if self.take('+') {
            self.signed()?
        } else {
            let a = self.atom()?;
            match self.take_one(&[('^', Code::Power)]) {
                Some(operation) => {
                    let b = self.signed()?;
                    self.two(operation, a, b)
                }
                None => a,
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn atom(&mut self) -> Result<Ref, ExprError> {
        if self.take('(') {
            let value = self.comparison()?;
            self.expect(')')?;
            return Ok(value);
        }
        match self.rest().chars().next() {
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(self.fault(format!("{} does not belong there", shown(c)))),
            None => Err(self.fault("a number, a name or ( is missing at the end".to_string())),
        }
    }

    fn number(&mut self) -> Result<Ref, ExprError> {
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let after = digits(end + 1 + sign);
            if after > end + 1 + sign {
                end = after;
            }
        }
        let literal = &self.rest()[..end];
        let number = literal.parse::<f64>().map_err(|_| self.fault(format!("{literal} is no number")))?;
        self.at += end;
        Ok(self.graph.number(number))
    }

    fn name(&mut self) -> Result<Ref, ExprError> {
        let start = self.at;
        let end = self.rest().find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest().len());
        let name = &self.rest()[..end];
        self.at += end;
        if self.take('(') {
            return self.call(name, start);
        }
        // a parameter called pi counts before the constant
        match self.names.find(name, self.graph) {
            Some(value) => Ok(value),
            None if name == "pi" => Ok(self.graph.number(std::f64::consts::PI)),
            None => Err(ExprError { at: start, message: self.names.unknown(name) }),
        }
    }

    fn call(&mut self, name: &str, start: usize) -> Result<Ref, ExprError> {
        let wrong = |message: String| Err(ExprError { at: start, message });
        let Some((_, code, takes)) = FUNCTIONS.iter().find(|(n, ..)| *n == name) else {
            return wrong(format!("{name}() is unknown; {}", hint(name, FUNCTIONS.iter().map(|(n, ..)| *n))));
        };
        let mut args = Vec::new();
        loop {
            args.push(self.comparison()?);
            if !self.take(',') {
                break;
            }
        }
        self.expect(')')?;
        match (takes, args.as_slice()) {
            (Takes::One, [a]) => Ok(self.graph.op(*code, [*a; 3], start)),
            (Takes::Two, [a, b]) => Ok(self.graph.op(*code, [*a, *b, *a], start)),
            (Takes::Three, [a, b, c]) => Ok(self.graph.op(*code, [*a, *b, *c], start)),
            (Takes::TwoOrMore, [first, rest @ ..]) if !rest.is_empty() => {
                Ok(rest.iter().fold(*first, |a, b| self.graph.op(*code, [a, *b, a], start)))
            }
            (takes, args) => {
                let count = match takes {
                    Takes::One => "one number",
                    Takes::Two => "two numbers",
                    Takes::Three => "three numbers",
                    Takes::TwoOrMore => "two numbers or more",
                };
                wrong(format!("{name}() takes {count}, not {}", args.len()))
            }
        }
    }
}

fn shown(c: char) -> String {
    c.escape_debug().to_string()
}
