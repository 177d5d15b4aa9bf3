//! Symmetric positive definite systems whose rows begin late, in place.
//!
//! ```text
//! A = L Lᵀ      L has nothing where a row of A has nothing before its first entry
//! ```
//! Rows in an order in which neighbours couple begin close to the diagonal: a chain of contacts costs what its length is, and
//! systems side by side know nothing of each other.

use bristle_math::Scalar;

/// The lower triangle, row by row, from the first entry of a row to its diagonal.
pub(super) struct Envelope<T> {
    entries: Vec<T>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy)]
struct Row {
    /// Column of its first entry.
    first: usize,
    /// Where that stands.
    start: usize,
}

impl<T: Scalar> Envelope<T> {
    pub fn new() -> Self {
        Self { entries: Vec::new(), rows: Vec::new() }
    }

    /// Room for so many rows, all of them full.
    pub fn reserve(&mut self, rows: usize) {
        self.clear();
        self.rows.reserve(rows);
        self.entries.reserve(rows * (rows + 1) / 2);
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.rows.clear();
    }

    /// One more row, that of the identity, with entries from column `first` on.
    pub fn add_row(&mut self, first: usize) {
        let (number, start) = (self.rows.len(), self.entries.len());
        self.entries.resize(start + number - first, T::lit(0.0));
        self.entries.push(T::lit(1.0));
        self.rows.push(Row { first, start });
    }

    /// An entry in or below the diagonal, within its row.
    pub fn entry(&mut self, row: usize, column: usize) -> &mut T {
        let Row { first, start } = self.rows[row];
        &mut self.entries[start + column - first]
    }

    /// Puts L in the place of A.
    pub fn factor(&mut self) {
        let Self { entries, rows } = self;
        for (i, &Row { first, start }) in rows.iter().enumerate() {
            let (above, own) = entries.split_at_mut(start);
            for j in first..i {
                let upper = rows[j];
                let begin = first.max(upper.first);
                let left = &own[begin - first..j - first];
                let other = &above[upper.start + begin - upper.first..][..left.len() + 1];
                let sum = dot(left, other);
                own[j - first] = (own[j - first] - sum) / other[left.len()];
            }
            let last = i - first;
            let square = own[last] - dot(&own[..last], &own[..last]);
            own[last] = square.sqrt();
        }
    }

    /// The solution of A x = b in the place of b, once factored.
    pub fn solve(&self, b: &mut [T]) {
        for (i, &Row { first, start }) in self.rows.iter().enumerate() {
            let own = &self.entries[start..start + i - first + 1];
            b[i] = (b[i] - dot(&own[..i - first], &b[first..i])) / own[i - first];
        }
        for (i, &Row { first, start }) in self.rows.iter().enumerate().rev() {
            let own = &self.entries[start..start + i - first + 1];
            let found = b[i] / own[i - first];
            b[i] = found;
            b[first..i].iter_mut().zip(own).for_each(|(b, factor)| *b -= *factor * found);
        }
    }
}

fn dot<T: Scalar>(a: &[T], b: &[T]) -> T {
    a.iter().zip(b).fold(T::lit(0.0), |sum, (a, b)| sum + *a * *b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_satisfies_the_system() {
        // two systems side by side, and a row that begins late in the second
        let a = [
            [4.0, 1.0, 0.0, 0.0, 0.0],
            [1.0, 3.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 2.0, 0.5, 0.0],
            [0.0, 0.0, 0.5, 5.0, -1.0],
            [0.0, 0.0, 0.0, -1.0, 1.5],
        ];
        let mut matrix = Envelope::new();
        matrix.reserve(5);
        for (row, first) in [0, 0, 2, 2, 3].into_iter().enumerate() {
            matrix.add_row(first);
            (first..=row).for_each(|column| *matrix.entry(row, column) = a[row][column]);
        }
        matrix.factor();
        let b = [1.0, -2.0, 0.3, 4.0, -0.7];
        let mut x = b;
        matrix.solve(&mut x);
        for (row, expected) in a.iter().zip(b) {
            let sum: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            assert!((sum - expected).abs() < 1e-14, "{sum} {expected}");
        }
    }
}
