//! Stops of joints at the end of a step: those that push, and those that are reached within it, as gaps of contacts are ([`super::gap`]).

use super::acting::Acting;
use super::gap::{Turn, hold, turn};
use crate::world::Contact;
use crate::world::joint::Stop;
use crate::world::meeting::MOST_STATES;
use crate::world::mode::Mode;
use crate::world::model::Model;
use crate::world::number::Number;
use bristle_bodies::Balance;
use bristle_laws::{Indent, NormalLaw, Phase};

/// What a stop does in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach<T> {
    /// s while the spring of one that is not reached at the start acts.
    slope: Option<T>,
    /// The last s, once it has acted.
    last: Option<T>,
    is_held: bool,
    /// Its effort, and by how much v̇ that is less.
    pub effort: T,
    pub gives: T,
}

impl<T: Number> Reach<T> {
    /// Nothing yet.
    pub fn none() -> Self {
        Self { slope: None, last: None, is_held: false, effort: T::lit(0.0), gives: T::lit(0.0) }
    }
}

/// A step as joints go through it: its length, positions and velocities at its start, and velocities at its end.
#[derive(Clone, Copy)]
pub(super) struct Way<'s, T> {
    pub h: T,
    pub q: &'s [T],
    pub v: &'s [T],
    pub v_end: &'s [T],
}

impl<T: Number> Model<T> {
    /// Looks for stops that are reached after all, or are not. Answers whether there are any.
    pub(super) fn look_at_stops(
        &self,
        way: &Way<'_, T>,
        is_last: bool,
        mode: &Mode<T>,
        reaches: &mut [Reach<T>],
        acting: &mut Acting<'_, T>,
    ) -> bool {
        let mut any = false;
        for ((stop, at), reach) in self.stops.iter().zip(&mode.stops).zip(reaches) {
            let is_new = stop.is_beyond_at_end(way) != reach.slope.is_some();
            if (is_new || (is_last && reach.last.is_some())) && stop.is_clear(way.q, at.phase) {
                any |= stop.turn(way, is_last, reach, acting);
            }
        }
        any
    }

    /// Tells a balance what stops have given to its trees: h v⁺·f⁺ and what they store more at the end, where the state is `there`.
    pub(super) fn look_back_at_stops(
        &self,
        way: &Way<'_, T>,
        (mode, x, there): (&Mode<T>, &[T], &[T]),
        reaches: &[Reach<T>],
        links: &[usize],
        balance: &mut Balance<T>,
    ) {
        let (nq, nv) = (self.tree.nq(), self.tree.nv());
        let stored = |stop: &Stop<T>, at: &Contact, x: &[T]| {
            let (q, v) = x[..nq + nv].split_at(nq);
            stop.stored(q, v, &x[at.z..at.z + stop.states()], at.phase)
        };
        for (((stop, at), reach), &link) in self.stops.iter().zip(&mode.stops).zip(reaches).zip(links) {
            let is_idle = reach.effort.is_exactly(0.0) && reach.gives.is_exactly(0.0);
            if is_idle && stop.is_clear(&there[..nq], at.phase) {
                continue;
            }
            if let Some(tree) = balance.moving_tree(link) {
                let (before, after) = (way.v[stop.v], way.v_end[stop.v]);
                let effort = reach.effort - reach.gives * (after - before) / way.h;
                let given = way.h * after * effort + stored(stop, at, there) - stored(stop, at, x);
                balance.give(tree, given);
            }
        }
    }
}

impl<T: Number> Stop<T> {
    /// Lets its spring act or not, as the velocity at the end has it, or holds the joint for the `last` solve. Answers whether that is new.
    /// Out of line: joints are seldom at their limits.
    #[cold]
    #[inline(never)]
    pub(super) fn turn(
        &self,
        way: &Way<'_, T>,
        is_last: bool,
        reach: &mut Reach<T>,
        acting: &mut Acting<'_, T>,
    ) -> bool {
        if reach.is_held {
            return false;
        }
        let (start, rate) = (self.indent(way.q, way.v), self.side() * way.v_end[self.v]);
        let (gap, before) = ((start.depth, start.rate), reach.slope);
        let turn = turn(way.h, gap, rate, &mut reach.slope, |depth| {
            let (z, mut rates, own) = ([T::lit(0.0); MOST_STATES], [T::lit(0.0); MOST_STATES], self.states());
            let indent = Indent { depth, ..start };
            self.law.eval(&indent, &z[..own], Phase::Open, &mut rates[..own]).elastic
        });
        reach.last = reach.slope.or(reach.last);
        reach.is_held = is_last && reach.last.is_some();
        let held = reach.last.filter(|_| is_last).map(|firm| hold(way.h, gap, before, firm));
        let Some(Turn { force, gives: [before, after] }) = held.or(turn) else { return false };
        let (effort, gives) = (-self.side() * force, after - before);
        reach.effort += effort;
        reach.gives += gives;
        acting.efforts[self.v] += effort;
        acting.yields.add_along(self.v, gives);
        true
    }

    /// Whether the joint ends the step beyond the limit.
    #[inline(always)]
    pub(super) fn is_beyond_at_end(&self, way: &Way<'_, T>) -> bool {
        let end = way.q[self.q].value() - self.bound.value() + way.h.value() * way.v_end[self.v].value();
        if self.is_upper { end > 0.0 } else { end < 0.0 }
    }
}
