//! Inertia of a link together with what hangs on it, as felt at the link origin.
//!
//! ```text
//! ⎡τ⎤   ⎡J   H⎤ ⎡α⎤          rigid link:   J = I_c + m (c·c 1 − c cᵀ)     H = m [c]×     M = m 1
//! ⎣f⎦ = ⎣Hᵀ  M⎦ ⎣a⎦
//!
//! at a point from which the origin is r away:   H' = H + [r]× M     J' = J + [r]× Hᵀ − H' [r]×     M' = M
//! ```
//! Joints let go of some directions of the children's mass, so M is a full matrix. World axes throughout.
//! Source: Featherstone (2008), Rigid Body Dynamics Algorithms, §7.1, with linear and angular blocks named apart.

use crate::{Inertia, Twist, Wrench, ldl::Ldl};
use bristle_math::Real;
use nalgebra::{Matrix3, Vector3};

/// Symmetric 6×6 map from acceleration to wrench, both at the link origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Articulated<T> {
    /// J: torque per angular acceleration.
    pub(crate) rotational: Matrix3<T>,
    /// H: torque per linear acceleration.
    pub(crate) coupling: Matrix3<T>,
    /// M: force per linear acceleration.
    pub(crate) translational: Matrix3<T>,
}

impl<T: Real> Articulated<T> {
    pub(crate) fn zero() -> Self {
        let zero = Matrix3::zeros();
        Self { rotational: zero, coupling: zero, translational: zero }
    }

    /// A single rigid body; `inertia` in world axes about the link origin.
    #[inline]
    pub(crate) fn rigid(inertia: &Inertia<T>) -> Self {
        Self {
            rotational: inertia.about_reference(),
            coupling: (inertia.center * inertia.mass).cross_matrix(),
            translational: Matrix3::from_diagonal_element(inertia.mass),
        }
    }

    #[inline]
    pub(crate) fn apply(&self, acceleration: &Twist<T>) -> Wrench<T> {
        Wrench {
            torque: self.rotational * acceleration.angular + self.coupling * acceleration.linear,
            force: self.coupling.tr_mul(&acceleration.angular) + self.translational * acceleration.linear,
        }
    }

    /// Takes away the rank-one part `a bᵀ`; the sum over all such parts is symmetric.
    #[inline]
    pub(crate) fn subtract(&mut self, a: &Wrench<T>, b: &Wrench<T>) {
        self.rotational -= a.torque * b.torque.transpose();
        self.coupling -= a.torque * b.force.transpose();
        self.translational -= a.force * b.force.transpose();
    }

    /// The same inertia felt at a point from which the present reference point is `offset` away.
    #[inline]
    pub(crate) fn seen_from(&self, offset: &Vector3<T>) -> Self {
        let r = offset.cross_matrix();
        let coupling = self.coupling + r * self.translational;
        Self {
            rotational: self.rotational + r * self.coupling.transpose() - coupling * r,
            coupling,
            translational: self.translational,
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, other: &Self) {
        self.rotational += other.rotational;
        self.coupling += other.coupling;
        self.translational += other.translational;
    }

    /// The acceleration that `wrench` gives.
    #[inline]
    pub(crate) fn solve(&self, wrench: &Wrench<T>) -> Twist<T> {
        let (t, f) = (&wrench.torque, &wrench.force);
        let x = Ldl::new(&self.rows()).solve([t.x, t.y, t.z, f.x, f.y, f.z]);
        Twist { angular: Vector3::new(x[0], x[1], x[2]), linear: Vector3::new(x[3], x[4], x[5]) }
    }

    pub(crate) fn rows(&self) -> [[T; 6]; 6] {
        let (j, h, m) = (&self.rotational, &self.coupling, &self.translational);
        std::array::from_fn(|r| {
            std::array::from_fn(|c| match (r < 3, c < 3) {
                (true, true) => j[(r, c)],
                (true, false) => h[(r, c - 3)],
                (false, true) => h[(c, r - 3)],
                (false, false) => m[(r - 3, c - 3)],
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> Inertia<f64> {
        Inertia {
            mass: 2.5,
            center: Vector3::new(0.1, -0.2, 0.3),
            about_center: Matrix3::new(0.4, 0.01, 0.0, 0.01, 0.5, -0.02, 0.0, -0.02, 0.6),
        }
    }
    fn motion() -> Twist<f64> {
        Twist { angular: Vector3::new(0.3, -0.7, 1.1), linear: Vector3::new(2.0, 0.4, -0.9) }
    }
    fn distance(a: &Wrench<f64>, b: &Wrench<f64>) -> f64 {
        (a.torque - b.torque).norm() + (a.force - b.force).norm()
    }

    #[test]
    fn a_rigid_link_gives_its_momentum() {
        let wrench = Articulated::rigid(&body()).apply(&motion());
        assert!(distance(&wrench, &body().momentum(&motion())) < 1e-14);
    }

    #[test]
    fn moving_the_point_moves_wrench_and_motion_alike() {
        let offset = Vector3::new(0.7, -0.4, 1.3);
        let far = Articulated::rigid(&body()).seen_from(&offset).apply(&motion());
        let near = Articulated::rigid(&body()).apply(&motion().at(&offset)).at(&-offset);
        assert!(distance(&far, &near) < 1e-13);
    }

    #[test]
    fn solving_inverts_applying() {
        let inertia = Articulated::rigid(&body());
        let found = inertia.solve(&inertia.apply(&motion()));
        assert!((found.angular - motion().angular).norm() + (found.linear - motion().linear).norm() < 1e-13);
    }
}
