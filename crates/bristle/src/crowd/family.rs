//! Contacts of one kind: balls of two sizes, or balls of one size on one ground, with the same laws.
//!
//! Those that touch or may soon are packed into blocks, in the order of all pairs, and a step goes through these alone. They are
//! packed anew when bodies have moved so far that others may touch.

use super::block::{Block, Column, WIDE};
use super::kinds::Kind;
use super::meets::{LIE, Meets};
use super::row::Row;
use super::sweep::{Laws, Sweep, Task};
use crate::world::mode::PAIR_ACCOUNTS;
use crate::world::plain::Short;
use crate::world::{Material, Model};
use bristle_laws::{Friction, Normal, Phase};
use bristle_math::spatial::Wrench;
use bristle_math::wide::on_widest;

/// The contacts of a family.
pub(super) struct Family {
    /// Index of the material.
    material: usize,
    short: Short<f64>,
    /// States of each contact.
    states: usize,
    /// Where the balls of each pair stand among the bodies at hand; over ground the one ball, twice.
    balls: Vec<[u32; 2]>,
    /// Whose pair it is in the list of all.
    pub origin: Vec<u32>,
    /// Of contacts in blocks these and what follows are old until they are unpacked.
    is_touching: Vec<bool>,
    z: Vec<f64>,
    pub accounts: Vec<[f64; PAIR_ACCOUNTS]>,
    lie: Vec<[f64; LIE]>,
    blocks: Vec<Block>,
}

impl Family {
    pub fn new(kind: &Kind) -> Self {
        Self {
            material: kind.material,
            short: kind.short,
            states: kind.states,
            balls: Vec::new(),
            origin: Vec::new(),
            is_touching: Vec::new(),
            z: Vec::new(),
            accounts: Vec::new(),
            lie: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Becomes a family of this kind without contacts, and keeps its memory.
    pub fn clear(&mut self, kind: &Kind) {
        (self.material, self.short, self.states) = (kind.material, kind.short, kind.states);
        self.balls.clear();
        self.origin.clear();
        self.is_touching.clear();
        self.z.clear();
        self.accounts.clear();
        self.lie.clear();
        self.blocks.clear();
    }

    pub fn add(
        &mut self,
        balls: [u32; 2],
        origin: u32,
        is_touching: bool,
        z: &[f64],
        accounts: &[f64; PAIR_ACCOUNTS],
    ) {
        self.balls.push(balls);
        self.origin.push(origin);
        self.is_touching.push(is_touching);
        self.z.extend_from_slice(z);
        self.accounts.push(*accounts);
        self.lie.push([0.0; LIE]);
    }

    /// Makes room for blocks. To be done once after a family is filled.
    pub fn list(&mut self) {
        self.blocks.reserve(self.balls.len().div_ceil(WIDE));
    }

    /// Where a contact stands; none of these laws lives on after its touch.
    pub fn phase(&self, contact: usize) -> Phase {
        if self.is_touching[contact] { Phase::Touching } else { Phase::Open }
    }

    /// States of a contact.
    pub fn states(&self, contact: usize) -> &[f64] {
        &self.z[contact * self.states..][..self.states]
    }

    /// Packs contacts that touch, or may before their bodies have moved by `room` (m). What was packed must have been unpacked.
    pub fn pack(&mut self, rows: &[Row], room: f64) {
        match self.short {
            Short::Ground(ground) => self.pack_by(&ground, rows, room),
            Short::Balls(balls) => self.pack_by(&balls, rows, room),
            Short::Beside(_) => {}
        }
    }

    fn pack_by<M: Meets>(&mut self, meets: &M, rows: &[Row], room: f64) {
        let (mut used, mut lane) = (0, WIDE);
        for (contact, balls) in self.balls.iter().enumerate() {
            let at = balls.map(|ball| &rows[ball as usize]);
            if !self.is_touching[contact] && meets.is_far(at, room) {
                continue;
            }
            if lane == WIDE {
                (used, lane) = (used + 1, 0);
                if self.blocks.len() < used {
                    self.blocks.push(Block::new());
                }
            }
            let block = &mut self.blocks[used - 1];
            block.balls[lane] = *balls;
            block.contacts[lane] = contact as u32;
            block.acts[lane] = f64::from(u8::from(self.is_touching[contact]));
            put(&mut block.lie, lane, &self.lie[contact]);
            put(&mut block.accounts, lane, &self.accounts[contact]);
            put(&mut block.z, lane, &self.z[contact * self.states..][..self.states]);
            lane += 1;
            block.count = lane;
        }
        self.blocks.truncate(used);
        if let Some(block) = self.blocks.last_mut() {
            block.repeat_last();
        }
    }

    /// Writes back what is in blocks.
    pub fn unpack(&mut self) {
        for block in &self.blocks {
            for lane in 0..block.count {
                let contact = block.contacts[lane] as usize;
                self.is_touching[contact] = block.acts[lane] > 0.0;
                take(&block.lie, lane, &mut self.lie[contact]);
                take(&block.accounts, lane, &mut self.accounts[contact]);
                take(&block.z, lane, &mut self.z[contact * self.states..][..self.states]);
            }
        }
    }

    /// Does its task with all contacts that are packed, and adds what acts on the bodies.
    pub fn sweep(&mut self, model: &Model, rows: &[Row], task: Task, wrenches: Option<&mut [Wrench<f64>]>) {
        let material = &model.materials[self.material];
        let blocks = &mut self.blocks[..];
        let way = Way { material, carries_spin: model.carries_spin, blocks, rows, task, wrenches };
        match self.short {
            Short::Ground(ground) => way.go(ground),
            Short::Balls(balls) => way.go(balls),
            Short::Beside(_) => {}
        }
    }
}

/// Writes the numbers of one contact into their columns.
#[inline(always)]
fn put(columns: &mut [Column], lane: usize, numbers: &[f64]) {
    columns.iter_mut().zip(numbers).for_each(|(column, number)| column[lane] = *number);
}

/// Reads them.
#[inline(always)]
fn take(columns: &[Column], lane: usize, numbers: &mut [f64]) {
    columns.iter().zip(numbers).for_each(|(column, number)| *number = column[lane]);
}

/// A way through blocks before it is known by which laws.
struct Way<'a> {
    material: &'a Material,
    carries_spin: bool,
    blocks: &'a mut [Block],
    rows: &'a [Row],
    task: Task,
    wrenches: Option<&'a mut [Wrench<f64>]>,
}

impl Way<'_> {
    fn go<M: Meets>(self, meets: M) {
        let Self { material, carries_spin, blocks, rows, task, wrenches } = self;
        // families are made of materials with friction
        let Some(friction) = material.only_friction() else { return };
        let plain = match (material.normal(), friction) {
            (Normal::HuntCrossley(normal), Friction::SpringClutch(clutch)) => {
                normal.plain().zip(clutch.conservative())
            }
            _ => None,
        };
        if let Some((normal, friction)) = plain {
            let laws = Laws { normal, friction, meets, carries_spin };
            on_widest(Sweep { laws, blocks, rows, task, wrenches });
        } else {
            let (normal, friction) = (material.normal().clone(), friction.clone());
            let laws = Laws { normal, friction, meets, carries_spin };
            on_widest(Sweep { laws, blocks, rows, task, wrenches });
        }
    }
}
