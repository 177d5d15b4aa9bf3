//! Gaps that close within a step, of contacts and of stops.
//!
//! The spring of a gap δ ≤ 0 acts if the step ends in it, as a chord through the depth δ* at which it was last seen to end:
//!
//! ```text
//! δ⁺ = δ + h δ̇⁺ > 0   ⇔   f⁺ = s δ⁺,  s = f(δ*)/δ*               else f⁺ = 0
//! f⁺ (δ⁺ − δ) ≥ s δ⁺² ≥ U(δ⁺)                                    it takes at least what it stores
//! ```
//! Which gaps close is known only with the velocity at the end. The one at the start misses what gravity adds to it in the step, and
//! far more a blow: where one corner of a box is stopped, the next one swings in, and would arrive in its spring for nothing. A spring that acts and
//! ends in a gap after all would pull the bodies together. So after each solve gaps are looked at again, and where the answer was another one
//! the solve is repeated. Without a gap in doubt there is one solve.
//!
//! Feet on one leg of a robot can take turns: each closes while the other one is open. Gaps that are still in doubt before the last solve are held from where they are,
//!
//! ```text
//! f⁺ = s (δ⁺ − δ)        f⁺ (δ⁺ − δ) ≥ 0                               it takes energy wherever it ends
//! ```

use super::acting::{Acting, Spot};
use super::resist::Resist;
use crate::world::joint::Stop;
use crate::world::meeting::{MOST_STATES, Meeting, Places};
use crate::world::mode::{Mode, PairSlot};
use crate::world::model::Model;
use crate::world::number::Number;
use bristle_geom::Patch;
use bristle_laws::{Indent, NormalLaw, Phase};

/// A gap between two shapes at the start of a step.
pub(super) struct Gap<T> {
    pub pair: usize,
    pub spot: Spot<T>,
    /// What was found there.
    pub patch: Patch<T>,
    /// s while the spring acts.
    pub slope: Option<T>,
    /// The last s, once it has acted.
    pub last: Option<T>,
    pub is_held: bool,
}

/// What a spring that is let act, or no longer, adds to the force and to how that gives way.
struct Turn<T> {
    force: T,
    gives: [T; 2],
}

/// Whether a gap of this depth and rate at the start closes, and the slope s of its spring if it does; none if nothing is new.
fn turn<T: Number>(
    h: T,
    (depth, rate): (T, T),
    rate_at_end: T,
    slope: &mut Option<T>,
    elastic: impl FnOnce(T) -> T,
) -> Option<Turn<T>> {
    let end = depth + h * rate_at_end;
    if (end.value() > 0.0) == slope.is_some() {
        return None;
    }
    let zero = T::lit(0.0);
    let before = slope.unwrap_or(zero);
    *slope = (end.value() > 0.0).then(|| elastic(end) / end);
    let after = slope.unwrap_or(zero);
    // f⁺ = s (δ + h δ̇) − s h n·Δu
    Some(Turn { force: (after - before) * (depth + h * rate), gives: [before, after].map(|s| s * h * h) })
}

impl<T: Number> Gap<T> {
    /// Lets the spring act or not, as the velocity in `places` has it, or holds it for the `last` solve. Answers whether that is new.
    pub fn look(
        &mut self,
        (h, is_last): (T, bool),
        (model, pairs): (&Model<T>, &[PairSlot<T>]),
        places: Places<'_, T>,
        acting: &mut Acting<'_, T>,
    ) -> bool {
        if self.is_held {
            return false;
        }
        let Self { pair, spot, patch, slope, last, .. } = self;
        let before = *slope;
        let rate = -patch.normal.dot(&spot.velocity(places.kin));
        let turn = turn(h, (patch.depth, patch.rate), rate, slope, |depth| {
            let meeting = Meeting::new(model, &pairs[*pair], places);
            let own = meeting.material.parts().normal;
            let indent = meeting.indent_at(patch, depth, patch.rate);
            let (z, mut rates) = ([T::lit(0.0); MOST_STATES], [T::lit(0.0); MOST_STATES]);
            meeting.material.normal().eval(&indent, &z[..own], Phase::Open, &mut rates[..own]).elastic
        });
        *last = slope.or(*last);
        let turn = match *last {
            Some(firm) if is_last => {
                self.is_held = true;
                let before = before.unwrap_or(T::lit(0.0));
                let force = firm * h * patch.rate - before * (patch.depth + h * patch.rate);
                Some(Turn { force, gives: [before, firm].map(|s| s * h * h) })
            }
            _ => turn,
        };
        let Some(Turn { force, gives }) = turn else { return false };
        let [before, after] = gives.map(|gives| Resist::along(&patch.normal, gives));
        acting.push(places.kin, spot, patch.normal * force, (Some(&before), &after));
        true
    }
}

impl<T: Number> Model<T> {
    /// The same for stops: `slopes` are theirs, `v` and `v_end` the velocities at the start and at the end.
    pub(super) fn look_at_stops(
        &self,
        h: T,
        mode: &Mode<T>,
        (q, v, v_end): (&[T], &[T], &[T]),
        slopes: &mut [Option<T>],
        acting: &mut Acting<'_, T>,
    ) -> bool {
        let mut any = false;
        for ((stop, at), slope) in self.stops.iter().zip(&mode.stops).zip(slopes) {
            if stop.is_beyond_at_end(h, q, v_end) != slope.is_some() && stop.is_clear(q, at.phase) {
                any |= stop.turn(h, (q, v, v_end), slope, acting);
            }
        }
        any
    }
}

impl<T: Number> Stop<T> {
    /// Lets its spring act or not, as the velocity at the end has it. Answers whether that is new. Out of line: joints are seldom at their limits.
    #[cold]
    #[inline(never)]
    pub(super) fn turn(
        &self,
        h: T,
        (q, v, v_end): (&[T], &[T], &[T]),
        slope: &mut Option<T>,
        acting: &mut Acting<'_, T>,
    ) -> bool {
        let (start, rate) = (self.indent(q, v), self.side() * v_end[self.v]);
        let turn = turn(h, (start.depth, start.rate), rate, slope, |depth| {
            let (z, mut rates, own) = ([T::lit(0.0); MOST_STATES], [T::lit(0.0); MOST_STATES], self.states());
            let indent = Indent { depth, ..start };
            self.law.eval(&indent, &z[..own], Phase::Open, &mut rates[..own]).elastic
        });
        let Some(Turn { force, gives: [before, after] }) = turn else { return false };
        acting.efforts[self.v] -= self.side() * force;
        acting.yields.add_along(self.v, after - before);
        true
    }

    /// Whether the joint ends the step beyond the limit.
    #[inline(always)]
    pub(super) fn is_beyond_at_end(&self, h: T, q: &[T], v_end: &[T]) -> bool {
        let end = q[self.q].value() - self.bound.value() + h.value() * v_end[self.v].value();
        if self.is_upper { end > 0.0 } else { end < 0.0 }
    }
}
