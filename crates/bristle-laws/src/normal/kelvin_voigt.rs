//! A linear spring and a linear damper side by side.
//!
//! ```text
//! f = k x + b v            U = ½ k x²      D = b v²      (cut at zero: D = −k x v while f = 0)
//! ```
//!
//! k `stiffness` N/m · b `damping` N s/m · `tension` "cut" (default) or "keep".
//!
//! Closed forms with ω = √(k/m), ζ = b/(2mω) and R = acos ζ/√(1−ζ²) (acosh ζ/√(ζ²−1) for ζ > 1):
//!
//! ```text
//! cut at zero force:   e = exp(−2ζR)        ends at t = 2R/ω               any ζ ≥ 0, so any e in (0, 1]
//! kept to zero depth:  e = exp(−πζ/√(1−ζ²)) ends at t = π/(ω√(1−ζ²))      ζ < 1
//! deepest:             x = (v/ω) exp(−ζR)  at t = R/ω
//! largest force:       f = m v ω exp(−ζ t'), t' = 3R − π/√(1−ζ²) for ζ < ½;  b v at touchdown otherwise
//! ```
//!
//! Fails: the force jumps to b·v at touchdown, and without the cut the contact pulls before it ends.
//! Source: Marhefka & Orin (1996), Eq. 3–4. Their Eq. 4 is the "keep" form; the cut form is exact for a
//! contact that ends when its force does (0.5717 instead of 0.5266 at ζ = 0.2).

use crate::param::{self, Knob, shared};
use crate::{
    Forecast, Impact, Indent, Knobs, LawInfo, NormalLaw, NormalOut, ParamError, ParamInfo, Params, Phase,
    Promise,
};
use bristle_math::{Real, root};
use std::f64::consts::PI;

/// Whether a contact may pull.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tension {
    /// The force is cut at zero.
    Cut,
    /// The textbook form, which pulls before it ends.
    Keep,
}

/// Linear spring and damper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KelvinVoigt<T> {
    stiffness: T,
    damping: T,
    tension: Tension,
}

impl KelvinVoigt<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "kelvin-voigt",
        title: "linear spring and damper",
        equation: "f = k x + b v",
        source: "Marhefka & Orin 1996, Eq. 3-4",
        promise: "passive at every instant",
        valid: "linear springs and bump stops, rests that must be quiet, impacts whose restitution is the same at every speed",
        fails: "the force jumps to b v at touchdown and is largest there beyond half of critical damping; the textbook formula for restitution belongs to \"keep\" and is too low for a contact that cannot pull; the stiffness knows neither shape nor material",
        theory: include_str!("kelvin_voigt.md"),
        params: &[
            ParamInfo {
                name: "stiffness",
                symbol: "k",
                unit: "N/m",
                default: None,
                about: "spring constant",
            },
            ParamInfo {
                name: "damping",
                symbol: "b",
                unit: "N s/m",
                default: Some("0"),
                about: "damper constant",
            },
            shared::TENSION,
        ],
        knobs: Some(Knobs { damping: Some(Knob::Upwards("damping")), stiffness: "stiffness" }),
    };

    /// Spring constant k in N/m, damper constant b in N s/m.
    pub fn new(stiffness: f64, damping: f64, tension: Tension) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        Ok(Self {
            stiffness: param::positive(law, "stiffness", stiffness, "N/m")?,
            damping: param::not_negative(law, "damping", damping, "N s/m")?,
            tension,
        })
    }

    /// The damper that gives restitution e to a body of `mass`, at any speed.
    pub fn from_restitution(stiffness: f64, e: f64, mass: f64, tension: Tension) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        param::positive(law, "mass", mass, "kg")?;
        if !(e > 0.0 && e <= 1.0) {
            return Err(ParamError::range(law, "restitution", e, "", "in (0, 1]"));
        }
        let zeta = match tension {
            // ln e = −2ζR falls from 0 without bound, roughly as −2 ln 2ζ
            Tension::Cut => root::find(|z| 2.0 * z * angle_ratio(z) + e.ln(), 0.0, 1.0 / e, 0.0),
            Tension::Keep => Some(-e.ln() / (PI * PI + e.ln() * e.ln()).sqrt()),
        };
        Self::new(stiffness, 2.0 * zeta.unwrap_or(f64::NAN) * (stiffness * mass).sqrt(), tension)
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        let tension = [Tension::Cut, Tension::Keep][p.choice("tension", &["cut", "keep"])?];
        Self::new(p.required("stiffness")?, p.number("damping")?.unwrap_or(0.0), tension)
    }

    /// The motion in closed form.
    pub fn forecast(&self, impact: &Impact) -> Forecast {
        let omega = (self.stiffness / impact.mass).sqrt();
        let zeta = self.damping / (2.0 * impact.mass * omega);
        let ratio = angle_ratio(zeta);
        let wobble = (1.0 - zeta * zeta).sqrt();
        let touch_force = self.damping * impact.speed;
        let force_time = 3.0 * ratio - PI / wobble;
        let (peak_force, peak_time) = if zeta < 0.5 {
            (impact.mass * impact.speed * omega * (-zeta * force_time).exp(), force_time)
        } else {
            (touch_force, 0.0)
        };
        // x and v at the peak force, in units of v/ω and v
        let swing = wobble * peak_time;
        let decay = (-zeta * peak_time).exp();
        let (x, v) = if peak_time == 0.0 {
            (0.0, 1.0)
        } else {
            (decay * swing.sin() / wobble, decay * (swing.cos() - zeta * swing.sin() / wobble))
        };
        let (restitution, duration) = match self.tension {
            Tension::Cut => (Some((-2.0 * zeta * ratio).exp()), Some(2.0 * ratio / omega)),
            Tension::Keep if zeta < 1.0 => (Some((-PI * zeta / wobble).exp()), Some(PI / wobble / omega)),
            Tension::Keep => (Some(0.0), None), // creeps back for ever
        };
        Forecast {
            restitution,
            peak_depth: Some(impact.speed / omega * (-zeta * ratio).exp()),
            peak_force: Some(peak_force),
            depth_at_peak_force: Some(impact.speed / omega * x),
            rate_at_peak_force: Some(impact.speed * v),
            compression_time: Some(ratio / omega),
            duration,
        }
    }
}

/// acos ζ/√(1−ζ²), continued through ζ = 1 as acosh ζ/√(ζ²−1).
fn angle_ratio(zeta: f64) -> f64 {
    let gap = 1.0 - zeta * zeta;
    if gap.abs() < 1e-6 {
        // 1 + (1−ζ)/3 + 2(1−ζ)²/15
        let u = 1.0 - zeta;
        1.0 + u / 3.0 + 2.0 * u * u / 15.0
    } else if gap > 0.0 {
        zeta.acos() / gap.sqrt()
    } else {
        zeta.acosh() / (-gap).sqrt()
    }
}

impl<T: Real> KelvinVoigt<T> {
    /// Spring constant, N/m.
    pub fn stiffness(&self) -> T {
        self.stiffness
    }
    /// Damper constant, N s/m.
    pub fn damping(&self) -> T {
        self.damping
    }
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> KelvinVoigt<U> {
        KelvinVoigt { stiffness: f(self.stiffness), damping: f(self.damping), tension: self.tension }
    }
}

impl<T: Real> NormalLaw<T> for KelvinVoigt<T> {
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn pulls(&self) -> bool {
        self.tension == Tension::Keep
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, at: &Indent<T>, _z: &[T], _phase: Phase, g: &mut [T]) {
        g[0] = self.stiffness * at.depth + self.damping * at.rate;
    }
    #[inline(always)]
    fn eval(&self, at: &Indent<T>, _z: &[T], _phase: Phase, _zdot: &mut [T]) -> NormalOut<T> {
        let elastic = self.stiffness * at.depth;
        let viscous = self.damping * at.rate;
        let stored = T::lit(0.5) * elastic * at.depth;
        match self.tension {
            Tension::Cut => NormalOut::unilateral(elastic, viscous, stored, at.rate),
            Tension::Keep => NormalOut::bilateral(elastic, viscous, stored, at.rate),
        }
        .only_where(at.overlaps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn restitution_at_a_fifth_of_critical_matches_both_forms() {
        let impact = Impact::new(1.0, 1.0);
        let e = |tension| KelvinVoigt::new(1.0, 0.4, tension).unwrap().forecast(&impact).restitution.unwrap();
        assert!((e(Tension::Keep) - 0.5266).abs() < 5e-5);
        assert!((e(Tension::Cut) - 0.5717).abs() < 5e-5);
    }

    #[test]
    fn restitution_is_inverted_over_the_whole_range() {
        for e in [0.01, 0.05, 0.135, 0.3, 0.7, 0.99, 1.0] {
            for tension in [Tension::Cut, Tension::Keep] {
                let law = KelvinVoigt::from_restitution(2e5, e, 0.7, tension).unwrap();
                let back = law.forecast(&Impact::new(0.7, 3.0)).restitution.unwrap();
                assert!((back - e).abs() < 1e-13, "{e} {back}");
            }
        }
    }

    #[test]
    fn clipped_dashpot_table_is_met() {
        // The damper that gives e without the cut gives these values with it.
        for (e, clipped) in [(0.9, 0.9020), (0.7, 0.7182), (0.5, 0.5503), (0.3, 0.3971), (0.1, 0.2527)] {
            let law = KelvinVoigt::from_restitution(1.0, e, 1.0, Tension::Keep).unwrap();
            let law = KelvinVoigt::new(1.0, law.damping(), Tension::Cut).unwrap();
            let out = law.forecast(&Impact::new(1.0, 1.0)).restitution.unwrap();
            assert!((out - clipped).abs() < 5e-5, "{e} {out}");
        }
    }

    #[test]
    fn critical_damping_is_a_smooth_limit() {
        let at = |zeta: f64| {
            let law = KelvinVoigt::new(1.0, 2.0 * zeta, Tension::Cut).unwrap();
            law.forecast(&Impact::new(1.0, 1.0)).restitution.unwrap()
        };
        assert!((at(1.0) - (-2f64).exp()).abs() < 1e-15);
        assert!((at(1.0 + 1e-6) - at(1.0 - 1e-6)).abs() < 1e-5);
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        for tension in [Tension::Cut, Tension::Keep] {
            for damping in [0.0, 50.0, 5e3] {
                testing::check_normal(&KelvinVoigt::new(1e5, damping, tension).unwrap().into());
            }
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = KelvinVoigt::new(1e5, -1.0, Tension::Cut).unwrap_err().to_string();
        assert_eq!(error, "kelvin-voigt: damping = -1 N s/m must be >= 0");
        assert!(KelvinVoigt::new(f64::NAN, 0.0, Tension::Cut).is_err());
    }
}
