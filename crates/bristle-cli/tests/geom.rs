//! `bristle geom …` from outside: the numbers against closed forms, and what is refused.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod support;

use serde_json::Value;
use std::f64::consts::PI;
use support::{json, rows, run, succeed};

fn volume(line: &str) -> Value {
    json(&[&["geom", "volume"], &line.split_whitespace().collect::<Vec<_>>()[..]].concat())
}

/// The row of a quantity.
fn row<'a>(answer: &'a Value, sheet: usize, quantity: &str) -> &'a Value {
    let found = rows(answer, sheet).iter().find(|r| r["quantity"] == quantity);
    found.unwrap_or_else(|| panic!("no {quantity} in {answer:#}"))
}

fn number(answer: &Value, sheet: usize, quantity: &str) -> f64 {
    row(answer, sheet, quantity)["value"].as_f64().unwrap()
}

fn vector(answer: &Value, quantity: &str) -> [f64; 3] {
    ["x", "y", "z"].map(|k| row(answer, 0, quantity)[k].as_f64().unwrap())
}

#[track_caller]
fn near(value: f64, expected: f64, relative: f64) {
    assert!((value - expected).abs() <= relative * expected.abs(), "{value} for {expected}");
}

#[test]
fn a_cap_of_a_ball() {
    let (r, d) = (0.1, 0.01);
    for (line, up) in [("plane sphere:0.1 --depth 0.01", 1.0), ("sphere:0.1 plane --depth 0.01", -1.0)] {
        let answer = volume(line);
        near(number(&answer, 0, "volume"), PI * d * d * (3.0 * r - d) / 3.0, 1e-12);
        let area = PI * d * (2.0 * r - d);
        near(number(&answer, 0, "area"), area, 1e-12);
        // a central difference over 1e-4 of the depth: exact for a cubic but for rounding, 1e-16/1e-4
        near(number(&answer, 0, "volume per approach"), area, 1e-7);
        near(number(&answer, 0, "½∫δ² dA"), PI * d.powi(3) * (4.0 * r - d) / 12.0, 1e-12);
        near(number(&answer, 0, "polar moment"), area * area / (2.0 * PI), 1e-12);
        assert_eq!(vector(&answer, "normal, first to second"), [0.0, 0.0, up]);
        near(number(&answer, 1, "area"), PI * r * d, 1e-12);
    }
    let answer = volume("plane sphere:0.1 --depth 0.01 --young 2e11,1e300 --poisson 0.3");
    near(number(&answer, 1, "force"), 4.0 / 3.0 * 2e11 / 0.91 * (r * d.powi(3)).sqrt(), 1e-12);
}

#[test]
fn crossed_cylinders_match_the_table_of_roy_and_carretero() {
    let table = include_str!("../../bristle-geom/testdata/roy_cylinder_volume.csv");
    // every third row: all angles and radii
    for line in table.lines().skip(1).step_by(3) {
        let cells: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        let [a, b, angle, depth] = cells[..4] else { panic!("short row") };
        // patches of nearly parallel cylinders are long
        let answer = volume(&format!("cylinder:{a},100 cylinder:{b},100 --angle {angle} --depth {depth}"));
        // the table has 12 to 13 digits
        for (quantity, expected) in [("volume", cells[4]), ("area", cells[5])] {
            near(number(&answer, 0, quantity), expected, 1e-9);
            near(number(&answer, 2, quantity), expected, 1e-9);
        }
        near(number(&answer, 2, "area of the ellipse"), cells[6], 1e-9);
        near(number(&answer, 2, "larger semi-axis of the ellipse"), cells[9], 1e-9);
        near(number(&answer, 2, "smaller semi-axis of the ellipse"), cells[10], 1e-9);
    }
}

#[test]
fn boxes_share_a_box() {
    let answer = volume("box:1,1,1 box:0.5,0.5,0.5 --position 0.1,0.05,0.7");
    near(number(&answer, 0, "volume"), 0.5 * 0.5 * 0.05, 1e-12);
    near(number(&answer, 0, "area"), 0.25, 1e-12);
    near(number(&answer, 0, "largest second moment, along"), 0.5f64.powi(4) / 12.0, 1e-12);
    let [x, y, z] = vector(&answer, "centroid of the volume");
    assert!((x - 0.1).abs() < 1e-15 && (y - 0.05).abs() < 1e-15 && (z - 0.475).abs() < 1e-15);
    // turned by a quarter about z it is the same box
    let turned = volume("box:1,1,1 box:0.5,0.5,0.5 --position 0.1,0.05,0.7 --rotation 0,0,1,90");
    near(number(&turned, 0, "volume"), 0.0125, 1e-12);
    let lying = volume("plane cylinder:0.1,2 --rotation 90,0,0 --depth 0.1");
    near(number(&lying, 0, "volume"), 0.5 * PI * 0.01 * 2.0, 1e-9);
}

#[test]
fn files_are_shapes() {
    let file = format!("{}/../bristle/testdata/robots/meshes/bracket.obj", env!("CARGO_MANIFEST_DIR"));
    // standing on its leg of 3 x 2, in cm
    let mesh = volume(&format!("plane mesh:{file},0.01 --depth 0.002"));
    near(number(&mesh, 0, "volume"), 0.03 * 0.02 * 0.002, 1e-12);
    // on its head: the mesh has a leg of 1 x 2 there, and the hull slopes away from it
    let [mesh, hull] = ["mesh", "convex"]
        .map(|kind| volume(&format!("plane {kind}:{file},0.01 --rotation 180,0,0 --depth 0.002")));
    near(number(&mesh, 0, "volume"), 0.01 * 0.02 * 0.002, 1e-12);
    near(number(&hull, 0, "volume"), 0.02 * (0.01 * 0.002 + 0.5 * 0.002 * 0.002), 1e-12);
}

#[test]
fn shapes_that_are_apart_share_nothing() {
    let answer = volume("sphere:1 sphere:1 --position 5,0,0");
    assert_eq!((number(&answer, 0, "volume"), number(&answer, 0, "depth")), (0.0, -3.0));
    assert_eq!(answer["sheets"].as_array().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_is_refused() {
    for (line, said) in [
        ("cone:1 plane --depth 1", "shape cone:1 is none of plane, sphere:R"),
        ("sphere:1,2 plane --depth 1", "shape sphere:1,2 needs a radius: sphere:R"),
        ("sphere:-1 plane --depth 0.1", "sphere: radius = -1 m must be > 0 and finite"),
        ("plane mesh:nothing.stl --depth 1", "nothing.stl: cannot be read"),
        ("plane mesh:part.dae --depth 1", "known are stl and obj"),
        ("sphere:1 cylinder:1,2 --depth 0.1", "no interference volume of a sphere and a cylinder"),
        ("plane plane --depth 0.1", "no interference volume of a half-space and a half-space"),
        ("plane sphere:1", "--depth"),
        ("plane sphere:1 --depth nan", "--depth = NaN must be a finite number (m)"),
        ("plane sphere:1 --depth 0.1 --position 1,0,0", "along the normal of the plane"),
        ("plane sphere:1 --position 1,0", "--position = 1,0 must be three numbers X,Y,Z (m)"),
        ("plane sphere:1 --depth 0.1 --rotation 1,2", "--rotation = 1,2 must be ROLL,PITCH,YAW"),
        ("plane sphere:1 --depth 0.1 --angle 30", "given for two cylinders"),
        ("plane box:1,1,1 --depth 0.1 --young 1e9", "no elliptic Hertz contact"),
        ("plane sphere:1 --depth 0.1 --young 1e9 --poisson 0.7", "poisson = 0.7 must be in (-1, 0.5]"),
    ] {
        let outcome = run(&[&["geom", "volume"], &line.split_whitespace().collect::<Vec<_>>()[..]].concat());
        assert_eq!(outcome.code, Some(2), "{line}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(said), "{line}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "");
    }
}

#[test]
fn help_shows_what_the_first_example_prints() {
    let help = succeed(&["geom", "volume", "--help"]).stdout;
    let text = succeed(&["geom", "volume", "plane", "sphere:0.1", "--depth", "0.01"]).stdout;
    for number in ["3.03687e-5", "0.00596903"] {
        assert!(help.contains(number) && text.contains(number), "{number}");
    }
}
