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
    /// Motions of the bodies that are lent, as bits, after steps of even and of odd number. The gate orders what is written and
    /// what is read; a thread that is one step ahead does not write where another still reads.
    boards: [Vec<[AtomicU64; MOTION]>; 2],
    /// Whether a body has left its room, likewise.
    is_out: [AtomicBool; 2],
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
            boards: [(); 2].map(|()| (0..lent).map(|_| zero()).collect()),
            is_out: [const { AtomicBool::new(false) }; 2],
        }
    }

    /// Steps of one shard, as all the others do them, until a body of any leaves its room. Contacts are left as they were before
    /// the last move: the next step settles them, or [`Shard::settle`]. `settles` tells whether the first step has to.
    pub fn run(&self, shard: &mut Shard<'_>, shared: &Shared<'_>, settles: bool, count: u64) -> Ran {
        let _guard = Guard(&self.gate);
        let mut ran = Ran { steps: 0, is_out: false };
        while ran.steps < count && !ran.is_out {
            let h = shared.grid.time(ran.steps + 1) - shared.grid.time(ran.steps);
            shard.push(shared, settles || ran.steps > 0);
            let parity = (ran.steps % 2) as usize;
            if !self.advance(shard, shared, h, parity) {
                break;
            }
            shard.owe(h);
            ran.steps += 1;
            // set before the gate, and not again before the gate after the next: all threads see the same
            ran.is_out = self.is_out[parity].load(Ordering::Relaxed);
        }
        shard.finish(shared);
        ran
    }

    /// New velocities and places of all bodies. Answers false when a thread will never come.
    fn advance(&self, shard: &mut Shard<'_>, shared: &Shared<'_>, h: f64, parity: usize) -> bool {
        let note = |is_left: bool| {
            if is_left {
                self.is_out[parity].store(true, Ordering::Relaxed);
            }
        };
        let (gravity, room) = (&shared.world.model.gravity, shared.room);
        let is_alone = self.gate.threads == 1;
        if shared.is_packed {
            note(shard.kick_and_stride(gravity, room, h));
            return is_alone || self.exchange(shard, &self.boards[parity]);
        }
        shard.kick(gravity, h);
        if !is_alone && !self.exchange_twists(shard, &self.boards[parity]) {
            return false;
        }
        shard.drift(shared, h);
        note(shard.stride(room, h));
        is_alone || self.exchange_places(shard, &self.boards[parity])
    }

    /// Places without turns, and twists: what contacts in families read.
    fn exchange(&self, shard: &mut Shard<'_>, board: &[[AtomicU64; MOTION]]) -> bool {
        for (body, slot) in &shard.lent {
            let (row, slot) = (&shard.rows[*body as usize], &board[*slot as usize]);
            post(&slot[..3], &row.place);
            post(&slot[7..], &row.twist);
        }
        let is_whole = self.gate.wait();
        for i in 0..shard.borrowed.len() {
            let (body, slot) = (shard.own + i, &board[shard.borrowed[i] as usize]);
            shard.rows[body].place = std::array::from_fn(|k| read(&slot[k]));
            shard.copy_twist(body, std::array::from_fn(|k| read(&slot[7 + k])));
        }
        is_whole
    }

    fn exchange_twists(&self, shard: &mut Shard<'_>, board: &[[AtomicU64; MOTION]]) -> bool {
        for (body, slot) in &shard.lent {
            post(&board[*slot as usize][7..], &shard.rows[*body as usize].twist);
        }
        let is_whole = self.gate.wait();
        for i in 0..shard.borrowed.len() {
            let slot = &board[shard.borrowed[i] as usize];
            shard.copy_twist(shard.own + i, std::array::from_fn(|k| read(&slot[7 + k])));
        }
        is_whole
    }

    fn exchange_places(&self, shard: &mut Shard<'_>, board: &[[AtomicU64; MOTION]]) -> bool {
        for (body, slot) in &shard.lent {
            post(&board[*slot as usize][..7], &shard.q[*body as usize]);
        }
        let is_whole = self.gate.wait();
        for i in 0..shard.borrowed.len() {
            let slot = &board[shard.borrowed[i] as usize];
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
