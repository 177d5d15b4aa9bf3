//! Friction that would drive: found once the end of a step is known, and taken again where it does.
//!
//! While it slips, friction gives way to nothing along its direction t: f⁺ = −c t, whatever becomes of the slip. Where the step turns
//! the slip around, or ends it, the force has pushed along with it, or the spring of a bristle is stretched further than the way allows:
//!
//! ```text
//! h u⁺·f⁺ + U(z⁺) − U(z) > 0
//! ```
//! is energy from nowhere. Such a contact is held: the solve is repeated with
//!
//! ```text
//! f⁺ = −(c/|u|) u⁺        U(z⁺) ≤ U(z)        h u⁺·f⁺ = −h (c/|u|) |u⁺|² ≤ 0
//! ```
//! the same force at u⁺ = u, less as the slip ends, never against what is left of it. Where it slips on without being turned
//! around nothing is changed; a contact that sticks has its spring within its slopes already and passes. What is held may turn another slip around, so
//! the last solve holds all of them.

use super::acting::{Acting, Spot};
use super::contacts::Press;
use super::resist::Resist;
use super::slopes::{AtEnd, STATES, WAYS};
use crate::world::meeting::{Meeting, Places};
use crate::world::mode::Mode;
use crate::world::model::Model;
use crate::world::number::Number;
use crate::world::spread::Found;
use bristle_bodies::Kinematics;
use bristle_laws::{FrictionLaw, Slip};
use bristle_math::Vector3;

/// Solves of a step, at most.
pub(super) const SOLVES: usize = 8;

/// The slowest slip that friction is held by, m/s: what is held more firmly costs the other directions their digits.
const SLOW: f64 = 1e-6;

/// Gains below this share of what is at play are rounding.
const ROUNDING: f64 = 1e-12;

/// Friction of a contact or of a joint.
pub(super) struct Rub<T> {
    /// Where its states stand in `x`, and how many there are.
    pub z: usize,
    pub count: usize,
    pub place: Place<T>,
    pub law: Law,
    /// What the law saw at the start.
    pub slip: Slip<T>,
    /// Energy of the states at the start, J.
    pub stored: T,
    /// The velocity at the start, all of it.
    pub before: Vector3<T>,
    /// Directions in which friction acts.
    pub ways: [Vector3<T>; WAYS],
    /// The force at the end, along the normal too, and the states.
    pub end: AtEnd<T>,
    pub press: Press<T>,
    /// D as it was put in.
    pub gives: Resist<T>,
    pub is_held: bool,
    /// All energy of the contact at the start, J, and its torque, N m.
    pub whole: T,
    pub torque: Vector3<T>,
    /// By how much deeper it goes than its tangent foretells, m: as it is reckoned with, and as it was last seen.
    pub missed: [T; 2],
}

/// Where a velocity is taken.
#[derive(Clone, Copy)]
pub(super) enum Place<T> {
    /// Of the second link over the first, at one of the contacts of a pair.
    Point { spot: Spot<T>, pair: usize, index: usize },
    /// Along a joint.
    Along(usize),
}

/// Whose law it is.
#[derive(Clone, Copy)]
pub(super) enum Law {
    Material(usize),
    Joint(usize),
}

impl<T: Number> Place<T> {
    /// The velocity there.
    pub fn velocity(&self, kin: &Kinematics<T>, v: &[T]) -> Vector3<T> {
        match self {
            Self::Point { spot, .. } => spot.velocity(kin),
            Self::Along(k) => Vector3::new(v[*k], T::lit(0.0), T::lit(0.0)),
        }
    }
}

impl<T: Number> Rub<T> {
    /// Across the normal.
    fn across(&self, vector: &Vector3<T>) -> Vector3<T> {
        vector - self.slip.normal * self.slip.normal.dot(vector)
    }

    /// Energy of the states, J.
    fn stored(&self, model: &Model<T>, z: &[T; STATES]) -> T {
        let law = match self.law {
            Law::Material(at) => model.materials[at].friction(),
            Law::Joint(at) => Some(&model.frictions[at].law),
        };
        let mut unused = [T::lit(0.0); STATES];
        law.map_or(T::lit(0.0), |law| {
            law.eval(&self.slip, &z[..self.count], &mut unused[..self.count]).stored
        })
    }

    /// The states at the start.
    fn states(&self, x: &[T]) -> [T; STATES] {
        let mut z = [T::lit(0.0); STATES];
        z[..self.count].copy_from_slice(&x[self.z..self.z + self.count]);
        z
    }

    /// By how much they change, if the velocity changes by so much.
    fn changes(&self, change: &Vector3<T>) -> [T; STATES] {
        let AtEnd { states, follow: [first, second], .. } = &self.end;
        let [a, b] = self.ways.map(|way| way.dot(change));
        std::array::from_fn(|i| states[i] + first[i] * a + second[i] * b)
    }

    /// Whether it ends the step with more energy than it was given.
    fn drives(&self, model: &Model<T>, h: T, x: &[T], after: &Vector3<T>) -> bool {
        let change = after - self.before;
        let force = self.end.force - self.gives.apply(&change);
        let work = h * self.across(after).dot(&force);
        let at_end = if self.count > 0 {
            let (z, more) = (self.states(x), self.changes(&change));
            self.stored(model, &std::array::from_fn(|i| z[i] + more[i]))
        } else {
            self.stored
        };
        let gain = (work + at_end - self.stored).value();
        if gain <= 0.0 {
            return false;
        }
        let play = h.value() * after.map(|x| x.value()).norm() * force.map(|x| x.value()).norm();
        gain > ROUNDING * (play + at_end.value() + self.stored.value())
    }

    /// Change of the states over the step. Held ones keep their energy at most.
    pub fn follow(&self, model: &Model<T>, x: &[T], after: &Vector3<T>) -> [T; STATES] {
        if !self.is_held {
            return self.changes(&(after - self.before));
        }
        let (z, mut more) = (self.states(x), self.end.states);
        let there = std::array::from_fn(|i| z[i] + more[i]);
        let (before, after) = (self.stored, self.stored(model, &there));
        if after.value() > before.value() {
            let share = (before / after).sqrt();
            (0..self.count).for_each(|i| more[i] = share * there[i] - z[i]);
        }
        more
    }

    /// Takes it as a drag that is as large as it is at the velocity of the start.
    #[inline(never)]
    fn hold(&mut self, h: T, kin: &Kinematics<T>, acting: &mut Acting<'_, T>) {
        let slip = self.across(&self.before);
        let force = self.across(&self.end.force);
        let size = |vector: &Vector3<T>| vector.dot(vector).sqrt();
        let speed = size(&slip);
        let drag = size(&force) / if speed.value() > SLOW { speed } else { T::lit(SLOW) };
        let more = slip * -drag - force;
        let before = self.gives;
        self.is_held = true;
        self.end.force += more;
        match &mut self.place {
            Place::Along(k) => {
                self.gives = Resist::along(&Vector3::x(), drag);
                acting.efforts[*k] += more.x;
                acting.yields.add_along(*k, h * (drag - before.apply(&Vector3::x()).x));
            }
            Place::Point { spot, .. } => {
                self.gives = before.dragging(drag);
                acting.push(kin, spot, more, (Some(&before.times(h)), &self.gives.times(h)));
            }
        }
    }
}

/// What a look at the end of a solve sees.
pub(super) struct Sight<'s, T: Number> {
    pub model: &'s Model<T>,
    pub mode: &'s Mode<T>,
    pub x: &'s [T],
    /// Velocities at the end, as [`Sight::places`] has them too.
    pub v: &'s [T],
    pub places: Places<'s, T>,
}

impl<T: Number> Rub<T> {
    /// Whether its law stiffens so much over the `way` that it went, that its slope must be taken over that. A chord to where it went is enough if it is not twice as steep: the
    /// trapezium f + f⁺ over the way, which a convex law stays below, is then within twice what it took.
    #[cold]
    #[inline(never)]
    fn stiffens(
        &mut self,
        (h, way): (T, T),
        at: &Sight<'_, T>,
        found: &mut Found<T>,
        acting: &mut Acting<'_, T>,
    ) -> bool {
        let Place::Point { spot, pair, index } = &mut self.place else { return false };
        let (n, start) = (self.slip.normal, self.slip.indent);
        let pair = &at.mode.pairs[*pair];
        let meeting = Meeting::new(at.model, pair, at.places);
        meeting.find(found);
        let patch = meeting.patch(*index, found);
        let contact = &at.mode.contacts[pair.contacts.start + *index];
        let z = &at.x[contact.z..contact.z + meeting.material.parts().normal];
        let force = |depth: T| meeting.load(contact.phase, &meeting.indent_at(&patch, depth, start.rate), z);
        let slope = (force(start.depth + way) - force(start.depth)) / way;
        if slope.value() <= 2.0 * self.press.slope.value() {
            return false;
        }
        let more = slope - self.press.slope;
        (self.press.slope, self.press.way) = (slope, way);
        let (push, before) = (n * (more * (h * start.rate + self.missed[0])), self.gives);
        self.end.force += push;
        self.gives = before.stiffer(h * more);
        acting.push(at.places.kin, spot, push, (Some(&before.times(h)), &self.gives.times(h)));
        true
    }

    /// Looks at it again; whether anything is new. In the `last` solve all friction is held.
    pub fn look(
        &mut self,
        (h, is_last): (T, bool),
        at: &Sight<'_, T>,
        found: &mut Found<T>,
        acting: &mut Acting<'_, T>,
    ) -> bool {
        let after = self.place.velocity(at.places.kin, at.v);
        let way = self.missed[0] - h * self.slip.normal.dot(&after);
        let mut is_new = way.value() > self.press.way.value() && self.stiffens((h, way), at, found, acting);
        if !self.is_held && (is_last || self.drives(at.model, h, at.x, &after)) {
            self.hold(h, at.places.kin, acting);
            is_new = true;
        }
        is_new
    }

    /// Has arrived at a depth: answers h u⁺·f⁺ less what was stored at the start, J.
    pub fn arrive(&mut self, h: T, depth: T, kin: &Kinematics<T>) -> T {
        let Place::Point { spot, .. } = &self.place else { return T::lit(0.0) };
        let after = spot.velocity(kin);
        self.missed[1] = depth - self.slip.indent.depth + h * self.slip.normal.dot(&after);
        let force = self.end.force - self.gives.apply(&(after - self.before));
        h * (after.dot(&force) + spot.spin(kin).dot(&self.torque)) - self.whole
    }

    /// Reckons with what it has missed.
    pub fn bend(&mut self, h: T, kin: &Kinematics<T>, acting: &mut Acting<'_, T>) {
        let Place::Point { spot, .. } = &mut self.place else { return };
        let [before, now] = self.missed;
        let push = self.slip.normal * (self.press.slope * (now - before));
        self.missed[0] = now;
        self.end.force += push;
        let gives = self.gives.times(h);
        acting.push(kin, spot, push, (Some(&gives), &gives));
    }
}
