//! Inverse dynamics: the recursive Newton–Euler algorithm.
//!
//! Written with spatial accelerations at the **world origin**, so that it shares no formula with the forward
//! dynamics and can serve as its check:
//!
//! ```text
//! A_i = A_p + S v̇ + Ṡ v + V_p × S v + (0, v_rel × ω_rel)      f = I A + V ×* I V − W
//! τ = Sᵀ f + armature v̇      f_p += f
//! ```
//! The last term of A_i is there because S turns about the link origin, which itself moves in the parent.
//! Precision falls with the distance of the links from the world origin.
//! Source: Featherstone (2008), §5.3, table 5.1 (world coordinates).

use crate::{Inertia, Joint, Kinematics, Loads, Scratch, Tree, Twist};
use bristle_math::Real;
use nalgebra::Vector3;

impl<T: Real> Tree<T> {
    /// The effort along each velocity that gives the acceleration `vdot` under `loads`, on top of `loads.efforts`.
    pub fn inverse_dynamics(
        &self,
        kin: &Kinematics<T>,
        v: &[T],
        vdot: &[T],
        loads: &Loads<'_, T>,
        efforts: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let upward = Twist { angular: Vector3::zeros(), linear: -loads.gravity };
        for (i, link) in self.links().iter().enumerate() {
            let to_world = -kin.origin(i);
            ws.links[i].known = match (&link.joint, link.parent) {
                (Joint::Driven, _) => {
                    let driven = &loads.driven[self.nodes()[i].driven];
                    let turning = driven.twist.angular.cross(&driven.twist.linear);
                    let linear = driven.acceleration.linear - turning;
                    Twist { angular: driven.acceleration.angular, linear }.at(&to_world) + upward
                }
                (_, parent) => {
                    let relative = self.relative_twist(kin, i, v);
                    let shift = relative.linear.cross(&relative.angular);
                    let mut sum = self.drift_of_columns(i, kin, v).at(&to_world);
                    sum.linear += shift;
                    for (k, index) in self.v_range(i).enumerate() {
                        sum += self.column(kin, i, k).at(&to_world) * vdot[index];
                    }
                    match parent {
                        Some(parent) => {
                            let motion = kin.twist(parent).at(&-kin.origin(parent));
                            sum + ws.links[parent].known + motion.cross(&relative.at(&to_world))
                        }
                        None => sum + upward,
                    }
                }
            };
            let inertia = self.world_inertia(kin, i);
            let motion = kin.twist(i).at(&to_world);
            let whirl = motion.cross_wrench(&inertia.momentum(&motion));
            ws.links[i].bias = inertia.momentum(&ws.links[i].known) + whirl - loads.wrenches[i].at(&to_world);
        }
        for (i, link) in self.links().iter().enumerate().rev() {
            for (k, index) in self.v_range(i).enumerate() {
                let moved = self.column(kin, i, k).at(&-kin.origin(i)).power(&ws.links[i].bias);
                efforts[index] = moved + self.armature()[index] * vdot[index];
                if !loads.efforts.is_empty() {
                    efforts[index] -= loads.efforts[index];
                }
            }
            if let Some(parent) = link.parent {
                let force = ws.links[i].bias;
                ws.links[parent].bias += force;
            }
        }
    }

    /// Mass distribution of a link about the world origin, in world axes.
    pub(crate) fn world_inertia(&self, kin: &Kinematics<T>, link: usize) -> Inertia<T> {
        let turned = self.links()[link].inertia.rotated(&kin.pose(link).rotation);
        Inertia { center: turned.center + kin.origin(link), ..turned }
    }
}
