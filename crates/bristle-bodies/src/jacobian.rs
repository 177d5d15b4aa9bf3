//! What each velocity does to a point, a link or the centre of mass.
//!
//! ```text
//! link at x      column of v_k = S_k seen at x, for joints that carry the link; zero for the others
//! centre         column of v_k = (m_k / m) (velocity that S_k gives to the centre of what it carries, of mass m_k)
//! ```
//! Motion of driven links is not part of these: (twist at x) = J v holds while they stand still.

use crate::{Kinematics, Scratch, Tree, Twist};
use bristle_math::Real;
use nalgebra::Vector3;

impl<T: Real> Tree<T> {
    /// Geometric Jacobian of the material point of `link` that is at `point` of the world: `out[k]` is the angular
    /// velocity of the link and the velocity of the point, in world axes, for a unit of `v[k]`. The effort that a
    /// wrench at the point has along `v[k]` is `out[k].power(&wrench)`. `out` has length `nv`; no allocation.
    pub fn jacobian(&self, kin: &Kinematics<T>, link: usize, point: &Vector3<T>, out: &mut [Twist<T>]) {
        debug_assert_eq!(out.len(), self.nv());
        out.fill(Twist::zero());
        let mut carrier = Some(link);
        while let Some(i) = carrier {
            let offset = point - kin.origin(i);
            for (k, index) in self.v_range(i).enumerate() {
                out[index] = self.column(kin, i, k).at(&offset);
            }
            carrier = self.links()[i].parent;
        }
    }

    /// Jacobian of the common centre of mass: `out[k]` is its velocity, m/s, in world axes, for a unit of `v[k]`.
    /// `out` has length `nv`; no allocation.
    pub fn center_jacobian(&self, kin: &Kinematics<T>, out: &mut [Vector3<T>], ws: &mut Scratch<T>) {
        debug_assert_eq!(out.len(), self.nv());
        for (i, link) in self.links().iter().enumerate() {
            // mass and mass times centre of what the link carries, itself included
            let mass = link.inertia.mass;
            ws.carried[i] = (mass, self.center_of_mass(kin, i) * mass);
        }
        let inverse = T::lit(1.0) / self.mass();
        for (i, link) in self.links().iter().enumerate().rev() {
            let (mass, moment) = ws.carried[i];
            let arm = moment - kin.origin(i) * mass;
            for (k, index) in self.v_range(i).enumerate() {
                let column = self.column(kin, i, k);
                out[index] = (column.linear * mass + column.angular.cross(&arm)) * inverse;
            }
            if let Some(parent) = link.parent {
                ws.carried[parent].0 += mass;
                ws.carried[parent].1 += moment;
            }
        }
    }
}
