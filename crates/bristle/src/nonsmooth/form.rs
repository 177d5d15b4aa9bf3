//! What a system can be compared with: the same terms, regularised or with bristles.
//!
//! ```text
//! regularised   f = χ θ/√(|θ|² + v²)                          v = χ*/(Kβ): the slope at rest is that of the proxy's damper
//! LuGre         ż = θ − (K/χ*)|θ| z,  f = (χ/χ*)(K z + Kβ ż)  χ* the largest χ of the run with proxies; σ₀ = K, σ₁ = Kβ
//! contact       f = −Kψ − Kβψ̇ while ψ < 0                     spring and damper, not cut: it may pull
//! ```
//! LuGre scales with the load, so that it is defined while there is none; for a constant χ it is the standard form.

use super::at::{At, Loads, States};
use super::system::{Scratch, System};
use super::term::{Dio, Push, Sgn};

/// Which terms a system has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Form {
    /// The paper's.
    Proxy,
    /// With v of every friction term.
    Regularised(Vec<f64>),
    /// With χ* of every friction term.
    LuGre(Vec<f64>),
}

/// A spring and a damper, while they overlap.
pub(super) fn penalty(dio: &Dio, gap: f64, gap_rate: f64) -> Push {
    if gap >= 0.0 {
        return Push { force: 0.0, rate: 0.0, lost: 0.0 };
    }
    let force = -dio.stiffness * (gap + dio.beta * gap_rate);
    // all that goes in is booked here: no other account takes it
    Push { force, rate: 0.0, lost: -force * gap_rate }
}

impl Form {
    /// Force, rate of the internal state, and power that goes in and is not stored, of friction term `j`.
    #[inline]
    pub(super) fn pull<const N: usize>(
        &self,
        j: usize,
        sgn: &Sgn,
        limit: f64,
        theta: [f64; N],
        z: [f64; N],
    ) -> ([f64; N], [f64; N], f64) {
        let (force, rate) = match self {
            Self::Proxy => return sgn.pull(limit, theta, z),
            Self::Regularised(speeds) => {
                let speed = speeds.get(j).copied().unwrap_or(1.0);
                let share = limit.max(0.0) / (square(theta) + speed * speed).sqrt();
                (theta.map(|v| share * v), [0.0; N])
            }
            Self::LuGre(loads) => {
                let load = loads.get(j).copied().unwrap_or(1.0);
                let (speed, share) = (square(theta).sqrt(), limit.max(0.0) / load);
                let (mut force, mut rate) = ([0.0; N], [0.0; N]);
                for i in 0..N {
                    rate[i] = theta[i] - sgn.stiffness / load * speed * z[i];
                    force[i] = share * sgn.stiffness * (z[i] + sgn.beta * rate[i]);
                }
                (force, rate)
            }
        };
        let power = force.iter().zip(&theta).map(|(f, v)| f * v).sum();
        (force, rate, power)
    }
}

fn square<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().map(|v| v * v).sum()
}

impl System {
    /// Rates of the gaps while no term acts, for terms that need them.
    pub(super) fn gap_rates(&self, t: f64, x: &[f64], s: &mut Scratch) {
        // gaps of mechanical systems are functions of positions, whose rates no term changes; the shift is small
        // against any motion and large against rounding
        const SHIFT: f64 = 1e-6;
        let [mut beside, mut rate] = std::mem::take(&mut s.beside);
        s.contacts.fill(0.0);
        s.frictions.fill(0.0);
        self.equations.gaps(&States { t, x }, &mut s.ws, &mut s.gaps);
        let loads = Loads { t, x, contacts: &s.contacts };
        self.equations.slides(&loads, &mut s.ws, &mut s.limits, &mut s.velocities);
        let at = At { t, x, contacts: &s.contacts, frictions: &s.frictions };
        self.equations.rates(&at, &mut s.ws, &mut rate);
        s.gap_rates.fill(0.0);
        for sign in [-1.0, 1.0] {
            for (b, (x, rate)) in beside.iter_mut().zip(x.iter().zip(&rate)) {
                *b = x + sign * SHIFT * rate;
            }
            self.equations.gaps(&States { t, x: &beside }, &mut s.ws, &mut s.gaps);
            for (rate, gap) in s.gap_rates.iter_mut().zip(&s.gaps) {
                *rate += sign * gap / (2.0 * SHIFT);
            }
        }
        s.beside = [beside, rate];
    }
}
