//! Adaptive quadrature of several integrands at once, on plain numbers that duals ride along with.

use bristle_math::{Scalar, gauss};

/// An interval is halved at most so often: what a jump spoils is then 2⁻⁴⁴ of the whole.
const DEEPEST: u32 = 44;

/// Halvings in all: a few jumps need some forty each, noise would need them everywhere.
const HALVINGS: usize = 400;

/// ∫ f over `[a, b]`. An interval is accepted when halving it changes no integral by more than `tolerance`, which
/// holds one bound for each integrand.
pub(crate) fn integrate<T: Scalar, const N: usize>(
    (a, b): (f64, f64),
    tolerance: &[f64; N],
    mut f: impl FnMut(f64) -> [T; N],
) -> [T; N] {
    let mut sum = [T::lit(0.0); N];
    let mut waiting = [(0.0, 0.0, 0); DEEPEST as usize + 2];
    let mut whole = [[T::lit(0.0); N]; DEEPEST as usize + 2];
    waiting[0] = (a, b, 0);
    whole[0] = rule(a, b, &mut f);
    let (mut count, mut halvings) = (1, 0);
    while count > 0 {
        count -= 1;
        let ((a, b, level), coarse) = (waiting[count], whole[count]);
        let middle = 0.5 * (a + b);
        let (left, right) = (rule(a, middle, &mut f), rule(middle, b, &mut f));
        let is_settled = (0..N).all(|i| {
            let change = (left[i] + right[i] - coarse[i]).value().abs();
            change <= tolerance[i] || change.is_nan()
        });
        halvings += 1;
        if is_settled || level == DEEPEST || halvings > HALVINGS {
            (0..N).for_each(|i| sum[i] += left[i] + right[i]);
        } else {
            (waiting[count], whole[count]) = ((a, middle, level + 1), left);
            (waiting[count + 1], whole[count + 1]) = ((middle, b, level + 1), right);
            count += 2;
        }
    }
    sum
}

/// Seventeen points, both ends among them.
pub(crate) fn rule<T: Scalar, const N: usize>(a: f64, b: f64, f: &mut impl FnMut(f64) -> [T; N]) -> [T; N] {
    let mut sum = [T::lit(0.0); N];
    for (x, w) in gauss::closed17() {
        let values = f(a + (b - a) * x);
        (0..N).for_each(|i| sum[i] += values[i] * T::lit(w * (b - a)));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_kinks_and_roots() {
        let sum = integrate((0.0, 1.0), &[1e-13; 2], |x: f64| [(x - 0.3).abs(), (1.0 - x).sqrt()]);
        assert!((sum[0] - (0.045 + 0.245)).abs() < 1e-12 && (sum[1] - 2.0 / 3.0).abs() < 1e-12);
    }

    /// A kink this close to the end lies between it and the first node of a rule that leaves the ends out.
    #[test]
    fn finds_a_kink_next_to_an_end() {
        let sum = integrate((0.0, 1.0), &[1e-13], |x: f64| [(x - 0.002).max(0.0)]);
        assert!((sum[0] - 0.5 * 0.998 * 0.998).abs() < 1e-12);
    }

    #[test]
    fn ends_on_noise() {
        let mut calls = 0;
        let noise = |x: f64| {
            calls += 1;
            [(x.to_bits() % 7) as f64]
        };
        assert!(integrate((0.0, 1.0), &[1e-13], noise)[0].is_finite());
        assert!(calls < 34 * 2 * HALVINGS, "{calls}");
    }

    #[test]
    fn ends_on_what_is_no_number() {
        assert!(integrate((0.0, 1.0), &[1e-13], |_: f64| [f64::NAN])[0].is_nan());
    }
}
