//! From corners and triangles to a checked mesh.

use super::closest::Edges;
use super::tree::Tree;
use super::{BLOCK, Facet, FacetBlock, Mesh, MeshOptions};
use crate::{GeomError, solid};
use bristle_math::Vector3;

/// Open edges that a message names.
const NAMED: usize = 3;

fn bad(what: String) -> GeomError {
    GeomError::BadMesh { what }
}

fn place(v: &Vector3<f64>) -> String {
    format!("({}, {}, {})", v.x, v.y, v.z)
}

impl Mesh {
    /// A mesh from corners (in units of `options.scale`) and triangles, counter-clockwise seen from outside. Corners in
    /// the same place become one; a mesh that is inside out is turned, with a warning. It must be closed.
    pub fn new(
        vertices: Vec<Vector3<f64>>,
        triangles: Vec<[u32; 3]>,
        options: &MeshOptions,
    ) -> Result<Self, GeomError> {
        let scale = options.scale;
        if !(scale.is_finite() && scale > 0.0) {
            return Err(bad(format!("scale = {scale} must be > 0 and finite")));
        }
        if triangles.is_empty() {
            return Err(bad("holds no facets".to_string()));
        }
        super::read::check_count(triangles.len(), options)?;
        let vertices: Vec<_> = vertices.iter().map(|v| v * scale).collect();
        if let Some(i) = vertices.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
            return Err(bad(format!("corner {i} is not a finite number")));
        }
        if let Some(i) = triangles.iter().flatten().find(|i| **i as usize >= vertices.len()) {
            return Err(bad(format!("a facet names corner {i}, there are {}", vertices.len())));
        }
        let mut warnings = Vec::new();
        let (vertices, mut triangles) = welded(&vertices, &triangles);
        let count = triangles.len();
        triangles.retain(|[a, b, c]| a != b && b != c && c != a);
        if triangles.is_empty() {
            return Err(bad("has facets without area only".to_string()));
        }
        if triangles.len() < count {
            warnings.push(format!("had {} facets without area: they were left out", count - triangles.len()));
        }
        check_closed(&vertices, &triangles)?;
        let mut inertia = solid::inertia(&vertices, triangles.iter().copied());
        if inertia.mass < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
            inertia = solid::inertia(&vertices, triangles.iter().copied());
            warnings.push("was inside out: all facets were turned".to_string());
        }
        let radius = vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
        if inertia.mass.is_nan() || inertia.mass <= 1e-14 * radius.powi(3) {
            return Err(bad(format!("encloses a volume of {:e} m³, too little for a solid", inertia.mass)));
        }
        let (tree, triangles) = Tree::new(&vertices, &triangles);
        let facets: Vec<Facet> = triangles.iter().map(|t| facet(&t.map(|i| vertices[i as usize]))).collect();
        let blocks = facets.chunks(BLOCK).map(FacetBlock::new).collect();
        let edges = Edges::new(&vertices, &triangles, &facets);
        let digest = Self::digest_of(&vertices, &triangles);
        Ok(Self { vertices, triangles, facets, blocks, inertia, radius, tree, edges, warnings, digest })
    }
}

fn facet(corners: &[Vector3<f64>; 3]) -> Facet {
    let cross = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let length = cross.norm();
    let normal = if length > 0.0 { cross / length } else { Vector3::zeros() };
    Facet { center: (corners[0] + corners[1] + corners[2]) / 3.0, normal, area: 0.5 * length }
}

/// Corners that have the same coordinates become one.
fn welded(vertices: &[Vector3<f64>], triangles: &[[u32; 3]]) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let compare = |a: &Vector3<f64>, b: &Vector3<f64>| {
        // + 0.0 makes one zero of both.
        (0..3)
            .map(|k| (a[k] + 0.0).total_cmp(&(b[k] + 0.0)))
            .find(|o| o.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    };
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_by(|i, j| compare(&vertices[*i as usize], &vertices[*j as usize]).then(i.cmp(j)));
    let mut first = vec![0u32; vertices.len()];
    let mut leader = 0;
    for (rank, &i) in order.iter().enumerate() {
        if rank == 0 || compare(&vertices[leader as usize], &vertices[i as usize]).is_ne() {
            leader = i;
        }
        first[i as usize] = leader;
    }
    // Kept in the order of the file.
    let mut number = vec![u32::MAX; vertices.len()];
    let mut kept = Vec::new();
    let mut renumber = |i: u32| {
        let leader = first[i as usize] as usize;
        if number[leader] == u32::MAX {
            number[leader] = kept.len() as u32;
            kept.push(vertices[leader].map(|x| x + 0.0));
        }
        number[leader]
    };
    let triangles = triangles.iter().map(|t| t.map(&mut renumber)).collect();
    (kept, triangles)
}

/// Every edge must be run along as often in one direction as in the other.
fn check_closed(vertices: &[Vector3<f64>], triangles: &[[u32; 3]]) -> Result<(), GeomError> {
    let mut sides: Vec<(u32, u32, i32)> = triangles
        .iter()
        .flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)])
        .map(|(i, j)| if i < j { (i, j, 1) } else { (j, i, -1) })
        .collect();
    sides.sort_unstable();
    let (mut open, mut turned) = (Vec::new(), Vec::new());
    for group in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let sum: i32 = group.iter().map(|s| s.2).sum();
        match (sum, group.len() % 2) {
            (0, _) => {}
            (_, 0) => turned.push((group[0].0, group[0].1)),
            _ => open.push((group[0].0, group[0].1)),
        }
    }
    let name = |edges: &[(u32, u32)]| {
        let shown = edges
            .iter()
            .take(NAMED)
            .map(|(i, j)| format!("{} to {}", place(&vertices[*i as usize]), place(&vertices[*j as usize])));
        let more = if edges.len() > NAMED { ", …" } else { "" };
        shown.collect::<Vec<_>>().join(", ") + more
    };
    if !open.is_empty() {
        return Err(bad(format!("is not closed: {} open edges: {} m", open.len(), name(&open))));
    }
    if !turned.is_empty() {
        let count = turned.len();
        return Err(bad(format!(
            "has facets that face opposite ways: {count} edges between such facets: {} m",
            name(&turned)
        )));
    }
    Ok(())
}

/// Cuts all facets into four until the edges are short enough: neighbours stay matched.
pub(super) fn refined(mesh: &Mesh, longest: f64, max_facets: usize) -> Result<Mesh, GeomError> {
    if !(longest.is_finite() && longest > 0.0) {
        return Err(bad(format!("longest edge = {longest} m must be > 0 and finite")));
    }
    let (mut vertices, mut triangles) = (mesh.vertices.clone(), mesh.triangles.clone());
    let options = MeshOptions { scale: 1.0, max_facets };
    loop {
        let length = |i: u32, j: u32| (vertices[i as usize] - vertices[j as usize]).norm();
        let worst = triangles.iter().map(|[a, b, c]| length(*a, *b).max(length(*b, *c)).max(length(*c, *a)));
        if worst.fold(0.0, f64::max) <= longest {
            return Mesh::new(vertices, triangles, &options);
        }
        super::read::check_count(triangles.len().saturating_mul(4), &options)?;
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for [a, b, c] in triangles {
            let base = vertices.len() as u32;
            // The middle of an edge is the same from both sides to the last bit, so welding matches them.
            for (i, j) in [(a, b), (b, c), (c, a)] {
                vertices.push((vertices[i as usize] + vertices[j as usize]) * 0.5);
            }
            let (ab, bc, ca) = (base, base + 1, base + 2);
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        (vertices, triangles) = welded(&vertices, &finer);
    }
}
