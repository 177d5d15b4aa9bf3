//! Threads that step together: where they wait for each other, and how they pass motions on.

use super::shard::{Shard, Shared};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Turns of waiting before the processor is given away, for machines with fewer free ones than threads: some tens of microseconds,
/// less than a step of many bodies takes.
const PATIENCE: u32 = 1000;
/// Numbers of the twist of a body that is lent.
const TWIST: usize = 6;
/// Numbers of its place and turn.
const PLACE: usize = 7;

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
    /// Twists of the bodies that are lent, as bits, after steps of even and of odd number. The gate orders what is written and
    /// what is read; a thread that is one step ahead does not write where another still reads.
    boards: [Vec<[AtomicU64; TWIST]>; 2],
    /// Places and turns, likewise, which only contacts in no family ask for.
    turns: [Vec<[AtomicU64; PLACE]>; 2],
    /// Whether a body has left its room, likewise.
    is_out: [AtomicBool; 2],
    /// Squares of the largest speed in each shard, likewise: all pack their contacts anew after the same steps, so that none waits
    /// for another that packs.
    fastest: [Vec<AtomicU64>; 2],
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
        // one that is alone posts nothing, and nothing is allocated for it
        let posted = if threads > 1 { threads } else { 0 };
        let (arrived, round, is_broken) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        Self {
            gate: Gate { threads, arrived, round, is_broken },
            boards: [(); 2].map(|()| board(lent)),
            turns: [(); 2].map(|()| board(lent)),
            is_out: [const { AtomicBool::new(false) }; 2],
            fastest: [(); 2].map(|()| (0..posted).map(|_| AtomicU64::new(0)).collect()),
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
            let fastest = self.fastest[parity].iter().map(read).fold(shard.fastest, f64::max);
            shard.owe(h, fastest.sqrt());
            ran.steps += 1;
            // set before the gate, and not again before the gate after the next: all threads see the same
            ran.is_out = self.is_out[parity].load(Ordering::Relaxed);
        }
        shard.finish(shared);
        ran
    }

    /// New velocities and places of all bodies. Answers false when a thread will never come.
    fn advance(&self, shard: &mut Shard<'_>, shared: &Shared<'_>, h: f64, parity: usize) -> bool {
        let note = |shard: &Shard<'_>, is_left: bool| {
            if is_left {
                self.is_out[parity].store(true, Ordering::Relaxed);
            }
            if let Some(slot) = self.fastest[parity].get(shard.number) {
                slot.store(shard.fastest.to_bits(), Ordering::Relaxed);
            }
        };
        let (gravity, room) = (&shared.world.model.gravity, shared.room);
        let is_alone = self.gate.threads == 1;
        if shared.is_packed {
            let is_left = shard.kick_and_stride(gravity, room, h);
            note(shard, is_left);
            if is_alone {
                return true;
            }
            let is_whole = self.exchange_twists(shard, &self.boards[parity]);
            shard.move_copies(h);
            return is_whole;
        }
        shard.kick(gravity, h);
        if !is_alone && !self.exchange_twists(shard, &self.boards[parity]) {
            return false;
        }
        shard.drift(shared, h);
        let is_left = shard.stride(room, h);
        note(shard, is_left);
        is_alone || self.exchange_places(shard, &self.turns[parity])
    }

    /// What contacts in families read of others follows from it: see [`Shard::move_copies`].
    fn exchange_twists(&self, shard: &mut Shard<'_>, board: &[[AtomicU64; TWIST]]) -> bool {
        for (body, slot) in &shard.lent {
            post(&board[*slot as usize], &shard.rows[*body as usize].twist);
        }
        let is_whole = self.gate.wait();
        for i in 0..shard.borrowed.len() {
            let slot = &board[shard.borrowed[i] as usize];
            shard.rows[shard.own + i].twist = std::array::from_fn(|k| read(&slot[k]));
        }
        is_whole
    }

    fn exchange_places(&self, shard: &mut Shard<'_>, board: &[[AtomicU64; PLACE]]) -> bool {
        for (body, slot) in &shard.lent {
            post(&board[*slot as usize], &shard.q[*body as usize]);
        }
        let is_whole = self.gate.wait();
        for i in 0..shard.borrowed.len() {
            let slot = &board[shard.borrowed[i] as usize];
            shard.copy_place(shard.own + i, &std::array::from_fn(|k| read(&slot[k])));
        }
        is_whole
    }
}

/// Does something with each of them at once, the first on this thread.
pub(super) fn on_each<T: Send>(items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    let Some((first, others)) = items.split_first_mut() else { return };
    std::thread::scope(|scope| {
        for (i, item) in others.iter_mut().enumerate() {
            let work = &work;
            scope.spawn(move || work(i + 1, item));
        }
        work(0, first);
    });
}

/// Room for so many bodies.
fn board<const N: usize>(lent: usize) -> Vec<[AtomicU64; N]> {
    (0..lent).map(|_| std::array::from_fn(|_| AtomicU64::new(0))).collect()
}

fn post(slot: &[AtomicU64], numbers: &[f64]) {
    slot.iter().zip(numbers).for_each(|(slot, x)| slot.store(x.to_bits(), Ordering::Relaxed));
}

fn read(number: &AtomicU64) -> f64 {
    f64::from_bits(number.load(Ordering::Relaxed))
}
