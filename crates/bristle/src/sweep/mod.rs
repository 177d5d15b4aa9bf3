//! Many runs of one scene: values varied over a grid, at random, quasi-randomly or by a list, one row of results each.
//!
//! A [`Plan`] says which scene, which values and which results; it knows the values of every row by the row's index
//! alone. [`run`] computes rows on all cores and hands them over as they finish: the same rows, bit for bit, for any
//! number of threads. A [`Folder`] keeps them on disk so that a sweep survives being killed and can be split over
//! machines.
//!
//! ```
//! use bristle::sweep::{Plan, Sampling, Source, Variation, run};
//! let text = r#"
//! schema = 1
//! [simulation]
//! duration = 0.1
//! [bodies.ball]
//! mass = 0.154
//! shape = { sphere = { radius = 0.0165 } }
//! velocity = [0.0, 0.0, 1.0]
//! "#;
//! let source = Source { text: text.into(), file: "ball.toml".into(), overrides: Vec::new() };
//! let variations = vec![Variation::parse("bodies.ball.velocity[2]=1:3:3")?];
//! let plan = Plan::new(source, variations, Sampling::Grid, &["bodies.ball.position[2]".into()])?;
//! let mut heights = vec![None; plan.rows()];
//! let all: Vec<usize> = (0..plan.rows()).collect();
//! run(&plan, &all, 2, &|| false, |row| {
//!     heights[row.index] = row.outcome.ok().and_then(|results| results[0]);
//!     true // go on
//! });
//! let fallen = 0.5 * 9.81 * 0.1 * 0.1;
//! for (height, speed) in heights.iter().zip([1.0, 2.0, 3.0]) {
//!     assert!((height.unwrap() - (speed * 0.1 - fallen)).abs() < 1e-9);
//! }
//! # Ok::<(), bristle::sweep::SweepError>(())
//! ```

mod error;
mod folder;
mod journal;
mod list;
mod merge;
mod path;
mod plan;
mod quantity;
mod sample;
mod sobol;
mod subject;
mod table;
mod units;
mod vary;
mod work;

pub use error::SweepError;
pub use folder::{Folder, Shard, Status};
pub use list::read_list;
pub use merge::merge;
pub(crate) use path::{find, parse};
pub use plan::{Column, Plan, Source};
pub use quantity::Quantity;
pub use sample::Sampling;
pub use sobol::DIMENSIONS as SOBOL_DIMENSIONS;
pub(crate) use units::of_key;
pub use vary::{Values, Variation};
pub use work::{Row, run};

/// Most rows that a plan may have.
pub const MAX_ROWS: usize = 10_000_000;
