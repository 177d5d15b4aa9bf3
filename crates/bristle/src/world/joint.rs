//! What acts along one freedom of a joint: spring, damper, dry friction and the stops at its limits.
//!
//! ```text
//! effort = −k (q − rest) − d v + friction(v) ∓ N(depth, rate)      depth = q − upper, or lower − q
//! ```
//! Stops are one-sided contacts with any normal law, friction is any friction law in one dimension: the laws are those of
//! contacts, with rad and N m in place of m and N where the joint turns. A load of 1 is put on the friction law, so that
//! its coefficient is the torque (N m) or force (N) itself.

use super::mode::Contact;
use bristle_laws::{Friction, FrictionLaw, Indent, Normal, NormalLaw, Phase, Slip};
use bristle_math::{Real, Scalar, Vector3};

/// Most states of one law.
const MOST_STATES: usize = 16;

/// Spring and damper of one freedom.
#[derive(Debug, Clone, PartialEq)]
pub struct JointSpring<T: Real = f64> {
    /// Where its position stands in `q`; a freedom without one (of a spherical joint) has no spring.
    pub q: Option<usize>,
    /// Where its velocity stands in `v`.
    pub v: usize,
    /// N m/rad or N/m.
    pub stiffness: T,
    /// rad or m.
    pub rest: T,
    /// N m s/rad or N s/m.
    pub damping: T,
}

/// A joint that follows another through a stiff spring and damper: q₀ = ratio q₁ + offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Coupling<T: Real = f64> {
    /// The links that the follower and the other move.
    pub links: [usize; 2],
    /// Where the positions of the follower and of the other stand in `q`.
    pub q: [usize; 2],
    /// Where their velocities stand in `v`.
    pub v: [usize; 2],
    /// Follower per other.
    pub ratio: T,
    /// rad or m.
    pub offset: T,
    /// N m/rad or N/m.
    pub stiffness: T,
    /// N m s/rad or N s/m.
    pub damping: T,
}

impl<T: Real> Coupling<T> {
    /// Of velocities, or of their rates: how much faster the follower is than it ought to be.
    #[inline]
    pub(crate) fn slip(&self, v: &[T]) -> T {
        v[self.v[0]] - self.ratio * v[self.v[1]]
    }

    /// Its share of the follower; the other feels −ratio times the effort.
    #[inline]
    pub(crate) fn act(&self, q: &[T], v: &[T]) -> Share<T> {
        let stretch = q[self.q[0]] - self.ratio * q[self.q[1]] - self.offset;
        let rate = self.slip(v);
        Share {
            effort: -(self.stiffness * stretch + self.damping * rate),
            stored: T::lit(0.5) * self.stiffness * stretch * stretch,
            lost: self.damping * rate * rate,
        }
    }
}

/// A limit of one freedom.
#[derive(Debug, Clone)]
pub struct Stop<T: Real = f64> {
    /// Joint and side, for messages.
    pub name: String,
    /// Where the position stands in `q`.
    pub q: usize,
    /// Where the velocity stands in `v`.
    pub v: usize,
    /// Position of the limit, rad or m.
    pub bound: T,
    /// Whether positions above it are beyond it.
    pub is_upper: bool,
    /// Pushes back.
    pub law: Normal<T>,
}

/// Dry friction of one freedom.
#[derive(Debug, Clone)]
pub struct JointFriction<T: Real = f64> {
    /// Joint, for messages.
    pub name: String,
    /// Where the velocity stands in `v`.
    pub v: usize,
    /// The law, under a load of 1.
    pub law: Friction<T>,
}

/// Energy stored, and power lost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share<T> {
    pub(crate) effort: T,
    pub(crate) stored: T,
    pub(crate) lost: T,
}

impl<T: Real> Share<T> {
    pub(crate) fn none() -> Self {
        Self { effort: T::lit(0.0), stored: T::lit(0.0), lost: T::lit(0.0) }
    }
}

impl<T: Real> JointSpring<T> {
    #[inline]
    pub(crate) fn act(&self, q: &[T], v: &[T]) -> Share<T> {
        let (stretch, rate) = (self.q.map_or(T::lit(0.0), |i| q[i] - self.rest), v[self.v]);
        Share {
            effort: -(self.stiffness * stretch + self.damping * rate),
            stored: T::lit(0.5) * self.stiffness * stretch * stretch,
            lost: self.damping * rate * rate,
        }
    }
}

impl<T: Real> Stop<T> {
    pub(crate) fn side(&self) -> T {
        T::lit(if self.is_upper { 1.0 } else { -1.0 })
    }

    /// How far the joint is beyond its limit, and how fast it goes on.
    #[inline]
    pub(crate) fn indent(&self, q: &[T], v: &[T]) -> Indent<T> {
        let side = self.side();
        Indent::point(side * (q[self.q] - self.bound), side * v[self.v])
    }

    pub(crate) fn states(&self) -> usize {
        self.law.states().len()
    }
}

impl<T: Scalar> Stop<T> {
    /// Whether it is open and the joint is within its limit: nothing to do, which is most of the time.
    #[inline(always)]
    pub(crate) fn is_clear(&self, q: &[T], phase: Phase) -> bool {
        let (at, bound) = (q[self.q].value(), self.bound.value());
        phase == Phase::Open && (at < bound) == self.is_upper && at != bound
    }

    #[inline]
    pub(crate) fn act(&self, q: &[T], v: &[T], z: &[T], phase: Phase, zdot: &mut [T]) -> Share<T> {
        let at = self.indent(q, v);
        if at.depth.value() <= 0.0 && phase == Phase::Open {
            zdot.fill(T::lit(0.0));
            return Share::none();
        }
        let out = self.law.eval(&at, z, phase, zdot);
        let share = Share { effort: -self.side() * out.force, stored: out.stored, lost: out.dissipated };
        if phase == Phase::Open {
            // as in `Meeting::rub`: beyond the limit by rounding only
            let plain = |x: T| T::lit(x.value());
            zdot.iter_mut().for_each(|rate| *rate = plain(*rate));
            return Share {
                effort: plain(share.effort),
                stored: plain(share.stored),
                lost: plain(share.lost),
            };
        }
        share
    }

    /// Energy stored, J.
    pub(crate) fn stored(&self, q: &[T], v: &[T], z: &[T], phase: Phase) -> T {
        let mut zdot = [T::lit(0.0); MOST_STATES];
        self.act(q, v, z, phase, &mut zdot[..z.len()]).stored
    }

    /// Opens or closes after a step. Answers whether it did, and the energy that was still stored, J.
    pub(crate) fn settle(&self, contact: &mut Contact, x: &mut [T], nq: usize, nv: usize) -> (bool, T) {
        let (motion, states) = x.split_at_mut(nq + nv);
        let (q, v) = motion.split_at(nq);
        let z = &mut states[contact.z - nq - nv..][..self.states()];
        let at = self.indent(q, v);
        let next = super::phases::next_phase(&self.law, &at, z, contact.phase);
        if next == contact.phase {
            return (false, T::lit(0.0));
        }
        let before = self.stored(q, v, z, contact.phase);
        let was = std::mem::replace(&mut contact.phase, next);
        match (was, next) {
            (Phase::Open, _) => {
                z.fill(T::lit(0.0));
                self.law.touch(&at, z);
                return (true, T::lit(0.0));
            }
            (_, Phase::Open) => z.fill(T::lit(0.0)),
            _ => {}
        }
        (true, before - self.stored(q, v, z, next))
    }
}

impl<T: Real> JointFriction<T> {
    #[inline]
    pub(crate) fn slip(&self, v: &[T]) -> Slip<T> {
        Slip {
            velocity: Vector3::new(v[self.v], T::lit(0.0), T::lit(0.0)),
            spin: Vector3::zeros(),
            normal: Vector3::z(),
            load: T::lit(1.0),
            // laws that grow with depth see one unit of it, always
            indent: Indent::point(T::lit(1.0), T::lit(0.0)),
        }
    }

    #[inline]
    pub(crate) fn act(&self, v: &[T], z: &[T], zdot: &mut [T]) -> Share<T> {
        let out = self.law.eval(&self.slip(v), z, zdot);
        Share { effort: out.force.x, stored: out.stored, lost: out.losses.total() }
    }

    /// Energy stored, J.
    pub(crate) fn stored(&self, v: &[T], z: &[T]) -> T {
        let mut zdot = [T::lit(0.0); MOST_STATES];
        self.act(v, z, &mut zdot[..z.len()]).stored
    }

    pub(crate) fn states(&self) -> usize {
        self.law.states().len()
    }
}
