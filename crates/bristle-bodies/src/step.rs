//! What the recursions need of a link, in one place and computed once.

use crate::articulated::Rigid;
use crate::{Joint, Link};
use bristle_math::Real;
use nalgebra::{Quaternion, Vector3};

/// How a link takes part in the recursions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Fixed to the world: only carries.
    Still,
    /// Prescribed: only carries.
    Driven,
    /// Fixed to a link that moves.
    Fixed,
    /// One freedom: turns about a line.
    Turn,
    /// One freedom: moves along a line.
    Shift,
    /// Two freedoms.
    Two,
    /// Three freedoms.
    Three,
    /// Six freedoms, carries links.
    Base,
    /// Six freedoms, carries nothing: closed form.
    Lone,
}

/// One link of the recursions, parents first.
#[derive(Debug, Clone)]
pub(crate) struct Step<T> {
    pub(crate) link: usize,
    pub(crate) parent: Option<usize>,
    /// The parent, when it can be moved: what the link passes on goes there.
    pub(crate) heir: Option<usize>,
    pub(crate) q: usize,
    pub(crate) v: usize,
    pub(crate) kind: Kind,
    /// Origin of the joint frame in the parent.
    pub(crate) origin: Vector3<T>,
    /// Orientation in the parent is `upright cos θ/2 + turned sin θ/2`.
    pub(crate) upright: Quaternion<T>,
    pub(crate) turned: Quaternion<T>,
    /// Line of a joint with one freedom, in the axes of the link (and of the joint frame alike).
    pub(crate) axis: Vector3<T>,
    pub(crate) body: Rigid<T>,
    /// Whether the link belongs to a tree with few freedoms.
    pub(crate) is_of_few: bool,
}

impl<T: Real> Step<T> {
    pub(crate) fn new(
        link: usize,
        of: &Link<T>,
        heir: Option<usize>,
        kind: Kind,
        q: usize,
        v: usize,
    ) -> Self {
        let axis = match &of.joint {
            Joint::Revolute { axis } | Joint::Prismatic { axis } => *axis.as_ref(),
            joint @ Joint::Slide { .. } => joint.column(0, &[]).linear,
            _ => Vector3::zeros(),
        };
        let upright = of.placement.rotation.into_inner();
        Self {
            link,
            parent: of.parent,
            heir,
            q,
            v,
            kind,
            origin: of.placement.translation.vector,
            upright,
            turned: upright * Quaternion::from_imag(axis),
            axis,
            body: Rigid::new(&of.inertia),
            is_of_few: false,
        }
    }
}

impl Kind {
    pub(crate) fn of<T: Real>(joint: &Joint<T>, carries: bool, is_still: bool) -> Self {
        match joint {
            Joint::Fixed if is_still => Self::Still,
            Joint::Fixed => Self::Fixed,
            Joint::Driven => Self::Driven,
            Joint::Floating if carries => Self::Base,
            Joint::Floating => Self::Lone,
            Joint::Revolute { .. } => Self::Turn,
            Joint::Prismatic { .. } => Self::Shift,
            Joint::Slide { .. } if joint.nv() == 1 => Self::Shift,
            _ if joint.nv() == 2 => Self::Two,
            _ => Self::Three,
        }
    }
}
