//! Hertz contact of two smooth bodies, for comparison with the volume-based patch. No law uses it.
//!
//! ```text
//! A x² + B y² = gap of the undeformed bodies, A ≤ B        g = b/a ≤ 1        e² = 1 − g²
//! A/B = g² D(e)/(K(e) − D(e))      p₀ = 3F/2πab      A = (p₀/E*) (b/a²) D(e)      approach = (p₀/E*) b K(e)
//! ```
//!
//! Two cylinders at an angle α: A + B = ½(κ₁ + κ₂), B − A = ½√(κ₁² + κ₂² + 2κ₁κ₂ cos 2α), κ = 1/R.
//! Source: Johnson (1985), Contact Mechanics, §4.2; Roy & Carretero (2012), §2.2.

use bristle_math::elliptic::{Complete, complete};
use bristle_math::root;
use std::f64::consts::PI;

/// Two elastic bodies with elliptic contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hertz {
    /// b/a, at most one.
    ratio: f64,
    /// B, 1/m.
    steep: f64,
    /// Contact modulus E*, Pa.
    modulus: f64,
    integrals: Complete,
}

/// What Hertz says about one load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HertzContact {
    /// Larger semi-axis of the patch, m.
    pub semi_major: f64,
    /// Smaller semi-axis, m.
    pub semi_minor: f64,
    /// How far the bodies approach, m.
    pub approach: f64,
    /// Force, N.
    pub force: f64,
}

impl HertzContact {
    /// Area of the patch, m².
    pub fn area(&self) -> f64 {
        PI * self.semi_major * self.semi_minor
    }
}

/// A/B for a ratio of the semi-axes.
fn flatness(ratio: f64) -> f64 {
    let at = complete(ratio);
    ratio * ratio * at.d / (at.k - at.d)
}

impl Hertz {
    /// Bodies whose undeformed gap is A x² + B y², with A and B in 1/m and E* in Pa. `None` unless both are
    /// positive and finite: a line contact has no elliptic patch.
    pub fn new(a: f64, b: f64, modulus: f64) -> Option<Self> {
        let (flat, steep) = if a < b { (a, b) } else { (b, a) };
        let is_sound = flat > 0.0 && steep.is_finite() && modulus > 0.0 && modulus.is_finite();
        let wanted = if is_sound { flat / steep } else { return None };
        // ln g: A/B goes like g² ln(1/g), so the root lies between the square root of the ratio and its square.
        let start = (1.5 * wanted.ln()).max(-340.0);
        let log = if wanted < 1.0 {
            root::find(|x| flatness(x.exp()).ln() - wanted.ln(), start, 0.0, 0.0)?
        } else {
            0.0
        };
        let ratio = log.exp().min(1.0);
        Some(Self { ratio, steep, modulus, integrals: complete(ratio) })
    }

    /// Two cylinders of the given radii (m) whose axes cross at `angle` (rad). `None` where they are parallel.
    pub fn of_cylinders(radius_a: f64, radius_b: f64, angle: f64, modulus: f64) -> Option<Self> {
        let (p, q) = (1.0 / radius_a, 1.0 / radius_b);
        let sum = 0.5 * (p + q);
        let sin = angle.sin();
        // AB = κ₁κ₂ sin²α/4: the difference A cancels near parallel axes, the product does not.
        let product = 0.25 * p * q * sin * sin;
        let steep = 0.5 * (sum + (sum * sum - 4.0 * product).max(0.0).sqrt());
        Self::new(product / steep, steep, modulus)
    }

    /// Largest pressure over E*, from B = (p₀/E*)(K − D)/b.
    fn strain(&self, semi_minor: f64) -> f64 {
        self.steep * semi_minor / (self.integrals.k - self.integrals.d)
    }

    /// The contact whose smaller semi-axis is `semi_minor`, m.
    fn of_size(&self, semi_minor: f64) -> HertzContact {
        let (strain, semi_major) = (self.strain(semi_minor), semi_minor / self.ratio);
        HertzContact {
            semi_major,
            semi_minor,
            approach: strain * semi_minor * self.integrals.k,
            force: 2.0 / 3.0 * PI * semi_major * semi_minor * self.modulus * strain,
        }
    }

    /// The contact under a force, N.
    pub fn at_force(&self, force: f64) -> HertzContact {
        let unit = self.of_size(1.0); // force goes with the cube of the size
        self.of_size((force.max(0.0) / unit.force).cbrt())
    }

    /// The contact at an approach, m.
    pub fn at_approach(&self, approach: f64) -> HertzContact {
        let unit = self.of_size(1.0); // approach goes with its square
        self.of_size((approach.max(0.0) / unit.approach).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_on_a_plane_has_the_round_patch() {
        let (radius, modulus, force) = (0.02, 1e11, 50.0);
        let round = Hertz::new(0.5 / radius, 0.5 / radius, modulus).unwrap().at_force(force);
        let a = (0.75 * force * radius / modulus).cbrt();
        assert!((round.semi_major / a - 1.0).abs() < 1e-14 && round.semi_major == round.semi_minor);
        assert!((round.approach / (a * a / radius) - 1.0).abs() < 1e-14);
        let back = Hertz::new(0.5 / radius, 0.5 / radius, modulus).unwrap().at_approach(round.approach);
        assert!((back.force / force - 1.0).abs() < 1e-14);
    }

    #[test]
    fn slender_patches_satisfy_both_curvatures() {
        for flat in [0.9, 0.1, 1e-3, 1e-8] {
            let hertz = Hertz::new(flat, 1.0, 1.0).unwrap();
            assert!((flatness(hertz.ratio) / flat - 1.0).abs() < 1e-11, "{flat}");
        }
        assert!(Hertz::new(0.0, 1.0, 1.0).is_none() && Hertz::new(1.0, f64::NAN, 1.0).is_none());
        assert!(Hertz::of_cylinders(1.0, 1.0, 0.0, 1.0).is_none());
    }
}
