//! Writing a file so that a reader sees the old one or the new one, never half of it.

use crate::ReportError;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `text` beside `path` under a temporary name and renames it when it is complete.
pub(crate) fn save(path: &Path, text: &str) -> Result<(), ReportError> {
    // A link is followed, so that the file it points to is renewed and the link stays.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    // Renaming onto a device such as /dev/stdout would, with enough rights, replace the device.
    let is_taken = fs::metadata(&target).is_ok_and(|found| !found.is_file());
    match temporary_beside(&target) {
        Some(temporary) if !is_taken => write_then_rename(&temporary, &target, text)
            .map_err(|source| ReportError::Write { path: path.to_path_buf(), source }),
        _ => Err(ReportError::NotAFile { path: path.to_path_buf() }),
    }
}

/// Hidden, and with the process id, so that two runs that save the same page do not share it.
fn temporary_beside(target: &Path) -> Option<PathBuf> {
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name()?);
    name.push(format!(".{}.part", std::process::id()));
    Some(target.with_file_name(name))
}

fn write_then_rename(temporary: &Path, target: &Path, text: &str) -> io::Result<()> {
    let written = File::create(temporary)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(temporary, target));
    if written.is_err() {
        // Best effort: the first error is the one to report.
        let _ = fs::remove_file(temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty directory of its own for each test, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("bristle-report-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn saving_replaces_the_old_file_and_leaves_nothing_else() {
        let folder = Folder::new("replace");
        let path = folder.0.join("page.html");
        save(&path, "old").unwrap();
        save(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(folder.names(), ["page.html"]);
    }

    #[test]
    fn missing_folder_is_an_error_that_names_the_path() {
        let folder = Folder::new("missing");
        let path = folder.0.join("nowhere").join("page.html");
        let error = save(&path, "text").unwrap_err();
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
        assert!(folder.names().is_empty());
    }

    #[test]
    fn directory_is_refused() {
        let folder = Folder::new("directory");
        assert!(matches!(save(&folder.0, "text"), Err(ReportError::NotAFile { .. })));
        assert!(folder.names().is_empty());
    }

    #[test]
    fn failed_rename_leaves_no_partial_file() {
        let folder = Folder::new("rename");
        let occupied = folder.0.join("occupied");
        fs::create_dir(&occupied).unwrap();
        assert!(write_then_rename(&folder.0.join("page.part"), &occupied, "text").is_err());
        assert_eq!(folder.names(), ["occupied"]);
    }

    #[cfg(unix)]
    #[test]
    fn link_stays_a_link() {
        let folder = Folder::new("link");
        let (real, link) = (folder.0.join("real.html"), folder.0.join("link.html"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        save(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
