//! `bristle`: contact dynamics you can audit, on the command line. A library, so that the Python package has the same one.

mod bench;
mod check;
mod compare;
mod completions;
mod error;
mod evidence;
mod geom;
mod gradient;
mod help;
mod inspect;
mod interrupt;
mod job;
mod law;
mod level;
mod new;
mod nonsmooth;
mod output;
mod range;
mod realtime;
mod reproduce;
mod resume;
mod run;
mod schema;
mod show;
mod sweep;
mod validate;
mod view;

use clap::{Parser, Subcommand};
use error::Error;
use std::ffi::OsString;

/// Contact dynamics you can audit: contact laws, impacts, and where every joule went.
#[derive(Parser)]
#[command(name = "bristle", version, arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    /// Say nothing but results and errors
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say more: where a warning stands, how steps were chosen
    #[arg(long, short, global = true)]
    verbose: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene: bodies, contacts, forces, from a TOML file to numbers and an energy audit
    #[command(after_help = run::EXAMPLES)]
    Run(run::Args),
    /// Go on with a run that was cut, from its last checkpoint
    #[command(after_help = resume::EXAMPLES)]
    Resume(resume::Args),
    /// Run a scene many times with values varied: one row of results per run, on all cores, resumable
    #[command(after_help = sweep::EXAMPLES)]
    Sweep(sweep::Args),
    /// Derivatives of results with respect to numbers of a scene, exact through contact
    #[command(after_help = gradient::EXAMPLES)]
    Gradient(gradient::Args),
    /// Run a scene against the wall clock: how long ticks take, with a controller or hardware in the loop over UDP
    #[command(after_help = realtime::EXAMPLES)]
    Realtime(realtime::Args),
    /// Error against cost of every integrator on a scene
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::Args),
    /// Open the report of a run
    View(view::Args),
    /// Set runs side by side: the same quantities overlaid, and how far they are apart
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::Args),
    /// Check scenes without running them: all errors at once, then warnings
    #[command(after_help = check::EXAMPLES)]
    Check(check::Args),
    /// Show what a robot file (URDF, MJCF) or a scene holds: tree, masses, joints, contacts
    #[command(after_help = inspect::EXAMPLES)]
    Inspect(inspect::Args),
    /// Write a commented starter scene
    #[command(after_help = new::EXAMPLES, arg_required_else_help = true)]
    New(new::Args),
    /// Print the JSON schema of scene files, or their reference page
    #[command(after_help = schema::EXAMPLES)]
    Schema(schema::Args),
    /// Explore contact laws without a scene: curves, loops, phase portraits, inverse design
    #[command(subcommand, arg_required_else_help = true)]
    Law(law::Command),
    /// Look at shapes without a scene: what two of them share
    #[command(subcommand, arg_required_else_help = true)]
    Geom(geom::Command),
    /// Systems of formulas with contact and friction terms: compare forms, choose parameters
    #[command(subcommand, arg_required_else_help = true)]
    Nonsmooth(nonsmooth::Command),
    /// Recompute the figures and tables of five papers and compare every number
    #[command(after_help = reproduce::EXAMPLES)]
    Reproduce(evidence::Args),
    /// Run problems with known answers (closed forms, benchmarks, experiments) and say which numbers hold
    #[command(after_help = validate::EXAMPLES)]
    Validate(validate::Args),
    /// Print shell completions
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::Args),
    /// Explain a command or a topic: laws, scenes, outputs, sweeps, exit-codes
    Help(help::Args),
}

/// Does what a command line says, the name of the program first, and answers the exit code: 0 for success, 1 for a run that
/// failed, 2 for bad input, 128 and the signal for what a signal ended.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    output::set_command_line(&words);
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) => {
            // help and version go to standard output and are no error; a closed one is nothing to complain about
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    level::set(cli.quiet, cli.verbose);
    let outcome = match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Resume(args) => resume::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Gradient(args) => gradient::run(&args),
        Command::Realtime(args) => realtime::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::View(args) => view::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::New(args) => new::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Law(command) => law::run(&command),
        Command::Geom(command) => geom::run(&command),
        Command::Nonsmooth(command) => nonsmooth::run(&command),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Help(args) => help::run(&args),
    };
    match outcome {
        // A reader that has seen enough (`| head`) is no failure.
        Ok(()) | Err(Error::Closed) => 0,
        Err(error @ Error::Stopped { .. }) => {
            anstream::eprintln!("{error}");
            error.exit_code()
        }
        Err(error) => {
            level::error(&error.to_string());
            error.exit_code()
        }
    }
}
