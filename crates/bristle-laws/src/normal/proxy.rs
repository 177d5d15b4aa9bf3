//! Rigid unilateral contact as an ordinary differential equation.
//!
//! ```text
//! ė = max(−e/β, −(g + e)/α)        f = K max(0, e − β(g + e)/α)        g = −depth, the gap
//! in contact:   f = K(e + βė)   U = ½K[g² + α(β−α)ė²]   D = K(β−α)ė²
//! released:     f = 0           U = ½K e²(β−α)/β        D = K(β−α)(e/β)²
//! ```
//!
//! K `stiffness` N/m · α `alpha` s · β `beta` s, α ≤ β. State: `proxy` e, m, which lives on after separation
//! and is dropped at 1e-12 m.
//!
//! In contact the motion of a mass m is linear of third order, αs³ + s² + βω²s + ω² = 0 with ω² = K/m, so it is
//! known in closed form and lift-off is one scalar root. Restitution does not depend on speed. α = β is an
//! elastic spring (e = 1 exactly); α → 0 is `kelvin-voigt` with b = βK, cut at zero force, whose restitution is
//! the smallest that K and β allow; in between e rises with α. α > β would add energy and is refused.
//! Source: Xiong, Kikuuwe & Yamamoto (2013), Eq. 14–15; energies and restitution are ours.

use crate::param::{self, Knob};
use crate::{
    Forecast, Impact, Indent, Knobs, LawInfo, NormalLaw, NormalOut, ParamError, ParamInfo, Params, Phase,
    Promise, StateInfo,
};
use bristle_math::{Real, root, select};
use nalgebra::{Matrix3, Vector3};

/// Proxy below which a released contact counts as recovered, m.
const GONE: f64 = 1e-12;
const PROXY: usize = 0;

/// Unilateral contact by a proxy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proxy<T> {
    stiffness: T,
    alpha: T,
    beta: T,
}

impl Proxy<f64> {
    /// Name, parameters and source.
    pub const INFO: LawInfo = LawInfo {
        id: "proxy",
        title: "rigid contact as a differential equation",
        equation: "f = K max(0, e − β(g + e)/α),  ė = max(−e/β, −(g + e)/α)",
        source: "Xiong, Kikuuwe & Yamamoto 2013, Eq. 14-15",
        promise: "passive at every instant",
        valid: "nearly rigid contact at given steps, hardware in the loop, many simultaneous contacts; restitution the same at every speed",
        fails: "its three numbers are no material data and know no shape; restitution has a lower bound, that of kelvin-voigt with b = βK; a body that comes back within some β meets the surface before it has recovered",
        theory: include_str!("proxy.md"),
        params: &[
            ParamInfo {
                name: "stiffness",
                symbol: "K",
                unit: "N/m",
                default: None,
                about: "static stiffness",
            },
            ParamInfo {
                name: "alpha",
                symbol: "α",
                unit: "s",
                default: None,
                about: "time constant of the proxy in contact, at most beta; alpha = beta is elastic",
            },
            ParamInfo {
                name: "beta",
                symbol: "β",
                unit: "s",
                default: None,
                about: "time constant of the proxy after release; sets the damping",
            },
        ],
        knobs: Some(Knobs { damping: Some(Knob::DownFrom("alpha", "beta")), stiffness: "stiffness" }),
    };

    /// K in N/m, α and β in s.
    pub fn new(stiffness: f64, alpha: f64, beta: f64) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        param::positive(law, "alpha", alpha, "s")?;
        param::positive(law, "beta", beta, "s")?;
        if alpha > beta {
            return Err(ParamError::range(law, "alpha", alpha, "s", "<= beta: a larger one adds energy"));
        }
        Ok(Self { stiffness: param::positive(law, "stiffness", stiffness, "N/m")?, alpha, beta })
    }

    /// The α that gives restitution e to a body of `mass`, with K and β given.
    pub fn from_restitution(stiffness: f64, beta: f64, e: f64, mass: f64) -> Result<Self, ParamError> {
        let law = Self::INFO.id;
        param::positive(law, "mass", mass, "kg")?;
        let elastic = Self::new(stiffness, beta, beta)?;
        let low = elastic.smallest_restitution(mass);
        if !(e > low && e <= 1.0) {
            return Err(ParamError::Unreachable { law, what: "restitution", wanted: e, low, high: 1.0 });
        }
        let miss = |share: f64| Proxy { alpha: share * beta, ..elastic }.lift_off(mass, 1.0).1 - e;
        let share = root::find(miss, 1e-7, 1.0, 1e-15).unwrap_or(1.0);
        Self::new(stiffness, share * beta, beta)
    }

    /// Builds from named parameters.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let p = params.read(&Self::INFO)?;
        Self::new(p.required("stiffness")?, p.required("alpha")?, p.required("beta")?)
    }

    /// The restitution that α → 0 approaches for a body of `mass` with this K and β.
    pub fn smallest_restitution(&self, mass: f64) -> f64 {
        super::KelvinVoigt::new(self.stiffness, self.beta * self.stiffness, super::Tension::Cut)
            .ok()
            .and_then(|law| law.forecast(&Impact::new(mass, 1.0)).restitution)
            .unwrap_or(0.0)
    }

    /// (gap, its rate, proxy) after `t` in contact, from touchdown at `speed`: exp of a 3 × 3 matrix.
    fn motion(&self, mass: f64, speed: f64, t: f64) -> Vector3<f64> {
        let (k, a, b) = (self.stiffness / mass, self.alpha, self.beta);
        let matrix = Matrix3::new(
            0.0,
            1.0,
            0.0, //
            -k * b / a,
            0.0,
            k * (1.0 - b / a), //
            -1.0 / a,
            0.0,
            -1.0 / a,
        );
        // in units of the natural time, so that the exponential sees numbers of order one
        (matrix * t).exp() * Vector3::new(0.0, -speed, 0.0)
    }

    fn force_at(&self, state: &Vector3<f64>) -> f64 {
        self.stiffness * (state[2] - self.beta / self.alpha * (state[0] + state[2]))
    }

    /// Time of lift-off and speed after it.
    fn lift_off(&self, mass: f64, speed: f64) -> (f64, f64) {
        let natural = (mass / self.stiffness).sqrt();
        let force = |t: f64| self.force_at(&self.motion(mass, speed, t));
        // The force is one bump, at most half a period long: the first change of sign ends it.
        let step = 0.05 * natural;
        let mut t = step;
        while force(t) > 0.0 && t < 100.0 * natural {
            t += step;
        }
        let t = root::find(force, (t - step).max(0.25 * step), t, 0.0).unwrap_or(t);
        (t, self.motion(mass, speed, t)[1])
    }

    /// Lift-off in closed form, and the extremes of depth and force on the way.
    pub fn forecast(&self, impact: &Impact) -> Forecast {
        let (m, v) = (impact.mass, impact.speed);
        let (end, rebound) = self.lift_off(m, v);
        let turn = root::find(|t| self.motion(m, v, t)[1], 0.0, end, 0.0).unwrap_or(end);
        // ḟ = K(ė + βë) changes sign once, at the peak
        let force_rate = |t: f64| {
            let s = self.motion(m, v, t);
            let e_dot = -(s[0] + s[2]) / self.alpha;
            e_dot - self.beta / self.alpha * (s[1] + e_dot)
        };
        let peak = root::find(force_rate, 0.0, end, 0.0).unwrap_or(turn);
        let at_peak = self.motion(m, v, peak);
        Forecast {
            restitution: Some(rebound / v),
            peak_depth: Some(-self.motion(m, v, turn)[0]),
            peak_force: Some(self.force_at(&at_peak)),
            depth_at_peak_force: Some(-at_peak[0]),
            rate_at_peak_force: Some(-at_peak[1]),
            compression_time: Some(turn),
            duration: Some(end),
        }
    }
}

impl<T: Real> Proxy<T> {
    /// K, N/m.
    pub fn stiffness(&self) -> T {
        self.stiffness
    }
    /// α, s.
    pub fn alpha(&self) -> T {
        self.alpha
    }
    /// β, s.
    pub fn beta(&self) -> T {
        self.beta
    }
    /// The same law on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Proxy<U> {
        Proxy { stiffness: f(self.stiffness), alpha: f(self.alpha), beta: f(self.beta) }
    }

    /// e − β(g + e)/α: the force over K before the cut.
    #[inline]
    fn reach(&self, depth: T, proxy: T) -> T {
        proxy - self.beta / self.alpha * (proxy - depth)
    }
}

impl<T: Real> NormalLaw<T> for Proxy<T> {
    fn states(&self) -> &'static [StateInfo] {
        &[StateInfo { name: "proxy", unit: "m", scale: 1e-5 }]
    }
    fn promise(&self) -> Promise {
        Promise::Pointwise
    }
    fn is_spent(&self, z: &[T]) -> bool {
        z[PROXY].max(T::lit(GONE)).is_exactly(GONE)
    }
    fn switch_count(&self) -> usize {
        1
    }
    fn switches(&self, at: &Indent<T>, z: &[T], _phase: Phase, g: &mut [T]) {
        g[0] = self.reach(at.depth, z[PROXY]);
    }
    #[inline(always)]
    fn eval(&self, at: &Indent<T>, z: &[T], phase: Phase, zdot: &mut [T]) -> NormalOut<T> {
        // Before touchdown there is no proxy: a trial stage sees the one of an untouched surface.
        let proxy = if phase == Phase::Open { T::lit(0.0) } else { z[PROXY] };
        let reach = self.reach(at.depth, proxy);
        let pushes = reach.simd_gt(T::lit(0.0));
        let gap = -at.depth;
        let spread = self.beta - self.alpha;
        let rate = select(pushes, -(gap + proxy) / self.alpha, -proxy / self.beta);
        if let Some(slot) = zdot.get_mut(PROXY) {
            *slot = rate;
        }
        let half = T::lit(0.5) * self.stiffness;
        let touching = half * (gap.squared() + self.alpha * spread * rate.squared());
        let released = half * proxy.squared() * spread / self.beta;
        let force = self.stiffness * reach.positive();
        NormalOut {
            force,
            elastic: self.stiffness * at.depth.positive(),
            stored: select(pushes, touching, released),
            dissipated: self.stiffness * spread * rate.squared(),
            bed_damping: T::lit(0.0),
            even: T::lit(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn equal_time_constants_are_a_spring() {
        let f = Proxy::new(1e4, 0.01, 0.01).unwrap().forecast(&Impact::new(1.0, 1.4));
        assert!((f.restitution.unwrap() - 1.0).abs() < 1e-13);
        assert!((f.duration.unwrap() - std::f64::consts::PI * 0.01).abs() < 1e-13);
        assert!((f.peak_depth.unwrap() - 0.014).abs() < 1e-14);
    }

    #[test]
    fn a_vanishing_alpha_is_a_cut_kelvin_voigt() {
        let law = Proxy::new(1e4, 1e-7, 0.01).unwrap();
        let e = law.forecast(&Impact::new(1.0, 1.0)).restitution.unwrap();
        // first order in α: 1e-5 of a natural time
        assert!((e - law.smallest_restitution(1.0)).abs() < 2e-5, "{e}");
    }

    #[test]
    fn restitution_is_inverted_and_its_range_named() {
        for e in [0.35, 0.5, 0.9, 0.999, 1.0] {
            let law = Proxy::from_restitution(1e4, 0.01, e, 1.0).unwrap();
            assert!((law.forecast(&Impact::new(1.0, 2.0)).restitution.unwrap() - e).abs() < 1e-12, "{e}");
        }
        let error = Proxy::from_restitution(1e4, 0.01, 0.1, 1.0).unwrap_err().to_string();
        assert!(
            error.starts_with("proxy: restitution = 0.1 cannot be reached; the reachable range is 0.298"),
            "{error}"
        );
    }

    #[test]
    fn energies_meet_where_the_contact_lets_go() {
        let law = Proxy::new(1e4, 0.004, 0.01).unwrap();
        let proxy = 1e-3;
        let depth = proxy * (1.0 - 0.4); // f = 0: g = e(α/β − 1)
        let stored = |d: f64| law.eval(&Indent::point(d, 0.0), &[proxy], Phase::Touching, &mut [0.0]).stored;
        assert!((stored(depth * (1.0 + 1e-12)) / stored(depth * (1.0 - 1e-12)) - 1.0).abs() < 1e-10);
    }

    #[test]
    fn passes_the_checks_of_every_law() {
        for share in [0.1, 0.5, 1.0] {
            testing::check_normal(&Proxy::new(1e4, 0.01 * share, 0.01).unwrap().into());
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = Proxy::new(1e4, 0.02, 0.01).unwrap_err().to_string();
        assert_eq!(error, "proxy: alpha = 0.02 s must be <= beta: a larger one adds energy");
    }
}
