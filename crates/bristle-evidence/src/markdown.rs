//! A report as Markdown: all text, tables and comparisons; plots are on the page only.

use crate::page::{checks_table, contents_table, parameters_line};
use crate::{Catalogue, Heading, Report, Section};

impl Report {
    /// The report in Markdown, which says what made it. One group alone is its own page.
    pub fn to_markdown(&self, of: &Catalogue) -> String {
        let groups = self.groups();
        let (title, lead, name) = match &groups[..] {
            [(group, _)] => (group.title.as_str(), group.about.as_str(), format!(" {}", group.id)),
            _ => (of.title, of.lead, String::new()),
        };
        let made = format!("Made by `bristle {}{name} --markdown FILE`; do not edit.", of.command);
        let mut out = format!("# {title}\n\n{lead}\n\n{made}\n\n**{}.**\n", self.verdict());
        for (group, sections) in &groups {
            out += &format!("\n{}", contents_table(&group.title, sections).to_markdown());
        }
        for (Heading { id, title, about }, sections) in &groups {
            if groups.len() > 1 {
                out += &format!("\n<a id=\"{id}\"></a>\n\n## {title}\n\n{about}\n");
            }
            let mark = if groups.len() > 1 { "###" } else { "##" };
            sections.iter().for_each(|section| push_section(&mut out, mark, section));
        }
        out
    }
}

fn push_section(out: &mut String, mark: &str, section: &Section) {
    let Section { id, title, about, equations, plots, tables, checks, failure, .. } = section;
    *out += &format!("\n<a id=\"{id}\"></a>\n\n{mark} {title}\n");
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
