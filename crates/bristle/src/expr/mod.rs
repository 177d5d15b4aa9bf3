//! Arithmetic in scenes: `"${2*k + sqrt(m)}"`.
//!
//! A formula is read once by recursive descent (with a bound on its nesting) into a graph, where equal parts become one
//! and constants are computed, and then into instructions on registers, which are evaluated in one loop. Names are
//! resolved when it is read. Many formulas can share one graph and one program: `[nonsmooth]` does that.
//!
//! ```
//! use bristle::expr::Expr;
//! let area = Expr::parse("pi*(r + 0.5)^2", &["r"])?;
//! assert!((area.eval(&[1.5]) - 4.0 * std::f64::consts::PI).abs() < 1e-15);
//! let error = Expr::parse("2*radus", &["radius"]).unwrap_err();
//! assert_eq!((error.at, error.to_string()), (2, "radus is unknown; did you mean radius?".to_string()));
//! # Ok::<(), bristle::expr::ExprError>(())
//! ```

mod function;
mod graph;
mod parse;
mod program;

pub(crate) use graph::{Graph, Ref};
pub(crate) use parse::{Names, read};
pub(crate) use program::{Program, Registers};

use crate::nearest::hint;

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
    program: Program,
    /// Register of the value.
    value: usize,
    /// Names that are used, rising; `order[k]` is that of input k.
    names: Vec<usize>,
    order: Vec<usize>,
}

/// Names of a formula as inputs, in the order in which they are met.
struct Inputs<'a> {
    names: &'a [&'a str],
    met: Vec<(usize, Ref)>,
}

impl Names for Inputs<'_> {
    fn find(&mut self, name: &str, graph: &mut Graph) -> Option<Ref> {
        let index = self.names.iter().position(|n| *n == name)?;
        let known = self.met.iter().find(|(i, _)| *i == index).map(|(_, value)| *value);
        Some(known.unwrap_or_else(|| {
            let value = graph.input();
            self.met.push((index, value));
            value
        }))
    }

    fn unknown(&self, name: &str) -> String {
        format!("{name} is unknown; {}", hint(name, self.names.iter().copied()))
    }
}

impl Expr {
    /// Reads a formula over the given names. Angles of functions are radians; `log` is the natural logarithm.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, ExprError> {
        let mut graph = Graph::default();
        let mut inputs = Inputs { names, met: Vec::new() };
        let value = read(text, &mut inputs, &mut graph)?;
        let (program, registers, _) = Program::compile(&graph, &[value], &[]);
        let order: Vec<usize> = inputs.met.iter().map(|(index, _)| *index).collect();
        let mut used = order.clone();
        used.sort_unstable();
        Ok(Self { program, value: registers.of(value), names: used, order })
    }

    /// Indices of the names that the formula uses, rising.
    pub fn names(&self) -> &[usize] {
        &self.names
    }

    /// The value, with one number per name given to [`Expr::parse`]; a name without a number counts as NaN.
    pub fn eval(&self, values: &[f64]) -> f64 {
        // formulas of a right-hand side are short: no allocation for those
        let mut few = [0.0; 32];
        let mut many = Vec::new();
        let registers = if self.program.len() <= few.len() {
            &mut few[..]
        } else {
            many.resize(self.program.len(), 0.0);
            &mut many[..]
        };
        for (register, name) in registers.iter_mut().zip(&self.order) {
            *register = values.get(*name).copied().unwrap_or(f64::NAN);
        }
        self.program.prepare(registers);
        self.program.run(0..self.program.count(), registers);
        registers[self.value]
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
            ("sinh(0) + cosh(0) + tanh(0) + hypot(3, 4) + sign(-2) + sign(0) + sign(7)", 6.0),
            ("mod(7, 3) + mod(-1, 3)", 3.0),
            ("if(m < 5, 1, 2) + if(m <= 4, 10, 20) + if(m > 4, 100, 200) + if(m >= 4, 1000, 2000)", 1211.0),
            ("(1 < 2)*(k > m)", 1.0),
            ("m^2 - k*m + m*m + k*2 + m/4", 32.0 - 4e6 + 1.0),
            ("m*m + m*m - (m*m)/8", 30.0),
            ("k*m - (-m) + -k*m", 4.0),
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
            ("if(1, 2)", 0, "if() takes three numbers, not 2"),
            ("1 < 2 < 3", 6, "< does not belong there"),
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
    fn alternatives_share_what_they_have_in_common_and_nest() {
        let text =
            "if(x < 0, sqrt(-x) + x*x, if(x < 1, x*x - sqrt(x), x*x + if(y > 0, y*sqrt(x), -y))) + sqrt(x*x)";
        let expr = Expr::parse(text, &["x", "y"]).unwrap();
        for (x, y) in [(-4.0, 1.0), (0.25, 1.0), (9.0, 2.0), (9.0, -2.0), (0.0, 0.0), (1.0, 0.0)] {
            let (x, y): (f64, f64) = (x, y);
            let expected = x.abs()
                + if x < 0.0 {
                    (-x).sqrt() + x * x
                } else if x < 1.0 {
                    x * x - x.sqrt()
                } else {
                    x * x + if y > 0.0 { y * x.sqrt() } else { -y }
                };
            assert_eq!(expr.eval(&[x, y]), expected, "{x} {y}");
        }
    }

    #[test]
    fn a_parameter_called_pi_is_the_parameter() {
        assert_eq!(Expr::parse("pi", &["pi"]).unwrap().eval(&[3.0]), 3.0);
    }
}
