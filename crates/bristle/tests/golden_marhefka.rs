//! Hunt–Crossley impacts and a stamping foot against reference values for Marhefka & Orin (1996).

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use bristle::impact::{self, Options};
use bristle::laws::normal::HuntCrossley;
use bristle::laws::{Impact, Normal, proportional};
use bristle::math::Vector3;
use bristle::ode::integrate;
use bristle::{Event, PointContact, Setup};
use std::ops::ControlFlow;
use support::{Claim, Table, follow, json, largest, list, number, params};

/// Closed forms: the reference has 1e-15, some conditioning on top.
const CLOSED: f64 = 1e-12;
/// Integrated at 1e-12 per step, a few hundred steps.
const INTEGRATED: f64 = 1e-9;
const RTOL: f64 = 1e-12;

#[test]
fn restitution_is_that_of_figure_3() {
    let table = Table::read("marhefka_fig3_cor.csv");
    let mut claim = Claim::within(CLOSED, "restitution over speed");
    for row in table.rows() {
        for (name, e) in table.names().iter().zip(row).skip(1) {
            let alpha: f64 = name.trim_start_matches("alpha").parse().unwrap();
            claim.relative(
                format!("{name} at {}", row[0]),
                proportional::restitution(1.5 * alpha * row[0]),
                *e,
            );
            if row[0] > 0.0 {
                let law = HuntCrossley::new(10e3, 1.0, 1.5 * alpha).unwrap();
                let out = law.forecast(&Impact::new(1.0, row[0])).restitution.unwrap();
                claim.relative(format!("{name} at {}, forecast", row[0]), out, *e);
            }
        }
    }
    claim.hold();
}

#[test]
fn restitution_depends_on_the_product_of_damping_and_speed_alone() {
    let mut claim = Claim::within(CLOSED, "restitution over a·v");
    for row in Table::read("marhefka_universal_e_of_av.csv").rows() {
        let product = row[0];
        for (exponent, speed) in [(1.0, 0.1), (1.5, 3.0), (2.2, 40.0)] {
            let law = HuntCrossley::new(7e4, exponent, product / speed).unwrap();
            let out = law.forecast(&Impact::new(2.0, speed)).restitution.unwrap();
            claim.relative(format!("a·v = {product}, n = {exponent}"), out, row[1]);
        }
    }
    claim.hold();
}

#[test]
fn phase_curves_are_those_of_figure_2_sticky_ones_included() {
    let (mass, stiffness, a): (f64, f64, f64) = (50.0, 50e3, 1.5 * 0.4);
    let law = HuntCrossley::new(stiffness, 1.0, a).unwrap().proportional().unwrap();
    let table = Table::read("marhefka_fig2_phase.csv");
    // x² is what the velocity determines to rounding; x itself only away from x = 0.
    let mut squares = Claim::within(CLOSED, "x² on phase curves");
    let mut depths = Claim::within(CLOSED, "x on phase curves, beyond 1 % of the largest");
    let mut sticky = 0;
    for row in table.rows() {
        let [label, v, x] = row[..] else { panic!("three columns") };
        let size = largest(table.rows_of(label).iter().map(|row| row[1]));
        let got = law.phase_depth(mass, label, v);
        squares.check(format!("{label} at {v}"), got * got, x * x, size * size);
        if x > 0.01 * size {
            depths.check(format!("{label} at {v}"), got, x, size);
        }
        sticky += usize::from(label < -1.0 / a);
    }
    assert!(sticky > 0, "no sticky curve was compared");
    squares.hold();
    depths.hold();
}

/// The loops of a figure: parameters and scalars from the json file.
const LOOPS: [(&str, &str); 3] = [
    ("fig4", "marhefka_fig4_loops.csv"),
    ("fig5_6", "marhefka_fig5_6_loops.csv"),
    ("fig7", "marhefka_fig7_loops.csv"),
];

fn hunt_crossley(case: &serde_json::Value) -> (HuntCrossley<f64>, Impact) {
    let p = &case["params"];
    let law = HuntCrossley::new(number(p, "k"), number(p, "n"), 1.5 * number(p, "alpha")).unwrap();
    (law, Impact::new(number(p, "m"), number(p, "vi")))
}

#[test]
fn scalars_of_figures_4_to_7_are_forecast() {
    let scalars = json("marhefka_fig4_7.json");
    let mut claim = Claim::within(CLOSED, "forecast of figures 4-7");
    for (figure, _) in LOOPS {
        for case in list(&scalars, figure) {
            let (law, impact) = hunt_crossley(case);
            let f = law.forecast(&impact);
            for (name, got) in [
                ("e", f.restitution),
                ("x_max", f.peak_depth),
                ("f_peak", f.peak_force),
                ("x_at_f_peak", f.depth_at_peak_force),
                ("v_at_f_peak", f.rate_at_peak_force),
                ("t_compression", f.compression_time),
                ("duration", f.duration),
                ("energy_loss", f.energy_loss(&impact)),
            ] {
                claim.relative(format!("{figure} {name} of {law:?}"), got.unwrap(), number(case, name));
            }
        }
    }
    claim.hold();
}

#[test]
fn scalars_of_figures_4_to_7_are_simulated() {
    let scalars = json("marhefka_fig4_7.json");
    let mut claim = Claim::within(INTEGRATED, "simulation of figures 4-7");
    for (figure, _) in LOOPS {
        for case in list(&scalars, figure) {
            let (law, impact) = hunt_crossley(case);
            let run = impact::simulate(&law.into(), &impact, &Options::default()).unwrap();
            for (name, got) in [
                ("e", run.restitution.newton),
                ("x_max", run.deepest.depth),
                ("f_peak", run.peak.force),
                ("x_at_f_peak", run.peak.depth),
                ("v_at_f_peak", run.peak.rate),
                ("t_compression", run.deepest.time),
                ("duration", run.duration()),
                ("energy_loss", run.energy_loss),
            ] {
                claim.relative(format!("{figure} {name} of {law:?}"), got, number(case, name));
            }
        }
    }
    claim.hold();
}

#[test]
fn loops_of_figures_4_to_7_are_followed_in_time() {
    let scalars = json("marhefka_fig4_7.json");
    let mut claim = Claim::within(INTEGRATED, "loops of figures 4-7, of the largest values");
    for (figure, file) in LOOPS {
        let table = Table::read(file);
        for (i, case) in list(&scalars, figure).iter().enumerate() {
            let (law, impact) = hunt_crossley(case);
            let normal = Normal::from(law);
            let system = PointContact::new(Setup {
                normal: &normal,
                friction: None,
                lens: None,
                mass: impact.mass,
                plane_velocity: Vector3::zeros(),
                applied: &|_, _, _| Vector3::zeros(),
                scale: (number(case, "x_max"), impact.speed),
            });
            let rows = table.rows_of(i as f64);
            let times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
            let mut state = system.start(Vector3::zeros(), Vector3::new(0.0, 0.0, impact.speed));
            let samples = follow(&system, &mut state, times[times.len() - 1], &times, RTOL);
            assert_eq!(samples.len(), rows.len());
            for (sample, row) in samples.iter().zip(rows) {
                let force = system.forces(&sample.x, sample.phase).0.force;
                let sizes = [number(case, "x_max"), impact.speed, number(case, "f_peak")];
                let got = [sample.x[2], sample.x[5], force];
                for (k, name) in ["x", "v", "F"].iter().enumerate() {
                    claim.check(format!("{figure} {i}: {name} at {}", row[0]), got[k], row[1 + k], sizes[k]);
                }
            }
        }
    }
    claim.hold();
}

/// Position control, weight bearing, position control: end of each leg, and the force by time and depth.
type Leg = (f64, fn(f64, f64) -> f64);
const FOOT: [Leg; 3] = [
    (0.1, |t, x| 20e3 * (2.0 * t - 10.0 * t * t - x)),
    (0.5, |_, _| 1500.0),
    (0.7, |t, x| 20e3 * (0.1 - 2.0 * (t - 0.5) - x)),
];

#[test]
fn a_foot_stamps_and_lifts_as_in_figure_8() {
    let law = params(&[("stiffness", 50e3), ("alpha", 0.5), ("exponent", 1.0)]);
    let normal = Normal::build("hunt-crossley", &law).unwrap();
    let rows = Table::read("marhefka_fig8_foot.csv");
    let scalars = json("marhefka_fig8_foot.json");
    let mut times: Vec<f64> = rows.rows().iter().map(|row| row[0]).collect();
    times.dedup();
    let mut state = None;
    let (mut samples, mut peak, mut lift_off): (Vec<[f64; 4]>, [f64; 2], f64) = (vec![], [0.0; 2], f64::NAN);
    for (end, force) in FOOT {
        let applied = move |t: f64, x: &Vector3<f64>, _: &Vector3<f64>| Vector3::new(0.0, 0.0, force(t, x.z));
        let system = PointContact::new(Setup {
            normal: &normal,
            friction: None,
            lens: None,
            mass: 25.0,
            plane_velocity: Vector3::zeros(),
            applied: &applied,
            scale: (0.03, 2.0),
        });
        let state = state.get_or_insert_with(|| system.start(Vector3::zeros(), Vector3::new(0.0, 0.0, 2.0)));
        let mut again = state.clone();
        for sample in follow(&system, state, end, &times, RTOL) {
            if samples.last().is_none_or(|last| last[0] < sample.t) {
                let force = system.forces(&sample.x, sample.phase).0.force;
                samples.push([sample.t, sample.x[2], sample.x[5], force]);
            }
        }
        integrate(&system, &mut support::method(&system, RTOL), &mut again, end, |now| {
            let force = system.forces(&now.state.x, now.state.mode).0.force;
            for fired in now.fired() {
                if fired.index == Event::ForceRate as usize && force > peak[1] {
                    peak = [now.state.t, force];
                }
                if fired.index == Event::Depth as usize {
                    lift_off = now.state.t;
                }
            }
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    }
    assert_eq!(samples.len(), rows.rows().len());
    let mut claim = Claim::within(INTEGRATED, "foot, of the largest values");
    let size = |k: usize| largest(rows.rows().iter().map(|row| row[k]));
    let sizes = [size(1), size(2), size(4)];
    for (got, row) in samples.iter().zip(rows.rows()) {
        for (k, (name, want)) in [("x", row[1]), ("v", row[2]), ("F", row[4])].iter().enumerate() {
            claim.check(format!("{name} at {}", row[0]), got[1 + k], *want, sizes[k]);
        }
    }
    claim.relative("peak force", peak[1], number(&scalars["peak_ground_force"], "F"));
    claim.relative("lift-off", lift_off, list(&scalars, "x_crossings")[0].as_f64().unwrap());
    claim.hold();
    // The force is flat at its peak: the reference knows the time to 3e-10 s.
    let mut time = Claim::within(3e-10, "time of the foot's peak force, s");
    time.check("peak", peak[0], number(&scalars["peak_ground_force"], "t"), 1.0);
    time.hold();
}
