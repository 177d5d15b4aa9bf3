//! Laws written in Python, called by the integrator.

use crate::error::{Outcome, Raised, law};
use crate::value::forever;
use bristle::OwnLaws;
use bristle::laws::{
    Friction, FrictionLaw, FrictionOut, Indent, Normal, NormalLaw, NormalOut, Phase, Slip, StateInfo,
};
use bristle::math::Vector3;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// An object with `evaluate`, and the names of its states.
struct Own {
    object: Py<PyAny>,
    states: &'static [StateInfo],
    raised: Raised,
}

/// `(force, stored, dissipated)`, and the rates of the states if the law has any.
type Answer<F> = (F, f64, f64, Vec<f64>);

/// Most states of a law: a contact has room for 32 in all.
const MOST_STATES: usize = 16;

impl Own {
    fn new(py: Python<'_>, object: Py<PyAny>, raised: &Raised) -> Outcome<Self> {
        let states = match object.bind(py).getattr_opt("states")? {
            Some(states) => interned(states.extract()?)?,
            None => &[],
        };
        Ok(Self { object, states, raised: raised.clone() })
    }

    /// Asks the object; the answer is NaN from the first exception on.
    fn ask<F>(
        &self,
        zdot: &mut [f64],
        call: impl FnOnce(&Bound<'_, PyAny>, bool) -> PyResult<Answer<F>>,
    ) -> Option<(F, f64, f64)> {
        if self.raised.is_set() {
            zdot.fill(f64::NAN);
            return None;
        }
        let answer = Python::attach(|py| call(self.object.bind(py), self.states.is_empty()));
        match answer {
            Ok((force, stored, dissipated, rates)) if rates.len() == zdot.len() => {
                zdot.copy_from_slice(&rates);
                Some((force, stored, dissipated))
            }
            other => {
                zdot.fill(f64::NAN);
                self.raised.put(match other {
                    Err(error) => error,
                    Ok((.., rates)) => PyErr::from(law(format!(
                        "a law of {} states answered {} rates",
                        zdot.len(),
                        rates.len()
                    ))),
                });
                None
            }
        }
    }
}

impl NormalLaw<f64> for Own {
    fn states(&self) -> &'static [StateInfo] {
        self.states
    }

    fn eval(&self, at: &Indent<f64>, z: &[f64], _phase: Phase, zdot: &mut [f64]) -> NormalOut<f64> {
        if at.depth <= 0.0 {
            zdot.fill(0.0);
            return NormalOut::none();
        }
        let answer = self.ask(zdot, |object, is_plain| {
            if is_plain {
                let (f, u, d) = object.call_method1("evaluate", (at.depth, at.rate))?.extract()?;
                return Ok((f, u, d, Vec::new()));
            }
            object.call_method1("evaluate", (at.depth, at.rate, z.to_vec()))?.extract()
        });
        let (force, stored, dissipated): (f64, f64, f64) = answer.unwrap_or((f64::NAN, f64::NAN, f64::NAN));
        NormalOut { force, elastic: force, stored, dissipated, ..NormalOut::none() }
    }
}

impl FrictionLaw<f64> for Own {
    fn states(&self) -> &'static [StateInfo] {
        self.states
    }

    fn eval(&self, at: &Slip<f64>, z: &[f64], zdot: &mut [f64]) -> FrictionOut<f64> {
        let velocity = [at.velocity.x, at.velocity.y, at.velocity.z];
        let answer = self.ask(zdot, |object, is_plain| {
            if is_plain {
                let (f, u, d): ([f64; 3], f64, f64) =
                    object.call_method1("evaluate", (velocity, at.load, at.indent.depth))?.extract()?;
                return Ok((f, u, d, Vec::new()));
            }
            object.call_method1("evaluate", (velocity, at.load, at.indent.depth, z.to_vec()))?.extract()
        });
        let (force, stored, dissipated) = answer.unwrap_or(([f64::NAN; 3], f64::NAN, f64::NAN));
        let mut out = FrictionOut::none();
        (out.force, out.stored, out.losses.clutch) = (Vector3::from(force), stored, dissipated);
        out
    }
}

/// Laws of the user's own by material: `(material, normal, friction)`.
pub type Given = Vec<(String, Option<Py<PyAny>>, Option<Py<PyAny>>)>;

/// Wraps objects as laws, for one run: exceptions of all of them are kept in `raised`.
pub fn wrap(py: Python<'_>, given: Given, raised: &Raised) -> Outcome<Vec<(String, OwnLaws)>> {
    let mut all = Vec::new();
    for (material, normal, friction) in given {
        let normal = normal.map(|o| Own::new(py, o, raised)).transpose()?;
        let friction = friction.map(|o| Own::new(py, o, raised)).transpose()?;
        let normal = normal.map(|own| Normal::Custom(Arc::new(own)));
        let friction = friction.map(|own| Friction::Custom(Arc::new(own)));
        all.push((material, OwnLaws { normal, friction }));
    }
    Ok(all)
}

/// Descriptions of states live as long as the process, because laws answer them as such; equal ones are kept once.
static INTERNED: Mutex<Vec<&'static [StateInfo]>> = Mutex::new(Vec::new());

fn interned(states: Vec<(String, String, f64)>) -> Outcome<&'static [StateInfo]> {
    if states.len() > MOST_STATES {
        return Err(law(format!("a law has at most {MOST_STATES} states, not {}", states.len())));
    }
    for (name, _, scale) in &states {
        if !(*scale > 0.0 && scale.is_finite()) {
            return Err(law(format!("state {name}: scale = {scale} must be > 0 and finite")));
        }
    }
    let mut kept = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |known: &&&'static [StateInfo]| {
        known.len() == states.len()
            && known.iter().zip(&states).all(|(k, s)| k.name == s.0 && k.unit == s.1 && k.scale == s.2)
    };
    if let Some(known) = kept.iter().find(is_same) {
        return Ok(known);
    }
    let infos: Vec<StateInfo> = states
        .into_iter()
        .map(|(name, unit, scale)| StateInfo { name: forever(name), unit: forever(unit), scale })
        .collect();
    let infos: &'static [StateInfo] = Box::leak(infos.into_boxed_slice());
    kept.push(infos);
    Ok(infos)
}
