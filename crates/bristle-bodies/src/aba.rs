//! Forward dynamics: the articulated-body algorithm, O(n).
//!
//! Accelerations are classical ones at link origins, in world axes; r from the parent's origin to the link's:
//!
//! ```text
//! link     I A + p = wrench        p = (ω × I_o ω, m ω × (ω × c)) − W
//! joint    A_i = X A_p + c + S v̇   X A_p = (α_p, a_p + α_p × r)     c = (ω_p × ω_rel, ω_p × (ω_p × r + 2 v_rel))
//!
//! inward   U = Iᴬ S    D = Sᵀ U    u = τ − Sᵀ pᴬ    K = U D⁻¹
//!          Iᴬ_p += Xᵀ (Iᴬ − K Uᵀ) X                pᴬ_p += Xᵀ (pᴬ + (Iᴬ − K Uᵀ) c + K u)
//! outward  v̇ = D⁻¹ u − Kᵀ (X A_p + c)             A = X A_p + c + S v̇
//! ```
//! Gravity is an upward acceleration of the world. A floating joint has square S: nothing passes to its parent,
//! A = (Iᴬ)⁻¹ (S τ − pᴬ), and without children that is the closed form of `free.rs`.
//! Source: Featherstone (2008), Rigid Body Dynamics Algorithms, §7.3, table 7.1; classical instead of spatial
//! accelerations, so that no term grows with the distance from the world origin.

use crate::articulated::Articulated;
use crate::joints::{read_twist, write_twist};
use crate::ldl::Ldl;
use crate::tree::Loose;
use crate::{Driven, Joint, Kinematics, Tree, Twist, Wrench};
use bristle_math::Real;
use nalgebra::Vector3;

/// All that acts on a tree.
#[derive(Debug, Clone, Copy)]
pub struct Loads<'a, T> {
    /// External wrench on each link: world axes, torque about the link origin.
    pub wrenches: &'a [Wrench<T>],
    /// Force or torque along each velocity (motors, springs), power = effort · v; empty means none.
    pub efforts: &'a [T],
    /// Acceleration of gravity, m/s².
    pub gravity: Vector3<T>,
    /// Motion of each driven link.
    pub driven: &'a [Driven<T>],
}

/// Intermediate results of the dynamics, allocated once.
#[derive(Debug, Clone)]
pub struct Scratch<T> {
    pub(crate) inertia: Vec<Articulated<T>>,
    pub(crate) bias: Vec<Wrench<T>>,
    pub(crate) acceleration: Vec<Twist<T>>,
    drift: Vec<Twist<T>>,
    gain: Vec<Wrench<T>>,
}

impl<T: Real> Scratch<T> {
    /// Room for all links of `tree`.
    pub fn new(tree: &Tree<T>) -> Self {
        let n = tree.links().len();
        Self {
            inertia: vec![Articulated::zero(); n],
            bias: vec![Wrench::zero(); n],
            acceleration: vec![Twist::zero(); n],
            drift: vec![Twist::zero(); n],
            gain: vec![Wrench::zero(); tree.nv()],
        }
    }
}

impl<T: Real> Tree<T> {
    /// `v̇` under external wrenches (one for each link: world axes, torque about the link origin) and gravity.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "the plain form of `accelerations_under`, which takes a struct"
    )]
    pub fn accelerations(
        &self,
        kin: &Kinematics<T>,
        v: &[T],
        wrenches: &[Wrench<T>],
        gravity: &Vector3<T>,
        driven: &[Driven<T>],
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let loads = Loads { wrenches, efforts: &[], gravity: *gravity, driven };
        self.accelerations_under(kin, v, &loads, vdot, ws);
    }

    /// `v̇` under all `loads`, efforts along the joints included.
    #[inline(always)]
    pub fn accelerations_under(
        &self,
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        debug_assert_eq!((v.len(), vdot.len()), (self.nv(), self.nv()));
        debug_assert!(loads.efforts.is_empty() || loads.efforts.len() == self.nv());
        debug_assert_eq!((loads.wrenches.len(), loads.driven.len()), (kin.links.len(), self.driven_count()));
        if !self.jointed().is_empty() {
            self.jointed_accelerations(kin, v, loads, vdot, ws);
        }
        for body in self.loose() {
            self.free_acceleration(body, kin, loads, body.v_mut(vdot));
        }
    }

    /// The recursions. Out of line, so that worlds of free bodies pay nothing for them.
    #[inline(never)]
    fn jointed_accelerations(
        &self,
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        for &i in self.recursive() {
            self.isolate(i, kin, v, loads, ws);
        }
        if !loads.efforts.is_empty() {
            self.push_off(kin, loads, ws);
        }
        for &i in self.recursive().iter().rev() {
            match self.links()[i].joint.nv() {
                1 => self.inward::<1>(i, kin, loads.efforts, vdot, ws),
                2 => self.inward::<2>(i, kin, loads.efforts, vdot, ws),
                3 => self.inward::<3>(i, kin, loads.efforts, vdot, ws),
                _ => self.inward_rigid(i, kin, ws),
            }
        }
        for &i in self.jointed() {
            self.outward(i, kin, v, loads, vdot, ws);
        }
    }

    /// A free body in world axes.
    #[inline(always)]
    fn free_acceleration(&self, body: &Loose, kin: &Kinematics<T>, loads: &Loads<'_, T>, vdot: &mut [T]) {
        let i = body.link;
        let Some(free) = &self.nodes()[i].free else { return };
        let mut wrench = loads.wrenches[i];
        if !loads.efforts.is_empty() {
            let effort = read_twist(body.v(loads.efforts));
            wrench += Wrench { torque: effort.angular, force: effort.linear };
        }
        let spin = &kin.twist(i).angular;
        let mut total = free.acceleration(&self.links()[i].inertia, &kin.pose(i).rotation, spin, &wrench);
        total.linear += loads.gravity;
        write_twist(&total, vdot);
    }

    /// The link by itself: its own inertia, bias force and drift.
    #[inline]
    fn isolate(&self, i: usize, kin: &Kinematics<T>, v: &[T], loads: &Loads<'_, T>, ws: &mut Scratch<T>) {
        let link = &self.links()[i];
        let inertia = link.inertia.rotated(&kin.pose(i).rotation);
        let spin = kin.twist(i).angular;
        ws.inertia[i] = Articulated::rigid(&inertia);
        let whirl = Wrench {
            torque: spin.cross(&(ws.inertia[i].rotational * spin)),
            force: spin.cross(&spin.cross(&inertia.center)) * inertia.mass,
        };
        ws.bias[i] = whirl - loads.wrenches[i];
        ws.drift[i] = self.drift(i, kin, v);
    }

    /// A floating joint passes no inertia, but its effort pushes the parent back.
    fn push_off(&self, kin: &Kinematics<T>, loads: &Loads<'_, T>, ws: &mut Scratch<T>) {
        for (i, link) in self.links().iter().enumerate() {
            if let (Joint::Floating, Some(parent)) = (&link.joint, link.parent) {
                let offset = kin.origin(i) - kin.origin(parent);
                ws.bias[parent] += self.floating_effort(i, kin, loads).at(&-offset);
            }
        }
    }

    /// S τ of a floating joint, at the link origin in world axes.
    #[inline]
    fn floating_effort(&self, i: usize, kin: &Kinematics<T>, loads: &Loads<'_, T>) -> Wrench<T> {
        if loads.efforts.is_empty() {
            return Wrench::zero();
        }
        let effort = read_twist(&loads.efforts[self.v_range(i)]).rotated(&self.joint_axes(kin, i));
        Wrench { torque: effort.angular, force: effort.linear }
    }

    /// c: acceleration of the link, beyond that of its parent, that needs no v̇.
    #[inline]
    fn drift(&self, i: usize, kin: &Kinematics<T>, v: &[T]) -> Twist<T> {
        let Some(parent) = self.links()[i].parent else { return Twist::zero() };
        let relative = self.relative_twist(kin, i, v);
        let spin = kin.twist(parent).angular;
        let carried = spin.cross(&(kin.origin(i) - kin.origin(parent)));
        Twist {
            angular: spin.cross(&relative.angular),
            linear: spin.cross(&(carried + relative.linear * T::lit(2.0))),
        }
    }

    /// A joint with `N` freedoms: keeps D⁻¹u in `vdot` and K in `gain`, passes the rest to the parent.
    #[inline]
    fn inward<const N: usize>(
        &self,
        i: usize,
        kin: &Kinematics<T>,
        efforts: &[T],
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let range = self.v_range(i);
        let columns = kin.columns(range.clone());
        let inertia = ws.inertia[i];
        let bias = ws.bias[i];
        let held: [Wrench<T>; N] = std::array::from_fn(|k| inertia.apply(&columns[k]));
        let factors =
            Ldl::<T, N>::new(&std::array::from_fn(|r| std::array::from_fn(|c| columns[r].power(&held[c]))));
        let start = factors.solve(std::array::from_fn(|k| {
            let effort = if efforts.is_empty() { T::lit(0.0) } else { efforts[range.start + k] };
            effort - columns[k].power(&bias)
        }));
        vdot[range.clone()].copy_from_slice(&start);
        for j in 0..N {
            let mut gain = Wrench::zero();
            for (held, factor) in held.iter().zip(factors.inverse_column(j)) {
                gain += *held * factor;
            }
            ws.gain[range.start + j] = gain;
        }
        let Some(parent) = self.moving_parent(i) else { return };
        let mut passed = inertia;
        let mut force = bias;
        for j in 0..N {
            passed.subtract(&ws.gain[range.start + j], &held[j]);
            force += held[j] * start[j];
        }
        force += passed.apply(&ws.drift[i]);
        hand_over(parent, &(kin.origin(i) - kin.origin(parent)), &passed, &force, ws);
    }

    /// The parent, unless it stands still and carries whatever hangs on it.
    #[inline]
    fn moving_parent(&self, i: usize) -> Option<usize> {
        self.links()[i].parent.filter(|&parent| !self.is_still(parent))
    }

    /// Joints that pass all (fixed) or nothing (floating, driven).
    #[inline]
    fn inward_rigid(&self, i: usize, kin: &Kinematics<T>, ws: &mut Scratch<T>) {
        if let (Joint::Fixed, Some(parent)) = (&self.links()[i].joint, self.moving_parent(i)) {
            let passed = ws.inertia[i];
            let force = ws.bias[i] + passed.apply(&ws.drift[i]);
            hand_over(parent, &(kin.origin(i) - kin.origin(parent)), &passed, &force, ws);
        }
    }

    #[inline]
    fn outward(
        &self,
        i: usize,
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let (link, node, range) = (&self.links()[i], &self.nodes()[i], self.v_range(i));
        let upward = Twist { angular: Vector3::zeros(), linear: -loads.gravity };
        if node.is_still {
            ws.acceleration[i] = upward;
            return;
        }
        if let Joint::Driven = link.joint {
            ws.acceleration[i] = loads.driven[node.driven].acceleration + upward;
            return;
        }
        let is_floating = matches!(link.joint, Joint::Floating);
        let carried = match link.parent {
            Some(parent) => {
                let drift = if node.free.is_some() { self.drift(i, kin, v) } else { ws.drift[i] };
                ws.acceleration[parent].at(&(kin.origin(i) - kin.origin(parent))) + drift
            }
            None => upward,
        };
        if !is_floating {
            let mut total = carried;
            for k in range.clone() {
                vdot[k] -= carried.power(&ws.gain[k]);
            }
            for (column, &rate) in kin.columns(range.clone()).iter().zip(&vdot[range]) {
                total += *column * rate;
            }
            ws.acceleration[i] = total;
            return;
        }
        let effort = self.floating_effort(i, kin, loads);
        let total = match &node.free {
            Some(body) => {
                let wrench = loads.wrenches[i] + effort;
                let spin = &kin.twist(i).angular;
                body.acceleration(&link.inertia, &kin.pose(i).rotation, spin, &wrench)
            }
            None => ws.inertia[i].solve(&(effort - ws.bias[i])),
        };
        ws.acceleration[i] = total;
        let relative = (total - carried).rotated(&self.joint_axes(kin, i).inverse());
        write_twist(&relative, &mut vdot[range]);
    }
}

/// Adds what a child passes on, felt at the parent's origin from which the child's is `offset` away.
#[inline]
fn hand_over<T: Real>(
    parent: usize,
    offset: &Vector3<T>,
    inertia: &Articulated<T>,
    force: &Wrench<T>,
    ws: &mut Scratch<T>,
) {
    ws.inertia[parent].add(&inertia.seen_from(offset));
    ws.bias[parent] += force.at(&-offset);
}
