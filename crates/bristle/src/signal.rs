//! Numbers that follow the time: what a motor is told.

use crate::expr::Expr;
use bristle_math::Real;

/// A number over time. Times are plain numbers whatever the scalar.
#[derive(Debug, Clone, PartialEq)]
pub enum Signal<T: Real = f64> {
    /// The same always.
    Constant(T),
    /// A formula in `t`, the time in seconds, times a factor.
    Formula {
        /// The formula; its only name is the time.
        formula: Expr,
        /// What its value is multiplied with, e.g. to turn degrees into radians.
        factor: T,
    },
    /// Straight lines between rows, constant beyond.
    Table {
        /// Times, s, rising.
        times: Vec<f64>,
        /// Values.
        values: Vec<T>,
    },
}

impl Signal {
    /// Nothing.
    pub const ZERO: Self = Self::Constant(0.0);
}

impl<T: Real> Signal<T> {
    /// The value at a time.
    #[inline(always)]
    pub fn at(&self, t: T) -> T {
        match self {
            Self::Constant(value) => *value,
            _ => self.follow(t),
        }
    }

    #[inline(never)]
    fn follow(&self, t: T) -> T {
        match self {
            Self::Constant(value) => *value,
            Self::Formula { formula, factor } => *factor * T::lit(formula.eval(&[t.first()])),
            Self::Table { times, values } => interpolate(times, values, t),
        }
    }

    /// Times at which it has a kink, s.
    pub fn kinks(&self) -> &[f64] {
        match self {
            Self::Table { times, .. } => times,
            Self::Constant(_) | Self::Formula { .. } => &[],
        }
    }
}

fn interpolate<T: Real>(times: &[f64], values: &[T], t: T) -> T {
    let after = times.partition_point(|x| *x <= t.first());
    match (after.checked_sub(1), times.get(after)) {
        (None, _) => values.first().copied().unwrap_or(T::lit(0.0)),
        (Some(last), None) => values[last],
        (Some(before), Some(next)) => {
            let share = (t - T::lit(times[before])) / T::lit(next - times[before]);
            values[before] + share * (values[after] - values[before])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_say_what_they_are_told() {
        let formula = Expr::parse("2*t - 10*t^2", &["t"]).unwrap();
        assert!((Signal::Formula { formula, factor: 2.0 }.at(0.05) - 0.15).abs() < 1e-16);
        let table = Signal::Table { times: vec![1.0, 2.0, 4.0], values: vec![3.0, 5.0, 1.0] };
        assert_eq!([0.0, 1.0, 1.5, 3.0, 9.0].map(|t| table.at(t)), [3.0, 3.0, 4.0, 3.0, 1.0]);
        assert_eq!(table.kinks(), [1.0, 2.0, 4.0]);
        assert_eq!(Signal::ZERO.at(7.0), 0.0);
    }
}
