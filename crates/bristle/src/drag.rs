//! A friction law dragged along: its force at steady speed, its loop when moved to and fro, and how it breaks loose.
//!
//! Motion, load and depth are prescribed; only the law's own states are integrated.

use bristle_laws::{FrictionLaw, Indent, Resist, Slip};
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

/// How one body moves over the other.
#[derive(Clone, Copy)]
enum Course {
    /// Along the plane.
    Slide,
    /// About an axis in the plane.
    Roll,
    /// About the normal.
    Spin,
}

/// A point of a loop; for angles in rad, rad/s and N m.
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

struct Dragged<'a, L, V> {
    law: &'a L,
    course: Course,
    pressed: Pressed,
    velocity: V,
    layout: Layout,
}

impl<'a, L: FrictionLaw<f64>, V: Fn(f64) -> f64> Dragged<'a, L, V> {
    fn new(law: &'a L, course: Course, pressed: Pressed, velocity: V) -> Self {
        let mut layout = Layout::new();
        for state in law.states() {
            layout = layout.with_z(state.name, state.scale);
        }
        Self { law, course, pressed, velocity, layout: layout.with_w("dissipated", 1.0) }
    }

    fn slip(&self, t: f64) -> Slip<f64> {
        let speed = (self.velocity)(t);
        let (velocity, spin) = match self.course {
            Course::Slide => (Vector3::x() * speed, Vector3::zeros()),
            Course::Roll => (Vector3::zeros(), Vector3::x() * speed),
            Course::Spin => (Vector3::zeros(), Vector3::z() * speed),
        };
        Slip {
            velocity,
            spin,
            normal: Vector3::z(),
            load: self.pressed.load,
            indent: Indent::from_lens(Lens::on_plane(1.0), self.pressed.depth, 0.0),
        }
    }

    fn states(&self) -> usize {
        self.law.states().len()
    }

    fn at_rest(&self) -> State<f64, ()> {
        State::new(0.0, vec![0.0; self.states() + 1], ())
    }

    /// Resisting force or torque, and stored energy.
    fn answer(&self, t: f64, x: &[f64]) -> (f64, f64) {
        let mut zdot = [0.0; 8];
        let n = self.states();
        let out = self.law.eval(&self.slip(t), &x[..n], &mut zdot[..n]);
        let resists = match self.course {
            Course::Slide => out.force.x,
            Course::Roll => out.torque.x,
            Course::Spin => out.torque.z,
        };
        (-resists, out.stored)
    }

    /// Goes on from `state` for `span` s in steps of at most `max_step`, and keeps samples in equal steps of time, both ends
    /// included.
    fn follow(
        &self,
        state: &mut State<f64, ()>,
        (span, max_step): (f64, f64),
        samples: usize,
        displacement: impl Fn(f64) -> f64,
    ) -> Result<Vec<DragMoment>, StepError> {
        let options = AdaptiveOptions { max_step, ..AdaptiveOptions::with_rtol(1e-9) };
        let mut method = Adaptive::new(self, &(), options)?;
        let start = state.t;
        // the share first: the last sample is the end itself, not one rounding beyond it
        let at = |i: usize| start + span * (i as f64 / (samples.max(2) - 1) as f64);
        let record = |t: f64, x: &[f64]| {
            let (force, stored) = self.answer(t, x);
            let (displacement, velocity) = (displacement(t), (self.velocity)(t));
            DragMoment { time: t, displacement, velocity, force, stored, dissipated: x[self.states()] }
        };
        let mut x = state.x.clone();
        let mut moments = vec![record(start, &state.x)];
        integrate(self, &mut method, state, start + span, |now| {
            while moments.len() < samples && at(moments.len()) <= now.advance.end {
                let t = at(moments.len());
                now.dense(t, &mut x)?;
                moments.push(record(t, &x));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(moments)
    }
}

impl<L: FrictionLaw<f64>, V: Fn(f64) -> f64> System<f64> for Dragged<'_, L, V> {
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
pub fn steady_force<L: FrictionLaw<f64>>(law: &L, pressed: Pressed, speed: f64) -> Result<f64, StepError> {
    let system = Dragged::new(law, Course::Slide, pressed, |_| speed);
    let mut state = system.at_rest();
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
pub fn hysteresis<L: FrictionLaw<f64>>(
    law: &L,
    pressed: Pressed,
    amplitude: f64,
    frequency: f64,
    cycles: f64,
    samples: usize,
) -> Result<Vec<DragMoment>, StepError> {
    swing(law, Course::Slide, pressed, (amplitude, frequency), cycles, samples)
}

/// The loop of a resistance turned to and fro by `amplitude` rad at `frequency` Hz, for a number of cycles.
pub fn turning(
    law: &Resist<f64>,
    pressed: Pressed,
    amplitude: f64,
    frequency: f64,
    cycles: f64,
    samples: usize,
) -> Result<Vec<DragMoment>, StepError> {
    let course = if matches!(law, Resist::Spin(_)) { Course::Spin } else { Course::Roll };
    swing(law, course, pressed, (amplitude, frequency), cycles, samples)
}

fn swing<L: FrictionLaw<f64>>(
    law: &L,
    course: Course,
    pressed: Pressed,
    (amplitude, frequency): (f64, f64),
    cycles: f64,
    samples: usize,
) -> Result<Vec<DragMoment>, StepError> {
    let omega = TAU * frequency;
    let system = Dragged::new(law, course, pressed, |t| amplitude * omega * (omega * t).cos());
    let span = (cycles / frequency, 0.02 / frequency);
    system.follow(&mut system.at_rest(), span, samples, |t| amplitude * (omega * t).sin())
}

/// A contact that rests for `rest` s under its load and then slides over `distance` m at `speed` m/s; moments of the sliding, whose
/// time and displacement begin where the rest ends.
pub fn break_away<L: FrictionLaw<f64>>(
    law: &L,
    pressed: Pressed,
    rest: f64,
    (speed, distance): (f64, f64),
    samples: usize,
) -> Result<Vec<DragMoment>, StepError> {
    let resting = Dragged::new(law, Course::Slide, pressed, |_| 0.0);
    let mut state = resting.at_rest();
    if rest > 0.0 {
        resting.follow(&mut state, (rest, rest), 2, |_| 0.0)?;
    }
    state.t = 0.0;
    let sliding = Dragged::new(law, Course::Slide, pressed, |_| speed);
    let span = distance / speed;
    sliding.follow(&mut state, (span, 0.01 * span), samples, |t| speed * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_laws::{Friction, Params};

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

    #[test]
    fn resistances_turn_in_elastic_plastic_loops() {
        // As above with angles: 4 T (A − T/k) per steady cycle, T = ρN or μNℓ
        let params = Params::new().set("stiffness", 2.0).set("damping", 1e-3);
        let rolling = params.clone().set("coefficient", 1e-3);
        let spin = params.set("friction", 0.5).set("radius", 2e-3);
        for (id, params) in [("rolling", rolling), ("spin", spin)] {
            let law = Resist::build(id, &params).unwrap();
            let (amplitude, torque, stiffness) = (0.02, 0.01, 2.0);
            let loops = turning(&law, PRESSED, amplitude, 0.01, 2.0, 2001).unwrap();
            let lost = loops[2000].dissipated - loops[1000].dissipated;
            let expected = 4.0 * torque * (amplitude - torque / stiffness);
            // the damper shifts a reversal by c/k·2π·0.01 of the amplitude: 3e-5, at each of the two
            assert!((lost / expected - 1.0).abs() < 1e-4, "{id}: {lost} {expected}");
        }
    }

    #[test]
    fn a_rested_bristle_breaks_away_at_the_force_of_its_dwell() {
        let (fc, fs, dwell) = (1.0, 1.5, 2.0);
        let params = Params::new()
            .set("static", fs / 10.0)
            .set("kinetic", fc / 10.0)
            .set("stribeck_speed", 1e-3)
            .set("stiffness", 1e5)
            .set("damping", 300.0)
            .set("dwell_time", dwell);
        let law = Friction::build("dwell-bristle", &params).unwrap();
        let held = |t: f64| fc + (fs - fc) * (1.0 - (-t / dwell).exp());
        // over 16 µm the bristle bends to static friction, 15 µm, and the dwell goes on for 0.16 s
        let (speed, distance) = (1e-4, 1.6e-5);
        for rest in [0.5, 2.0, 10.0] {
            let slid = break_away(&law, PRESSED, rest, (speed, distance), 2001).unwrap();
            let peak = slid.iter().fold(0.0, |most: f64, m| most.max(m.force));
            // at a tenth of the Stribeck speed the dwell tends to exp(−0.01), not to 1
            let least = held(rest) - 0.01 * (fs - fc);
            assert!(peak > least && peak < held(rest + distance / speed), "{rest}: {peak} {}", held(rest));
        }
    }
}
