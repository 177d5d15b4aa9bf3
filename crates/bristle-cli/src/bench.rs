//! `bristle bench`: error against cost of every integrator on scenes.

use crate::error::Error;
use crate::interrupt::{self, Interrupt};
use crate::level;
use crate::output::{Cell, Output, Sheet};
use bristle::precision::{Options, Study, StudyError, study};
use bristle::scene::{Access, Method, Scene};
use bristle_report::{Axis, Curve, Page, Plot};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str = "Examples:
  bristle bench                                                # four scenes that come with the program
  bristle bench scenes/quadruped_drop.toml --duration 0.3 --html bench.html
  bristle bench my_scene.toml --methods dopri5,rodas4 --limit 60

The error is the largest difference of any position from the tightest run, over the typical size of that position, at 200
times. Times are the least of up to five runs, without recording. A run that fails or takes too long is listed with its
reason. Ctrl-C ends it without results. See docs/integrators.md.";

/// Scenes that are run if none is given, and for how long, s: short enough that motion which forgets its start has not done so.
const SHIPPED: [(&str, &str, f64); 4] = [
    ("rolling_sphere", include_str!("../../../scenes/rolling_sphere.toml"), 1.0),
    ("double_pendulum", include_str!("../../../scenes/double_pendulum.toml"), 0.5),
    ("bowden_leben_slow", include_str!("../../../scenes/bowden_leben_slow.toml"), 2.0),
    ("slider_crank_clearance", include_str!("../../../scenes/slider_crank_clearance.toml"), 0.02),
];

#[derive(clap::Args)]
pub struct Args {
    /// Scene files [default: four shipped ones]
    #[arg(value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Simulated time, s [default: that of the scene]
    #[arg(long, value_name = "S")]
    duration: Option<f64>,
    /// Integrators to compare [default: all of them]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    methods: Vec<String>,
    /// Longest time of one run on the clock, s; the reference may take four times as long
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    limit: f64,
    /// Change a value of every scene; repeat
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    #[command(flatten)]
    output: Output,
}

pub fn run(args: &Args) -> Result<(), Error> {
    for (option, value) in [("duration", args.duration), ("limit", Some(args.limit))] {
        if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
            return Err(Error::Option { option, value: value.to_string(), rule: "positive and finite (s)" });
        }
    }
    let methods = methods(&args.methods)?;
    let scenes = scenes(args)?;
    let interrupt = interrupt::watch()?;
    let mut found = Vec::new();
    for (name, scene, duration) in &scenes {
        let prepared = bristle::prepare(scene)?;
        let options = Options { duration: *duration, methods: methods.clone(), limit: args.limit };
        found.push((name.as_str(), measure(args, name, &prepared, &options, &interrupt)?));
    }
    let sheets: Vec<Sheet> = found.iter().map(|(name, study)| sheet(name, study)).collect();
    let mut all = Sheet::new("All runs", &COLUMNS);
    sheets.iter().for_each(|sheet| all.rows.extend(sheet.rows.iter().cloned()));
    let shown: Vec<&Sheet> = sheets.iter().collect();
    let series = match sheets.as_slice() {
        [only] => only,
        _ => &all,
    };
    args.output.write(&shown, series, || page(&found, &sheets))
}

/// Adaptive and fixed-step methods by name; all if none is named.
fn methods(named: &[String]) -> Result<Vec<&'static str>, Error> {
    let known = || Method::NAMES.iter().filter(|(_, method)| *method != Method::Auto).map(|(name, _)| *name);
    if named.is_empty() {
        return Ok(known().collect());
    }
    let one = |name: &String| {
        known().find(|k| k == name).ok_or_else(|| Error::UnknownMethod {
            name: name.clone(),
            known: known().collect::<Vec<_>>().join(", "),
        })
    };
    named.iter().map(one).collect()
}

/// Name, scene and simulated time (s) of each.
fn scenes(args: &Args) -> Result<Vec<(String, Scene, f64)>, Error> {
    if args.scenes.is_empty() {
        let shipped = SHIPPED.iter().map(|(name, text, duration)| {
            let scene = Scene::parse(text, &format!("{name}.toml"), &args.overrides)?;
            Ok((name.to_string(), scene, args.duration.unwrap_or(*duration)))
        });
        return shipped.collect();
    }
    let given = args.scenes.iter().map(|path| {
        let scene = Scene::load_with(path, &args.overrides, Access::Folder)?;
        if scene.nonsmooth.is_some() {
            return Err(Error::NoWorld { path: path.clone() });
        }
        let duration = args.duration.unwrap_or(scene.simulation.duration);
        let name = path.file_stem().map_or_else(|| "scene".into(), |n| n.to_string_lossy().to_string());
        Ok((name, scene, duration))
    });
    given.collect()
}

fn measure(
    args: &Args,
    name: &str,
    prepared: &bristle::Prepared,
    options: &Options,
    interrupt: &Interrupt,
) -> Result<Study, Error> {
    let bar = if level::is_quiet() || args.output.json { ProgressBar::hidden() } else { progress_bar(name) };
    let found = study(prepared, options, |done, of| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
        !interrupt.has_come()
    });
    bar.finish_and_clear();
    found.map_err(|error| match error {
        StudyError::Stopped => interrupt.error("nothing is kept".to_string()),
        other => Error::Study { scene: name.to_string(), error: other },
    })
}

fn progress_bar(name: &str) -> ProgressBar {
    let bar = ProgressBar::new(1);
    let style = ProgressStyle::with_template("{bar:32} {msg}: {pos} of {len} settings  {elapsed} elapsed");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(name.to_string());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

const COLUMNS: [(&str, &str); 11] = [
    ("scene", ""),
    ("method", ""),
    ("rtol", ""),
    ("step", "s"),
    ("error", ""),
    ("time", "s"),
    ("steps", ""),
    ("rejected", ""),
    ("evaluations", ""),
    ("events", ""),
    ("failure", ""),
];

fn sheet(name: &str, study: &Study) -> Sheet {
    let Study { duration, length, reference, doubt, .. } = study;
    let caption = format!(
        "{name}, {duration} s; error / {length:.3e} m or 1 rad; reference {} {:e} ± {doubt:.1e}",
        reference.method,
        reference.rtol.unwrap_or(0.0),
    );
    let mut sheet = Sheet::new(&caption, &COLUMNS);
    for point in &study.points {
        let setting = &point.setting;
        let mut row: Vec<Cell> =
            vec![name.into(), setting.method.into(), setting.rtol.into(), setting.step.into()];
        match &point.cost {
            Some(cost) => {
                row.extend([cost.error.into(), cost.seconds.into()]);
                let stats = &cost.stats;
                let counts = [stats.steps, stats.rejected, stats.evaluations, stats.events];
                row.extend(counts.map(Cell::Count));
            }
            None => row.extend((0..6).map(|_| Cell::Empty)),
        }
        row.push(point.failure.clone().map_or(Cell::Empty, Cell::Text));
        sheet.push(row);
    }
    sheet
}

fn page(found: &[(&str, Study)], sheets: &[Sheet]) -> Page {
    let mut page = Page::new("Error against cost")
        .lead("Every integrator at several tolerances or steps; further down and to the left is better.");
    for ((name, study), sheet) in found.iter().zip(sheets) {
        page = page.heading(*name).plot(plot(name, study)).table(sheet.to_report());
    }
    page
}

fn plot(name: &str, study: &Study) -> Plot {
    let title = format!("{name}, {} s simulated", study.duration);
    let mut plot =
        Plot::new(title, Axis::log("time on the clock", "s"), Axis::log("error, in typical sizes", ""));
    let mut methods: Vec<&str> = Vec::new();
    for point in &study.points {
        if !methods.contains(&point.setting.method) {
            methods.push(point.setting.method);
        }
    }
    for method in methods {
        let own = study.points.iter().filter(|p| p.setting.method == method).filter_map(|p| p.cost);
        // what is below the doubt of the reference, or far beyond its size, says nothing
        let told = own.filter(|cost| cost.error > study.doubt && cost.error > 0.0 && cost.error < 1e2);
        let points: Vec<(f64, f64)> = told.map(|cost| (cost.seconds, cost.error)).collect();
        if !points.is_empty() {
            plot = plot.curve(Curve::new(method, points).line_and_points());
        }
    }
    plot.note(format!("errors below {:.1e}, the doubt of the reference, are left out", study.doubt))
}
