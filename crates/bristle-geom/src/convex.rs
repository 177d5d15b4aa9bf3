//! Convex polyhedra: corners and flat faces, checked once.

use crate::{GeomError, solid};
use bristle_math::Vector3;
use bristle_math::spatial::Inertia;
use std::fmt;

/// Faces of a box by the keys of its corners (bit 0, 1, 2 set: at −x, −y, −z), counter-clockwise from outside.
pub(crate) const CUBE: [[u32; 4]; 6] =
    [[6, 4, 0, 2], [7, 3, 1, 5], [5, 1, 0, 4], [7, 6, 2, 3], [3, 2, 0, 1], [7, 5, 4, 6]];

/// How far, relative to the size, a corner may lie off its face or beyond another one.
const FLAT: f64 = 1e-9;

/// A convex solid bounded by flat faces.
///
/// ```
/// use bristle_geom::Convex;
/// use nalgebra::Vector3;
/// let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
/// let faces = vec![vec![0, 2, 1], vec![0, 1, 3], vec![0, 3, 2], vec![1, 2, 3]];
/// let wedge = Convex::new(corners, faces)?;
/// assert!((wedge.inertia().mass - 1.0 / 6.0).abs() < 1e-15); // volume, m³
/// # Ok::<(), bristle_geom::GeomError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Convex {
    vertices: Vec<Vector3<f64>>,
    faces: Vec<Vec<u32>>,
    /// Outward normal and offset of every face: the solid lies at n·x ≤ offset.
    planes: Vec<(Vector3<f64>, f64)>,
    /// Directions of the edges, one of each line.
    edges: Vec<Vector3<f64>>,
    inertia: Inertia<f64>,
    radius: f64,
}

/// Compact: shapes are told apart by it.
impl fmt::Debug for Convex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.vertices.iter().flat_map(|v| [v.x, v.y, v.z]).map(f64::to_bits);
        let digest = solid::digest(numbers.chain(self.faces.iter().flatten().map(|i| u64::from(*i))));
        write!(
            f,
            "Convex {{ vertices: {}, faces: {}, digest: {digest:016x} }}",
            self.vertices.len(),
            self.faces.len()
        )
    }
}

impl Convex {
    /// A solid from its corners (m) and its faces, each a list of corners counter-clockwise seen from outside.
    pub fn new(vertices: Vec<Vector3<f64>>, faces: Vec<Vec<u32>>) -> Result<Self, GeomError> {
        let bad = |what: String| Err(GeomError::BadConvex { what });
        if let Some(i) = vertices.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
            return bad(format!("corner {i} is not finite"));
        }
        let radius = vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
        for (i, face) in faces.iter().enumerate() {
            if face.len() < 3 {
                return bad(format!("face {i} has {} corners, needs at least 3", face.len()));
            }
            if let Some(k) = face.iter().find(|k| **k as usize >= vertices.len()) {
                return bad(format!("face {i} names corner {k}, there are {}", vertices.len()));
            }
        }
        let mut solid = Self {
            vertices,
            faces,
            planes: Vec::new(),
            edges: Vec::new(),
            inertia: Inertia::point(0.0),
            radius,
        };
        solid.check_closed()?;
        solid.find_planes()?;
        solid.find_edges();
        solid.inertia = solid::inertia(&solid.vertices, solid.triangles());
        if solid.inertia.mass.is_nan() || solid.inertia.mass <= 0.0 {
            return bad(format!(
                "encloses a volume of {} m³; faces must be counter-clockwise from outside",
                solid.inertia.mass
            ));
        }
        Ok(solid)
    }

    /// A box of the given half edges, m.
    pub fn cuboid(half: &Vector3<f64>) -> Result<Self, GeomError> {
        let signed = |bit: u32, h: f64| if bit & 1 == 0 { h } else { -h };
        let corner = |i: u32| Vector3::new(signed(i, half.x), signed(i >> 1, half.y), signed(i >> 2, half.z));
        Self::new((0..8).map(corner).collect(), CUBE.iter().map(|f| f.to_vec()).collect())
    }

    /// Every edge belongs to two faces, which run along it in opposite directions.
    fn check_closed(&self) -> Result<(), GeomError> {
        let mut sides: Vec<(u32, u32)> = self.faces.iter().flat_map(|f| loop_edges(f)).collect();
        sides.sort_unstable();
        let is_twice = sides.windows(2).find(|w| w[0] == w[1]).map(|w| w[0]);
        let is_alone = sides.iter().find(|(i, j)| sides.binary_search(&(*j, *i)).is_err());
        match (is_twice, is_alone) {
            (Some((i, j)), _) => Err(GeomError::BadConvex {
                what: format!("two faces run from corner {i} to corner {j} in the same direction"),
            }),
            (_, Some((i, j))) => Err(GeomError::BadConvex {
                what: format!("the edge between corners {i} and {j} belongs to one face only"),
            }),
            _ => Ok(()),
        }
    }

    fn find_planes(&mut self) -> Result<(), GeomError> {
        for (i, face) in self.faces.iter().enumerate() {
            let base = self.vertices[face[0] as usize];
            let normal: Vector3<f64> = face
                .windows(2)
                .map(|w| (self.vertices[w[0] as usize] - base).cross(&(self.vertices[w[1] as usize] - base)))
                .sum();
            let length = normal.norm();
            if length.is_nan() || length <= FLAT * FLAT * self.radius * self.radius {
                return Err(GeomError::BadConvex { what: format!("face {i} has no area") });
            }
            let normal = normal / length;
            let offset =
                face.iter().map(|k| normal.dot(&self.vertices[*k as usize])).sum::<f64>() / face.len() as f64;
            let off = face
                .iter()
                .find(|k| (normal.dot(&self.vertices[**k as usize]) - offset).abs() > FLAT * self.radius);
            if let Some(k) = off {
                return Err(GeomError::BadConvex {
                    what: format!("corner {k} lies off the plane of face {i}"),
                });
            }
            if let Some(k) = self.vertices.iter().position(|v| normal.dot(v) - offset > FLAT * self.radius) {
                return Err(GeomError::BadConvex {
                    what: format!("not convex: corner {k} lies outside of face {i}"),
                });
            }
            self.planes.push((normal, offset));
        }
        Ok(())
    }

    /// Edges that only divide a flat face, and repetitions, tell nothing about directions of separation.
    fn find_edges(&mut self) {
        let sides = self.faces.iter().flat_map(|f| loop_edges(f)).filter(|(i, j)| i < j);
        for (i, j) in sides {
            let d = (self.vertices[j as usize] - self.vertices[i as usize]).normalize();
            if !self.edges.iter().any(|e| e.cross(&d).norm_squared() < FLAT * FLAT) {
                self.edges.push(d);
            }
        }
    }

    /// Corners, m.
    pub fn vertices(&self) -> &[Vector3<f64>] {
        &self.vertices
    }

    /// Faces as lists of corners, counter-clockwise from outside.
    pub fn faces(&self) -> &[Vec<u32>] {
        &self.faces
    }

    /// Outward normals and offsets (m) of the faces.
    pub fn planes(&self) -> &[(Vector3<f64>, f64)] {
        &self.planes
    }

    /// Unit directions of the edges, parallel ones once.
    pub fn edges(&self) -> &[Vector3<f64>] {
        &self.edges
    }

    /// The faces cut into triangles.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.faces.iter().flat_map(|f| (1..f.len() - 1).map(move |i| [f[0], f[i], f[i + 1]]))
    }

    /// Volume as the mass (density 1 kg/m³), centroid, inertia about it.
    pub fn inertia(&self) -> &Inertia<f64> {
        &self.inertia
    }

    /// Radius of a ball around the origin that holds the solid, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

fn loop_edges(face: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    (0..face.len()).map(move |i| (face[i], face[(i + 1) % face.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad(vertices: Vec<Vector3<f64>>, faces: Vec<Vec<u32>>) -> String {
        Convex::new(vertices, faces).unwrap_err().to_string()
    }

    fn wedge() -> (Vec<Vector3<f64>>, Vec<Vec<u32>>) {
        let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
        (corners, vec![vec![0, 2, 1], vec![0, 1, 3], vec![0, 3, 2], vec![1, 2, 3]])
    }

    #[test]
    fn a_box_has_six_planes_three_edges_and_its_inertia() {
        let body = Convex::cuboid(&Vector3::new(1.0, 2.0, 3.0)).unwrap();
        assert_eq!((body.planes().len(), body.edges().len()), (6, 3));
        let inertia = body.inertia();
        assert!((inertia.mass - 48.0).abs() < 1e-12 && inertia.center.norm() < 1e-14);
        assert!((inertia.about_center[(0, 0)] - 48.0 * 13.0 / 3.0).abs() < 1e-10);
        assert!(body.planes().iter().all(|(n, o)| (n.dot(&Vector3::new(1.0, 2.0, 3.0))).abs() == *o));
    }

    #[test]
    fn faults_are_named() {
        let (corners, faces) = wedge();
        assert!(bad(corners.clone(), faces[..3].to_vec()).contains("belongs to one face only"));
        let flipped = faces.iter().map(|f| f.iter().rev().copied().collect()).collect();
        assert!(bad(corners.clone(), flipped).contains("outside of face"));
        let mut nan = corners.clone();
        nan[2].x = f64::NAN;
        assert!(bad(nan, faces.clone()).contains("corner 2 is not finite"));
        let mut beyond = faces;
        beyond[1][0] = 9;
        assert!(bad(corners, beyond).contains("face 1 names corner 9, there are 4"));
        assert!(bad(vec![], vec![]).contains("volume of"));
    }
}
