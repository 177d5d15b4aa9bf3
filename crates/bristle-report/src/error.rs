//! What can go wrong: only the file system; building a page cannot fail.

use std::path::PathBuf;

/// Why a page could not be saved. Whatever stood at the path before is still there, unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The path names something that a page must not replace: a directory, a device, or nothing.
    #[error("cannot write the report to {}: not a file name", path.display())]
    NotAFile {
        /// The path as the caller gave it.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("cannot write the report to {}: {source}", path.display())]
    Write {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The refusal.
        source: std::io::Error,
    },
}
