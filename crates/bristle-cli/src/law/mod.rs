//! `bristle law …`: laws without a scene.

mod curve;
mod cycle;
mod design;
mod list;
mod pages;
mod phase;
mod spec;

use crate::error::Error;

#[derive(clap::Subcommand)]
pub enum Command {
    /// List laws with their equations, parameters, units, sources and promises
    List(list::Args),
    /// Restitution, peak force, depth and duration over impact speed; friction over sliding speed
    #[command(after_help = curve::EXAMPLES, allow_negative_numbers = true)]
    Curve(curve::Args),
    /// Force, depth and energy of one impact; the hysteresis loop of a friction law
    #[command(after_help = cycle::EXAMPLES, allow_negative_numbers = true)]
    Loop(cycle::Args),
    /// Phase portrait: depth over depth rate, sticky contours included
    #[command(after_help = phase::EXAMPLES, allow_negative_numbers = true)]
    Phase(phase::Args),
    /// Parameters from a wanted restitution, peak force, peak depth or contact time
    #[command(after_help = design::EXAMPLES, allow_negative_numbers = true)]
    Design(design::Args),
    /// Write a page with pictures for every law, as in docs/laws
    Pages(pages::Args),
}

/// All laws, for `bristle help laws`.
pub fn list() -> Result<(), Error> {
    list::run(&list::Args::default())
}

pub fn run(command: &Command) -> Result<(), Error> {
    match command {
        Command::List(args) => list::run(args),
        Command::Curve(args) => curve::run(args),
        Command::Loop(args) => cycle::run(args),
        Command::Phase(args) => phase::run(args),
        Command::Design(args) => design::run(args),
        Command::Pages(args) => pages::run(args),
    }
}
