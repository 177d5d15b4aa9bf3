//! What lies below a plane, summed piece by piece.
//!
//! Pieces are given about a reference point near the body, so that moments do not cancel far from the origin.

use crate::overlap::Sunk;
use bristle_math::{Matrix3, Scalar, Vector3};

/// Sums over the volume below a plane and over the section it is cut by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wet<T> {
    pub volume: T,
    /// ∫ x dV.
    pub first: Vector3<T>,
    /// ∫ depth dV.
    pub moment: T,
    pub area: T,
    /// ∫ x dA.
    pub area_first: Vector3<T>,
    /// ∫ x xᵀ dA; the upper half.
    pub area_second: Matrix3<T>,
}

/// A plane seen from the reference point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane<T> {
    pub normal: Vector3<T>,
    /// Height of the reference point above it.
    pub height: T,
}

impl<T: Scalar> Plane<T> {
    /// How deep a point lies.
    pub fn depth(&self, p: &Vector3<T>) -> T {
        -(self.height + self.normal.dot(p))
    }
}

impl<T: Scalar> Wet<T> {
    pub fn dry() -> Self {
        let zero = T::lit(0.0);
        Self {
            volume: zero,
            first: Vector3::zeros(),
            moment: zero,
            area: zero,
            area_first: Vector3::zeros(),
            area_second: Matrix3::zeros(),
        }
    }

    /// Adds another sum.
    pub fn add(&mut self, other: &Self) {
        self.volume += other.volume;
        self.first += other.first;
        self.moment += other.moment;
        self.area += other.area;
        self.area_first += other.area_first;
        self.area_second += other.area_second;
    }

    /// Adds the column between the plane and a triangle of a closed surface, counter-clockwise from outside. Columns
    /// below faces that look up count negative, so the sum over a closed surface is what it encloses below the plane.
    pub fn add_triangle(&mut self, plane: &Plane<T>, corners: [Vector3<T>; 3]) {
        let depth = corners.map(|p| plane.depth(&p));
        let is_wet = depth.map(|d| d.value() > 0.0);
        let cut =
            |i: usize, j: usize| corners[i] + (corners[j] - corners[i]) * (depth[i] / (depth[i] - depth[j]));
        match is_wet.iter().filter(|w| **w).count() {
            3 => self.add_column(plane, &corners),
            1 => {
                let i = is_wet.iter().position(|w| *w).unwrap_or(0);
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                self.add_column(plane, &[corners[i], cut(i, j), cut(i, k)]);
            }
            2 => {
                let k = is_wet.iter().position(|w| !*w).unwrap_or(0);
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                let (p, q) = (cut(j, k), cut(i, k));
                self.add_column(plane, &[corners[i], corners[j], p]);
                self.add_column(plane, &[corners[i], p, q]);
            }
            _ => {}
        }
    }

    fn add_column(&mut self, plane: &Plane<T>, corners: &[Vector3<T>; 3]) {
        let n = &plane.normal;
        let half = T::lit(0.5);
        let area = -half * n.dot(&(corners[1] - corners[0]).cross(&(corners[2] - corners[0])));
        let depth = corners.map(|p| plane.depth(&p).positive());
        let foot: [Vector3<T>; 3] = [0, 1, 2].map(|i| corners[i] + n * depth[i]);
        let sum = foot[0] + foot[1] + foot[2];
        let depths = depth[0] + depth[1] + depth[2];
        let twelfth = area / T::lit(12.0);
        let mut weighted = sum * depths;
        let mut squares = depths.squared();
        for i in 0..3 {
            weighted += foot[i] * depth[i];
            squares += depth[i].squared();
        }
        let moment = half * twelfth * squares;
        self.volume += area * depths / T::lit(3.0);
        self.first += weighted * twelfth - n * moment;
        self.moment += moment;
        self.area += area;
        self.area_first += sum * (area / T::lit(3.0));
        // Σ f fᵀ entry by entry: the general product of matrices costs several times as much here.
        for (i, j) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)] {
            let entry =
                sum[i] * sum[j] + foot[0][i] * foot[0][j] + foot[1][i] * foot[1][j] + foot[2][i] * foot[2][j];
            self.area_second[(i, j)] += entry * twelfth;
        }
    }

    /// In world axes, for a body whose reference point is `origin` and which reaches `depth` below the plane.
    pub fn sunk(&self, plane: &Plane<T>, origin: &Vector3<T>, depth: T) -> Sunk<T> {
        let tiny = T::lit(1e-200);
        let lowest = -plane.normal * (depth + plane.height);
        let center = if self.volume.value() > 0.0 { self.first / self.volume.max(tiny) } else { lowest };
        let is_cut = self.area.value() > 0.0;
        let middle = if is_cut { self.area_first / self.area.max(tiny) } else { center };
        let across = Matrix3::identity() - plane.normal * plane.normal.transpose();
        let whole = self
            .area_second
            .map_with_location(|i, j, entry| if i <= j { entry } else { self.area_second[(j, i)] });
        let second = across * (whole - middle * middle.transpose() * self.area) * across;
        Sunk {
            depth,
            volume: self.volume.positive(),
            center: origin + center,
            moment: self.moment.positive(),
            area: self.area.positive(),
            area_center: origin + middle,
            second: if is_cut { second } else { Matrix3::zeros() },
        }
    }
}
