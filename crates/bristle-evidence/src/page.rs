//! A report as one self-contained page.

use crate::{Catalogue, Check, Measure, Report, Section};
use bristle_report::{Cell, Fact, Page, Table, Tone};

impl Report {
    /// The page; `command` is the line that made it.
    pub fn to_page(&self, of: &Catalogue, command: &str) -> Page {
        let mut page = Page::new(of.title).lead(of.lead).facts(self.facts());
        if !self.is_complete() {
            let missing = self.asked - self.sections.len();
            page = page.warnings(vec![format!("Stopped early: {missing} sections were not finished.")]);
        }
        for (group, sections) in self.groups() {
            page = page.table(contents_table(&group.title, &sections));
        }
        page = page.code(command);
        for (group, sections) in self.groups() {
            page = page.part(group.id.clone(), group.title.clone());
            page = paragraphs(page, &group.about);
            page = sections.into_iter().fold(page, add_section);
        }
        page
    }

    fn facts(&self) -> [Fact; 3] {
        let (passed, checks) = self.passed_checks();
        let tone = |is_good| if is_good { Tone::Good } else { Tone::Doubtful };
        let sections = self.sections.len();
        [
            Fact::new("Verdict", if self.passes() { "pass" } else { "fail" }).tone(tone(self.passes())),
            Fact::new("Sections", format!("{} of {sections}", self.passed_sections()))
                .remark("pass")
                .tone(tone(self.passed_sections() == sections)),
            Fact::new("Comparisons", format!("{passed} of {checks}"))
                .remark("within their tolerance")
                .tone(tone(passed == checks)),
        ]
    }
}

/// Links to the sections of a group, with verdicts.
pub(crate) fn contents_table(title: &str, sections: &[&Section]) -> Table {
    let table = Table::new(title).column("section", "").column("comparisons", "").column("largest error", "");
    let table = table.column("verdict", "");
    sections.iter().fold(table, |table, section| {
        let all = section.checks.len();
        table.row([
            Cell::Link { text: section.title.clone(), anchor: section.id.clone() },
            format!("{} of {all}", section.passed()).into(),
            worst_share(&section.checks).map(|share| format!("{} of its tolerance", percent(share))).into(),
            verdict(section.passes()),
        ])
    })
}

/// The largest share of its tolerance that any comparison uses.
fn worst_share(checks: &[Check]) -> Option<f64> {
    let shares =
        checks.iter().filter(|check| check.tolerance > 0.0).map(|check| check.error / check.tolerance);
    shares.reduce(|a, b| if a >= b || b.is_nan() { a } else { b })
}

fn percent(share: f64) -> String {
    match 100.0 * share {
        p if p.is_nan() => "–".into(),
        p if p < 0.1 => "< 0.1 %".into(),
        p if p < 10.0 => format!("{p:.1} %"),
        p if p < 1e4 => format!("{p:.0} %"),
        _ => "> 100 times".into(),
    }
}

fn verdict(passes: bool) -> Cell {
    if passes {
        Cell::Verdict("pass".into(), Tone::Good)
    } else {
        Cell::Verdict("FAIL".into(), Tone::Doubtful)
    }
}

/// Text is shown as it is, so the marks around program text, which Markdown needs, are left out.
fn paragraphs(page: Page, text: &str) -> Page {
    text.replace('`', "")
        .split("\n\n")
        .filter(|p| !p.is_empty())
        .fold(page, |page, paragraph| page.text(paragraph))
}

fn add_section(page: Page, section: &Section) -> Page {
    let mut page = page.section(section.id.clone(), section.title.clone());
    if let Some(failure) = &section.failure {
        page = page.warnings(vec![format!("Could not be made: {failure}")]);
    }
    page = paragraphs(page, &section.about);
    if !section.equations.is_empty() {
        page = page.beside(section.equations.iter().map(|e| (e.caption.clone(), e.text.clone())).collect());
    }
    if let Some(line) = parameters_line(section) {
        page = page.text(line);
    }
    page = section.plots.iter().cloned().fold(page, Page::plot);
    page = section.tables.iter().cloned().fold(page, Page::table);
    if !section.checks.is_empty() {
        page = page.table(checks_table(&section.checks));
    }
    page.code(section.command.clone())
}

/// Parameters in one sentence.
pub(crate) fn parameters_line(section: &Section) -> Option<String> {
    let all = section.parameters.iter().map(|(name, value)| format!("{name} = {value}"));
    let all: Vec<String> = all.collect();
    (!all.is_empty()).then(|| format!("Parameters: {}.", all.join(", ")))
}

/// Comparisons with their verdicts; of many values the one that was missed most.
pub(crate) fn checks_table(checks: &[Check]) -> Table {
    let names =
        ["quantity", "unit", "values", "expected", "achieved", "error", "allowed", "verdict", "source"];
    let table = names.iter().fold(Table::new(""), |table, name| table.column(*name, ""));
    checks.iter().fold(table, |table, check| {
        table.row([
            check.quantity.as_str().into(),
            check.unit.as_str().into(),
            (check.count as f64).into(),
            check.expected.into(),
            check.achieved.into(),
            short(check.error).into(),
            allowed(check).into(),
            verdict(check.passes()),
            check.source.as_str().into(),
        ])
    })
}

/// An error needs no more than two digits.
fn short(error: f64) -> String {
    // a minus sign, at which no line is broken
    if error == 0.0 { "0".into() } else { format!("{error:.1e}").replace('-', "−") }
}

fn allowed(check: &Check) -> String {
    match check.measure {
        Measure::Beyond => "up to the bound".into(),
        measure => format!("{} {}", short(check.tolerance), measure.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Case, Group, run};

    fn report() -> (Catalogue, Report) {
        let cases = vec![
            Case::new("good", "A good one", |s, _| {
                Ok(s.about("First.\n\nSecond.")
                    .equations("as printed", "f = k x")
                    .parameter("k", "1 N/m")
                    .check(Check::new("e", "restitution", "", 0.5, 0.5).within(0.1, Measure::Absolute)))
            }),
            Case::new("bad", "A bad one", |s, _| Ok(s.check(Check::new("e", "depth", "m", 1.0, f64::NAN)))),
            Case::new("gone", "One that fails", |_, _| Err(crate::Fault::Missing { what: "impact".into() })),
        ];
        let groups = vec![Group::new("g", "A group", "About it.", cases)];
        let catalogue = Catalogue { command: "test", title: "Title", lead: "Lead.", groups };
        let report = run(&catalogue.select(&[]).unwrap(), 1, &|| false, |_| {});
        (catalogue, report)
    }

    #[test]
    fn the_page_has_verdicts_links_and_failures() {
        let (catalogue, report) = report();
        let text = report.to_page(&catalogue, "bristle test").to_html();
        for part in [
            "1 of 3",
            "<a href=\"#good\">A good one</a>",
            "<h3 id=\"gone\">",
            "Could not be made: there is no impact",
            "<td class=\"doubtful\">FAIL</td>",
            "<h4>as printed</h4>",
            "Parameters: k = 1 N/m.",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }

    #[test]
    fn markdown_has_the_same() {
        let (catalogue, report) = report();
        let text = report.to_markdown(&catalogue);
        for part in [
            "# A group\n\nAbout it.\n\nMade by `bristle test g --markdown FILE`; do not edit.\n\n**1 of \
                 3 sections pass, 1 of 2 comparisons.**",
            "[A bad one](#bad)",
            "<a id=\"gone\"></a>",
            "**Could not be made:** there is no impact",
            "as printed:\n\n```text\nf = k x\n```",
            "| restitution |  | 1 | 0.5 | 0.5 | 0 | 1.0e−1 absolute | pass |",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn json_names_every_comparison() {
        let json = report().1.to_json();
        assert_eq!(json["sections"][0]["checks"][0]["pass"], true);
        assert_eq!(json["sections"][1]["checks"][0]["achieved"], serde_json::Value::Null);
        assert_eq!((&json["pass"], &json["checks_passed"]), (&false.into(), &1.into()));
    }
}
