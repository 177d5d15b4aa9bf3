//! All candidate pairs with their states and accounts, in order of their shapes, and how they pass from one list of candidates to
//! the next.

use super::kinds::{Kinds, NONE};
use crate::world::mode::PAIR_ACCOUNTS;
use crate::world::{Mode, Model};
use bristle_bodies::Kinematics;
use bristle_laws::Phase;

/// The pairs.
pub(super) struct Store {
    /// Shapes of each pair, the first with the smaller index, sorted.
    pub pairs: Vec<[usize; 2]>,
    /// Their kinds; [`NONE`] where they have no short form.
    pub kinds: Vec<u32>,
    /// The free bodies that carry the shapes; [`NONE`] where one stands still.
    pub bodies: Vec<[u32; 2]>,
    pub accounts: Vec<[f64; PAIR_ACCOUNTS]>,
    /// Where the contacts of each pair begin, and where all end.
    contacts: Vec<usize>,
    phases: Vec<Phase>,
    /// Where the states of each pair begin, and where all end.
    starts: Vec<usize>,
    z: Vec<f64>,
}

impl Store {
    /// No pairs.
    pub fn new() -> Self {
        Self {
            pairs: Vec::new(),
            kinds: Vec::new(),
            bodies: Vec::new(),
            accounts: Vec::new(),
            contacts: vec![0],
            phases: Vec::new(),
            starts: vec![0],
            z: Vec::new(),
        }
    }

    /// After other pairs were written: they have lost nothing and do not touch.
    pub fn begin(&mut self, model: &Model, still: &Kinematics<f64>, kinds: &mut Kinds) {
        let Self { pairs, kinds: own, bodies, accounts, contacts, phases, starts, z } = self;
        own.clear();
        bodies.clear();
        contacts.clear();
        starts.clear();
        let (mut count, mut states) = (0, 0);
        contacts.push(0);
        starts.push(0);
        for &shapes in &*pairs {
            let kind = kinds.of(model, still, shapes).unwrap_or(NONE);
            let (more, each) = match kinds.all.get(kind as usize) {
                Some(kind) => (1, kind.states),
                None => model
                    .interaction(shapes[0], shapes[1])
                    .map_or((0, 0), |i| (i.touching.contacts(), model.materials[i.material].parts().total)),
            };
            count += more;
            states += more * each;
            own.push(kind);
            bodies.push(kinds.bodies(shapes));
            contacts.push(count);
            starts.push(states);
        }
        accounts.clear();
        phases.clear();
        z.clear();
        accounts.resize(pairs.len(), [0.0; PAIR_ACCOUNTS]);
        phases.resize(count, Phase::Open);
        z.resize(states, 0.0);
    }

    /// Takes what a world has.
    pub fn read(
        &mut self,
        model: &Model,
        still: &Kinematics<f64>,
        kinds: &mut Kinds,
        mode: &Mode,
        x: &[f64],
    ) {
        self.pairs.clear();
        self.pairs.extend(mode.pairs.iter().map(|p| p.shapes));
        self.begin(model, still, kinds);
        for (i, pair) in mode.pairs.iter().enumerate() {
            let contacts = &mode.contacts[pair.contacts.clone()];
            self.phases_mut(i).iter_mut().zip(contacts).for_each(|(to, from)| *to = from.phase);
            let z = contacts.first().map_or(0, |c| c.z);
            let to = self.states_mut(i);
            to.copy_from_slice(&x[z..z + to.len()]);
            self.accounts[i].copy_from_slice(&x[pair.accounts..][..PAIR_ACCOUNTS]);
        }
    }

    /// Adds to a list of pairs those of another store that act and are not in it.
    pub fn add_pairs_that_act(&mut self, other: &Self) {
        let (before, mut next, pairs) = (self.pairs.len(), 0, &mut self.pairs);
        for (i, pair) in other.pairs.iter().enumerate() {
            while next < before && pairs[next] < *pair {
                next += 1;
            }
            let is_there = next < before && pairs[next] == *pair;
            if !is_there && other.phases(i).iter().any(|phase| *phase != Phase::Open) {
                pairs.push(*pair);
            }
        }
        if pairs.len() > before {
            pairs.sort_unstable();
        }
    }

    /// How many contacts touch.
    pub fn touching(&self) -> usize {
        self.phases.iter().filter(|phase| **phase == Phase::Touching).count()
    }

    /// Gives a world of the same pairs what there is here.
    pub fn write(&self, mode: &mut Mode, x: &mut [f64]) {
        let Mode { pairs, contacts, .. } = mode;
        for (i, pair) in pairs.iter().enumerate() {
            let contacts = &mut contacts[pair.contacts.clone()];
            contacts.iter_mut().zip(self.phases(i)).for_each(|(to, from)| to.phase = *from);
            let (z, from) = (contacts.first().map_or(0, |c| c.z), self.states(i));
            x[z..z + from.len()].copy_from_slice(from);
            x[pair.accounts..][..PAIR_ACCOUNTS].copy_from_slice(&self.accounts[i]);
        }
    }

    /// Takes over what belongs to pairs of another list; adds the accounts of those that are gone to `left`.
    pub fn take_over(&mut self, old: &Self, left: &mut [f64]) {
        let mut next = 0;
        for (i, pair) in old.pairs.iter().enumerate() {
            while next < self.pairs.len() && self.pairs[next] < *pair {
                next += 1;
            }
            if self.pairs.get(next) == Some(pair) {
                self.accounts[next] = old.accounts[i];
                self.phases_mut(next).copy_from_slice(old.phases(i));
                self.states_mut(next).copy_from_slice(old.states(i));
            } else {
                left.iter_mut().zip(&old.accounts[i]).for_each(|(all, own)| *all += own);
            }
        }
    }

    pub fn phases(&self, pair: usize) -> &[Phase] {
        &self.phases[self.contacts[pair]..self.contacts[pair + 1]]
    }

    pub fn phases_mut(&mut self, pair: usize) -> &mut [Phase] {
        &mut self.phases[self.contacts[pair]..self.contacts[pair + 1]]
    }

    pub fn states(&self, pair: usize) -> &[f64] {
        &self.z[self.starts[pair]..self.starts[pair + 1]]
    }

    pub fn states_mut(&mut self, pair: usize) -> &mut [f64] {
        &mut self.z[self.starts[pair]..self.starts[pair + 1]]
    }
}
