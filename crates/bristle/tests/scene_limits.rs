//! Too much of anything is an error that says so, not a machine out of memory.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::prepare;
use bristle::scene::Scene;

const BASE: &str = r#"schema = 1
[simulation]
duration = 1.0
[materials.steel]
normal = { law = "hertz", stiffness = 1e9 }
[bodies.ground]
fixed = true
shape = { plane = {} }
"#;

#[track_caller]
fn refused(more: &str, message: &str) {
    let errors = Scene::parse(&format!("{BASE}{more}"), "x.toml", &[]).unwrap_err().to_string();
    assert_eq!(errors, message);
}

#[test]
fn samples_fit_into_memory() {
    let text = BASE.replace("duration = 1.0", "duration = 1e9");
    let errors = Scene::parse(&text, "x.toml", &[]).unwrap_err().to_string();
    assert_eq!(
        errors,
        "x.toml:2:2: simulation.record.every = 0.001 must be at least duration / 1e7 = 1e2 (s): every sample is kept in memory"
    );
    let set = "simulation.record={ every = 1e-3, during_contact = 1e-12 }".to_string();
    let errors = Scene::parse(BASE, "x.toml", std::slice::from_ref(&set)).unwrap_err().to_string();
    assert_eq!(
        errors,
        format!(
            "x.toml: --set {set}: simulation.record.during_contact = 1e-12 must be at least duration / 1e7 = 1e-7 (s): every sample is kept in memory"
        )
    );
}

#[test]
fn entries_are_counted() {
    let contacts = "[[contacts]]\nbetween = [\"*\", \"*\"]\nignore = true\n".repeat(2001);
    refused(&contacts, "x.toml:9:3: contacts has 2001 entries; at most 2000 are read");
    let forces: String = (0..100_001).map(|i| format!("[forces.f{i}]\n")).collect();
    refused(&forces, "x.toml:9:2: forces has 100001 entries; at most 100000 are read");
    let balls = "{ center = [0, 0, 0], radius = 1 },".repeat(10_001);
    let foot = format!("[bodies.foot]\nmass = 1\nshape = {{ spheres = [{balls}] }}");
    refused(&foot, "x.toml:11:11: bodies.foot.shape.spheres has 10001 entries; at most 10000 are read");
    let times: String = (0..1_000_001).map(|i| format!("{i},")).collect();
    let motion =
        format!("[bodies.slide]\nmotion = {{ table = {{ times = [{times}], positions = [[0,0,0]] }} }}");
    refused(
        &motion,
        "x.toml:10:22: bodies.slide.motion.table.times has 1000001 entries; at most 1000000 are read",
    );
}

#[test]
fn a_thousand_kinds_of_shapes_are_enough() {
    let bodies: String = (0..1000)
        .map(|i| format!("[bodies.b{i}]\nmass = 1\nshape = {{ sphere = {{ radius = 1.{i:04} }} }}\n"))
        .collect();
    let contacts = "[[contacts]]\nbetween = [\"*\", \"*\"]\nmaterial = \"steel\"\n";
    let scene = Scene::parse(&format!("{BASE}{bodies}{contacts}"), "x.toml", &[]).unwrap();
    let errors = prepare(&scene).unwrap_err().to_string();
    assert_eq!(errors, "x.toml:6:2: bodies have more than 1000 shapes that differ in size or contacts");
}

#[test]
fn nesting_is_bounded() {
    for text in [format!("a = {}1{}", "[".repeat(100), "]".repeat(100)), format!("{}a = 1", "a.".repeat(100))]
    {
        let errors = Scene::parse(&text, "x.toml", &[]).unwrap_err().to_string();
        assert!(errors.contains("recursion"), "{errors}");
    }
}
