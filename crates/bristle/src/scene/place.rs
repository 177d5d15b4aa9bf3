//! Where a key of a scene stands: file, line, column, key path, and the override that set it, if one did.

use super::source::Source;
use std::ops::Range;
use std::sync::Arc;

/// Where a key of a scene was written. Cheap to clone.
///
/// Prints as `scenes/x.toml:12:1`, or as `scenes/x.toml: --set bodies.ball.mass=2` if an override wrote the value.
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
    /// Bytes of a file: the key and its value.
    Text { source: Arc<Source>, name: Range<usize>, value: Range<usize> },
    /// An override.
    Set(Arc<str>, Arc<str>),
}

impl Place {
    pub(crate) fn at(origin: Origin, key: String) -> Self {
        Self(Arc::new(Spot { origin, key }))
    }

    /// A piece of text that is no key.
    pub(crate) fn of_text(source: &Arc<Source>, span: Range<usize>) -> Self {
        let origin = Origin::Text { source: source.clone(), name: span.clone(), value: span };
        Self::at(origin, String::new())
    }

    /// File name as the caller gave it; that of an included file relative to it.
    pub fn file(&self) -> &str {
        match &self.0.origin {
            Origin::Text { source, .. } => &source.file,
            Origin::Set(file, _) => file,
        }
    }

    /// Line of the key, from 1; `None` if an override wrote the value.
    pub fn line(&self) -> Option<usize> {
        self.line_column(false).map(|(line, _)| line)
    }

    /// Column of the key in characters, from 1; `None` if an override wrote the value.
    pub fn column(&self) -> Option<usize> {
        self.line_column(false).map(|(_, column)| column)
    }

    /// Line and column of the value, or of the key.
    pub(crate) fn line_column(&self, of_value: bool) -> Option<(usize, usize)> {
        match &self.0.origin {
            Origin::Text { source, name, value } => {
                Some(source.line_column(if of_value { value.start } else { name.start }))
            }
            Origin::Set(..) => None,
        }
    }

    /// The override that wrote the value, as given: `bodies.ball.mass=2`.
    pub fn set(&self) -> Option<&str> {
        match &self.0.origin {
            Origin::Text { .. } => None,
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

    /// The place of the value, printed.
    pub(crate) fn value(&self) -> String {
        self.print(true)
    }

    /// The line in question with carets under the value or the key; `None` if an override wrote it.
    pub(crate) fn excerpt(&self, of_value: bool) -> Option<String> {
        match &self.0.origin {
            Origin::Text { source, name, value } => Some(source.excerpt(if of_value { value } else { name })),
            Origin::Set(..) => None,
        }
    }

    /// A byte of the text that is the value, if it stands in the file as it is (without escapes).
    pub(crate) fn part(&self, text: &str, at: usize) -> Self {
        match &self.0.origin {
            Origin::Text { source, name, value }
                if source.text.get(value.start + 1..).is_some_and(|raw| raw.starts_with(text)) =>
            {
                let start = value.start + 1 + at;
                let origin =
                    Origin::Text { source: source.clone(), name: name.clone(), value: start..start + 1 };
                Self::at(origin, self.0.key.clone())
            }
            _ => self.clone(),
        }
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.0.origin
    }

    /// Files first, in the order they were read, then overrides.
    pub(crate) fn order(&self, of_value: bool) -> (usize, usize) {
        match &self.0.origin {
            Origin::Text { source, name, value } => {
                (source.rank, if of_value { value.start } else { name.start })
            }
            Origin::Set(..) => (usize::MAX, 0),
        }
    }

    fn print(&self, of_value: bool) -> String {
        match (&self.0.origin, self.line_column(of_value)) {
            (Origin::Set(file, text), _) => format!("{file}: --set {}", shortened(text)),
            (_, Some((line, column))) => format!("{}:{line}:{column}", self.file()),
            _ => self.file().to_string(),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.print(false))
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self} {}", self.0.key)
    }
}

/// An override as messages show it: on one line, long ones cut.
pub(crate) fn shortened(text: &str) -> String {
    let cut: String = text.chars().take(120).flat_map(char::escape_debug).collect();
    if text.chars().nth(120).is_some() { cut + " …" } else { cut }
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
        let source = Arc::new(Source::new("x.toml", "a = 1\n\n[bodies]".to_string(), 0));
        let place = Place::at(Origin::Text { source, name: 8..14, value: 7..15 }, "bodies".to_string());
        assert_eq!(place.inside("ball").key(), "bodies.ball");
        assert_eq!(place.inside("left foot").inside("mass").key(), "bodies.\"left foot\".mass");
        assert_eq!((place.to_string(), place.value()), ("x.toml:3:2".to_string(), "x.toml:3:1".to_string()));
    }

    #[test]
    fn an_override_is_its_own_place() {
        let place = Place::at(Origin::Set("x.toml".into(), "a=1".into()), "a".to_string());
        assert_eq!(place.to_string(), "x.toml: --set a=1");
        assert_eq!((place.line(), place.set()), (None, Some("a=1")));
    }
}
