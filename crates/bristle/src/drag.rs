//! A friction law dragged along: its force at steady speed, and its loop when moved to and fro.
//!
//! Motion, load and depth are prescribed; only the law's own states are integrated.

use bristle_laws::{Friction, FrictionLaw, Indent, Slip};
use bristle_math::Vector3;
use bristle_math::lens::Lens;
use bristle_ode::{Adaptive, AdaptiveOptions, Layout, State, StepError, System, integrate};
use std::f64::consts::TAU;
use std::ops::ControlFlow;

/// What the contact looks like while it is dragged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressed {
    /// Load, N.
    pub load: f64,
    /// Depth, m, for laws that grow with it.
    pub depth: f64,
}

/// A point of a loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DragMoment {
    /// Time, s.
    pub time: f64,
    /// Displacement, m.
    pub displacement: f64,
    /// Velocity, m/s.
    pub velocity: f64,
    /// Force that resists, N.
    pub force: f64,
    /// Energy stored, J.
    pub stored: f64,
    /// Energy dissipated so far, J.
    pub dissipated: f64,
}

struct Dragged<'a, V> {
    law: &'a Friction<f64>,
    pressed: Pressed,
    velocity: V,
    layout: Layout,
}

impl<'a, V: Fn(f64) -> f64> Dragged<'a, V> {
    fn new(law: &'a Friction<f64>, pressed: Pressed, velocity: V) -> Self {
        let mut layout = Layout::new();
        for state in law.states() {
            layout = layout.with_z(state.name, state.scale);
        }
        Self { law, pressed, velocity, layout: layout.with_w("dissipated", 1.0) }
    }

    fn slip(&self, t: f64) -> Slip<f64> {
        Slip {
            velocity: Vector3::new((self.velocity)(t), 0.0, 0.0),
            spin: Vector3::zeros(),
            normal: Vector3::z(),
            load: self.pressed.load,
            indent: Indent::from_lens(Lens::on_plane(1.0), self.pressed.depth, 0.0),
        }
    }

    fn states(&self) -> usize {
        self.law.states().len()
    }

    /// Resisting force and stored energy.
    fn answer(&self, t: f64, x: &[f64]) -> (f64, f64) {
        let mut zdot = [0.0; 8];
        let n = self.states();
        let out = self.law.eval(&self.slip(t), &x[..n], &mut zdot[..n]);
        (-out.force.x, out.stored)
    }
}

impl<V: Fn(f64) -> f64> System<f64> for Dragged<'_, V> {
    type Mode = ();
    type Scratch = ();

    fn layout<'s>(&'s self, _mode: &'s ()) -> &'s Layout {
        &self.layout
    }
    fn scratch(&self) {}
    fn derivative(&self, t: f64, x: &[f64], _mode: &(), dx: &mut [f64], _ws: &mut ()) {
        let n = self.states();
        let (zdot, w) = dx.split_at_mut(n);
        w[0] = self.law.eval(&self.slip(t), &x[..n], zdot).losses.total();
    }
    fn event_count(&self, _mode: &()) -> usize {
        self.law.switch_count()
    }
    fn events(&self, t: f64, x: &[f64], _mode: &(), g: &mut [f64], _ws: &mut ()) {
        self.law.switches(&self.slip(t), &x[..self.states()], g);
    }
}

/// The force that resists steady sliding at `speed` (m/s), N.
pub fn steady_force(law: &Friction<f64>, pressed: Pressed, speed: f64) -> Result<f64, StepError> {
    let system = Dragged::new(law, pressed, |_| speed);
    let mut state = State::new(0.0, vec![0.0; system.states() + 1], ());
    if law.states().is_empty() || speed == 0.0 {
        return Ok(system.answer(0.0, &state.x).0);
    }
    // Slide on, twice as far each time, until neither the force nor a state changes: a force at its limit may wait for a
    // slow state, such as the dwell of a bristle.
    let mut method = Adaptive::new(&system, &(), AdaptiveOptions::with_rtol(1e-10))?;
    let (mut end, mut last) = (1e-6 / speed.abs(), f64::NAN);
    let scales: Vec<f64> = law.states().iter().map(|s| s.scale).collect();
    for _ in 0..60 {
        let before = state.x.clone();
        integrate(&system, &mut method, &mut state, end, |_| Ok(ControlFlow::Continue(())))?;
        let force = system.answer(state.t, &state.x).0;
        let is_still =
            |i: usize| (state.x[i] - before[i]).abs() <= 1e-9 * (state.x[i].abs() + 1e-3 * scales[i]);
        if (force - last).abs() <= 1e-9 * force.abs() && (0..scales.len()).all(is_still) {
            return Ok(force);
        }
        (last, end) = (force, 2.0 * end);
    }
    Ok(last)
}

/// The loop of a contact moved as `amplitude · sin(2π frequency t)` from rest, for a number of cycles.
pub fn hysteresis(
    law: &Friction<f64>,
    pressed: Pressed,
    amplitude: f64,
    frequency: f64,
    cycles: f64,
    samples: usize,
) -> Result<Vec<DragMoment>, StepError> {
    let omega = TAU * frequency;
    let system = Dragged::new(law, pressed, |t| amplitude * omega * (omega * t).cos());
    let mut state = State::new(0.0, vec![0.0; system.states() + 1], ());
    let options = AdaptiveOptions { max_step: 0.02 / frequency, ..AdaptiveOptions::with_rtol(1e-9) };
    let mut method = Adaptive::new(&system, &(), options)?;
    let end = cycles / frequency;
    // the share first: the last sample is the end itself, not one rounding beyond it
    let at = |i: usize| end * (i as f64 / (samples.max(2) - 1) as f64);
    let mut x = state.x.clone();
    let record = |t: f64, x: &[f64]| {
        let (force, stored) = system.answer(t, x);
        DragMoment {
            time: t,
            displacement: amplitude * (omega * t).sin(),
            velocity: (system.velocity)(t),
            force,
            stored,
            dissipated: x[system.states()],
        }
    };
    let mut moments = vec![record(0.0, &state.x)];
    integrate(&system, &mut method, &mut state, end, |now| {
        while moments.len() < samples && at(moments.len()) <= now.advance.end {
            let t = at(moments.len());
            now.dense(t, &mut x)?;
            moments.push(record(t, &x));
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(moments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_laws::Params;

    const PRESSED: Pressed = Pressed { load: 10.0, depth: 1e-4 };

    fn proxy() -> Friction<f64> {
        let params = Params::new().set("friction", 0.5).set("stiffness", 1e5).set("beta", 1e-3);
        Friction::build("proxy-coulomb", &params).unwrap()
    }

    #[test]
    fn steady_sliding_has_coulombs_force() {
        for speed in [1e-4, 1e-2, 1.0] {
            assert!((steady_force(&proxy(), PRESSED, speed).unwrap() - 5.0).abs() < 1e-7);
        }
    }

    #[test]
    fn a_force_at_its_limit_waits_for_a_slow_dwell_state() {
        // σ₁ v is beyond the limit at once, while the dwell state takes 0.75 s to what it is at this speed
        let params = Params::new()
            .set("static", 0.15)
            .set("kinetic", 0.12)
            .set("stribeck_speed", 0.1)
            .set("stiffness", 1e5)
            .set("damping", 316.0)
            .set("dwell_time", 0.75);
        for variant in ["passive", "as-printed"] {
            let law = Friction::build("dwell-bristle", &params.clone().choose("variant", variant)).unwrap();
            let expected = 10.0 * (0.12 + 0.03 * (-0.25f64).exp());
            assert!((steady_force(&law, PRESSED, 0.05).unwrap() - expected).abs() < 1e-6, "{variant}");
        }
    }

    #[test]
    fn lugre_follows_the_stribeck_curve() {
        let params = Params::new()
            .set("static", 0.6)
            .set("kinetic", 0.4)
            .set("stribeck_speed", 0.01)
            .set("stiffness", 1e5)
            .set("damping", 50.0);
        let law = Friction::build("lugre", &params).unwrap();
        for speed in [1e-3, 5e-3, 0.02] {
            let expected = 10.0 * (0.4 + 0.2 * (-(speed / 0.01f64).powi(2)).exp());
            assert!((steady_force(&law, PRESSED, speed).unwrap() - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn a_slow_loop_loses_four_times_force_times_sliding() {
        // Elastic–plastic loop: 4 F (A − F/K) per steady cycle
        let (amplitude, force, stiffness) = (2e-4, 5.0, 1e5);
        let loops = hysteresis(&proxy(), PRESSED, amplitude, 0.01, 2.0, 2001).unwrap();
        let (half, end) = (loops[1000], loops[2000]);
        let lost = end.dissipated - half.dissipated;
        let expected = 4.0 * force * (amplitude - force / stiffness);
        // the damper adds K β v per unit slip: β·(2π·0.01)·A relative to F/K, about 3e-4
        assert!((lost / expected - 1.0).abs() < 1e-3, "{lost} {expected}");
    }
}
