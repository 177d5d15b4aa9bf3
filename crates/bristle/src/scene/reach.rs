//! Where files that a scene names are looked for: robots, meshes, heights.

use super::error::SceneError;
use super::file::{Access, MAX_BYTES, resolve_file};
use super::place::Origin;
use super::tree::{Data, Node};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Where files that a scene names are looked for.
pub(crate) struct Reach<'a> {
    /// Folder of the scene; none for a text that cannot name files.
    pub(crate) root: Option<&'a Path>,
    pub(crate) access: Access,
}

impl Reach<'_> {
    /// The path of a file that a value names, relative to the file it was written in.
    pub(crate) fn resolve(&self, node: &Node, name: &str) -> Result<PathBuf, SceneError> {
        let Some(root) = self.root else {
            return Err(node.complain("cannot be read: a scene given as text names no files"));
        };
        let beside = match node.place.origin() {
            Origin::Text { source, .. } => {
                Path::new(&source.file).parent().unwrap_or(Path::new("")).to_path_buf()
            }
            Origin::Set(..) => root.to_path_buf(),
        };
        resolve_file(name, &beside, root, self.access).map_err(|error| node.wrong(error.to_string()))
    }

    /// The bytes of a file that a value names, and its path.
    pub(crate) fn read(&self, node: &Node, name: &str) -> Result<(PathBuf, Vec<u8>), SceneError> {
        let path = self.resolve(node, name)?;
        let mut bytes = Vec::new();
        // a device or pipe may have no end: never more than the limit is taken
        std::fs::File::open(&path)
            .and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes))
            .map_err(|error| node.complain(format!("cannot be read: {error}")))?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(node.complain(format!("cannot be read: more than {} MB", MAX_FILE >> 20)));
        }
        Ok((path, bytes))
    }

    /// Puts whole paths in the place of the names of files, for a text that is read elsewhere. Answers whether there
    /// were any.
    pub(crate) fn name_whole_paths(&self, root: &mut Node) -> bool {
        let Data::Table(items) = &mut root.data else { return false };
        let sections = items.iter_mut().filter(|(key, _)| key == "robots" || key == "bodies");
        sections.fold(false, |any, (_, node)| self.name_inside(node) | any)
    }

    fn name_inside(&self, node: &mut Node) -> bool {
        match &mut node.data {
            Data::List(items) => items.iter_mut().fold(false, |any, item| self.name_inside(item) | any),
            Data::Table(items) => items.iter_mut().fold(false, |any, (key, value)| {
                let path = match value.text() {
                    Some(name) if key == "file" => self.resolve(value, name).ok(),
                    _ => return self.name_inside(value) | any,
                };
                if let Some(path) = path {
                    value.data = Data::Text(path.display().to_string());
                }
                true
            }),
            _ => false,
        }
    }
}

/// Largest file of a mesh or of heights: ten million facets are refused by their number, not by memory.
const MAX_FILE: u64 = 16 * MAX_BYTES;
