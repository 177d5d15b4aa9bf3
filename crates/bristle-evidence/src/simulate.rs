//! Scenes run to their end, and what they recorded.

use crate::{Fault, Stop};
use bristle::run::{Run, run};
use bristle::scene::Scene;
use bristle::{Prepared, prepare};

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

/// A recorded quantity.
///
/// # Errors
/// [`Fault::NotRecorded`].
pub fn column<'a>(run: &'a Run, name: &str) -> Result<&'a [f64], Fault> {
    let column = run.recording.column(name).ok_or_else(|| Fault::NotRecorded { name: name.into() })?;
    Ok(&column.values)
}
