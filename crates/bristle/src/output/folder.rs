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
            Ok(target) if is_mount_point(&target) => {
                return Err(io::Error::other(
                    "a mounted file system cannot be replaced; give a folder in it",
                ));
            }
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
    /// Should that fail, the work is not thrown away: the folder is put beside, and the error says where.
    pub fn commit(self) -> Result<(), OutputError> {
        let placed = must_be_replaceable(&self.target, &self.shown)
            .and_then(|()| put(&self.temporary, &self.target).map_err(OutputError::at(&self.shown)));
        placed.map_err(|error| {
            let beside = |path: &Path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy().to_string();
                path.with_file_name(format!("{name}-{}", std::process::id()))
            };
            match fs::rename(&self.temporary, beside(&self.target)) {
                Ok(()) => OutputError::Beside { reason: Box::new(error), kept: beside(&self.shown) },
                Err(_) => error,
            }
        })
    }
}

impl Drop for Draft {
    /// After a commit this removes what stood there before, which the exchange has brought here.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.temporary);
    }
}

/// Whether a folder is the root of a file system: nothing can be renamed onto it, which is better known now than later.
#[cfg(unix)]
fn is_mount_point(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::metadata(path).map(|m| m.dev()).ok();
    folder.parent().is_none_or(|parent| device(parent) != device(folder))
}

#[cfg(not(unix))]
fn is_mount_point(folder: &Path) -> bool {
    folder.parent().is_none()
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("bristle-folder-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn work_is_kept_when_its_place_is_taken_meanwhile() {
        let place = Place::new("taken");
        let draft = Draft::begin(&place.0.join("run")).unwrap();
        draft.file("summary.json", b"{}").unwrap();
        fs::create_dir(place.0.join("run")).unwrap();
        fs::write(place.0.join("run/mine.txt"), "mine").unwrap();
        let error = draft.commit().unwrap_err();
        let OutputError::Beside { kept, .. } = &error else { panic!("{error}") };
        assert!(error.to_string().contains(&format!("the results are in {}", kept.display())), "{error}");
        assert_eq!(fs::read_to_string(kept.join("summary.json")).unwrap(), "{}");
        assert_eq!(fs::read_to_string(place.0.join("run/mine.txt")).unwrap(), "mine");
        assert_eq!(place.names().len(), 2, "{:?}", place.names());
    }

    #[test]
    fn a_dropped_draft_leaves_nothing() {
        let place = Place::new("dropped");
        let draft = Draft::begin(&place.0.join("deep/run")).unwrap();
        draft.file("summary.json", b"{}").unwrap();
        drop(draft);
        assert_eq!(fs::read_dir(place.0.join("deep")).unwrap().count(), 0);
    }

    #[test]
    fn drafts_of_the_living_stay_and_those_of_the_dead_go() {
        let place = Place::new("dead");
        let living = Draft::begin(&place.0.join("run")).unwrap();
        // as another process would leave it: not locked, another number; and names that only look alike
        for name in [".run.1.part", ".run.x.part", ".run2.1.part"] {
            fs::create_dir(place.0.join(name)).unwrap();
        }
        remove_dead_drafts(&place.0.join("run"), "run");
        let own = partial("run");
        let mut expected = vec![own.as_str(), ".run.x.part", ".run2.1.part"];
        expected.sort_unstable();
        assert_eq!(place.names(), expected);
        drop(living);
    }

    #[test]
    fn a_run_that_waits_aside_is_brought_back() {
        let place = Place::new("aside");
        fs::create_dir(place.0.join(".run.aside.1.part")).unwrap();
        fs::write(place.0.join(".run.aside.1.part/summary.json"), "old").unwrap();
        remove_dead_drafts(&place.0.join("run"), "run");
        assert_eq!(fs::read_to_string(place.0.join("run/summary.json")).unwrap(), "old");
        assert_eq!(place.names(), ["run"]);
    }
}
