//! Seven-parameter bristle friction whose break-away force grows with the time at rest.
//!
//! ```text
//! s = exp(−|v|²/v_S²)                                     1 at rest, 0 when sliding
//! ṡ_dw = (s − s_dw)/τ_dw  if s ≥ s_dw,  (s − s_dw) σ₀/σ₁  otherwise
//! f_max = f_C + (f_S − f_C) s_dw                          f_C = μ_k N,  f_S = μ_s N
//! ```
//!
//! μ_s `static` · μ_k `kinetic` · σ₀ `stiffness` N/m · σ₁ `damping` N s/m · σ₂ `viscous` N s/m ·
//! v_S `stribeck_speed` m/s · τ_dw `dwell_time` s · v_ε `direction_speed` m/s (as-printed only). States: bristle z, m
//! (three components), and `dwell` s_dw in [0, 1]. `variant`:
//!
//! * "passive" (default): the bristle holds up to f_max and gives way beyond, f = −(sat(σ₀z + σ₁v, f_max) + σ₂v):
//!   the clutch element with the limit f_max. |z| is limited to f_max/σ₀, excess motion is slip. Same steady
//!   sliding and same break-away as printed, no drift, passive at every instant.
//! * "as-printed": ż = s v + (1−s)[f_C dir(v) − σ₀z]/σ₁ and f = −(sat(σ₀z + σ₁ż, f_max) + σ₂v), Eq. 15–26. The second term
//!   moves the bristle without the body moving: it drifts (2.86e-8 m per cycle with Table I under a push of
//!   0.40 + 0.08 sin 4πt N against a limit of 1 N, 1e-7 to 8e-7 m under stronger ones) and stretches by itself when the load grows, which creates energy.
//!
//! dir(v) is v/|v|, smoothed below v_ε with the printed factor |v|/v_ε (errata Gonthier 3: it matters below 1e-6 m).
//! Source: Gonthier, McPhee, Lange & Piedbœuf (2004), Eq. 15–26.

use super::clutch::Clutch;
use crate::law::{put_vector, vector_at};
use crate::param::{self, shared};
use crate::{
    FrictionLaw, FrictionOut, LawInfo, Losses, ParamError, ParamInfo, Params, Promise, Slip, StateInfo,
};
use bristle_math::{Real, SafeNorm, Vector3, select};

const DWELL: usize = 3;

/// Which form of the law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BristleForm {
    /// Holds up to the limit, then slips.
    Passive,
    /// The published blend of sticking and sliding.
    AsPrinted,
}

/// Parameters of [`DwellBristle`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DwellBristleParams<T> {
    /// μ_s.
    pub static_: T,
    /// μ_k.
    pub kinetic: T,
    /// σ₀, N/m.
    pub stiffness: T,
    /// σ₁, N s/m.
    pub damping: T,
    /// σ₂, N s/m.
    pub viscous: T,
    /// v_S, m/s.
    pub stribeck_speed: T,
    /// τ_dw, s.
    pub dwell_time: T,
    /// v_ε, m/s.
    pub direction_speed: T,
}

/// Bristle friction with dwell time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DwellBristle<T> {
    p: DwellBristleParams<T>,
    form: BristleForm,
}

impl DwellBristle<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "dwell-bristle",
        title: "bristle whose break-away force grows with the time at rest",
        equation: "f = −(sat(σ₀z + σ₁ż, f_max(s_dw)) + σ₂v)",
        source: "Gonthier, McPhee, Lange & Piedbœuf 2004, Eq. 15-26",
        promise: "passive at every instant, no creep; as-printed: not passive, drifts",
        valid: "stick-slip of slow machines, break-away that depends on the time at rest, varying load",
        fails: "the constant stiffness σ₀ does not know the load: give it for the load of the task; the dwell state fills with one time constant, where measurements show the logarithm of the time; as-printed drifts (2.9e-8 m per cycle with Table I) and creates energy when the load changes",
        theory: include_str!("dwell_bristle.md"),
        params: &[
            shared::STATIC,
            ParamInfo {
                name: "kinetic",
                symbol: "μ_k",
                unit: "",
                default: None,
                about: "kinetic coefficient, at most static",
            },
            ParamInfo {
                name: "stiffness",
                symbol: "σ₀",
                unit: "N/m",
                default: None,
                about: "bristle stiffness",
            },
            ParamInfo {
                name: "damping",
                symbol: "σ₁",
                unit: "N s/m",
                default: None,
                about: "bristle damping",
            },
            ParamInfo {
                name: "viscous",
                symbol: "σ₂",
                unit: "N s/m",
                default: Some("0"),
                about: "viscous friction",
            },
            ParamInfo {
                name: "stribeck_speed",
                symbol: "v_S",
                unit: "m/s",
                default: None,
                about: "speed that separates sticking from sliding",
            },
            ParamInfo {
                name: "dwell_time",
                symbol: "τ_dw",
                unit: "s",
                default: None,
                about: "time at rest over which static friction builds up",
            },
            ParamInfo {
                name: "direction_speed",
                symbol: "v_ε",
                unit: "m/s",
                default: Some("stribeck_speed/100"),
                about: "speed below which the sliding direction is smoothed (as-printed)",
            },
            ParamInfo {
                name: "variant",
                symbol: "",
                unit: "",
                default: Some("passive"),
                about: "\"passive\", or \"as-printed\" (drifts, can create energy)",
            },
        ],
        knobs: None,
    };

    /// Checked parameters.
    pub fn new(p: DwellBristleParams<f64>, form: BristleForm) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        param::not_negative(law, "kinetic", p.kinetic, "")?;
        if p.kinetic > param::not_negative(law, "static", p.static_, "")? {
            return Err(ParamError::range(law, "kinetic", p.kinetic, "", "<= static"));
        }
        param::positive(law, "stiffness", p.stiffness, "N/m")?;
        param::positive(law, "damping", p.damping, "N s/m")?;
        param::not_negative(law, "viscous", p.viscous, "N s/m")?;
        param::positive(law, "stribeck_speed", p.stribeck_speed, "m/s")?;
        param::positive(law, "dwell_time", p.dwell_time, "s")?;
        param::positive(law, "direction_speed", p.direction_speed, "m/s")?;
        Ok(Self { p, form })
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        let stribeck_speed = p.required("stribeck_speed")?;
        let form = [BristleForm::Passive, BristleForm::AsPrinted]
            [p.choice("variant", &["passive", "as-printed"])?];
        let values = DwellBristleParams {
            static_: p.required("static")?,
            kinetic: p.required("kinetic")?,
            stiffness: p.required("stiffness")?,
            damping: p.required("damping")?,
            viscous: p.number("viscous")?.unwrap_or(0.0),
            stribeck_speed,
            dwell_time: p.required("dwell_time")?,
            direction_speed: p.number("direction_speed")?.unwrap_or(stribeck_speed / 100.0),
        };
        Self::new(values, form)
    }
}

impl<T: Real> DwellBristle<T> {
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> DwellBristle<U> {
        let p = &self.p;
        DwellBristle {
            p: DwellBristleParams {
                static_: f(p.static_),
                kinetic: f(p.kinetic),
                stiffness: f(p.stiffness),
                damping: f(p.damping),
                viscous: f(p.viscous),
                stribeck_speed: f(p.stribeck_speed),
                dwell_time: f(p.dwell_time),
                direction_speed: f(p.direction_speed),
            },
            form: self.form,
        }
    }

    /// s: 1 at rest, 0 when sliding.
    #[inline]
    fn stick(&self, v: &Vector3<T>) -> T {
        (-v.dot(v) / self.p.stribeck_speed.squared()).exp()
    }

    #[inline]
    fn clutch(&self, load: T, dwell: T) -> Clutch<T> {
        let p = &self.p;
        Clutch {
            stiffness: p.stiffness,
            damping: p.damping,
            limit: load * (p.kinetic + (p.static_ - p.kinetic) * dwell),
            viscous: T::lit(0.0),
        }
    }

    /// Eq. 19–26: bristle rate, force before viscous friction, losses before viscous friction.
    #[inline]
    fn printed(
        &self,
        at: &Slip<T>,
        z: &Vector3<T>,
        stick: T,
        limit: T,
    ) -> (Vector3<T>, Vector3<T>, Losses<T>) {
        let p = &self.p;
        let v = at.velocity;
        let (one, half) = (T::lit(1.0), T::lit(0.5));
        let speed = v.norm_eps();
        let r = (speed / p.direction_speed).min(one);
        // v/|v| above v_ε; below, the printed (3/2 − r²/2) with its superfluous factor r
        let direction = v / speed * (r.squared() * (T::lit(1.5) - half * r.squared()));
        let sliding = (direction * (p.kinetic * at.load) - z * p.stiffness) / p.damping;
        let rate = v * stick + sliding * (one - stick);
        let bristle = z * p.stiffness + rate * p.damping;
        let size = bristle.norm_eps();
        let force = bristle * (limit / size).min(one);
        let losses = Losses {
            damper: p.damping * rate.dot(&rate),
            clutch: force.dot(&v) - bristle.dot(&rate),
            ..Losses::none()
        };
        (rate, force, losses)
    }
}

impl<T: Real> FrictionLaw<T> for DwellBristle<T> {
    fn states(&self) -> &'static [StateInfo] {
        const Z: StateInfo = StateInfo { name: "z_x", unit: "m", scale: 1e-6 };
        &[
            Z,
            StateInfo { name: "z_y", ..Z },
            StateInfo { name: "z_z", ..Z },
            StateInfo { name: "dwell", unit: "1", scale: 1.0 },
        ]
    }
    fn promise(&self) -> Promise {
        match self.form {
            BristleForm::Passive => Promise::Pointwise,
            BristleForm::AsPrinted => Promise::Nothing,
        }
    }
    fn switch_count(&self) -> usize {
        2
    }
    fn switches(&self, at: &Slip<T>, z: &[T], g: &mut [T]) {
        let clutch = self.clutch(at.load, z[DWELL]);
        let stick = self.stick(&at.velocity);
        g[0] = match self.form {
            BristleForm::Passive => clutch.slipping(&vector_at(z), &at.velocity),
            BristleForm::AsPrinted => {
                let bristle = vector_at(z);
                let (rate, ..) = self.printed(at, &bristle, stick, clutch.limit);
                (bristle * self.p.stiffness + rate * self.p.damping).norm_eps() - clutch.limit
            }
        };
        g[1] = z[DWELL] - stick;
    }
    #[inline(always)]
    fn eval(&self, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
        let p = &self.p;
        let v = at.velocity;
        let bristle = vector_at(z);
        let stick = self.stick(&v);
        let gap = stick - z[DWELL];
        zdot[DWELL] =
            gap * select(gap.simd_ge(T::lit(0.0)), T::lit(1.0) / p.dwell_time, p.stiffness / p.damping);
        let clutch = self.clutch(at.load, z[DWELL]);
        let (rate, force, losses) = match self.form {
            BristleForm::Passive => {
                let pull = clutch.pull(&bristle, &v);
                (pull.stretch_rate, pull.force, pull.losses)
            }
            BristleForm::AsPrinted => self.printed(at, &bristle, stick, clutch.limit),
        };
        put_vector(zdot, &rate);
        FrictionOut {
            force: -(force + v * p.viscous),
            stored: T::lit(0.5) * p.stiffness * bristle.dot(&bristle),
            losses: Losses { viscous: p.viscous * v.dot(&v), ..losses },
            ..FrictionOut::none()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::testing::{Motion, friction_work, slip};

    fn law(form: BristleForm) -> DwellBristle<f64> {
        let p = DwellBristleParams {
            static_: 0.15,
            kinetic: 0.1,
            stiffness: 1e5,
            damping: (1e5f64).sqrt(),
            viscous: 0.1,
            stribeck_speed: 1e-3,
            dwell_time: 2.0,
            direction_speed: 1e-5,
        };
        DwellBristle::new(p, form).unwrap()
    }

    #[test]
    fn steady_sliding_has_the_kinetic_force() {
        for form in [BristleForm::Passive, BristleForm::AsPrinted] {
            let mut zdot = [1.0; 4];
            let out = law(form).eval(&slip(0.1, 10.0), &[1.0 / 1e5, 0.0, 0.0, 0.0], &mut zdot);
            assert!((out.force.x + 1.0 + 0.1 * 0.1).abs() < 1e-12);
            assert!(zdot[0].abs() < 1e-12);
        }
    }

    #[test]
    fn a_long_rest_raises_the_break_away_force() {
        for form in [BristleForm::Passive, BristleForm::AsPrinted] {
            let hold = |dwell: f64| {
                let z = [1.0, 0.0, 0.0, dwell]; // stretched far beyond the limit
                -law(form).eval(&slip(0.0, 10.0), &z, &mut [0.0; 4]).force.x
            };
            assert!((hold(1.0) - 1.5).abs() < 1e-12 && (hold(0.0) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn dwell_builds_up_slowly_and_collapses_fast() {
        let rate = |v: f64, dwell: f64| {
            let mut zdot = [0.0; 4];
            law(BristleForm::Passive).eval(&slip(v, 10.0), &[0.0, 0.0, 0.0, dwell], &mut zdot);
            zdot[3]
        };
        assert!((rate(0.0, 0.0) - 0.5).abs() < 1e-12, "1/τ_dw");
        assert!((rate(1.0, 1.0) + 1e5 / 1e5f64.sqrt()).abs() < 1e-9, "σ₀/σ₁");
    }

    /// Work of sliding out at low load, raising the load at the end, and coming back slowly: a closed path.
    fn slide_load_return(form: BristleForm) -> f64 {
        let (low, high, slide, back) = (1.0, 190.0, 2.5e-3, 8e-7);
        let (raised, turned) = (0.06, 0.076);
        let duration = turned + turned * slide / back;
        let path = |t: f64| Motion {
            load: if t < raised { low } else { high },
            velocity: if t < turned { slide } else { -back },
            ..Motion::default()
        };
        friction_work(&law(form), path, duration, 480_000).net
    }

    #[test]
    fn the_printed_bristle_creates_energy_and_the_passive_one_does_not() {
        let printed = slide_load_return(BristleForm::AsPrinted);
        let passive = slide_load_return(BristleForm::Passive);
        // The bristle stretches by itself to μ_k N/σ₀ when the load is raised: up to ½(μ_k N)²/σ₀ for nothing.
        let stretched = 0.5 * 19.0 * 19.0 / 1e5;
        assert!(printed < -0.25 * stretched, "work {printed:.3e} J: energy out of a closed path");
        assert!(passive > 0.0, "work {passive:.3e} J");
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        testing::check_friction(&law(BristleForm::Passive));
        testing::check_friction(&law(BristleForm::AsPrinted));
    }

    #[test]
    fn bad_parameters_are_named() {
        let bad = DwellBristleParams { dwell_time: 0.0, ..law(BristleForm::Passive).p };
        let error = DwellBristle::new(bad, BristleForm::Passive).unwrap_err().to_string();
        assert_eq!(error, "dwell-bristle: dwell_time = 0 s must be > 0 and finite");
    }
}
