//! Resistance to rolling and spinning: the optional third part of a material.

mod rolling;
mod spin;

pub use rolling::Rolling;
pub use spin::{Lever, Spin};

use crate::friction::friction_laws;
use crate::{FrictionLaw, FrictionOut, LawInfo, ParamError, Params, Promise, Slip, StateInfo};
use bristle_math::Real;
use std::sync::Arc;

friction_laws!(
    /// Any law that answers with a torque.
    Resist, "resistance", RESIST_LAWS: Rolling, Spin
);
