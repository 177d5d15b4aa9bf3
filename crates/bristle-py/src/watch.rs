//! Long work: on several threads, ended by Ctrl-C, told of as it goes on.

use crate::error::{Outcome, scene, simulation};
use crate::simulation::Simulation;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Time on the clock between looks at signals and calls of a progress function.
pub const PATIENCE: Duration = Duration::from_millis(50);

/// Lets Python handle signals, and tells how far things are.
pub fn look(py: Python<'_>, progress: Option<&Py<PyAny>>, done: f64, all: f64) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = progress {
        progress.call1(py, (done, all))?;
    }
    Ok(())
}

/// Advances simulations to their times on several threads; answers why each one failed, if it did.
#[pyfunction]
pub fn advance_all(
    py: Python<'_>,
    simulations: Vec<Py<Simulation>>,
    times: Vec<f64>,
    threads: usize,
) -> Outcome<Vec<Option<String>>> {
    if simulations.len() != times.len() {
        return Err(simulation(format!("{} times for {} simulations", times.len(), simulations.len())));
    }
    let all: Vec<&Simulation> = simulations.iter().map(Py::get).collect();
    let next = AtomicUsize::new(0);
    let failures: Vec<Mutex<Option<String>>> = all.iter().map(|_| Mutex::new(None)).collect();
    watch(py, None, 1.0, |_, stop| {
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, all.len().max(1)) {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(one) = all.get(i) else { return };
                        let outcome = one.with(|runner| {
                            while !stop.load(Ordering::Relaxed) && runner.step_to(times[i])? {}
                            Ok(())
                        });
                        if let Err(fault) = one.raised.or(outcome) {
                            let text = PyErr::from(fault).to_string();
                            *failures[i].lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
                        }
                    }
                });
            }
        });
    })?;
    Ok(failures.into_iter().map(|f| f.into_inner().unwrap_or_else(PoisonError::into_inner)).collect())
}

/// Does work on a thread of its own, while this one handles signals and tells progress. The work tells how much is done, and
/// is told to stop when a signal became an exception.
pub fn watch<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    all: f64,
    work: impl FnOnce(&dyn Fn(f64), &AtomicBool) -> T + Send,
) -> Outcome<T> {
    let stop = AtomicBool::new(false);
    let done = Mutex::new(0.0);
    let outcome = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel::<()>(1);
            let (stop, done) = (&stop, &done);
            let worker = scope.spawn(move || {
                let out = work(&|share| *done.lock().unwrap_or_else(PoisonError::into_inner) = share, stop);
                drop(sender);
                out
            });
            let mut failed: PyResult<()> = Ok(());
            while receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if failed.is_ok() {
                    let now = *done.lock().unwrap_or_else(PoisonError::into_inner);
                    failed = Python::attach(|py| look(py, progress, now, all));
                    stop.store(failed.is_err(), Ordering::Relaxed);
                }
            }
            failed?;
            worker.join().map_err(|_| PyErr::from(scene("a fault in Bristle: the computation panicked")))
        })
    });
    Ok(outcome?)
}
