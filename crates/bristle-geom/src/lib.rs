//! Contact geometry: two posed shapes in, contact patches out.
//!
//! A [`Pair`] is chosen once, when a model is built; an unsupported pair is an error there and never a
//! silent fallback. [`Pair::patches`] then writes a fixed number of [`Patch`]es for any pose: where the
//! shapes touch, along which normal, how deep and how fast, and how the normal turns. Everything is generic
//! over [`Real`](bristle_math::Real), so derivatives and lanes pass through.
//!
//! ```
//! use bristle_geom::{Pair, Patch, Placed, Pose, Shape};
//! use bristle_math::spatial::Twist;
//! use nalgebra::Vector3;
//! let (ball, ground) = (Shape::Sphere { radius: 0.1 }.checked()?, Shape::HalfSpace);
//! let pair = Pair::of(&ground, &ball)?;
//! let mut falling = Placed::at_rest(Pose::translation(0.0, 0.0, 0.099));
//! falling.twist = Twist { angular: Vector3::zeros(), linear: Vector3::new(0.0, 0.0, -2.0) };
//! let mut patches = vec![Patch::none(); pair.patch_count()];
//! pair.patches(&ground, &Placed::at_rest(Pose::identity()), &ball, &falling, &mut patches);
//! assert!((patches[0].depth - 0.001).abs() < 1e-15 && (patches[0].rate - 2.0).abs() < 1e-15);
//! assert_eq!(patches[0].normal, Vector3::z()); // from the ground into the ball
//! # Ok::<(), bristle_geom::GeomError>(())
//! ```
//!
//! Which body may touch which is found by [`candidate_pairs`], in a time that grows with the number of
//! bodies and not with its square.
//!
//! What is exact of a [`Patch`]: depth, rate, normal and the turning of the normal, for every pair (a capsule may not
//! sink deeper than its radius into a box, cylinder or polyhedron). Area, volume and moment are exact for a ball on a
//! half-space and for two balls; elsewhere they are those of a lens with an equivalent curvature.
//!
//! Laws on volume ask for more: an [`Interference`] measures what two shapes share as one [`Overlap`], with the exact
//! volume, its centroid and rate, second moments of the patch, and the force and torque of a bed of springs that
//! stores ½∫δ² dA. Closed meshes ([`Mesh`]) also lie as a [`Bed`] of facets, each an element with its own depth and
//! rate, on other shapes and on [`Terrain`].
//!
//! ```
//! use bristle_geom::{Interference, OverlapScratch, Placed, Pose, Shape};
//! let (ground, rod) = (Shape::HalfSpace, Shape::Cylinder { radius: 0.1, half_length: 0.5 });
//! let pair = Interference::of(&ground, &rod)?;
//! let (at, on) = (Placed::at_rest(Pose::identity()), Placed::at_rest(Pose::translation(0.0, 0.0, 0.49)));
//! let overlap = pair.overlap((&ground, &at), (&rod, &on), &mut OverlapScratch::default());
//! assert!((overlap.patch.volume - std::f64::consts::PI * 1e-4).abs() < 1e-15); // standing, 0.01 m deep
//! # Ok::<(), bristle_geom::GeomError>(())
//! ```

#![forbid(unsafe_code)]

mod adaptive;
mod apart;
mod balls;
mod bed;
mod bed_flat;
mod bed_sum;
mod broad;
mod convex;
mod error;
mod even;
mod ground;
mod hertz;
mod hull;
mod interference;
mod measure;
mod mesh;
mod overlap;
mod pairs;
mod patch;
mod shape;
mod solid;
mod support;
mod table;
mod terrain;
mod touch;
mod wet;

pub use apart::is_parted_by_faces;
pub use balls::{Balls, BallsLie, BallsMet};
pub use bed::{Bed, FacetTouch};
pub use bed_flat::{FlatBed, FlatFacets, FlatMoments, FlatSum, over_lanes};
pub use bed_sum::BedSum;
pub use bristle_math::{Placed, Pose};
pub use broad::{Aabb, BroadScratch, candidate_pairs, candidate_pairs_where};
pub use convex::Convex;
pub use error::GeomError;
pub use ground::Ground;
pub use hertz::{Hertz, HertzContact};
pub use interference::Interference;
pub use mesh::{Facet, FacetBlock, Mesh, MeshFormat, MeshOptions, Triangles};
pub use overlap::{BedRates, Overlap};
pub use pairs::convex_convex::OverlapScratch;
pub use patch::Patch;
pub use shape::Shape;
pub use table::Pair;
pub use terrain::{Height, HeightGrid, Terrain};
