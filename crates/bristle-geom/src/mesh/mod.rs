//! Closed triangle meshes: read, checked once, with mass properties and a tree of boxes over their facets.

mod build;
mod closest;
mod form;
mod read;
mod tree;
mod triangles;

pub use read::MeshFormat;
pub use triangles::Triangles;

use crate::{Aabb, solid};
use bristle_math::spatial::Inertia;
use bristle_math::{Lanes, Vector3};
use closest::Edges;
use std::fmt;
use tree::Tree;

/// How a mesh is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshOptions {
    /// Metres per unit of the file: 0.001 for millimetres.
    pub scale: f64,
    /// More facets than this are refused.
    pub max_facets: usize,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self { scale: 1.0, max_facets: 2_000_000 }
    }
}

/// A triangle of a mesh, in the mesh's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet {
    /// Centroid, m.
    pub center: Vector3<f64>,
    /// Outward unit normal; zero for a facet without area.
    pub normal: Vector3<f64>,
    /// Area, m².
    pub area: f64,
}

/// Facets that stand side by side in one [`FacetBlock`].
pub(crate) const BLOCK: usize = 4;

/// Several facets at once, in lanes. Lanes without a facet have no area.
#[derive(Debug, Clone, Copy)]
pub struct FacetBlock {
    /// Centres, m.
    pub center: Vector3<Lanes>,
    /// Areas along the outward normals, m².
    pub outward: Vector3<Lanes>,
}

impl FacetBlock {
    fn new(facets: &[Facet]) -> Self {
        let lanes =
            |of: &dyn Fn(&Facet) -> f64| Lanes::from(std::array::from_fn(|i| facets.get(i).map_or(0.0, of)));
        let vector = |of: &dyn Fn(&Facet) -> Vector3<f64>| {
            Vector3::new(lanes(&|f| of(f).x), lanes(&|f| of(f).y), lanes(&|f| of(f).z))
        };
        Self { center: vector(&|f| f.center), outward: vector(&|f| f.normal * f.area) }
    }
}

/// A closed surface of triangles, outward normals checked.
#[derive(Clone)]
pub struct Mesh {
    vertices: Vec<Vector3<f64>>,
    triangles: Vec<[u32; 3]>,
    facets: Vec<Facet>,
    /// The same facets, [`BLOCK`] at a time.
    blocks: Vec<FacetBlock>,
    inertia: Inertia<f64>,
    radius: f64,
    tree: Tree,
    edges: Edges,
    warnings: Vec<String>,
    digest: u64,
}

/// Compact: shapes are told apart by it.
impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mesh {{ facets: {}, digest: {:016x} }}", self.triangles.len(), self.digest)
    }
}

impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices && self.triangles == other.triangles
    }
}

impl Mesh {
    /// Corners, m.
    pub fn vertices(&self) -> &[Vector3<f64>] {
        &self.vertices
    }

    /// Facets as corners, counter-clockwise from outside. Facets that lie side by side stand side by side, in an order of the
    /// mesh's own.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Centre, normal and area of every facet, in the order of [`Mesh::triangles`].
    pub fn facets(&self) -> &[Facet] {
        &self.facets
    }

    /// Volume as the mass (density 1 kg/m³), centroid, inertia about it.
    pub fn inertia(&self) -> &Inertia<f64> {
        &self.inertia
    }

    /// Radius of a ball around the origin that holds the mesh, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The box around the mesh in its own frame.
    pub fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    /// What was put right when the mesh was read, in words for a person.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Corners of a facet.
    pub fn corners(&self, facet: u32) -> [Vector3<f64>; 3] {
        self.triangles[facet as usize].map(|i| self.vertices[i as usize])
    }

    /// Calls `visit` for every facet in boxes that `may_touch` lets through.
    pub fn for_facets(&self, may_touch: impl Fn(&Aabb) -> bool, mut visit: impl FnMut(u32)) {
        self.tree.for_leaves(may_touch, |leaf| leaf.for_each(|i| visit(i as u32)));
    }

    /// The facets of [`Mesh::facets`], several at a time.
    pub fn blocks(&self) -> &[FacetBlock] {
        &self.blocks
    }

    /// Calls `visit` for the blocks, by their number, of all that may have a centre below a height along a direction.
    #[inline]
    pub(crate) fn for_blocks_below(
        &self,
        n: &Vector3<f64>,
        height: f64,
        mut visit: impl FnMut(u32, &FacetBlock),
    ) {
        self.tree.for_ranges_below(n, height, |facets| {
            let first = facets.start / BLOCK;
            for (i, block) in self.blocks[first..facets.end.div_ceil(BLOCK)].iter().enumerate() {
                visit((first + i) as u32, block);
            }
        });
    }

    /// The corner that lies lowest along a direction, m.
    pub fn lowest_corner(&self, n: &Vector3<f64>) -> Vector3<f64> {
        let of_facet = |facet: u32| {
            let corners = self.corners(facet);
            let lowest = corners.iter().min_by(|p, q| p.dot(n).total_cmp(&q.dot(n)));
            let lowest = *lowest.unwrap_or(&corners[0]);
            (lowest.dot(n), lowest)
        };
        self.tree.least(|bounds| bounds.lowest(n), of_facet).map_or(Vector3::zeros(), |found| found.1)
    }

    /// Distance of a point inside the mesh from its surface (m), and the outward normal there; `None` outside.
    pub fn depth(&self, point: &Vector3<f64>) -> Option<(f64, Vector3<f64>)> {
        closest::depth(self, point)
    }

    /// The mesh with every facet divided until no edge is longer than `longest`, m. Twice as fine means four times
    /// the facets; more than `max_facets` are refused.
    pub fn refined(&self, longest: f64, max_facets: usize) -> Result<Self, crate::GeomError> {
        build::refined(self, longest, max_facets)
    }

    fn digest_of(vertices: &[Vector3<f64>], triangles: &[[u32; 3]]) -> u64 {
        let numbers = vertices.iter().flat_map(|v| [v.x, v.y, v.z]).map(f64::to_bits);
        solid::digest(numbers.chain(triangles.iter().flatten().map(|i| u64::from(*i))))
    }
}
