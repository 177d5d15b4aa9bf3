//! Where a body is and how it moves, as contacts read it: nine numbers in a row.

use bristle_math::nalgebra::{Translation3, UnitQuaternion};
use bristle_math::spatial::Twist;
use bristle_math::{Lanes, Placed, Pose, Vector3};

/// Contacts in one instruction.
pub(super) const LANES: usize = 4;

/// Something for each lane. Written out, as `map` on arrays is a call for each where units of code are small.
#[inline(always)]
pub(super) fn each<T>(f: impl Fn(usize) -> T) -> [T; LANES] {
    [f(0), f(1), f(2), f(3)]
}

/// One body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Of its centre, m.
    pub place: [f64; 3],
    /// Angular velocity, then that of the centre, rad/s and m/s.
    pub twist: [f64; 6],
}

impl Row {
    /// Without its turn, which balls do not ask for.
    #[inline(always)]
    pub fn placed(&self) -> Placed<f64> {
        let Self { place: p, twist: t } = self;
        let pose = Pose::from_parts(Translation3::new(p[0], p[1], p[2]), UnitQuaternion::identity());
        let twist = Twist { angular: Vector3::new(t[0], t[1], t[2]), linear: Vector3::new(t[3], t[4], t[5]) };
        Placed { pose, twist }
    }
}

/// Four bodies side by side.
#[inline(always)]
pub(super) fn gather(rows: &[Row], index: [u32; LANES]) -> Placed<Lanes> {
    let at = each(|i| &rows[index[i] as usize]);
    let place = |k: usize| Lanes::from(each(|i| at[i].place[k]));
    let twist = |k: usize| Lanes::from(each(|i| at[i].twist[k]));
    let pose = Pose::from_parts(Translation3::new(place(0), place(1), place(2)), UnitQuaternion::identity());
    let angular = Vector3::new(twist(0), twist(1), twist(2));
    Placed { pose, twist: Twist { angular, linear: Vector3::new(twist(3), twist(4), twist(5)) } }
}
