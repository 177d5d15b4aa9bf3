//! Sums over the bodies of a tree, and what a step does to it: what [`crate::Balance`] is made of.

use crate::articulated::Rigid;
use crate::whirl::solve;
use crate::{Twist, Wrench};
use bristle_math::{Real, select};
use nalgebra::Vector3;

/// Bounds of s²: a motion that has less energy than it has too much ends, one that stands still is not set going.
const SCALES: [f64; 2] = [1e-12, 2.0];

/// What the bodies of a tree have together, about the origin of its root.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sums<T> {
    /// Mass times place.
    pub(crate) moment: Vector3<T>,
    /// Mass times velocity.
    pub(crate) speed: Vector3<T>,
    /// With what the bias adds over the step.
    pub(crate) momentum: Wrench<T>,
    /// 2 T
    pub(crate) twice: T,
}

/// What a step does to a tree, J.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work<T> {
    /// h v⁺·c
    pub(crate) bias: T,
    /// ½h Δv·c
    pub(crate) mean: T,
    /// ½ Δv·M Δv
    pub(crate) taken: T,
    /// ½h Δv·g
    pub(crate) weight: T,
}

/// How a tree is to turn besides.
pub(crate) struct Turn<T> {
    pub(crate) spin: Vector3<T>,
    pub(crate) energy: T,
}

impl<T: Real> Work<T> {
    pub(crate) fn zero() -> Self {
        let zero = T::lit(0.0);
        Self { bias: zero, mean: zero, taken: zero, weight: zero }
    }

    /// How far gravity acts alone on a tree on the ground, from 0 to 1, beside what others do over ½Δv: (1 − 2 others / weight)².
    /// Twice, because a spring that moves by other than v⁺ takes or gives as much once more.
    pub(crate) fn alone(&self, others: T) -> T {
        let weight = self.weight.abs();
        let alone = (weight - others - others).positive() / weight.max(T::lit(f64::MIN_POSITIVE));
        alone.squared()
    }

    /// What stays lost: ½ Δv·h (f + g), less as much of g as has the mean velocity.
    pub(crate) fn loss(&self, alone: T) -> T {
        (self.taken + self.mean - self.weight * alone).positive()
    }

    pub(crate) fn add(&mut self, gained: &Wrench<T>, bias: &Wrench<T>, [change, after]: [&Twist<T>; 2]) {
        let half = T::lit(0.5);
        self.bias += after.power(bias);
        self.mean += change.power(bias) * half;
        self.taken += change.power(gained) * half;
    }
}

impl<T: Real> Sums<T> {
    pub(crate) fn zero() -> Self {
        let (zero, none) = (T::lit(0.0), Vector3::zeros());
        Self { moment: none, speed: none, momentum: Wrench::zero(), twice: zero }
    }

    /// T − ½ m v_c²
    pub(crate) fn beyond_translation(&self, mass: T) -> T {
        (self.twice - self.momentum.force.norm_squared() / mass) * T::lit(0.5)
    }

    /// The rotation about the common centre that is missing of the angular momentum of others; `body` is all of it in one.
    pub(crate) fn catch_up(&self, other: &Self, body: &Rigid<T>) -> Turn<T> {
        let centers = [self, other].map(|sums| sums.moment / body.mass);
        let inertia = body.seen_from(&-centers[0]).rotational.full();
        let [own, all] = [self.momentum.at(&centers[0]).torque, other.momentum.at(&centers[1]).torque];
        let spin = solve(&inertia, &(all - own));
        // nothing to turn: all mass on one line
        let size = inertia.trace();
        let columns: [Vector3<T>; 3] = std::array::from_fn(|k| inertia.column(k).into_owned());
        let volume = columns[0].dot(&columns[1].cross(&columns[2]));
        let is_solid = volume.simd_gt(size * size * size * T::lit(1e-12));
        let spin = spin.map(|x| select(is_solid, x, T::lit(0.0)));
        Turn { spin, energy: spin.dot(&(own + inertia * spin * T::lit(0.5))) }
    }
}

/// What of an excess is more than rounding.
pub(crate) fn beyond<T: Real>(excess: T, rounding: T) -> T {
    (excess - rounding).positive() - (-excess - rounding).positive()
}

/// s of a motion with some energy, part of which is in excess.
pub(crate) fn scale<T: Real>(excess: T, energy: T) -> T {
    let [low, high] = SCALES.map(T::lit);
    let has_any = energy.simd_gt(T::lit(f64::MIN_POSITIVE));
    let rest = T::lit(1.0) - excess / select(has_any, energy, T::lit(1.0));
    select(has_any, rest.max(low).min(high).sqrt(), T::lit(1.0))
}
