//! A report as Markdown: all text, tables and comparisons; plots are on the page only.

use crate::page::{checks_table, contents_table, parameters_line};
use crate::{Catalogue, Report, Section};

impl Report {
    /// The report in Markdown, which says what made it.
    pub fn to_markdown(&self, of: &Catalogue) -> String {
        let Catalogue { command, title, lead, .. } = of;
        let made = format!("Made by `bristle {command} --markdown`; do not edit.");
        let mut out = format!("# {title}\n\n{lead} {made}\n\n**{}.**\n", self.verdict());
        for (group, sections) in self.groups() {
            out += &format!("\n{}", contents_table(&group.1, &sections).to_markdown());
        }
        for ((id, title, about), sections) in self.groups() {
            out += &format!("\n<a id=\"{id}\"></a>\n\n## {title}\n");
            if !about.is_empty() {
                out += &format!("\n{about}\n");
            }
            for section in sections {
                push_section(&mut out, section);
            }
        }
        out
    }
}

fn push_section(out: &mut String, section: &Section) {
    let Section { id, title, about, equations, plots, tables, checks, failure, .. } = section;
    *out += &format!("\n<a id=\"{id}\"></a>\n\n### {title}\n");
    if let Some(failure) = failure {
        *out += &format!("\n**Could not be made:** {failure}\n");
    }
    if !about.is_empty() {
        *out += &format!("\n{about}\n");
    }
    for group in equations {
        let caption =
            if group.caption.is_empty() { String::new() } else { format!("\n{}:\n", group.caption) };
        *out += &format!("{caption}\n```text\n{}\n```\n", group.text);
    }
    if let Some(line) = parameters_line(section) {
        *out += &format!("\n{line}\n");
    }
    for table in tables {
        *out += &format!("\n{}", table.to_markdown());
    }
    if !checks.is_empty() {
        *out += &format!("\n{}", checks_table(checks).to_markdown());
    }
    let plots = match plots.len() {
        0 => String::new(),
        1 => "One plot: ".into(),
        n => format!("{n} plots: "),
    };
    *out += &format!("\n{plots}`{}`\n", section.command);
}
