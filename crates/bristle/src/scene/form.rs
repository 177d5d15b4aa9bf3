//! The form of a scene: every table, its keys, what they hold, their units, defaults and meaning.
//!
//! Written once, beside the code that reads it (`static BODY: TableInfo` in `body.rs` and so on). The checks of
//! [`conform`](super::conform), the suggestions of error messages, the JSON schema and the reference page all
//! come from here. A reader that asks for a key which is not described fails its tests.

/// A table of the format.
#[derive(Debug)]
pub(crate) struct TableInfo {
    /// Name in the reference and in the JSON schema.
    pub(crate) name: &'static str,
    pub(crate) keys: &'static [KeyInfo],
    /// Exactly one of the keys of which `is_kind` holds must be there.
    pub(crate) is_choice: bool,
}

/// A key of a table.
#[derive(Debug)]
pub(crate) struct KeyInfo {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// What to give if it is missing; `None` if it may be left out.
    pub(crate) need: Option<&'static str>,
    /// One of the alternatives of a choice.
    pub(crate) is_kind: bool,
    /// What holds if it is left out, as the reference shows it.
    pub(crate) default: &'static str,
    /// One line for the reference.
    pub(crate) about: &'static str,
}

/// What a key holds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A finite number.
    Number {
        unit: &'static str,
        bounds: Bounds,
    },
    /// `schema = 1`
    Version,
    Flag,
    /// Text; the rule says of what.
    Text {
        rule: &'static str,
    },
    /// One of several words.
    Word(&'static [&'static str]),
    /// Some of several words, each once.
    Words {
        words: &'static [&'static str],
        rule: &'static str,
        can_be_empty: bool,
    },
    /// Three numbers.
    Vector {
        unit: &'static str,
        bounds: Bounds,
    },
    /// Three numbers, not all zero.
    Direction,
    /// Four numbers, not all zero.
    Quaternion,
    /// Three angles in degrees.
    Euler,
    /// Any number of vectors.
    Vectors {
        unit: &'static str,
    },
    /// Two vectors.
    Points {
        rule: &'static str,
    },
    /// At least two rising times.
    Times,
    /// Three, six or nine numbers.
    Inertia,
    /// Two names.
    Pair {
        rule: &'static str,
        each: &'static str,
    },
    Table(&'static TableInfo),
    /// A list of tables.
    Tables {
        info: &'static TableInfo,
        rule: &'static str,
        can_be_empty: bool,
        most: usize,
    },
    /// Tables by name.
    Named(&'static TableInfo),
    /// Numbers by name.
    Numbers,
    /// Files.
    Files,
    /// A number or a list of numbers.
    Coordinates,
    /// A number, a formula in `t`, or a table over time.
    Signal {
        unit: &'static str,
    },
    /// A formula, or a number.
    Formula {
        unit: &'static str,
    },
    /// A formula, or two.
    FormulaPair,
    /// Formulas by name.
    Formulas,
    /// Two numbers, the first less.
    Range {
        unit: &'static str,
    },
    /// A list of patterns for names.
    Patterns,
    /// A list of pairs of names.
    Pairs,
    /// A law and its parameters.
    Law(Part),
}

/// Which kind of law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Normal,
    Friction,
    Resistance(&'static str),
}

/// Which numbers a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bounds {
    Any,
    Positive,
    NotNegative,
    /// > 0 and < 1
    Fraction,
    /// > 0 and <= 1
    UpToOne,
}

impl Bounds {
    pub(crate) fn hold(self, x: f64) -> bool {
        match self {
            Self::Any => true,
            Self::Positive => x > 0.0,
            Self::NotNegative => x >= 0.0,
            Self::Fraction => x > 0.0 && x < 1.0,
            Self::UpToOne => x > 0.0 && x <= 1.0,
        }
    }

    /// As errors and the reference say it.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            Self::Any => "",
            Self::Positive => "> 0",
            Self::NotNegative => ">= 0",
            Self::Fraction => "> 0 and < 1",
            Self::UpToOne => "> 0 and <= 1",
        }
    }
}

/// Most entries of a table of named things.
pub(crate) const MAX_ENTRIES: usize = 100_000;
/// Most rows of a table over time.
pub(crate) const MAX_ROWS: usize = 1_000_000;

impl Kind {
    pub(crate) const fn number(unit: &'static str) -> Self {
        Self::Number { unit, bounds: Bounds::Any }
    }

    pub(crate) const fn positive(unit: &'static str) -> Self {
        Self::Number { unit, bounds: Bounds::Positive }
    }

    pub(crate) const fn not_negative(unit: &'static str) -> Self {
        Self::Number { unit, bounds: Bounds::NotNegative }
    }

    pub(crate) const fn vector(unit: &'static str) -> Self {
        Self::Vector { unit, bounds: Bounds::Any }
    }

    /// The table inside, if it holds one or more of one form.
    pub(crate) fn table(&self) -> Option<&'static TableInfo> {
        match self {
            Self::Table(info) | Self::Named(info) | Self::Tables { info, .. } => Some(info),
            _ => None,
        }
    }
}

impl KeyInfo {
    /// A key that may be left out.
    pub(crate) const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, need: None, is_kind: false, default: "", about }
    }

    /// It must be given: `what` ends the sentence "give …".
    pub(crate) const fn need(mut self, what: &'static str) -> Self {
        self.need = Some(what);
        self
    }

    pub(crate) const fn default(mut self, default: &'static str) -> Self {
        self.default = default;
        self
    }

    /// One of the alternatives of its table.
    pub(crate) const fn kind(mut self) -> Self {
        self.is_kind = true;
        self
    }
}

impl TableInfo {
    pub(crate) const fn new(name: &'static str, keys: &'static [KeyInfo]) -> Self {
        Self { name, keys, is_choice: false }
    }

    /// A table with exactly one of the keys marked by [`KeyInfo::kind`].
    pub(crate) const fn choice(name: &'static str, keys: &'static [KeyInfo]) -> Self {
        Self { name, keys, is_choice: true }
    }

    pub(crate) fn key(&self, name: &str) -> Option<&'static KeyInfo> {
        self.keys.iter().find(|k| k.name == name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|k| k.name)
    }

    /// Names of the alternatives.
    pub(crate) fn kinds(&self) -> Vec<&'static str> {
        self.keys.iter().filter(|k| k.is_kind).map(|k| k.name).collect()
    }

    /// This table and all inside it, each once, outer ones first.
    pub(crate) fn all(&'static self) -> Vec<&'static TableInfo> {
        let mut found: Vec<&'static TableInfo> = vec![self];
        let mut next = 0;
        while let Some(table) = found.get(next) {
            let design = [&super::design::DESIGN];
            let inner: Vec<_> = table
                .keys
                .iter()
                .flat_map(|k| match k.kind {
                    Kind::Law(Part::Normal) => design.to_vec(),
                    kind => kind.table().into_iter().collect(),
                })
                .collect();
            for info in inner {
                if !found.iter().any(|f| f.name == info.name) {
                    found.push(info);
                }
            }
            next += 1;
        }
        found
    }
}
