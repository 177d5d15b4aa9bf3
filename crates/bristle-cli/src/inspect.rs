//! `bristle inspect`.

mod scene;

use crate::error::Error;
use crate::level;
use crate::output::print;
use bristle::robot::{Effect, Options, Robot};
use bristle::scene::{Access, Scene};
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  bristle inspect quadruped.urdf
  bristle inspect humanoid.xml --json
  bristle inspect scenes/bouncing_sphere.toml

Warnings name what a robot file says and is not represented, with line and element; what only
changes the looks is listed with --verbose. Exit codes: 0 done; 2 errors, or with --strict
anything not represented that may change the motion";

#[derive(clap::Args)]
pub struct Args {
    /// A robot (URDF or MJCF) or a scene (.toml)
    file: PathBuf,
    /// What is not represented and may change the motion is an error
    #[arg(long)]
    strict: bool,
    /// Let the file name files from outside its folder
    #[arg(long)]
    allow_outside: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let access = if args.allow_outside { Access::Anywhere } else { Access::Folder };
    if args.file.extension().is_some_and(|ending| ending == "toml") {
        let scene = Scene::load_with(&args.file, &[], access)?;
        return match scene.nonsmooth {
            Some(_) => crate::nonsmooth::inspect(&scene, args.strict, args.json),
            None => scene::show(&scene, args.strict, args.json),
        };
    }
    let robot = Robot::load_with(&args.file, &Options { access, is_strict: args.strict })?;
    if args.json {
        return print(&format!("{:#}", robot.to_json()));
    }
    print(robot.listing().trim_end())?;
    for warning in &robot.warnings {
        match warning.effect {
            Effect::Motion => level::warning(&warning.to_string()),
            Effect::Looks if level::is_verbose() => level::note(&format!("note: {warning}")),
            Effect::Looks => {}
        }
    }
    Ok(())
}
