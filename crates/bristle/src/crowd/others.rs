//! Contacts that are not of balls alone: any shapes, any laws, one by one, as a world evaluates them.

use super::row::Row;
use super::store::Store;
use crate::world::mode::{Contact, PAIR_ACCOUNTS, RELEASED};
use crate::world::{PairSlot, Scratch, World};
use bristle_bodies::Loose;
use bristle_math::spatial::Wrench;
use bristle_ode::System;

/// The bodies at hand: what they are, where, and how they move.
#[derive(Clone, Copy)]
pub(super) struct Bodies<'a> {
    pub loose: &'a [&'a Loose<f64>],
    pub q: &'a [[f64; 7]],
    pub rows: &'a [Row],
}

/// A body that has such contacts.
struct Posed {
    /// Among the bodies at hand.
    body: u32,
    link: usize,
}

/// The contacts, and room to evaluate them.
pub(super) struct Others {
    pairs: Vec<PairSlot>,
    contacts: Vec<Contact>,
    /// States of all contacts, and their rates.
    z: Vec<f64>,
    rates: Vec<f64>,
    accounts: Vec<[f64; PAIR_ACCOUNTS]>,
    /// Whose pair it is in the list of all.
    origin: Vec<u32>,
    posed: Vec<Posed>,
    ws: Scratch,
}

impl Others {
    pub fn new(world: &World<'_>) -> Self {
        Self {
            pairs: Vec::new(),
            contacts: Vec::new(),
            z: Vec::new(),
            rates: Vec::new(),
            accounts: Vec::new(),
            origin: Vec::new(),
            posed: Vec::new(),
            ws: world.scratch(),
        }
    }

    /// Forgets all pairs, and keeps its memory.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.contacts.clear();
        self.z.clear();
        self.accounts.clear();
        self.origin.clear();
        self.posed.clear();
    }

    /// Takes a pair from the list of all; `bodies` are those of its links that move, among the bodies at hand.
    pub fn add(&mut self, mut pair: PairSlot, origin: usize, store: &Store, bodies: [Option<u32>; 2]) {
        let first = self.contacts.len();
        let (phases, z) = (store.phases(origin), store.states(origin));
        let each = z.len() / phases.len().max(1);
        for (i, phase) in phases.iter().enumerate() {
            let start = self.z.len() + i * each;
            self.contacts.push(Contact { pair: self.pairs.len(), phase: *phase, is_apart: false, z: start });
        }
        self.z.extend_from_slice(z);
        pair.contacts = first..self.contacts.len();
        for (link, body) in pair.links.into_iter().zip(bodies) {
            if let Some(body) = body {
                self.posed.push(Posed { body, link });
            }
        }
        self.pairs.push(pair);
        self.accounts.push(store.accounts[origin]);
        self.origin.push(origin as u32);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// To be done once after all were added.
    pub fn list(&mut self) {
        self.posed.sort_unstable_by_key(|p| p.body);
        self.posed.dedup_by_key(|p| p.body);
        self.rates.clear();
        self.rates.resize(self.z.len(), 0.0);
    }

    /// Writes back what belongs to pairs of which `is_booked` holds.
    pub fn keep(&self, store: &mut Store, is_booked: impl Fn(usize) -> bool) {
        for (pair, (slot, origin)) in self.pairs.iter().zip(&self.origin).enumerate() {
            let origin = *origin as usize;
            if !is_booked(origin) {
                continue;
            }
            store.accounts[origin] = self.accounts[pair];
            let contacts = &self.contacts[slot.contacts.clone()];
            store.phases_mut(origin).iter_mut().zip(contacts).for_each(|(to, from)| *to = from.phase);
            let Some(start) = contacts.first().map(|c| c.z) else { continue };
            let to = store.states_mut(origin);
            to.copy_from_slice(&self.z[start..start + to.len()]);
        }
    }

    /// Puts the links where their bodies are.
    fn place(&mut self, world: &World<'_>, at: Bodies<'_>) {
        for posed in &self.posed {
            let body = posed.body as usize;
            self.ws.kin.links[posed.link] = at.loose[body].placed_by(&at.q[body], &at.rows[body].twist);
        }
        world.place_shapes(&mut self.ws);
    }

    /// Begins and ends contacts where the bodies are.
    pub fn settle(&mut self, world: &World<'_>, at: Bodies<'_>) {
        if self.pairs.is_empty() {
            return;
        }
        self.place(world, at);
        let (places, found) = self.ws.split();
        for (pair, accounts) in self.pairs.iter().zip(&mut self.accounts) {
            let contacts = &mut self.contacts[pair.contacts.clone()];
            world.settle_pair(pair, contacts, (places, found), &mut self.z, &mut accounts[RELEASED]);
        }
    }

    /// Adds what acts on the bodies.
    pub fn push(&mut self, world: &World<'_>, at: Bodies<'_>, wrenches: &mut [Wrench<f64>]) {
        if self.pairs.is_empty() {
            return;
        }
        self.place(world, at);
        for posed in &self.posed {
            self.ws.wrenches[posed.link] = wrenches[posed.body as usize];
        }
        self.touch(world, |_, _| {});
        for posed in &self.posed {
            wrenches[posed.body as usize] = self.ws.wrenches[posed.link];
        }
    }

    /// Moves states and accounts on by a time, s.
    pub fn drift(&mut self, world: &World<'_>, at: Bodies<'_>, h: f64) {
        if self.pairs.is_empty() {
            return;
        }
        self.place(world, at);
        let mut accounts = std::mem::take(&mut self.accounts);
        self.touch(world, |pair, losses| {
            accounts[pair].iter_mut().zip(losses).for_each(|(account, loss)| *account += h * loss);
        });
        self.accounts = accounts;
        self.z.iter_mut().zip(&self.rates).for_each(|(z, rate)| *z += h * rate);
    }

    /// Every contact: rates of its states, wrenches on its links, and what it loses.
    fn touch(&mut self, world: &World<'_>, mut lost: impl FnMut(usize, &[f64; PAIR_ACCOUNTS])) {
        for (i, pair) in self.pairs.iter().enumerate() {
            let mut losses = [0.0; PAIR_ACCOUNTS];
            let contacts = &self.contacts[pair.contacts.clone()];
            world.touch_pair(pair, contacts, &self.z, &mut self.rates, &mut losses, &mut self.ws);
            lost(i, &losses);
        }
    }
}
