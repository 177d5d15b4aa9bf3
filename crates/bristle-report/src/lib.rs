//! Recorded data in, one self-contained HTML page out. No physics, no network.
//!
//! A [`Page`] is a list of blocks (text, equations, tables, interactive plots) in reading order. It
//! becomes a single file that opens from disk years later: the plotting script is inside it, and a
//! content policy in its head forbids the browser to fetch anything.
//!
//! ```
//! use bristle_report::{Axis, Curve, Page, Plot, Table};
//!
//! let speeds = [0.1, 0.2, 0.5, 1.0];
//! let page = Page::new("Rebound of a steel ball")
//!     .lead("Coefficient of restitution against impact speed.")
//!     .plot(
//!         Plot::new("Restitution", Axis::log("impact speed", "m/s"), Axis::linear("restitution", ""))
//!             .curve(Curve::new("linear in speed", speeds.map(|v| (v, 1.0 - 0.1 * v))))
//!             .curve(Curve::new("measured", [(0.2, 0.97), (0.5, 0.96)]).points()),
//!     )
//!     .table(
//!         Table::new("At 1 m/s")
//!             .column("law", "")
//!             .column("restitution", "")
//!             .column("contact time", "s")
//!             .row(["linear in speed".into(), 0.9.into(), 1.234e-4.into()]),
//!     )
//!     .code("bristle law curve --html rebound.html");
//! assert!(page.to_html().starts_with("<!doctype html>"));
//! ```
#![forbid(unsafe_code)]

pub mod compare;
mod error;
mod escape;
mod explorer;
mod facts;
mod number;
mod page;
mod playback;
mod plot;
pub mod run;
mod save;
mod script;
mod slots;
mod table;
mod thin;

pub use error::ReportError;
pub use explorer::Explorer;
pub use facts::{Fact, Tone};
pub use page::Page;
pub use playback::Playback;
pub use plot::{Axis, Curve, Plot};
pub use table::{Cell, Table};
pub use thin::thinned;
