//! `bristle sweep`.

mod page;

use crate::error::Error;
use crate::interrupt::{self, Interrupt};
use crate::level;
use crate::output::print;
use bristle::output::save;
use bristle::scene::{Access, Scene};
use bristle::sweep::{Folder, Plan, Sampling, Shard, Source, Variation, merge, read_list, run as compute};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub const EXAMPLES: &str = "Examples:
  bristle sweep scenes/bouncing_sphere.toml --vary bodies.ball.position[2]=0.05:0.5:10
  bristle sweep scenes/rolling_sphere.toml --vary bodies.ball.velocity[0]=0:2:21 \\
      --vary materials.ground.friction.friction=0.1,0.2,0.4 \\
      --quantity impacts[0].restitution --quantity bodies.ball.position[0]
  bristle sweep scenes/bouncing_sphere.toml --sobol 256 --vary materials.ground.normal.stiffness=1e6:1e8:log
  bristle sweep scenes/bouncing_sphere.toml --list values.csv --shard 1/4 --out part1
  bristle sweep --resume runs/bouncing_sphere-sweep
  bristle sweep --merge part1 part2 part3 part4 --out whole

The same command goes on where an interrupted sweep stopped. A row that fails is kept with its reason.
Exit codes: 0 done; 1 every row failed, or a folder or file could not be written; 2 bad input;
130 and 143 stopped by Ctrl-C or SIGTERM. See docs/sweeps.md.";

#[derive(clap::Args)]
pub struct Args {
    /// Scene file
    #[arg(value_name = "SCENE", required_unless_present_any = ["resume", "merge"])]
    scene: Option<PathBuf>,
    /// Vary a value: KEY=START:STOP:COUNT[:log] or KEY=a,b,c; with --random and --sobol KEY=START:STOP[:log]; repeat
    #[arg(long, value_name = "KEY=VALUES")]
    vary: Vec<String>,
    /// N rows of random values instead of a grid
    #[arg(long, value_name = "N", group = "drawn", conflicts_with = "list")]
    random: Option<usize>,
    /// N rows of Sobol points, which fill the ranges evenly, instead of a grid
    #[arg(long, value_name = "N", group = "drawn", conflicts_with = "list")]
    sobol: Option<usize>,
    /// Seed of --random; shift of --sobol (0: none) [default: 0]
    #[arg(long, value_name = "N", requires = "drawn")]
    seed: Option<u64>,
    /// CSV file with keys in the first line and the values of one run in each other line
    #[arg(long, value_name = "FILE", conflicts_with = "vary")]
    list: Option<PathBuf>,
    /// Keep a result: a path into summary.json, e.g. impacts[0].restitution; repeat [default: some useful ones]
    #[arg(long = "quantity", value_name = "PATH")]
    quantities: Vec<String>,
    /// Change a value of the scene for all rows; repeat
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Sweep folder [default: runs/NAME-sweep]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Only the i-th of n parts of the rows, e.g. 2/8
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Go on with the sweep in a folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["scene", "vary", "drawn", "list", "quantities", "overrides", "out", "shard"])]
    resume: Option<PathBuf>,
    /// Join the parts of a sweep into one folder, --out
    #[arg(long, value_name = "DIR", num_args = 1.., requires = "out", conflicts_with_all = ["scene", "vary", "drawn", "list", "quantities", "overrides", "shard", "resume", "threads", "stop_on_error"])]
    merge: Vec<PathBuf>,
    /// End at the first row that fails
    #[arg(long)]
    stop_on_error: bool,
    /// No report.html
    #[arg(long)]
    no_report: bool,
    /// Print counts and folder as JSON on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Error> {
    if let (false, Some(out)) = (args.merge.is_empty(), &args.out) {
        let folder = merge(&args.merge, out)?;
        return finish(args, &folder, None, 0.0);
    }
    let mut folder = open(args)?;
    let interrupt = interrupt::watch()?;
    let clock = Instant::now();
    let failure = work(args, &mut folder, &interrupt)?;
    folder.close(interrupt.reason())?;
    finish(args, &folder, interrupt.reason(), clock.elapsed().as_secs_f64())?;
    let status = folder.status();
    if interrupt.has_come() {
        let done = format!("{} of {} rows done", status.done, status.rows);
        let resume = format!("to go on: bristle sweep --resume {}", folder.path().display());
        return Err(interrupt.error(format!("{done}; {resume}")));
    }
    match failure {
        Some((index, reason)) if args.stop_on_error => Err(Error::Row { index, reason }),
        Some((index, reason)) if status.failed == status.rows => Err(Error::EveryRow { index, reason }),
        _ => Ok(()),
    }
}

fn open(args: &Args) -> Result<Folder, Error> {
    if let Some(path) = &args.resume {
        return Ok(Folder::resume(path)?);
    }
    let file = args.scene.clone().unwrap_or_default();
    let source = Source {
        text: Scene::merged(&file, Access::Folder)?,
        file: file.display().to_string(),
        overrides: args.overrides.clone(),
    };
    let seed = args.seed.unwrap_or(0);
    let (sampling, variations) = match (&args.list, args.random, args.sobol) {
        (Some(list), ..) => (Sampling::List, read_list(&read(list)?, &list.display().to_string())?),
        (None, Some(rows), _) => (Sampling::Random { rows, seed }, parse(&args.vary)?),
        (None, None, Some(rows)) => (Sampling::Sobol { rows, seed }, parse(&args.vary)?),
        (None, None, None) => (Sampling::Grid, parse(&args.vary)?),
    };
    let shard = match &args.shard {
        None => Shard::WHOLE,
        Some(text) => Shard::parse(text).ok_or_else(|| Error::Option {
            option: "shard",
            value: text.clone(),
            rule: "i/n with i from 1 to n, e.g. 2/8",
        })?,
    };
    let plan = Plan::new(source, variations, sampling, &args.quantities)?;
    let name = file.file_stem().map_or_else(|| "scene".into(), |n| n.to_string_lossy().to_string());
    let path = args.out.clone().unwrap_or_else(|| Path::new("runs").join(format!("{name}-sweep")));
    Ok(Folder::open(&path, plan, shard)?)
}

fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path)
        .map_err(|error| Error::Read { path: path.to_path_buf(), reason: error.to_string() })
}

fn parse(texts: &[String]) -> Result<Vec<Variation>, Error> {
    Ok(texts.iter().map(|text| Variation::parse(text)).collect::<Result<_, _>>()?)
}

/// Computes what is missing. Answers with the first row that failed.
fn work(args: &Args, folder: &mut Folder, interrupt: &Interrupt) -> Result<Option<(usize, String)>, Error> {
    let (missing, status) = (folder.missing(), folder.status());
    if status.done > 0 && !args.json {
        level::note(&format!("{} of {} rows are there already", status.done, status.rows));
    }
    let bar = if level::is_quiet() || args.json {
        ProgressBar::hidden()
    } else {
        progress_bar(status.rows, status.done)
    };
    let threads = args
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let plan = folder.plan().clone();
    let (mut failed, mut first, mut trouble) = (status.failed, None, None);
    compute(&plan, &missing, threads, &|| interrupt.has_come(), |row| {
        let failure = row.outcome.as_ref().err().map(|reason| (row.index, reason.clone()));
        if let Err(error) = folder.push(row) {
            trouble = Some(error);
            return false;
        }
        bar.inc(1);
        if let Some(failure) = failure {
            failed += 1;
            first.get_or_insert(failure);
        }
        bar.set_message(if failed > 0 { format!(", {failed} failed") } else { String::new() });
        !(args.stop_on_error && first.is_some())
    });
    bar.finish_and_clear();
    match trouble {
        Some(error) => Err(error.into()),
        None => Ok(first.or_else(|| first_failure(folder))),
    }
}

fn first_failure(folder: &Folder) -> Option<(usize, String)> {
    folder.rows().find_map(|row| Some((row.index, row.outcome.as_ref().err()?.clone())))
}

fn progress_bar(rows: usize, done: usize) -> ProgressBar {
    let bar = ProgressBar::new(rows as u64);
    let style = ProgressStyle::with_template(
        "{bar:32} {pos} of {len} rows{msg}  {per_sec}, {elapsed} elapsed, {eta} left",
    );
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(done as u64);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The page, and what a person or a program wants to know at the end.
fn finish(args: &Args, folder: &Folder, cut: Option<&str>, seconds: f64) -> Result<(), Error> {
    if !args.no_report {
        save(&folder.path().join("report.html"), page::page(folder).to_html().as_bytes())?;
    }
    let status = folder.status();
    if args.json {
        let mut answer = status.to_json(cut);
        answer["folder"] = json!(folder.path().display().to_string());
        answer["wall_seconds"] = json!(seconds);
        print(&format!("{answer:#}"))?;
    } else {
        print(&format!("{} of {} rows, {} failed, {seconds:.1} s", status.done, status.rows, status.failed))?;
        if let Some((index, reason)) = first_failure(folder) {
            print(&format!("row {index} failed: {reason}"))?;
        }
        if status.done < status.rows && cut.is_none() {
            print(&format!(
                "{} rows are missing: bristle sweep --resume {}",
                status.rows - status.done,
                folder.path().display()
            ))?;
        }
    }
    level::note(&format!("sweep folder: {}", folder.path().display()));
    Ok(())
}
