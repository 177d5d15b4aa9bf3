//! What a contact gives way by: a matrix that never drives.

use bristle_math::{Scalar, Vector3};
use nalgebra::Matrix3;

/// A symmetric matrix that is not negative: a part along a normal and a part across it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Resist<T> {
    normal: Vector3<T>,
    along: T,
    /// Two directions across the normal.
    plane: [Vector3<T>; 2],
    /// Entries xx, xy and yy in the plane.
    across: [T; 3],
}

impl<T: Scalar> Resist<T> {
    /// The part of D that never drives: `along` the normal and `across` it, by two directions there, each by itself, symmetric, not negative.
    pub fn of(normal: &Vector3<T>, along: T, plane: [Vector3<T>; 2], across: &[[T; 2]; 2]) -> Self {
        let (zero, half) = (T::lit(0.0), T::lit(0.5));
        let along = if along.value() > 0.0 { along } else { zero };
        let [[a, first], [second, c]] = *across;
        let b = half * (first + second);
        let (mean, spread) = (half * (a + c), half * (a - c));
        let radius = (spread * spread + b * b).sqrt();
        let across = match (mean.value() - radius.value(), mean.value() + radius.value()) {
            (low, _) if low >= 0.0 => [a, b, c],
            (_, high) if high > 0.0 && radius.value() > 0.0 => {
                // what is left of it is the larger of its two values, along its own direction
                let share = half * (mean + radius) / radius;
                [share * (radius + spread), share * b, share * (radius - spread)]
            }
            _ => [zero; 3],
        };
        Self { normal: *normal, along, plane, across }
    }

    /// Along a normal only.
    pub fn along(normal: &Vector3<T>, along: T) -> Self {
        let zero = T::lit(0.0);
        Self { normal: *normal, along, plane: [Vector3::zeros(); 2], across: [zero; 3] }
    }

    /// A multiple of it.
    pub fn times(mut self, factor: T) -> Self {
        self.along *= factor;
        self.across.iter_mut().for_each(|entry| *entry *= factor);
        self
    }

    /// With this much more along the normal.
    pub fn stiffer(mut self, more: T) -> Self {
        self.along += more;
        self
    }

    /// The same along the normal, and a drag across it.
    pub fn dragging(mut self, drag: T) -> Self {
        self.across = [drag, T::lit(0.0), drag];
        self
    }

    /// Its product with a vector.
    pub fn apply(&self, vector: &Vector3<T>) -> Vector3<T> {
        let ([first, second], [a, b, c]) = (&self.plane, self.across);
        let (x, y) = (first.dot(vector), second.dot(vector));
        self.normal * (self.along * self.normal.dot(vector))
            + first * (a * x + b * y)
            + second * (b * x + c * y)
    }

    /// All entries.
    pub fn matrix(&self) -> Matrix3<T> {
        let ([first, second], [a, b, c]) = (&self.plane, self.across);
        let (along, x, y) = (self.normal * self.along, first * a + second * b, first * b + second * c);
        Matrix3::from_fn(|i, j| self.normal[i] * along[j] + first[i] * x[j] + second[i] * y[j])
    }

    /// B with B Bᵀ equal to it, and how many columns that takes.
    pub fn directions(&self) -> ([Vector3<T>; 3], usize) {
        let (mut all, mut count) = ([Vector3::zeros(); 3], 0);
        let mut add = |axis: Vector3<T>, square: T| {
            if square.value() > 0.0 {
                all[count] = axis * square.sqrt();
                count += 1;
            }
        };
        add(self.normal, self.along);
        let ([first, second], [a, b, c]) = (&self.plane, self.across);
        // the larger of the two first: nothing is divided by what may vanish beside it
        let (first, second, a, c) =
            if a.value() >= c.value() { (first, second, a, c) } else { (second, first, c, a) };
        if a.value() > 0.0 {
            let share = b / a;
            add(first + second * share, a);
            add(*second, c - b * share);
        }
        (all, count)
    }
}

/// Two directions across a unit normal and each other.
pub(super) fn across<T: Scalar>(normal: &Vector3<T>) -> [Vector3<T>; 2] {
    let axis = normal.map(|x| x.value().abs()).imin();
    let mut off = Vector3::zeros();
    off[axis] = T::lit(1.0);
    let first = normal.cross(&off);
    let first = first / first.dot(&first).sqrt();
    [first, normal.cross(&first)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part of a matrix that never drives.
    fn of(whole: &Matrix3<f64>, normal: &Vector3<f64>) -> Resist<f64> {
        let plane = across(normal);
        let block = plane.map(|row| plane.map(|column| row.dot(&(whole * column))));
        Resist::of(normal, normal.dot(&(whole * normal)), plane, &block)
    }

    #[test]
    fn directions_make_up_the_whole() {
        let normal = Vector3::new(1.0, -2.0, 0.5).normalize();
        let b = Matrix3::new(1.0, 2.0, -0.3, 0.4, 5.0, 0.0, 0.2, -0.7, 3.0);
        let whole = of(&(b * b.transpose()), &normal).times(1e-3);
        let rank_two = of(&(b.column(0) * b.column(0).transpose()), &normal);
        let normal_only = Resist::along(&normal, 4.0);
        for (resist, most) in [(whole, 3), (rank_two, 3), (normal_only, 1)] {
            let (all, count) = resist.directions();
            let sum: Matrix3<f64> = all[..count].iter().map(|b| b * b.transpose()).sum();
            assert!((sum - resist.matrix()).norm() < 1e-14 * sum.norm());
            assert!(count <= most);
        }
    }

    #[test]
    fn what_would_drive_is_left_out() {
        let resist = Matrix3::new(4.0, 1.0, 7.0, 1.0, -3.0, 0.0, -7.0, 0.0, -2.0);
        let safe = of(&resist, &Vector3::z()).matrix();
        assert!((safe - safe.transpose()).norm() < 1e-14);
        let mut values: Vec<f64> = safe.symmetric_eigenvalues().iter().copied().collect();
        values.sort_by(f64::total_cmp);
        // of the plane (4, 1; 1, −3) only the larger value is left, of the normal nothing
        let high = 0.5 + (3.5f64 * 3.5 + 1.0).sqrt();
        assert!(values[0].abs() < 1e-12 && values[1].abs() < 1e-12 && (values[2] - high).abs() < 1e-12);
    }
}
