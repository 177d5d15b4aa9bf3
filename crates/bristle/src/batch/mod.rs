//! Many worlds of one form in step: several in one instruction, groups of them on all cores.
//!
//! The worlds differ in numbers only: parameters, sizes, initial states. They take the same fixed steps as single runs whose
//! events are committed at the ends of steps ([`crate::ode::EventHandling::AtStepEnd`]), and come to the same bits where laws
//! use + − × ÷ √ only, for any number of threads. Powers, exponentials and the angles of joints are those of vector functions,
//! and differ in the last digits. What lanes do not take is refused when the batch is built ([`BatchError`]).
//!
//! ```
//! use bristle::batch::{Batch, Options};
//! use bristle::sweep::Source;
//! let text = r#"
//! schema = 1
//! [simulation]
//! duration = 0.1
//! integrator = { method = "semi-implicit-euler", step = 1e-4 }
//! [materials.ground]
//! normal = { law = "hunt-crossley", stiffness = 1e6, dissipation = 0.3 }
//! [bodies.ball]
//! mass = 0.1
//! shape = { sphere = { radius = 0.02 } }
//! position = [0, 0, 0.03]
//! [bodies.ground]
//! fixed = true
//! shape = { plane = {} }
//! [[contacts]]
//! between = ["ball", "ground"]
//! material = "ground"
//! "#;
//! let source = Source { text: text.to_string(), file: "balls.toml".to_string(), overrides: vec![] };
//! let row = |i: i32| vec![format!("materials.ground.normal.dissipation={}", 0.05 * f64::from(i))];
//! let rows: Vec<Vec<String>> = (1..=10).map(row).collect();
//! let mut batch = Batch::from_rows(&source, &rows, &Options::default())?;
//! batch.advance(1000, 2);
//! assert_eq!((batch.len(), batch.time()), (10, 0.1));
//! let lost = |world: usize| batch.accounts(world).map(|accounts| accounts[0]); // in the normal law, J
//! assert!(lost(0) > Some(0.0) && lost(9) > lost(0));
//! # Ok::<(), bristle::batch::BatchError>(())
//! ```

mod build;
mod commit;
mod error;
mod group;
mod touch;
mod world;

pub use build::LANES;
pub use error::BatchError;

use crate::scene::Scene;
use crate::sweep::Source;
use crate::world::mode::{PAIR_ACCOUNTS, WORLD_ACCOUNTS};
use crate::world::{Mode, Model, World};
use crate::{Prepared, prepare};
use bristle_ode::{FixedOptions, State};
use group::{Group, Steps, Worker};
use std::sync::{Arc, Mutex};
use world::LaneWorld;

/// What a batch keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether the accounts of the ledger are kept; without them contacts are evaluated half as often.
    pub ledger: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { ledger: true }
    }
}

/// How a world stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// It goes on.
    Running,
    /// It was ended by a watch, and stays as it was then.
    Ended {
        /// s
        at: f64,
    },
    /// One of its numbers is no longer finite.
    Failed {
        /// A time at which all were, s.
        after: f64,
    },
}

/// `ends(world, time, q, v)`: whether a world ends at a time, s.
pub type Ends = dyn Fn(usize, f64, &[f64], &[f64]) -> bool + Sync;

/// What ends a world early, asked every so many steps.
pub struct Watch<'w> {
    /// Steps from one question to the next.
    pub every: u64,
    /// The question.
    pub ends: &'w Ends,
}

/// Worlds of one form.
pub struct Batch {
    groups: Vec<Group>,
    worlds: usize,
    options: FixedOptions,
    steps: u64,
}

impl Batch {
    /// Worlds from scenes that differ in numbers only.
    ///
    /// # Errors
    /// When they differ in more, or have what lanes do not take.
    pub fn new(worlds: &[Prepared], options: &Options) -> Result<Self, BatchError> {
        let models: Vec<&Model> = worlds.iter().map(|w| &w.model).collect();
        let starts: Vec<(&[f64], &[f64])> = worlds.iter().map(|w| (&*w.q, &*w.v)).collect();
        let first = worlds.first().ok_or(BatchError::Empty)?;
        for (world, other) in worlds.iter().enumerate() {
            if build::fixed(&other.options.method)? != build::fixed(&first.options.method)? {
                return Err(BatchError::Shared { world, what: "the step".to_string() });
            }
        }
        Self::assemble(&models, &starts, build::fixed(&first.options.method)?, options)
    }

    /// Worlds of one scene with one row of values each, written as `--set` takes them.
    ///
    /// # Errors
    /// When a row makes no scene, and as [`Batch::new`].
    pub fn from_rows(source: &Source, rows: &[Vec<String>], options: &Options) -> Result<Self, BatchError> {
        let build = |(world, row): (usize, &Vec<String>)| {
            let overrides: Vec<String> = source.overrides.iter().chain(row).cloned().collect();
            let scene = Scene::parse_again(&source.text, &source.file, &overrides);
            let prepared = scene.and_then(|scene| prepare(&scene));
            prepared.map_err(|error| BatchError::Scene { world, error: Box::new(error) })
        };
        let worlds: Vec<Prepared> = rows.iter().enumerate().map(build).collect::<Result<_, _>>()?;
        Self::new(&worlds, options)
    }

    /// Worlds of one scene that start elsewhere: configuration and velocity of each.
    ///
    /// # Errors
    /// As [`Batch::new`], and when a state has the wrong length.
    pub fn from_starts(
        scene: &Prepared,
        starts: &[(Vec<f64>, Vec<f64>)],
        options: &Options,
    ) -> Result<Self, BatchError> {
        for (q, v) in starts {
            for (found, expected) in [(q.len(), scene.q.len()), (v.len(), scene.v.len())] {
                if found != expected {
                    return Err(BatchError::Length { found, expected });
                }
            }
        }
        let starts: Vec<(&[f64], &[f64])> = starts.iter().map(|(q, v)| (&**q, &**v)).collect();
        Self::assemble(&[&scene.model], &starts, build::fixed(&scene.options.method)?, options)
    }

    /// One model for all worlds, or one for each.
    fn assemble(
        models: &[&Model],
        starts: &[(&[f64], &[f64])],
        fixed: FixedOptions,
        options: &Options,
    ) -> Result<Self, BatchError> {
        let first = *models.first().filter(|_| !starts.is_empty()).ok_or(BatchError::Empty)?;
        build::check(first)?;
        let form = |world: usize| models[world].form().map_err(|error| BatchError::from_lift(error, world));
        let shared = form(0)?;
        for world in 1..models.len() {
            if form(world)? != shared {
                return Err(BatchError::Form { world });
            }
        }
        let model_of = |world: usize| if models.len() == 1 { 0 } else { world };
        let mut groups: Vec<Group> = Vec::with_capacity(starts.len().div_ceil(LANES));
        let mut last: Option<[Vec<f64>; LANES]> = None;
        for begin in (0..starts.len()).step_by(LANES) {
            let lanes: [usize; LANES] = std::array::from_fn(|lane| (begin + lane).min(starts.len() - 1));
            let state = |world: usize| {
                let (q, v) = starts[world];
                World::new(models[model_of(world)]).start(q, v)
            };
            let states = lanes.map(state);
            let states: [&State<f64, Mode>; LANES] = std::array::from_fn(|lane| &states[lane]);
            let mode = &states[0].mode;
            if mode.margin.is_finite() {
                let what = format!("more than 24 shapes, and there are {}", first.shapes.len());
                return Err(BatchError::NotOnLanes { what });
            }
            let world = match (groups.last(), models.len()) {
                (Some(group), 1) => group.world.clone(),
                _ => {
                    let mut numbers: [Vec<f64>; LANES] = Default::default();
                    for (numbers, &world) in numbers.iter_mut().zip(&lanes) {
                        *numbers = build::numbers(models[model_of(world)], world)?;
                    }
                    match (groups.last(), &last) {
                        (Some(group), Some(same)) if *same == numbers => group.world.clone(),
                        _ => {
                            let slices: [&[f64]; LANES] = std::array::from_fn(|lane| &*numbers[lane]);
                            let model = build::join(first, &slices, begin)?;
                            last = Some(numbers);
                            Arc::new(LaneWorld::new(model, mode, options.ledger))
                        }
                    }
                }
            };
            groups.push(Group::new(world, &states, begin, LANES.min(starts.len() - begin)));
        }
        Ok(Self { groups, worlds: starts.len(), options: fixed, steps: 0 })
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.worlds
    }

    /// Never: a batch has at least one world.
    pub fn is_empty(&self) -> bool {
        self.worlds == 0
    }

    /// Time of the worlds that still run, s.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.options.step
    }

    /// Length of a step, s.
    pub fn step(&self) -> f64 {
        self.options.step
    }

    /// Whether the accounts of the ledger are kept.
    pub fn keeps_ledger(&self) -> bool {
        self.groups[0].world.keeps_ledger
    }

    /// Bytes that each world takes, besides its share of a model if parameters differ.
    pub fn bytes_per_world(&self) -> usize {
        self.groups[0].bytes_per_world()
    }

    /// How a world stands.
    ///
    /// # Panics
    /// When there is no such world.
    pub fn outcome(&self, world: usize) -> Outcome {
        self.groups[world / LANES].outcomes[world % LANES]
    }

    /// State of a world: configuration, velocity, states of its laws, in the order of a single run.
    ///
    /// # Panics
    /// When there is no such world.
    pub fn state(&self, world: usize) -> Vec<f64> {
        let group = &self.groups[world / LANES];
        let mut x = group.state(world % LANES);
        x.truncate(group.world.accounts);
        x
    }

    /// What a world has lost and what was done to it so far, J, by [`WORLD_ACCOUNTS`]; `None` without a ledger.
    ///
    /// # Panics
    /// When there is no such world.
    pub fn accounts(&self, world: usize) -> Option<[f64; WORLD_ACCOUNTS.len()]> {
        let group = &self.groups[world / LANES];
        let own = group.world.accounts;
        let x = group.state(world % LANES);
        let mut sums: [f64; WORLD_ACCOUNTS.len()] =
            x.get(own..own + WORLD_ACCOUNTS.len())?.try_into().ok()?;
        for pair in &group.world.pairs {
            (0..PAIR_ACCOUNTS).for_each(|i| sums[i] += x[pair.accounts + i]);
        }
        Some(sums)
    }

    /// Takes steps on a number of threads.
    pub fn advance(&mut self, steps: u64, threads: usize) {
        self.go(steps, threads, None);
    }

    /// Takes steps; worlds end when the watch says so.
    pub fn advance_until(&mut self, steps: u64, threads: usize, watch: &Watch<'_>) {
        self.go(steps, threads, Some(watch));
    }

    fn go(&mut self, count: u64, threads: usize, watch: Option<&Watch<'_>>) {
        let FixedOptions { method, step, .. } = self.options;
        let steps = Steps { from: self.steps, count, step, watch };
        let threads = threads.clamp(1, self.groups.len());
        let first = self.groups[0].world.clone();
        // Whoever is free takes the next few groups: which thread runs a world changes nothing in it.
        let share = self.groups.len().div_ceil(threads * 8).max(1);
        let queue = Mutex::new(self.groups.chunks_mut(share));
        let work = || {
            let mut worker = Worker::new(method, &first);
            loop {
                let next = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
                let Some(groups) = next else { return };
                groups.iter_mut().for_each(|group| group.advance(steps, &mut worker));
            }
        };
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| _ = scope.spawn(work));
            work();
        });
        self.steps += count;
    }
}
