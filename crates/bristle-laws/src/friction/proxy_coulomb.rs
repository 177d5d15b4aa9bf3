//! Coulomb friction as an ordinary differential equation: sticks without creeping.
//!
//! ```text
//! ȧ = (sat(F/K, a + βv) − a)/β        f = −K sat(F/K, a + βv)        F = μ N, which may vary
//! U = ½K|a|²      D = Kβ|ȧ|² + F|v − ȧ|
//! ```
//!
//! μ `friction` · K `stiffness` N/m · β `beta` s. State: pre-sliding displacement a, m (three components).
//!
//! The clutch element with b = βK and no drag. Below the limit it is a spring and damper, so a body
//! returns to where it was; an oscillating load below the limit leaves no drift. Passive at every instant, also
//! when the load changes, because the spring's stiffness does not.
//! Source: Xiong, Kikuuwe & Yamamoto (2013), Eq. 8–10, 21.

use super::clutch::Clutch;
use crate::law::{put_vector, vector_at};
use crate::param::{self, shared};
use crate::{FrictionLaw, FrictionOut, LawInfo, ParamError, ParamInfo, Params, Promise, Slip, StateInfo};
use bristle_math::Real;

/// Coulomb friction by a proxy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProxyCoulomb<T> {
    friction: T,
    stiffness: T,
    beta: T,
}

impl ProxyCoulomb<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "proxy-coulomb",
        title: "Coulomb friction as a differential equation, without creep",
        equation: "f = −K sat(μN/K, a + βv),  ȧ = (sat(μN/K, a + βv) − a)/β",
        source: "Xiong, Kikuuwe & Yamamoto 2013, Eq. 8-10, 21",
        promise: "passive at every instant, no creep",
        valid: "things that hold: grasps, parked machines, piles; any load, also one that varies",
        fails: "one coefficient: no stick-slip, no Stribeck effect; the stiffness does not grow with the patch, so tangential rebound is not that of the material; β far below 2/ω leaves a held body ringing",
        theory: include_str!("proxy_coulomb.md"),
        params: &[
            shared::FRICTION,
            ParamInfo {
                name: "stiffness",
                symbol: "K",
                unit: "N/m",
                default: None,
                about: "stiffness before sliding",
            },
            ParamInfo {
                name: "beta",
                symbol: "β",
                unit: "s",
                default: None,
                about: "time constant of the damper beside the spring",
            },
        ],
        knobs: None,
    };

    /// μ, K in N/m, β in s.
    pub fn new(friction: f64, stiffness: f64, beta: f64) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        Ok(Self {
            friction: param::not_negative(law, "friction", friction, "")?,
            stiffness: param::positive(law, "stiffness", stiffness, "N/m")?,
            beta: param::positive(law, "beta", beta, "s")?,
        })
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        Self::new(p.required("friction")?, p.required("stiffness")?, p.required("beta")?)
    }
}

impl<T: Real> ProxyCoulomb<T> {
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> ProxyCoulomb<U> {
        ProxyCoulomb { friction: f(self.friction), stiffness: f(self.stiffness), beta: f(self.beta) }
    }

    #[inline]
    fn clutch(&self, load: T) -> Clutch<T> {
        Clutch {
            stiffness: self.stiffness,
            damping: self.beta * self.stiffness,
            limit: self.friction * load,
            viscous: T::lit(0.0),
        }
    }
}

impl<T: Real> FrictionLaw<T> for ProxyCoulomb<T> {
    fn states(&self) -> &'static [StateInfo] {
        const A: StateInfo = StateInfo { name: "a_x", unit: "m", scale: 1e-6 };
        &[A, StateInfo { name: "a_y", ..A }, StateInfo { name: "a_z", ..A }]
    }
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, at: &Slip<T>, z: &[T], g: &mut [T]) {
        g[0] = self.clutch(at.load).slipping(&vector_at(z), &at.velocity);
    }
    #[inline(always)]
    fn eval(&self, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
        let pull = self.clutch(at.load).pull(&vector_at(z), &at.velocity);
        put_vector(zdot, &pull.stretch_rate);
        FrictionOut { force: -pull.force, stored: pull.stored, losses: pull.losses, ..FrictionOut::none() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::testing::slip;

    #[test]
    fn steady_sliding_has_coulombs_force() {
        let law = ProxyCoulomb::new(0.4, 1e5, 0.005).unwrap();
        // a = F/K in steady sliding
        let mut zdot = [1.0; 3];
        let out = law.eval(&slip(0.3, 10.0), &[4.0 / 1e5, 0.0, 0.0], &mut zdot);
        assert!((out.force.x + 4.0).abs() < 1e-12);
        assert!(zdot[0].abs() < 1e-12);
        assert!((out.losses.total() - 4.0 * 0.3).abs() < 1e-12);
    }

    #[test]
    fn the_rate_is_the_papers_equation() {
        let (mu, k, beta) = (0.5, 1e4, 0.02);
        let law = ProxyCoulomb::new(mu, k, beta).unwrap();
        for (a, v) in [(1e-5, 1e-4f64), (4e-5, 2e-3), (-4e-5, 5e-3)] {
            let limit: f64 = mu * 1.0 / k;
            let expected = ((a + beta * v).clamp(-limit, limit) - a) / beta;
            let mut zdot = [0.0; 3];
            law.eval(&slip(v, 1.0), &[a, 0.0, 0.0], &mut zdot);
            assert!((zdot[0] - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        testing::check_friction(&ProxyCoulomb::new(0.4, 1e5, 0.005).unwrap());
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = ProxyCoulomb::new(0.4, 1e5, 0.0).unwrap_err().to_string();
        assert_eq!(error, "proxy-coulomb: beta = 0 s must be > 0 and finite");
    }
}
