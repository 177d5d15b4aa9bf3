//! One file per pair. In each, A is the support and B the body on it; [`Pair`](crate::Pair) exchanges them
//! where a model names them the other way round.

pub(crate) mod box_box;
pub(crate) mod box_half_space;
pub(crate) mod capsule_capsule;
pub(crate) mod capsule_half_space;
pub(crate) mod capsule_solid;
pub(crate) mod capsule_sphere;
pub(crate) mod convex_convex;
pub(crate) mod cylinder_cylinder;
pub(crate) mod cylinder_half_space;
pub(crate) mod cylinder_slices;
pub(crate) mod ellipsoid_half_space;
pub(crate) mod polyhedron_half_space;
pub(crate) mod polytope;
pub(crate) mod pressure;
pub(crate) mod rectangle;
pub(crate) mod segment_box;
pub(crate) mod sphere_box;
pub(crate) mod sphere_convex;
pub(crate) mod sphere_cylinder;
pub(crate) mod sphere_half_space;
pub(crate) mod sphere_sphere;
pub(crate) mod sphere_tube;
