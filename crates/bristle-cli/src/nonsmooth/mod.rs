//! `bristle nonsmooth …`, and what other commands do with systems of formulas.

mod compare;
mod design;
mod inspect;
mod job;

pub use inspect::inspect;
pub use job::job;

use crate::error::Error;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Run a system with proxies, with LuGre and with regularised friction: creep, sticking, pulling contacts, cost
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::Args),
    /// Stiffness, alpha and beta for a wanted restitution, penetration, pre-sliding distance and step
    #[command(after_help = design::EXAMPLES)]
    Design(design::Args),
}

pub fn run(command: &Command) -> Result<(), Error> {
    match command {
        Command::Compare(args) => compare::run(args),
        Command::Design(args) => design::run(args),
    }
}
