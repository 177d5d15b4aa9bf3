//! Bodies and pairs put into shards.

use super::block::MOST_STATES;
use super::family::Family;
use super::shard::{Anchor, Shard};
use super::split::split;
use super::store::Store;
use super::{Body, Crowd};
use crate::world::{Material, PairSlot, Short};
use bristle_laws::{Friction, Normal, NormalLaw};
use std::collections::BTreeMap;

/// Contacts of balls with the same sizes and laws.
#[derive(Clone, Copy)]
struct Kind {
    short: Short<f64>,
    material: usize,
    /// Of the ground, or of the first ball: in this order a world comes to them.
    shape: usize,
}

/// The kinds of all pairs.
#[derive(Default)]
struct Kinds {
    all: Vec<Kind>,
    /// By the classes of the balls; for a ball on ground by its class, the shape of the ground, and which of them is first.
    places: BTreeMap<[usize; 3], u32>,
}

impl Kinds {
    /// The kind of a pair; `None` where it takes the general way.
    fn of(&mut self, crowd: &Crowd<'_>, pair: &PairSlot) -> Option<u32> {
        if !crowd.is_packed[pair.material] {
            return None;
        }
        let (short, shapes) = (pair.short?, pair.shapes.map(|s| &crowd.world.model.shapes[s]));
        let [first, second] = pair.shapes;
        let (key, shape) = match short {
            Short::Balls(_) => ([shapes[0].class, shapes[1].class, usize::MAX], first),
            Short::Ground(ground) => {
                let under = ground.ball([second, first]);
                ([ground.ball(shapes).class, under, ground.ball([0, 1])], under)
            }
            Short::Beside(_) => return None,
        };
        let next = self.all.len() as u32;
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.all.push(Kind { short, material: pair.material, shape });
        }
        Some(place)
    }

    /// Sorts them; answers where each went.
    fn sort(&mut self) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|i| self.all[*i].shape);
        let mut places = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, i)| places[*i] = place);
        self.all = order.iter().map(|i| self.all[*i]).collect();
        places
    }
}

/// Whether contacts of balls with these laws are packed into blocks.
pub(super) fn is_packed(material: &Material) -> bool {
    // phases of surfaces that recover are told apart one by one
    let recovers = match material.normal() {
        Normal::AzadFeatherstone(law) => !law.states().is_empty(),
        Normal::Proxy(_) | Normal::Custom(_) => true,
        _ => false,
    };
    let is_custom = matches!(material.only_friction(), None | Some(Friction::Custom(_)));
    !(recovers || is_custom || material.needs_patch()) && material.parts().total <= MOST_STATES
}

/// A pair, the bodies that it belongs to, and its kind.
struct Placed {
    slot: PairSlot,
    bodies: [Option<u32>; 2],
    kind: Option<u32>,
}

/// What is in which shard.
pub(super) struct Shares<'m> {
    pub shards: Vec<Shard<'m>>,
    /// How many bodies are lent.
    pub lent: usize,
    /// Of every pair, the shard that keeps its books.
    pub keepers: Vec<u32>,
    /// Whether all contacts are in families: then nothing is asked for between new velocities and new places.
    pub is_packed: bool,
}

impl<'m> Crowd<'m> {
    /// Shares bodies and pairs out among shards.
    pub(super) fn share(&self, count: usize, store: &Store, anchors: &[Anchor]) -> Shares<'m> {
        let mut kinds = Kinds::default();
        let mut pairs: Vec<Placed> = Vec::with_capacity(store.pairs.len());
        let mut weights = vec![4; self.bodies.len()];
        for shapes in &store.pairs {
            // every pair of the store interacts
            let Some(slot) = self.world.model.pair_slot(*shapes, &self.still) else { continue };
            let bodies = slot.links.map(|link| self.body_of[link]);
            bodies.iter().flatten().for_each(|body| weights[*body as usize] += 1);
            pairs.push(Placed { kind: kinds.of(self, &slot), bodies, slot });
        }
        let sorted = kinds.sort();
        let places: Vec<[f64; 3]> = self.bodies.iter().map(Body::place).collect();
        let owner = split(&places, &weights, count);
        let mut shards: Vec<Shard<'m>> = (0..count).map(|_| Shard::new(&self.world)).collect();
        let mut local = vec![vec![u32::MAX; self.bodies.len()]; count];
        for (i, body) in self.bodies.iter().enumerate() {
            let shard = owner[i] as usize;
            local[shard][i] = shards[shard].bodies.len() as u32;
            shards[shard].add(i as u32, body, anchors[i]);
        }
        shards.iter_mut().for_each(|shard| shard.own = shard.bodies.len());
        let lent = self.lend(&pairs, &owner, anchors, &mut shards, &mut local);
        for shard in &mut shards {
            for kind in &kinds.all {
                let states = self.world.model.materials[kind.material].parts().total;
                shard.families.push(Family::new(kind.short, kind.material, states));
            }
        }
        let mut keepers = Vec::with_capacity(pairs.len());
        for (i, pair) in pairs.into_iter().enumerate() {
            let owners = pair.bodies.map(|body| body.map(|b| owner[b as usize]));
            keepers.push(owners[0].or(owners[1]).unwrap_or(0));
            let second = owners[1].filter(|second| owners[0] != Some(*second));
            for shard in [owners[0], second].into_iter().flatten() {
                let at = |body: u32| local[shard as usize][body as usize];
                let bodies = pair.bodies.map(|body| body.map(at));
                let kind = pair.kind.map(|kind| sorted[kind as usize]);
                shards[shard as usize].add_pair(i, &pair.slot, bodies, kind, store);
            }
        }
        shards.iter_mut().for_each(|shard| shard.list(self.room));
        let is_packed = shards.iter().all(Shard::is_packed);
        Shares { shards, lent, keepers, is_packed }
    }

    /// Gives shards copies of bodies of others that theirs may touch. Answers how many bodies are lent.
    fn lend(
        &self,
        pairs: &[Placed],
        owner: &[u32],
        anchors: &[Anchor],
        shards: &mut [Shard<'m>],
        local: &mut [Vec<u32>],
    ) -> usize {
        let mut slots = vec![u32::MAX; self.bodies.len()];
        let mut lent = 0;
        for pair in pairs {
            let [Some(a), Some(b)] = pair.bodies else { continue };
            for (own, other) in [(a, b), (b, a)] {
                let (to, from) = (owner[own as usize] as usize, owner[other as usize] as usize);
                let other = other as usize;
                if to == from || local[to][other] != u32::MAX {
                    continue;
                }
                if slots[other] == u32::MAX {
                    slots[other] = lent;
                    shards[from].lent.push((local[from][other], lent));
                    lent += 1;
                }
                local[to][other] = shards[to].bodies.len() as u32;
                shards[to].add(other as u32, &self.bodies[other], anchors[other]);
                shards[to].borrowed.push(slots[other]);
            }
        }
        lent as usize
    }
}
