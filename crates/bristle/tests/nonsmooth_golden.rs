//! The systems of Xiong, Kikuuwe & Yamamoto (2013) against reference values: declared in Rust and written as scenes, with
//! a fixed step and with error control.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;
#[path = "support/xiong.rs"]
mod xiong;

use bristle::nonsmooth::{Run, System, prepare, run};
use bristle::ode::{AdaptiveOptions, FixedOptions, Method as Formula, Pair};
use bristle::run::{Method, RunOptions};
use bristle::scene::Scene;
use support::{Claim, Table, json, list, number};

/// Metres and newtons over the whole run.
const POSITION: f64 = 1e-8;
const FORCE: f64 = 1e-5;

fn scene(name: &str) -> System {
    let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    prepare(&Scene::load(path, &[]).unwrap()).unwrap().system
}

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

/// A scene and its twin in Rust, each with both kinds of methods, labelled.
fn runs(name: &str, twin: System, duration: f64, every: f64, step: f64, rtol: f64) -> Vec<(String, Run)> {
    let adaptive = AdaptiveOptions { pair: Pair::Dop853, ..AdaptiveOptions::with_rtol(rtol) };
    let methods = [
        ("rk4", Method::Fixed(FixedOptions::new(Formula::Rk4, step))),
        ("dop853", Method::Adaptive(adaptive)),
    ];
    let mut all = Vec::new();
    for (kind, system) in [("text", scene(name)), ("rust", twin)] {
        for (label, method) in methods {
            let result = run(&system, &options(duration, every, method), |_| true).unwrap();
            println!(
                "{name}, {kind}, {label}: {} steps, {} events, closure {:.1e} of {:.1e} J",
                result.stats.steps,
                result.stats.events,
                result.closure.unwrap(),
                result.in_play
            );
            // contacts never pull
            assert!(result.forces.iter().all(|(_, least)| *least >= 0.0), "{:?}", result.forces);
            all.push((format!("{kind}, {label}"), result));
        }
    }
    all
}

/// Compares recorded columns with those of a table, row by row.
fn check(claim: &mut Claim, label: &str, run: &Run, rows: &[&[f64]], columns: &[(&str, usize, f64)]) {
    assert!(run.recording.len() >= rows.len(), "{label}");
    assert!(rows.iter().zip(&run.recording.columns[0].values).all(|(row, t)| (row[0] - t).abs() < 1e-12));
    for (name, column, sign) in columns {
        let values = &run.recording.column(name).unwrap().values;
        for (got, row) in values.iter().zip(rows) {
            claim.check(format!("{label}: {name} at {}", row[0]), *got, sign * row[*column], 1.0);
        }
    }
}

#[test]
fn figure_3_moves_as_published_and_does_not_creep() {
    let table = Table::read("xiong_fig3_friction.csv");
    let rows: Vec<&[f64]> = table.rows().iter().map(Vec::as_slice).collect();
    let mut positions = Claim::within(POSITION, "figure 3, m");
    let mut forces = Claim::within(FORCE, "figure 3, N");
    for (label, run) in runs("xiong_friction", xiong::friction(), 10.0, 0.025, 2e-4, 1e-11) {
        check(&mut positions, &label, &run, &rows, &[("p", 2, 1.0), ("f.proxy", 4, 1.0)]);
        // f = K(a + βȧ); ȧ = v while it sticks, 0 when it slides steadily
        let force = &run.recording.column("f").unwrap().values;
        for (got, row) in force.iter().zip(&rows) {
            let (v, a): (f64, f64) = (row[3], row[4]);
            forces.check(
                format!("{label} at {}", row[0]),
                *got,
                (1e4 * (a + 0.02 * v)).clamp(-0.5, 0.5),
                1.0,
            );
        }
        let p = &run.recording.column("p").unwrap().values;
        let (before, after) = (p[108], p[388]); // 2.7 s and 9.7 s, fourteen cycles of the push
        assert!(((after - before) / 14.0).abs() < 1e-12, "{label} creeps {:e}", (after - before) / 14.0);
    }
    positions.hold();
    forces.hold();
}

#[test]
fn figure_5_bounces_as_published() {
    let table = Table::read("xiong_fig5_contact.csv");
    let mut positions = Claim::within(POSITION, "figure 5, m");
    let mut forces = Claim::within(FORCE, "figure 5, N");
    let events = json("xiong_fig5.json");
    let mut times = Claim::within(1e-8, "figure 5, times of touchdown and lift-off, s");
    for (label, run) in runs("xiong_contact", xiong::contact(), 2.0, 0.01, 1e-5, 1e-12) {
        for (i, share) in xiong::SHARES.iter().enumerate() {
            let rows = table.rows_of(*share);
            let name = |letter: &str| format!("{letter}{}", i + 1);
            let label = format!("{label}, α/β = {share}");
            check(&mut positions, &label, &run, &rows, &[(&name("p"), 1, 1.0)]);
            check(&mut positions, &label, &run, &rows, &[(&format!("f{}.proxy", i + 1), 3, 1.0)]);
            check(&mut forces, &label, &run, &rows, &[(&name("f"), 4, 1.0)]);
            let contacts = list(&events["results"][format!("alpha_over_beta_{share}")], "contacts");
            let wanted = &events["results"][format!("alpha_over_beta_{share}")];
            let at_end = *run.recording.column(&name("p")).unwrap().values.last().unwrap();
            positions.check(format!("{label}: p at 2"), at_end, number(wanted, "p_end"), 1.0);
            for (span, want) in run.pushes[i].iter().zip(contacts) {
                times.check(&label, span.0, number(want, "t_on"), 1.0);
                times.check(&label, span.1, number(want, "t_off"), 1.0);
            }
        }
    }
    positions.hold();
    forces.hold();
    times.hold();
}

#[test]
fn example_1_bounces_slides_and_sticks_as_published() {
    let table = Table::read("xiong_example1.csv");
    let rows: Vec<&[f64]> = table.rows().iter().map(Vec::as_slice).collect();
    let mut positions = Claim::within(POSITION, "example 1, m");
    let mut forces = Claim::within(FORCE, "example 1, N");
    for (label, run) in runs("xiong_point_mass", xiong::point_mass(), 1.5, 0.005, 2e-5, 1e-12) {
        let columns = [("px", 1), ("py", 2), ("pz", 3), ("n.proxy", 7), ("f.proxy_x", 8), ("f.proxy_y", 9)];
        check(&mut positions, &label, &run, &rows, &columns.map(|(name, i)| (name, i, 1.0)));
        // the file has the force on the mass
        check(&mut forces, &label, &run, &rows, &[("n", 10, 1.0), ("f_x", 11, -1.0), ("f_y", 12, -1.0)]);
    }
    positions.hold();
    forces.hold();
    let samples = json("xiong_example1.json");
    assert_eq!(number(&samples["parameters"], "mu"), 0.3);
}

#[test]
fn example_2_comes_to_rest_as_published() {
    let table = Table::read("xiong_example2.csv");
    let rows: Vec<&[f64]> = table.rows().iter().map(Vec::as_slice).collect();
    let mut positions = Claim::within(POSITION, "example 2, m");
    let mut forces = Claim::within(FORCE, "example 2, N");
    for (label, run) in runs("xiong_two_blocks", xiong::two_blocks(), 3.0, 0.01, 2e-5, 1e-12) {
        let columns = [("p1x", 1), ("p1y", 2), ("p2x", 3), ("p2y", 4)];
        check(&mut positions, &label, &run, &rows, &columns.map(|(name, i)| (name, i, 1.0)));
        let columns = [
            ("wall", 9),
            ("between", 10),
            ("floor", 11),
            ("wall_friction", 12),
            ("between_friction", 13),
            ("belt", 14),
        ];
        check(&mut forces, &label, &run, &rows, &columns.map(|(name, i)| (name, i, 1.0)));
        let last = list(&json("xiong_example2.json"), "samples").last().cloned().unwrap();
        for (name, want) in columns.iter().zip(list(&last, "forces")) {
            let got = *run.recording.column(name.0).unwrap().values.last().unwrap();
            forces.check(format!("{label}: {} at the end", name.0), got, want.as_f64().unwrap(), 1.0);
        }
    }
    positions.hold();
    forces.hold();
}
