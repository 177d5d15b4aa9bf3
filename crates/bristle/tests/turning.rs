//! Driven turns: a turntable changes nothing that a contact law sees, and what turns is found in time.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle::run::{Run, run};
use bristle::scene::Scene;
use bristle::world::{Drive, Motion};
use bristle::{Prepared, prepare};
use bristle_bodies::{Joint, Tree};
use nalgebra::{Isometry3, Rotation3, Vector3};

fn prepared(text: &str) -> Prepared {
    prepare(&Scene::parse(text, "scene", &[]).unwrap()).unwrap()
}

fn go(p: &Prepared) -> Run {
    run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap()
}

fn vector(run: &Run, name: &str, row: usize) -> Vector3<f64> {
    let part = |k: &str| run.recording.column(&format!("{name}.{k}")).unwrap().values[row];
    Vector3::new(part("x"), part("y"), part("z"))
}

/// A ball carried in a circle over a plate, pressed into it: it slides and spins on it for ever. Both turn with the
/// table as well.
fn on_a_table(table: f64, friction: &str) -> Run {
    let (plate, ball) = (table, table + 3.0); // rad/s
    let text = format!(
        r#"
        schema = 1
        [simulation]
        duration = 0.05
        gravity = [0, 0, 0]
        integrator = {{ method = "dop853", rtol = 1e-11 }}
        record = {{ every = 5e-4 }}
        [materials.m]
        normal = {{ law = "hertz", stiffness = 1e6 }}
        friction = {friction}
        spin = {{ law = "spin", friction = 0.3, stiffness = 2.0, damping = 0.01 }}
        [bodies.plate]
        shape = {{ plane = {{}} }}
        motion = {{ turn = {{ axis = [0, 0, 1], rate = {plate} }} }}
        [bodies.ball]
        shape = {{ sphere = {{ radius = 0.05 }} }}
        mass = 1.0
        position = [0.02, 0, 0.0499]
        [bodies.onlooker]
        mass = 1.0
        shape = {{ sphere = {{ radius = 0.01 }} }}
        position = [1, 1, 1]
        [[contacts]]
        between = ["ball", "plate"]
        material = "m"
        "#
    );
    // Contact of two driven bodies moves nothing, so a scene has none: the ball is taken over after it was built.
    let mut p = prepared(&text);
    let link = p.model.bodies[1].link;
    let mut links = p.model.tree.links().to_vec();
    links[link].joint = Joint::Driven;
    links[link].inertia = links[0].inertia;
    p.model.tree = Tree::new(links).unwrap();
    let (axis, about) = (Vector3::z_axis(), Vector3::zeros());
    let motion = Motion::Turn { axis, about, rate: ball };
    p.model.drives.push(Drive { link, pose: Isometry3::translation(0.02, 0.0, 0.0499), motion });
    p.model.bodies[1].driven = Some(1);
    (p.q, p.v) = (p.q[7..].to_vec(), p.v[6..].to_vec());
    go(&p)
}

#[test]
fn a_turntable_changes_nothing_in_a_sliding_and_spinning_contact() {
    for friction in [
        r#"{ law = "dwell-bristle", static = 0.4, kinetic = 0.3, stiffness = 1e5, damping = 300.0, stribeck_speed = 1e-2, dwell_time = 0.1 }"#,
        r#"{ law = "spring-clutch", friction = 0.3, stiffness = 1e7, damping = 1e3 }"#,
    ] {
        let (still, turning) = (on_a_table(0.0, friction), on_a_table(70.0, friction));
        assert_eq!(still.recording.len(), turning.recording.len());
        let times = &still.recording.column("time").unwrap().values;
        let mut largest = 0.0f64;
        for (row, t) in times.iter().enumerate() {
            let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), 70.0 * t);
            let (a, b) =
                (vector(&still, "plate-ball.friction", row), vector(&turning, "plate-ball.friction", row));
            largest = largest.max(a.norm());
            assert!((turn * a - b).norm() < 1e-9 * largest.max(1e-3), "{t} s: {a} {b}");
        }
        assert!(largest > 0.1, "it slides: {largest} N");
        let lost = |run: &Run| run.last.lost.iter().sum::<f64>();
        assert!((lost(&still) / lost(&turning) - 1.0).abs() < 1e-9);
    }
}

/// A bar that turns freely in a crowd of balls too far away to matter; one post stands in its way.
#[test]
fn the_end_of_a_turning_bar_is_found_though_its_centre_rests() {
    let mut text = String::from(
        r#"
        schema = 1
        [simulation]
        duration = 1.0
        gravity = [0, 0, 0]
        [materials.m]
        normal = { law = "hertz", stiffness = 1e6 }
        friction = "none"
        [bodies.bar]
        mass = 1.0
        shape = { capsule = { radius = 0.02, length = 0.8 } }
        orientation = { axis = [0, 1, 0], angle = 90.0 }
        angular_velocity = [0, 0, 2.0]
        [bodies.post]
        fixed = true
        shape = { sphere = { radius = 0.02 } }
        position = [0, 0.38, 0]
        [[contacts]]
        between = ["*", "*"]
        material = "m"
        "#,
    );
    for i in 0..30 {
        text += &format!(
            "[bodies.ball{i}]\nmass = 1.0\nshape = {{ sphere = {{ radius = 0.02 }} }}\nposition = [{}, 5, 0]\n",
            0.2 * f64::from(i)
        );
    }
    let result = go(&prepared(&text));
    let hit = result.episodes.iter().find(|e| e.pair == "bar-post").unwrap();
    // a quarter turn at 2 rad/s, less the two radii over the arm
    let expected = (0.5 * std::f64::consts::PI - (0.04f64 / 0.38).asin()) / 2.0;
    assert!((hit.start - expected).abs() < 1e-6, "{} s against {expected} s", hit.start);
}

#[test]
fn whoever_turns_a_drum_pays_for_what_friction_takes() {
    let text = r#"
        schema = 1
        [simulation]
        duration = 1.0
        record = { every = 0.01 }
        integrator = { method = "dop853", rtol = 1e-10 }
        [materials.m]
        normal = { law = "hunt-crossley", stiffness = 1e6, alpha = 0.3 }
        friction = { law = "proxy-coulomb", friction = 0.3, stiffness = 1e5, beta = 1e-3 }
        [bodies.drum]
        shape = { tube = { radius = 0.2 } }
        orientation = { axis = [1, 0, 0], angle = 90.0 }
        motion = { turn = { axis = [0, 1, 0], rate = 4.0 } }
        [bodies.ball]
        mass = 0.1
        shape = { sphere = { radius = 0.03 } }
        position = [0, 0, -0.16]
        [[contacts]]
        between = ["ball", "drum"]
        material = "m"
    "#;
    let result = go(&prepared(text));
    assert!(result.last.work > 1e-3, "{} J", result.last.work);
    assert!(result.closure < 1e-9 * result.in_play, "{:e}", result.closure / result.in_play);
}
