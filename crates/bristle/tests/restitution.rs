//! Asking for e at v gives that e at that v, for every law that can lose energy.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use bristle::design::{Targets, design};
use bristle::laws::{Impact, Params};
use bristle::math::lens::Lens;

const WANTED: [f64; 7] = [0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99];
const MASSES: [f64; 3] = [0.05, 1.0, 30.0];
const SPEEDS: [f64; 3] = [0.05, 1.0, 6.0];

/// Designs the law for every combination and holds the simulated restitution against the wanted one.
fn is_exact(id: &str, given: impl Fn(f64) -> Params) {
    let lens = Lens::of_spheres(0.2, 0.3);
    let targets = |e: f64| Targets { restitution: Some(e), ..Targets::default() };
    let mut worst: f64 = 0.0;
    for mass in MASSES {
        for speed in SPEEDS {
            for e in WANTED {
                let impact = Impact::new(mass, speed).with_lens(lens);
                let design = design(id, &given(mass).between(lens), &impact, &targets(e))
                    .unwrap_or_else(|error| panic!("{id}, e = {e}, {mass} kg, {speed} m/s: {error}"));
                let out = design.check.restitution.newton;
                worst = worst.max((out - e).abs());
                assert!((out - e).abs() < 1e-6, "{id}: asked {e}, got {out} at {mass} kg, {speed} m/s");
            }
        }
    }
    println!("{id}: largest error {worst:.1e}");
}

#[test]
fn kelvin_voigt_cut() {
    is_exact("kelvin-voigt", |_| Params::new().set("stiffness", 1e6));
}

#[test]
fn kelvin_voigt_that_pulls() {
    is_exact("kelvin-voigt", |_| Params::new().set("stiffness", 1e6).choose("tension", "keep"));
}

#[test]
fn hunt_crossley() {
    is_exact("hunt-crossley", |_| Params::new().set("stiffness", 1e7));
}

#[test]
fn hunt_crossley_with_other_powers() {
    is_exact("hunt-crossley", |_| Params::new().set("stiffness", 1e7).set("p", 0.5).set("q", 1.2));
}

#[test]
fn gonthier() {
    is_exact("gonthier", |_| Params::new().set("stiffness", 1e8));
}

#[test]
fn azad_featherstone() {
    is_exact("azad-featherstone", |_| Params::new().set("stiffness", 8.5e6));
    is_exact("azad-featherstone", |_| Params::new().set("young", 1e9).set("poisson", 0.3));
}

#[test]
fn volume_kelvin_voigt_by_patch() {
    is_exact("volume-kelvin-voigt", |_| Params::new().set("modulus", 1e8));
}

#[test]
fn volume_kelvin_voigt_by_element() {
    is_exact("volume-kelvin-voigt", |_| Params::new().set("modulus", 1e8).choose("clip", "element"));
}

#[test]
fn volume_hunt_crossley() {
    is_exact("volume-hunt-crossley", |_| Params::new().set("modulus", 1e8));
}

#[test]
fn proxy() {
    // β of eight natural times reaches down to e = 0.016.
    is_exact("proxy", |mass| Params::new().set("stiffness", 1e5).set("beta", 8.0 * (mass / 1e5).sqrt()));
}

#[test]
fn patch_and_element_clips_differ_in_a_strongly_damped_impact() {
    use bristle::impact::{Options, simulate};
    use bristle::laws::Normal;
    let lens = Lens::of_spheres(1.0, 1.0);
    let e = |clip: &str, damping: f64| {
        let params =
            Params::new().set("modulus", 2e5).set("damping", damping).choose("clip", clip).between(lens);
        let law = Normal::build("volume-kelvin-voigt", &params).unwrap();
        let impact = Impact::new(0.227, 1.0).with_lens(lens);
        simulate(&law, &impact, &Options::default()).unwrap().restitution.newton
    };
    let (patch, element) = (e("patch", 2600.0), e("element", 2600.0));
    println!("patch {patch:.3}, element {element:.3}");
    assert!((patch - 0.23).abs() < 0.01 && (element - 0.28).abs() < 0.015, "{patch} {element}");
}
