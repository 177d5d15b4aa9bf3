//! Fixed Gauss–Legendre quadrature that any [`Real`] passes through.
//!
//! Adaptive quadrature decides on values; the integrals that laws need inside generic code are over
//! short intervals of analytic functions, where eight fixed points reach rounding error.

use crate::Real;

/// Positive nodes on (-1, 1) of the eight-point rule and their weights (Abramowitz & Stegun, table 25.4).
const RULE: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// ∫ f over `[a, b]` by eight points: exact for polynomials up to degree 15.
pub fn legendre8<T: Real>(a: T, b: T, f: impl Fn(T) -> T) -> T {
    let half = (b - a) * T::lit(0.5);
    let middle = (a + b) * T::lit(0.5);
    let mut sum = T::lit(0.0);
    for (node, weight) in RULE {
        let step = half * T::lit(node);
        sum += (f(middle - step) + f(middle + step)) * T::lit(weight);
    }
    sum * half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrates_degree_fifteen_exactly() {
        let value = legendre8(0.0, 2.0, |x: f64| x.powi(15));
        assert!((value / (2f64.powi(16) / 16.0) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn reaches_rounding_error_on_a_smooth_function() {
        let value = legendre8(0.0, 1.0, f64::exp);
        assert!((value - (std::f64::consts::E - 1.0)).abs() < 1e-15);
    }
}
