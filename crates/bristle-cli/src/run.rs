//! `bristle run`.

use crate::error::Error;
use crate::job::{Job, default_folder};
use crate::range;
use bristle::scene::{Access, Scene};
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str = "Examples:
  bristle run scenes/rolling_sphere.toml
  bristle run scenes/rolling_sphere.toml --set bodies.ball.velocity=[1,0,0] --out runs/faster
  bristle run scenes/bouncing_sphere.toml --json
  bristle run scenes/pinched_capsule.toml --checkpoint 10s

Ctrl-C or SIGTERM ends the run in good order with what was recorded (\"cut\": true in summary.json) and a checkpoint to
resume from; a second one ends it at once. See `bristle help exit-codes`.";

#[derive(clap::Args)]
pub struct Args {
    /// Scene file
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// Change a value of the scene, e.g. bodies.ball.mass=0.2; repeat
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Let the scene include files from outside its folder
    #[arg(long)]
    allow_outside: bool,
    /// Run folder [default: runs/NAME of the scene]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the series as CSV too
    #[arg(long)]
    csv: bool,
    /// Print summary.json on standard output, and nothing else there
    #[arg(long)]
    json: bool,
    /// Do not write report.html
    #[arg(long)]
    no_report: bool,
    /// Save the run so often that `bristle resume` can go on from there: 10s, 5min, 1h of clock time
    #[arg(long, value_name = "TIME", value_parser = range::parse_duration)]
    checkpoint: Option<Duration>,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let access = if args.allow_outside { Access::Anywhere } else { Access::Folder };
    let scene = Scene::load_with(&args.scene, &args.overrides, access)?;
    let changes: String = args.overrides.iter().map(|o| format!("# --set {o}\n")).collect();
    let (name, folder) = default_folder(&args.scene);
    let job = Job {
        scene: &scene,
        written: format!("{changes}{}", scene.written()),
        name,
        path: args.out.clone().unwrap_or(folder),
        csv: args.csv,
        report: !args.no_report,
        json: args.json,
        every: args.checkpoint,
        from: None,
    };
    job.run()
}
