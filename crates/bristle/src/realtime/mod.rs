//! Real time: a world stepped against the wall clock, so many ticks a second, at a fixed cost each.
//!
//! ```
//! use bristle::{prepare, realtime::{Clocked, Nobody}, scene::Scene};
//! let scene = Scene::parse(r#"
//!     schema = 1
//!     [simulation]
//!     duration = 1.0
//!     integrator = { method = "linearly-implicit", step = 1e-3 }
//!     [bodies.stone]
//!     mass = 1.0
//!     inertia = [1, 1, 1]
//! "#, "stone.toml", &[])?;
//! let p = prepare(&scene)?;
//! let mut clocked = Clocked::new(&p.model, &p.q, &p.v, &p.options, 500.0)?;
//! let timing = clocked.run(10, &mut Nobody, || true)?;
//! assert_eq!((timing.work.count(), clocked.time()), (10, 0.02));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A tick takes commands, steps, and gives out what is seen; between ticks it sleeps and then waits awake, so that it wakes in
//! time. Nothing is allocated, locked or written to disk in the loop, but where new candidates for contact are looked for.

mod histogram;
mod packet;
mod priority;
mod udp;

pub use histogram::Histogram;
pub use packet::{COMMAND_MAGIC, PacketError, STATE_MAGIC, VERSION, read_commands, write_state};
pub use priority::{PRIORITIES, take_priority};
pub use udp::{Traffic, UdpBridge};

use crate::run::{Method, RunOptions};
use crate::world::{Command, Mode, Model, Scratch, World};
use bristle_math::Vector3;
use bristle_ode::{Change, FixedStep, Integrator, State, StepError, System};
use std::time::{Duration, Instant};

/// How far a tick may differ from a whole number of steps, in steps.
const WHOLE: f64 = 1e-6;

/// A sleep ends late by about this much; the rest is waited for awake.
const AWAKE: Duration = Duration::from_micros(200);

/// Why a scene does not run in real time.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RealtimeError {
    /// The method chooses its own steps.
    #[error("real time needs a method with a fixed step, such as linearly-implicit or semi-implicit-euler")]
    Adaptive,
    /// A tick is no whole number of steps.
    #[error("a tick of {tick} s is {steps} steps of {step} s: it must be a whole number of them")]
    Uneven {
        /// Length of a tick, s.
        tick: f64,
        /// The step, s.
        step: f64,
        /// Steps in a tick.
        steps: f64,
    },
    /// The rate is not positive and finite.
    #[error("a rate of {rate} Hz must be positive and finite")]
    Rate {
        /// Hz.
        rate: f64,
    },
    /// A real-time priority was not granted.
    #[error("real-time priority {level} was not granted: {reason}")]
    Priority {
        /// What was asked for.
        level: u8,
        /// Why not.
        reason: String,
    },
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// What is seen of a world at a tick.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// Time, s.
    pub time: f64,
    /// Configuration of all joints.
    pub q: &'a [f64],
    /// Velocity of all joints.
    pub v: &'a [f64],
    /// Force of all contacts on each body of the scene, N, world axes.
    pub forces: &'a [Vector3<f64>],
}

/// The other side of a loop: a controller, or hardware.
pub trait Bridge {
    /// Takes what is seen, and may change what the motors are told.
    fn exchange(&mut self, seen: &Seen<'_>, told: &mut [Command]);
}

/// Nobody on the other side.
pub struct Nobody;

impl Bridge for Nobody {
    fn exchange(&mut self, _seen: &Seen<'_>, _told: &mut [Command]) {}
}

/// How well time was kept.
#[derive(Debug, Clone)]
pub struct Timing {
    /// Time that the work of a tick took, ns.
    pub work: Histogram,
    /// How late ticks began, ns.
    pub lateness: Histogram,
    /// Ticks whose work ended after the next should have begun.
    pub misses: u64,
    /// Time on the clock, s.
    pub wall_seconds: f64,
}

/// A world on the clock.
pub struct Clocked<'m> {
    world: World<'m>,
    method: FixedStep<f64, World<'m>>,
    state: State<f64, Mode>,
    ws: Scratch,
    forces: Vec<Vector3<f64>>,
    told: Vec<Command>,
    tick: f64,
    ticks: u64,
}

impl<'m> Clocked<'m> {
    /// A world that makes `rate` ticks a second (Hz) with the method of `options`.
    ///
    /// # Errors
    /// When the method has no fixed step, or a tick is no whole number of steps.
    pub fn new(
        model: &'m Model,
        q: &[f64],
        v: &[f64],
        options: &RunOptions,
        rate: f64,
    ) -> Result<Self, RealtimeError> {
        let Method::Fixed(fixed) = options.method else { return Err(RealtimeError::Adaptive) };
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(RealtimeError::Rate { rate });
        }
        let (tick, step) = (1.0 / rate, fixed.step);
        let steps = tick / step;
        if (steps - steps.round()).abs() > WHOLE || steps < 0.5 {
            return Err(RealtimeError::Uneven { tick, step, steps });
        }
        let world = World::new(model);
        let state = world.start(q, v);
        let method = FixedStep::new(&world, &state.mode, fixed)?;
        Ok(Self {
            ws: world.scratch(),
            forces: vec![Vector3::zeros(); model.bodies.len()],
            told: state.mode.held.iter().map(|held| held.command).collect(),
            world,
            method,
            state,
            tick,
            ticks: 0,
        })
    }

    /// The time reached, s.
    pub fn time(&self) -> f64 {
        self.state.t
    }

    /// One tick: exchange with the other side, then all steps until the next.
    pub fn tick(&mut self, bridge: &mut dyn Bridge) -> Result<(), StepError> {
        self.look();
        let (nq, nv) = (self.world.model.tree.nq(), self.world.model.tree.nv());
        let x = &self.state.x;
        let seen = Seen { time: self.state.t, q: &x[..nq], v: &x[nq..nq + nv], forces: &self.forces };
        bridge.exchange(&seen, &mut self.told);
        let mut has_changed = false;
        for (held, told) in self.state.mode.held.iter_mut().zip(&self.told) {
            has_changed |= held.command != *told;
            held.command = *told;
        }
        if has_changed {
            self.method.reset(Change::Jumped);
        }
        self.ticks += 1;
        let end = self.ticks as f64 * self.tick;
        while self.state.t < end {
            self.method.step(&self.world, &mut self.state, end)?;
        }
        Ok(())
    }

    fn look(&mut self) {
        let Self { world, state: State { t, x, mode }, ws, forces, .. } = self;
        let model = world.model;
        forces.fill(Vector3::zeros());
        world.for_each_touch(*t, x, mode, ws, |pair, _, touch| {
            let [a, b] = mode.pairs[pair].shapes.map(|s| model.shapes[s].body);
            forces[a] -= touch.force();
            forces[b] += touch.force();
        });
    }

    /// So many ticks on the clock, or fewer if `go_on` says so. A tick that is late is made at once, and those after it when
    /// they are due: the simulated time stays that of the clock.
    ///
    /// # Errors
    /// When a step fails.
    pub fn run(
        &mut self,
        ticks: u64,
        bridge: &mut dyn Bridge,
        go_on: impl FnMut() -> bool,
    ) -> Result<Timing, StepError> {
        keep_time(ticks, self.tick, || self.tick(bridge), go_on)
    }
}

/// Does something so many times, every `tick` (s) on the clock, or fewer if `go_on` says so.
///
/// With nothing to do it tells how well the machine itself keeps time:
/// ```
/// use std::convert::Infallible;
/// let alone = bristle::realtime::keep_time(20, 1e-3, || Ok::<(), Infallible>(()), || true)?;
/// assert_eq!(alone.work.count(), 20);
/// # Ok::<(), Infallible>(())
/// ```
///
/// # Errors
/// When what is done fails.
pub fn keep_time<E>(
    ticks: u64,
    tick: f64,
    mut act: impl FnMut() -> Result<(), E>,
    mut go_on: impl FnMut() -> bool,
) -> Result<Timing, E> {
    let (mut work, mut lateness, mut misses) = (Histogram::new(), Histogram::new(), 0);
    let period = Duration::from_secs_f64(tick);
    let start = Instant::now();
    for k in 0..ticks {
        if !go_on() {
            break;
        }
        let due = start + period.mul_f64(k as f64);
        wait_until(due);
        let begun = Instant::now();
        act()?;
        let done = Instant::now();
        lateness.add(begun - due);
        work.add(done - begun);
        misses += u64::from(done > due + period);
    }
    Ok(Timing { work, lateness, misses, wall_seconds: start.elapsed().as_secs_f64() })
}

/// Sleeps until shortly before an instant, then waits awake.
fn wait_until(due: Instant) {
    let left = due.saturating_duration_since(Instant::now());
    if left > AWAKE {
        std::thread::sleep(left - AWAKE);
    }
    while Instant::now() < due {
        std::hint::spin_loop();
    }
}
