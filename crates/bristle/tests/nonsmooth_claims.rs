//! What must be true of systems of formulas: friction that holds, contacts that do not pull, ledgers that close, order,
//! restitution, stability.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;
#[path = "support/xiong.rs"]
mod xiong;

use bristle::nonsmooth::compare::compare;
use bristle::nonsmooth::guide::{
    ContactWish, contact, contact_rates, friction, friction_rates, largest_step, least_penetration,
    restitution, restitution_range,
};
use bristle::nonsmooth::{Builder, Dio, Limit, Runner, Sgn, System, Warning, prepare, run};
use bristle::ode::{AdaptiveOptions, FixedOptions, Kernel, Method as Formula, Pair, System as _};
use bristle::run::{Method, RunOptions};
use bristle::scene::Scene;
use std::f64::consts::PI;
use support::{Claim, Table, json, number};

fn options(duration: f64, every: f64, method: Method) -> RunOptions {
    RunOptions {
        duration,
        method,
        every,
        during_contact: None,
        quantities: Vec::new(),
        impacts: true,
        threads: 1,
        film: None,
        choice: None,
    }
}

fn adaptive(rtol: f64) -> Method {
    Method::Adaptive(AdaptiveOptions { pair: Pair::Dop853, ..AdaptiveOptions::with_rtol(rtol) })
}

fn fixed(formula: Formula, step: f64) -> Method {
    Method::Fixed(FixedOptions::new(formula, step))
}

fn scene(name: &str) -> (System, RunOptions) {
    let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let prepared = prepare(&Scene::load(path, &[]).unwrap()).unwrap();
    (prepared.system, prepared.options)
}

/// A mass at this height and speed over one contact term, without gravity.
fn dropped(dio: Dio, mass: f64, height: f64, speed: f64) -> System {
    let depth = (mass / dio.stiffness).sqrt();
    let mut b = Builder::new();
    let (p, v) = (b.state("p", height), b.velocity("v", -speed));
    b.scaled(p, "m", depth).scaled(v, "m/s", 1.0);
    let n = b.dio("n", move |at| at[p], dio);
    b.rates(move |at, to| {
        to[p] = at[v];
        to[v] = at[n] / mass;
    });
    b.energy(move |at| 0.5 * mass * at[v] * at[v]);
    b.build().unwrap()
}

#[test]
fn every_scene_closes_its_ledger_and_no_contact_pulls() {
    for name in ["xiong_friction", "xiong_contact", "xiong_point_mass", "xiong_two_blocks"]
        .into_iter()
        .chain(["controlled_slider", "ratchet", "clutch"])
    {
        let (system, options) = scene(name);
        let run = run(&system, &options, |_| true).unwrap();
        let relative = run.closure.unwrap() / run.in_play;
        println!("{name}: closure {relative:.1e}, {} steps", run.stats.steps);
        // quadratures are as good as the steps, whose tolerance is 1e-9 or less
        assert!(relative < 1e-8, "{name}: {relative:e}");
        assert!(run.forces.iter().all(|(_, least)| *least >= 0.0), "{name} pulls");
        assert!(run.last.lost.iter().all(|lost| *lost >= 0.0), "{name} gains energy");
        for contact in system.contacts() {
            let values = &run.recording.column(&contact.name).unwrap().values;
            assert!(values.iter().all(|f| *f >= 0.0), "{name}: {} pulls", contact.name);
        }
    }
}

#[test]
fn the_ratchet_goes_one_tooth_a_cycle_and_the_slider_hunts() {
    let (system, options) = scene("ratchet");
    let result = run(&system, &options, |_| true).unwrap();
    let (times, phi) = (&result.recording.columns[0].values, &result.recording.column("phi").unwrap().values);
    let at = |t: f64| phi[times.iter().position(|x| (x - t).abs() < 1e-9).unwrap()];
    for cycle in 2..8 {
        let teeth = (at(f64::from(cycle) + 1.0) - at(f64::from(cycle))) / (2.0 * PI / 12.0);
        assert!((teeth - 1.0).abs() < 0.02, "cycle {cycle}: {teeth} teeth");
    }
    let (system, options) = scene("controlled_slider");
    let result = run(&system, &options, |_| true).unwrap();
    let late = result.slides[0].iter().filter(|s| s.slips && s.start > 5.0).count();
    assert!(late >= 4, "it slips {late} times after 5 s");
}

#[test]
fn the_clutch_synchronises_slips_when_it_is_lifted_and_takes_hold_again() {
    let (system, options) = scene("clutch");
    let result = run(&system, &options, |_| true).unwrap();
    let slip = |t: f64| {
        let times = &result.recording.columns[0].values;
        let row = times.iter().position(|x| (x - t).abs() < 1e-9).unwrap();
        result.recording.column("torque.velocity").unwrap().values[row]
    };
    // while it holds, the proxy follows the torque: 0.25 N m/s over 2e4 N m/rad
    assert!(slip(0.4) > 50.0 && slip(2.9).abs() < 1e-4, "{} {}", slip(0.4), slip(2.9));
    assert!(slip(4.0) > 1.0 && slip(6.0).abs() < 1e-4, "{} {}", slip(4.0), slip(6.0));
}

/// A block under a tangential load in a circle below its friction, and a normal load that swings too.
#[test]
fn static_friction_holds_under_swinging_tangential_and_normal_load() {
    let (mass, mu) = (1.0, 0.5);
    let push = |t: f64| [1.5 * (4.0 * PI * t).cos() + 1.0, 1.5 * (4.0 * PI * t).sin()];
    let press = |t: f64| 12.0 + 4.0 * (2.0 * PI * t).sin();
    let mut b = Builder::new();
    let p = ["x", "y", "z"].map(|name| b.state(name, 0.0));
    let v = ["vx", "vy", "vz"].map(|name| b.velocity(name, 0.0));
    p.iter().for_each(|p| _ = b.scaled(*p, "m", 1e-3));
    v.iter().for_each(|v| _ = b.scaled(*v, "m/s", 1e-2));
    let n = b.dio("n", move |at| at[p[2]], Dio { stiffness: 1e5, alpha: 0.0025, beta: 0.005 });
    let sgn = Sgn { stiffness: 1e5, beta: 0.005 };
    let f = b.sgn2("f", Limit::Times(mu, n), move |at| [at[v[0]], at[v[1]]], sgn);
    b.rates(move |at, to| {
        let (push, f) = (push(at.t), at.vector(f));
        for i in 0..2 {
            to[p[i]] = at[v[i]];
            to[v[i]] = (push[i] - f[i]) / mass;
        }
        to[p[2]] = at[v[2]];
        to[v[2]] = (at[n] - press(at.t)) / mass;
    });
    let system = b.build().unwrap();
    let result = run(&system, &options(12.0, 1.0, adaptive(1e-11)), |_| true).unwrap();
    // the load has a period of 1 s; the start has died down after 2 s
    for name in ["x", "y"] {
        let values = &result.recording.column(name).unwrap().values;
        let drift = (values[12] - values[2]) / 10.0;
        println!("{name}: {drift:e} m per cycle");
        assert!(drift.abs() < 1e-12, "{name} drifts {drift:e} m per cycle");
    }
    assert!(result.slides[0].iter().all(|s| !s.slips || s.end < 1.0), "it slips: {:?}", result.slides[0]);
}

#[test]
fn rk4_has_order_four_between_events_and_across_them() {
    let dio = Dio { stiffness: 1e4, alpha: 0.004, beta: 0.01 };
    let system = dropped(dio, 1.0, 0.005, 1.0);
    // 5 ms to touchdown; released after about 30 ms
    for (end, what, least) in [(0.02, "in contact", 3.8), (0.05, "across touchdown and lift-off", 3.6)] {
        let at_end = |method: Method| {
            let run = run(&system, &options(end, end, method), |_| true).unwrap();
            (run.state.x[0], run.state.x[1], run.stats.events)
        };
        let exact = at_end(adaptive(1e-14));
        let error = |step: f64| {
            let got = at_end(fixed(Formula::Rk4, step));
            assert_eq!(got.2, exact.2, "events");
            ((got.0 - exact.0) / 0.01).abs().max((got.1 - exact.1).abs())
        };
        let (coarse, fine) = (error(5e-4), error(1.25e-4));
        let order = (coarse / fine).log2() / 2.0;
        println!("{what}: {coarse:.1e} {fine:.1e} order {order:.2}");
        assert!(order > least && order < 5.0, "{what}: order {order}");
    }
}

/// Speed after an impact at 1 m/s, by simulation.
fn simulated_restitution(dio: Dio, mass: f64) -> f64 {
    let system = dropped(dio, mass, 0.0, 1.0);
    let natural = (mass / dio.stiffness).sqrt();
    let method = Method::Adaptive(AdaptiveOptions {
        pair: Pair::Dop853,
        // of the natural depth and of 1 m/s; the proxy has a scale of its own, of which less is enough
        rtol: 1e-12,
        atol: 1e-13 * natural,
        ..AdaptiveOptions::default()
    });
    let run = run(&system, &options(40.0 * natural.max(dio.beta), 1.0, method), |_| true).unwrap();
    assert_eq!(run.pushes[0].len(), 1);
    run.state.x[1]
}

#[test]
fn restitution_is_that_of_the_closed_form() {
    let mut claim = Claim::within(1e-8, "restitution");
    for share in [0.05, 0.2, 0.5, 0.8, 1.0] {
        for stiffness in [1e3, 1e5, 1e7] {
            for mass in [0.1, 1.0, 10.0] {
                for damping in [0.3, 1.0, 3.0] {
                    let beta = damping * f64::sqrt(mass / stiffness);
                    let dio = Dio { stiffness, alpha: share * beta, beta };
                    let want = restitution(&dio, mass).unwrap();
                    claim.check(format!("{dio:?}, {mass} kg"), simulated_restitution(dio, mass), want, 1.0);
                }
            }
        }
    }
    claim.hold();
}

#[test]
fn a_wanted_restitution_is_had() {
    let mut claim = Claim::within(1e-6, "wanted restitution");
    for (stiffness, mass) in [(1e4, 1.0), (1e6, 0.2)] {
        let beta = 1.5 * f64::sqrt(mass / stiffness);
        let (low, high) = restitution_range(stiffness, beta, mass).unwrap();
        assert!(low > 0.1 && low < 0.25 && high == 1.0, "{low}");
        for e in [0.4, 0.7, 0.95, 1.0] {
            let dio = Dio::with_restitution(stiffness, beta, e, mass).unwrap();
            claim.check(format!("{e} of {mass} kg"), simulated_restitution(dio, mass), e, 1.0);
        }
        let error = Dio::with_restitution(stiffness, beta, 0.5 * low, mass).unwrap_err().to_string();
        assert!(error.contains("cannot be reached; the reachable range is"), "{error}");
    }
    claim.hold();
}

#[test]
fn advice_gives_the_penetration_and_says_what_a_step_allows() {
    for e in [0.05, 0.4, 0.8, 1.0] {
        let wish = ContactWish { mass: 2.0, restitution: e, speed: 1.5, penetration: 1e-3 };
        let advice = contact(&wish).unwrap();
        assert!((advice.penetration - 1e-3).abs() < 1e-12, "{advice:?}");
        let system = dropped(advice.dio, 2.0, 0.0, 1.5);
        let method =
            Method::Adaptive(AdaptiveOptions { max_step: 1e-5, ..AdaptiveOptions::with_rtol(1e-10) });
        let mut runner = Runner::new(&system, &options(10.0 * advice.duration, 1e-6, method)).unwrap();
        while runner.step().unwrap() {}
        let run = runner.finish();
        assert!((run.state.x[1] / 1.5 - e).abs() < 1e-6, "{} for {e}", run.state.x[1] / 1.5);
        let deepest = run.recording.column("p").unwrap().values.iter().copied().fold(0.0, f64::min);
        // sampled every 1e-6 s: ½ f/m t² of the top is missed
        assert!((deepest + 1e-3).abs() < 1e-8, "{deepest}");
        let step = advice.largest_step(Formula::Rk4);
        let least = least_penetration(e, 1.5, Formula::Rk4, step).unwrap();
        assert!((least - 1e-3).abs() < 1e-9, "{least}");
    }
    let advice = friction(2.0, 5.0, 1e-4).unwrap();
    assert_eq!(advice.sgn.stiffness, 5.0 / 1e-4);
    // critical damping: a double rate at ω, and RK4 reaches 2.785 of it
    let omega = (advice.sgn.stiffness / 2.0).sqrt();
    assert!((advice.largest_step(Formula::Rk4) * omega - 2.785).abs() < 1e-3);
    for (wish, message) in [
        (
            ContactWish { mass: -1.0, restitution: 0.4, speed: 1.0, penetration: 1e-3 },
            "mass = -1 must be > 0 and finite",
        ),
        (
            ContactWish { mass: 1.0, restitution: 1.4, speed: 1.0, penetration: 1e-3 },
            "restitution = 1.4 must be > 0 and <= 1",
        ),
    ] {
        assert_eq!(contact(&wish).unwrap_err().to_string(), message);
    }
}

/// How much a small disturbance of one component of a resting state grows in many steps of a method.
fn growth(system: &System, rest: &[f64], disturbed: usize, formula: Formula, step: f64) -> f64 {
    let state = system.start();
    let mut x = state.x.clone();
    x[..rest.len()].copy_from_slice(rest);
    x[disturbed] *= 1.0 + 1e-9;
    let start = (x[disturbed] - rest[disturbed]).abs();
    let mut ws = system.scratch();
    let mut kernel = Kernel::new(formula, x.len());
    let mut largest: f64 = 0.0;
    for i in 0..40_000 {
        kernel.advance(system, f64::from(i) * step, step, &mut x, &state.mode, &mut ws);
        largest = largest.max((x[disturbed] - rest[disturbed]).abs());
        if largest > 1e4 * start {
            break;
        }
    }
    largest / start
}

#[test]
fn steps_are_stable_up_to_the_limit_and_not_beyond() {
    let (mass, g) = (2.0, 9.8);
    for share in [0.1, 0.5, 0.9] {
        let dio = Dio { stiffness: 1e5, alpha: share * 0.004, beta: 0.004 };
        let mut b = Builder::new();
        let (p, v) = (b.state("p", 0.0), b.velocity("v", 0.0));
        let n = b.dio("n", move |at| at[p], dio);
        b.rates(move |at, to| {
            to[p] = at[v];
            to[v] = at[n] / mass - g;
        });
        let system = b.build().unwrap();
        let depth = mass * g / dio.stiffness;
        // Without the proxy after release, which does not act here. Beside a limit of weakly damped rates a
        // disturbance grows slowly: tenfold is enough to tell.
        let rates = &contact_rates(&dio, mass)[..3];
        for formula in [Formula::Euler, Formula::Rk3, Formula::Rk4] {
            let limit = largest_step(formula, rates);
            let rest = [-depth, 0.0, depth];
            let grown = |share: f64| growth(&system, &rest, 0, formula, share * limit);
            let (below, above) = (grown(0.98), grown(1.05));
            println!("contact {share}, {formula:?}: limit {limit:.2e} s, {below:.1} {above:.1e}");
            assert!(below < 2.0 && above > 10.0, "{share}, {formula:?}: {below} {above}");
        }
    }
    for beta in [0.002, 0.02] {
        let sgn = Sgn { stiffness: 1e5, beta };
        let mut b = Builder::new();
        let (p, v) = (b.state("p", 0.0), b.velocity("v", 0.0));
        let f = b.sgn("f", 100.0, move |at| at[v], sgn);
        b.rates(move |at, to| {
            to[p] = at[v];
            to[v] = (10.0 - at[f]) / mass;
        });
        let system = b.build().unwrap();
        let stretch = 10.0 / sgn.stiffness;
        let rates = &friction_rates(&sgn, mass)[..2];
        for formula in [Formula::Euler, Formula::Rk4] {
            let limit = largest_step(formula, rates);
            let rest = [stretch, 0.0, stretch];
            // what moves is the proxy; where the block is has no effect
            let grown = |share: f64| growth(&system, &rest, 2, formula, share * limit);
            let (below, above) = (grown(0.98), grown(1.05));
            println!("friction {beta}, {formula:?}: limit {limit:.2e} s, {below:.1} {above:.1e}");
            assert!(below < 2.0 && above > 10.0, "{beta}, {formula:?}: {below} {above}");
        }
    }
    // an elastic contact has undamped rates: Euler never holds it, RK4 up to 2√2/ω
    let elastic = contact_rates(&Dio { stiffness: 1e4, alpha: 0.02, beta: 0.02 }, 1.0);
    assert_eq!(largest_step(Formula::Euler, &elastic), 0.0);
    assert!((largest_step(Formula::Rk4, &elastic[..3]) - 0.01 * 8f64.sqrt()).abs() < 1e-6);
}

#[test]
fn a_larger_alpha_adds_energy_and_the_ledger_says_so() {
    let dio = Dio { stiffness: 1e4, alpha: 0.012, beta: 0.01 };
    let system = dropped(dio, 1.0, 0.0, 1.0);
    assert_eq!(system.warnings().len(), 1);
    let text = system.warnings()[0].to_string();
    assert_eq!(text, "n: alpha is 1.2 times beta, and above 1 the contact adds energy");
    let run = run(&system, &options(0.2, 0.1, adaptive(1e-12)), |_| true).unwrap();
    // as computed for the reference: 1.098
    assert!((run.state.x[1] - 1.098).abs() < 5e-4, "{}", run.state.x[1]);
    assert!(run.last.lost[0] < -0.05 && run.closure.unwrap() < 1e-10, "{:?}", run.last);
}

#[test]
fn unused_terms_are_noticed() {
    let mut b = Builder::new();
    let (p, v) = (b.state("p", 0.1), b.velocity("v", 0.0));
    let dio = Dio { stiffness: 1e4, alpha: 0.005, beta: 0.01 };
    let sgn = Sgn { stiffness: 1e4, beta: 0.01 };
    let n = b.dio("n", move |at| at[p], dio);
    let _forgotten = b.dio("forgotten", move |at| at[p] + 1.0, dio);
    let load = b.dio("load", move |at| at[p], dio);
    let f = b.sgn("f", Limit::Times(0.3, load), move |at| at[v], sgn);
    let _lost = b.sgn("lost", 1.0, move |at| at[v], sgn);
    b.rates(move |at, to| {
        to[p] = at[v];
        to[v] = at[n] - at[f];
    });
    let names: Vec<String> = b
        .build()
        .unwrap()
        .warnings()
        .iter()
        .map(|w| if let Warning::Unused { term } = w { term.clone() } else { panic!("{w}") })
        .collect();
    assert_eq!(names, ["forgotten", "lost"]);
}

#[test]
fn the_other_forms_creep_and_pull() {
    let (system, options) = scene("xiong_friction");
    let result = compare(&system, &options, None).unwrap();
    let [proxy, lugre, regularised] = &result.variants[..] else { panic!("three forms") };
    // the window is not a whole number of the 0.5 s cycles: one in fifteen may be missing
    let reference = number(&json("xiong_fig3.json"), "drift_lugre_per_cycle") / 0.5;
    let creep = |v: &bristle::nonsmooth::compare::Variant| v.creep[0].unwrap();
    assert!(creep(proxy) < 1e-12, "{}", creep(proxy));
    assert!((creep(lugre) / reference - 1.0).abs() < 1.0 / 15.0, "{} {reference}", creep(lugre));
    // v χ-share/√(1 − share²) at a mean push of 0.4 N of 0.5 N
    assert!(creep(regularised) > 10.0 * creep(lugre));
    let table = Table::read("xiong_fig3_friction.csv");
    let mut claim = Claim::within(1e-8, "LuGre of figure 3, m");
    let run = lugre.outcome.as_ref().unwrap();
    for (got, row) in run.recording.column("p").unwrap().values.iter().zip(table.rows()) {
        claim.check(row[0], *got, row[5], 1.0);
    }
    claim.hold();
    let (system, options) = scene("xiong_point_mass");
    let result = compare(&system, &options, None).unwrap();
    let least = |k: usize| result.variants[k].outcome.as_ref().unwrap().forces[0].1;
    assert!(least(0) >= 0.0 && least(1) < -1.0 && least(2) < -1.0);
}

#[test]
fn a_saved_run_goes_on_to_the_bit() {
    let (system, options) = scene("xiong_point_mass");
    let whole = run(&system, &options, |_| true).unwrap();
    let mut first = Runner::new(&system, &options).unwrap();
    while first.time() < 0.3 {
        first.step().unwrap();
    }
    let bytes = first.save().unwrap();
    let mut second = Runner::new(&system, &options).unwrap();
    second.restore(&bytes).unwrap();
    while second.step().unwrap() {}
    let resumed = second.finish();
    assert_eq!(resumed.state.x, whole.state.x);
    assert_eq!(resumed.recording, whole.recording);
    assert_eq!((resumed.pushes, resumed.slides, resumed.last), (whole.pushes, whole.slides, whole.last));
    let other = scene("clutch");
    assert!(Runner::new(&other.0, &other.1).unwrap().restore(&bytes).is_err());
}
