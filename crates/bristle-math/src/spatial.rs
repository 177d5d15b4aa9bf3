//! Spatial algebra: motion and force are different types, and only their product is a number.
//!
//! A [`Twist`] and a [`Wrench`] are given at a point and in axes that both share; [`Twist::at`] and
//! [`Wrench::at`] move the point, `rotated` turns the axes. [`Inertia`] maps a twist to the momentum
//! wrench at the same point.

use crate::Real;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// Velocity of a rigid body: angular (rad/s) and linear (m/s) at a reference point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist<T> {
    /// Angular velocity, rad/s.
    pub angular: Vector3<T>,
    /// Velocity of the reference point, m/s.
    pub linear: Vector3<T>,
}

/// Force on a rigid body: torque (N m) about a reference point and force (N).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench<T> {
    /// Torque about the reference point, N m.
    pub torque: Vector3<T>,
    /// Force, N.
    pub force: Vector3<T>,
}

/// Mass distribution of a rigid body about a reference point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inertia<T> {
    /// Mass, kg.
    pub mass: T,
    /// From the reference point to the centre of mass, m.
    pub center: Vector3<T>,
    /// Rotational inertia about the centre of mass, kg m².
    pub about_center: Matrix3<T>,
}

macro_rules! vector_space {
    ($name:ident { $($field:ident),+ }) => {
        impl<T: Real> $name<T> {
            /// All components zero.
            pub fn zero() -> Self {
                Self { $($field: Vector3::zeros()),+ }
            }
            /// The same quantity in axes turned by `rotation`.
            pub fn rotated(&self, rotation: &UnitQuaternion<T>) -> Self {
                Self { $($field: rotation * self.$field),+ }
            }
        }
        impl<T: Real> Add for $name<T> {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self { $($field: self.$field + other.$field),+ }
            }
        }
        impl<T: Real> Sub for $name<T> {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self { $($field: self.$field - other.$field),+ }
            }
        }
        impl<T: Real> Neg for $name<T> {
            type Output = Self;
            fn neg(self) -> Self {
                Self { $($field: -self.$field),+ }
            }
        }
        impl<T: Real> Mul<T> for $name<T> {
            type Output = Self;
            fn mul(self, factor: T) -> Self {
                Self { $($field: self.$field * factor),+ }
            }
        }
        impl<T: Real> AddAssign for $name<T> {
            fn add_assign(&mut self, other: Self) {
                $(self.$field += other.$field;)+
            }
        }
    };
}
vector_space!(Twist { angular, linear });
vector_space!(Wrench { torque, force });

impl<T: Real> Twist<T> {
    /// The same motion seen at a point `offset` away from the reference point.
    pub fn at(&self, offset: &Vector3<T>) -> Self {
        Self { angular: self.angular, linear: self.linear + self.angular.cross(offset) }
    }

    /// Power that `wrench`, given at the same point, delivers to this motion, W.
    pub fn power(&self, wrench: &Wrench<T>) -> T {
        self.angular.dot(&wrench.torque) + self.linear.dot(&wrench.force)
    }

    /// Rate of change of `other`, carried along with this motion (spatial cross product).
    pub fn cross(&self, other: &Self) -> Self {
        Self {
            angular: self.angular.cross(&other.angular),
            linear: self.angular.cross(&other.linear) + self.linear.cross(&other.angular),
        }
    }

    /// Rate of change of a wrench carried along with this motion (dual cross product).
    pub fn cross_wrench(&self, wrench: &Wrench<T>) -> Wrench<T> {
        Wrench {
            torque: self.angular.cross(&wrench.torque) + self.linear.cross(&wrench.force),
            force: self.angular.cross(&wrench.force),
        }
    }
}

impl<T: Real> Wrench<T> {
    /// A force acting at `point`, taken about the origin of `point`.
    pub fn from_force(force: Vector3<T>, point: &Vector3<T>) -> Self {
        Self { torque: point.cross(&force), force }
    }

    /// The same wrench about a point `offset` away from the reference point.
    pub fn at(&self, offset: &Vector3<T>) -> Self {
        Self { torque: self.torque - offset.cross(&self.force), force: self.force }
    }
}

impl<T: Real> Inertia<T> {
    /// A mass at the reference point that does not resist turning.
    pub fn point(mass: T) -> Self {
        Self { mass, center: Vector3::zeros(), about_center: Matrix3::zeros() }
    }

    /// A homogeneous ball centred on the reference point: 2/5 m r² about every axis.
    pub fn solid_sphere(mass: T, radius: T) -> Self {
        let about_center = Matrix3::from_diagonal_element(T::lit(0.4) * mass * radius * radius);
        Self { mass, center: Vector3::zeros(), about_center }
    }

    /// The same body in axes turned by `rotation`.
    pub fn rotated(&self, rotation: &UnitQuaternion<T>) -> Self {
        let turn = rotation.to_rotation_matrix().into_inner();
        Self {
            mass: self.mass,
            center: turn * self.center,
            about_center: turn * self.about_center * turn.transpose(),
        }
    }

    /// Rotational inertia about the reference point, kg m².
    pub fn about_reference(&self) -> Matrix3<T> {
        self.about_point(&self.center)
    }

    /// The same body in another scalar.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Inertia<U> {
        Inertia {
            mass: f(self.mass),
            center: self.center.map(&mut *f),
            about_center: self.about_center.map(&mut *f),
        }
    }

    /// Momentum of a body moving with `twist`, both about the reference point.
    pub fn momentum(&self, twist: &Twist<T>) -> Wrench<T> {
        let linear = (twist.linear + twist.angular.cross(&self.center)) * self.mass;
        Wrench { torque: self.about_center * twist.angular + self.center.cross(&linear), force: linear }
    }

    /// Kinetic energy, J.
    pub fn kinetic_energy(&self, twist: &Twist<T>) -> T {
        T::lit(0.5) * twist.power(&self.momentum(twist))
    }

    /// Two bodies fixed to each other, about the same reference point.
    pub fn joined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        let center = (self.center * self.mass + other.center * other.mass) / mass;
        let about_center =
            self.about_point(&(center - self.center)) + other.about_point(&(center - other.center));
        Self { mass, center, about_center }
    }

    /// Rotational inertia about a point `offset` away from the centre of mass (parallel axes).
    fn about_point(&self, offset: &Vector3<T>) -> Matrix3<T> {
        let square = Matrix3::identity() * offset.dot(offset) - offset * offset.transpose();
        self.about_center + square * self.mass
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twist() -> Twist<f64> {
        Twist { angular: Vector3::new(0.3, -0.7, 1.1), linear: Vector3::new(2.0, 0.4, -0.9) }
    }
    fn wrench() -> Wrench<f64> {
        Wrench { torque: Vector3::new(-1.0, 0.2, 0.5), force: Vector3::new(0.6, 3.0, -2.0) }
    }
    fn body() -> Inertia<f64> {
        Inertia {
            mass: 2.5,
            center: Vector3::new(0.1, -0.2, 0.3),
            about_center: Matrix3::new(0.4, 0.01, 0.0, 0.01, 0.5, -0.02, 0.0, -0.02, 0.6),
        }
    }

    #[test]
    fn power_does_not_depend_on_the_reference_point() {
        let offset = Vector3::new(0.5, -1.5, 0.25);
        let moved = twist().at(&offset).power(&wrench().at(&offset));
        assert!((moved - twist().power(&wrench())).abs() < 1e-14);
    }

    #[test]
    fn cross_products_are_dual() {
        let other = Twist { angular: Vector3::new(1.0, 0.5, -0.2), linear: Vector3::new(-0.3, 0.8, 0.1) };
        let a = twist().cross(&other).power(&wrench());
        let b = other.power(&twist().cross_wrench(&wrench()));
        assert!((a + b).abs() < 1e-14, "w·(v×u) = −u·(v×*w)");
    }

    #[test]
    fn kinetic_energy_is_that_of_the_centre_plus_rotation() {
        let center = twist().at(&body().center).linear;
        let spin = twist().angular;
        let expected = 0.5 * (2.5 * center.dot(&center) + spin.dot(&(body().about_center * spin)));
        assert!((body().kinetic_energy(&twist()) - expected).abs() < 1e-14);
    }

    #[test]
    fn turning_the_axes_turns_the_momentum() {
        let turn = UnitQuaternion::from_euler_angles(0.4, -1.1, 2.3);
        let turned = body().rotated(&turn).momentum(&twist().rotated(&turn));
        let expected = body().momentum(&twist()).rotated(&turn);
        assert!((turned.torque - expected.torque).norm() + (turned.force - expected.force).norm() < 1e-14);
    }

    #[test]
    fn inertia_about_the_reference_point_is_spin_to_torque() {
        let spin = Twist { angular: Vector3::new(0.3, -0.7, 1.1), linear: Vector3::zeros() };
        let torque = body().about_reference() * spin.angular;
        assert!((torque - body().momentum(&spin).torque).norm() < 1e-14);
        assert_eq!(Inertia::solid_sphere(5.0, 2.0).about_reference(), Matrix3::identity() * 8.0);
        assert_eq!(Inertia::point(5.0).about_reference(), Matrix3::zeros());
    }

    #[test]
    fn joined_bodies_have_the_sum_of_momenta() {
        let other = Inertia {
            mass: 1.2,
            center: Vector3::new(-0.4, 0.0, 0.2),
            about_center: Matrix3::identity() * 0.3,
        };
        let sum = body().momentum(&twist()) + other.momentum(&twist());
        let joined = body().joined(&other).momentum(&twist());
        assert!((joined.torque - sum.torque).norm() < 1e-14 && (joined.force - sum.force).norm() < 1e-14);
    }
}
