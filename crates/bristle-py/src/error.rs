//! Errors of the library as Python exceptions, with the text that the command line shows.

use bristle::design::DesignError;
use bristle::impact::ImpactError;
use bristle::laws::ParamError;
use bristle::nonsmooth::{BuildError, RunError};
use bristle::ode::StepError;
use bristle::output::OutputError;
use bristle::runner::ResumeError;
use bristle::scene::SceneErrors;
use bristle::sweep::SweepError;
use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

pyo3::create_exception!(bristle, Error, PyException, "Whatever Bristle refuses or cannot do.");
pyo3::create_exception!(bristle, SceneError, Error, "A scene, or what was asked of it, is wrong.");
pyo3::create_exception!(bristle, LawError, Error, "A parameter of a law is wrong, or a wish cannot be met.");
pyo3::create_exception!(bristle, SimulationError, Error, "A run failed, or is not in a state to do that.");

/// The answer of everything that Python calls.
pub type Outcome<T> = Result<T, Fault>;

/// An exception in the making: what the library says, or what Python raised.
pub struct Fault(PyErr);

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        fault.0
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

macro_rules! faults {
    ($($error:ty => $exception:ident),+) => {$(
        impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self($exception::new_err(error.to_string()))
            }
        }
    )+};
}

faults! {
    ParamError => LawError, DesignError => LawError, ImpactError => LawError, BuildError => SceneError,
    SweepError => SceneError, StepError => SimulationError, RunError => SimulationError, ResumeError => SimulationError,
    OutputError => PyOSError
}

impl From<SceneErrors> for Fault {
    fn from(errors: SceneErrors) -> Self {
        let all: Vec<String> = errors.iter().map(|e| e.explain()).collect();
        Self(SceneError::new_err(all.join("\nerror: ")))
    }
}

impl From<bristle::scene::SceneError> for Fault {
    fn from(error: bristle::scene::SceneError) -> Self {
        Self(SceneError::new_err(error.explain()))
    }
}

/// Something that a run is not in a state to do, or that does not fit it.
pub fn simulation(message: impl Into<String>) -> Fault {
    Fault(SimulationError::new_err(message.into()))
}

/// Something wrong about a scene or what is asked of it.
pub fn scene(message: impl Into<String>) -> Fault {
    Fault(SceneError::new_err(message.into()))
}

/// Something wrong about a law or what it is asked.
pub fn law(message: impl Into<String>) -> Fault {
    Fault(LawError::new_err(message.into()))
}

/// Where an exception waits that was raised by a function of the user's inside a computation, which cannot be unwound: the
/// function answers NaN from then on, the computation fails for that, and the exception is raised in its stead.
#[derive(Clone, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Keeps an exception, the first one only.
    pub fn put(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// Whether there is one.
    pub fn is_set(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Takes it out.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The outcome, unless an exception waits: that is then the reason.
    pub fn or<T>(&self, outcome: Outcome<T>) -> Outcome<T> {
        match self.take() {
            Some(error) => Err(Fault(error)),
            None => outcome,
        }
    }
}
