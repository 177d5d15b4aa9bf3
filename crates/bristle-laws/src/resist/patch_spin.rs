//! Spinning on a patch, resisted by the friction law that resists sliding there.
//!
//! ```text
//! s = ℓ ω_n      T = ℓ F(s, N) along n        U, D: those of the friction law at the speed s
//! ```
//!
//! ω_n spin about the normal n · ℓ lever of friction, ∫p r dA/N over the patch ([`crate::Indent::lever`]) · F any friction law
//! under the load N of the patch, with states of its own: what it does to a point that slides at the distance ℓ. It has no
//! parameters, sticks where the law sticks, and slips at μNℓ. While a patch slides and spins fast at once the true limits are
//! smaller than both (Contensou); each is right alone.

use crate::{Friction, FrictionLaw, FrictionOut, Promise, Slip, StateInfo};
use bristle_math::{Real, Vector3};

/// A friction law on the spin of a patch.
#[derive(Debug, Clone)]
pub struct PatchSpin<T: Real>(Friction<T>);

impl<T: Real> PatchSpin<T> {
    /// The spin counterpart of a friction law.
    pub fn of(friction: Friction<T>) -> Self {
        Self(friction)
    }

    /// The spin as a slide along the x-axis of a frame of its own: what the law keeps of it does not turn with the contact.
    #[inline]
    fn slide(at: &Slip<T>) -> Slip<T> {
        let zero = T::lit(0.0);
        let speed = at.indent.lever * at.normal.dot(&at.spin);
        Slip {
            velocity: Vector3::new(speed, zero, zero),
            spin: Vector3::zeros(),
            normal: Vector3::z(),
            ..*at
        }
    }
}

impl<T: Real> FrictionLaw<T> for PatchSpin<T> {
    fn states(&self) -> &'static [StateInfo] {
        self.0.states()
    }
    fn promise(&self) -> Promise {
        self.0.promise()
    }
    fn needs_patch(&self) -> bool {
        true
    }
    fn has_vector(&self) -> bool {
        false
    }
    fn touch(&self, at: &Slip<T>, z: &mut [T]) {
        self.0.touch(&Self::slide(at), z);
    }
    fn switch_count(&self) -> usize {
        self.0.switch_count()
    }
    fn switches(&self, at: &Slip<T>, z: &[T], g: &mut [T]) {
        self.0.switches(&Self::slide(at), z, g);
    }
    fn eval(&self, at: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
        let out = self.0.eval(&Self::slide(at), z, zdot);
        let torque = at.normal * (at.indent.lever * out.force.x);
        FrictionOut { force: Vector3::zeros(), torque, ..out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::{Coulomb, SpringClutch, SpringForm};
    use crate::testing::slip;

    fn spinning(rate: f64) -> Slip<f64> {
        let mut at = slip(0.0, 50.0);
        at.spin = at.normal * rate + Vector3::new(0.2, 0.0, 0.0);
        at
    }

    #[test]
    fn it_slips_at_the_friction_on_its_lever() {
        let law = PatchSpin::of(Coulomb::new(0.4, 0.4, 1e-3, 0.0).unwrap().into());
        let at = spinning(1e4);
        let out = law.eval(&at, &[], &mut []);
        let expected = -0.4 * 50.0 * at.indent.lever;
        assert!((out.torque.dot(&at.normal) / expected - 1.0).abs() < 1e-9, "{}", out.torque);
        assert_eq!(out.force, Vector3::zeros());
        let power = -out.torque.dot(&at.spin);
        assert!((power / out.losses.total() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn it_holds_where_the_law_holds() {
        let law = PatchSpin::of(SpringClutch::new(0.4, 1e5, 10.0, 0.0, SpringForm::Linear).unwrap().into());
        let at = spinning(0.0);
        let mut rate = [0.0; 3];
        let out = law.eval(&at, &[1e-5, 0.0, 0.0], &mut rate); // the lever has turned by 1e-5 m
        assert!(out.torque.dot(&at.normal) < 0.0 && out.stored > 0.0);
        assert!(rate.iter().all(|r| r.abs() < 1e-12), "{rate:?}");
    }
}
