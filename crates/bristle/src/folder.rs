//! Run folders, read back: series with units, summary, scene.

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Why a run folder could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The folder lacks what every run folder has.
    #[error("{} is no run folder: {missing} is missing; `bristle run SCENE --out DIR` makes one", path.display())]
    NotARun {
        /// Which folder.
        path: PathBuf,
        /// The file.
        missing: &'static str,
    },
    /// A file of the folder cannot be read or does not hold what it should.
    #[error("cannot read {}: {reason}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// A recorded quantity over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name, e.g. `ball.position.x`.
    pub name: String,
    /// Unit, `1` if none.
    pub unit: String,
    /// Values, one per time of the run.
    pub values: Vec<f64>,
}

/// A run folder in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFolder {
    /// Where it was read from.
    pub path: PathBuf,
    /// The last part of its path.
    pub name: String,
    /// Times of the samples, s.
    pub times: Vec<f64>,
    /// All recorded quantities but the time, in their order.
    pub series: Vec<Series>,
    /// `summary.json`
    pub summary: Value,
    /// `scene.toml`: the scene as it was run.
    pub scene: String,
}

/// What a run says about itself in its summary; `None` where it does not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Simulated time, s.
    pub time: Option<f64>,
    /// Steps taken.
    pub steps: Option<u64>,
    /// Contact episodes.
    pub impacts: Option<usize>,
    /// Mechanical energy at the start less that at the end, J.
    pub lost: Option<f64>,
    /// Largest energy that the ledger could not place, J.
    pub closure: Option<f64>,
    /// Time on the clock, s.
    pub wall_seconds: Option<f64>,
}

impl RunFolder {
    /// The summary in short.
    pub fn outcome(&self) -> Outcome {
        let (summary, energy) = (&self.summary, &self.summary["energy"]);
        Outcome {
            time: summary["time"].as_f64(),
            steps: summary["steps"].as_u64(),
            impacts: summary["impacts"].as_array().map(Vec::len),
            lost: energy["initial"].as_f64().zip(energy["final"].as_f64()).map(|(a, b)| a - b),
            closure: energy["closure_max"].as_f64(),
            wall_seconds: summary["wall_seconds"].as_f64(),
        }
    }

    /// A quantity by name.
    pub fn series(&self, name: &str) -> Option<&Series> {
        self.series.iter().find(|s| s.name == name)
    }
}

/// Reads a run folder.
pub fn read(path: impl AsRef<Path>) -> Result<RunFolder, FolderError> {
    let path = path.as_ref();
    for missing in ["series.parquet", "summary.json", "scene.toml"] {
        if !path.join(missing).is_file() {
            return Err(FolderError::NotARun { path: path.to_path_buf(), missing });
        }
    }
    let text = |name: &str| {
        let file = path.join(name);
        std::fs::read_to_string(&file).map_err(|e| FolderError::File { path: file, reason: e.to_string() })
    };
    let summary = serde_json::from_str(&text("summary.json")?)
        .map_err(|e| FolderError::File { path: path.join("summary.json"), reason: e.to_string() })?;
    let mut series = read_series(&path.join("series.parquet"))?;
    if series.first().is_none_or(|s| s.name != "time") {
        let reason = "its first column is not the time".to_string();
        return Err(FolderError::File { path: path.join("series.parquet"), reason });
    }
    let times = series.remove(0).values;
    let full = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let name =
        full.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().to_string());
    Ok(RunFolder { path: path.to_path_buf(), name, times, series, summary, scene: text("scene.toml")? })
}

fn read_series(file: &Path) -> Result<Vec<Series>, FolderError> {
    let fail = |reason: String| FolderError::File { path: file.to_path_buf(), reason };
    let open = std::fs::File::open(file).map_err(|e| fail(e.to_string()))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(open).map_err(|e| fail(e.to_string()))?;
    let mut series: Vec<Series> = builder
        .schema()
        .fields()
        .iter()
        .map(|field| Series {
            name: field.name().clone(),
            unit: field.metadata().get("unit").cloned().unwrap_or_else(|| "1".to_string()),
            values: Vec::new(),
        })
        .collect();
    for batch in builder.build().map_err(|e| fail(e.to_string()))? {
        let batch = batch.map_err(|e| fail(e.to_string()))?;
        for (column, series) in batch.columns().iter().zip(&mut series) {
            let numbers = column.as_primitive_opt::<Float64Type>();
            let numbers = numbers.ok_or_else(|| fail(format!("column {} holds no numbers", series.name)))?;
            series.values.extend_from_slice(numbers.values());
        }
    }
    Ok(series)
}
