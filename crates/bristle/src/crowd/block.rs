//! Contacts side by side, number by number: what a step reads and writes of eight of them lies together, and loops over them go
//! in the widest vectors of the machine.

// loops over lanes are written with indices: all columns of a lane are read and written in one
#![allow(clippy::needless_range_loop)]

use super::meets::{LIE, Moving};
use super::row::Row;
use crate::world::mode::PAIR_ACCOUNTS;
use bristle_math::Vector3;

/// Contacts of a block.
pub(super) const WIDE: usize = 8;
/// Most states of a contact here; others go the general way.
pub(super) const MOST_STATES: usize = 8;

/// One number of each contact.
pub(super) type Column = [f64; WIDE];

/// Three numbers of each contact.
pub(super) type Columns = [Column; 3];

/// Contacts of one kind that touch, or may soon. Lanes behind the last contact repeat it and act on nothing.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Block {
    /// Where the balls stand among the bodies at hand.
    pub balls: [[u32; 2]; WIDE],
    /// Whose lanes they are in the family.
    pub contacts: [u32; WIDE],
    /// How many contacts there are.
    pub count: usize,
    /// One where a contact touches, zero elsewhere.
    pub acts: Column,
    /// How the contacts lie; of the last places at which forces were asked for.
    pub lie: [Column; LIE],
    pub accounts: [Column; PAIR_ACCOUNTS],
    pub z: [Column; MOST_STATES],
}

impl Block {
    pub fn new() -> Self {
        let zero = [0.0; WIDE];
        Self {
            balls: [[0; 2]; WIDE],
            contacts: [0; WIDE],
            count: 0,
            acts: zero,
            lie: [zero; LIE],
            accounts: [zero; PAIR_ACCOUNTS],
            z: [zero; MOST_STATES],
        }
    }

    /// Lanes behind the last contact repeat it, and act on nothing.
    pub fn repeat_last(&mut self) {
        for lane in self.count..WIDE {
            self.balls[lane] = self.balls[self.count - 1];
            self.acts[lane] = 0.0;
        }
    }

    #[inline(always)]
    pub fn lie(&self, lane: usize) -> [f64; LIE] {
        let mut lie = [0.0; LIE];
        for k in 0..LIE {
            lie[k] = self.lie[k][lane];
        }
        lie
    }

    /// The first `states` states of a contact.
    #[inline(always)]
    pub fn states(&self, states: usize, lane: usize) -> [f64; MOST_STATES] {
        let mut z = [0.0; MOST_STATES];
        for k in 0..states {
            z[k] = self.z[k][lane];
        }
        z
    }
}

/// How the balls of a block are placed and move.
pub(super) struct Motion {
    offset: Columns,
    velocity: Columns,
    spins: [Columns; 2],
}

#[inline(always)]
fn vector(columns: &Columns, lane: usize) -> Vector3<f64> {
    Vector3::new(columns[0][lane], columns[1][lane], columns[2][lane])
}

impl Motion {
    /// Room for a block.
    #[inline(always)]
    pub fn new() -> Self {
        let zero = [[0.0; WIDE]; 3];
        Self { offset: zero, velocity: zero, spins: [zero; 2] }
    }

    /// Of pairs of balls the second over the first; of balls on ground their own.
    #[inline(always)]
    pub fn gather(&mut self, block: &Block, rows: &[Row], are_pairs: bool) {
        let all = self;
        for (lane, balls) in block.balls.iter().enumerate() {
            let a = &rows[balls[0] as usize];
            if are_pairs {
                let b = &rows[balls[1] as usize];
                for k in 0..3 {
                    all.offset[k][lane] = b.place[k] - a.place[k];
                    all.velocity[k][lane] = b.twist[3 + k] - a.twist[3 + k];
                    all.spins[0][k][lane] = a.twist[k];
                    all.spins[1][k][lane] = b.twist[k];
                }
            } else {
                for k in 0..3 {
                    all.offset[k][lane] = a.place[k];
                    all.velocity[k][lane] = a.twist[3 + k];
                    all.spins[0][k][lane] = a.twist[k];
                }
            }
        }
    }

    #[inline(always)]
    pub fn offset(&self, lane: usize) -> Vector3<f64> {
        vector(&self.offset, lane)
    }

    #[inline(always)]
    pub fn moving(&self, lane: usize) -> Moving {
        Moving {
            velocity: vector(&self.velocity, lane),
            spins: [vector(&self.spins[0], lane), vector(&self.spins[1], lane)],
        }
    }
}

/// What acts on the balls of a block: on the second, and torques on both. Over ground, on the ball that is the first.
pub(super) struct Pushes {
    pub force: Columns,
    pub torques: [Columns; 2],
}

impl Pushes {
    /// Room for a block.
    #[inline(always)]
    pub fn new() -> Self {
        let zero = [[0.0; WIDE]; 3];
        Self { force: zero, torques: [zero; 2] }
    }

    #[inline(always)]
    pub fn put(columns: &mut Columns, lane: usize, acts: bool, vector: &Vector3<f64>) {
        for k in 0..3 {
            columns[k][lane] = if acts { vector[k] } else { 0.0 };
        }
    }
}
