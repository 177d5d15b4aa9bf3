//! A box on a half-space: its eight corners, one tip each.
//!
//! Bit 0, 1 and 2 of the key tell whether the corner lies at −x, −y and −z of the box. Depth, rate, normal and its
//! rate are exact; corners have no area, so that laws on depth see eight points.

use crate::touch::Touch;
use crate::{Patch, Placed};
use bristle_math::{Real, Vector3};

/// All corners, in the order of their keys.
#[inline]
pub(crate) fn corners<T: Real>(support: &Placed<T>, at: &Placed<T>, half: &Vector3<T>, out: &mut [Patch<T>]) {
    let normal = support.axis_z();
    let normal_rate = support.twist.angular.cross(&normal);
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    let arms = [axes.column(0) * half.x, axes.column(1) * half.y, axes.column(2) * half.z];
    let signed = |arm: usize, key: usize| if key >> arm & 1 == 0 { arms[arm] } else { -arms[arm] };
    for (key, patch) in out.iter_mut().enumerate().take(8) {
        let offset = signed(0, key) + signed(1, key) + signed(2, key);
        let point = at.origin() + offset;
        let from_support = point - support.origin();
        let velocity = at.velocity(&offset) - support.velocity(&from_support);
        let depth = -from_support.dot(&normal);
        *patch = Touch { point, normal, normal_rate, depth, rate: -velocity.dot(&normal) }.tip(key as u32);
    }
}
