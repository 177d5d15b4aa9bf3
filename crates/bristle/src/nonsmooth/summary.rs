//! A run of a system as files: series, summary, scene.

use super::run::Run;
use super::system::System;
use crate::output::{Contents, Draft, OutputError, RUN_FORMAT, write_series};
use serde_json::{Map, Value, json};

/// The summary that `summary.json` and `--json` show.
pub fn summary(system: &System, run: &Run) -> Value {
    let states: Map<String, Value> =
        system.states().iter().zip(&run.state.x).map(|(s, x)| (s.name.clone(), json!(x))).collect();
    let at_end = |name: &str| run.recording.column(name).and_then(|c| c.values.last().copied());
    let mut terms = Map::new();
    for (i, contact) in system.contacts().iter().enumerate() {
        let spans = run.pushes.get(i).map_or(&[][..], Vec::as_slice);
        let (largest, least) = run.forces.get(i).copied().unwrap_or_default();
        let value = json!({
            "value": at_end(&contact.name),
            "largest": largest,
            "least": least,
            "episodes": spans.len(),
            "pushing": spans.iter().map(|(start, end)| end - start).sum::<f64>(),
            "alpha": contact.dio.alpha,
        });
        terms.insert(contact.name.clone(), value);
    }
    for (j, friction) in system.frictions().iter().enumerate() {
        let spans = run.slides.get(j).map_or(&[][..], Vec::as_slice);
        let time =
            |slips: bool| -> f64 { spans.iter().filter(|s| s.slips == slips).map(|s| s.end - s.start).sum() };
        let parts: &[&str] = if friction.size == 1 { &[""] } else { &["_x", "_y"] };
        let values: Vec<Option<f64>> =
            parts.iter().map(|part| at_end(&format!("{}{part}", friction.name))).collect();
        let ways: Vec<Option<f64>> =
            parts.iter().map(|part| at_end(&format!("{}.way{part}", friction.name))).collect();
        let flat = |list: Vec<Option<f64>>| if list.len() == 1 { json!(list[0]) } else { json!(list) };
        let value = json!({
            "value": flat(values),
            "way": flat(ways),
            "sticking": time(false),
            "slipping": time(true),
            "slips": spans.iter().filter(|s| s.slips).count(),
        });
        terms.insert(friction.name.clone(), value);
    }
    let lost: Map<String, Value> =
        system.term_names().zip(&run.last.lost).map(|(name, x)| (name.to_string(), json!(x))).collect();
    json!({
        "format": RUN_FORMAT,
        "version": env!("CARGO_PKG_VERSION"),
        "time": run.state.t,
        "cut": run.cut.is_some(),
        "cut_reason": run.cut,
        "states": states,
        "terms": terms,
        "energy": {
            "initial": run.initial.mechanical(),
            "final": run.last.mechanical(),
            "states": run.last.states,
            "proxies": run.last.stored.iter().sum::<f64>(),
            "lost": lost,
            "work": run.last.work,
            "in_play": run.in_play,
            "closure_max": run.closure,
            "closure_relative": run.closure.map(|c| c / run.in_play.max(f64::MIN_POSITIVE)),
        },
        "steps": run.stats.steps,
        "rejected": run.stats.rejected,
        "evaluations": run.stats.evaluations,
        "events": run.stats.events,
        "samples": run.recording.len(),
        "wall_seconds": run.wall_seconds,
    })
}

/// Writes `series.parquet`, `summary.json` and `scene.toml` into a draft.
pub fn write(draft: &Draft, contents: &Contents<'_>, system: &System, run: &Run) -> Result<(), OutputError> {
    write_series(draft, contents, &run.recording)?;
    draft.file("summary.json", format!("{:#}\n", summary(system, run)).as_bytes())?;
    draft.file("scene.toml", contents.scene.as_bytes())
}
