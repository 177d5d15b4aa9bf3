//! From the roots to the leaves: first what is known of the accelerations, in the end the accelerations.

use super::{Loads, Scratch, acceleration_of};
use crate::articulated::Articulated;
use crate::joints::{bias, write_twist};
use crate::step::{Kind, Step};
use crate::yields::given;
use crate::{Kinematics, Tree, Twist};
use bristle_math::Real;
use nalgebra::Vector3;

impl<T: Real> Tree<T> {
    /// The link by itself: its inertia, its known acceleration, and the force that this asks for.
    #[inline(always)]
    pub(super) fn before<const KEPT: bool>(
        &self,
        step: &Step<T>,
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        ws: &mut Scratch<T>,
    ) {
        let i = step.link;
        let upward = Twist { angular: Vector3::zeros(), linear: -loads.gravity };
        let (offset, known) = match step.kind {
            Kind::Still => {
                (ws.links[i].known, ws.links[i].steady) = (upward, upward);
                return;
            }
            Kind::Driven => {
                let prescribed = &loads.driven[self.nodes()[i].driven].acceleration;
                let known = *prescribed + upward;
                (ws.links[i].known, ws.links[i].steady) = (known, known);
                return;
            }
            Kind::Base | Kind::Lone => {
                let offset =
                    step.parent.map_or(Vector3::zeros(), |parent| kin.origin(i) - kin.origin(parent));
                (offset, Twist::zero())
            }
            _ => match step.parent {
                Some(parent) => {
                    let offset = kin.origin(i) - kin.origin(parent);
                    let carried = ws.links[parent].known.at(&offset);
                    (offset, carried + self.drift(step, parent, &offset, kin, v))
                }
                None => (*kin.origin(i), upward + self.drift_of_root(step, kin, v)),
            },
        };
        if loads.yields.is_some() {
            ws.links[i].steady = match (step.kind, step.parent) {
                (Kind::Base | Kind::Lone, Some(parent)) => {
                    let carrier = &ws.links[parent];
                    let drift = self.drift_of_floating(step, (parent, &offset), kin, v);
                    -((carrier.known - carrier.steady).at(&offset) + drift)
                }
                (Kind::Base | Kind::Lone, None) => Twist::zero(),
                (_, Some(parent)) => ws.links[parent].steady.at(&offset),
                (_, None) => upward,
            };
        }
        let work = &mut ws.links[i];
        (work.offset, work.known) = (offset, known);
        if let Kind::Lone = step.kind {
            return;
        }
        if !KEPT {
            work.body = step.body.turned(kin.turn(i));
            work.inertia = Articulated::rigid(&work.body);
        }
        let carrying = work.body.force(&known, &kin.twist(i).angular);
        work.bias = carrying - loads.wrenches[i];
        let Some(yields) = loads.yields else { return };
        work.carrying = carrying;
        if let Some(by) = yields.link(i) {
            work.inertia.add(by);
            work.bias += given(by, &work.steady, &loads.gravity);
        }
    }

    /// d of a floating link, whose own velocity is that over its parent.
    fn drift_of_floating(
        &self,
        step: &Step<T>,
        (parent, offset): (usize, &Vector3<T>),
        kin: &Kinematics<T>,
        v: &[T],
    ) -> Twist<T> {
        let spin = kin.twist(parent).angular;
        let relative = self.relative_twist(kin, step.link, v).linear;
        Twist {
            angular: spin.cross(&kin.twist(step.link).angular),
            linear: spin.cross(&(spin.cross(offset) + relative * T::lit(2.0))),
        }
    }

    /// d: acceleration of the link, beyond that of its parent, that needs no v̇.
    #[inline(always)]
    pub(crate) fn drift(
        &self,
        step: &Step<T>,
        parent: usize,
        offset: &Vector3<T>,
        kin: &Kinematics<T>,
        v: &[T],
    ) -> Twist<T> {
        let spin = &kin.twist(parent).angular;
        let carried = spin.cross(offset);
        let turning = spin.cross(&kin.twist(step.link).angular); // ω_p × ω_p is nothing
        match step.kind {
            Kind::Turn | Kind::Fixed => Twist { angular: turning, linear: spin.cross(&carried) },
            Kind::Shift => {
                let sliding = kin.columns(step.v..step.v + 1)[0].linear * (v[step.v] * T::lit(2.0));
                Twist { angular: turning, linear: spin.cross(&(carried + sliding)) }
            }
            _ => self.drift_of_any(step, &(*spin, carried, turning), kin, v),
        }
    }

    /// Any joint; out of line, because robots are made of the others.
    #[inline(never)]
    fn drift_of_any(
        &self,
        step: &Step<T>,
        (spin, carried, turning): &(Vector3<T>, Vector3<T>, Vector3<T>),
        kin: &Kinematics<T>,
        v: &[T],
    ) -> Twist<T> {
        let relative = self.relative_twist(kin, step.link, v);
        let linear = spin.cross(&(carried + relative.linear * T::lit(2.0)));
        Twist { angular: turning + self.drift_of_root(step, kin, v).angular, linear }
    }

    /// Ṡ v: all that drifts when the parent stands still.
    #[inline(always)]
    fn drift_of_root(&self, step: &Step<T>, kin: &Kinematics<T>, v: &[T]) -> Twist<T> {
        match step.kind {
            Kind::Two => self.drift_of_columns(step.link, kin, v),
            _ => Twist::zero(),
        }
    }

    /// Ṡ v in world axes.
    pub(crate) fn drift_of_columns(&self, link: usize, kin: &Kinematics<T>, v: &[T]) -> Twist<T> {
        let (joint, range) = (&self.links()[link].joint, self.v_range(link));
        let angular = bias(joint, kin.columns(range.clone()), &v[range]);
        Twist { angular, linear: Vector3::zeros() }
    }

    /// v̇ of the joint and the acceleration of the link.
    #[inline(always)]
    pub(super) fn after(
        &self,
        step: &Step<T>,
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let i = step.link;
        let carried = match (step.kind, step.heir) {
            (Kind::Base | Kind::Lone, _) => return self.after_floating(step, kin, v, loads, vdot, ws),
            (_, Some(parent)) => ws.links[parent].rest.at(&ws.links[i].offset),
            (_, None) => Twist::zero(),
        };
        ws.links[i].rest = match step.kind {
            Kind::Turn => {
                let rate = vdot[step.v] - carried.power(&ws.gain[step.v]);
                vdot[step.v] = rate;
                let axis = kin.columns(step.v..step.v + 1)[0].angular;
                Twist { angular: carried.angular + axis * rate, linear: carried.linear }
            }
            Kind::Two | Kind::Three | Kind::Shift => {
                let mut total = carried;
                for k in self.v_range(i) {
                    vdot[k] -= carried.power(&ws.gain[k]);
                    total += kin.columns(k..k + 1)[0] * vdot[k];
                }
                total
            }
            _ => carried, // fixed; nothing beyond what is known for those that stand still or are driven
        };
    }

    /// A floating link accelerates as if alone; v̇ is what remains beyond the motion of its parent.
    fn after_floating(
        &self,
        step: &Step<T>,
        kin: &Kinematics<T>,
        v: &[T],
        loads: &Loads<'_, T>,
        vdot: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let i = step.link;
        let effort = self.floating_effort(step, kin, loads);
        let total = match &self.nodes()[i].free {
            Some(body) => {
                let steady = ws.links[i].steady;
                acceleration_of((body, i), kin, &(loads.wrenches[i] + effort), &steady, loads)
            }
            None => ws.links[i].inertia.solve(&(effort - ws.links[i].bias)),
        };
        ws.links[i].rest = total;
        let carried = match step.parent {
            Some(parent) => {
                let offset = ws.links[i].offset;
                let drift = self.drift_of_floating(step, (parent, &offset), kin, v);
                (ws.links[parent].known + ws.links[parent].rest).at(&offset) + drift
            }
            None => Twist { angular: Vector3::zeros(), linear: -loads.gravity },
        };
        let relative = (total - carried).rotated(&self.joint_axes(kin, i).inverse());
        write_twist(&relative, &mut vdot[self.v_range(i)]);
    }
}
