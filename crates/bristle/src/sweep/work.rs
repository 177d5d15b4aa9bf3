//! Rows on all cores.

use super::plan::Plan;
use super::subject::Subject;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// What came of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Which row of the plan, from 0.
    pub index: usize,
    /// One value per quantity (none where the run has no such thing), or why the run failed.
    pub outcome: Result<Vec<Option<f64>>, String>,
    /// Time on the clock, s.
    pub wall_seconds: f64,
}

/// Computes rows of a plan on so many threads (at least one) and hands each over when it is finished, in no particular
/// order. Ends early when `stop` says so or `each` answers false; a row that is then under way is dropped.
pub fn run(
    plan: &Plan,
    indices: &[usize],
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
    mut each: impl FnMut(Row) -> bool,
) {
    let next = AtomicUsize::new(0);
    let enough = AtomicBool::new(false);
    let is_over = || enough.load(Ordering::Relaxed) || stop();
    let threads = threads.clamp(1, indices.len().max(1));
    let (sender, receiver) = sync_channel(4 * threads);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let (next, is_over) = (&next, &is_over);
            scope.spawn(move || {
                while !is_over() {
                    let Some(index) = indices.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    let Some(row) = plan.compute(*index, is_over) else { return };
                    if sender.send(row).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for row in receiver {
            if !enough.load(Ordering::Relaxed) && !each(row) {
                enough.store(true, Ordering::Relaxed);
            }
        }
    });
}

impl Plan {
    /// One row; `None` if it was stopped on the way.
    pub(super) fn compute(&self, index: usize, is_over: impl Fn() -> bool) -> Option<Row> {
        let clock = Instant::now();
        // a fault of ours in one row must not take the others with it
        let outcome = catch_unwind(AssertUnwindSafe(|| self.simulate(index, is_over)));
        let outcome = outcome.unwrap_or_else(|_| Err("a fault in Bristle: the run panicked".to_string()));
        let outcome = match outcome {
            Ok(None) => return None,
            Ok(Some(results)) => Ok(results),
            Err(reason) => Err(reason),
        };
        Some(Row { index, outcome, wall_seconds: clock.elapsed().as_secs_f64() })
    }

    fn simulate(&self, index: usize, is_over: impl Fn() -> bool) -> Result<Option<Vec<Option<f64>>>, String> {
        let subject = self
            .scene(index)
            .and_then(|scene| Subject::of(&scene))
            .map_err(|e| e.to_string().replace('\n', "; "))?;
        let summary = subject.simulate(is_over)?;
        Ok(summary.map(|summary| self.quantities().iter().map(|q| q.read(&summary)).collect()))
    }
}
