//! What a bed stores in the overlap of two convex polyhedra, and how it pushes: conservative for every motion.
//!
//! A body is a bed whose pressure at a point is its distance from the surface, d(x) = min dᵢ over the faces, dᵢ = oᵢ − nᵢ·x.
//! The other one displaces it where they overlap, P. Both beds share the load evenly:
//!
//! ```text
//! M = ½∫_P d_A dV + ½∫_P d_B dV      push on B = −½∫ d_A n_B dA + ½∫ d_B n_A dA      over the surface of P
//! ```
//!
//! For a flat overlap of thickness δ this is ½Aδ² and Aδ, less what is lost at the rim of the bed, which is δ wide.
//! With the part of P that face i is nearest to, ∫ dᵢ dV = ∮ −½dᵢ² nᵢ·ν dA: every piece of surface is divided
//! among the faces, and two parts meet in a plane where their terms add up to ½dᵢ²|nᵢ − nⱼ|.

use super::polytope::Polytope;
use bristle_math::{Scalar, Vector3};

/// Normals that differ by less are those of one plane.
const SAME: f64 = 1e-9;

/// Sums of a bed, about the origin of the frame.
pub(crate) struct Push<T> {
    pub moment: T,
    /// On the body that displaces it.
    pub force: Vector3<T>,
    pub torque: Vector3<T>,
}

/// A piece of the surface of an overlap.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<T> {
    pub start: usize,
    pub end: usize,
    pub normal: Vector3<T>,
    pub is_of_b: bool,
}

/// A polygon that is cut by planes, in buffers that are used again.
#[derive(Debug, Clone)]
pub(crate) struct Polygon<T> {
    pub corners: Vec<Vector3<T>>,
    spare: Vec<Vector3<T>>,
    heights: Vec<T>,
}

impl<T> Default for Polygon<T> {
    fn default() -> Self {
        Self { corners: Vec::new(), spare: Vec::new(), heights: Vec::new() }
    }
}

/// Where a polygon lies to a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lies {
    /// In it.
    Flat,
    /// Nowhere above it.
    Below,
    /// Nowhere below it.
    Above,
    /// On both sides.
    Across,
}

impl<T: Scalar> Polygon<T> {
    pub fn set(&mut self, corners: impl IntoIterator<Item = Vector3<T>>) {
        self.corners.clear();
        self.corners.extend(corners);
    }

    /// Looks where it lies to the plane n·x = offset; heights up to `flat` count as none.
    pub fn look(&mut self, (normal, offset): &(Vector3<T>, T), flat: f64) -> Lies {
        let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
        self.heights.clear();
        for p in &self.corners {
            let height = normal.dot(p) - *offset;
            let height = if height.value().abs() <= flat { T::lit(0.0) } else { height };
            (lowest, highest) = (lowest.min(height.value()), highest.max(height.value()));
            self.heights.push(height);
        }
        match (lowest < 0.0, highest > 0.0) {
            (false, false) => Lies::Flat,
            (true, false) => Lies::Below,
            (false, true) => Lies::Above,
            (true, true) => Lies::Across,
        }
    }

    /// Cuts off what lies above the plane that was looked at last; false if nothing is left.
    pub fn cut(&mut self, lies: Lies) -> bool {
        match lies {
            Lies::Flat | Lies::Below => return true,
            Lies::Above => return false,
            Lies::Across => {}
        }
        self.spare.clear();
        let count = self.corners.len();
        for i in 0..count {
            let (p, q) = (self.corners[i], self.corners[(i + 1) % count]);
            let (here, there) = (self.heights[i], self.heights[(i + 1) % count]);
            if here.value() <= 0.0 {
                self.spare.push(p);
            }
            if (here.value() < 0.0 && there.value() > 0.0) || (here.value() > 0.0 && there.value() < 0.0) {
                self.spare.push(p + (q - p) * (here / (here - there)));
            }
        }
        std::mem::swap(&mut self.corners, &mut self.spare);
        self.corners.len() >= 3
    }
}

/// Buffers.
#[derive(Debug, Clone)]
pub(crate) struct PressureScratch<T> {
    pub polygon: Polygon<T>,
    /// Faces that may be nearest to some point of the overlap.
    near: Vec<usize>,
}

impl<T> Default for PressureScratch<T> {
    fn default() -> Self {
        Self { polygon: Polygon::default(), near: Vec::new() }
    }
}

/// The bed of one body and what displaces it.
pub(crate) struct Field<'p, T> {
    /// The body whose bed it is.
    pub own: &'p Polytope<T>,
    /// The other one.
    pub other: &'p Polytope<T>,
    /// Corners of all pieces.
    pub points: &'p [Vector3<T>],
    /// Pieces of the other body's surface.
    pub pieces: &'p [Piece<T>],
    /// True where the pieces of B displace the bed of A.
    pub is_of_a: bool,
    /// Distances up to here count as none.
    pub flat: f64,
}

impl<T: Scalar> Field<'_, T> {
    pub fn push(&self, ws: &mut PressureScratch<T>) -> Push<T> {
        let zero = T::lit(0.0);
        let mut sum = Push { moment: zero, force: Vector3::zeros(), torque: Vector3::zeros() };
        self.find_near(ws);
        for piece in self.pieces.iter().filter(|p| p.is_of_b == self.is_of_a) {
            for k in 0..ws.near.len() {
                self.add_surface(piece, ws.near[k], ws, &mut sum);
            }
        }
        let total = self.points.iter().fold(Vector3::zeros(), |sum, p| sum + p);
        let middle = total / T::lit(self.points.len().max(1) as f64);
        let reach = self.points.iter().map(|p| (p - middle).map(T::value).norm()).fold(0.0, f64::max);
        for k in 1..ws.near.len() {
            for l in 0..k {
                self.add_border((ws.near[k], ws.near[l]), (&middle, T::lit(4.0 * reach)), ws, &mut sum);
            }
        }
        sum
    }

    /// A face is nearest nowhere if another one is nearer everywhere.
    fn find_near(&self, ws: &mut PressureScratch<T>) {
        let depths = |(n, offset): &(Vector3<T>, T)| {
            let (n, offset) = (n.map(T::value), offset.value());
            self.points.iter().map(move |p| offset - n.dot(&p.map(T::value)))
        };
        let farthest = self.own.planes.iter().map(|p| depths(p).fold(f64::NEG_INFINITY, f64::max));
        let bound = farthest.fold(f64::INFINITY, f64::min) + self.flat;
        ws.near.clear();
        for (i, plane) in self.own.planes.iter().enumerate() {
            // Faces in one plane, e.g. the triangles of a square, are one face here.
            let is_known = ws.near.iter().any(|k| {
                let (across, apart) = self.between(*k, i);
                across.map(T::value).norm_squared() < SAME * SAME && apart.value().abs() <= 10.0 * self.flat
            });
            if !is_known && depths(plane).any(|d| d <= bound) {
                ws.near.push(i);
            }
        }
    }

    /// The plane between the parts of faces `i` and `k`, with `i`'s part below.
    fn between(&self, i: usize, k: usize) -> (Vector3<T>, T) {
        let ((n, o), (m, q)) = (self.own.planes[i], self.own.planes[k]);
        (m - n, q - o)
    }

    /// The part of a piece of surface that face `i` is nearest to.
    fn add_surface(&self, piece: &Piece<T>, i: usize, ws: &mut PressureScratch<T>, sum: &mut Push<T>) {
        let (n, offset) = self.own.planes[i];
        ws.polygon.set(self.points[piece.start..piece.end].iter().copied());
        for &k in ws.near.iter().filter(|k| **k != i) {
            let plane = self.between(i, k);
            let lies = ws.polygon.look(&plane, self.flat);
            // A piece that lies between both belongs to the part on its inner side.
            let is_other = lies == Lies::Flat && plane.0.dot(&piece.normal).value() <= 0.0;
            if is_other || !ws.polygon.cut(lies) {
                return;
            }
        }
        fan(&ws.polygon.corners, |triangle, cross| {
            let area = T::lit(0.5) * cross.dot(&piece.normal);
            let d = triangle.map(|p| offset - n.dot(&p));
            let (total, twelfth) = (d[0] + d[1] + d[2], area / T::lit(12.0));
            let mut arm = (triangle[0] + triangle[1] + triangle[2]) * total;
            let mut squares = total.squared();
            for k in 0..3 {
                arm += triangle[k] * d[k];
                squares += d[k].squared();
            }
            sum.force -= piece.normal * (area * total / T::lit(3.0));
            sum.torque -= (arm * twelfth).cross(&piece.normal);
            sum.moment -= T::lit(0.5) * n.dot(&piece.normal) * squares * twelfth;
        });
    }

    /// The plane between the parts of two faces; the overlap lies within `reach` of `middle`.
    fn add_border(
        &self,
        (i, j): (usize, usize),
        (middle, reach): (&Vector3<T>, T),
        ws: &mut PressureScratch<T>,
        sum: &mut Push<T>,
    ) {
        let (n, offset) = self.own.planes[i];
        let (across, height) = self.between(j, i);
        let square = across.dot(&across);
        let length = square.sqrt();
        let normal = across / length;
        // A square on the plane, around the overlap.
        let center = middle + normal * (height / length - normal.dot(middle));
        let seed = if normal.x.value().abs() < 0.6 { Vector3::x() } else { Vector3::y() };
        let u = normal.cross(&seed).normalize() * reach;
        let v = normal.cross(&u);
        ws.polygon.set([center + u, center + v, center - u, center - v]);
        let lies = ws.polygon.look(&(n, offset), 0.0);
        if !ws.polygon.cut(lies) {
            return;
        }
        for plane in &self.other.planes {
            let lies = ws.polygon.look(plane, self.flat);
            // A border in the other's surface has the overlap on one side only: that side's surface counts alone.
            if lies == Lies::Flat || !ws.polygon.cut(lies) {
                return;
            }
        }
        for &k in ws.near.iter().filter(|k| **k != i && **k != j) {
            let lies = ws.polygon.look(&self.between(i, k), self.flat);
            if !ws.polygon.cut(lies) {
                return;
            }
        }
        fan(&ws.polygon.corners, |triangle, cross| {
            let d = triangle.map(|p| offset - n.dot(&p));
            let squares = (d[0] + d[1] + d[2]).squared() + d[0].squared() + d[1].squared() + d[2].squared();
            let area = T::lit(0.5) * cross.dot(&normal).abs();
            sum.moment += T::lit(0.5) * length * squares * area / T::lit(12.0);
        });
    }
}

/// Triangles of a polygon, each with the cross product of two of its edges.
fn fan<T: Scalar>(polygon: &[Vector3<T>], mut visit: impl FnMut([Vector3<T>; 3], Vector3<T>)) {
    for i in 1..polygon.len().saturating_sub(1) {
        let triangle = [polygon[0], polygon[i], polygon[i + 1]];
        visit(triangle, (triangle[1] - triangle[0]).cross(&(triangle[2] - triangle[0])));
    }
}
