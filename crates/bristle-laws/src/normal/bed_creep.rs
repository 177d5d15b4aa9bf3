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
