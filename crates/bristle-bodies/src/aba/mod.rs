//! Forward dynamics: the articulated-body algorithm, O(n).
//!
//! Accelerations are classical ones at link origins, in world axes; r from the parent's origin to the link's. What
//! needs no v̇ is known at once, A = B + A', so that the drift of a joint never meets an articulated inertia:
//!
//! ```text
//! link     I A + whirl = wrench    whirl = (ω × I_o ω, m ω × (ω × c))
//! joint    A_i = X A_p + d + S v̇   X A_p = (α_p, a_p + α_p × r)
//!                                  d = (ω_p × ω_rel, ω_p × (ω_p × r + 2 v_rel)) + Ṡ v
//!
//! outward  B = X B_p + d           p = I B + whirl − W
//! inward   U = Iᴬ S    D = Sᵀ U + armature    u = τ − Sᵀ pᴬ    K = U D⁻¹
//!          Iᴬ_p += Xᵀ (Iᴬ − K Uᵀ) X                  pᴬ_p += Xᵀ (pᴬ + K u)
//! outward  v̇ = D⁻¹ u − Kᵀ X A'_p                     A' = X A'_p + S v̇
//! ```
//! Gravity is an upward acceleration of the world. A floating joint has square S: nothing passes to its parent, B = 0
//! and A = (Iᴬ)⁻¹ (S τ − pᴬ), and without children that is the closed form of `free.rs`. Joints with one freedom,
//! which robots are made of, have their own short form, and trees with few of them another way (`few.rs`). Iᴬ, U and D are
//! those of the poses and the armatures alone: where these stay, only what is to their right is found again.
//! Source: Featherstone (2008), Rigid Body Dynamics Algorithms, §7.3, table 7.1; classical instead of spatial
//! accelerations, so that no term grows with the distance from the world origin.

mod inward;
mod outward;
mod response;

pub use response::{Push, Response};

use crate::articulated::{Articulated, Rigid};
use crate::free::FreeBody;
use crate::joints::{read_twist, write_twist};
use crate::step::{Kind, Step};
use crate::tree::Loose;
use crate::yields::given;
use crate::{Driven, Kinematics, Placed, Tree, Twist, Wrench, Yields};
use bristle_math::Real;
use bristle_math::wide::{self, on_avx2};
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
    /// How the wrenches and efforts give way to the accelerations, if they do.
    pub yields: Option<&'a Yields<T>>,
}

impl<T: Real> Loads<'_, T> {
    /// The effort along velocity `k`.
    #[inline(always)]
    pub(crate) fn effort(&self, k: usize) -> T {
        self.efforts.get(k).copied().unwrap_or(T::lit(0.0))
    }

    /// How much inertia a joint has along velocity `k` beyond what moves, given its armature.
    #[inline(always)]
    fn added(&self, k: usize, armature: T) -> T {
        self.yields.map_or(armature, |yields| armature + yields.along(k))
    }
}

/// Intermediate results of the dynamics, allocated once.
#[derive(Debug, Clone)]
pub struct Scratch<T> {
    pub(crate) links: Vec<Work<T>>,
    /// K, one for each velocity.
    gain: Vec<Wrench<T>>,
    /// Mass, and mass times centre, of each link with all it carries.
    pub(crate) carried: Vec<(T, Vector3<T>)>,
}

/// Intermediate results for one link.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work<T> {
    /// Iᴬ
    pub(crate) inertia: Articulated<T>,
    /// p, then pᴬ.
    pub(crate) bias: Wrench<T>,
    /// B: acceleration that is known before any v̇.
    pub(crate) known: Twist<T>,
    /// A': the rest of the acceleration.
    rest: Twist<T>,
    /// From the parent's origin to the link's; from the world origin for roots.
    offset: Vector3<T>,
    /// The body in world axes.
    pub(crate) body: Rigid<T>,
    /// Where forces give way: I B + whirl, and what is added to A' for J v̇ less gravity: B if nothing moved.
    pub(crate) carrying: Wrench<T>,
    pub(crate) steady: Twist<T>,
}

impl<T: Real> Scratch<T> {
    /// Room for all links of `tree`.
    pub fn new(tree: &Tree<T>) -> Self {
        let empty = Work {
            inertia: Articulated::zero(),
            bias: Wrench::zero(),
            known: Twist::zero(),
            rest: Twist::zero(),
            offset: Vector3::zeros(),
            body: Rigid::zero(),
            carrying: Wrench::zero(),
            steady: Twist::zero(),
        };
        let n = tree.links().len();
        let carried = vec![(T::lit(0.0), Vector3::zeros()); n];
        Self { links: vec![empty; n], gain: vec![Wrench::zero(); tree.nv()], carried }
    }
}

/// [`Tree::accelerations_under`] of all that has joints, or [`Tree::accelerations_again`] where articulated inertias are `KEPT`.
struct Accelerate<'a, T, const KEPT: bool> {
    tree: &'a Tree<T>,
    kin: &'a Kinematics<T>,
    v: &'a [T],
    loads: &'a Loads<'a, T>,
    vdot: &'a mut [T],
    ws: &'a mut Scratch<T>,
}

impl<T: Real, const KEPT: bool> wide::Work for Accelerate<'_, T, KEPT> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        self.tree.accelerate_jointed::<KEPT>(self.kin, self.v, self.loads, self.vdot, self.ws);
    }
}

impl<T: Real> Tree<T> {
    /// `v̇` under external wrenches (one for each link: world axes, torque about the link origin) and gravity.
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
        let loads = Loads { wrenches, efforts: &[], gravity: *gravity, driven, yields: None };
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
        self.accelerate::<false>(kin, v, loads, vdot, ws);
    }

    /// [`Tree::accelerations_under`] once more at the poses of its last call on `ws`, under other velocities and loads: to the same bits, for less work.
    /// Neither those loads nor these may give way.
    #[inline(always)]
    pub fn accelerations_again(
        &self,
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        debug_assert!(loads.yields.is_none());
        self.accelerate::<true>(kin, v, loads, vdot, ws);
    }

    #[inline(always)]
    fn accelerate<const KEPT: bool>(
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
        for body in self.loose() {
            self.free_acceleration(body, kin, loads, body.v_mut(vdot));
        }
        if !self.steps().is_empty() {
            self.jointed_accelerations(Accelerate::<T, KEPT> { tree: self, kin, v, loads, vdot, ws });
        }
    }

    /// Out of line, so that worlds of free bodies pay nothing for it.
    #[inline(never)]
    fn jointed_accelerations<const KEPT: bool>(&self, all: Accelerate<'_, T, KEPT>) {
        on_avx2(all);
    }

    #[inline(always)]
    fn accelerate_jointed<const KEPT: bool>(
        &self,
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        if loads.yields.is_some() {
            // what gives way adds to the articulated inertias
            return self.recursion::<false>(|_| true, kin, v, loads, vdot, ws);
        }
        for tree in self.few() {
            self.accelerations_of_few(tree, kin, v, loads, vdot);
        }
        if self.has_many() {
            self.recursion::<KEPT>(|step| !step.is_of_few, kin, v, loads, vdot, ws);
        }
    }

    /// The articulated-body algorithm over all `steps` that are chosen; articulated inertias are `KEPT` from the last time, or found.
    #[inline(always)]
    pub(crate) fn recursion<const KEPT: bool>(
        &self,
        chosen: impl Fn(&Step<T>) -> bool,
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let steps = self.steps().iter().filter(|step| chosen(step));
        for step in steps.clone() {
            self.before::<KEPT>(step, kin, v, loads, ws);
        }
        for step in steps.clone().rev() {
            match step.kind {
                Kind::Turn => self.inward_turn::<KEPT>(step, kin, loads, vdot, ws),
                Kind::Shift => self.inward_shift::<KEPT>(step, kin, loads, vdot, ws),
                Kind::Two => self.inward::<2, KEPT>(step, kin, loads, vdot, ws),
                Kind::Three => self.inward::<3, KEPT>(step, kin, loads, vdot, ws),
                Kind::Fixed => self.inward_fixed::<KEPT>(step, ws),
                Kind::Base | Kind::Lone => self.push_off(step, kin, loads, ws),
                Kind::Still | Kind::Driven => {}
            }
        }
        for step in steps {
            self.after(step, kin, v, loads, vdot, ws);
        }
    }

    /// A free body in world axes.
    #[inline(always)]
    fn free_acceleration(&self, loose: &Loose<T>, kin: &Kinematics<T>, loads: &Loads<'_, T>, vdot: &mut [T]) {
        let mut wrench = loads.wrenches[loose.link];
        if !loads.efforts.is_empty() {
            let effort = read_twist(loose.v(loads.efforts));
            wrench += Wrench { torque: effort.angular, force: effort.linear };
        }
        let mut total = acceleration_of((&loose.body, loose.link), kin, &wrench, &Twist::zero(), loads);
        total.linear += loads.gravity;
        write_twist(&total, vdot);
    }

    /// S τ of a floating joint, at the link origin in world axes.
    #[inline]
    fn floating_effort(&self, step: &Step<T>, kin: &Kinematics<T>, loads: &Loads<'_, T>) -> Wrench<T> {
        if loads.efforts.is_empty() {
            return Wrench::zero();
        }
        let effort = read_twist(&loads.efforts[step.v..]).rotated(&self.joint_axes(kin, step.link));
        Wrench { torque: effort.angular, force: effort.linear }
    }
}

/// A free body under a wrench, without gravity; what gives way gives way to what is beyond `steady`.
#[inline(always)]
fn acceleration_of<T: Real>(
    (body, link): (&FreeBody<T>, usize),
    kin: &Kinematics<T>,
    wrench: &Wrench<T>,
    steady: &Twist<T>,
    loads: &Loads<'_, T>,
) -> Twist<T> {
    let Placed { pose, twist } = &kin.links[link];
    match loads.yields {
        None => body.acceleration(|| pose.rotation, &twist.angular, wrench),
        Some(yields) => {
            let turn = pose.rotation.to_rotation_matrix().into_inner();
            let rigid = Rigid::new(&body.inertia).turned(&turn);
            let mut all = Articulated::rigid(&rigid);
            let mut push = *wrench - body.whirl(&turn, &twist.angular, yields.step());
            if let Some(by) = yields.link(link) {
                all.add(by);
                push = push - given(by, steady, &loads.gravity);
            }
            all.solve(&push)
        }
    }
}
