//! A scene that names files lost its `[parameters]` when it was merged into one text, and could then not be swept.
#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle::scene::{Access, Scene};

#[test]
fn a_merged_scene_keeps_the_parameters_that_its_formulas_name() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/quadruped_stand.toml");
    let text = Scene::merged(path, Access::Folder).unwrap();
    let positions = |overrides: &[String]| {
        let scene = Scene::parse_again(&text, path, overrides).unwrap();
        scene.joints.iter().map(|j| j.position.clone()).collect::<Vec<_>>()
    };
    let written = Scene::load(path, &[]).unwrap();
    assert_eq!(positions(&[]), written.joints.iter().map(|j| j.position.clone()).collect::<Vec<_>>());
    assert_ne!(positions(&["parameters.t=50".to_string()]), positions(&[]));
}
