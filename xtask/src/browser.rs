//! A browser for the tests that look at pages.

use crate::apt;

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Makes sure that there is a Chromium.
pub fn provide() -> Result<(), String> {
    if std::env::var_os("BRISTLE_BROWSER").is_some() || NAMES.iter().any(|name| apt::runs(name, "--version"))
    {
        return Ok(());
    }
    apt::install("chromium").map_err(|e| format!("{e}; set BRISTLE_BROWSER to the path of one"))?;
    if apt::runs("chromium", "--version") {
        Ok(())
    } else {
        Err("chromium was installed but does not run".to_string())
    }
}
