//! Which files a scene may read, and how much of them.

use super::error::SceneError;
use std::path::{Path, PathBuf};

/// Most bytes of a scene with all it includes.
pub const MAX_BYTES: u64 = 16 << 20;

/// Which files a scene may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Access {
    /// Those in the folder of the scene and below, links followed.
    #[default]
    Folder,
    /// Any: only for scenes that are trusted.
    Anywhere,
}

/// Why a file that a scene names is not read. Reads as what the name must be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It lies elsewhere.
    #[error("a file in the folder of the scene; --allow-outside reads it anyway")]
    Outside,
    /// It is a folder, a device or the like.
    #[error("a regular file")]
    NotAFile,
    /// The system refuses.
    #[error("a file that can be read: {reason}")]
    Unreadable {
        /// What the system says.
        reason: String,
    },
}

/// The path of a file that a scene names, relative to the folder `beside` of the file that names it. `root` is the
/// folder of the scene: with [`Access::Folder`] nothing outside it is answered, however the name, its `..` or its
/// links lead there. Every file that a scene names goes through here.
pub fn resolve_file(name: &str, beside: &Path, root: &Path, access: Access) -> Result<PathBuf, FileError> {
    let unreadable = |error: std::io::Error| FileError::Unreadable { reason: error.to_string() };
    // an absolute name replaces the folder, and is judged like any other
    let joined = folder(beside).join(name);
    if access == Access::Folder && Path::new(name).is_absolute() {
        return Err(FileError::Outside); // not even whether it exists is told
    }
    let path = joined.canonicalize().map_err(|error| {
        let leads_up = Path::new(name).components().any(|c| c == std::path::Component::ParentDir);
        if leads_up && access == Access::Folder && !is_inside_as_written(&joined, root) {
            FileError::Outside
        } else {
            unreadable(error)
        }
    })?;
    let root = folder(root).canonicalize().map_err(unreadable)?;
    if access == Access::Folder && !path.starts_with(&root) {
        return Err(FileError::Outside);
    }
    if !path.metadata().map_err(unreadable)?.is_file() {
        return Err(FileError::NotAFile);
    }
    Ok(path)
}

/// The folder of a bare file name is the present one.
fn folder(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Whether a path that does not exist would lie inside, by its words alone.
fn is_inside_as_written(path: &Path, root: &Path) -> bool {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                if !plain.pop() {
                    return false;
                }
            }
            std::path::Component::CurDir => {}
            other => plain.push(other),
        }
    }
    let root: PathBuf = root.components().filter(|c| *c != std::path::Component::CurDir).collect();
    plain.starts_with(root)
}

/// Refuses what is too large.
pub(crate) fn check_size(bytes: u64, file: &str) -> Result<(), SceneError> {
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    let reason = format!("more than {} MB, with what it includes", MAX_BYTES >> 20);
    Err(SceneError::File { file: file.to_string(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// base/scene/{a.toml, sub/b.toml}, base/secret.toml
    fn folders(name: &str) -> PathBuf {
        let base = std::env::temp_dir().join(format!("bristle-{name}-{}", std::process::id()));
        fs::remove_dir_all(&base).ok();
        fs::create_dir_all(base.join("scene/sub")).unwrap();
        for file in ["scene/a.toml", "scene/sub/b.toml", "secret.toml"] {
            fs::write(base.join(file), "").unwrap();
        }
        base
    }

    #[test]
    fn files_of_the_folder_are_read_and_others_are_not() {
        let base = folders("resolve");
        let root = base.join("scene");
        let resolve = |name: &str, beside: &Path| resolve_file(name, beside, &root, Access::Folder);
        assert!(resolve("a.toml", &root).unwrap().ends_with("scene/a.toml"));
        assert!(resolve("sub/b.toml", &root).is_ok());
        assert!(resolve("../a.toml", &root.join("sub")).is_ok());
        assert!(resolve("sub/../a.toml", &root).is_ok());
        assert_eq!(resolve("../secret.toml", &root), Err(FileError::Outside));
        assert_eq!(resolve("../nothing.toml", &root), Err(FileError::Outside));
        assert_eq!(resolve("/etc/passwd", &root), Err(FileError::Outside));
        assert_eq!(resolve("sub", &root), Err(FileError::NotAFile));
        assert!(matches!(resolve("nothing.toml", &root), Err(FileError::Unreadable { .. })));
        let anywhere = |name: &str| resolve_file(name, &root, &root, Access::Anywhere);
        assert!(anywhere("../secret.toml").unwrap().ends_with("secret.toml"));
        assert!(anywhere(base.join("secret.toml").to_str().unwrap()).is_ok());
        fs::remove_dir_all(base).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        let base = folders("links");
        let root = base.join("scene");
        std::os::unix::fs::symlink("../secret.toml", root.join("link.toml")).unwrap();
        std::os::unix::fs::symlink("..", root.join("up")).unwrap();
        std::os::unix::fs::symlink("sub/b.toml", root.join("inside.toml")).unwrap();
        let resolve = |name: &str| resolve_file(name, &root, &root, Access::Folder);
        assert_eq!(resolve("link.toml"), Err(FileError::Outside));
        assert_eq!(resolve("up/secret.toml"), Err(FileError::Outside));
        assert!(resolve("inside.toml").is_ok());
        assert!(resolve_file("link.toml", &root, &root, Access::Anywhere).is_ok());
        fs::remove_dir_all(base).unwrap();
    }
}
