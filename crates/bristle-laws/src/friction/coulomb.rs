//! Coulomb friction, smoothed around zero speed: what most engines have.
//!
//! ```text
//! F = N [ min(r, 1)(μ_k + 2(μ_s − μ_k)/(1 + r²)) + c|v| ] v/|v|        r = |v|/v_s
//! ```
//!
//! μ_s `static` · μ_k `kinetic` (default: static) · v_s `slip_speed` m/s · c `viscous` s/m, per newton of load.
//! Rises to μ_s N at r = 1, falls towards μ_k N beyond. No states, U = 0, D = F|v|.
//!
//! Fails: it cannot stick. Under a steady push T < μN a body creeps at about v_s T/((2μ_s − μ_k)N).
//! Kept as the baseline that other engines offer (Sherman, Seth & Delp 2011; Simbody's contact forces).

use crate::param::{self, shared};
use crate::{FrictionLaw, FrictionOut, LawInfo, Losses, ParamError, ParamInfo, Params, Promise, Slip};
use bristle_math::{Real, SafeNorm};

/// Smoothed Coulomb friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coulomb<T> {
    static_: T,
    kinetic: T,
    slip_speed: T,
    viscous: T,
}

impl Coulomb<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "coulomb",
        title: "smoothed Coulomb friction",
        equation: "F = N[min(r, 1)(μ_k + 2(μ_s − μ_k)/(1 + r²)) + c|v|],  r = |v|/v_s",
        source: "Sherman, Seth & Delp 2011",
        promise: "passive at every instant; creeps under any steady push",
        valid: "steady sliding well above the slip speed, comparison with other engines",
        fails: "it cannot hold: under any steady push a body creeps; a small slip speed makes it stiff without making it stick",
        theory: include_str!("coulomb.md"),
        params: &[
            shared::STATIC,
            shared::KINETIC,
            ParamInfo {
                name: "slip_speed",
                symbol: "v_s",
                unit: "m/s",
                default: Some("1e-3"),
                about: "speed at which friction reaches its static value",
            },
            ParamInfo {
                name: "viscous",
                symbol: "c",
                unit: "s/m",
                default: Some("0"),
                about: "viscous friction per newton of load",
            },
        ],
        knobs: None,
    };

    /// Coefficients μ_s and μ_k, slip speed in m/s, viscous coefficient in s/m.
    pub fn new(static_: f64, kinetic: f64, slip_speed: f64, viscous: f64) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        param::not_negative(law, "kinetic", kinetic, "")?;
        if kinetic > param::not_negative(law, "static", static_, "")? {
            return Err(ParamError::range(law, "kinetic", kinetic, "", "<= static"));
        }
        Ok(Self {
            static_,
            kinetic,
            slip_speed: param::positive(law, "slip_speed", slip_speed, "m/s")?,
            viscous: param::not_negative(law, "viscous", viscous, "s/m")?,
        })
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        let static_ = p.required("static")?;
        Self::new(
            static_,
            p.number("kinetic")?.unwrap_or(static_),
            p.number("slip_speed")?.unwrap_or(1e-3),
            p.number("viscous")?.unwrap_or(0.0),
        )
    }
}

impl<T: Real> Coulomb<T> {
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Coulomb<U> {
        Coulomb {
            static_: f(self.static_),
            kinetic: f(self.kinetic),
            slip_speed: f(self.slip_speed),
            viscous: f(self.viscous),
        }
    }
}

impl<T: Real> FrictionLaw<T> for Coulomb<T> {
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, at: &Slip<T>, _z: &[T], g: &mut [T]) {
        g[0] = at.velocity.norm_eps() - self.slip_speed;
    }
    #[inline(always)]
    fn eval(&self, at: &Slip<T>, _z: &[T], _zdot: &mut [T]) -> FrictionOut<T> {
        let speed = at.velocity.norm_eps();
        // min(r, 1)/|v| in one division; the peak only where there is one, which parameters tell
        let mut mu = self.kinetic;
        let excess = self.static_ - self.kinetic;
        if !excess.is_exactly(0.0) {
            let r = speed / self.slip_speed;
            mu += T::lit(2.0) * excess / (T::lit(1.0) + r.squared());
        }
        self.pull(mu, speed, at)
    }
}

impl<T: Real> Coulomb<T> {
    #[inline(always)]
    fn pull(&self, mu: T, speed: T, at: &Slip<T>) -> FrictionOut<T> {
        let dry = at.load * mu / speed.max(self.slip_speed);
        let drag = at.load * self.viscous;
        FrictionOut {
            force: at.velocity * -(dry + drag),
            losses: Losses {
                clutch: dry * speed.squared(),
                viscous: drag * speed.squared(),
                ..Losses::none()
            },
            ..FrictionOut::none()
        }
    }

    /// The law by the type of its case without a peak, if it is that.
    pub fn plain(&self) -> Option<PlainCoulomb<T>> {
        (self.static_ - self.kinetic).is_exactly(0.0).then_some(PlainCoulomb(*self))
    }
}

/// The law with μ_s = μ_k: its type says so, and a loop over contacts does not divide for a peak that is not there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlainCoulomb<T>(Coulomb<T>);

impl<T: Real> FrictionLaw<T> for PlainCoulomb<T> {
    fn promise(&self) -> Promise {
        self.0.promise()
    }
    #[inline(always)]
    fn eval(&self, at: &Slip<T>, _z: &[T], _zdot: &mut [T]) -> FrictionOut<T> {
        self.0.pull(self.0.kinetic, at.velocity.norm_eps(), at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::testing::slip;

    #[test]
    fn friction_peaks_at_the_static_and_ends_at_the_kinetic_value() {
        let law = Coulomb::new(0.8, 0.5, 1e-3, 0.0).unwrap();
        let force = |v: f64| -law.eval(&slip(v, 10.0), &[], &mut []).force.x;
        assert!((force(1e-3) - 8.0).abs() < 1e-12);
        assert!((force(1.0) - 5.0).abs() < 1e-4);
        assert_eq!(force(0.0), 0.0);
        assert!(force(0.9e-3) < 8.0 && force(1.1e-3) < 8.0);
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        testing::check_friction(&Coulomb::new(0.8, 0.5, 1e-3, 0.1).unwrap());
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = Coulomb::new(0.3, 0.5, 1e-3, 0.0).unwrap_err().to_string();
        assert_eq!(error, "coulomb: kinetic = 0.5 must be <= static");
    }
}
