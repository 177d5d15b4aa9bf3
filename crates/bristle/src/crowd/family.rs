//! Contacts of one kind: balls of two sizes, or balls of one size on one ground, with the same laws.
//!
//! Four contacts that act are evaluated in one instruction. What begins or ends is decided one by one.

use super::row::{LANES, Row, each, gather};
use crate::world::Material;
use crate::world::mode::{PAIR_ACCOUNTS, RELEASED};
use crate::world::phases::{ROUNDING, next_phase};
use crate::world::plain::{Acting, Answer, Near, OnBall, OnGround, Short};
use bristle_geom::{Balls, Ground, Placed};
use bristle_laws::friction::WithFriction;
use bristle_laws::{Friction, FrictionLaw, Indent, NormalLaw, Phase};
use bristle_math::nalgebra::{SimdBool, SimdPartialOrd};
use bristle_math::spatial::Wrench;
use bristle_math::{Lanes, Real, Vector3};

/// Most states of a contact here; others go the general way.
pub(super) const MOST_STATES: usize = 8;

/// The laws of a family, for one contact and for four.
#[derive(Clone, Copy)]
pub(super) struct Laws<'a> {
    pub one: &'a Material,
    pub four: &'a Material<Lanes>,
    pub carries_spin: bool,
}

/// The contacts of a family.
pub(super) struct Family {
    /// Index of the material.
    pub material: usize,
    one: Short<f64>,
    four: Short<Lanes>,
    /// States of each contact.
    states: usize,
    /// Where the balls of each pair stand among the bodies at hand; over ground the one ball, twice.
    pub balls: Vec<[u32; 2]>,
    /// Whose pair it is in the list of all.
    pub origin: Vec<u32>,
    pub is_touching: Vec<bool>,
    pub z: Vec<f64>,
    pub accounts: Vec<[f64; PAIR_ACCOUNTS]>,
    /// Contacts that touch, or overlap.
    near: Vec<u32>,
    /// Contacts that touch.
    acting: Vec<u32>,
}

impl Family {
    pub fn new(one: Short<f64>, four: Short<Lanes>, material: usize, states: usize) -> Self {
        Self {
            material,
            one,
            four,
            states,
            balls: Vec::new(),
            origin: Vec::new(),
            is_touching: Vec::new(),
            z: Vec::new(),
            accounts: Vec::new(),
            near: Vec::new(),
            acting: Vec::new(),
        }
    }

    pub fn add(
        &mut self,
        balls: [u32; 2],
        origin: u32,
        is_touching: bool,
        z: &[f64],
        accounts: &[f64; PAIR_ACCOUNTS],
    ) {
        self.balls.push(balls);
        self.origin.push(origin);
        self.is_touching.push(is_touching);
        self.z.extend_from_slice(z);
        self.accounts.push(*accounts);
    }

    /// Where a contact stands; none of these laws lives on after its touch.
    pub fn phase(&self, contact: usize) -> Phase {
        if self.is_touching[contact] { Phase::Touching } else { Phase::Open }
    }

    /// States of a contact.
    pub fn states(&self, contact: usize) -> &[f64] {
        &self.z[contact * self.states..][..self.states]
    }

    /// Lists the contacts that act, and makes room to list others. To be done once after a family is filled.
    pub fn list(&mut self) {
        self.acting.clear();
        self.acting.extend((0..).zip(&self.is_touching).filter(|(_, touching)| **touching).map(|(i, _)| i));
        self.acting.reserve(self.balls.len() - self.acting.len());
        self.near.reserve(self.balls.len());
    }

    /// Begins and ends contacts, and takes out of vector states what has left the plane of contact.
    pub fn settle(&mut self, laws: Laws<'_>, rows: &[Row]) {
        self.pass(laws, rows, Work::Kick { settles: true, wrenches: None });
    }

    /// Adds what acts on the bodies; before that, does what [`Self::settle`] does if it `settles`.
    pub fn push(&mut self, laws: Laws<'_>, rows: &[Row], settles: bool, wrenches: &mut [Wrench<f64>]) {
        self.pass(laws, rows, Work::Kick { settles, wrenches: Some(wrenches) });
    }

    /// Moves states and accounts on by a time, s.
    pub fn drift(&mut self, laws: Laws<'_>, rows: &[Row], h: f64) {
        self.pass(laws, rows, Work::Drift(h));
    }

    fn pass(&mut self, laws: Laws<'_>, rows: &[Row], work: Work<'_>) {
        let Some(friction) = laws.four.only_friction() else { return };
        let (one, four) = (self.one, self.four);
        match (&one, &four) {
            (Short::Ground(one), Short::Ground(four)) => {
                friction.with(Pass { family: self, one, four, laws, rows, work });
            }
            (Short::Balls(one), Short::Balls(four)) => {
                friction.with(Pass { family: self, one, four, laws, rows, work });
            }
            _ => {}
        }
    }
}

/// How the balls of a family meet.
trait Meets<T: crate::world::AnyNumber> {
    type Near<'a>: Near<T>
    where
        Self: 'a;
    fn near<'a>(&'a self, at: &'a [Placed<T>; 2]) -> Self::Near<'a>;
    /// What acts on both balls; over ground on the first alone.
    fn on_both(push: <Self::Near<'_> as Near<T>>::Push) -> [Option<Wrench<T>>; 2];
    /// Positive across a gap.
    fn gap(&self, at: &[Placed<T>; 2]) -> T;
}

impl<T: crate::world::AnyNumber> Meets<T> for Ground<T> {
    type Near<'a> = OnGround<'a, T>;
    #[inline(always)]
    fn near<'a>(&'a self, at: &'a [Placed<T>; 2]) -> OnGround<'a, T> {
        OnGround(self, &at[0])
    }
    #[inline(always)]
    fn on_both(push: Wrench<T>) -> [Option<Wrench<T>>; 2] {
        [Some(push), None]
    }
    #[inline(always)]
    fn gap(&self, at: &[Placed<T>; 2]) -> T {
        -self.depth(&at[0]).0
    }
}

impl<T: crate::world::AnyNumber> Meets<T> for Balls<T> {
    type Near<'a> = OnBall<'a, T>;
    #[inline(always)]
    fn near<'a>(&'a self, at: &'a [Placed<T>; 2]) -> OnBall<'a, T> {
        OnBall::new(self, [&at[0], &at[1]])
    }
    #[inline(always)]
    fn on_both([first, second]: [Wrench<T>; 2]) -> [Option<Wrench<T>>; 2] {
        [Some(first), Some(second)]
    }
    #[inline(always)]
    fn gap(&self, at: &[Placed<T>; 2]) -> T {
        self.gap_square([&at[0], &at[1]])
    }
}

enum Work<'w> {
    Kick { settles: bool, wrenches: Option<&'w mut [Wrench<f64>]> },
    Drift(f64),
}

/// One way through the contacts of a family, compiled for every geometry and friction law.
struct Pass<'a, M, N> {
    family: &'a mut Family,
    one: &'a M,
    four: &'a N,
    laws: Laws<'a>,
    rows: &'a [Row],
    work: Work<'a>,
}

impl<M: Meets<f64>, N: Meets<Lanes>> WithFriction<Lanes> for Pass<'_, M, N> {
    type Out = ();

    #[inline(always)]
    fn with<L: FrictionLaw<Lanes> + ?Sized>(mut self, law: &L) {
        match std::mem::replace(&mut self.work, Work::Drift(0.0)) {
            Work::Kick { settles, wrenches } => self.kick(law, settles, wrenches),
            Work::Drift(h) => self.drift(law, h),
        }
    }
}

/// Up to four contacts of a list; the last is repeated where there are fewer, and nothing is kept of the repeats.
struct Group {
    contacts: [usize; LANES],
    balls: [[u32; 2]; LANES],
    at: [Placed<Lanes>; 2],
    count: usize,
}

impl Group {
    /// The contacts without repeats, with their lanes.
    #[inline(always)]
    fn each(&self) -> impl Iterator<Item = (usize, usize)> {
        self.contacts.into_iter().enumerate().take(self.count)
    }
}

/// Torque and force of four contacts, number by number.
#[inline(always)]
fn lanes_of(wrench: &Wrench<Lanes>) -> [[[f64; LANES]; 3]; 2] {
    let three = |v: &Vector3<Lanes>| [v[0].into(), v[1].into(), v[2].into()];
    [three(&wrench.torque), three(&wrench.force)]
}

/// States of four contacts side by side.
#[inline(always)]
fn load(z: &[f64], states: usize, contacts: [usize; LANES]) -> [Lanes; MOST_STATES] {
    let mut lanes = [Lanes::lit(0.0); MOST_STATES];
    for (k, lane) in lanes[..states].iter_mut().enumerate() {
        *lane = Lanes::from(each(|i| z[contacts[i] * states + k]));
    }
    lanes
}

impl<M: Meets<f64>, N: Meets<Lanes>> Pass<'_, M, N> {
    #[inline(always)]
    fn group(&self, list: &[u32]) -> Group {
        let contacts = each(|i| list[i.min(list.len() - 1)] as usize);
        let balls = each(|i| self.family.balls[contacts[i]]);
        let at = [gather(self.rows, each(|i| balls[i][0])), gather(self.rows, each(|i| balls[i][1]))];
        Group { contacts, balls, at, count: list.len() }
    }

    #[inline(always)]
    fn single(&self, contact: usize) -> [Placed<f64>; 2] {
        self.family.balls[contact].map(|ball| self.rows[ball as usize].placed())
    }

    /// Lists what touches, and what overlaps and may begin to.
    fn list_near(&mut self) {
        let mut near = std::mem::take(&mut self.family.near);
        near.clear();
        for (contact, is_touching) in (0..).zip(&self.family.is_touching) {
            if *is_touching || self.one.gap(&self.single(contact as usize)) <= 0.0 {
                near.push(contact);
            }
        }
        self.family.near = near;
    }

    #[inline(always)]
    fn kick<L: FrictionLaw<Lanes> + ?Sized>(
        &mut self,
        law: &L,
        settles: bool,
        mut wrenches: Option<&mut [Wrench<f64>]>,
    ) {
        let states = self.family.states;
        if settles {
            self.list_near();
            std::mem::swap(&mut self.family.near, &mut self.family.acting);
        }
        // with `settles` these are the near ones, and those that go on acting are listed again
        let list = std::mem::take(&mut self.family.acting);
        let mut kept = std::mem::take(&mut self.family.near);
        kept.clear();
        for each in list.chunks(LANES) {
            let group = self.group(each);
            let near = self.four.near(&group.at);
            let mut z = load(&self.family.z, states, group.contacts);
            if settles {
                self.settle_four(law, &group, &near, &mut z);
            }
            kept.extend(each.iter().filter(|c| self.family.is_touching[**c as usize]));
            let Some(wrenches) = &mut wrenches else { continue };
            let mut zdot = [Lanes::lit(0.0); MOST_STATES];
            let answer = self.four(law, &near, &z[..states], &mut zdot[..states]);
            let pushes = N::on_both(near.push(answer.force, &answer.torque));
            let numbers = [pushes[0].as_ref().map(lanes_of), pushes[1].as_ref().map(lanes_of)];
            // contact by contact, as a body may be the first of one and the second of another
            for (lane, contact) in group.each() {
                if !self.family.is_touching[contact] {
                    continue;
                }
                for (side, numbers) in numbers.iter().enumerate() {
                    let Some([torque, force]) = numbers else { continue };
                    let wrench = &mut wrenches[group.balls[lane][side] as usize];
                    for k in 0..3 {
                        wrench.torque[k] += torque[k][lane];
                        wrench.force[k] += force[k][lane];
                    }
                }
            }
        }
        (self.family.acting, self.family.near) = (kept, list);
    }

    /// Contacts that go on touching as they are, four at once; all others one by one.
    #[inline(always)]
    fn settle_four<L: FrictionLaw<Lanes> + ?Sized>(
        &mut self,
        law: &L,
        group: &Group,
        near: &N::Near<'_>,
        z: &mut [Lanes; MOST_STATES],
    ) {
        let (depth, rate) = near.depth();
        let (normal, material, states) = (near.normal(), self.laws.four, self.family.states);
        let indent = Indent { lens: near.lens(), ..Indent::point(depth, rate) };
        let sign = material.normal().touching(&indent, &z[..material.parts().normal], Phase::Touching);
        let goes_on = sign.simd_ge(Lanes::lit(0.0)).bitmask();
        let (before, mut is_small) = (*z, goes_on);
        for &v in material.flat() {
            let u = Vector3::new(z[v], z[v + 1], z[v + 2]);
            let off = normal.dot(&u);
            is_small &= off.squared().simd_le(Lanes::lit(ROUNDING) * u.norm_squared()).bitmask();
            (0..3).for_each(|k| z[v + k] -= normal[k] * off);
        }
        let booked = goes_on & !is_small;
        let released: [f64; LANES] = if booked == 0 {
            [0.0; LANES]
        } else {
            let mut zdot = [Lanes::lit(0.0); MOST_STATES];
            let had = self.four(law, near, &before[..states], &mut zdot[..states]).stored;
            (had - self.four(law, near, &z[..states], &mut zdot[..states]).stored).into()
        };
        let mut is_changed = false;
        for (lane, contact) in group.each() {
            if goes_on >> lane & 1 == 0 || !self.family.is_touching[contact] {
                self.settle_one(contact);
                is_changed = true;
                continue;
            }
            if booked >> lane & 1 == 1 {
                self.family.accounts[contact][RELEASED] += released[lane];
            }
            for &v in material.flat() {
                (v..v + 3)
                    .for_each(|k| self.family.z[contact * states + k] = <[f64; LANES]>::from(z[k])[lane]);
            }
        }
        if is_changed {
            *z = load(&self.family.z, states, group.contacts);
        }
    }

    /// What [`crate::world`] does to one contact between steps.
    #[inline(never)]
    fn settle_one(&mut self, contact: usize) {
        let at = self.single(contact);
        let near = self.one.near(&at);
        let Laws { one: material, carries_spin, .. } = self.laws;
        let family = &mut *self.family;
        let (depth, rate) = near.depth();
        let indent = Indent { lens: near.lens(), ..Indent::point(depth, rate) };
        let own = material.parts().normal;
        let now = family.phase(contact);
        let z = &mut family.z[contact * family.states..][..family.states];
        let next = next_phase(material.normal(), &indent, &z[..own], now);
        let stored = |z: &[f64]| one(material, carries_spin, &near, z, &mut [0.0; MOST_STATES]).stored;
        let released = match (now, next) {
            (Phase::Open, Phase::Open) => 0.0,
            (Phase::Open, _) => {
                z.fill(0.0);
                material.normal().touch(&indent, &mut z[..own]);
                0.0
            }
            (_, Phase::Open) => {
                let before = stored(z);
                z.fill(0.0);
                before
            }
            _ => {
                let normal = near.normal();
                let off = |z: &[f64], v: usize| normal.dot(&Vector3::new(z[v], z[v + 1], z[v + 2]));
                let square = |z: &[f64], v: usize| z[v] * z[v] + z[v + 1] * z[v + 1] + z[v + 2] * z[v + 2];
                let is_small = |z: &[f64], v: usize| off(z, v) * off(z, v) <= ROUNDING * square(z, v);
                let is_booked = !material.flat().iter().all(|v| is_small(z, *v));
                let before = if is_booked { stored(z) } else { 0.0 };
                for &v in material.flat() {
                    let off = off(z, v);
                    (0..3).for_each(|k| z[v + k] -= normal[k] * off);
                }
                if is_booked { before - stored(z) } else { 0.0 }
            }
        };
        family.accounts[contact][RELEASED] += released;
        family.is_touching[contact] = next == Phase::Touching;
    }

    #[inline(always)]
    fn four<L: FrictionLaw<Lanes> + ?Sized>(
        &self,
        law: &L,
        near: &N::Near<'_>,
        z: &[Lanes],
        zdot: &mut [Lanes],
    ) -> Answer<Lanes> {
        let Laws { four: material, carries_spin, .. } = self.laws;
        Acting { carries_spin, material, near, phase: Phase::Touching, z, zdot }.evaluate(law, true)
    }

    #[inline(always)]
    fn drift<L: FrictionLaw<Lanes> + ?Sized>(&mut self, law: &L, h: f64) {
        let states = self.family.states;
        let acting = std::mem::take(&mut self.family.acting);
        for each in acting.chunks(LANES) {
            let group = self.group(each);
            let near = self.four.near(&group.at);
            let z = load(&self.family.z, states, group.contacts);
            let mut zdot = [Lanes::lit(0.0); MOST_STATES];
            let answer = self.four(law, &near, &z[..states], &mut zdot[..states]);
            for k in 0..states {
                let lanes: [f64; LANES] = (z[k] + Lanes::lit(h) * zdot[k]).into();
                group.each().for_each(|(lane, c)| self.family.z[c * states + k] = lanes[lane]);
            }
            let losses = answer.losses.map(|loss| <[f64; LANES]>::from(Lanes::lit(h) * loss));
            for (lane, contact) in group.each() {
                let accounts = &mut self.family.accounts[contact];
                accounts.iter_mut().zip(&losses).for_each(|(account, loss)| *account += loss[lane]);
            }
        }
        self.family.acting = acting;
    }
}

/// The laws of one contact that touches.
#[inline(never)]
fn one<G: Near<f64>>(
    material: &Material,
    carries_spin: bool,
    near: &G,
    z: &[f64],
    zdot: &mut [f64; MOST_STATES],
) -> Answer<f64> {
    struct One<'a, G>(Acting<'a, f64, G>);
    impl<G: Near<f64>> WithFriction<f64> for One<'_, G> {
        type Out = Answer<f64>;
        fn with<L: FrictionLaw<f64> + ?Sized>(self, law: &L) -> Answer<f64> {
            self.0.evaluate(law, true)
        }
    }
    let zdot = &mut zdot[..z.len()];
    let acting = One(Acting { carries_spin, material, near, phase: Phase::Touching, z, zdot });
    match material.only_friction() {
        Some(friction) => Friction::with(friction, acting),
        // families are made of materials with friction
        None => Answer {
            force: Vector3::zeros(),
            torque: Vector3::zeros(),
            losses: [0.0; PAIR_ACCOUNTS],
            stored: 0.0,
        },
    }
}
