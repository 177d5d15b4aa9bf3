//! Stiffness and damping of a ground of any area profile (Azad & Featherstone 2010, Eq. 4–5 and 20–21).
//!
//! A thin slice at depth z of the contact, whose area is A(z), resists as a half-space does: its
//! stiffness and damping are proportional to √A.
//!
//! ```text
//! f_K(z) = √(2/π) E* ∫₀ᶻ √A dζ        d(z)  = √(2/π) η √A(z)           normal,     Eq. 4–5
//! k_t(z) = √(2/π) E* √A(z)            d_t(z) = √(2/π) η √A(z)          tangential, Eq. 20–21
//! ```
//!
//! E* effective modulus, Pa · η viscous modulus, Pa s (their α) · A(z) area of the body's section at
//! depth z, m². The constant √(2/π) is the one for which a sphere, A ≈ 2πrz (Eq. 7), gives Hertz's
//! K_n = 4/3 E*√r, and with it D_n = 2η√r, K_t = 2E*√r, D_t = D_n (Eq. 10, 12, 23, 24). For the true
//! section of a sphere, A = π(2rz − z²), the coefficients fall off by about z/(4r).

use crate::{ParamError, param};
use gauss_quad::legendre::GaussLegendre;
use std::f64::consts::PI;
use std::num::NonZeroUsize;

const LAW: &str = "azad-featherstone";

/// Coefficients of `azad-featherstone` and `spring-clutch` that match a profile at one depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    /// K_n, N/m^{3/2}.
    pub stiffness: f64,
    /// D_n, N s/m^{3/2}.
    pub damping: f64,
    /// K_t, N/m^{3/2}.
    pub tangential_stiffness: f64,
    /// D_t, N s/m^{3/2}.
    pub tangential_damping: f64,
}

/// A body's section area over depth, on a viscoelastic ground.
pub struct AreaProfile<F> {
    area: F,
    modulus: f64,
    viscosity: f64,
    rule: GaussLegendre,
}

/// Points of the quadrature. √A behaves like √z at the tip, which the substitution z = s² makes smooth.
const POINTS: NonZeroUsize = NonZeroUsize::new(64).unwrap();

impl<F: Fn(f64) -> f64> AreaProfile<F> {
    /// `area(z)` in m² at depth z in m; effective modulus E* in Pa; viscous modulus η in Pa s.
    pub fn new(area: F, modulus: f64, viscosity: f64) -> Result<Self, ParamError> {
        Ok(Self {
            area,
            modulus: param::positive(LAW, "modulus", modulus, "Pa")?,
            viscosity: param::not_negative(LAW, "viscosity", viscosity, "Pa s")?,
            rule: GaussLegendre::new(POINTS),
        })
    }

    fn width(&self, depth: f64) -> f64 {
        (2.0 / PI * (self.area)(depth).max(0.0)).sqrt()
    }

    /// Elastic normal force f_K(z), N.
    pub fn elastic_force(&self, depth: f64) -> f64 {
        // ∫ √A dζ with ζ = s², dζ = 2s ds
        self.modulus * self.rule.integrate(0.0, depth.sqrt(), |s| 2.0 * s * self.width(s * s))
    }

    /// Normal damping d(z), N s/m.
    pub fn damping(&self, depth: f64) -> f64 {
        self.viscosity * self.width(depth)
    }

    /// Tangential stiffness k_t(z), N/m.
    pub fn tangential_stiffness(&self, depth: f64) -> f64 {
        self.modulus * self.width(depth)
    }

    /// Tangential damping d_t(z), N s/m.
    pub fn tangential_damping(&self, depth: f64) -> f64 {
        self.viscosity * self.width(depth)
    }

    /// The constants that make f = K z^{3/2} + D z^{1/2} ż and its friction match this profile at `depth`.
    pub fn coefficients(&self, depth: f64) -> Coefficients {
        let root = depth.sqrt();
        Coefficients {
            stiffness: self.elastic_force(depth) / (depth * root),
            damping: self.damping(depth) / root,
            tangential_stiffness: self.tangential_stiffness(depth) / root,
            tangential_damping: self.tangential_damping(depth) / root,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: f64 = 0.0165;

    #[test]
    fn the_paraboloid_of_a_sphere_gives_hertz() {
        let (modulus, viscosity) = (5e7, 1.2e4);
        let c = AreaProfile::new(|z| 2.0 * PI * R * z, modulus, viscosity).unwrap().coefficients(9e-4);
        assert!((c.stiffness / (4.0 / 3.0 * modulus * R.sqrt()) - 1.0).abs() < 1e-14);
        assert!((c.damping / (2.0 * viscosity * R.sqrt()) - 1.0).abs() < 1e-14);
        assert!((c.tangential_stiffness / c.stiffness - 1.5).abs() < 1e-14, "K_t/K_n = 3/2");
        assert_eq!(c.tangential_damping, c.damping, "D_t = D_n");
    }

    #[test]
    fn the_true_section_of_a_sphere_is_softer_by_the_area_error() {
        // Relative area error z/2r (2.9 % at 0.947 mm), so about half of it in √A.
        let z = 0.947e-3;
        let area = |z: f64| PI * (2.0 * R * z - z * z);
        let c = AreaProfile::new(area, 5e7, 1.0).unwrap().coefficients(z);
        let expected = 2.0 * R.sqrt() * (1.0 - z / (2.0 * R)).sqrt();
        assert!((c.damping - expected).abs() < 1e-12);
        assert!((1.0 - area(z) / (2.0 * PI * R * z) - 0.0287).abs() < 1e-4);
    }

    #[test]
    fn a_flat_punch_is_a_linear_spring() {
        let profile = AreaProfile::new(|_| 1e-4, 1e8, 0.0).unwrap();
        assert!((profile.elastic_force(2e-4) / profile.elastic_force(1e-4) - 2.0).abs() < 1e-13);
    }
}
