//! A box or any closed polyhedron in a half-space: exact, by cutting each face at the plane.
//!
//! Every wet piece of a face stands on a column up to the plane; their signed sums are volume, centroid and ½∫δ² dA
//! of the body, area and moments of the section. No edges have to be matched, so coplanar, touching and vanishing
//! faces need no care.

use crate::convex::{CUBE, Convex};
use crate::wet::{Plane, Wet};
use crate::{Mesh, Overlap, Placed};
use bristle_math::{Scalar, Vector3};

/// The plane seen from the origin of a body.
pub(crate) fn plane<T: Scalar>(support: &Placed<T>, at: &Placed<T>) -> Plane<T> {
    let normal = support.axis_z();
    Plane { normal, height: (at.origin() - support.origin()).dot(&normal) }
}

fn sink<T: Scalar>(
    support: &Placed<T>,
    at: &Placed<T>,
    vertex: impl Fn(usize) -> Vector3<T>,
    triangles: impl Iterator<Item = [u32; 3]>,
) -> Overlap<T> {
    let plane = plane(support, at);
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    let mut wet = Wet::dry();
    let mut depth = T::lit(f64::NEG_INFINITY);
    for triangle in triangles {
        let corners = triangle.map(|i| axes * vertex(i as usize));
        corners.iter().for_each(|p| depth = depth.max(plane.depth(p)));
        wet.add_triangle(&plane, corners);
    }
    Overlap::in_half_space(support, at, &wet.sunk(&plane, &at.origin(), depth))
}

/// A box.
pub(crate) fn cuboid<T: Scalar>(support: &Placed<T>, at: &Placed<T>, half: &Vector3<T>) -> Overlap<T> {
    let signed = |bit: usize, h: T| if bit & 1 == 0 { h } else { -h };
    let corner = |i: usize| Vector3::new(signed(i, half.x), signed(i >> 1, half.y), signed(i >> 2, half.z));
    let triangles = CUBE.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    sink(support, at, corner, triangles)
}

/// A convex polyhedron.
pub(crate) fn convex<T: Scalar>(support: &Placed<T>, at: &Placed<T>, body: &Convex) -> Overlap<T> {
    sink(support, at, |i| body.vertices()[i].map(T::lit), body.triangles())
}

/// A closed mesh, of any form: only facets below the plane are looked at.
pub(crate) fn mesh<T: Scalar>(support: &Placed<T>, at: &Placed<T>, body: &Mesh) -> Overlap<T> {
    let plane = plane(support, at);
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    let (lowest, height) = (axes.tr_mul(&plane.normal).map(T::value), plane.height.value());
    let mut wet = Wet::dry();
    body.for_facets(
        |bounds| bounds.lowest(&lowest) < -height,
        |facet| {
            let corners = body.corners(facet).map(|p| axes * p.map(T::lit));
            wet.add_triangle(&plane, corners);
        },
    );
    let deepest = axes * body.lowest_corner(&lowest).map(T::lit);
    Overlap::in_half_space(support, at, &wet.sunk(&plane, &at.origin(), plane.depth(&deepest)))
}
