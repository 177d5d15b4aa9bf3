//! Tables whose numbers are short to read and complete on hover.

use crate::escape::html;
use crate::number;
use std::fmt::Write;

/// What stands in one place of a [`Table`]. Usually made with `.into()` from a number, a text or an
/// `Option` of either.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A number in the unit of its column.
    Number(f64),
    /// Any text; it is shown as it is, never read as markup.
    Text(String),
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

fn push_cell(out: &mut String, cell: &Cell, unit: &str) {
    // Writing into a String cannot fail.
    let _ = match cell {
        Cell::Empty => write!(out, "<td></td>"),
        Cell::Text(text) => write!(out, "<td>{}</td>", html(text)),
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
