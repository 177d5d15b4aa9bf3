//! `series.parquet` and `series.csv`: the samples of a run.

use super::OutputError;
use super::table::{column, write_parquet};
use crate::record::Recording;
use arrow_array::{ArrayRef, Float64Array};
use arrow_schema::DataType;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Columns of doubles; the unit of each is its metadata `unit`.
pub(super) fn parquet(recording: &Recording, path: &Path) -> Result<(), OutputError> {
    let fields = recording.columns.iter().map(|c| column(&c.name, DataType::Float64, c.unit));
    let arrays = recording.columns.iter().map(|c| Arc::new(Float64Array::from(c.values.clone())) as ArrayRef);
    let file = std::fs::File::create(path).map_err(OutputError::at(path))?;
    let file = write_parquet(fields.collect(), arrays.collect(), file).map_err(OutputError::at(path))?;
    file.sync_all().map_err(OutputError::at(path))
}

/// The same with a header of names and units.
pub(super) fn csv(recording: &Recording, path: &Path) -> Result<(), OutputError> {
    let attempt = || -> std::io::Result<()> {
        let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
        let head: Vec<String> =
            recording.columns.iter().map(|c| format!("{} ({})", c.name, c.unit)).collect();
        writeln!(file, "{}", head.join(","))?;
        for row in 0..recording.len() {
            let cells: Vec<String> = recording.columns.iter().map(|c| c.values[row].to_string()).collect();
            writeln!(file, "{}", cells.join(","))?;
        }
        file.into_inner().map_err(|e| e.into_error())?.sync_all()
    };
    attempt().map_err(OutputError::at(path))
}
