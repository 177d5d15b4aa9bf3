//! Contacts, taken at the end of a step.
//!
//! ```text
//! f⁺ = n N⁺ + F⁺        N⁺ = N + N_δ (δ⁺ − δ) + N_δ̇ (δ̇⁺ − δ̇)        δ⁺ = δ + h δ̇⁺
//! ```
//! The normal force follows depth and rate, friction F the slip and its states ([`super::slopes`]). Friction has the load of the start of the
//! step, for the load that an approach foretells is not there when it is stopped.
//! Convex laws lose energy this way at any step, as implicit Euler does.

use super::Ends;
use super::acting::{Acting, Spot};
use super::gap::Gap;
use super::resist::{self, Resist};
use super::rub::{Law, Place, Rub};
use super::slopes::{AtEnd, SHARE, STATES, Start, WAYS, stride, turned};
use crate::world::meeting::{MOST_STATES, Meeting, Places};
use crate::world::mode::{Mode, PAIR_ACCOUNTS, WORK};
use crate::world::number::Number;
use crate::world::rhs::losses;
use crate::world::{Contact, Scratch, Touch, World};
use bristle_laws::friction::WithFriction;
use bristle_laws::{FrictionLaw, NormalLaw, Phase, Slip};
use bristle_math::Vector3;

/// How the normal force gives way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Press<T> {
    /// N_δ, and the way over which it was taken, m.
    pub slope: T,
    pub way: T,
    /// N_δ̇
    damping: T,
}

impl<T: Number> Press<T> {
    /// Of what has no depth.
    pub fn none() -> Self {
        let zero = T::lit(0.0);
        Self { slope: zero, way: zero, damping: zero }
    }
}

impl<T: Number> World<'_, T> {
    /// Every contact: rates of its states, power of its losses, its force at the end and how that gives way.
    pub(super) fn contacts_to_end(&self, h: T, x: &[T], mode: &Mode<T>, dx: &mut [T], ws: &mut Scratch<T>) {
        let Scratch { kin, placed, wrenches, efforts, found, ends, .. } = ws;
        let Ends { yields, coupled, rubs, gaps, .. } = ends;
        let mut acting = Acting { wrenches, efforts, yields, coupled };
        let (states, accounts) = dx.split_at_mut(mode.accounts());
        for (number, pair) in mode.pairs.iter().enumerate() {
            let places = Places { kin, placed };
            let meeting = Meeting::new(self.model, pair, places);
            let parts = meeting.material.parts();
            let first = pair.accounts - states.len();
            accounts[first..][..PAIR_ACCOUNTS].fill(T::lit(0.0));
            meeting.find(found);
            for (i, contact) in mode.contacts[pair.contacts.clone()].iter().enumerate() {
                let patch = meeting.patch(i, found);
                let zdot = &mut states[contact.z..][..parts.total];
                let mut spot = Spot { links: pair.links, moves: pair.moves, point: patch.point, tie: None };
                let Some(touch) = meeting.touch(contact, &patch, found, x, zdot) else {
                    if contact.phase == Phase::Open {
                        let mut gap = Gap::new((number, i), spot, patch);
                        gap.look((h, false), (self.model, &mode.pairs), places, &mut acting);
                        gaps.push(gap);
                    }
                    continue;
                };
                let booked = &mut accounts[first..][..PAIR_ACCOUNTS];
                booked.iter_mut().zip(losses(&touch)).for_each(|(account, loss)| *account += loss);
                for &drive in self.model.drives.iter().map(|drive| &drive.link) {
                    // whoever drives a body pays for what contact takes from it
                    let wrench = touch.wrench_about(kin.origin(drive));
                    let sides = pair.links.into_iter().zip([T::lit(1.0), T::lit(-1.0)]);
                    for (_, sign) in sides.filter(|(link, _)| *link == drive) {
                        accounts[WORK] += sign * kin.twist(drive).power(&wrench);
                    }
                }
                let before = spot.velocity(kin);
                let stride = stride(&before);
                let press = meeting.press_to_end(contact, &touch, (h, stride), x);
                let plane = resist::across(&touch.patch.normal);
                let mut end = meeting.rub_to_end((contact, &touch), (h, stride), plane, x, zdot);
                end.force += touch.push + touch.patch.normal * (press.slope * h * touch.patch.rate);
                let along = h * press.slope + press.damping;
                let gives = Resist::of(&touch.patch.normal, along, plane, &end.resist);
                let torque = touch.friction.torque + touch.turn;
                acting.turn(&spot, &torque);
                acting.push(kin, &mut spot, end.force, (None, &gives.times(h)));
                rubs.push(Rub {
                    z: contact.z + parts.normal,
                    count: parts.friction,
                    place: Place::Point { spot, pair: number, index: i },
                    law: Law::Material(pair.material),
                    stored: meeting.stored_by_friction(contact, &touch, x),
                    slip: touch.slip,
                    before,
                    ways: plane,
                    end,
                    press,
                    gives,
                    is_held: false,
                    whole: touch.stored(),
                    torque,
                    missed: [T::lit(0.0); 2],
                });
            }
        }
    }
}

impl<T: Number> Meeting<'_, T> {
    /// How the force along the normal gives way, for changes of the velocity by `stride`.
    fn press_to_end(&self, contact: &Contact, touch: &Touch<T>, (h, stride): (T, T), x: &[T]) -> Press<T> {
        let Touch { patch, slip, normal, friction, .. } = touch;
        let z = &x[contact.z..][..self.material.parts().total];
        let (z_normal, z_friction) = z.split_at(self.material.parts().normal);
        // a spring across the normal that stiffens with depth pushes along it, too; one that is not stretched does not
        let rubs = self.material.friction().filter(|_| !friction.normal.is_exactly(0.0));
        let force = |depth: T, rate: T| {
            let mut unused = [T::lit(0.0); STATES];
            let indent = self.indent_at(patch, depth, rate);
            let load = self.load(contact.phase, &indent, z_normal);
            let count = self.material.parts().friction;
            load + rubs.map_or(T::lit(0.0), |law| {
                law.eval(&Slip { load, indent, ..*slip }, &z_friction[..count], &mut unused[..count]).normal
            })
        };
        let here = normal.force + friction.normal;
        // over the way that lies ahead where it closes: laws stiffen with depth, and a slope at the start would let the
        // body in further than it has energy for. Where it opens the slope at the start is the safe one.
        let near = SHARE * patch.depth.value().abs().max(1e-9);
        let way = T::lit((h * patch.rate).value().max(near));
        let slope = (force(patch.depth + way, patch.rate) - here) / way;
        let damping = (here - force(patch.depth, patch.rate - stride)) / stride;
        Press { slope, way, damping }
    }

    /// The normal force.
    pub(super) fn load(&self, phase: Phase, indent: &bristle_laws::Indent<T>, z: &[T]) -> T {
        let law = self.material.normal();
        if z.is_empty() {
            return law.eval(indent, z, phase, &mut []).force;
        }
        law.eval(indent, z, phase, &mut [T::lit(0.0); MOST_STATES][..z.len()]).force
    }

    /// Friction at the end of the step; `zdot` are rates at its start.
    fn rub_to_end(
        &self,
        (contact, touch): (&Contact, &Touch<T>),
        (h, stride): (T, T),
        ways: [Vector3<T>; WAYS],
        x: &[T],
        zdot: &[T],
    ) -> AtEnd<T> {
        let n = touch.patch.normal;
        let force = n * touch.friction.normal + touch.friction.force;
        let is_there = touch.patch.depth.value() > 0.0 || contact.phase == Phase::Touching;
        let Some(law) = self.material.friction().filter(|_| is_there) else {
            return AtEnd::constant(force);
        };
        let parts = self.material.parts();
        let states = &x[contact.z + parts.normal..][..parts.friction];
        let (mut rates, mut change) = ([T::lit(0.0); STATES], [T::lit(0.0); STATES]);
        rates[..parts.friction].copy_from_slice(&zdot[parts.normal..][..parts.friction]);
        if parts.friction >= 3 {
            // what the law does not say of its rates is the turn of the contact frame
            let z = Vector3::new(states[0], states[1], states[2]);
            let turn = self.frame_spin(&touch.patch).cross(&z);
            change[..3].copy_from_slice(turned(h, &z, &turn).as_slice());
            rates.iter_mut().zip(turn.iter()).for_each(|(rate, turn)| *rate -= *turn);
        }
        let velocity = touch.slip.velocity;
        let at = Start { ways, velocity, stride, states, force, rates, turned: change };
        law.with(Follow { h, at, slip: touch.slip })
    }

    /// Energy that friction stores at the start of the step, J.
    fn stored_by_friction(&self, contact: &Contact, touch: &Touch<T>, x: &[T]) -> T {
        let parts = self.material.parts();
        match self.material.friction() {
            Some(law) if !self.material.resist().is_empty() && parts.friction > 0 => {
                let z = &x[contact.z + parts.normal..][..parts.friction];
                law.eval(&touch.slip, z, &mut [T::lit(0.0); STATES][..parts.friction]).stored
            }
            _ => touch.friction.stored,
        }
    }
}

/// Friction from its start to the end of a step, by the slopes of its law.
struct Follow<'z, T> {
    h: T,
    at: Start<'z, T, WAYS>,
    slip: Slip<T>,
}

impl<T: Number> WithFriction<T> for Follow<'_, T> {
    type Out = AtEnd<T>;

    #[inline(always)]
    fn with<L: FrictionLaw<T> + ?Sized>(self, law: &L) -> AtEnd<T> {
        let Self { h, at, mut slip } = self;
        let infos = law.states();
        let answer = |velocity: &Vector3<T>, z: &[T], rates: &mut [T]| {
            slip.velocity = *velocity;
            let out = law.eval(&slip, z, rates);
            slip.normal * out.normal + out.force
        };
        AtEnd::new(h, &at, |k| infos[k].scale, answer)
    }
}
