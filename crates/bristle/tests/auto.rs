//! `method = "auto"`: the choice follows the scene, is the same every time, and says why.

#![allow(clippy::unwrap_used, clippy::panic)] // what fails here, fails the test

use bristle::ode::Pair;
use bristle::output::summary;
use bristle::run::{Method, run};
use bristle::scene::Scene;
use bristle::{Prepared, prepare};

/// A mass on a spring in a damper, with an open method.
fn damped(damping: f64) -> Prepared {
    let text = format!(
        r#"
schema = 1
[simulation]
duration = 2.0
gravity = [0.0, 0.0, 0.0]
integrator = {{ method = "auto", rtol = 1e-6, max_step = 0.1 }}
record = {{ every = 0.1 }}
[bodies.mass]
mass = 1.0
shape = {{ sphere = {{ radius = 0.05 }} }}
position = [0.1, 0.0, 0.0]
[springs.holder]
between = ["world", "mass"]
points = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
stiffness = {damping:e}
damping = {damping:e}
rest_length = 0.0
"#
    );
    prepare(&Scene::parse(&text, "damped.toml", &[]).unwrap()).unwrap()
}

fn pair(scene: &Prepared) -> Pair {
    match scene.options.method {
        Method::Adaptive(options) => options.pair,
        Method::Fixed(_) => panic!("an adaptive method"),
    }
}

#[test]
fn a_stiff_scene_gets_the_stiff_method() {
    // −1e6/s beside −1/s: explicit steps stay below 3.3 µs
    let scene = damped(1e6);
    assert_eq!(pair(&scene), Pair::Bdf, "{:?}", scene.options.choice);
    let Method::Adaptive(options) = scene.options.method else { panic!() };
    assert_eq!((options.rtol, options.max_step), (1e-6, 0.1), "the rest is as the scene says");
}

#[test]
fn a_soft_scene_gets_an_explicit_one() {
    let scene = damped(1.0);
    assert!(!pair(&scene).is_implicit(), "{:?}", scene.options.choice);
}

#[test]
fn the_choice_is_the_same_every_time_and_in_the_summary() {
    let scene = damped(1e6);
    let reason = scene.options.choice.clone().unwrap();
    assert_eq!(damped(1e6).options.choice.as_ref(), Some(&reason));
    assert!(reason.starts_with("bdf: least work") && reason.contains("dopri5"), "{reason}");
    let done = run(&scene.model, &scene.q, &scene.v, &scene.options, |_| true).unwrap();
    assert_eq!(summary(&scene.model, &done)["integrator_choice"], reason.as_str());
    // x = 0.1 e^{−t}, but for a millionth: the slow eigenvalue of x'' + d x' + d x
    let x = done.state.x[0];
    assert!((x / (0.1 * (-2.0f64).exp()) - 1.0).abs() < 1e-4, "{x}");
}

#[test]
fn a_system_of_formulas_must_name_a_method_that_it_has() {
    let text = include_str!("../../../scenes/xiong_point_mass.toml");
    for (method, words) in [("auto", ""), ("linearly-implicit", ", step = 1e-3")] {
        let set = [format!("simulation.integrator={{ method = \"{method}\"{words} }}")];
        let scene = Scene::parse(text, "xiong_point_mass.toml", &set).unwrap();
        let said = bristle::nonsmooth::prepare(&scene).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains(method) && said.contains("scenes with bodies"), "{said}");
    }
}

/// So many balls in free flight: thirteen numbers each.
fn balls(count: usize, method: &str) -> Result<Prepared, bristle::scene::SceneErrors> {
    let text = format!(
        r#"
schema = 1
[simulation]
duration = 0.1
integrator = {{ method = "{method}" }}
[bodies.ball]
mass = 1.0
shape = {{ sphere = {{ radius = 0.05 }} }}
copies = {{ count = [{count}, 1, 1], spacing = [1.0, 1.0, 1.0] }}
"#
    );
    prepare(&Scene::parse(&text, "balls.toml", &[]).unwrap())
}

#[test]
fn a_scene_of_many_bodies_is_refused_by_methods_that_solve_for_all_of_it() {
    assert!(balls(300, "bdf").is_ok(), "3900 numbers");
    for method in ["bdf", "rodas4"] {
        let said = balls(400, method).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("simulation.integrator.method") && said.contains("5200 numbers"), "{said}");
    }
    let scene = balls(400, "auto").unwrap();
    assert!(!pair(&scene).is_implicit());
    let reason = scene.options.choice.unwrap();
    assert!(reason.contains("bdf fails (") && reason.contains("5200 numbers"), "{reason}");
}
