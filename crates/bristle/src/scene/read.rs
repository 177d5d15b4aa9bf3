//! Typed access to a tree that conforms to the form. What was refused reads as not given.

use super::error::SceneError;
use super::form::TableInfo;
use super::tree::{Data, Node};
use crate::nearest::hint;
use nalgebra::{Unit, UnitQuaternion, Vector3};

impl Node {
    /// The error that this value breaks a rule: "must be …".
    pub(crate) fn wrong(&self, rule: impl Into<String>) -> SceneError {
        SceneError::Value { place: self.place.clone(), value: self.show(), rule: rule.into() }
    }

    /// The error that this value names nothing.
    pub(crate) fn no_such<'a>(
        &self,
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> SceneError {
        SceneError::NoSuch { place: self.place.clone(), value: self.show(), what, hint: hint(name, known) }
    }

    /// Any other error about this key.
    pub(crate) fn complain(&self, message: impl Into<String>) -> SceneError {
        SceneError::Model { place: self.place.clone(), message: message.into() }
    }

    /// The error that this key excludes another.
    pub(crate) fn excludes(&self, other: &str, rule: impl Into<String>) -> SceneError {
        SceneError::Conflict { place: self.place.clone(), other: other.to_string(), rule: rule.into() }
    }

    pub(crate) fn number(&self) -> Option<f64> {
        if let Data::Number(x) = self.data { Some(x) } else { None }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Data::Text(x) = &self.data { Some(x) } else { None }
    }

    /// Entries of a list; none of anything else.
    pub(crate) fn list(&self) -> &[Node] {
        if let Data::List(items) = &self.data { items } else { &[] }
    }

    /// Entries of a table in the order of the text; none of anything else.
    pub(crate) fn entries(&self) -> &[(String, Node)] {
        if let Data::Table(items) = &self.data { items } else { &[] }
    }

    /// The value of a key, whatever it is.
    pub(crate) fn entry(&self, name: &str) -> Option<&Node> {
        self.entries().iter().find(|(key, _)| key == name).map(|(_, node)| node)
    }

    pub(crate) fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        let numbers: Option<Vec<f64>> = self.list().iter().map(Node::number).collect();
        numbers?.try_into().ok()
    }

    pub(crate) fn vector(&self) -> Option<Vector3<f64>> {
        self.numbers::<3>().map(Vector3::from)
    }

    /// A vector scaled to length one.
    pub(crate) fn direction(&self) -> Option<Unit<Vector3<f64>>> {
        let vector = self.vector()?;
        Some(Unit::new_normalize(vector / vector.amax())) // scaled first: squares of 1e200 are not finite
    }

    pub(crate) fn vectors(&self) -> Option<Vec<Vector3<f64>>> {
        self.list().iter().map(Node::vector).collect()
    }

    /// The table with the keys of its form.
    pub(crate) fn fields(&self, info: &'static TableInfo) -> Fields<'_> {
        Fields { node: self, info }
    }
}

/// A table whose keys are known.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    pub(crate) node: &'a Node,
    info: &'static TableInfo,
}

#[cfg(test)]
thread_local! {
    /// Every (table, key) that was asked for: a key that is described but never asked for does nothing.
    pub(crate) static ASKED: std::cell::RefCell<std::collections::BTreeSet<(&'static str, String)>> =
        const { std::cell::RefCell::new(std::collections::BTreeSet::new()) };
}

impl<'a> Fields<'a> {
    /// The value of a key; also one that was refused.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Node> {
        debug_assert!(self.info.key(name).is_some(), "{name} is not described in {}", self.info.name);
        #[cfg(test)]
        ASKED.with(|asked| asked.borrow_mut().insert((self.info.name, name.to_string())));
        self.node.entry(name)
    }

    /// Whether the key is written, rightly or not.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.number()
    }

    /// An angle, written in degrees, in radians.
    pub(crate) fn angle(&self, name: &str) -> Option<f64> {
        self.number(name).map(f64::to_radians)
    }

    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        if let Data::Flag(x) = self.get(name)?.data { Some(x) } else { None }
    }

    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        self.get(name)?.text()
    }

    /// The meaning of a word.
    pub(crate) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Option<T> {
        let word = self.text(name)?;
        words.iter().find(|(w, _)| *w == word).map(|(_, value)| *value)
    }

    pub(crate) fn vector(&self, name: &str) -> Option<Vector3<f64>> {
        self.get(name)?.vector()
    }

    pub(crate) fn direction(&self, name: &str) -> Option<Unit<Vector3<f64>>> {
        self.get(name)?.direction()
    }

    /// The one alternative that is given.
    pub(crate) fn chosen(&self) -> Option<(&'static str, &'a Node)> {
        self.info.kinds().into_iter().find_map(|kind| Some((kind, self.get(kind)?)))
    }

    pub(crate) fn missing(&self, name: &str, what: &str) -> SceneError {
        SceneError::Missing { place: self.node.place.inside(name), rule: format!("give {what}") }
    }

    /// Reports a key that stands beside one that excludes it.
    pub(crate) fn refuse(&self, name: &str, beside: &str, rule: &str, errors: &mut Vec<SceneError>) {
        if let Some(node) = self.get(name) {
            errors.push(node.excludes(beside, rule));
        }
    }

    /// `orientation = …` of a body or shape.
    pub(crate) fn orientation(&self, errors: &mut Vec<SceneError>) -> UnitQuaternion<f64> {
        let Some(node) = self.get("orientation") else { return UnitQuaternion::identity() };
        super::orientation::read(node, errors).unwrap_or_default()
    }
}
