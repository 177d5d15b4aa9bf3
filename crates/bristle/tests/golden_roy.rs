//! Lens geometry and impacts on a bed of springs and dampers against reference values for Roy &
//! Carretero (2012).

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

mod support;

use bristle::impact::{self, Options};
use bristle::laws::normal::{BedSide, Clip, VolumeKelvinVoigt};
use bristle::laws::{Impact, Indent, Normal, NormalLaw, Phase};
use bristle::math::Vector3;
use bristle::math::lens::Lens;
use bristle::{PointContact, Setup};
use serde_json::Value;
use std::f64::consts::PI;
use support::{Claim, Table, follow, grid, json, largest, number, peaks};

/// Geometry in closed form: a few roundings, and 15 digits in the file.
const GEOMETRY: f64 = 1e-13;
/// Integrated at 1e-12 per step; the reference has 1e-11.
const INTEGRATED: f64 = 1e-9;
const RTOL: f64 = 1e-12;

/// Two balls of 1 m radius and 0.2 MPa.
const RADIUS: f64 = 1.0;

fn bed(damping: f64) -> Normal<f64> {
    let side = BedSide { modulus: 2e5, damping, depth: RADIUS };
    VolumeKelvinVoigt::new(side, side, 1.0, Clip::Patch).unwrap().into()
}

fn balls(mass: f64, speed: f64) -> Impact {
    Impact::new(mass, speed).with_lens(Lens::of_spheres(RADIUS, RADIUS))
}

#[test]
fn volume_and_area_of_the_lens_are_exact() {
    let mut claim = Claim::within(GEOMETRY, "lens");
    for row in Table::read("roy_sphere_lens.csv").rows() {
        let [r1, r2, chi, volume, area, share] = row[..] else { panic!("six columns") };
        let mut lenses = vec![Lens::of_spheres(r1, r2), Lens::of_spheres(r2, r1)];
        if r2 >= 1e99 {
            lenses.push(Lens::on_plane(r1));
        }
        for lens in lenses {
            let leading = PI * lens.radius() * chi * chi;
            claim.relative(format!("V of {lens:?} at {chi}"), lens.volume(chi), volume);
            claim.relative(format!("dV/dχ of {lens:?} at {chi}"), lens.area(chi), area);
            claim.relative(format!("V/πRχ² of {lens:?} at {chi}"), lens.volume(chi) / leading, share);
        }
    }
    claim.hold();
}

/// (B, mass) of a column or key that ends in `B100_meff0.227` or `meff0.227_B100`.
fn damping_and_mass(name: &str) -> (f64, f64) {
    let part = |prefix: &str| {
        let found = name.split('_').find_map(|part| part.strip_prefix(prefix)?.parse().ok());
        found.unwrap_or_else(|| panic!("no {prefix} in {name}"))
    };
    (part("B"), part("meff"))
}

#[test]
fn restitution_is_that_of_figure_10() {
    let table = Table::read("roy_fig10_cor.csv");
    let mut claim = Claim::within(INTEGRATED, "restitution of the bed");
    for (column, name) in table.names().iter().enumerate().skip(1) {
        let (damping, mass) = damping_and_mass(name);
        for row in table.rows() {
            let run = impact::simulate(&bed(damping), &balls(mass, row[0]), &Options::default()).unwrap();
            claim.relative(format!("{name} at {}", row[0]), run.restitution.newton, row[column]);
        }
    }
    claim.hold();
}

#[test]
fn lost_speed_grows_with_the_cube_root_of_a_low_speed() {
    // 1 − e = c v^⅓ − O(v^⅔): the exponent differs from ⅓ by about (1 − e)/5, and 1 − e is 8.5e-5 here.
    let loss = |speed: f64| {
        let run = impact::simulate(&bed(100.0), &balls(0.227, speed), &Options::default()).unwrap();
        1.0 - run.restitution.newton
    };
    let exponent = (loss(1e-8) / loss(1e-9)).log10();
    let mut claim = Claim::within(1e-4, "exponent of 1 − e at low speed");
    claim.check("exponent", exponent, 1.0 / 3.0, 1.0);
    claim.hold();
}

/// The cases of figures 11 and 12 as (name, law, impact at 1 m/s, scalars).
fn cases() -> Vec<(String, Normal<f64>, Impact, Value)> {
    let Value::Object(scalars) = json("roy_fig11_12.json") else { panic!("no object") };
    let case = |(name, values): (String, Value)| {
        let (damping, mass) = damping_and_mass(&name);
        (name, bed(damping), balls(mass, 1.0), values)
    };
    scalars.into_iter().map(case).collect()
}

#[test]
fn scalars_of_figures_11_and_12_are_simulated() {
    let mut claim = Claim::within(INTEGRATED, "simulation of figures 11-12");
    for (name, law, impact, scalars) in cases() {
        let run = impact::simulate(&law, &impact, &Options::default()).unwrap();
        for (key, got) in [
            ("e", run.restitution.newton),
            ("t_sep", run.duration()),
            ("chi_sep", run.force_end.depth),
            ("chi_max", run.deepest.depth),
            ("f_peak", run.peak.force),
            ("energy_loss", run.energy_loss),
        ] {
            claim.relative(format!("{name} {key}"), got, number(&scalars, key));
        }
        // The peak is flat: times found from the force itself have 1e-8, those from its slope do not.
        let peak_time = number(&json("peak_times.json")["largest_force"], &format!("roy_{name}"));
        claim.relative(format!("{name} t_f_peak"), run.peak.time, peak_time);
    }
    claim.hold();
}

/// (χ, χ̇, force, power) at times (s) after touchdown at 1 m/s.
fn loop_at(law: &Normal<f64>, impact: &Impact, depth: f64, times: &[f64]) -> Vec<[f64; 4]> {
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
    let samples = follow(&system, &mut state, times[times.len() - 1], times, RTOL);
    assert_eq!(samples.len(), times.len());
    let values = samples.iter().map(|sample| {
        let force = system.forces(&sample.x, sample.phase).0.force;
        [sample.x[2], sample.x[5], force, force * sample.x[5]]
    });
    values.collect()
}

#[test]
fn power_extrema_are_those_of_figure_12() {
    let mut claim = Claim::within(INTEGRATED, "power extrema of figure 12");
    for (name, law, impact, scalars) in cases() {
        let (end, depth) = (number(&scalars, "t_sep"), number(&scalars, "chi_max"));
        for (key, sign) in [("power_max", 1.0), ("power_min", -1.0)] {
            let power = |times: &[f64]| -> Vec<f64> {
                loop_at(&law, &impact, depth, times).iter().map(|row| sign * row[3]).collect()
            };
            // A parabola's top is missed by the square of the spacing: 4e-7 of the impact the second time.
            let coarse = grid(0.0, end, 2001);
            let [top] = peaks(&power(&coarse), 0.1)[..] else { panic!("{name}: one {key} was expected") };
            let fine = power(&grid(coarse[top - 1], coarse[top + 1], 2001));
            let best = fine.into_iter().fold(f64::NEG_INFINITY, f64::max);
            claim.relative(format!("{name} {key}"), sign * best, number(&scalars, key));
        }
    }
    claim.hold();
}

#[test]
fn loops_of_figures_11_and_12_are_followed_in_time() {
    let table = Table::read("roy_fig11_12_loops.csv");
    let mut claim = Claim::within(INTEGRATED, "loops of figures 11-12, of the largest values");
    for damping in [100.0, 200.0, 500.0, 1000.0, 2000.0] {
        let rows = table.rows_of(damping);
        let sizes: Vec<f64> = (1..5).map(|k| largest(rows.iter().map(|row| row[k]))).collect();
        let times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        let got = loop_at(&bed(damping), &balls(0.227, 1.0), sizes[0], &times);
        for (got, row) in got.iter().zip(&rows) {
            for (k, name) in ["chi", "chidot", "force", "power"].iter().enumerate() {
                claim.check(format!("B = {damping}: {name} at {}", row[0]), got[k], row[1 + k], sizes[k]);
            }
        }
    }
    claim.hold();
}

#[test]
fn two_dissimilar_sides_are_in_series() {
    let examples = json("roy_dissimilar.json");
    let mut claim = Claim::within(GEOMETRY, "force between dissimilar sides");
    for name in ["consistent_ratio_example", "general_example"] {
        let example = &examples[name];
        let get = |key| number(example, key);
        let side = |i: u32| BedSide {
            modulus: number(example, &format!("E{i}")),
            damping: number(example, &format!("B{i}")),
            depth: number(example, &format!("R{i}")),
        };
        let law = VolumeKelvinVoigt::as_printed(side(1), side(2), 1.0, Clip::Patch).unwrap();
        let lens = Lens::of_spheres(get("R1"), get("R2"));
        let at = Indent::from_lens(lens, get("chi"), get("chidot"));
        claim.relative(format!("{name} V"), at.volume, get("V"));
        claim.relative(format!("{name} dV/dt"), at.volume_rate, get("dVdt"));
        let out = law.eval(&at, &[], Phase::Touching, &mut []);
        claim.relative(format!("{name} force"), out.force, get("force"));
    }
    claim.hold();
}
