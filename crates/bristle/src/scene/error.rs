//! What can be wrong with a scene: one line each, with file, line, column, key, value and rule.

use super::place::{Place, shortened};
use bristle_laws::ParamError;

/// One thing that is wrong with a scene. Prints as one line, e.g.
/// `scenes/x.toml:12:8: bodies.ball.mass = -1 must be > 0 (kg)`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The file could not be opened or read.
    #[error("{file}: cannot be read: {reason}")]
    File {
        /// The path.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// Not TOML: also keys and tables that are written twice.
    #[error("{place}: {message}")]
    Syntax {
        /// Where.
        place: Place,
        /// What is wrong with the text.
        message: String,
    },
    /// A key that must be there.
    #[error("{place}: {} is missing; {rule}", .place.key())]
    Missing {
        /// The table it is missing from, and its key.
        place: Place,
        /// What to give.
        rule: String,
    },
    /// A key that means nothing.
    #[error("{place}: {} is unknown; {hint}", .place.key())]
    Unknown {
        /// The key.
        place: Place,
        /// The nearest known key, or all of them.
        hint: String,
    },
    /// A value that refers to something the scene does not have.
    #[error("{}: {} = {value} names no {what}; {hint}", .place.value(), .place.key())]
    NoSuch {
        /// The key.
        place: Place,
        /// The value given.
        value: String,
        /// What it should name: body, material, normal law …
        what: &'static str,
        /// The nearest name there is, or all of them.
        hint: String,
    },
    /// A value of the wrong kind or outside its range.
    #[error("{}: {} = {value} must be {rule}", .place.value(), .place.key())]
    Value {
        /// The key.
        place: Place,
        /// The value given.
        value: String,
        /// The rule it breaks, with its unit.
        rule: String,
    },
    /// Two keys that exclude each other.
    #[error("{place}: {} cannot stand beside {other}; {rule}", .place.key())]
    Conflict {
        /// The key.
        place: Place,
        /// The other key, in the same table unless it is a path.
        other: String,
        /// What to do.
        rule: String,
    },
    /// An override that cannot be read.
    #[error("{file}: --set {}: must be {rule}", shortened(.text))]
    Override {
        /// The scene.
        file: String,
        /// The override as given.
        text: String,
        /// What it should be.
        rule: &'static str,
    },
    /// A law that refuses its parameters.
    #[error("{}: {}: {}", .place.value(), .place.key(), flat(.error))]
    Law {
        /// The parameter, or the law if the parameter is not written.
        place: Place,
        /// What the law says.
        error: Box<ParamError>,
    },
    /// A formula `${…}` that cannot be read.
    #[error("{}: {} = {value}: {message}", .place.value(), .place.key())]
    Formula {
        /// The key.
        place: Place,
        /// The value given.
        value: String,
        /// What is wrong with the formula.
        message: String,
    },
    /// Anything else about a key, e.g. what the model finds when it is built.
    #[error("{place}: {} {}", .place.key(), flat(.message))]
    Model {
        /// The key.
        place: Place,
        /// What is wrong, as the rest of a sentence about the key.
        message: String,
    },
}

impl SceneError {
    /// Where the error is; `None` if the file could not be read at all or an override is no `key=value`.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::File { .. } | Self::Override { .. } => None,
            Self::Syntax { place, .. }
            | Self::Missing { place, .. }
            | Self::Unknown { place, .. }
            | Self::NoSuch { place, .. }
            | Self::Value { place, .. }
            | Self::Conflict { place, .. }
            | Self::Law { place, .. }
            | Self::Formula { place, .. }
            | Self::Model { place, .. } => Some(place),
        }
    }

    /// Whether the value is at fault, not the key.
    fn is_about_value(&self) -> bool {
        matches!(self, Self::NoSuch { .. } | Self::Value { .. } | Self::Law { .. } | Self::Formula { .. })
    }

    /// Line and column that the message names, from 1; `None` for what is in no file.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        self.place()?.line_column(self.is_about_value())
    }

    /// The message without the place before it.
    pub fn message(&self) -> String {
        let (all, place) = (self.to_string(), self.place());
        let shown = place.map(|p| if self.is_about_value() { p.value() } else { p.to_string() });
        shown.and_then(|p| all.strip_prefix(&format!("{p}: ")).map(str::to_string)).unwrap_or(all)
    }

    /// The message, and below it the line at fault with carets under the value or key.
    pub fn explain(&self) -> String {
        match self.place().and_then(|place| place.excerpt(self.is_about_value())) {
            Some(excerpt) => format!("{self}\n{excerpt}"),
            None => self.to_string(),
        }
    }
}

/// All that is wrong with a scene, in the order of its lines. Prints as one line per error.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneErrors(Vec<SceneError>);

impl SceneErrors {
    /// Sorts and removes repetitions; `None` of no errors.
    pub(crate) fn of(mut errors: Vec<SceneError>) -> Option<Self> {
        errors.sort_by_key(|e| e.place().map_or((0, 0), |p| p.order(e.is_about_value())));
        let mut seen = std::collections::BTreeSet::new();
        errors.retain(|e| seen.insert(e.to_string()));
        (!errors.is_empty()).then_some(Self(errors))
    }

    /// Every error; at least one.
    pub fn iter(&self) -> impl Iterator<Item = &SceneError> {
        self.0.iter()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Every error with the line at fault below it.
    pub fn explain(&self) -> String {
        self.0.iter().map(SceneError::explain).collect::<Vec<_>>().join("\n")
    }
}

impl From<SceneError> for SceneErrors {
    fn from(error: SceneError) -> Self {
        Self(vec![error])
    }
}

impl std::fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneErrors {}

/// On one line, whatever text it quotes.
fn flat(text: &impl std::fmt::Display) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.to_string().chars().map(escape).collect()
}
