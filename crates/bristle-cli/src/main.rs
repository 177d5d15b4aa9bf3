//! `bristle`: contact dynamics you can audit, on the command line.

mod check;
mod error;
mod law;
mod new;
mod output;
mod range;
mod run;
mod schema;

use clap::{Parser, Subcommand};
use error::Error;
use std::process::ExitCode;

/// Contact dynamics you can audit: contact laws, impacts, and where every joule went.
#[derive(Parser)]
#[command(name = "bristle", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene: bodies, contacts, forces, from a TOML file to numbers and an energy audit
    #[command(after_help = run::EXAMPLES)]
    Run(run::Args),
    /// Check scenes without running them: all errors at once, then warnings
    #[command(after_help = check::EXAMPLES)]
    Check(check::Args),
    /// Write a commented starter scene
    #[command(after_help = new::EXAMPLES, arg_required_else_help = true)]
    New(new::Args),
    /// Print the JSON schema of scene files, or their reference page
    #[command(after_help = schema::EXAMPLES)]
    Schema(schema::Args),
    /// Explore contact laws without a scene: curves, loops, phase portraits, inverse design
    #[command(subcommand, arg_required_else_help = true)]
    Law(law::Command),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::run(&args),
        Command::New(args) => new::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Law(command) => law::run(&command),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough (`| head`) is no failure.
        Err(Error::Closed) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
