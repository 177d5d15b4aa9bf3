//! The mass matrix: the composite-rigid-body algorithm.
//!
//! ```text
//! Iᶜ_p += Iᶜ      F = Iᶜ_i S_i      M_ii = S_iᵀ F + armature      M_ij = Fᵀ S_j   for every j that carries i
//! ```
//! 6×6 matrices about the world origin, on purpose apart from the blocks of the forward dynamics. O(n d²) for depth
//! d, and dense: meant for checks, for modal questions and for small trees. Source: Featherstone (2008), §6.2,
//! table 6.2.

use crate::{Inertia, Kinematics, Tree, Twist};
use bristle_math::Real;
use nalgebra::{DMatrix, Matrix6, Vector6};

impl<T: Real> Tree<T> {
    /// Mass matrix M(q), `nv` by `nv`: kinetic energy is ½ vᵀ M v while driven links stand still. Allocates.
    pub fn mass_matrix(&self, kin: &Kinematics<T>) -> DMatrix<T> {
        let n = self.links().len();
        let mut composite: Vec<_> = (0..n).map(|i| matrix(&self.world_inertia(kin, i))).collect();
        let mut mass = DMatrix::from_element(self.nv(), self.nv(), T::lit(0.0));
        for (i, link) in self.links().iter().enumerate().rev() {
            for (k, row) in self.v_range(i).enumerate() {
                let force = composite[i] * self.world_column(kin, i, k);
                let mut carrier = Some(i);
                while let Some(j) = carrier {
                    for (l, column) in self.v_range(j).enumerate() {
                        let entry = force.dot(&self.world_column(kin, j, l));
                        mass[(row, column)] = entry;
                        mass[(column, row)] = entry;
                    }
                    carrier = self.links()[j].parent;
                }
            }
            if let Some(parent) = link.parent {
                let carried = composite[i];
                composite[parent] += carried;
            }
        }
        for (k, &armature) in self.armature().iter().enumerate() {
            mass[(k, k)] += armature;
        }
        mass
    }

    fn world_column(&self, kin: &Kinematics<T>, link: usize, k: usize) -> Vector6<T> {
        stack(&self.column(kin, link, k).at(&-kin.origin(link)))
    }
}

fn stack<T: Real>(twist: &Twist<T>) -> Vector6<T> {
    let (w, v) = (&twist.angular, &twist.linear);
    Vector6::new(w.x, w.y, w.z, v.x, v.y, v.z)
}

/// Spatial inertia as a matrix, angular rows first.
fn matrix<T: Real>(inertia: &Inertia<T>) -> Matrix6<T> {
    let mut out = Matrix6::zeros();
    let shift = inertia.center.cross_matrix() * inertia.mass;
    let rotational = inertia.about_center + shift * inertia.center.cross_matrix().transpose();
    out.fixed_view_mut::<3, 3>(0, 0).copy_from(&rotational);
    out.fixed_view_mut::<3, 3>(0, 3).copy_from(&shift);
    out.fixed_view_mut::<3, 3>(3, 0).copy_from(&shift.transpose());
    for k in 3..6 {
        out[(k, k)] = inertia.mass;
    }
    out
}
