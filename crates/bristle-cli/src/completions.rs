//! `bristle completions`.

use crate::Cli;
use crate::error::Error;
use crate::output::print;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

pub const EXAMPLES: &str = "Examples:
  bristle completions bash > ~/.local/share/bash-completion/completions/bristle
  bristle completions zsh > ~/.zfunc/_bristle
  bristle completions fish > ~/.config/fish/completions/bristle.fish";

#[derive(clap::Args)]
pub struct Args {
    /// For which shell
    shell: Shell,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "bristle", &mut script);
    print(String::from_utf8_lossy(&script).trim_end())
}
