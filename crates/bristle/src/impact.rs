//! One impact on a normal law, simulated from touchdown to separation.
//!
//! No closed form is used: the motion is integrated with error control, the deepest point, the largest force and
//! the end of the force are located as events, and the energy ledger is closed. What a law forecasts in closed
//! form ([`Forecast`](bristle_laws::Forecast)) can be held against it.

use crate::point_contact::{Event, PointContact, Setup};
use bristle_laws::{Impact, Indent, Normal, NormalLaw, Phase};
use bristle_math::{Vector3, root};
use bristle_ode::{Adaptive, AdaptiveOptions, Direction, Integrator, Pair, Stats, StepError, integrate};
use std::ops::ControlFlow;

/// How to integrate, and what to keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Relative error per step.
    pub rtol: f64,
    /// Acceleration pressing into the surface, m/s²: gravity for a ball dropped on the floor.
    pub gravity: f64,
    /// How many samples of the motion to keep; none if zero.
    pub samples: usize,
    /// Most steps of the integrator. An impact takes some hundred; one that never lets go may take many thousand.
    pub max_steps: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { rtol: 1e-12, gravity: 0.0, samples: 0, max_steps: 10_000_000 }
    }
}

/// Three ways to say how much came back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restitution {
    /// Speed after over speed before.
    pub newton: f64,
    /// Impulse after the deepest point over impulse before it.
    pub poisson: f64,
    /// Root of the work returned over the work absorbed.
    pub energetic: f64,
}

/// A point on the way.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moment {
    /// Since touchdown, s.
    pub time: f64,
    /// Depth, m.
    pub depth: f64,
    /// Depth rate, m/s.
    pub rate: f64,
    /// Force, N.
    pub force: f64,
    /// Elastic part of the force, N.
    pub elastic: f64,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Energy stored in the contact, J.
    pub stored: f64,
    /// Energy dissipated so far, J.
    pub dissipated: f64,
}

/// What an impact did.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// How much came back.
    pub restitution: Restitution,
    /// The deepest point.
    pub deepest: Moment,
    /// The point of the largest force.
    pub peak: Moment,
    /// Where the force ended.
    pub force_end: Moment,
    /// Where the depth came back to zero; `None` if it never does.
    pub separation: Option<Moment>,
    /// Kinetic energy lost, J.
    pub energy_loss: f64,
    /// Largest energy that the ledger could not place, over the energy at touchdown.
    pub closure: f64,
    /// Samples, evenly in time from touchdown to separation, if asked for.
    pub samples: Vec<Moment>,
    /// Steps and evaluations.
    pub stats: Stats,
}

impl Run {
    /// From touchdown to the end of the force, s.
    pub fn duration(&self) -> f64 {
        self.force_end.time
    }

    /// Largest force, N.
    pub fn peak_force(&self) -> f64 {
        self.peak.force
    }

    /// Largest depth, m.
    pub fn peak_depth(&self) -> f64 {
        self.deepest.depth
    }
}

/// Why an impact could not be simulated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImpactError {
    /// A number outside its range.
    #[error("impact: {name} = {value} {unit} must be {rule}")]
    Range {
        /// What it is.
        name: &'static str,
        /// The value given.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// The law cannot stop the body.
    #[error("impact: the law does not stop {mass} kg at {speed} m/s within a depth of {depth} m")]
    NotStopped {
        /// Mass, kg.
        mass: f64,
        /// Speed, m/s.
        speed: f64,
        /// Deepest depth tried, m.
        depth: f64,
    },
    /// A volume law without surfaces.
    #[error("impact: the law acts on the interference volume and needs the radius of the surfaces")]
    NoSurfaces,
    /// It takes far more steps than any impact needs.
    #[error("impact: no end after {steps} steps of the integrator; the parameters are too far apart")]
    TooLong {
        /// Steps taken.
        steps: u64,
    },
    /// The integrator gave up.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// Longest time followed after touchdown, in elastic contact times.
const PATIENCE: f64 = 1e4;

/// Simulates one impact.
pub fn simulate(law: &Normal<f64>, impact: &Impact, options: &Options) -> Result<Run, ImpactError> {
    let range = |name, value, unit, rule| ImpactError::Range { name, value, unit, rule };
    for (name, value, unit) in [("mass", impact.mass, "kg"), ("speed", impact.speed, "m/s")] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(range(name, value, unit, "> 0 and finite"));
        }
    }
    if !(options.gravity >= 0.0 && options.gravity.is_finite()) {
        return Err(range("gravity", options.gravity, "m/s²", ">= 0"));
    }
    if law.needs_patch() && impact.lens.is_none() {
        return Err(ImpactError::NoSurfaces);
    }
    let depth = stopping_depth(law, impact)?;
    let weight = impact.mass * options.gravity;
    let applied = |_: f64, _: &Vector3<f64>, _: &Vector3<f64>| Vector3::new(0.0, 0.0, weight);
    let system = PointContact::new(Setup {
        normal: law,
        friction: None,
        lens: impact.lens,
        mass: impact.mass,
        plane_velocity: Vector3::zeros(),
        applied: &applied,
        scale: (depth, impact.speed),
    });
    let patience = PATIENCE * depth / impact.speed;
    let run = follow(&system, impact, options, patience)?;
    if options.samples < 2 {
        return Ok(run);
    }
    let end = run.separation.map_or(run.force_end.time, |s| s.time);
    let samples = sample(&system, impact, options, end)?;
    Ok(Run { samples, ..run })
}

/// A depth at which the elastic part of the law holds the energy of the body: the size of the impact.
fn stopping_depth(law: &Normal<f64>, impact: &Impact) -> Result<f64, ImpactError> {
    let energy = 0.5 * impact.mass * impact.speed * impact.speed;
    let mut z = vec![0.0; law.states().len()];
    let indent = |depth: f64, rate: f64| match impact.lens {
        Some(lens) => Indent::from_lens(lens, depth, rate),
        None => Indent::point(depth, rate),
    };
    law.touch(&indent(0.0, impact.speed), &mut z);
    let stored = |depth: f64| {
        let mut zdot = vec![0.0; z.len()];
        law.eval(&indent(depth, 0.0), &z, Phase::Touching, &mut zdot).stored
    };
    let deepest = impact.lens.map_or(1e3, |lens| 1.0 / lens.curvature_a.max(lens.curvature_b));
    root::find(|ln_depth| stored(ln_depth.exp()) - energy, (1e-15f64).ln(), deepest.ln(), 1e-3)
        .map(f64::exp)
        .ok_or(ImpactError::NotStopped { mass: impact.mass, speed: impact.speed, depth: deepest })
}

fn integrator<'a>(
    system: &PointContact<'a>,
    rtol: f64,
) -> Result<Adaptive<f64, PointContact<'a>>, StepError> {
    // Eighth order pays at tight tolerances, fifth at loose ones.
    let pair = if rtol < 1e-9 { Pair::Dop853 } else { Pair::Dopri5 };
    Adaptive::new(system, &Phase::Touching, AdaptiveOptions { pair, ..AdaptiveOptions::with_rtol(rtol) })
}

fn moment(system: &PointContact<'_>, t: f64, x: &[f64], phase: Phase) -> Moment {
    let (normal, _) = system.forces(x, phase);
    Moment {
        time: t,
        depth: x[2],
        rate: x[5],
        force: normal.force,
        elastic: normal.elastic,
        kinetic: system.kinetic(x),
        stored: normal.stored,
        dissipated: system.normal_loss(x) + system.released(x),
    }
}

/// Integrates until the depth is zero again, or patience ends.
fn follow(
    system: &PointContact<'_>,
    impact: &Impact,
    options: &Options,
    patience: f64,
) -> Result<Run, ImpactError> {
    let mut state = system.start(Vector3::zeros(), Vector3::new(0.0, 0.0, impact.speed));
    let mut method = integrator(system, options.rtol)?;
    let touch = moment(system, 0.0, &state.x, state.mode);
    let start_energy = system.balance(&state.x, state.mode);
    let (mut deepest, mut peak, mut force_end, mut separation) = (None, touch, None, None);
    let mut turned = (0.0, 0.0); // impulse and work at the deepest point
    let mut closure: f64 = 0.0;
    let mut last = state.x.clone();
    let mut phase = state.mode;
    let (mut steps, mut is_too_long) = (0, false);
    integrate(system, &mut method, &mut state, patience, |now| {
        steps += 1;
        if steps > options.max_steps {
            is_too_long = true;
            return Ok(ControlFlow::Break(()));
        }
        now.dense(now.advance.end, &mut last)?;
        let here = moment(system, now.advance.end, &last, phase);
        closure = closure.max((system.balance(&now.state.x, now.state.mode) - start_energy).abs());
        if here.force > peak.force {
            peak = here; // exact when the event below fires, and for a force that only falls
        }
        for event in now.fired() {
            match (event.index, event.direction) {
                (i, Direction::Falling) if i == Event::Rate as usize && deepest.is_none() => {
                    deepest = Some(here);
                    turned = (system.impulse(&last), system.pushed(&last));
                }
                (i, Direction::Falling) if i == Event::Depth as usize => separation = Some(here),
                _ => {}
            }
        }
        // The force ends where it is zero while the body leaves, and stays so without an applied force.
        if force_end.is_none() && here.rate < 0.0 && here.force <= 0.0 && now.advance.fired > 0 {
            force_end = Some(here);
        }
        phase = now.state.mode;
        Ok(if separation.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    if is_too_long {
        return Err(ImpactError::TooLong { steps: options.max_steps });
    }
    let end = moment(system, state.t, &last, phase);
    let force_end = force_end.or(separation).unwrap_or(end);
    let deepest = deepest.unwrap_or(end);
    let (impulse, work) = (system.impulse(&state.x), system.pushed(&state.x));
    let out = separation.map_or(0.0, |s: Moment| -s.rate);
    let energy = 0.5 * impact.mass * impact.speed * impact.speed;
    let restitution = Restitution {
        newton: out / impact.speed,
        poisson: (impulse - turned.0) / turned.0,
        energetic: ((turned.1 - work) / turned.1).max(0.0).sqrt(),
    };
    Ok(Run {
        restitution,
        deepest,
        peak,
        force_end,
        separation,
        energy_loss: energy - 0.5 * impact.mass * out * out,
        closure: closure / energy,
        samples: Vec::new(),
        stats: *method.stats(),
    })
}

/// Runs again and keeps evenly spaced samples: dense output, so they fall exactly on their times.
fn sample(
    system: &PointContact<'_>,
    impact: &Impact,
    options: &Options,
    end: f64,
) -> Result<Vec<Moment>, ImpactError> {
    let mut state = system.start(Vector3::zeros(), Vector3::new(0.0, 0.0, impact.speed));
    let mut method = integrator(system, options.rtol)?;
    let mut samples = vec![moment(system, 0.0, &state.x, state.mode)];
    let mut x = state.x.clone();
    let mut phase = state.mode;
    // the share first: the last sample is the end itself, not one rounding beyond it
    let at = |i: usize| end * (i as f64 / (options.samples - 1) as f64);
    integrate(system, &mut method, &mut state, end, |now| {
        while samples.len() < options.samples && at(samples.len()) <= now.advance.end {
            let t = at(samples.len());
            now.dense(t, &mut x)?;
            samples.push(moment(system, t, &x, phase));
        }
        phase = now.state.mode;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_laws::Params;

    #[test]
    fn simulated_and_forecast_impacts_agree() {
        let cases = [
            ("kelvin-voigt", Params::new().set("stiffness", 1e5).set("damping", 90.0)),
            (
                "kelvin-voigt",
                Params::new().set("stiffness", 1e5).set("damping", 90.0).choose("tension", "keep"),
            ),
            ("kelvin-voigt", Params::new().set("stiffness", 1e5).set("damping", 900.0)),
            ("hertz", Params::new().set("stiffness", 1e8)),
            ("hunt-crossley", Params::new().set("stiffness", 1e7).set("alpha", 0.3)),
            (
                "hunt-crossley",
                Params::new().set("stiffness", 1e7).set("alpha", 0.3).set("alpha_restitution", 0.7),
            ),
            ("gonthier", Params::new().set("stiffness", 1e9).set("restitution", 0.2)),
            ("proxy", Params::new().set("stiffness", 1e4).set("alpha", 0.003).set("beta", 0.01)),
        ];
        for (id, params) in cases {
            let law = Normal::build(id, &params).unwrap();
            let impact = Impact::new(0.7, 1.3);
            let run = simulate(&law, &impact, &Options::default()).unwrap();
            let forecast = law.forecast(&impact);
            let near = |name: &str, got: f64, asked: Option<f64>, size: f64| {
                let asked = asked.unwrap();
                assert!((got - asked).abs() < 1e-9 * size, "{id} {name}: {got} against {asked}");
            };
            near("restitution", run.restitution.newton, forecast.restitution, 1.0);
            near("peak depth", run.deepest.depth, forecast.peak_depth, run.deepest.depth);
            near("peak force", run.peak.force, forecast.peak_force, run.peak.force);
            near("depth at peak", run.peak.depth, forecast.depth_at_peak_force, run.deepest.depth);
            near("rate at peak", run.peak.rate, forecast.rate_at_peak_force, 1.3);
            near("compression", run.deepest.time, forecast.compression_time, run.duration());
            if law.pulls() {
                near("duration", run.separation.unwrap().time, forecast.duration, run.duration());
            } else {
                near("duration", run.duration(), forecast.duration, run.duration());
            }
            assert!(run.closure < 1e-10, "{id}: closure {:e}", run.closure);
        }
    }

    #[test]
    fn the_three_restitutions_agree_without_other_forces() {
        let law =
            Normal::build("azad-featherstone", &Params::new().set("stiffness", 8.5e6).set("damping", 3.1e3));
        let run = simulate(&law.unwrap(), &Impact::new(0.154, 1.0), &Options::default()).unwrap();
        let e = run.restitution;
        assert!((e.newton - e.poisson).abs() < 1e-10 && (e.newton - e.energetic).abs() < 1e-10, "{e:?}");
    }

    #[test]
    fn samples_span_the_contact_evenly() {
        let law = Normal::build("hertz", &Params::new().set("stiffness", 1e8)).unwrap();
        let options = Options { samples: 101, ..Options::default() };
        let run = simulate(&law, &Impact::new(0.1, 1.0), &options).unwrap();
        assert_eq!(run.samples.len(), 101);
        let middle = run.samples[50];
        assert!((middle.depth / run.deepest.depth - 1.0).abs() < 1e-9, "symmetric about the deepest point");
    }

    #[test]
    fn a_contact_that_never_lets_go_is_said_so() {
        let params = Params::new().set("stiffness", 1e4).set("damping", 1e3).choose("tension", "keep");
        let law = Normal::build("kelvin-voigt", &params).unwrap();
        let run =
            simulate(&law, &Impact::new(1.0, 1.0), &Options { rtol: 1e-8, ..Options::default() }).unwrap();
        assert_eq!((run.separation, run.restitution.newton), (None, 0.0));
    }

    #[test]
    fn nonsense_is_refused() {
        let law = Normal::build("hertz", &Params::new().set("stiffness", 1e8)).unwrap();
        let error = simulate(&law, &Impact::new(-1.0, 1.0), &Options::default()).unwrap_err();
        assert_eq!(error.to_string(), "impact: mass = -1 kg must be > 0 and finite");
    }
}
