//! The names that a scene defines, for references to them.

use super::error::SceneError;
use super::tree::{Data, Node};
use std::collections::BTreeMap;

/// Names of bodies and materials; `None` where their table could not be read, and every name passes.
pub(crate) struct Known<'a> {
    bodies: Option<BTreeMap<&'a str, &'a Node>>,
    materials: Option<BTreeMap<&'a str, &'a Node>>,
}

impl<'a> Known<'a> {
    pub(crate) fn of(root: &'a Node) -> Self {
        let names = |key: &str| match root.entry(key) {
            Some(node) if matches!(node.data, Data::Table(_)) => {
                Some(node.entries().iter().map(|(name, node)| (name.as_str(), node)).collect())
            }
            _ => None,
        };
        // materials may be left out, and then there are none
        let materials =
            if root.entry("materials").is_none() { Some(BTreeMap::new()) } else { names("materials") };
        Self { bodies: names("bodies"), materials }
    }

    /// Names of all bodies.
    pub(crate) fn bodies(&self) -> Option<impl Iterator<Item = &'a str> + '_> {
        self.bodies.as_ref().map(|all| all.keys().copied())
    }

    /// The name of a body that a value refers to.
    pub(crate) fn body<'n>(&self, node: &'n Node, errors: &mut Vec<SceneError>) -> Option<&'n str> {
        refer(node, self.bodies.as_ref(), "body", errors)
    }

    /// The name of a material that a value refers to.
    pub(crate) fn material<'n>(&self, node: &'n Node, errors: &mut Vec<SceneError>) -> Option<&'n str> {
        refer(node, self.materials.as_ref(), "material", errors)
    }

    /// Whether forces move a body; true where that cannot be told.
    pub(crate) fn is_free(&self, name: &str) -> bool {
        let body = self.bodies.as_ref().and_then(|all| all.get(name));
        body.is_none_or(|body| {
            let is_fixed = matches!(body.entry("fixed"), Some(Node { data: Data::Flag(true), .. }));
            !is_fixed && body.entry("motion").is_none_or(|n| matches!(n.data, Data::Bad))
        })
    }
}

fn refer<'n>(
    node: &'n Node,
    known: Option<&BTreeMap<&str, &Node>>,
    what: &'static str,
    errors: &mut Vec<SceneError>,
) -> Option<&'n str> {
    let name = node.text()?;
    if let Some(known) = known
        && !known.contains_key(name)
    {
        errors.push(node.no_such(what, name, known.keys().copied()));
        return None;
    }
    Some(name)
}
