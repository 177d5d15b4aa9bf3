//! A power law with damping that grows with depth.
//!
//! ```text
//! f = k xⁿ + λ xᵖ sgn(v)|v|^q        p = n, q = 1:  f = k xⁿ(1 + a v),  a = λ/k = 3/2 α
//! U = k xⁿ⁺¹/(n+1)      D = λ xᵖ|v|^{q+1}      (cut at zero: D = −k xⁿ v while f = 0)
//! ```
//!
//! k `stiffness` N/mⁿ · n `exponent` · one of α `alpha` s/m (e ≈ 1 − αv for small αv), a `dissipation`
//! s/m, λ `damping` N sᵠ/m^{p+q} · p `p`, q `q` · `alpha_restitution` s/m: another α while v < 0 ·
//! `tension` "cut" or "keep".
//!
//! Restitution is exact and closed for p = n, q = 1 ([`crate::proportional`]): it depends on a·v alone,
//! and no tension occurs in a free impact; a body pulled away faster than 1/a would be held back, which
//! "cut" prevents. Marhefka & Orin's Eq. 19 is corrected there.
//! Source: Hunt & Crossley (1975); Marhefka & Orin (1996), Eq. 6–22 and further-work list (p, q, two
//! dampings); Azad & Featherstone (2010), Eq. 1–2.

use super::Tension;
use crate::param::{self, Knob, shared};
use crate::proportional::{self, ProportionalImpact, Spring};
use crate::{
    Exponent, Forecast, Impact, Indent, Knobs, LawInfo, NormalLaw, NormalOut, ParamError, ParamInfo, Params,
    Phase, Promise,
};
use bristle_math::{Real, select};

/// Power-law spring with depth-scaled damping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HuntCrossley<T> {
    stiffness: T,
    exponent: Exponent<T>,
    /// λ while compressing and while restoring.
    damping: [T; 2],
    depth_power: Exponent<T>,
    rate_power: Exponent<T>,
    tension: Tension,
    /// n = p = 3/2, q = 1, one damping, no tension: written out, so that a loop over contacts vectorises.
    is_plain: bool,
}

impl HuntCrossley<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "hunt-crossley",
        title: "power law with damping that grows with depth",
        equation: "f = k xⁿ + λ xᵖ sgn(v)|v|^q,  λ = a k = 3/2 α k",
        source: "Hunt & Crossley 1975; Marhefka & Orin 1996, Eq. 6-22; Azad & Featherstone 2010, Eq. 1-2",
        promise: "passive at every instant",
        valid: "impacts of hard bodies up to α v of some tenths, any mass and shape; feet and fingers at point contacts",
        fails: "hardly damps small swings about a rest, since its damping vanishes with the rate times the force; the rebound speed never exceeds 1/a, so fast impacts lose almost all; no closed form for p ≠ n or q ≠ 1",
        theory: include_str!("hunt_crossley.md"),
        params: &[
            ParamInfo {
                name: "stiffness",
                symbol: "k",
                unit: "N/mⁿ",
                default: None,
                about: "force at unit depth, or young and poisson",
            },
            shared::EXPONENT,
            ParamInfo {
                name: "alpha",
                symbol: "α",
                unit: "s/m",
                default: Some("0"),
                about: "slope of restitution at low speed, e ≈ 1 − αv",
            },
            ParamInfo {
                name: "dissipation",
                symbol: "a",
                unit: "s/m",
                default: None,
                about: "λ/k = 3/2 α, instead of alpha",
            },
            ParamInfo {
                name: "damping",
                symbol: "λ",
                unit: "N sᵠ/m^(p+q)",
                default: None,
                about: "damping factor, instead of alpha",
            },
            ParamInfo {
                name: "alpha_restitution",
                symbol: "α₂",
                unit: "s/m",
                default: Some("alpha"),
                about: "another alpha while the contact restores",
            },
            ParamInfo {
                name: "p",
                symbol: "p",
                unit: "",
                default: Some("exponent"),
                about: "power of the depth in the damping",
            },
            ParamInfo {
                name: "q",
                symbol: "q",
                unit: "",
                default: Some("1"),
                about: "power of the rate in the damping",
            },
            shared::TENSION,
            shared::YOUNG,
            shared::POISSON,
        ],
        knobs: Some(Knobs { damping: Some(Knob::Upwards("dissipation")), stiffness: "stiffness" }),
    };

    /// k in N/mⁿ, exponent n, a = λ/k in s/m; p = n, q = 1, tension cut.
    pub fn new(stiffness: f64, exponent: f64, dissipation: f64) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        param::not_negative(law, "dissipation", dissipation, "s/m")?;
        Self::general(stiffness, exponent, [dissipation * stiffness; 2], [exponent, 1.0], Tension::Cut)
    }

    /// The `a` that gives restitution e at `speed`, in closed form: a = b(e)/v.
    pub fn from_restitution(stiffness: f64, exponent: f64, e: f64, speed: f64) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        if !(e > 0.0 && e <= 1.0) {
            return Err(ParamError::range(law, "restitution", e, "", "in (0, 1]"));
        }
        param::positive(law, "speed", speed, "m/s")?;
        Self::new(stiffness, exponent, proportional::damping_number(e) / speed)
    }

    /// Any λ while compressing and restoring, any powers `[p, q]`.
    pub fn general(
        stiffness: f64,
        exponent: f64,
        damping: [f64; 2],
        powers: [f64; 2],
        tension: Tension,
    ) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        let [p, q] = powers;
        for value in damping {
            param::not_negative(law, "damping", value, "N sᵠ/m^(p+q)")?;
        }
        Ok(Self {
            stiffness: param::positive(law, "stiffness", stiffness, "N/mⁿ")?,
            exponent: Exponent::new(param::positive(law, "exponent", exponent, "")?),
            damping,
            depth_power: Exponent::new(param::not_negative(law, "p", p, "")?),
            rate_power: Exponent::new(param::positive(law, "q", q, "")?),
            tension,
            is_plain: false,
        }
        .noting_the_plain_case())
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let reader = params.read(&Self::INFO)?;
        let law = Self::INFO.id;
        let stiffness = reader.hertz_stiffness()?;
        let exponent = reader.number("exponent")?.unwrap_or(1.5);
        let given = [reader.number("alpha")?, reader.number("dissipation")?, reader.number("damping")?];
        if given.iter().flatten().count() > 1 {
            return Err(ParamError::Conflict { law, names: "one of alpha, dissipation, damping" });
        }
        let by_alpha = |alpha: f64| 1.5 * alpha * stiffness;
        let compression = match given {
            [_, Some(a), _] => param::not_negative(law, "dissipation", a, "s/m")? * stiffness,
            [_, _, Some(lambda)] => lambda,
            [alpha, ..] => by_alpha(param::not_negative(law, "alpha", alpha.unwrap_or(0.0), "s/m")?),
        };
        let restoration = match reader.number("alpha_restitution")? {
            Some(alpha) => by_alpha(param::not_negative(law, "alpha_restitution", alpha, "s/m")?),
            None => compression,
        };
        let powers = [reader.number("p")?.unwrap_or(exponent), reader.number("q")?.unwrap_or(1.0)];
        let tension = [Tension::Cut, Tension::Keep][reader.choice("tension", &["cut", "keep"])?];
        Self::general(stiffness, exponent, [compression, restoration], powers, tension)
    }

    /// The impact on this law in closed form, for p = n and q = 1.
    pub fn proportional(&self) -> Option<ProportionalImpact> {
        let closed = self.depth_power.value() == self.exponent.value() && self.rate_power.value() == 1.0;
        let [compression, restoration] = self.damping.map(|lambda| lambda / self.stiffness);
        let spring = Spring::Power { stiffness: self.stiffness, exponent: self.exponent.value() };
        closed.then_some(ProportionalImpact { spring, compression, restoration })
    }

    /// The motion in closed form, where there is one.
    pub fn forecast(&self, impact: &Impact) -> Forecast {
        self.proportional().map(|law| law.forecast(impact)).unwrap_or_default()
    }
}

impl<T: Real> HuntCrossley<T> {
    /// Stiffness, N/mⁿ.
    pub fn stiffness(&self) -> T {
        self.stiffness
    }
    /// Exponent n.
    pub fn exponent(&self) -> T {
        self.exponent.value()
    }
    /// a = λ/k while compressing, s/m.
    pub fn dissipation(&self) -> T {
        self.damping[0] / self.stiffness
    }
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> HuntCrossley<U> {
        HuntCrossley {
            stiffness: f(self.stiffness),
            exponent: Exponent::new(f(self.exponent.value())),
            damping: self.damping.map(&mut *f),
            depth_power: Exponent::new(f(self.depth_power.value())),
            rate_power: Exponent::new(f(self.rate_power.value())),
            tension: self.tension,
            is_plain: false,
        }
        .noting_the_plain_case()
    }

    /// The law by the type of its commonest case, if it is that.
    #[inline(always)]
    pub fn plain(&self) -> Option<PlainHuntCrossley<T>> {
        let Self { stiffness, damping: [damping, _], is_plain, .. } = *self;
        is_plain.then_some(PlainHuntCrossley { stiffness, damping })
    }

    fn noting_the_plain_case(self) -> Self {
        let is_plain = matches!(self.exponent, Exponent::ThreeHalves)
            && matches!(self.depth_power, Exponent::ThreeHalves)
            && matches!(self.rate_power, Exponent::One)
            && (self.damping[0] - self.damping[1]).is_exactly(0.0)
            && self.tension == Tension::Cut;
        Self { is_plain, ..self }
    }

    /// Whether the force has a kink where the rate changes its sign: two dampings, or a power of the rate.
    fn bends_at_rest(&self) -> bool {
        !(matches!(self.rate_power, Exponent::One) && (self.damping[0] - self.damping[1]).is_exactly(0.0))
    }

    /// Elastic force and viscous force for a depth ≥ 0.
    #[inline]
    fn parts(&self, depth: T, rate: T) -> (T, T) {
        let power = self.exponent.of(depth);
        let lambda = select(rate.simd_gt(T::lit(0.0)), self.damping[0], self.damping[1]);
        // p = n shares the power already computed
        let depth_factor = if self.depth_power == self.exponent { power } else { self.depth_power.of(depth) };
        let rate_factor = match self.rate_power {
            Exponent::One => rate,
            general => general.of(rate.abs()).simd_copysign(rate),
        };
        (self.stiffness * power, lambda * depth_factor * rate_factor)
    }
}

impl<T: Real> NormalLaw<T> for HuntCrossley<T> {
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn pulls(&self) -> bool {
        self.tension == Tension::Keep
    }
    fn switch_count(&self) -> usize {
        if self.bends_at_rest() { 2 } else { 1 }
    }
    fn switches(&self, at: &Indent<T>, _z: &[T], _phase: Phase, g: &mut [T]) {
        let (elastic, viscous) = self.parts(at.depth.positive(), at.rate);
        g[0] = elastic + viscous;
        if let Some(rest) = g.get_mut(1) {
            *rest = at.rate;
        }
    }
    #[inline(always)]
    fn eval(&self, at: &Indent<T>, _z: &[T], _phase: Phase, _zdot: &mut [T]) -> NormalOut<T> {
        if let Some(plain) = self.plain() {
            return plain.eval(at, &[], Phase::Touching, &mut []);
        }
        self.eval_general(*at)
    }
}

/// The law with n = p = 3/2, q = 1, one damping and no tension: its type says so, and a loop over contacts vectorises.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlainHuntCrossley<T> {
    stiffness: T,
    damping: T,
}

impl<T: Real> NormalLaw<T> for PlainHuntCrossley<T> {
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    #[inline(always)]
    fn eval(&self, at: &Indent<T>, _z: &[T], _phase: Phase, _zdot: &mut [T]) -> NormalOut<T> {
        let depth = at.depth.positive();
        let power = depth * depth.sqrt();
        let elastic = self.stiffness * power;
        let viscous = self.damping * power * at.rate;
        NormalOut::unilateral(elastic, viscous, T::lit(0.4) * elastic * depth, at.rate)
    }
}

impl<T: Real> HuntCrossley<T> {
    /// Any powers. `at` comes as a copy: what the other laws see may stay in registers.
    #[inline(never)]
    fn eval_general(&self, at: Indent<T>) -> NormalOut<T> {
        let depth = at.depth.positive();
        let (elastic, viscous) = self.parts(depth, at.rate);
        let stored = elastic * depth / (self.exponent.value() + T::lit(1.0));
        match self.tension {
            Tension::Cut => NormalOut::unilateral(elastic, viscous, stored, at.rate),
            Tension::Keep => NormalOut::bilateral(elastic, viscous, stored, at.rate),
        }
        // a power p = 0 would act across a gap
        .only_where(at.overlaps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn force_has_the_value_of_its_equation() {
        let law = HuntCrossley::new(2e6, 1.5, 0.4).unwrap();
        let out = law.eval(&Indent::point(1e-3, 0.25), &[], Phase::Touching, &mut []);
        assert!((out.force - 2e6 * 1e-3f64.powf(1.5) * 1.1).abs() < 1e-12);
        assert_eq!(law.eval(&Indent::point(-1e-3, 1.0), &[], Phase::Open, &mut []), NormalOut::none());
    }

    #[test]
    fn alpha_and_dissipation_and_damping_agree() {
        let base = Params::new().set("stiffness", 1e6);
        let a = HuntCrossley::from_params(&base.clone().set("alpha", 0.2)).unwrap();
        let b = HuntCrossley::from_params(&base.clone().set("dissipation", 0.3)).unwrap();
        let c = HuntCrossley::from_params(&base.set("damping", 0.3e6)).unwrap();
        assert!((a.dissipation() - 0.3).abs() < 1e-15);
        assert!((b.dissipation() - 0.3).abs() < 1e-15 && (c.dissipation() - 0.3).abs() < 1e-15);
    }

    #[test]
    fn asked_restitution_is_forecast() {
        for e in [0.01, 0.2, 0.5, 0.9, 1.0] {
            let law = HuntCrossley::from_restitution(1e6, 1.5, e, 2.0).unwrap();
            let out = law.forecast(&Impact::new(0.3, 2.0)).restitution.unwrap();
            assert!((out - e).abs() < 1e-14);
        }
    }

    #[test]
    fn other_powers_have_no_closed_form() {
        let law = HuntCrossley::general(1e6, 1.5, [3e3; 2], [0.25, 1.0], Tension::Cut).unwrap();
        assert_eq!(law.forecast(&Impact::new(1.0, 1.0)), Forecast::default());
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        testing::check_normal(&HuntCrossley::new(1e6, 1.5, 0.6).unwrap().into());
        testing::check_normal(&HuntCrossley::new(1e5, 1.0, 3.0).unwrap().into());
        for tension in [Tension::Cut, Tension::Keep] {
            let law = HuntCrossley::general(1e6, 1.3, [4e5, 9e5], [0.5, 1.7], tension).unwrap();
            testing::check_normal(&law.into());
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = HuntCrossley::new(1e6, 1.5, -0.2).unwrap_err().to_string();
        assert_eq!(error, "hunt-crossley: dissipation = -0.2 s/m must be >= 0");
        let both = Params::new().set("stiffness", 1.0).set("alpha", 0.1).set("damping", 1.0);
        let error = HuntCrossley::from_params(&both).unwrap_err().to_string();
        assert_eq!(error, "hunt-crossley: give only one of alpha, dissipation, damping");
    }
}
