//! Which K, α and β to take: restitution, penetration, pre-sliding distance, and the steps that methods allow.
//!
//! A mass M on a contact term moves, while it touches, by a linear system of third order with ω² = K/M:
//!
//! ```text
//! α s³ + s² + βω² s + ω² = 0      and −1/β after release
//! ```
//!
//! In units of 1/ω everything follows from βω and α/β: restitution (at any speed), peak depth times ω/v, duration times
//! ω, and the stiffest rate, which limits explicit steps. Restitution falls from 1 at α = β to that of a cut
//! spring and damper at α → 0. [`contact`] chooses, among the pairs that have the wanted restitution, the one with the
//! slowest stiffest rate, and then ω from the wanted penetration. A friction term that sticks is a spring K with
//! damping Kβ, s² + βω²s + ω² = 0; [`friction`] damps it critically.
//!
//! ```
//! use bristle::nonsmooth::guide::{ContactWish, contact};
//! use bristle::ode::Method;
//! let wish = ContactWish { mass: 1.0, restitution: 0.4, speed: 1.0, penetration: 1e-3 };
//! let advice = contact(&wish)?;
//! assert!((advice.restitution - 0.4).abs() < 1e-9 && (advice.penetration - 1e-3).abs() < 1e-12);
//! assert!(advice.largest_step(Method::Rk4) > 1e-3);
//! # Ok::<(), bristle::nonsmooth::guide::GuideError>(())
//! ```

use super::term::{Dio, Sgn};
use bristle_laws::normal::Proxy;
use bristle_laws::{Impact, ParamError};
use bristle_ode::Method;
use nalgebra::Complex;
use nalgebra::{Matrix2, Matrix3};

/// What cannot be had.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GuideError {
    /// A wish that is not positive and finite, or a restitution out of range.
    #[error("{name} = {value} must be {rule}")]
    Wish {
        /// Which.
        name: &'static str,
        /// The value given.
        value: f64,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// What the law says.
    #[error(transparent)]
    Law(#[from] ParamError),
}

fn positive(name: &'static str, value: f64) -> Result<f64, GuideError> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(GuideError::Wish { name, value, rule: "> 0 and finite" })
}

/// Speed after an impact of a free mass (kg) on a contact term, over the speed before; the same at every speed.
/// In closed form but for the time of lift-off, which is the root of one function.
pub fn restitution(dio: &Dio, mass: f64) -> Result<f64, GuideError> {
    let law = Proxy::new(dio.stiffness, dio.alpha, dio.beta)?;
    let forecast = law.forecast(&Impact::new(positive("mass", mass)?, 1.0));
    Ok(forecast.restitution.unwrap_or(f64::NAN))
}

/// Restitutions that a mass (kg) can have with this K (N/m) and β (s): above the first, up to the second.
pub fn restitution_range(stiffness: f64, beta: f64, mass: f64) -> Result<(f64, f64), GuideError> {
    let law = Proxy::new(stiffness, beta, beta)?;
    Ok((law.smallest_restitution(positive("mass", mass)?), 1.0))
}

/// Rates (1/s) of a mass (kg) on a contact term: the three in contact, and that of the proxy after release.
pub fn contact_rates(dio: &Dio, mass: f64) -> Vec<Complex<f64>> {
    let (k, a, b) = (dio.stiffness / mass, dio.alpha, dio.beta);
    let matrix = Matrix3::new(0.0, 1.0, 0.0, -k * b / a, 0.0, k * (1.0 - b / a), -1.0 / a, 0.0, -1.0 / a);
    let mut rates: Vec<Complex<f64>> = matrix.complex_eigenvalues().iter().copied().collect();
    rates.push(Complex::new(-1.0 / b, 0.0));
    rates
}

/// Rates (1/s) of a mass (kg) held by a friction term: both while it sticks, and that of the proxy while it slips.
pub fn friction_rates(sgn: &Sgn, mass: f64) -> Vec<Complex<f64>> {
    let k = sgn.stiffness / mass;
    let matrix = Matrix2::new(0.0, 1.0, -k, -k * sgn.beta);
    let mut rates: Vec<Complex<f64>> = matrix.complex_eigenvalues().iter().copied().collect();
    rates.push(Complex::new(-1.0 / sgn.beta, 0.0));
    rates
}

/// The longest step (s) with which a fixed-step method does not make any of these rates (1/s) grow; 0 if there is none.
/// That of semi-implicit Euler is not a matter of single rates, and that of explicit Euler is given for it.
pub fn largest_step(method: Method, rates: &[Complex<f64>]) -> f64 {
    rates.iter().map(|rate| largest_for(method, *rate)).fold(f64::INFINITY, f64::min)
}

fn largest_for(method: Method, rate: Complex<f64>) -> f64 {
    let size = rate.norm();
    // an undamped rate comes out of its matrix with a rounding
    let real = if rate.re.abs() < 1e-9 * size { 0.0 } else { rate.re };
    if size == 0.0 {
        return f64::INFINITY;
    }
    if real > 0.0 {
        return 0.0;
    }
    let weights: &[f64] = match method {
        Method::Rk3 => &[1.0, 1.0, 0.5, 1.0 / 6.0],
        Method::Rk4 => &[1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0],
        // |1 + hλ| ≤ 1
        _ => return -2.0 * real / (size * size),
    };
    let direction = Complex::new(real, rate.im) / size;
    let grows = |z: f64| {
        let z = direction * z;
        let factor = weights.iter().rev().fold(Complex::new(0.0, 0.0), |sum, w| sum * z + w);
        factor.norm() > 1.0 + 1e-13
    };
    // both methods are stable from 0 on in the left half-plane, and no further than 3.4 from it
    let (mut low, mut high) = (0.0, 0.0);
    while !grows(high) && high < 4.0 {
        low = high;
        high += 1e-2;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if grows(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    low / size
}

/// What a contact is to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactWish {
    /// Mass that hits it, kg.
    pub mass: f64,
    /// Wanted restitution, in (0, 1].
    pub restitution: f64,
    /// Speed of the impact, m/s.
    pub speed: f64,
    /// Wanted largest penetration in it, m.
    pub penetration: f64,
}

/// Parameters that do it, and what follows from them.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactAdvice {
    /// The parameters.
    pub dio: Dio,
    /// Restitution.
    pub restitution: f64,
    /// Largest penetration, m.
    pub penetration: f64,
    /// Largest force, N.
    pub peak_force: f64,
    /// From touchdown to lift-off, s.
    pub duration: f64,
    mass: f64,
}

impl ContactAdvice {
    /// The longest stable step of a method, s.
    pub fn largest_step(&self, method: Method) -> f64 {
        largest_step(method, &contact_rates(&self.dio, self.mass))
    }
}

/// K, α and β for a wanted restitution and penetration, with the stiffest rate as slow as it can be.
pub fn contact(wish: &ContactWish) -> Result<ContactAdvice, GuideError> {
    let mass = positive("mass", wish.mass)?;
    let (speed, depth) = (positive("speed", wish.speed)?, positive("penetration", wish.penetration)?);
    let e = wish.restitution;
    if !(e > 0.0 && e <= 1.0) {
        return Err(GuideError::Wish { name: "restitution", value: e, rule: "> 0 and <= 1" });
    }
    let unit = mildest(e)?;
    let forecast = Proxy::new(1.0, unit.alpha, unit.beta)?.forecast(&Impact::new(1.0, 1.0));
    let omega = forecast.peak_depth.unwrap_or(f64::NAN) * speed / depth;
    let dio = Dio { stiffness: mass * omega * omega, alpha: unit.alpha / omega, beta: unit.beta / omega };
    let forecast = Proxy::new(dio.stiffness, dio.alpha, dio.beta)?.forecast(&Impact::new(mass, speed));
    let known = |x: Option<f64>| x.unwrap_or(f64::NAN);
    Ok(ContactAdvice {
        dio,
        restitution: known(forecast.restitution),
        penetration: known(forecast.peak_depth),
        peak_force: known(forecast.peak_force),
        duration: known(forecast.duration),
        mass,
    })
}

/// α and β in units of 1/ω that have a restitution, with the smallest largest rate. β between 0.1 and 100 natural
/// times; the best of a grid is within a few per cent of the best there is.
fn mildest(e: f64) -> Result<Dio, GuideError> {
    let mut best: Option<(f64, Dio)> = None;
    let mut refused = None;
    for i in 0..=60 {
        let beta = 10f64.powf(-1.0 + f64::from(i) / 20.0);
        match Dio::with_restitution(1.0, beta, e, 1.0) {
            Ok(dio) => {
                let rate = contact_rates(&dio, 1.0).iter().map(|r| r.norm()).fold(0.0, f64::max);
                if best.is_none_or(|(least, _)| rate < least) {
                    best = Some((rate, dio));
                }
            }
            Err(error) => refused = Some(error),
        }
    }
    match (best, refused) {
        (Some((_, dio)), _) => Ok(dio),
        (None, Some(error)) => Err(error.into()),
        (None, None) => Err(GuideError::Wish { name: "restitution", value: e, rule: "reachable" }),
    }
}

/// Parameters of a friction term and what follows from them.
#[derive(Debug, Clone, PartialEq)]
pub struct FrictionAdvice {
    /// The parameters.
    pub sgn: Sgn,
    /// Displacement at which it begins to slide, m.
    pub distance: f64,
    mass: f64,
}

impl FrictionAdvice {
    /// The longest stable step of a method, s.
    pub fn largest_step(&self, method: Method) -> f64 {
        largest_step(method, &friction_rates(&self.sgn, self.mass))
    }
}

/// K and β for a mass (kg) that is to slide under more than `limit` (N) after a wanted pre-sliding distance (m), and
/// not to swing while it sticks.
pub fn friction(mass: f64, limit: f64, distance: f64) -> Result<FrictionAdvice, GuideError> {
    let (mass, distance) = (positive("mass", mass)?, positive("distance", distance)?);
    let stiffness = positive("limit", limit)? / distance;
    let sgn = Sgn { stiffness, beta: 2.0 * (mass / stiffness).sqrt() };
    Ok(FrictionAdvice { sgn, distance, mass })
}

/// The least penetration (m) that a step (s) of a method allows for a contact of this restitution and speed (m/s).
pub fn least_penetration(e: f64, speed: f64, method: Method, step: f64) -> Result<f64, GuideError> {
    let wish = ContactWish { mass: 1.0, restitution: e, speed, penetration: 1.0 };
    let advice = contact(&wish)?;
    // all times go with the penetration over the speed
    Ok(positive("step", step)? / advice.largest_step(method))
}
