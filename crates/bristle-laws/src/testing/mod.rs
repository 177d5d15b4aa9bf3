//! What must be true of every law, as checks that one line in a test applies.
//!
//! ```text
//! #[test]
//! fn passes_the_checks_of_every_law() {
//!     testing::check_normal(&HuntCrossley::new(1e6, 1.5, 0.6)?.into());
//! }
//! ```
//!
//! [`check_normal`] and [`check_friction`] assert: power balance at random kinematics and states, in every
//! phase and clamped regions; a force that never pulls; passivity over random closed motions for laws that
//! promise it; exact derivatives from duals; lanes equal to scalars.

mod friction;
mod normal;

pub use friction::{Checked, Motion, check_friction, friction_work, slip, slip_at};
pub use normal::{check_normal, normal_work};

use bristle_math::Dual;

/// A small deterministic generator (SplitMix64), so that a failing check fails again.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Log-uniform in [low, high).
    pub(crate) fn scale(&mut self, low: f64, high: f64) -> f64 {
        (self.between(low.ln(), high.ln())).exp()
    }

    /// Log-uniform in size, either sign.
    pub(crate) fn signed(&mut self, low: f64, high: f64) -> f64 {
        let size = self.scale(low, high);
        if self.unit() < 0.5 { -size } else { size }
    }
}

/// A dual with the given time derivative.
pub(crate) fn moving(value: f64, rate: f64) -> Dual<1> {
    Dual::from_re(value) + Dual::from_re(0.0).derivative(0) * rate
}

/// The time derivative a dual carries.
pub(crate) fn rate_of(x: Dual<1>) -> f64 {
    x.eps.unwrap_generic(nalgebra::Const::<1>, nalgebra::U1)[0]
}

/// Asserts `power in = dU/dt + D` to 1e-9 of the terms.
pub(crate) fn assert_balance(what: &str, power: f64, stored_rate: f64, dissipated: f64) {
    let size = power.abs() + stored_rate.abs() + dissipated.abs();
    let residual = power - stored_rate - dissipated;
    assert!(
        residual.abs() <= 1e-9 * size + 1e-300,
        "{what}: power {power:e} W ≠ dU/dt {stored_rate:e} + D {dissipated:e}"
    );
}

/// A closed random motion: a sum of sines with common period 1, its value and its rate.
pub(crate) struct ClosedPath {
    terms: Vec<(f64, f64, f64)>,
    offset: f64,
}

impl ClosedPath {
    pub(crate) fn new(dice: &mut Dice, offset: f64, amplitude: f64) -> Self {
        let terms = (1..=5)
            .map(|k| {
                let frequency = std::f64::consts::TAU * f64::from(k);
                (frequency, dice.between(-1.0, 1.0) * amplitude, dice.between(0.0, std::f64::consts::TAU))
            })
            .collect();
        Self { terms, offset }
    }

    /// Value and rate at a time, for a period of `period`.
    pub(crate) fn at(&self, t: f64, period: f64) -> (f64, f64) {
        let mut value = self.offset;
        let mut rate = 0.0;
        for (frequency, amplitude, phase) in &self.terms {
            let angle = frequency * t / period + phase;
            value += amplitude * angle.sin();
            rate += amplitude * frequency / period * angle.cos();
        }
        (value, rate)
    }
}

/// Asserts that a dual derivative agrees with a central difference, unless a kink lies in between.
/// `scale` is the size of the numbers that `f` is computed from.
pub(crate) fn assert_slope(what: &str, f: &dyn Fn(f64) -> f64, x: f64, exact: f64, scale: f64) {
    let step = 1e-5 * x.abs();
    let (low, middle, high) = (f(x - step), f(x), f(x + step));
    let (left, right) = ((middle - low) / step, (high - middle) / step);
    let size = left.abs().max(right.abs()).max(exact.abs());
    if (left - right).abs() > 1e-3 * size {
        return; // a kink, or a difference too noisy to judge
    }
    let difference = 0.5 * (left + right);
    // curvature bounds the error of a difference; rounding of the values adds to it
    let noise = 1e-13 * (middle.abs() + scale) / step;
    assert!(
        (exact - difference).abs() <= 0.5 * (left - right).abs() + 1e-6 * size + noise,
        "{what}: derivative {exact:e} ≠ difference {difference:e} at {x:e}"
    );
}

/// Work done on a law along a prescribed motion.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Work {
    /// Net work, J.
    pub net: f64,
    /// Largest power on the way, W.
    pub peak_power: f64,
    /// Length of an integration step, s.
    pub step: f64,
}

impl Work {
    pub(crate) fn add(&mut self, stages: &[f64; 4]) {
        self.net += runge_kutta(stages, self.step);
        self.peak_power = stages.iter().fold(self.peak_power, |m, p| m.max(p.abs()));
    }

    /// Asserts that no energy came out. A step that straddles a jump of the force is wrong by at most its
    /// power times the step; a motion has some ten of those.
    pub(crate) fn assert_passive(&self) {
        let error = 10.0 * self.peak_power * self.step;
        assert!(self.net >= -error, "net work {:e} J over a closed motion, error {error:e}", self.net);
    }
}

/// Increment of the classical Runge–Kutta method.
pub(crate) fn runge_kutta(k: &[f64; 4], step: f64) -> f64 {
    step / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3])
}

/// Asserts equality to 1e-13 of the size.
pub(crate) fn assert_same(what: &str, a: f64, b: f64) {
    let size = a.abs().max(b.abs());
    assert!((a - b).abs() <= 1e-13 * size, "{what}: lane {a:e} ≠ scalar {b:e}");
}
