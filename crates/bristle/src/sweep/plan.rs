//! A plan: everything that the rows of a sweep follow from.

use super::list::{read_list, write_list};
use super::quantity::{Quantity, choose};
use super::sample::Sampling;
use super::subject::Subject;
use super::units::of_key;
use super::vary::Variation;
use super::{MAX_ROWS, SOBOL_DIMENSIONS, SweepError};
use crate::output::SWEEP_FORMAT;
use crate::scene::{Scene, SceneErrors};
use serde_json::{Value, json};

/// The scene of a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its text.
    pub text: String,
    /// Its file, for messages.
    pub file: String,
    /// Changes that hold for every row, as in `--set`.
    pub overrides: Vec<String>,
}

/// Which runs a sweep has and what is kept of each.
#[derive(Debug, Clone)]
pub struct Plan {
    source: Source,
    variations: Vec<Variation>,
    sampling: Sampling,
    quantities: Vec<Quantity>,
    key_units: Vec<&'static str>,
    rows: usize,
}

/// A column of the table of a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name: the key, or the path of the quantity. A quantity that has the name of a varied key is called `end.KEY`.
    pub name: String,
    /// Unit, `1` for pure numbers, empty if unknown.
    pub unit: &'static str,
    /// Whether all its values are numbers.
    pub is_numeric: bool,
    /// Whether its values are even in the logarithm.
    pub is_log: bool,
}

/// Rows that are tried before a sweep is refused because none can be built.
const TRIES: usize = 200;

impl Plan {
    /// Checks that variations, scene and quantities fit together. Without quantities some are chosen.
    pub fn new(
        source: Source,
        variations: Vec<Variation>,
        sampling: Sampling,
        quantities: &[String],
    ) -> Result<Self, SweepError> {
        for (i, v) in variations.iter().enumerate() {
            if variations[..i].iter().any(|other| other.key == v.key) {
                return Err(SweepError::Twice { key: v.key.clone() });
            }
        }
        let rows = count(&variations, sampling)?;
        let mut plan =
            Self { source, variations, sampling, quantities: Vec::new(), key_units: Vec::new(), rows };
        let (scene, subject) = plan.first_that_builds()?;
        plan.key_units = plan.variations.iter().map(|v| of_key(&scene, &v.key)).collect();
        plan.quantities = choose(quantities, &subject)?;
        Ok(plan)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// What is varied.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// What is kept of each run.
    pub fn quantities(&self) -> &[Quantity] {
        &self.quantities
    }

    /// How rows are spread.
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// The scene.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The values of a row, one per variation, as `--set` takes them.
    pub fn values(&self, index: usize) -> Vec<String> {
        let mut rest = index;
        let mut values: Vec<String> = Vec::with_capacity(self.variations.len());
        for (dimension, variation) in self.variations.iter().enumerate().rev() {
            values.push(match self.sampling {
                Sampling::Grid => {
                    let count = variation.len().unwrap_or(1).max(1);
                    let at = rest % count;
                    rest /= count;
                    variation.at(at)
                }
                Sampling::List => variation.at(index),
                sampling => variation.at_share(sampling.share(index, dimension)),
            });
        }
        values.reverse();
        values
    }

    /// Columns of the varied values.
    pub fn inputs(&self) -> Vec<Column> {
        let column = |(v, unit): (&Variation, &&'static str)| Column {
            name: v.key.clone(),
            unit,
            is_numeric: v.is_numeric(),
            is_log: v.is_log(),
        };
        self.variations.iter().zip(&self.key_units).map(column).collect()
    }

    /// Columns of the results.
    pub fn outputs(&self) -> Vec<Column> {
        let column = |q: &Quantity| {
            let is_key = self.variations.iter().any(|v| v.key == q.name());
            let name = if is_key { format!("end.{}", q.name()) } else { q.name().to_string() };
            Column { name, unit: q.unit(), is_numeric: true, is_log: false }
        };
        self.quantities.iter().map(column).collect()
    }

    /// The scene of a row.
    pub fn scene(&self, index: usize) -> Result<Scene, SceneErrors> {
        let mut overrides = self.source.overrides.clone();
        let values = self.values(index);
        overrides.extend(self.variations.iter().zip(values).map(|(v, value)| format!("{}={value}", v.key)));
        Scene::parse_again(&self.source.text, &self.source.file, &overrides)
    }

    fn first_that_builds(&self) -> Result<(Scene, Subject), SweepError> {
        let tries = self.rows.min(TRIES);
        let mut reason = None;
        for index in (0..tries).map(|i| i * self.rows / tries) {
            match self.scene(index).and_then(|scene| Subject::of(&scene).map(|s| (scene, s))) {
                Ok(found) => return Ok(found),
                Err(error) => _ = reason.get_or_insert((index, error)),
            }
        }
        Err(match reason {
            Some((index, error)) => SweepError::NoRow { index, error: Box::new(error) },
            None => SweepError::NoVariation,
        })
    }

    /// The plan as kept in `sweep.json`: all that decides what the rows are.
    pub(super) fn to_json(&self) -> Value {
        let texts: Vec<String> = match self.sampling {
            Sampling::List => self.variations.iter().map(|v| v.key.clone()).collect(),
            _ => self.variations.iter().map(ToString::to_string).collect(),
        };
        let sampling = match self.sampling {
            Sampling::Grid => json!({ "kind": "grid" }),
            Sampling::List => json!({ "kind": "list", "hash": hash(&self.list().unwrap_or_default()) }),
            Sampling::Random { rows, seed } => json!({ "kind": "random", "rows": rows, "seed": seed }),
            Sampling::Sobol { rows, seed } => json!({ "kind": "sobol", "rows": rows, "seed": seed }),
        };
        json!({
            "format": SWEEP_FORMAT,
            "version": env!("CARGO_PKG_VERSION"),
            "scene": { "file": self.source.file, "hash": hash(&self.source.text), "set": self.source.overrides },
            "sampling": sampling,
            "variations": texts,
            "quantities": self.quantities.iter().map(Quantity::name).collect::<Vec<_>>(),
            "rows": self.rows,
        })
    }

    /// The inverse of [`to_json`](Self::to_json); `None` if the value is no plan.
    pub(super) fn from_json(plan: &Value, scene: String, list: &str) -> Option<Result<Self, SweepError>> {
        let texts = |value: &Value| -> Option<Vec<String>> {
            value.as_array()?.iter().map(|v| v.as_str().map(str::to_string)).collect()
        };
        let whole = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
        let sampling = &plan["sampling"];
        let seed = sampling["seed"].as_u64().unwrap_or(0);
        let sampling = match sampling["kind"].as_str()? {
            "grid" => Sampling::Grid,
            "list" => Sampling::List,
            "random" => Sampling::Random { rows: whole(&sampling["rows"])?, seed },
            "sobol" => Sampling::Sobol { rows: whole(&sampling["rows"])?, seed },
            _ => return None,
        };
        let file = plan["scene"]["file"].as_str()?.to_string();
        let source = Source { text: scene, file, overrides: texts(&plan["scene"]["set"])? };
        let variations = match sampling {
            Sampling::List => read_list(list, "list.csv"),
            _ => texts(&plan["variations"])?.iter().map(|text| Variation::parse(text)).collect(),
        };
        let quantities = texts(&plan["quantities"])?;
        Some(variations.and_then(|variations| Self::new(source, variations, sampling, &quantities)))
    }

    /// The rows of a list sweep as CSV.
    pub(super) fn list(&self) -> Option<String> {
        (self.sampling == Sampling::List).then(|| write_list(&self.variations))
    }
}

/// What differs between two plans as kept in `sweep.json`, in words; `None` if nothing that matters.
pub(super) fn difference(was: &Value, is: &Value) -> Option<String> {
    if was["scene"]["hash"] != is["scene"]["hash"] {
        return Some("the scene file has changed".to_string());
    }
    let parts = [
        ("version of Bristle", &was["version"], &is["version"]),
        ("--set", &was["scene"]["set"], &is["scene"]["set"]),
        ("kind of sweep", &was["sampling"], &is["sampling"]),
        ("variations", &was["variations"], &is["variations"]),
        ("quantities", &was["quantities"], &is["quantities"]),
        ("rows", &was["rows"], &is["rows"]),
        ("shard", &was["shard"], &is["shard"]),
    ];
    let (name, was, is) = parts.into_iter().find(|(_, was, is)| was != is)?;
    Some(format!("{name} there {was}, now {is}"))
}

fn count(variations: &[Variation], sampling: Sampling) -> Result<usize, SweepError> {
    if variations.is_empty() {
        return Err(SweepError::NoVariation);
    }
    let rule = |v: &Variation, rule| SweepError::Variation { text: v.to_string(), rule };
    let is_counted = |v: &&Variation| matches!(v.values, super::Values::Range { count: Some(_), .. });
    let size = |rows: Option<usize>, text: String| {
        rows.filter(|n| (1..=MAX_ROWS).contains(n)).ok_or(SweepError::Size { rows: text })
    };
    match sampling {
        Sampling::Grid => {
            if let Some(v) = variations.iter().find(|v| v.len().is_none()) {
                return Err(rule(v, "KEY=START:STOP:COUNT or KEY=a,b,c on a grid"));
            }
            let counts: Vec<usize> = variations.iter().filter_map(Variation::len).collect();
            let rows = counts.iter().try_fold(1_usize, |n, count| n.checked_mul(*count));
            let text: Vec<String> = counts.iter().map(ToString::to_string).collect();
            size(rows, text.join(" × "))
        }
        Sampling::List => {
            let rows = variations[0].len().unwrap_or(0);
            size(Some(rows), rows.to_string())
        }
        Sampling::Random { rows, .. } | Sampling::Sobol { rows, .. } => {
            if let Some(v) = variations.iter().find(is_counted) {
                return Err(rule(v, "KEY=START:STOP, without COUNT: --random and --sobol say how many"));
            }
            if matches!(sampling, Sampling::Sobol { .. }) && variations.len() > SOBOL_DIMENSIONS {
                return Err(SweepError::Sobol { limit: SOBOL_DIMENSIONS, given: variations.len() });
            }
            size(Some(rows), rows.to_string())
        }
    }
}

/// FNV-1a of 64 bits: enough to notice that a file has changed.
fn hash(text: &str) -> String {
    let step = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}
