//! A run as files: series, impacts and summary, written beside their place and moved there whole.
//!
//! ```no_run
//! use bristle::{output, run::run, scene::Scene};
//! let scene = Scene::load("scenes/rolling_sphere.toml", &[])?;
//! let start = bristle::prepare(&scene)?;
//! let draft = output::Draft::begin("runs/rolling".as_ref())?; // refuses what it must not replace, before the work
//! let result = run(&start.model, &start.q, &start.v, &start.options, |_| true)?;
//! output::write(&draft, &output::Contents::default(), &start.model, &result)?;
//! draft.commit()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod folder;
mod impacts;
mod save;
mod series;
mod summary;
pub(crate) mod table;

pub use folder::Draft;
pub(crate) use folder::{Occupant, occupant, remove_partial_files};
pub use save::save;
pub use summary::summary;

use crate::record::Recording;
use crate::run::Run;
use crate::world::Model;
use std::path::{Path, PathBuf};

/// Field `format` of `summary.json`: marks a folder as a run.
pub const RUN_FORMAT: &str = "bristle-run";
/// Field `format` of `sweep.json`: marks a folder as a sweep.
pub const SWEEP_FORMAT: &str = "bristle-sweep";

/// Why something could not be written. What stood there before still does.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The file system refused.
    #[error("cannot write {}: {source}", path.display())]
    File {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The place is taken by something that must not be replaced.
    #[error("{} {what}; it is left alone, give another place", path.display())]
    NotOurs {
        /// The place.
        path: PathBuf,
        /// What is there.
        what: String,
    },
    /// A finished folder could not be put in place and was put beside it.
    #[error("{reason}; the results are in {}", kept.display())]
    Beside {
        /// Why not.
        reason: Box<OutputError>,
        /// Where it is instead.
        kept: PathBuf,
    },
}

impl OutputError {
    /// Turns what the system says into an error about a path.
    pub(crate) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { path, source }
    }
}

/// What goes into a run folder besides the numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Contents<'a> {
    /// The scene as it was run, for `scene.toml`.
    pub scene: &'a str,
    /// Whether to write the series as CSV too.
    pub csv: bool,
}

/// Writes `series.parquet`, `impacts.csv`, `summary.json` and `scene.toml` into a draft. Further files are added with
/// [`Draft::file`]; nothing shows under its final name before [`Draft::commit`].
pub fn write(draft: &Draft, contents: &Contents<'_>, model: &Model, run: &Run) -> Result<(), OutputError> {
    write_series(draft, contents, &run.recording)?;
    draft.file("impacts.csv", impacts::csv(&run.episodes).as_bytes())?;
    draft.file("summary.json", format!("{:#}\n", summary(model, run)).as_bytes())?;
    draft.file("scene.toml", contents.scene.as_bytes())
}

/// Writes the samples into a draft.
pub(crate) fn write_series(
    draft: &Draft,
    contents: &Contents<'_>,
    recording: &Recording,
) -> Result<(), OutputError> {
    draft.with("series.parquet", |path| series::parquet(recording, path))?;
    if contents.csv {
        draft.with("series.csv", |path| series::csv(recording, path))?;
    }
    Ok(())
}
