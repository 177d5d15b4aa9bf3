//! The journal of a sweep: one line per finished row, appended and never changed, so that a kill loses no row.

use super::work::Row;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;

/// An open journal, held by this process alone.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    length: u64,
}

impl Journal {
    /// Opens a journal and reads its rows. `Ok(None)`: another process has it. A last line that a kill cut short is
    /// taken off; its row counts as not done.
    pub(super) fn open(path: &Path) -> io::Result<Option<(Self, Vec<Row>)>> {
        let mut file = OpenOptions::new().read(true).append(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            // a file system without locks: nothing to hold on to
            Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let complete = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        if complete < bytes.len() {
            file.set_len(complete as u64)?;
        }
        let rows = read(&bytes[..complete]);
        Ok(Some((Self { file, length: complete as u64 }, rows)))
    }

    /// Appends a row in one piece. If that fails, the journal is as before.
    pub(super) fn append(&mut self, row: &Row) -> io::Result<()> {
        let line = line(row);
        self.file.write_all(line.as_bytes()).inspect_err(|_| {
            let _ = self.file.set_len(self.length);
        })?;
        self.length += line.len() as u64;
        Ok(())
    }

    /// Sees to it that the rows survive a power failure too.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// The rows of a journal; lines that are no rows are passed over, and their rows are run again.
pub(super) fn read(bytes: &[u8]) -> Vec<Row> {
    bytes.split(|b| *b == b'\n').filter_map(parse).collect()
}

/// A row as a line. Numbers are written so that they read back as the same bits.
pub(super) fn line(row: &Row) -> String {
    let value = match &row.outcome {
        Ok(results) => json!({ "index": row.index, "results": results, "wall_seconds": row.wall_seconds }),
        Err(reason) => json!({ "index": row.index, "error": reason, "wall_seconds": row.wall_seconds }),
    };
    format!("{value}\n")
}

fn parse(line: &[u8]) -> Option<Row> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let outcome = match (&value["results"], &value["error"]) {
        (Value::Array(items), _) => Ok(items.iter().map(Value::as_f64).collect()),
        (_, Value::String(reason)) => Err(reason.clone()),
        _ => return None,
    };
    let index = usize::try_from(value["index"].as_u64()?).ok()?;
    Some(Row { index, outcome, wall_seconds: value["wall_seconds"].as_f64()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_row_survives() {
        let mut state = 1_u64;
        for index in 0..2000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = Some(f64::from_bits(state)).filter(|x| x.is_finite());
            let row = Row { index, outcome: Ok(vec![number, None, Some(-0.0)]), wall_seconds: 0.1 };
            let back = read(line(&row).as_bytes());
            let bits = |row: &Row| {
                row.outcome.as_ref().unwrap().iter().map(|x| x.map(f64::to_bits)).collect::<Vec<_>>()
            };
            assert_eq!(bits(&back[0]), bits(&row));
        }
        let failed = Row { index: 3, outcome: Err("a \"b\"\nc, d".into()), wall_seconds: 1.5 };
        assert_eq!(line(&failed).lines().count(), 1);
        assert_eq!(read(line(&failed).as_bytes()), [failed]);
    }
}
