//! `[[contacts]]`: which pairs touch, and with which material.

use super::body::BodySpec;
use super::element::find;
use super::error::SceneError;
use super::material::MaterialSpec;
use super::place::Place;
use super::tree::Node;
use std::collections::BTreeMap;

/// One entry of `[[contacts]]`.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactSpec {
    /// Name, if given; no two are the same.
    pub name: Option<String>,
    /// The pair.
    pub between: [Who; 2],
    /// What happens when they meet.
    pub rule: ContactRule,
    /// Law states at the start, by their names.
    pub initial: BTreeMap<String, f64>,
    /// Where the entry stands.
    pub place: Place,
}

/// One side of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// `"*"`
    Any,
    /// A body by its name.
    Body(String),
}

/// What happens when a pair meets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContactRule {
    /// They touch with this material.
    Material(String),
    /// They pass through each other.
    Ignore,
}

impl Who {
    /// Whether the body is meant.
    pub fn matches(&self, body: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Body(name) => name == body,
        }
    }

    fn covers(&self, other: &Who) -> bool {
        *self == Self::Any || self == other
    }
}

impl ContactSpec {
    /// Whether the entry speaks of this pair, and if so, which body stands first in it.
    pub fn matches<'a>(&self, a: &'a str, b: &'a str) -> Option<[&'a str; 2]> {
        let [first, second] = &self.between;
        if first.matches(a) && second.matches(b) {
            Some([a, b])
        } else if first.matches(b) && second.matches(a) {
            Some([b, a])
        } else {
            None
        }
    }

    /// Whether every pair of `other` is also one of this entry.
    fn covers(&self, other: &ContactSpec) -> bool {
        let ([a, b], [c, d]) = (&self.between, &other.between);
        (a.covers(c) && b.covers(d)) || (a.covers(d) && b.covers(c))
    }

    pub(crate) fn read(
        node: &Node,
        bodies: &[BodySpec],
        materials: &[MaterialSpec],
        earlier: &[ContactSpec],
    ) -> Result<Self, SceneError> {
        let fields = node.fields(&["between", "material", "ignore", "name", "initial"])?;
        let rule = "two names of bodies, or \"*\" for any";
        let pair = fields.need("between", rule)?;
        let [a, b] = pair.array::<2>(rule)?;
        let between = [read_who(a, bodies)?, read_who(b, bodies)?];
        if between[0] == between[1] && between[0] != Who::Any {
            return Err(pair.wrong("two different bodies"));
        }
        let is_ignored = fields.read("ignore", Node::flag)?.unwrap_or(false);
        let rule = match fields.get("material") {
            Some(material) if is_ignored => return Err(material.excludes("ignore", "give one of them")),
            Some(material) => ContactRule::Material(read_material(material, materials)?),
            None if is_ignored => ContactRule::Ignore,
            None => return Err(fields.missing("material", "the name of a material, or ignore = true")),
        };
        let name = fields.read("name", |n| n.text("a name").map(str::to_string))?;
        if let (Some(text), Some(node)) = (&name, fields.get("name"))
            && (text.is_empty() || earlier.iter().any(|c| c.name == name))
        {
            return Err(node.wrong("a name that no other contact has"));
        }
        let initial = fields.read("initial", read_states)?.unwrap_or_default();
        if let (Some(node), ContactRule::Ignore) = (fields.get("initial"), &rule) {
            return Err(node.excludes("ignore", "an ignored pair has no states"));
        }
        let contact = Self { name, between, rule, initial, place: node.place.clone() };
        match earlier.iter().find(|e| e.covers(&contact)) {
            Some(e) => Err(pair.wrong(format!("a pair that {} does not take first", e.place.key()))),
            None => Ok(contact),
        }
    }
}

fn read_who(node: &Node, bodies: &[BodySpec]) -> Result<Who, SceneError> {
    match node.text("the name of a body, or \"*\" for any")? {
        "*" => Ok(Who::Any),
        _ => Ok(Who::Body(find(node, bodies)?.name.clone())),
    }
}

fn read_material(node: &Node, materials: &[MaterialSpec]) -> Result<String, SceneError> {
    let name = node.text("the name of a material")?;
    if materials.iter().any(|m| m.name == name) {
        return Ok(name.to_string());
    }
    Err(node.no_such("material", name, materials.iter().map(|m| m.name.as_str())))
}

fn read_states(node: &Node) -> Result<BTreeMap<String, f64>, SceneError> {
    node.named()?.iter().map(|(name, value)| Ok((name.clone(), value.number("")?))).collect()
}
