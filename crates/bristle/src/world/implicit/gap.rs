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
//! Where arcs matter ([`super::arrival`]) δ stands for δ + m, with the way m that the tangent misses.

use super::acting::{Acting, Spot};
use super::resist::Resist;
use crate::world::meeting::{MOST_STATES, Meeting, Places};
use crate::world::mode::PairSlot;
use crate::world::model::Model;
use crate::world::number::Number;
use bristle_bodies::Kinematics;
use bristle_geom::Patch;
use bristle_laws::{NormalLaw, Phase};

/// A gap between two shapes at the start of a step.
pub(super) struct Gap<T> {
    pub pair: usize,
    /// Which of the contacts of the pair it is.
    pub index: usize,
    pub spot: Spot<T>,
    /// What was found there.
    pub patch: Patch<T>,
    /// s while the spring acts.
    pub slope: Option<T>,
    /// The last s, once it has acted.
    pub last: Option<T>,
    pub is_held: bool,
    /// By how much more it closes than its tangent foretells, m: as it is reckoned with, and as it was last seen.
    pub missed: [T; 2],
}

/// What a spring that is let act, or no longer, adds to the force and to how that gives way.
pub(super) struct Turn<T> {
    pub force: T,
    pub gives: [T; 2],
}

/// What holding a gap of this rate from where it is adds, by the `firm` spring that it last had in place of the one `before`.
pub(super) fn hold<T: Number>(h: T, (depth, rate): (T, T), before: Option<T>, firm: T) -> Turn<T> {
    let before = before.unwrap_or(T::lit(0.0));
    Turn { force: firm * h * rate - before * (depth + h * rate), gives: [before, firm].map(|s| s * h * h) }
}

/// Whether a gap of this depth and rate at the start closes, and the slope s of its spring if it does; none if nothing is new.
pub(super) fn turn<T: Number>(
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
    /// That of a contact, by its pair and its place there.
    pub fn new((pair, index): (usize, usize), spot: Spot<T>, patch: Patch<T>) -> Self {
        let missed = [T::lit(0.0); 2];
        Self { pair, index, spot, patch, slope: None, last: None, is_held: false, missed }
    }

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
        let Self { pair, spot, patch, slope, last, missed: [missed, _], .. } = self;
        let (before, depth) = (*slope, patch.depth + *missed);
        let rate = -patch.normal.dot(&spot.velocity(places.kin));
        let turn = turn(h, (depth, patch.rate), rate, slope, |depth| {
            elastic(&Meeting::new(model, &pairs[*pair], places), patch, depth)
        });
        *last = slope.or(*last);
        let turn = match *last {
            Some(firm) if is_last => {
                self.is_held = true;
                Some(hold(h, (depth, patch.rate), before, firm))
            }
            _ => turn,
        };
        let Some(Turn { force, gives }) = turn else { return false };
        let [before, after] = gives.map(|gives| Resist::along(&patch.normal, gives));
        acting.push(places.kin, spot, patch.normal * force, (Some(&before), &after));
        true
    }

    /// Whether its spring acts, or would if it closed by so much (m) more than its tangent foretells.
    pub fn is_near(&self, h: T, more: T, kin: &Kinematics<T>) -> bool {
        self.slope.is_some() || (self.patch.depth + self.missed[0] + h * self.rate(kin) + more).value() > 0.0
    }

    /// How fast it closes, m/s.
    fn rate(&self, kin: &Kinematics<T>) -> T {
        -self.patch.normal.dot(&self.spot.velocity(kin))
    }

    /// Has arrived at a depth: answers h u⁺·f⁺, J.
    pub fn arrive(&mut self, h: T, depth: T, kin: &Kinematics<T>) -> T {
        let way = h * self.rate(kin);
        self.missed[1] = depth - self.patch.depth - way;
        let force = match (self.is_held, self.slope, self.last) {
            (true, _, Some(firm)) => firm * way,
            (false, Some(slope), _) => slope * (self.patch.depth + self.missed[0] + way),
            _ => T::lit(0.0),
        };
        -force * way
    }

    /// Reckons with what it has missed.
    pub fn bend(
        &mut self,
        h: T,
        (model, pairs): (&Model<T>, &[PairSlot<T>]),
        places: Places<'_, T>,
        acting: &mut Acting<'_, T>,
    ) {
        let (start, zero) = (self.patch.depth + h * self.patch.rate, T::lit(0.0));
        let end = self.patch.depth + h * self.rate(places.kin) + self.missed[1];
        if self.is_held {
            return;
        }
        let before = self.slope.unwrap_or(zero);
        self.slope = (end.value() > 0.0).then(|| {
            let meeting = Meeting::new(model, &pairs[self.pair], places);
            self.slope.unwrap_or_else(|| elastic(&meeting, &self.patch, end) / end)
        });
        self.last = self.slope.or(self.last);
        let after = self.slope.unwrap_or(zero);
        let force = after * (start + self.missed[1]) - before * (start + self.missed[0]);
        self.missed[0] = self.missed[1];
        let [before, after] = [before, after].map(|s| Resist::along(&self.patch.normal, s * h * h));
        acting.push(places.kin, &mut self.spot, self.patch.normal * force, (Some(&before), &after));
    }
}

/// What the spring of a gap pushes with at a depth, N.
fn elastic<T: Number>(meeting: &Meeting<'_, T>, patch: &Patch<T>, depth: T) -> T {
    let own = meeting.material.parts().normal;
    let indent = meeting.indent_at(patch, depth, patch.rate);
    let (z, mut rates) = ([T::lit(0.0); MOST_STATES], [T::lit(0.0); MOST_STATES]);
    meeting.material.normal().eval(&indent, &z[..own], Phase::Open, &mut rates[..own]).elastic
}
