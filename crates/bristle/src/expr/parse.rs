//! Formulas by recursive descent, into postfix programs.

use super::{Binary, ExprError, FUNCTIONS, Op, PAIRS};
use crate::nearest::hint;

/// Parentheses, signs, powers and calls inside each other; more is refused.
const MAX_NESTING: usize = 64;

/// sum = product { (+|-) product };  product = signed { (*|/) signed };  signed = [-|+] signed | power;
/// power = atom [^ signed];  atom = number | name | name ( sum, … ) | ( sum )
pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: &'a [&'a str],
    depth: usize,
    program: Vec<Op>,
}

impl<'a> Parser<'a> {
    /// The program of a whole formula.
    pub(super) fn read(text: &'a str, names: &'a [&'a str]) -> Result<Vec<Op>, ExprError> {
        let mut parser = Self { text, at: 0, names, depth: 0, program: Vec::new() };
        parser.sum()?;
        parser.skip_space();
        match parser.rest().chars().next() {
            None => Ok(parser.program),
            Some(c) => Err(parser.fault(format!("{} does not belong there", shown(c)))),
        }
    }

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

    fn sum(&mut self) -> Result<(), ExprError> {
        self.product()?;
        loop {
            let operation = if self.take('+') {
                Binary::Add
            } else if self.take('-') {
                Binary::Subtract
            } else {
                return Ok(());
            };
            self.product()?;
            self.program.push(Op::Two(operation));
        }
    }

    fn product(&mut self) -> Result<(), ExprError> {
        self.signed()?;
        loop {
            let operation = if self.take('*') {
                Binary::Multiply
            } else if self.take('/') {
                Binary::Divide
            } else {
                return Ok(());
            };
            self.signed()?;
            self.program.push(Op::Two(operation));
        }
    }

    fn signed(&mut self) -> Result<(), ExprError> {
        if self.depth >= MAX_NESTING {
            return Err(self.fault(format!("nested deeper than {MAX_NESTING}")));
        }
        self.depth += 1;
        if self.take('-') {
            self.signed()?;
            self.program.push(Op::Negate);
        } else if self.take('+') {
            self.signed()?;
        } else {
            self.atom()?;
            if self.take('^') {
                self.signed()?;
                self.program.push(Op::Two(Binary::Power));
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn atom(&mut self) -> Result<(), ExprError> {
        if self.take('(') {
            self.sum()?;
            return self.expect(')');
        }
        match self.rest().chars().next() {
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(self.fault(format!("{} does not belong there", shown(c)))),
            None => Err(self.fault("a number, a name or ( is missing at the end".to_string())),
        }
    }

    fn number(&mut self) -> Result<(), ExprError> {
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
        self.program.push(Op::Number(number));
        self.at += end;
        Ok(())
    }

    fn name(&mut self) -> Result<(), ExprError> {
        let start = self.at;
        let end = self.rest().find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest().len());
        let name = &self.rest()[..end];
        self.at += end;
        if self.take('(') {
            return self.call(name, start);
        }
        // a parameter called pi counts before the constant
        let op = match self.names.iter().position(|n| *n == name) {
            Some(i) => Op::Name(i),
            None if name == "pi" => Op::Number(std::f64::consts::PI),
            None => {
                let hint = hint(name, self.names.iter().copied());
                return Err(ExprError { at: start, message: format!("{name} is unknown; {hint}") });
            }
        };
        self.program.push(op);
        Ok(())
    }

    fn call(&mut self, name: &str, start: usize) -> Result<(), ExprError> {
        let wrong = |message: String| Err(ExprError { at: start, message });
        let mut count = 0;
        let pair = PAIRS.iter().find(|(n, _)| *n == name).map(|(_, op)| *op);
        let single = FUNCTIONS.iter().position(|(n, _)| *n == name);
        if pair.is_none() && single.is_none() {
            let known = FUNCTIONS.iter().map(|(n, _)| *n).chain(PAIRS.iter().map(|(n, _)| *n));
            return wrong(format!("{name}() is unknown; {}", hint(name, known)));
        }
        loop {
            self.sum()?;
            count += 1;
            if let Some(op) = pair.filter(|_| count > 1) {
                self.program.push(Op::Two(op));
            }
            if !self.take(',') {
                break;
            }
        }
        self.expect(')')?;
        match (single, pair) {
            (Some(f), _) if count == 1 => self.program.push(Op::Call(f)),
            (_, Some(Binary::Atan2)) if count == 2 => {}
            (_, Some(Binary::Min | Binary::Max)) if count >= 2 => {}
            (Some(_), _) => return wrong(format!("{name}() takes one number, not {count}")),
            (_, Some(Binary::Atan2)) => return wrong(format!("{name}() takes two numbers, not {count}")),
            _ => return wrong(format!("{name}() takes two numbers or more, not {count}")),
        }
        Ok(())
    }
}

fn shown(c: char) -> String {
    c.escape_debug().to_string()
}
