//! Event functions of one contact: its touch, and the switches of its laws.

use super::meeting::{MOST_STATES, Meeting};
use super::mode::Contact;
use super::number::Number;
use super::plain::{Near, OnGround, Short};
use bristle_laws::{FrictionLaw, Indent, NormalLaw, Slip};

impl<T: Number> Meeting<'_, T> {
    /// The short form of a ball over ground that stands still, where no law asks for a patch.
    #[inline(always)]
    pub(super) fn on_still_ground(&self) -> Option<OnGround<'_, T>> {
        match &self.pair.short {
            Some(Short::Ground(ground) | Short::Beside(ground)) if !self.material.needs_patch() => {
                Some(OnGround(ground, ground.ball(self.at)))
            }
            _ => None,
        }
    }

    /// What friction sees of a ball on ground.
    #[inline(always)]
    pub(super) fn slip_near(
        &self,
        near: &OnGround<'_, T>,
        indent: Indent<T>,
        contact: &Contact,
        x: &[T],
    ) -> Slip<T> {
        let own = self.material.parts().normal;
        let mut zdot = [T::lit(0.0); MOST_STATES];
        let z = &x[contact.z..][..own];
        let load = self.material.normal().eval(&indent, z, contact.phase, &mut zdot[..own]).force;
        let (normal, relative) = (near.normal(), near.relative());
        let velocity = relative.linear - normal * normal.dot(&relative.linear);
        Slip { velocity, spin: relative.angular, normal, load, indent }
    }

    /// Writes the event functions of a contact; `slip` is what friction sees of one in touch.
    #[inline(always)]
    pub(super) fn watch(
        &self,
        contact: &Contact,
        at: &Indent<T>,
        slip: Option<Slip<T>>,
        x: &[T],
        slots: &mut [T],
    ) {
        let (material, parts) = (self.material, self.material.parts());
        let z = &x[contact.z..][..parts.total];
        slots[0] = material.normal().touching(at, &z[..parts.normal], contact.phase);
        let (normal_switches, mut slots) = slots[1..].split_at_mut(material.normal().switch_count());
        let Some(slip) = slip else {
            // Nothing to switch without contact: constant signs.
            normal_switches.fill(T::lit(1.0));
            slots.fill(T::lit(-1.0));
            return;
        };
        material.normal().switches(at, &z[..parts.normal], contact.phase, normal_switches);
        let mut state = parts.normal;
        if let Some(law) = material.friction() {
            let (own, rest) = slots.split_at_mut(law.switch_count());
            law.switches(&slip, &z[state..][..parts.friction], own);
            (slots, state) = (rest, state + parts.friction);
        }
        for law in material.resist() {
            let n = law.states().len();
            let (own, rest) = slots.split_at_mut(law.switch_count());
            law.switches(&slip, &z[state..][..n], own);
            (slots, state) = (rest, state + n);
        }
    }
}
