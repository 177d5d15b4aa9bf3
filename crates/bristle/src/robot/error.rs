//! What can be wrong with a robot file, and what is lost on the way: one line each, with file, line and element.

use super::xml::Element;
use crate::scene::shortened;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A line of a robot file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    file: Arc<str>,
    line: usize,
}

impl Place {
    pub(crate) fn new(file: &Arc<str>, line: usize) -> Self {
        Self { file: file.clone(), line }
    }

    /// The file, as it was named.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// One thing that is wrong with a robot file. Prints as one line, e.g.
/// `arm.urdf:12: joint elbow: damping = abc must be a number >= 0 (N s/m or N m s/rad)`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RobotError {
    /// The file could not be opened or read, or is too large.
    #[error("{file}: cannot be read: {reason}")]
    File {
        /// The path.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// Not XML, or more of it than is read.
    #[error("{place}: {message}")]
    Syntax {
        /// Where.
        place: Place,
        /// What is wrong with the text.
        message: String,
    },
    /// An attribute or a child element that must be there.
    #[error("{place}: {element}: {what} is missing; {rule}")]
    Missing {
        /// The element.
        place: Place,
        /// Kind and name of the element.
        element: String,
        /// What is missing.
        what: &'static str,
        /// What to give.
        rule: &'static str,
    },
    /// A value of the wrong kind or outside its range.
    #[error("{place}: {element}: {attribute} = {} must be {rule}", quoted(.value))]
    Value {
        /// The attribute.
        place: Place,
        /// Kind and name of the element.
        element: String,
        /// The attribute.
        attribute: String,
        /// Its value.
        value: String,
        /// The rule it breaks, with its unit.
        rule: String,
    },
    /// A value that refers to something the file does not have.
    #[error("{place}: {element}: {attribute} = {} names no {what}; {hint}", quoted(.value))]
    NoSuch {
        /// The attribute.
        place: Place,
        /// Kind and name of the element.
        element: String,
        /// The attribute.
        attribute: &'static str,
        /// Its value.
        value: String,
        /// What it should name: link, joint, class …
        what: &'static str,
        /// The nearest name there is, or all of them.
        hint: String,
    },
    /// Two of a kind with one name.
    #[error("{place}: {element} is there twice; the first is in {first}")]
    Twice {
        /// The second.
        place: Place,
        /// Kind and name of the element.
        element: String,
        /// The first.
        first: Place,
    },
    /// Anything else about an element: how the tree hangs together, what a body weighs.
    #[error("{place}: {element} {message}")]
    Model {
        /// The element.
        place: Place,
        /// Kind and name of the element.
        element: String,
        /// What is wrong, as the rest of a sentence about the element.
        message: String,
    },
    /// Something that would be lost, and nothing may be (`strict`).
    #[error("{0}")]
    Lost(Box<Warning>),
}

/// A value on one line, and something to see if it is empty.
fn quoted(value: &str) -> String {
    if value.trim().is_empty() {
        format!("{:?}", value.chars().take(10).collect::<String>())
    } else {
        shortened(value)
    }
}

impl RobotError {
    /// Where the error is; none if the file could not be read.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::File { .. } => None,
            Self::Syntax { place, .. }
            | Self::Missing { place, .. }
            | Self::Value { place, .. }
            | Self::NoSuch { place, .. }
            | Self::Twice { place, .. }
            | Self::Model { place, .. } => Some(place),
            Self::Lost(warning) => Some(&warning.place),
        }
    }
}

/// All that is wrong with a robot file, in the order of its lines; at least one error. Prints one line per error.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotErrors(Vec<RobotError>);

impl RobotErrors {
    /// Every error; at least one.
    pub fn iter(&self) -> impl Iterator<Item = &RobotError> {
        self.0.iter()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl From<RobotError> for RobotErrors {
    fn from(error: RobotError) -> Self {
        Self(vec![error])
    }
}

impl std::fmt::Display for RobotErrors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for RobotErrors {}

/// What a loss may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// How the robot moves or what is measured on it.
    Motion,
    /// How it looks, or nothing.
    Looks,
}

/// Something in the file that the description does not hold. Prints as one line, e.g.
/// `hopper.xml:9: geom: solref has no counterpart and is left out (8 times, also in lines 12, 15, 18)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// Where it is first.
    pub place: Place,
    /// The element.
    pub element: String,
    /// The attribute; none if the element as a whole is meant.
    pub attribute: Option<String>,
    /// What is lost, as the rest of a sentence.
    pub message: String,
    /// What the loss may change.
    pub effect: Effect,
    /// The same in other lines.
    pub also: Vec<Place>,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, shortened(&self.element))?;
        if let Some(attribute) = &self.attribute {
            write!(f, ": {}", shortened(attribute))?;
        }
        write!(f, " {}", self.message)?;
        let Some(last) = self.also.last() else { return Ok(()) };
        let is_here = |place: &Place| place.file == self.place.file;
        let mut lines: Vec<String> = Vec::new();
        for place in &self.also {
            let text = if is_here(place) { place.line.to_string() } else { place.to_string() };
            if lines.last() != Some(&text) {
                lines.push(text);
            }
        }
        const SHOWN: usize = 5;
        let more = if lines.len() > SHOWN { format!(" … {}", last.line) } else { String::new() };
        lines.truncate(SHOWN);
        let word = if lines.len() == 1 { "line" } else { "lines" };
        write!(f, " ({} times, also in {word} {}{more})", self.also.len() + 1, lines.join(", "))
    }
}

/// What was found while reading.
#[derive(Debug, Default)]
pub(crate) struct Log {
    errors: Vec<RobotError>,
    warnings: Vec<Warning>,
    /// Index of a warning by what it says.
    known: BTreeMap<(String, Option<String>, String), usize>,
}

/// A damaged file may have a fault in every line; a person reads the first few.
const MAX_ERRORS: usize = 50;

impl Log {
    pub(crate) fn error(&mut self, error: RobotError) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }

    /// A reference to something that is not there. The search for the nearest name is spared once enough is said.
    pub(crate) fn no_such<'n>(
        &mut self,
        (element, label): (&Element, String),
        attribute: &'static str,
        what: &'static str,
        known: impl IntoIterator<Item = &'n str>,
    ) {
        if self.errors.len() >= MAX_ERRORS {
            return;
        }
        let given = element.attribute(attribute);
        let value = given.map(|a| a.value.clone()).unwrap_or_default();
        self.error(RobotError::NoSuch {
            place: given.map_or(&element.place, |a| &a.place).clone(),
            element: label,
            attribute,
            hint: shortened(&crate::nearest::hint(&value, known)),
            value,
            what,
        });
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// One line per kind of loss; its other places are kept beside the first.
    pub(crate) fn warn(
        &mut self,
        place: &Place,
        element: &str,
        attribute: Option<&str>,
        message: &str,
        effect: Effect,
    ) {
        let attribute = attribute.map(str::to_string);
        let key = (element.to_string(), attribute.clone(), message.to_string());
        if let Some(index) = self.known.get(&key) {
            self.warnings[*index].also.push(place.clone());
            return;
        }
        self.known.insert(key, self.warnings.len());
        self.warnings.push(Warning {
            place: place.clone(),
            element: element.to_string(),
            attribute,
            message: message.to_string(),
            effect,
            also: Vec::new(),
        });
    }

    /// Warnings if nothing is wrong; with `is_strict`, losses that may change the motion are.
    pub(crate) fn finish(mut self, is_strict: bool) -> Result<Vec<Warning>, RobotErrors> {
        if is_strict {
            let lost = self.warnings.iter().filter(|w| w.effect == Effect::Motion);
            self.errors.extend(lost.map(|w| RobotError::Lost(Box::new(w.clone()))));
        }
        if self.errors.is_empty() {
            self.warnings.sort_by(|a, b| (a.effect, &a.place).cmp(&(b.effect, &b.place)));
            return Ok(self.warnings);
        }
        self.errors.sort_by(|a, b| a.place().cmp(&b.place()));
        Err(RobotErrors(self.errors))
    }
}
