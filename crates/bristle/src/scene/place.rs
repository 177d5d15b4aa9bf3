//! Where a key of a scene stands: file, line, key path, and the override that set it, if one did.

use std::sync::Arc;

/// Where a key of a scene was written. Cheap to clone.
///
/// Prints as `scenes/x.toml:12`, or as `scenes/x.toml: --set bodies.ball.mass=2` if an override wrote the value.
#[derive(Clone, PartialEq, Eq)]
pub struct Place(Arc<Spot>);

#[derive(PartialEq, Eq)]
struct Spot {
    origin: Origin,
    key: String,
}

/// The text a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A line of the file, from 1.
    Line(Arc<str>, usize),
    /// An override.
    Set(Arc<str>, Arc<str>),
}

impl Place {
    /// A line (from 1) of a file, and the key path that is written there.
    pub fn new(file: &str, line: usize, key: &str) -> Self {
        Self::at(Origin::Line(file.into(), line), key.to_string())
    }

    pub(crate) fn at(origin: Origin, key: String) -> Self {
        Self(Arc::new(Spot { origin, key }))
    }

    /// File name as the caller gave it.
    pub fn file(&self) -> &str {
        match &self.0.origin {
            Origin::Line(file, _) | Origin::Set(file, _) => file,
        }
    }

    /// Line from 1; `None` if an override wrote the value.
    pub fn line(&self) -> Option<usize> {
        match &self.0.origin {
            Origin::Line(_, line) => Some(*line),
            Origin::Set(..) => None,
        }
    }

    /// The override that wrote the value, as given: `bodies.ball.mass=2`.
    pub fn set(&self) -> Option<&str> {
        match &self.0.origin {
            Origin::Line(..) => None,
            Origin::Set(_, text) => Some(text),
        }
    }

    /// Key path, e.g. `bodies.ball.velocity[0]`; empty for the whole file.
    pub fn key(&self) -> &str {
        &self.0.key
    }

    /// The same spot, for a key inside this one that was not written.
    pub fn inside(&self, name: &str) -> Self {
        Self::at(self.0.origin.clone(), join(&self.0.key, name))
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.0.origin
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0.origin {
            Origin::Line(file, line) => write!(f, "{file}:{line}"),
            Origin::Set(file, text) => write!(f, "{file}: --set {}", text.escape_debug()),
        }
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self} {}", self.0.key)
    }
}

/// The key path of `name` inside `parent`; names that TOML would quote are quoted.
pub(crate) fn join(parent: &str, name: &str) -> String {
    let name = if is_bare(name) { name.to_string() } else { format!("{name:?}") };
    if parent.is_empty() { name } else { format!("{parent}.{name}") }
}

/// Whether TOML lets the key stand without quotes.
pub(crate) fn is_bare(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_inside_are_quoted_where_toml_quotes_them() {
        let place = Place::new("x.toml", 3, "bodies");
        assert_eq!(place.inside("ball").key(), "bodies.ball");
        assert_eq!(place.inside("left foot").inside("mass").key(), "bodies.\"left foot\".mass");
        assert_eq!(place.to_string(), "x.toml:3");
    }

    #[test]
    fn an_override_is_its_own_place() {
        let place = Place::at(Origin::Set("x.toml".into(), "a=1".into()), "a".to_string());
        assert_eq!(place.to_string(), "x.toml: --set a=1");
        assert_eq!((place.line(), place.set()), (None, Some("a=1")));
    }
}
