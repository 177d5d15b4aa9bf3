//! Systems of formulas: from scenes, and from functions in Python.

mod builder;
mod seen;

pub use builder::Builder;
pub use seen::{At, Handle, Rates};

use crate::error::{Outcome, Raised, simulation};
use crate::result::{Finished, Outcomes};
use crate::scene::Scene;
use crate::simulation::About;
use crate::watch::{PATIENCE, look};
use bristle::nonsmooth;
use bristle::ode::{AdaptiveOptions, FixedOptions, Method as Formula, Pair};
use bristle::run::{Method, RunOptions};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Instant;

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
        let options = RunOptions {
            duration,
            method,
            every,
            during_contact: None,
            quantities: Vec::new(),
            impacts: true,
            threads: 1,
            film: None,
            choice: None,
        };
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
