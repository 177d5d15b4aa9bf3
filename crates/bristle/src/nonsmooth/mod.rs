//! Any non-smooth system as an ordinary differential equation.
//!
//! A system is written with `dio(ψ)` (a force that does not let the gap ψ become negative) and `χ sgn(θ)` (Coulomb
//! friction: at most χ, against the velocity θ):
//!
//! ```text
//! ẋ ∈ Φ(x, dio(ψ₁(x)), …, χ₁ sgn(θ₁(x)), …)
//! ```
//!
//! The procedure of Xiong, Kikuuwe & Yamamoto (2013, §3.3) gives every term a proxy, a state of its own, and turns the
//! inclusion into an equation that any method integrates, without creep while it sticks and without pulling
//! while it touches. [`Builder`] declares such a system in Rust; `[nonsmooth]` of a scene does it in text.
//!
//! ```
//! use bristle::nonsmooth::{Builder, Dio, Limit, Sgn, run};
//! use bristle::{ode::AdaptiveOptions, run::{Method, RunOptions}};
//! let (mass, g, mu) = (1.0, 9.8, 0.3);
//! let mut b = Builder::new(); // a point mass that is thrown along a plane
//! let (x, z) = (b.state("x", 0.0), b.state("z", 0.05));
//! let (vx, vz) = (b.velocity("vx", 1.0), b.velocity("vz", 0.0));
//! let n = b.dio("n", move |at| at[z], Dio { stiffness: 1e5, alpha: 0.0025, beta: 0.005 });
//! let f = b.sgn("f", Limit::Times(mu, n), move |at| at[vx], Sgn { stiffness: 1e5, beta: 0.005 });
//! b.rates(move |at, to| {
//!     (to[x], to[z]) = (at[vx], at[vz]);
//!     to[vx] = -at[f] / mass;
//!     to[vz] = at[n] / mass - g;
//! });
//! b.energy(move |at| mass * (0.5 * (at[vx] * at[vx] + at[vz] * at[vz]) + g * at[z]));
//! let system = b.build()?;
//! let options = RunOptions {
//!     duration: 1.0,
//!     method: Method::Adaptive(AdaptiveOptions::with_rtol(1e-10)),
//!     every: 0.01,
//!     during_contact: None,
//!     quantities: Vec::new(),
//!     impacts: true,
//!     threads: 1,
//!     film: None,
//!     choice: None,
//! };
//! let result = run(&system, &options, |_| true)?;
//! let v = result.state.x[2];
//! assert!(v.abs() < 1e-9, "it has come to rest: {v}");
//! assert!(result.closure.unwrap() < 1e-7 * result.in_play);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod at;
mod builder;
pub mod compare;
mod diagnose;
mod equations;
mod error;
mod form;
pub mod guide;
mod ledger;
mod prepare;
mod record;
mod run;
mod scope;
mod summary;
mod system;
mod term;
mod text;

pub use at::{At, Contact, Friction, Friction2, Loads, Rates, State, States};
pub use builder::Builder;
pub use equations::Limit;
pub use error::{BuildError, Fault, RunError, Warning};
pub use ledger::Ledger;
pub use prepare::{Prepared, prepare, warnings};
pub use run::{Run, Runner, run};
pub use summary::{summary, write};
pub use system::{ContactInfo, FrictionInfo, Leg, Scratch, StateInfo, System};
pub use term::{Dio, Sgn};
