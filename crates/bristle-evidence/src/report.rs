//! All sections of a run, and what they say together.

use crate::{Check, Section};

/// What a group is called and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Name of the group.
    pub id: String,
    /// Title.
    pub title: String,
    /// Introduction.
    pub about: String,
}

/// A section that was made.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Its group.
    pub group: Heading,
    /// The section.
    pub section: Section,
    /// Time on the clock, s.
    pub seconds: f64,
}

/// What came of a run.
#[derive(Debug, Clone)]
pub struct Report {
    /// Sections in the order of the cases.
    pub sections: Vec<Finished>,
    /// How many were asked for; more than there are if the run was stopped.
    pub asked: usize,
    /// Time on the clock, s.
    pub seconds: f64,
}

impl Report {
    /// Whether all was made that was asked for, and all of it passes.
    pub fn passes(&self) -> bool {
        self.is_complete() && self.sections.iter().all(|finished| finished.section.passes())
    }

    /// Whether all was made that was asked for.
    pub fn is_complete(&self) -> bool {
        self.sections.len() == self.asked
    }

    /// Sections that pass.
    pub fn passed_sections(&self) -> usize {
        self.sections.iter().filter(|finished| finished.section.passes()).count()
    }

    /// Comparisons that pass, and all of them.
    pub fn passed_checks(&self) -> (usize, usize) {
        let checks = || self.sections.iter().flat_map(|finished| &finished.section.checks);
        (checks().filter(|check: &&Check| check.passes()).count(), checks().count())
    }

    /// One line: how many sections and comparisons pass.
    pub fn verdict(&self) -> String {
        let (passed, checks) = self.passed_checks();
        let sections = format!("{} of {} sections pass", self.passed_sections(), self.sections.len());
        let rest = match self.asked - self.sections.len() {
            0 => String::new(),
            missing => format!("; {missing} were not finished"),
        };
        format!("{sections}, {passed} of {checks} comparisons{rest}")
    }

    /// Groups in order, each with its sections.
    pub fn groups(&self) -> Vec<(&Heading, Vec<&Section>)> {
        let mut groups: Vec<(&Heading, Vec<&Section>)> = Vec::new();
        for finished in &self.sections {
            match groups.last_mut() {
                Some((group, sections)) if **group == finished.group => sections.push(&finished.section),
                _ => groups.push((&finished.group, vec![&finished.section])),
            }
        }
        groups
    }
}
