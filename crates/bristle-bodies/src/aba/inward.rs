//! From the leaves to the roots: what a link and all it carries ask of the parent.

use super::Scratch;
use crate::articulated::Articulated;
use crate::ldl::Ldl;
use crate::step::Step;
use crate::{Kinematics, Loads, Tree, Wrench};
use bristle_math::Real;
use nalgebra::Vector3;

impl<T: Real> Tree<T> {
    /// A joint that turns about a line: S = (n̂, 0).
    #[inline(always)]
    pub(super) fn inward_turn<const KEPT: bool>(
        &self,
        step: &Step<T>,
        kin: &Kinematics<T>,
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let axis = &kin.columns(step.v..step.v + 1)[0].angular;
        let Articulated { rotational, coupling, .. } = &ws.links[step.link].inertia;
        let held = Wrench { torque: rotational * axis, force: coupling.tr_mul(axis) };
        let inertia = axis.dot(&held.torque) + loads.added(step.v, self.armature()[step.v]);
        let push = loads.effort(step.v) - axis.dot(&ws.links[step.link].bias.torque);
        vdot[step.v] = let_go::<T, KEPT>(step, &held, inertia, push, ws);
    }

    /// A joint that moves along a line: S = (0, n̂).
    #[inline(always)]
    pub(super) fn inward_shift<const KEPT: bool>(
        &self,
        step: &Step<T>,
        kin: &Kinematics<T>,
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let axis = &kin.columns(step.v..step.v + 1)[0].linear;
        let Articulated { translational, coupling, .. } = &ws.links[step.link].inertia;
        let held = Wrench { torque: coupling * axis, force: translational * axis };
        let inertia = axis.dot(&held.force) + loads.added(step.v, self.armature()[step.v]);
        let push = loads.effort(step.v) - axis.dot(&ws.links[step.link].bias.force);
        vdot[step.v] = let_go::<T, KEPT>(step, &held, inertia, push, ws);
    }

    /// A joint with `N` freedoms: keeps D⁻¹u in `vdot` and K in `gain`, passes the rest to the parent.
    pub(super) fn inward<const N: usize, const KEPT: bool>(
        &self,
        step: &Step<T>,
        kin: &Kinematics<T>,
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let range = step.v..step.v + N;
        let columns = kin.columns(range.clone());
        let work = &ws.links[step.link];
        let (mut passed, mut force) = (work.inertia, work.bias);
        let held: [Wrench<T>; N] = std::array::from_fn(|k| passed.apply(&columns[k]));
        let mut inertia: [[T; N]; N] =
            std::array::from_fn(|r| std::array::from_fn(|c| columns[r].power(&held[c])));
        for (k, &armature) in self.armature()[range.clone()].iter().enumerate() {
            inertia[k][k] += loads.added(step.v + k, armature);
        }
        let factors = Ldl::<T, N>::new(&inertia);
        let start =
            factors.solve(std::array::from_fn(|k| loads.effort(step.v + k) - columns[k].power(&force)));
        vdot[range.clone()].copy_from_slice(&start);
        for j in 0..N {
            let mut gain = Wrench::zero();
            for (held, factor) in held.iter().zip(factors.inverse_column(j)) {
                gain += *held * factor;
            }
            ws.gain[step.v + j] = gain;
            if !KEPT {
                passed.subtract(&gain, &held[j]);
            }
            force += held[j] * start[j];
        }
        if let Some(heir) = step.heir {
            let offset = ws.links[step.link].offset;
            hand_over::<T, KEPT>(heir, &offset, &passed, &force, ws);
        }
    }

    /// A fixed joint passes all.
    pub(super) fn inward_fixed<const KEPT: bool>(&self, step: &Step<T>, ws: &mut Scratch<T>) {
        if let Some(heir) = step.heir {
            let work = ws.links[step.link];
            hand_over::<T, KEPT>(heir, &work.offset, &work.inertia, &work.bias, ws);
        }
    }

    /// A floating joint passes no inertia, but its effort pushes the parent back.
    pub(super) fn push_off(
        &self,
        step: &Step<T>,
        kin: &Kinematics<T>,
        loads: &Loads<'_, T>,
        ws: &mut Scratch<T>,
    ) {
        if let (Some(heir), false) = (step.heir, loads.efforts.is_empty()) {
            let offset = ws.links[step.link].offset;
            ws.links[heir].bias += self.floating_effort(step, kin, loads).at(&-offset);
        }
    }
}

/// One freedom taken out of the articulated inertia of a link, given U, D and u: answers D⁻¹u.
#[inline(always)]
fn let_go<T: Real, const KEPT: bool>(
    step: &Step<T>,
    held: &Wrench<T>,
    inertia: T,
    push: T,
    ws: &mut Scratch<T>,
) -> T {
    let inverse = T::lit(1.0) / inertia;
    let start = push * inverse;
    let gain = *held * inverse;
    ws.gain[step.v] = gain;
    if let Some(heir) = step.heir {
        let work = &ws.links[step.link];
        let mut passed = work.inertia;
        if !KEPT {
            passed.subtract(&gain, held);
        }
        let force = work.bias + *held * start;
        let offset = work.offset;
        hand_over::<T, KEPT>(heir, &offset, &passed, &force, ws);
    }
    start
}

/// Adds what a child passes on, felt at the parent's origin from which the child's is `offset` away: its force alone where inertias are kept.
#[inline(always)]
fn hand_over<T: Real, const KEPT: bool>(
    heir: usize,
    offset: &Vector3<T>,
    inertia: &Articulated<T>,
    force: &Wrench<T>,
    ws: &mut Scratch<T>,
) {
    let work = &mut ws.links[heir];
    if !KEPT {
        work.inertia.add(&inertia.seen_from(offset));
    }
    work.bias += force.at(&-offset);
}
