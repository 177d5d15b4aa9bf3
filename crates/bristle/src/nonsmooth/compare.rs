//! The same system with proxies, with LuGre friction and with regularised friction, side by side.
//!
//! The other forms have the same stiffness and damping as the proxies, and contacts that are springs with dampers, not
//! cut; `docs/nonsmooth.md` has their equations. What is measured: creep (how fast a friction term slides, without what
//! springs back, while the one with a proxy sticks longest), the share of the time it is below its limit, the least contact force,
//! steps and evaluations, and the distance to the states of the proxies at the end.

use super::error::RunError;
use super::form::Form;
use super::run::{Run, run};
use super::system::System;
use crate::run::RunOptions;

/// One form of the system.
#[derive(Debug, Clone)]
pub struct Variant {
    /// `proxy`, `lugre` or `regularised`.
    pub name: &'static str,
    /// Its run, or why it failed.
    pub outcome: Result<Run, RunError>,
    /// For every friction term: creep.
    pub creep: Vec<Option<f64>>,
    /// For every friction term: share of the time below the limit.
    pub sticking: Vec<f64>,
    /// Largest difference of each state from that of the proxies, at the samples.
    pub apart: Vec<f64>,
}

/// A span (s) in which the friction term with a proxy sticks; the first tenth is left out, for what came before to die
/// down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stuck {
    /// s.
    pub start: f64,
    /// s.
    pub end: f64,
}

/// All forms of a system.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The proxies first.
    pub variants: Vec<Variant>,
    /// For every friction term, when its creep is measured; `None` if it never sticks.
    pub stuck: Vec<Option<Stuck>>,
}

/// Runs a system in all its forms. `slip_speed` (m/s) is that of the regularised friction; by default χ*/(Kβ), where
/// χ* is the largest limit of the term. An error only if the form with proxies fails.
pub fn compare(
    system: &System,
    options: &RunOptions,
    slip_speed: Option<f64>,
) -> Result<Comparison, RunError> {
    let proxy = run(system, options, |_| true)?;
    let largest = |name: &str| {
        let limits = proxy.recording.column(&format!("{name}.limit")).map_or(&[][..], |c| &c.values);
        let most = limits.iter().copied().fold(0.0, f64::max);
        if most > 0.0 { most } else { 1.0 }
    };
    let loads: Vec<f64> = system.frictions().iter().map(|f| largest(&f.name)).collect();
    let speeds = system
        .frictions()
        .iter()
        .zip(&loads)
        .map(|(f, load)| slip_speed.unwrap_or(load / (f.sgn.stiffness * f.sgn.beta)))
        .collect();
    let stuck: Vec<Option<Stuck>> = proxy.slides.iter().map(|spans| longest_stick(spans)).collect();
    let forms = [("lugre", Form::LuGre(loads)), ("regularised", Form::Regularised(speeds))];
    let others = forms.map(|(name, form)| (name, run(&system.with_form(form), options, |_| true)));
    let outcomes = std::iter::once(("proxy", Ok(proxy.clone()))).chain(others);
    let variants = outcomes.map(|(name, outcome)| measure(system, name, outcome, &proxy, &stuck)).collect();
    Ok(Comparison { variants, stuck })
}

fn longest_stick(spans: &[crate::Span]) -> Option<Stuck> {
    let longest =
        spans.iter().filter(|s| !s.slips).max_by(|a, b| (a.end - a.start).total_cmp(&(b.end - b.start)))?;
    Some(Stuck { start: longest.start + 0.1 * (longest.end - longest.start), end: longest.end })
}

fn measure(
    system: &System,
    name: &'static str,
    outcome: Result<Run, RunError>,
    proxy: &Run,
    stuck: &[Option<Stuck>],
) -> Variant {
    let (mut creep, mut sticking, mut apart) = (Vec::new(), Vec::new(), Vec::new());
    if let Ok(run) = &outcome {
        for (friction, stuck) in system.frictions().iter().zip(stuck) {
            let parts: &[&str] = if friction.size == 1 { &[""] } else { &["_x", "_y"] };
            // without what springs back
            let way = |t: f64| -> Option<Vec<f64>> {
                let at =
                    |what: &str, part: &str| value_at(run, &format!("{}.{what}{part}", friction.name), t);
                parts.iter().map(|part| Some(at("way", part)? - at("proxy", part)?)).collect()
            };
            creep.push(stuck.and_then(|s| {
                let (a, b) = (way(s.start)?, way(s.end)?);
                let way = a.iter().zip(&b).map(|(a, b)| (b - a).powi(2)).sum::<f64>().sqrt();
                Some(way / (s.end - s.start))
            }));
        }
        let share = |spans: &Vec<crate::Span>| {
            spans.iter().filter(|s| !s.slips).map(|s| s.end - s.start).sum::<f64>() / run.state.t
        };
        sticking = run.slides.iter().map(share).collect();
        for state in system.states() {
            let (a, b) = (run.recording.column(&state.name), proxy.recording.column(&state.name));
            let pairs = a.into_iter().zip(b).flat_map(|(a, b)| a.values.iter().zip(&b.values));
            apart.push(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max));
        }
    }
    Variant { name, outcome, creep, sticking, apart }
}

/// A recorded quantity between two samples.
fn value_at(run: &Run, name: &str, t: f64) -> Option<f64> {
    let (times, values) = (&run.recording.columns.first()?.values, &run.recording.column(name)?.values);
    let after = times.partition_point(|x| *x < t).min(times.len() - 1);
    let before = after.saturating_sub(1);
    let width = times[after] - times[before];
    let share = if width > 0.0 { ((t - times[before]) / width).clamp(0.0, 1.0) } else { 1.0 };
    Some(values[before] + share * (values[after] - values[before]))
}
