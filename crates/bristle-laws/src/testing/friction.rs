//! Checks of friction laws.

use super::{
    ClosedPath, Dice, Work, assert_balance, assert_same, assert_slope, moving, rate_of, runge_kutta,
};
use crate::{FrictionLaw, FrictionOut, Indent, Promise, Slip};
use bristle_math::lens::Lens;
use bristle_math::{Dual, Lanes, Real, Vector3};
use nalgebra::SimdValue;

const SAMPLES: usize = 400;

/// Sliding along x at `velocity` (m/s) under `load` (N), at a depth of 0.1 mm.
pub fn slip(velocity: f64, load: f64) -> Slip<f64> {
    slip_at(1e-4, 0.0, velocity, load)
}

/// Sliding along x at a given depth (m), depth rate (m/s), velocity (m/s) and load (N).
pub fn slip_at(depth: f64, rate: f64, velocity: f64, load: f64) -> Slip<f64> {
    Slip {
        velocity: Vector3::new(velocity, 0.0, 0.0),
        spin: Vector3::zeros(),
        normal: Vector3::z(),
        load,
        indent: Indent::from_lens(Lens::on_plane(1.0), depth, rate),
    }
}

/// A friction or resistance law that can be lifted to any scalar: what the checks need.
pub trait Checked: FrictionLaw<f64> {
    /// The law on another scalar.
    type On<U: Real>: FrictionLaw<U>;
    /// Lifts every parameter.
    fn lifted<U: Real>(&self, f: &mut dyn FnMut(f64) -> U) -> Self::On<U>;
}

/// Applies every check to a built-in friction or resistance law.
pub fn check_friction<L: Checked>(law: &L) {
    power_balance(law);
    passive(law);
    derivatives(law);
    lanes(law);
    bounded_without_load(law);
}

/// Random motion in a random plane, with states of a few times their scale.
fn sample<L: Checked>(law: &L, dice: &mut Dice) -> (Slip<f64>, Vec<f64>) {
    let mut vector = |size: f64| {
        Vector3::new(dice.between(-size, size), dice.between(-size, size), dice.between(-size, size))
    };
    let normal = (vector(1.0) + Vector3::new(0.0, 0.0, 1.5)).normalize();
    let (sideways, spin, stretch) = (vector(1.0), vector(20.0), vector(1.0));
    let tangent = |v: Vector3<f64>| v - normal * normal.dot(&v);
    let speed = dice.scale(1e-7, 1.0);
    let depth = dice.scale(1e-6, 1e-3);
    let rate = dice.signed(1e-4, 1.0);
    let at = Slip {
        velocity: tangent(sideways) * speed,
        spin,
        normal,
        load: dice.scale(1e-3, 1e3),
        indent: Indent::from_lens(Lens::on_plane(1.0), depth, rate),
    };
    let tangential = tangent(stretch);
    let z = law
        .states()
        .iter()
        .enumerate()
        .map(|(i, s)| {
            if s.unit == "1" {
                dice.unit()
            } else if law.states().len() == 1 {
                dice.signed(1e-2, 1e2) * s.scale
            } else {
                tangential[i % 3] * dice.scale(1e-2, 1e2) * s.scale
            }
        })
        .collect();
    (at, z)
}

/// Power that the motion puts into the law, W.
fn power(at: &Slip<f64>, out: &FrictionOut<f64>) -> f64 {
    out.normal * at.indent.rate - out.force.dot(&at.velocity) - out.torque.dot(&at.spin)
}

/// −F·v − τ·ω + N_t·rate = dU/dt + D, with dU/dt from a dual that moves along (rate, ż).
fn power_balance<L: Checked>(law: &L) {
    let dual = law.lifted(&mut Dual::<1>::lit);
    let mut dice = Dice::new(11);
    for _ in 0..SAMPLES {
        let (at, z) = sample(law, &mut dice);
        let mut zdot = vec![0.0; z.len()];
        let out = law.eval(&at, &z, &mut zdot);
        let (depth, rate) = (at.indent.depth, at.indent.rate);
        let moving_at = Slip {
            velocity: at.velocity.map(Dual::lit),
            spin: at.spin.map(Dual::lit),
            normal: at.normal.map(Dual::lit),
            load: Dual::lit(at.load),
            indent: Indent::from_lens(Lens::on_plane(Dual::lit(1.0)), moving(depth, rate), Dual::lit(rate)),
        };
        let moving_z: Vec<Dual<1>> = z.iter().zip(&zdot).map(|(z, d)| moving(*z, *d)).collect();
        let mut unused = vec![Dual::lit(0.0); z.len()];
        let stored_rate = rate_of(dual.eval(&moving_at, &moving_z, &mut unused).stored);
        let what = format!("balance at speed {:e}, load {:e}", at.velocity.norm(), at.load);
        // Large parts of a spring's power cancel against the body's; judge by the largest.
        let size =
            (out.force.norm() * at.velocity.norm()).max(out.losses.total().abs()).max(stored_rate.abs());
        let residual = power(&at, &out) - stored_rate - out.losses.total();
        if residual.abs() > 1e-9 * size {
            assert_balance(&what, power(&at, &out), stored_rate, out.losses.total());
        }
        if law.promise() == Promise::Pointwise {
            let l = &out.losses;
            for (name, loss) in [
                ("damper", l.damper),
                ("clutch", l.clutch),
                ("viscous", l.viscous),
                ("stiffness", l.stiffness),
            ] {
                assert!(loss >= -1e-12 * size, "{what}: {name} loses {loss:e} W");
            }
        }
    }
}

/// One instant of a prescribed motion along x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Depth, m.
    pub depth: f64,
    /// Depth rate, m/s.
    pub rate: f64,
    /// Sliding velocity, m/s.
    pub velocity: f64,
    /// Load, N.
    pub load: f64,
}

impl Default for Motion {
    fn default() -> Self {
        Self { depth: 1e-4, rate: 0.0, velocity: 0.0, load: 0.0 }
    }
}

/// Net work done on the law over `duration` of a prescribed motion, from zero states, J.
pub fn friction_work<L: FrictionLaw<f64>>(
    law: &L,
    path: impl Fn(f64) -> Motion,
    duration: f64,
    steps: usize,
) -> Work {
    work_along(
        law,
        |t| {
            let m = path(t);
            slip_at(m.depth, m.rate, m.velocity, m.load)
        },
        duration,
        steps,
    )
}

fn work_along<L: FrictionLaw<f64>>(
    law: &L,
    path: impl Fn(f64) -> Slip<f64>,
    duration: f64,
    steps: usize,
) -> Work {
    let n = law.states().len();
    let (mut z, mut trial, mut zdot) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let mut slope = vec![[0.0; 4]; n];
    let dt = duration / steps as f64;
    let mut work = Work { step: dt, ..Work::default() };
    for step in 0..steps {
        // Prescribed motions may jump between steps: stages stay inside the step.
        let t = step as f64 * dt;
        let mut input = [0.0; 4];
        for (stage, c) in [1e-9, 0.5, 0.5, 1.0 - 1e-9].into_iter().enumerate() {
            for i in 0..n {
                trial[i] = z[i] + if stage == 0 { 0.0 } else { c * dt * slope[i][stage - 1] };
            }
            let at = path(t + c * dt);
            let out = law.eval(&at, &trial, &mut zdot);
            input[stage] = power(&at, &out);
            (0..n).for_each(|i| slope[i][stage] = zdot[i]);
        }
        (0..n).for_each(|i| z[i] += runge_kutta(&slope[i], dt));
        work.add(&input);
    }
    work
}

/// No closed random motion in the plane, under random load and depth, gains energy.
fn passive<L: Checked>(law: &L) {
    if law.promise() == Promise::Nothing {
        return;
    }
    let mut dice = Dice::new(13);
    for _ in 0..6 {
        let period = dice.scale(0.1, 1.0);
        let reach = dice.scale(1e-6, 1e-3);
        let along = ClosedPath::new(&mut dice, 0.0, reach);
        let across = ClosedPath::new(&mut dice, 0.0, reach);
        let depth = ClosedPath::new(&mut dice, 4e-4, 5e-5);
        let load = ClosedPath::new(&mut dice, 10.0, 4.0);
        let turn = ClosedPath::new(&mut dice, 0.0, 0.3);
        let path = |t: f64| {
            let (depth, rate) = depth.at(t, period);
            let mut at = slip_at(depth, rate, along.at(t, period).1, load.at(t, period).0.max(0.0));
            at.velocity.y = across.at(t, period).1;
            at.spin =
                Vector3::new(turn.at(t, period).1, along.at(t, period).1 * 100.0, turn.at(t, 0.5 * period).1);
            at
        };
        work_along(law, path, 2.0 * period, 60_000).assert_passive();
    }
}

/// Slopes of the friction force over velocity and state from duals agree with differences.
fn derivatives<L: Checked>(law: &L) {
    let dual = law.lifted(&mut Dual::<1>::lit);
    let mut dice = Dice::new(14);
    for _ in 0..SAMPLES {
        let (at, z) = sample(law, &mut dice);
        let depth = at.indent.depth;
        let direction = at.velocity.normalize();
        let speed = at.velocity.norm();
        let lift = |speed: Dual<1>| Slip {
            velocity: direction.map(|d| speed * d),
            spin: at.spin.map(Dual::lit),
            normal: at.normal.map(Dual::lit),
            load: Dual::lit(at.load),
            indent: Indent::from_lens(
                Lens::on_plane(Dual::lit(1.0)),
                Dual::lit(depth),
                Dual::lit(at.indent.rate),
            ),
        };
        let dual_z: Vec<Dual<1>> = z.iter().map(|z| Dual::lit(*z)).collect();
        let mut unused = vec![Dual::lit(0.0); z.len()];
        let exact = rate_of(dual.eval(&lift(moving(speed, 1.0)), &dual_z, &mut unused).force.x);
        let force = |speed: f64| {
            let at = Slip { velocity: direction * speed, ..at };
            law.eval(&at, &z, &mut vec![0.0; z.len()]).force.x
        };
        let size = law.eval(&at, &z, &mut vec![0.0; z.len()]).force.norm();
        assert_slope("over speed", &force, speed, exact, size);
    }
}

/// Four lanes answer as four scalars.
fn lanes<L: Checked>(law: &L) {
    let wide = law.lifted(&mut Lanes::lit);
    let n = law.states().len();
    let mut dice = Dice::new(15);
    for _ in 0..SAMPLES / 4 {
        let samples: Vec<_> = (0..4).map(|_| sample(law, &mut dice)).collect();
        let gather = |f: &dyn Fn(usize) -> f64| Lanes::from([f(0), f(1), f(2), f(3)]);
        let vector = |f: &dyn Fn(usize) -> Vector3<f64>| {
            Vector3::new(gather(&|i| f(i).x), gather(&|i| f(i).y), gather(&|i| f(i).z))
        };
        let at = Slip {
            velocity: vector(&|i| samples[i].0.velocity),
            spin: vector(&|i| samples[i].0.spin),
            normal: vector(&|i| samples[i].0.normal),
            load: gather(&|i| samples[i].0.load),
            indent: Indent::from_lens(
                Lens::on_plane(Lanes::lit(1.0)),
                gather(&|i| samples[i].0.indent.depth),
                gather(&|i| samples[i].0.indent.rate),
            ),
        };
        let z: Vec<Lanes> = (0..n).map(|k| gather(&|i| samples[i].1[k])).collect();
        let mut zdot = vec![Lanes::lit(0.0); n];
        let out = wide.eval(&at, &z, &mut zdot);
        for (i, (at, z)) in samples.iter().enumerate() {
            let mut one_zdot = vec![0.0; n];
            let one = law.eval(at, z, &mut one_zdot);
            (0..3).for_each(|k| assert_same("force", out.force[k].extract(i), one.force[k]));
            (0..3).for_each(|k| assert_same("torque", out.torque[k].extract(i), one.torque[k]));
            assert_same("stored", out.stored.extract(i), one.stored);
            assert_same("losses", out.losses.total().extract(i), one.losses.total());
            (0..n).for_each(|k| assert_same("state rate", zdot[k].extract(i), one_zdot[k]));
        }
    }
}

/// As load and depth vanish, every rate stays bounded: touchdown must not blow up.
fn bounded_without_load<L: Checked>(law: &L) {
    let n = law.states().len();
    let stretched: Vec<f64> = law.states().iter().map(|s| s.scale).collect();
    let mut largest: f64 = 0.0;
    for exponent in 0..16 {
        let shrink = 10f64.powi(-exponent);
        for load in [0.0, 10.0 * shrink.powf(1.5)] {
            let mut zdot = vec![0.0; n];
            let mut at = slip_at(1e-4 * shrink, 1.0, 1.0, load);
            at.spin = Vector3::new(1.0, -2.0, 3.0);
            let out = law.eval(&at, &stretched, &mut zdot);
            assert!(out.force.iter().all(|f| f.is_finite()) && out.normal.is_finite());
            largest = zdot.iter().fold(largest, |m, r| m.max(r.abs()));
        }
    }
    assert!(largest < 1e5, "a state rate of {largest:e} as the load vanishes");
}
