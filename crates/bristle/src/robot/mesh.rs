//! Mesh files that a robot file names, read within limits. Errors read as the rest of a sentence about the file.

use crate::scene::MAX_BYTES;
use bristle_geom::{GeomError, Mesh, MeshFormat, MeshOptions, Triangles};
use std::io::Read;
use std::path::Path;

/// Bytes of all mesh files of one robot.
const MAX_MESH_BYTES: u64 = 16 * MAX_BYTES;

/// The solid inside a surface, or why there is none.
pub(crate) fn solid(surface: Triangles) -> Result<Mesh, String> {
    surface.solid().map_err(no_solid)
}

fn no_solid(error: GeomError) -> String {
    format!("gives no solid: {error}")
}

/// Reads mesh files, in all no more than a limit.
#[derive(Debug, Default)]
pub(crate) struct MeshFiles {
    bytes: u64,
}

impl MeshFiles {
    /// What a file holds.
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
        Triangles::parse(&bytes, format, MeshOptions::default().max_facets).map_err(no_solid)
    }
}
