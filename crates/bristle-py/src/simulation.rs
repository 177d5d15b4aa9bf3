//! A run that Python steps, watches and steers.

use crate::error::{Outcome, Raised, simulation};
use crate::own_law::{Given, wrap};
use crate::result::{Finished, Outcomes};
use crate::scene::Scene;
use crate::watch::{PATIENCE, look};
use bristle::Prepared;
use bristle::film::FilmLimits;
use bristle::run::RunOptions;
use bristle::runner::Runner;
use bristle::world::Command;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Instant;

/// A runner that was not closed yet.
type Going<'a> = Option<Runner<'a>>;

self_cell::self_cell!(
    /// A runner together with the model that it borrows.
    struct Owned {
        owner: Arc<Prepared>,
        #[not_covariant]
        dependent: Going,
    }
);

/// A run in the making.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct Simulation {
    owned: Mutex<Owned>,
    prepared: Arc<Prepared>,
    options: RunOptions,
    about: Arc<About>,
    pub raised: Raised,
    has_own_laws: bool,
}

/// What a report says of a run besides its numbers.
pub struct About {
    pub title: String,
    pub written: String,
    pub warnings: Vec<String>,
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (scene, duration=None, every=None, film=false, laws=None))]
    fn new(
        py: Python<'_>,
        scene: &Scene,
        duration: Option<f64>,
        every: Option<f64>,
        film: bool,
        laws: Option<Given>,
    ) -> Outcome<Self> {
        let raised = Raised::default();
        let laws = wrap(py, laws.unwrap_or_default(), &raised)?;
        let has_own_laws = !laws.is_empty();
        let (prepared, warnings) = py.detach(|| -> Outcome<_> {
            let mut prepared = bristle::prepare(&scene.scene)?;
            let found = bristle::check::warnings(&scene.scene, &prepared);
            let warnings: Vec<String> = found.iter().map(ToString::to_string).collect();
            for (material, own) in &laws {
                prepared.put_laws(&scene.scene, material, own)?;
            }
            Ok((Arc::new(prepared), warnings))
        })?;
        let mut options = prepared.options.clone();
        for (name, given, to) in
            [("duration", duration, &mut options.duration), ("every", every, &mut options.every)]
        {
            if let Some(given) = given {
                // an infinite spacing records the start alone
                if given.is_nan() || given <= 0.0 || (name == "duration" && given.is_infinite()) {
                    return Err(simulation(format!("{name} = {given} s must be > 0 and finite")));
                }
                *to = given;
            }
        }
        if every.is_some_and(f64::is_infinite) {
            options.during_contact = None;
        }
        options.film = film.then(FilmLimits::default);
        let own: Vec<&str> = laws.iter().map(|(material, _)| material.as_str()).collect();
        let note = match own.as_slice() {
            [] => String::new(),
            own => format!("# Laws of {} are functions of Python, not those written here.\n", own.join(", ")),
        };
        let about = About { title: scene.title(), written: format!("{note}{}", scene.written()), warnings };
        let start = (&prepared.q[..], &prepared.v[..]);
        let outcome = py.detach(|| begin(&prepared, start, &options));
        let owned = Mutex::new(raised.or(outcome)?);
        Ok(Self { owned, prepared, options, about: Arc::new(about), raised, has_own_laws })
    }

    /// One accepted step. False when the end was reached before.
    fn step(&self, py: Python<'_>) -> Outcome<bool> {
        let outcome = self.with(|runner| Ok(py.detach(|| runner.step())?));
        if self.has_own_laws { self.raised.or(outcome) } else { outcome }
    }

    /// Steps until `time` (s) exactly, or to the end; `progress(t, end)` is called every now and then.
    #[pyo3(signature = (time, progress=None))]
    fn advance(&self, py: Python<'_>, time: f64, progress: Option<Py<PyAny>>) -> Outcome<()> {
        if time.is_nan() {
            return Err(simulation("time is not a number"));
        }
        let end = self.options.duration;
        let outcome = self.with(|runner| {
            py.detach(|| {
                let mut looked = Instant::now();
                while runner.step_to(time)? {
                    if looked.elapsed() >= PATIENCE {
                        let t = runner.time();
                        Python::attach(|py| look(py, progress.as_ref(), t, end))?;
                        looked = Instant::now();
                    }
                }
                Ok(())
            })
        });
        self.raised.or(outcome)
    }

    #[getter]
    fn time(&self) -> Outcome<f64> {
        self.with(|runner| Ok(runner.time()))
    }

    /// End time, s.
    #[getter]
    fn duration(&self) -> f64 {
        self.options.duration
    }

    #[getter]
    fn is_closed(&self) -> bool {
        let is_gone = |owned: &Owned| owned.with_dependent(|_, runner| runner.is_none());
        self.owned.try_lock().is_ok_and(|owned| is_gone(&owned))
    }

    /// Names and units of what [`measure`](Self::measure) answers.
    fn columns(&self) -> Outcome<Vec<(String, &'static str)>> {
        self.with(|runner| Ok(runner.columns().map(|(name, unit)| (name.to_string(), unit)).collect()))
    }

    /// All that is recorded, as it is now.
    fn measure<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray1<f64>>> {
        let row = self.with(|runner| {
            let mut row = Vec::new();
            py.detach(|| runner.measure(&mut row));
            Ok(row)
        });
        Ok(PyArray1::from_vec(py, self.raised.or(row)?))
    }

    /// Configuration and velocity of all joints.
    fn coordinates<'py>(&self, py: Python<'py>) -> Outcome<[Bound<'py, PyArray1<f64>>; 2]> {
        self.with(|runner| {
            let (nq, nv) = (runner.model().tree.nq(), runner.model().tree.nv());
            let x = &runner.state().x;
            Ok([PyArray1::from_slice(py, &x[..nq]), PyArray1::from_slice(py, &x[nq..nq + nv])])
        })
    }

    /// Configuration and velocity at the start of the scene.
    fn start<'py>(&self, py: Python<'py>) -> [Bound<'py, PyArray1<f64>>; 2] {
        [PyArray1::from_slice(py, &self.prepared.q), PyArray1::from_slice(py, &self.prepared.v)]
    }

    /// Joints: name, where position and velocity begin in the coordinates, how many numbers of each, offset of the position.
    fn joints(&self) -> Vec<(&str, usize, usize, usize, usize, f64)> {
        let (model, tree) = (&self.prepared.model, &self.prepared.model.tree);
        let place = |j: &bristle::world::JointPlace| {
            let (q, v) = (tree.q_range(j.link), tree.v_range(j.link));
            (q.start, v.start, q.len(), v.len(), j.offset)
        };
        model
            .joints
            .iter()
            .map(|j| (j.name.as_str(), place(j)))
            .map(|(n, (q, v, nq, nv, o))| (n, q, v, nq, nv, o))
            .collect()
    }

    /// Motors: name, least and greatest force before the gear, stiffness and damping of the first phase.
    fn actuators(&self) -> Vec<(&str, Option<[f64; 2]>, f64, f64)> {
        let of = |a: &'_ bristle::world::Actuator| {
            a.phases.first().map_or((0.0, 0.0), |phase| (phase.stiffness, phase.damping))
        };
        self.prepared.model.actuators.iter().map(|a| (a.name.as_str(), a.limits, of(a).0, of(a).1)).collect()
    }

    /// The base of every robot: the first of its links that moves.
    fn bases(&self) -> Vec<&str> {
        let bodies = &self.prepared.model.bodies;
        let base = |robot| bodies.iter().find(|b| b.group == Some(robot) && b.is_movable);
        (0..self.prepared.model.robots.len()).filter_map(base).map(|b| b.name.as_str()).collect()
    }

    /// Sensors by name.
    fn sensors(&self) -> Vec<&str> {
        self.prepared.model.sensors.iter().map(|s| s.name.as_str()).collect()
    }

    /// What a motor is told besides the scene: target, rate, effort.
    fn command(&self, motor: &str) -> Outcome<(f64, f64, f64)> {
        let index = self.motor(motor)?;
        self.with(|runner| {
            let told = runner.command(index).unwrap_or_default();
            Ok((told.target, told.rate, told.effort))
        })
    }

    fn set_command(&self, motor: &str, target: f64, rate: f64, effort: f64) -> Outcome<()> {
        let index = self.motor(motor)?;
        self.with(|runner| Ok(runner.set_command(index, Command { target, rate, effort })?))
    }

    /// Tells all motors at once, in the order of [`actuators`](Self::actuators): `(target, rate, effort)` each.
    fn set_commands(&self, told: Vec<(f64, f64, f64)>) -> Outcome<()> {
        let motors = self.prepared.model.actuators.len();
        if told.len() != motors {
            return Err(simulation(format!("{} commands for {motors} motors", told.len())));
        }
        self.with(|runner| {
            for (index, (target, rate, effort)) in told.into_iter().enumerate() {
                runner.set_command(index, Command { target, rate, effort })?;
            }
            Ok(())
        })
    }

    /// Every contact that acts now, as dictionaries.
    fn contacts<'py>(&self, py: Python<'py>) -> Outcome<Vec<Bound<'py, PyDict>>> {
        let mut all = Vec::new();
        let outcome = self.with(|runner| {
            let mut failed = Ok(());
            runner.for_each_touch(|t| {
                let mut describe = || -> PyResult<()> {
                    let (d, touch) = (PyDict::new(py), t.touch);
                    let vector = |v: &bristle::math::Vector3<f64>| PyArray1::from_slice(py, v.as_slice());
                    d.set_item("bodies", (t.bodies[0], t.bodies[1]))?;
                    d.set_item("patch", t.patch)?;
                    d.set_item("touching", t.is_touching)?;
                    d.set_item("point", vector(&touch.patch.point))?;
                    d.set_item("normal", vector(&touch.patch.normal))?;
                    d.set_item("depth", touch.patch.depth)?;
                    d.set_item("normal_force", touch.normal.force + touch.friction.normal)?;
                    d.set_item("force", vector(&touch.force()))?;
                    d.set_item("sliding", vector(&touch.sliding()))?;
                    d.set_item("stored", touch.stored())?;
                    all.push(d);
                    Ok(())
                };
                if failed.is_ok() {
                    failed = describe();
                }
            });
            Ok(failed?)
        });
        self.raised.or(outcome)?;
        Ok(all)
    }

    /// The run so far as bytes.
    fn save<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyBytes>> {
        self.with(|runner| Ok(PyBytes::new(py, &runner.save()?)))
    }

    /// Goes on from bytes that [`save`](Self::save) gave, in a simulation of the same scene.
    fn restore(&self, bytes: &[u8]) -> Outcome<()> {
        self.with(|runner| Ok(runner.restore(bytes)?))
    }

    /// Begins anew, at the scene's start or at given coordinates.
    #[pyo3(signature = (q=None, v=None))]
    fn reset(&self, py: Python<'_>, q: Option<Vec<f64>>, v: Option<Vec<f64>>) -> Outcome<()> {
        let (q, v) = (self.given("q", q, &self.prepared.q)?, self.given("v", v, &self.prepared.v)?);
        let mut q = q;
        self.prepared.model.tree.normalise(&mut q);
        let mut place = self.locked()?;
        let outcome = py.detach(|| begin(&self.prepared, (&q, &v), &self.options));
        *place = self.raised.or(outcome)?;
        Ok(())
    }

    /// Another simulation of the same scene, at its start.
    fn fresh(&self, py: Python<'_>) -> Outcome<Self> {
        let start = (&self.prepared.q[..], &self.prepared.v[..]);
        let owned = py.detach(|| begin(&self.prepared, start, &self.options));
        Ok(Self {
            owned: Mutex::new(self.raised.or(owned)?),
            prepared: Arc::clone(&self.prepared),
            options: self.options.clone(),
            about: Arc::clone(&self.about),
            raised: self.raised.clone(),
            has_own_laws: self.has_own_laws,
        })
    }

    /// Ends the run and answers what came out; the simulation is closed then.
    fn finish(&self) -> Outcome<Finished> {
        let mut place = self.locked()?;
        let run = place.with_dependent_mut(|_, runner| runner.take().map(Runner::finish));
        let run = Box::new(run.ok_or_else(closed)?);
        let (prepared, options) = (Arc::clone(&self.prepared), self.options.clone());
        Ok(Finished { what: Outcomes::Bodies { prepared, options, run }, about: Arc::clone(&self.about) })
    }

    fn close(&self) -> Outcome<()> {
        self.locked()?.with_dependent_mut(|_, runner| *runner = None);
        Ok(())
    }
}

fn closed() -> crate::error::Fault {
    simulation("the simulation is closed")
}

fn begin(prepared: &Arc<Prepared>, start: (&[f64], &[f64]), options: &RunOptions) -> Outcome<Owned> {
    let runner = |p: &Arc<Prepared>| -> Result<Owned, bristle::ode::StepError> {
        Owned::try_new(Arc::clone(p), |p| Runner::new(&p.model, start.0, start.1, options).map(Some))
    };
    Ok(runner(prepared)?)
}

impl Simulation {
    fn locked(&self) -> Outcome<MutexGuard<'_, Owned>> {
        match self.owned.try_lock() {
            Ok(owned) => Ok(owned),
            Err(TryLockError::Poisoned(owned)) => Ok(owned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(simulation(
                "the simulation is busy: it is being stepped by another thread, or calls this law or progress function itself",
            )),
        }
    }

    pub fn with<R>(&self, act: impl FnOnce(&mut Runner<'_>) -> Outcome<R>) -> Outcome<R> {
        self.locked()?.with_dependent_mut(|_, runner| act(runner.as_mut().ok_or_else(closed)?))
    }

    fn motor(&self, name: &str) -> Outcome<usize> {
        let motors = &self.prepared.model.actuators;
        motors.iter().position(|a| a.name == name).ok_or_else(|| {
            let known: Vec<&str> = motors.iter().map(|a| a.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
            simulation(format!("there is no motor {name}; there are {known}"))
        })
    }

    fn given(&self, name: &str, given: Option<Vec<f64>>, otherwise: &[f64]) -> Outcome<Vec<f64>> {
        match given {
            None => Ok(otherwise.to_vec()),
            Some(given) if given.len() != otherwise.len() => {
                Err(simulation(format!("{name} has {} numbers, needs {}", given.len(), otherwise.len())))
            }
            Some(given) if given.iter().any(|x| !x.is_finite()) => {
                Err(simulation(format!("{name} must be finite")))
            }
            Some(given) => Ok(given),
        }
    }
}
