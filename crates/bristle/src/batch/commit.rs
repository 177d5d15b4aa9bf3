//! Between steps: quaternions made unit, contacts and stops opened and closed, world by world.

use super::touch::{Mask, Phases, Stops, TouchWork, gap, is_clear};
use super::world::{LaneWorld, Scratch, Slot};
use crate::world::PairSlot;
use crate::world::meeting::{Meeting, Places};
use crate::world::mode::RELEASED;
use crate::world::phases::ROUNDING;
use bristle_geom::Patch;
use bristle_laws::{Indent, Normal, NormalLaw, Phase};
use bristle_math::nalgebra::{SimdBool, SimdPartialOrd};
use bristle_math::{Lanes, Real, Vector3, select};

/// Worlds in which a contact begins and ends.
struct Changes {
    closes: Mask,
    opens: Mask,
}

impl Changes {
    /// As [`crate::world::phases`] decides for one world.
    #[inline(always)]
    fn of(law: &Normal<Lanes>, at: &Indent<Lanes>, z: &[Lanes], touching: Mask) -> Self {
        let zero = Lanes::lit(0.0);
        let sign = law.touching(at, z, Phase::Touching);
        // a body that starts on the surface and moves into it touches from the start
        let begins = sign.simd_gt(zero) | (sign.simd_eq(zero) & at.rate.simd_gt(zero));
        Self { closes: begins & !touching, opens: sign.simd_lt(zero) & touching }
    }

    fn is_empty(&self) -> bool {
        (self.closes | self.opens).none()
    }

    /// States begin and end: `touch` sets those of a contact that begins.
    fn enter(&self, z: &mut [Lanes], touch: impl FnOnce(&mut [Lanes])) {
        let zero = Lanes::lit(0.0);
        z.iter_mut().for_each(|state| *state = select(self.closes | self.opens, zero, *state));
        let mut fresh = [zero; crate::world::meeting::MOST_STATES];
        let fresh = &mut fresh[..z.len()];
        touch(fresh);
        z.iter_mut().zip(fresh).for_each(|(state, begun)| *state = select(self.closes, *begun, *state));
    }
}

impl LaneWorld {
    /// What happens at the end of a step at a time, s. Leaves everything placed where it then is.
    pub fn commit(&self, time: f64, x: &mut [Lanes], phases: &mut Phases, ws: &mut Scratch) {
        self.model.tree.normalise(&mut x[..self.model.tree.nq()]);
        self.place(x, ws);
        let mut all_clear = true;
        for pair in &self.pairs {
            match pair.ground() {
                Some(ground)
                    if is_clear(phases.contacts[pair.contacts.start], &gap(ground, pair, &ws.kin)) => {}
                Some(ground) => {
                    all_clear = false;
                    let material = &self.model.materials[pair.material];
                    let meeting = Meeting::on_ground(&self.model, pair, material, &ws.kin);
                    let patch = meeting.ground_patch(ground);
                    self.settle(pair.contacts.start, &meeting, &patch, x, phases);
                }
                None => all_clear &= self.settle_pair(pair, x, phases, ws),
            }
        }
        ws.is_clear = all_clear;
        self.settle_stops(x, phases);
        for (actuator, held) in self.model.actuators.iter().zip(&mut phases.held) {
            held.phase = actuator.phase_at(time);
        }
    }

    /// Answers whether all its contacts are clear.
    #[inline(never)]
    fn settle_pair(
        &self,
        pair: &PairSlot<Lanes>,
        x: &mut [Lanes],
        phases: &mut Phases,
        ws: &mut Scratch,
    ) -> bool {
        let Scratch { kin, placed, patches, .. } = ws;
        let meeting = Meeting::new(&self.model, pair, Places { kin, placed });
        let patches = Self::find(&meeting, patches);
        let mut all_clear = true;
        for (contact, patch) in pair.contacts.clone().zip(patches) {
            all_clear &= is_clear(phases.contacts[contact], &Indent::point(patch.depth, patch.rate));
            self.settle(contact, &meeting, patch, x, phases);
        }
        all_clear
    }

    /// One contact. Energy that was still stored in states that end is booked as released.
    #[inline(always)]
    fn settle(
        &self,
        contact: usize,
        meeting: &Meeting<'_, Lanes>,
        patch: &Patch<Lanes>,
        x: &mut [Lanes],
        phases: &mut Phases,
    ) {
        let touching = &mut phases.contacts[contact];
        let at = Indent::point(patch.depth, patch.rate); // all that decides about the touch
        if is_clear(*touching, &at) {
            return;
        }
        let material = meeting.material;
        let own = material.parts().normal;
        let Slot { z, count } = self.contacts[contact];
        let z = &mut x[z..z + count];
        let changes = Changes::of(material.normal(), &at, &z[..own], *touching);
        let stays = *touching & !changes.opens;
        let is_bent = stays.any() && material.flat().iter().any(|v| !across(patch, &z[*v..]).is_exactly(0.0));
        if !changes.is_empty() || is_bent {
            self.change(contact, meeting, patch, x, touching, &changes);
        }
    }

    /// What [`Self::settle`] does where anything changes.
    #[inline(never)]
    fn change(
        &self,
        contact: usize,
        meeting: &Meeting<'_, Lanes>,
        patch: &Patch<Lanes>,
        x: &mut [Lanes],
        touching: &mut Mask,
        changes: &Changes,
    ) {
        let zero = Lanes::lit(0.0);
        let material = meeting.material;
        let own = material.parts().normal;
        let Slot { z, count } = self.contacts[contact];
        let z = &mut x[z..z + count];
        let stays = *touching & !changes.opens;
        let stored = |z: &[Lanes], touching: Mask| {
            if self.keeps_ledger { TouchWork { meeting, patch, touching, z }.stored() } else { zero }
        };
        let before = stored(z, *touching);
        *touching = (*touching | changes.closes) & !changes.opens;
        let full = meeting.point_indent(patch);
        let is_small = material.flat().iter().fold(stays, |small, v| {
            let u = &z[*v..*v + 3];
            let all = u[0].squared() + u[1].squared() + u[2].squared();
            small & across(patch, u).squared().simd_le(Lanes::lit(ROUNDING) * all)
        });
        changes.enter(z, |fresh| material.normal().touch(&full, &mut fresh[..own]));
        for v in material.flat() {
            let u = &mut z[*v..*v + 3];
            let off = select(stays, across(patch, u), zero);
            u.iter_mut().zip(patch.normal.iter()).for_each(|(u, n)| *u -= *n * off);
        }
        if self.keeps_ledger {
            let released = select(changes.closes | is_small, zero, before - stored(z, *touching));
            x[meeting.pair.accounts + RELEASED] += released;
        }
    }

    fn settle_stops(&self, x: &mut [Lanes], phases: &mut Phases) {
        let (nq, nv) = (self.model.tree.nq(), self.model.tree.nv());
        for ((stop, slot), touching) in self.model.stops.iter().zip(&self.stops).zip(&mut phases.stops) {
            let (motion, rest) = x.split_at_mut(nq + nv);
            let (q, v) = motion.split_at(nq);
            let start = slot.z - nq - nv;
            let z = &mut rest[start..start + slot.count];
            let at = stop.indent(q, v);
            if is_clear(*touching, &at) {
                continue;
            }
            let changes = Changes::of(&stop.law, &at, z, *touching);
            if changes.is_empty() {
                continue;
            }
            let stored = |z: &[Lanes], touching: Mask| {
                if self.keeps_ledger { Stops { stop, touching }.stored(q, v, z) } else { Lanes::lit(0.0) }
            };
            let before = stored(z, *touching);
            *touching = (*touching | changes.closes) & !changes.opens;
            changes.enter(z, |fresh| stop.law.touch(&at, fresh));
            let released = select(changes.opens, before - stored(z, *touching), Lanes::lit(0.0));
            if self.keeps_ledger {
                x[self.accounts + RELEASED] += released;
            }
        }
    }
}

/// The part of a vector state along the normal.
#[inline(always)]
fn across(patch: &Patch<Lanes>, z: &[Lanes]) -> Lanes {
    patch.normal.dot(&Vector3::new(z[0], z[1], z[2]))
}
