//! Two convex polyhedra: what they share, exactly.
//!
//! The surface of the overlap is every face of A cut by the planes of B and every face of B cut by the planes of A. Each
//! piece spans a cone with a reference point, whose signed sums are volume and centroid; no edges are matched, so
//! shared edges, corners and slivers need no care. Faces of both that lie in one plane count once, as A's; faces that
//! only touch back to back enclose nothing. The pieces of B's surface give the effective normal and area, S = ∫ n_B dA,
//! and dV/dt = ∫ (v_B − v_A)·n_B dA. `volume_moment` belongs to withdrawing straight along the normal, so
//! the bed gives back what it took for such a motion; any other motion changes it too.
//!
//! `depth` is the least over the directions of all faces and pairs of edges, which is the true one for polyhedra of few
//! edges.

use super::cylinder_cylinder::approach;
use super::polytope::{Body, Polytope};
use crate::touch::direction;
use crate::{Overlap, Patch, Placed};
use bristle_math::{Matrix3, Scalar, Vector3, gauss};

/// Buffers of an overlap; they grow once and are used again.
#[derive(Debug, Clone)]
pub struct OverlapScratch<T> {
    a: Polytope<T>,
    b: Polytope<T>,
    polygon: Vec<Vector3<T>>,
    spare: Vec<Vector3<T>>,
}

impl<T> Default for OverlapScratch<T> {
    fn default() -> Self {
        Self { a: Polytope::default(), b: Polytope::default(), polygon: Vec::new(), spare: Vec::new() }
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

/// Which of two faces in one plane counts.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    A,
    B,
}

impl<T: Scalar> OverlapScratch<T> {
    /// Cuts a face of one body by the planes of the other and adds what is left. B is moved by `shift`.
    fn add_faces(&mut self, side: Side, shift: &Vector3<T>, flat: f64, sums: &mut Sums<T>) {
        let (own, other) = if side == Side::A { (&self.a, &self.b) } else { (&self.b, &self.a) };
        let zero = Vector3::zeros();
        let (own_shift, other_shift) = if side == Side::A { (&zero, shift) } else { (shift, &zero) };
        for (face, (normal, _)) in own.faces().zip(&own.planes) {
            self.polygon.clear();
            self.polygon.extend(face.iter().map(|i| own.vertices[*i as usize] + own_shift));
            for (n, offset) in &other.planes {
                let offset = *offset + n.dot(other_shift);
                let depth = |p: &Vector3<T>| {
                    let d = n.dot(p) - offset;
                    if d.value().abs() <= flat { T::lit(0.0) } else { d }
                };
                let mut is_flat = true;
                let mut is_inside = true;
                for p in &self.polygon {
                    let d = depth(p).value();
                    is_flat &= d == 0.0;
                    is_inside &= d <= 0.0;
                }
                if is_flat {
                    if side == Side::B || n.dot(normal).value() < 0.0 {
                        self.polygon.clear();
                        break;
                    }
                    continue;
                }
                if is_inside {
                    continue;
                }
                clip(&self.polygon, &mut self.spare, depth);
                std::mem::swap(&mut self.polygon, &mut self.spare);
                if self.polygon.len() < 3 {
                    self.polygon.clear();
                    break;
                }
            }
            sums.add(&self.polygon, normal, side == Side::B);
        }
    }

    fn sums(&mut self, shift: &Vector3<T>, base: &Vector3<T>, flat: f64) -> Sums<T> {
        let mut sums = Sums { base: *base, ..Sums::new() };
        self.add_faces(Side::A, shift, flat, &mut sums);
        self.add_faces(Side::B, shift, flat, &mut sums);
        sums
    }
}

/// Keeps the part of a polygon where `depth` is not positive.
fn clip<T: Scalar>(from: &[Vector3<T>], to: &mut Vec<Vector3<T>>, depth: impl Fn(&Vector3<T>) -> T) {
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
    let apart = |normal: &Vector3<T>, depth: T, point: &Vector3<T>| {
        let mut patch = Patch { depth, normal: axes * normal, ..Patch::none() };
        patch.normal_rate = (at.twist.angular + on.twist.angular).cross(&patch.normal) * T::lit(0.5);
        patch.point = at.origin() + axes * point;
        patch.rate = approach(at, on, &patch);
        patch
    };
    let middle = ws.b.lowest(&normal) + normal * (T::lit(0.5) * depth);
    if depth.value() <= 0.0 {
        return Overlap::apart(apart(&normal, depth, &middle));
    }
    let size = ws.a.radius().min(ws.b.radius());
    let flat = 1e-14 * (ws.a.radius() + ws.b.radius() + place.map(T::value).norm());
    let sums = ws.sums(&Vector3::zeros(), &middle, flat);
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
    let way = ws.a.reach(&normal) - ws.b.reach_down(&normal);
    patch.volume_moment = moment(ws, &normal, way, &middle, flat);

    let skew = |m: &Matrix3<T>| Vector3::new(m.m23 - m.m32, m.m31 - m.m13, m.m12 - m.m21);
    let turning = skew(&sums.arms) - center.cross(&sums.vector);
    let spin = on.twist.angular - at.twist.angular;
    let volume_turn = axes * turning;
    patch.volume_rate = area * patch.rate + volume_turn.dot(&spin);
    let safe = area.max(T::lit(1e-200));
    let area_center = -(sums.arms * normal) / safe;
    let mut second = Matrix3::zeros();
    (0..3).for_each(|k| second -= sums.squares[k] * normal[k]);
    second -= area_center * area_center.transpose() * area;
    let across = Matrix3::identity() - normal * normal.transpose();
    Overlap {
        area_center: at.origin() + axes * (area_center + middle),
        second: axes * (across * second * across) * axes.transpose(),
        volume_turn,
        push: patch.normal * patch.volume,
        push_turn: Vector3::zeros(),
        patch,
    }
}

/// ∫ V over a straight withdrawal of B along the normal; V is made of cubic pieces.
fn moment<T: Scalar>(
    ws: &mut OverlapScratch<T>,
    normal: &Vector3<T>,
    way: T,
    base: &Vector3<T>,
    flat: f64,
) -> T {
    let mut sum = T::lit(0.0);
    for (x, w) in gauss::nodes8() {
        let shift = normal * (way * T::lit(x));
        sum += ws.sums(&shift, base, flat).volume.positive() * T::lit(w);
    }
    sum * way
}
