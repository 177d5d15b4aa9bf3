//! The compiled half of the Python package `bristle`: laws, scenes, runs, batches and systems of formulas.
//!
//! Thin: it converts values and errors, releases the interpreter while it computes, and calls [`bristle`]. What is pleasant to
//! use from Python is written in Python, in `python/bristle`.

mod batch;
mod error;
mod gallery;
mod gradient;
mod law;
mod nonsmooth;
mod own_law;
mod result;
mod scene;
mod simulation;
mod sliding;
mod value;
mod watch;
mod worlds;

use pyo3::prelude::*;
use std::ffi::OsString;

#[pymodule]
mod _bristle {
    #[pymodule_export]
    use super::batch::simulate_many;
    #[pymodule_export]
    use super::error::{Error, LawError, SceneError, SimulationError};
    #[pymodule_export]
    use super::gallery::{design, law_table};
    #[pymodule_export]
    use super::gradient::gradient;
    #[pymodule_export]
    use super::law::NormalLaw;
    #[pymodule_export]
    use super::main;
    #[pymodule_export]
    use super::nonsmooth::{At, Builder, Handle, Rates, System};
    #[pymodule_export]
    use super::result::Finished;
    #[pymodule_export]
    use super::scene::Scene;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::sliding::SlidingLaw;
    #[pymodule_export]
    use super::watch::advance_all;
    #[pymodule_export]
    use super::worlds::Worlds;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Does what a command line says (`words[0]` is the name of the program) and answers the exit code.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| bristle_cli::run(words))
}
