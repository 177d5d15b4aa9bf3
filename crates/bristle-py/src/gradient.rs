//! Derivatives of results of a run.

use crate::error::{Fault, Outcome, scene as bad_scene, simulation};
use crate::scene::Scene;
use crate::watch::watch;
use bristle::gradient::{Gradient, GradientError, Named};
use bristle::sweep::Source;
use numpy::PyArray2;
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

/// Keys and quantities (name, unit, value), derivatives and how well they are known.
type Answer<'py> = (Vec<Entry>, Vec<Entry>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);
type Entry = (String, &'static str, f64);

/// Results of a run and their derivatives with respect to numbers of the scene, one row per quantity.
#[pyfunction]
#[pyo3(signature = (scene, keys, quantities, by_differences=false))]
pub fn gradient<'py>(
    py: Python<'py>,
    scene: &Scene,
    keys: Vec<String>,
    quantities: Vec<String>,
    by_differences: bool,
) -> Outcome<Answer<'py>> {
    let overrides = scene.overrides.clone();
    let source = Source { text: scene.source.clone(), file: scene.file.clone(), overrides };
    let found: Result<Gradient, GradientError> = watch(py, None, 1.0, |_, stop| {
        let mut go_on = |_| !stop.load(Ordering::Relaxed);
        let how = if by_differences { bristle::gradient::differences } else { bristle::gradient::gradient };
        how(&source, &keys, &quantities, &mut go_on)
    })?;
    let found = found.map_err(fault)?;
    let list = |named: Vec<Named>| named.into_iter().map(|n| (n.name, n.unit, n.value)).collect();
    let jacobian = PyArray2::from_vec2(py, &found.jacobian).map_err(PyErr::from)?;
    let uncertainty = PyArray2::from_vec2(py, &found.uncertainty).map_err(PyErr::from)?;
    Ok((list(found.keys), list(found.quantities), jacobian, uncertainty))
}

fn fault(error: GradientError) -> Fault {
    match error {
        GradientError::Scene(errors) => errors.into(),
        other if other.is_bad_input() => bad_scene(other.to_string()),
        other => simulation(other.to_string()),
    }
}
