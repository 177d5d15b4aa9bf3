//! Where every link is and how it moves.
//!
//! ```text
//! pose_i = pose_p · placement_i · joint_i(q)           r = origin_i − origin_p
//! ω_i = ω_p + ω_rel          v_i = v_p + ω_p × r + v_rel          (ω_rel, v_rel) = S v      world axes
//! ```
//! Orientations are quaternions; each link's rotation matrix is made from its quaternion once and serves everything
//! that has to be turned. Source: Featherstone (2008), eq. (4.17)–(4.20), written at link origins instead of in link coordinates.

use crate::joints::read_twist;
use crate::step::{Kind, Step};
use crate::{Joint, Placed, Pose, Tree, Twist};
use bristle_math::Real;
use bristle_math::wide::{Work, on_avx2};
use nalgebra::{Matrix3, Quaternion, Translation3, UnitQuaternion, Vector3};

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
    /// Rotation matrices of links that are not free bodies.
    turns: Vec<Matrix3<T>>,
    /// From the parent's origin to the link's, of joints with one freedom.
    offsets: Vec<Vector3<T>>,
    /// ½ Σ armature v², J.
    pub(crate) armature_energy: T,
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
        let turns = links.iter().map(|link| matrix(&link.pose.rotation)).collect();
        let (columns, offsets) = (vec![Twist::zero(); tree.nv()], vec![Vector3::zeros(); n]);
        Self { links, columns, turns, offsets, armature_energy: T::lit(0.0) }
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

    /// Orientation of a link that is not a free body, as a matrix.
    #[inline]
    pub(crate) fn turn(&self, link: usize) -> &Matrix3<T> {
        &self.turns[link]
    }

    /// S of a joint that is not floating.
    #[inline]
    pub(crate) fn columns(&self, range: std::ops::Range<usize>) -> &[Twist<T>] {
        &self.columns[range]
    }
}

/// [`Tree::kinematics`] of all that has joints.
struct Move<'a, T> {
    tree: &'a Tree<T>,
    q: &'a [T],
    v: &'a [T],
    driven: &'a [Driven<T>],
    out: &'a mut Kinematics<T>,
}

impl<T: Real> Work for Move<'_, T> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        self.tree.move_jointed(self.q, self.v, self.driven, self.out);
    }
}

impl<T: Real> Tree<T> {
    /// Pose and twist of every link. `driven` holds the motion of each driven link, in the order of links.
    #[inline(always)]
    pub fn kinematics(&self, q: &[T], v: &[T], driven: &[Driven<T>], out: &mut Kinematics<T>) {
        debug_assert_eq!((q.len(), v.len(), driven.len()), (self.nq(), self.nv(), self.driven_count()));
        for body in self.loose() {
            // field by field: nothing is put together elsewhere first
            let link = &mut out.links[body.link];
            link.pose = body.pose(q);
            link.twist = read_twist(body.v(v));
        }
        if !self.steps().is_empty() {
            self.jointed_kinematics(q, v, driven, out);
        }
    }

    /// Out of line, so that worlds of free bodies pay nothing for it.
    #[inline(never)]
    fn jointed_kinematics(&self, q: &[T], v: &[T], driven: &[Driven<T>], out: &mut Kinematics<T>) {
        on_avx2(Move { tree: self, q, v, driven, out });
    }

    #[inline(always)]
    fn move_jointed(&self, q: &[T], v: &[T], driven: &[Driven<T>], out: &mut Kinematics<T>) {
        let world = (Placed::at_rest(Pose::identity()), Matrix3::identity());
        for step in self.steps() {
            let (carrier, turn) = match step.parent {
                Some(parent) => (&out.links[parent], &out.turns[parent]),
                None => (&world.0, &world.1),
            };
            let i = step.link;
            match step.kind {
                Kind::Still => continue,
                Kind::Driven => {
                    let Driven { pose, twist, .. } = driven[self.nodes()[i].driven];
                    out.links[i] = Placed { pose, twist };
                    out.turns[i] = matrix(&pose.rotation);
                }
                Kind::Turn => {
                    let angle = q[step.q];
                    let (pose, turn, axis, offset) = turning(step, angle, carrier, turn);
                    let twist = turning_twist(carrier, &offset, &axis, v[step.v]);
                    (out.links[i], out.turns[i], out.offsets[i]) = (Placed { pose, twist }, turn, offset);
                    out.columns[step.v].angular = axis;
                }
                Kind::Shift => {
                    let (pose, turn, axis, offset) = shifting(step, q[step.q], carrier, turn);
                    let twist = shifting_twist(carrier, &offset, &axis, v[step.v]);
                    (out.links[i], out.turns[i], out.offsets[i]) = (Placed { pose, twist }, turn, offset);
                    out.columns[step.v].linear = axis;
                }
                _ => self.place(step, q, v, out),
            }
        }
        self.store_armature_energy(v, out);
    }

    /// Twist of every link at the poses that are there already: [`Tree::kinematics`] at the same `q`, other velocities, bit by bit.
    pub fn twists(&self, v: &[T], driven: &[Driven<T>], out: &mut Kinematics<T>) {
        let world = Placed::at_rest(Pose::identity());
        for body in self.loose() {
            out.links[body.link].twist = read_twist(body.v(v));
        }
        for step in self.steps() {
            let i = step.link;
            let carrier = step.parent.map_or(&world, |parent| &out.links[parent]);
            out.links[i].twist = match step.kind {
                Kind::Still => continue,
                Kind::Driven => driven[self.nodes()[i].driven].twist,
                Kind::Turn => {
                    turning_twist(carrier, &out.offsets[i], &out.columns[step.v].angular, v[step.v])
                }
                Kind::Shift => {
                    shifting_twist(carrier, &out.offsets[i], &out.columns[step.v].linear, v[step.v])
                }
                _ => self.any_twist(step, out, v),
            };
        }
        self.store_armature_energy(v, out);
    }

    fn store_armature_energy(&self, v: &[T], out: &mut Kinematics<T>) {
        if self.has_armature() {
            let twice =
                v.iter().zip(self.armature()).fold(T::lit(0.0), |sum, (&v, &a)| sum + a * v.squared());
            out.armature_energy = twice * T::lit(0.5);
        }
    }

    /// Any joint.
    fn place(&self, step: &Step<T>, q: &[T], v: &[T], out: &mut Kinematics<T>) {
        let (i, link) = (step.link, &self.links()[step.link]);
        let own = &q[self.q_range(i)];
        let frame = match step.parent {
            Some(parent) => out.links[parent].pose * link.placement,
            None => link.placement,
        };
        out.links[i].pose = frame * link.joint.pose(own);
        out.turns[i] = matrix(&out.links[i].pose.rotation);
        if !matches!(link.joint, Joint::Floating) {
            for k in self.v_range(i) {
                out.columns[k] = link.joint.column(k - step.v, own).rotated(&frame.rotation);
            }
        }
        out.links[i].twist = self.any_twist(step, out, v);
    }

    /// The twist of a link behind any joint.
    #[inline(always)]
    fn any_twist(&self, step: &Step<T>, kin: &Kinematics<T>, v: &[T]) -> Twist<T> {
        let relative = self.relative_twist(kin, step.link, v);
        match step.parent {
            Some(parent) => kin.links[parent].twist_at(kin.origin(step.link)) + relative,
            None => relative,
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
            joint @ Joint::Floating => joint.column(k, &[]).rotated(&self.joint_axes(kin, link)),
            _ => kin.columns[self.nodes()[link].v + k],
        }
    }
}

/// Where a link is that turns about a line: its pose, its rotation matrix, the line in world axes and how far it is from its carrier.
#[inline(always)]
fn turning<T: Real>(
    step: &Step<T>,
    angle: T,
    carrier: &Placed<T>,
    turn: &Matrix3<T>,
) -> (Pose<T>, Matrix3<T>, Vector3<T>, Vector3<T>) {
    let (sin, cos) = (angle * T::lit(0.5)).sin_cos();
    let local = Quaternion::from(step.upright.coords * cos + step.turned.coords * sin);
    let rotation = UnitQuaternion::new_unchecked(carrier.pose.rotation.quaternion() * local);
    let offset = turn * step.origin;
    let own = matrix(&rotation);
    let axis = own * step.axis; // a turn keeps its own line
    let pose = Pose::from_parts(Translation3::from(carrier.pose.translation.vector + offset), rotation);
    (pose, own, axis, offset)
}

/// How it moves.
#[inline(always)]
fn turning_twist<T: Real>(carrier: &Placed<T>, offset: &Vector3<T>, axis: &Vector3<T>, rate: T) -> Twist<T> {
    Twist {
        angular: carrier.twist.angular + axis * rate,
        linear: carrier.twist.linear + carrier.twist.angular.cross(offset),
    }
}

/// Where a link is that moves along a line: as above.
#[inline(always)]
fn shifting<T: Real>(
    step: &Step<T>,
    distance: T,
    carrier: &Placed<T>,
    turn: &Matrix3<T>,
) -> (Pose<T>, Matrix3<T>, Vector3<T>, Vector3<T>) {
    let rotation = UnitQuaternion::new_unchecked(carrier.pose.rotation.quaternion() * step.upright);
    let own = matrix(&rotation);
    let axis = own * step.axis;
    let offset = turn * step.origin + axis * distance;
    let pose = Pose::from_parts(Translation3::from(carrier.pose.translation.vector + offset), rotation);
    (pose, own, axis, offset)
}

/// How it moves.
#[inline(always)]
fn shifting_twist<T: Real>(carrier: &Placed<T>, offset: &Vector3<T>, axis: &Vector3<T>, rate: T) -> Twist<T> {
    Twist {
        angular: carrier.twist.angular,
        linear: carrier.twist.linear + carrier.twist.angular.cross(offset) + axis * rate,
    }
}

#[inline(always)]
fn matrix<T: Real>(rotation: &UnitQuaternion<T>) -> Matrix3<T> {
    rotation.to_rotation_matrix().into_inner()
}
