//! All candidate pairs with their states and accounts, in order of their shapes, and how they pass from one list of candidates to
//! the next.

use crate::world::mode::PAIR_ACCOUNTS;
use crate::world::{Mode, Model};
use bristle_laws::Phase;

/// The pairs.
pub(super) struct Store {
    /// Shapes of each pair, the first with the smaller index, sorted.
    pub pairs: Vec<[usize; 2]>,
    pub accounts: Vec<[f64; PAIR_ACCOUNTS]>,
    /// Where the contacts of each pair begin, and where all end.
    contacts: Vec<usize>,
    phases: Vec<Phase>,
    /// Where the states of each pair begin, and where all end.
    starts: Vec<usize>,
    z: Vec<f64>,
}

impl Store {
    /// Pairs that have lost nothing and do not touch.
    pub fn new(model: &Model, pairs: Vec<[usize; 2]>) -> Self {
        let (mut contacts, mut starts) = (vec![0], vec![0]);
        for &[a, b] in &pairs {
            let (count, states) = model.interaction(a, b).map_or((0, 0), |i| {
                let count = i.touching.contacts();
                (count, count * model.materials[i.material].parts().total)
            });
            contacts.push(contacts[contacts.len() - 1] + count);
            starts.push(starts[starts.len() - 1] + states);
        }
        Self {
            accounts: vec![[0.0; PAIR_ACCOUNTS]; pairs.len()],
            phases: vec![Phase::Open; contacts[pairs.len()]],
            z: vec![0.0; starts[pairs.len()]],
            contacts,
            starts,
            pairs,
        }
    }

    /// What a world has.
    pub fn of_mode(model: &Model, mode: &Mode, x: &[f64]) -> Self {
        let mut store = Self::new(model, mode.pairs.iter().map(|p| p.shapes).collect());
        for (i, pair) in mode.pairs.iter().enumerate() {
            let contacts = &mode.contacts[pair.contacts.clone()];
            store.phases_mut(i).iter_mut().zip(contacts).for_each(|(to, from)| *to = from.phase);
            let z = contacts.first().map_or(0, |c| c.z);
            let to = store.states_mut(i);
            to.copy_from_slice(&x[z..z + to.len()]);
            store.accounts[i].copy_from_slice(&x[pair.accounts..][..PAIR_ACCOUNTS]);
        }
        store
    }

    /// Pairs that act.
    pub fn acting(&self) -> impl Iterator<Item = [usize; 2]> {
        let acts = |i: &usize| self.phases(*i).iter().any(|phase| *phase != Phase::Open);
        (0..self.pairs.len()).filter(acts).map(|i| self.pairs[i])
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
