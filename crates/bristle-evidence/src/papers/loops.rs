//! Impacts followed in time, for loops of force over depth.

use super::RTOL;
use crate::simulate::{Sample, follow};
use crate::{Fault, Stop};
use bristle::laws::{Impact, Normal};
use bristle::math::Vector3;
use bristle::{PointContact, Setup};

/// One point of a loop.
pub(super) struct Moment {
    pub(super) depth: f64,
    pub(super) rate: f64,
    pub(super) force: f64,
}

/// The impact at these times (s) after touchdown; `depth` (m) is its typical depth.
pub(super) fn impact_at(
    law: &Normal<f64>,
    impact: &Impact,
    depth: f64,
    times: &[f64],
    stop: &Stop<'_>,
) -> Result<Vec<Moment>, Fault> {
    let system = PointContact::new(Setup {
        normal: law,
        friction: None,
        lens: impact.lens,
        mass: impact.mass,
        plane_velocity: Vector3::zeros(),
        applied: &|_, _, _| Vector3::zeros(),
        scale: (depth, impact.speed),
    });
    let mut state = system.start(Vector3::zeros(), Vector3::new(0.0, 0.0, impact.speed));
    let end = times.last().copied().unwrap_or(0.0);
    let samples = follow(&system, &mut state, (end, times), RTOL, stop)?;
    let moment = |sample: &Sample| Moment {
        depth: sample.x[2],
        rate: sample.x[5],
        force: system.forces(&sample.x, sample.phase).0.force,
    };
    Ok(samples.iter().map(moment).collect())
}
