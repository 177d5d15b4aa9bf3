//! `bristle run`.

use crate::error::Error;
use crate::interrupt;
use crate::output::{Cell, Sheet, command_line, print};
use bristle::film::FilmLimits;
use bristle::output::{Contents, Draft, summary, write};
use bristle::run::{Run, run as integrate};
use bristle::scene::{Access, Scene};
use bristle::world::{Model, WORLD_ACCOUNTS};
use bristle_report::run::RunReport;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str = "Examples:
  bristle run scenes/rolling_sphere.toml
  bristle run scenes/rolling_sphere.toml --set bodies.ball.velocity=[1,0,0] --out runs/faster
  bristle run scenes/bouncing_sphere.toml --json

Ctrl-C or SIGTERM ends the run in good order with what was recorded (\"cut\": true in summary.json); a second one at once.
Exit codes: 0 done; 1 the run failed, or a folder or file could not be written; 2 bad input;
130 and 143 stopped by Ctrl-C or SIGTERM.";

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
    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> Result<(), Error> {
    let access = if args.allow_outside { Access::Anywhere } else { Access::Folder };
    let scene = Scene::load_with(&args.scene, &args.overrides, access)?;
    let changes: String = args.overrides.iter().map(|o| format!("# --set {o}\n")).collect();
    let scene_text = format!("{changes}{}", scene.written());
    let mut prepared = bristle::prepare(&scene)?;
    prepared.options.film = (!args.no_report).then(FilmLimits::default);
    let name = args.scene.file_stem().map_or_else(|| "run".into(), |n| n.to_string_lossy().to_string());
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(&name));
    let draft = Draft::begin(&path)?;
    let interrupt = interrupt::watch()?;
    let duration = prepared.options.duration;
    let bar = if args.quiet || args.json { ProgressBar::hidden() } else { progress_bar(duration) };
    let mut result = integrate(&prepared.model, &prepared.q, &prepared.v, &prepared.options, |t| {
        bar.set_position((t / duration * 1e6) as u64);
        bar.set_message(format!("{t:.3} of {duration} s"));
        !interrupt.has_come()
    })?;
    bar.finish_and_clear();
    if result.cut.is_some() {
        result.cut = interrupt.reason().map(str::to_string);
    }
    write(&draft, &Contents { scene: &scene_text, csv: args.csv }, &prepared.model, &result)?;
    if !args.no_report {
        let report = RunReport {
            title: &name,
            model: &prepared.model,
            options: &prepared.options,
            run: &result,
            scene: &scene_text,
            command: &command_line(),
            warnings: &[],
        };
        draft.file("report.html", bristle_report::run::page(&report).to_html().as_bytes())?;
    }
    draft.commit()?;
    if args.json {
        print(&format!("{:#}", summary(&prepared.model, &result)))?;
    } else {
        show(&prepared.model, &result)?;
    }
    eprintln!("run folder: {}", path.display());
    if result.cut.is_some() {
        let done = format!("{} of {duration} s done; the run folder has what was recorded", result.state.t);
        return Err(interrupt.error(done));
    }
    Ok(())
}

fn progress_bar(duration: f64) -> ProgressBar {
    let bar = ProgressBar::new(1_000_000);
    let style = ProgressStyle::with_template("{bar:32} {msg}  {elapsed} elapsed, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(format!("0 of {duration} s"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// What a person wants to know first: where things are, where the energy went, what hit what.
fn show(model: &Model, run: &Run) -> Result<(), Error> {
    let all = summary(model, run);
    let mut bodies = Sheet::new(
        &format!("At {} s", run.state.t),
        &[("body", ""), ("x", "m"), ("y", "m"), ("z", "m"), ("vx", "m/s"), ("vy", "m/s"), ("vz", "m/s")],
    );
    let free = model.bodies.iter().filter(|b| b.is_movable);
    for body in free.clone().take(12) {
        let entry = &all["bodies"][&body.name];
        let numbers = ["position", "velocity"].iter().flat_map(|key| (0..3).map(|i| entry[*key][i].as_f64()));
        bodies.push(std::iter::once(Cell::from(body.name.as_str())).chain(numbers.map(Cell::from)).collect());
    }
    print(&bodies.to_text())?;
    if free.count() > 12 {
        print("(the first 12 bodies; summary.json has all)")?;
    }
    let mut energy = Sheet::new("Energy", &[("account", ""), ("J", ""), ("of what moved", "")]);
    let last = &run.last;
    let before = &run.initial;
    let mechanical = before.balance();
    let mut row = |name: &str, joules: f64| {
        if joules != 0.0 {
            energy.push(vec![
                name.into(),
                joules.into(),
                format!("{:.3} %", 100.0 * joules / run.in_play).into(),
            ]);
        }
    };
    row("at the start", mechanical);
    row("kinetic now", last.kinetic);
    row("gravity now", last.gravity);
    row("elastic, normal, now", last.elastic_normal);
    row("elastic, tangential, now", last.elastic_tangential);
    row("springs now", last.springs);
    for (name, lost) in WORLD_ACCOUNTS.iter().zip(last.lost) {
        row(&format!("lost: {}", name.replace('_', " ")), lost);
    }
    row("work from outside", last.work);
    row("what the ledger cannot place, at most", run.closure);
    print(&energy.to_text())?;
    impacts(run)?;
    print(&format!(
        "{} steps ({} rejected), {} evaluations, {} events, {} samples, {:.3} s",
        run.stats.steps,
        run.stats.rejected,
        run.stats.evaluations,
        run.stats.events,
        run.recording.len(),
        run.wall_seconds
    ))
}

fn impacts(run: &Run) -> Result<(), Error> {
    let columns = [
        ("contact", ""),
        ("start", "s"),
        ("lasted", "s"),
        ("speed in", "m/s"),
        ("restitution", ""),
        ("peak force", "N"),
        ("peak depth", "m"),
        ("lost", "J"),
    ];
    let mut sheet = Sheet::new(&format!("{} contact episodes", run.episodes.len()), &columns);
    for e in run.episodes.iter().take(20) {
        let ended = |x: f64| if e.end.is_some() { Cell::Number(x) } else { Cell::Empty };
        sheet.push(vec![
            e.pair.as_str().into(),
            e.start.into(),
            e.end.map(|t| t - e.start).into(),
            e.speed_in.into(),
            ended(e.newton()),
            e.peak_force.0.into(),
            e.peak_depth.0.into(),
            e.losses.iter().sum::<f64>().into(),
        ]);
    }
    print(&sheet.to_text())?;
    if run.episodes.len() > 20 {
        print("(the first 20; impacts.csv has all)")?;
    }
    Ok(())
}
