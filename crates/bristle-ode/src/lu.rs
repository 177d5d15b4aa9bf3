//! Dense systems: factors with row exchanges, and solutions.

use bristle_math::Scalar;

/// Factors a square matrix in place, columns one after another, largest pivots first. What comes off the diagonal is its inverse.
///
/// By hand, because it works on scalars that carry derivatives and in buffers that are there already.
pub(crate) fn lu<T: Scalar>(a: &mut [T], pivots: &mut [usize]) -> bool {
    let n = pivots.len();
    for k in 0..n {
        let (done, rest) = a.split_at_mut(k * n);
        let (column, rest) = rest.split_at_mut(n);
        let size = |i: usize| column[i].value().abs();
        let best = (k..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
        pivots[k] = best;
        if size(best) == 0.0 || !size(best).is_finite() {
            return false;
        }
        if best != k {
            column.swap(k, best);
            done.chunks_exact_mut(n).chain(rest.chunks_exact_mut(n)).for_each(|column| column.swap(k, best));
        }
        column[k] = T::lit(1.0) / column[k];
        let (upper, lower) = column.split_at_mut(k + 1);
        lower.iter_mut().for_each(|x| *x *= upper[k]);
        for other in rest.chunks_exact_mut(n) {
            let (upper, below) = other.split_at_mut(k + 1);
            if !upper[k].is_exactly(0.0) {
                subtract(below, upper[k], lower);
            }
        }
    }
    true
}

/// Solves with the factors of [`lu`], in place: by columns, whose numbers wait for none of each other.
pub(crate) fn substitute<T: Scalar>(lu: &[T], pivots: &[usize], x: &mut [T]) {
    let n = pivots.len();
    for (k, &pivot) in pivots.iter().enumerate() {
        x.swap(k, pivot);
    }
    for (k, column) in lu.chunks_exact(n.max(1)).enumerate() {
        let (head, tail) = x.split_at_mut(k + 1);
        subtract(tail, head[k], &column[k + 1..]);
    }
    for (k, column) in lu.chunks_exact(n.max(1)).enumerate().rev() {
        let (head, tail) = x.split_at_mut(k);
        tail[0] *= column[k];
        subtract(head, tail[0], &column[..k]);
    }
}

/// x −= share y
#[inline(always)]
pub(crate) fn subtract<T: Scalar>(x: &mut [T], share: T, y: &[T]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x -= share * *y);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_solve_with_rows_that_must_be_exchanged() {
        let matrix = [0.0, 2.0, 1.0, 4.0, -1.0, 0.5, 3.0, 5.0, -2.0];
        let x = [1.5, -2.0, 0.25];
        let mut right = [0.0; 3];
        matrix.chunks(3).zip(x).for_each(|(column, x)| subtract(&mut right, -x, column));
        let (mut a, mut pivots) = (matrix, [0; 3]);
        assert!(lu(&mut a, &mut pivots));
        substitute(&a, &pivots, &mut right);
        right.iter().zip(x).for_each(|(found, x)| assert!((found - x).abs() < 1e-15 * 16.0));
        assert!(!lu(&mut [1.0, 2.0, 2.0, 4.0], &mut [0; 2]));
    }
}
