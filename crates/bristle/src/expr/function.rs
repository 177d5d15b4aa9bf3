//! What formulas are made of: operations, the functions by name, and their values.

/// An operation on one, two or three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Code {
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessEqual,
    Min,
    Max,
    Atan2,
    Hypot,
    Mod,
    If,
    Sqrt,
    Exp,
    Ln,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Abs,
    Sign,
    Floor,
    Ceil,
    /// a·b + c, rounded twice, as written out.
    MultiplyAdd,
    /// c − a·b
    SubtractProduct,
    /// a·b − c
    ProductSubtract,
}

/// How many numbers a function takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    One,
    Two,
    Three,
    TwoOrMore,
}

use Code::*;
use Takes::{One, Three, Two, TwoOrMore};

/// Functions by name.
pub(crate) const FUNCTIONS: [(&str, Code, Takes); 24] = [
    ("sqrt", Sqrt, One),
    ("exp", Exp, One),
    ("ln", Ln, One),
    ("log", Ln, One),
    ("log10", Log10, One),
    ("sin", Sin, One),
    ("cos", Cos, One),
    ("tan", Tan, One),
    ("asin", Asin, One),
    ("acos", Acos, One),
    ("atan", Atan, One),
    ("sinh", Sinh, One),
    ("cosh", Cosh, One),
    ("tanh", Tanh, One),
    ("abs", Abs, One),
    ("sign", Sign, One),
    ("floor", Floor, One),
    ("ceil", Ceil, One),
    ("atan2", Atan2, Two),
    ("hypot", Hypot, Two),
    ("mod", Mod, Two),
    ("if", If, Three),
    ("min", Min, TwoOrMore),
    ("max", Max, TwoOrMore),
];

impl Code {
    /// The value; operations that take fewer numbers ignore the others.
    #[inline(always)]
    pub(crate) fn apply(self, a: f64, b: f64, c: f64) -> f64 {
        match self {
            Negate => -a,
            Add => a + b,
            Subtract => a - b,
            Multiply => a * b,
            Divide => a / b,
            Less => f64::from(u8::from(a < b)),
            LessEqual => f64::from(u8::from(a <= b)),
            // unlike f64::min, nothing swallows a NaN
            Min => {
                if a < b || a.is_nan() {
                    a
                } else {
                    b
                }
            }
            Max => {
                if a > b || a.is_nan() {
                    a
                } else {
                    b
                }
            }
            If => {
                if a != 0.0 {
                    b
                } else {
                    c
                }
            }
            Sqrt => a.sqrt(),
            Abs => a.abs(),
            MultiplyAdd => a * b + c,
            SubtractProduct => c - a * b,
            ProductSubtract => a * b - c,
            _ => self.call(a, b),
        }
    }

    /// The operations that take long, apart from the others: the loop that evaluates stays small.
    #[inline(never)]
    fn call(self, a: f64, b: f64) -> f64 {
        match self {
            Power => a.powf(b),
            Atan2 => a.atan2(b),
            Hypot => a.hypot(b),
            Mod => a.rem_euclid(b),
            Exp => a.exp(),
            Ln => a.ln(),
            Log10 => a.log10(),
            Sin => a.sin(),
            Cos => a.cos(),
            Tan => a.tan(),
            Asin => a.asin(),
            Acos => a.acos(),
            Atan => a.atan(),
            Sinh => a.sinh(),
            Cosh => a.cosh(),
            Tanh => a.tanh(),
            Sign => {
                if a == 0.0 {
                    0.0
                } else {
                    a.signum()
                }
            }
            Floor => a.floor(),
            Ceil => a.ceil(),
            _ => f64::NAN, // the others are above
        }
    }

    /// Whether it takes no longer than a sum.
    pub(crate) fn is_cheap(self) -> bool {
        matches!(
            self,
            Negate
                | Add
                | Subtract
                | Multiply
                | Less
                | LessEqual
                | MultiplyAdd
                | SubtractProduct
                | ProductSubtract
        )
    }

    /// How many numbers it looks at.
    pub(crate) fn arity(self) -> usize {
        match self {
            Add | Subtract | Multiply | Divide | Power | Less | LessEqual | Min | Max | Atan2 | Hypot
            | Mod => 2,
            If | MultiplyAdd | SubtractProduct | ProductSubtract => 3,
            _ => 1,
        }
    }

    /// Why finite numbers gave one that is not.
    pub(crate) fn complaint(self, a: f64, b: f64) -> String {
        match self {
            Divide | Mod if b == 0.0 => "division by zero".to_string(),
            Sqrt => format!("the square root of {a}"),
            Ln | Log10 => format!("the logarithm of {a}"),
            Asin | Acos => format!("{} of {a}", if self == Asin { "asin" } else { "acos" }),
            Power if a == 0.0 => "division by zero".to_string(),
            Power => format!("{a} to the power {b}"),
            _ => "a number too large".to_string(),
        }
    }
}
