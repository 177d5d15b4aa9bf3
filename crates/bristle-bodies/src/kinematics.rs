//! Where every link is and how it moves.
//!
//! ```text
//! pose_i = pose_p · placement_i · joint_i(q)           r = origin_i − origin_p
//! ω_i = ω_p + ω_rel          v_i = v_p + ω_p × r + v_rel          (ω_rel, v_rel) = S v      world axes
//! ```
//! Source: Featherstone (2008), eq. (4.17)–(4.20), written at link origins instead of in link coordinates.

use crate::joints::read_twist;
use crate::{Joint, Pose, Tree, Twist};
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
    /// Pose of each link frame in the world.
    pub poses: Vec<Pose<T>>,
    /// Angular velocity and velocity of each link origin, in world axes.
    pub twists: Vec<Twist<T>>,
    /// S in world axes, one entry for each velocity. Unused for floating joints, whose S is a rotation.
    columns: Vec<Twist<T>>,
}

impl<T: Real> Kinematics<T> {
    /// Room for all links of `tree`.
    pub fn new(tree: &Tree<T>) -> Self {
        let n = tree.links().len();
        Self {
            poses: vec![Pose::identity(); n],
            twists: vec![Twist::zero(); n],
            columns: vec![Twist::zero(); tree.nv()],
        }
    }

    /// Pose of the frame of `link` in the world.
    pub fn pose(&self, link: usize) -> &Pose<T> {
        &self.poses[link]
    }

    /// Motion of `link` at its origin, in world axes.
    pub fn twist(&self, link: usize) -> &Twist<T> {
        &self.twists[link]
    }

    /// Velocity of the material point of `link` that is at `point` of the world, m/s.
    pub fn velocity_at(&self, link: usize, point: &Vector3<T>) -> Vector3<T> {
        self.twists[link].at(&(point - self.origin(link))).linear
    }

    /// Position of the link origin.
    #[inline]
    pub(crate) fn origin(&self, link: usize) -> &Vector3<T> {
        &self.poses[link].translation.vector
    }

    /// S of a joint that is not floating.
    #[inline]
    pub(crate) fn columns(&self, range: std::ops::Range<usize>) -> &[Twist<T>] {
        &self.columns[range]
    }
}

impl<T: Real> Tree<T> {
    /// Pose and twist of every link. `driven` holds the motion of each driven link, in the order of links.
    pub fn kinematics(&self, q: &[T], v: &[T], driven: &[Driven<T>], out: &mut Kinematics<T>) {
        debug_assert_eq!((q.len(), v.len(), driven.len()), (self.nq(), self.nv(), self.driven_count()));
        for (i, (link, node)) in self.links().iter().zip(self.nodes()).enumerate() {
            if let Joint::Driven = link.joint {
                (out.poses[i], out.twists[i]) = (driven[node.driven].pose, driven[node.driven].twist);
                continue;
            }
            let local = link.joint.pose(&q[self.q_range(i)]);
            if node.free.as_ref().is_some_and(|free| free.is_aligned) {
                out.poses[i] = local;
                out.poses[i].translation.vector += link.placement.translation.vector;
                out.twists[i] = read_twist(&v[self.v_range(i)]);
                continue;
            }
            let frame = match link.parent {
                Some(parent) => out.poses[parent] * link.placement,
                None => link.placement,
            };
            out.poses[i] = frame * local;
            for k in self.v_range(i) {
                if !matches!(link.joint, Joint::Floating) {
                    out.columns[k] = link.joint.column(k - node.v).rotated(&frame.rotation);
                }
            }
            let relative = self.relative_twist(out, i, v);
            out.twists[i] = match link.parent {
                Some(parent) => out.twists[parent].at(&(out.origin(i) - out.origin(parent))) + relative,
                None => relative,
            };
        }
    }

    /// Orientation of the joint frame of `link` in the world.
    #[inline]
    pub(crate) fn joint_axes(&self, kin: &Kinematics<T>, link: usize) -> UnitQuaternion<T> {
        let placement = self.links()[link].placement.rotation;
        match self.links()[link].parent {
            Some(parent) => kin.poses[parent].rotation * placement,
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
