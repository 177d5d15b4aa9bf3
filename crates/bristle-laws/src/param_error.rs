//! What can be wrong with the parameters of a law.

/// Why a law could not be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParamError {
    /// A number outside its range.
    #[error("{law}: {name} = {value}{} must be {rule}", spaced(.unit))]
    Range {
        /// Law id.
        law: &'static str,
        /// Parameter name.
        name: &'static str,
        /// The value given.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// A parameter that has no default was not given.
    #[error("{law}: {name}{} is missing", bracketed(.unit))]
    Missing {
        /// Law id.
        law: &'static str,
        /// Parameter name.
        name: &'static str,
        /// Its unit.
        unit: &'static str,
    },
    /// A parameter the law does not have.
    #[error("{law}: unknown parameter {name}; it has {known}")]
    Unknown {
        /// Law id.
        law: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A value of the wrong kind.
    #[error("{law}: {name} = {value} must be {expected}")]
    Kind {
        /// Law id.
        law: &'static str,
        /// Parameter name.
        name: String,
        /// The value given.
        value: String,
        /// What it should be.
        expected: String,
    },
    /// Two parameters that say the same thing.
    #[error("{law}: give only {names}")]
    Conflict {
        /// Law id.
        law: &'static str,
        /// The names.
        names: &'static str,
    },
    /// The law needs a radius that nobody gave.
    #[error("{law}: {name} needs the radius of the surfaces in contact")]
    NoRadius {
        /// Law id.
        law: &'static str,
        /// The parameter that needs it.
        name: &'static str,
    },
    /// A wanted result that no parameter of the law gives.
    #[error("{law}: {what} = {wanted} cannot be reached; the reachable range is {low:.6} to {high:.6}")]
    Unreachable {
        /// Law id.
        law: &'static str,
        /// The quantity asked for.
        what: &'static str,
        /// The value asked for.
        wanted: f64,
        /// Smallest reachable value.
        low: f64,
        /// Largest reachable value.
        high: f64,
    },
    /// A law that does not exist.
    #[error("unknown {kind} law {name}; there are {known}")]
    UnknownLaw {
        /// "normal" or "friction".
        kind: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
}

fn spaced(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}

fn bracketed(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" ({unit})") }
}

impl ParamError {
    pub(crate) fn range(
        law: &'static str,
        name: &'static str,
        value: f64,
        unit: &'static str,
        rule: &'static str,
    ) -> Self {
        Self::Range { law, name, value, unit, rule }
    }
}
