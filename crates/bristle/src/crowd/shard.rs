//! The bodies of one thread, and one step of theirs.
//!
//! A shard owns some bodies and has copies of those of others that these may touch. It evaluates every contact of its own bodies;
//! one between bodies of two shards is evaluated by both, to the same bits, so that nothing but motions is exchanged.
//! States and losses of contacts in families follow one step later, with the new velocities that the next forces ask for too.

use super::Body;
use super::family::Family;
use super::fill::Whole;
use super::kinds::Kind;
use super::others::{Bodies, Others};
use super::row::Row;
use super::store::Store;
use super::sweep::Task;
use crate::world::World;
use bristle_bodies::{Loose, Pose, stride};
use bristle_laws::Phase;
use bristle_math::Vector3;
use bristle_math::spatial::Wrench;

/// What all shards share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub world: &'a World<'a>,
    /// Whether all contacts of all shards are in families.
    pub is_packed: bool,
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

/// The room that bodies have before contacts are packed anew, to the mean (geometric) of the whole room and the way of a step.
const PACKED: f64 = 0.5;
/// Least part of the room that bodies have before contacts are packed anew: roundings of places stay far below it.
const LEAST_PACKED: f64 = 0.01;
/// Roundings of places are less than this part of a room.
const ROUNDED: f64 = 1e-6;

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

/// What a step of one body asks for and does not change.
#[derive(Clone, Copy)]
struct Fixed {
    ease: Ease,
    /// Of its joint frame, m.
    origin: [f64; 3],
    anchor: Anchor,
}

impl Fixed {
    /// Of the centre of a free body, m.
    #[inline(always)]
    fn place(&self, q: &[f64; 7]) -> [f64; 3] {
        [q[0] + self.origin[0], q[1] + self.origin[1], q[2] + self.origin[2]]
    }

    /// Whether a body has not left its room (m) since candidates were found.
    #[inline(always)]
    fn is_in(&self, q: &[f64; 7], place: &[f64; 3], room: f64) -> bool {
        let Anchor { pose, arm } = &self.anchor;
        let from = &pose.translation.vector;
        let moved: f64 = (0..3).map(|k| (place[k] - from[k]) * (place[k] - from[k])).sum();
        if *arm == 0.0 {
            return moved <= room * room;
        }
        // a chord of the turn: 2 sin(θ/2) = 2 √(1 − (q·q₀)²)
        let same: f64 = (0..4).map(|k| q[3 + k] * pose.rotation.coords[k]).sum();
        moved.sqrt() + 2.0 * (1.0 - same * same).max(0.0).sqrt() * arm <= room
    }
}

/// A body in the middle of a step.
struct Stepped<'a> {
    q: &'a mut [f64; 7],
    row: &'a mut Row,
    wrench: &'a Wrench<f64>,
    fixed: &'a Fixed,
    loose: &'a Loose<f64>,
}

impl Stepped<'_> {
    /// Its new velocity after a time `h` (s) under what acts.
    #[inline(always)]
    fn kick(&mut self, gravity: &Vector3<f64>, h: f64) {
        let Self { q, row, wrench, fixed, loose } = self;
        let (angular, linear) = match fixed.ease {
            Ease::Ball([mass, inertia]) => (wrench.torque * inertia, wrench.force * mass + gravity),
            Ease::Any => {
                let twist = loose.acceleration(&q[..], &row.twist, wrench, gravity);
                (twist.angular, twist.linear)
            }
        };
        for k in 0..3 {
            row.twist[k] += h * angular[k];
            row.twist[k + 3] += h * linear[k];
        }
    }

    /// Its new place. Answers whether it is still in its room (m), and the square of its speed.
    #[inline(always)]
    fn stride(&mut self, room: f64, h: f64) -> (bool, f64) {
        stride(self.q, &self.row.twist, h);
        self.row.place = self.fixed.place(self.q);
        (self.fixed.is_in(self.q, &self.row.place, room), self.row.speed_square())
    }
}

/// Bodies and contacts of one thread.
pub(super) struct Shard<'m> {
    /// Among all shards.
    pub number: usize,
    /// Own bodies, then copies of others, as indices of all.
    pub bodies: Vec<u32>,
    /// How many are its own.
    pub own: usize,
    pub loose: Vec<&'m Loose<f64>>,
    pub q: Vec<[f64; 7]>,
    pub rows: Vec<Row>,
    wrenches: Vec<Wrench<f64>>,
    fixed: Vec<Fixed>,
    pub families: Vec<Family>,
    others: Others,
    /// Own bodies that others have copies of, and where they are posted.
    pub lent: Vec<(u32, u32)>,
    /// Where the bodies of others are posted, in the order of the copies.
    pub borrowed: Vec<u32>,
    /// By how long states and losses of families are still to be moved on, s.
    owed: Option<f64>,
    /// How far a body may move before candidates are found anew, m.
    room: f64,
    /// How far bodies at hand may move before contacts are packed anew, how far they may have moved since, and how far they may move
    /// in a step, m.
    packed_room: f64,
    moved: f64,
    pace: f64,
    /// Square of the largest speed of its own bodies, m²/s².
    pub fastest: f64,
}

impl<'m> Shard<'m> {
    pub fn new(world: &World<'m>, number: usize) -> Self {
        Self {
            number,
            bodies: Vec::new(),
            own: 0,
            loose: Vec::new(),
            q: Vec::new(),
            rows: Vec::new(),
            wrenches: Vec::new(),
            fixed: Vec::new(),
            families: Vec::new(),
            others: Others::new(world),
            lent: Vec::new(),
            borrowed: Vec::new(),
            owed: None,
            room: 0.0,
            packed_room: 0.0,
            moved: 0.0,
            pace: 0.0,
            fastest: 0.0,
        }
    }

    /// Takes motions of the bodies at hand.
    pub fn fill_bodies(&mut self, all: &Whole<'_, 'm>) {
        for number in &self.bodies {
            let (body, anchor): (&Body<'m>, _) =
                (&all.bodies[*number as usize], all.anchors[*number as usize]);
            self.loose.push(body.loose);
            self.q.push(body.q);
            let ease = body.loose.as_ball().map_or(Ease::Any, Ease::Ball);
            let fixed = Fixed { ease, origin: (*body.loose.origin()).into(), anchor };
            self.rows.push(Row { place: fixed.place(&body.q), twist: body.v });
            self.wrenches.push(Wrench::zero());
            self.fixed.push(fixed);
        }
    }

    /// Forgets bodies and pairs, and keeps its memory.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.loose.clear();
        self.q.clear();
        self.rows.clear();
        self.wrenches.clear();
        self.fixed.clear();
        self.lent.clear();
        self.borrowed.clear();
        self.others.clear();
        (self.own, self.owed) = (0, None);
    }

    /// Families of these kinds, without contacts yet.
    pub fn families_of<'k>(&mut self, kinds: impl ExactSizeIterator<Item = &'k Kind>) {
        self.families.truncate(kinds.len());
        for (i, kind) in kinds.enumerate() {
            match self.families.get_mut(i) {
                Some(family) => family.clear(kind),
                None => self.families.push(Family::new(kind)),
            }
        }
    }

    /// Adds a pair by its place in the store, and by that of its family if it has one; `bodies` are at hand.
    pub fn add_pair(&mut self, origin: usize, bodies: [Option<u32>; 2], family: u32, all: &Whole<'_, 'm>) {
        let store = all.store;
        let family = self.families.get_mut(family as usize);
        let (Some(family), Some(first)) = (family, bodies[0].or(bodies[1])) else {
            // every pair of the store interacts
            if let Some(slot) = all.world.model.pair_slot(store.pairs[origin], all.still) {
                self.others.add(slot, origin, store, bodies);
            }
            return;
        };
        let balls = [first, bodies[1].unwrap_or(first)];
        let is_touching = store.phases(origin).first() == Some(&Phase::Touching);
        family.add(balls, origin as u32, is_touching, store.states(origin), &store.accounts[origin]);
    }

    /// To be done once after all was added; bodies leave their `room` (m) before others may touch, and move by `pace` (m) in a step.
    pub fn list(&mut self, room: f64, pace: f64) {
        (self.room, self.pace) = (room, pace);
        self.families.iter_mut().for_each(Family::list);
        self.others.list();
        self.pack();
    }

    /// Whether all contacts are in families.
    pub fn is_packed(&self) -> bool {
        self.others.is_empty()
    }

    /// Packs the contacts. What is packed and does not touch costs in proportion to the room of this; packing costs in proportion to
    /// how often that is left. The sum is least where the room grows as the root of the pace.
    fn pack(&mut self) {
        let best = PACKED * (self.pace * self.room).sqrt();
        // all candidates are packed if the room has no end
        self.packed_room = best.max(LEAST_PACKED * self.room).min(self.room);
        let room = (1.0 + ROUNDED) * self.packed_room;
        self.families.iter_mut().for_each(|family| family.pack(&self.rows, room));
        self.moved = 0.0;
    }

    /// Packs contacts anew where bodies may have moved too far for those that are packed.
    fn follow(&mut self) {
        if self.moved > self.packed_room {
            self.families.iter_mut().for_each(Family::unpack);
            self.pack();
        }
    }

    /// Begins and ends contacts where the bodies are.
    pub fn settle(&mut self, shared: &Shared<'_>) {
        self.follow();
        let model = shared.world.model;
        for family in &mut self.families {
            family.sweep(model, &self.rows, Task { owed: self.owed, settles: true }, None);
        }
        self.owed = None;
        let at = Bodies { loose: &self.loose, q: &self.q, rows: &self.rows };
        self.others.settle(shared.world, at);
    }

    /// Moves on states and losses that are still to be.
    pub fn finish(&mut self, shared: &Shared<'_>) {
        if self.owed.is_some() {
            for family in &mut self.families {
                let task = Task { owed: self.owed, settles: false };
                family.sweep(shared.world.model, &self.rows, task, None);
            }
        }
        self.owed = None;
    }

    /// What acts on its bodies; before that, does what [`Self::settle`] does if it `settles`.
    pub fn push(&mut self, shared: &Shared<'_>, settles: bool) {
        self.follow();
        let Self { loose, q, rows, wrenches, families, others, .. } = self;
        wrenches.fill(Wrench::zero());
        for family in families {
            let task = Task { owed: self.owed, settles };
            family.sweep(shared.world.model, rows, task, Some(&mut wrenches[..]));
        }
        self.owed = None;
        let at = Bodies { loose, q, rows };
        if settles {
            others.settle(shared.world, at);
        }
        others.push(shared.world, at, wrenches);
    }

    /// Its own bodies.
    #[inline(always)]
    fn own(&mut self) -> impl Iterator<Item = Stepped<'_>> {
        let Self { q, rows, wrenches, fixed, loose, own, .. } = self;
        let all = q.iter_mut().zip(rows).zip(wrenches).zip(fixed).zip(loose).take(*own);
        all.map(|((((q, row), wrench), fixed), loose)| Stepped { q, row, wrench, fixed, loose })
    }

    /// New velocities of its own bodies after a time `h` (s) under what acts.
    pub fn kick(&mut self, gravity: &Vector3<f64>, h: f64) {
        self.own().for_each(|mut body| body.kick(gravity, h));
    }

    /// States and accounts of contacts in no family after a time `h` (s) with the new velocities.
    pub fn drift(&mut self, shared: &Shared<'_>, h: f64) {
        let at = Bodies { loose: &self.loose, q: &self.q, rows: &self.rows };
        self.others.drift(shared.world, at, h);
    }

    /// Moves its own bodies. Answers whether one has left its room, or is no longer anywhere.
    pub fn stride(&mut self, room: f64, h: f64) -> bool {
        self.step_each(|body| body.stride(room, h))
    }

    /// New velocities and new places of its own bodies at once. Answers as [`Self::stride`].
    pub fn kick_and_stride(&mut self, gravity: &Vector3<f64>, room: f64, h: f64) -> bool {
        self.step_each(|body| {
            body.kick(gravity, h);
            body.stride(room, h)
        })
    }

    #[inline(always)]
    fn step_each(&mut self, step: impl Fn(&mut Stepped<'_>) -> (bool, f64)) -> bool {
        let (mut are_in, mut fastest) = (true, 0.0f64);
        for mut body in self.own() {
            let (is_in, speed_square) = step(&mut body);
            are_in &= is_in;
            fastest = fastest.max(speed_square);
        }
        self.fastest = fastest;
        !are_in
    }

    /// A step of a time `h` (s) is made, but for states and losses of families; no body of any shard is faster than `fastest`, m/s.
    pub fn owe(&mut self, h: f64, fastest: f64) {
        self.owed = Some(h);
        self.pace = h * fastest;
        self.moved += self.pace;
    }

    /// Moves copies of bodies of other shards by their new velocities, to the bits of those bodies: their places need not be passed on. Their turns
    /// are read by nobody where all contacts are in families.
    pub fn move_copies(&mut self, h: f64) {
        let Self { q, rows, fixed, own, .. } = self;
        for ((q, row), fixed) in q.iter_mut().zip(rows).zip(fixed).skip(*own) {
            (0..3).for_each(|k| q[k] += h * row.twist[3 + k]);
            row.place = fixed.place(q);
        }
    }

    /// A copy of a body of another shard, at its new place.
    pub fn copy_place(&mut self, body: usize, q: &[f64; 7]) {
        self.q[body] = *q;
        self.rows[body].place = self.fixed[body].place(q);
    }

    /// Writes back what belongs to pairs of which `is_booked` holds.
    pub fn keep(&mut self, store: &mut Store, is_booked: impl Fn(usize) -> bool) {
        for family in &mut self.families {
            family.unpack();
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
