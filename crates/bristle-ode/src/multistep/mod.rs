//! Backward differentiation: a step solves for its end with the differences of the points before it.
//!
//! ```text
//! (1 − κ) γₖ (x₁ − p) + Σⱼ γⱼ ∇ʲx₀ = h f(t₁, x₁)        p = Σⱼ ∇ʲx₀,  γⱼ = 1 + 1/2 + … + 1/j,  j ≤ k
//! ```
//! The orders k go from 1 to 5, with the numerical differentiation formulas of Shampine and Reichelt (1997), "The MATLAB ODE suite": κ takes
//! a quarter off the step lengths that error allows, up to order 3. The correction d = x₁ − p is found by simplified Newton iteration,
//!
//! ```text
//! (I − c J) δ = c f(t₁, x₁) − ψ − d,    c = h / ((1 − κ) γₖ),    ψ = Σ γⱼ ∇ʲx₀ / ((1 − κ) γₖ)
//! ```
//! and the error of the step is (κ γₖ + 1/(k + 1)) d. Points are as far apart as the step is long: when that changes, the differences are
//! those of the same polynomial on the new grid. History begins after one step of a Rosenbrock method, with the cubic through its ends:
//! order 3 at once, where a start with order 1 would take a dozen short steps after every event.

mod choice;
mod drive;
mod history;
mod newton;
#[cfg(test)]
mod tests;

pub(crate) use drive::Plan;
pub(crate) use history::History;
pub(crate) use newton::Ahead;

/// Highest order.
pub(crate) const MOST: usize = 5;

/// κ by order.
const KAPPA: [f64; MOST + 1] = [0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// γₖ = 1 + 1/2 + … + 1/k.
const GAMMA: [f64; MOST + 1] = [0.0, 1.0, 1.5, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0];

/// What the formula divides by.
fn lead(order: usize) -> f64 {
    (1.0 - KAPPA[order]) * GAMMA[order]
}

/// Error of a step of this order, in its correction.
fn error_constant(order: usize) -> f64 {
    (KAPPA[order] * GAMMA[order] + 1.0 / (order as f64 + 1.0)).abs()
}
