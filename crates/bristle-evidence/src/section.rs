//! One section of a report.

use crate::Check;
use bristle_report::{Plot, Table};

/// Equations under a caption, such as "as printed".
#[derive(Debug, Clone)]
pub struct Equations {
    /// What they are; may be empty.
    pub caption: String,
    /// Plain Unicode; line breaks and spaces count.
    pub text: String,
}

/// What a case found: text, equations, parameters, plots, tables, and numbers compared.
#[derive(Debug, Clone)]
pub struct Section {
    /// Name of its case.
    pub id: String,
    /// Title.
    pub title: String,
    /// What it shows and what it means for a user; blank lines part paragraphs.
    pub about: String,
    /// Equations, side by side where there is room.
    pub equations: Vec<Equations>,
    /// Names and values with units.
    pub parameters: Vec<(String, String)>,
    /// The command that makes this section alone; set by the runner of the command.
    pub command: String,
    /// Plots.
    pub plots: Vec<Plot>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Numbers compared.
    pub checks: Vec<Check>,
    /// Why it could not be made, if it could not.
    pub failure: Option<String>,
}

impl Section {
    /// A section without content.
    pub fn new(id: &str, title: &str) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            about: String::new(),
            equations: Vec::new(),
            parameters: Vec::new(),
            command: String::new(),
            plots: Vec::new(),
            tables: Vec::new(),
            checks: Vec::new(),
            failure: None,
        }
    }

    /// Says what it shows and what that means for a user.
    pub fn about(self, about: impl Into<String>) -> Self {
        Self { about: about.into(), ..self }
    }

    /// Adds equations under a caption.
    pub fn equations(mut self, caption: &str, text: &str) -> Self {
        self.equations.push(Equations { caption: caption.into(), text: text.into() });
        self
    }

    /// Adds a parameter, its value with the unit.
    pub fn parameter(mut self, name: &str, value: impl Into<String>) -> Self {
        self.parameters.push((name.into(), value.into()));
        self
    }

    /// Adds a plot.
    pub fn plot(mut self, plot: Plot) -> Self {
        self.plots.push(plot);
        self
    }

    /// Adds a table.
    pub fn table(mut self, table: Table) -> Self {
        self.tables.push(table);
        self
    }

    /// Adds a comparison.
    pub fn check(mut self, check: Check) -> Self {
        self.checks.push(check);
        self
    }

    /// Adds comparisons.
    pub fn checks(mut self, checks: impl IntoIterator<Item = Check>) -> Self {
        self.checks.extend(checks);
        self
    }

    /// Marks it as one that could not be made.
    pub fn failed(self, reason: String) -> Self {
        Self { failure: Some(reason), ..self }
    }

    /// Whether it was made, compares something, and all that it compares is within its tolerance.
    pub fn passes(&self) -> bool {
        self.failure.is_none() && !self.checks.is_empty() && self.checks.iter().all(Check::passes)
    }

    /// How many of its comparisons pass.
    pub fn passed(&self) -> usize {
        self.checks.iter().filter(|check| check.passes()).count()
    }
}
