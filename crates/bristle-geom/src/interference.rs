//! Which shapes have an exact interference volume, and which function measures it: the table of laws on volume.

use crate::pairs::cylinder_slices::Rod;
use crate::pairs::polytope::Body;
use crate::pairs::sphere_convex;
use crate::pairs::{
    capsule_half_space, convex_convex, cylinder_cylinder, cylinder_half_space, ellipsoid_half_space,
    polyhedron_half_space, sphere_box, sphere_sphere,
};
use crate::touch::Ball;
use crate::{GeomError, Overlap, OverlapScratch, Patch, Placed, Shape};
use bristle_math::{Scalar, Vector3};

/// A support and what overlaps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    HalfSpaceSphere,
    HalfSpaceEllipsoid,
    HalfSpaceCylinder,
    HalfSpaceCapsule,
    HalfSpaceCuboid,
    HalfSpaceConvex,
    HalfSpaceMesh,
    SphereSphere,
    CuboidSphere,
    ConvexSphere,
    CylinderCylinder,
    ConvexConvex,
}

/// How the volume that two shapes share is measured; chosen once, when a model is built.
///
/// One [`Overlap`] for the whole pair, where [`Pair`](crate::Pair) gives one patch for each corner or end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interference {
    kind: Kind,
    /// True where the model names the support second.
    is_flipped: bool,
}

impl Kind {
    /// The table: support first.
    fn of(support: &Shape<f64>, other: &Shape<f64>) -> Option<Self> {
        use Shape::{Capsule, Convex, Cuboid, Cylinder, Ellipsoid, HalfSpace, Mesh, Sphere};
        Some(match (support, other) {
            (HalfSpace, Sphere { .. }) => Self::HalfSpaceSphere,
            (HalfSpace, Ellipsoid { .. }) => Self::HalfSpaceEllipsoid,
            (HalfSpace, Cylinder { .. }) => Self::HalfSpaceCylinder,
            (HalfSpace, Capsule { .. }) => Self::HalfSpaceCapsule,
            (HalfSpace, Cuboid { .. }) => Self::HalfSpaceCuboid,
            (HalfSpace, Convex(_)) => Self::HalfSpaceConvex,
            (HalfSpace, Mesh(_)) => Self::HalfSpaceMesh,
            (Sphere { .. }, Sphere { .. }) => Self::SphereSphere,
            (Cuboid { .. }, Sphere { .. }) => Self::CuboidSphere,
            (Convex(_), Sphere { .. }) => Self::ConvexSphere,
            (Cylinder { .. }, Cylinder { .. }) => Self::CylinderCylinder,
            (Cuboid { .. } | Convex(_), Cuboid { .. } | Convex(_)) => Self::ConvexConvex,
            _ => return None,
        })
    }
}

impl Interference {
    /// The interference of two shapes, in this order: normals point from `a` into `b`.
    pub fn of(a: &Shape<f64>, b: &Shape<f64>) -> Result<Self, GeomError> {
        match (Kind::of(a, b), Kind::of(b, a)) {
            (Some(kind), _) => Ok(Self { kind, is_flipped: false }),
            (None, Some(kind)) => Ok(Self { kind, is_flipped: true }),
            (None, None) => {
                let known = crate::table::names_that(|s| Kind::of(a, s).or(Kind::of(s, a)).is_some());
                Err(GeomError::NoVolume { a: a.name(), b: b.name(), known })
            }
        }
    }

    /// The overlap of the shapes the interference was chosen for. Allocates nothing once `ws` has grown.
    pub fn overlap<T: Scalar>(
        &self,
        a: (&Shape<T>, &Placed<T>),
        b: (&Shape<T>, &Placed<T>),
        ws: &mut OverlapScratch<T>,
    ) -> Overlap<T> {
        if self.is_flipped { self.measure(b, a, ws).seen_from_b() } else { self.measure(a, b, ws) }
    }

    fn measure<T: Scalar>(
        &self,
        (support, at): (&Shape<T>, &Placed<T>),
        (other, on): (&Shape<T>, &Placed<T>),
        ws: &mut OverlapScratch<T>,
    ) -> Overlap<T> {
        match (self.kind, support, other) {
            (Kind::HalfSpaceSphere, _, &Shape::Sphere { radius }) => {
                ellipsoid_half_space::overlap(at, on, &Vector3::repeat(radius))
            }
            (Kind::HalfSpaceEllipsoid, _, Shape::Ellipsoid { radii }) => {
                ellipsoid_half_space::overlap(at, on, radii)
            }
            (Kind::HalfSpaceCylinder, _, &Shape::Cylinder { radius, half_length }) => {
                cylinder_half_space::overlap(at, on, radius, half_length)
            }
            (Kind::HalfSpaceCapsule, _, &Shape::Capsule { radius, half_length }) => {
                capsule_half_space::overlap(at, on, radius, half_length)
            }
            (Kind::HalfSpaceCuboid, _, Shape::Cuboid { half }) => polyhedron_half_space::cuboid(at, on, half),
            (Kind::HalfSpaceConvex, _, Shape::Convex(body)) => polyhedron_half_space::convex(at, on, body),
            (Kind::HalfSpaceMesh, _, Shape::Mesh(body)) => polyhedron_half_space::mesh(at, on, body),
            (Kind::SphereSphere, &Shape::Sphere { radius }, &Shape::Sphere { radius: other }) => {
                round(sphere_sphere::spheres(&Ball::new(at, radius), &Ball::new(on, other)))
            }
            (Kind::CuboidSphere, Shape::Cuboid { half }, &Shape::Sphere { radius }) => {
                let ball = Ball::new(on, radius);
                round(sphere_box::sphere(at, half, &ball))
            }
            (Kind::ConvexSphere, Shape::Convex(body), &Shape::Sphere { radius }) => {
                round(sphere_convex::sphere(at, body, &Ball::new(on, radius)))
            }
            (
                Kind::CylinderCylinder,
                &Shape::Cylinder { radius, half_length },
                &Shape::Cylinder { radius: r, half_length: h },
            ) => cylinder_cylinder::overlap(
                &Rod { at, radius, half_length },
                &Rod { at: on, radius: r, half_length: h },
            ),
            (Kind::ConvexConvex, a, b) => match (faceted(a), faceted(b)) {
                (Some(a), Some(b)) => convex_convex::overlap((a, at), (b, on), ws),
                _ => Overlap::none(),
            },
            _ => {
                debug_assert!(false, "{self:?} was not chosen for {} and {}", support.name(), other.name());
                Overlap::none()
            }
        }
    }
}

/// A shape bounded by flat faces.
fn faceted<T: Scalar>(shape: &Shape<T>) -> Option<Body<'_, T>> {
    match shape {
        Shape::Cuboid { half } => Some(Body::Cuboid(half)),
        Shape::Convex(body) => Some(Body::Convex(body)),
        _ => None,
    }
}

/// A lens about the normal: exact for two balls, and on a face while it does not reach over an edge.
fn round<T: Scalar>(patch: Patch<T>) -> Overlap<T> {
    Overlap::round(patch.measured())
}
