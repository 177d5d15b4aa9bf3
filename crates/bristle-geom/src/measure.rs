//! Sizes of whole shapes: bounding radius, box, mass and inertia.

use crate::{Aabb, Placed, Pose, Shape};
use bristle_math::spatial::Inertia;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// A normal this close to an axis counts as aligned with it: 1e-12 of the distance is below any margin.
const ALIGNED: f64 = 1e-12;

impl Shape<f64> {
    /// Radius of a ball around the origin of the frame that holds the shape, m; infinite for a half-space and
    /// an endless tube.
    pub fn bounding_radius(&self) -> f64 {
        match *self {
            Self::HalfSpace | Self::Terrain(_) => f64::INFINITY,
            Self::Point => 0.0,
            Self::Sphere { radius } => radius,
            Self::Cylinder { radius, half_length } | Self::Tube { radius, half_length } => {
                radius.hypot(half_length)
            }
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Cuboid { half } => half.norm(),
            Self::Ellipsoid { radii } => radii.max(),
            Self::Convex(ref body) => body.radius(),
            Self::Mesh(ref mesh) => mesh.radius(),
        }
    }

    /// Volume, m³; none for shapes that are no bounded solid (half-space, point, tube).
    pub fn volume(&self) -> Option<f64> {
        match *self {
            Self::HalfSpace | Self::Point | Self::Tube { .. } | Self::Terrain(_) => None,
            Self::Sphere { radius } => Some(4.0 / 3.0 * PI * radius.powi(3)),
            Self::Cylinder { radius, half_length } => Some(2.0 * PI * radius * radius * half_length),
            Self::Capsule { radius, half_length } => {
                Some(PI * radius * radius * (2.0 * half_length + 4.0 / 3.0 * radius))
            }
            Self::Cuboid { half } => Some(8.0 * half.x * half.y * half.z),
            Self::Ellipsoid { radii } => Some(4.0 / 3.0 * PI * radii.product()),
            Self::Convex(ref body) => Some(body.inertia().mass),
            Self::Mesh(ref mesh) => Some(mesh.inertia().mass),
        }
    }

    /// Mass, centre and inertia about the centre, in the shape's frame, of a solid of the given density (kg/m³). None
    /// for shapes that are no bounded solid.
    pub fn inertia(&self, density: f64) -> Option<Inertia<f64>> {
        let (mass, about_center) = self.mass_properties(density)?;
        Some(Inertia { mass, center: self.centroid(), about_center })
    }

    /// Centroid in the shape's frame, m: the origin, but for polyhedra.
    pub fn centroid(&self) -> Vector3<f64> {
        match self {
            Self::Convex(body) => body.inertia().center,
            Self::Mesh(mesh) => mesh.inertia().center,
            _ => Vector3::zeros(),
        }
    }

    /// Mass (kg) and inertia about the [centroid](Self::centroid) (kg m²), in the shape's axes, of a solid of the given
    /// density (kg/m³). None for shapes that are no bounded solid.
    pub fn mass_properties(&self, density: f64) -> Option<(f64, Matrix3<f64>)> {
        let mass = density * self.volume()?;
        let moments = match *self {
            Self::HalfSpace | Self::Point | Self::Tube { .. } | Self::Terrain(_) => return None,
            Self::Sphere { radius } => Vector3::repeat(0.4 * radius * radius) * mass,
            Self::Cylinder { radius, half_length } => {
                let across = radius * radius / 4.0 + half_length * half_length / 3.0;
                Vector3::new(across, across, radius * radius / 2.0) * mass
            }
            Self::Capsule { radius, half_length } => capsule_moments(density, radius, half_length),
            Self::Cuboid { half } => {
                let square = half.component_mul(&half);
                let sum = square.x + square.y + square.z;
                square.map(|s| (sum - s) / 3.0) * mass
            }
            Self::Ellipsoid { radii } => {
                let square = radii.component_mul(&radii);
                square.map(|s| square.sum() - s) * (0.2 * mass)
            }
            Self::Convex(ref body) => return Some((mass, body.inertia().about_center * density)),
            Self::Mesh(ref mesh) => return Some((mass, mesh.inertia().about_center * density)),
        };
        Some((mass, Matrix3::from_diagonal(&moments)))
    }

    /// Smallest box along the world's axes that holds the shape.
    ///
    /// A half-space is bounded only on the side its normal points to, and only if that is an axis of the world.
    /// The box of a tube is that of its bore: a body inside is in it. The box of a mesh is that around its box in its own
    /// frame, which costs the same for any number of facets.
    pub fn aabb(&self, pose: &Pose<f64>) -> Aabb {
        let center = pose.translation.vector;
        let axis = Placed::at_rest(*pose).axis_z();
        let reach = match *self {
            Self::HalfSpace => return half_space_box(&center, &axis),
            Self::Point => Vector3::zeros(),
            Self::Sphere { radius } => Vector3::repeat(radius),
            Self::Cylinder { radius, half_length } => disc_reach(&axis, radius) + along(&axis, half_length),
            Self::Tube { radius, half_length } => disc_reach(&axis, radius) + along(&axis, half_length),
            Self::Capsule { radius, half_length } => along(&axis, half_length).add_scalar(radius),
            Self::Cuboid { half } => pose.rotation.to_rotation_matrix().matrix().abs() * half,
            Self::Ellipsoid { radii } => {
                let turned = pose.rotation.to_rotation_matrix().into_inner();
                Vector3::from_fn(|i, _| turned.row(i).transpose().component_mul(&radii).norm())
            }
            Self::Convex(ref body) => return points_box(pose, body.vertices()),
            Self::Mesh(ref mesh) => return mesh.bounds().seen(pose),
            Self::Terrain(ref terrain) if terrain.highest().is_finite() => {
                return half_space_box(&(center + axis * terrain.highest()), &axis);
            }
            Self::Terrain(_) => Vector3::repeat(f64::INFINITY),
        };
        Aabb { min: center - reach, max: center + reach }
    }
}

/// Smallest box around points of a frame.
pub(crate) fn points_box(pose: &Pose<f64>, points: &[Vector3<f64>]) -> Aabb {
    let turn = pose.rotation.to_rotation_matrix().into_inner();
    let none = Aabb { min: Vector3::repeat(f64::INFINITY), max: Vector3::repeat(f64::NEG_INFINITY) };
    points
        .iter()
        .map(|p| turn * p + pose.translation.vector)
        .fold(none, |all, p| Aabb { min: all.min.inf(&p), max: all.max.sup(&p) })
}

/// A cylinder and the two halves of a ball at its ends (centroid of a half ball: 3/8 R from its disc).
fn capsule_moments(density: f64, radius: f64, half_length: f64) -> Vector3<f64> {
    let square = radius * radius;
    let rod = density * 2.0 * PI * square * half_length;
    let ball = density * 4.0 / 3.0 * PI * square * radius;
    let offset = half_length * (half_length + 0.75 * radius);
    let across = rod * (square / 4.0 + half_length * half_length / 3.0) + ball * (0.4 * square + offset);
    Vector3::new(across, across, rod * square / 2.0 + ball * 0.4 * square)
}

/// How far a disc across `axis` reaches along each axis of the world.
fn disc_reach(axis: &Vector3<f64>, radius: f64) -> Vector3<f64> {
    axis.map(|c| radius * (1.0 - c * c).max(0.0).sqrt())
}

/// How far a segment reaches; an endless one does not reach across itself.
fn along(axis: &Vector3<f64>, half_length: f64) -> Vector3<f64> {
    let is_endless = half_length.is_infinite();
    axis.map(|c| if is_endless && c.abs() < ALIGNED { 0.0 } else { c.abs() * half_length })
}

fn half_space_box(origin: &Vector3<f64>, normal: &Vector3<f64>) -> Aabb {
    let mut all = Aabb { min: Vector3::repeat(f64::NEG_INFINITY), max: Vector3::repeat(f64::INFINITY) };
    for i in 0..3 {
        let is_aligned = (0..3).all(|j| j == i || normal[j].abs() < ALIGNED);
        if is_aligned {
            if normal[i] > 0.0 {
                all.max[i] = origin[i];
            } else {
                all.min[i] = origin[i];
            }
        }
    }
    all
}
