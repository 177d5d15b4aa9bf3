//! `bristle geom …`: shapes without a scene.

mod place;
mod shape;
mod volume;

use crate::error::Error;

#[derive(clap::Subcommand)]
pub enum Command {
    /// What two shapes share: volume, area, centroid, normal, moments; Hertz contact beside it
    #[command(after_help = volume::EXAMPLES, allow_negative_numbers = true)]
    Volume(volume::Args),
}

pub fn run(command: &Command) -> Result<(), Error> {
    match command {
        Command::Volume(args) => volume::run(args),
    }
}
