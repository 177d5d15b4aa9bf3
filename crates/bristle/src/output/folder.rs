//! A folder in the making: filled under a temporary name, then put in place in one go.

use super::save::{create, is_partial, partial};
use super::{OutputError, RUN_FORMAT, SWEEP_FORMAT};
use serde_json::Value;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What a run writes. A run folder with anything else in it also holds someone's own files and is not replaced.
const RUN_FILES: [&str; 6] =
    ["series.parquet", "series.csv", "impacts.csv", "summary.json", "scene.toml", "report.html"];

/// A folder that is being filled. Dropped without [`commit`](Self::commit), it vanishes.
#[derive(Debug)]
pub struct Draft {
    /// As the caller wrote it, for messages.
    shown: PathBuf,
    /// With links followed.
    target: PathBuf,
    temporary: PathBuf,
    /// Held while this process lives: a draft that nobody holds was left by a dead one.
    _lock: Option<File>,
}

impl Draft {
    /// Begins a folder that is to stand at `path`, which must be free, empty or a run: anything else is refused now,
    /// and so is a place that cannot be written to. Missing folders above it are made. Drafts for the same place that
    /// killed processes left behind are removed.
    pub fn begin(path: &Path) -> Result<Self, OutputError> {
        must_be_replaceable(path, path)?;
        Self::open(path).map_err(OutputError::at(path))
    }

    fn open(path: &Path) -> io::Result<Self> {
        let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "not a folder name");
        let target = match fs::canonicalize(path) {
            Ok(target) => target,
            Err(_) => {
                let name = path.file_name().ok_or_else(no_name)?;
                let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
                fs::create_dir_all(parent)?;
                fs::canonicalize(parent)?.join(name)
            }
        };
        let name = target.file_name().ok_or_else(no_name)?.to_string_lossy().to_string();
        remove_dead_drafts(&target, &name);
        let temporary = target.with_file_name(partial(&name));
        match fs::create_dir(&temporary) {
            // ours from before, or of a dead process with our number
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_dir_all(&temporary)?;
                fs::create_dir(&temporary)?;
            }
            made => made?,
        }
        let lock = File::open(&temporary).ok().filter(|folder| folder.try_lock().is_ok());
        Ok(Self { shown: path.to_path_buf(), target, temporary, _lock: lock })
    }

    /// Adds a file. The error of a failure names the final place.
    pub fn file(&self, name: &str, bytes: &[u8]) -> Result<(), OutputError> {
        create(&self.temporary.join(name), bytes).map_err(OutputError::at(&self.shown.join(name)))
    }

    /// Adds a file that `write` fills, given its present path.
    pub(crate) fn with(
        &self,
        name: &str,
        write: impl FnOnce(&Path) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        write(&self.temporary.join(name)).map_err(|error| match error {
            OutputError::File { source, .. } => OutputError::at(&self.shown.join(name))(source),
            other => other,
        })
    }

    /// Puts the folder in place. A run that stood there is exchanged for it in one step where the system can do that
    /// (Linux); elsewhere it is moved aside first, and moved back by the next draft should the process die just then.
    pub fn commit(self) -> Result<(), OutputError> {
        must_be_replaceable(&self.target, &self.shown)?;
        put(&self.temporary, &self.target).map_err(OutputError::at(&self.shown))
    }
}

impl Drop for Draft {
    /// After a commit this removes what stood there before, which the exchange has brought here.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.temporary);
    }
}

fn must_be_replaceable(path: &Path, shown: &Path) -> Result<(), OutputError> {
    let what = match occupant(path)? {
        Occupant::Free | Occupant::Run => return Ok(()),
        Occupant::Sweep => "holds a sweep".to_string(),
        Occupant::Other(what) => what,
    };
    Err(OutputError::NotOurs { path: shown.to_path_buf(), what })
}

fn put(temporary: &Path, target: &Path) -> io::Result<()> {
    // works when nothing or an empty folder is there
    let Err(error) = fs::rename(temporary, target) else { return Ok(()) };
    if !target.is_dir() {
        return Err(error);
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, temporary, CWD, target, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    let aside = aside(target);
    fs::rename(target, &aside)?;
    match fs::rename(temporary, target) {
        Ok(()) => fs::remove_dir_all(&aside),
        Err(error) => {
            fs::rename(&aside, target)?;
            Err(error)
        }
    }
}

/// Where an old run waits while the new one takes its place.
fn aside(target: &Path) -> PathBuf {
    target.with_file_name(partial(&aside_of(&target.file_name().unwrap_or_default().to_string_lossy())))
}

fn aside_of(name: &str) -> String {
    format!("{name}.aside")
}

/// Drafts for this place whose process is gone, and a run that waits aside. Best effort: what cannot be removed harms
/// nobody.
fn remove_dead_drafts(target: &Path, name: &str) {
    let Some(Ok(entries)) = target.parent().map(fs::read_dir) else { return };
    for entry in entries.flatten() {
        let (path, file) = (entry.path(), entry.file_name().to_string_lossy().to_string());
        let waits = is_partial(&file, Some(&aside_of(name)));
        if !waits && !is_partial(&file, Some(name)) {
            continue;
        }
        if File::open(&path).is_ok_and(|folder| folder.try_lock().is_ok()) {
            let _ =
                if waits && !target.exists() { fs::rename(&path, target) } else { fs::remove_dir_all(&path) };
        }
    }
}

/// Files under temporary names in a folder that this process alone writes to.
pub(crate) fn remove_partial_files(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_partial(&entry.file_name().to_string_lossy(), None) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// What stands at a place.
#[derive(Debug, PartialEq)]
pub(crate) enum Occupant {
    /// Nothing, or an empty folder.
    Free,
    /// A run, and nothing else.
    Run,
    /// A sweep.
    Sweep,
    /// Something that is not to be replaced, as the rest of a sentence about it.
    Other(String),
}

pub(crate) fn occupant(path: &Path) -> Result<Occupant, OutputError> {
    let other = |what: &str| Ok(Occupant::Other(what.to_string()));
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return if path.is_symlink() {
                other("is a link that leads nowhere")
            } else {
                Ok(Occupant::Free)
            };
        }
        Err(error) => return Err(OutputError::at(path)(error)),
        Ok(found) if !found.is_dir() => return other("is a file"),
        Ok(_) => {}
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(OutputError::at(path))? {
        names.push(entry.map_err(OutputError::at(path))?.file_name().to_string_lossy().to_string());
    }
    names.sort();
    let format = |file: &str| {
        let text = fs::read_to_string(path.join(file)).ok()?;
        let value: Value = serde_json::from_str(&text).ok()?;
        value["format"].as_str().map(str::to_string)
    };
    if names.is_empty() {
        Ok(Occupant::Free)
    } else if format("sweep.json").is_some_and(|f| f == SWEEP_FORMAT) {
        Ok(Occupant::Sweep)
    } else if format("summary.json").is_none_or(|f| f != RUN_FORMAT) {
        other("is a folder that no run or sweep has made")
    } else {
        // hidden files are those of file managers
        match names.iter().find(|n| !n.starts_with('.') && !RUN_FILES.contains(&n.as_str())) {
            Some(name) => Ok(Occupant::Other(format!("holds {name}, which no run has made"))),
            None => Ok(Occupant::Run),
        }
    }
}
