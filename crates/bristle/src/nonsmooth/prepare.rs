//! A scene with `[nonsmooth]` becomes a system.

use super::builder::CONTACT_SCALE;
use super::error::{BuildError, Fault, Warning as Odd};
use super::form::Form;
use super::system::{ContactInfo, FrictionInfo, StateInfo, System};
use super::term::{Dio, Sgn};
use super::text::{Compiled, compile};
use crate::build::options;
use crate::check::Warning;
use crate::run::{Method, RunOptions};
use crate::scene::{AlphaSpec, NonsmoothContact, NonsmoothSpec, Scene, SceneError, SceneErrors};
use bristle_ode::{Layout, Method as Formula};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A system of a scene and how to run it.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The system.
    pub system: System,
    /// How to run it.
    pub options: RunOptions,
    /// Names that formulas use.
    used: BTreeSet<String>,
}

/// Compiles the formulas of a scene; all that is wrong with them is said at once.
pub fn prepare(scene: &Scene) -> Result<Prepared, SceneErrors> {
    let Some(spec) = &scene.nonsmooth else {
        return Err(scene.complain("nonsmooth", "is missing: this scene has bodies").into());
    };
    let method = scene.simulation.integrator.method;
    if let crate::scene::Method::Auto | crate::scene::Method::LinearlyImplicit = method {
        let rule = "is for scenes with bodies; name another method for a system of formulas";
        let message = format!("{:?} {rule}", method.name());
        return Err(scene.complain("simulation.integrator.method", message).into());
    }
    let alphas: Vec<_> = spec.contacts.iter().map(dio).collect();
    let mut errors: Vec<SceneError> = alphas.iter().filter_map(|dio| dio.clone().err()).collect();
    let compiled = compile(spec, &scene.parameters).map_err(|found| errors.extend(found)).ok();
    let compiled = match (SceneErrors::of(errors), compiled) {
        (Some(errors), _) => return Err(errors),
        (None, Some(compiled)) => compiled,
        (None, None) => return Err(scene.complain("nonsmooth", "cannot be read").into()),
    };
    let dios = alphas.into_iter().flatten().collect();
    let (mut system, used) = assemble(spec, dios, compiled);
    system.check().map_err(|error| SceneErrors::from(located(scene, error)))?;
    Ok(Prepared { system, options: options(scene), used })
}

fn dio(contact: &NonsmoothContact) -> Result<Dio, SceneError> {
    let (stiffness, beta) = (contact.stiffness, contact.beta);
    match contact.alpha {
        AlphaSpec::Given(alpha) => Ok(Dio { stiffness, alpha, beta }),
        AlphaSpec::Restitution { restitution, mass } => {
            Dio::with_restitution(stiffness, beta, restitution, mass).map_err(|error| SceneError::Law {
                place: contact.place.inside("restitution"),
                error: Box::new(error),
            })
        }
    }
}

fn assemble(spec: &NonsmoothSpec, dios: Vec<Dio>, compiled: Compiled) -> (System, BTreeSet<String>) {
    let Compiled { text, order, is_velocity, used } = compiled;
    let mut states: Vec<(usize, StateInfo)> = spec
        .states
        .iter()
        .zip(order.iter().zip(is_velocity))
        .map(|(s, (at, is_velocity))| {
            let (unit, start, scale) = (s.unit, s.start, s.scale);
            (*at, StateInfo { name: s.name.clone(), unit, start, scale, is_velocity })
        })
        .collect();
    states.sort_by_key(|(at, _)| *at);
    let contacts = spec
        .contacts
        .iter()
        .zip(dios)
        .map(|(c, dio)| ContactInfo {
            name: c.name.clone(),
            unit: c.unit,
            dio,
            scale: c.scale.unwrap_or(CONTACT_SCALE),
        })
        .collect();
    let mut first = 0;
    let frictions = spec
        .frictions
        .iter()
        .map(|f| {
            let (size, sgn) = (f.velocity.len(), Sgn { stiffness: f.stiffness, beta: f.beta });
            first += size;
            FrictionInfo {
                name: f.name.clone(),
                unit: f.unit,
                sgn,
                size,
                scale: f.scale,
                first: first - size,
            }
        })
        .collect();
    let system = System {
        states: states.into_iter().map(|(_, info)| info).collect(),
        contacts,
        frictions,
        equations: Arc::new(text),
        breaks: spec.breaks.clone(),
        form: Form::Proxy,
        layout: Layout::new(),
        warnings: Vec::new(),
        has_energy: spec.energy.is_some(),
        has_power: spec.power.is_some(),
    };
    (system, used)
}

fn located(scene: &Scene, error: BuildError) -> SceneError {
    match error {
        BuildError::Start(Fault::Formula { place, text, message, time }) => {
            let message = format!("{message} at t = {time} s");
            SceneError::Formula { place, value: format!("{text:?}"), message }
        }
        other => scene.complain("nonsmooth", other),
    }
}

/// Everything odd about a scene with `[nonsmooth]`, in the order of its lines.
pub fn warnings(scene: &Scene, prepared: &Prepared) -> Vec<Warning> {
    let mut all = Vec::new();
    crate::check::times(scene, &mut all);
    let Prepared { system, options, used } = prepared;
    let mut warn = |key: String, code: &'static str, message: String| {
        all.push(Warning { place: scene.place(&key), code, message });
    };
    for odd in system.warnings() {
        if let Odd::AddsEnergy { term, share } = odd {
            let message = format!("is {share} times beta: above it the contact adds energy");
            warn(format!("nonsmooth.contacts.{term}.alpha"), "adds-energy", message);
        }
    }
    let unused = "is used by no formula".to_string();
    let is_used = |friction: &FrictionInfo| {
        let parts: &[&str] = if friction.size == 1 { &[""] } else { &["_x", "_y"] };
        parts.iter().any(|part| used.contains(&format!("{}{part}", friction.name)))
    };
    for contact in system.contacts().iter().filter(|c| !used.contains(&c.name)) {
        warn(format!("nonsmooth.contacts.{}", contact.name), "unused-term", unused.clone());
    }
    for friction in system.frictions().iter().filter(|f| !is_used(f)) {
        warn(format!("nonsmooth.frictions.{}", friction.name), "unused-term", unused.clone());
    }
    let define = scene.nonsmooth.iter().flat_map(|spec| &spec.define);
    for (name, _) in define.filter(|(name, _)| !used.contains(name)) {
        warn(format!("nonsmooth.define.{name}"), "unused-definition", unused.clone());
    }
    for name in scene.unused_parameters().iter().filter(|name| !used.contains(*name)) {
        warn(format!("parameters.{name}"), "unused-parameter", unused.clone());
    }
    if let Method::Fixed(o) = options.method {
        steps(system, o, &mut warn);
    }
    all.sort_by_key(|w| w.place.order(false));
    all
}

/// Fixed steps that are too long for a term whatever it acts on: a proxy alone decays with −1/β.
fn steps(
    system: &System,
    options: bristle_ode::FixedOptions,
    warn: &mut dyn FnMut(String, &'static str, String),
) {
    let contacts = system.contacts().iter().map(|c| ("contacts", &c.name, c.dio.beta));
    let frictions = system.frictions().iter().map(|f| ("frictions", &f.name, f.sgn.beta));
    for (kind, name, beta) in contacts.chain(frictions) {
        let limit = super::guide::largest_step(options.method, &[nalgebra::Complex::new(-1.0 / beta, 0.0)]);
        if options.step > limit {
            let message = format!(
                "is short for steps of {} s: the proxy is stable up to {limit:.3e} s; bristle nonsmooth design helps",
                options.step
            );
            warn(format!("nonsmooth.{kind}.{name}.beta"), "stiff-step", message);
        }
    }
    if options.method == Formula::SemiImplicitEuler && !system.states().iter().any(|s| s.is_velocity) {
        let message = "is explicit Euler here: no state is, as it stands, the rate of another".to_string();
        warn("simulation.integrator.method".to_string(), "no-velocities", message);
    }
}
