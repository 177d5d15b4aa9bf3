//! The solution between the ends of a step.
//!
//! ```text
//! x(θ) = cubic through x₀, h f₀, x₁, h f₁  +  θ² (1-θ)² (r₅ + θ (r₆ + (1-θ) (r₇ + θ r₈)))
//! ```
//! Without the bump this is the cubic of Hermite, of order 3. Dormand–Prince 5(4) adds `r₅` for
//! order 4, method 853 adds `r₅ … r₈` for order 7 (Hairer, Nørsett, Wanner 1993, II.6).

use bristle_math::Real;

/// The first numbers of the solution at the fraction `theta` of a step `h`, as many as `x` has: `[x₀, x₁, f₀, f₁]`, and what the
/// dense output of a method has beyond the cubic.
pub(crate) fn interpolate<T: Real>(ends: [&[T]; 4], bumps: &[Vec<T>], h: T, theta: T, x: &mut [T]) {
    let rest = T::lit(1.0) - theta;
    let window = (theta * rest).squared();
    let n = x.len();
    match bumps {
        [r5] => {
            let r5 = &r5[..n];
            along(ends, h, theta, x, |i| window * r5[i]);
        }
        [r5, r6, r7, r8] => {
            let (r5, r6, r7, r8) = (&r5[..n], &r6[..n], &r7[..n], &r8[..n]);
            along(ends, h, theta, x, |i| window * (r5[i] + theta * (r6[i] + rest * (r7[i] + theta * r8[i]))));
        }
        _ => along(ends, h, theta, x, |_| T::lit(0.0)),
    }
}

/// The cubic through both ends with a bump on it.
#[inline(always)]
fn along<T: Real>(ends: [&[T]; 4], h: T, theta: T, x: &mut [T], bump: impl Fn(usize) -> T) {
    let n = x.len();
    // Slices of one length: the compiler then checks no index inside the loop.
    let [x0, x1, f0, f1] = ends.map(|of| &of[..n]);
    let rest = T::lit(1.0) - theta;
    for i in 0..n {
        let chord = x1[i] - x0[i];
        let bend = h * f0[i] - chord;
        let twist = chord - h * f1[i] - bend;
        x[i] = x0[i] + theta * (chord + rest * (bend + theta * twist)) + bump(i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_is_met_exactly() {
        let f = |t: f64| 1.0 + t * (2.0 + t * (-3.0 + t * 0.5));
        let df = |t: f64| 2.0 + t * (-6.0 + t * 1.5);
        let (a, h) = (0.25, 0.5);
        for theta in [0.0, 0.3, 0.9, 1.0] {
            let mut x = [0.0];
            interpolate([&[f(a)], &[f(a + h)], &[df(a)], &[df(a + h)]], &[], h, theta, &mut x);
            // A few operations on numbers near 2: a few units in the last place.
            assert!((x[0] - f(a + h * theta)).abs() < 10.0 * f64::EPSILON);
        }
    }
}
