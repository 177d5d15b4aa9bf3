//! The text of a scene file, its lines, and the part of a line that an error points at.

use std::ops::Range;

/// One file of a scene.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) file: String,
    pub(crate) text: String,
    /// Order among the files of a scene: 0 for the scene itself.
    pub(crate) rank: usize,
    starts: Vec<usize>,
}

/// Longest piece of a line that is shown.
const WIDTH: usize = 100;

impl Source {
    pub(crate) fn new(file: &str, text: String, rank: usize) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Self { file: file.to_string(), text, rank, starts }
    }

    /// Line and column (in characters) of a byte, both from 1.
    pub(crate) fn line_column(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts[line - 1];
        let before = self.text.get(start..offset).unwrap_or("");
        (line, before.chars().count() + 1)
    }

    /// The line of a span and a caret under it, as two lines of text.
    pub(crate) fn excerpt(&self, span: &Range<usize>) -> String {
        let (number, column) = self.line_column(span.start);
        let start = self.starts[number - 1];
        let line = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let inside = self.text.get(span.clone()).unwrap_or("").lines().next().unwrap_or("");
        let carets = inside.trim_end().chars().count().max(1);
        // a line too long for the screen is shown from shortly before the caret
        let skip = if column + carets > WIDTH { column.saturating_sub(WIDTH / 2) } else { 0 };
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let shown: String = line.chars().skip(skip).take(WIDTH).map(plain).collect();
        let carets = carets.min((shown.chars().count() + 1).saturating_sub(column - 1 - skip)).max(1);
        let (bar, mark) = (format!("{number:>5} | "), "^".repeat(carets));
        format!("{bar}{}\n      | {}{mark}", shown.trim_end(), " ".repeat(column - 1 - skip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns() {
        let source = Source::new("x", "ab\ncdé f\n".to_string(), 0);
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(2), (1, 3));
        assert_eq!(source.line_column(3), (2, 1));
        assert_eq!(source.line_column(8), (2, 5)); // é is two bytes
        assert_eq!(source.line_column(99), (3, 1));
    }

    #[test]
    fn the_caret_stands_under_the_span() {
        let source = Source::new("x", "a = 1\nmass = -1 # kg\n".to_string(), 0);
        assert_eq!(source.excerpt(&(13..15)), "    2 | mass = -1 # kg\n      |        ^^");
        assert_eq!(source.excerpt(&(21..21)), "    3 | \n      | ^");
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let text = format!("a = [{}-1]", "1, ".repeat(500));
        let at = text.find("-1").unwrap();
        let excerpt = Source::new("x", text, 0).excerpt(&(at..at + 2));
        let (line, carets) = excerpt.split_once('\n').unwrap();
        assert!(line.chars().count() <= 8 + WIDTH);
        assert_eq!(line.find("-1"), carets.find("^^"));
    }
}
