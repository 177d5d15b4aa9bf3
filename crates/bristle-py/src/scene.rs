//! Scenes as Python sees them.

use crate::error::Outcome;
use bristle::scene::Access;
use bristle::{check, nonsmooth, prepare};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A scene that was read and checked.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct Scene {
    pub scene: bristle::scene::Scene,
    /// Its text with includes merged in and formulas as they are: what can be read again with other values.
    pub source: String,
    /// File or other name, for messages and titles.
    pub file: String,
    /// Changes that were applied, for the scene that is kept beside results.
    pub overrides: Vec<String>,
}

#[pymethods]
impl Scene {
    /// Reads a file; `overrides` are changes as `--set` takes them.
    #[staticmethod]
    #[pyo3(signature = (path, overrides, allow_outside=false))]
    fn load(py: Python<'_>, path: PathBuf, overrides: Vec<String>, allow_outside: bool) -> Outcome<Self> {
        let access = if allow_outside { Access::Anywhere } else { Access::Folder };
        let (scene, source) = py.detach(|| -> Outcome<_> {
            let scene = bristle::scene::Scene::load_with(&path, &overrides, access)?;
            Ok((scene, bristle::scene::Scene::merged(&path, access)?))
        })?;
        Ok(Self { scene, source, file: path.display().to_string(), overrides })
    }

    /// Reads a text; files that it names are found from the folder of `file`.
    #[staticmethod]
    fn parse(py: Python<'_>, text: String, file: String, overrides: Vec<String>) -> Outcome<Self> {
        let scene = py.detach(|| bristle::scene::Scene::parse_again(&text, &file, &overrides))?;
        Ok(Self { scene, source: text, file, overrides })
    }

    /// The scene on its own: includes merged in, changes and parameters applied.
    #[getter]
    fn text(&self) -> &str {
        self.scene.text()
    }

    #[getter]
    fn file(&self) -> &str {
        &self.file
    }

    /// Whether it is a system of formulas, not of bodies.
    #[getter]
    fn is_system(&self) -> bool {
        self.scene.nonsmooth.is_some()
    }

    /// End time, s.
    #[getter]
    fn duration(&self) -> f64 {
        self.scene.simulation.duration
    }

    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.scene.bodies.iter().map(|b| b.name.as_str()).collect()
    }

    #[getter]
    fn materials(&self) -> Vec<&str> {
        self.scene.materials.iter().map(|m| m.name.as_str()).collect()
    }

    /// What is allowed in the scene but rarely meant, one line each.
    fn warnings(&self, py: Python<'_>) -> Outcome<Vec<String>> {
        py.detach(|| {
            let found = match self.is_system() {
                true => nonsmooth::warnings(&self.scene, &nonsmooth::prepare(&self.scene)?),
                false => check::warnings(&self.scene, &prepare(&self.scene)?),
            };
            Ok(found.iter().map(ToString::to_string).collect())
        })
    }
}

impl Scene {
    /// The scene as it was written, headed by its changes: what a run folder keeps.
    pub fn written(&self) -> String {
        let changes: String = self.overrides.iter().map(|o| format!("# --set {o}\n")).collect();
        format!("{changes}{}", self.scene.written())
    }

    /// Title of reports.
    pub fn title(&self) -> String {
        let path = std::path::Path::new(&self.file);
        path.file_stem().map_or_else(|| self.file.clone(), |name| name.to_string_lossy().to_string())
    }
}
