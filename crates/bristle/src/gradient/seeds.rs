//! How the numbers of a model and of its start change with a key of the scene.
//!
//! The numbers are smooth, short formulas of what the scene says: a stiffness is itself, an inertia is a mass times a square.
//! So their slopes are taken by differences of the model, not of the motion:
//!
//! ```text
//! dn/dk = (8 (n₊₁ − n₋₁) − (n₊₂ − n₋₂)) / 12 h        n₊ⱼ: the number in a scene with the key at k + j h, h = 1e-3 |k|
//! ```
//! Truncation is about 1e-12 of the slope for powers and products, rounding 1e-13. A kink shows in second differences,
//! which grow with the step there and with its square elsewhere.

use super::error::GradientError;
use crate::build::{Prepared, prepare};
use crate::scene::Scene;
use crate::sweep::{self, Source};
use crate::world::LiftError;

/// Steps to try, relative to the value: shorter ones where a bound of the key is near.
const STEPS: [f64; 3] = [1e-3, 1e-5, 1e-7];
/// Second differences over two steps are four times those over one; at a kink, twice.
const KINK: f64 = 0.1;
/// Roundings of a number that took a few operations.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A scene, ready to run, and all its numbers.
pub(super) struct Base {
    pub(super) scene: Scene,
    pub(super) prepared: Prepared,
    numbers: Vec<f64>,
}

/// A key, its value, and the slopes of all numbers over it.
pub(super) struct Key {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) unit: &'static str,
    /// A step that the scene allows to both sides, twice over.
    pub(super) step: f64,
    pub(super) slopes: Vec<f64>,
}

impl Key {
    /// What a relative change is relative to: one unit where the value is zero.
    pub(super) fn size(&self) -> f64 {
        size(self.value)
    }
}

fn size(value: f64) -> f64 {
    if value == 0.0 { 1.0 } else { value.abs() }
}

impl Base {
    pub(super) fn new(source: &Source) -> Result<Self, GradientError> {
        let scene = Scene::parse_again(&source.text, &source.file, &source.overrides)?;
        let prepared = prepare(&scene)?;
        let numbers = numbers(&prepared)?;
        Ok(Self { scene, prepared, numbers })
    }

    /// The slopes of all numbers over a key.
    pub(super) fn key(&self, source: &Source, name: &str) -> Result<Key, GradientError> {
        let wrong = |reason: String| GradientError::Key { key: name.to_string(), reason };
        let value =
            value(&self.scene, name).ok_or_else(|| wrong("it is no number written in the scene".into()))?;
        let mut refusal = None;
        for step in STEPS.map(|step| step * size(value)) {
            match self.around(source, name, value, step) {
                Ok(around) => {
                    let slopes = self.slopes(&around, step).map_err(wrong)?;
                    let unit = sweep::of_key(&self.scene, name);
                    return Ok(Key { name: name.to_string(), value, unit, step, slopes });
                }
                Err(error) => _ = refusal.get_or_insert(error),
            }
        }
        let reason = refusal.map_or_else(String::new, |error| error.to_string());
        Err(wrong(format!("the scene must allow values on both sides of {value}; {reason}")))
    }

    /// All numbers at −2, −1, 1 and 2 steps from the value.
    fn around(
        &self,
        source: &Source,
        name: &str,
        value: f64,
        step: f64,
    ) -> Result<[Result<Vec<f64>, String>; 4], GradientError> {
        let mut found = [const { Ok(Vec::new()) }; 4];
        for (slot, j) in found.iter_mut().zip([-2.0, -1.0, 1.0, 2.0]) {
            let moved = prepared_at(source, name, value + j * step)?;
            *slot = if moved.options != self.prepared.options {
                Err("it changes how the run is made, not what is simulated".to_string())
            } else {
                Ok(numbers(&moved)?)
            };
        }
        Ok(found)
    }

    fn slopes(&self, around: &[Result<Vec<f64>, String>; 4], step: f64) -> Result<Vec<f64>, String> {
        let [a, b, c, d] = around;
        let (a, b, c, d) = (a.as_ref()?, b.as_ref()?, c.as_ref()?, d.as_ref()?);
        if [a, b, c, d].iter().any(|n| n.len() != self.numbers.len()) {
            return Err("it changes what the model is made of, such as which shapes are alike".to_string());
        }
        let mut slopes = Vec::with_capacity(a.len());
        for (i, &here) in self.numbers.iter().enumerate() {
            let (a, b, c, d) = (a[i], b[i], c[i], d[i]);
            if [a, b, c, d].iter().all(|n| *n == here) {
                slopes.push(0.0);
                continue;
            }
            let (one, two) = (b + c - 2.0 * here, a + d - 2.0 * here);
            let noise = ROUNDING * [a, b, c, d].iter().fold(here.abs(), |m, n| m.max(n.abs()));
            if (two - 4.0 * one).abs() > KINK * two.abs() + 8.0 * noise {
                return Err(format!("a number of the model has a kink there (at {here})"));
            }
            slopes.push((8.0 * (c - b) - (d - a)) / (12.0 * step));
        }
        if slopes.iter().all(|slope| *slope == 0.0) {
            return Err(
                "no number of the model or of its start that carries derivatives depends on it".to_string()
            );
        }
        Ok(slopes)
    }
}

/// The scene with a key at another value, ready to run.
pub(super) fn prepared_at(source: &Source, name: &str, value: f64) -> Result<Prepared, GradientError> {
    let mut overrides = source.overrides.clone();
    overrides.push(format!("{name}={value:?}"));
    Ok(prepare(&Scene::parse_again(&source.text, &source.file, &overrides)?)?)
}

/// All numbers of a model in the order of [`Model::lift`](crate::world::Model::lift), then those of its start.
fn numbers(prepared: &Prepared) -> Result<Vec<f64>, LiftError> {
    let mut numbers = Vec::new();
    prepared.model.lift(&mut |x| {
        numbers.push(x);
        x
    })?;
    numbers.extend(prepared.q.iter().chain(&prepared.v));
    Ok(numbers)
}

/// The number at a key, as the scene has it with all overrides and formulas applied.
fn value(scene: &Scene, key: &str) -> Option<f64> {
    if let Some(name) = key.strip_prefix("parameters.") {
        return scene.parameters.iter().find(|(known, _)| known == name.trim_matches('"')).map(|(_, x)| *x);
    }
    let tree: toml::Table = scene.text().parse().ok()?;
    let tree = serde_json::to_value(tree).ok()?;
    sweep::find(&tree, &sweep::parse(key)?)?.as_f64()
}
