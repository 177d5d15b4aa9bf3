//! The LuGre bristle.
//!
//! ```text
//! ż = v − σ₀|v|/g z        f = −(σ₀ z + σ₁ ż + σ₂ v)        g = N[μ_k + (μ_s − μ_k) exp(−|v|²/v_S²)]
//! U = ½σ₀|z|²      D = σ₀²|v||z|²/g + σ₁ ż·v + σ₂|v|²
//! ```
//!
//! μ_s `static` · μ_k `kinetic` · v_S `stribeck_speed` m/s · σ₀ `stiffness` N/m · σ₁ `damping` N s/m ·
//! σ₂ `viscous` N s/m · `per_load`: the three constants are per newton of load (then g = μ, the whole force is
//! multiplied by the load, and all work counts as dissipated: U = 0). State: bristle z, m (three components).
//!
//! Fails: it drifts. Under an oscillating push below the limit the bristle relaxes a little in every cycle
//! (1.18e-4 m per cycle with the numbers of Xiong's Fig. 3); and σ₁ ż·v may be negative, so it is not passive for
//! strong damping. With absolute stiffness the bristle relaxes over a slip of g/σ₀, which vanishes with the load;
//! it is kept above 1e-8 m so that rates stay bounded at touchdown. For impacts prefer `per_load`.
//! Source: Canudas de Wit, Olsson, Åström & Lischinsky (1995); compared in Xiong et al. (2013), Fig. 3.

use crate::law::{put_vector, vector_at};
use crate::param::{self, shared};
use crate::{FrictionLaw, FrictionOut, LawInfo, Losses, ParamError, ParamInfo, Params, Slip, StateInfo};
use bristle_math::{Real, SafeNorm};

/// Shortest slip over which an absolute bristle relaxes, m.
const SHORTEST_SLIP: f64 = 1e-8;

/// Parameters of [`Lugre`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LugreParams<T> {
    /// μ_s.
    pub static_: T,
    /// μ_k.
    pub kinetic: T,
    /// v_S, m/s.
    pub stribeck_speed: T,
    /// σ₀, N/m, or 1/m per load.
    pub stiffness: T,
    /// σ₁, N s/m, or s/m per load.
    pub damping: T,
    /// σ₂, N s/m, or s/m per load.
    pub viscous: T,
    /// Constants per newton of load.
    pub per_load: bool,
}

/// LuGre bristle friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lugre<T> {
    p: LugreParams<T>,
}

impl Lugre<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "lugre",
        title: "LuGre bristle",
        equation: "f = −(σ₀z + σ₁ż + σ₂v),  ż = v − σ₀|v|z/g(v)",
        source: "Canudas de Wit et al. 1995; Xiong et al. 2013, Fig. 3",
        promise: "not passive for strong damping; drifts under an oscillating push",
        valid: "sliding and pre-sliding at a steady load with parameters from a test rig, Stribeck effect, friction compensation",
        fails: "drifts under an oscillating push below the limit (1.18e-4 m per cycle with the numbers of Xiong's Fig. 3); not passive for strong damping; stiff at speed: the bristle relaxes over a slip of g/σ₀, which vanishes with the load unless per_load",
        theory: include_str!("lugre.md"),
        params: &[
            shared::STATIC,
            shared::KINETIC,
            ParamInfo {
                name: "stribeck_speed",
                symbol: "v_S",
                unit: "m/s",
                default: Some("1e-3"),
                about: "speed over which static falls to kinetic",
            },
            ParamInfo {
                name: "stiffness",
                symbol: "σ₀",
                unit: "N/m",
                default: None,
                about: "bristle stiffness (1/m with per_load)",
            },
            ParamInfo {
                name: "damping",
                symbol: "σ₁",
                unit: "N s/m",
                default: Some("0"),
                about: "bristle damping (s/m with per_load)",
            },
            ParamInfo {
                name: "viscous",
                symbol: "σ₂",
                unit: "N s/m",
                default: Some("0"),
                about: "viscous friction (s/m with per_load)",
            },
            ParamInfo {
                name: "per_load",
                symbol: "",
                unit: "",
                default: Some("false"),
                about: "stiffness, damping and viscous are per newton of load",
            },
        ],
        knobs: None,
    };

    /// Checked parameters.
    pub fn new(p: LugreParams<f64>) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        param::positive(law, "kinetic", p.kinetic, "")?;
        if p.kinetic > param::positive(law, "static", p.static_, "")? {
            return Err(ParamError::range(law, "kinetic", p.kinetic, "", "<= static"));
        }
        param::positive(law, "stribeck_speed", p.stribeck_speed, "m/s")?;
        param::positive(law, "stiffness", p.stiffness, "N/m")?;
        param::not_negative(law, "damping", p.damping, "N s/m")?;
        param::not_negative(law, "viscous", p.viscous, "N s/m")?;
        Ok(Self { p })
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        let static_ = p.required("static")?;
        Self::new(LugreParams {
            static_,
            kinetic: p.number("kinetic")?.unwrap_or(static_),
            stribeck_speed: p.number("stribeck_speed")?.unwrap_or(1e-3),
            stiffness: p.required("stiffness")?,
            damping: p.number("damping")?.unwrap_or(0.0),
            viscous: p.number("viscous")?.unwrap_or(0.0),
            per_load: p.flag("per_load")?,
        })
    }
}

impl<T: Real> Lugre<T> {
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Lugre<U> {
        let p = &self.p;
        Lugre {
            p: LugreParams {
                static_: f(p.static_),
                kinetic: f(p.kinetic),
                stribeck_speed: f(p.stribeck_speed),
                stiffness: f(p.stiffness),
                damping: f(p.damping),
                viscous: f(p.viscous),
                per_load: p.per_load,
            },
        }
    }
}

impl<T: Real> FrictionLaw<T> for Lugre<T> {
    fn states(&self) -> &'static [StateInfo] {
        const Z: StateInfo = StateInfo { name: "z_x", unit: "m", scale: 1e-6 };
        &[Z, StateInfo { name: "z_y", ..Z }, StateInfo { name: "z_z", ..Z }]
    }
    #[inline(always)]
    fn eval(&self, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
        let p = &self.p;
        let v = at.velocity;
        let bristle = vector_at(z);
        let speed = v.norm_eps();
        let fall = (-(speed / p.stribeck_speed).squared()).exp();
        let coefficient = p.kinetic + (p.static_ - p.kinetic) * fall;
        let (strength, limit) = if p.per_load {
            (at.load, coefficient)
        } else {
            (T::lit(1.0), (coefficient * at.load).max(p.stiffness * T::lit(SHORTEST_SLIP)))
        };
        let relaxation = p.stiffness * speed / limit;
        let rate = v - bristle * relaxation;
        put_vector(zdot, &rate);
        let spring = bristle * (p.stiffness * strength);
        // per load, the spring's whole work is booked as slip
        let (stored, slip) = if p.per_load {
            (T::lit(0.0), spring.dot(&v))
        } else {
            (T::lit(0.5) * spring.dot(&bristle), spring.dot(&bristle) * relaxation)
        };
        let damping = p.damping * strength;
        let viscous = p.viscous * strength;
        FrictionOut {
            force: -(spring + rate * damping + v * viscous),
            stored,
            losses: Losses {
                damper: damping * rate.dot(&v),
                clutch: slip,
                viscous: viscous * v.dot(&v),
                stiffness: T::lit(0.0),
            },
            ..FrictionOut::none()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::testing::slip;

    fn law(per_load: bool) -> Lugre<f64> {
        let scale = if per_load { 1e-1 } else { 1.0 };
        Lugre::new(LugreParams {
            static_: 0.6,
            kinetic: 0.4,
            stribeck_speed: 0.01,
            stiffness: 1e5 * scale,
            damping: 100.0 * scale,
            viscous: 0.4 * scale,
            per_load,
        })
        .unwrap()
    }

    #[test]
    fn steady_sliding_has_the_stribeck_force() {
        let (v, load) = (0.005, 10.0);
        let g = load * (0.4 + 0.2 * (-0.25f64).exp());
        for (per_load, z) in [(false, g / 1e5), (true, g / load / 1e4)] {
            let mut zdot = [1.0; 3];
            let out = law(per_load).eval(&slip(v, load), &[z, 0.0, 0.0], &mut zdot);
            assert!(zdot[0].abs() < 1e-15);
            assert!((out.force.x + g + 0.4 * v).abs() < 1e-12, "{}", out.force.x);
        }
    }

    #[test]
    fn rates_stay_bounded_without_load() {
        for per_load in [false, true] {
            let mut zdot = [0.0; 3];
            law(per_load).eval(&slip(1.0, 0.0), &[1e-6, 0.0, 0.0], &mut zdot);
            assert!(zdot[0].abs() <= 101.0, "{zdot:?}");
        }
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        testing::check_friction(&law(false));
        testing::check_friction(&law(true));
    }

    #[test]
    fn bad_parameters_are_named() {
        let params = Params::new().set("static", 0.5).set("stiffness", -1.0);
        let error = Lugre::from_params(&params).unwrap_err().to_string();
        assert_eq!(error, "lugre: stiffness = -1 N/m must be > 0 and finite");
    }
}
