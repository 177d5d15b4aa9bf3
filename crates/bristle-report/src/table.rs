//! Tables whose numbers are short to read and complete on hover.

use crate::escape::html;
use crate::{Tone, number};
use std::fmt::Write;

/// What stands in one place of a [`Table`]. Usually made with `.into()` from a number, a text or an
/// `Option` of either.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A number in the unit of its column.
    Number(f64),
    /// Any text; it is shown as it is, never read as markup.
    Text(String),
    /// A text that leads to an anchor of the same page.
    Link {
        /// What is shown.
        text: String,
        /// The anchor, without `#`.
        anchor: String,
    },
    /// A word that is to be taken as good or doubtful.
    Verdict(String, Tone),
    /// Nothing.
    Empty,
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<C: Into<Cell>> From<Option<C>> for Cell {
    fn from(value: Option<C>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

#[derive(Clone, Debug)]
struct Column {
    name: String,
    unit: String,
}

/// A table that the reader can sort by clicking a column's name. Numbers show six significant digits,
/// all of them on hover.
#[derive(Clone, Debug)]
pub struct Table {
    caption: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    /// Time of each row that has one, s.
    times: Vec<Option<f64>>,
}

impl Table {
    /// A table without columns.
    pub fn new(caption: impl Into<String>) -> Self {
        Self { caption: caption.into(), columns: Vec::new(), rows: Vec::new(), times: Vec::new() }
    }

    /// Adds a column to the right, headed `name (unit)`; an empty unit is left out.
    pub fn column(mut self, name: impl Into<String>, unit: impl Into<String>) -> Self {
        self.columns.push(Column { name: name.into(), unit: unit.into() });
        self
    }

    /// Adds a row at the bottom. Places without a cell stay empty; cells beyond the last column get a
    /// column without a name.
    pub fn row(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.rows.push(cells.into_iter().collect());
        self.times.push(None);
        self
    }

    /// Adds a row that belongs to a time of the page (s): its first cell is a button that goes there.
    pub fn row_at(self, time: f64, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut table = self.row(cells);
        if let Some(last) = table.times.last_mut() {
            *last = Some(time);
        }
        table
    }

    pub(crate) fn is_timed(&self) -> bool {
        self.times.iter().any(Option::is_some)
    }

    pub(crate) fn to_html(&self) -> String {
        let width = self.rows.iter().map(Vec::len).chain([self.columns.len()]).max().unwrap_or(0);
        let caption = html(&self.caption);
        // Focusable, so that a wide table can be scrolled with the keyboard.
        let mut out = format!(
            "<div class=\"table\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\">\n<table>\n"
        );
        if !caption.is_empty() {
            out += &format!("<caption>{caption}</caption>\n");
        }
        out += "<thead><tr>";
        for index in 0..width {
            out += &self.header(index);
        }
        out += "</tr></thead>\n<tbody>\n";
        for (row, time) in self.rows.iter().zip(&self.times) {
            out += &time.map_or("<tr>".into(), |t| format!("<tr data-time=\"{}\">", number::in_full(t)));
            for index in 0..width {
                push_cell(&mut out, row.get(index).unwrap_or(&Cell::Empty), self.unit(index));
            }
            out += "</tr>\n";
        }
        out + "</tbody>\n</table>\n</div>\n"
    }

    /// The table in Markdown, under its caption.
    pub fn to_markdown(&self) -> String {
        let width = self.rows.iter().map(Vec::len).chain([self.columns.len()]).max().unwrap_or(0);
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let head = |index: usize| match self.columns.get(index) {
            Some(Column { name, unit }) if unit.is_empty() => in_markdown(name),
            Some(Column { name, unit }) => in_markdown(&format!("{name} ({unit})")),
            None => String::new(),
        };
        let mut out = if self.caption.is_empty() {
            String::new()
        } else {
            format!("{}\n\n", in_markdown(&self.caption))
        };
        out += &line((0..width).map(head).collect());
        let rule = |index: usize| if self.is_numeric(index) { "---:" } else { "---" }.to_string();
        out += &line((0..width).map(rule).collect());
        for row in &self.rows {
            let cell = |index: usize| match row.get(index).unwrap_or(&Cell::Empty) {
                Cell::Empty => String::new(),
                Cell::Number(value) => number::for_table(*value),
                Cell::Text(text) | Cell::Verdict(text, _) => in_markdown(text),
                Cell::Link { text, anchor } => format!("[{}](#{anchor})", in_markdown(text)),
            };
            out += &line((0..width).map(cell).collect());
        }
        out
    }

    fn header(&self, index: usize) -> String {
        let class = if self.is_numeric(index) { " class=\"number\"" } else { "" };
        let Some(column) = self.columns.get(index) else {
            return format!("<th scope=\"col\"{class}></th>");
        };
        let name = html(&column.name);
        let unit = match column.unit.as_str() {
            "" => String::new(),
            unit => format!(" <span class=\"unit\">({})</span>", html(unit)),
        };
        format!("<th scope=\"col\"{class}><button type=\"button\">{name}{unit}</button></th>")
    }

    fn unit(&self, index: usize) -> &str {
        self.columns.get(index).map_or("", |column| &column.unit)
    }

    fn is_numeric(&self, index: usize) -> bool {
        let mut cells =
            self.rows.iter().filter_map(|row| row.get(index)).filter(|&cell| *cell != Cell::Empty);
        let mut is_any = false;
        cells.all(|cell| {
            is_any = true;
            matches!(cell, Cell::Number(_))
        }) && is_any
    }
}

/// Text that a Markdown reader takes literally, in one line.
fn in_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' => out.extend(['\\', c]),
            '\n' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

fn push_cell(out: &mut String, cell: &Cell, unit: &str) {
    // Writing into a String cannot fail.
    let _ = match cell {
        Cell::Empty => write!(out, "<td></td>"),
        Cell::Text(text) => write!(out, "<td>{}</td>", html(text)),
        Cell::Link { text, anchor } => {
            write!(out, "<td><a href=\"#{}\">{}</a></td>", html(anchor), html(text))
        }
        Cell::Verdict(text, tone) => write!(out, "<td class=\"{}\">{}</td>", tone.class(), html(text)),
        Cell::Number(value) => {
            let full = number::in_full(*value);
            let hover = format!("{full} {unit}");
            write!(
                out,
                "<td class=\"number\" data-value=\"{full}\" title=\"{}\">{}</td>",
                html(hover.trim_end()),
                number::for_table(*value)
            )
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_is_short_in_the_cell_and_full_on_hover() {
        let text = Table::new("").column("time", "s").row([(0.1 + 0.2).into()]).to_html();
        assert!(text.contains(r#"title="0.30000000000000004 s">0.3</td>"#), "{text}");
    }

    #[test]
    fn all_text_is_escaped() {
        let text = Table::new("<c>").column("<n>", "<u>").row(["<t>".into()]).to_html();
        for raw in ["<c>", "<n>", "<u>", "<t>"] {
            assert!(!text.contains(raw), "{raw} in {text}");
        }
    }

    #[test]
    fn markdown_has_head_rule_and_rows() {
        let table = Table::new("A|b").column("name", "").column("depth", "m");
        let text = table.row(["x_1".into(), 0.25.into()]).row(["y".into()]).to_markdown();
        assert_eq!(text, "A\\|b\n\n| name | depth (m) |\n| --- | ---: |\n| x\\_1 | 0.25 |\n| y |  |\n");
    }

    #[test]
    fn links_and_verdicts_are_marked() {
        let link = Cell::Link { text: "a<b".into(), anchor: "a-b".into() };
        let text = Table::new("").row([link, Cell::Verdict("pass".into(), Tone::Good)]).to_html();
        assert!(
            text.contains("<a href=\"#a-b\">a&lt;b</a>") && text.contains("<td class=\"good\">pass"),
            "{text}"
        );
    }

    #[test]
    fn ragged_rows_lose_nothing() {
        let table = Table::new("").column("a", "").column("b", "");
        let text = table.row([1.0.into()]).row([1.0.into(), 2.0.into(), "extra".into()]).to_html();
        assert_eq!(text.matches("<th ").count(), 3);
        assert_eq!(text.matches("<td").count(), 6);
        assert!(text.contains("extra"));
    }

    #[test]
    fn column_counts_as_numbers_when_all_its_cells_are() {
        let table = Table::new("").column("a", "").column("b", "").column("c", "");
        let table = table.row([1.0.into(), "x".into()]).row([Cell::from(None::<f64>), 2.0.into()]);
        assert_eq!([0, 1, 2].map(|index| table.is_numeric(index)), [true, false, false]);
    }
}
