//! Links and how they hang together.
//!
//! A tree is checked once, when it is built, and never changes: what is asked of it later cannot fail. Links are
//! stored parents first; `q` and `v` hold the numbers of each joint in that order.

use crate::few::{self, Member};
use crate::free::FreeBody;
use crate::joints::{floating, read_twist, write_twist};
use crate::step::{Kind, Step};
use crate::{BodyError, Inertia, Joint, Placed, Pose, Twist, Wrench, check};
use bristle_math::Real;
use nalgebra::{Quaternion, Translation3, UnitQuaternion, Vector3};
use std::ops::Range;

/// One rigid body and the joint that carries it.
#[derive(Debug, Clone)]
pub struct Link<T> {
    /// Name, for messages.
    pub name: String,
    /// Index of the link that carries this one; none for a link that moves in the world.
    pub parent: Option<usize>,
    /// Freedom relative to the parent.
    pub joint: Joint<T>,
    /// Joint frame in the frame of the parent link (in the world, for roots).
    pub placement: Pose<T>,
    /// Mass distribution about the link origin, in link axes.
    pub inertia: Inertia<T>,
}

/// What is known of a link before any motion.
#[derive(Debug, Clone)]
pub(crate) struct Node<T> {
    pub(crate) q: usize,
    pub(crate) v: usize,
    /// Rank among the driven links, for those.
    pub(crate) driven: usize,
    /// Set for a floating link without children: closed form instead of recursion.
    pub(crate) free: Option<FreeBody<T>>,
    /// True for a link that is fixed to the world: its pose never changes, nothing moves it.
    pub(crate) is_still: bool,
}

/// A free body whose joint frame has the axes of the world.
#[derive(Debug, Clone)]
pub struct Loose<T> {
    /// Its link.
    pub link: usize,
    q: usize,
    v: usize,
    /// Of its joint frame.
    pub(crate) origin: Vector3<T>,
    pub(crate) body: FreeBody<T>,
}

impl<T: Real> Loose<T> {
    /// Where it is and how it moves.
    #[inline(always)]
    pub fn placed(&self, q: &[T], v: &[T]) -> Placed<T> {
        Placed { pose: self.pose(q), twist: read_twist(self.v(v)) }
    }

    /// The same by its own seven and six numbers.
    #[inline(always)]
    pub fn placed_by(&self, q: &[T; 7], v: &[T; 6]) -> Placed<T> {
        Placed { pose: self.pose_by(q), twist: read_twist(v) }
    }

    #[inline(always)]
    pub(crate) fn pose(&self, q: &[T]) -> Pose<T> {
        self.pose_by(self.q(q))
    }

    #[inline(always)]
    fn pose_by(&self, q: &[T]) -> Pose<T> {
        let mut pose = floating::pose(q);
        pose.translation.vector += self.origin;
        pose
    }

    /// `q̇` and `v̇` under a wrench in world axes, torque about its origin, and gravity.
    #[inline(always)]
    pub fn rates(
        &self,
        (q, v): (&[T], &[T]),
        wrench: &Wrench<T>,
        gravity: &Vector3<T>,
        (qdot, vdot): (&mut [T], &mut [T]),
    ) {
        let (q, v) = (self.q(q), self.v(v));
        floating::rates(q, v, self.q_mut(qdot));
        write_twist(&self.acceleration(q, v, wrench, gravity), self.v_mut(vdot));
    }

    /// Acceleration under a wrench and gravity, by its own seven and six numbers.
    #[inline(always)]
    pub fn acceleration(&self, q: &[T], v: &[T], wrench: &Wrench<T>, gravity: &Vector3<T>) -> Twist<T> {
        let spin = Vector3::new(v[0], v[1], v[2]);
        let mut total = self.body.acceleration(|| floating::pose(q).rotation, &spin, wrench);
        total.linear += gravity;
        total
    }

    /// Inverses of its mass and of its inertia, if it is centred and equally hard to turn about every axis.
    pub fn as_ball(&self) -> Option<[T; 2]> {
        self.body.as_ball()
    }

    /// Where its numbers stand in `q` and in `v`.
    pub fn places(&self) -> [usize; 2] {
        [self.q, self.v]
    }

    /// Of its joint frame, which its position is counted from.
    pub fn origin(&self) -> &Vector3<T> {
        &self.origin
    }
}

/// Seven numbers of a free body after a time `h` at a constant twist, their quaternion made unit.
#[inline(always)]
pub fn stride<T: Real>(q: &mut [T; 7], v: &[T; 6], h: T) {
    let mut rates = [T::lit(0.0); 7];
    floating::rates(q, v, &mut rates);
    q.iter_mut().zip(rates).for_each(|(q, rate)| *q += h * rate);
    floating::normalise(q);
}

// One check of the bounds each: the length is known from there on.
impl<T> Loose<T> {
    #[inline(always)]
    pub(crate) fn q<'x>(&self, q: &'x [T]) -> &'x [T] {
        &q[self.q..][..7]
    }
    #[inline(always)]
    pub(crate) fn q_mut<'x>(&self, q: &'x mut [T]) -> &'x mut [T] {
        &mut q[self.q..][..7]
    }
    #[inline(always)]
    pub(crate) fn v<'x>(&self, v: &'x [T]) -> &'x [T] {
        &v[self.v..][..6]
    }
    #[inline(always)]
    pub(crate) fn v_mut<'x>(&self, v: &'x mut [T]) -> &'x mut [T] {
        &mut v[self.v..][..6]
    }
}

/// An immutable forest of links, parents first.
#[derive(Debug, Clone)]
pub struct Tree<T> {
    links: Vec<Link<T>>,
    nodes: Vec<Node<T>>,
    /// Free bodies in world axes: each by itself, in closed form.
    loose: Vec<Loose<T>>,
    /// Links that do not stand still.
    moving: Vec<usize>,
    /// All other links but those that stand still and carry nothing, parents first.
    steps: Vec<Step<T>>,
    /// Trees with few freedoms among the steps.
    few: Vec<Vec<Member>>,
    /// Whether other steps can be moved.
    has_many: bool,
    /// Inertia added along each velocity.
    armature: Vec<T>,
    has_armature: bool,
    nq: usize,
    nv: usize,
    driven_count: usize,
}

impl Tree<f64> {
    /// Checks the links and builds the tree. Use [`Tree::map`] for another scalar.
    ///
    /// # Errors
    /// When a parent does not come before its child, a number is out of range, or a joint moves no mass.
    pub fn new(links: Vec<Link<f64>>) -> Result<Self, BodyError> {
        let nv = links.iter().map(|link| link.joint.nv()).sum();
        Self::with_armature(links, vec![0.0; nv])
    }

    /// A tree with an inertia along each velocity besides that of the links: rotors that turn with a joint through a
    /// gear, kg m² (kg for a velocity in m/s). It stores ½ a v² and resists v̇; links feel it through their joint
    /// only. None on floating joints.
    ///
    /// # Errors
    /// As [`Tree::new`], and when an armature is negative, not finite, on a floating joint, or one is missing.
    pub fn with_armature(links: Vec<Link<f64>>, armature: Vec<f64>) -> Result<Self, BodyError> {
        check::links(&links, &armature)?;
        let tree = Self::assemble(links, armature);
        check::mobility(&tree)?;
        Ok(tree)
    }
}

impl<T: Real> Tree<T> {
    fn assemble(links: Vec<Link<T>>, armature: Vec<T>) -> Self {
        let mut has_children = vec![false; links.len()];
        for parent in links.iter().filter_map(|link| link.parent) {
            has_children[parent] = true;
        }
        let (mut nq, mut nv, mut driven_count) = (0, 0, 0);
        let mut nodes: Vec<Node<T>> = Vec::with_capacity(links.len());
        for (link, &carries) in links.iter().zip(&has_children) {
            let is_free = matches!(link.joint, Joint::Floating) && !carries;
            let free = is_free.then(|| FreeBody::new(link));
            let is_still =
                matches!(link.joint, Joint::Fixed) && link.parent.is_none_or(|p| nodes[p].is_still);
            nodes.push(Node { q: nq, v: nv, driven: driven_count, free, is_still });
            nq += link.joint.nq();
            nv += link.joint.nv();
            driven_count += usize::from(matches!(link.joint, Joint::Driven));
        }
        let is_loose = |i: usize| nodes[i].free.as_ref().is_some_and(|free| free.is_aligned);
        let loose = nodes.iter().enumerate().filter(|(i, _)| is_loose(*i)).filter_map(|(link, node)| {
            let origin = links[link].placement.translation.vector;
            Some(Loose { link, q: node.q, v: node.v, origin, body: node.free.clone()? })
        });
        let loose = loose.collect();
        let moving = (0..links.len()).filter(|&i| !nodes[i].is_still).collect();
        let takes_part = |&i: &usize| !is_loose(i) && (!nodes[i].is_still || has_children[i]);
        let step = |i: usize| {
            let (link, node): (&Link<T>, &Node<T>) = (&links[i], &nodes[i]);
            let kind = Kind::of(&link.joint, has_children[i], node.is_still);
            let can_move = |&p: &usize| !nodes[p].is_still && !matches!(links[p].joint, Joint::Driven);
            Step::new(i, link, link.parent.filter(can_move), kind, node.q, node.v)
        };
        let mut steps: Vec<_> = (0..links.len()).filter(takes_part).map(step).collect();
        let few = few::find(&mut steps);
        let has_many = steps.iter().any(|s| !s.is_of_few && !matches!(s.kind, Kind::Still | Kind::Driven));
        let has_armature = !armature.iter().all(|a| a.is_exactly(0.0));
        Self {
            links,
            nodes,
            loose,
            moving,
            steps,
            few,
            has_many,
            armature,
            has_armature,
            nq,
            nv,
            driven_count,
        }
    }

    /// The same tree in another scalar: `f` sees every parameter, in the order of links, armatures last. Nothing is checked
    /// again.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Tree<U> {
        let mut lift = |link: &Link<T>| Link {
            name: link.name.clone(),
            parent: link.parent,
            joint: link.joint.map(f),
            placement: Pose::from_parts(
                Translation3::from(link.placement.translation.vector.map(&mut *f)),
                UnitQuaternion::new_unchecked(Quaternion::from(link.placement.rotation.coords.map(&mut *f))),
            ),
            inertia: link.inertia.map(f),
        };
        let links = self.links.iter().map(&mut lift).collect();
        Tree::assemble(links, self.armature.iter().map(|&a| f(a)).collect())
    }

    /// Links that do not stand still, parents first.
    #[inline]
    pub fn moving(&self) -> &[usize] {
        &self.moving
    }
    /// All links, parents first.
    pub fn links(&self) -> &[Link<T>] {
        &self.links
    }
    /// Length of the configuration.
    pub fn nq(&self) -> usize {
        self.nq
    }
    /// Length of the velocity: degrees of freedom.
    pub fn nv(&self) -> usize {
        self.nv
    }
    /// Where the joint of `link` is in `q`.
    pub fn q_range(&self, link: usize) -> Range<usize> {
        let start = self.nodes[link].q;
        start..start + self.links[link].joint.nq()
    }
    /// Where the joint of `link` is in `v`.
    pub fn v_range(&self, link: usize) -> Range<usize> {
        let start = self.nodes[link].v;
        start..start + self.links[link].joint.nv()
    }
    /// Whether entry `k` of `v` is a speed, m/s (otherwise an angular velocity, rad/s).
    pub fn is_speed(&self, k: usize) -> bool {
        let after = self.nodes.partition_point(|node| node.v <= k);
        // links without freedoms share the place of the next one
        let link = (0..after).rev().find(|l| self.v_range(*l).contains(&k));
        link.is_some_and(|l| self.links[l].joint.is_speed(k - self.nodes[l].v))
    }
    /// Inertia added along each velocity: kg m², or kg for a velocity in m/s.
    pub fn armature(&self) -> &[T] {
        &self.armature
    }
    /// Number of driven links.
    pub fn driven_count(&self) -> usize {
        self.driven_count
    }
    /// Where the prescribed motion of `link` is in a list of them; none unless the link is driven.
    pub fn driven_index(&self, link: usize) -> Option<usize> {
        matches!(self.links[link].joint, Joint::Driven).then(|| self.nodes[link].driven)
    }

    /// Sets the identity configuration: distances and angles zero, quaternions (0, 0, 0, 1).
    pub fn neutral(&self, q: &mut [T]) {
        for (i, link) in self.links.iter().enumerate() {
            link.joint.neutral(&mut q[self.q_range(i)]);
        }
    }

    /// Free bodies in world axes, each by itself.
    #[inline]
    pub fn loose(&self) -> &[Loose<T>] {
        &self.loose
    }

    /// Whether no other link moves.
    pub fn is_loose(&self) -> bool {
        self.moving.len() == self.loose.len()
    }

    /// `q̇ = N(q) v`, quaternions as plain numbers.
    #[inline(always)]
    pub fn rates(&self, q: &[T], v: &[T], qdot: &mut [T]) {
        for body in &self.loose {
            floating::rates(body.q(q), body.v(v), body.q_mut(qdot));
        }
        if !self.steps.is_empty() {
            self.jointed_rates(q, v, qdot);
        }
    }

    #[inline(never)]
    fn jointed_rates(&self, q: &[T], v: &[T], qdot: &mut [T]) {
        for step in &self.steps {
            if let Kind::Turn | Kind::Shift = step.kind {
                qdot[step.q] = v[step.v];
                continue;
            }
            let (rq, rv) = (self.q_range(step.link), self.v_range(step.link));
            self.links[step.link].joint.rates(&q[rq.clone()], &v[rv], &mut qdot[rq]);
        }
    }

    /// Makes the quaternions in `q` unit again; called between steps, never inside one.
    pub fn normalise(&self, q: &mut [T]) {
        for (i, link) in self.links.iter().enumerate() {
            link.joint.normalise(&mut q[self.q_range(i)]);
        }
    }

    pub(crate) fn nodes(&self) -> &[Node<T>] {
        &self.nodes
    }
    /// Whether `link` is fixed to the world.
    pub fn is_still(&self, link: usize) -> bool {
        self.nodes[link].is_still
    }
    pub(crate) fn steps(&self) -> &[Step<T>] {
        &self.steps
    }
    pub(crate) fn few(&self) -> &[Vec<Member>] {
        &self.few
    }
    pub(crate) fn has_many(&self) -> bool {
        self.has_many
    }
    pub(crate) fn has_armature(&self) -> bool {
        self.has_armature
    }
}
