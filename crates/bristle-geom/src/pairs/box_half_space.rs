//! A box or a convex polyhedron on a half-space, for laws on depth: its corners, one tip each.
//!
//! Bit 0, 1 and 2 of the key tell whether the corner of a box lies at −x, −y and −z of it; the key of a polyhedron's
//! corner is its number. Depth, rate, normal and its rate are exact; corners have no area, so that laws on depth see
//! points. Volumes: [`polyhedron_half_space`](super::polyhedron_half_space).

use crate::touch::Touch;
use crate::{Convex, Patch, Placed};
use bristle_math::{Real, Vector3};

/// All corners of a box, in the order of their keys.
#[inline]
pub(crate) fn corners<T: Real>(support: &Placed<T>, at: &Placed<T>, half: &Vector3<T>, out: &mut [Patch<T>]) {
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    let arms = [axes.column(0) * half.x, axes.column(1) * half.y, axes.column(2) * half.z];
    let signed = |arm: usize, key: usize| if key >> arm & 1 == 0 { arms[arm] } else { -arms[arm] };
    tips(support, at, |key| signed(0, key) + signed(1, key) + signed(2, key), out);
}

/// All corners of a polyhedron.
pub(crate) fn vertices<T: Real>(support: &Placed<T>, at: &Placed<T>, body: &Convex, out: &mut [Patch<T>]) {
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    tips(support, at, |key| axes * body.vertices()[key].map(T::lit), out);
}

#[inline(always)]
fn tips<T: Real>(
    support: &Placed<T>,
    at: &Placed<T>,
    offset: impl Fn(usize) -> Vector3<T>,
    out: &mut [Patch<T>],
) {
    let normal = support.axis_z();
    let normal_rate = support.twist.angular.cross(&normal);
    for (key, patch) in out.iter_mut().enumerate() {
        let offset = offset(key);
        let point = at.origin() + offset;
        let from_support = point - support.origin();
        let velocity = at.velocity(&offset) - support.velocity(&from_support);
        let depth = -from_support.dot(&normal);
        *patch = Touch { point, normal, normal_rate, depth, rate: -velocity.dot(&normal) }.tip(key as u32);
    }
}
