//! Five papers on contact, figure by figure: what `bristle reproduce` computes.

/// A reference table, embedded.
macro_rules! table {
    ($file:literal) => {
        crate::reference::Table::read(
            $file,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../bristle/testdata/reference/", $file)),
        )
    };
}

/// Reference scalars, embedded.
macro_rules! scalars {
    ($file:literal) => {
        crate::reference::Scalars::read(
            $file,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../bristle/testdata/reference/", $file)),
        )
    };
}

/// A scene that ships, embedded.
macro_rules! scene {
    ($file:literal) => {
        crate::simulate::Shipped {
            name: concat!("scenes/", $file),
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/", $file)),
        }
    };
}

mod azad;
mod draw;
mod errata;
mod gonthier;
mod loops;
mod marhefka;
mod roy;
mod studies;
mod xiong;

use crate::Catalogue;

/// Closed forms: the reference has 1e-14 or better, some conditioning on top.
const CLOSED: f64 = 1e-12;
/// Integrated at 1e-12 per step through some hundred steps; the reference has 1e-11 to 1e-10.
const INTEGRATED: f64 = 1e-9;
/// Relative error per step of what is integrated here.
const RTOL: f64 = 1e-12;

/// Every figure and table, in reading order.
pub fn catalogue() -> Catalogue {
    Catalogue {
        command: "reproduce",
        title: "Five papers, recomputed",
        lead: "Every figure and table of five papers on contact that can be computed: by Bristle, from \
             its laws and from the scenes that ship with it, compared with independent values of high \
             precision that were computed from the papers' text alone. Where one run fills several \
             figures, which quantity stands under which number is our reading.",
        groups: vec![
            azad::group(),
            marhefka::group(),
            gonthier::group(),
            roy::group(),
            xiong::group(),
            studies::group(),
            errata::group(),
        ],
    }
}

/// Parameters of a law, all numbers.
fn params(entries: &[(&str, f64)]) -> bristle::laws::Params {
    entries.iter().fold(bristle::laws::Params::new(), |params, (name, value)| params.set(name, *value))
}

/// The largest magnitude.
fn largest<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().map(|x| x.abs()).fold(0.0, f64::max)
}
