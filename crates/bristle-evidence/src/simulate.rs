//! Scenes run to their end, and what they recorded.

use crate::{Fault, Stop};
use bristle::laws::Phase;
use bristle::ode::{Adaptive, AdaptiveOptions, Pair, State, integrate};
use bristle::record::Recording;
use bristle::run::{Run, run};
use bristle::scene::Scene;
use bristle::{PointContact, Prepared, nonsmooth, prepare};
use std::ops::ControlFlow;

/// A scene by its name in messages and its text, which is embedded.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// File name.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

impl Shipped {
    /// The model with some values changed, each as `a.b=value`.
    ///
    /// # Errors
    /// [`Fault::Scene`] with all that is wrong.
    pub fn prepare(&self, changes: &[String]) -> Result<Prepared, Fault> {
        Ok(prepare(&Scene::parse(self.text, self.name, changes)?)?)
    }

    /// The system of formulas, and how to run it.
    ///
    /// # Errors
    /// [`Fault::Scene`] with all that is wrong.
    pub fn prepare_formulas(&self, changes: &[String]) -> Result<nonsmooth::Prepared, Fault> {
        Ok(nonsmooth::prepare(&Scene::parse(self.text, self.name, changes)?)?)
    }

    /// Runs a system of formulas with some values changed.
    ///
    /// # Errors
    /// [`Fault::Scene`], [`Fault::Nonsmooth`], or [`Fault::Stopped`].
    pub fn run_formulas(&self, changes: &[String], stop: &Stop<'_>) -> Result<nonsmooth::Run, Fault> {
        let prepared = self.prepare_formulas(changes)?;
        let run = nonsmooth::run(&prepared.system, &prepared.options, |_| !stop.is_wanted())?;
        if run.cut.is_some() { Err(Fault::Stopped) } else { Ok(run) }
    }

    /// Runs it with some values changed.
    ///
    /// # Errors
    /// [`Fault::Scene`], [`Fault::Step`], or [`Fault::Stopped`].
    pub fn run(&self, changes: &[String], stop: &Stop<'_>) -> Result<Run, Fault> {
        finish(&self.prepare(changes)?, stop)
    }
}

/// Runs a model to its end.
///
/// # Errors
/// [`Fault::Step`], or [`Fault::Stopped`].
pub fn finish(prepared: &Prepared, stop: &Stop<'_>) -> Result<Run, Fault> {
    let Prepared { model, q, v, options } = prepared;
    let run = run(model, q, v, options, |_| !stop.is_wanted())?;
    if run.cut.is_some() { Err(Fault::Stopped) } else { Ok(run) }
}

/// A run of bodies or of formulas that has recorded something.
pub trait Recorded {
    /// What was recorded.
    fn recording(&self) -> &Recording;
}

impl Recorded for Run {
    fn recording(&self) -> &Recording {
        &self.recording
    }
}

impl Recorded for bristle::nonsmooth::Run {
    fn recording(&self) -> &Recording {
        &self.recording
    }
}

/// A recorded quantity.
///
/// # Errors
/// [`Fault::NotRecorded`].
pub fn column<'a>(run: &'a impl Recorded, name: &str) -> Result<&'a [f64], Fault> {
    let column = run.recording().column(name).ok_or_else(|| Fault::NotRecorded { name: name.into() })?;
    Ok(&column.values)
}

/// A state on the way.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Time, s.
    pub t: f64,
    /// The state vector.
    pub x: Vec<f64>,
    /// Phase of the contact.
    pub phase: Phase,
}

/// Integrates a point on a plane to `t_end` (s), with this relative error per step, and gives the states at those `times`
/// (s, ascending) that are on the way, both ends included.
///
/// # Errors
/// [`Fault::Step`], or [`Fault::Stopped`].
pub fn follow(
    system: &PointContact<'_>,
    state: &mut State<f64, Phase>,
    (t_end, times): (f64, &[f64]),
    rtol: f64,
    stop: &Stop<'_>,
) -> Result<Vec<Sample>, Fault> {
    let options = AdaptiveOptions { pair: Pair::Dop853, ..AdaptiveOptions::with_rtol(rtol) };
    let mut method = Adaptive::new(system, &Phase::Touching, options)?;
    let span = state.t..=t_end;
    let mut pending = times.iter().copied().filter(|t| span.contains(t)).peekable();
    let (mut samples, mut phase, mut x) = (vec![], state.mode, state.x.clone());
    integrate(system, &mut method, state, t_end, |now| {
        while let Some(t) = pending.next_if(|t| *t <= now.advance.end) {
            now.dense(t, &mut x)?;
            samples.push(Sample { t, x: x.clone(), phase });
        }
        phase = now.state.mode;
        Ok(if stop.is_wanted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    stop.check()?;
    Ok(samples)
}

/// A recorded quantity at these times (s), at each of which there must be a sample.
///
/// # Errors
/// [`Fault::NotRecorded`].
pub fn at_times(run: &impl Recorded, name: &str, times: &[f64]) -> Result<Vec<f64>, Fault> {
    let (recorded, values) = (column(run, "time")?, column(run, name)?);
    let value = |t: &f64| {
        // a sample's time is a multiple of the spacing, to rounding
        let near = 1e-12 * (1.0 + t.abs());
        let i = recorded.partition_point(|r| *r < t - near);
        match recorded.get(i) {
            Some(r) if (r - t).abs() <= near => Ok(values[i]),
            _ => Err(Fault::NotRecorded { name: format!("{name} at {t} s") }),
        }
    };
    times.iter().map(value).collect()
}
