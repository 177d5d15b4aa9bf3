//! Overrides: they change the scene before it is checked, and errors name them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::scene::{Scene, SceneErrors};
use nalgebra::Vector3;

const EXAMPLE: &str = include_str!("support/scenes/example.toml");

fn with(overrides: &[&str]) -> Result<Scene, SceneErrors> {
    let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
    Scene::parse(EXAMPLE, "x.toml", &overrides)
}

#[track_caller]
fn refused(text: &str, message: &str) {
    assert_eq!(with(&[text]).unwrap_err().to_string(), format!("x.toml: --set {text}: {message}"));
}

#[test]
fn values_lists_and_entries_are_set() {
    let scene = with(&[
        "bodies.ball.velocity=[1,0,0]",
        "bodies.ball.velocity[0] = 2",
        "materials.steel-on-ground.friction.friction=0.3",
        "simulation.integrator={ method = \"rk4\", step = 1e-5 }",
        "bodies.ball.shape.sphere.radius=1e-1",
        "contacts[0].name=landing",
    ])
    .unwrap();
    let ball = scene.body("ball").unwrap();
    assert_eq!(ball.velocity, Vector3::new(2.0, 0.0, 0.0));
    let friction = scene.materials[0].friction.as_ref().unwrap();
    assert_eq!(friction.params.get("friction").unwrap().to_string(), "0.3");
    assert_eq!(scene.simulation.integrator.step, Some(1e-5));
    assert_eq!(scene.contacts[0].name.as_deref(), Some("landing"));
    assert_eq!(scene.place("bodies.ball.velocity[0]").set(), Some("bodies.ball.velocity[0] = 2"));
    assert_eq!(scene.place("bodies.ball.velocity[1]").set(), Some("bodies.ball.velocity=[1,0,0]"));
}

#[test]
fn keys_with_defaults_can_be_set_though_the_file_does_not_write_them() {
    let scene =
        with(&["simulation.record.during_contact=1e-5", "bodies.ball.orientation.euler=[0,0,90]"]).unwrap();
    assert_eq!(scene.simulation.record.during_contact, Some(1e-5));
    assert!((scene.body("ball").unwrap().pose.rotation.angle() - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
}

#[test]
fn errors_name_the_override() {
    refused("bodies.ball.mass=-1", "bodies.ball.mass = -1 must be > 0 (kg)");
    refused("bodies.ball.mass=heavy", "bodies.ball.mass = \"heavy\" must be a finite number (kg)");
    refused("bodies.ball.mass=nan", "bodies.ball.mass = NaN must be a finite number (kg)");
    refused("bodies.ball.density=1", "bodies.ball.density cannot stand beside mass; give one of them");
    refused(
        "materials.steel-on-ground.normal.damping=-1",
        "materials.steel-on-ground.normal.damping: azad-featherstone: damping = -1 N s/m^3/2 must be >= 0",
    );
}

#[test]
fn what_does_not_exist_names_the_nearest() {
    refused("bodies.bal.mass=1", "bodies.bal is unknown; did you mean ball?");
    refused("bodies.ball.mas=1", "bodies.ball.mas is unknown; did you mean mass?");
    refused("materials.steel.normal.stiffness=1", "materials.steel is unknown; known are steel-on-ground");
    refused("simulaton.duration=1", "simulaton is unknown; did you mean simulation?");
    refused("contacts[1].ignore=true", "contacts[1] is unknown; contacts has 1 entries, from [0]");
    refused(
        "bodies.ball.velocity[3]=1",
        "bodies.ball.velocity[3] is unknown; bodies.ball.velocity has 3 entries, from [0]",
    );
    refused(
        "bodies.ball.mass[0]=1",
        "bodies.ball.mass[0] is unknown; bodies.ball.mass is no list in the file; set all of it",
    );
    refused("bodies.ball.mass.x=1", "bodies.ball.mass.x is unknown; bodies.ball.mass is no table");
    refused("springs.leg.stiffness=1", "springs.leg is unknown; there are none");
}

#[test]
fn what_is_no_override_is_refused() {
    refused("bodies.ball.mass", "must be key=value");
    refused("=3", "must be key=value");
    refused("bodies..mass=3", "must be key=value with a key like bodies.ball.velocity[0]");
    refused(
        "bodies.ball.velocity=[1, 0",
        "must be key=value with a number, a word, a list or a table as in a scene",
    );
}
