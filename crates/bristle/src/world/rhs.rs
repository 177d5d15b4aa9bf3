//! The right-hand side, top to bottom: poses, patches, laws, wrenches, accelerations.

use super::elements::Power;
use super::material::Material;
use super::meeting::{Meeting, Places, Touch};
use super::mode::{Contact, Mode, PAIR_ACCOUNTS, PairSlot, SPRING_DAMPERS, WORK, WORLD_ACCOUNTS};
use super::model::Model;
use super::number::{AnyNumber, Number};
use super::plain::{Near, OnBall, OnGround, Plain, Short};
use super::{Scratch, World};
use bristle_bodies::{Kinematics, Loads};
use bristle_laws::{Friction, NormalLaw, Phase};
use bristle_math::spatial::Wrench;

impl<T: Number> World<'_, T> {
    /// Poses and twists of all links at a time.
    #[inline(always)]
    pub(crate) fn move_to(&self, t: T, x: &[T], ws: &mut Scratch<T>) {
        let (nq, nv) = (self.model.tree.nq(), self.model.tree.nv());
        if !self.model.joints.is_empty() {
            // a step looks at its end three times: events, commit, and the rates of the next
            let is_now = is_same(ws.time, t);
            if is_now && are_same(&ws.motion, &x[..nq + nv]) {
                return;
            }
            let is_there = ws.motion.len() >= nq
                && are_same(&ws.motion[..nq], &x[..nq])
                && (is_now || self.model.drives.is_empty());
            ws.has_inertias &= is_there;
            ws.time = t;
            ws.motion.clear();
            ws.motion.extend_from_slice(&x[..nq + nv]);
            if is_there {
                self.model.tree.twists(&x[nq..nq + nv], &ws.driven, &mut ws.kin);
                return self.place_shapes(ws);
            }
        }
        for (slot, drive) in ws.driven.iter_mut().zip(&self.model.drives) {
            *slot = drive.at(t);
        }
        let Scratch { kin, driven, ends, .. } = ws;
        let (q, v) = x[..nq + nv].split_at(nq);
        if ends.arrival.lend(self.model, t, q, kin) {
            self.model.tree.twists(v, driven, kin);
        } else {
            self.model.tree.kinematics(q, v, driven, kin);
        }
        self.place_shapes(ws);
    }

    /// Shapes away from the frame of their link.
    #[inline(always)]
    pub(crate) fn place_shapes(&self, ws: &mut Scratch<T>) {
        let Scratch { kin, placed, .. } = ws;
        for &s in &self.model.offset_shapes {
            let shape = &self.model.shapes[s];
            placed[s] = kin.links[shape.link].carrying(&shape.pose);
        }
    }

    /// Every rate of `x`. What `ws` holds afterwards is left to this: see [`World::drifts`] and [`World::kinematics`].
    pub(crate) fn rates(&self, t: T, x: &[T], mode: &Mode<T>, dx: &mut [T], ws: &mut Scratch<T>) {
        let model = self.model;
        ws.ahead.now = t.value();
        if mode.rolls {
            return self.roll(x, mode, dx, &mut ws.ahead);
        }
        self.drifts(t, x, mode, dx, ws);
        let (nq, nv) = (model.tree.nq(), model.tree.nv());
        let Scratch { kin, wrenches, driven, efforts, tree, has_inertias, .. } = ws;
        let loads = Loads { wrenches, efforts, gravity: model.gravity, driven, yields: None };
        let (v, vdot) = (&x[nq..nq + nv], &mut dx[nq..nq + nv]);
        if *has_inertias {
            model.tree.accelerations_again(kin, v, &loads, vdot, tree);
        } else {
            model.tree.accelerations_under(kin, v, &loads, vdot, tree);
            *has_inertias = !model.joints.is_empty(); // only then is it known whether poses stay
        }
    }

    /// Every rate of `x` but the accelerations; leaves what acts in `ws`.
    #[inline(always)]
    pub(crate) fn drifts(&self, t: T, x: &[T], mode: &Mode<T>, dx: &mut [T], ws: &mut Scratch<T>) {
        let model = self.model;
        self.move_to(t, x, ws);
        // those of links that stand still are read by nobody
        model.tree.moving().iter().for_each(|&link| ws.wrenches[link] = Wrench::zero());
        self.touch_all(x, mode, dx, ws);
        let world = mode.accounts();
        let accounts = &mut dx[world..world + WORLD_ACCOUNTS.len()];
        accounts.fill(T::lit(0.0));
        if model.has_elements() {
            model.charge_drives(accounts, ws);
            model.act(t, accounts, ws);
        }
        if !ws.efforts.is_empty() {
            model.push_joints(t, x, mode, dx, &mut ws.efforts, &mut ws.ahead);
        }
        let (nq, nv) = (model.tree.nq(), model.tree.nv());
        let (q, v) = x[..nq + nv].split_at(nq);
        model.tree.rates(q, v, &mut dx[..nq]);
    }

    /// Every contact: rates of its states, power of its losses, wrenches on its links.
    #[inline(always)]
    fn touch_all(&self, x: &[T], mode: &Mode<T>, dx: &mut [T], ws: &mut Scratch<T>) {
        let (states, accounts) = dx.split_at_mut(mode.accounts());
        for pair in &mode.pairs {
            let losses = &mut accounts[pair.accounts - states.len()..][..PAIR_ACCOUNTS];
            let contacts = &mode.contacts[pair.contacts.clone()];
            let material = &self.model.materials[pair.material];
            if let Some((short, friction)) = pair.plain(material) {
                let contact = &contacts[0];
                let z = contact.z..contact.z + material.parts().total;
                let (z, zdot) = (&x[z.clone()], &mut states[z]);
                self.touch_plain(pair, short, (material, friction), contact, (z, zdot, losses), ws);
                continue;
            }
            let (places, _) = ws.split();
            let meeting = Meeting::new(self.model, pair, places);
            if let Some(near) = meeting.on_still_ground() {
                let contact = &contacts[0];
                let zdot = &mut states[contact.z..][..material.parts().total];
                if contact.phase == Phase::Open && near.depth().0.value() <= meeting.least_depth() {
                    zdot.fill(T::lit(0.0));
                    losses.fill(T::lit(0.0));
                    continue;
                }
                if contact.phase == Phase::Touching && material.is_smooth() {
                    let normal = material.normal().eval(
                        &near.indent(),
                        &x[contact.z..][..zdot.len()],
                        contact.phase,
                        zdot,
                    );
                    let (link, ball) = (near.0.ball(pair.links), near.0.touch(near.1));
                    let force = ball.normal * normal.force;
                    let wrench = Wrench::from_force(force, &(ball.point - places.kin.origin(link)));
                    ws.wrenches[link] += if pair.moves[0] { -wrench } else { wrench };
                    losses.fill(T::lit(0.0));
                    losses[0] = normal.dissipated;
                    continue;
                }
            }
            self.touch_pair(pair, contacts, x, states, losses, ws);
        }
    }

    /// The contact of a short pair.
    #[inline(always)]
    fn touch_plain(
        &self,
        pair: &PairSlot<T>,
        short: &Short<T>,
        (material, friction): (&Material<T>, &Friction<T>),
        contact: &Contact,
        (z, zdot, losses): (&[T], &mut [T], &mut [T]),
        ws: &mut Scratch<T>,
    ) {
        let Scratch { kin, wrenches, ahead, .. } = ws;
        let model = self.model;
        match short {
            Short::Ground(ground) | Short::Beside(ground) => {
                let link = ground.ball(pair.links);
                let near = OnGround(ground, &kin.links[link]);
                let plain = Plain { model, material, near, contact, ahead, z, zdot, losses };
                if let Some(push) = friction.with(plain) {
                    wrenches[link] += push;
                }
            }
            Short::Balls(balls) => {
                let at = pair.links.map(|link| &kin.links[link]);
                if contact.phase == Phase::Open && balls.gap_square(at).value() >= 0.0 {
                    zdot.fill(T::lit(0.0));
                    losses.fill(T::lit(0.0));
                    return;
                }
                let near = OnBall::new(balls, at);
                let plain = Plain { model, material, near, contact, ahead, z, zdot, losses };
                if let Some(pushes) = friction.with(plain) {
                    pair.links.into_iter().zip(pushes).for_each(|(link, push)| wrenches[link] += push);
                }
            }
        }
    }

    /// The contacts of any pair.
    #[inline(never)]
    pub(crate) fn touch_pair(
        &self,
        pair: &PairSlot<T>,
        contacts: &[Contact],
        x: &[T],
        states: &mut [T],
        losses: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let Scratch { kin, placed, wrenches, found, ahead, .. } = ws;
        let meeting = Meeting::new(self.model, pair, Places { kin, placed });
        let count = meeting.material.parts().total;
        losses.fill(T::lit(0.0));
        if meeting.is_far(contacts) {
            contacts.iter().for_each(|contact| states[contact.z..][..count].fill(T::lit(0.0)));
            return;
        }
        meeting.find(found);
        for (i, contact) in contacts.iter().enumerate() {
            let patch = meeting.patch(i, found);
            let zdot = &mut states[contact.z..][..count];
            if ahead.waits(contact, patch.depth.value()) {
                zdot.fill(T::lit(0.0));
            } else if let Some(touch) = meeting.touch(contact, &patch, found, x, zdot) {
                push(pair, &touch, kin, wrenches);
                losses.iter_mut().zip(self::losses(&touch)).for_each(|(account, loss)| *account += loss);
            }
        }
    }
}

/// Whether two numbers agree, in their derivatives too.
#[inline(always)]
pub(super) fn is_same<T: Number>(a: T, b: T) -> bool {
    (a - b).is_exactly(0.0)
}

#[inline(always)]
pub(super) fn are_same<T: Number>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(*a, *b))
}

/// Wrenches of one contact on its links.
#[inline(always)]
fn push<T: Number>(pair: &PairSlot<T>, touch: &Touch<T>, kin: &Kinematics<T>, wrenches: &mut [Wrench<T>]) {
    let [a, b] = pair.links;
    if pair.moves[0] {
        wrenches[a] += -touch.wrench_about(kin.origin(a));
    }
    if pair.moves[1] {
        wrenches[b] += touch.wrench_about(kin.origin(b));
    }
}

impl<T: AnyNumber> Model<T> {
    #[inline]
    pub(crate) fn has_elements(&self) -> bool {
        !(self.drives.is_empty()
            && self.springs.is_empty()
            && self.torsion_springs.is_empty()
            && self.pins.is_empty()
            && self.forces.is_empty())
    }
}

impl<T: Number> Model<T> {
    /// Whoever drives a body pays for what contact takes from it.
    fn charge_drives(&self, accounts: &mut [T], ws: &Scratch<T>) {
        for drive in &self.drives {
            accounts[WORK] -= ws.kin.twist(drive.link).power(&ws.wrenches[drive.link]);
        }
    }

    /// Springs, dampers and forces: their wrenches, and what they lose and do.
    pub(super) fn act(&self, t: T, accounts: &mut [T], ws: &mut Scratch<T>) {
        let springs = sum(self.springs.iter().map(|s| s.act(&ws.kin, &mut ws.wrenches)));
        let torsion = sum(self.torsion_springs.iter().map(|s| s.act(&ws.kin, &mut ws.wrenches)));
        let pins = sum(self.pins.iter().map(|p| p.act(&ws.kin, &mut ws.wrenches)));
        let forces = sum(self.forces.iter().map(|f| f.act(t, &ws.kin, &mut ws.wrenches)));
        accounts[SPRING_DAMPERS] = springs.dissipated + torsion.dissipated + pins.dissipated;
        accounts[WORK] += forces.external;
    }

    /// Energy stored in springs, J, without moving anything.
    pub(crate) fn spring_energy(&self, ws: &mut Scratch<T>) -> T {
        let springs = sum(self.springs.iter().map(|s| s.act(&ws.kin, &mut ws.wrenches)));
        let torsion = sum(self.torsion_springs.iter().map(|s| s.act(&ws.kin, &mut ws.wrenches)));
        let pins = sum(self.pins.iter().map(|p| p.act(&ws.kin, &mut ws.wrenches)));
        springs.stored + torsion.stored + pins.stored
    }
}

/// Adds up the power of several elements.
#[inline]
fn sum<T: Number>(elements: impl Iterator<Item = Power<T>>) -> Power<T> {
    elements.fold(Power::none(), |sum, p| Power {
        stored: sum.stored + p.stored,
        dissipated: sum.dissipated + p.dissipated,
        external: sum.external + p.external,
    })
}

/// Power lost in one contact, by account.
#[inline(always)]
pub(crate) fn losses<T: AnyNumber>(touch: &Touch<T>) -> [T; PAIR_ACCOUNTS] {
    let l = &touch.friction.losses;
    [touch.normal.dissipated, l.damper, l.clutch, l.viscous, l.stiffness, T::lit(0.0)]
}
