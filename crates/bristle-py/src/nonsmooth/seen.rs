//! What functions of a system see and write, by handle.

use crate::error::Raised;
use bristle::nonsmooth::{self, Contact, Friction, Friction2, Loads, State, States};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A friction term.
#[derive(Clone, Copy)]
pub enum Slide {
    Line(Friction),
    Plane(Friction2),
}

/// Everything that was declared, in order.
#[derive(Default)]
pub struct Declared {
    pub states: Vec<State>,
    pub contacts: Vec<Contact>,
    pub slides: Vec<Slide>,
}

/// A state or a term of a system, to ask for its value with.
#[pyclass(frozen, eq, hash, module = "bristle._bristle", from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Handle {
    /// `state`, `contact` or `friction`.
    #[pyo3(get)]
    pub kind: &'static str,
    #[pyo3(get)]
    pub index: usize,
    #[pyo3(get)]
    pub name: String,
}

#[pymethods]
impl Handle {
    fn __repr__(&self) -> String {
        format!("<{} {}>", self.kind, self.name)
    }
}

/// What a function of a system sees: the time, and values by handle.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct At {
    /// Time, s.
    #[pyo3(get)]
    t: f64,
    states: Vec<f64>,
    contacts: Option<Vec<f64>>,
    slides: Option<Vec<[f64; 2]>>,
    /// Whether each friction term is one of a plane.
    planes: Vec<bool>,
}

#[pymethods]
impl At {
    fn __getitem__(&self, py: Python<'_>, handle: &Handle) -> PyResult<Py<PyAny>> {
        let unseen = || PyKeyError::new_err(format!("{} {} is not seen here", handle.kind, handle.name));
        let number = match handle.kind {
            "state" => self.states.get(handle.index).copied(),
            "contact" => self.contacts.as_ref().and_then(|c| c.get(handle.index).copied()),
            _ => {
                let pair = self.slides.as_ref().and_then(|s| s.get(handle.index)).ok_or_else(unseen)?;
                if self.planes.get(handle.index) == Some(&true) {
                    return Ok((pair[0], pair[1]).into_pyobject(py)?.into_any().unbind());
                }
                Some(pair[0])
            }
        };
        Ok(number.ok_or_else(unseen)?.into_pyobject(py)?.into_any().unbind())
    }
}

/// Where a function writes the rates of the states.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct Rates {
    pub rates: Mutex<Vec<f64>>,
}

#[pymethods]
impl Rates {
    fn __setitem__(&self, handle: &Handle, rate: f64) -> PyResult<()> {
        let mut rates = self.rates.lock().unwrap_or_else(PoisonError::into_inner);
        match rates.get_mut(handle.index).filter(|_| handle.kind == "state") {
            Some(place) => *place = rate,
            None => return Err(PyKeyError::new_err(format!("{} {} has no rate", handle.kind, handle.name))),
        }
        Ok(())
    }
}

/// A function of the user's, called from within the integrator.
pub struct Call {
    pub function: Py<PyAny>,
    pub all: Arc<OnceLock<Declared>>,
    pub raised: Raised,
}

impl Call {
    pub fn ask<T>(
        &self,
        at: At,
        take: impl FnOnce(&Bound<'_, PyAny>, Bound<'_, At>) -> PyResult<T>,
    ) -> Option<T> {
        if self.raised.is_set() {
            return None;
        }
        let answer = Python::attach(|py| take(self.function.bind(py), Bound::new(py, at)?));
        answer.map_err(|error| self.raised.put(error)).ok()
    }

    pub fn number(&self, at: At) -> f64 {
        self.ask(at, |function, at| function.call1((at,))?.extract()).unwrap_or(f64::NAN)
    }

    pub fn states(&self, at: &States<'_>) -> At {
        let states = self.all.get().map(|d| d.states.iter().map(|s| at[*s]).collect()).unwrap_or_default();
        At { t: at.t, states, contacts: None, slides: None, planes: Vec::new() }
    }

    pub fn loads(&self, at: &Loads<'_>) -> At {
        let (states, contacts) = self
            .all
            .get()
            .map(|d| (d.states.iter().map(|s| at[*s]).collect(), d.contacts.iter().map(|c| at[*c]).collect()))
            .unwrap_or_default();
        At { t: at.t, states, contacts: Some(contacts), slides: None, planes: Vec::new() }
    }

    pub fn everything(&self, at: &nonsmooth::At<'_>) -> At {
        let empty = Declared::default();
        let d = self.all.get().unwrap_or(&empty);
        let slide = |s: &Slide| match s {
            Slide::Line(f) => [at[*f], 0.0],
            Slide::Plane(f) => at.vector(*f),
        };
        At {
            t: at.t,
            states: d.states.iter().map(|s| at[*s]).collect(),
            contacts: Some(d.contacts.iter().map(|c| at[*c]).collect()),
            slides: Some(d.slides.iter().map(slide).collect()),
            planes: d.slides.iter().map(|s| matches!(s, Slide::Plane(_))).collect(),
        }
    }
}
