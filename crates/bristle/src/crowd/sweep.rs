//! One way through the contacts of a family: the same few loops over each block, compiled for its laws and geometry, and for the
//! widest vectors of the machine.
//!
//! ```text
//! states and losses of the step before, at the new velocities → how the contacts lie now → what begins, what ends → what acts
//! ```
//! The step before is finished here, where the new velocities are read anyway: one way through the contacts for each step.

// loops over lanes are written with indices: all columns of a lane are read and written in one
#![allow(clippy::needless_range_loop)]

use super::block::{Block, MOST_STATES, Motion, Pushes, WIDE};
use super::meets::Meets;
use super::row::Row;
use crate::world::mode::RELEASED;
use crate::world::phases::{ROUNDING, next_phase};
use crate::world::plain::{Acting, Answer, Near};
use bristle_laws::{FrictionLaw, Indent, NormalLaw, Phase};
use bristle_math::Vector3;
use bristle_math::spatial::Wrench;
use bristle_math::wide::Work;

/// What is to be done.
#[derive(Clone, Copy)]
pub(super) struct Task {
    /// By how long the step before is still to be finished, s.
    pub owed: Option<f64>,
    /// Whether contacts begin and end, and vector states lose what has left the plane of contact.
    pub settles: bool,
}

/// A way through blocks.
pub(super) struct Sweep<'a, N, L, M> {
    pub laws: Laws<N, L, M>,
    pub blocks: &'a mut [Block],
    pub rows: &'a [Row],
    pub task: Task,
    /// What acts on the bodies is added here.
    pub wrenches: Option<&'a mut [Wrench<f64>]>,
}

/// Laws and geometry of a family.
pub(super) struct Laws<N, L, M> {
    pub normal: N,
    pub friction: L,
    pub meets: M,
    pub carries_spin: bool,
}

impl<N: NormalLaw<f64>, L: FrictionLaw<f64>, M: Meets> Work for Sweep<'_, N, L, M> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Self { laws, blocks, rows, task: Task { owed, settles }, mut wrenches } = self;
        let is_more = settles || wrenches.is_some();
        let (mut motion, mut pushes) = (Motion::new(), Pushes::new());
        for block in blocks {
            motion.gather(block, rows, M::ARE_PAIRS);
            if let Some(h) = owed {
                laws.drift(block, &motion, h);
            }
            if !is_more {
                continue;
            }
            if laws.lie(block, &motion) && settles {
                laws.begin_and_end(block, &motion);
            }
            laws.push(block, &motion, settles, &mut pushes);
            if let Some(wrenches) = &mut wrenches {
                add::<M>(block, &pushes, wrenches);
            }
        }
    }
}

/// Adds what acts contact by contact, as a body may be the first of one and the second of another.
#[inline(always)]
fn add<M: Meets>(block: &Block, pushes: &Pushes, wrenches: &mut [Wrench<f64>]) {
    let Pushes { force, torques } = pushes;
    for (lane, balls) in block.balls.iter().enumerate().take(block.count) {
        let first = &mut wrenches[balls[0] as usize];
        for k in 0..3 {
            first.torque[k] += torques[0][k][lane];
            if M::ARE_PAIRS {
                first.force[k] -= force[k][lane];
            } else {
                first.force[k] += force[k][lane];
            }
        }
        if M::ARE_PAIRS {
            let second = &mut wrenches[balls[1] as usize];
            for k in 0..3 {
                second.torque[k] += torques[1][k][lane];
                second.force[k] += force[k][lane];
            }
        }
    }
}

impl<N: NormalLaw<f64>, L: FrictionLaw<f64>, M: Meets> Laws<N, L, M> {
    /// States of the normal law, and of both.
    #[inline(always)]
    fn counts(&self) -> (usize, usize) {
        let own = self.normal.states().len();
        (own, own + self.friction.states().len())
    }

    /// Whether the states of friction begin with a vector: then it lies in the plane of contact.
    #[inline(always)]
    fn has_vector(&self) -> bool {
        self.friction.states().len() >= 3
    }

    #[inline(always)]
    fn evaluate(
        &self,
        near: &M::Near<'_>,
        z: &[f64; MOST_STATES],
        zdot: &mut [f64; MOST_STATES],
    ) -> Answer<f64> {
        let (own, all) = self.counts();
        let vectors: &[usize] = if self.has_vector() { &[own] } else { &[] };
        let acting = Acting {
            carries_spin: self.carries_spin,
            normal: &self.normal,
            own,
            vectors,
            near,
            phase: Phase::Touching,
            z: &z[..all],
            zdot: &mut zdot[..all],
        };
        acting.evaluate(&self.friction, true)
    }

    #[inline(always)]
    fn stored(&self, near: &M::Near<'_>, z: &[f64; MOST_STATES]) -> f64 {
        self.evaluate(near, z, &mut [0.0; MOST_STATES]).stored
    }

    /// States and accounts after a time `h` (s) as the contacts lay, at the velocities that are now.
    #[inline(always)]
    fn drift(&self, block: &mut Block, motion: &Motion, h: f64) {
        let (_, all) = self.counts();
        for lane in 0..WIDE {
            let near = self.meets.near(&block.lie(lane), &motion.moving(lane));
            let z = block.states(all, lane);
            let mut zdot = [0.0; MOST_STATES];
            let answer = self.evaluate(&near, &z, &mut zdot);
            let acts = block.acts[lane] > 0.0;
            for k in 0..all {
                block.z[k][lane] = if acts { z[k] + h * zdot[k] } else { z[k] };
            }
            for k in 0..RELEASED {
                block.accounts[k][lane] += if acts { h * answer.losses[k] } else { 0.0 };
            }
        }
    }

    /// How the contacts lie now. Answers whether any may begin or end.
    #[inline(always)]
    fn lie(&self, block: &mut Block, motion: &Motion) -> bool {
        let (own, _) = self.counts();
        let mut changes = false;
        for lane in 0..WIDE {
            let lie = self.meets.lie(&motion.offset(lane));
            for (k, number) in lie.iter().enumerate() {
                block.lie[k][lane] = *number;
            }
            let indent = indent(&self.meets.near(&lie, &motion.moving(lane)));
            let sign = self.normal.touching(&indent, &block.states(own, lane)[..own], Phase::Touching);
            changes |= (sign >= 0.0) != (block.acts[lane] > 0.0);
        }
        changes
    }

    /// Begins and ends contacts.
    #[inline(never)]
    fn begin_and_end(&self, block: &mut Block, motion: &Motion) {
        let (own, all) = self.counts();
        for lane in 0..block.count {
            let near = self.meets.near(&block.lie(lane), &motion.moving(lane));
            let mut z = block.states(all, lane);
            let now = if block.acts[lane] > 0.0 { Phase::Touching } else { Phase::Open };
            let next = next_phase(&self.normal, &indent(&near), &z[..own], now);
            if now == next {
                continue;
            }
            if now == Phase::Touching {
                block.accounts[RELEASED][lane] += self.stored(&near, &z);
            }
            z.fill(0.0);
            if next == Phase::Touching {
                self.normal.touch(&indent(&near), &mut z[..own]);
            }
            block.acts[lane] = if next == Phase::Touching { 1.0 } else { 0.0 };
            for k in 0..all {
                block.z[k][lane] = z[k];
            }
        }
    }

    /// What acts; before that, takes out of vector states what has left the plane of contact if it `settles`.
    #[inline(always)]
    fn push(&self, block: &mut Block, motion: &Motion, settles: bool, pushes: &mut Pushes) {
        let (own, all) = self.counts();
        for lane in 0..WIDE {
            let near = self.meets.near(&block.lie(lane), &motion.moving(lane));
            let acts = block.acts[lane] > 0.0;
            let mut z = block.states(all, lane);
            if self.has_vector() {
                let (n, u) = (near.normal(), Vector3::new(z[own], z[own + 1], z[own + 2]));
                let off = n.dot(&u);
                let is_small = off * off <= ROUNDING * u.norm_squared();
                let before = z;
                for k in 0..3 {
                    z[own + k] = if acts & settles { u[k] - n[k] * off } else { u[k] };
                    block.z[own + k][lane] = z[own + k];
                }
                let released = self.stored(&near, &before) - self.stored(&near, &z);
                block.accounts[RELEASED][lane] += if acts & settles & !is_small { released } else { 0.0 };
            }
            let answer = self.evaluate(&near, &z, &mut [0.0; MOST_STATES]);
            let (force, [first, second]) = M::push(&near, answer.force, &answer.torque);
            Pushes::put(&mut pushes.force, lane, acts, &force);
            Pushes::put(&mut pushes.torques[0], lane, acts, &first);
            if M::ARE_PAIRS {
                Pushes::put(&mut pushes.torques[1], lane, acts, &second);
            }
        }
    }
}

/// What a law that asks for no patch sees.
#[inline(always)]
fn indent(near: &impl Near<f64>) -> Indent<f64> {
    let (depth, rate) = near.depth();
    Indent { lens: near.lens(), ..Indent::point(depth, rate) }
}
