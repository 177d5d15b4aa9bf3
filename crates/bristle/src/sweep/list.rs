//! Rows of values from a CSV file: keys in the header, one run per line.

use super::vary::{Values, Variation};
use super::{MAX_ROWS, SweepError};

/// Reads `key,key,…` and one row of values per line; values are written as in `--set`, quoted where they hold commas.
/// `file` is for messages.
pub fn read_list(text: &str, file: &str) -> Result<Vec<Variation>, SweepError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let wrong = |line: u64, message: String| SweepError::List { file: file.to_string(), line, message };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let broken = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        let message = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("{len} values, but the header has {expected_len} keys")
            }
            _ => "is no table of values separated by commas".to_string(),
        };
        wrong(line, message)
    };
    let keys = reader.headers().map_err(broken)?.clone();
    if let Some(at) = keys.iter().position(str::is_empty) {
        return Err(wrong(1, format!("column {} has no key", at + 1)));
    }
    let mut columns: Vec<Vec<String>> = vec![Vec::new(); keys.len()];
    for record in reader.records() {
        let record = record.map_err(broken)?;
        let line = record.position().map_or(1, csv::Position::line);
        for ((column, value), key) in columns.iter_mut().zip(&record).zip(&keys) {
            if value.is_empty() {
                return Err(wrong(line, format!("{key} has no value")));
            }
            column.push(value.to_string());
        }
        if columns.first().is_some_and(|c| c.len() > MAX_ROWS) {
            return Err(wrong(line, format!("more than {MAX_ROWS} rows")));
        }
    }
    if columns.first().is_none_or(Vec::is_empty) {
        return Err(wrong(
            1,
            "has no rows; give keys in the first line and values in the others".to_string(),
        ));
    }
    let variation =
        |(key, values): (&str, Vec<String>)| Variation { key: key.to_string(), values: Values::List(values) };
    Ok(keys.iter().zip(columns).map(variation).collect())
}

/// Columns as [`read_list`] reads them.
pub(super) fn write_list(variations: &[Variation]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rows = variations.first().and_then(Variation::len).unwrap_or(0);
    // writing into memory does not fail
    let _ = writer.write_record(variations.iter().map(|v| &v.key));
    for row in 0..rows {
        let _ = writer.write_record(variations.iter().map(|v| v.at(row)));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = "\u{feff}a.b, c[0]\n1,\"[1, 2]\"\n\n 2.5 ,word\n";
        let list = read_list(text, "x.csv").unwrap();
        assert_eq!(list.iter().map(|v| v.key.as_str()).collect::<Vec<_>>(), ["a.b", "c[0]"]);
        assert_eq!((list[0].at(1), list[1].at(0)), ("2.5".to_string(), "[1, 2]".to_string()));
        assert_eq!(read_list(&write_list(&list), "x.csv").unwrap(), list);
    }

    #[test]
    fn broken_lists_are_named_with_their_line() {
        for (text, message) in [
            ("", "x.csv:1: has no rows"),
            ("a,b\n", "x.csv:1: has no rows"),
            ("a,b\n1,2\n1\n", "x.csv:3: 1 values, but the header has 2 keys"),
            ("a,\n1,2\n", "x.csv:1: column 2 has no key"),
            ("a,b\n1,\n", "x.csv:2: b has no value"),
        ] {
            let error = read_list(text, "x.csv").unwrap_err().to_string();
            assert!(error.starts_with(message), "{text:?}: {error}");
        }
    }
}
