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

use crate::symmetric::Symmetric;
use crate::{Inertia, Twist, Wrench, ldl::Ldl};
use bristle_math::Real;
use nalgebra::{Matrix3, Vector3};

/// Symmetric 6×6 map from acceleration to wrench, both at the link origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Articulated<T> {
    /// J: torque per angular acceleration.
    pub(crate) rotational: Symmetric<T>,
    /// H: torque per linear acceleration.
    pub(crate) coupling: Matrix3<T>,
    /// M: force per linear acceleration.
    pub(crate) translational: Symmetric<T>,
}

/// A rigid body by the numbers the recursions need: all about the reference point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rigid<T> {
    pub(crate) mass: T,
    /// Mass times centre.
    pub(crate) moment: Vector3<T>,
    /// Rotational inertia about the reference point.
    pub(crate) rotational: Symmetric<T>,
}

impl<T: Real> Rigid<T> {
    pub(crate) fn new(inertia: &Inertia<T>) -> Self {
        Self {
            mass: inertia.mass,
            moment: inertia.center * inertia.mass,
            rotational: Symmetric::of(&inertia.about_reference()),
        }
    }

    /// Nothing.
    pub(crate) fn zero() -> Self {
        let zero = T::lit(0.0);
        Self { mass: zero, moment: Vector3::zeros(), rotational: Symmetric::diagonal(zero) }
    }

    /// The same body in axes turned by `r`.
    #[inline(always)]
    pub(crate) fn turned(&self, r: &Matrix3<T>) -> Self {
        Self { mass: self.mass, moment: r * self.moment, rotational: self.rotational.turned(r) }
    }

    /// The same body about a point from which the present reference point is `r` away.
    #[inline(always)]
    pub(crate) fn seen_from(&self, r: &Vector3<T>) -> Self {
        let moment = self.moment + r * self.mass;
        // J' = J + (r·s) 1 − ½ (r sᵀ + s rᵀ), with s the sum of both moments
        let both = self.moment + moment;
        let half = both * T::lit(0.5);
        let j = &self.rotational;
        let rotational = Symmetric {
            xx: j.xx + r.y * both.y + r.z * both.z,
            xy: j.xy - r.x * half.y - r.y * half.x,
            xz: j.xz - r.x * half.z - r.z * half.x,
            yy: j.yy + r.x * both.x + r.z * both.z,
            yz: j.yz - r.y * half.z - r.z * half.y,
            zz: j.zz + r.x * both.x + r.y * both.y,
        };
        Self { mass: self.mass, moment, rotational }
    }

    /// Takes up another body about the same point.
    #[inline(always)]
    pub(crate) fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        self.moment += other.moment;
        self.rotational += other.rotational;
    }

    /// Its momentum, everything at the reference point.
    #[inline(always)]
    pub(crate) fn momentum(&self, twist: &Twist<T>) -> Wrench<T> {
        let Twist { angular, linear } = twist;
        Wrench {
            torque: &self.rotational * angular + self.moment.cross(linear),
            force: linear * self.mass + angular.cross(&self.moment),
        }
    }

    /// Wrench that gives the body this acceleration while it spins, everything at the reference point.
    #[inline(always)]
    pub(crate) fn force(&self, acceleration: &Twist<T>, spin: &Vector3<T>) -> Wrench<T> {
        let Twist { angular, linear } = acceleration;
        let whirl = spin.cross(&(&self.rotational * spin));
        Wrench {
            torque: &self.rotational * angular + self.moment.cross(linear) + whirl,
            force: linear * self.mass + angular.cross(&self.moment) + spin.cross(&spin.cross(&self.moment)),
        }
    }
}

impl<T: Real> Articulated<T> {
    pub(crate) fn zero() -> Self {
        let zero = Symmetric::diagonal(T::lit(0.0));
        Self { rotational: zero, coupling: Matrix3::zeros(), translational: zero }
    }

    /// A single rigid body.
    #[inline(always)]
    pub(crate) fn rigid(body: &Rigid<T>) -> Self {
        Self {
            rotational: body.rotational,
            coupling: body.moment.cross_matrix(),
            translational: Symmetric::diagonal(body.mass),
        }
    }

    #[inline(always)]
    pub(crate) fn apply(&self, acceleration: &Twist<T>) -> Wrench<T> {
        let Twist { angular, linear } = acceleration;
        Wrench {
            torque: &self.rotational * angular + self.coupling * linear,
            force: self.coupling.tr_mul(angular) + &self.translational * linear,
        }
    }

    /// Takes away the rank-one part `a bᵀ`; the sum over all such parts must be symmetric.
    #[inline(always)]
    pub(crate) fn subtract(&mut self, a: &Wrench<T>, b: &Wrench<T>) {
        self.rotational.subtract(&a.torque, &b.torque);
        self.coupling -= a.torque * b.force.transpose();
        self.translational.subtract(&a.force, &b.force);
    }

    /// The same inertia felt at a point from which the present reference point is `r` away.
    #[inline(always)]
    pub(crate) fn seen_from(&self, r: &Vector3<T>) -> Self {
        let (h, m) = (&self.coupling, &self.translational);
        let coupling = Matrix3::from_columns(&[
            h.column(0) + r.cross(&Vector3::new(m.xx, m.xy, m.xz)),
            h.column(1) + r.cross(&Vector3::new(m.xy, m.yy, m.yz)),
            h.column(2) + r.cross(&Vector3::new(m.xz, m.yz, m.zz)),
        ]);
        // J'ᵢⱼ = Jᵢⱼ + (r × row j of H)ᵢ + (r × row i of H')ⱼ
        let before = [row(h, 0), row(h, 1), row(h, 2)].map(|row| r.cross(&row));
        let after = [row(&coupling, 0), row(&coupling, 1), row(&coupling, 2)].map(|row| r.cross(&row));
        let j = &self.rotational;
        let rotational = Symmetric {
            xx: j.xx + before[0].x + after[0].x,
            xy: j.xy + before[1].x + after[0].y,
            xz: j.xz + before[2].x + after[0].z,
            yy: j.yy + before[1].y + after[1].y,
            yz: j.yz + before[2].y + after[1].z,
            zz: j.zz + before[2].z + after[2].z,
        };
        Self { rotational, coupling, translational: self.translational }
    }

    /// M alone, at a point that is `r` away from the reference point.
    #[inline(always)]
    pub(crate) fn at_point(m: &Symmetric<T>, r: &Vector3<T>) -> Self {
        let coupling = Matrix3::from_columns(&[
            r.cross(&Vector3::new(m.xx, m.xy, m.xz)),
            r.cross(&Vector3::new(m.xy, m.yy, m.yz)),
            r.cross(&Vector3::new(m.xz, m.yz, m.zz)),
        ]);
        let [x, y, z] = [row(&coupling, 0), row(&coupling, 1), row(&coupling, 2)].map(|row| r.cross(&row));
        let rotational = Symmetric { xx: x.x, xy: x.y, xz: x.z, yy: y.y, yz: y.z, zz: z.z };
        Self { rotational, coupling, translational: *m }
    }

    #[inline(always)]
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
        let (j, h, m) = (self.rotational.full(), &self.coupling, self.translational.full());
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

#[inline(always)]
fn row<T: Real>(m: &Matrix3<T>, i: usize) -> Vector3<T> {
    Vector3::new(m[(i, 0)], m[(i, 1)], m[(i, 2)])
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
        let wrench = Articulated::rigid(&Rigid::new(&body())).apply(&motion());
        assert!(distance(&wrench, &body().momentum(&motion())) < 1e-14);
    }

    #[test]
    fn moving_the_point_moves_wrench_and_motion_alike() {
        let offset = Vector3::new(0.7, -0.4, 1.3);
        let far = Articulated::rigid(&Rigid::new(&body())).seen_from(&offset).apply(&motion());
        let near = Articulated::rigid(&Rigid::new(&body())).apply(&motion().at(&offset)).at(&-offset);
        assert!(distance(&far, &near) < 1e-13);
    }

    #[test]
    fn solving_inverts_applying() {
        let inertia = Articulated::rigid(&Rigid::new(&body()));
        let found = inertia.solve(&inertia.apply(&motion()));
        assert!((found.angular - motion().angular).norm() + (found.linear - motion().linear).norm() < 1e-13);
    }
}
