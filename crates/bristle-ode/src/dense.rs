//! The solution between the ends of a step.
//!
//! ```text
//! x(θ) = cubic through x₀, h f₀, x₁, h f₁  +  θ² (1-θ)² (r₅ + θ (r₆ + (1-θ) (r₇ + θ r₈)))
//! ```
//! Without the bump this is the cubic of Hermite, of order 3. Dormand–Prince 5(4) adds `r₅` for
//! order 4, method 853 adds `r₅ … r₈` for order 7 (Hairer, Nørsett, Wanner 1993, II.6).

use bristle_math::Real;

/// The cubic through both ends at the fraction `theta` of a step `h`, written to `x`.
pub(crate) fn cubic<T: Real>(x0: &[T], x1: &[T], f0: &[T], f1: &[T], h: T, theta: T, x: &mut [T]) {
    let n = x.len();
    let (x0, x1, f0, f1) = (&x0[..n], &x1[..n], &f0[..n], &f1[..n]);
    let rest = T::lit(1.0) - theta;
    for i in 0..n {
        let chord = x1[i] - x0[i];
        let bend = h * f0[i] - chord;
        let twist = chord - h * f1[i] - bend;
        x[i] = x0[i] + theta * (chord + rest * (bend + theta * twist));
    }
}

/// Adds what a method's dense output has beyond the cubic.
pub(crate) fn add_bumps<T: Real>(bumps: &[Vec<T>], theta: T, x: &mut [T]) {
    let rest = T::lit(1.0) - theta;
    let window = (theta * rest).squared();
    let n = x.len();
    match bumps {
        [r5] => {
            for (x, &r5) in x.iter_mut().zip(r5) {
                *x += window * r5;
            }
        }
        [r5, r6, r7, r8] => {
            let (r5, r6, r7, r8) = (&r5[..n], &r6[..n], &r7[..n], &r8[..n]);
            for i in 0..n {
                x[i] += window * (r5[i] + theta * (r6[i] + rest * (r7[i] + theta * r8[i])));
            }
        }
        _ => {}
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
            cubic(&[f(a)], &[f(a + h)], &[df(a)], &[df(a + h)], h, theta, &mut x);
            // A few operations on numbers near 2: a few units in the last place.
            assert!((x[0] - f(a + h * theta)).abs() < 10.0 * f64::EPSILON);
        }
    }
}
