//! Complete elliptic integrals by the arithmetic–geometric mean.
//!
//! ```text
//! K(k) = ∫₀^{π/2} dθ/√(1 − k² sin²θ)      E(k) = ∫₀^{π/2} √(1 − k² sin²θ) dθ      D(k) = (K − E)/k²
//! ```
//!
//! D is given on its own, because the difference cancels for small k. The modulus enters as k' = √(1 − k²), which
//! stays accurate where k is next to one. Source: Abramowitz & Stegun, §17.6.

use std::f64::consts::PI;

/// The three complete integrals of one modulus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Complete {
    /// First kind.
    pub k: f64,
    /// Second kind.
    pub e: f64,
    /// (K − E)/k².
    pub d: f64,
}

/// The integrals for the complementary modulus k' in (0, 1].
pub fn complete(k_prime: f64) -> Complete {
    let (mut a, mut b) = (1.0, k_prime);
    let square = (1.0 - k_prime) * (1.0 + k_prime);
    // c₁²/k², c₁ = (1 − k')/2; each further c is c²/4a of the one before.
    let mut c = 0.5 * (1.0 - k_prime);
    let mut over = 0.25 * (1.0 - k_prime) / (1.0 + k_prime);
    let (mut sum, mut weight) = (0.5, 1.0);
    while c > f64::EPSILON * a * 0.1 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        sum += weight * over;
        weight *= 2.0;
        let next = c * c / (4.0 * (0.5 * (a + b)));
        over *= (next / c) * (next / c);
        c = next;
    }
    let k = PI / (a + b);
    let d = k * sum;
    Complete { k, e: k - square * d, d }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabulated_values_are_met() {
        // Abramowitz & Stegun, table 17.1, m = k² = 0.5
        let half = complete(0.5f64.sqrt());
        assert!((half.k - 1.854_074_677_301_372).abs() < 1e-15);
        assert!((half.e - 1.350_643_881_047_675_5).abs() < 1e-15);
        assert!((half.d - (half.k - half.e) / 0.5).abs() < 1e-14);
    }

    #[test]
    fn a_circle_is_the_limit() {
        let circle = complete(1.0);
        assert!((circle.k - PI / 2.0).abs() < 1e-15 && (circle.e - PI / 2.0).abs() < 1e-15);
        assert!((circle.d - PI / 4.0).abs() < 1e-15);
    }

    #[test]
    fn a_thin_ellipse_has_the_logarithm() {
        let thin = complete(1e-6);
        assert!((thin.k - (4e6f64).ln()).abs() < 1e-10 && (thin.e - 1.0).abs() < 1e-10);
    }
}
