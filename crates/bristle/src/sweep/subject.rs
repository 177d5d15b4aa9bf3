//! What a row runs: bodies, or a system of formulas.

use super::path::{Step, written};
use super::quantity;
use crate::build::{Prepared, prepare};
use crate::nonsmooth::{self, Runner};
use crate::output::summary;
use crate::run::{RunOptions, run};
use crate::scene::{Scene, SceneErrors};
use serde_json::Value;

/// A scene that is ready to run.
pub(super) enum Subject {
    Bodies(Box<Prepared>),
    System(Box<nonsmooth::Prepared>),
}

impl Subject {
    pub(super) fn of(scene: &Scene) -> Result<Self, SceneErrors> {
        Ok(match scene.nonsmooth {
            Some(_) => Self::System(Box::new(nonsmooth::prepare(scene)?)),
            None => Self::Bodies(Box::new(prepare(scene)?)),
        })
    }

    /// How a summary looks when everything that can happen has happened once.
    pub(super) fn example(&self) -> Result<Value, String> {
        match self {
            Self::Bodies(prepared) => Ok(quantity::example(prepared)),
            Self::System(prepared) => {
                let start = Runner::new(&prepared.system, &prepared.options).map_err(|e| e.to_string())?;
                Ok(nonsmooth::summary(&prepared.system, &start.finish()))
            }
        }
    }

    /// What most people want to see.
    pub(super) fn defaults(&self, example: &Value) -> Vec<String> {
        match self {
            Self::Bodies(prepared) => quantity::defaults(prepared, example),
            Self::System(prepared) => {
                let states = prepared.system.states().iter().take(8);
                let mut texts: Vec<String> = states.map(|s| format!("states.{}", written(&s.name))).collect();
                if prepared.system.has_energy() {
                    texts.extend(["energy.final", "energy.closure_relative"].map(str::to_string));
                }
                texts.push("steps".to_string());
                texts
            }
        }
    }

    /// Whether a path may be in the summary of a run though it is not in the example.
    pub(super) fn may_have(&self, steps: &[Step]) -> bool {
        matches!(self, Self::Bodies(prepared) if quantity::is_far_pair(steps, prepared))
    }

    /// The summary of a run; `None` if it was stopped on the way.
    pub(super) fn simulate(&self, is_over: impl Fn() -> bool) -> Result<Option<Value>, String> {
        // no series is kept: the fewest samples of the fewest columns
        let fewest = |options: &RunOptions| RunOptions {
            every: options.duration,
            during_contact: None,
            quantities: vec!["energy".to_string()],
            ..options.clone()
        };
        match self {
            Self::Bodies(p) => {
                let result = run(&p.model, &p.q, &p.v, &fewest(&p.options), |_| !is_over());
                let result = result.map_err(|e| e.to_string())?;
                Ok(result.cut.is_none().then(|| summary(&p.model, &result)))
            }
            Self::System(p) => {
                let result = nonsmooth::run(&p.system, &fewest(&p.options), |_| !is_over());
                let result = result.map_err(|e| e.to_string())?;
                Ok(result.cut.is_none().then(|| nonsmooth::summary(&p.system, &result)))
            }
        }
    }
}
