//! Symmetric positive definite systems of fixed small size, without a branch on values.
//!
//! ```text
//! A = L D Lᵀ      L unit lower triangular, D diagonal and positive
//! ```
//! Stable without pivoting for positive definite A, whatever the units of its rows. Works on lanes and duals.

use bristle_math::Real;

/// Factors of a symmetric positive definite matrix; only its lower triangle is read.
#[derive(Debug, Clone)]
pub(crate) struct Ldl<T, const N: usize> {
    lower: [[T; N]; N],
    inverse_pivots: [T; N],
    /// Diagonal of D.
    pub(crate) pivots: [T; N],
}

impl<T: Real, const N: usize> Ldl<T, N> {
    #[inline]
    pub(crate) fn new(a: &[[T; N]; N]) -> Self {
        let zero = T::lit(0.0);
        let (mut lower, mut pivots, mut inverse_pivots) = ([[zero; N]; N], [zero; N], [zero; N]);
        for j in 0..N {
            let mut pivot = a[j][j];
            for k in 0..j {
                pivot -= lower[j][k].squared() * pivots[k];
            }
            pivots[j] = pivot;
            inverse_pivots[j] = T::lit(1.0) / pivot;
            for i in j + 1..N {
                let mut sum = a[i][j];
                for k in 0..j {
                    sum -= lower[i][k] * lower[j][k] * pivots[k];
                }
                lower[i][j] = sum * inverse_pivots[j];
            }
        }
        Self { lower, inverse_pivots, pivots }
    }

    /// The solution of A x = b.
    #[inline]
    pub(crate) fn solve(&self, mut b: [T; N]) -> [T; N] {
        for i in 0..N {
            for k in 0..i {
                let known = b[k];
                b[i] -= self.lower[i][k] * known;
            }
        }
        for i in (0..N).rev() {
            b[i] *= self.inverse_pivots[i];
            for k in i + 1..N {
                let known = b[k];
                b[i] -= self.lower[k][i] * known;
            }
        }
        b
    }

    /// Column `j` of the inverse of A.
    #[inline]
    pub(crate) fn inverse_column(&self, j: usize) -> [T; N] {
        let mut unit = [T::lit(0.0); N];
        unit[j] = T::lit(1.0);
        self.solve(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solution_satisfies_the_system() {
        let a = [[4.0, 1.0, -0.5], [1.0, 3.0, 0.2], [-0.5, 0.2, 1e-3 + 0.2]];
        let b = [1.0, -2.0, 0.3];
        let x = Ldl::new(&a).solve(b);
        for (row, expected) in a.iter().zip(b) {
            let sum: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            assert!((sum - expected).abs() < 1e-13, "{sum} {expected}");
        }
    }

    #[test]
    fn inverse_columns_multiply_to_the_identity() {
        let a = [[2.0, 0.3], [0.3, 1e6]];
        let column = Ldl::new(&a).inverse_column(1);
        assert!((2.0 * column[0] + 0.3 * column[1]).abs() < 1e-15);
        assert!((0.3 * column[0] + 1e6 * column[1] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_singular_matrix_shows_a_zero_pivot() {
        assert_eq!(Ldl::new(&[[1.0, 2.0], [2.0, 4.0]]).pivots, [1.0, 0.0]);
    }
}
