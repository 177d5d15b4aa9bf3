//! Where every link is and how it moves.
//!
//! ```text
//! pose_i = pose_p · placement_i · joint_i(q)           r = origin_i − origin_p
//! ω_i = ω_p + ω_rel          v_i = v_p + ω_p × r + v_rel          (ω_rel, v_rel) = S v      world axes
//! ```
//! Source: Featherstone (2008), eq. (4.17)–(4.20), written at link origins instead of in link coordinates.

use crate::joints::{floating, read_twist};
use crate::{Joint, Placed, Pose, Tree, Twist};
use bristle_math::Real;
use nalgebra::{UnitQuaternion, Vector3};

/// Prescribed motion of a driven link, in world axes.
#[derive(Debug, Clone, Copy)]
pub struct Driven<T> {
    /// Pose of the link frame in the world.
    pub pose: Pose<T>,
    /// Angular velocity and velocity of the link origin.
    pub twist: Twist<T>,
    /// Angular acceleration and acceleration of the link origin (classical: second derivative of its position).
    pub acceleration: Twist<T>,
}

impl<T: Real> Driven<T> {
    /// Standing still at `pose`.
    pub fn at_rest(pose: Pose<T>) -> Self {
        Self { pose, twist: Twist::zero(), acceleration: Twist::zero() }
    }
}

/// Poses and twists of all links, filled by [`Tree::kinematics`].
#[derive(Debug, Clone)]
pub struct Kinematics<T> {
    /// Frame of each link in the world, with its motion at its origin.
    pub links: Vec<Placed<T>>,
    /// S in world axes, one entry for each velocity. Unused for floating joints, whose S is a rotation.
    columns: Vec<Twist<T>>,
}

impl<T: Real> Kinematics<T> {
    /// Room for all links of `tree`.
    pub fn new(tree: &Tree<T>) -> Self {
        let n = tree.links().len();
        // Links that stand still are placed here, once.
        let mut links = vec![Placed::at_rest(Pose::identity()); n];
        for i in (0..n).filter(|&i| tree.is_still(i)) {
            let link = &tree.links()[i];
            links[i].pose = match link.parent {
                Some(parent) => links[parent].pose * link.placement,
                None => link.placement,
            };
        }
        Self { links, columns: vec![Twist::zero(); tree.nv()] }
    }

    /// Pose of the frame of `link` in the world.
    #[inline]
    pub fn pose(&self, link: usize) -> &Pose<T> {
        &self.links[link].pose
    }

    /// Motion of `link` at its origin, in world axes.
    #[inline]
    pub fn twist(&self, link: usize) -> &Twist<T> {
        &self.links[link].twist
    }

    /// Velocity of the material point of `link` that is at `point` of the world, m/s.
    pub fn velocity_at(&self, link: usize, point: &Vector3<T>) -> Vector3<T> {
        self.links[link].twist_at(point).linear
    }

    /// Position of the link origin, m.
    #[inline]
    pub fn origin(&self, link: usize) -> &Vector3<T> {
        &self.links[link].pose.translation.vector
    }

    /// S of a joint that is not floating.
    #[inline]
    pub(crate) fn columns(&self, range: std::ops::Range<usize>) -> &[Twist<T>] {
        &self.columns[range]
    }
}

impl<T: Real> Tree<T> {
    /// Pose and twist of every link. `driven` holds the motion of each driven link, in the order of links.
    #[inline(always)]
    pub fn kinematics(&self, q: &[T], v: &[T], driven: &[Driven<T>], out: &mut Kinematics<T>) {
        debug_assert_eq!((q.len(), v.len(), driven.len()), (self.nq(), self.nv(), self.driven_count()));
        for body in self.loose() {
            let mut pose = floating::pose(body.q(q));
            pose.translation.vector += self.links()[body.link].placement.translation.vector;
            out.links[body.link] = Placed { pose, twist: read_twist(body.v(v)) };
        }
        if !self.jointed().is_empty() {
            self.jointed_kinematics(q, v, driven, out);
        }
    }

    /// Out of line, so that worlds of free bodies pay nothing for it.
    #[inline(never)]
    fn jointed_kinematics(&self, q: &[T], v: &[T], driven: &[Driven<T>], out: &mut Kinematics<T>) {
        for &i in self.jointed() {
            let (link, node) = (&self.links()[i], &self.nodes()[i]);
            if node.is_still {
                continue;
            }
            if let Joint::Driven = link.joint {
                let Driven { pose, twist, .. } = driven[node.driven];
                out.links[i] = Placed { pose, twist };
                continue;
            }
            let local = link.joint.pose(&q[self.q_range(i)]);
            let frame = match link.parent {
                Some(parent) => out.links[parent].pose * link.placement,
                None => link.placement,
            };
            out.links[i].pose = frame * local;
            for k in self.v_range(i) {
                if !matches!(link.joint, Joint::Floating) {
                    out.columns[k] = link.joint.column(k - node.v).rotated(&frame.rotation);
                }
            }
            let relative = self.relative_twist(out, i, v);
            out.links[i].twist = match link.parent {
                Some(parent) => out.links[parent].twist_at(out.origin(i)) + relative,
                None => relative,
            };
        }
    }

    /// Orientation of the joint frame of `link` in the world.
    #[inline]
    pub(crate) fn joint_axes(&self, kin: &Kinematics<T>, link: usize) -> UnitQuaternion<T> {
        let placement = self.links()[link].placement.rotation;
        match self.links()[link].parent {
            Some(parent) => kin.links[parent].pose.rotation * placement,
            None => placement,
        }
    }

    /// S v: motion of the link relative to its parent, at the link origin in world axes.
    #[inline]
    pub(crate) fn relative_twist(&self, kin: &Kinematics<T>, link: usize, v: &[T]) -> Twist<T> {
        let range = self.v_range(link);
        if let Joint::Floating = self.links()[link].joint {
            return read_twist(&v[range]).rotated(&self.joint_axes(kin, link));
        }
        let mut sum = Twist::zero();
        for (column, &rate) in kin.columns[range.clone()].iter().zip(&v[range]) {
            sum += *column * rate;
        }
        sum
    }

    /// Column of S for velocity `k` of `link`, at the link origin in world axes; any joint.
    pub(crate) fn column(&self, kin: &Kinematics<T>, link: usize, k: usize) -> Twist<T> {
        match &self.links()[link].joint {
            joint @ Joint::Floating => joint.column(k).rotated(&self.joint_axes(kin, link)),
            _ => kin.columns[self.nodes()[link].v + k],
        }
    }
}
