//! Many worlds of one scene in step, as [`bristle::batch`] runs them.

use crate::error::{Outcome, scene as wrong, simulation};
use crate::scene::Scene;
use crate::watch::watch;
use bristle::batch::{self, Batch, BatchError, Options};
use bristle::sweep::Source;
use bristle::world::WORLD_ACCOUNTS;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Instant;

/// Steps before the first look at signals; twice as many follow when they were quick, so that worlds are still looked at in the
/// same steps.
const PORTION: u64 = 64;

/// Worlds that step together.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct Worlds {
    batch: Mutex<Batch>,
}

impl From<BatchError> for crate::error::Fault {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Scene { world, error } => {
                let all: Vec<String> = error.iter().map(|e| e.explain()).collect();
                wrong(format!("world {world}: {}", all.join("\nerror: ")))
            }
            other => wrong(other.to_string()),
        }
    }
}

#[pymethods]
impl Worlds {
    /// One world for every row of changes, as `--set` takes them.
    #[staticmethod]
    fn from_rows(py: Python<'_>, scene: &Scene, rows: Vec<Vec<String>>, ledger: bool) -> Outcome<Self> {
        let overrides = scene.overrides.clone();
        let source = Source { text: scene.source.clone(), file: scene.file.clone(), overrides };
        let batch = py.detach(|| Batch::from_rows(&source, &rows, &Options { ledger }))?;
        Ok(Self { batch: Mutex::new(batch) })
    }

    /// One world for every configuration and velocity, a row each.
    #[staticmethod]
    fn from_starts(
        py: Python<'_>,
        scene: &Scene,
        q: PyReadonlyArray2<'_, f64>,
        v: PyReadonlyArray2<'_, f64>,
        ledger: bool,
    ) -> Outcome<Self> {
        let (q, v) = (q.as_array(), v.as_array());
        if q.nrows() != v.nrows() {
            return Err(wrong(format!(
                "{} rows of q and {} of v: one of each per world",
                q.nrows(),
                v.nrows()
            )));
        }
        let starts: Vec<(Vec<f64>, Vec<f64>)> =
            q.rows().into_iter().zip(v.rows()).map(|(q, v)| (q.to_vec(), v.to_vec())).collect();
        if let Some(world) = starts.iter().position(|(q, v)| !q.iter().chain(v).all(|x| x.is_finite())) {
            return Err(wrong(format!("the start of world {world} must be finite")));
        }
        let batch = py.detach(|| -> Outcome<_> {
            let prepared = bristle::prepare(&scene.scene)?;
            Ok(Batch::from_starts(&prepared, &starts, &Options { ledger })?)
        })?;
        Ok(Self { batch: Mutex::new(batch) })
    }

    /// Numbers of worlds, positions and velocities.
    fn sizes(&self) -> Outcome<(usize, usize, usize)> {
        let batch = self.lock()?;
        let (nq, nv) = batch.sizes();
        Ok((batch.len(), nq, nv))
    }

    /// What the numbers of a state are.
    fn names(&self) -> Outcome<Vec<String>> {
        Ok(self.lock()?.names())
    }

    /// Names of the accounts.
    #[staticmethod]
    fn account_names() -> Vec<&'static str> {
        WORLD_ACCOUNTS.to_vec()
    }

    /// Time (s), step (s), whether worlds run on lanes, bytes of each.
    fn facts(&self) -> Outcome<(f64, f64, bool, usize)> {
        let batch = self.lock()?;
        Ok((batch.time(), batch.step(), batch.is_on_lanes(), batch.bytes_per_world()))
    }

    /// Takes steps on a number of threads. Ctrl-C ends it between two portions of steps.
    fn advance(&self, py: Python<'_>, steps: u64, threads: usize) -> Outcome<()> {
        let mut batch = self.lock()?;
        let batch: &mut Batch = &mut batch;
        watch(py, None, steps as f64, |_, stop| {
            let (mut left, mut portion) = (steps, PORTION);
            while left > 0 && !stop.load(Ordering::Relaxed) {
                let clock = Instant::now();
                let now = portion.min(left);
                batch.advance(now, threads);
                left -= now;
                if clock.elapsed() < crate::watch::PATIENCE {
                    portion = portion.saturating_mul(2);
                }
            }
        })
    }

    /// Ends the worlds whose mark is set, where they are.
    fn end(&self, marks: PyReadonlyArray1<'_, bool>) -> Outcome<()> {
        let mut batch = self.lock()?;
        let marks = marks.as_slice().map_err(PyErr::from)?;
        if marks.len() != batch.len() {
            return Err(simulation(format!("{} marks for {} worlds", marks.len(), batch.len())));
        }
        marks.iter().enumerate().filter(|(_, ends)| **ends).for_each(|(world, _)| batch.end(world));
        Ok(())
    }

    /// States of all worlds, a row each: positions, velocities, states of laws.
    fn states<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<f64>>> {
        let batch = self.lock()?;
        let rows: Vec<Vec<f64>> = (0..batch.len()).map(|world| batch.state(world)).collect();
        if rows.iter().any(|row| row.len() != rows[0].len()) {
            return Err(simulation("worlds have different numbers of states now: ask for state(world)"));
        }
        PyArray2::from_vec2(py, &rows).map_err(|error| simulation(error.to_string()))
    }

    /// State of one world.
    fn state<'py>(&self, py: Python<'py>, world: usize) -> Outcome<Bound<'py, PyArray1<f64>>> {
        let batch = self.lock()?;
        if world >= batch.len() {
            return Err(simulation(format!("world {world} is none of {}", batch.len())));
        }
        Ok(PyArray1::from_vec(py, batch.state(world)))
    }

    /// Accounts of all worlds, a row each, J; `None` without a ledger.
    fn accounts<'py>(&self, py: Python<'py>) -> Outcome<Option<Bound<'py, PyArray2<f64>>>> {
        let batch = self.lock()?;
        let rows: Option<Vec<Vec<f64>>> =
            (0..batch.len()).map(|world| batch.accounts(world).map(|row| row.to_vec())).collect();
        let array = rows.map(|rows| PyArray2::from_vec2(py, &rows)).transpose();
        array.map_err(|error| simulation(error.to_string()))
    }

    /// How every world stands (a byte each: 0 runs, 1 ended, 2 failed) and since when, s.
    fn outcomes<'py>(&self, py: Python<'py>) -> Outcome<(Bound<'py, PyBytes>, Bound<'py, PyArray1<f64>>)> {
        let batch = self.lock()?;
        let stand = |world: usize| match batch.outcome(world) {
            batch::Outcome::Running => (0, batch.time()),
            batch::Outcome::Ended { at } => (1, at),
            batch::Outcome::Failed { after } => (2, after),
        };
        let (kinds, times): (Vec<u8>, Vec<f64>) = (0..batch.len()).map(stand).unzip();
        Ok((PyBytes::new(py, &kinds), PyArray1::from_vec(py, times)))
    }
}

impl Worlds {
    /// The batch, unless another thread of Python steps it.
    fn lock(&self) -> Outcome<MutexGuard<'_, Batch>> {
        match self.batch.try_lock() {
            Ok(batch) => Ok(batch),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(simulation("the worlds are stepped by another thread")),
        }
    }
}
