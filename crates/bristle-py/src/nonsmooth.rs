//! Systems of formulas: from scenes, and from functions in Python.

use crate::error::{Outcome, Raised, scene, simulation};
use crate::result::{Finished, Outcomes};
use crate::scene::Scene;
use crate::simulation::{About, PATIENCE, look};
use crate::value::forever;
use bristle::nonsmooth::{self, Contact, Dio, Friction, Friction2, Limit, Loads, Sgn, State, States};
use bristle::ode::{AdaptiveOptions, FixedOptions, Method as Formula, Pair};
use bristle::run::{Method, RunOptions};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// A friction term.
#[derive(Clone, Copy)]
enum Slide {
    Line(Friction),
    Plane(Friction2),
}

/// Everything that was declared, in order.
#[derive(Default)]
struct Declared {
    states: Vec<State>,
    contacts: Vec<Contact>,
    slides: Vec<Slide>,
}

/// A state or a term of a system, to ask for its value with.
#[pyclass(frozen, eq, hash, module = "bristle._bristle", from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Handle {
    /// `state`, `contact` or `friction`.
    #[pyo3(get)]
    kind: &'static str,
    #[pyo3(get)]
    index: usize,
    #[pyo3(get)]
    name: String,
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
    rates: Mutex<Vec<f64>>,
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

/// A system in the making.
#[pyclass(frozen, module = "bristle._bristle")]
#[derive(Default)]
pub struct Builder {
    inner: Mutex<Option<Inner>>,
}

struct Inner {
    builder: nonsmooth::Builder,
    declared: Declared,
    /// The same, for functions that are called later.
    all: Arc<OnceLock<Declared>>,
    raised: Raised,
}

/// A function of the user's, called from within the integrator.
struct Call {
    function: Py<PyAny>,
    all: Arc<OnceLock<Declared>>,
    raised: Raised,
}

impl Call {
    fn ask<T>(
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

    fn number(&self, at: At) -> f64 {
        self.ask(at, |function, at| function.call1((at,))?.extract()).unwrap_or(f64::NAN)
    }

    fn states(&self, at: &States<'_>) -> At {
        let states = self.all.get().map(|d| d.states.iter().map(|s| at[*s]).collect()).unwrap_or_default();
        At { t: at.t, states, contacts: None, slides: None, planes: Vec::new() }
    }

    fn loads(&self, at: &Loads<'_>) -> At {
        let (states, contacts) = self
            .all
            .get()
            .map(|d| (d.states.iter().map(|s| at[*s]).collect(), d.contacts.iter().map(|c| at[*c]).collect()))
            .unwrap_or_default();
        At { t: at.t, states, contacts: Some(contacts), slides: None, planes: Vec::new() }
    }

    fn everything(&self, at: &nonsmooth::At<'_>) -> At {
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

#[pymethods]
impl Builder {
    #[new]
    fn new() -> Self {
        let inner = Inner {
            builder: nonsmooth::Builder::new(),
            declared: Declared::default(),
            all: Arc::default(),
            raised: Raised::default(),
        };
        Self { inner: Mutex::new(Some(inner)) }
    }

    #[pyo3(signature = (name, start, velocity, unit=None, scale=1.0))]
    fn state(
        &self,
        name: String,
        start: f64,
        velocity: bool,
        unit: Option<String>,
        scale: f64,
    ) -> Outcome<Handle> {
        self.with(|inner| {
            let b = &mut inner.builder;
            let state =
                if velocity { b.velocity(name.as_str(), start) } else { b.state(name.as_str(), start) };
            b.scaled(state, forever(unit.unwrap_or_else(|| "1".to_string())), scale);
            inner.declared.states.push(state);
            Ok(Handle { kind: "state", index: inner.declared.states.len() - 1, name })
        })
    }

    fn dio(&self, name: String, gap: Py<PyAny>, stiffness: f64, alpha: f64, beta: f64) -> Outcome<Handle> {
        self.with(|inner| {
            let call = inner.call(gap);
            let dio = Dio { stiffness, alpha, beta };
            let contact = inner.builder.dio(name.as_str(), move |at| call.number(call.states(at)), dio);
            inner.declared.contacts.push(contact);
            Ok(Handle { kind: "contact", index: inner.declared.contacts.len() - 1, name })
        })
    }

    /// `limit` is a number, `(factor, contact)` or a function.
    #[pyo3(signature = (name, limit, velocity, stiffness, beta, plane=false))]
    fn sgn(
        &self,
        py: Python<'_>,
        name: String,
        limit: Py<PyAny>,
        velocity: Py<PyAny>,
        stiffness: f64,
        beta: f64,
        plane: bool,
    ) -> Outcome<Handle> {
        self.with(|inner| {
            let of = limit.bind(py);
            let limit = if let Ok(number) = of.extract::<f64>() {
                Limit::Constant(number)
            } else if let Ok((factor, contact)) = of.extract::<(f64, Handle)>() {
                let known = inner.declared.contacts.get(contact.index).filter(|_| contact.kind == "contact");
                let known =
                    known.ok_or_else(|| scene(format!("{name}: {} is no contact term", contact.name)))?;
                Limit::Times(factor, *known)
            } else {
                let call = inner.call(limit);
                Limit::of(move |at| call.number(call.loads(at)))
            };
            let (call, sgn) = (inner.call(velocity), Sgn { stiffness, beta });
            let slide = if plane {
                let both = move |at: &Loads<'_>| {
                    call.ask(call.loads(at), |f, at| f.call1((at,))?.extract()).unwrap_or([f64::NAN; 2])
                };
                Slide::Plane(inner.builder.sgn2(name.as_str(), limit, both, sgn))
            } else {
                Slide::Line(inner.builder.sgn(
                    name.as_str(),
                    limit,
                    move |at| call.number(call.loads(at)),
                    sgn,
                ))
            };
            inner.declared.slides.push(slide);
            Ok(Handle { kind: "friction", index: inner.declared.slides.len() - 1, name })
        })
    }

    fn rates(&self, function: Py<PyAny>) -> Outcome<()> {
        self.with(|inner| {
            let call = inner.call(function);
            inner.builder.rates(move |at, to| {
                let all = call.all.get();
                let written = call.ask(call.everything(at), |function, seen| {
                    let count = all.map_or(0, |d| d.states.len());
                    let rates = Rates { rates: Mutex::new(vec![f64::NAN; count]) };
                    let rates = Bound::new(function.py(), rates)?;
                    function.call1((seen, &rates))?;
                    let rates = rates.get().rates.lock().unwrap_or_else(PoisonError::into_inner);
                    Ok(rates.clone())
                });
                for (i, state) in all.iter().flat_map(|d| d.states.iter().enumerate()) {
                    to[*state] = written.as_ref().and_then(|w| w.get(i).copied()).unwrap_or(f64::NAN);
                }
            });
            Ok(())
        })
    }

    fn energy(&self, function: Py<PyAny>) -> Outcome<()> {
        self.with(|inner| {
            let call = inner.call(function);
            inner.builder.energy(move |at| call.number(call.states(at)));
            Ok(())
        })
    }

    fn power(&self, function: Py<PyAny>) -> Outcome<()> {
        self.with(|inner| {
            let call = inner.call(function);
            inner.builder.power(move |at| call.number(call.everything(at)));
            Ok(())
        })
    }

    fn breaks(&self, times: Vec<f64>) -> Outcome<()> {
        self.with(|inner| {
            inner.builder.breaks(&times);
            Ok(())
        })
    }

    /// Checks the declarations and makes the system; nothing can be declared after that.
    fn build(&self, py: Python<'_>) -> Outcome<System> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Inner { builder, declared, all, raised } = inner.ok_or_else(built)?;
        let _ = all.set(declared);
        let system = py.detach(|| builder.build());
        let system = raised.or(system.map_err(Into::into))?;
        Ok(System { system: Arc::new(system), raised })
    }
}

fn built() -> crate::error::Fault {
    scene("the system is built already: declare another one")
}

impl Inner {
    fn call(&self, function: Py<PyAny>) -> Call {
        Call { function, all: Arc::clone(&self.all), raised: self.raised.clone() }
    }
}

impl Builder {
    fn with<R>(&self, act: impl FnOnce(&mut Inner) -> Outcome<R>) -> Outcome<R> {
        act(self.inner.lock().unwrap_or_else(PoisonError::into_inner).as_mut().ok_or_else(built)?)
    }
}

/// A system that can be run.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct System {
    system: Arc<nonsmooth::System>,
    raised: Raised,
}

#[pymethods]
impl System {
    /// The system of a scene with `[nonsmooth]`.
    #[staticmethod]
    fn run_scene(py: Python<'_>, of: &Scene, progress: Option<Py<PyAny>>) -> Outcome<Finished> {
        let prepared = py.detach(|| nonsmooth::prepare(&of.scene))?;
        let found = nonsmooth::warnings(&of.scene, &prepared);
        let warnings = found.iter().map(ToString::to_string).collect();
        let about = About { title: of.title(), written: of.written(), warnings };
        let system = Self { system: Arc::new(prepared.system), raised: Raised::default() };
        system.integrate(py, prepared.options, about, progress)
    }

    /// Names and units of the states.
    fn states(&self) -> Vec<(&str, &'static str)> {
        self.system.states().iter().map(|s| (s.name.as_str(), s.unit)).collect()
    }

    /// What is allowed but rarely meant.
    fn warnings(&self) -> Vec<String> {
        self.system.warnings().iter().map(ToString::to_string).collect()
    }

    /// Integrates from the start.
    #[pyo3(signature = (duration, every, method, rtol, step, progress=None))]
    #[allow(clippy::too_many_arguments)]
    fn run(
        &self,
        py: Python<'_>,
        duration: f64,
        every: f64,
        method: &str,
        rtol: f64,
        step: f64,
        progress: Option<Py<PyAny>>,
    ) -> Outcome<Finished> {
        for (name, value) in [("duration", duration), ("every", every)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(simulation(format!("{name} = {value} s must be > 0 and finite")));
            }
        }
        let adaptive = |pair| Method::Adaptive(AdaptiveOptions { pair, ..AdaptiveOptions::with_rtol(rtol) });
        let fixed = |formula| Method::Fixed(FixedOptions::new(formula, step));
        let method = match method {
            "dopri5" => adaptive(Pair::Dopri5),
            "dop853" => adaptive(Pair::Dop853),
            "euler" => fixed(Formula::Euler),
            "semi-implicit-euler" => fixed(Formula::SemiImplicitEuler),
            "rk3" => fixed(Formula::Rk3),
            "rk4" => fixed(Formula::Rk4),
            other => {
                let known = "dopri5, dop853, euler, semi-implicit-euler, rk3, rk4";
                return Err(simulation(format!("method {other} is none of {known}")));
            }
        };
        let options =
            RunOptions { duration, method, every, during_contact: None, quantities: Vec::new(), film: None };
        let about = About { title: "system".into(), written: String::new(), warnings: self.warnings() };
        self.integrate(py, options, about, progress)
    }
}

impl System {
    fn integrate(
        &self,
        py: Python<'_>,
        options: RunOptions,
        about: About,
        progress: Option<Py<PyAny>>,
    ) -> Outcome<Finished> {
        let mut failed = None;
        let (end, mut looked) = (options.duration, Instant::now());
        let outcome = py.detach(|| {
            nonsmooth::run(&self.system, &options, |t| {
                if looked.elapsed() >= PATIENCE {
                    looked = Instant::now();
                    failed = Python::attach(|py| look(py, progress.as_ref(), t, end)).err();
                }
                failed.is_none()
            })
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        let run = Box::new(self.raised.or(outcome.map_err(Into::into))?);
        let what = Outcomes::System { system: Arc::clone(&self.system), options, run };
        Ok(Finished { what, about: Arc::new(about) })
    }
}
