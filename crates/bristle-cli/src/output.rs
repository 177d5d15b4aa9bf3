//! One sheet of numbers, written as a terminal table, CSV, JSON or part of a page.

use crate::error::Error;
use crate::level;
use bristle::output::save;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where results go besides the terminal.
#[derive(Debug, Clone, clap::Args)]
pub struct Output {
    /// Write all numbers to a CSV file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub csv: Option<PathBuf>,
    /// Print JSON on standard output, and nothing else there
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Write one self-contained page with interactive plots
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
}

/// A cell of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Number(f64),
    Count(u64),
    Text(String),
    Empty,
}

impl From<f64> for Cell {
    fn from(x: f64) -> Self {
        Self::Number(x)
    }
}

impl From<u64> for Cell {
    fn from(n: u64) -> Self {
        Self::Count(n)
    }
}

impl From<&str> for Cell {
    fn from(s: &str) -> Self {
        Self::Text(s.to_string())
    }
}

impl From<String> for Cell {
    fn from(s: String) -> Self {
        Self::Text(s)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(x: Option<T>) -> Self {
        x.map_or(Self::Empty, Into::into)
    }
}

/// Named columns with units, and rows.
#[derive(Debug, Clone)]
pub struct Sheet {
    pub caption: String,
    pub columns: Vec<(String, &'static str)>,
    pub rows: Vec<Vec<Cell>>,
}

/// Longest table printed on a terminal; more rows are thinned out.
const SCREEN: usize = 24;

impl Sheet {
    pub fn new(caption: &str, columns: &[(&str, &'static str)]) -> Self {
        let columns = columns.iter().map(|(name, unit)| (name.to_string(), *unit)).collect();
        Self { caption: caption.to_string(), columns, rows: Vec::new() }
    }

    pub fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// A table that fits a screen.
    pub fn to_text(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        table.set_header(self.columns.iter().map(|(name, unit)| head(name, unit)));
        let every = self.rows.len().div_ceil(SCREEN).max(1);
        for row in self.rows.iter().step_by(every) {
            table.add_row(row.iter().map(|cell| match cell {
                Cell::Number(x) => comfy_table::Cell::new(short(*x)).set_alignment(CellAlignment::Right),
                Cell::Count(n) => comfy_table::Cell::new(n).set_alignment(CellAlignment::Right),
                Cell::Text(s) => comfy_table::Cell::new(s),
                Cell::Empty => comfy_table::Cell::new("–").set_alignment(CellAlignment::Right),
            }));
        }
        let note = if every > 1 {
            format!("\n(one row in {every} of {}; --csv, --json and --html have all)", self.rows.len())
        } else {
            String::new()
        };
        format!("{}\n{table}{note}", self.caption)
    }

    /// Rows as objects, with the units beside them.
    pub fn to_json(&self) -> Value {
        let units: Map<String, Value> =
            self.columns.iter().filter(|c| !c.1.is_empty()).map(|(n, u)| (n.clone(), json!(u))).collect();
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let pairs = self.columns.iter().zip(row).map(|((name, _), cell)| {
                    let value = match cell {
                        Cell::Number(x) => json!(x),
                        Cell::Count(n) => json!(n),
                        Cell::Text(s) => json!(s),
                        Cell::Empty => Value::Null,
                    };
                    (name.clone(), value)
                });
                Value::Object(pairs.collect())
            })
            .collect();
        json!({ "caption": self.caption, "units": units, "rows": rows })
    }

    /// Writes to a temporary name beside the file and renames at the end: never half a file.
    pub fn write_csv(&self, path: &Path) -> Result<(), Error> {
        let fail = |reason: String| Error::Write { path: path.to_path_buf(), reason };
        let mut text = csv::Writer::from_writer(Vec::new());
        let header = self.columns.iter().map(|(name, unit)| head(name, unit));
        text.write_record(header).map_err(|e| fail(e.to_string()))?;
        for row in &self.rows {
            let cells = row.iter().map(|cell| match cell {
                Cell::Number(x) => x.to_string(),
                Cell::Count(n) => n.to_string(),
                Cell::Text(s) => s.clone(),
                Cell::Empty => String::new(),
            });
            text.write_record(cells).map_err(|e| fail(e.to_string()))?;
        }
        let bytes = text.into_inner().map_err(|e| fail(e.to_string()))?;
        save(path, &bytes)?;
        Ok(())
    }

    /// The same table for a page.
    pub fn to_report(&self) -> bristle_report::Table {
        let mut table = bristle_report::Table::new(self.caption.clone());
        for (name, unit) in &self.columns {
            table = table.column(name.replace('_', " "), *unit);
        }
        for row in &self.rows {
            table = table.row(row.iter().map(|cell| match cell {
                Cell::Number(x) => bristle_report::Cell::Number(*x),
                Cell::Count(n) => bristle_report::Cell::Number(*n as f64),
                Cell::Text(s) => bristle_report::Cell::Text(s.clone()),
                Cell::Empty => bristle_report::Cell::Empty,
            }));
        }
        table
    }
}

fn head(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_string() } else { format!("{name} ({unit})") }
}

/// Six digits, as people read them.
pub fn short(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_string()
    } else if !(1e-3..1e6).contains(&size) {
        format!("{x:.5e}")
    } else {
        let decimals = (5 - size.log10().floor() as i32).max(0) as usize;
        format!("{x:.decimals$}")
    }
}

/// Prints to standard output; a closed pipe ends the program quietly.
pub fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Error::Closed,
        _ => Error::Stdout { reason: error.to_string() },
    })
}

impl Output {
    /// Sheets to the terminal (or JSON), the last one to CSV; the page is made by the caller when asked for.
    pub fn write(
        &self,
        sheets: &[&Sheet],
        series: &Sheet,
        page: impl FnOnce() -> bristle_report::Page,
    ) -> Result<(), Error> {
        if let Some(path) = &self.csv {
            series.write_csv(path)?;
        }
        if let Some(path) = &self.html {
            page().code(command_line()).save(path)?;
        }
        if self.json {
            let mut all: Vec<Value> = sheets.iter().map(|s| s.to_json()).collect();
            if !sheets.iter().any(|s| std::ptr::eq(*s, series)) {
                all.push(series.to_json());
            }
            let text = serde_json::to_string_pretty(&json!({ "sheets": all }));
            print(&text.map_err(|_| Error::Closed)?)?;
        } else {
            for sheet in sheets {
                print(&sheet.to_text())?;
            }
        }
        for (kind, path) in [("table", &self.csv), ("page", &self.html)] {
            if let Some(path) = path {
                level::note(&format!("{kind}: {}", path.display()));
            }
        }
        Ok(())
    }
}

/// The words of the command line that is being done.
static WORDS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps a command line for [`command_line`].
pub fn set_command_line(words: &[OsString]) {
    let words = words.iter().map(|word| word.to_string_lossy().to_string()).collect();
    *WORDS.lock().unwrap_or_else(PoisonError::into_inner) = words;
}

/// The command that made a page, for the page.
pub fn command_line() -> String {
    let words = WORDS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let words = words.into_iter().skip(1).map(|word| {
        if word.chars().all(|c| c.is_ascii_alphanumeric() || "-_=.,:/".contains(c)) {
            word
        } else {
            format!("'{word}'")
        }
    });
    std::iter::once("bristle".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_right() {
        assert_eq!(short(0.0), "0");
        assert_eq!(short(123.456_789), "123.457");
        assert_eq!(short(-0.012_345_678), "-0.0123457");
        assert_eq!(short(8.5e6), "8.50000e6");
        assert_eq!(short(2.5e-5), "2.50000e-5");
    }

    #[test]
    fn a_long_table_is_thinned_on_screen_only() {
        let mut sheet = Sheet::new("many", &[("x", "m")]);
        (0..100).for_each(|i| sheet.push(vec![f64::from(i).into()]));
        assert!(sheet.to_text().contains("one row in 5 of 100"));
        assert_eq!(sheet.to_json()["rows"].as_array().map(Vec::len), Some(100));
    }
}
