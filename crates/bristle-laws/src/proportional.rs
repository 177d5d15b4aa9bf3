//! Impacts on a spring whose damping is proportional to its own force.
//!
//! ```text
//! f = F(x)(1 + a v)    m v̇ = −f     ⇒     E(x) = ∫₀ˣ F dx = m [H(a v_i) − H(a v)] / a²,   H(y) = y − ln(1 + y)
//! ```
//!
//! for **any** spring F: the phase curve depends on the spring only through its energy, so restitution
//! depends on b = a·v_i alone, for every exponent and every shape. With separate damping a_c while
//! compressing and a_r while restoring,
//!
//! ```text
//! H(−a_r e v_i) = (a_r/a_c)² H(a_c v_i)
//! ```
//!
//! With a_r = a_c this is Marhefka & Orin's restitution (their figures; closed form in the errata as a
//! Lambert W) and Gonthier's d(e) = e·b. Both are explicit in the Langevin function of one parameter h:
//!
//! ```text
//! 𝓛(h) = coth h − 1/h      e = (1 − 𝓛)/(1 + 𝓛)      b = h(1 + 𝓛)      d = h(1 − 𝓛)      1 − d = 2h/(e²ʰ − 1)
//! ```
//!
//! (put 2h = ln[(1 + b)/(1 − d)] = b + d into H(b) = H(−d)). So b(e) is one inverse Langevin function,
//! with full accuracy from e = 1 down to where 1 − d underflows; Lambert's W is not needed.

use crate::{Forecast, Impact};
use bristle_math::lens::Lens;
use bristle_math::{Real, gauss, root};
use gauss_quad::legendre::GaussLegendre;
use std::num::NonZeroUsize;

/// H(y) = y − ln(1 + y) for y > −1, to full relative accuracy also for small y.
pub fn log_deficit(y: f64) -> f64 {
    if y.abs() > 0.5 {
        return y - y.ln_1p();
    }
    // ln(1+y) = 2 atanh(s), s = y/(2+y); the leading terms cancel by hand: y − 2s = y s
    let s = y / (2.0 + y);
    let s2 = s * s;
    let mut tail = 0.0;
    for k in (1..=18).rev() {
        tail = tail * s2 + 1.0 / f64::from(2 * k + 1);
    }
    y * s - 2.0 * s * s2 * tail
}

/// The y ≥ 0 with H(y) = `h`.
pub fn log_deficit_inverse(h: f64) -> f64 {
    // H(y) lies below y and below y²/2, so this start is above the root and Newton comes down on it.
    let mut y = (2.0 * h).sqrt() + h;
    for _ in 0..60 {
        let step = (log_deficit(y) - h) * (1.0 + y) / y;
        if y == 0.0 || step.abs() <= f64::EPSILON * y {
            break;
        }
        y -= step;
    }
    y
}

/// The y in [0, 1) with H(−y) = `h`: the restitution side.
pub fn log_deficit_inverse_negative(h: f64) -> f64 {
    if h < 0.5 {
        // H(−y) = y²/2 + y³/3 + … is convex with root below √(2h)
        let mut y = (2.0 * h).sqrt();
        for _ in 0..60 {
            if y == 0.0 {
                break;
            }
            let step = (log_deficit(-y) - h) * (1.0 - y) / y;
            y -= step;
            if step.abs() <= f64::EPSILON * y {
                break;
            }
        }
        return y;
    }
    // u = 1 − y solves u − ln u = 1 + h; iterate u = exp(u − 1 − h) by Newton in ln u
    let mut w = -(1.0 + h);
    for _ in 0..60 {
        let step = (w.exp() - w - 1.0 - h) / (w.exp() - 1.0);
        w -= step;
        if step.abs() <= f64::EPSILON * w.abs() {
            break;
        }
    }
    -w.exp_m1()
}

/// The Langevin function 𝓛(h) = coth h − 1/h for h ≥ 0, without cancellation.
fn langevin(h: f64) -> f64 {
    if h > 2.0 {
        return 1.0 - langevin_complement(h);
    }
    // Gauss's continued fraction h/(3 + h²/(5 + h²/(7 + …)))
    let h2 = h * h;
    let mut tail = 0.0;
    for k in (1..=14).rev() {
        tail = h2 / (f64::from(2 * k + 1) + tail);
    }
    if h == 0.0 { 0.0 } else { tail / h }
}

/// 1 − 𝓛(h) for large h.
fn langevin_complement(h: f64) -> f64 {
    1.0 / h - 2.0 / (2.0 * h).exp_m1()
}

/// The h with 𝓛(h) = (1 − e)/(1 + e).
fn langevin_parameter(e: f64) -> f64 {
    let s = (1.0 - e) / (1.0 + e);
    let complement = 2.0 * e / (1.0 + e);
    let mut h = s * (3.0 - s * s) / (complement * (1.0 + s)); // Cohen's approximation, within 5 %
    for _ in 0..50 {
        let l = langevin(h);
        let residual = if h > 2.0 { complement - langevin_complement(h) } else { l - s };
        let slope = langevin_slope(h);
        let step = residual / slope;
        h -= step;
        if step.abs() <= f64::EPSILON * h {
            break;
        }
    }
    h
}

/// 𝓛'(h) = 1 − 𝓛² − 2𝓛/h.
fn langevin_slope(h: f64) -> f64 {
    if h > 20.0 {
        return 1.0 / (h * h); // 1/sinh² is below rounding
    }
    if h == 0.0 {
        return 1.0 / 3.0;
    }
    let l = langevin(h);
    1.0 - l * l - 2.0 * l / h
}

/// Restitution at b = a·v_i: e from 1 (b = 0) down to 1/b.
pub fn restitution(b: f64) -> f64 {
    if b <= 0.0 { 1.0 } else { log_deficit_inverse_negative(log_deficit(b)) / b }
}

/// b = a·v_i for a wanted restitution e in (0, 1], with its derivative for duals.
pub fn damping_number<T: Real>(restitution: T) -> T {
    restitution.lift(|e| {
        let h = langevin_parameter(e);
        let (l, slope) = (langevin(h), langevin_slope(h));
        let h_by_e = -2.0 / ((1.0 + e) * (1.0 + e) * slope);
        (h * (1.0 + l), (1.0 + l + h * slope) * h_by_e)
    })
}

/// Gonthier's d(e) = e·b(e) and 1 − d, each to full relative accuracy: d rounds to 1 below e ≈ 0.025,
/// while 1 − d goes on (1.4e-42 at e = 0.01).
///
/// ```
/// let (d, rest) = bristle_laws::proportional::damping_factor(0.01);
/// assert_eq!(d, 1.0);
/// assert!((rest / 1.38e-42 - 1.0).abs() < 1e-2);
/// ```
pub fn damping_factor(restitution: f64) -> (f64, f64) {
    let h = langevin_parameter(restitution);
    let rest = if h == 0.0 { 1.0 } else { 2.0 * h / (2.0 * h).exp_m1() };
    let d = if h > 2.0 { 1.0 - rest } else { h * (1.0 - langevin(h)) };
    (d, rest)
}

/// A conservative spring: force and energy over depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spring {
    /// F = k xⁿ.
    Power {
        /// k, N/mⁿ.
        stiffness: f64,
        /// n.
        exponent: f64,
    },
    /// F = c V(x) on the overlap of two balls.
    Volume {
        /// c, N/m³.
        modulus: f64,
        /// The two balls.
        lens: Lens<f64>,
    },
}

impl Spring {
    /// Force at a depth, N.
    pub fn force(&self, x: f64) -> f64 {
        match self {
            Self::Power { stiffness, exponent } => stiffness * x.powf(*exponent),
            Self::Volume { modulus, lens } => modulus * lens.volume(x),
        }
    }

    /// Slope of the force, N/m.
    fn slope(&self, x: f64) -> f64 {
        match self {
            Self::Power { stiffness, exponent } => stiffness * exponent * x.powf(exponent - 1.0),
            Self::Volume { modulus, lens } => modulus * lens.area(x),
        }
    }

    /// Energy stored at a depth, J.
    pub fn energy(&self, x: f64) -> f64 {
        match self {
            Self::Power { stiffness, exponent } => stiffness * x.powf(exponent + 1.0) / (exponent + 1.0),
            Self::Volume { modulus, lens } => modulus * lens.moment(x),
        }
    }

    /// The depth at which `energy` is stored, m.
    fn depth_of(&self, energy: f64) -> f64 {
        match self {
            Self::Power { stiffness, exponent } => {
                ((exponent + 1.0) * energy / stiffness).powf(1.0 / (exponent + 1.0))
            }
            Self::Volume { lens, .. } => {
                // Up to the middle of the smaller ball; deeper the overlap is no lens any more.
                let deepest = 1.0 / lens.curvature_a.max(lens.curvature_b);
                root::find(|x| self.energy(x) - energy, 0.0, deepest, 0.0).unwrap_or(f64::NAN)
            }
        }
    }

    /// 1 − E(x)/E(X) at x = X(1 − τ²), without cancellation as τ → 0.
    fn missing_share(&self, peak: f64, tau: f64) -> f64 {
        match self {
            Self::Power { exponent, .. } => -((exponent + 1.0) * (-tau * tau).ln_1p()).exp_m1(),
            Self::Volume { .. } => {
                let x = peak * (1.0 - tau * tau);
                gauss::legendre8(x, peak, |s: f64| self.force(s)) / self.energy(peak)
            }
        }
    }
}

/// A free impact on `spring` with damping proportional to its force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProportionalImpact {
    /// The spring.
    pub spring: Spring,
    /// a while compressing, s/m.
    pub compression: f64,
    /// a while restoring, s/m.
    pub restoration: f64,
}

/// Points of the time quadrature: the x^{n+1} kink at touchdown leaves an error of order 96⁻⁷.
const POINTS: NonZeroUsize = NonZeroUsize::new(96).unwrap();

impl ProportionalImpact {
    /// Twice the kinetic energy per mass that is left at the share `r` of the peak energy, as a speed.
    fn speed_on(a: f64, peak_energy_per_mass: f64, r: f64, invert: fn(f64) -> f64) -> f64 {
        let kinetic = peak_energy_per_mass * r;
        if a == 0.0 { (2.0 * kinetic).sqrt() } else { invert(a * a * kinetic) / a }
    }

    /// Everything about the impact, in closed form; times by quadrature.
    pub fn forecast(&self, impact: &Impact) -> Forecast {
        let (m, v, ac, ar) = (impact.mass, impact.speed, self.compression, self.restoration);
        let peak_energy = if ac == 0.0 { 0.5 * v * v } else { log_deficit(ac * v) / (ac * ac) };
        let rebound = Self::speed_on(ar, peak_energy, 1.0, log_deficit_inverse_negative);
        let peak = self.spring.depth_of(m * peak_energy);
        if peak.is_nan() {
            return Forecast::default(); // deeper than the middle of the smaller ball: nothing is closed there
        }
        let rate_at = |x: f64| {
            let share = 1.0 - self.spring.energy(x) / (m * peak_energy);
            Self::speed_on(ac, peak_energy, share.max(0.0), log_deficit_inverse)
        };
        // ḟ = 0: F'(x) v m = a F². Without damping that is the peak depth itself.
        let balance = |x: f64| self.spring.slope(x) * rate_at(x) * m - ac * self.spring.force(x).powi(2);
        let depth =
            if ac == 0.0 { peak } else { root::find(balance, 1e-9 * peak, peak, 0.0).unwrap_or(peak) };
        let rate = if ac == 0.0 { 0.0 } else { rate_at(depth) };
        let rule = GaussLegendre::new(POINTS);
        let time = |a: f64, invert: fn(f64) -> f64| {
            // dt = dx/v with x = X(1 − τ²), which takes the root at the turning point away
            rule.integrate(0.0, 1.0, |tau| {
                let share = self.spring.missing_share(peak, tau);
                2.0 * peak * tau / Self::speed_on(a, peak_energy, share, invert)
            })
        };
        let compression_time = time(ac, log_deficit_inverse);
        Forecast {
            restitution: Some(rebound / v),
            peak_depth: Some(peak),
            peak_force: Some(self.spring.force(depth) * (1.0 + ac * rate)),
            depth_at_peak_force: Some(depth),
            rate_at_peak_force: Some(rate),
            compression_time: Some(compression_time),
            duration: Some(compression_time + time(ar, log_deficit_inverse_negative)),
        }
    }

    /// Depth on the phase curve that starts at speed `v_touch` and has reached the rate `v`, m
    /// (Marhefka & Orin Eq. 19, corrected). Negative `v_touch` below −1/a starts a "sticky" curve,
    /// on which the contact pulls all the way.
    pub fn phase_depth(&self, mass: f64, v_touch: f64, v: f64) -> f64 {
        let potential = |v: f64| {
            let a = if v > 0.0 { self.compression } else { self.restoration };
            let y = a * v;
            if a == 0.0 {
                0.5 * v * v
            } else if y > -1.0 {
                log_deficit(y) / (a * a)
            } else {
                (y - (-1.0 - y).ln()) / (a * a)
            }
        };
        self.spring.depth_of(mass * (potential(v_touch) - potential(v)).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_deficit_is_accurate_where_it_cancels() {
        for y in [1e-9, -1e-9, 1e-4, 0.3f64] {
            let series: f64 = (2..60).map(|k| (-y).powi(k) / f64::from(k)).sum();
            assert!((log_deficit(y) / series - 1.0).abs() < 2e-15, "{y}");
        }
        assert!((log_deficit(0.51) / (0.51 - 0.51f64.ln_1p()) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn inverses_invert() {
        for y in [1e-8, 1e-3, 0.2, 0.7, 3.0, 50.0] {
            assert!((log_deficit_inverse(log_deficit(y)) / y - 1.0).abs() < 4e-15, "{y}");
        }
        for y in [1e-8, 1e-3, 0.2, 0.7, 0.95] {
            assert!((log_deficit_inverse_negative(log_deficit(-y)) / y - 1.0).abs() < 4e-15, "{y}");
        }
    }

    #[test]
    fn restitution_and_damping_number_are_inverse() {
        for e in [0.002, 0.01, 0.1, 0.3, 0.35, 0.5, 0.7, 0.9, 0.99, 0.999_999] {
            let b = damping_number(e);
            assert!((restitution(b) / e - 1.0).abs() < 1e-14, "e = {e}: {}", restitution(b));
        }
        assert_eq!(damping_number(1.0), 0.0);
    }

    #[test]
    fn published_pairs_of_b_and_e_are_met() {
        // ln[(1+b)/(1−eb)] = b(1+e), tabulated independently.
        for (e, b) in [(0.9, 0.16648), (0.7, 0.63483), (0.5, 1.43275), (0.3, 3.08708), (0.1, 9.99816)] {
            assert!((damping_number(e) - b).abs() < 6e-6, "{e}");
        }
    }

    #[test]
    fn damping_number_differentiates() {
        use bristle_math::Dual;
        for e in [0.05, 0.4, 0.95] {
            let dual = damping_number(Dual::<1>::from_re(e).derivative(0));
            let slope = dual.eps.unwrap_generic(nalgebra::Const::<1>, nalgebra::U1)[0];
            let h = 1e-5 * e;
            let difference = (damping_number(e + h) - damping_number(e - h)) / (2.0 * h);
            assert!((slope / difference - 1.0).abs() < 1e-8, "{e}: {slope} {difference}");
        }
    }

    #[test]
    fn an_undamped_linear_spring_has_half_a_period() {
        let spring = Spring::Power { stiffness: 1e4, exponent: 1.0 };
        let impact = ProportionalImpact { spring, compression: 0.0, restoration: 0.0 };
        let f = impact.forecast(&Impact::new(1.0, 2.0));
        assert!((f.duration.unwrap() - std::f64::consts::PI * 1e-2).abs() < 1e-15);
        assert!((f.peak_force.unwrap() - 200.0).abs() < 1e-11);
        assert_eq!(f.restitution.unwrap(), 1.0);
    }

    #[test]
    fn a_body_that_sinks_beyond_the_middle_of_the_ball_has_no_forecast() {
        let spring = Spring::Volume { modulus: 1e4, lens: Lens::on_plane(0.01) };
        let law = ProportionalImpact { spring, compression: 0.1, restoration: 0.1 };
        assert_eq!(law.forecast(&Impact::new(1.0, 10.0)), Forecast::default());
    }

    #[test]
    fn restoring_without_damping_returns_what_is_left() {
        // Compression loses, restoration does not: the rebound carries the stored energy alone.
        let spring = Spring::Power { stiffness: 3e5, exponent: 1.5 };
        let law = ProportionalImpact { spring, compression: 0.8, restoration: 0.0 };
        let f = law.forecast(&Impact::new(2.0, 1.5));
        let stored = spring.energy(f.peak_depth.unwrap());
        assert!((f.restitution.unwrap() - (2.0 * stored / 2.0).sqrt() / 1.5).abs() < 1e-14);
    }
}
