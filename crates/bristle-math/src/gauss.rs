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

/// The same of the sixteen-point rule.
const RULE_16: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_47),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.458_016_777_657_227_37, 0.169_156_519_395_002_56),
    (0.617_876_244_402_643_8, 0.149_595_988_816_576_82),
    (0.755_404_408_355_003, 0.124_628_971_255_533_95),
    (0.865_631_202_387_831_8, 0.095_158_511_682_492_9),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_776),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_058),
];

/// The first half of the seventeen nodes and weights of Clenshaw and Curtis on [0, 1].
const CLOSED_17: [(f64, f64); 9] = [
    (0.0, 0.001_960_784_313_725_491_5),
    (0.009_607_359_798_384_785, 0.018_684_351_418_602_8),
    (0.038_060_233_744_356_63, 0.037_741_165_771_575_914),
    (0.084_265_193_848_727_38, 0.054_452_776_290_945_47),
    (0.146_446_609_406_726_2, 0.069_478_234_184_116_54),
    (0.222_214_883_490_198_86, 0.081_586_332_140_851_66),
    (0.308_658_283_817_455_1, 0.090_736_892_118_246_68),
    (0.402_454_838_991_935_85, 0.096_256_932_306_462_84),
    (0.499_999_999_999_999_94, 0.098_205_062_910_945_25),
];

/// Nodes in [0, 1] and weights of the rule of Clenshaw and Curtis with seventeen points. Both ends are nodes, so a kink
/// close to one is not overlooked as it is by the rules of Gauss.
pub fn closed17() -> impl Iterator<Item = (f64, f64)> {
    let far = CLOSED_17.into_iter().take(8).map(|(x, w)| (1.0 - x, w));
    CLOSED_17.into_iter().chain(far)
}

/// Nodes in [0, 1] and weights of the eight-point rule, for integrands that keep buffers.
pub fn nodes8() -> impl Iterator<Item = (f64, f64)> {
    RULE.into_iter().flat_map(|(x, w)| [(0.5 - 0.5 * x, 0.5 * w), (0.5 + 0.5 * x, 0.5 * w)])
}

/// Nodes in [0, 1] and weights of the sixteen-point rule, for integrands with several values.
pub fn nodes16() -> impl Iterator<Item = (f64, f64)> {
    RULE_16.into_iter().flat_map(|(x, w)| [(0.5 - 0.5 * x, 0.5 * w), (0.5 + 0.5 * x, 0.5 * w)])
}

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
    fn sixteen_points_integrate_degree_thirty_one() {
        let value: f64 = nodes16().map(|(x, w)| w * x.powi(31)).sum();
        assert!((value * 32.0 - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_closed_rule_integrates_degree_seventeen() {
        let sum = |power: i32| closed17().map(|(x, w)| w * x.powi(power)).sum::<f64>();
        assert!((sum(17) * 18.0 - 1.0).abs() < 1e-14 && (sum(0) - 1.0).abs() < 1e-15);
        assert!(closed17().any(|(x, _)| x == 0.0) && closed17().any(|(x, _)| x == 1.0));
    }

    #[test]
    fn reaches_rounding_error_on_a_smooth_function() {
        let value = legendre8(0.0, 1.0, f64::exp);
        assert!((value - (std::f64::consts::E - 1.0)).abs() < 1e-15);
    }
}
