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

/// Buffers.
#[derive(Debug, Clone)]
pub(crate) struct PressureScratch<T> {
    polygon: Vec<Vector3<T>>,
    spare: Vec<Vector3<T>>,
    /// Faces that may be nearest to some point of the overlap.
    near: Vec<usize>,
}

impl<T> Default for PressureScratch<T> {
    fn default() -> Self {
        Self { polygon: Vec::new(), spare: Vec::new(), near: Vec::new() }
    }
}

/// Keeps the part of a polygon where `depth` is not positive.
pub(crate) fn clip<T: Scalar>(
    from: &[Vector3<T>],
    to: &mut Vec<Vector3<T>>,
    depth: impl Fn(&Vector3<T>) -> T,
) {
    to.clear();
    for (i, p) in from.iter().enumerate() {
        let q = &from[(i + 1) % from.len()];
        let (here, there) = (depth(p), depth(q));
        if here.value() <= 0.0 {
            to.push(*p);
        }
        if (here.value() < 0.0 && there.value() > 0.0) || (here.value() > 0.0 && there.value() < 0.0) {
            to.push(p + (q - p) * (here / (here - there)));
        }
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
        for k in 1..ws.near.len() {
            for l in 0..k {
                self.add_border(ws.near[k], ws.near[l], ws, &mut sum);
            }
        }
        sum
    }

    /// A face is nearest nowhere if another one is nearer everywhere.
    fn find_near(&self, ws: &mut PressureScratch<T>) {
        let range = |(n, offset): &(Vector3<T>, T)| {
            let mut range = (f64::INFINITY, f64::NEG_INFINITY);
            for p in self.points {
                let d = (*offset - n.dot(p)).value();
                range = (range.0.min(d), range.1.max(d));
            }
            range
        };
        let bound = self.own.planes.iter().map(|p| range(p).1).fold(f64::INFINITY, f64::min);
        ws.near.clear();
        let near = self.own.planes.iter().enumerate().filter(|(_, p)| range(p).0 <= bound + self.flat);
        ws.near.extend(near.map(|(i, _)| i));
    }

    /// Distance from face `i` less that from face `k`.
    fn excess(&self, i: usize, k: usize) -> impl Fn(&Vector3<T>) -> T {
        let ((n, o), (m, q)) = (self.own.planes[i], self.own.planes[k]);
        let (normal, offset, flat) = (m - n, q - o, self.flat);
        move |p| {
            let d = normal.dot(p) - offset;
            if d.value().abs() <= flat { T::lit(0.0) } else { d }
        }
    }

    /// The part of a piece of surface that face `i` is nearest to.
    fn add_surface(&self, piece: &Piece<T>, i: usize, ws: &mut PressureScratch<T>, sum: &mut Push<T>) {
        let (n, offset) = self.own.planes[i];
        ws.polygon.clear();
        ws.polygon.extend_from_slice(&self.points[piece.start..piece.end]);
        for &k in ws.near.iter().filter(|k| **k != i) {
            let excess = self.excess(i, k);
            if ws.polygon.iter().all(|p| excess(p).value() == 0.0) {
                // The piece lies between both: it belongs to the part on its inner side.
                if (self.own.planes[k].0 - n).dot(&piece.normal).value() <= 0.0 {
                    return;
                }
                continue;
            }
            clip(&ws.polygon, &mut ws.spare, excess);
            std::mem::swap(&mut ws.polygon, &mut ws.spare);
            if ws.polygon.len() < 3 {
                return;
            }
        }
        let depth = |p: &Vector3<T>| offset - n.dot(p);
        fan(&ws.polygon, |triangle, cross| {
            let area = T::lit(0.5) * cross.dot(&piece.normal);
            let d = triangle.map(|p| depth(&p));
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

    /// The plane between the parts of faces `i` and `j`.
    fn add_border(&self, i: usize, j: usize, ws: &mut PressureScratch<T>, sum: &mut Push<T>) {
        let ((n, offset), (m, q)) = (self.own.planes[i], self.own.planes[j]);
        let across = n - m;
        let square = across.dot(&across);
        if square.value() < 1e-20 {
            return; // faces in one plane
        }
        let length = square.sqrt();
        let normal = across / length;
        // A square on the plane, around the overlap.
        let middle =
            self.points.iter().fold(Vector3::zeros(), |sum, p| sum + p) / T::lit(self.points.len() as f64);
        let center = middle + normal * ((offset - q) / length - normal.dot(&middle));
        let reach = T::lit(4.0 * (self.own.radius() + self.other.radius()));
        let seed = if normal.x.value().abs() < 0.6 { Vector3::x() } else { Vector3::y() };
        let u = normal.cross(&seed).normalize() * reach;
        let v = normal.cross(&u);
        ws.polygon.clear();
        ws.polygon.extend([center + u, center + v, center - u, center - v]);
        let cut = |ws: &mut PressureScratch<T>, depth: &dyn Fn(&Vector3<T>) -> T| {
            clip(&ws.polygon, &mut ws.spare, depth);
            std::mem::swap(&mut ws.polygon, &mut ws.spare);
            ws.polygon.len() >= 3
        };
        if !cut(ws, &|p| n.dot(p) - offset) {
            return;
        }
        for (normal, offset) in &self.other.planes {
            let depth = |p: &Vector3<T>| {
                let d = normal.dot(p) - *offset;
                if d.value().abs() <= self.flat { T::lit(0.0) } else { d }
            };
            // A border in the other's surface has the overlap on one side only: that side's surface counts alone.
            if ws.polygon.iter().all(|p| depth(p).value() == 0.0) || !cut(ws, &depth) {
                return;
            }
        }
        for k in 0..ws.near.len() {
            let k = ws.near[k];
            if k != i && k != j && !cut(ws, &self.excess(i, k)) {
                return;
            }
        }
        fan(&ws.polygon, |triangle, cross| {
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
