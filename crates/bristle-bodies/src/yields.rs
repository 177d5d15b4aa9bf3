//! Forces that give way to the acceleration they cause.
//!
//! ```text
//! wrench on a link   W − G A        effort along a velocity   τ − g v̇        G, g symmetric, not negative
//! ```
//! A linearly implicit step takes stiff forces at its end, where they depend on the accelerations sought. What depends on
//! them so adds to the inertia: G to that of the link, g to that of the joint, and the recursion of
//! [`crate::Tree::accelerations`] solves it in one pass. A is J v̇: the velocity of the link at its origin changes so over a step that reckons with the tangents of all
//! paths. What the motion of other joints adds to that belongs to the arcs, which a step makes good for at its end.

use crate::articulated::Articulated;
use crate::symmetric::Symmetric;
use crate::{Tree, Twist, Wrench};
use bristle_math::Real;
use nalgebra::{Matrix3, Vector3};

/// How forces on links and efforts of joints give way.
#[derive(Debug, Clone)]
pub struct Yields<T> {
    /// G of links, where it is any.
    links: Vec<Option<Articulated<T>>>,
    along: Vec<T>,
    /// h
    step: T,
}

impl<T: Real> Yields<T> {
    /// Nothing gives way yet.
    pub fn new(tree: &Tree<T>) -> Self {
        Self { links: vec![None; tree.links().len()], along: vec![T::lit(0.0); tree.nv()], step: T::lit(0.0) }
    }

    /// Nothing gives way any more, over a step of this length, s. Bodies that turn freely keep their energy over it.
    pub fn clear(&mut self, step: T) {
        self.step = step;
        self.links.iter_mut().for_each(|link| *link = None);
        self.along.fill(T::lit(0.0));
    }

    /// A force on `link` at a point `offset` from its origin (world axes) that is less by `by` times the acceleration there.
    /// Only the upper triangle of `by` is read.
    pub fn add_at(&mut self, link: usize, offset: &Vector3<T>, by: &Matrix3<T>) {
        let there = Articulated::at_point(&Symmetric::of(by), offset);
        match &mut self.links[link] {
            Some(all) => all.add(&there),
            none => *none = Some(there),
        }
    }

    /// An effort along velocity `k` that is less by `by` times v̇.
    pub fn add_along(&mut self, k: usize, by: T) {
        self.along[k] += by;
    }

    /// What gives way on a link, if anything does.
    #[inline]
    pub(crate) fn link(&self, link: usize) -> Option<&Articulated<T>> {
        self.links[link].as_ref()
    }

    /// Length of the step, s.
    #[inline]
    pub(crate) fn step(&self) -> T {
        self.step
    }

    /// g of a velocity.
    #[inline]
    pub(crate) fn along(&self, k: usize) -> T {
        self.along[k]
    }
}

/// By how much a wrench that gives way so is less at an acceleration that gravity is taken from.
#[inline(always)]
pub(crate) fn given<T: Real>(
    by: &Articulated<T>,
    acceleration: &Twist<T>,
    gravity: &Vector3<T>,
) -> Wrench<T> {
    by.apply(&Twist { angular: acceleration.angular, linear: acceleration.linear + gravity })
}
