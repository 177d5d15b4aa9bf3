//! Checks of normal laws.

use super::{
    ClosedPath, Dice, Work, assert_balance, assert_same, assert_slope, moving, rate_of, runge_kutta,
};
use crate::{Indent, Normal, NormalLaw, Phase, Promise};
use bristle_math::lens::Lens;
use bristle_math::{Dual, Lanes, Real};
use nalgebra::SimdValue;

const SAMPLES: usize = 400;

/// The two balls every check presses together.
fn lens<T: Real>() -> Lens<T> {
    Lens::of_spheres(T::lit(1.0), T::lit(0.5))
}

/// Applies every check to a built-in law.
pub fn check_normal(law: &Normal<f64>) {
    power_balance(law);
    never_pulls(law);
    passive(law);
    derivatives(law);
    lanes(law);
}

/// Random kinematics and states; a recovering surface is only sampled where it is free.
fn sample(law: &Normal<f64>, dice: &mut Dice) -> (Indent<f64>, Vec<f64>, Phase) {
    loop {
        let depth = dice.signed(1e-7, 1e-2);
        let rate = dice.signed(1e-4, 10.0);
        let at = Indent::from_lens(lens(), depth, rate);
        let z: Vec<f64> = law.states().iter().map(|s| dice.scale(1e-2, 1e2) * s.scale).collect();
        let phase = if dice.unit() < 0.3 { Phase::Recovering } else { Phase::Touching };
        if phase == Phase::Touching || law.touching(&at, &z, phase) < 0.0 {
            return (at, z, phase);
        }
    }
}

/// P_in = force·rate = dU/dt + D, with dU/dt from a dual that moves along (rate, ż).
fn power_balance(law: &Normal<f64>) {
    let Some(dual) = law.map(&mut Dual::<1>::lit) else { return };
    let mut dice = Dice::new(1);
    for _ in 0..SAMPLES {
        let (at, z, phase) = sample(law, &mut dice);
        let mut zdot = vec![0.0; z.len()];
        let out = law.eval(&at, &z, phase, &mut zdot);
        let moving_at = Indent::from_lens(lens(), moving(at.depth, at.rate), Dual::lit(at.rate));
        let moving_z: Vec<Dual<1>> = z.iter().zip(&zdot).map(|(z, d)| moving(*z, *d)).collect();
        let mut unused = vec![Dual::lit(0.0); z.len()];
        let stored_rate = rate_of(dual.eval(&moving_at, &moving_z, phase, &mut unused).stored);
        let what = format!("balance at depth {:e}, rate {:e}, {phase:?}", at.depth, at.rate);
        assert_balance(&what, out.force * at.rate, stored_rate, out.dissipated);
        if law.promise() == Promise::Pointwise {
            let size = (out.force * at.rate).abs() + stored_rate.abs();
            assert!(out.dissipated >= -1e-12 * size, "{what}: dissipates {:e} W", out.dissipated);
        }
    }
}

/// f ≥ 0 for any kinematics, also when pulled apart; zero across a gap.
fn never_pulls(law: &Normal<f64>) {
    let mut dice = Dice::new(2);
    for _ in 0..SAMPLES {
        let (at, z, phase) = sample(law, &mut dice);
        let out = law.eval(&at, &z, phase, &mut vec![0.0; z.len()]);
        if !law.pulls() {
            assert!(out.force >= 0.0, "force {:e} N at depth {:e}, rate {:e}", out.force, at.depth, at.rate);
        }
        if at.depth < 0.0 {
            assert_eq!(out.force, 0.0, "force across a gap of {:e} m", -at.depth);
        }
    }
}

/// Net work done on the law over `duration`, starting untouched, along `path(t) -> (depth, rate)`.
pub fn normal_work(law: &Normal<f64>, path: impl Fn(f64) -> (f64, f64), duration: f64, steps: usize) -> Work {
    let n = law.states().len();
    let mut z = vec![0.0; n];
    let mut phase = Phase::Open;
    let dt = duration / steps as f64;
    let mut work = Work { step: dt, ..Work::default() };
    let at = |t: f64| {
        let (depth, rate) = path(t);
        Indent::from_lens(lens(), depth, rate)
    };
    for step in 0..steps {
        let t = step as f64 * dt;
        let here = at(t);
        let is_touching = law.touching(&here, &z, phase) > 0.0;
        phase = match phase {
            Phase::Open if is_touching => {
                law.touch(&here, &mut z);
                Phase::Touching
            }
            Phase::Recovering if is_touching => Phase::Touching,
            Phase::Touching | Phase::Recovering if !is_touching && law.is_spent(&z) => Phase::Open,
            Phase::Touching if !is_touching => Phase::Recovering,
            other => other,
        };
        // classical Runge–Kutta on the states and the work
        let mut slope = vec![[0.0; 4]; n];
        let mut power = [0.0; 4];
        for (stage, c) in [0.0, 0.5, 0.5, 1.0].into_iter().enumerate() {
            let trial: Vec<f64> =
                (0..n).map(|i| z[i] + if stage == 0 { 0.0 } else { c * dt * slope[i][stage - 1] }).collect();
            let mut zdot = vec![0.0; n];
            let there = at(t + c * dt);
            power[stage] = law.eval(&there, &trial, phase, &mut zdot).force * there.rate;
            (0..n).for_each(|i| slope[i][stage] = zdot[i]);
        }
        (0..n).for_each(|i| z[i] += runge_kutta(&slope[i], dt));
        work.add(&power);
    }
    work
}

/// No closed random motion, touching and separating, gains energy.
fn passive(law: &Normal<f64>) {
    if law.promise() == Promise::Nothing {
        return;
    }
    let mut dice = Dice::new(3);
    for _ in 0..6 {
        let period = dice.scale(1e-2, 1.0);
        let (offset, amplitude) = (dice.between(-3e-4, 6e-4), dice.scale(1e-4, 1e-3));
        let path = ClosedPath::new(&mut dice, offset, amplitude);
        normal_work(law, |t| path.at(t, period), 3.0 * period, 30_000).assert_passive();
    }
}

/// Slopes of the force over depth and rate from duals agree with differences.
fn derivatives(law: &Normal<f64>) {
    let Some(dual) = law.map(&mut Dual::<1>::lit) else { return };
    let mut dice = Dice::new(4);
    for _ in 0..SAMPLES {
        let (at, z, phase) = sample(law, &mut dice);
        let dual_z: Vec<Dual<1>> = z.iter().map(|z| Dual::lit(*z)).collect();
        let mut unused = vec![Dual::lit(0.0); z.len()];
        let mut slope = |depth_seed: f64, rate_seed: f64| {
            let at = Indent::from_lens(lens(), moving(at.depth, depth_seed), moving(at.rate, rate_seed));
            rate_of(dual.eval(&at, &dual_z, phase, &mut unused).force)
        };
        let (by_depth, by_rate) = (slope(1.0, 0.0), slope(0.0, 1.0));
        let force = |depth: f64, rate: f64| {
            law.eval(&Indent::from_lens(lens(), depth, rate), &z, phase, &mut vec![0.0; z.len()]).force
        };
        assert_slope("over depth", &|x| force(x, at.rate), at.depth, by_depth, 0.0);
        assert_slope("over rate", &|v| force(at.depth, v), at.rate, by_rate, 0.0);
    }
}

/// Four lanes answer as four scalars.
fn lanes(law: &Normal<f64>) {
    let Some(wide) = law.map(&mut Lanes::lit) else { return };
    let n = law.states().len();
    let mut dice = Dice::new(5);
    for _ in 0..SAMPLES / 4 {
        let samples: Vec<_> = std::iter::repeat_with(|| sample(law, &mut dice))
            .filter(|(.., phase)| *phase == Phase::Touching)
            .take(4)
            .collect();
        let gather = |f: &dyn Fn(usize) -> f64| Lanes::from([f(0), f(1), f(2), f(3)]);
        let at = Indent::from_lens(lens(), gather(&|i| samples[i].0.depth), gather(&|i| samples[i].0.rate));
        let z: Vec<Lanes> = (0..n).map(|k| gather(&|i| samples[i].1[k])).collect();
        let mut zdot = vec![Lanes::lit(0.0); n];
        let out = wide.eval(&at, &z, Phase::Touching, &mut zdot);
        for (i, (at, z, phase)) in samples.iter().enumerate() {
            let mut one_zdot = vec![0.0; n];
            let one = law.eval(at, z, *phase, &mut one_zdot);
            assert_same("force", out.force.extract(i), one.force);
            assert_same("stored", out.stored.extract(i), one.stored);
            assert_same("dissipated", out.dissipated.extract(i), one.dissipated);
            (0..n).for_each(|k| assert_same("state rate", zdot[k].extract(i), one_zdot[k]));
        }
    }
}
