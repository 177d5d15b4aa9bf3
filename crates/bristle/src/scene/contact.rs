//! `[[contacts]]`: which pairs touch, and with which material.

use super::error::SceneError;
use super::form::{KeyInfo, Kind, TableInfo};
use super::known::Known;
use super::place::Place;
use super::read::Fields;
use super::tree::{Data, Node};
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
    /// Bodies by a pattern: `*` stands for any letters, also none.
    Pattern(String),
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
    /// A name, or a pattern with `*`.
    pub fn of(text: &str) -> Self {
        match text {
            "*" => Self::Any,
            _ if text.contains('*') => Self::Pattern(text.to_string()),
            _ => Self::Body(text.to_string()),
        }
    }

    /// Whether the body is meant.
    pub fn matches(&self, body: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Body(name) => name == body,
            Self::Pattern(pattern) => fits(pattern, body),
        }
    }

    /// Whether every body of `other` is also one of this; false where that cannot be told.
    fn covers(&self, other: &Who) -> bool {
        match other {
            Self::Body(name) => self.matches(name),
            _ => *self == Self::Any || self == other,
        }
    }
}

/// Whether a name fits a pattern.
fn fits(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.is_empty()
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
        known: &Known<'_>,
        earlier: &[ContactSpec],
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let fields = node.fields(&CONTACT);
        let between = read_between(&fields, known, errors);
        let rule = read_rule(&fields, known, errors);
        let name = fields.text("name").map(str::to_string);
        if let (Some(text), Some(node)) = (&name, fields.get("name"))
            && (text.is_empty() || earlier.iter().any(|c| c.name == name))
        {
            errors.push(node.wrong("a name that no other contact has"));
        }
        let states = fields.get("initial").map(Node::entries).unwrap_or_default();
        let initial =
            states.iter().filter_map(|(name, value)| Some((name.clone(), value.number()?))).collect();
        if let (Some(node), Some(ContactRule::Ignore)) = (fields.get("initial"), &rule) {
            errors.push(node.excludes("ignore", "an ignored pair has no states"));
        }
        let contact = Self { name, between: between?, rule: rule?, initial, place: node.place.clone() };
        if let (Some(e), Some(pair)) = (earlier.iter().find(|e| e.covers(&contact)), fields.get("between")) {
            errors.push(pair.wrong(format!("a pair that {} does not take first", e.place.key())));
        }
        Some(contact)
    }
}

const BETWEEN: &str = "two names of bodies, or \"*\" for any";

pub(crate) static CONTACT: TableInfo = TableInfo::new(
    "contact",
    &[
        KeyInfo::new(
            "between",
            Kind::Pair { rule: BETWEEN, each: "the name of a body, or \"*\" for any" },
            "two names of bodies; `\"*\"` matches any, `\"dog/*_foot\"` all that fit",
        )
        .need(BETWEEN),
        KeyInfo::new(
            "material",
            Kind::Text { rule: "the name of a material" },
            "name of the material; this or `ignore`",
        ),
        KeyInfo::new("ignore", Kind::Flag, "`true`: the pair passes through each other").default("false"),
        KeyInfo::new("name", Kind::Text { rule: "a name" }, "for output; no two contacts have the same"),
        KeyInfo::new("initial", Kind::Numbers, "states of the laws at the start, by their names")
            .default("0 each"),
    ],
);

fn read_between(fields: &Fields<'_>, known: &Known<'_>, errors: &mut Vec<SceneError>) -> Option<[Who; 2]> {
    let pair = fields.get("between")?;
    let [a, b] = pair.list() else { return None };
    let [a, b] = [a, b].map(|node| match node.text()? {
        "*" => Some(Who::Any),
        text if text.contains('*') => known.pattern(node, errors).map(Who::of),
        _ => known.body(node, errors).map(Who::of),
    });
    let between = [a?, b?];
    if between[0] == between[1] && matches!(between[0], Who::Body(_)) {
        errors.push(pair.wrong("two different bodies"));
    }
    Some(between)
}

fn read_rule(fields: &Fields<'_>, known: &Known<'_>, errors: &mut Vec<SceneError>) -> Option<ContactRule> {
    let is_ignored = match fields.get("ignore") {
        Some(Node { data: Data::Bad, .. }) => return None,
        _ => fields.flag("ignore").unwrap_or(false),
    };
    match fields.get("material") {
        Some(material) if is_ignored => {
            errors.push(material.excludes("ignore", "give one of them"));
            None
        }
        Some(material) => known.material(material, errors).map(|m| ContactRule::Material(m.to_string())),
        None if is_ignored => Some(ContactRule::Ignore),
        None => {
            errors.push(fields.missing("material", "the name of a material, or ignore = true"));
            None
        }
    }
}
