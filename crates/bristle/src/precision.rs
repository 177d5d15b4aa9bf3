//! Error against cost: every integrator on one scene, at several tolerances or steps.
//!
//! The error of a run is the largest difference of any position from a reference, over the typical size of that position, at
//! equally spaced times. The reference is the tightest run that ends in time; by how much the second tightest differs from it
//! is its doubt, and smaller errors say nothing.

use crate::build::Prepared;
use crate::run::Method;
use crate::scene::Method as Name;
use crate::world::World;
use bristle_ode::{Adaptive, FixedStep, Integrator, State, Stats, StepError, UniformGrid};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Times at which runs are compared.
const SAMPLES: usize = 200;

/// A run is repeated until this much time is spent on it, s, or so often.
const WORTH: f64 = 0.2;
const REPEATS: usize = 5;

/// Tolerances of the runs that may be the reference, tightest first, and the methods that try it.
const REFERENCES: [(Name, f64); 6] = [
    (Name::Dop853, 1e-12),
    (Name::Dop853, 1e-11),
    (Name::Dop853, 1e-10),
    (Name::Rodas4, 1e-9),
    (Name::Rodas4, 1e-8),
    (Name::Rodas4, 1e-7),
];

/// Tolerances of adaptive methods.
const TOLERANCES: [f64; 8] = [0.3, 0.1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10];

/// Steps of fixed-step methods, s.
const STEPS: [f64; 7] = [4e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6];

/// A method with a tolerance or a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Setting {
    /// Name in scenes.
    pub method: &'static str,
    /// `rtol` of adaptive methods.
    pub rtol: Option<f64>,
    /// Step of the others, s.
    pub step: Option<f64>,
}

/// What a run cost, and how wrong it was.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cost {
    /// Largest error of a position, in its typical size.
    pub error: f64,
    /// Least time of some repeats on the clock, s.
    pub seconds: f64,
    /// Counts.
    pub stats: Stats,
}

/// One setting, measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// The setting.
    #[serde(flatten)]
    pub setting: Setting,
    /// What it cost; `None` if the run failed.
    pub cost: Option<Cost>,
    /// Why it failed.
    pub failure: Option<String>,
}

/// All settings on one scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Study {
    /// Simulated time, s.
    pub duration: f64,
    /// Typical length, m: what errors of lengths are measured by. Errors of angles are in radians.
    pub length: f64,
    /// The setting of the reference.
    pub reference: Setting,
    /// By how much the second tightest run differs from it.
    pub doubt: f64,
    /// Every setting.
    pub points: Vec<Point>,
}

/// What to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Simulated time, s.
    pub duration: f64,
    /// Names of the methods; those of scenes.
    pub methods: Vec<&'static str>,
    /// Longest time of one run on the clock, s.
    pub limit: f64,
}

/// A study that came to no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// Whoever watches asked to stop.
    #[error("asked to stop")]
    Stopped,
    /// No reference.
    #[error("no run is exact enough to compare with: {reason}")]
    NoReference {
        /// Why the last of them failed.
        reason: String,
    },
}

/// Positions at the common times, one after another.
struct Trace {
    positions: Vec<f64>,
    stats: Stats,
    seconds: f64,
}

/// Why a run has no trace.
enum Failure {
    Stopped,
    Said(String),
}

impl From<StepError> for Failure {
    fn from(error: StepError) -> Self {
        Self::Said(error.to_string())
    }
}

/// Measures every setting. `watch(done, of)` is told how many runs are done, and may end it all by answering false.
///
/// # Errors
/// When it was asked to stop, and when no run is exact enough to compare with.
pub fn study(
    scene: &Prepared,
    options: &Options,
    mut watch: impl FnMut(usize, usize) -> bool,
) -> Result<Study, StudyError> {
    let bench = Bench { scene, duration: options.duration, limit: options.limit };
    let settings = bench.settings(&options.methods);
    let total = settings.len() + 1;
    let mut done = 0;
    let mut go_on = |more: usize| {
        done += more;
        watch(done, total)
    };
    let (reference, exact, doubt) = bench.reference(&mut || go_on(0))?;
    let mut points = Vec::with_capacity(settings.len());
    for setting in settings {
        if !go_on(1) {
            return Err(StudyError::Stopped);
        }
        points.push(match bench.measure(setting, &mut || go_on(0)) {
            Ok(trace) => {
                let error = bench.difference(&trace, &exact);
                let cost = Cost { error, seconds: trace.seconds, stats: trace.stats };
                Point { setting, cost: Some(cost), failure: None }
            }
            Err(Failure::Stopped) => return Err(StudyError::Stopped),
            Err(Failure::Said(why)) => Point { setting, cost: None, failure: Some(why) },
        });
    }
    go_on(1);
    let length = scene.model.scale.length;
    Ok(Study { duration: options.duration, length, reference, doubt, points })
}

/// A scene to be run often.
struct Bench<'s> {
    scene: &'s Prepared,
    duration: f64,
    limit: f64,
}

impl Bench<'_> {
    fn settings(&self, methods: &[&'static str]) -> Vec<Setting> {
        let yields = self.scene.model.not_yielding().is_none();
        let chosen = Name::NAMES.iter().filter(|(name, _)| methods.contains(name));
        let chosen = chosen.filter(|(_, method)| *method != Name::LinearlyImplicit || yields);
        chosen
            .flat_map(|&(method, kind)| {
                let values = if kind.is_adaptive() { &TOLERANCES[..] } else { &STEPS[..] };
                values.iter().filter_map(move |&value| {
                    let is_adaptive = kind.is_adaptive();
                    let fits = is_adaptive || value < 0.1 * self.duration;
                    fits.then_some(Setting {
                        method,
                        rtol: is_adaptive.then_some(value),
                        step: (!is_adaptive).then_some(value),
                    })
                })
            })
            .collect()
    }

    /// The tightest run that ends in time, and by how much the next one differs.
    fn reference(&self, go_on: &mut impl FnMut() -> bool) -> Result<(Setting, Vec<f64>, f64), StudyError> {
        let mut found: Option<(Setting, Trace)> = None;
        let mut reason = String::new();
        for (method, rtol) in REFERENCES {
            let setting = Setting { method: method.name(), rtol: Some(rtol), step: None };
            match self.run(setting, go_on, 4.0) {
                Ok(trace) => match &found {
                    None => found = Some((setting, trace)),
                    Some((best, exact)) => {
                        let doubt = self.difference(&trace, &exact.positions);
                        return Ok((*best, exact.positions.clone(), doubt));
                    }
                },
                Err(Failure::Stopped) => return Err(StudyError::Stopped),
                Err(Failure::Said(why)) => reason = why,
            }
        }
        Err(StudyError::NoReference { reason })
    }

    /// The least time of some runs.
    fn measure(&self, setting: Setting, go_on: &mut impl FnMut() -> bool) -> Result<Trace, Failure> {
        let mut best = self.run(setting, go_on, 1.0)?;
        let mut spent = best.seconds;
        for _ in 1..REPEATS {
            if spent > WORTH {
                break;
            }
            let again = self.run(setting, go_on, 1.0)?;
            spent += again.seconds;
            best.seconds = best.seconds.min(again.seconds);
        }
        Ok(best)
    }

    /// One run; `patience` is its share of the time limit.
    fn run(
        &self,
        setting: Setting,
        go_on: &mut impl FnMut() -> bool,
        patience: f64,
    ) -> Result<Trace, Failure> {
        let world = World::new(&self.scene.model);
        let state = world.start(&self.scene.q, &self.scene.v);
        match self.method(setting) {
            Method::Adaptive(options) => {
                let method = Adaptive::new(&world, &state.mode, options)?;
                self.follow(&world, method, state, go_on, patience)
            }
            Method::Fixed(options) => {
                let method = FixedStep::new(&world, &state.mode, options)?;
                self.follow(&world, method, state, go_on, patience)
            }
        }
    }

    /// The options of a setting: those of the scene but for the method.
    fn method(&self, setting: Setting) -> Method {
        let kind = Name::NAMES.iter().find(|(name, _)| *name == setting.method).map(|(_, kind)| *kind);
        let value = setting.rtol.or(setting.step).unwrap_or(1e-9);
        crate::build::method_of(kind.unwrap_or(Name::Dopri5), value)
    }

    fn follow<'m, I: Integrator<f64, World<'m>>>(
        &self,
        world: &World<'m>,
        mut method: I,
        mut state: State<f64, crate::world::Mode>,
        go_on: &mut impl FnMut() -> bool,
        patience: f64,
    ) -> Result<Trace, Failure> {
        let nq = self.scene.q.len();
        let mut grid = UniformGrid::new(0.0, self.duration / (SAMPLES - 1) as f64);
        let mut positions = Vec::with_capacity(SAMPLES * nq);
        let mut x = state.x.clone();
        let clock = Instant::now();
        let mut looked = clock;
        let patience = Duration::from_secs_f64(patience * self.limit);
        for stop in crate::runner::stops(&self.scene.model, self.duration) {
            while state.t < stop {
                x.resize(state.x.len(), 0.0);
                let advance = method.step(world, &mut state, stop)?;
                while let Some(t) = grid.next_until(advance.end).filter(|_| positions.len() < SAMPLES * nq) {
                    method.dense(t, &mut x)?;
                    positions.extend_from_slice(&x[..nq]);
                }
                let now = Instant::now();
                if now - clock > patience {
                    return Err(Failure::Said(format!("not done in {} s", patience.as_secs_f64())));
                }
                if now - looked > Duration::from_millis(50) {
                    looked = now;
                    if !go_on() {
                        return Err(Failure::Stopped);
                    }
                }
            }
        }
        let seconds = clock.elapsed().as_secs_f64();
        if positions.iter().any(|q| !q.is_finite()) {
            return Err(Failure::Said("positions are not finite".to_string()));
        }
        Ok(Trace { positions, stats: *method.stats(), seconds })
    }

    fn difference(&self, trace: &Trace, exact: &[f64]) -> f64 {
        let world = World::new(&self.scene.model);
        let state = world.start(&self.scene.q, &self.scene.v);
        let nq = self.scene.q.len();
        let scales: Vec<f64> = state.mode.layout.components()[..nq].iter().map(|c| c.scale).collect();
        let pairs = trace.positions.iter().zip(exact).enumerate();
        pairs.map(|(i, (a, b))| (a - b).abs() / scales[i % nq.max(1)]).fold(0.0, f64::max)
    }
}
