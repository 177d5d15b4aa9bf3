//! Thousands of free bodies in one world: contacts of balls side by side in vectors, threads that share out the bodies.
//!
//! ```text
//! finish the step before, settle contacts, what acts → v += h v̇, q += h q̇ → …
//! ```
//! States and losses of a step ask for its new velocities, as the next forces do: both are done in one way through the contacts.
//! A [`Crowd`] makes the steps that [`crate::ode::FixedStep`] makes with [`crate::ode::Method::SemiImplicitEuler`] and events at
//! the ends of steps, and comes to the same bits for any number of threads: every thread evaluates all contacts of its own
//! bodies, in the order of all pairs, and those that it shares with another are evaluated by both. What it adds up for a body it adds
//! up kind by kind (balls on each ground, balls of each two sizes, all else), each in the order of a world. Where a world has the same
//! order, as balls of one size have in a box that is written before them, the bits are those of a world too, for laws that use
//! + − × ÷ √ only.
//!
//! Candidates are found anew when a body has moved by a third of the smallest radius. States of contacts and what pairs have lost
//! pass from list to list.

mod block;
mod family;
mod fill;
mod kinds;
mod meets;
mod near;
mod others;
mod row;
mod shard;
mod split;
mod store;
mod sweep;
mod team;

use crate::Prepared;
use crate::run::Method as RunMethod;
use crate::world::mode::ALL_PAIRS;
use crate::world::{Energy, LOSSES, Mode, Model, WORLD_ACCOUNTS, World};
use bristle_bodies::{Kinematics, Loose, Pose};
use bristle_math::Vector3;
use bristle_ode::{Method, State, StepError, System};
use fill::{Shares, Whole};
use kinds::Kinds;
use near::{Places, Search};
use shard::{Anchor, Grid, Shared};
use store::Store;
use team::{Ran, Team};

/// What a crowd cannot take. Such worlds run as any other.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// Something else than free bodies moves, or acts on them.
    #[error("only free bodies make a crowd: {what}")]
    NotFree {
        /// What there is.
        what: String,
    },
    /// The step is not semi-implicit Euler's.
    #[error("a crowd steps by \"semi-implicit-euler\" with a step")]
    Method,
}

/// Whether all that moves are free bodies, and all that acts on them are gravity and contacts.
///
/// # Errors
/// With what else there is.
pub fn serves(model: &Model) -> Result<(), CrowdError> {
    let what = if !model.joints.is_empty() {
        "there are joints"
    } else if !model.drives.is_empty() {
        "a body is driven"
    } else if model.has_elements() {
        "there are springs, pins or forces"
    } else if model.has_efforts() {
        "there are motors"
    } else if !model.tree.is_loose() {
        "a body hangs on another"
    } else {
        return Ok(());
    };
    Err(CrowdError::NotFree { what: what.to_string() })
}

/// Whether a scene of this model runs as a crowd by itself: if it [`serves`], and has so many shapes that not all pairs of them are
/// candidates.
pub fn is_crowd(model: &Model) -> bool {
    model.shapes.len() > ALL_PAIRS && serves(model).is_ok()
}

/// How many times further than in a world bodies may move before candidates are found anew. A search costs as much as ten steps,
/// and a candidate far away costs little: it is looked at only when contacts are packed. Half of this finds a quarter fewer.
const ROOM: f64 = 3.0;

/// A free body.
#[derive(Clone, Copy)]
struct Body<'m> {
    loose: &'m Loose<f64>,
    q: [f64; 7],
    v: [f64; 6],
}

impl Body<'_> {
    fn pose(&self) -> Pose<f64> {
        self.loose.placed_by(&self.q, &self.v).pose
    }

    /// Of its centre, m.
    fn place(&self) -> Vector3<f64> {
        let [x, y, z, ..] = self.q;
        Vector3::new(x, y, z) + self.loose.origin()
    }
}

/// Many free bodies, stepped together.
///
/// ```
/// use bristle::crowd::Crowd;
/// # let text = "schema = 1\n[simulation]\nduration = 1.0\nintegrator = { method = 'semi-implicit-euler', step = 1e-4 }\n\
/// # [materials.m]\nnormal = { law = 'hunt-crossley', stiffness = 1e6, damping = 0.3 }\n\
/// # friction = { law = 'spring-clutch', friction = 0.3, stiffness = 1e6, damping = 300.0 }\n\
/// # [[contacts]]\nbetween = ['*', '*']\nmaterial = 'm'\n\
/// # [bodies.floor]\nfixed = true\nshape = { plane = {} }\n\
/// # [bodies.a]\nmass = 0.1\nshape = { sphere = { radius = 0.01 } }\nposition = [0, 0, 0.01]\n\
/// # [bodies.b]\nmass = 0.1\nshape = { sphere = { radius = 0.01 } }\nposition = [0.001, 0, 0.0301]\n";
/// # let scene = bristle::scene::Scene::parse(text, "scene.toml", &[])?;
/// let prepared = bristle::prepare(&scene)?; // two balls over a floor, one on the other
/// let mut crowd = Crowd::new(&prepared)?;
/// let start = crowd.energy();
/// crowd.advance(1000, 2)?; // steps, threads
/// assert!(crowd.motion(0).0[2] < 0.0101, "rests on the floor");
/// assert!((crowd.energy().balance() - start.balance()).abs() < 1e-3 * start.mechanical());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Crowd<'m> {
    world: World<'m>,
    kinds: Kinds,
    still: Kinematics<f64>,
    /// Of every link, its body.
    body_of: Vec<Option<u32>>,
    bodies: Vec<Body<'m>>,
    grid: Grid,
    /// How far a body may move before candidates are found anew, m.
    room: f64,
    search: Search,
    store: Store,
    /// Memory of the list of candidates before.
    spare: Store,
    /// Where the links were when candidates were found; of the bodies with what a turn moves.
    poses: Vec<Pose<f64>>,
    anchors: Vec<Anchor>,
    shares: Shares<'m>,
    /// Whether candidates must be found anew before contacts are settled.
    is_out: bool,
    renewals: u64,
    /// As a world has it. Its pairs are those of the store unless `is_mode_old`.
    state: State<f64, Mode>,
    is_mode_old: bool,
}

impl<'m> Crowd<'m> {
    /// A scene from its start.
    ///
    /// # Errors
    /// When other things move than free bodies, or the method is another.
    pub fn new(prepared: &'m Prepared) -> Result<Self, CrowdError> {
        let step = match prepared.options.method {
            RunMethod::Fixed(options) if options.method == Method::SemiImplicitEuler => options.step,
            _ => return Err(CrowdError::Method),
        };
        serves(&prepared.model)?;
        let state = World::new(&prepared.model).start(&prepared.q, &prepared.v);
        let mut crowd = Self::of_state(&prepared.model, state, step);
        // a world looks for them further
        crowd.is_out = true;
        Ok(crowd)
    }

    /// A world that [`serves`] in any state, committed.
    pub(crate) fn of_state(model: &'m Model, state: State<f64, Mode>, step: f64) -> Self {
        let mut body_of = vec![None; model.tree.links().len()];
        let mut bodies = Vec::new();
        for (i, loose) in model.tree.loose().iter().enumerate() {
            body_of[loose.link] = Some(i as u32);
            bodies.push(Body { loose, q: [0.0; 7], v: [0.0; 6] });
        }
        let mut crowd = Self {
            kinds: Kinds::new(model, &body_of),
            still: Kinematics::new(&model.tree),
            world: World::new(model),
            body_of,
            bodies,
            grid: Grid { origin: 0.0, step, count: 0 },
            room: state.mode.leeway(),
            search: Search::default(),
            store: Store::new(),
            spare: Store::new(),
            poses: Vec::new(),
            anchors: Vec::new(),
            shares: Shares::default(),
            is_out: false,
            renewals: 0,
            is_mode_old: false,
            state,
        };
        crowd.grid.origin = crowd.state.t;
        crowd.read_state();
        crowd
    }

    /// Takes motion, contacts and accounts from the state as a world has it.
    fn read_state(&mut self) {
        let State { x, mode, .. } = &self.state;
        let nq = self.world.model.tree.nq();
        for body in &mut self.bodies {
            let [q, v] = body.loose.places();
            body.q.copy_from_slice(&x[q..q + 7]);
            body.v.copy_from_slice(&x[nq + v..nq + v + 6]);
        }
        self.store.read(self.world.model, &self.still, &mut self.kinds, mode, x);
        self.set_anchors(self.state.mode.anchors().to_vec());
        self.room = self.state.mode.leeway();
        (self.shares.are_filled, self.is_out, self.is_mode_old) = (false, false, false);
    }

    /// Steps another state of the same world, which was committed after `made` steps that are counted from `origin` (s).
    ///
    /// # Errors
    /// When a number is no longer finite.
    pub(crate) fn carry_on(
        &mut self,
        state: &mut State<f64, Mode>,
        (origin, made): (f64, u64),
        steps: u64,
        threads: usize,
    ) -> Result<(), StepError> {
        (self.grid.origin, self.grid.count) = (origin, made);
        std::mem::swap(&mut self.state, state);
        self.read_state();
        let result = self.advance(steps, threads);
        self.write_state();
        std::mem::swap(&mut self.state, state);
        result
    }

    /// The step, s.
    pub fn step(&self) -> f64 {
        self.grid.step
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.grid.count
    }

    /// The time reached, s.
    pub fn time(&self) -> f64 {
        self.grid.time(0)
    }

    /// How many bodies there are: those of [`crate::bodies::Tree::loose`], in their order.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Position (m) and quaternion (x, y, z, w) of a body; its angular velocity (rad/s) and velocity (m/s), world axes.
    pub fn motion(&self, body: usize) -> (&[f64; 7], &[f64; 6]) {
        (&self.bodies[body].q, &self.bodies[body].v)
    }

    /// How often candidates were found.
    pub fn renewals(&self) -> u64 {
        self.renewals
    }

    /// How many contacts touch.
    pub fn touching(&mut self) -> usize {
        self.keep();
        self.store.touching()
    }

    /// Energy lost in contacts so far and work done, by [`WORLD_ACCOUNTS`], J.
    pub fn accounts(&mut self) -> [f64; WORLD_ACCOUNTS.len()] {
        self.keep();
        let world = self.state.mode.accounts();
        let mut sums = [0.0; WORLD_ACCOUNTS.len()];
        sums.copy_from_slice(&self.state.x[world..world + WORLD_ACCOUNTS.len()]);
        for accounts in &self.store.accounts {
            sums.iter_mut().zip(accounts).for_each(|(sum, own)| *sum += own);
        }
        sums
    }

    /// Where the energy is.
    pub fn energy(&mut self) -> Energy {
        self.write_state();
        let State { t, x, mode } = &self.state;
        self.world.energy(*t, x, mode, &mut self.world.scratch())
    }

    /// Time, state vector and mode, as a world has them.
    pub fn state(&mut self) -> &State<f64, Mode> {
        self.write_state();
        &self.state
    }

    /// Steps on by `count` steps on so many threads; contacts are settled at the end.
    ///
    /// # Errors
    /// When a number is no longer finite.
    pub fn advance(&mut self, count: u64, threads: usize) -> Result<(), StepError> {
        let threads = threads.clamp(1, self.bodies.len().max(1));
        let (mut left, mut settles) = (count, false);
        while left > 0 {
            if self.is_out || !self.shares.are_filled || self.shares.shards.len() != threads {
                self.renew(threads);
            }
            let Ran { steps, is_out } = self.run(settles, left);
            self.grid.count += steps;
            left -= steps;
            (self.is_out, settles) = (is_out, true);
            self.read_shards()?;
        }
        if settles {
            if self.is_out {
                self.renew(threads);
            }
            self.settle();
        }
        Ok(())
    }

    fn shared(&self) -> Shared<'_> {
        Shared { world: &self.world, is_packed: self.shares.is_packed, grid: self.grid, room: self.room }
    }

    /// Steps until a body leaves its room.
    fn run(&mut self, settles: bool, count: u64) -> Ran {
        let mut shards = std::mem::take(&mut self.shares.shards);
        let shared = self.shared();
        let team = Team::new(shards.len(), self.shares.lent);
        if let [shard] = &mut shards[..] {
            let ran = team.run(shard, &shared, settles, count);
            self.shares.shards = shards;
            return ran;
        }
        let ran = std::thread::scope(|scope| {
            let (first, others) = shards.split_first_mut()?;
            for shard in others {
                scope.spawn(|| team.run(shard, &shared, settles, count));
            }
            Some(team.run(first, &shared, settles, count))
        });
        self.shares.shards = shards;
        ran.unwrap_or(Ran { steps: count, is_out: false })
    }

    fn settle(&mut self) {
        let mut shards = std::mem::take(&mut self.shares.shards);
        let shared = self.shared();
        shards.iter_mut().for_each(|shard| shard.settle(&shared));
        self.shares.shards = shards;
    }

    /// Takes the motion from the shards.
    fn read_shards(&mut self) -> Result<(), StepError> {
        for shard in &self.shares.shards {
            for (i, body) in shard.bodies[..shard.own].iter().enumerate() {
                let to = &mut self.bodies[*body as usize];
                (to.q, to.v) = (shard.q[i], shard.rows[i].twist);
            }
        }
        let is_lost = |body: &Body<'_>| !body.q.iter().chain(&body.v).all(|x| x.is_finite());
        match self.bodies.iter().find(|body| is_lost(body)) {
            Some(body) => Err(StepError::NonFinite {
                time: self.grid.time(0) - self.grid.step,
                component: self.world.model.tree.links()[body.loose.link].name.clone(),
            }),
            None => Ok(()),
        }
    }

    /// Takes contacts and accounts from the shards.
    fn keep(&mut self) {
        let Shares { shards, keepers, are_filled: true, .. } = &mut self.shares else { return };
        for (number, shard) in (0..).zip(shards) {
            shard.keep(&mut self.store, |pair| keepers[pair] == number);
        }
    }

    /// Finds the candidates anew, and shares them out.
    fn renew(&mut self, threads: usize) {
        self.keep();
        let model = self.world.model;
        if self.is_out {
            self.room = ROOM * self.state.mode.leeway();
            let at = Places { model, still: &self.still, body_of: &self.body_of, bodies: &self.bodies };
            let Self { search, kinds, store, spare, .. } = self;
            search.pairs(&at, kinds, (self.room, threads), &mut spare.pairs);
            // what still acts across a gap stays, however wide that is
            spare.add_pairs_that_act(store);
            spare.begin(model, &self.still, kinds);
            let world = self.state.mode.accounts();
            spare.take_over(store, &mut self.state.x[world..world + LOSSES]);
            std::mem::swap(store, spare);
            self.set_anchors(self.poses());
            (self.is_mode_old, self.is_out) = (true, false);
            self.renewals += 1;
        }
        let Self { world, still, kinds, bodies, anchors, store, room, shares, grid, .. } = self;
        let (room, step) = (*room, grid.step);
        shares.fill(&Whole { world, still, kinds, bodies, anchors, store, room, step }, threads);
    }

    /// Where the links are.
    fn poses(&self) -> Vec<Pose<f64>> {
        let mut poses: Vec<Pose<f64>> = self.still.links.iter().map(|link| link.pose).collect();
        self.bodies.iter().for_each(|body| poses[body.loose.link] = body.pose());
        poses
    }

    /// Candidates belong to these poses of the links.
    fn set_anchors(&mut self, poses: Vec<Pose<f64>>) {
        let arms = self.world.model.arms(&poses);
        let anchor = |link: usize| Anchor { pose: poses[link], arm: arms[link] };
        self.anchors = self.bodies.iter().map(|body| anchor(body.loose.link)).collect();
        self.poses = poses;
    }

    /// Writes all there is into the state as a world has it.
    fn write_state(&mut self) {
        self.keep();
        let model = self.world.model;
        if self.is_mode_old {
            let world = self.state.mode.accounts();
            let accounts: Vec<f64> = self.state.x[world..world + WORLD_ACCOUNTS.len()].to_vec();
            self.state.mode.rearrange(model, &self.store.pairs, self.poses.clone());
            self.state.x.resize(self.state.mode.layout.len(), 0.0);
            let world = self.state.mode.accounts();
            self.state.x[world..world + WORLD_ACCOUNTS.len()].copy_from_slice(&accounts);
            self.is_mode_old = false;
        }
        let State { t, x, mode } = &mut self.state;
        *t = self.grid.time(0);
        let nq = model.tree.nq();
        for body in &self.bodies {
            let [q, v] = body.loose.places();
            x[q..q + 7].copy_from_slice(&body.q);
            x[nq + v..nq + v + 6].copy_from_slice(&body.v);
        }
        self.store.write(mode, x);
    }
}
