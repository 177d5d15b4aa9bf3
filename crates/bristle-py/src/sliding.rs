//! Friction laws and resistances on arrays, and what they do when dragged.

use crate::error::{Outcome, law};
use crate::value::{Readings, columns, is_finite, lens, not_finite, params};
use bristle::drag::{self, DragMoment, Pressed};
use bristle::laws::{Friction, FrictionLaw, FrictionOut, Indent, Resist, Slip};
use bristle::math::Vector3;
use bristle::math::lens::Lens;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

enum Kind {
    Friction(Friction<f64>),
    Resist(Resist<f64>),
}

/// A friction law, or a resistance to rolling or spinning, with its parameters.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct SlidingLaw {
    kind: Kind,
    lens: Option<Lens<f64>>,
}

/// Every contact that is evaluated, one row each.
struct Rows<'a> {
    /// Sliding velocities (m/s) or spins (rad/s), three numbers each.
    motion: &'a [f64],
    load: &'a [f64],
    depth: &'a [f64],
    state: &'a [f64],
}

#[pymethods]
impl SlidingLaw {
    #[new]
    #[pyo3(signature = (kind, id, parameters, radius=None, other_radius=None))]
    fn new(
        kind: &str,
        id: &str,
        parameters: &Bound<'_, PyDict>,
        radius: Option<f64>,
        other_radius: Option<f64>,
    ) -> Outcome<Self> {
        let lens = lens(radius, other_radius)?;
        let params = params(parameters, lens)?;
        let kind = match kind {
            "friction" => Kind::Friction(Friction::build(id, &params)?),
            _ => Kind::Resist(Resist::build(id, &params)?),
        };
        Ok(Self { kind, lens })
    }

    /// Names, units and typical sizes of the law's own states.
    fn states(&self) -> Vec<(&'static str, &'static str, f64)> {
        self.law().states().iter().map(|s| (s.name, s.unit, s.scale)).collect()
    }

    /// What the law promises about energy, in words.
    fn promise(&self) -> String {
        self.law().promise().to_string()
    }

    /// Writes force and torque (three numbers each), stored energy, dissipated power and rates of states for every row. The
    /// normal is the third axis.
    #[allow(clippy::too_many_arguments)]
    fn evaluate(
        &self,
        py: Python<'_>,
        motion: PyReadonlyArray2<'_, f64>,
        load: PyReadonlyArray1<'_, f64>,
        depth: PyReadonlyArray1<'_, f64>,
        state: PyReadonlyArray2<'_, f64>,
        mut force: PyReadwriteArray2<'_, f64>,
        mut scalars: PyReadwriteArray2<'_, f64>,
        mut rates: PyReadwriteArray2<'_, f64>,
    ) -> Outcome<()> {
        let rows = Rows {
            motion: motion.as_slice().map_err(PyErr::from)?,
            load: load.as_slice().map_err(PyErr::from)?,
            depth: depth.as_slice().map_err(PyErr::from)?,
            state: state.as_slice().map_err(PyErr::from)?,
        };
        let force = force.as_slice_mut().map_err(PyErr::from)?;
        let scalars = scalars.as_slice_mut().map_err(PyErr::from)?;
        let rates = rates.as_slice_mut().map_err(PyErr::from)?;
        let (count, own) = (rows.load.len(), self.law().states().len());
        let fits = rows.motion.len() == 3 * count
            && rows.depth.len() == count
            && rows.state.len() == own * count
            && force.len() == 3 * count
            && scalars.len() == 2 * count
            && rates.len() == own * count;
        if !fits {
            return Err(law(format!(
                "one row per contact: three numbers of motion, one load, one depth, {own} states"
            )));
        }
        py.detach(|| {
            let given =
                [("motion", rows.motion), ("load", rows.load), ("depth", rows.depth), ("state", rows.state)];
            for (name, numbers) in given {
                if !is_finite(numbers) {
                    return Err(not_finite(name, numbers));
                }
            }
            if let Some(load) = rows.load.iter().find(|load| **load < 0.0) {
                return Err(law(format!("load = {load} N must be >= 0")));
            }
            for i in 0..count {
                let z = own * i..own * (i + 1);
                let (out, torque) = self.answer(&rows, i, &mut rates[z]);
                force[3 * i..3 * i + 3]
                    .copy_from_slice(if torque { out.torque } else { out.force }.as_slice());
                scalars[2 * i..2 * i + 2].copy_from_slice(&[out.stored, out.losses.total()]);
            }
            Ok(())
        })
    }

    /// Writes the force that resists steady sliding at every speed, N.
    fn steady(
        &self,
        py: Python<'_>,
        speed: PyReadonlyArray1<'_, f64>,
        load: f64,
        depth: f64,
        mut out: PyReadwriteArray1<'_, f64>,
    ) -> Outcome<()> {
        let friction = self.friction()?;
        let speed = speed.as_slice().map_err(PyErr::from)?;
        let out = out.as_slice_mut().map_err(PyErr::from)?;
        if speed.len() != out.len() {
            return Err(law("speed and the result must have one length"));
        }
        if !is_finite(speed) {
            return Err(not_finite("speed", speed));
        }
        let pressed = pressed(load, depth)?;
        py.detach(|| {
            for (speed, out) in speed.iter().zip(out) {
                *out = drag::steady_force(friction, pressed, *speed)?;
            }
            Ok(())
        })
    }

    /// The loop of a contact that is moved to and fro, as arrays by name.
    #[allow(clippy::too_many_arguments)]
    fn hysteresis<'py>(
        &self,
        py: Python<'py>,
        load: f64,
        depth: f64,
        amplitude: f64,
        frequency: f64,
        cycles: f64,
        samples: usize,
    ) -> Outcome<Bound<'py, PyDict>> {
        let friction = self.friction()?;
        for (name, value) in [("amplitude", amplitude), ("frequency", frequency), ("cycles", cycles)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(law(format!("{name} = {value} must be > 0 and finite")));
            }
        }
        let pressed = pressed(load, depth)?;
        let moments =
            py.detach(|| drag::hysteresis(friction, pressed, amplitude, frequency, cycles, samples))?;
        let series: Readings<DragMoment, 6> = [
            ("time", |m| m.time),
            ("displacement", |m| m.displacement),
            ("velocity", |m| m.velocity),
            ("force", |m| m.force),
            ("stored", |m| m.stored),
            ("dissipated", |m| m.dissipated),
        ];
        Ok(columns(py, &moments, series)?)
    }
}

fn pressed(load: f64, depth: f64) -> Outcome<Pressed> {
    for (name, value, unit) in [("load", load, "N"), ("depth", depth, "m")] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(law(format!("{name} = {value} {unit} must be > 0 and finite")));
        }
    }
    Ok(Pressed { load, depth })
}

impl SlidingLaw {
    fn law(&self) -> &dyn FrictionLaw<f64> {
        match &self.kind {
            Kind::Friction(law) => law,
            Kind::Resist(law) => law,
        }
    }

    fn friction(&self) -> Outcome<&Friction<f64>> {
        match &self.kind {
            Kind::Friction(law) => Ok(law),
            Kind::Resist(_) => Err(law("a resistance to rolling or spinning is not dragged")),
        }
    }

    /// The answer for a row, and whether its torque is what matters.
    fn answer(&self, rows: &Rows<'_>, i: usize, zdot: &mut [f64]) -> (FrictionOut<f64>, bool) {
        let motion = Vector3::new(rows.motion[3 * i], rows.motion[3 * i + 1], rows.motion[3 * i + 2]);
        let z = &rows.state[zdot.len() * i..zdot.len() * (i + 1)];
        let indent = Indent::from_lens(self.lens.unwrap_or(Lens::on_plane(1.0)), rows.depth[i], 0.0);
        let is_resist = matches!(self.kind, Kind::Resist(_));
        let (velocity, spin) =
            if is_resist { (Vector3::zeros(), motion) } else { (motion, Vector3::zeros()) };
        let slip = Slip { velocity, spin, normal: Vector3::z(), load: rows.load[i], indent };
        let out = match &self.kind {
            Kind::Friction(law) => law.eval(&slip, z, zdot),
            Kind::Resist(law) => law.eval(&slip, z, zdot),
        };
        (out, is_resist)
    }
}
