//! Cases: what makes a section, and where it stands.

use crate::{Fault, Section};
use std::fmt;

/// Asks whether the reader wants an end.
#[derive(Clone, Copy)]
pub struct Stop<'a>(pub(crate) &'a (dyn Fn() -> bool + Sync));

impl Stop<'_> {
    /// Whether an end is wanted.
    pub fn is_wanted(&self) -> bool {
        (self.0)()
    }

    /// [`Fault::Stopped`] once an end is wanted: for loops over parts of a study.
    ///
    /// # Errors
    /// [`Fault::Stopped`].
    pub fn check(&self) -> Result<(), Fault> {
        if self.is_wanted() { Err(Fault::Stopped) } else { Ok(()) }
    }
}

type Make = dyn Fn(Section, &Stop<'_>) -> Result<Section, Fault> + Send + Sync;

/// A figure, a table, a problem: a name and a function that fills its section.
pub struct Case {
    /// Unique name, in lower case with hyphens.
    pub id: String,
    /// Title of the section.
    pub title: String,
    /// Takes seconds even in an optimised build: left out of the quick tests.
    pub is_slow: bool,
    make: Box<Make>,
}

impl Case {
    /// A case. `make` gets a section that has its id, title and command already.
    pub fn new(
        id: &str,
        title: &str,
        make: impl Fn(Section, &Stop<'_>) -> Result<Section, Fault> + Send + Sync + 'static,
    ) -> Self {
        Self { id: id.into(), title: title.into(), is_slow: false, make: Box::new(make) }
    }

    /// Marks a case that takes seconds even in an optimised build.
    pub fn slow(self) -> Self {
        Self { is_slow: true, ..self }
    }

    /// Makes the section. A fault becomes a section that fails; [`None`] if it was stopped on the way.
    pub fn section(&self, stop: &Stop<'_>) -> Option<Section> {
        let blank = Section::new(&self.id, &self.title);
        match (self.make)(blank.clone(), stop) {
            Ok(section) => Some(section),
            Err(Fault::Stopped) => None,
            Err(fault) => Some(blank.failed(fault.to_string())),
        }
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case").field("id", &self.id).field("title", &self.title).finish_non_exhaustive()
    }
}

/// Cases that belong together: a paper, a tier of problems.
#[derive(Debug)]
pub struct Group {
    /// Name that chooses all of its cases.
    pub id: String,
    /// Title.
    pub title: String,
    /// What the reader should know before the first section.
    pub about: String,
    /// The cases in reading order.
    pub cases: Vec<Case>,
}

impl Group {
    /// A group.
    pub fn new(id: &str, title: &str, about: &str, cases: Vec<Case>) -> Self {
        Self { id: id.into(), title: title.into(), about: about.into(), cases }
    }
}

/// All groups behind one command.
#[derive(Debug)]
pub struct Catalogue {
    /// The command: `reproduce`, `validate`.
    pub command: &'static str,
    /// Title of its report.
    pub title: &'static str,
    /// What the report is.
    pub lead: &'static str,
    /// The groups in reading order.
    pub groups: Vec<Group>,
}
