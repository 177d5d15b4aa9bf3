//! The overlap of two balls: volume, disc area and moment, exact for any depth.
//!
//! ```text
//! V(χ) = π h₁²(R₁ − h₁/3) + π h₂²(R₂ − h₂/3)     h₁ + h₂ = χ,  h₁ = χ(2R₂ − χ) / 2(R₁ + R₂ − χ)
//! A(χ) = dV/dχ = π h₁(2R₁ − h₁)                   the disc in which the surfaces meet
//! M(χ) = ∫₀^χ V dχ = ½ ∫ δ² dA                    the energy of a unit Winkler bed
//! ```
//!
//! Written with curvatures c = 1/R, so that a plane is simply `c = 0` and nothing is divided by an
//! infinite radius. Equal radii give V = π χ²(6R − χ)/12; a plane gives V = π χ²(R − χ/3).

use crate::{Real, gauss};
use std::f64::consts::PI;

/// Two balls, or a ball and a half-space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lens<T> {
    /// Curvature of one side, 1/m.
    pub curvature_a: T,
    /// Curvature of the other side, 1/m; zero for a plane.
    pub curvature_b: T,
}

impl<T: Real> Lens<T> {
    /// A ball of radius `radius` (m) on a half-space.
    pub fn on_plane(radius: T) -> Self {
        Self { curvature_a: T::lit(1.0) / radius, curvature_b: T::lit(0.0) }
    }

    /// Two balls of the given radii, m.
    pub fn of_spheres(radius_a: T, radius_b: T) -> Self {
        Self { curvature_a: T::lit(1.0) / radius_a, curvature_b: T::lit(1.0) / radius_b }
    }

    /// Effective radius of the pair, m: 1/R = 1/R₁ + 1/R₂.
    pub fn radius(&self) -> T {
        T::lit(1.0) / (self.curvature_a + self.curvature_b)
    }

    /// Cap heights divided by the curvature of their own side.
    #[inline]
    fn caps(&self, depth: T) -> (T, T) {
        let (a, b) = (self.curvature_a, self.curvature_b);
        let share = depth / (T::lit(2.0) * (a + b - depth * a * b));
        ((T::lit(2.0) - depth * b) * share, (T::lit(2.0) - depth * a) * share)
    }

    /// Overlap volume, m³; zero for a gap.
    #[inline]
    pub fn volume(&self, depth: T) -> T {
        let (g, h) = self.caps(depth.positive());
        let cap = |g: T, c: T| g.squared() * c * (T::lit(1.0) - g * c.squared() / T::lit(3.0));
        T::lit(PI) * (cap(g, self.curvature_a) + cap(h, self.curvature_b))
    }

    /// Area of the disc in which the surfaces meet, m²: the derivative of the volume.
    #[inline]
    pub fn area(&self, depth: T) -> T {
        let (g, _) = self.caps(depth.positive());
        T::lit(PI) * g * (T::lit(2.0) - g * self.curvature_a.squared())
    }

    /// ½∫δ² dA over the patch, m⁴: the integral of the volume over depth.
    #[inline]
    pub fn moment(&self, depth: T) -> T {
        let depth = depth.positive();
        if self.curvature_b.is_exactly(0.0) {
            // ∫ π χ²(R − χ/3) in closed form
            let scale = T::lit(1.0) / self.curvature_a - depth / T::lit(4.0);
            return T::lit(PI / 3.0) * depth.squared() * depth * scale;
        }
        gauss::legendre8(T::lit(0.0), depth, |chi| self.volume(chi))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;
    use nalgebra::{Const, U1};

    #[test]
    fn equal_spheres_match_the_closed_form() {
        let (r, chi) = (0.7, 0.13);
        let lens = Lens::of_spheres(r, r);
        assert!((lens.volume(chi) / (PI * chi * chi * (6.0 * r - chi) / 12.0) - 1.0).abs() < 1e-15);
        assert!((lens.area(chi) / (PI * chi * (4.0 * r - chi) / 4.0) - 1.0).abs() < 1e-15);
        let moment = PI * (2.0 * r * chi.powi(3) - chi.powi(4) / 4.0) / 12.0;
        assert!((lens.moment(chi) / moment - 1.0).abs() < 1e-15);
    }

    #[test]
    fn half_sunk_ball_displaces_half_its_volume() {
        let lens = Lens::on_plane(2.0);
        assert!((lens.volume(2.0) / (2.0 / 3.0 * PI * 8.0) - 1.0).abs() < 1e-15);
        assert!((lens.area(2.0) / (4.0 * PI) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn plane_is_the_limit_of_a_large_sphere() {
        let (flat, round) = (Lens::on_plane(1.0), Lens::of_spheres(1.0, 1e12));
        assert!((flat.volume(0.2) / round.volume(0.2) - 1.0).abs() < 1e-11);
        assert!((flat.moment(0.2) / round.moment(0.2) - 1.0).abs() < 1e-11);
    }

    #[test]
    fn area_is_the_slope_of_volume_and_volume_that_of_moment() {
        let slope = |y: Dual<1>| y.eps.unwrap_generic(Const::<1>, U1)[0];
        for lens in [Lens::of_spheres(1.0, 0.5), Lens::on_plane(0.3)] {
            for depth in [1e-6, 1e-3, 0.1] {
                let dual = Lens {
                    curvature_a: Dual::lit(lens.curvature_a),
                    curvature_b: Dual::lit(lens.curvature_b),
                };
                let x = Dual::<1>::from_re(depth).derivative(0);
                assert!((slope(dual.volume(x)) / lens.area(depth) - 1.0).abs() < 1e-13);
                assert!((slope(dual.moment(x)) / lens.volume(depth) - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_gap_has_no_overlap() {
        let lens = Lens::of_spheres(1.0, 0.5);
        assert_eq!((lens.volume(-0.1), lens.area(-0.1), lens.moment(-0.1)), (0.0, 0.0, 0.0));
    }
}
