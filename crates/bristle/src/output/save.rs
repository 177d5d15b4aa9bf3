//! One file, whole or not at all.

use super::OutputError;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file under a temporary name beside its place, and renames it when it is complete and on the disk. What
/// stood there before stays if that fails; a link stays a link.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    // renaming onto a device such as /dev/stdout would, with enough rights, replace the device
    let is_taken = fs::metadata(&target).is_ok_and(|found| !found.is_file());
    let Some(name) = target.file_name().filter(|_| !is_taken) else {
        return Err(OutputError::at(path)(io::Error::new(io::ErrorKind::InvalidInput, "not a file name")));
    };
    let temporary = target.with_file_name(partial(&name.to_string_lossy()));
    create(&temporary, bytes).and_then(|()| fs::rename(&temporary, &target)).map_err(|error| {
        let _ = fs::remove_file(&temporary); // best effort: the first error is the one to report
        OutputError::at(path)(error)
    })
}

/// Writes a new file through to the disk.
pub(super) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Hidden, and with the process id, so that two processes that write the same file do not share it.
pub(super) fn partial(name: &str) -> String {
    format!(".{name}.{}.part", std::process::id())
}

/// Whether a file name is one that [`partial`] makes; `name` is what it stands for, or anything.
pub(super) fn is_partial(file_name: &str, name: Option<&str>) -> bool {
    let inner = file_name.strip_prefix('.').and_then(|n| n.strip_suffix(".part"));
    let parts = inner.and_then(|n| n.rsplit_once('.'));
    parts.is_some_and(|(of, id)| {
        name.is_none_or(|name| name == of) && !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_names_are_told_from_others() {
        assert!(is_partial(&partial("run.x"), Some("run.x")) && is_partial(&partial("rows.csv"), None));
        for name in [".run.part", ".run.12x.part", "run.12.part", ".run.12", ".other.12.part", ".run..part"] {
            assert!(!is_partial(name, Some("run")), "{name}");
        }
    }
}
