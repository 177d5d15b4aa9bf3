//! The inclusions themselves, solved by implicit Euler steps: what systems of proxies converge to as they stiffen.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle::nonsmooth::{Builder, Dio, Limit, Sgn, System, run};
use bristle::ode::AdaptiveOptions;
use bristle::run::{Method, RunOptions};
use std::f64::consts::PI;

fn positions(system: &System, name: &str, end: f64, samples: usize) -> Vec<f64> {
    let method = Method::Adaptive(AdaptiveOptions::with_rtol(1e-9));
    let every = end / samples as f64;
    let options = RunOptions {
        duration: end,
        method,
        every,
        during_contact: None,
        quantities: Vec::new(),
        impacts: true,
        threads: 1,
        film: None,
        choice: None,
    };
    let run = run(system, &options, |_| true).unwrap();
    run.recording.column(name).unwrap().values.clone()
}

fn furthest(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Twice the finer less the coarser: what is left is of second order in the step, but for the steps at which something
/// sticks or slips.
fn extrapolated(of: impl Fn(usize) -> Vec<f64>, steps: usize) -> Vec<f64> {
    of(steps).iter().zip(of(2 * steps)).map(|(coarse, fine)| 2.0 * fine - coarse).collect()
}

fn push(t: f64) -> f64 {
    4.0 * (2.0 * PI * t).sin() + 2.0 * (4.4 * PI * t).sin()
}

/// M v̇ ∈ push − F sgn(v), M = 1, F = 3: the implicit step is a projection (Kikuuwe's method).
fn one_by_projection(steps: usize, samples: usize, end: f64) -> Vec<f64> {
    let (h, limit) = (end / (steps * samples) as f64, 3.0);
    let (mut p, mut v) = (0.0, 0.0);
    let mut all = vec![p];
    for sample in 0..samples {
        for step in 0..steps {
            let t = (sample * steps + step + 1) as f64 * h;
            let free = v + h * push(t);
            v = free - f64::clamp(free, -h * limit, h * limit);
            p += h * v;
        }
        all.push(p);
    }
    all
}

#[test]
fn a_stiffening_friction_term_converges_to_its_inclusion() {
    let (end, samples) = (3.0, 60);
    let exact = extrapolated(|steps| one_by_projection(steps, samples, end), 20_000);
    let distance = |stiffness: f64| {
        let mut b = Builder::new();
        let (p, v) = (b.state("p", 0.0), b.velocity("v", 0.0));
        let sgn = Sgn { stiffness, beta: 2.0 / stiffness.sqrt() };
        let f = b.sgn("f", 3.0, move |at| at[v], sgn);
        b.rates(move |at, to| {
            to[p] = at[v];
            to[v] = push(at.t) - at[f];
        });
        furthest(&positions(&b.build().unwrap(), "p", end, samples), &exact)
    };
    let errors = [1e3, 1e4, 1e5, 1e6].map(distance);
    println!("{errors:?}");
    // At a reversal the force turns over a way of 2F/K, which takes a time of √(4F/(KA)) at an acceleration A: that long the
    // block is late. Ten reversals at 1 m/s² and 0.5 m/s at most.
    for (error, stiffness) in errors.iter().zip([1e3, 1e4, 1e5, 1e6]) {
        let late = f64::sqrt(4.0 * 3.0 / stiffness);
        assert!(*error < 10.0 * 0.5 * late, "{error:e} at {stiffness:e}");
    }
    // and so at least of order one half
    for pair in errors.windows(2) {
        assert!(pair[1] < pair[0] / 10f64.sqrt(), "{errors:?}");
    }
}

/// Example 2 with everything in touch: the wall, the two blocks, the belt, and three frictions that depend on each other.
/// The implicit step has three unilateral contacts and three frictions at once; their impulses are found by projection,
/// one after the other, until they no longer change.
fn three_by_projection(steps: usize, samples: usize, end: f64) -> Vec<f64> {
    let h = end / (steps * samples) as f64;
    let (m1, m2, g, k, u) = (1.0, 2.0, 9.8, 200.0, 0.5);
    let (mut p, mut v) = ([0.0, 0.1, 0.0, 0.0], [0.0; 4]);
    // wall, between, floor, and their frictions; kept as a first guess for the next step
    let mut r = [0.0_f64; 6];
    let mut all = vec![p[1]];
    for _ in 0..samples {
        for _ in 0..steps {
            // the spring is implicit too
            let spring = 1.0 + h * h * k / m1;
            let free = [v[0], (v[1] - h * k / m1 * p[1]) / spring, v[2], v[3] - h * g];
            for _ in 0..500 {
                let before = r;
                let at = |r: &[f64; 6]| {
                    [
                        free[0] + (r[0] - r[1]) / m1,
                        free[1] - (r[3] + r[4]) / (m1 * spring),
                        free[2] + (r[1] - r[5]) / m2,
                        free[3] + (r[2] + r[4]) / m2,
                    ]
                };
                let v = at(&r);
                r[0] = (r[0] - m1 * (v[0] + p[0] / h)).max(0.0);
                let v = at(&r);
                let mass = 1.0 / (1.0 / m1 + 1.0 / m2);
                r[1] = (r[1] - mass * (v[2] - v[0] + (p[2] - p[0]) / h)).max(0.0);
                let v = at(&r);
                r[2] = (r[2] - m2 * (v[3] + p[3] / h)).max(0.0);
                let v = at(&r);
                r[3] = f64::clamp(r[3] + m1 * spring * v[1], -0.2 * r[0], 0.2 * r[0]);
                let v = at(&r);
                let mass = 1.0 / (1.0 / (m1 * spring) + 1.0 / m2);
                r[4] = f64::clamp(r[4] + mass * (v[1] - v[3]), -0.3 * r[1], 0.3 * r[1]);
                let v = at(&r);
                r[5] = f64::clamp(r[5] + m2 * (v[2] + u), -0.4 * r[2], 0.4 * r[2]);
                let change = r.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                if change < 1e-15 {
                    break;
                }
            }
            v = [
                free[0] + (r[0] - r[1]) / m1,
                free[1] - (r[3] + r[4]) / (m1 * spring),
                free[2] + (r[1] - r[5]) / m2,
                free[3] + (r[2] + r[4]) / m2,
            ];
            (0..4).for_each(|i| p[i] += h * v[i]);
        }
        all.push(p[1]);
    }
    all
}

/// The same with proxies, which are empty at the start.
fn in_touch(stiffness: f64) -> System {
    let (m1, m2, g, k, u) = (1.0, 2.0, 9.8, 200.0, 0.5);
    let beta = 2.0 / stiffness.sqrt();
    let (dio, sgn) = (Dio { stiffness, alpha: 0.5 * beta, beta }, Sgn { stiffness, beta });
    let mut b = Builder::new();
    let p = [("p1x", 0.0), ("p1y", 0.1), ("p2x", 0.0), ("p2y", 0.0)].map(|(n, x)| b.state(n, x));
    let v = ["v1x", "v1y", "v2x", "v2y"].map(|n| b.velocity(n, 0.0));
    let wall = b.dio("wall", move |at| at[p[0]], dio);
    let between = b.dio("between", move |at| at[p[2]] - at[p[0]], dio);
    let floor = b.dio("floor", move |at| at[p[3]], dio);
    let f1 = b.sgn("f1", Limit::Times(0.2, wall), move |at| at[v[1]], sgn);
    let f2 = b.sgn("f2", Limit::Times(0.3, between), move |at| at[v[1]] - at[v[3]], sgn);
    let belt = b.sgn("belt", Limit::Times(0.4, floor), move |at| at[v[2]] + u, sgn);
    b.rates(move |at, to| {
        (0..4).for_each(|i| to[p[i]] = at[v[i]]);
        to[v[0]] = (at[wall] - at[between]) / m1;
        to[v[1]] = -(k * at[p[1]] + at[f1] + at[f2]) / m1;
        to[v[2]] = (at[between] - at[belt]) / m2;
        to[v[3]] = (at[floor] + at[f2]) / m2 - g;
    });
    b.build().unwrap()
}

#[test]
fn three_interacting_contacts_converge_to_their_inclusion() {
    let (end, samples) = (1.0, 50);
    let exact = extrapolated(|steps| three_by_projection(steps, samples, end), 400);
    let stiffnesses = [1e4, 1e5, 1e6];
    let errors = stiffnesses.map(|k| furthest(&positions(&in_touch(k), "p1y", end, samples), &exact));
    println!("{errors:?}");
    // the contacts are built up in a time √(M/K), and friction is missing for that long: an impulse of
    // μ M g √(M/K) at the start, which moves the oscillator (ω = 14/s) by a tenth of it
    for (error, k) in errors.iter().zip(stiffnesses) {
        let missing = 0.5 * 0.4 * 2.0 * 9.8 * (2.0 / k).sqrt() / 14.0;
        assert!(*error < 2.0 * missing, "{error:e} at {k:e}, {missing:e} is expected");
    }
    assert!(errors[1] < errors[0] / 2.0 && errors[2] < errors[1] / 2.0, "{errors:?}");
}
