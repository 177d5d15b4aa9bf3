//! A body that nothing holds: closed form instead of a 6×6 solve.
//!
//! ```text
//! ω̇ = R I_c⁻¹ (Rᵀ τ_c − ω_b × I_c ω_b)      τ_c = τ − c × f      ω_b = Rᵀ ω
//! a = f/m − ω̇ × c − ω × (ω × c)                                   at the link origin, c from there to the centre
//!
//! isotropic, centred:   ω̇ = τ / i      a = f/m                    (no rotation needed)
//! ```
//! This is what the recursion of [`crate::Tree::accelerations`] reduces to at a floating link without children: the
//! joint passes no force to the parent, so the link sees its own inertia only. Source: Newton and Euler.

use crate::symmetric::Symmetric;
use crate::whirl::whirl;
use crate::{Inertia, Joint, Link, Twist, Wrench, ldl::Ldl};
use bristle_math::Real;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// The mass properties of a floating link without children, and their inverses.
#[derive(Debug, Clone)]
pub(crate) struct FreeBody<T> {
    pub(crate) inertia: Inertia<T>,
    inverse_mass: T,
    inverse_inertia: Matrix3<T>,
    is_isotropic: bool,
    /// True for a root whose joint frame has the axes of the world.
    pub(crate) is_aligned: bool,
}

impl<T: Real> FreeBody<T> {
    pub(crate) fn new(link: &Link<T>) -> Self {
        debug_assert!(matches!(link.joint, Joint::Floating));
        let i = &link.inertia.about_center;
        let factors = Ldl::<T, 3>::new(&std::array::from_fn(|r| std::array::from_fn(|c| i[(r, c)])));
        let inverse_inertia = Matrix3::from_fn(|r, c| factors.inverse_column(c)[r]);
        let turn = link.placement.rotation.coords;
        let is_unturned = (0..3).all(|k| turn[k].is_exactly(0.0)) && turn.w.is_exactly(1.0);
        Self {
            inertia: link.inertia,
            inverse_mass: T::lit(1.0) / link.inertia.mass,
            inverse_inertia,
            is_isotropic: is_isotropic(&link.inertia),
            is_aligned: link.parent.is_none() && is_unturned,
        }
    }

    /// Acceleration under `wrench`, at the link origin in world axes. `rotation` is asked for by bodies that need it.
    #[inline(always)]
    pub(crate) fn acceleration(
        &self,
        rotation: impl FnOnce() -> UnitQuaternion<T>,
        spin: &Vector3<T>,
        wrench: &Wrench<T>,
    ) -> Twist<T> {
        if self.is_isotropic {
            let angular = wrench.torque * self.inverse_inertia[(0, 0)];
            return Twist { angular, linear: wrench.force * self.inverse_mass };
        }
        let turn = rotation().to_rotation_matrix().into_inner();
        let center = turn * self.inertia.center;
        let torque = turn.tr_mul(&(wrench.torque - center.cross(&wrench.force)));
        let spin_b = turn.tr_mul(spin);
        let gyroscopic = spin_b.cross(&(self.inertia.about_center * spin_b));
        let angular = turn * (self.inverse_inertia * (torque - gyroscopic));
        let linear =
            wrench.force * self.inverse_mass - angular.cross(&center) - spin.cross(&spin.cross(&center));
        Twist { angular, linear }
    }

    /// Wrench at the link origin that the spin asks for over a step; `turn` is where the body is turned to.
    #[inline(always)]
    pub(crate) fn whirl(&self, turn: &Matrix3<T>, spin: &Vector3<T>, step: T) -> Wrench<T> {
        if self.is_isotropic {
            return Wrench::zero();
        }
        let center = turn * self.inertia.center;
        let force = spin.cross(&spin.cross(&center)) * self.inertia.mass;
        let about_center = Symmetric::of(&self.inertia.about_center).turned(turn);
        Wrench { torque: whirl(&about_center, spin, step) + center.cross(&force), force }
    }

    /// Inverses of mass and inertia, where these are all there is.
    pub(crate) fn as_ball(&self) -> Option<[T; 2]> {
        self.is_isotropic.then_some([self.inverse_mass, self.inverse_inertia[(0, 0)]])
    }

    /// The same body without the shortcut.
    #[cfg(test)]
    fn general(&self) -> Self {
        Self { is_isotropic: false, ..self.clone() }
    }
}

/// Centred on the link origin, and equally hard to turn about every axis.
fn is_isotropic<T: Real>(inertia: &Inertia<T>) -> bool {
    let i = &inertia.about_center;
    let off_diagonal = (0..3).all(|r| (0..3).all(|c| r == c || i[(r, c)].is_exactly(0.0)));
    let equal = (i[(0, 0)] - i[(1, 1)]).is_exactly(0.0) && (i[(0, 0)] - i[(2, 2)]).is_exactly(0.0);
    off_diagonal && equal && inertia.center.iter().all(|x| x.is_exactly(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;

    fn link(inertia: Inertia<f64>) -> Link<f64> {
        let placement = Pose::identity();
        Link { name: "body".into(), parent: None, joint: Joint::Floating, placement, inertia }
    }

    #[test]
    fn isotropic_shortcut_equals_the_general_form() {
        let ball = link(Inertia::solid_sphere(2.0, 0.3));
        let body = FreeBody::new(&ball);
        assert!(body.is_isotropic && body.is_aligned);
        let turn = UnitQuaternion::from_euler_angles(0.4, -1.0, 2.0);
        let spin = Vector3::new(3.0, -2.0, 1.0);
        let wrench = Wrench { torque: Vector3::new(0.1, 0.2, -0.3), force: Vector3::new(4.0, 5.0, 6.0) };
        let short = body.acceleration(|| turn, &spin, &wrench);
        let long = body.general().acceleration(|| turn, &spin, &wrench);
        assert!((short.angular - long.angular).norm() < 1e-14 * long.angular.norm());
        assert!((short.linear - long.linear).norm() < 1e-14 * long.linear.norm());
    }

    #[test]
    fn an_offset_or_uneven_body_takes_the_general_form() {
        let offset = Inertia { center: Vector3::new(0.0, 0.1, 0.0), ..Inertia::solid_sphere(1.0, 0.1) };
        assert!(!FreeBody::new(&link(offset)).is_isotropic);
        let mut uneven = Inertia::solid_sphere(1.0, 0.1);
        uneven.about_center[(2, 2)] *= 1.5;
        assert!(!FreeBody::new(&link(uneven)).is_isotropic);
    }
}
