//! `bristle`: contact dynamics you can audit, on the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(bristle_cli::run(std::env::args_os()))
}
