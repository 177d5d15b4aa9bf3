//! What came out of a run: samples without copies, tables, report, run folder.

use crate::error::{Outcome, scene};
use crate::simulation::About;
use bristle::Prepared;
use bristle::nonsmooth::{self, System};
use bristle::output::{self, Contents, Draft};
use bristle::record::Recording;
use bristle::run::{Run, RunOptions};
use bristle_report::run::{RunReport, SystemReport};
use numpy::PyArray1;
use numpy::ndarray::ArrayView1;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A run of bodies, or of a system of formulas.
pub enum Outcomes {
    Bodies { prepared: Arc<Prepared>, options: RunOptions, run: Box<Run> },
    System { system: Arc<System>, options: RunOptions, run: Box<nonsmooth::Run> },
}

/// A finished run.
#[pyclass(frozen, name = "Run", module = "bristle._bristle")]
pub struct Finished {
    pub what: Outcomes,
    pub about: Arc<About>,
}

/// The command that reports name for runs made from Python.
const COMMAND: &str = "bristle.run(...)  # from Python";

#[pymethods]
impl Finished {
    /// Names and units of the samples.
    fn columns(&self) -> Vec<(&str, &'static str)> {
        self.recording().columns.iter().map(|c| (c.name.as_str(), c.unit)).collect()
    }

    /// The samples of one quantity. Not a copy: the array keeps the run alive, and cannot be written to.
    fn column<'py>(this: Bound<'py, Self>, name: &str) -> Outcome<Bound<'py, PyArray1<f64>>> {
        let Some(column) = this.get().recording().column(name) else {
            return Err(scene(format!("nothing called {name} was recorded")));
        };
        let values = ArrayView1::from(column.values.as_slice());
        // SAFETY: the samples belong to `this`, which is frozen: nothing moves or changes them as long as it lives, and the
        // array holds a reference to it.
        #[allow(unsafe_code)]
        let array = unsafe { PyArray1::borrow_from_array(&values, this.clone().into_any()) };
        array.getattr("flags")?.setattr("writeable", false)?;
        Ok(array)
    }

    /// The same JSON as `summary.json` of a run folder.
    fn summary(&self) -> String {
        match &self.what {
            Outcomes::Bodies { prepared, run, .. } => output::summary(&prepared.model, run),
            Outcomes::System { system, run, .. } => nonsmooth::summary(system, run),
        }
        .to_string()
    }

    /// Why the run ended before its time, if it did.
    #[getter]
    fn cut(&self) -> Option<String> {
        match &self.what {
            Outcomes::Bodies { run, .. } => run.cut.clone(),
            Outcomes::System { run, .. } => run.cut.clone(),
        }
    }

    #[getter]
    fn title(&self) -> &str {
        &self.about.title
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.about.warnings.clone()
    }

    /// The report as one self-contained page.
    fn html(&self, py: Python<'_>) -> String {
        let About { title, written, warnings } = &*self.about;
        py.detach(|| {
            match &self.what {
                Outcomes::Bodies { prepared, options, run } => bristle_report::run::page(&RunReport {
                    title,
                    model: &prepared.model,
                    options,
                    run,
                    scene: written,
                    command: COMMAND,
                    warnings,
                }),
                Outcomes::System { system, options, run } => {
                    bristle_report::run::system_page(&SystemReport {
                        title,
                        system,
                        options,
                        run,
                        scene: written,
                        command: COMMAND,
                        warnings,
                    })
                }
            }
            .to_html()
        })
    }

    /// Writes the report to a file, whole or not at all.
    fn report(&self, py: Python<'_>, path: PathBuf) -> Outcome<()> {
        let html = self.html(py);
        Ok(output::save(&path, html.as_bytes())?)
    }

    /// Writes a run folder, as the command line does.
    fn write(&self, py: Python<'_>, folder: PathBuf, csv: bool, report: bool) -> Outcome<()> {
        let html = report.then(|| self.html(py));
        py.detach(|| {
            let draft = Draft::begin(&folder)?;
            let contents = Contents { scene: &self.about.written, csv };
            match &self.what {
                Outcomes::Bodies { prepared, run, .. } => {
                    output::write(&draft, &contents, &prepared.model, run)?;
                }
                Outcomes::System { system, run, .. } => nonsmooth::write(&draft, &contents, system, run)?,
            }
            if let Some(html) = html {
                draft.file("report.html", html.as_bytes())?;
            }
            Ok(draft.commit()?)
        })
    }
}

impl Finished {
    fn recording(&self) -> &Recording {
        match &self.what {
            Outcomes::Bodies { run, .. } => &run.recording,
            Outcomes::System { run, .. } => &run.recording,
        }
    }
}
