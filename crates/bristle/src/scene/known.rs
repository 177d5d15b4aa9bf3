//! The names that a scene defines, for references to them.

use super::contact::Who;
use super::error::SceneError;
use super::tree::{Data, Node};
use std::collections::BTreeMap;

/// Names of bodies and materials; `None` where their table could not be read, and every name passes.
pub(crate) struct Known<'a> {
    bodies: Option<BTreeMap<&'a str, &'a Node>>,
    materials: Option<BTreeMap<&'a str, &'a Node>>,
    /// Bodies of robots and copies of bodies, and whether they can move.
    links: BTreeMap<String, bool>,
    /// Joints by the bodies that they carry.
    joints: BTreeMap<&'a str, &'a str>,
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
        // bodies may be left out where there are robots
        let bodies = if root.entry("bodies").is_none() && root.entry("robots").is_some() {
            Some(BTreeMap::new())
        } else {
            names("bodies")
        };
        let all = root.entry("joints").map(Node::entries).unwrap_or_default();
        let joints =
            all.iter().filter_map(|(name, node)| Some((node.entry("child")?.text()?, name.as_str())));
        Self { bodies, materials, links: BTreeMap::new(), joints: joints.collect() }
    }

    /// Adds a body of a robot.
    pub(crate) fn add_link(&mut self, name: &str, is_free: bool) {
        self.links.insert(name.to_string(), is_free);
    }

    /// Free bodies of these names in the place of one.
    pub(crate) fn multiply(&mut self, body: &str, copies: impl Iterator<Item = String>) {
        if let Some(bodies) = &mut self.bodies {
            bodies.remove(body);
        }
        self.links.extend(copies.map(|name| (name, true)));
    }

    /// The joint that carries a body.
    pub(crate) fn joint_of(&self, body: &str) -> Option<&'a str> {
        self.joints.get(body).copied()
    }

    /// The names that a pattern means; an error if there are none.
    pub(crate) fn pattern<'n>(&self, node: &'n Node, errors: &mut Vec<SceneError>) -> Option<&'n str> {
        let pattern = node.text()?;
        let who = Who::of(pattern);
        if let Some(mut names) = self.bodies()
            && !names.any(|name| who.matches(name))
        {
            errors.push(node.no_such("body", pattern, self.bodies().into_iter().flatten()));
            return None;
        }
        Some(pattern)
    }

    /// Names of all bodies.
    pub(crate) fn bodies(&self) -> Option<impl Iterator<Item = &str> + '_> {
        let links = self.links.keys().map(String::as_str);
        self.bodies.as_ref().map(|all| all.keys().copied().chain(links))
    }

    /// The name of a body that a value refers to.
    pub(crate) fn body<'n>(&self, node: &'n Node, errors: &mut Vec<SceneError>) -> Option<&'n str> {
        let name = node.text()?;
        if let Some(mut names) = self.bodies()
            && !names.any(|known| known == name)
        {
            errors.push(node.no_such("body", name, self.bodies().into_iter().flatten()));
            return None;
        }
        Some(name)
    }

    /// The name of a material that a value refers to.
    pub(crate) fn material<'n>(&self, node: &'n Node, errors: &mut Vec<SceneError>) -> Option<&'n str> {
        refer(node, self.materials.as_ref(), "material", errors)
    }

    /// Whether forces move a body; true where that cannot be told.
    pub(crate) fn is_free(&self, name: &str) -> bool {
        if let Some(is_free) = self.links.get(name) {
            return *is_free;
        }
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
