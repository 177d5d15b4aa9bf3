//! Values between Python and the library: parameters, arrays, surfaces.

use crate::error::{Outcome, law};
use bristle::laws::{Params, Value};
use bristle::math::lens::Lens;
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// A parameter as scenes write it.
fn value(of: &Bound<'_, PyAny>) -> PyResult<Value> {
    if of.is_instance_of::<PyBool>() {
        return Ok(Value::Flag(of.extract()?));
    }
    if of.is_instance_of::<PyString>() {
        return Ok(Value::Text(of.extract()?));
    }
    if of.is_instance_of::<PyFloat>() || of.is_instance_of::<PyInt>() {
        return Ok(Value::Number(of.extract()?));
    }
    if let Ok(map) = of.cast::<PyDict>() {
        let items = map.iter().map(|(k, v)| Ok((k.extract()?, value(&v)?)));
        return Ok(Value::Map(items.collect::<PyResult<BTreeMap<_, _>>>()?));
    }
    if of.is_instance_of::<PyList>() || of.is_instance_of::<PyTuple>() {
        let items = of.try_iter()?.map(|v| value(&v?));
        return Ok(Value::List(items.collect::<PyResult<_>>()?));
    }
    // numbers of NumPy and the like
    match of.extract::<f64>() {
        Ok(number) => Ok(Value::Number(number)),
        Err(_) => Err(PyTypeError::new_err(format!(
            "a parameter must be a number, text, true or false, a list or a dict, not {}",
            of.get_type().name()?
        ))),
    }
}

/// Parameters by name, and the surfaces in contact.
pub fn params(of: &Bound<'_, PyDict>, lens: Option<Lens<f64>>) -> PyResult<Params> {
    let mut params = Params::new();
    for (name, given) in of.iter() {
        params = params.with(&name.extract::<String>()?, value(&given)?);
    }
    params.lens = lens;
    Ok(params)
}

/// A value of the library in Python.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Number(x) => x.into_pyobject(py)?.into_any(),
        Value::Flag(x) => x.into_pyobject(py)?.to_owned().into_any(),
        Value::Text(x) => x.into_pyobject(py)?.into_any(),
        Value::List(items) => {
            let items = items.iter().map(|v| to_python(py, v)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Map(items) => {
            let map = PyDict::new(py);
            for (name, value) in items {
                map.set_item(name, to_python(py, value)?)?;
            }
            map.into_any()
        }
    })
}

/// The surfaces of two balls, or of a ball on a plane; `None` without a radius.
pub fn lens(radius: Option<f64>, other: Option<f64>) -> Outcome<Option<Lens<f64>>> {
    for r in [radius, other].into_iter().flatten() {
        if !(r > 0.0 && r.is_finite()) {
            return Err(law(format!("radius = {r} m must be > 0 and finite")));
        }
    }
    Ok(match (radius, other) {
        (None, None) => None,
        (Some(r), None) | (None, Some(r)) => Some(Lens::on_plane(r)),
        (Some(a), Some(b)) => Some(Lens::of_spheres(a, b)),
    })
}

/// Sets the highest bit if a number is not finite: its exponent is then all ones, and one more carries over. Integers, because
/// that can be vectorised.
#[inline(always)]
pub fn mark_not_finite(number: f64) -> u64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    (number.to_bits() & EXPONENT) + 0x0010_0000_0000_0000
}

/// Whether all numbers are finite. Every one is looked at, because a loop that may end early is not vectorised.
pub fn is_finite(numbers: &[f64]) -> bool {
    numbers.iter().fold(0, |marks, x| marks | mark_not_finite(*x)) >> 63 == 0
}

/// The place of the first number that is not finite, as an error.
pub fn not_finite(name: &str, numbers: &[f64]) -> crate::error::Fault {
    let at = numbers.iter().position(|x| !x.is_finite()).unwrap_or(0);
    let found = numbers.get(at).copied().unwrap_or(f64::NAN);
    law(format!("{name}[{at}] = {found} must be finite"))
}

/// Texts that live as long as the process, because names and units of the library do; equal ones are kept once.
pub fn forever(text: String) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.get(text.as_str()) {
        return known;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    kept.insert(text);
    text
}

/// What is read off one point of a curve, by name.
pub type Readings<T, const N: usize> = [(&'static str, fn(&T) -> f64); N];

/// Points of a curve as arrays by name.
pub fn columns<'py, T, const N: usize>(
    py: Python<'py>,
    points: &[T],
    readings: Readings<T, N>,
) -> PyResult<Bound<'py, PyDict>> {
    let table = PyDict::new(py);
    for (name, of) in readings {
        table.set_item(name, PyArray1::from_iter(py, points.iter().map(of)))?;
    }
    Ok(table)
}
