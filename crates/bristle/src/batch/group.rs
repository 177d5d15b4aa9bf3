//! Worlds that share their instructions, from step to step.

use super::build::LANES;
use super::touch::{Mask, Phases};
use super::world::{LaneWorld, Scratch};
use super::{Outcome, Watch};
use crate::world::Mode;
use bristle_laws::Phase;
use bristle_math::nalgebra::SimdValue;
use bristle_math::{Lanes, Real};
use bristle_ode::{Kernel, Method, State, System};
use std::sync::Arc;

/// Steps between looks at whether all numbers are finite.
const LOOK: u64 = 64;

/// Worlds on the lanes of one vector.
pub(super) struct Group {
    pub world: Arc<LaneWorld>,
    x: Vec<Lanes>,
    phases: Phases,
    /// Number of its first world.
    first: usize,
    /// How many lanes are worlds; the rest repeats the last one.
    count: usize,
    pub outcomes: [Outcome; LANES],
    /// States of worlds that have ended.
    ended: [Option<Vec<f64>>; LANES],
}

/// Which steps to take, and what is the same in all of them.
#[derive(Clone, Copy)]
pub(super) struct Steps<'w> {
    pub from: u64,
    pub count: u64,
    /// s
    pub step: f64,
    pub watch: Option<&'w Watch<'w>>,
}

/// What a thread works with.
pub(super) struct Worker {
    kernel: Kernel<Lanes>,
    /// Room for rates, if steps are made in place.
    rates: Option<Vec<Lanes>>,
    ws: Scratch,
    /// The world that the buffers were made for.
    world: Arc<LaneWorld>,
}

impl Worker {
    pub fn new(method: Method, world: &Arc<LaneWorld>) -> Self {
        let len = world.layout.len();
        let is_in_place = method == Method::SemiImplicitEuler;
        Self {
            kernel: Kernel::new(method, len),
            rates: is_in_place.then(|| vec![Lanes::lit(0.0); len]),
            ws: world.scratch(),
            world: world.clone(),
        }
    }

    /// Buffers for a group: what stands still may stand elsewhere in it.
    fn turn_to(&mut self, world: &Arc<LaneWorld>) {
        if !Arc::ptr_eq(&self.world, world) {
            (self.ws, self.world) = (world.scratch(), world.clone());
        }
    }

    /// One step and what happens at its end.
    #[inline(always)]
    fn step(&mut self, start: f64, end: f64, x: &mut [Lanes], phases: &mut Phases) {
        let Self { kernel, rates, ws, world } = self;
        let (t, h) = (Lanes::lit(start), Lanes::lit(end - start));
        match rates {
            Some(rates) => world.step_in_place((t, h), x, phases, rates, ws),
            None => kernel.advance(&**world, t, h, x, phases, ws),
        }
        world.commit(end, x, phases, ws);
    }
}

fn mask(lanes: [bool; LANES]) -> Mask {
    let mut mask = Mask::splat(false);
    lanes.into_iter().enumerate().for_each(|(i, yes)| mask.replace(i, yes));
    mask
}

impl Group {
    /// States of the worlds at the start; those beyond `count` are repeated.
    pub fn new(
        world: Arc<LaneWorld>,
        states: &[&State<f64, Mode>; LANES],
        first: usize,
        count: usize,
    ) -> Self {
        let touches = |contacts: fn(&Mode) -> &[crate::world::Contact], i: usize| {
            mask(states.map(|s| contacts(&s.mode)[i].phase == Phase::Touching))
        };
        let mode = &states[0].mode;
        Self {
            x: (0..world.layout.len()).map(|i| Lanes::from(states.map(|s| s.x[i]))).collect(),
            phases: Phases {
                contacts: (0..mode.contacts.len()).map(|i| touches(|m| &m.contacts, i)).collect(),
                stops: (0..mode.stops.len()).map(|i| touches(|m| &m.stops, i)).collect(),
                held: mode.held.clone(),
            },
            world,
            first,
            count,
            outcomes: [Outcome::Running; LANES],
            ended: [const { None }; LANES],
        }
    }

    /// State of one world: positions, velocities, states of laws, accounts.
    pub fn state(&self, lane: usize) -> Vec<f64> {
        self.ended[lane].clone().unwrap_or_else(|| self.x.iter().map(|x| x.extract(lane)).collect())
    }

    /// Bytes that one world takes of the group.
    pub fn bytes_per_world(&self) -> usize {
        let lanes = self.x.len() + self.phases.contacts.len() + self.phases.stops.len();
        lanes * size_of::<f64>() + size_of::<Self>() / LANES
    }

    /// Ends a world that still runs, as it is now.
    pub fn end(&mut self, lane: usize, outcome: Outcome) {
        if self.outcomes[lane] == Outcome::Running {
            self.ended[lane] = Some(self.state(lane));
            self.outcomes[lane] = outcome;
        }
    }

    fn is_running(&self) -> bool {
        self.outcomes[..self.count].contains(&Outcome::Running)
    }

    pub fn advance(&mut self, steps: Steps<'_>, worker: &mut Worker) {
        if !self.is_running() {
            return;
        }
        worker.turn_to(&self.world);
        self.world.place(&self.x, &mut worker.ws);
        let every = steps.watch.map_or(LOOK, |watch| watch.every.max(1));
        let mut looked = 0;
        for taken in 1..=steps.count {
            let n = steps.from + taken;
            // products, not sums: as the grid of a single run
            let (start, end) = ((n - 1) as f64 * steps.step, n as f64 * steps.step);
            worker.step(start, end, &mut self.x, &mut self.phases);
            if taken.is_multiple_of(every) || taken == steps.count {
                let before = (steps.from + looked) as f64 * steps.step;
                self.look(before, end, steps.watch);
                looked = taken;
                if !self.is_running() {
                    return;
                }
            }
        }
    }

    /// Ends worlds that are no longer finite, and those that the watch ends.
    fn look(&mut self, before: f64, now: f64, watch: Option<&Watch<'_>>) {
        let poison = self.x.iter().fold(Lanes::lit(0.0), |sum, x| sum + *x * Lanes::lit(0.0));
        for lane in 0..self.count {
            if self.outcomes[lane] != Outcome::Running {
                continue;
            }
            let ends = |watch: &Watch<'_>| {
                let x: Vec<f64> = self.x.iter().map(|x| x.extract(lane)).collect();
                let (nq, nv) = (self.world.model.tree.nq(), self.world.model.tree.nv());
                (watch.ends)(self.first + lane, now, &x[..nq], &x[nq..nq + nv])
            };
            let outcome = if poison.extract(lane) != 0.0 {
                Outcome::Failed { after: before }
            } else if watch.is_some_and(ends) {
                Outcome::Ended { at: now }
            } else {
                continue;
            };
            self.end(lane, outcome);
        }
    }
}
