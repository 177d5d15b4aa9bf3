//! Symmetric 3×3 matrices by their six numbers.

use bristle_math::Real;
use nalgebra::{Matrix3, Vector3};
use std::ops::{AddAssign, Mul};

/// Upper triangle of a symmetric matrix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Symmetric<T> {
    pub(crate) xx: T,
    pub(crate) xy: T,
    pub(crate) xz: T,
    pub(crate) yy: T,
    pub(crate) yz: T,
    pub(crate) zz: T,
}

impl<T: Real> Symmetric<T> {
    /// A multiple of the identity.
    #[inline]
    pub(crate) fn diagonal(x: T) -> Self {
        let zero = T::lit(0.0);
        Self { xx: x, xy: zero, xz: zero, yy: x, yz: zero, zz: x }
    }

    /// The upper triangle of `m`.
    #[inline]
    pub(crate) fn of(m: &Matrix3<T>) -> Self {
        Self { xx: m.m11, xy: m.m12, xz: m.m13, yy: m.m22, yz: m.m23, zz: m.m33 }
    }

    /// All nine numbers.
    #[inline]
    pub(crate) fn full(&self) -> Matrix3<T> {
        let Self { xx, xy, xz, yy, yz, zz } = *self;
        Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    }

    /// The same map in axes turned by `r`: r S rᵀ.
    #[inline(always)]
    pub(crate) fn turned(&self, r: &Matrix3<T>) -> Self {
        let Self { xx, xy, xz, yy, yz, zz } = *self;
        let row =
            |a: T, b: T, c: T| [a * xx + b * xy + c * xz, a * xy + b * yy + c * yz, a * xz + b * yz + c * zz];
        let [x, y, z] = [row(r.m11, r.m12, r.m13), row(r.m21, r.m22, r.m23), row(r.m31, r.m32, r.m33)];
        let dot = |p: &[T; 3], a: T, b: T, c: T| p[0] * a + p[1] * b + p[2] * c;
        Self {
            xx: dot(&x, r.m11, r.m12, r.m13),
            xy: dot(&x, r.m21, r.m22, r.m23),
            xz: dot(&x, r.m31, r.m32, r.m33),
            yy: dot(&y, r.m21, r.m22, r.m23),
            yz: dot(&y, r.m31, r.m32, r.m33),
            zz: dot(&z, r.m31, r.m32, r.m33),
        }
    }

    /// Takes away the upper triangle of `a bᵀ`.
    #[inline(always)]
    pub(crate) fn subtract(&mut self, a: &Vector3<T>, b: &Vector3<T>) {
        self.xx -= a.x * b.x;
        self.xy -= a.x * b.y;
        self.xz -= a.x * b.z;
        self.yy -= a.y * b.y;
        self.yz -= a.y * b.z;
        self.zz -= a.z * b.z;
    }
}

impl<T: Real> Mul<&Vector3<T>> for &Symmetric<T> {
    type Output = Vector3<T>;
    #[inline(always)]
    fn mul(self, v: &Vector3<T>) -> Vector3<T> {
        Vector3::new(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
}

impl<T: Real> AddAssign for Symmetric<T> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.xx += other.xx;
        self.xy += other.xy;
        self.xz += other.xz;
        self.yy += other.yy;
        self.yz += other.yz;
        self.zz += other.zz;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;

    #[test]
    fn turning_and_applying_agree_with_full_matrices() {
        let full = Matrix3::new(0.4, 0.01, -0.3, 0.01, 0.5, -0.02, -0.3, -0.02, 0.6);
        let r = UnitQuaternion::from_euler_angles(0.4, -1.1, 2.3).to_rotation_matrix().into_inner();
        let turned = Symmetric::of(&full).turned(&r);
        let expected = r * full * r.transpose();
        assert!((turned.full() - expected).norm() < 1e-15);
        let v = Vector3::new(0.3, -0.7, 1.1);
        assert!((&turned * &v - expected * v).norm() < 1e-15);
    }
}
