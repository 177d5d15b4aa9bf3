//! A run as files: series, impacts and summary, written beside their place and moved there whole.

use crate::episode::Episode;
use crate::record::Recording;
use crate::run::Run;
use crate::world::{Model, WORLD_ACCOUNTS, World};
use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use bristle_ode::System;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a run could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A file or folder.
    #[error("cannot write {}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The table of samples.
    #[error("cannot write {}: {reason}", path.display())]
    Table {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// What goes into a run folder besides the numbers.
#[derive(Debug, Clone, Copy)]
pub struct Folder<'a> {
    /// Where it goes.
    pub path: &'a Path,
    /// The scene as it was run.
    pub scene: &'a str,
    /// Whether to write the series as CSV too.
    pub csv: bool,
    /// The page about the run, for `report.html`.
    pub report: Option<&'a str>,
}

/// Writes `series.parquet`, `impacts.csv`, `summary.json`, `scene.toml` and what else is asked for to a folder, all or
/// nothing.
pub fn write(folder: &Folder<'_>, model: &Model, run: &Run) -> Result<(), OutputError> {
    let target = folder.path;
    let name = target.file_name().map_or_else(|| "run".into(), |n| n.to_string_lossy().to_string());
    let temporary = target.with_file_name(format!(".{name}.{}", std::process::id()));
    let fail = |path: &Path| {
        let path = path.to_path_buf();
        move |source: std::io::Error| OutputError::File { path, source }
    };
    let attempt = || -> Result<(), OutputError> {
        std::fs::create_dir_all(&temporary).map_err(fail(&temporary))?;
        series_parquet(&run.recording, &temporary.join("series.parquet"))?;
        let text = |file: &str, text: String| {
            let path = temporary.join(file);
            std::fs::write(&path, text).map_err(fail(&path))
        };
        text("impacts.csv", impacts_csv(&run.episodes))?;
        text("summary.json", format!("{:#}\n", summary(model, run)))?;
        text("scene.toml", folder.scene.to_string())?;
        if let Some(page) = folder.report {
            text("report.html", page.to_string())?;
        }
        if folder.csv {
            series_csv(&run.recording, &temporary.join("series.csv"))?;
        }
        if target.exists() {
            std::fs::remove_dir_all(target).map_err(fail(target))?;
        }
        std::fs::rename(&temporary, target).map_err(fail(target))
    };
    attempt().inspect_err(|_| {
        let _ = std::fs::remove_dir_all(&temporary);
    })
}

/// Columns of doubles; the unit of each is its metadata `unit`.
fn series_parquet(recording: &Recording, path: &Path) -> Result<(), OutputError> {
    let fields = recording
        .columns
        .iter()
        .map(|c| Field::new(&c.name, DataType::Float64, false).with_metadata([("unit", c.unit)]));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let arrays = recording.columns.iter().map(|c| Arc::new(Float64Array::from(c.values.clone())) as ArrayRef);
    let table = |reason: String| OutputError::Table { path: path.to_path_buf(), reason };
    let arrow = |e: ArrowError| table(e.to_string());
    let parquet = |e: ParquetError| table(e.to_string());
    let batch = RecordBatch::try_new(schema.clone(), arrays.collect()).map_err(arrow)?;
    let file = std::fs::File::create(path)
        .map_err(|source| OutputError::File { path: path.to_path_buf(), source })?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(file, schema, Some(properties)).map_err(parquet)?;
    writer.write(&batch).map_err(parquet)?;
    writer.close().map_err(parquet)?;
    Ok(())
}

fn series_csv(recording: &Recording, path: &Path) -> Result<(), OutputError> {
    let fail = |source| OutputError::File { path: path.to_path_buf(), source };
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).map_err(fail)?);
    let head: Vec<String> = recording.columns.iter().map(|c| format!("{} ({})", c.name, c.unit)).collect();
    writeln!(file, "{}", head.join(",")).map_err(fail)?;
    for row in 0..recording.len() {
        let cells: Vec<String> = recording.columns.iter().map(|c| c.values[row].to_string()).collect();
        writeln!(file, "{}", cells.join(",")).map_err(fail)?;
    }
    file.flush().map_err(fail)
}

fn impacts_csv(episodes: &[Episode]) -> String {
    let mut text = String::from(
        "pair,patch,start (s),end (s),speed_in (m/s),speed_out (m/s),restitution,restitution_poisson,restitution_energetic,\
         peak_force (N),peak_force_time (s),peak_depth (m),peak_depth_time (s),stick (s),slip (s),slip_intervals",
    );
    for account in &WORLD_ACCOUNTS[..6] {
        text += &format!(",lost_{account} (J)");
    }
    text.push('\n');
    let number = |x: f64| if x.is_finite() { x.to_string() } else { String::new() };
    for e in episodes {
        let spent = |slips: bool| -> f64 {
            e.spans.iter().filter(|s| s.slips == slips).map(|s| s.end - s.start).sum()
        };
        let slips: Vec<String> =
            e.spans.iter().filter(|s| s.slips).map(|s| format!("{}:{}", s.start, s.end)).collect();
        let mut cells = vec![e.pair.clone(), e.patch.to_string(), e.start.to_string()];
        cells.push(e.end.map_or(String::new(), |t| t.to_string()));
        let has_end = |x: f64| if e.end.is_some() { number(x) } else { String::new() };
        cells.extend([number(e.speed_in), has_end(e.speed_out), has_end(e.newton()), has_end(e.poisson)]);
        cells.extend([has_end(e.energetic), number(e.peak_force.0), number(e.peak_force.1)]);
        cells.extend([
            number(e.peak_depth.0),
            number(e.peak_depth.1),
            number(spent(false)),
            number(spent(true)),
        ]);
        cells.push(slips.join(" "));
        cells.extend(e.losses.map(number));
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

/// The summary that `summary.json` and `--json` show.
pub fn summary(model: &Model, run: &Run) -> Value {
    let world = World::new(model);
    let mut ws = world.scratch();
    let kin = world.kinematics(run.state.t, &run.state.x, &mut ws);
    let list = |v: &bristle_math::Vector3<f64>| json!([v.x, v.y, v.z]);
    let bodies: Map<String, Value> = model
        .bodies
        .iter()
        .map(|b| {
            let (pose, twist) = (&kin.poses[b.link], &kin.twists[b.link]);
            let q = pose.rotation.quaternion();
            let value = json!({
                "position": list(&pose.translation.vector),
                "velocity": list(&twist.linear),
                "orientation": [q.w, q.i, q.j, q.k],
                "angular_velocity": list(&twist.angular),
            });
            (b.name.clone(), value)
        })
        .collect();
    let e = &run.last;
    let mut accounts = Map::new();
    for (name, value) in [
        ("kinetic", e.kinetic),
        ("gravity", e.gravity),
        ("elastic_normal", e.elastic_normal),
        ("elastic_tangential", e.elastic_tangential),
        ("springs", e.springs),
    ] {
        accounts.insert(name.to_string(), json!(value));
    }
    for (name, value) in WORLD_ACCOUNTS.iter().zip(e.lost.iter().chain([&e.work])) {
        accounts.insert((*name).to_string(), json!(value));
    }
    let mechanical = |e: &crate::world::Energy| {
        e.kinetic + e.gravity + e.elastic_normal + e.elastic_tangential + e.springs
    };
    let mut contacts: Map<String, Value> = Map::new();
    for episode in &run.episodes {
        let entry = contacts
            .entry(episode.pair.clone())
            .or_insert_with(|| json!({ "episodes": 0, "peak_force": 0.0, "peak_depth": 0.0 }));
        let larger = |key: &str, value: f64| entry[key].as_f64().unwrap_or(0.0).max(value);
        let (force, depth) =
            (larger("peak_force", episode.peak_force.0), larger("peak_depth", episode.peak_depth.0));
        *entry = json!({
            "episodes": entry["episodes"].as_u64().unwrap_or(0) + 1,
            "peak_force": force,
            "peak_depth": depth,
        });
    }
    let impacts: Vec<Value> = run.episodes.iter().map(|e| impact(e, &list)).collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "time": run.state.t,
        "bodies": bodies,
        "energy": {
            "initial": mechanical(&run.initial),
            "final": mechanical(&run.last),
            "accounts": accounts,
            "in_play": run.in_play,
            "closure_max": run.closure,
            "closure_relative": run.closure / run.in_play.max(f64::MIN_POSITIVE),
        },
        "contacts": contacts,
        "impacts": impacts,
        "steps": run.stats.steps,
        "rejected": run.stats.rejected,
        "evaluations": run.stats.evaluations,
        "events": run.stats.events,
        "samples": run.recording.len(),
        "wall_seconds": run.wall_seconds,
    })
}

fn impact(e: &Episode, list: &dyn Fn(&bristle_math::Vector3<f64>) -> Value) -> Value {
    let ended = |x: f64| if e.end.is_some() && x.is_finite() { json!(x) } else { Value::Null };
    let spans: Vec<Value> = e
        .spans
        .iter()
        .map(|s| json!({ "start": s.start, "end": s.end, "state": if s.slips { "slip" } else { "stick" } }))
        .collect();
    let losses: Map<String, Value> =
        WORLD_ACCOUNTS.iter().zip(e.losses).map(|(name, loss)| ((*name).to_string(), json!(loss))).collect();
    json!({
        "pair": e.pair,
        "patch": e.patch,
        "start": e.start,
        "end": e.end,
        "duration": e.end.map(|t| t - e.start),
        "v_in": e.speed_in,
        "v_out": ended(e.speed_out),
        "restitution": ended(e.newton()),
        "restitution_poisson": ended(e.poisson),
        "restitution_energetic": ended(e.energetic),
        "peak_force": e.peak_force.0,
        "peak_force_time": e.peak_force.1,
        "peak_depth": e.peak_depth.0,
        "peak_depth_time": e.peak_depth.1,
        "intervals": spans,
        "lost": losses,
        "tangential_velocity": list(&e.sliding),
        "spin": list(&e.spin),
    })
}
