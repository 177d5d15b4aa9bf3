//! Two convex polyhedra: what they share, exactly.
//!
//! The surface of the overlap is every face of A cut by the planes of B and every face of B cut by the planes of A. Each
//! piece spans a cone with a reference point, whose signed sums are volume and centroid; no edges are matched, so
//! shared edges, corners and slivers need no care. Faces of both that lie in one plane count once, as A's; faces that
//! only touch back to back enclose nothing. The pieces of B's surface give the effective normal and area, S = ∫ n_B dA,
//! and dV/dt = ∫ (v_B − v_A)·n_B dA. What a bed stores and how it pushes: [`pressure`](super::pressure).
//!
//! `depth` is the least over the directions of all faces and pairs of edges, which is the true one for polyhedra of few
//! edges.

use super::cylinder_cylinder::approach;
use super::polytope::{Body, Polytope};
use super::pressure::{Field, Lies, Piece, PressureScratch};
use crate::touch::direction;
use crate::{Overlap, Patch, Placed};
use bristle_math::{Matrix3, Scalar, Vector3};

/// Buffers of an overlap; they grow once and are used again.
#[derive(Debug, Clone)]
pub struct OverlapScratch<T> {
    a: Polytope<T>,
    b: Polytope<T>,
    points: Vec<Vector3<T>>,
    pieces: Vec<Piece<T>>,
    pressure: PressureScratch<T>,
}

impl<T> Default for OverlapScratch<T> {
    fn default() -> Self {
        Self {
            a: Polytope::default(),
            b: Polytope::default(),
            points: Vec::new(),
            pieces: Vec::new(),
            pressure: PressureScratch::default(),
        }
    }
}

/// Sums over the surface of an overlap, about a reference point.
struct Sums<T> {
    base: Vector3<T>,
    volume: T,
    first: Vector3<T>,
    /// ∫ n dA over B's surface.
    vector: Vector3<T>,
    /// ∫ x nᵀ dA over B's surface.
    arms: Matrix3<T>,
    /// ∫ x xᵀ n dA over B's surface, for each part of n.
    squares: [Matrix3<T>; 3],
}

impl<T: Scalar> Sums<T> {
    fn new() -> Self {
        Self {
            base: Vector3::zeros(),
            volume: T::lit(0.0),
            first: Vector3::zeros(),
            vector: Vector3::zeros(),
            arms: Matrix3::zeros(),
            squares: [Matrix3::zeros(); 3],
        }
    }

    /// Adds a piece of surface with its outward normal.
    fn add(&mut self, polygon: &[Vector3<T>], normal: &Vector3<T>, is_of_b: bool) {
        let (third, twelfth) = (T::lit(1.0 / 3.0), T::lit(1.0 / 12.0));
        for i in 1..polygon.len().saturating_sub(1) {
            let [p, q, r] = [polygon[0], polygon[i], polygon[i + 1]].map(|x| x - self.base);
            let area = T::lit(0.5) * (q - p).cross(&(r - p)).dot(normal);
            let sum = p + q + r;
            let cone = area * normal.dot(&p) * third;
            self.volume += cone;
            self.first += sum * (cone * T::lit(0.25));
            if is_of_b {
                let weight = normal * area;
                self.vector += weight;
                self.arms += sum * weight.transpose() * third;
                let square =
                    (p * p.transpose() + q * q.transpose() + r * r.transpose() + sum * sum.transpose())
                        * twelfth;
                (0..3).for_each(|k| self.squares[k] += square * weight[k]);
            }
        }
    }
}

/// Overlaps thinner than this, in sizes of the bodies, count as none.
const SLIVER: f64 = 1e-12;

/// Which of two faces in one plane counts.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    A,
    B,
}

impl<T: Scalar> OverlapScratch<T> {
    /// Cuts the faces of one body by the planes of the other and keeps what is left.
    fn cut_faces(&mut self, side: Side, flat: f64) {
        let (own, other) = if side == Side::A { (&self.a, &self.b) } else { (&self.b, &self.a) };
        let polygon = &mut self.pressure.polygon;
        for (face, (normal, _)) in own.faces().zip(&own.planes) {
            polygon.set(face.iter().map(|i| own.vertices[*i as usize]));
            let is_left = other.planes.iter().all(|plane| {
                let lies = polygon.look(plane, flat);
                let is_twice = lies == Lies::Flat && (side == Side::B || plane.0.dot(normal).value() < 0.0);
                !is_twice && polygon.cut(lies)
            });
            if is_left {
                let start = self.points.len();
                self.points.extend_from_slice(&polygon.corners);
                let end = self.points.len();
                self.pieces.push(Piece { start, end, normal: *normal, is_of_b: side == Side::B });
            }
        }
    }

    /// Finds the surface of the overlap and sums over it.
    fn sums(&mut self, base: &Vector3<T>, flat: f64) -> Sums<T> {
        self.points.clear();
        self.pieces.clear();
        self.cut_faces(Side::A, flat);
        self.cut_faces(Side::B, flat);
        let mut sums = Sums { base: *base, ..Sums::new() };
        for piece in &self.pieces {
            sums.add(&self.points[piece.start..piece.end], &piece.normal, piece.is_of_b);
        }
        sums
    }

    /// ½∫δ² dA, force and torque of both beds on B, about a point.
    fn bed(&mut self, point: &Vector3<T>, flat: f64) -> (T, Vector3<T>, Vector3<T>) {
        let (points, pieces, half) = (&self.points[..], &self.pieces[..], T::lit(0.5));
        let of_a = Field { own: &self.a, other: &self.b, points, pieces, is_of_a: true, flat };
        let of_b = Field { own: &self.b, other: &self.a, points, pieces, is_of_a: false, flat };
        let (on_b, on_a) = (of_a.push(&mut self.pressure), of_b.push(&mut self.pressure));
        let force = (on_b.force - on_a.force) * half;
        let torque = (on_b.torque - on_a.torque) * half - point.cross(&force);
        ((on_b.moment + on_a.moment) * half, force, torque)
    }
}

/// The overlap of two polyhedra.
pub(crate) fn overlap<T: Scalar>(
    a: (Body<'_, T>, &Placed<T>),
    b: (Body<'_, T>, &Placed<T>),
    ws: &mut OverlapScratch<T>,
) -> Overlap<T> {
    let (at, on) = (a.1, b.1);
    let turn = at.pose.rotation.inverse() * on.pose.rotation;
    let turn = turn.to_rotation_matrix().into_inner();
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    let place = axes.tr_mul(&(on.origin() - at.origin()));
    ws.a.set(&a.0, &Matrix3::identity(), &Vector3::zeros());
    ws.b.set(&b.0, &turn, &place);
    let (normal, depth) = ws.a.least_depth(&ws.b);
    let reach = ws.a.radius() + ws.b.radius() + place.map(T::value).norm();
    let apart = |normal: &Vector3<T>, depth: T, point: &Vector3<T>| {
        let mut patch = Patch { depth, normal: axes * normal, ..Patch::none() };
        patch.normal_rate = (at.twist.angular + on.twist.angular).cross(&patch.normal) * T::lit(0.5);
        patch.point = at.origin() + axes * point;
        patch.rate = approach(at, on, &patch);
        patch
    };
    let middle = ws.b.lowest(&normal) + normal * (T::lit(0.5) * depth);
    // A sliver thinner than this has corners that are mostly rounding: no touch yet.
    let touch = T::lit(SLIVER * reach);
    if depth.value() <= touch.value() {
        let gap = if depth.value() < 0.0 { depth } else { depth - touch };
        return Overlap::apart(apart(&normal, gap, &middle));
    }
    let size = ws.a.radius().min(ws.b.radius());
    let flat = 1e-14 * reach;
    let sums = ws.sums(&middle, flat);
    if sums.volume.value() <= 1e-30 * size.powi(3) {
        return Overlap::apart(apart(&normal, depth.min(T::lit(0.0)), &middle));
    }
    // Where B's surface is A's own, e.g. identical bodies, there is no vector area: the way out of least depth then.
    let (away, area, _) = direction(&sums.vector, &-normal);
    let normal = -away;
    let center = sums.first / sums.volume;
    let mut patch = apart(&normal, depth, &(center + middle));
    patch.area = area;
    patch.volume = sums.volume;
    let (moment, push, push_turn) = ws.bed(&(center + middle), flat);
    patch.volume_moment = moment;

    let skew = |m: &Matrix3<T>| Vector3::new(m.m23 - m.m32, m.m31 - m.m13, m.m12 - m.m21);
    let turning = skew(&sums.arms) - center.cross(&sums.vector);
    let spin = on.twist.angular - at.twist.angular;
    let volume_turn = axes * turning;
    patch.volume_rate = area * patch.rate + volume_turn.dot(&spin);
    // One body through the other: B's surface has no side that faces A alone.
    let has_area = area.value() > 1e-14 * size * size;
    let area_center = if has_area { -(sums.arms * normal) / area } else { center };
    let mut second = Matrix3::zeros();
    if has_area {
        (0..3).for_each(|k| second -= sums.squares[k] * normal[k]);
        second -= area_center * area_center.transpose() * area;
    }
    let across = Matrix3::identity() - normal * normal.transpose();
    Overlap {
        area_center: at.origin() + axes * (area_center + middle),
        second: axes * (across * second * across) * axes.transpose(),
        volume_turn,
        push: axes * push,
        push_turn: axes * push_turn,
        patch,
    }
}
