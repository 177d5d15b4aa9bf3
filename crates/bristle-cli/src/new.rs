//! `bristle new`.

use crate::error::Error;
use crate::level;
use crate::output::print;
use std::io::Write;
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "Examples:
  bristle new --list
  bristle new drop --from bouncing-ball     # writes drop.toml
  bristle run drop.toml";

#[derive(clap::Args)]
pub struct Args {
    /// Name of the new scene; it is written to NAME.toml
    #[arg(value_name = "NAME", required_unless_present = "list")]
    name: Option<PathBuf>,
    /// Template to start from
    #[arg(long, value_name = "TEMPLATE", default_value = "bouncing-ball")]
    from: String,
    /// List the templates
    #[arg(long)]
    list: bool,
}

/// Templates by name; their first line says what they are.
const TEMPLATES: [(&str, &str); 10] = [
    ("bouncing-ball", include_str!("../templates/bouncing-ball.toml")),
    ("rolling-sphere", include_str!("../templates/rolling-sphere.toml")),
    ("sliding-block", include_str!("../templates/sliding-block.toml")),
    ("ball-in-tube", include_str!("../templates/ball-in-tube.toml")),
    ("stick-slip", include_str!("../templates/stick-slip.toml")),
    ("foot", include_str!("../templates/foot.toml")),
    ("designed-impact", include_str!("../templates/designed-impact.toml")),
    ("pile", include_str!("../templates/pile.toml")),
    ("nonsmooth", include_str!("../templates/nonsmooth.toml")),
    ("real-time", include_str!("../templates/real-time.toml")),
];

pub fn run(args: &Args) -> Result<(), Error> {
    if args.list {
        for (name, text) in TEMPLATES {
            let about = text.lines().next().unwrap_or_default().trim_start_matches("# ");
            print(&format!("{name:<16} {about}"))?;
        }
        return Ok(());
    }
    let Some((_, text)) = TEMPLATES.iter().find(|(name, _)| *name == args.from) else {
        let known = TEMPLATES.map(|(name, _)| name).join(", ");
        return Err(Error::UnknownTemplate { name: args.from.clone(), known });
    };
    let Some(name) = &args.name else { return Ok(()) };
    let path = if name.extension().is_some_and(|e| e == "toml") { name.clone() } else { with_toml(name) };
    write_new(&path, text)?;
    level::note(&format!("wrote {}; run it with: bristle run {}", path.display(), path.display()));
    Ok(())
}

/// `NAME.toml`, also where NAME has a dot.
fn with_toml(name: &Path) -> PathBuf {
    let mut path = name.as_os_str().to_owned();
    path.push(".toml");
    path.into()
}

/// Writes a file that does not exist yet, whole or not at all: under a temporary name, then linked to its own, which
/// fails if that is taken.
fn write_new(path: &Path, text: &str) -> Result<(), Error> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Error::Exists { path: path.to_path_buf() },
        _ => Error::Write { path: path.to_path_buf(), reason: error.to_string() },
    };
    if path.symlink_metadata().is_ok() {
        return Err(Error::Exists { path: path.to_path_buf() });
    }
    let temporary = path.with_extension(format!("toml.{}.part", std::process::id()));
    let written = std::fs::File::create_new(&temporary)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| put_in_place(&temporary, path));
    std::fs::remove_file(&temporary).ok();
    written.map_err(failed)
}

/// A link fails if the name is taken, where a rename would replace; not every file system has links.
fn put_in_place(temporary: &Path, path: &Path) -> std::io::Result<()> {
    match std::fs::hard_link(temporary, path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => std::fs::rename(temporary, path),
        outcome => outcome,
    }
}
