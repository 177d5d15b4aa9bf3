//! Forward dynamics of a tree with few freedoms: its mass matrix, factored.
//!
//! ```text
//! outward  B = X B_p + d                             p = I B + whirl − W
//! inward   F = Iᶜ S    M_ii = Sᵀ F + armature        M_ij = S_jᵀ F   for every j that carries i
//!          u = τ − Sᵀ pᶜ                             Iᶜ_p += Xᵀ Iᶜ X    pᶜ_p += Xᵀ pᶜ
//! M v̇ = u
//! ```
//! In words and symbols of `aba`, with composite instead of articulated inertias: rigid ones, which are ten numbers and not
//! twenty-one, and which no joint takes anything out of. That costs less than half of the recursion for as long as the entries
//! and the factors of M are few. Source: Featherstone (2008), Rigid Body Dynamics Algorithms, §6.2, table 6.2; classical accelerations.

use crate::articulated::Rigid;
use crate::ldl::Ldl;
use crate::step::{Kind, Step};
use crate::{Kinematics, Loads, Tree, Twist, Wrench};
use bristle_math::Real;
use nalgebra::Vector3;

/// So many freedoms are few: those of an arm.
pub(crate) const MOST: usize = 7;

/// A link of a tree with few freedoms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    /// Place among the steps.
    step: usize,
    /// Place in the tree of the member that carries it; none when what carries it cannot be moved.
    carrier: Option<usize>,
}

/// All trees with few freedoms among the `steps`: joints with one each, on what stands still or is driven.
pub(crate) fn find<T: Real>(steps: &mut [Step<T>]) -> Vec<Vec<Member>> {
    let mut trees: Vec<(bool, Vec<Member>)> = Vec::new();
    let links = steps.iter().map(|step| step.link + 1).max().unwrap_or(0);
    let mut places = vec![None; links]; // tree and place in it, of each link
    for (at, step) in steps.iter().enumerate() {
        if let Kind::Still | Kind::Driven = step.kind {
            continue;
        }
        let (tree, carrier) = match step.heir.and_then(|heir| places[heir]) {
            Some((tree, place)) => (tree, Some(place)),
            None => {
                trees.push((true, Vec::new()));
                (trees.len() - 1, None)
            }
        };
        let (is_few, members) = &mut trees[tree];
        *is_few &= matches!(step.kind, Kind::Turn | Kind::Shift) && members.len() < MOST;
        places[step.link] = Some((tree, members.len()));
        members.push(Member { step: at, carrier });
    }
    let few: Vec<_> = trees.into_iter().filter(|(is_few, _)| *is_few).map(|(_, members)| members).collect();
    few.iter().flatten().for_each(|member| steps[member.step].is_of_few = true);
    few
}

impl<T: Real> Tree<T> {
    /// `v̇` of a tree with few freedoms under loads that do not give way.
    #[inline(always)]
    pub(crate) fn accelerations_of_few(
        &self,
        members: &[Member],
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        vdot: &mut [T],
    ) {
        match members.len() {
            1 => self.accelerations_of::<1>(members, kin, v, loads, vdot),
            2 => self.accelerations_of::<2>(members, kin, v, loads, vdot),
            3 => self.accelerations_of::<3>(members, kin, v, loads, vdot),
            4 => self.accelerations_of::<4>(members, kin, v, loads, vdot),
            5 => self.accelerations_of::<5>(members, kin, v, loads, vdot),
            6 => self.accelerations_of::<6>(members, kin, v, loads, vdot),
            _ => self.accelerations_of::<MOST>(members, kin, v, loads, vdot),
        }
    }

    #[inline(always)]
    fn accelerations_of<const N: usize>(
        &self,
        members: &[Member],
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        vdot: &mut [T],
    ) {
        let step = |n: usize| &self.steps()[members[n].step];
        let mut offsets = [Vector3::zeros(); N];
        let mut known = [Twist::zero(); N];
        let mut forces = [Wrench::zero(); N];
        let mut bodies: [Rigid<T>; N] = std::array::from_fn(|n| step(n).body.turned(kin.turn(step(n).link)));
        for n in 0..N {
            let link = step(n).link;
            known[n] = match members[n].carrier {
                None => self.known_on_fixed(step(n), kin, v, loads),
                Some(carrier) => {
                    let parent = step(carrier).link;
                    offsets[n] = kin.origin(link) - kin.origin(parent);
                    known[carrier].at(&offsets[n]) + self.drift(step(n), parent, &offsets[n], kin, v)
                }
            };
            forces[n] = bodies[n].force(&known[n], &kin.twist(link).angular) - loads.wrenches[link];
        }
        let (mut mass, mut pushes) = ([[T::lit(0.0); N]; N], [T::lit(0.0); N]);
        for n in (0..N).rev() {
            let k = step(n).v;
            let mut held = held(&bodies[n], step(n), kin);
            mass[n][n] = along(step(n), kin, &held) + self.armature()[k];
            pushes[n] = loads.effort(k) - along(step(n), kin, &forces[n]);
            let mut at = n;
            while let Some(carrier) = members[at].carrier {
                held = held.at(&-offsets[at]);
                mass[n][carrier] = along(step(carrier), kin, &held);
                at = carrier;
            }
            if let Some(carrier) = members[n].carrier {
                let passed = bodies[n].seen_from(&offsets[n]);
                bodies[carrier].add(&passed);
                forces[carrier] += forces[n].at(&-offsets[n]);
            }
        }
        let rates = Ldl::<T, N>::new(&mass).solve(pushes);
        rates.into_iter().enumerate().for_each(|(n, rate)| vdot[step(n).v] = rate);
    }

    /// B of a link whose carrier stands still or is driven.
    #[inline(always)]
    fn known_on_fixed(&self, step: &Step<T>, kin: &Kinematics<T>, v: &[T], loads: &Loads<'_, T>) -> Twist<T> {
        let upward = Twist { angular: Vector3::zeros(), linear: -loads.gravity };
        match step.parent {
            Some(parent) if !self.is_still(parent) => {
                let offset = kin.origin(step.link) - kin.origin(parent);
                let prescribed = &loads.driven[self.nodes()[parent].driven].acceleration;
                (*prescribed + upward).at(&offset) + self.drift(step, parent, &offset, kin, v)
            }
            _ => upward,
        }
    }
}

/// Iᶜ S of a joint with one freedom.
#[inline(always)]
fn held<T: Real>(body: &Rigid<T>, step: &Step<T>, kin: &Kinematics<T>) -> Wrench<T> {
    let column = &kin.columns(step.v..step.v + 1)[0];
    match step.kind {
        Kind::Turn => {
            let axis = &column.angular;
            Wrench { torque: &body.rotational * axis, force: axis.cross(&body.moment) }
        }
        _ => Wrench { torque: body.moment.cross(&column.linear), force: column.linear * body.mass },
    }
}

/// Sᵀ of a joint with one freedom, applied to a wrench.
#[inline(always)]
fn along<T: Real>(step: &Step<T>, kin: &Kinematics<T>, wrench: &Wrench<T>) -> T {
    let column = &kin.columns(step.v..step.v + 1)[0];
    match step.kind {
        Kind::Turn => column.angular.dot(&wrench.torque),
        _ => column.linear.dot(&wrench.force),
    }
}
