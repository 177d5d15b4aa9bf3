//! Vectors that follow a schedule: forces, torques, prescribed displacements.

use bristle_math::{Real, Vector3};
use std::f64::consts::TAU;

/// A vector over time, with its first two derivatives. Times are plain numbers whatever the scalar.
#[derive(Debug, Clone, PartialEq)]
pub enum Schedule<T: Real = f64> {
    /// The same always.
    Constant(Vector3<T>),
    /// From one value to another between two times.
    Ramp {
        /// Value before.
        from: Vector3<T>,
        /// Value after.
        to: Vector3<T>,
        /// Begin, s.
        start: f64,
        /// End, s.
        end: f64,
    },
    /// offset + amplitude·sin(2πft + φ).
    Sine {
        /// Amplitude.
        amplitude: Vector3<T>,
        /// Frequency, Hz.
        frequency: T,
        /// Phase, rad.
        phase: T,
        /// Mean.
        offset: Vector3<T>,
    },
    /// Linear between rows, constant beyond.
    Table {
        /// Times, s, rising.
        times: Vec<f64>,
        /// Values.
        values: Vec<Vector3<T>>,
    },
    /// offset + rate·t.
    Linear {
        /// Value at time zero.
        offset: Vector3<T>,
        /// Change per second.
        rate: Vector3<T>,
    },
}

impl<T: Real> Schedule<T> {
    /// Value, rate and acceleration at a time.
    pub fn at(&self, t: T) -> [Vector3<T>; 3] {
        let none = Vector3::zeros();
        match self {
            Self::Constant(value) => [*value, none, none],
            Self::Linear { offset, rate } => [offset + rate * t, *rate, none],
            Self::Ramp { from, to, start, end } => {
                let slope = (to - from) / T::lit(end - start);
                let inside = t.first() > *start && t.first() < *end;
                let s = ((t - T::lit(*start)) / T::lit(end - start)).clamp(T::lit(0.0), T::lit(1.0));
                [from + (to - from) * s, if inside { slope } else { none }, none]
            }
            Self::Sine { amplitude, frequency, phase, offset } => {
                let omega = T::lit(TAU) * *frequency;
                let (sin, cos) = (omega * t + *phase).sin_cos();
                [offset + amplitude * sin, amplitude * (omega * cos), amplitude * (-omega * omega * sin)]
            }
            Self::Table { times, values } => {
                let after = times.partition_point(|x| *x <= t.first());
                if after == 0 || after == times.len() {
                    let row = after.min(values.len() - 1);
                    return [values[if after == 0 { 0 } else { row }], none, none];
                }
                let (t0, t1) = (times[after - 1], times[after]);
                let slope = (values[after] - values[after - 1]) / T::lit(t1 - t0);
                [values[after - 1] + slope * (t - T::lit(t0)), slope, none]
            }
        }
    }

    /// Times at which the schedule has a kink, for the integrator to stop at.
    pub fn kinks(&self) -> Vec<f64> {
        match self {
            Self::Ramp { start, end, .. } => vec![*start, *end],
            Self::Table { times, .. } => times.clone(),
            Self::Constant(_) | Self::Linear { .. } | Self::Sine { .. } => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sine_knows_its_derivatives() {
        let axis = Vector3::new(1.0, 2.0, 0.0);
        let sine = Schedule::Sine { amplitude: axis, frequency: 3.0, phase: 0.4, offset: Vector3::z() };
        let h = 1e-5;
        let [_, v, a] = sine.at(0.7);
        let slope = (sine.at(0.7 + h)[0] - sine.at(0.7 - h)[0]) / (2.0 * h);
        let bend = (sine.at(0.7 + h)[1] - sine.at(0.7 - h)[1]) / (2.0 * h);
        assert!((slope - v).norm() < 1e-6 && (bend - a).norm() < 1e-4);
    }

    #[test]
    fn a_table_is_linear_inside_and_constant_outside() {
        let values = vec![Vector3::zeros(), Vector3::x() * 2.0];
        let table = Schedule::Table { times: vec![1.0, 3.0], values };
        assert_eq!(table.at(0.0)[0].x, 0.0);
        assert_eq!(table.at(2.0)[0].x, 1.0);
        assert_eq!(table.at(2.0)[1].x, 1.0);
        assert_eq!(table.at(9.0), [Vector3::x() * 2.0, Vector3::zeros(), Vector3::zeros()]);
    }
}
