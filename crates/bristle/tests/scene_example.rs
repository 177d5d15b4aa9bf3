//! The example of the scene format, and those of its reference page.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::laws::Value;
use bristle::scene::*;
use nalgebra::{Isometry3, Vector3};

const EXAMPLE: &str = include_str!("support/scenes/example.toml");

#[test]
fn the_example_is_read() {
    let scene = Scene::parse(EXAMPLE, "example.toml", &[]).unwrap();
    assert_eq!(scene.simulation.duration, 1.0);
    assert_eq!(scene.simulation.gravity, Vector3::new(0.0, 0.0, -9.81));
    assert_eq!(scene.simulation.integrator.method, Method::Dopri5);
    assert_eq!(scene.simulation.integrator.rtol, 1e-9);
    assert_eq!(scene.simulation.record.every, 1e-3);
    assert_eq!(scene.simulation.record.quantities.len(), Quantity::NAMES.len());

    let material = scene.material("steel-on-ground").unwrap();
    assert_eq!(material.normal.info.id, "azad-featherstone");
    assert_eq!(material.normal.params.get("stiffness"), Some(&Value::Number(8.5e6)));
    let friction = material.friction.as_ref().unwrap();
    assert_eq!(friction.params.get("variant"), Some(&Value::Text("as-printed".to_string())));
    assert!(material.rolling.is_none() && material.spin.is_none());

    let names: Vec<&str> = scene.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["ball", "ground"]);
    let ball = scene.body("ball").unwrap();
    assert!(ball.is_free() && ball.freedoms.is_all());
    assert_eq!(ball.mass, Some(MassSpec::Mass(0.154)));
    assert_eq!(ball.pose, Isometry3::translation(0.0, 0.0, 0.1));
    assert_eq!(ball.velocity, Vector3::new(0.5, 0.5, 0.0));
    assert_eq!(ball.shapes[0].shape, ShapeSpec::Sphere { radius: 0.0165 });
    let ground = scene.body("ground").unwrap();
    assert_eq!(ground.kind, BodyKind::Fixed);
    assert_eq!(ground.shapes[0].shape, ShapeSpec::HalfSpace);
    assert_eq!(ground.shapes[0].pose, Isometry3::identity());

    let (contact, order) = scene.contact_between("ground", "ball").unwrap();
    assert_eq!(contact.rule, ContactRule::Material("steel-on-ground".to_string()));
    assert_eq!(order, ["ball", "ground"]);
    assert_eq!(scene.contact_between("ball", "ball"), None);
}

#[test]
fn the_examples_of_the_reference_make_one_scene() {
    let page = include_str!("../../../docs/scenes.md");
    let blocks = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    // beside the scenes, whose robots the page names
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/page.toml");
    let scene = Scene::parse_again(&blocks.collect::<String>(), file, &[]).unwrap();
    assert_eq!((scene.bodies.len(), scene.contacts.len(), scene.forces.len()), (7 + 2 + 13, 3, 3));
    assert_eq!((scene.joints.len(), scene.actuators.len(), scene.pins.len()), (2 + 12, 1 + 12, 1));
}
