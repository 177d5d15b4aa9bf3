//! `include = ["common.toml"]`: other files merged in under the one that names them.
//!
//! `[tables]` are merged key by key; what the including file writes wins. Anything else (numbers, lists, inline
//! tables) is one value and replaces the other as a whole.

use super::conform;
use super::error::SceneError;
use super::file::{Access, MAX_BYTES, check_size, resolve_file};
use super::form::Kind;
use super::place::{Origin, Place};
use super::source::Source;
use super::tree::{Data, Node};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files that include files that include files …
const MAX_DEPTH: usize = 16;
/// Files in all.
const MAX_FILES: usize = 1000;

/// Reads a scene and what it includes.
pub(crate) struct Files {
    /// Folder of the scene.
    root: PathBuf,
    access: Access,
    bytes: u64,
    count: usize,
    /// Files being read, the scene first.
    open: Vec<PathBuf>,
}

impl Files {
    pub(crate) fn new(scene: &Path, access: Access) -> Self {
        let root = scene.parent().unwrap_or(Path::new("")).to_path_buf();
        Self { root, access, bytes: 0, count: 0, open: Vec::new() }
    }

    /// The tree of the scene, merged.
    pub(crate) fn read_scene(&mut self, path: &Path, shown: &str) -> Result<Node, Vec<SceneError>> {
        self.open.push(path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
        self.read(path, shown)
    }

    fn read(&mut self, path: &Path, shown: &str) -> Result<Node, Vec<SceneError>> {
        let source = self.read_text(path, shown).map_err(|error| vec![error])?;
        let mut own = Node::parse(&source)?;
        let Some(include) = own.entry("include").cloned() else { return Ok(own) };
        let mut errors = Vec::new();
        let mut merged: Option<Node> = None;
        let beside = path.parent().unwrap_or(Path::new("")).to_path_buf();
        for item in names(&include, &mut errors) {
            match self.read_included(item, &beside, shown) {
                Ok(mut node) => {
                    if let Data::Table(items) = &mut node.data {
                        items.retain(|(key, _)| key != "include");
                        let schema = items.iter_mut().find(|(key, _)| key == "schema");
                        schema.into_iter().for_each(|(_, n)| conform::value(n, &Kind::Version, &mut errors));
                    }
                    match &mut merged {
                        Some(before) => merge(before, node),
                        None => merged = Some(node),
                    }
                }
                Err(found) => errors.extend(found),
            }
        }
        if let Some(mut below) = merged {
            merge(&mut below, own);
            own = below;
        }
        if errors.is_empty() { Ok(own) } else { Err(errors) }
    }

    fn read_included(&mut self, item: &Node, beside: &Path, from: &str) -> Result<Node, Vec<SceneError>> {
        let refuse = |rule: String| vec![item.wrong(rule)];
        let name = item.text().unwrap_or_default();
        let path = resolve_file(name, beside, &self.root, self.access).map_err(|e| refuse(e.to_string()))?;
        if self.open.contains(&path) {
            return Err(refuse("a file that does not lead back to this one".to_string()));
        }
        if self.open.len() > MAX_DEPTH {
            return Err(refuse(format!("given at most {MAX_DEPTH} files deep")));
        }
        if self.count >= MAX_FILES {
            return Err(refuse(format!("one of at most {MAX_FILES} files")));
        }
        let shown = Path::new(from).parent().unwrap_or(Path::new("")).join(name).display().to_string();
        self.open.push(path.clone());
        let node = self.read(&path, &shown);
        self.open.pop();
        node
    }

    fn read_text(&mut self, path: &Path, shown: &str) -> Result<Arc<Source>, SceneError> {
        let unreadable =
            |error: std::io::Error| SceneError::File { file: shown.to_string(), reason: error.to_string() };
        let mut bytes = Vec::new();
        // a device or pipe may have no end: never more than the limit is taken
        let left = MAX_BYTES + 1 - self.bytes.min(MAX_BYTES);
        std::fs::File::open(path).and_then(|f| f.take(left).read_to_end(&mut bytes)).map_err(unreadable)?;
        self.bytes += bytes.len() as u64;
        check_size(self.bytes, shown)?;
        let rank = self.count;
        self.count += 1;
        String::from_utf8(bytes).map(|text| Arc::new(Source::new(shown, text, rank))).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).to_string();
            let source = Arc::new(Source::new(shown, text, rank));
            SceneError::Syntax {
                place: Place::of_text(&source, at..at + 1),
                message: "not UTF-8 text".to_string(),
            }
        })
    }
}

/// The file names of `include`: one, or a list.
fn names<'a>(include: &'a Node, errors: &mut Vec<SceneError>) -> Vec<&'a Node> {
    let items: Vec<&Node> = match &include.data {
        Data::List(items) => items.iter().collect(),
        _ => vec![include],
    };
    let (good, bad): (Vec<_>, Vec<_>) = items.into_iter().partition(|n| n.text().is_some());
    errors.extend(bad.into_iter().map(|n| n.wrong("a file name, or a list of file names")));
    good
}

/// A scene that is text alone has no folder to include from.
pub(crate) fn none(root: &Node) -> Result<(), Vec<SceneError>> {
    match root.entry("include") {
        Some(node) => Err(vec![node.complain("needs a scene that is read from a file")]),
        None => Ok(()),
    }
}

/// Puts `over` on top of `below`.
fn merge(below: &mut Node, over: Node) {
    let is_block = !is_inline(&over) && !is_inline(below);
    match (&mut below.data, over.data) {
        (Data::Table(items), Data::Table(new)) if is_block => {
            let index: BTreeMap<String, usize> =
                items.iter().enumerate().map(|(i, (key, _))| (key.clone(), i)).collect();
            for (name, value) in new {
                match index.get(&name) {
                    Some(i) => merge(&mut items[*i].1, value),
                    None => items.push((name, value)),
                }
            }
            below.place = over.place;
        }
        (_, data) => *below = Node { place: over.place, data },
    }
}

/// `{ … }`, as opposed to `[table]`.
fn is_inline(node: &Node) -> bool {
    match node.place.origin() {
        Origin::Text { source, value, .. } => source.text.as_bytes().get(value.start) == Some(&b'{'),
        Origin::Set(..) => true,
    }
}
