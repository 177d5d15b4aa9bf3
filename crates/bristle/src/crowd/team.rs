//! Threads that step together: where they wait for each other, and how they pass motions on.

use super::shard::{Shard, Shared};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Turns of waiting before the processor is given away, for machines with fewer of them than threads.
const PATIENCE: u32 = 20_000;
/// Numbers of a body that is lent: place and turn, then twist.
const MOTION: usize = 13;

/// Where all threads wait for the last one.
struct Gate {
    threads: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    /// Set by a thread that panics, so that the others do not wait for it.
    is_broken: AtomicBool,
}

impl Gate {
    /// Answers false when a thread will never come.
    fn wait(&self) -> bool {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Release);
            self.round.store(round.wrapping_add(1), Ordering::Release);
        }
        let mut turns = 0;
        while self.round.load(Ordering::Acquire) == round {
            if self.is_broken.load(Ordering::Relaxed) {
                return false;
            }
            turns += 1;
            if turns < PATIENCE { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        true
    }
}

/// Breaks the gate when its thread panics.
struct Guard<'a>(&'a Gate);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.is_broken.store(true, Ordering::Relaxed);
        }
    }
}

/// What the threads of a run share.
pub(super) struct Team {
    gate: Gate,
    /// Motions of the bodies that are lent, as bits. The gate orders what is written and what is read.
    board: Vec<[AtomicU64; MOTION]>,
    is_out: AtomicBool,
}

/// How far a run of steps came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ran {
    pub steps: u64,
    /// Whether a body has left its room: candidates must be found anew before contacts are settled.
    pub is_out: bool,
}

impl Team {
    pub fn new(threads: usize, lent: usize) -> Self {
        let zero = || std::array::from_fn(|_| AtomicU64::new(0));
        let (arrived, round, is_broken) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        Self {
            gate: Gate { threads, arrived, round, is_broken },
            board: (0..lent).map(|_| zero()).collect(),
            is_out: AtomicBool::new(false),
        }
    }

    /// Steps of one shard, as all the others do them, until a body of any leaves its room. Contacts are left as they were before
    /// the last move: the next step settles them, or [`Shard::settle`]. `settles` tells whether the first step has to.
    pub fn run(&self, shard: &mut Shard<'_>, shared: &Shared<'_>, settles: bool, count: u64) -> Ran {
        let is_alone = self.gate.threads == 1;
        let _guard = Guard(&self.gate);
        let mut steps = 0;
        while steps < count {
            let h = shared.grid.time(steps + 1) - shared.grid.time(steps);
            shard.kick(shared, settles || steps > 0, h);
            if !is_alone && !self.exchange_twists(shard) {
                break;
            }
            shard.drift(shared, h);
            if shard.stride(shared.room, h) {
                self.is_out.store(true, Ordering::Relaxed);
            }
            steps += 1;
            if !is_alone && !self.exchange_places(shard) {
                break;
            }
            // set before the gate, and not again before the next: all threads see the same
            if self.is_out.load(Ordering::Relaxed) {
                return Ran { steps, is_out: true };
            }
        }
        Ran { steps, is_out: false }
    }

    fn exchange_twists(&self, shard: &mut Shard<'_>) -> bool {
        for (body, slot) in &shard.lent {
            post(&self.board[*slot as usize][7..], &shard.rows[*body as usize].twist);
        }
        let is_whole = self.gate.wait();
        for i in 0..shard.borrowed.len() {
            let slot = &self.board[shard.borrowed[i] as usize];
            shard.rows[shard.own + i].twist = std::array::from_fn(|k| read(&slot[7 + k]));
        }
        is_whole
    }

    fn exchange_places(&self, shard: &mut Shard<'_>) -> bool {
        for (body, slot) in &shard.lent {
            post(&self.board[*slot as usize][..7], &shard.q[*body as usize]);
        }
        let is_whole = self.gate.wait();
        for i in 0..shard.borrowed.len() {
            let slot = &self.board[shard.borrowed[i] as usize];
            shard.copy_place(shard.own + i, &std::array::from_fn(|k| read(&slot[k])));
        }
        is_whole
    }
}

fn post(slot: &[AtomicU64], numbers: &[f64]) {
    slot.iter().zip(numbers).for_each(|(slot, x)| slot.store(x.to_bits(), Ordering::Relaxed));
}

fn read(number: &AtomicU64) -> f64 {
    f64::from_bits(number.load(Ordering::Relaxed))
}
