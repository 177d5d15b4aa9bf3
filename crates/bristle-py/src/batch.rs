//! Many runs of one scene on all cores.

use crate::error::Outcome;
use crate::scene::Scene;
use crate::watch::watch;
use bristle::sweep::{Plan, Sampling, Source, Values, Variation, run};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

/// A column of results: name, unit, values (NaN where a run has none).
type Column<'py> = (String, &'static str, Bound<'py, PyArray1<f64>>);

/// Runs a scene once for every row of values, written as `--set` takes them. Answers the columns of results and, for every
/// row, why it failed.
#[pyfunction]
#[pyo3(signature = (scene, parameters, quantities, threads, progress=None))]
pub fn simulate_many<'py>(
    py: Python<'py>,
    scene: &Scene,
    parameters: Vec<(String, Vec<String>)>,
    quantities: Vec<String>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> Outcome<(Vec<Column<'py>>, Vec<Option<String>>)> {
    let overrides = scene.overrides.clone();
    let source = Source { text: scene.source.clone(), file: scene.file.clone(), overrides };
    let variations =
        parameters.into_iter().map(|(key, values)| Variation { key, values: Values::List(values) }).collect();
    let plan = py.detach(|| Plan::new(source, variations, Sampling::List, &quantities))?;
    let rows = plan.rows();
    let all: Vec<usize> = (0..rows).collect();
    let (results, failures) = watch(py, progress.as_ref(), rows as f64, |tell, stop| {
        let mut results = vec![vec![f64::NAN; rows]; plan.quantities().len()];
        let mut failures: Vec<Option<String>> = vec![Some("not run".to_string()); rows];
        let mut done = 0.0;
        run(&plan, &all, threads, &|| stop.load(Ordering::Relaxed), |row| {
            done += 1.0;
            tell(done);
            failures[row.index] = match row.outcome {
                Ok(values) => {
                    for (column, value) in results.iter_mut().zip(values) {
                        column[row.index] = value.unwrap_or(f64::NAN);
                    }
                    None
                }
                Err(reason) => Some(reason),
            };
            true
        });
        (results, failures)
    })?;
    let columns = plan.outputs().into_iter().zip(results);
    let columns = columns.map(|(c, values)| (c.name, c.unit, PyArray1::from_vec(py, values)));
    Ok((columns.collect(), failures))
}
