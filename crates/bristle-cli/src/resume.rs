//! `bristle resume`.

use crate::error::Error;
use crate::job::Job;
use bristle::checkpoint;
use bristle::scene::Scene;
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str = "Examples:
  bristle run scenes/pinched_capsule.toml --checkpoint 10s     # and the machine stops half-way
  bristle resume runs/pinched_capsule

The checkpoint is a file beside the run folder (runs/pinched_capsule.checkpoint) and holds the scene too. A resumed run
equals an uninterrupted one to the bit. The file is removed when the run is complete.";

#[derive(clap::Args)]
pub struct Args {
    /// Run folder, as `bristle run` named it
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Print summary.json on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let saved = checkpoint::load(&args.run)?;
    let file = checkpoint::path(&args.run);
    let scene = Scene::parse_again(&saved.scene, &file.display().to_string(), &[])?;
    let job = Job {
        scene: &scene,
        written: saved.written,
        name: saved.name,
        path: args.run.clone(),
        csv: saved.csv,
        report: saved.report,
        json: args.json,
        every: saved.every.map(Duration::from_secs_f64),
        from: Some(&saved.run),
    };
    job.run()
}
