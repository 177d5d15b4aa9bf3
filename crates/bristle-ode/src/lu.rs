//! Dense systems: factors with row exchanges, and solutions.

use bristle_math::Scalar;

/// Factors a square matrix in place, largest pivots first.
///
/// By hand, because it works on scalars that carry derivatives and in buffers that are there already.
pub(crate) fn lu<T: Scalar>(a: &mut [T], pivots: &mut [usize]) -> bool {
    let n = pivots.len();
    for k in 0..n {
        let size = |i: usize, a: &[T]| a[i * n + k].value().abs();
        let best = (k..n).fold(k, |best, i| if size(i, a) > size(best, a) { i } else { best });
        pivots[k] = best;
        if size(best, a) == 0.0 || !size(best, a).is_finite() {
            return false;
        }
        if best != k {
            (0..n).for_each(|j| a.swap(k * n + j, best * n + j));
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let row = &above[k * n..];
        let inverse = T::lit(1.0) / row[k];
        for other in below.chunks_exact_mut(n) {
            let share = other[k] * inverse;
            if share.is_exactly(0.0) {
                continue;
            }
            other[k] = share;
            other[k + 1..].iter_mut().zip(&row[k + 1..]).for_each(|(x, y)| *x -= share * *y);
        }
    }
    true
}

/// Solves with the factors of [`lu`], in place.
pub(crate) fn substitute<T: Scalar>(lu: &[T], pivots: &[usize], x: &mut [T]) {
    let n = pivots.len();
    for (k, &pivot) in pivots.iter().enumerate() {
        x.swap(k, pivot);
    }
    for i in 0..n {
        let (done, rest) = x.split_at_mut(i);
        let row = &lu[i * n..i * n + i];
        rest[0] -= row.iter().zip(done.iter()).fold(T::lit(0.0), |sum, (a, x)| sum + *a * *x);
    }
    for i in (0..n).rev() {
        let (head, solved) = x.split_at_mut(i + 1);
        let row = &lu[i * n..(i + 1) * n];
        let sum = row[i + 1..].iter().zip(solved.iter()).fold(T::lit(0.0), |sum, (a, x)| sum + *a * *x);
        head[i] = (head[i] - sum) / row[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_solve_with_rows_that_must_be_exchanged() {
        let matrix = [0.0, 2.0, 1.0, 4.0, -1.0, 0.5, 3.0, 5.0, -2.0];
        let x = [1.5, -2.0, 0.25];
        let mut right: Vec<f64> =
            matrix.chunks(3).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect();
        let (mut a, mut pivots) = (matrix, [0; 3]);
        assert!(lu(&mut a, &mut pivots));
        substitute(&a, &pivots, &mut right);
        right.iter().zip(x).for_each(|(found, x)| assert!((found - x).abs() < 1e-15 * 16.0));
        assert!(!lu(&mut [1.0, 2.0, 2.0, 4.0], &mut [0; 2]));
    }
}
