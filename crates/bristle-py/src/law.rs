//! Normal laws on arrays, and impacts on them.

use crate::error::{Outcome, law};
use crate::value::{Readings, columns, is_finite, lens, not_finite, params};
use bristle::impact::{self, Options, Run};
use bristle::laws::arrays::{self, Reading};
use bristle::laws::normal::WithNormal;
use bristle::laws::{self, Impact, Indent, Normal, NormalLaw as _, Phase};
use bristle::math::lens::Lens;
use bristle::math::nalgebra::{Const, U1};
use bristle::math::{Dual, Real};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A normal law with its parameters.
#[pyclass(frozen, module = "bristle._bristle")]
pub struct NormalLaw {
    pub law: Normal<f64>,
    lens: Option<Lens<f64>>,
}

/// A closed form of an impact, and the same of a simulated one.
type Figures = (fn(&laws::Forecast) -> Option<f64>, fn(&Run) -> f64);

#[pymethods]
impl NormalLaw {
    #[new]
    #[pyo3(signature = (id, parameters, radius=None, other_radius=None))]
    fn new(
        id: &str,
        parameters: &Bound<'_, PyDict>,
        radius: Option<f64>,
        other_radius: Option<f64>,
    ) -> Outcome<Self> {
        let lens = lens(radius, other_radius)?;
        Ok(Self { law: Normal::build(id, &params(parameters, lens)?)?, lens })
    }

    /// Names, units and typical sizes of the law's own states.
    fn states(&self) -> Vec<(&'static str, &'static str, f64)> {
        self.law.states().iter().map(|s| (s.name, s.unit, s.scale)).collect()
    }

    /// What the law promises about energy, in words.
    fn promise(&self) -> String {
        self.law.promise().to_string()
    }

    /// Writes one of force, elastic, stored, dissipated for every depth and rate into `out`.
    #[pyo3(signature = (what, depth, rate, out, speed=None, state=None))]
    #[allow(clippy::too_many_arguments)]
    fn evaluate(
        &self,
        py: Python<'_>,
        what: &str,
        depth: PyReadonlyArray1<'_, f64>,
        rate: PyReadonlyArray1<'_, f64>,
        mut out: PyReadwriteArray1<'_, f64>,
        speed: Option<PyReadonlyArray1<'_, f64>>,
        state: Option<Vec<f64>>,
    ) -> Outcome<()> {
        let speed = speed.as_ref().map(|s| s.as_slice()).transpose().map_err(PyErr::from)?;
        let at = Points {
            depth: depth.as_slice().map_err(PyErr::from)?,
            rate: rate.as_slice().map_err(PyErr::from)?,
            speed,
            state: self.checked(state)?,
        };
        let out = out.as_slice_mut().map_err(PyErr::from)?;
        at.must_fit(out.len())?;
        py.detach(|| match what {
            "force" => self.each(&at, out, Reading::Force),
            "elastic" => self.each(&at, out, Reading::Elastic),
            "stored" => self.each(&at, out, Reading::Stored),
            "dissipated" => self.each(&at, out, Reading::Dissipated),
            _ => Err(law(format!("{what} is none of force, elastic, stored, dissipated"))),
        })
    }

    /// Writes the exact slopes of the force over depth and rate, by duals.
    #[pyo3(signature = (depth, rate, by_depth, by_rate, speed=None, state=None))]
    #[allow(clippy::too_many_arguments)]
    fn gradient(
        &self,
        py: Python<'_>,
        depth: PyReadonlyArray1<'_, f64>,
        rate: PyReadonlyArray1<'_, f64>,
        mut by_depth: PyReadwriteArray1<'_, f64>,
        mut by_rate: PyReadwriteArray1<'_, f64>,
        speed: Option<PyReadonlyArray1<'_, f64>>,
        state: Option<Vec<f64>>,
    ) -> Outcome<()> {
        let Some(dual) = self.law.map(&mut Dual::<2>::lit) else {
            return Err(law("the law has no derivatives"));
        };
        let speed = speed.as_ref().map(|s| s.as_slice()).transpose().map_err(PyErr::from)?;
        let at = Points {
            depth: depth.as_slice().map_err(PyErr::from)?,
            rate: rate.as_slice().map_err(PyErr::from)?,
            speed,
            state: self.checked(state)?,
        };
        let by_depth = by_depth.as_slice_mut().map_err(PyErr::from)?;
        let by_rate = by_rate.as_slice_mut().map_err(PyErr::from)?;
        at.must_fit(by_depth.len())?;
        at.must_fit(by_rate.len())?;
        py.detach(|| {
            at.must_be_finite()?;
            let surfaces = self.surfaces()?;
            let lens = surfaces.map(|l| Lens {
                curvature_a: Dual::<2>::lit(l.curvature_a),
                curvature_b: Dual::<2>::lit(l.curvature_b),
            });
            let mut z = self.memory();
            let (mut held, mut zdot) =
                (vec![Dual::<2>::lit(0.0); z.len()], vec![Dual::<2>::lit(0.0); z.len()]);
            for i in 0..at.depth.len() {
                let phase = self.remember(&self.law, &at, i, surfaces, &mut z);
                let (x, v) = (
                    Dual::<2>::from_re(at.depth[i]).derivative(0),
                    Dual::<2>::from_re(at.rate[i]).derivative(1),
                );
                held.iter_mut().zip(&z).for_each(|(held, z)| *held = Dual::lit(*z));
                let force = dual.eval(&indent(lens, x, v), &held, phase, &mut zdot).force;
                let slopes = force.eps.unwrap_generic(Const::<2>, U1);
                (by_depth[i], by_rate[i]) = (slopes[0], slopes[1]);
            }
            Ok(())
        })
    }

    /// Writes a figure of the impact of every mass and speed: in closed form where the law has one, simulated elsewhere.
    fn forecast(
        &self,
        py: Python<'_>,
        what: &str,
        mass: PyReadonlyArray1<'_, f64>,
        speed: PyReadonlyArray1<'_, f64>,
        mut out: PyReadwriteArray1<'_, f64>,
    ) -> Outcome<()> {
        let (known, from_run): Figures = match what {
            "restitution" => (|f| f.restitution, |r| r.restitution.newton),
            "peak_force" => (|f| f.peak_force, Run::peak_force),
            "peak_depth" => (|f| f.peak_depth, Run::peak_depth),
            "duration" => (|f| f.duration, Run::duration),
            _ => return Err(law(format!("{what} is none of restitution, peak_force, peak_depth, duration"))),
        };
        let (mass, speed) = (mass.as_slice().map_err(PyErr::from)?, speed.as_slice().map_err(PyErr::from)?);
        let out = out.as_slice_mut().map_err(PyErr::from)?;
        if mass.len() != out.len() || speed.len() != out.len() {
            return Err(law("mass, speed and the result must have one length"));
        }
        py.detach(|| {
            for ((mass, speed), out) in mass.iter().zip(speed).zip(out) {
                let impact = Impact { mass: *mass, speed: *speed, lens: self.lens };
                let is_sound = *mass > 0.0 && *speed > 0.0 && mass.is_finite() && speed.is_finite();
                let closed = if is_sound { known(&self.law.forecast(&impact)) } else { None };
                *out = match closed {
                    Some(figure) => figure,
                    None => from_run(&impact::simulate(&self.law, &impact, &Options::default())?),
                };
            }
            Ok(())
        })
    }

    /// One simulated impact: figures by name, and its samples as arrays by name.
    #[pyo3(signature = (mass, speed, gravity=0.0, samples=300, rtol=1e-12))]
    fn impact<'py>(
        &self,
        py: Python<'py>,
        mass: f64,
        speed: f64,
        gravity: f64,
        samples: usize,
        rtol: f64,
    ) -> Outcome<Bound<'py, PyDict>> {
        let options = Options { rtol, gravity, samples, ..Options::default() };
        let impact = Impact { mass, speed, lens: self.lens };
        let run = py.detach(|| impact::simulate(&self.law, &impact, &options))?;
        let all = PyDict::new(py);
        let figures = [
            ("restitution", run.restitution.newton),
            ("restitution_poisson", run.restitution.poisson),
            ("restitution_energetic", run.restitution.energetic),
            ("peak_force", run.peak_force()),
            ("peak_depth", run.peak_depth()),
            ("duration", run.duration()),
            ("energy_loss", run.energy_loss),
            ("closure", run.closure),
        ];
        for (name, value) in figures {
            all.set_item(name, value)?;
        }
        let series: Readings<impact::Moment, 8> = [
            ("time", |m| m.time),
            ("depth", |m| m.depth),
            ("rate", |m| m.rate),
            ("force", |m| m.force),
            ("elastic", |m| m.elastic),
            ("kinetic", |m| m.kinetic),
            ("stored", |m| m.stored),
            ("dissipated", |m| m.dissipated),
        ];
        all.set_item("samples", columns(py, &run.samples, series)?)?;
        Ok(all)
    }
}

/// Where a law is evaluated.
struct Points<'a> {
    depth: &'a [f64],
    rate: &'a [f64],
    /// Speeds at touchdown, where given.
    speed: Option<&'a [f64]>,
    /// States of the law, where given.
    state: Option<Vec<f64>>,
}

impl Points<'_> {
    fn must_fit(&self, out: usize) -> Outcome<()> {
        let lengths = [Some(self.depth.len()), Some(self.rate.len()), self.speed.map(<[f64]>::len)];
        if lengths.into_iter().flatten().all(|n| n == out) {
            return Ok(());
        }
        Err(law("depth, rate, impact speed and the result must have one length"))
    }

    fn must_be_finite(&self) -> Outcome<()> {
        let given = [("depth", Some(self.depth)), ("rate", Some(self.rate)), ("impact_speed", self.speed)];
        for (name, numbers) in given {
            if let Some(numbers) = numbers.filter(|n| !is_finite(n)) {
                return Err(not_finite(name, numbers));
            }
        }
        Ok(())
    }
}

/// A contact of round surfaces, or of a tip.
#[inline(always)]
fn indent<T: Real>(lens: Option<Lens<T>>, depth: T, rate: T) -> Indent<T> {
    match lens {
        Some(lens) => Indent::from_lens(lens, depth, rate),
        None => Indent::point(depth, rate),
    }
}

impl NormalLaw {
    /// States as given, which must be as many as the law has.
    fn checked(&self, state: Option<Vec<f64>>) -> Outcome<Option<Vec<f64>>> {
        match state {
            Some(state) if state.len() != self.law.states().len() => Err(law(format!(
                "state has {} numbers, the law has {} states",
                state.len(),
                self.law.states().len()
            ))),
            Some(state) if !is_finite(&state) => Err(not_finite("state", &state)),
            other => Ok(other),
        }
    }

    /// Surfaces, if the law acts on more than depth and rate.
    fn surfaces(&self) -> Outcome<Option<Lens<f64>>> {
        if !self.law.needs_patch() {
            return Ok(None);
        }
        match self.lens {
            Some(lens) => Ok(Some(lens)),
            None => Err(law("the law acts on the interference volume and needs the radius of the surfaces")),
        }
    }

    fn memory(&self) -> Vec<f64> {
        vec![0.0; self.law.states().len()]
    }

    /// States of point `i`: as given, as left by the touchdown at a given speed, or none.
    #[inline(always)]
    fn remember<L: laws::NormalLaw<f64> + ?Sized>(
        &self,
        law: &L,
        at: &Points<'_>,
        i: usize,
        lens: Option<Lens<f64>>,
        z: &mut [f64],
    ) -> Phase {
        match (&at.state, at.speed) {
            (Some(state), _) => z.copy_from_slice(state),
            (None, Some(speed)) => {
                z.fill(0.0);
                law.touch(&indent(lens, 0.0, speed[i]), z);
            }
            (None, None) => return Phase::Open,
        }
        Phase::Touching
    }

    /// Laws on depth and rate alone are the library's loops over arrays; the rest goes point by point.
    fn each(&self, at: &Points<'_>, out: &mut [f64], reading: Reading) -> Outcome<()> {
        if arrays::is_plain(&self.law) {
            let done = arrays::normal_answers(&self.law, reading, [at.depth, at.rate], out);
            return done.map_err(|error| law(error.to_string()));
        }
        at.must_be_finite()?;
        let points = PointByPoint { own: self, at, lens: self.surfaces()?, reading, out };
        self.law.with(points);
        Ok(())
    }
}

/// A law with states or on a patch.
struct PointByPoint<'a> {
    own: &'a NormalLaw,
    at: &'a Points<'a>,
    lens: Option<Lens<f64>>,
    reading: Reading,
    out: &'a mut [f64],
}

impl WithNormal<f64> for PointByPoint<'_> {
    type Out = ();
    fn with<L: laws::NormalLaw<f64> + Clone>(self, law: &L) {
        self.fill(law);
    }
    fn with_custom(self, law: &dyn laws::NormalLaw<f64>) {
        self.fill(law);
    }
}

impl PointByPoint<'_> {
    fn fill<L: laws::NormalLaw<f64> + ?Sized>(self, law: &L) {
        let Self { own, at, lens, reading, out } = self;
        let (mut z, mut zdot) = (own.memory(), own.memory());
        for (i, ((depth, rate), out)) in at.depth.iter().zip(at.rate).zip(out).enumerate() {
            let phase = own.remember(law, at, i, lens, &mut z);
            let answer = law.eval(&indent(lens, *depth, *rate), &z, phase, &mut zdot);
            *out = match reading {
                Reading::Force => answer.force,
                Reading::Elastic => answer.elastic,
                Reading::Stored => answer.stored,
                Reading::Dissipated => answer.dissipated,
            };
        }
    }
}
