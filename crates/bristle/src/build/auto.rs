//! `method = "auto"`: which adaptive method suits a scene, by a short trial of each.
//!
//! The first method takes some hundred steps from the start of the run, which spends them where the motion is hard; the others
//! go to the same time at the same tolerance. The least work is chosen, a method for stiff systems where it halves the work. Work is counted and not timed: the same scene always comes to
//! the same choice.

use crate::runner::stops;
use crate::world::{Model, World};
use bristle_ode::{Adaptive, AdaptiveOptions, Integrator, Pair, System};

/// Steps of the first method.
const STEPS: u64 = 300;

/// Factors of a matrix of n unknowns, and the solves with them, cost n² over this many evaluations: measured on the quadruped, where
/// those of a step with 49 unknowns take as long as 3 to 5 evaluations. Evaluations grow with n, factors with n³.
const PER_EVALUATION: f64 = 600.0;

/// Share of the work of an explicit method that one for stiff systems must do with. At the same tolerance `bdf` is less exact, by ten and
/// more (docs/integrators.md), and its steps have work of their own that is not counted; where a scene is stiff it needs a
/// tenth and less.
const STIFF_SHARE: f64 = 0.5;

const CANDIDATES: [(&str, Pair); 4] =
    [("dopri5", Pair::Dopri5), ("dop853", Pair::Dop853), ("rodas4", Pair::Rodas4), ("bdf", Pair::Bdf)];

/// What a method did in its trial.
struct Trial {
    /// Time reached, s.
    reached: f64,
    /// In evaluations of the right-hand side and of event functions.
    work: f64,
    failure: Option<String>,
}

/// The method with the least work, and why.
pub(super) fn choose(
    model: &Model,
    q: &[f64],
    v: &[f64],
    options: AdaptiveOptions,
    duration: f64,
) -> (AdaptiveOptions, String) {
    let mut until: Option<f64> = None;
    let mut best: Option<(&str, AdaptiveOptions, f64)> = None;
    let mut said = Vec::new();
    for (name, pair) in CANDIDATES {
        let options = AdaptiveOptions { pair, ..options };
        let budget = best.map_or(f64::INFINITY, |(_, best, work)| {
            let is_stiffer = pair.is_implicit() && !best.pair.is_implicit();
            if is_stiffer { STIFF_SHARE * work } else { work }
        });
        let steps = if until.is_some() { u64::MAX } else { STEPS };
        let trial = try_out(model, q, v, options, (until.unwrap_or(duration), steps, budget));
        match &trial.failure {
            Some(why) => said.push(format!("{name} fails ({why})")),
            None if trial.work >= budget => said.push(format!("{name} over {budget:.0}")),
            None => {
                said.push(format!("{name} {:.0}", trial.work));
                best = Some((name, options, trial.work));
                until.get_or_insert(trial.reached);
            }
        }
    }
    let (name, options, _) = best.unwrap_or(("dopri5", options, 0.0));
    let span = until.unwrap_or(0.0);
    let reason =
        format!("{name}: least work over the first {span:.3e} s, in evaluations: {}", said.join(", "));
    (options, reason)
}

fn try_out(
    model: &Model,
    q: &[f64],
    v: &[f64],
    options: AdaptiveOptions,
    (until, steps, budget): (f64, u64, f64),
) -> Trial {
    let world = World::new(model);
    let mut state = world.start(q, v);
    let mut trial = Trial { reached: 0.0, work: 0.0, failure: None };
    let mut method = match Adaptive::new(&world, &state.mode, options) {
        Ok(method) => method,
        Err(error) => return Trial { failure: Some(error.to_string()), ..trial },
    };
    for stop in stops(model, until) {
        while state.t < stop && method.stats().steps < steps && trial.work < budget {
            if let Err(error) = method.step(&world, &mut state, stop) {
                return Trial { failure: Some(error.to_string()), ..trial };
            }
            let (stats, unknowns) = (method.stats(), world.layout(&state.mode).w().start as f64);
            trial.work = (stats.evaluations + stats.event_evaluations) as f64
                + stats.factored as f64 * unknowns * unknowns / PER_EVALUATION;
            trial.reached = state.t;
        }
    }
    trial
}
