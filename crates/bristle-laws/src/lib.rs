//! Contact force laws: kinematics and a law's own states in; force, energy and state rates out.
//!
//! A [`NormalLaw`] turns an [`Indent`] (depth, rate, patch) into a force that pushes apart; a
//! [`FrictionLaw`] turns a [`Slip`] into a force in the tangent plane. Both tell, from their own physics,
//! how much energy they store and how fast they dissipate it, so that
//!
//! ```text
//! force·rate − friction·slip − torque·spin = dU/dt + D          at every instant
//! ```
//!
//! can be checked ([`testing`]) instead of hoped for. One law, one file: the equation stands above the
//! code, with its source and what the paper leaves unsaid.
//!
//! ```
//! use bristle_laws::{Impact, Indent, NormalLaw, Phase, normal::HuntCrossley};
//! let law = HuntCrossley::new(50e3, 1.0, 0.6)?; // k in N/mⁿ, n, a in s/m
//! let out = law.eval(&Indent::point(0.01, 0.5), &[], Phase::Touching, &mut []);
//! assert!((out.force - 50e3 * 0.01 * 1.3).abs() < 1e-9);
//! let forecast = law.forecast(&Impact::new(50.0, 1.0));
//! assert!((forecast.restitution.unwrap() - 0.71195).abs() < 1e-5);
//! # Ok::<(), bristle_laws::ParamError>(())
//! ```

pub mod approximate;
pub mod arrays;
mod exponent;
pub mod friction;
mod impact;
mod law;
pub mod material;
pub mod normal;
mod param;
mod param_error;
pub mod profile;
pub mod proportional;
pub mod resist;
pub mod testing;

pub use exponent::Exponent;
pub use friction::Friction;
pub use impact::{Forecast, Impact};
pub use law::{
    FrictionLaw, FrictionOut, Indent, Losses, NormalLaw, NormalOut, Phase, Promise, Slip, StateInfo,
};
pub use normal::Normal;
pub use param::{Knob, Knobs, LawInfo, ParamInfo, Params, Value};
pub use param_error::ParamError;
pub use resist::Resist;
