//! The Python package: built into an environment of its own, tested, types checked.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Interpreters that are tried, in this order.
const NAMES: [&str; 2] = ["python3", "python"];

/// Makes the environment, builds the package into it and runs all its tests.
pub fn test() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no repository root")?;
    let environment = root.join("target/python/env");
    install(root, &environment)?;
    // the program that the package is held against; the same features as the package has, so that nothing is built twice
    crate::cargo(&["build", "--workspace"], &[])?;
    let program = |name: &str| environment.join(if cfg!(windows) { "Scripts" } else { "bin" }).join(name);
    let call = |name: &str, words: &[&str]| {
        let mut command = Command::new(program(name));
        command.args(words).current_dir(root).env("VIRTUAL_ENV", &environment);
        // the interpreter that runs is the one that was built for
        command.env_remove("PYTHONHOME").env_remove("PYTHONPATH").env("PYTHONDONTWRITEBYTECODE", "1");
        command.env("BRISTLE_PROGRAM", root.join("target/debug/bristle"));
        succeed(command, &format!("{name} {}", words.join(" ")))
    };
    // the development profile: most of it is there from the build of the workspace
    call("maturin", &["develop", "--quiet"])?;
    call("python", &["-m", "mypy", "--cache-dir", "target/python/mypy"])?;
    call("python", &["-m", "pytest", "--quiet", "-p", "no:cacheprovider"])
}

/// The environment with the pinned requirements; kept until they change.
fn install(root: &Path, environment: &Path) -> Result<(), String> {
    let list = root.join("python/requirements.txt");
    let wanted = std::fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    let stamp: PathBuf = environment.join("requirements.installed");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let interpreter = NAMES.into_iter().find(|name| {
        Command::new(name).args(["-c", "import venv, pip"]).status().is_ok_and(|status| status.success())
    });
    let interpreter =
        interpreter.ok_or("no python3 with venv and pip found: install CPython 3.9 or later")?;
    let call = |words: &[&std::ffi::OsStr]| {
        let mut command = Command::new(interpreter);
        command.arg("-m").args(words);
        succeed(command, &format!("{interpreter} -m {}", words[0].to_string_lossy()))
    };
    // distributions leave out the part that puts pip into an environment: ours comes with the requirements
    call(&["venv".as_ref(), "--without-pip".as_ref(), "--clear".as_ref(), environment.as_ref()])?;
    let into = ["pip".as_ref(), "--python".as_ref(), environment.as_ref(), "install".as_ref()];
    let how =
        ["--quiet".as_ref(), "--disable-pip-version-check".as_ref(), "--requirement".as_ref(), list.as_ref()];
    call(&[into, how].concat())?;
    std::fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))
}

fn succeed(mut command: Command, name: &str) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{name}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed")) }
}
