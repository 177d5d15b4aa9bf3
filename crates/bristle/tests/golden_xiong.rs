//! Friction that does not creep and contact by a proxy against reference values for Xiong, Kikuuwe &
//! Yamamoto (2013).

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use bristle::laws::{Friction, Normal, Phase};
use bristle::math::Vector3;
use bristle::ode::{Direction, State, integrate};
use bristle::{Event, PointContact, Setup};
use std::f64::consts::PI;
use std::ops::ControlFlow;
use support::{Claim, Table, follow, json, largest, list, method, number, params};

/// Integrated at 1e-12 per step through ten seconds or a dozen contacts.
const INTEGRATED: f64 = 1e-8;
const RTOL: f64 = 1e-12;

/// Depth at which the normal spring carries the load of 1 N exactly.
const REST: f64 = 1.0 / 1024.0;

/// The push of figure 3: end of each leg, s, and the force, N, over time.
type Leg = (f64, fn(f64) -> f64);
const PUSH: [Leg; 3] =
    [(1.0, |t| 0.55 * t), (1.2, |_| 0.55), (10.0, |t| 0.40 + 0.08 * (4.0 * PI * (t - 1.2)).sin())];

/// (position, velocity, first state of the friction law) of a block of 1 kg at the `times` (s).
fn pushed_block(friction: &Friction<f64>, times: &[f64]) -> Vec<[f64; 3]> {
    let normal = Normal::build("kelvin-voigt", &params(&[("stiffness", 1.0 / REST)])).unwrap();
    let mut state: Option<State<f64, Phase>> = None;
    let mut samples: Vec<(f64, [f64; 3])> = vec![];
    for (end, push) in PUSH {
        let applied = move |t: f64, _: &Vector3<f64>, _: &Vector3<f64>| Vector3::new(push(t), 0.0, 1.0);
        let system = PointContact::new(Setup {
            normal: &normal,
            friction: Some(friction),
            lens: None,
            mass: 1.0,
            plane_velocity: Vector3::zeros(),
            applied: &applied,
            scale: (1e-3, 1e-2),
        });
        let state = state.get_or_insert_with(|| system.start(Vector3::new(0.0, 0.0, REST), Vector3::zeros()));
        for sample in follow(&system, state, end, times, RTOL) {
            if samples.last().is_none_or(|(t, _)| *t < sample.t) {
                samples.push((sample.t, [sample.x[0], sample.x[3], sample.x[6]]));
            }
        }
    }
    assert_eq!(samples.len(), times.len());
    samples.into_iter().map(|(_, values)| values).collect()
}

/// Both laws hold 0.5 N at the load of 1 N.
fn proxy() -> Friction<f64> {
    let p = params(&[("friction", 0.5), ("stiffness", 1e4), ("beta", 0.02)]);
    Friction::build("proxy-coulomb", &p).unwrap()
}

fn lugre() -> Friction<f64> {
    let p = params(&[("static", 0.5), ("kinetic", 0.5), ("stiffness", 1e4), ("damping", 200.0)]);
    Friction::build("lugre", &p).unwrap()
}

#[test]
fn pushed_blocks_move_as_in_figure_3() {
    let table = Table::read("xiong_fig3_friction.csv");
    let times: Vec<f64> = table.rows().iter().map(|row| row[0]).collect();
    let mut claim = Claim::within(INTEGRATED, "pushed block, of the largest values");
    for (law, columns) in [(proxy(), &[2, 3, 4][..]), (lugre(), &[5, 6])] {
        let got = pushed_block(&law, &times);
        for (k, column) in columns.iter().enumerate() {
            let size = largest(table.rows().iter().map(|row| row[*column]));
            for (got, row) in got.iter().zip(table.rows()) {
                let label = format!("{} at {}", table.names()[*column], row[0]);
                claim.check(label, got[k], row[*column], size);
            }
        }
    }
    claim.hold();
}

#[test]
fn positions_of_pushed_blocks_are_sampled_exactly() {
    let scalars = json("xiong_fig3.json");
    let samples = list(&scalars, "samples");
    let times: Vec<f64> = samples.iter().map(|sample| number(sample, "t")).collect();
    let mut claim = Claim::within(INTEGRATED, "samples of pushed blocks");
    let (by_proxy, by_lugre) = (pushed_block(&proxy(), &times), pushed_block(&lugre(), &times));
    for (i, sample) in samples.iter().enumerate() {
        for (name, got) in
            [("p_proposed", by_proxy[i][0]), ("a", by_proxy[i][2]), ("p_lugre", by_lugre[i][0])]
        {
            claim.relative(format!("{name} at {}", times[i]), got, number(sample, name));
        }
    }
    claim.hold();
}

/// Mean displacement per cycle of the push, half a second long, over the last fourteen.
fn drift(law: &Friction<f64>) -> f64 {
    let p = pushed_block(law, &[2.7, 9.7]);
    (p[1][0] - p[0][0]) / 14.0
}

#[test]
fn lugre_drifts_below_the_limit_as_published() {
    let mut claim = Claim::within(0.01, "drift of LuGre");
    claim.relative("per cycle", drift(&lugre()), number(&json("xiong_fig3.json"), "drift_lugre_per_cycle"));
    claim.hold();
}

#[test]
fn the_proxy_does_not_drift_below_the_limit() {
    let mut claim = Claim::within(1e-12, "drift of the proxy, m per cycle");
    claim.check("per cycle", drift(&proxy()), 0.0, 1.0);
    claim.hold();
}

/// Figure 5: the shares α/β, as in the names of the file.
const SHARES: [&str; 4] = ["1", "0.7", "0.5", "0.1"];
const BETA: f64 = 0.01;

/// A mass of 1 kg dropped from 0.1 m, handed to `run` with its start.
fn dropped<R>(share: &str, run: impl FnOnce(&PointContact<'_>, State<f64, Phase>) -> R) -> R {
    let share: f64 = share.parse().unwrap();
    let law = params(&[("stiffness", 1e4), ("alpha", share * BETA), ("beta", BETA)]);
    let normal = Normal::build("proxy", &law).unwrap();
    let system = PointContact::new(Setup {
        normal: &normal,
        friction: None,
        lens: None,
        mass: 1.0,
        plane_velocity: Vector3::zeros(),
        applied: &|_, _, _| Vector3::new(0.0, 0.0, 9.8),
        scale: (0.01, 1.0),
    });
    let start = system.start(Vector3::new(0.0, 0.0, -0.1), Vector3::zeros());
    run(&system, start)
}

#[test]
fn dropped_masses_move_as_in_figure_5() {
    let table = Table::read("xiong_fig5_contact.csv");
    let mut claim = Claim::within(INTEGRATED, "dropped mass, of the largest values");
    for share in SHARES {
        let rows = table.rows_of(share.parse().unwrap());
        let times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        let sizes: Vec<f64> = (1..5).map(|k| largest(rows.iter().map(|row| row[k]))).collect();
        let got: Vec<[f64; 4]> = dropped(share, |system, mut state| {
            let samples = follow(system, &mut state, times[times.len() - 1], &times, RTOL);
            let values = samples.iter().map(|sample| {
                let force = system.forces(&sample.x, sample.phase).0.force;
                [-sample.x[2], -sample.x[5], sample.x[6], force]
            });
            values.collect()
        });
        assert_eq!(got.len(), rows.len());
        for (got, row) in got.iter().zip(rows) {
            for (k, name) in ["p", "v", "e", "f"].iter().enumerate() {
                claim.check(format!("{share}: {name} at {}", row[0]), got[k], row[1 + k], sizes[k]);
            }
        }
    }
    claim.hold();
}

/// What happened to a dropped mass in two seconds.
#[derive(Default)]
struct Bounces {
    /// (time, velocity, height) where the force begins.
    on: Vec<[f64; 3]>,
    /// The same where it ends.
    off: Vec<[f64; 3]>,
    peak_force: f64,
    lowest: f64,
    /// (height, proxy) at the end.
    end: [f64; 2],
}

fn bounces(share: &str) -> Bounces {
    dropped(share, |system, mut state| {
        let mut seen = Bounces::default();
        let mut integrator = method(system, RTOL);
        integrate(system, &mut integrator, &mut state, 2.0, |now| {
            let x = &now.state.x;
            let here = [now.state.t, -x[5], -x[2]];
            let force = system.forces(x, now.state.mode).0.force;
            let is_first = seen.off.is_empty();
            for fired in now.fired() {
                let is = |event: Event| fired.index == event as usize;
                // The force begins and ends at its switch. On a flat surface that is the surface itself, and
                // with α = β always.
                if is(Event::Switch) || is(Event::Touch) {
                    let is_on = seen.on.len() > seen.off.len();
                    match fired.direction {
                        Direction::Falling if is_on => seen.off.push(here),
                        Direction::Rising if !is_on && force > 0.0 => seen.on.push(here),
                        _ => {}
                    }
                } else if is(Event::ForceRate) && is_first {
                    seen.peak_force = seen.peak_force.max(force);
                } else if is(Event::Rate) && is_first {
                    seen.lowest = seen.lowest.min(here[2]);
                }
            }
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
        seen.end = [-state.x[2], state.x[6]];
        seen
    })
}

#[test]
fn contacts_begin_and_end_as_in_figure_5() {
    let results = &json("xiong_fig5.json")["results"];
    // seconds, metres, metres per second; forces relative
    let mut claim = Claim::within(INTEGRATED, "contacts of the dropped mass");
    for share in SHARES {
        let wanted = &results[format!("alpha_over_beta_{share}")];
        let seen = bounces(share);
        let contacts = list(wanted, "contacts");
        assert_eq!(seen.off.len(), contacts.len(), "contacts that ended, α/β = {share}");
        for (i, want) in contacts.iter().enumerate() {
            let names = ["t_on", "v_on", "t_off", "v_off", "p_off"];
            let got = [seen.on[i][0], seen.on[i][1], seen.off[i][0], seen.off[i][1], seen.off[i][2]];
            for (name, got) in names.iter().zip(got) {
                claim.check(format!("{share}, contact {i}: {name}"), got, number(want, name), 1.0);
            }
        }
        claim.relative(format!("{share}: first peak"), seen.peak_force, number(wanted, "first_peak_force"));
        claim.check(format!("{share}: lowest"), seen.lowest, number(wanted, "first_min_p"), 1.0);
        claim.check(format!("{share}: height at the end"), seen.end[0], number(wanted, "p_end"), 1.0);
        claim.check(format!("{share}: proxy at the end"), seen.end[1], number(wanted, "e_end"), 1.0);
    }
    claim.hold();
}
