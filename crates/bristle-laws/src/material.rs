//! Contact stiffness from material data.

use crate::ParamError;

/// Elastic constants of one side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elastic {
    /// Young's modulus, Pa; infinite for a rigid side.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

impl Elastic {
    /// Checked elastic constants.
    pub fn new(law: &'static str, young: f64, poisson: f64) -> Result<Self, ParamError> {
        if young.is_nan() || young <= 0.0 {
            return Err(ParamError::range(law, "young", young, "Pa", "> 0"));
        }
        if !(poisson > -1.0 && poisson <= 0.5) {
            return Err(ParamError::range(law, "poisson", poisson, "", "in (-1, 0.5]"));
        }
        Ok(Self { young, poisson })
    }

    /// (1 − ν²)/E, 1/Pa.
    fn compliance(&self) -> f64 {
        (1.0 - self.poisson * self.poisson) / self.young
    }

    /// (2 − ν)/G with the shear modulus G = E/2(1 + ν), 1/Pa.
    fn shear_compliance(&self) -> f64 {
        2.0 * (2.0 - self.poisson) * (1.0 + self.poisson) / self.young
    }
}

/// E* of two sides, Pa: 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂.
pub fn effective_modulus(a: Elastic, b: Elastic) -> f64 {
    1.0 / (a.compliance() + b.compliance())
}

/// Hertz stiffness of two curved sides, N/m^{3/2}: K = 4/3 E*√R. Azad & Featherstone (2010), Eq. 9–10;
/// Roy & Carretero (2012), Eq. 2.
pub fn hertz_stiffness(effective_modulus: f64, radius: f64) -> f64 {
    4.0 / 3.0 * effective_modulus * radius.sqrt()
}

/// Tangential stiffness factor of two curved sides that do not slip, N/m^{3/2}: K_t = 8G*√R with
/// 1/G* = (2 − ν₁)/G₁ + (2 − ν₂)/G₂, so that the tangential spring at depth x is K_t√x = 8G*a on a patch of radius a.
/// Mindlin (1949), Compliance of elastic bodies in contact; for equal sides K_t = 3/2 K · 2(1 − ν)/(2 − ν).
pub fn mindlin_stiffness(a: Elastic, b: Elastic, radius: f64) -> f64 {
    8.0 / (a.shear_compliance() + b.shear_compliance()) * radius.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangential_over_normal_slope_is_mindlins_ratio() {
        for nu in [0.0, 0.23, 0.5] {
            let side = Elastic::new("hertz", 70e9, nu).unwrap();
            let normal = 1.5 * hertz_stiffness(effective_modulus(side, side), 0.01);
            let ratio = mindlin_stiffness(side, side, 0.01) / normal;
            assert!((ratio - 2.0 * (1.0 - nu) / (2.0 - nu)).abs() < 1e-14, "{nu}: {ratio}");
        }
        let soft = Elastic::new("hertz", 70e9, 0.3).unwrap();
        let rigid = Elastic::new("hertz", f64::INFINITY, 0.1).unwrap();
        let (one, two) = (mindlin_stiffness(soft, rigid, 0.01), mindlin_stiffness(soft, soft, 0.01));
        assert!((one / two - 2.0).abs() < 1e-14, "a rigid side doubles the stiffness: {one} {two}");
    }

    #[test]
    fn hertz_impact_of_chung_and_ooi_test_2_is_met() {
        // Aluminium alloy sphere, r = 0.1 m, on a rigid plane at 0.2 m/s: 49.717 µm (Chung & Ooi 2011).
        let sphere = Elastic::new("hertz", 70e9, 0.30).unwrap();
        let rigid = Elastic::new("hertz", f64::INFINITY, 0.3).unwrap();
        let k = hertz_stiffness(effective_modulus(sphere, rigid), 0.1);
        let mass = 4.0 / 3.0 * std::f64::consts::PI * 1e-3 * 2699.0;
        let depth = (5.0 * mass * 0.04 / (4.0 * k)).powf(0.4);
        assert!((depth - 49.717e-6).abs() < 1e-9, "{depth}");
    }

    #[test]
    fn bad_constants_are_named() {
        let error = Elastic::new("hertz", 1e9, 0.7).unwrap_err().to_string();
        assert_eq!(error, "hertz: poisson = 0.7 must be in (-1, 0.5]");
    }
}
