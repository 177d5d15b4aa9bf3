//! How balls meet balls or ground, in two parts: how they lie, which one step asks for once, and how they move.

use super::row::Row;
use crate::world::plain::{Near, OnBall, OnGround};
use bristle_geom::{Balls, BallsLie, Ground, Placed};
use bristle_math::lens::Lens;
use bristle_math::nalgebra::{Translation3, UnitQuaternion};
use bristle_math::spatial::{Twist, Wrench};
use bristle_math::{Pose, Vector3};

/// Numbers that tell how a contact lies.
pub(super) const LIE: usize = 5;

/// How the balls of a contact move: the second over the first, with the spins of both; over ground the ball, first.
pub(super) struct Moving {
    pub velocity: Vector3<f64>,
    pub spins: [Vector3<f64>; 2],
}

/// What the contacts of a family have in common.
pub(super) trait Meets: Copy {
    /// Whether two balls meet.
    const ARE_PAIRS: bool;
    type Near<'a>: Near<f64>
    where
        Self: 'a;
    /// By the way from the first centre to the second; over ground by the place of the ball.
    fn lie(&self, offset: &Vector3<f64>) -> [f64; LIE];
    fn near(&self, lie: &[f64; LIE], moving: &Moving) -> Self::Near<'_>;
    /// Force on the second ball, torques on both; over ground those on the ball, first.
    fn push(
        near: &Self::Near<'_>,
        force: Vector3<f64>,
        torque: &Vector3<f64>,
    ) -> (Vector3<f64>, [Vector3<f64>; 2]);
    /// Whether there is a gap that balls which move by `room` (m) each do not close.
    fn is_far(&self, balls: [&Row; 2], room: f64) -> bool;
}

impl Meets for Balls<f64> {
    const ARE_PAIRS: bool = true;
    type Near<'a> = OnBall<'a, f64>;
    #[inline(always)]
    fn lie(&self, offset: &Vector3<f64>) -> [f64; LIE] {
        let BallsLie { depth, normal, inverse } = Balls::lie(self, offset);
        [normal.x, normal.y, normal.z, depth, inverse]
    }
    #[inline(always)]
    fn near(&self, &[x, y, z, depth, inverse]: &[f64; LIE], moving: &Moving) -> OnBall<'_, f64> {
        let lie = BallsLie { depth, normal: Vector3::new(x, y, z), inverse };
        let [a, b] = &moving.spins;
        OnBall { balls: self, met: self.move_by(&lie, &moving.velocity, [a, b]), spins: a + b }
    }
    #[inline(always)]
    fn push(
        near: &OnBall<'_, f64>,
        force: Vector3<f64>,
        torque: &Vector3<f64>,
    ) -> (Vector3<f64>, [Vector3<f64>; 2]) {
        let [a, b] = near.push(force, torque);
        (b.force, [a.torque, b.torque])
    }
    #[inline(always)]
    fn is_far(&self, [a, b]: [&Row; 2], room: f64) -> bool {
        let reach = self.reach() + 2.0 * room;
        (b.place() - a.place()).norm_squared() > reach * reach
    }
}

impl Meets for Ground<f64> {
    const ARE_PAIRS: bool = false;
    type Near<'a> = OnStill<'a>;
    #[inline(always)]
    fn lie(&self, offset: &Vector3<f64>) -> [f64; LIE] {
        [offset.x, offset.y, offset.z, 0.0, 0.0]
    }
    #[inline(always)]
    fn near(&self, &[x, y, z, ..]: &[f64; LIE], moving: &Moving) -> OnStill<'_> {
        let twist = Twist { angular: moving.spins[0], linear: moving.velocity };
        OnStill { ground: self, ball: Placed { pose: pose([x, y, z]), twist } }
    }
    #[inline(always)]
    fn push(
        near: &OnStill<'_>,
        force: Vector3<f64>,
        torque: &Vector3<f64>,
    ) -> (Vector3<f64>, [Vector3<f64>; 2]) {
        let wrench = near.push(force, torque);
        (wrench.force, [wrench.torque, Vector3::zeros()])
    }
    #[inline(always)]
    fn is_far(&self, [ball, _]: [&Row; 2], room: f64) -> bool {
        -self.depth(&Placed::at_rest(pose(ball.place))).0 > room
    }
}

/// Without its turn, which balls do not ask for.
#[inline(always)]
fn pose([x, y, z]: [f64; 3]) -> Pose<f64> {
    Pose::from_parts(Translation3::new(x, y, z), UnitQuaternion::identity())
}

/// A ball on ground that stands still.
pub(super) struct OnStill<'a> {
    ground: &'a Ground<f64>,
    ball: Placed<f64>,
}

impl OnStill<'_> {
    #[inline(always)]
    fn near(&self) -> OnGround<'_, f64> {
        OnGround(self.ground, &self.ball)
    }
}

impl Near<f64> for OnStill<'_> {
    type Push = Wrench<f64>;
    #[inline(always)]
    fn depth(&self) -> (f64, f64) {
        self.near().depth()
    }
    #[inline(always)]
    fn lens(&self) -> Lens<f64> {
        self.near().lens()
    }
    #[inline(always)]
    fn normal(&self) -> Vector3<f64> {
        self.near().normal()
    }
    #[inline(always)]
    fn relative(&self) -> Twist<f64> {
        self.near().relative()
    }
    #[inline(always)]
    fn frame_spin(&self, carries_spin: bool) -> Vector3<f64> {
        self.near().frame_spin(carries_spin)
    }
    #[inline(always)]
    fn push(&self, force: Vector3<f64>, torque: &Vector3<f64>) -> Wrench<f64> {
        self.near().push(force, torque)
    }
}
