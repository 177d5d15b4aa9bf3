//! `bristle`: contact dynamics you can audit, on the command line.

mod compare;
mod check;
mod error;
mod interrupt;
mod law;
mod new;
mod output;
mod range;
mod run;
mod sweep;
mod view;
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
    /// Run a scene many times with values varied: one row of results per run, on all cores, resumable
    #[command(after_help = sweep::EXAMPLES)]
    Sweep(sweep::Args),
    /// Open the report of a run
    View(view::Args),
    /// Set runs side by side: the same quantities overlaid, and how far they are apart
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::Args),
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
        Command::Sweep(args) => sweep::run(&args),
        Command::View(args) => view::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Check(args) => check::run(&args),
        Command::New(args) => new::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Law(command) => law::run(&command),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough (`| head`) is no failure.
        Err(Error::Closed) => ExitCode::SUCCESS,
        Err(error @ Error::Stopped { .. }) => {
            eprintln!("{error}");
            ExitCode::from(error.exit_code())
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
