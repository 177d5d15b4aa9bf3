//! All laws by name, and laws found by inverse design.

use crate::error::Outcome;
use crate::value::{lens, params, to_python};
use bristle::design::{Design, Targets};
use bristle::laws::{self, Impact, LawInfo};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Finds parameters of a law that meet wishes; answers all parameters and how they were found.
#[pyfunction]
#[pyo3(signature = (id, given, mass, speed, radius=None, other_radius=None, **wishes))]
#[allow(clippy::too_many_arguments)]
pub fn design<'py>(
    py: Python<'py>,
    id: &str,
    given: &Bound<'py, PyDict>,
    mass: f64,
    speed: f64,
    radius: Option<f64>,
    other_radius: Option<f64>,
    wishes: Option<&Bound<'py, PyDict>>,
) -> Outcome<(Bound<'py, PyDict>, String)> {
    let lens = lens(radius, other_radius)?;
    let given = params(given, lens)?;
    let wish = |name: &str| -> PyResult<Option<f64>> {
        wishes.and_then(|w| w.get_item(name).transpose()).map(|v| v?.extract()).transpose()
    };
    let targets = Targets {
        restitution: wish("restitution")?,
        peak_force: wish("peak_force")?,
        peak_depth: wish("peak_depth")?,
        duration: wish("duration")?,
    };
    let impact = Impact { mass, speed, lens };
    let Design { params, found, .. } =
        py.detach(|| bristle::design::design(id, &given, &impact, &targets))?;
    let all = PyDict::new(py);
    for (name, value) in params.entries() {
        all.set_item(name, to_python(py, value)?)?;
    }
    Ok((all, found.to_string()))
}

/// Every law of the gallery: kind, id, title, equation, source and parameters (name, symbol, unit, default, help).
#[pyfunction]
pub fn law_table(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let kinds: [(&str, &[&LawInfo]); 3] = [
        ("normal", laws::normal::NORMAL_LAWS),
        ("friction", laws::friction::FRICTION_LAWS),
        ("resist", laws::resist::RESIST_LAWS),
    ];
    let mut all = Vec::new();
    for (kind, infos) in kinds {
        for info in infos {
            let row = PyDict::new(py);
            row.set_item("kind", kind)?;
            row.set_item("id", info.id)?;
            row.set_item("title", info.title)?;
            row.set_item("equation", info.equation)?;
            row.set_item("source", info.source)?;
            let params: Vec<_> =
                info.params.iter().map(|p| (p.name, p.symbol, p.unit, p.default, p.about)).collect();
            row.set_item("parameters", params)?;
            all.push(row);
        }
    }
    Ok(all)
}
