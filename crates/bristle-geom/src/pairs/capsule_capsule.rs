//! Two capsules: the nearest points of their segments decide.
//!
//! ```text
//! d = q_B − q_A      q = o + s e      |d|² smallest over |s| ≤ h, |t| ≤ k
//! ```
//!
//! Depth, rate, normal and its rate are exact, crossed, end to side and end to end. Where the axes are
//! parallel the nearest points are not unique: the middle of the stretch that lies side by side is taken,
//! so that two equal capsules on top of each other push through their middle. A tilt moves the point to one
//! end, as it does in truth; depth stays continuous. Sides count with their mean curvature 1/2R, ends with
//! 1/R. The force acts in the middle of the overlap.

use crate::touch::{Touch, across, direction};
use crate::{Patch, Placed};
use bristle_math::{Real, select};

/// sin² of the angle below which axes count as parallel.
const PARALLEL: f64 = 1e-12;

/// Nearest points of two segments.
struct Nearest<T: Real> {
    s: T,
    t: T,
    is_free_s: T::SimdBool,
    is_free_t: T::SimdBool,
    sin_squared: T,
    is_parallel: T::SimdBool,
}

/// `gap` leads from the middle of A to the middle of B; `p`, `r` are its parts along the axes, `c` the cosine between
/// them.
#[inline]
fn nearest<T: Real>(p: T, r: T, c: T, h: T, k: T) -> Nearest<T> {
    let one = T::lit(1.0);
    let sin_squared = one - c * c;
    let is_parallel = sin_squared.simd_lt(T::lit(PARALLEL));
    let divisor = select(is_parallel, one, sin_squared);
    // Parallel: B covers p ± k on A's axis; the middle of what both cover.
    let overlap = T::lit(0.5) * ((p - k).clamp(-h, h) + (p + k).clamp(-h, h));
    let s = select(is_parallel, overlap, ((p - c * r) / divisor).clamp(-h, h));
    let t_free = c * s - r;
    let t = t_free.clamp(-k, k);
    // A's point once more, for B's point at its end; nothing changes where it was free.
    let is_free_t = t_free.abs().simd_lt(k);
    let s_again = p + c * t;
    let s_at_end = s_again.clamp(-h, h);
    let s = select(is_free_t, s, s_at_end);
    Nearest { s, t, is_free_s: s.abs().simd_lt(h), is_free_t, sin_squared, is_parallel }
}

/// The one patch of two capsules.
#[inline]
pub(crate) fn capsules<T: Real>(
    a: &Placed<T>,
    (radius_a, h): (T, T),
    b: &Placed<T>,
    (radius_b, k): (T, T),
) -> Patch<T> {
    let (zero, one) = (T::lit(0.0), T::lit(1.0));
    let (e, f) = (a.axis_z(), b.axis_z());
    let gap = b.origin() - a.origin();
    let c = e.dot(&f);
    let near = nearest(gap.dot(&e), gap.dot(&f), c, h, k);
    let (arm_a, arm_b) = (e * near.s, f * near.t);
    let d = gap + arm_b - arm_a;
    let (cross, _, _) = direction(&e.cross(&f), &a.axis_x());
    let (normal, length, inverse) = direction(&d, &cross);

    // d·e = 0 and d·f = 0 stay true while the points are free to slide: that gives their speeds.
    let velocity = b.velocity(&arm_b) - a.velocity(&arm_a);
    let (free_s, free_t) = (select(near.is_free_s, one, zero), select(near.is_free_t, one, zero));
    let g_e = velocity.dot(&e) + d.dot(&a.twist.angular.cross(&e));
    let g_f = velocity.dot(&f) + d.dot(&b.twist.angular.cross(&f));
    let is_both = near.is_free_s & near.is_free_t;
    let divisor = select(is_both & !near.is_parallel, near.sin_squared, one);
    let slide_s = free_s * (g_e - free_t * c * g_f) / divisor;
    let slide_t = free_t * (c * slide_s - g_f);
    let carried = velocity + f * slide_t - e * slide_s;

    let depth = radius_a + radius_b - length;
    let touch = Touch {
        point: a.origin() + arm_a + normal * (radius_a - T::lit(0.5) * depth),
        normal,
        normal_rate: across(&carried, &normal) * inverse,
        depth,
        rate: -velocity.dot(&normal),
    };
    let half = T::lit(0.5);
    let share = |is_side| select(is_side, half, one);
    touch.round(0, share(near.is_free_s) / radius_a, share(near.is_free_t) / radius_b)
}
