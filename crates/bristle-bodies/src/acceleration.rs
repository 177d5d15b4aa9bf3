//! Accelerations of links from those of the joints.
//!
//! ```text
//! A_i = (α_p, a_p + α_p × r) + (ω_p × ω_rel, ω_p × (ω_p × r + 2 v_rel)) + Ṡ v + S v̇      classical, at link origins
//! ```
//! The same composition as in the articulated-body algorithm, once v̇ is known.

use crate::joints::bias;
use crate::{Driven, Joint, Kinematics, Tree, Twist};
use bristle_math::Real;
use nalgebra::Vector3;

impl<T: Real> Tree<T> {
    /// Angular acceleration of every link and acceleration of its origin (second derivative of its position), in world
    /// axes, without gravity.
    pub fn link_accelerations(
        &self,
        kin: &Kinematics<T>,
        v: &[T],
        vdot: &[T],
        driven: &[Driven<T>],
        out: &mut [Twist<T>],
    ) {
        for (i, link) in self.links().iter().enumerate() {
            if let Joint::Driven = link.joint {
                out[i] = driven[self.nodes()[i].driven].acceleration;
                continue;
            }
            let range = self.v_range(i);
            let mut sum = Twist::zero();
            for (k, index) in range.clone().enumerate() {
                sum += self.column(kin, i, k) * vdot[index];
            }
            if !matches!(link.joint, Joint::Floating) {
                sum.angular += bias(&link.joint, kin.columns(range.clone()), &v[range]);
            }
            if let Some(parent) = link.parent {
                let (spin, relative) = (kin.twist(parent).angular, self.relative_twist(kin, i, v));
                let offset: Vector3<T> = kin.origin(i) - kin.origin(parent);
                sum += out[parent].at(&offset);
                sum.angular += spin.cross(&relative.angular);
                sum.linear += spin.cross(&(spin.cross(&offset) + relative.linear * T::lit(2.0)));
            }
            out[i] = sum;
        }
    }
}
