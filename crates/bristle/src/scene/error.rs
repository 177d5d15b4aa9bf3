//! What can be wrong with a scene: one line each, with file, line, key, value and rule.

use super::place::Place;
use bristle_laws::ParamError;

/// Why a scene was refused. Prints as one line, e.g.
/// `scenes/x.toml:12: bodies.ball.mass = -1 must be > 0 (kg)`.
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
    #[error("{place}: {} = {value} names no {what}; {hint}", .place.key())]
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
    #[error("{place}: {} = {value} must be {rule}", .place.key())]
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
    #[error("{file}: --set {}: must be {rule}", .text.escape_debug())]
    Override {
        /// The scene.
        file: String,
        /// The override as given.
        text: String,
        /// What it should be.
        rule: &'static str,
    },
    /// A law that refuses its parameters.
    #[error("{place}: {}: {}", .place.key(), flat(.error))]
    Law {
        /// The parameter, or the law if the parameter is not written.
        place: Place,
        /// What the law says.
        error: Box<ParamError>,
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
            | Self::Model { place, .. } => Some(place),
        }
    }
}

/// On one line, whatever text it quotes.
fn flat(text: &impl std::fmt::Display) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.to_string().chars().map(escape).collect()
}

/// "did you mean x?", or the names there are.
pub(crate) fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let near = known.iter().map(|k| (distance(name, k), *k)).min_by_key(|(d, _)| *d);
    match near {
        Some((d, k)) if d <= 1 + name.chars().count().max(3) / 3 => format!("did you mean {k}?"),
        _ if known.is_empty() => "there are none".to_string(),
        _ => format!("known are {}", known.join(", ")),
    }
}

/// Edits (insert, delete, replace, swap of neighbours) that turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    // long keys only come from damaged files: their first letters say enough
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(60).collect(), b.chars().take(60).collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered() {
        assert_eq!(hint("mas", ["mass", "density"]), "did you mean mass?");
        assert_eq!(hint("freindly", ["friendly", "x"]), "did you mean friendly?");
        assert_eq!(hint("colour", ["mass", "density"]), "known are mass, density");
        assert_eq!(hint("colour", []), "there are none");
    }

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("velocity", "velocty"), 1);
        assert_eq!(distance("ab", "ba"), 1);
    }
}
