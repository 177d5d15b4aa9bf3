//! Boxes and convex polyhedra in one frame: corners, faces, planes and edges.

use crate::Convex;
use crate::convex::CUBE;
use crate::touch::direction;
use bristle_math::{Matrix3, Scalar, Vector3};

/// Pairs of edges are looked at up to this many; beyond, faces alone bound the depth.
const EDGE_PAIRS: usize = 1024;

/// Sizes of a polyhedron.
pub(crate) enum Body<'p, T> {
    Cuboid(&'p Vector3<T>),
    Convex(&'p Convex),
}

/// A polyhedron in the frame of a pair.
#[derive(Debug, Clone)]
pub(crate) struct Polytope<T> {
    pub vertices: Vec<Vector3<T>>,
    pub planes: Vec<(Vector3<T>, T)>,
    edges: Vec<Vector3<T>>,
    /// Corners of all faces, and where each begins.
    corners: Vec<u32>,
    starts: Vec<usize>,
    center: Vector3<f64>,
}

impl<T> Default for Polytope<T> {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            planes: Vec::new(),
            edges: Vec::new(),
            corners: Vec::new(),
            starts: Vec::new(),
            center: Vector3::zeros(),
        }
    }
}

impl<T: Scalar> Polytope<T> {
    /// Takes on the form of a body.
    pub fn set(&mut self, body: &Body<'_, T>, turn: &Matrix3<T>, place: &Vector3<T>) {
        self.vertices.clear();
        self.planes.clear();
        self.edges.clear();
        self.corners.clear();
        self.starts.clear();
        self.starts.push(0);
        match body {
            Body::Cuboid(half) => {
                let arms = [turn.column(0) * half.x, turn.column(1) * half.y, turn.column(2) * half.z];
                let signed =
                    |arm: usize, key: usize| if key >> arm & 1 == 0 { arms[arm] } else { -arms[arm] };
                let corner = |key| place + signed(0, key) + signed(1, key) + signed(2, key);
                self.vertices.extend((0..8).map(corner));
                for axis in 0..3 {
                    let n: Vector3<T> = turn.column(axis).into_owned();
                    let middle = n.dot(place);
                    self.planes.push((n, middle + half[axis]));
                    self.planes.push((-n, half[axis] - middle));
                    self.edges.push(n);
                }
                CUBE.iter().for_each(|face| self.push_face(face));
            }
            Body::Convex(body) => {
                self.vertices.extend(body.vertices().iter().map(|v| turn * v.map(T::lit) + place));
                for (n, offset) in body.planes() {
                    let n = turn * n.map(T::lit);
                    self.planes.push((n, T::lit(*offset) + n.dot(place)));
                }
                self.edges.extend(body.edges().iter().map(|e| turn * e.map(T::lit)));
                body.faces().iter().for_each(|face| self.push_face(face));
            }
        }
        let sum: Vector3<f64> = self.vertices.iter().map(|v| v.map(T::value)).sum();
        self.center = sum / self.vertices.len() as f64;
    }

    fn push_face(&mut self, face: &[u32]) {
        self.corners.extend_from_slice(face);
        self.starts.push(self.corners.len());
    }

    /// Faces in the order of their planes.
    pub fn faces(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|w| &self.corners[w[0]..w[1]])
    }

    /// Largest distance of a corner from the middle of all.
    pub fn radius(&self) -> f64 {
        self.vertices.iter().map(|v| (v.map(T::value) - self.center).norm()).fold(0.0, f64::max)
    }

    /// How far it reaches along a direction.
    pub fn reach(&self, n: &Vector3<T>) -> T {
        self.vertices.iter().fold(T::lit(f64::NEG_INFINITY), |best, v| best.max(v.dot(n)))
    }

    /// Where along a direction it begins.
    pub fn reach_down(&self, n: &Vector3<T>) -> T {
        -self.reach(&-n)
    }

    /// Middle of the corners that lie lowest along a direction.
    pub fn lowest(&self, n: &Vector3<T>) -> Vector3<T> {
        let floor = self.reach_down(n).value();
        let near = 1e-12 * (1.0 + self.radius());
        let low = self.vertices.iter().filter(|v| v.dot(n).value() <= floor + near);
        let (sum, count) = low.fold((Vector3::zeros(), 0.0), |(sum, count), v| (sum + v, count + 1.0));
        sum / T::lit(count)
    }

    /// The direction from here into `other` along which they overlap least, and by how much.
    pub fn least_depth(&self, other: &Self) -> (Vector3<T>, T) {
        let toward = other.center - self.center;
        let mut best = (Vector3::z(), T::lit(f64::INFINITY));
        let consider = |best: &mut (Vector3<T>, T), n: Vector3<T>, depth: T| {
            if depth.value() < best.1.value() {
                *best = (n, depth);
            }
        };
        for (n, offset) in &self.planes {
            consider(&mut best, *n, *offset - other.reach_down(n));
        }
        for (n, offset) in &other.planes {
            consider(&mut best, -n, *offset - self.reach_down(n));
        }
        // what a face keeps apart needs no edges to tell
        let is_open = best.1.value() > 0.0;
        if is_open && self.edges.len() * other.edges.len() <= EDGE_PAIRS {
            for (e, f) in self.edges.iter().flat_map(|e| other.edges.iter().map(move |f| (e, f))) {
                let (n, length, _) = direction(&e.cross(f), &Vector3::z());
                // Directions of parallel edges are noise, and faces tell them already.
                if length.value() > 1e-7 {
                    let n = if n.map(T::value).dot(&toward) < 0.0 { -n } else { n };
                    consider(&mut best, n, self.reach(&n) - other.reach_down(&n));
                }
            }
        }
        best
    }
}
