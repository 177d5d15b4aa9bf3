//! What can be wrong with a sweep: one line each.

use super::MAX_ROWS;
use crate::output::OutputError;
use crate::scene::SceneErrors;
use std::path::PathBuf;

/// Why a sweep was refused or could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A variation that cannot be read or does not fit the kind of sweep.
    #[error("--vary {text}: must be {rule}")]
    Variation {
        /// As given.
        text: String,
        /// What it should be.
        rule: &'static str,
    },
    /// Nothing to vary.
    #[error("nothing to vary; give --vary KEY=START:STOP:COUNT, --vary KEY=a,b,c or --list FILE")]
    NoVariation,
    /// A key that is varied twice.
    #[error("{key} is varied twice")]
    Twice {
        /// The key.
        key: String,
    },
    /// A plan without rows or with too many.
    #[error("a sweep of {rows} rows; it must have 1 to {MAX_ROWS}")]
    Size {
        /// How many it would have.
        rows: String,
    },
    /// More varied values than Sobol points have dimensions.
    #[error("--sobol varies up to {limit} values, not {given}; use --random")]
    Sobol {
        /// How many there are.
        limit: usize,
        /// How many were asked for.
        given: usize,
    },
    /// A list of rows that cannot be read.
    #[error("{file}:{line}: {message}")]
    List {
        /// The file.
        file: String,
        /// Its line, from 1.
        line: u64,
        /// What is wrong.
        message: String,
    },
    /// A result that no run of the scene has.
    #[error("--quantity {text}: {reason}")]
    Quantity {
        /// As given.
        text: String,
        /// What is wrong, and what is near.
        reason: String,
    },
    /// A scene that cannot be built with any of the values.
    #[error("no row of the sweep can be run; row {index}: {error}")]
    NoRow {
        /// The first row.
        index: usize,
        /// What is wrong with it.
        error: Box<SceneErrors>,
    },
    /// A folder that holds another sweep.
    #[error("{} holds another sweep: {what}; give another --out, or remove that folder", path.display())]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// A folder in which a sweep is running.
    #[error("{} is in use by another process", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A folder that is no sweep, or a damaged one.
    #[error("{}: {reason}", path.display())]
    NotASweep {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Two folders that have different results for one row.
    #[error("{} and {} differ in row {index}; they are not parts of one sweep", first.display(), second.display())]
    Clash {
        /// One folder.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// The row.
        index: usize,
    },
    /// Something could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}
