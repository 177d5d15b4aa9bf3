//! Random trees of all joint types, with random states and loads, from a fixed seed.
#![allow(clippy::unwrap_used)]

use bristle_bodies::{Driven, Inertia, Joint, Link, Pose, SlideAxes, Tree, Twist, Wrench};
use nalgebra::{Matrix3, Translation3, Unit, UnitQuaternion, Vector3};

/// A linear congruential generator: enough for test data, same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        random.below(2);
        random
    }
    /// In [−1, 1).
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    pub fn below(&mut self, n: usize) -> usize {
        ((self.number() + 1.0) / 2.0 * n as f64) as usize
    }
    pub fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.number(), self.number(), self.number())
    }
    pub fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }
    pub fn pose(&mut self) -> Pose<f64> {
        Pose::from_parts(
            Translation3::from(self.vector()),
            UnitQuaternion::from_scaled_axis(self.vector() * 3.0),
        )
    }
    pub fn twist(&mut self) -> Twist<f64> {
        Twist { angular: self.vector(), linear: self.vector() }
    }
    pub fn wrench(&mut self) -> Wrench<f64> {
        Wrench { torque: self.vector(), force: self.vector() }
    }

    /// A solid box of random sides, turned and shifted.
    pub fn inertia(&mut self) -> Inertia<f64> {
        let mass = 1.5 + self.number();
        let sides = self.vector().map(|x| (0.6 + 0.5 * x).powi(2));
        let principal =
            Matrix3::from_diagonal(&Vector3::new(sides.y + sides.z, sides.z + sides.x, sides.x + sides.y));
        let turn = UnitQuaternion::from_scaled_axis(self.vector() * 3.0).to_rotation_matrix().into_inner();
        let about_center = turn * principal * turn.transpose() * (mass / 12.0);
        let about_center = (about_center + about_center.transpose()) * 0.5;
        Inertia { mass, center: self.vector() * 0.3, about_center }
    }

    pub fn joint(&mut self) -> Joint<f64> {
        let axis = Unit::new_normalize(self.vector());
        let other = Unit::new_normalize(axis.cross(&self.vector()) + axis.as_ref() * (0.5 * self.number()));
        match self.below(11) {
            0 => Joint::Fixed,
            1 => Joint::Floating,
            2 => Joint::Prismatic { axis },
            3 | 4 => Joint::Revolute { axis },
            5 => Joint::Planar,
            6 => Joint::Slide { axes: [SlideAxes::X, SlideAxes::YZ, SlideAxes::XYZ][self.below(3)] },
            7 => Joint::Slide { axes: [SlideAxes::XY, SlideAxes::XZ, SlideAxes::Z][self.below(3)] },
            8 => Joint::Cylindrical { axis },
            9 => Joint::Universal { axes: [axis, other] },
            _ => Joint::Spherical,
        }
    }

    /// Armature on about half of the velocities, or on none.
    fn armature(&mut self, links: &[Link<f64>]) -> Vec<f64> {
        let has_any = self.below(2) == 0;
        let mut all = Vec::new();
        for link in links {
            let can_have = has_any && !matches!(link.joint, Joint::Floating);
            all.extend((0..link.joint.nv()).map(|_| if can_have { self.number().max(0.0) } else { 0.0 }));
        }
        all
    }

    /// A tree of `n` links; about every sixth is a root, and with `with_driven` the first one is driven.
    pub fn tree(&mut self, n: usize, with_driven: bool) -> Tree<f64> {
        let mut links = Vec::new();
        for i in 0..n {
            let parent = if i == 0 || self.below(6) == 0 { None } else { Some(self.below(i)) };
            let joint = if i == 0 && with_driven { Joint::Driven } else { self.joint() };
            let (placement, inertia) = (self.pose(), self.inertia());
            links.push(Link { name: format!("link {i}"), parent, joint, placement, inertia });
        }
        let armature = self.armature(&links);
        Tree::with_armature(links, armature).unwrap()
    }

    /// A configuration with unit quaternions.
    pub fn configuration(&mut self, tree: &Tree<f64>) -> Vec<f64> {
        let mut q = self.numbers(tree.nq());
        tree.normalise(&mut q);
        q
    }
    pub fn driven(&mut self, tree: &Tree<f64>) -> Vec<Driven<f64>> {
        (0..tree.driven_count())
            .map(|_| Driven { pose: self.pose(), twist: self.twist(), acceleration: self.twist() })
            .collect()
    }
    pub fn wrenches(&mut self, tree: &Tree<f64>) -> Vec<Wrench<f64>> {
        tree.links().iter().map(|_| self.wrench()).collect()
    }
}
