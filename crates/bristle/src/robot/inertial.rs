//! Mass, centre of mass and inertia of links, and sums of them.

use bristle_math::spatial::Inertia;
use nalgebra::{Isometry3, Matrix3, Vector3};

/// How the mass of a link is spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inertial {
    /// kg
    pub mass: f64,
    /// Centre of mass in the link frame, m.
    pub center: Vector3<f64>,
    /// About the centre of mass, in link axes, kg m².
    pub inertia: Matrix3<f64>,
}

impl Inertial {
    /// No mass.
    pub fn zero() -> Self {
        Self { mass: 0.0, center: Vector3::zeros(), inertia: Matrix3::zeros() }
    }

    /// The same body seen from a frame in which its own frame has this pose.
    pub fn seen_from(&self, pose: &Isometry3<f64>) -> Self {
        let turn = pose.rotation.to_rotation_matrix();
        let turned = turn.matrix() * self.inertia * turn.matrix().transpose();
        Self {
            mass: self.mass,
            center: pose.translation.vector + pose.rotation * self.center,
            inertia: (turned + turned.transpose()) * 0.5, // rounding may leave it not quite symmetric
        }
    }

    /// Several bodies, seen from one frame, as one rigid body.
    pub fn sum(parts: &[Self]) -> Self {
        let mass: f64 = parts.iter().map(|p| p.mass).sum();
        if mass <= 0.0 {
            return Self::zero();
        }
        let center = parts.iter().map(|p| p.center * p.mass).sum::<Vector3<f64>>() / mass;
        let inertia = parts.iter().map(|p| p.inertia + steiner(p.mass, &(p.center - center))).sum();
        Self { mass, center, inertia }
    }

    /// Mass and inertia times a factor.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self { mass: self.mass * factor, center: self.center, inertia: self.inertia * factor }
    }
}

impl From<Inertia<f64>> for Inertial {
    fn from(body: Inertia<f64>) -> Self {
        Self { mass: body.mass, center: body.center, inertia: body.about_center }
    }
}

/// Inertia of a point mass away from the axis.
fn steiner(mass: f64, offset: &Vector3<f64>) -> Matrix3<f64> {
    (Matrix3::identity() * offset.norm_squared() - offset * offset.transpose()) * mass
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Translation3, UnitQuaternion};

    #[test]
    fn two_halves_make_the_whole_box() {
        // a box 2 x 1 x 1 of 6 kg: moments m/12 (b² + c²)
        let half = Inertial {
            mass: 3.0,
            center: Vector3::zeros(),
            inertia: Matrix3::from_diagonal(&Vector3::repeat(0.5)),
        };
        let left = half.seen_from(&Translation3::new(-0.5, 0.0, 0.0).into());
        let turned = UnitQuaternion::from_euler_angles(0.3, 0.2, 0.1);
        let right = half.seen_from(&Isometry3::from_parts(Translation3::new(0.5, 0.0, 0.0), turned));
        let whole = Inertial::sum(&[left, right]); // a cube is the same however it is turned
        let expected = Matrix3::from_diagonal(&Vector3::new(1.0, 2.5, 2.5));
        assert!(whole.center.norm() < 1e-15 && (whole.inertia - expected).amax() < 1e-15, "{whole:?}");
    }
}
