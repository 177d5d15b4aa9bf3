//! Bodies and pairs put into shards.

use super::Body;
use super::kinds::{Kinds, NONE};
use super::shard::{Anchor, Shard};
use super::split::split;
use super::store::Store;
use super::team::on_each;
use crate::world::{Short, World};
use bristle_bodies::Kinematics;

/// All there is to share out.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a, 'm> {
    pub world: &'a World<'m>,
    pub still: &'a Kinematics<f64>,
    pub kinds: &'a Kinds,
    pub bodies: &'a [Body<'m>],
    /// Where they were when candidates were found.
    pub anchors: &'a [Anchor],
    pub store: &'a Store,
    /// How far a body may move before candidates are found anew, m.
    pub room: f64,
    /// s.
    pub step: f64,
}

impl Whole<'_, '_> {
    /// How far the fastest body moves in a step, m.
    fn pace(&self) -> f64 {
        let speed_square = |body: &Body<'_>| body.v[3..].iter().map(|v| v * v).sum::<f64>();
        self.step * self.bodies.iter().map(speed_square).fold(0.0, f64::max).sqrt()
    }
}

/// What is in which shard. Its memory is kept from one list of candidates to the next.
#[derive(Default)]
pub(super) struct Shares<'m> {
    pub shards: Vec<Shard<'m>>,
    /// Whether the shards hold what there is.
    pub are_filled: bool,
    /// Places in which bodies that are lent are posted.
    pub lent: usize,
    /// Of every pair, the shard that keeps its books.
    pub keepers: Vec<u32>,
    /// Whether all contacts are in families: then nothing is asked for between new velocities and new places.
    pub is_packed: bool,
    /// Of every body, its shard.
    owner: Vec<u32>,
    /// Of every shard, where each body stands in it.
    local: Vec<Vec<u32>>,
    /// Where bodies that are lent are posted.
    slots: Vec<u32>,
    weights: Vec<u32>,
    order: Order,
}

impl<'m> Shares<'m> {
    /// Shares bodies and pairs out among shards.
    pub fn fill(&mut self, all: &Whole<'_, 'm>, count: usize) {
        self.shards.truncate(count);
        for number in self.shards.len()..count {
            self.shards.push(Shard::new(all.world, number));
        }
        self.shards.iter_mut().for_each(Shard::clear);
        self.split(all);
        self.own(all);
        self.lend(all);
        self.order.sort(all);
        let Self { shards, owner, local, order, .. } = self;
        let pace = all.pace();
        on_each(shards, |number, shard| {
            let at = &local[number];
            shard.fill_bodies(all);
            shard.families_of(order.sorted.iter().map(|kind| &all.kinds.all[*kind as usize]));
            for (pair, bodies) in all.store.bodies.iter().enumerate() {
                let owners = bodies.map(|body| owner.get(body as usize));
                if owners.iter().flatten().any(|owner| **owner as usize == number) {
                    let bodies = bodies.map(|body| at.get(body as usize).copied());
                    let place = order.places.get(all.store.kinds[pair] as usize);
                    shard.add_pair(pair, bodies, place.copied().unwrap_or(NONE), all);
                }
            }
            shard.list(all.room, pace);
        });
        self.is_packed = self.shards.iter().all(Shard::is_packed);
        self.are_filled = true;
    }

    /// Tells bodies their shards by what their contacts cost, and pairs who keeps their books.
    fn split(&mut self, all: &Whole<'_, 'm>) {
        let Self { weights, owner, keepers, .. } = self;
        weights.clear();
        weights.resize(all.bodies.len(), 4);
        if self.shards.len() == 1 {
            owner.clear();
            owner.resize(all.bodies.len(), 0);
        } else {
            for body in all.store.bodies.iter().flatten().filter(|body| **body != NONE) {
                weights[*body as usize] += 1;
            }
            let places: Vec<[f64; 3]> = all.bodies.iter().map(|body| body.place().into()).collect();
            *owner = split(&places, weights, self.shards.len());
        }
        let keeper = |[a, b]: &[u32; 2]| owner.get(*a as usize).or(owner.get(*b as usize)).copied();
        keepers.clear();
        keepers.extend(all.store.bodies.iter().map(|bodies| keeper(bodies).unwrap_or(0)));
    }

    /// Gives every shard its own bodies.
    fn own(&mut self, all: &Whole<'_, 'm>) {
        let Self { shards, owner, local, .. } = self;
        local.resize(shards.len(), Vec::new());
        for list in &mut *local {
            list.clear();
            list.resize(all.bodies.len(), NONE);
        }
        for (i, owner) in owner.iter().enumerate() {
            let shard = *owner as usize;
            local[shard][i] = shards[shard].bodies.len() as u32;
            shards[shard].bodies.push(i as u32);
        }
        shards.iter_mut().for_each(|shard| shard.own = shard.bodies.len());
    }

    /// Gives shards copies of bodies of others that theirs may touch.
    fn lend(&mut self, all: &Whole<'_, 'm>) {
        let Self { shards, owner, local, slots, .. } = self;
        self.lent = 0;
        if shards.len() == 1 {
            return;
        }
        slots.clear();
        slots.resize(all.bodies.len(), NONE);
        for [a, b] in &all.store.bodies {
            let (Some(first), Some(second)) = (owner.get(*a as usize), owner.get(*b as usize)) else {
                continue;
            };
            if first == second {
                continue;
            }
            for (to, from, other) in [(*first, *second, *b), (*second, *first, *a)] {
                let (to, from, other) = (to as usize, from as usize, other as usize);
                if local[to][other] != NONE {
                    continue;
                }
                if slots[other] == NONE {
                    slots[other] = shards[from].lent.len() as u32;
                    shards[from].lent.push((local[from][other], slots[other]));
                }
                local[to][other] = shards[to].bodies.len() as u32;
                shards[to].bodies.push(other as u32);
                shards[to].borrowed.push(slots[other]);
            }
        }
        // what a shard posts lies together, apart from what others post: no line of a cache is written by two threads
        let mut starts = Vec::with_capacity(shards.len());
        for shard in &mut *shards {
            let start = self.lent as u32;
            starts.push(start);
            shard.lent.iter_mut().for_each(|(_, slot)| *slot += start);
            self.lent += shard.lent.len() + 1;
        }
        for shard in shards {
            let from = shard.bodies[shard.own..].iter().map(|body| owner[*body as usize] as usize);
            shard.borrowed.iter_mut().zip(from).for_each(|(slot, from)| *slot += starts[from]);
        }
    }
}

/// In which order a world comes to the kinds of its pairs.
#[derive(Default)]
struct Order {
    /// Kinds that are there and packed.
    sorted: Vec<u32>,
    /// Of every kind, its place among them.
    places: Vec<u32>,
    /// Of every kind, the ground or the first ball of its first pair.
    shapes: Vec<usize>,
}

impl Order {
    fn sort(&mut self, all: &Whole<'_, '_>) {
        let Self { sorted, places, shapes } = self;
        sorted.clear();
        places.clear();
        shapes.clear();
        places.resize(all.kinds.all.len(), NONE);
        shapes.resize(all.kinds.all.len(), 0);
        for (kind, pair) in all.store.kinds.iter().zip(&all.store.pairs) {
            let Some(found) = all.kinds.packed(*kind) else { continue };
            let place = &mut places[*kind as usize];
            if *place == NONE {
                *place = 0;
                sorted.push(*kind);
                let [first, second] = *pair;
                shapes[*kind as usize] = match found.short {
                    Short::Ground(ground) => ground.ball([second, first]),
                    Short::Balls(_) | Short::Beside(_) => first,
                };
            }
        }
        sorted.sort_by_key(|kind| shapes[*kind as usize]);
        (0..).zip(&*sorted).for_each(|(place, kind)| places[*kind as usize] = place);
    }
}
