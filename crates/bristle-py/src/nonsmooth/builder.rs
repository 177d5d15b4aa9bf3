//! Systems declared by functions in Python.

use super::System;
use super::seen::{Call, Declared, Handle, Rates, Slide};
use crate::error::{Outcome, Raised, scene};
use crate::value::forever;
use bristle::nonsmooth::{self, Dio, Limit, Loads, Sgn};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

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
    #[allow(clippy::too_many_arguments)]
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
