//! Tables as Parquet, with the unit of each column in its metadata.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io::{self, Write};
use std::sync::Arc;

/// A column without missing values; `unit` is `1` if it has none.
pub(crate) fn column(name: &str, kind: DataType, unit: &str) -> Field {
    Field::new(name, kind, false).with_metadata([("unit", unit)])
}

/// Writes all of a table and hands the writer back.
pub(crate) fn write_parquet<W: Write + Send>(
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
    target: W,
) -> io::Result<W> {
    // the reason that the file system gave, without the words of the layers above it
    let unwrap = |error: ParquetError| match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other.to_string()),
        },
        other => io::Error::other(other.to_string()),
    };
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(|e| io::Error::other(e.to_string()))?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(target, schema, Some(properties)).map_err(unwrap)?;
    writer.write(&batch).map_err(unwrap)?;
    writer.into_inner().map_err(unwrap)
}
