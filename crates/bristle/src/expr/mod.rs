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

mod parse;

use parse::Parser;

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
    /// Most numbers on the stack at a time.
    depth: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Op {
    Number(f64),
    Name(usize),
    Negate,
    Two(Binary),
    Call(usize),
}

impl Op {
    /// Numbers on the stack after it.
    fn after(self, top: usize) -> usize {
        match self {
            Self::Number(_) | Self::Name(_) => top + 1,
            Self::Negate | Self::Call(_) => top,
            Self::Two(_) => top - 1,
        }
    }
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
        let program = Parser::read(text, names)?;
        let mut used: Vec<usize> =
            program.iter().filter_map(|op| if let Op::Name(i) = op { Some(*i) } else { None }).collect();
        used.sort_unstable();
        used.dedup();
        let (mut top, mut depth) = (0, 1);
        for op in &program {
            top = op.after(top);
            depth = depth.max(top);
        }
        Ok(Self { program, names: used, depth })
    }

    /// Indices of the names that the formula uses, rising.
    pub fn names(&self) -> &[usize] {
        &self.names
    }

    /// The value, with one number per name given to [`Expr::parse`]; a name without a number counts as NaN.
    pub fn eval(&self, values: &[f64]) -> f64 {
        // formulas of a right-hand side are short: no allocation for those
        let mut few = [0.0; 16];
        let mut many = Vec::new();
        let stack = if self.depth <= few.len() {
            &mut few[..]
        } else {
            many.resize(self.depth, 0.0);
            &mut many[..]
        };
        let mut top = 0; // numbers on the stack; the program was counted when it was read
        for op in &self.program {
            match *op {
                Op::Number(x) => stack[top] = x,
                Op::Name(i) => stack[top] = values.get(i).copied().unwrap_or(f64::NAN),
                Op::Negate => stack[top - 1] = -stack[top - 1],
                Op::Call(f) => stack[top - 1] = FUNCTIONS[f].1(stack[top - 1]),
                Op::Two(operation) => stack[top - 2] = operation.apply(stack[top - 2], stack[top - 1]),
            }
            top = op.after(top);
        }
        stack[0]
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
