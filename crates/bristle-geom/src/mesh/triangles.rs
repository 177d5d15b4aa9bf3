//! Triangles as a file has them: not yet a solid.

use super::{Mesh, MeshFormat, MeshOptions};
use crate::{Convex, GeomError, Pose};
use bristle_math::Vector3;

/// Corners and triangles of a surface that need not be closed.
#[derive(Debug, Clone, PartialEq)]
pub struct Triangles {
    /// Corners, m or the unit of the file.
    pub vertices: Vec<Vector3<f64>>,
    /// Triangles as corners that are there, counter-clockwise from outside in a sound file.
    pub triangles: Vec<[u32; 3]>,
}

impl Triangles {
    /// What the bytes of a file hold; more than `max_facets` are refused.
    pub fn parse(bytes: &[u8], format: MeshFormat, max_facets: usize) -> Result<Self, GeomError> {
        let options = MeshOptions { max_facets, ..MeshOptions::default() };
        let (vertices, triangles) = super::read::soup(bytes, format, &options)?;
        Ok(Self { vertices, triangles })
    }

    /// Seen from a frame that stands at `frame`, then scaled along its axes. A mirror image turns the triangles, so that they
    /// keep facing outwards.
    #[must_use]
    pub fn seen_from(mut self, frame: &Pose<f64>, scale: &Vector3<f64>) -> Self {
        for v in &mut self.vertices {
            *v = frame
                .rotation
                .inverse_transform_vector(&(*v - frame.translation.vector))
                .component_mul(scale);
        }
        if scale.product() < 0.0 {
            self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        self
    }

    /// The solid inside; the surface must be closed.
    pub fn solid(self) -> Result<Mesh, GeomError> {
        let most = self.triangles.len();
        Mesh::new(self.vertices, self.triangles, &MeshOptions { scale: 1.0, max_facets: most })
    }

    /// The convex hull of the corners.
    pub fn hull(&self) -> Result<Convex, GeomError> {
        let mut points = self.vertices.clone();
        // a corner is often there once for every facet around it
        points
            .sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
        points.dedup();
        Convex::hull(&points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wedge() -> Triangles {
        let text = "v 1 0 0\nv 3 0 0\nv 1 1 0\nv 1 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4";
        Triangles::parse(text.as_bytes(), MeshFormat::Obj, 9).unwrap()
    }

    #[test]
    fn a_mirror_image_keeps_facing_outwards() {
        let frame = Pose::translation(1.0, 0.0, 0.0) * Pose::rotation(Vector3::z() * 0.5);
        for scale in [Vector3::new(1.0, 2.0, 1.0), Vector3::new(-1.0, 2.0, 1.0), Vector3::repeat(-1.0)] {
            let mesh = wedge().seen_from(&frame, &scale).solid().unwrap();
            assert!(mesh.warnings().is_empty(), "{:?}", mesh.warnings());
            assert!((mesh.inertia().mass - scale.product().abs()).abs() < 1e-15);
        }
    }

    #[test]
    fn a_hull_needs_no_closed_surface() {
        let mut open = wedge();
        open.triangles.pop();
        assert!((open.hull().unwrap().inertia().mass - 1.0).abs() < 1e-15);
        assert!(open.solid().unwrap_err().to_string().contains("not closed"));
    }
}
