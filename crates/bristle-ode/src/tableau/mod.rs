//! Coefficients of the Runge–Kutta methods.
//!
//! ```text
//! kᵢ = f(t + cᵢ h, x + h Σ aᵢⱼ kⱼ)        x₁ = x + h Σ bⱼ kⱼ        k_end = f(t + h, x₁)
//! ```
//! Every method keeps `k_end`, the rate at the end of the step: it is the first stage of the next
//! step and an end slope of the dense output. Stages are numbered `0..s`, `k_end` is number `s`,
//! stages that only dense output needs come after it.

mod dop853;
mod rodas4;

pub(crate) use dop853::DOP853;
pub(crate) use rodas4::{RODAS4, Rosenbrock};

/// A weighted sum of stages: (stage, weight), zero weights left out.
pub(crate) type Row = &'static [(usize, f64)];

/// An explicit Runge–Kutta method, possibly with an error estimate and extra dense output.
#[derive(Debug)]
pub(crate) struct Tableau {
    /// Order of the solution.
    pub order: u32,
    /// Times of the stages after the first.
    pub c: &'static [f64],
    /// Rows of the stages after the first.
    pub a: &'static [Row],
    /// Weights of the solution.
    pub b: Row,
    /// Weights of the error estimate: none, one, or two that are combined (see [`crate::adaptive`]).
    pub error: &'static [Row],
    /// Whether the error estimate uses `k_end`, which then costs an evaluation in rejected steps too.
    pub is_error_at_end: bool,
    /// Times of the stages that only dense output needs.
    pub extra_c: &'static [f64],
    /// Rows of these stages.
    pub extra_a: &'static [Row],
    /// What dense output adds to the cubic through both ends (see [`crate::dense`]).
    pub bumps: &'static [Row],
}

impl Tableau {
    /// Number of stages without `k_end`, which has this number.
    pub const fn stages(&self) -> usize {
        self.c.len() + 1
    }

    /// Number of rates that are kept.
    pub const fn rates(&self) -> usize {
        self.stages() + 1 + self.extra_c.len()
    }
}

/// A method without error estimate whose dense output is the cubic through both ends.
const fn fixed(order: u32, c: &'static [f64], a: &'static [Row], b: Row) -> Tableau {
    Tableau { order, c, a, b, error: &[], is_error_at_end: false, extra_c: &[], extra_a: &[], bumps: &[] }
}

/// Explicit Euler.
pub(crate) static EULER: Tableau = fixed(1, &[], &[], &[(0, 1.0)]);

/// The third-order weights of Bogacki and Shampine (1989), "A 3(2) pair of Runge–Kutta formulas".
pub(crate) static RK3: Tableau =
    fixed(3, &[0.5, 0.75], &[&[(0, 0.5)], &[(1, 0.75)]], &[(0, 2.0 / 9.0), (1, 1.0 / 3.0), (2, 4.0 / 9.0)]);

/// The classical method of Kutta (1901).
pub(crate) static RK4: Tableau = fixed(
    4,
    &[0.5, 0.5, 1.0],
    &[&[(0, 0.5)], &[(1, 0.5)], &[(2, 1.0)]],
    &[(0, 1.0 / 6.0), (1, 1.0 / 3.0), (2, 1.0 / 3.0), (3, 1.0 / 6.0)],
);

/// Dormand and Prince (1980), "A family of embedded Runge–Kutta formulae"; dense output of order 4
/// by Hairer, Nørsett and Wanner (1993), "Solving Ordinary Differential Equations I", II.6.
pub(crate) static DOPRI5: Tableau = Tableau {
    order: 5,
    c: &[1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0],
    a: &[
        &[(0, 1.0 / 5.0)],
        &[(0, 3.0 / 40.0), (1, 9.0 / 40.0)],
        &[(0, 44.0 / 45.0), (1, -56.0 / 15.0), (2, 32.0 / 9.0)],
        &[(0, 19372.0 / 6561.0), (1, -25360.0 / 2187.0), (2, 64448.0 / 6561.0), (3, -212.0 / 729.0)],
        &[
            (0, 9017.0 / 3168.0),
            (1, -355.0 / 33.0),
            (2, 46732.0 / 5247.0),
            (3, 49.0 / 176.0),
            (4, -5103.0 / 18656.0),
        ],
    ],
    b: &[(0, 35.0 / 384.0), (2, 500.0 / 1113.0), (3, 125.0 / 192.0), (4, -2187.0 / 6784.0), (5, 11.0 / 84.0)],
    error: &[&[
        (0, 71.0 / 57600.0),
        (2, -71.0 / 16695.0),
        (3, 71.0 / 1920.0),
        (4, -17253.0 / 339200.0),
        (5, 22.0 / 525.0),
        (6, -1.0 / 40.0),
    ]],
    is_error_at_end: true,
    extra_c: &[],
    extra_a: &[],
    bumps: &[&[
        (0, -12715105075.0 / 11282082432.0),
        (2, 87487479700.0 / 32700410799.0),
        (3, -10690763975.0 / 1880347072.0),
        (4, 701980252875.0 / 199316789632.0),
        (5, -1453857185.0 / 822651844.0),
        (6, 69997945.0 / 29380423.0),
    ]],
};

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(row: Row, mut f: impl FnMut(usize) -> f64) -> f64 {
        row.iter().map(|&(j, w)| w * f(j)).sum()
    }

    /// Quadrature conditions Σ bⱼ cⱼᵐ = 1/(m+1) up to the order, and Σ aᵢⱼ = cᵢ: a mistyped
    /// coefficient breaks one of them.
    #[test]
    fn coefficients_meet_the_quadrature_conditions() {
        for t in [&EULER, &RK3, &RK4, &DOPRI5, &DOP853] {
            let c = |j: usize| if j == 0 { 0.0 } else { t.c.get(j - 1).copied().unwrap_or(1.0) };
            for m in 0..t.order as i32 {
                let left = sum(t.b, |j| c(j).powi(m));
                assert!((left - 1.0 / f64::from(m + 1)).abs() < 1e-14, "order {} m {m}", t.order);
            }
            for (i, row) in t.a.iter().enumerate() {
                assert!((sum(row, |_| 1.0) - t.c[i]).abs() < 1e-14, "row {i}");
            }
            for row in t.error {
                assert!(sum(row, |_| 1.0).abs() < 1e-14);
            }
        }
    }
}
