//! Derivatives of results with respect to keys of a scene, through contact.
//!
//! The run is made on duals ([`Dual`]): every number of the model and of the start carries its derivatives with respect to
//! the keys, and so does every state. Events are located, and what follows one carries the derivative of its time, so
//! touchdown, lift-off, stick and slip are crossed exactly. What is left is the error of integration: tighten `rtol`.
//!
//! ```no_run
//! use bristle::gradient::gradient;
//! use bristle::scene::{Access, Scene};
//! use bristle::sweep::Source;
//! let file = "scenes/rolling_sphere.toml";
//! let source = Source { text: Scene::merged(file, Access::Folder)?, file: file.into(), overrides: vec![] };
//! let keys = ["bodies.ball.velocity[0]".to_string(), "materials.steel-on-ground.friction.friction".to_string()];
//! let of = ["ball.position.x".to_string(), "max(ball.position.z, from=0.15)".to_string()];
//! let found = gradient(&source, &keys, &of, &mut |_| true)?;
//! println!("{} m per m/s", found.jacobian[0][0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod drive;
mod error;
mod quantity;
mod seeds;

pub use error::GradientError;

use crate::build::Prepared;
use crate::run::Method;
use crate::runner::stops;
use crate::sweep::Source;
use crate::world::World;
use bristle_math::{Dual, dual, slopes};
use bristle_ode::AdaptiveOptions;
use drive::{Course, drive};
use quantity::Probe;
use seeds::{Base, Key, prepared_at};

/// Keys per run: more of them take more runs.
const AT_ONCE: usize = 4;
/// Steps of [`differences`], each half the one before, in steps of the key, which are 1e-3 of its value. Over long ones errors
/// of runs count less; over short ones fewer events change places.
const RUN_STEPS: [f64; 5] = [8.0, 4.0, 2.0, 1.0, 0.5];
/// A touch within rounding of the end of a step is not located, and other steps help: parts of the tolerance to try then.
const PARTS: [f64; 2] = [0.7, 0.5];
/// How much looser the second run is that tells how well derivatives are known.
const LOOSER: f64 = 10.0;
/// Derivatives are given to three digits at least, of themselves or of a thousandth of the quantity over the key.
const DIGITS: f64 = 1e-3;

/// A number with its name and unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// Key, or quantity as it was asked for.
    pub name: String,
    /// Unit, `1` if it has none, empty if unknown.
    pub unit: &'static str,
    /// Value.
    pub value: f64,
}

/// Results of a run and their derivatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradient {
    /// What derivatives are taken by, and where.
    pub keys: Vec<Named>,
    /// Results.
    pub quantities: Vec<Named>,
    /// One row per quantity, one column per key; unit of the quantity over that of the key.
    pub jacobian: Vec<Vec<f64>>,
    /// How far a run with ten times the tolerance gives other derivatives: an upper estimate of their error.
    pub uncertainty: Vec<Vec<f64>>,
}

/// A scene with what is asked of it.
struct Question {
    base: Base,
    options: AdaptiveOptions,
    stops: Vec<f64>,
    keys: Vec<Key>,
    probes: Vec<Probe>,
}

impl Question {
    fn new(source: &Source, keys: &[String], quantities: &[String]) -> Result<Self, GradientError> {
        for (what, is_empty) in [("key", keys.is_empty()), ("quantity", quantities.is_empty())] {
            if is_empty {
                return Err(GradientError::Nothing { what });
            }
        }
        let base = Base::new(source)?;
        let run = &base.prepared.options;
        let Method::Adaptive(options) = run.method else { return Err(GradientError::FixedStep) };
        let model = &base.prepared.model;
        let start = World::new(model).start(&base.prepared.q, &base.prepared.v);
        let probes = quantity::choose(quantities, model, &start.mode, run.duration)?;
        let stops = stops(model, run.duration);
        let keys = keys.iter().map(|key| base.key(source, key)).collect::<Result<_, _>>()?;
        Ok(Self { options, stops, keys, probes, base })
    }

    /// Values of all quantities, with their derivatives by some of the keys.
    fn on_duals(
        &self,
        keys: &[Key],
        options: AdaptiveOptions,
        progress: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Vec<Dual<AT_ONCE>>, GradientError> {
        let mut next = 0;
        let mut seed = |x: f64| {
            // by parts of the key: so that derivatives are as large as values, for the control of the step
            let slopes =
                std::array::from_fn(|k| keys.get(k).map_or(0.0, |key| key.size() * key.slopes[next]));
            next += 1;
            dual(x, slopes)
        };
        let prepared = &self.base.prepared;
        let model = prepared.model.lift(&mut seed)?;
        let q: Vec<_> = prepared.q.iter().map(|x| seed(*x)).collect();
        let v: Vec<_> = prepared.v.iter().map(|x| seed(*x)).collect();
        let run = |part: f64, progress: &mut dyn FnMut(f64) -> bool| {
            let options = AdaptiveOptions { rtol: part * options.rtol, ..options };
            let (q, v, stops) = (q.clone(), v.clone(), self.stops.as_slice());
            let course = Course { model: &model, q, v, options, stops, is_strict: true };
            drive(course, &self.probes, progress)
        };
        let mut result = run(1.0, progress);
        for part in PARTS {
            if !matches!(result, Err(GradientError::Unlocated { .. })) {
                break;
            }
            result = run(part, progress);
        }
        result
    }

    /// Values of all quantities of a run of the scene, or of one near it.
    fn plain(
        &self,
        prepared: &Prepared,
        progress: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Vec<f64>, GradientError> {
        let (q, v) = (prepared.q.clone(), prepared.v.clone());
        let (model, options, stops) = (&prepared.model, self.options, self.stops.as_slice());
        let course = Course { model, q, v, options, stops, is_strict: false };
        drive(course, &self.probes, progress)
    }

    fn answer(&self, values: &[f64], jacobian: Vec<Vec<f64>>, uncertainty: Vec<Vec<f64>>) -> Gradient {
        let key = |key: &Key| Named { name: key.name.clone(), unit: key.unit, value: key.value };
        let quantity =
            |(p, value): (&Probe, &f64)| Named { name: p.text.clone(), unit: p.unit, value: *value };
        Gradient {
            keys: self.keys.iter().map(key).collect(),
            quantities: self.probes.iter().zip(values).map(quantity).collect(),
            jacobian,
            uncertainty,
        }
    }
}

/// Results of a scene's run and their derivatives with respect to keys of the scene.
///
/// `keys` are written as in `--set`, such as `bodies.ball.velocity[0]`, and must hold numbers. `quantities` are names of a
/// recording such as `ball.position.x` or `energy.normal`, read at the end of the run; `at(NAME, TIME)` reads one at a time,
/// `max(NAME, from=TIME, to=TIME)` and `min(…)` where it is extreme. `progress(t)` is told the time (s) that each of the
/// runs has reached, and may end it by answering false. There are two runs for every four keys: one with ten times the
/// tolerance tells how well the derivatives are known.
///
/// # Errors
/// When a derivative does not exist or would not be right: see [`GradientError`].
pub fn gradient(
    source: &Source,
    keys: &[String],
    quantities: &[String],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Gradient, GradientError> {
    let question = Question::new(source, keys, quantities)?;
    let mut jacobian = vec![Vec::with_capacity(keys.len()); quantities.len()];
    let mut uncertainty = jacobian.clone();
    let mut values = Vec::new();
    let looser = AdaptiveOptions { rtol: LOOSER * question.options.rtol, ..question.options };
    for some in question.keys.chunks(AT_ONCE) {
        let found = question.on_duals(some, question.options, progress)?;
        let again = question.on_duals(some, looser, progress)?;
        for (i, (result, again)) in found.iter().zip(&again).enumerate() {
            for (key, (slope, other)) in some.iter().zip(slopes(*result).into_iter().zip(slopes(*again))) {
                let (slope, other) = (slope / key.size(), other / key.size());
                let apart = (slope - other).abs();
                let size = result.re.abs() / key.size();
                if apart.is_nan() || apart > DIGITS * slope.abs().max(DIGITS * size) {
                    let (quantity, key) = (question.probes[i].text.clone(), key.name.clone());
                    return Err(GradientError::Uncertain { quantity, key, slope, other });
                }
                jacobian[i].push(slope);
                uncertainty[i].push(apart);
            }
        }
        values = found.iter().map(|result| result.re).collect();
    }
    Ok(question.answer(&values, jacobian, uncertainty))
}

/// Of central differences, each over half the step of the one before, the extrapolation to order six (Romberg) that is nearest
/// to its own of order four, and how near.
fn extrapolated(slopes: &[f64]) -> (f64, f64) {
    let mut best = (f64::NAN, f64::INFINITY);
    for three in slopes.windows(3) {
        // halving the step leaves a quarter of the error of second order, then a sixteenth of that of fourth
        let (coarse, fine) = ((4.0 * three[1] - three[0]) / 3.0, (4.0 * three[2] - three[1]) / 3.0);
        let slope = (16.0 * fine - coarse) / 15.0;
        if (slope - coarse).abs() < best.1 {
            best = (slope, (slope - coarse).abs());
        }
    }
    best
}

/// The same by central differences of whole runs, ten for every key: slow, and as good as the runs are reproducible (with
/// `rtol` about 1e-11, eight digits). For comparison; `uncertainty` is how far the last extrapolation over the step
/// moves them.
///
/// # Errors
/// As [`gradient`].
pub fn differences(
    source: &Source,
    keys: &[String],
    quantities: &[String],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Gradient, GradientError> {
    let question = Question::new(source, keys, quantities)?;
    let values = question.plain(&question.base.prepared, progress)?;
    let mut jacobian = vec![Vec::with_capacity(keys.len()); quantities.len()];
    let mut uncertainty = jacobian.clone();
    for key in &question.keys {
        let mut slopes: Vec<Vec<f64>> = Vec::new();
        for step in RUN_STEPS.map(|step| step * key.step) {
            let at = |value: f64| prepared_at(source, &key.name, value);
            match (at(key.value - step), at(key.value + step)) {
                // longer steps may leave what the scene allows: those of the seeds, up to two, do not
                (Err(_), _) | (_, Err(_)) if slopes.is_empty() && step > 2.0 * key.step => {}
                (below, above) => {
                    let (below, above) =
                        (question.plain(&below?, progress)?, question.plain(&above?, progress)?);
                    slopes.push(above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * step)).collect());
                }
            }
        }
        for i in 0..jacobian.len() {
            let (slope, apart) =
                extrapolated(slopes.iter().map(|slope| slope[i]).collect::<Vec<_>>().as_slice());
            jacobian[i].push(slope);
            uncertainty[i].push(apart);
        }
    }
    Ok(question.answer(&values, jacobian, uncertainty))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extrapolation_keeps_clear_of_bends_and_of_rounding() {
        let central = |f: &dyn Fn(f64) -> f64, h: f64| (f(h) - f(-h)) / (2.0 * h);
        let slopes = |f: &dyn Fn(f64) -> f64| RUN_STEPS.map(|step| central(f, 0.05 * step));
        // truncation of order six: 0.2⁶ / 7! and less
        assert!((extrapolated(&slopes(&f64::sin)).0 - 1.0).abs() < 1e-8);
        // a kink inside the longest step spoils only what reaches it
        let bent = |x: f64| x.sin() + (x - 0.3).max(0.0);
        assert!((extrapolated(&slopes(&bent)).0 - 1.0).abs() < 1e-8);
        assert!((slopes(&bent)[0] - 1.0).abs() > 0.05);
    }
}
