//! Contact dynamics that can be audited: any published contact law, integrated accurately through
//! touchdown, stick, slip and lift-off, with a ledger that says where every joule went.
//!
//! This crate puts the parts together and is the one to depend on:
//!
//! * [`laws`]: normal, friction and resistance laws, each with its energy and closed forms.
//! * [`ode`]: integrators with located events.
//! * [`scene`]: scene files; [`prepare`] makes a [`world::Model`] of one, [`run`] integrates and records it,
//!   [`output`] writes it, [`folder`] reads it back; [`film`] has frames for playback, [`compare`] sets runs side by side.
//! * [`control`]: controllers in Rust, called at a fixed rate. [`robot`]: URDF and MJCF files.
//! * [`realtime`]: a world on the wall clock, with a controller or hardware in the loop.
//! * [`precision`]: error against cost of every integrator on a scene.
//! * [`batch`]: many worlds of one form in step, several in one instruction and on all cores.
//! * [`crowd`]: thousands of free bodies in one world, on several threads.
//! * [`sweep`]: many runs of one scene with some of its values varied, one row of results each.
//! * [`gradient`]: derivatives of results with respect to values of a scene, exact through contact.
//! * [`nonsmooth`]: any system with unilateral contact and Coulomb friction as an ordinary differential equation.
//! * [`check`]: what is allowed in a scene but rarely meant.
//! * [`expr`]: arithmetic in scenes.
//! * [`PointContact`]: a point mass on a plane, the smallest system with one contact.
//! * [`impact`]: one free impact on any normal law, simulated and audited.
//! * [`design`]: parameters from what a user knows (restitution, peak force, contact time).
//! * [`drag`]: friction laws dragged at a prescribed speed.
//!
//! ```
//! use bristle::{impact, laws::{Impact, Normal, Params}};
//! let params = Params::new().set("stiffness", 1e9).set("restitution", 0.5);
//! let law = Normal::build("gonthier", &params)?;
//! let run = impact::simulate(&law, &Impact::new(0.454, 2.0), &impact::Options::default())?;
//! assert!((run.restitution.newton - 0.5).abs() < 1e-9);
//! assert!(run.closure < 1e-9); // energy in play that the ledger cannot place
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod audit;
pub mod batch;
mod bones;
mod build;
pub mod check;
pub mod checkpoint;
pub mod compare;
pub mod control;
pub mod crowd;
mod custom;
pub mod design;
pub mod drag;
mod episode;
pub mod expr;
pub mod film;
pub mod folder;
pub mod gradient;
pub mod impact;
pub mod nearest;
pub mod nonsmooth;
pub mod output;
mod parse;
mod peak;
mod point_contact;
pub mod precision;
pub mod realtime;
pub mod record;
mod rest;
pub mod robot;
pub mod run;
pub mod runner;
pub mod scene;
mod schedule;
mod sense;
mod signal;
pub mod sweep;
pub mod world;

pub use bones::bones;
pub use bristle_bodies as bodies;
pub use bristle_geom as geom;
pub use bristle_laws as laws;
pub use bristle_math as math;
pub use bristle_ode as ode;
pub use build::{Prepared, prepare};
pub use custom::OwnLaws;
pub use episode::{Episode, Span};
pub use parse::{ParseError, parse_param};
pub use point_contact::{Applied, Event, PointContact, Setup};
