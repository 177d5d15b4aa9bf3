//! Numbers for contact dynamics: the scalar trait [`Real`], spatial algebra, and the closed forms
//! that laws and geometry share.
//!
//! One source of every law runs on three scalars: `f64`, four lanes at once ([`Lanes`]) and duals
//! ([`Dual`]) that carry exact derivatives. [`Real`] is what they have in common; [`Scalar`] adds
//! what only single-valued numbers have (a value to compare), for code whose control flow depends
//! on values.

pub mod crossed;
pub mod elliptic;
pub mod gauss;
pub mod lens;
mod placed;
mod real;
pub mod root;
pub mod spatial;
pub mod wide;

pub use nalgebra;
pub use nalgebra::{Matrix3, Vector3};
pub use placed::{Placed, Pose, axis_z};
pub use real::{Dual, Lanes, Real, SafeNorm, Scalar, dual, select, slopes};
