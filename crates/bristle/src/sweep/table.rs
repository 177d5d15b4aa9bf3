//! The rows of a sweep as `rows.csv` and `rows.parquet`: index, varied values, results, error, and last the time on the
//! clock, which alone differs between two equal sweeps.

use super::plan::Plan;
use super::work::Row;
use crate::output::table::{column, write_parquet};
use arrow_array::{ArrayRef, Float64Array, StringArray, UInt64Array};
use arrow_schema::{DataType, Field};
use std::io;
use std::sync::Arc;

/// A table with a header of names and units.
pub(super) fn csv<'a>(plan: &Plan, rows: impl Iterator<Item = &'a Row>) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = |name: &str, unit: &str| match unit {
        "" | "1" => name.to_string(),
        unit => format!("{name} ({unit})"),
    };
    let mut cells = vec!["index".to_string()];
    cells.extend(plan.inputs().iter().chain(&plan.outputs()).map(|c| head(&c.name, c.unit)));
    cells.extend(["error".to_string(), head("wall_seconds", "s")]);
    writer.write_record(&cells)?;
    for row in rows {
        cells.clear();
        cells.push(row.index.to_string());
        cells.extend(plan.values(row.index));
        let results = row.outcome.as_deref().unwrap_or_default();
        let number = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:?}"));
        cells.extend((0..plan.quantities().len()).map(|i| number(results.get(i).copied().flatten())));
        cells.push(row.outcome.as_ref().err().cloned().unwrap_or_default());
        cells.push(format!("{:?}", row.wall_seconds));
        writer.write_record(&cells)?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The same; units are the metadata `unit` of the columns.
pub(super) fn parquet<'a>(plan: &Plan, rows: impl Iterator<Item = &'a Row>) -> io::Result<Vec<u8>> {
    let rows: Vec<&Row> = rows.collect();
    let values: Vec<Vec<String>> = rows.iter().map(|row| plan.values(row.index)).collect();
    let mut fields = vec![Field::new("index", DataType::UInt64, false)];
    let mut arrays: Vec<ArrayRef> =
        vec![Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.index as u64)))];
    for (at, input) in plan.inputs().iter().enumerate() {
        let texts = values.iter().map(|v| v[at].as_str());
        if input.is_numeric {
            fields.push(column(&input.name, DataType::Float64, input.unit));
            let numbers = texts.map(|text| text.parse().unwrap_or(f64::NAN));
            arrays.push(Arc::new(Float64Array::from_iter_values(numbers)));
        } else {
            fields.push(column(&input.name, DataType::Utf8, input.unit));
            arrays.push(Arc::new(StringArray::from_iter_values(texts)));
        }
    }
    for (at, output) in plan.outputs().iter().enumerate() {
        fields.push(column(&output.name, DataType::Float64, output.unit).with_nullable(true));
        let cell =
            |row: &&Row| row.outcome.as_ref().ok().and_then(|results| results.get(at).copied().flatten());
        arrays.push(Arc::new(rows.iter().map(cell).collect::<Float64Array>()));
    }
    fields.push(Field::new("error", DataType::Utf8, true));
    arrays.push(Arc::new(rows.iter().map(|row| row.outcome.as_ref().err()).collect::<StringArray>()));
    fields.push(column("wall_seconds", DataType::Float64, "s"));
    arrays.push(Arc::new(Float64Array::from_iter_values(rows.iter().map(|row| row.wall_seconds))));
    write_parquet(fields, arrays, Vec::new())
}
