//! What is kept of a run: paths into its summary, checked before the first run.

use super::SweepError;
use super::path::{Step, find, leaves, parse, written};
use super::subject::Subject;
use super::units::of_quantity;
use crate::build::Prepared;
use crate::episode::{Episode, Span};
use crate::output::summary;
use crate::record::Recording;
use crate::run::Run;
use crate::world::{Energy, World};
use bristle_math::Vector3;
use bristle_ode::Stats;
use serde_json::{Value, json};

/// A result of a run: a path into its summary that ends in a number, e.g. `impacts[0].restitution`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    text: String,
    steps: Vec<Step>,
}

impl Quantity {
    /// The path.
    pub fn name(&self) -> &str {
        &self.text
    }

    /// Its unit, `1` if it has none.
    pub fn unit(&self) -> &'static str {
        of_quantity(&self.steps)
    }

    /// The number in a summary; `None` if that run has none, such as the second impact of a run with one. True and
    /// false are 1 and 0.
    pub fn read(&self, summary: &Value) -> Option<f64> {
        let value = find(summary, &self.steps)?;
        value.as_f64().or_else(|| value.as_bool().map(|b| f64::from(u8::from(b))))
    }
}

/// What a sweep does not keep, and why.
const LEFT_OUT: [(&str, &str); 2] = [
    ("wall_seconds", "it has a column of its own in every sweep"),
    ("samples", "a sweep records no samples"),
];

/// Checks paths against what a run of this model can have; chooses some if none are given.
pub(super) fn choose(texts: &[String], subject: &Subject) -> Result<Vec<Quantity>, SweepError> {
    let wrong = |reason| SweepError::Quantity { text: "the summary".to_string(), reason };
    let mut example = subject.example().map_err(wrong)?;
    for (name, _) in LEFT_OUT {
        example[name] = Value::Null;
    }
    let texts = if texts.is_empty() { subject.defaults(&example) } else { texts.to_vec() };
    let mut chosen: Vec<Quantity> = Vec::new();
    for text in &texts {
        let wrong = |reason: String| SweepError::Quantity { text: text.clone(), reason };
        if let Some((_, why)) = LEFT_OUT.iter().find(|(name, _)| name == text) {
            return Err(wrong((*why).to_string()));
        }
        let steps =
            parse(text).ok_or_else(|| wrong("must be a path like impacts[0].restitution".to_string()))?;
        match find(&example, &in_example(&steps)) {
            Some(Value::Number(_) | Value::Bool(_)) => {}
            Some(Value::Null | Value::String(_)) => return Err(wrong("is no number".to_string())),
            Some(_) => {
                return Err(wrong(format!("is no number; there are {}", inside(&example, text, &steps))));
            }
            None if subject.may_have(&steps) => {}
            None => return Err(wrong(format!("unknown; near are {}", nearest(text, &example)))),
        }
        if chosen.iter().any(|q| q.steps == steps) {
            return Err(wrong("is given twice".to_string()));
        }
        chosen.push(Quantity { text: text.trim().to_string(), steps });
    }
    Ok(chosen)
}

/// How a summary looks when everything that can happen has happened once.
pub(super) fn example(prepared: &Prepared) -> Value {
    let world = World::new(&prepared.model);
    let state = world.start(&prepared.q, &prepared.v);
    let episode = |pair: String| Episode {
        pair,
        patch: 0,
        start: 0.0,
        end: Some(1.0),
        speed_in: 1.0,
        speed_out: 1.0,
        poisson: 1.0,
        energetic: 1.0,
        peak_force: (0.0, 0.0),
        peak_depth: (0.0, 0.0),
        spans: vec![Span { start: 0.0, end: 1.0, slips: false }],
        losses: [0.0; 6],
        sliding: Vector3::zeros(),
        spin: Vector3::zeros(),
    };
    let mut pairs: Vec<String> = state.mode.pairs.iter().map(|pair| world.pair_name(pair)).collect();
    pairs.sort();
    pairs.dedup();
    let run = Run {
        recording: Recording::default(),
        film: None,
        episodes: pairs.into_iter().map(episode).collect(),
        initial: Energy::default(),
        last: Energy::default(),
        closure: 0.0,
        in_play: 1.0,
        stats: Stats::default(),
        crowd_steps: 0,
        choice: None,
        cut: None,
        wall_seconds: 0.0,
        state,
    };
    let mut example = summary(&prepared.model, &run);
    if !prepared.model.interactions.is_empty() && run.episodes.is_empty() {
        // a large scene whose bodies are still apart
        let first = summary(&prepared.model, &Run { episodes: vec![episode(String::new())], ..run });
        example["impacts"] = first["impacts"].clone();
    }
    if let Some(impacts) = example["impacts"].as_array_mut() {
        impacts.truncate(1);
    }
    example
}

/// Every impact and every interval looks like the first.
fn in_example(steps: &[Step]) -> Vec<Step> {
    let mut steps = steps.to_vec();
    for i in 1..steps.len() {
        let is_open = matches!(&steps[i - 1], Step::Key(name) if name == "impacts" || name == "intervals");
        if is_open && matches!(steps[i], Step::Index(_)) {
            steps[i] = Step::Index(0);
        }
    }
    steps
}

/// Whether a path speaks of two bodies of a large scene that are not near each other at the start.
pub(super) fn is_far_pair(steps: &[Step], prepared: &Prepared) -> bool {
    let [Step::Key(contacts), Step::Key(pair), Step::Key(what)] = steps else { return false };
    let is_body = |name: &str| prepared.model.bodies.iter().any(|b| b.name == name);
    let is_pair = pair.match_indices('-').any(|(at, _)| is_body(&pair[..at]) && is_body(&pair[at + 1..]));
    let world = World::new(&prepared.model);
    let has_far_pairs = world.start(&prepared.q, &prepared.v).mode.margin.is_finite();
    contacts == "contacts"
        && ["episodes", "peak_force", "peak_depth"].contains(&what.as_str())
        && is_pair
        && has_far_pairs
}

fn inside(example: &Value, text: &str, steps: &[Step]) -> String {
    let table = find(example, &in_example(steps)).unwrap_or(&Value::Null);
    let dot = if table.is_array() { "" } else { "." };
    let all: Vec<String> = leaves(table).iter().map(|leaf| format!("{text}{dot}{leaf}")).collect();
    shortened(&all, 8)
}

/// The three paths that look most like a text.
fn nearest(text: &str, example: &Value) -> String {
    let mut all = leaves(example);
    all.sort_by_key(|path| strsim::osa_distance(text, path));
    shortened(&all[..all.len().min(3)], 3)
}

fn shortened(all: &[String], limit: usize) -> String {
    let shown = all.iter().take(limit).cloned().collect::<Vec<_>>().join(", ");
    if all.len() > limit { format!("{shown}, …") } else { shown }
}

/// What most people want to see.
pub(super) fn defaults(prepared: &Prepared, example: &Value) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    if example["impacts"] != json!([]) {
        texts.extend(["restitution", "peak_force", "peak_depth"].map(|name| format!("impacts[0].{name}")));
    }
    for body in prepared.model.bodies.iter().filter(|b| b.is_movable).take(3) {
        texts.extend((0..3).map(|i| format!("bodies.{}.position[{i}]", written(&body.name))));
    }
    texts.extend(["energy.final", "energy.closure_relative", "steps"].map(str::to_string));
    texts
}
