//! `bristle view`: opens the report of a run.

use crate::error::Error;
use crate::output::print;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(clap::Args)]
pub struct Args {
    /// Run folder
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

/// Prints the path of the report and hands it to the system's opener.
pub fn run(args: &Args) -> Result<(), Error> {
    let page = args.run.join("report.html");
    if !page.is_file() {
        return Err(Error::NoReport { run: args.run.clone(), hint: hint(&args.run) });
    }
    let page = page.canonicalize().unwrap_or(page);
    print(&page.display().to_string())?;
    open(&page).map_err(|reason| Error::NoOpener { page, reason })
}

fn hint(run: &Path) -> &'static str {
    if run.join("summary.json").is_file() {
        "it was run with --no-report; run it again without"
    } else {
        "it is no run folder; `bristle run SCENE --out DIR` makes one"
    }
}

/// The program that opens a file the way a double click does.
fn opener() -> (&'static str, &'static [&'static str]) {
    if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        // `start` takes the first quoted word for a title.
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    }
}

fn open(page: &Path) -> Result<(), String> {
    let (program, words) = opener();
    let mut command = Command::new(program);
    command.args(words).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().map_err(|e| format!("{program}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} ended with {status}")) }
}
