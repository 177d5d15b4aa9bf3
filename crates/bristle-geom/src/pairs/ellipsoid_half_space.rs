//! An ellipsoid on a half-space. Exact in everything: a stretched spherical cap.
//!
//! With D = diag(radii) and n in the body's axes, h = |D n| is how far the ellipsoid reaches towards the plane, and
//! stretching by D⁻¹ makes it a unit ball with a cap of height t = depth/h:
//!
//! ```text
//! V = πabc t²(1 − t/3)      A = dV/dχ = π(abc/h) t(2 − t)      M = πabc h t³(1/3 − t/12)
//! deepest point −D²n/h      centroid −(D²n/h) 3(2 − t)²/4(3 − t)      centre of the section −(D²n/h)(1 − t)
//! ```
//!
//! For laws on depth the patch has the Gaussian curvature of the deepest point, √K = h²/abc; its volume is that of a ball
//! with this curvature, right to first order in depth/h.

use crate::overlap::Sunk;
use crate::touch::Touch;
use crate::{Overlap, Patch, Placed};
use bristle_math::{Matrix3, Real, Scalar, Vector3};
use std::f64::consts::PI;

/// The ellipsoid seen along the plane's normal.
struct Seen<T> {
    normal: Vector3<T>,
    /// D²n/h in world axes: from the deepest point to the centre.
    arm: Vector3<T>,
    /// How far it reaches towards the plane.
    reach: T,
    depth: T,
    product: T,
}

#[inline]
fn look<T: Real>(support: &Placed<T>, at: &Placed<T>, radii: &Vector3<T>) -> Seen<T> {
    let normal = support.axis_z();
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    let stretched = axes.tr_mul(&normal).component_mul(radii);
    let reach = stretched.dot(&stretched).sqrt();
    let arm = axes * stretched.component_mul(radii) / reach;
    let depth = reach - (at.origin() - support.origin()).dot(&normal);
    Seen { normal, arm, reach, depth, product: radii.x * radii.y * radii.z }
}

/// The contact at the deepest point.
#[inline]
pub(crate) fn touch<T: Real>(support: &Placed<T>, at: &Placed<T>, radii: &Vector3<T>) -> Patch<T> {
    let Seen { normal, arm, reach, depth, product } = look(support, at, radii);
    let point = at.origin() - arm;
    let velocity = at.velocity(&-arm) - support.velocity(&(point - support.origin()));
    let normal_rate = support.twist.angular.cross(&normal);
    let touch = Touch { point, normal, normal_rate, depth, rate: -velocity.dot(&normal) };
    touch.round(0, T::lit(0.0), reach.squared() / product)
}

/// What lies below the plane.
pub(crate) fn overlap<T: Scalar>(support: &Placed<T>, at: &Placed<T>, radii: &Vector3<T>) -> Overlap<T> {
    let seen = look(support, at, radii);
    let (one, two, three) = (T::lit(1.0), T::lit(2.0), T::lit(3.0));
    let (h, product) = (seen.reach, T::lit(PI) * seen.product);
    let t = (seen.depth / h).positive().min(two);
    let volume = product * t.squared() * (one - t / three);
    let ring = t * (two - t);
    let below = (seen.depth - two * h).positive();
    let moment = product * h * t.squared() * t * (one / three - t / T::lit(12.0)) + volume * below;
    let area = product / h * ring;
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    let squares = axes * Matrix3::from_diagonal(&radii.component_mul(radii)) * axes.transpose();
    let sunk = Sunk {
        depth: seen.depth,
        volume,
        center: at.origin() - seen.arm * (three * (two - t).squared() / (T::lit(4.0) * (three - t))),
        moment,
        area,
        area_center: at.origin() - seen.arm * (one - t),
        second: (squares - seen.arm * seen.arm.transpose()) * (area * ring / T::lit(4.0)),
    };
    Overlap::in_half_space(support, at, &sunk)
}
