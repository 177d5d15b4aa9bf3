//! Programs that tests need: found, or installed where the system allows it.

use std::process::{Command, Stdio};

/// Whether a program answers to a word.
pub fn runs(program: &str, word: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(word).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Installs a package of Debian and its kin, which pin its version; as root directly, otherwise through sudo without a question.
pub fn install(package: &str) -> Result<(), String> {
    println!("no {package} found: installing it");
    if !runs("apt-get", "--version") {
        return Err(format!("no {package} found and no apt-get to install it"));
    }
    apt_get(&["update"])?;
    apt_get(&["install", "--yes", "--no-install-recommends", package])
}

fn apt_get(words: &[&str]) -> Result<(), String> {
    let attempt = |mut command: Command| {
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive").status().is_ok_and(|s| s.success())
    };
    let mut through_sudo = Command::new("sudo");
    through_sudo.args(["--non-interactive", "apt-get"]);
    if attempt(Command::new("apt-get")) || attempt(through_sudo) {
        return Ok(());
    }
    Err(format!("apt-get {} failed", words.join(" ")))
}
