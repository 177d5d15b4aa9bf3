//! The laws of a contact, and where their states stand.

use bristle_laws::{Friction, FrictionLaw, FrictionOut, Normal, NormalLaw, Resist, Slip, StateInfo};
use bristle_math::{Real, Vector3};

/// Laws of a contact. The states of a contact stand in the order normal, friction, resistances.
#[derive(Debug, Clone)]
pub struct Material<T: Real = f64> {
    normal: Normal<T>,
    friction: Option<Friction<T>>,
    resist: Vec<Resist<T>>,
    initial: Vec<(String, T)>,
    parts: Parts,
    vectors: Vec<usize>,
    flat: Vec<usize>,
    needs_patch: bool,
    spins: bool,
    events: usize,
}

/// How many states the laws of a material have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Of the normal law.
    pub normal: usize,
    /// Of the friction law.
    pub friction: usize,
    /// Of all laws.
    pub total: usize,
}

/// Turns vector states, which begin at these places, with the contact frame.
#[inline(always)]
pub(crate) fn carry<T: Real>(vectors: &[usize], frame_spin: &Vector3<T>, z: &[T], zdot: &mut [T]) {
    for &start in vectors {
        let (u, rate) = (&z[start..][..3], &mut zdot[start..][..3]);
        let turned = frame_spin.cross(&Vector3::new(u[0], u[1], u[2]));
        (0..3).for_each(|i| rate[i] += turned[i]);
    }
}

impl<T: Real> Material<T> {
    /// Puts laws together. `initial` holds states by name, set at the start of a run for contacts that begin in touch.
    pub fn new(
        normal: Normal<T>,
        friction: Option<Friction<T>>,
        resist: Vec<Resist<T>>,
        initial: Vec<(String, T)>,
    ) -> Self {
        let own = normal.states().len();
        let mut vectors = Vec::new();
        let mut next = own;
        let sliding = friction.iter().map(|l| l.states().len());
        for n in sliding.chain(resist.iter().map(|l| l.states().len())) {
            if n >= 3 {
                vectors.push(next);
            }
            next += n;
        }
        let parts =
            Parts { normal: own, friction: friction.as_ref().map_or(0, |l| l.states().len()), total: next };
        let needs_patch = normal.needs_patch()
            || friction.as_ref().is_some_and(|l| l.needs_patch())
            || resist.iter().any(|l| l.needs_patch());
        let flat = vectors.clone();
        let events = 1
            + normal.switch_count()
            + friction.as_ref().map_or(0, |l| l.switch_count())
            + resist.iter().map(|l| l.switch_count()).sum::<usize>();
        Self { normal, friction, resist, initial, parts, vectors, flat, needs_patch, spins: false, events }
    }

    /// The same laws, where friction acts on the spin of the patch too.
    ///
    /// Slide and spin are one slip, (v, ℓ ω_n) with the lever ℓ of the patch, and friction is one law on it, (F, T/ℓ): together
    /// they slip at μN, an ellipsoid in F and T (Howe & Cutkosky 1996). What the law keeps then has a part along the normal.
    #[must_use]
    pub fn spinning(mut self) -> Self {
        self.spins = self.friction.is_some();
        if self.spins {
            self.flat.retain(|start| *start != self.parts.normal);
            self.needs_patch = true;
        }
        self
    }

    /// Everything about the laws but their numbers, if those are all one.
    pub(crate) fn form(&self) -> String
    where
        T: std::fmt::Debug,
    {
        let friction = self.friction.as_ref().map(Friction::form);
        let resist: Vec<String> = self.resist.iter().map(Resist::form).collect();
        format!("{} {friction:?} {resist:?} {}", self.normal.form(), self.spins)
    }
    /// Pushes apart.
    pub fn normal(&self) -> &Normal<T> {
        &self.normal
    }
    /// Resists sliding.
    pub fn friction(&self) -> Option<&Friction<T>> {
        self.friction.as_ref()
    }
    /// Turns vector states with the contact frame.
    #[inline(always)]
    pub(crate) fn carry(&self, frame_spin: &Vector3<T>, z: &[T], zdot: &mut [T]) {
        carry(&self.vectors, frame_spin, z, zdot);
    }
    /// Resists sliding, where nothing else resists.
    #[inline]
    pub(crate) fn only_friction(&self) -> Option<&Friction<T>> {
        self.friction.as_ref().filter(|_| self.resist.is_empty())
    }
    /// Whether nothing resists sliding, rolling or spinning.
    #[inline]
    pub(crate) fn is_smooth(&self) -> bool {
        self.friction.is_none() && self.resist.is_empty()
    }
    /// Resist rolling and spinning.
    pub fn resist(&self) -> &[Resist<T>] {
        &self.resist
    }
    /// Initial states by name.
    pub fn initial(&self) -> &[(String, T)] {
        &self.initial
    }
    /// All states of a contact, in order.
    pub fn states(&self) -> impl Iterator<Item = StateInfo> {
        let friction = self.friction.as_ref().map_or(&[][..], |law| law.states());
        let resist = self.resist.iter().flat_map(|law| law.states());
        self.normal.states().iter().chain(friction).chain(resist).copied()
    }
    /// State counts.
    #[inline]
    pub(crate) fn parts(&self) -> Parts {
        self.parts
    }
    /// Where the states that are vectors stand in a contact's states.
    #[inline]
    pub(crate) fn vectors(&self) -> &[usize] {
        &self.vectors
    }
    /// Those of them that have no part along the normal.
    #[inline]
    pub(crate) fn flat(&self) -> &[usize] {
        &self.flat
    }
    /// Whether friction acts on the spin of the patch too.
    #[inline]
    pub(crate) fn spins(&self) -> bool {
        self.spins
    }
    /// Whether a law acts on the spin of the patch.
    #[inline]
    pub(crate) fn wants_lever(&self) -> bool {
        self.spins || !self.resist.is_empty()
    }
    /// Whether a law of friction or resistance asks for area, volume or moment of the patch.
    pub(crate) fn rubs_on_patch(&self) -> bool {
        self.friction.as_ref().is_some_and(|l| l.needs_patch()) || self.resist.iter().any(|l| l.needs_patch())
    }
    /// Whether a law asks for area, volume or moment of the patch.
    #[inline]
    pub(crate) fn needs_patch(&self) -> bool {
        self.needs_patch
    }
    /// Event functions of one contact: touching, then the switches of its laws.
    #[inline]
    pub(crate) fn event_count(&self) -> usize {
        self.events
    }

    /// Friction and resistances, added up. `z` and `zdot` begin after the states of the normal law.
    #[inline(always)]
    pub(crate) fn resistance(&self, slip: &Slip<T>, z: &[T], zdot: &mut [T]) -> FrictionOut<T> {
        let n = self.parts.friction;
        let mut sum = match &self.friction {
            Some(law) => law.eval(slip, &z[..n], &mut zdot[..n]),
            None => FrictionOut::none(),
        };
        let mut start = n;
        for law in &self.resist {
            let end = start + law.states().len();
            let out = law.eval(slip, &z[start..end], &mut zdot[start..end]);
            sum.torque += out.torque;
            sum.stored += out.stored;
            sum.losses += out.losses;
            start = end;
        }
        sum
    }
}
