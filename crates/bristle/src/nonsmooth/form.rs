//! What a system can be compared with: the same terms, regularised or with bristles.
//!
//! ```text
//! regularised   f = χ θ/√(|θ|² + v²)                          v = χ*/(Kβ): the slope at rest is that of the proxy's damper
//! LuGre         ż = θ − (K/χ*)|θ| z,  f = (χ/χ*)(K z + Kβ ż)  χ* the largest χ of the run with proxies; σ₀ = K, σ₁ = Kβ
//! contact       f = −Kψ − Kβψ̇ while ψ < 0                     spring and damper, not cut: it may pull
//! ```
//! LuGre scales with the load, so that it is defined while there is none; for a constant χ it is the standard form.

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
