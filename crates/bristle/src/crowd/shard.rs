//! The bodies of one thread, and one step of theirs.
//!
//! A shard owns some bodies and has copies of those of others that these may touch. It evaluates every contact of its own bodies;
//! one between bodies of two shards is evaluated by both, to the same bits, so that nothing but motions is exchanged.

use super::Body;
use super::family::{Family, Laws};
use super::others::{Bodies, Others};
use super::row::Row;
use super::store::Store;
use crate::world::{Material, PairSlot, World};
use bristle_bodies::{Loose, Pose, stride};
use bristle_laws::Phase;
use bristle_math::spatial::Wrench;
use bristle_math::{Lanes, Vector3};

/// What all shards share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub world: &'a World<'a>,
    /// Materials on lanes; `None` where contacts take the general way.
    pub lanes: &'a [Option<Material<Lanes>>],
    pub grid: Grid,
    /// How far a body may move before candidates are found anew, m.
    pub room: f64,
}

/// Where steps end: products, not sums, as those of a single run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    /// s.
    pub origin: f64,
    /// Of each step, s.
    pub step: f64,
    pub count: u64,
}

impl Grid {
    /// Time after so many steps more, s.
    pub fn time(&self, steps: u64) -> f64 {
        self.origin + (self.count + steps) as f64 * self.step
    }
}

impl<'a> Shared<'a> {
    /// Laws of a family.
    fn laws(&self, material: usize) -> Option<Laws<'a>> {
        let model = self.world.model;
        let four = self.lanes[material].as_ref()?;
        Some(Laws { one: &model.materials[material], four, carries_spin: model.carries_spin })
    }
}

/// How a body answers what acts on it.
#[derive(Clone, Copy)]
pub(super) enum Ease {
    /// Inverses of its mass and inertia.
    Ball([f64; 2]),
    /// By its own equations.
    Any,
}

/// Where a body was when candidates were found.
#[derive(Clone, Copy)]
pub(super) struct Anchor {
    pub pose: Pose<f64>,
    /// How far its shapes reach, m: what a turn moves.
    pub arm: f64,
}

/// Bodies and contacts of one thread.
pub(super) struct Shard<'m> {
    /// Own bodies, then copies of others, as indices of all.
    pub bodies: Vec<u32>,
    /// How many are its own.
    pub own: usize,
    pub loose: Vec<&'m Loose<f64>>,
    pub q: Vec<[f64; 7]>,
    pub rows: Vec<Row>,
    wrenches: Vec<Wrench<f64>>,
    pub ease: Vec<Ease>,
    pub anchors: Vec<Anchor>,
    pub families: Vec<Family>,
    others: Others,
    /// Own bodies that others have copies of, and where they are posted.
    pub lent: Vec<(u32, u32)>,
    /// Where the bodies of others are posted, in the order of the copies.
    pub borrowed: Vec<u32>,
}

impl<'m> Shard<'m> {
    pub fn new(world: &World<'m>) -> Self {
        Self {
            bodies: Vec::new(),
            own: 0,
            loose: Vec::new(),
            q: Vec::new(),
            rows: Vec::new(),
            wrenches: Vec::new(),
            ease: Vec::new(),
            anchors: Vec::new(),
            families: Vec::new(),
            others: Others::new(world),
            lent: Vec::new(),
            borrowed: Vec::new(),
        }
    }

    /// Adds a body at hand.
    pub fn add(&mut self, number: u32, body: &Body<'m>, anchor: Anchor) {
        self.bodies.push(number);
        self.loose.push(body.loose);
        self.q.push(body.q);
        self.rows.push(Row { place: place(body.loose, &body.q), twist: body.v });
        self.wrenches.push(Wrench::zero());
        self.ease.push(body.loose.as_ball().map_or(Ease::Any, Ease::Ball));
        self.anchors.push(anchor);
    }

    /// Adds a pair by its place in the store; `bodies` are at hand.
    pub fn add_pair(
        &mut self,
        origin: usize,
        slot: &PairSlot,
        bodies: [Option<u32>; 2],
        kind: Option<u32>,
        store: &Store,
    ) {
        let family = kind.and_then(|kind| self.families.get_mut(kind as usize));
        let (Some(family), Some(first)) = (family, bodies[0].or(bodies[1])) else {
            return self.others.add(slot.clone(), origin, store, bodies);
        };
        let balls = [first, bodies[1].unwrap_or(first)];
        let is_touching = store.phases(origin).first() == Some(&Phase::Touching);
        family.add(balls, origin as u32, is_touching, store.states(origin), &store.accounts[origin]);
    }

    /// To be done once after all was added.
    pub fn list(&mut self) {
        self.families.iter_mut().for_each(Family::list);
        self.others.list();
    }

    /// Begins and ends contacts where the bodies are.
    pub fn settle(&mut self, shared: &Shared<'_>) {
        for family in &mut self.families {
            if let Some(laws) = shared.laws(family.material) {
                family.settle(laws, &self.rows);
            }
        }
        let at = Bodies { loose: &self.loose, q: &self.q, rows: &self.rows };
        self.others.settle(shared.world, at);
    }

    /// New velocities of its own bodies after a time `h` (s); before that, does what [`Self::settle`] does if it `settles`.
    pub fn kick(&mut self, shared: &Shared<'_>, settles: bool, h: f64) {
        let Self { loose, q, rows, wrenches, ease, families, others, .. } = self;
        wrenches.fill(Wrench::zero());
        for family in families {
            if let Some(laws) = shared.laws(family.material) {
                family.push(laws, rows, settles, wrenches);
            }
        }
        let at = Bodies { loose, q, rows };
        if settles {
            others.settle(shared.world, at);
        }
        others.push(shared.world, at, wrenches);
        let gravity = &shared.world.model.gravity;
        for (i, row) in rows[..self.own].iter_mut().enumerate() {
            let wrench = &wrenches[i];
            let (angular, linear) = match ease[i] {
                Ease::Ball([mass, inertia]) => (wrench.torque * inertia, wrench.force * mass + gravity),
                Ease::Any => {
                    let twist = loose[i].acceleration(&q[i], &row.twist, wrench, gravity);
                    (twist.angular, twist.linear)
                }
            };
            for k in 0..3 {
                row.twist[k] += h * angular[k];
                row.twist[k + 3] += h * linear[k];
            }
        }
    }

    /// States and accounts of the contacts of its bodies after a time `h` (s) with the new velocities.
    pub fn drift(&mut self, shared: &Shared<'_>, h: f64) {
        for family in &mut self.families {
            if let Some(laws) = shared.laws(family.material) {
                family.drift(laws, &self.rows, h);
            }
        }
        let at = Bodies { loose: &self.loose, q: &self.q, rows: &self.rows };
        self.others.drift(shared.world, at, h);
    }

    /// Moves its own bodies. Answers whether one has left its room, or is no longer anywhere.
    pub fn stride(&mut self, room: f64, h: f64) -> bool {
        let mut is_out = false;
        let square = room * room;
        for i in 0..self.own {
            let (q, row, anchor) = (&mut self.q[i], &mut self.rows[i], &self.anchors[i]);
            stride(q, &row.twist, h);
            row.place = place(self.loose[i], q);
            let from = &anchor.pose.translation.vector;
            let moved: f64 = (0..3).map(|k| (row.place[k] - from[k]) * (row.place[k] - from[k])).sum();
            let is_in = if anchor.arm == 0.0 {
                moved <= square
            } else {
                // a chord of the turn: 2 sin(θ/2) = 2 √(1 − (q·q₀)²)
                let same: f64 = (0..4).map(|k| q[3 + k] * anchor.pose.rotation.coords[k]).sum();
                moved.sqrt() + 2.0 * (1.0 - same * same).max(0.0).sqrt() * anchor.arm <= room
            };
            is_out |= !is_in;
        }
        is_out
    }

    /// A copy of a body of another shard, at its new place.
    pub fn copy_place(&mut self, body: usize, q: &[f64; 7]) {
        self.q[body] = *q;
        self.rows[body].place = place(self.loose[body], q);
    }

    /// Writes back what belongs to pairs of which `is_booked` holds.
    pub fn keep(&self, store: &mut Store, is_booked: impl Fn(usize) -> bool) {
        for family in &self.families {
            for (contact, origin) in family.origin.iter().enumerate() {
                let origin = *origin as usize;
                if is_booked(origin) {
                    store.accounts[origin] = family.accounts[contact];
                    store.states_mut(origin).copy_from_slice(family.states(contact));
                    store.phases_mut(origin).fill(family.phase(contact));
                }
            }
        }
        self.others.keep(store, is_booked);
    }
}

/// Of the origin of a free body, m.
#[inline(always)]
fn place(loose: &Loose<f64>, q: &[f64; 7]) -> [f64; 3] {
    let place = Vector3::new(q[0], q[1], q[2]) + loose.origin();
    [place.x, place.y, place.z]
}
