//! Random poses and motions of every pair of shapes.
#![allow(dead_code)] // each test file uses its part
#![allow(clippy::unwrap_used)] // outside of a test function only by its place

pub mod brute;

use bristle_geom::{Convex, Pair, Patch, Placed, Pose, Shape};
use bristle_math::spatial::Twist;
use bristle_math::{Real, Vector3};
use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use std::sync::Arc;

/// Uniform numbers from a fixed start (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        low + (high - low) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn vector(&mut self, size: f64) -> Vector3<f64> {
        Vector3::new(self.within(-size, size), self.within(-size, size), self.within(-size, size))
    }

    pub fn pose(&mut self, size: f64) -> Pose<f64> {
        let turn = UnitQuaternion::from_scaled_axis(self.vector(2.0));
        Pose::from_parts(Translation3::from(self.vector(size)), turn)
    }

    pub fn twist(&mut self) -> Twist<f64> {
        Twist { angular: self.vector(3.0), linear: self.vector(2.0) }
    }
}

/// One of each kind; the tube comes with ends and without.
pub fn shapes() -> Vec<Shape<f64>> {
    vec![
        Shape::HalfSpace,
        Shape::Point,
        Shape::Sphere { radius: 0.5 },
        Shape::Sphere { radius: 0.2 },
        Shape::Cylinder { radius: 0.4, half_length: 0.7 },
        Shape::Tube { radius: 0.9, half_length: 0.6 },
        Shape::Tube { radius: 0.7, half_length: f64::INFINITY },
        Shape::Capsule { radius: 0.3, half_length: 0.6 },
        Shape::Capsule { radius: 0.45, half_length: 0.2 },
        Shape::Cuboid { half: Vector3::new(0.3, 0.5, 0.7) },
        Shape::Cuboid { half: Vector3::new(0.6, 0.2, 0.4) },
        Shape::Ellipsoid { radii: Vector3::new(0.3, 0.5, 0.7) },
        roof(),
    ]
}

/// A convex polyhedron without symmetry: a ridge over a rectangle, its centroid off the origin.
pub fn roof() -> Shape<f64> {
    let corners = [
        [-0.4, -0.3, -0.2],
        [0.5, -0.3, -0.2],
        [0.5, 0.4, -0.2],
        [-0.4, 0.4, -0.2],
        [-0.1, 0.1, 0.3],
        [0.3, 0.1, 0.3],
    ];
    let faces = vec![vec![0, 3, 2, 1], vec![0, 1, 5, 4], vec![2, 3, 4, 5], vec![0, 4, 3], vec![1, 2, 5]];
    Shape::Convex(Arc::new(Convex::new(corners.map(Vector3::from).to_vec(), faces).unwrap()))
}

/// Two shapes on their way, near enough to touch.
#[derive(Debug, Clone)]
pub struct Case {
    pub pair: Pair,
    pub a: Shape<f64>,
    pub at_a: Placed<f64>,
    pub b: Shape<f64>,
    pub at_b: Placed<f64>,
}

impl Case {
    pub fn patches(&self) -> Vec<Patch<f64>> {
        self.on(|x| x, |at| *at)
    }

    /// The patches on another scalar.
    pub fn on<T: Real>(
        &self,
        mut size: impl FnMut(f64) -> T,
        place: impl Fn(&Placed<f64>) -> Placed<T>,
    ) -> Vec<Patch<T>> {
        let mut out = vec![Patch::none(); self.pair.patch_count()];
        let (a, b) = (self.a.map(&mut size), self.b.map(&mut size));
        self.pair.patches(&a, &place(&self.at_a), &b, &place(&self.at_b), &mut out);
        out
    }

    /// A capsule whose segment has entered a solid: only depth is continuous there.
    pub fn is_pierced(&self, patch: &Patch<f64>) -> bool {
        match (&self.a, &self.b) {
            (
                Shape::Capsule { radius, .. },
                Shape::Cuboid { .. } | Shape::Cylinder { .. } | Shape::Convex(_),
            )
            | (
                Shape::Cuboid { .. } | Shape::Cylinder { .. } | Shape::Convex(_),
                Shape::Capsule { radius, .. },
            ) => patch.depth >= *radius,
            _ => false,
        }
    }

    pub fn swapped(&self) -> Self {
        Self {
            pair: Pair::of(&self.b, &self.a).unwrap(),
            a: self.b.clone(),
            at_a: self.at_b,
            b: self.a.clone(),
            at_b: self.at_a,
        }
    }
}

/// Calls `check` for `count` random motions of every supported pair, in both orders.
pub fn for_all(count: usize, mut check: impl FnMut(&Case)) {
    let mut random = Random(7);
    let mut pairs = 0;
    for a in shapes() {
        for b in shapes() {
            let Ok(pair) = Pair::of(&a, &b) else { continue };
            pairs += 1;
            for _ in 0..count {
                let at_a = Placed { pose: random.pose(3.0), twist: random.twist() };
                let at_b = Placed { pose: at_a.pose * random.pose(1.0), twist: random.twist() };
                check(&Case { pair, a: a.clone(), at_a, b: b.clone(), at_b });
            }
        }
    }
    assert!(pairs > 40, "only {pairs} pairs");
}

/// The pose on another scalar, `lift` acting on every number and its rate.
pub fn lifted<T: Real>(at: &Placed<f64>, lift: impl Fn(f64, f64) -> T) -> Placed<T> {
    let (position, turn) = (at.pose.translation.vector, at.pose.rotation.into_inner());
    let spin = Quaternion::from_parts(0.0, at.twist.angular) * turn * 0.5;
    let turn = turn.coords.zip_map(&spin.coords, &lift);
    let moved = position.zip_map(&at.twist.linear, &lift);
    let constant = |v: Vector3<f64>| v.map(|x| lift(x, 0.0));
    Placed {
        pose: Pose::from_parts(
            Translation3::from(moved),
            UnitQuaternion::new_unchecked(Quaternion::from(turn)),
        ),
        twist: Twist { angular: constant(at.twist.angular), linear: constant(at.twist.linear) },
    }
}
