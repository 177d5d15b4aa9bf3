//! Many worlds of one form in step: several in one instruction, groups of them on all cores.
//!
//! The worlds differ in numbers only: parameters, sizes, initial states. They take the same fixed steps as single runs whose
//! events are committed at the ends of steps ([`crate::ode::EventHandling::AtStepEnd`]), and come to the same bits where laws
//! use + − × ÷ √ only, for any number of threads. Powers, exponentials and the angles of joints are those of vector functions,
//! and differ in the last digits. What lanes do not take is refused when the batch is built ([`BatchError`]). Worlds of
//! `linearly-implicit` run one by one behind the same calls, on all cores too ([`Batch::is_on_lanes`]).
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
mod single;
mod touch;
mod world;

pub use build::LANES;
pub use error::BatchError;

use crate::scene::Scene;
use crate::sweep::Source;
use crate::world::Model;
use crate::world::mode::{PAIR_ACCOUNTS, WORLD_ACCOUNTS};
use crate::{Prepared, prepare};
use bristle_ode::{FixedOptions, Method, State};
use group::{Group, Steps, Worker};
use single::Single;
use std::sync::Mutex;

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

/// How worlds are stepped.
enum Worlds {
    /// Several in one instruction.
    Lanes(Vec<Group>),
    /// One by one.
    Single(Vec<Single>),
}

/// Worlds of one form.
pub struct Batch {
    worlds: Worlds,
    count: usize,
    keeps_ledger: bool,
    options: FixedOptions,
    steps: u64,
}

/// Does something to all of many on a number of threads, each with its own tools. Whoever is free takes the next few: which
/// thread runs a world changes nothing in it.
fn share_out<T: Send, W>(
    all: &mut [T],
    threads: usize,
    tools: impl Fn() -> W + Sync,
    each: impl Fn(&mut T, &mut W) + Sync,
) {
    let threads = threads.clamp(1, all.len().max(1));
    let share = all.len().div_ceil(threads * 8).max(1);
    let queue = Mutex::new(all.chunks_mut(share));
    let work = || {
        let mut tools = tools();
        loop {
            let next = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
            let Some(some) = next else { return };
            some.iter_mut().for_each(|one| each(one, &mut tools));
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| _ = scope.spawn(work));
        work();
    });
}

impl Batch {
    /// Worlds from scenes that differ in numbers only.
    ///
    /// # Errors
    /// When they differ in more, or have what lanes or the method do not take.
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
        if models.is_empty() || starts.is_empty() {
            return Err(BatchError::Empty);
        }
        let is_single = fixed.method == Method::LinearlyImplicitEuler;
        if !is_single {
            build::check(models[0])?;
        }
        if models.len() > 1 {
            build::must_have_one_form(models)?;
        }
        let worlds = match is_single {
            true => Worlds::Single(build::one_by_one(models, starts)?),
            false => Worlds::Lanes(build::on_lanes(models, starts, options)?),
        };
        let keeps_ledger = options.ledger;
        Ok(Self { worlds, count: starts.len(), keeps_ledger, options: fixed, steps: 0 })
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Never: a batch has at least one world.
    pub fn is_empty(&self) -> bool {
        self.count == 0
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
        self.keeps_ledger
    }

    /// Whether worlds share their instructions, and are not stepped one by one.
    pub fn is_on_lanes(&self) -> bool {
        matches!(self.worlds, Worlds::Lanes(_))
    }

    /// Bytes that each world takes, besides its share of a model if parameters differ.
    pub fn bytes_per_world(&self) -> usize {
        match &self.worlds {
            Worlds::Lanes(groups) => groups[0].bytes_per_world(),
            Worlds::Single(worlds) => worlds[0].bytes(),
        }
    }

    /// How a world stands.
    ///
    /// # Panics
    /// When there is no such world.
    pub fn outcome(&self, world: usize) -> Outcome {
        match &self.worlds {
            Worlds::Lanes(groups) => groups[world / LANES].outcomes[world % LANES],
            Worlds::Single(worlds) => worlds[world].outcome,
        }
    }

    /// State of a world: configuration, velocity, states of its laws, in the order of a single run.
    ///
    /// # Panics
    /// When there is no such world.
    pub fn state(&self, world: usize) -> Vec<f64> {
        match &self.worlds {
            Worlds::Lanes(groups) => {
                let group = &groups[world / LANES];
                let mut x = group.state(world % LANES);
                x.truncate(group.world.accounts);
                x
            }
            Worlds::Single(worlds) => {
                let state = &worlds[world].state;
                state.x[..state.mode.accounts()].to_vec()
            }
        }
    }

    /// What a world has lost and what was done to it so far, J, by [`WORLD_ACCOUNTS`]; `None` without a ledger.
    ///
    /// # Panics
    /// When there is no such world.
    pub fn accounts(&self, world: usize) -> Option<[f64; WORLD_ACCOUNTS.len()]> {
        if !self.keeps_ledger {
            return None;
        }
        match &self.worlds {
            Worlds::Lanes(groups) => {
                let group = &groups[world / LANES];
                let pairs = group.world.pairs.iter().map(|pair| pair.accounts);
                sums(&group.state(world % LANES), group.world.accounts, pairs)
            }
            Worlds::Single(worlds) => {
                let State { x, mode, .. } = &worlds[world].state;
                sums(x, mode.accounts(), mode.pairs.iter().map(|pair| pair.accounts))
            }
        }
    }

    /// What the numbers of a state are, in the order of [`Batch::state`].
    pub fn names(&self) -> Vec<String> {
        let (layout, count) = match &self.worlds {
            Worlds::Lanes(groups) => (&groups[0].world.layout, groups[0].world.accounts),
            Worlds::Single(worlds) => (&worlds[0].state.mode.layout, worlds[0].state.mode.accounts()),
        };
        layout.components()[..count].iter().map(|component| component.name.to_string()).collect()
    }

    /// How many numbers are positions and how many are velocities.
    pub fn sizes(&self) -> (usize, usize) {
        match &self.worlds {
            Worlds::Lanes(groups) => (groups[0].world.layout.q().len(), groups[0].world.layout.v().len()),
            Worlds::Single(worlds) => {
                let layout = &worlds[0].state.mode.layout;
                (layout.q().len(), layout.v().len())
            }
        }
    }

    /// Ends a world that still runs where it is now.
    ///
    /// # Panics
    /// When there is no such world.
    pub fn end(&mut self, world: usize) {
        let outcome = Outcome::Ended { at: self.time() };
        match &mut self.worlds {
            Worlds::Lanes(groups) => groups[world / LANES].end(world % LANES, outcome),
            Worlds::Single(worlds) if worlds[world].outcome == Outcome::Running => {
                worlds[world].outcome = outcome;
            }
            Worlds::Single(_) => {}
        }
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
        let options = self.options;
        let steps = Steps { from: self.steps, count, step: options.step, watch };
        match &mut self.worlds {
            Worlds::Lanes(groups) => {
                let first = groups[0].world.clone();
                let worker = || Worker::new(options.method, &first);
                share_out(groups, threads, worker, |group, worker| group.advance(steps, worker));
            }
            Worlds::Single(worlds) => {
                share_out(worlds, threads, || (), |world, ()| world.advance(steps, options));
            }
        }
        self.steps += count;
    }
}

/// Accounts of a world with those of its pairs.
fn sums(x: &[f64], own: usize, pairs: impl Iterator<Item = usize>) -> Option<[f64; WORLD_ACCOUNTS.len()]> {
    let mut sums: [f64; WORLD_ACCOUNTS.len()] = x.get(own..own + WORLD_ACCOUNTS.len())?.try_into().ok()?;
    for accounts in pairs {
        (0..PAIR_ACCOUNTS).for_each(|i| sums[i] += x[accounts + i]);
    }
    Some(sums)
}
