//! The nearest point of a mesh, and on which side of the surface a point lies.
//!
//! Where the nearest point is an edge or a corner, the sum of the normals around it, weighted by angle, tells the side
//! (Bærentzen & Aanæs, 2005).

use super::{Facet, Mesh};
use bristle_math::Vector3;

/// Normals at edges and corners.
#[derive(Debug, Clone)]
pub(super) struct Edges {
    /// Sums of the normals of both facets at an edge, sorted by its corners.
    edges: Vec<((u32, u32), Vector3<f64>)>,
    corners: Vec<Vector3<f64>>,
}

impl Edges {
    pub fn new(vertices: &[Vector3<f64>], triangles: &[[u32; 3]], facets: &[Facet]) -> Self {
        let mut corners = vec![Vector3::zeros(); vertices.len()];
        let mut sides = Vec::with_capacity(3 * triangles.len());
        for (t, facet) in triangles.iter().zip(facets) {
            for k in 0..3 {
                let (i, j, l) = (t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
                let [p, q, r] = [i, j, l].map(|i| vertices[i as usize]);
                corners[i as usize] += facet.normal * (q - p).angle(&(r - p));
                sides.push(((i.min(j), i.max(j)), facet.normal));
            }
        }
        sides.sort_by_key(|s| s.0);
        let edges =
            sides.chunk_by(|a, b| a.0 == b.0).map(|g| (g[0].0, g.iter().map(|s| s.1).sum())).collect();
        Self { edges, corners }
    }

    fn edge(&self, i: u32, j: u32) -> Vector3<f64> {
        let key = (i.min(j), i.max(j));
        self.edges.binary_search_by_key(&key, |e| e.0).map_or(Vector3::zeros(), |k| self.edges[k].1)
    }
}

/// Part of a triangle that is nearest.
#[derive(Clone, Copy)]
enum Feature {
    Corner(usize),
    Edge(usize, usize),
    Face,
}

/// Nearest point of a triangle (Ericson, Real-Time Collision Detection, §5.1.5).
fn on_triangle(p: &Vector3<f64>, [a, b, c]: &[Vector3<f64>; 3]) -> (Vector3<f64>, Feature) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (*a, Feature::Corner(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (*b, Feature::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Feature::Edge(0, 1));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (*c, Feature::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Feature::Edge(0, 2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let share = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (b + (c - b) * share, Feature::Edge(1, 2));
    }
    let sum = va + vb + vc;
    (a + ab * (vb / sum) + ac * (vc / sum), Feature::Face)
}

/// Distance to the surface and its outward normal, for a point inside.
pub(super) fn depth(mesh: &Mesh, point: &Vector3<f64>) -> Option<(f64, Vector3<f64>)> {
    let bounds = mesh.tree.bounds();
    if (0..3).any(|k| point[k] < bounds.min[k] || point[k] > bounds.max[k]) {
        return None;
    }
    let from_box =
        |b: &crate::Aabb| (b.min - point).sup(&(point - b.max)).sup(&Vector3::zeros()).norm_squared();
    let at = |facet: u32| {
        let (near, feature) = on_triangle(point, &mesh.corners(facet));
        ((point - near).norm_squared(), (facet, near, feature))
    };
    let (squared, (facet, near, feature)) = mesh.tree.least(from_box, at)?;
    let t = mesh.triangles[facet as usize];
    let outward = match feature {
        Feature::Face => mesh.facets[facet as usize].normal,
        Feature::Edge(i, j) => mesh.edges.edge(t[i], t[j]),
        Feature::Corner(i) => mesh.edges.corners[t[i] as usize],
    };
    let away = near - point;
    if away.dot(&outward) < 0.0 {
        return None;
    }
    let distance = squared.sqrt();
    // On the surface itself the way out is that of the feature.
    let normal = if distance > 1e-12 * mesh.radius { away / distance } else { outward.normalize() };
    Some((distance, normal))
}
