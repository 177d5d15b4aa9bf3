//! A run that is not finished, as one file beside its run folder.

use crate::output::{OutputError, save as save_file};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The first bytes of every checkpoint. The format is that of one version of Bristle: a run goes on with the program
/// that began it, or its numbers would not be those of either.
const MAGIC: &str = concat!("bristle checkpoint ", env!("CARGO_PKG_VERSION"), "\n");

/// All that it takes to go on with a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The scene on its own: includes, parameters and changes applied.
    pub scene: String,
    /// The scene as its author wrote it.
    pub written: String,
    /// Title of the run.
    pub name: String,
    /// Whether the series is wanted as CSV too.
    pub csv: bool,
    /// Whether a report is wanted.
    pub report: bool,
    /// Time on the clock between checkpoints, s.
    pub every: Option<f64>,
    /// From [`crate::runner::Runner::save`].
    pub run: Vec<u8>,
}

/// A checkpoint that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// There is none.
    #[error("{}: no checkpoint of this run ({reason}); `bristle run --checkpoint 10s` writes one", path.display())]
    Missing {
        /// Where it would be.
        path: PathBuf,
        /// Why it cannot be read.
        reason: String,
    },
    /// Not a checkpoint of this version.
    #[error("{}: not a checkpoint that bristle {} can go on from: {reason}", path.display(), env!("CARGO_PKG_VERSION"))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Where the checkpoint of a run folder is: beside it, so that the folder appears only when it is complete.
pub fn path(run: &Path) -> PathBuf {
    let name = run.file_name().map_or_else(|| "run".into(), |n| n.to_os_string());
    let mut name = name;
    name.push(".checkpoint");
    run.with_file_name(name)
}

/// Writes the checkpoint of a run folder, whole or not at all.
pub fn save(checkpoint: &Checkpoint, run: &Path) -> Result<(), OutputError> {
    let path = path(run);
    let body = postcard::to_stdvec(checkpoint)
        .map_err(|error| OutputError::File { path: path.clone(), source: std::io::Error::other(error) })?;
    save_file(&path, &[MAGIC.as_bytes(), &body].concat())
}

/// Reads the checkpoint of a run folder.
pub fn load(run: &Path) -> Result<Checkpoint, CheckpointError> {
    let path = path(run);
    let bytes = std::fs::read(&path)
        .map_err(|error| CheckpointError::Missing { path: path.clone(), reason: error.to_string() })?;
    let unreadable =
        |reason: &str| CheckpointError::Unreadable { path: path.clone(), reason: reason.to_string() };
    let body = bytes
        .strip_prefix(MAGIC.as_bytes())
        .ok_or_else(|| unreadable("it is another file, or one of another version"))?;
    postcard::from_bytes(body).map_err(|error| unreadable(&error.to_string()))
}

/// Removes the checkpoint of a run folder, if there is one.
pub fn remove(run: &Path) -> Result<(), OutputError> {
    let path = path(run);
    match std::fs::remove_file(&path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(OutputError::File { path, source })
        }
        _ => Ok(()),
    }
}
