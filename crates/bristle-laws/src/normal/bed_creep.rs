//! Two dissimilar sides of a bed in series: their interface creeps while they are pressed.
//!
//! Side i is a spring kᵢ = Eᵢ/hᵢ and a damper bᵢ = Bᵢ/hᵢ per area. Their displacements add up to the overlap and their
//! pressures are equal, which needs one state for the interface unless B₁/E₁ = B₂/E₂ (errata Roy 5). Written with the
//! lagging overlap r instead of the displacement of one side, the series is the bed of Eq. 18 beside one relaxing spring:
//!
//! ```text
//! p = c_E δ + c_B δ̇ + Δ (δ − r)       ṙ = ν (δ − r)
//! ν = (k₁ + k₂)/(b₁ + b₂)              Δ = (k₂b₁ − k₁b₂)² / ((k₁ + k₂)(b₁ + b₂)²)
//! ```
//!
//! All of it is linear, so the patch as a whole keeps R = ∫r dA, with Ṙ = ν(V − R): exact while the patch grows, since r is
//! zero at its rim. While it shrinks, what leaves the patch takes no share of R with it. With χ_R the overlap at which the
//! volume would be R, and M(χ) = ½∫δ² dA,
//!
//! ```text
//! U = c_E M(χ) + Δ (M(χ) − M(χ_R) − R(χ − χ_R))     D = c_B ∫δ̇² dA + Δν (χ − χ_R)(V − R)     both ≥ 0
//! ```
//!
//! A body that leaves faster than the beds recover leaves them behind: they stand where their springs balance,
//! c_E V + Δ(V − R) = 0, and go on relaxing.

use super::volume_kelvin_voigt::BedSide;
use bristle_math::lens::Lens;
use bristle_math::{Real, select};

/// The relaxing spring of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Creep<T> {
    /// Δ, N/m³.
    pub stiffness: T,
    /// ν, 1/s.
    pub rate: T,
    /// The state is R over this, m².
    pub unit: T,
}

/// Relative difference of k₂b₁ and k₁b₂ below which sides count as alike.
const ALIKE: f64 = 1e-12;

impl Creep<f64> {
    /// Of two sides; none where they are alike, both without damping, or one of them is rigid.
    pub fn between(a: BedSide, b: BedSide) -> Option<Self> {
        let [k1, k2] = [a, b].map(|s| s.modulus / s.depth);
        let [b1, b2] = [a, b].map(|s| s.damping / s.depth);
        let (one, other) = (k2 * b1, k1 * b2);
        let differs = (one - other).abs() > ALIKE * (one + other);
        (differs && k1.is_finite() && k2.is_finite()).then(|| Self {
            stiffness: (one - other).powi(2) / ((k1 + k2) * (b1 + b2).powi(2)),
            rate: (k1 + k2) / (b1 + b2),
            unit: (a.depth + b.depth).powi(2),
        })
    }
}

/// Where the beds stand and what the relaxing spring does.
pub(super) struct Stand<T: Real> {
    /// True where the beds reach the body.
    pub holds: T::SimdBool,
    /// c_E V + Δ(V − R), N.
    pub elastic: T,
    /// Energy of all springs, J.
    pub stored: T,
    /// Power lost in relaxing, W.
    pub lost: T,
    /// Rate of the state, m/s.
    pub state_rate: T,
}

impl<T: Real> Creep<T> {
    /// The same on another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Creep<U> {
        Creep { stiffness: f(self.stiffness), rate: f(self.rate), unit: f(self.unit) }
    }

    /// R, m³.
    #[inline]
    fn relaxed(&self, state: T) -> T {
        state.positive() * self.unit
    }

    /// Volume at which the springs balance, m³: where beds stand that nothing holds.
    #[inline]
    fn balance(&self, elastic: T, relaxed: T) -> T {
        self.stiffness * relaxed / (elastic + self.stiffness)
    }

    /// Overlap at which the beds let go, m.
    pub fn free_depth(&self, elastic: T, lens: &Lens<T>, state: T) -> T {
        lens.depth(self.balance(elastic, self.relaxed(state)))
    }

    /// Beds with the springs `elastic` under an overlap of the given depth, volume and moment.
    #[inline]
    pub fn stand(
        &self,
        elastic: T,
        lens: &Lens<T>,
        (depth, volume, moment): (T, T, T),
        state: T,
    ) -> Stand<T> {
        let relaxed = self.relaxed(state);
        let free = self.balance(elastic, relaxed);
        let holds = volume.simd_gt(free);
        let free_depth = lens.depth(free);
        let pressed = select(holds, volume, free);
        let depth = select(holds, depth, free_depth);
        let moment = select(holds, moment, lens.moment(free_depth));
        let relaxed_depth = lens.depth(relaxed);
        let stretch = pressed - relaxed;
        let bregman = moment - lens.moment(relaxed_depth) - relaxed * (depth - relaxed_depth);
        Stand {
            holds,
            elastic: select(holds, elastic * pressed + self.stiffness * stretch, T::lit(0.0)),
            stored: elastic * moment + self.stiffness * bregman,
            lost: self.stiffness * self.rate * (depth - relaxed_depth) * stretch,
            state_rate: self.rate * stretch / self.unit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::{Clip, VolumeKelvinVoigt};
    use crate::{Indent, NormalLaw, ParamError, Phase, testing};

    fn soft_on_hard(clip: Clip) -> Result<VolumeKelvinVoigt<f64>, ParamError> {
        let soft = BedSide { modulus: 2e5, damping: 900.0, depth: 1.0 };
        VolumeKelvinVoigt::new(soft, BedSide { modulus: 7e5, damping: 100.0, depth: 0.5 }, 1.0, clip)
    }

    #[test]
    fn dissimilar_sides_pass_the_checks_of_every_law() {
        testing::check_normal(&soft_on_hard(Clip::Patch).unwrap().into());
    }

    #[test]
    fn a_slow_and_a_sudden_press_have_the_stiffness_of_the_springs_and_of_the_dampers() {
        let law = soft_on_hard(Clip::Patch).unwrap();
        let (k, b) = ([2e5, 7e5 / 0.5], [900.0, 100.0 / 0.5]);
        let at = Indent::from_lens(Lens::of_spheres(1.0, 0.5), 0.01, 0.0);
        let mut rate = [0.0];
        // at rest with the interface at rest: springs in series
        let unit = 1.5f64.powi(2);
        let out = law.eval(&at, &[at.volume / unit], Phase::Touching, &mut rate);
        let slow = k[0] * k[1] / (k[0] + k[1]) * at.volume;
        assert!((out.force / slow - 1.0).abs() < 1e-13 && rate[0].abs() < 1e-16);
        // just pressed: each side was moved in proportion to the other's damper; the mean of their pressures, weighted alike
        let out = law.eval(&at, &[0.0], Phase::Touching, &mut rate);
        let share = b[1] / (b[0] + b[1]);
        let sudden = (k[0] * share * share + k[1] * (1.0 - share).powi(2)) * at.volume;
        assert!((out.force / sudden - 1.0).abs() < 1e-13, "{} {sudden}", out.force);
    }

    #[test]
    fn exact_series_follow_two_sides_with_an_interface() {
        // u₁ of each side's own equation, (b₁+b₂)u̇₁ = k₂(V−u₁) + b₂V̇ − k₁u₁, against the lagging volume
        let law = soft_on_hard(Clip::Patch).unwrap();
        let (k, b) = ([2e5, 7e5 / 0.5], [900.0, 100.0 / 0.5]);
        let lens = Lens::of_spheres(1.0, 0.5);
        let (steps, end) = (4000, 4e-3);
        let dt = end / f64::from(steps);
        let at = |t: f64| Indent::from_lens(lens, 0.3 * t, 0.3); // pressed at a steady rate
        let own = |t: f64, u: f64| {
            (k[1] * (at(t).volume - u) + b[1] * at(t).volume_rate - k[0] * u) / (b[0] + b[1])
        };
        let lag = |t: f64, r: f64| {
            let mut rate = [0.0];
            law.eval(&at(t), &[r], Phase::Touching, &mut rate);
            rate[0]
        };
        let step = |f: &dyn Fn(f64, f64) -> f64, t: f64, y: f64| {
            let (h, a) = (dt / 2.0, f(t, y));
            let c = f(t + h, y + h * a);
            let d = f(t + h, y + h * c);
            y + dt / 6.0 * (a + 2.0 * c + 2.0 * d + f(t + dt, y + dt * d))
        };
        let (mut u, mut r) = (0.0, 0.0);
        for i in 0..steps {
            let t = f64::from(i) * dt;
            (u, r) = (step(&own, t, u), step(&lag, t, r));
        }
        let out = law.eval(&at(end), &[r], Phase::Touching, &mut [0.0]);
        let force = k[0] * u + b[0] * own(end, u);
        assert!((out.force / force - 1.0).abs() < 1e-9, "{} {force}", out.force);
    }

    #[test]
    fn a_rigid_side_leaves_the_other_alone() {
        let soft = BedSide { modulus: 2e5, damping: 900.0, depth: 1.0 };
        let rigid = BedSide { modulus: f64::INFINITY, damping: 5.0, depth: 0.5 };
        let law = VolumeKelvinVoigt::new(soft, rigid, 1.0, Clip::Patch).unwrap();
        assert!((law.elastic() / 2e5 - 1.0).abs() < 1e-15);
        assert_eq!((law.damping(), law.states().len()), (900.0, 0));
    }

    #[test]
    fn elements_keep_no_state() {
        assert_eq!(
            soft_on_hard(Clip::Element).unwrap_err().to_string(),
            "volume-kelvin-voigt: series = exact must be as-printed between sides of different B/E with clip = \"element\""
        );
    }
}
