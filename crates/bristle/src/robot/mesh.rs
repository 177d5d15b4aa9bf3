//! Mesh files that a robot file names: read within limits, scaled, and put the right way round.

use crate::scene::MAX_BYTES;
use bristle_geom::{Convex, Mesh, MeshFormat, MeshOptions};
use nalgebra::{Isometry3, Vector3};
use std::io::Read;
use std::path::Path;

/// Bytes of all mesh files of one robot.
const MAX_MESH_BYTES: u64 = 16 * MAX_BYTES;

/// Corners (m) and triangles of a surface that need not be closed.
#[derive(Debug, Clone)]
pub(crate) struct Triangles {
    pub(crate) vertices: Vec<Vector3<f64>>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Triangles {
    /// Seen from `frame`, then scaled along its axes. A mirror image turns the triangles, so that they keep facing outwards.
    pub(crate) fn placed(mut self, frame: &Isometry3<f64>, scale: &Vector3<f64>) -> Self {
        let into = frame.inverse();
        self.vertices.iter_mut().for_each(|v| *v = (into * nalgebra::Point3::from(*v)).coords);
        self.vertices.iter_mut().for_each(|v| *v = v.component_mul(scale));
        if scale.product() < 0.0 {
            self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        self
    }

    /// The solid inside the surface; an error reads as the rest of a sentence about the file.
    pub(crate) fn solid(self) -> Result<Mesh, String> {
        Mesh::new(self.vertices, self.triangles, &MeshOptions::default())
            .map_err(|error| format!("gives no solid: {error}"))
    }

    /// The convex hull of the corners.
    pub(crate) fn hull(&self) -> Result<Convex, String> {
        let mut points = self.vertices.clone();
        // a corner is often there once for every facet around it
        let order = |a: &Vector3<f64>, b: &Vector3<f64>| {
            a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
        };
        points.sort_unstable_by(order);
        points.dedup();
        Convex::hull(&points).map_err(|error| format!("has no hull: {error}"))
    }
}

/// Reads mesh files, in all no more than a limit.
#[derive(Debug, Default)]
pub(crate) struct MeshFiles {
    bytes: u64,
}

impl MeshFiles {
    /// What a file holds; an error reads as the rest of a sentence about the file.
    pub(crate) fn read(&mut self, path: &Path) -> Result<Triangles, String> {
        let format =
            MeshFormat::of(path).map_err(|_| "is neither STL nor OBJ and is not read".to_string())?;
        let mut bytes = Vec::new();
        let left = MAX_MESH_BYTES + 1 - self.bytes.min(MAX_MESH_BYTES);
        std::fs::File::open(path)
            .and_then(|file| file.take(left).read_to_end(&mut bytes))
            .map_err(|error| format!("cannot be read: {error}"))?;
        self.bytes += bytes.len() as u64;
        if self.bytes > MAX_MESH_BYTES {
            return Err(format!("is not read: the meshes have more than {} MB", MAX_MESH_BYTES >> 20));
        }
        let (vertices, triangles) = Mesh::parse_triangles(&bytes, format, MeshOptions::default().max_facets)
            .map_err(|error| format!("gives no solid: {error}"))?;
        Ok(Triangles { vertices, triangles })
    }
}
