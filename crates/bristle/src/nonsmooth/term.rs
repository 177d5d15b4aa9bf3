//! One contact term and one friction term: force, rate of the proxy, energy.
//!
//! ```text
//! f ∈ dio(ψ)      ė = max(−e/β, −(ψ + e)/α)          f = K max(0, e − β(ψ + e)/α)          Eq. 14–15
//!                 pushing:   U = ½K[ψ² + α(β−α)ė²]   released:   U = ½K e²(β−α)/β          D = K(β−α)ė²
//! f ∈ χ sgn(θ)    ȧ = (sat(χ/K, a + βθ) − a)/β        f = K sat(χ/K, a + βθ)                Eq. 8–10, 21
//!                 U = ½K|a|²                          D = Kβ|ȧ|² + f·(θ − ȧ)
//! ```
//! The same equations as the laws `proxy` and `proxy-coulomb`; a contact term takes α > β too, which adds energy
//! (D < 0), and the ledger then says so.

use super::error::{BuildError, check_positive};
use bristle_laws::normal::Proxy;

/// Parameters of a contact term `dio(ψ)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dio {
    /// K, N/m for a gap in m: static stiffness.
    pub stiffness: f64,
    /// α, s: time constant of the proxy in contact. α = β is elastic; a smaller one dissipates; a larger one adds
    /// energy.
    pub alpha: f64,
    /// β, s: time constant of the proxy after release.
    pub beta: f64,
}

/// Parameters of a friction term `χ sgn(θ)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sgn {
    /// K, N/m for a velocity in m/s: stiffness before sliding.
    pub stiffness: f64,
    /// β, s: time constant of the damper beside that spring.
    pub beta: f64,
}

/// A contact term at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Push {
    pub force: f64,
    /// Rate of the proxy.
    pub rate: f64,
    /// D, W.
    pub lost: f64,
}

impl Dio {
    /// The α that gives a mass (kg) this restitution, with K (N/m) and β (s) given.
    pub fn with_restitution(
        stiffness: f64,
        beta: f64,
        restitution: f64,
        mass: f64,
    ) -> Result<Self, bristle_laws::ParamError> {
        let law = Proxy::from_restitution(stiffness, beta, restitution, mass)?;
        Ok(Self { stiffness, alpha: law.alpha(), beta })
    }

    pub(crate) fn check(&self, term: &str) -> Result<(), BuildError> {
        check_positive(term, "stiffness", self.stiffness)?;
        check_positive(term, "alpha", self.alpha)?;
        check_positive(term, "beta", self.beta)
    }

    /// The force over K before the cut: it pushes while this is positive.
    #[inline]
    pub(crate) fn reach(&self, gap: f64, proxy: f64) -> f64 {
        proxy - self.beta * (gap + proxy) / self.alpha
    }

    #[inline]
    pub(crate) fn push(&self, gap: f64, proxy: f64) -> Push {
        let reach = self.reach(gap, proxy);
        let rate = if reach > 0.0 { -(gap + proxy) / self.alpha } else { -proxy / self.beta };
        let lost = self.stiffness * (self.beta - self.alpha) * rate * rate;
        Push { force: self.stiffness * reach.max(0.0), rate, lost }
    }

    /// U, J.
    pub(crate) fn stored(&self, gap: f64, proxy: f64) -> f64 {
        let spread = self.beta - self.alpha;
        if self.reach(gap, proxy) > 0.0 {
            let rate = (gap + proxy) / self.alpha;
            0.5 * self.stiffness * (gap * gap + self.alpha * spread * rate * rate)
        } else {
            0.5 * self.stiffness * proxy * proxy * spread / self.beta
        }
    }
}

impl Sgn {
    pub(crate) fn check(&self, term: &str) -> Result<(), BuildError> {
        check_positive(term, "stiffness", self.stiffness)?;
        check_positive(term, "beta", self.beta)
    }

    /// |a + βθ| − χ/K: it slips while this is positive.
    #[inline]
    pub(crate) fn excess<const N: usize>(&self, limit: f64, theta: [f64; N], a: [f64; N]) -> f64 {
        let mut square = 0.0;
        for i in 0..N {
            let s = a[i] + self.beta * theta[i];
            square += s * s;
        }
        square.sqrt() - limit / self.stiffness
    }

    /// Force, rate of the proxy, and D (W).
    #[inline]
    pub(crate) fn pull<const N: usize>(
        &self,
        limit: f64,
        theta: [f64; N],
        a: [f64; N],
    ) -> ([f64; N], [f64; N], f64) {
        let (mut s, mut square) = ([0.0; N], 0.0);
        for i in 0..N {
            s[i] = a[i] + self.beta * theta[i];
            square += s[i] * s[i];
        }
        let most = limit / self.stiffness;
        // a limit that is no number makes the force none
        let share = if square <= most * most { 1.0 } else { most / square.sqrt() };
        let (mut force, mut rate, mut lost) = ([0.0; N], [0.0; N], 0.0);
        for i in 0..N {
            let held = share * s[i];
            force[i] = self.stiffness * held;
            rate[i] = (held - a[i]) / self.beta;
            lost += self.stiffness * self.beta * rate[i] * rate[i] + force[i] * (theta[i] - rate[i]);
        }
        (force, rate, lost)
    }

    /// U, J.
    pub(crate) fn stored(&self, a: &[f64]) -> f64 {
        0.5 * self.stiffness * a.iter().map(|a| a * a).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_laws::friction::ProxyCoulomb;
    use bristle_laws::{FrictionLaw, Indent, NormalLaw, Phase, Slip};
    use bristle_math::Vector3;

    #[test]
    fn a_contact_term_is_the_law_proxy() {
        let (term, law) =
            (Dio { stiffness: 1e4, alpha: 0.004, beta: 0.01 }, Proxy::new(1e4, 0.004, 0.01).unwrap());
        for (gap, proxy) in [(-0.01, 0.002), (0.003, 0.002), (-0.0011, 0.002), (0.0, 0.0), (-1e-3, 0.0)] {
            let push = term.push(gap, proxy);
            let mut rate = [0.0];
            let out = law.eval(&Indent::point(-gap, 0.0), &[proxy], Phase::Touching, &mut rate);
            for (a, b) in [
                (push.force, out.force),
                (push.rate, rate[0]),
                (push.lost, out.dissipated),
                (term.stored(gap, proxy), out.stored),
            ] {
                assert!((a - b).abs() <= 1e-14 * b.abs(), "{a} {b}");
            }
        }
    }

    #[test]
    fn a_friction_term_is_the_law_proxy_coulomb() {
        let (term, law) = (Sgn { stiffness: 1e4, beta: 0.02 }, ProxyCoulomb::new(0.5, 1e4, 0.02).unwrap());
        for (theta, a) in
            [([1e-4, 2e-4], [1e-5, 0.0]), ([0.3, -0.1], [3e-5, 3e-5]), ([0.0, 0.0], [4e-5, -2e-5])]
        {
            let (force, rate, lost) = term.pull(0.7 * 0.5, theta, a);
            let mut zdot = [0.0; 3];
            let slip = Slip {
                velocity: Vector3::new(theta[0], theta[1], 0.0),
                spin: Vector3::zeros(),
                normal: Vector3::z(),
                load: 0.7,
                indent: Indent::point(1e-3, 0.0),
            };
            let out = law.eval(&slip, &[a[0], a[1], 0.0], &mut zdot);
            for i in 0..2 {
                assert!((force[i] + out.force[i]).abs() < 1e-14, "{} {}", force[i], out.force[i]);
                assert!((rate[i] - zdot[i]).abs() < 1e-14, "{} {}", rate[i], zdot[i]);
            }
            assert!((lost - out.losses.total()).abs() < 1e-14 * lost.max(1.0));
            assert!((term.stored(&a) - out.stored).abs() < 1e-18);
        }
    }
}
