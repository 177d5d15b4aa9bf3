//! A report for programs.

use crate::{Check, Finished, Report};
use serde_json::{Value, json};

impl Report {
    /// Every section with every comparison, and the counts.
    pub fn to_json(&self) -> Value {
        let (passed, checks) = self.passed_checks();
        json!({
            "pass": self.passes(),
            "complete": self.is_complete(),
            "asked": self.asked,
            "sections_passed": self.passed_sections(),
            "checks_passed": passed,
            "checks": checks,
            "wall_seconds": self.seconds,
            "sections": self.sections.iter().map(section).collect::<Vec<_>>(),
        })
    }
}

fn section(finished: &Finished) -> Value {
    let section = &finished.section;
    json!({
        "id": section.id,
        "group": finished.group.id,
        "title": section.title,
        "pass": section.passes(),
        "failure": section.failure,
        "command": section.command,
        "wall_seconds": finished.seconds,
        "checks": section.checks.iter().map(Check::to_json).collect::<Vec<_>>(),
    })
}
