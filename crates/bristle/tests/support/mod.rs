//! Reference files, comparisons that remember their largest deviation, and states at given times.

#![allow(dead_code)] // every test file uses a part
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // what fails here, fails the test

use bristle::PointContact;
use bristle::laws::{Params, Phase};
use bristle::ode::{Adaptive, AdaptiveOptions, Pair, State, integrate};
use serde_json::Value;
use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "testdata", "reference", name].iter().collect()
}

/// A reference file of numbers with a header.
pub struct Table {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    /// Reads a file of `testdata/reference`.
    pub fn read(name: &str) -> Self {
        let mut reader = csv::Reader::from_path(path(name)).expect(name);
        let names = reader.headers().expect(name).iter().map(str::to_string).collect();
        let number = |cell: &str| cell.parse::<f64>().expect(cell);
        let rows = reader.records().map(|row| row.expect(name).iter().map(number).collect()).collect();
        Self { names, rows }
    }

    /// The header.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All rows, cells in the order of the header.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// The rows with `key` in the first column, without that column.
    pub fn rows_of(&self, key: f64) -> Vec<&[f64]> {
        let rows: Vec<_> = self.rows.iter().filter(|row| row[0] == key).map(|row| &row[1..]).collect();
        assert!(!rows.is_empty(), "no row has {key} in its first column");
        rows
    }
}

/// A reference file of scalars.
pub fn json(name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path(name)).expect(name)).expect(name)
}

/// The number called `name`.
pub fn number(of: &Value, name: &str) -> f64 {
    of[name].as_f64().unwrap_or_else(|| panic!("{name} is no number in {of}"))
}

/// The list called `name`.
pub fn list<'a>(of: &'a Value, name: &str) -> &'a [Value] {
    of[name].as_array().unwrap_or_else(|| panic!("{name} is no list in {of}"))
}

/// The largest magnitude in a column.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().map(f64::abs).fold(0.0, f64::max)
}

/// Parameters of a law, all numbers.
pub fn params(entries: &[(&str, f64)]) -> Params {
    entries.iter().fold(Params::new(), |params, (name, value)| params.set(name, *value))
}

/// A claim that many numbers lie within one tolerance of their reference.
#[must_use = "nothing is claimed before `hold`"]
pub struct Claim {
    what: &'static str,
    tolerance: f64,
    count: usize,
    worst: (f64, String),
}

impl Claim {
    /// What is compared, and the largest deviation relative to the size given with each number.
    pub fn within(tolerance: f64, what: &'static str) -> Self {
        Self { what, tolerance, count: 0, worst: (0.0, String::new()) }
    }

    /// Compares `got` with `want`, relative to `size`.
    pub fn check(&mut self, label: impl Display, got: f64, want: f64, size: f64) {
        let deviation = ((got - want) / size).abs();
        let deviation = if deviation.is_nan() { f64::INFINITY } else { deviation };
        self.count += 1;
        if deviation > self.worst.0 {
            self.worst = (deviation, format!("{label}: {got:e} against {want:e}"));
        }
    }

    /// Compares relative to the reference itself.
    pub fn relative(&mut self, label: impl Display, got: f64, want: f64) {
        self.check(label, got, want, if want == 0.0 { 1.0 } else { want });
    }

    /// Fails with the worst case unless all numbers were within the tolerance.
    pub fn hold(self) {
        let Self { what, tolerance, count, worst: (worst, case) } = self;
        println!("{what}: {count} values within {worst:.1e}, {tolerance:.0e} allowed; worst {case}");
        assert!(count > 0, "{what}: nothing was compared");
        assert!(worst <= tolerance, "{what}: {worst:.2e} is more than {tolerance:.0e} at {case}");
    }
}

/// A state on the way.
pub struct Sample {
    /// Time, s.
    pub t: f64,
    /// The state vector.
    pub x: Vec<f64>,
    /// Phase of the contact.
    pub phase: Phase,
}

/// Method 8(5,3) with this relative error per step.
pub fn method<'a>(system: &PointContact<'a>, rtol: f64) -> Adaptive<f64, PointContact<'a>> {
    let options = AdaptiveOptions { pair: Pair::Dop853, ..AdaptiveOptions::with_rtol(rtol) };
    Adaptive::new(system, &Phase::Touching, options).unwrap()
}

/// Integrates `state` to `t_end` (s) and returns the states at those `times` (s, ascending) that are
/// on the way, both ends included.
pub fn follow(
    system: &PointContact<'_>,
    state: &mut State<f64, Phase>,
    t_end: f64,
    times: &[f64],
    rtol: f64,
) -> Vec<Sample> {
    let t_start = state.t;
    let mut pending = times.iter().copied().filter(|t| (t_start..=t_end).contains(t)).peekable();
    let mut samples = vec![];
    let mut phase = state.mode;
    let mut x = state.x.clone();
    integrate(system, &mut method(system, rtol), state, t_end, |now| {
        while let Some(t) = pending.next_if(|t| *t <= now.advance.end) {
            now.dense(t, &mut x)?;
            samples.push(Sample { t, x: x.clone(), phase });
        }
        phase = now.state.mode;
        Ok(ControlFlow::Continue(()))
    })
    .unwrap();
    samples
}

/// Local maxima of `values`, as indices: each rises and falls by more than `prominence`.
pub fn peaks(values: &[f64], prominence: f64) -> Vec<usize> {
    let (mut found, mut top, mut low) = (vec![], 0, f64::INFINITY);
    let mut is_rising = false;
    for (i, &value) in values.iter().enumerate() {
        if is_rising {
            if value > values[top] {
                top = i;
            } else if value < values[top] - prominence {
                found.push(top);
                (is_rising, low) = (false, value);
            }
        } else if value > low + prominence {
            (is_rising, top) = (true, i);
        } else {
            low = low.min(value);
        }
    }
    found
}

/// `count` times from `start` to `end`, both included.
pub fn grid(start: f64, end: f64, count: usize) -> Vec<f64> {
    (0..count).map(|i| start + (end - start) * i as f64 / (count - 1) as f64).collect()
}
