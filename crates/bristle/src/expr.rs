//! Arithmetic in scenes: `"${2*k + sqrt(m)}"`.
//!
//! A formula is read once by recursive descent (with a bound on its nesting) into a postfix program, which is then
//! evaluated without recursion. Names are resolved when it is read.
//!
//! ```
//! use bristle::expr::Expr;
//! let area = Expr::parse("pi*(r + 0.5)^2", &["r"])?;
//! assert!((area.eval(&[1.5]) - 4.0 * std::f64::consts::PI).abs() < 1e-15);
//! let error = Expr::parse("2*radus", &["radius"]).unwrap_err();
//! assert_eq!((error.at, error.to_string()), (2, "radus is unknown; did you mean radius?".to_string()));
//! # Ok::<(), bristle::expr::ExprError>(())
//! ```

use crate::nearest::hint;

/// Parentheses, signs, powers and calls inside each other; more is refused.
const MAX_NESTING: usize = 64;

/// Why a formula could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExprError {
    /// Byte of the formula at which the fault lies.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

/// A formula that has been read.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    program: Vec<Op>,
    names: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Op {
    Number(f64),
    Name(usize),
    Negate,
    Two(Binary),
    Call(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Atan2,
    Min,
    Max,
}

type Function = fn(f64) -> f64;

/// Functions of one number.
const FUNCTIONS: [(&str, Function); 14] = [
    ("sqrt", f64::sqrt),
    ("exp", f64::exp),
    ("ln", f64::ln),
    ("log", f64::ln),
    ("log10", f64::log10),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("abs", f64::abs),
    ("floor", f64::floor),
    ("ceil", f64::ceil),
];

/// Functions of two numbers; `min` and `max` take more.
const PAIRS: [(&str, Binary); 3] = [("atan2", Binary::Atan2), ("min", Binary::Min), ("max", Binary::Max)];

impl Expr {
    /// Reads a formula over the given names. Angles of functions are radians; `log` is the natural logarithm.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, ExprError> {
        let mut parser = Parser { text, at: 0, names, depth: 0, program: Vec::new() };
        parser.sum()?;
        parser.skip_space();
        match parser.rest().chars().next() {
            None => {}
            Some(c) => return Err(parser.fault(format!("{} does not belong there", shown(c)))),
        }
        let mut used: Vec<usize> = parser
            .program
            .iter()
            .filter_map(|op| if let Op::Name(i) = op { Some(*i) } else { None })
            .collect();
        used.sort_unstable();
        used.dedup();
        Ok(Self { program: parser.program, names: used })
    }

    /// Indices of the names that the formula uses, rising.
    pub fn names(&self) -> &[usize] {
        &self.names
    }

    /// The value, with one number per name given to [`Expr::parse`]; a name without a number counts as NaN.
    pub fn eval(&self, values: &[f64]) -> f64 {
        let mut stack: Vec<f64> = Vec::with_capacity(8);
        for op in &self.program {
            let value = match *op {
                Op::Number(x) => x,
                Op::Name(i) => values.get(i).copied().unwrap_or(f64::NAN),
                Op::Negate => -stack.pop().unwrap_or(f64::NAN),
                Op::Call(f) => FUNCTIONS[f].1(stack.pop().unwrap_or(f64::NAN)),
                Op::Two(operation) => {
                    let b = stack.pop().unwrap_or(f64::NAN);
                    operation.apply(stack.pop().unwrap_or(f64::NAN), b)
                }
            };
            stack.push(value);
        }
        stack.pop().unwrap_or(f64::NAN)
    }
}

impl Binary {
    fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power => a.powf(b),
            Self::Atan2 => a.atan2(b),
            // unlike f64::min, nothing swallows a NaN
            Self::Min => {
                if a < b || a.is_nan() {
                    a
                } else {
                    b
                }
            }
            Self::Max => {
                if a > b || a.is_nan() {
                    a
                } else {
                    b
                }
            }
        }
    }
}

/// sum = product { (+|-) product };  product = signed { (*|/) signed };  signed = [-|+] signed | power;
/// power = atom [^ signed];  atom = number | name | name ( sum, … ) | ( sum )
struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: &'a [&'a str],
    depth: usize,
    program: Vec<Op>,
}

impl<'a> Parser<'a> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        Expr::parse(text, &["k", "m"]).unwrap().eval(&[2e6, 4.0])
    }

    #[test]
    fn arithmetic_follows_the_usual_order() {
        for (text, expected) in [
            ("1+2*3", 7.0),
            ("(1+2)*3", 9.0),
            ("8/4/2", 1.0),
            ("8-4-2", 2.0),
            ("2^3^2", 512.0),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("--3", 3.0),
            ("2*-3", -6.0),
            ("+.5e1", 5.0),
            ("1.", 1.0),
            ("2*k + sqrt(m)", 4_000_002.0),
            ("k_ / 1", f64::NAN),
            ("min(3, 1, 2) + max(1, 5)", 6.0),
            ("atan2(1, 1)*4 - pi", 0.0),
            ("floor(2.9) + ceil(2.1) + abs(-1)", 6.0),
            ("log(exp(2)) + ln(exp(1)) + log10(100)", 5.0),
            ("sin(pi/2) + cos(0) + tan(0) + asin(0) + acos(1) + atan(0)", 2.0),
        ] {
            if expected.is_nan() {
                assert!(Expr::parse(text, &["k", "m"]).is_err());
            } else {
                assert!((value(text) - expected).abs() <= 1e-15 * expected.abs(), "{text}");
            }
        }
    }

    #[test]
    fn faults_have_a_place_and_a_reason() {
        for (text, at, message) in [
            ("", 0, "a number, a name or ( is missing at the end"),
            ("1 +", 3, "a number, a name or ( is missing at the end"),
            ("(1", 2, ") is missing"),
            ("1 2", 2, "2 does not belong there"),
            ("1 $ 2", 2, "$ does not belong there"),
            ("2*x", 2, "x is unknown; known are stiffness, mass"),
            ("stifness", 0, "stifness is unknown; did you mean stiffness?"),
            ("sqr(2)", 0, "sqr() is unknown; did you mean sqrt?"),
            ("sqrt(1, 2)", 0, "sqrt() takes one number, not 2"),
            ("atan2(1)", 0, "atan2() takes two numbers, not 1"),
            ("min(1)", 0, "min() takes two numbers or more, not 1"),
            (".", 0, ". is no number"),
            ("1e", 1, "e does not belong there"),
        ] {
            let error = Expr::parse(text, &["stiffness", "mass"]).unwrap_err();
            assert_eq!((error.at, error.message.as_str()), (at, message), "{text}");
        }
    }

    #[test]
    fn deep_formulas_are_refused_and_long_ones_are_not() {
        for text in ["(".repeat(100_000), "-".repeat(100_000), "2^".repeat(100_000), "sin(".repeat(9999)] {
            assert!(
                Expr::parse(&text, &[]).unwrap_err().message.starts_with("nested deeper"),
                "{}",
                &text[..4]
            );
        }
        let long = format!("0{}", "+1".repeat(100_000));
        assert_eq!(Expr::parse(&long, &[]).unwrap().eval(&[]), 1e5);
    }

    #[test]
    fn nan_is_not_swallowed() {
        for text in ["min(1, 0/0)", "min(0/0, 1)", "max(1, 0/0)", "max(0/0, 1)"] {
            assert!(value(text).is_nan(), "{text}");
        }
    }

    #[test]
    fn a_parameter_called_pi_is_the_parameter() {
        assert_eq!(Expr::parse("pi", &["pi"]).unwrap().eval(&[3.0]), 3.0);
    }
}
