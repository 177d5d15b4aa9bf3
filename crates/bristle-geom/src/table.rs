//! Which shapes can touch, and which function measures them: the one place that knows all pairs.

use crate::pairs::{
    box_box, box_half_space, capsule_capsule, capsule_half_space, capsule_solid, capsule_sphere,
    cylinder_half_space, ellipsoid_half_space, sphere_box, sphere_convex, sphere_cylinder, sphere_half_space,
    sphere_sphere, sphere_tube,
};
use crate::touch::Ball;
use crate::{Balls, GeomError, Ground, Patch, Placed, Shape};
use bristle_math::Real;

/// A support and what lies on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    HalfSpacePoint,
    HalfSpaceSphere,
    HalfSpaceCapsule,
    HalfSpaceCuboid,
    HalfSpaceCylinder,
    HalfSpaceEllipsoid,
    HalfSpaceConvex,
    SpherePoint,
    SphereSphere,
    CylinderPoint,
    CylinderSphere,
    TubePoint,
    TubeSphere,
    CapsulePoint,
    CapsuleSphere,
    CapsuleCapsule,
    CuboidCuboid,
    CuboidCapsule,
    CylinderCapsule,
    ConvexPoint,
    ConvexSphere,
    ConvexCapsule,
    CuboidPoint,
    CuboidSphere,
}

/// How two shapes touch; chosen once, when a model is built.
///
/// ```
/// use bristle_geom::{Pair, Shape};
/// let half = nalgebra::Vector3::repeat(0.1);
/// assert_eq!(Pair::of(&Shape::HalfSpace, &Shape::Cuboid { half })?.patch_count(), 8);
/// let error = Pair::of(&Shape::Point, &Shape::Point).unwrap_err();
/// assert!(error.to_string().starts_with("no contact between a point and a point; a point meets half-space"));
/// # Ok::<(), bristle_geom::GeomError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    kind: Kind,
    /// True where the model names the support second.
    is_flipped: bool,
    count: u32,
}

impl Kind {
    /// The table: support first.
    fn of(support: &Shape<f64>, other: &Shape<f64>) -> Option<Self> {
        use Shape::{Capsule, Convex, Cuboid, Cylinder, Ellipsoid, HalfSpace, Point, Sphere, Tube};
        Some(match (support, other) {
            (HalfSpace, Point) => Self::HalfSpacePoint,
            (HalfSpace, Sphere { .. }) => Self::HalfSpaceSphere,
            (HalfSpace, Capsule { .. }) => Self::HalfSpaceCapsule,
            (HalfSpace, Cuboid { .. }) => Self::HalfSpaceCuboid,
            (HalfSpace, Cylinder { .. }) => Self::HalfSpaceCylinder,
            (HalfSpace, Ellipsoid { .. }) => Self::HalfSpaceEllipsoid,
            (HalfSpace, Convex(_)) => Self::HalfSpaceConvex,
            (Sphere { .. }, Point) => Self::SpherePoint,
            (Sphere { .. }, Sphere { .. }) => Self::SphereSphere,
            (Cylinder { .. }, Point) => Self::CylinderPoint,
            (Cylinder { .. }, Sphere { .. }) => Self::CylinderSphere,
            (Tube { .. }, Point) => Self::TubePoint,
            (Tube { .. }, Sphere { .. }) => Self::TubeSphere,
            (Capsule { .. }, Point) => Self::CapsulePoint,
            (Capsule { .. }, Sphere { .. }) => Self::CapsuleSphere,
            (Capsule { .. }, Capsule { .. }) => Self::CapsuleCapsule,
            (Cuboid { .. }, Cuboid { .. }) => Self::CuboidCuboid,
            (Cuboid { .. }, Capsule { .. }) => Self::CuboidCapsule,
            (Cylinder { .. }, Capsule { .. }) => Self::CylinderCapsule,
            (Convex(_), Point) => Self::ConvexPoint,
            (Convex(_), Sphere { .. }) => Self::ConvexSphere,
            (Convex(_), Capsule { .. }) => Self::ConvexCapsule,
            (Cuboid { .. }, Point) => Self::CuboidPoint,
            (Cuboid { .. }, Sphere { .. }) => Self::CuboidSphere,
            _ => return None,
        })
    }

    /// How many patches a support has with `other`.
    fn count(self, other: &Shape<f64>) -> u32 {
        match (self, other) {
            (Self::HalfSpaceCuboid, _) => 8,
            (Self::HalfSpaceCylinder, _) => 4,
            (Self::HalfSpaceCapsule, _) => 2,
            (Self::HalfSpaceConvex, Shape::Convex(body)) => body.vertices().len() as u32,
            _ => 1,
        }
    }
}

impl Pair {
    /// The pair of two shapes, in this order: normals point from `a` into `b`.
    pub fn of(a: &Shape<f64>, b: &Shape<f64>) -> Result<Self, GeomError> {
        let pair = match (Kind::of(a, b), Kind::of(b, a)) {
            (Some(kind), _) => Self { kind, is_flipped: false, count: kind.count(b) },
            (None, Some(kind)) => Self { kind, is_flipped: true, count: kind.count(a) },
            (None, None) => return Err(unsupported(a, b)),
        };
        if let (Shape::Tube { radius: bore, .. }, Shape::Sphere { radius })
        | (Shape::Sphere { radius }, Shape::Tube { radius: bore, .. }) = (a, b)
            && radius >= bore
        {
            return Err(GeomError::TooWide { shape: "sphere", radius: *radius, bore: *bore });
        }
        Ok(pair)
    }

    /// How many patches [`Pair::patches`] writes.
    #[inline]
    pub fn patch_count(&self) -> usize {
        self.count as usize
    }

    /// Writes [`Pair::patch_count`] patches to the front of `out`, gaps included. Allocates nothing.
    ///
    /// The shapes must be of the kind the pair was chosen for; sizes may differ (e.g. carry derivatives).
    pub fn patches<T: Real>(
        &self,
        a: &Shape<T>,
        at_a: &Placed<T>,
        b: &Shape<T>,
        at_b: &Placed<T>,
        out: &mut [Patch<T>],
    ) {
        self.touches(a, at_a, b, at_b, out);
        out[..self.patch_count()].iter_mut().for_each(|patch| *patch = patch.measured());
    }

    /// As [`Pair::patches`], for laws that ask for depth alone: area, volume and moment stay zero.
    #[inline]
    pub fn touches<T: Real>(
        &self,
        a: &Shape<T>,
        at_a: &Placed<T>,
        b: &Shape<T>,
        at_b: &Placed<T>,
        out: &mut [Patch<T>],
    ) {
        let (support, at, other, on) = if self.is_flipped { (b, at_b, a, at_a) } else { (a, at_a, b, at_b) };
        let out = &mut out[..self.patch_count()];
        match (self.kind, other) {
            (Kind::HalfSpaceCapsule, &Shape::Capsule { radius, half_length }) => {
                out.copy_from_slice(&capsule_half_space::ends(at, on, radius, half_length));
            }
            (Kind::HalfSpaceCuboid, Shape::Cuboid { half }) => box_half_space::corners(at, on, half, out),
            (Kind::HalfSpaceCylinder, &Shape::Cylinder { radius, half_length }) => {
                out.copy_from_slice(&cylinder_half_space::rims(at, on, radius, half_length));
            }
            (Kind::HalfSpaceConvex, Shape::Convex(body)) => box_half_space::vertices(at, on, body, out),
            _ => out[0] = self.single((support, at), (other, on)),
        }
        if self.is_flipped {
            out.iter_mut().for_each(|patch| *patch = patch.seen_from_b());
        }
    }

    /// As [`Pair::touches`], for a pair of one patch: the patch itself.
    #[inline(always)]
    pub fn touch<T: Real>(&self, a: (&Shape<T>, &Placed<T>), b: (&Shape<T>, &Placed<T>)) -> Patch<T> {
        if self.is_flipped { self.single(b, a).seen_from_b() } else { self.single(a, b) }
    }

    /// The short form of a ball on a half-space that stands still, for [`Ground::touch`]; `None` for any other pair.
    pub fn ground<T: Real>(
        &self,
        a: (&Shape<T>, &Placed<T>),
        b: (&Shape<T>, &Placed<T>),
    ) -> Option<Ground<T>> {
        let ((_, support), (other, _)) = if self.is_flipped { (b, a) } else { (a, b) };
        match (self.kind, other) {
            (Kind::HalfSpaceSphere, &Shape::Sphere { radius }) => {
                Some(Ground::new(support, radius, self.is_flipped))
            }
            _ => None,
        }
    }

    /// The short form of two balls; `None` for any other pair.
    pub fn balls<T: Real>(&self, a: &Shape<T>, b: &Shape<T>) -> Option<Balls<T>> {
        match (self.kind, a, b) {
            (Kind::SphereSphere, &Shape::Sphere { radius: a }, &Shape::Sphere { radius: b }) => {
                Some(Balls::new(a, b))
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn single<T: Real>(
        &self,
        (support, at): (&Shape<T>, &Placed<T>),
        (other, on): (&Shape<T>, &Placed<T>),
    ) -> Patch<T> {
        match (self.kind, support, other) {
            (Kind::HalfSpaceSphere, _, &Shape::Sphere { radius }) => {
                sphere_half_space::sphere(at, &Ball::new(on, radius))
            }
            (Kind::HalfSpaceEllipsoid, _, Shape::Ellipsoid { radii }) => {
                ellipsoid_half_space::touch(at, on, radii)
            }
            (Kind::HalfSpacePoint, ..) => sphere_half_space::point(at, on),
            (Kind::SphereSphere, &Shape::Sphere { radius }, &Shape::Sphere { radius: other }) => {
                sphere_sphere::spheres(&Ball::new(at, radius), &Ball::new(on, other))
            }
            (Kind::SpherePoint, &Shape::Sphere { radius }, _) => {
                sphere_sphere::point(&Ball::new(at, radius), on)
            }
            (
                Kind::CylinderSphere,
                &Shape::Cylinder { radius, half_length },
                &Shape::Sphere { radius: r },
            ) => sphere_cylinder::cylinder(radius, half_length).sphere(at, &Ball::new(on, r)),
            (Kind::CylinderPoint, &Shape::Cylinder { radius, half_length }, _) => {
                sphere_cylinder::cylinder(radius, half_length).point(at, on)
            }
            (Kind::TubeSphere, &Shape::Tube { radius, half_length }, &Shape::Sphere { radius: r }) => {
                sphere_tube::tube(radius, half_length).sphere(at, &Ball::new(on, r))
            }
            (Kind::TubePoint, &Shape::Tube { radius, half_length }, _) => {
                sphere_tube::tube(radius, half_length).point(at, on)
            }
            (Kind::CapsuleSphere, &Shape::Capsule { radius, half_length }, &Shape::Sphere { radius: r }) => {
                capsule_sphere::sphere(at, (radius, half_length), &Ball::new(on, r))
            }
            (Kind::CapsulePoint, &Shape::Capsule { radius, half_length }, _) => {
                capsule_sphere::point(at, (radius, half_length), on)
            }
            (
                Kind::CapsuleCapsule,
                &Shape::Capsule { radius, half_length },
                &Shape::Capsule { radius: r, half_length: h },
            ) => capsule_capsule::capsules(at, (radius, half_length), on, (r, h)),
            (Kind::CuboidCuboid, Shape::Cuboid { half }, Shape::Cuboid { half: other }) => {
                box_box::boxes(at, half, on, other)
            }
            (Kind::CuboidCapsule, Shape::Cuboid { half }, &Shape::Capsule { radius, half_length }) => {
                let solid = capsule_solid::Solid::Cuboid(half);
                capsule_solid::capsule(&solid, at, on, (radius, half_length))
            }
            (Kind::ConvexPoint, Shape::Convex(body), _) => sphere_convex::point(at, body, on),
            (Kind::ConvexSphere, Shape::Convex(body), &Shape::Sphere { radius }) => {
                sphere_convex::sphere(at, body, &Ball::new(on, radius))
            }
            (Kind::ConvexCapsule, Shape::Convex(body), &Shape::Capsule { radius, half_length }) => {
                let solid = capsule_solid::Solid::Convex(body);
                capsule_solid::capsule(&solid, at, on, (radius, half_length))
            }
            (
                Kind::CylinderCapsule,
                &Shape::Cylinder { radius, half_length },
                &Shape::Capsule { radius: r, half_length: h },
            ) => {
                let solid = capsule_solid::Solid::Cylinder(sphere_cylinder::cylinder(radius, half_length));
                capsule_solid::capsule(&solid, at, on, (r, h))
            }
            (Kind::CuboidSphere, Shape::Cuboid { half }, &Shape::Sphere { radius }) => {
                sphere_box::sphere(at, half, &Ball::new(on, radius))
            }
            (Kind::CuboidPoint, Shape::Cuboid { half }, _) => sphere_box::point(at, half, on),
            _ => {
                debug_assert!(false, "{self:?} was not chosen for {} and {}", support.name(), other.name());
                Patch::none()
            }
        }
    }
}

/// The error of a pair that is not in the table; it lists what `a` can touch.
fn unsupported(a: &Shape<f64>, b: &Shape<f64>) -> GeomError {
    let known = names_that(|s| Kind::of(a, s).or(Kind::of(s, a)).is_some());
    GeomError::Unsupported { a: a.name(), b: b.name(), known }
}

/// Names of the shapes that something holds for.
pub(crate) fn names_that(holds: impl Fn(&Shape<f64>) -> bool) -> String {
    let known = Shape::samples().into_iter().filter(|s| holds(s));
    known.map(|s| s.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsupported_pair_names_both_shapes_and_the_supported_ones() {
        let tube = Shape::Tube { radius: 1.0, half_length: 1.0 };
        let error = Pair::of(&tube, &Shape::HalfSpace).unwrap_err().to_string();
        assert_eq!(error, "no contact between a tube and a half-space; a tube meets point, sphere");
    }

    #[test]
    fn the_ground_gives_the_patch_of_its_pair_in_both_orders() {
        use nalgebra::{Isometry3, Vector3};
        let (ball, plane) = (Shape::Sphere { radius: 0.1 }, Shape::HalfSpace);
        let support =
            Placed::at_rest(Isometry3::new(Vector3::new(0.3, -0.2, 0.5), Vector3::new(0.4, 1.1, -0.3)));
        let mut on =
            Placed::at_rest(Isometry3::new(Vector3::new(0.2, 0.1, 0.6), Vector3::new(1.0, 0.2, 0.5)));
        on.twist.linear = Vector3::new(0.3, -1.2, 0.7);
        on.twist.angular = Vector3::new(3.0, 1.0, -2.0);
        for (a, b) in [((&plane, &support), (&ball, &on)), ((&ball, &on), (&plane, &support))] {
            let pair = Pair::of(a.0, b.0).unwrap();
            let mut whole = [Patch::none()];
            pair.touches(a.0, a.1, b.0, b.1, &mut whole);
            let ground = pair.ground(a, b).unwrap();
            let short = ground.touch(ground.ball([a, b]).1);
            assert!(
                (short.point - whole[0].point).norm() < 1e-15
                    && (short.normal - whole[0].normal).norm() < 1e-15
            );
            assert!(
                (short.depth - whole[0].depth).abs() < 1e-15 && (short.rate - whole[0].rate).abs() < 1e-14
            );
            assert_eq!((short.lens, short.normal_rate), (whole[0].lens, whole[0].normal_rate));
        }
    }

    #[test]
    fn a_ball_wider_than_the_bore_is_refused_in_both_orders() {
        let tube = Shape::Tube { radius: 0.1, half_length: f64::INFINITY };
        let ball = Shape::Sphere { radius: 0.1 };
        let error = Pair::of(&ball, &tube).unwrap_err();
        assert_eq!(error.to_string(), "a sphere of radius 0.1 m does not fit into a tube of radius 0.1 m");
        assert_eq!(Pair::of(&tube, &ball).unwrap_err(), error);
        assert!(Pair::of(&tube, &Shape::Sphere { radius: 0.09 }).is_ok());
    }
}
