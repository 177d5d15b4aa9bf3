//! A browser for the tests that look at pages: found, or installed where the system allows it.

use std::process::{Command, Stdio};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Makes sure that there is a Chromium. Debian and its kin get theirs from the distribution, which pins the version.
pub fn provide() -> Result<(), String> {
    if std::env::var_os("BRISTLE_BROWSER").is_some() || NAMES.iter().any(|name| runs(name, "--version")) {
        return Ok(());
    }
    println!("no Chromium found: installing it");
    if !runs("apt-get", "--version") {
        return Err(
            "no Chromium found and no apt-get to install it; set BRISTLE_BROWSER to its path".to_string()
        );
    }
    install(&["update"])?;
    install(&["install", "--yes", "--no-install-recommends", "chromium"])?;
    if runs("chromium", "--version") {
        Ok(())
    } else {
        Err("chromium was installed but does not run".to_string())
    }
}

fn runs(program: &str, word: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(word).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// As root directly, otherwise through sudo without a question.
fn install(words: &[&str]) -> Result<(), String> {
    let attempt = |mut command: Command| {
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive").status().is_ok_and(|s| s.success())
    };
    let mut through_sudo = Command::new("sudo");
    through_sudo.args(["--non-interactive", "apt-get"]);
    if attempt(Command::new("apt-get")) || attempt(through_sudo) {
        return Ok(());
    }
    Err(format!("apt-get {} failed; install chromium or set BRISTLE_BROWSER to its path", words.join(" ")))
}
