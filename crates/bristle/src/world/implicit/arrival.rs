//! Where a step really ends, and what its contacts have given by then.
//!
//! A solve reckons with the tangents of all paths. A foot behind joints goes along an arc and arrives h²ω²r/2 deeper, or less deep, than foreseen; so do those of
//! gaps that close. What a contact gives to a tree of joints is told where the tree is at the end,
//!
//! ```text
//! h u⁺·f⁺ + U(q⁺, z⁺) − U(q, z)
//! ```
//! and where that is more than steps take, the velocity at the end pays for it ([`bristle_bodies::Balance`]). Where it would cost more than a small part of the motion, the
//! solve is repeated first with the way m that was missed, f⁺ = f(δ + h δ̇⁺ + m): a foot is then not deeper in the ground than its motion has brought it.
//!
//! Poses of the end serve the next step, if that begins there.

use super::gap::Gap;
use super::rub::{Place, Rub};
use crate::world::meeting::{Meeting, Places};
use crate::world::mode::Mode;
use crate::world::model::Model;
use crate::world::number::Number;
use crate::world::rhs::{are_same, is_same};
use crate::world::spread::Found;
use bristle_bodies::{Balance, Driven, Kinematics};
use bristle_geom::Placed;

/// All that is known of the end of a step.
pub(crate) struct Arrival<T: Number> {
    time: T,
    q: Vec<T>,
    kin: Kinematics<T>,
    placed: Vec<Placed<T>>,
    driven: Vec<Driven<T>>,
    /// Positions, velocities and states.
    x: Vec<T>,
}

/// A step: where it begins, its length and its mean rates.
#[derive(Clone, Copy)]
pub(super) struct Course<'s, T> {
    pub t: T,
    pub h: T,
    pub x: &'s [T],
    pub dx: &'s [T],
    pub v_end: &'s [T],
}

impl<T: Number> Arrival<T> {
    pub fn new(model: &Model<T>) -> Self {
        let kin = Kinematics::new(&model.tree);
        Self {
            time: T::lit(f64::NAN),
            q: Vec::with_capacity(model.tree.nq()),
            placed: model.shapes.iter().map(|s| kin.links[s.link].carrying(&s.pose)).collect(),
            kin,
            driven: model.drives.iter().map(|drive| drive.at(T::lit(0.0))).collect(),
            x: Vec::new(),
        }
    }

    pub(super) fn kin(&self) -> &Kinematics<T> {
        &self.kin
    }

    /// Positions, velocities and states at the end.
    pub(super) fn state(&self) -> &[T] {
        &self.x
    }

    /// Goes to the end of a step, as a commit will find it.
    pub(super) fn reach(&mut self, model: &Model<T>, mode: &Mode<T>, by: &Course<'_, T>) {
        let Course { t, h, x, dx, v_end } = *by;
        let count = mode.accounts();
        self.x.clear();
        self.x.extend(x[..count].iter().zip(&dx[..count]).map(|(x, rate)| *x + h * *rate));
        self.time = t + h;
        self.q.clear();
        self.q.extend_from_slice(&self.x[..model.tree.nq()]);
        model.tree.normalise(&mut self.q);
        self.driven.iter_mut().zip(&model.drives).for_each(|(slot, drive)| *slot = drive.at(self.time));
        model.tree.kinematics(&self.q, v_end, &self.driven, &mut self.kin);
        for &s in &model.offset_shapes {
            let shape = &model.shapes[s];
            self.placed[s] = self.kin.links[shape.link].carrying(&shape.pose);
        }
    }

    /// Lends the poses to who begins where the step has ended. Answers whether it does; twists are still to be found.
    pub(in crate::world) fn lend(
        &mut self,
        model: &Model<T>,
        t: T,
        q: &[T],
        kin: &mut Kinematics<T>,
    ) -> bool {
        let is_there = are_same(&self.q, q) && (model.drives.is_empty() || is_same(self.time, t));
        if is_there {
            std::mem::swap(&mut self.kin, kin);
            self.q.clear();
        }
        is_there
    }

    /// Tells a balance what contacts have given to its trees, and contacts which way they missed. `kin` has the poses of the start and the twists of the end.
    pub(super) fn look(
        &self,
        (model, mode): (&Model<T>, &Mode<T>),
        (h, kin): (T, &Kinematics<T>),
        (rubs, gaps): (&mut [Rub<T>], &mut [Gap<T>]),
        found: &mut Found<T>,
        balance: &mut Balance<T>,
    ) {
        let places = Places { kin: &self.kin, placed: &self.placed };
        // of the pair whose patches are found
        let mut last = None;
        let mut end = |pair: usize, index: usize| {
            let slot = &mode.pairs[pair];
            let meeting = Meeting::new(model, slot, places);
            if last.replace(pair) != Some(pair) {
                meeting.find(found);
            }
            let patch = meeting.patch(index, found);
            let contact = &mode.contacts[slot.contacts.start + index];
            (patch.depth, meeting.stored(contact, &patch, found, &self.x))
        };
        let tree = |balance: &Balance<T>, [first, second]: [usize; 2]| {
            balance.moving_tree(second).or_else(|| balance.moving_tree(first))
        };
        for rub in rubs {
            let Place::Point { spot, pair, index } = rub.place else { continue };
            let Some(tree) = tree(balance, spot.links) else { continue };
            let (depth, stored) = end(pair, index);
            balance.give(tree, stored + rub.arrive(h, depth, kin));
        }
        for gap in gaps {
            let Some(tree) = tree(balance, gap.spot.links) else { continue };
            let (depth, stored) = end(gap.pair, gap.index);
            balance.give(tree, stored + gap.arrive(h, depth, kin));
        }
    }
}
