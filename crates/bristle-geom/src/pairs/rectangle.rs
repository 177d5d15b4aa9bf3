//! The intersection of two rectangles in a plane, with the edges that belong to the second.

use bristle_math::Scalar;

/// Two rectangles share at most eight corners; clipping passes through no more.
const CORNERS: usize = 8;

/// A rectangle with its first half edge along `axis`.
pub(crate) struct Rectangle<T> {
    pub center: [T; 2],
    pub axis: [T; 2],
    pub half: [T; 2],
}

/// A convex polygon, counter-clockwise. Edge `i` leads from corner `i` to the next.
pub(crate) struct Polygon<T> {
    corners: [[T; 2]; CORNERS],
    /// The side of the second rectangle that the edge lies on, or none.
    sides: [Option<usize>; CORNERS],
    count: usize,
    /// Outward normals of the second rectangle.
    normals: [[T; 2]; 4],
}

/// An edge on the second rectangle.
pub(crate) struct Edge<T> {
    pub length: T,
    pub middle: [T; 2],
    /// Outward, unit.
    pub normal: [T; 2],
    /// Whether it is one of the edges along the axis.
    pub is_side: bool,
}

/// A slice of two cylinders at a height, with dz/dφ and (dz/dφ)/q, q the half width of the second.
pub(crate) struct Slice<T> {
    pub z: T,
    pub dz: T,
    pub per_q: T,
    pub polygon: Polygon<T>,
}

fn dot<T: Scalar>(a: &[T; 2], b: &[T; 2]) -> T {
    a[0] * b[0] + a[1] * b[1]
}

fn cross<T: Scalar>(a: &[T; 2], b: &[T; 2]) -> T {
    a[0] * b[1] - a[1] * b[0]
}

impl<T: Scalar> Rectangle<T> {
    /// Outward normals of its four sides: ends first, then the long sides.
    fn normals(&self) -> [[T; 2]; 4] {
        let [x, y] = self.axis;
        [[x, y], [-x, -y], [-y, x], [y, -x]]
    }

    fn polygon(&self) -> Polygon<T> {
        let ([x, y], [h, k]) = (self.axis, self.half);
        let at = |u: T, v: T| [self.center[0] + x * u - y * v, self.center[1] + y * u + x * v];
        let mut corners = [[T::lit(0.0); 2]; CORNERS];
        (corners[0], corners[1], corners[2], corners[3]) = (at(-h, -k), at(h, -k), at(h, k), at(-h, k));
        Polygon { corners, sides: [None; CORNERS], count: 4, normals: self.normals() }
    }

    /// What it shares with `other`.
    pub fn clipped(&self, other: &Self) -> Polygon<T> {
        let mut polygon = self.polygon();
        // Sides that coincide count as the first one's, not as either by rounding.
        let size = self.half[0].value() + self.half[1].value() + other.half[0].value();
        let flat = T::lit(1e-15 * size);
        for (side, normal) in other.normals().iter().enumerate() {
            let offset = dot(normal, &other.center) + other.half[side / 2];
            polygon.clip(normal, offset + flat, side);
        }
        polygon.normals = other.normals();
        polygon
    }
}

impl<T: Scalar> Polygon<T> {
    /// Keeps what lies at n·x ≤ offset.
    fn clip(&mut self, normal: &[T; 2], offset: T, side: usize) {
        let (old, old_sides, count) = (self.corners, self.sides, self.count);
        self.count = 0;
        for i in 0..count {
            let next = old[(i + 1) % count];
            let (here, there) = (dot(normal, &old[i]) - offset, dot(normal, &next) - offset);
            let (is_in, is_next_in) = (here.value() <= 0.0, there.value() <= 0.0);
            if is_in {
                self.push(old[i], old_sides[i]);
            }
            if is_in != is_next_in {
                let share = here / (here - there);
                let at =
                    [old[i][0] + (next[0] - old[i][0]) * share, old[i][1] + (next[1] - old[i][1]) * share];
                self.push(at, if is_in { Some(side) } else { old_sides[i] });
            }
        }
    }

    fn push(&mut self, corner: [T; 2], side: Option<usize>) {
        if self.count < CORNERS {
            (self.corners[self.count], self.sides[self.count]) = (corner, side);
            self.count += 1;
        }
    }

    /// Area, m².
    pub fn area(&self) -> T {
        self.moments().0
    }

    /// Area and first moments.
    pub fn moments(&self) -> (T, [T; 2]) {
        let zero = T::lit(0.0);
        let (mut area, mut first) = (zero, [zero; 2]);
        let base = self.corners[0];
        let from = |p: &[T; 2]| [p[0] - base[0], p[1] - base[1]];
        for i in 1..self.count.saturating_sub(1) {
            let (u, v) = (from(&self.corners[i]), from(&self.corners[i + 1]));
            let part = T::lit(0.5) * cross(&u, &v);
            area += part;
            (0..2).for_each(|k| first[k] += part * (base[k] + (u[k] + v[k]) / T::lit(3.0)));
        }
        (area, first)
    }

    /// The edges on the second rectangle.
    pub fn edges(&self) -> impl Iterator<Item = Edge<T>> + '_ {
        (0..self.count).filter_map(move |i| {
            let side = self.sides[i]?;
            let (p, q) = (self.corners[i], self.corners[(i + 1) % self.count]);
            let d = [q[0] - p[0], q[1] - p[1]];
            let middle = [0, 1].map(|k| T::lit(0.5) * (p[k] + q[k]));
            // Along the side, so that an edge of no length has a direction too.
            let normal = self.normals[side];
            let length = cross(&normal, &d).positive();
            Some(Edge { length, middle, normal, is_side: side >= 2 })
        })
    }
}
