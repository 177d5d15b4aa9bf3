//! The text of a robot file, with limits on its size.

use super::error::{Place, RobotError, RobotErrors};
use super::xml::Element;
use crate::scene::{Access, MAX_BYTES, resolve_file};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files that include files that include files …
const MAX_DEPTH: usize = 16;
/// Files in all.
const MAX_FILES: usize = 200;

/// Reads the file of a robot and those that it includes.
pub(crate) struct Files {
    /// Folder of the robot file.
    pub(crate) root: PathBuf,
    pub(crate) access: Access,
    bytes: u64,
    count: usize,
    /// Files being read, the outermost first.
    open: Vec<PathBuf>,
}

impl Files {
    pub(crate) fn new(path: &Path, access: Access) -> Self {
        let root = path.parent().unwrap_or(Path::new("")).to_path_buf();
        Self { root, access, bytes: 0, count: 0, open: Vec::new() }
    }

    /// The root element of the robot file.
    pub(crate) fn read_robot(&mut self, path: &Path) -> Result<Element, RobotErrors> {
        self.open.push(path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
        self.read(path, &path.display().to_string())
    }

    /// The root element of an included file, whose includes are put in by `insert`. Names are relative to the
    /// folder of the robot file, wherever the include stands.
    pub(crate) fn read_included(
        &mut self,
        include: &Element,
        insert: impl FnOnce(&mut Self, Element) -> Result<Element, RobotErrors>,
    ) -> Result<Element, RobotErrors> {
        let refuse = |rule: String| RobotErrors::from(include.wrong("file", rule));
        let name = include.text("file").ok_or_else(|| include.missing("file", "the file to include"))?;
        let path = resolve_file(name, &self.root, &self.root, self.access)
            .map_err(|error| refuse(error.to_string().replace("scene", "robot file")))?;
        if self.open.contains(&path) {
            return Err(refuse("a file that does not lead back to this one".to_string()));
        }
        if self.open.len() > MAX_DEPTH {
            return Err(refuse(format!("given at most {MAX_DEPTH} files deep")));
        }
        let shown = self.root.join(name).display().to_string();
        self.open.push(path.clone());
        let element = self.read(&path, &shown).and_then(|element| insert(self, element));
        self.open.pop();
        element
    }

    fn read(&mut self, path: &Path, shown: &str) -> Result<Element, RobotErrors> {
        let fail = |reason: String| RobotErrors::from(RobotError::File { file: shown.to_string(), reason });
        if self.count >= MAX_FILES {
            return Err(fail(format!("more than {MAX_FILES} files")));
        }
        self.count += 1;
        let mut bytes = Vec::new();
        // a device or pipe may have no end: never more than the limit is taken
        let left = MAX_BYTES + 1 - self.bytes.min(MAX_BYTES);
        std::fs::File::open(path)
            .and_then(|file| file.take(left).read_to_end(&mut bytes))
            .map_err(|error| fail(error.to_string()))?;
        self.bytes += bytes.len() as u64;
        if self.bytes > MAX_BYTES {
            return Err(fail(format!("more than {} MB, with what it includes", MAX_BYTES >> 20)));
        }
        let file: Arc<str> = shown.into();
        match std::str::from_utf8(&bytes) {
            Ok(text) => Element::parse(text, &file),
            Err(error) => {
                let line = 1 + bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count();
                let message = "is no UTF-8 text".to_string();
                Err(RobotError::Syntax { place: Place::new(&file, line), message }.into())
            }
        }
    }
}
