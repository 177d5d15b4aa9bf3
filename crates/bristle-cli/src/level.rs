//! How much is said: `--quiet`, `--verbose`, and colour on terminals only.

use anstyle::{AnsiColor, Style};
use std::sync::atomic::{AtomicU8, Ordering};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Results and errors alone.
    Quiet,
    /// Progress, tables, warnings and notes.
    Normal,
    /// All there is to say.
    Verbose,
}

static LEVEL: AtomicU8 = AtomicU8::new(Level::Normal as u8);

/// Set from the command line.
pub fn set(quiet: bool, verbose: bool) {
    let level = match (quiet, verbose) {
        (true, _) => Level::Quiet,
        (_, true) => Level::Verbose,
        _ => Level::Normal,
    };
    LEVEL.store(level as u8, Ordering::Relaxed);
}

pub fn get() -> Level {
    match LEVEL.load(Ordering::Relaxed) {
        level if level == Level::Quiet as u8 => Level::Quiet,
        level if level == Level::Verbose as u8 => Level::Verbose,
        _ => Level::Normal,
    }
}

pub fn is_quiet() -> bool {
    get() == Level::Quiet
}

pub fn is_verbose() -> bool {
    get() == Level::Verbose
}

/// A line about what was done; not for results.
pub fn note(text: &str) {
    if !is_quiet() {
        anstream::eprintln!("{text}");
    }
}

pub fn warning(text: &str) {
    if !is_quiet() {
        labelled("warning", AnsiColor::Yellow, text);
    }
}

pub fn error(text: &str) {
    labelled("error", AnsiColor::Red, text);
}

/// The stream leaves the colours out unless a terminal shows them (and `NO_COLOR` is not set).
fn labelled(label: &str, color: AnsiColor, text: &str) {
    let style = Style::new().bold().fg_color(Some(color.into()));
    anstream::eprintln!("{style}{label}:{style:#} {text}");
}
