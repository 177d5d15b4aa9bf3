//! One-dimensional roots inside a bracket.

/// Root of `f` in `[a, b]` by Brent's method (inverse quadratic steps, bisection where they do not pay).
/// `f(a)` and `f(b)` must differ in sign; if they do not, or a value is not a number, the answer is
/// `None`. Stops at `tolerance`, or at the spacing of doubles.
///
/// ```
/// let root = bristle_math::root::find(|x| x * x - 2.0, 0.0, 2.0, 0.0);
/// assert!((root.unwrap() - 2f64.sqrt()).abs() < 1e-15);
/// ```
pub fn find(mut f: impl FnMut(f64) -> f64, a: f64, b: f64, tolerance: f64) -> Option<f64> {
    let (mut a, mut b) = (a, b);
    let (mut fa, mut fb) = (f(a), f(b));
    if fa.is_nan() || fb.is_nan() || (fa > 0.0 && fb > 0.0) || (fa < 0.0 && fb < 0.0) {
        return None;
    }
    // The root lies between b, the best estimate, and c; a is the previous estimate.
    let (mut c, mut fc) = (a, fa);
    let mut step = b - a;
    let mut previous_step = step;
    for _ in 0..200 {
        if (fb > 0.0) == (fc > 0.0) {
            (c, fc) = (a, fa);
            step = b - a;
            previous_step = step;
        }
        if fc.abs() < fb.abs() {
            (a, b, c) = (b, c, b);
            (fa, fb, fc) = (fb, fc, fb);
        }
        let finest = 2.0 * f64::EPSILON * b.abs() + 0.5 * tolerance;
        let half = 0.5 * (c - b);
        if half.abs() <= finest || fb == 0.0 {
            return Some(b);
        }
        if previous_step.abs() >= finest && fa.abs() > fb.abs() {
            let s = fb / fa;
            let (mut p, mut q) = if a == c {
                (2.0 * half * s, 1.0 - s)
            } else {
                let (u, r) = (fa / fc, fb / fc);
                (s * (2.0 * half * u * (u - r) - (b - a) * (r - 1.0)), (u - 1.0) * (r - 1.0) * (s - 1.0))
            };
            if p > 0.0 {
                q = -q;
            }
            p = p.abs();
            if 2.0 * p < (3.0 * half * q - (finest * q).abs()).min((previous_step * q).abs()) {
                previous_step = step;
                step = p / q;
            } else {
                step = half;
                previous_step = half;
            }
        } else {
            step = half;
            previous_step = half;
        }
        (a, fa) = (b, fb);
        b += if step.abs() > finest { step } else { finest.copysign(half) };
        fb = f(b);
        if fb.is_nan() {
            return None;
        }
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_of_any_shape() {
        let near = |found: Option<f64>, root: f64| (found.unwrap() - root).abs() <= 4.0 * f64::EPSILON;
        assert!(near(find(|x| x.cos() - x, 0.0, 1.0, 0.0), 0.739_085_133_215_160_6));
        assert!(near(find(|x| x.cbrt() - 1.0, -1.0, 30.0, 0.0), 1.0));
        assert!(near(find(|x| (x - 1e-7) * 1e12, 0.0, 1.0, 0.0), 1e-7));
        assert!(near(find(|x| 1.0 - x.exp(), -2.0, 5.0, 0.0), 0.0));
    }

    #[test]
    fn needs_a_change_of_sign() {
        assert_eq!(find(|x| x * x + 1.0, -1.0, 1.0, 0.0), None);
        assert_eq!(find(|_| f64::NAN, -1.0, 1.0, 0.0), None);
    }

    #[test]
    fn converges_faster_than_bisection() {
        let mut calls = 0;
        let f = |x: f64| {
            calls += 1;
            x.exp() - 3.0
        };
        assert!((find(f, 0.0, 4.0, 0.0).unwrap() - 3f64.ln()).abs() < 1e-15);
        assert!(calls < 20, "{calls} evaluations; bisection needs 52");
    }
}
