//! How far a shape reaches along a direction, how it curves there, and the Hertz contact of two such places.

use crate::{Hertz, Pose, Shape};
use nalgebra::{Matrix3, Vector3};

/// Cosine below which the axis of a cylinder counts as lying across a direction.
const ACROSS: f64 = 1e-9;

impl Shape<f64> {
    /// Largest component along a unit direction of the points of the shape, in its own frame, m. Infinite where the
    /// shape has no end; of terrain and bores always.
    pub fn extent_along(&self, n: &Vector3<f64>) -> f64 {
        let farthest =
            |points: &[Vector3<f64>]| points.iter().map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max);
        match *self {
            Self::HalfSpace if n.z >= 1.0 => 0.0,
            Self::HalfSpace | Self::Terrain(_) | Self::Tube { .. } => f64::INFINITY,
            Self::Point => 0.0,
            Self::Sphere { radius } => radius,
            Self::Cylinder { radius, half_length } => radius * n.xy().norm() + half_length * n.z.abs(),
            Self::Capsule { radius, half_length } => radius + half_length * n.z.abs(),
            Self::Cuboid { half } => half.dot(&n.abs()),
            Self::Ellipsoid { radii } => radii.component_mul(n).norm(),
            Self::Convex(ref body) => farthest(body.vertices()),
            Self::Mesh(ref mesh) => mesh.lowest_corner(&-n).dot(n),
        }
    }

    /// Curvature of the surface where its outward normal is `n` (unit, own frame): K with the gap ½xᵀKx from the tangent
    /// plane, 1/m. None where the surface is not smooth or not there.
    ///
    /// An ellipsoid xᵀMx = 1 has K = h P M P with h = √(nᵀM⁻¹n), its extent, and P the projection across n.
    pub fn curvature_at(&self, n: &Vector3<f64>) -> Option<Matrix3<f64>> {
        let across = Matrix3::identity() - n * n.transpose();
        match *self {
            Self::HalfSpace => (n.z >= 1.0 - ACROSS).then(Matrix3::zeros),
            Self::Sphere { radius } => Some(across / radius),
            Self::Ellipsoid { radii } => {
                let inverse_squares = Matrix3::from_diagonal(&radii.map(|r| 1.0 / (r * r)));
                Some(across * inverse_squares * across * self.extent_along(n))
            }
            Self::Cylinder { radius, .. } if n.z.abs() < ACROSS => {
                let around = Vector3::z().cross(n);
                Some(around * around.transpose() / radius)
            }
            _ => None,
        }
    }
}

impl Hertz {
    /// Two smooth shapes that touch with the unit normal `normal` from `a` into `b`, in world axes; E* in Pa. None for
    /// shapes that are not smooth there, and for line contact.
    pub fn of_shapes(
        a: (&Shape<f64>, &Pose<f64>),
        b: (&Shape<f64>, &Pose<f64>),
        normal: &Vector3<f64>,
        modulus: f64,
    ) -> Option<Self> {
        let in_world = |(shape, pose): (&Shape<f64>, &Pose<f64>), n: Vector3<f64>| {
            let turn = pose.rotation.to_rotation_matrix().into_inner();
            Some(turn * shape.curvature_at(&(turn.transpose() * n))? * turn.transpose())
        };
        let (own, other) = (in_world(a, *normal)?, in_world(b, -normal)?);
        let relative = own + other;
        let sum = relative.trace();
        // The product of the two curvatures; tr K² − (tr K)² would cancel for long patches.
        let axis = normal.iamin();
        let first = Vector3::ith(axis, 1.0).cross(normal).normalize();
        let second = normal.cross(&first);
        let [xx, xy, yy] =
            [(first, first), (first, second), (second, second)].map(|(p, q)| p.dot(&(relative * q)));
        let steep = 0.5 * (sum + ((xx - yy).powi(2) + 4.0 * xy * xy).sqrt());
        Self::new(0.5 * (xx * yy - xy * xy) / steep, 0.5 * steep, modulus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Convex, Mesh, MeshOptions};
    use std::sync::Arc;

    fn direction() -> Vector3<f64> {
        Vector3::new(0.36, -0.48, 0.8)
    }

    #[test]
    fn extents_agree_with_the_box_of_a_turned_shape() {
        let n = direction();
        let turn = nalgebra::UnitQuaternion::rotation_between(&n, &Vector3::z()).unwrap();
        let pose = Pose::from_parts(nalgebra::Translation3::identity(), turn);
        let half = Vector3::new(0.1, 0.2, 0.3);
        let shapes = [
            Shape::Sphere { radius: 0.2 },
            Shape::Cylinder { radius: 0.2, half_length: 0.5 },
            Shape::Capsule { radius: 0.2, half_length: 0.5 },
            Shape::Cuboid { half },
            Shape::Ellipsoid { radii: half },
            Shape::Convex(Arc::new(Convex::cuboid(&half).unwrap())),
        ];
        for shape in shapes {
            assert!((shape.extent_along(&n) - shape.aabb(&pose).max.z).abs() < 1e-15, "{shape:?}");
        }
        let mesh = Mesh::of_shape(&Shape::Cuboid { half }, 1.0, &MeshOptions::default()).unwrap();
        let whole = Shape::Cuboid { half }.extent_along(&n);
        assert!((Shape::Mesh(Arc::new(mesh)).extent_along(&n) - whole).abs() < 1e-15);
        assert_eq!(Shape::HalfSpace.extent_along(&Vector3::z()), 0.0);
        assert_eq!(Shape::HalfSpace.extent_along(&n), f64::INFINITY);
    }

    #[test]
    fn curvature_of_an_ellipsoid_is_the_second_derivative_of_its_surface() {
        let shape = Shape::Ellipsoid { radii: Vector3::new(0.1, 0.2, 0.3) };
        let n = direction();
        let radii = Vector3::new(0.1, 0.2, 0.3);
        let point = radii.component_mul(&radii).component_mul(&n) / shape.extent_along(&n);
        let curvature = shape.curvature_at(&n).unwrap();
        for across in [n.cross(&Vector3::x()).normalize(), n.cross(&Vector3::y()).normalize()] {
            // where the line below the tangent plane, parallel to the normal, meets the surface
            let gap = |step: f64| {
                let f = |z: f64| (point + across * step - n * z).component_div(&radii).norm_squared() - 1.0;
                bristle_math::root::find(f, -0.01, 0.01, 0.0).unwrap()
            };
            let h = 1e-3;
            // the quartic term of the surface over its radius, about (h/0.1)² of the curvature
            let measured = (gap(h) + gap(-h)) / (h * h);
            let expected = across.dot(&(curvature * across));
            assert!((measured / expected - 1.0).abs() < 1e-3, "{measured} {expected}");
        }
        assert!((curvature * n).norm() < 1e-14);
    }

    #[test]
    fn hertz_of_shapes_is_that_of_cylinders_and_balls() {
        let lying = |angle: f64| {
            Pose::rotation(Vector3::z() * angle) * Pose::rotation(Vector3::y() * std::f64::consts::FRAC_PI_2)
        };
        let [a, b] = [0.3, 0.1].map(|radius| Shape::Cylinder { radius, half_length: 1.0 });
        for angle in [0.2, 1.0, 1.5] {
            let found = Hertz::of_shapes((&a, &lying(0.0)), (&b, &lying(angle)), &Vector3::z(), 1e9).unwrap();
            let known = Hertz::of_cylinders(0.3, 0.1, angle, 1e9).unwrap();
            let (found, known) = (found.at_force(10.0), known.at_force(10.0));
            assert!((found.semi_major / known.semi_major - 1.0).abs() < 1e-12, "{angle}");
            assert!((found.approach / known.approach - 1.0).abs() < 1e-12, "{angle}");
        }
        let ball = Shape::Sphere { radius: 0.02 };
        let here = Pose::identity();
        let on_plane =
            Hertz::of_shapes((&Shape::HalfSpace, &here), (&ball, &here), &Vector3::z(), 1e11).unwrap();
        let expected = Hertz::new(25.0, 25.0, 1e11).unwrap().at_force(50.0);
        assert!((on_plane.at_force(50.0).semi_major / expected.semi_major - 1.0).abs() < 1e-12);
        // a line, and a rim
        assert!(
            Hertz::of_shapes((&Shape::HalfSpace, &here), (&a, &lying(0.0)), &Vector3::z(), 1e9).is_none()
        );
        assert!(Hertz::of_shapes((&Shape::HalfSpace, &here), (&a, &here), &Vector3::z(), 1e9).is_none());
    }
}
