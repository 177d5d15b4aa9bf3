//! Damping formulas in use elsewhere, each an approximation of the one that gives a wanted restitution.
//!
//! ```text
//! f = k xⁿ (1 + (b/v_i) v)                       b the damping number, wanted: the b(e) of `proportional`
//! f = k x^(3/2) + η √(m k) x^(1/4) v             Tsuji: exact if the contact may pull, too bouncy if it may not
//! ```
//! They are here to be compared, and to run models that were tuned with them. `proportional::damping_number` is exact.
//!
//! ```
//! use bristle_laws::{approximate::Formula, proportional};
//! // Hunt and Crossley's own choice, asked for 0.5, returns 0.66 of the speed
//! let e = proportional::restitution(Formula::HuntCrossley.damping_number(0.5));
//! assert!((e - 0.663).abs() < 1e-3);
//! ```

use crate::ParamError;
use crate::normal::{HuntCrossley, Tension};
use std::f64::consts::PI;

/// A formula for the damping number b = a v_i of f = k xⁿ (1 + a v) from the wanted restitution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formula {
    /// b = 3/2 (1 − e): Hunt & Crossley (1975), from e = 1 − α v.
    HuntCrossley,
    /// b = 3/4 (1 − e²): Lankarani & Nikravesh (1990), for e near 1.
    LankaraniNikravesh,
    /// b = (1 − e²)/e: d ≈ 1 − e² in Gonthier et al. (2004), their estimate.
    GonthierEstimate,
    /// b = 8/5 (1 − e)/e: Flores, Machado, Silva & Martins (2011).
    Flores,
    /// b = 3/2 (1 − e)(11 − e)/(1 + 9e): Carvalho & Martins (2019).
    CarvalhoMartins,
}

impl Formula {
    /// All of them, oldest first.
    pub const ALL: [Self; 5] = [
        Self::HuntCrossley,
        Self::LankaraniNikravesh,
        Self::GonthierEstimate,
        Self::Flores,
        Self::CarvalhoMartins,
    ];

    /// Name with year.
    pub fn name(self) -> &'static str {
        match self {
            Self::HuntCrossley => "Hunt & Crossley 1975",
            Self::LankaraniNikravesh => "Lankarani & Nikravesh 1990",
            Self::GonthierEstimate => "Gonthier et al. 2004, estimate",
            Self::Flores => "Flores et al. 2011",
            Self::CarvalhoMartins => "Carvalho & Martins 2019",
        }
    }

    /// The formula as text.
    pub fn equation(self) -> &'static str {
        match self {
            Self::HuntCrossley => "b = 3/2 (1 − e)",
            Self::LankaraniNikravesh => "b = 3/4 (1 − e²)",
            Self::GonthierEstimate => "b = (1 − e²)/e",
            Self::Flores => "b = 8/5 (1 − e)/e",
            Self::CarvalhoMartins => "b = 3/2 (1 − e)(11 − e)/(1 + 9e)",
        }
    }

    /// b for a wanted restitution in (0, 1].
    pub fn damping_number(self, e: f64) -> f64 {
        match self {
            Self::HuntCrossley => 1.5 * (1.0 - e),
            Self::LankaraniNikravesh => 0.75 * (1.0 - e * e),
            Self::GonthierEstimate => (1.0 - e * e) / e,
            Self::Flores => 1.6 * (1.0 - e) / e,
            Self::CarvalhoMartins => 1.5 * (1.0 - e) * (11.0 - e) / (1.0 + 9.0 * e),
        }
    }

    /// The law with k in N/mⁿ and the damping that the formula gives for e at `speed` (m/s).
    ///
    /// # Errors
    /// [`ParamError`] for a value out of range.
    pub fn law(
        self,
        stiffness: f64,
        exponent: f64,
        e: f64,
        speed: f64,
    ) -> Result<HuntCrossley<f64>, ParamError> {
        let law = "hunt-crossley";
        if !(e > 0.0 && e <= 1.0) {
            return Err(ParamError::range(law, "restitution", e, "", "in (0, 1]"));
        }
        crate::param::positive(law, "speed", speed, "m/s")?;
        HuntCrossley::new(stiffness, exponent, self.damping_number(e) / speed)
    }
}

/// η of Tsuji, Tanaka & Ishida (1992) for a wanted restitution in (0, 1]: √5 ln(1/e)/√(π² + ln² e), the closed form of
/// Antypov & Elliott (2011) for a contact that may pull.
pub fn tsuji_coefficient(e: f64) -> f64 {
    let log = -e.ln();
    5f64.sqrt() * log / (PI * PI + log * log).sqrt()
}

/// Tsuji's law for a mass (kg), with k in N/m^(3/2); `tension` says whether it may pull.
///
/// # Errors
/// [`ParamError`] for a value out of range.
pub fn tsuji(stiffness: f64, mass: f64, e: f64, tension: Tension) -> Result<HuntCrossley<f64>, ParamError> {
    let law = "hunt-crossley";
    if !(e > 0.0 && e <= 1.0) {
        return Err(ParamError::range(law, "restitution", e, "", "in (0, 1]"));
    }
    let mass = crate::param::positive(law, "mass", mass, "kg")?;
    let stiffness = crate::param::positive(law, "stiffness", stiffness, "N/m^(3/2)")?;
    let damping = tsuji_coefficient(e) * (mass * stiffness).sqrt();
    HuntCrossley::general(stiffness, 1.5, [damping; 2], [0.25, 1.0], tension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proportional::{damping_number, restitution};

    #[test]
    fn all_agree_where_nothing_is_lost() {
        // near e = 1 all must have b ≈ 3/2 (1 − e), except those that are known not to: 2 (1 − e) and 8/5 (1 − e)
        let slope = |f: Formula| f.damping_number(1.0 - 1e-9) / 1e-9;
        for (formula, expected) in Formula::ALL.into_iter().zip([1.5, 1.5, 2.0, 1.6, 1.5]) {
            assert_eq!(formula.damping_number(1.0), 0.0);
            assert!((slope(formula) - expected).abs() < 1e-6, "{formula:?}: {}", slope(formula));
        }
        assert!((damping_number(1.0 - 1e-6) / 1e-6 - 1.5).abs() < 1e-5);
    }

    #[test]
    fn the_newest_comes_closest_in_the_middle() {
        let miss = |f: Formula| (restitution(f.damping_number(0.5)) - 0.5).abs();
        let all = Formula::ALL.map(miss);
        assert!(all[4] < 1e-3 && all[..4].iter().all(|m| *m > 0.01), "{all:?}");
    }

    #[test]
    fn tsuji_has_the_linear_formula_in_it() {
        // e = exp(−π ζ/√(1 − ζ²)) with ζ = η/√5
        let e: f64 = 0.37;
        let zeta = tsuji_coefficient(e) / 5f64.sqrt();
        assert!(((-PI * zeta / (1.0 - zeta * zeta).sqrt()).exp() - e).abs() < 1e-15);
    }

    #[test]
    fn bad_values_are_refused_by_name() {
        for e in [0.0, -0.1, 1.1, f64::NAN] {
            assert!(Formula::Flores.law(1e6, 1.5, e, 1.0).unwrap_err().to_string().contains("restitution"));
            assert!(tsuji(1e6, 1.0, e, Tension::Cut).unwrap_err().to_string().contains("restitution"));
        }
        assert!(Formula::Flores.law(1e6, 1.5, 0.5, 0.0).unwrap_err().to_string().contains("speed"));
        assert!(tsuji(1e6, -1.0, 0.5, Tension::Cut).unwrap_err().to_string().contains("mass"));
    }
}
