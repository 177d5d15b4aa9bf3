//! What `commit` does to one contact: its phase, and the states that begin and end with it.

use super::meeting::Meeting;
use super::mode::Contact;
use super::number::Number;
use super::spread::Found;
use bristle_geom::Patch;
use bristle_laws::{Indent, NormalLaw, Phase};
use bristle_math::{Scalar, Vector3};

/// The square of what leaves a vector state, over its own, below which the energy that goes with it is lost in rounding.
pub(crate) const ROUNDING: f64 = 1e-17;

/// Where a contact stands after this instant, by the sign of its law's `touching`.
pub(crate) fn next_phase<T: Scalar>(law: &impl NormalLaw<T>, at: &Indent<T>, z: &[T], now: Phase) -> Phase {
    let touching = law.touching(at, z, now).value();
    match now {
        // a body that starts on the surface and moves into it touches from the start
        Phase::Open if touching > 0.0 || (touching == 0.0 && at.rate.value() > 0.0) => Phase::Touching,
        Phase::Recovering if touching > 0.0 => Phase::Touching,
        Phase::Recovering if law.is_spent(z) => Phase::Open,
        Phase::Touching if touching < 0.0 && law.is_spent(z) => Phase::Open,
        Phase::Touching if touching < 0.0 => Phase::Recovering,
        same => same,
    }
}

impl<T: Number> Meeting<'_, T> {
    /// Where a contact stands after this instant.
    pub(super) fn next_phase(&self, contact: &Contact, at: &Indent<T>, x: &[T]) -> Phase {
        let z = &x[contact.z..contact.z + self.material.parts().normal];
        next_phase(self.material.normal(), at, z, contact.phase)
    }

    /// Takes a contact into its next phase: states begin or end. Answers the energy that was still stored in
    /// those that ended, J.
    pub(super) fn enter(
        &self,
        contact: &mut Contact,
        next: Phase,
        patch: &Patch<T>,
        found: &Found<T>,
        x: &mut [T],
    ) -> T {
        let parts = self.material.parts();
        let before = self.stored(contact, patch, found, x);
        let states = &mut x[contact.z..contact.z + parts.total];
        let was = std::mem::replace(&mut contact.phase, next);
        match (was, next) {
            (Phase::Open, _) => {
                states.fill(T::lit(0.0));
                self.material.normal().touch(&self.indent(patch, found), &mut states[..parts.normal]);
                return T::lit(0.0);
            }
            (_, Phase::Open) => states.fill(T::lit(0.0)),
            (_, Phase::Recovering) => states[parts.normal..].fill(T::lit(0.0)),
            _ => {}
        }
        before - self.stored(contact, patch, found, x)
    }

    /// Takes the small normal component out of vector states. Answers the energy that goes with it, J.
    pub(super) fn flatten(&self, contact: &Contact, patch: &Patch<T>, found: &Found<T>, x: &mut [T]) -> T {
        let at = |start: usize| contact.z + start..contact.z + start + 3;
        let across = |z: &[T]| patch.normal.dot(&Vector3::new(z[0], z[1], z[2]));
        let vectors = self.material.flat();
        let squares = |z: &[T]| (across(z).squared(), z[0].squared() + z[1].squared() + z[2].squared());
        let is_small = |z: &[T]| {
            let (off, all) = squares(z);
            off.value() <= ROUNDING * all.value()
        };
        let is_booked = !vectors.iter().all(|v| is_small(&x[at(*v)]));
        let before = if is_booked { self.stored(contact, patch, found, x) } else { T::lit(0.0) };
        for v in vectors {
            let z = &mut x[at(*v)];
            let off = across(z);
            z.iter_mut().zip(patch.normal.iter()).for_each(|(u, n)| *u -= *n * off);
        }
        if is_booked { before - self.stored(contact, patch, found, x) } else { T::lit(0.0) }
    }
}
