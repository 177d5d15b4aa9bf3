//! Evidence: numbers that Bristle computes, set against numbers from elsewhere, each with a verdict.
//!
//! A [`Case`] makes one [`Section`]: text, equations, plots, tables and [`Check`]s. Cases stand in [`Group`]s (a paper,
//! a tier of problems) of a [`Catalogue`], one per command. [`run`] makes the sections that were chosen, on all cores, and
//! gives a [`Report`], which is written as a page, as Markdown or as JSON.
//!
//! ```
//! use bristle_evidence::{Case, Catalogue, Check, Group, Measure, run};
//!
//! let case = Case::new("falling-apple", "Fall from 1 m", |section, _stop| {
//!     let time = (2.0_f64 / 9.81).sqrt();
//!     Ok(section.check(Check::new("time", "time of fall", "s", 0.4515, time).within(1e-4, Measure::Absolute)))
//! });
//! let groups = vec![Group::new("falls", "Falls", "What falls, and how long.", vec![case])];
//! let catalogue = Catalogue { command: "fall", title: "Falls", lead: "Things that fall.", groups };
//! let report = run(&catalogue.select(&[]).unwrap(), 1, &|| false, |_| {});
//! assert!(report.passes());
//! ```
#![forbid(unsafe_code)]

mod case;
mod check;
mod fault;
mod json;
mod markdown;
mod page;
pub mod papers;
pub mod problems;
pub mod reference;
mod report;
mod runner;
mod section;
mod select;
pub mod simulate;

pub use case::{Case, Catalogue, Group, Stop};
pub use check::{Check, Deviation, Measure};
pub use fault::Fault;
pub use report::{Finished, Heading, Report};
pub use runner::{Progress, run};
pub use section::{Equations, Section};
pub use select::{Chosen, UnknownName};
