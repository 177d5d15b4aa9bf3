//! An elastic power law.
//!
//! ```text
//! f = k xⁿ            U = k xⁿ⁺¹/(n+1)      D = 0
//! ```
//!
//! k `stiffness` N/mⁿ, or from `young`, `poisson` and the pair's radius: k = 4/3 E*√R (n = 1.5 only) ·
//! n `exponent`.
//!
//! Valid for smooth elastic surfaces and depths well below the radius. Loses nothing: restitution is 1.
//! Source: Hertz; Azad & Featherstone (2010), Eq. 9–10; Roy & Carretero (2012), Eq. 2.

use crate::param::{self, shared};
use crate::proportional::{ProportionalImpact, Spring};
use crate::{
    Exponent, Forecast, Impact, Indent, Knobs, LawInfo, NormalLaw, NormalOut, ParamError, ParamInfo, Params,
    Phase, Promise,
};
use bristle_math::Real;

/// Elastic power law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hertz<T> {
    stiffness: T,
    exponent: Exponent<T>,
}

impl Hertz<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "hertz",
        title: "elastic power law",
        equation: "f = k xⁿ",
        source: "Hertz; Azad & Featherstone 2010, Eq. 9-10; Roy & Carretero 2012, Eq. 2",
        promise: "conserves energy",
        valid: "smooth elastic surfaces without adhesion, patches small against the radii (depth below 1 % of the radius), contact times long against the vibrations of the bodies",
        fails: "loses nothing, so nothing ever comes to rest on it; metals yield locally from some cm/s on (Johnson 1985, §11.4), which no elastic law knows",
        theory: include_str!("hertz.md"),
        params: &[
            ParamInfo {
                name: "stiffness",
                symbol: "k",
                unit: "N/mⁿ",
                default: None,
                about: "force at unit depth, or young and poisson",
            },
            shared::EXPONENT,
            shared::YOUNG,
            shared::POISSON,
        ],
        knobs: Some(Knobs { damping: None, stiffness: "stiffness" }),
    };

    /// Stiffness k in N/mⁿ, exponent n.
    pub fn new(stiffness: f64, exponent: f64) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        Ok(Self {
            stiffness: param::positive(law, "stiffness", stiffness, "N/mⁿ")?,
            exponent: Exponent::new(param::positive(law, "exponent", exponent, "")?),
        })
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        Self::new(p.hertz_stiffness()?, p.number("exponent")?.unwrap_or(1.5))
    }

    /// The motion in closed form.
    pub fn forecast(&self, impact: &Impact) -> Forecast {
        let spring = Spring::Power { stiffness: self.stiffness, exponent: self.exponent.value() };
        ProportionalImpact { spring, compression: 0.0, restoration: 0.0 }.forecast(impact)
    }
}

impl<T: Real> Hertz<T> {
    /// Stiffness, N/mⁿ.
    pub fn stiffness(&self) -> T {
        self.stiffness
    }
    /// Exponent n.
    pub fn exponent(&self) -> T {
        self.exponent.value()
    }
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Hertz<U> {
        Hertz { stiffness: f(self.stiffness), exponent: Exponent::new(f(self.exponent.value())) }
    }
}

impl<T: Real> NormalLaw<T> for Hertz<T> {
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    #[inline(always)]
    fn eval(&self, at: &Indent<T>, _z: &[T], _phase: Phase, _zdot: &mut [T]) -> NormalOut<T> {
        let depth = at.depth.positive();
        let force = self.stiffness * self.exponent.of(depth);
        let stored = force * depth / (self.exponent.value() + T::lit(1.0));
        NormalOut { force, elastic: force, stored, ..NormalOut::none() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn impact_matches_the_classical_solution() {
        // x = (5mv²/4k)^0.4, P = k x^1.5, T = 2.94328 x/v
        let (m, v, k) = (0.05, 2.0, 1e9);
        let f = Hertz::new(k, 1.5).unwrap().forecast(&Impact::new(m, v));
        let x = (1.25 * m * v * v / k).powf(0.4);
        assert!((f.peak_depth.unwrap() / x - 1.0).abs() < 1e-15);
        assert!((f.peak_force.unwrap() / (k * x.powf(1.5)) - 1.0).abs() < 1e-14);
        // 2∫₀¹ du/√(1−u^{5/2}) = 2.943275…
        assert!((f.duration.unwrap() * v / x - 2.943_275_2).abs() < 1e-6);
        assert_eq!(f.restitution, Some(1.0));
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        for exponent in [1.0, 1.5, 1.83, 2.0] {
            testing::check_normal(&Hertz::new(3e8, exponent).unwrap().into());
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        assert_eq!(
            Hertz::new(1e5, 0.0).unwrap_err().to_string(),
            "hertz: exponent = 0 must be > 0 and finite"
        );
    }
}
