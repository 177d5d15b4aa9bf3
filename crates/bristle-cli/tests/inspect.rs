//! `bristle inspect`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use support::{Folder, json, run, scene, succeed};

fn robot(name: &str) -> String {
    let folder = if name.starts_with("quadruped") || name.starts_with("humanoid") {
        "../../scenes/robots"
    } else {
        "../bristle/testdata/robots"
    };
    format!("{}/{folder}/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_robot_is_listed_as_a_tree() {
    let outcome = succeed(&["inspect", &robot("quadruped.xml")]);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[0], "quadruped (MJCF): 14 links, 13 joints of which 13 move, 18 degrees of freedom");
    assert!(lines[1].starts_with("total mass 13.6 kg, centre of mass (0, 0, 0.267647) m in the world"));
    let calf =
        "        FR_calf: 0.2 kg at (0, 0, -0.1) m, inertia (0.000673333, 0.000673333, 1.33333e-5) kg m²";
    assert!(lines.contains(&calf), "{}", outcome.stdout);
    assert!(lines.contains(&"          joint FR_calf_j: continuous about (0, 1, 0) at (0, 0, -0.2)"));
    assert!(outcome.stdout.contains("12 actuators\n") && outcome.stderr.is_empty());
}

#[test]
fn json_holds_all_numbers() {
    let answer = json(&["inspect", &robot("features.xml")]);
    assert_eq!(answer["format"], "MJCF");
    assert_eq!(answer["totals"]["degrees_of_freedom"], 13);
    assert_eq!(answer["links"].as_array().unwrap().len(), 8);
    let pitch = answer["joints"].as_array().unwrap().iter().find(|j| j["name"] == "pitch").unwrap();
    assert_eq!((&pitch["damping"], &pitch["parent"]), (&0.4.into(), &"shoulder#1".into()));
    assert_eq!(answer["actuators"][1]["law"]["stiffness"], 50.0);
    assert_eq!(answer["warnings"].as_array().unwrap().len(), 0);
}

#[test]
fn losses_are_warnings_and_errors_if_strict() {
    let said =
        "transmission has no counterpart and is left out (12 times, also in lines 59, 60, 61, 62, 63 … 69)";
    let outcome = succeed(&["inspect", &robot("transmissions.urdf")]);
    assert!(outcome.stderr.contains(&format!("transmissions.urdf:58: {said}")), "{}", outcome.stderr);
    let strict = run(&["inspect", &robot("transmissions.urdf"), "--strict"]);
    assert_eq!(strict.code, Some(2));
    assert!(strict.stdout.is_empty() && strict.stderr.starts_with("error:") && strict.stderr.contains(said));
}

#[test]
fn what_only_changes_the_looks_is_listed_on_demand_and_never_an_error() {
    let folder = Folder::new();
    let file = folder.file("lit.xml");
    std::fs::write(&file, "<mujoco>\n<worldbody>\n<light/></worldbody></mujoco>").unwrap();
    let note = "lit.xml:3: light does not change the motion and is left out";
    assert!(succeed(&["inspect", &file, "--strict"]).stderr.is_empty());
    assert!(succeed(&["inspect", &file, "--verbose"]).stderr.contains(note));
}

#[test]
fn every_error_of_a_robot_is_said_at_once() {
    let folder = Folder::new();
    let file = folder.file("bad.urdf");
    std::fs::write(&file, "<robot name='r'>\n<link/>\n<joint name='j' type='hinge'/></robot>").unwrap();
    let outcome = run(&["inspect", &file]);
    assert_eq!(outcome.code, Some(2));
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert!(
        lines[0].starts_with("error: ")
            && lines[0].ends_with("bad.urdf:2: link: name is missing; every link has a name")
    );
    assert!(lines[1].contains("bad.urdf:3: joint j: type = hinge must be one of revolute"));
    assert_eq!(lines.len(), 2);
}

#[test]
fn a_scene_is_listed_with_its_bodies_and_contacts() {
    let outcome = succeed(&["inspect", &scene("newtons_cradle")]);
    assert!(outcome.stdout.contains("sphere of radius 0.02") && outcome.stdout.contains("hertz"));
    assert!(outcome.stdout.contains("18 degrees of freedom"));
    let answer = json(&["inspect", &scene("newtons_cradle")]);
    assert_eq!(answer["totals"]["degrees_of_freedom"], 18);
    assert_eq!(support::rows(&answer, 0).len(), 3);
    assert_eq!(run(&["inspect", "nothing.toml"]).code, Some(2));
}
