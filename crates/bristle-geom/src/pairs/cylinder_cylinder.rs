//! Two cylinders at any angle: exact interference volume and its change, sides and ends.
//!
//! Where the patch lies inside both lengths, the closed relations of [`CrossedCylinders`] hold: V, A and M are those
//! of right angles over sin α. The bed also resists turning towards parallel, V' = −V cot α and M' = −M cot α, about
//! the common normal. Elsewhere (ends, axes next to parallel, overlaps deeper than the smaller radius) the volume
//! is summed from [slices](super::cylinder_slices); its effective normal is that of the vector area, and
//! `volume_moment` belongs to withdrawing straight along it.

use super::cylinder_slices::{Rod, Slices};
use crate::touch::{across, direction};
use crate::{Overlap, Patch, Placed};
use bristle_math::crossed::CrossedCylinders;
use bristle_math::{Scalar, Vector3};

/// sin α below which axes count as parallel: turning one into the other moves nothing by more than rounding.
const PARALLEL: f64 = 1e-12;

/// The overlap of two cylinders.
pub(crate) fn overlap<T: Scalar>(a: &Rod<'_, T>, b: &Rod<'_, T>) -> Overlap<T> {
    let (e, f) = (a.at.axis_z(), b.at.axis_z());
    let gap = b.at.origin() - a.at.origin();
    let (cross, sin, _) = direction(&e.cross(&f), &a.at.axis_x());
    let is_parallel = sin.value() < PARALLEL;
    if !is_parallel && let Some(closed) = crossed(a, b, &cross, sin) {
        return closed;
    }
    // Rounding of a short cross product leaves a part along e, which would tilt the slices.
    let sideways = if is_parallel { direction(&across(&gap, &e), &a.at.axis_x()).0 } else { cross };
    let up = direction(&across(&sideways, &e), &a.at.axis_x()).0;
    Slices::new(a, b, &up).overlap()
}

/// The closed form, where it holds.
fn crossed<T: Scalar>(a: &Rod<'_, T>, b: &Rod<'_, T>, cross: &Vector3<T>, sin: T) -> Option<Overlap<T>> {
    let (e, f) = (a.at.axis_z(), b.at.axis_z());
    let gap = b.at.origin() - a.at.origin();
    let (cos, height) = (e.dot(&f), gap.dot(cross));
    let (up, distance) = if height.value() < 0.0 { (-cross, -height) } else { (*cross, height) };
    let square = sin.squared();
    let (along_a, along_b) = (gap.dot(&e), gap.dot(&f));
    let foot_a = (along_a - cos * along_b) / square;
    let foot_b = (cos * along_a - along_b) / square;
    let depth = a.radius + b.radius - distance;
    let cylinders = CrossedCylinders { radius_a: a.radius, radius_b: b.radius };
    // Widths of the patch across both axes, and how far it reaches along them.
    let width = |r: T| (depth * (T::lit(2.0) * r - depth)).positive().sqrt();
    let (y, s) = (width(a.radius), width(b.radius));
    let reach_a = (y * cos.abs() + s) / sin + foot_a.abs();
    let reach_b = (s * cos.abs() + y) / sin + foot_b.abs();
    let is_inside = reach_a.value() <= a.half_length.value() && reach_b.value() <= b.half_length.value();
    if !is_inside || depth.value() > a.radius.min(b.radius).value() {
        return None;
    }
    let turning = a.at.twist.angular.cross(&e).cross(&f) + e.cross(&b.at.twist.angular.cross(&f));
    let normal_rate = across(&turning, cross) * (up.dot(cross) / sin);
    let foot = a.at.origin() + e * foot_a;
    let mut patch = Patch { normal: up, normal_rate, depth, ..Patch::none() };
    if depth.value() <= 0.0 {
        patch.point = foot + up * (a.radius - T::lit(0.5) * depth);
        patch.rate = approach(a.at, b.at, &patch);
        return Some(Overlap::apart(patch));
    }
    let right = cylinders.overlap(depth);
    patch.point = foot + up * (right.second_a / right.volume);
    patch.rate = approach(a.at, b.at, &patch);
    patch.area = right.area / sin;
    patch.volume = right.volume / sin;
    patch.volume_moment = right.moment / sin;
    let cotangent = cos / sin;
    let volume_turn = cross * (-patch.volume * cotangent);
    let spin = b.at.twist.angular - a.at.twist.angular;
    patch.volume_rate = patch.area * patch.rate + volume_turn.dot(&spin);
    Some(Overlap {
        area_center: patch.point,
        second: (f * f.transpose() * right.second_a + e * e.transpose() * right.second_b) / (square * sin),
        volume_turn,
        push: up * patch.volume,
        push_turn: cross * (patch.volume_moment * cotangent),
        patch,
    })
}

/// −(v_B − v_A)·n at the point.
pub(crate) fn approach<T: Scalar>(a: &Placed<T>, b: &Placed<T>, patch: &Patch<T>) -> T {
    (a.twist_at(&patch.point).linear - b.twist_at(&patch.point).linear).dot(&patch.normal)
}
