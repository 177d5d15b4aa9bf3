//! Ctrl-C and SIGTERM: the first asks for an orderly end, the second ends the program at once.

use crate::error::Error;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Whether a signal has come, and which.
pub struct Interrupt {
    signal: Arc<AtomicUsize>,
}

/// Listens from now on.
pub fn watch() -> Result<Interrupt, Error> {
    let signal = Arc::new(AtomicUsize::new(0));
    let came = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        // in this order: the second signal finds the flag set by the first
        flag::register_conditional_default(number, Arc::clone(&came))
            .and_then(|_| flag::register(number, Arc::clone(&came)))
            .and_then(|_| flag::register_usize(number, Arc::clone(&signal), number as usize))
            .map_err(|error| Error::Signals { reason: error.to_string() })?;
    }
    Ok(Interrupt { signal })
}

impl Interrupt {
    pub fn has_come(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }

    /// In words, for summaries.
    pub fn reason(&self) -> Option<&'static str> {
        match self.signal.load(Ordering::Relaxed) as i32 {
            0 => None,
            SIGINT => Some("interrupted (SIGINT)"),
            _ => Some("terminated (SIGTERM)"),
        }
    }

    /// The error that ends the program: its exit code is that of a shell, 128 and the signal.
    pub fn error(&self, done: String) -> Error {
        let code = 128 + self.signal.load(Ordering::Relaxed).min(127) as u8;
        Error::Stopped { reason: self.reason().unwrap_or("stopped"), done, code }
    }
}
