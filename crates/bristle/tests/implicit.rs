//! Linearly implicit steps: stable where contact is stiff beside the step, without creep, without energy from nowhere.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use bristle::prepare;
use bristle::run::{Run, run};
use bristle::scene::Scene;

fn simulate(scene: &str, overrides: &[String]) -> Run {
    let scene = Scene::parse(scene, "implicit.toml", overrides).unwrap();
    let p = prepare(&scene).unwrap();
    run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap()
}

fn column(run: &Run, name: &str) -> Vec<f64> {
    run.recording.column(name).unwrap_or_else(|| panic!("no column {name}")).values.clone()
}

fn ship(name: &str, overrides: &[&str]) -> Run {
    let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let overrides: Vec<String> = overrides.iter().map(|s| (*s).to_string()).collect();
    let p = prepare(&Scene::load(path, &overrides).unwrap()).unwrap();
    run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap()
}

/// A ball of steel on ground of some stiffness, dropped, thrown or laid down.
fn ball(stiffness: f64, step: f64) -> String {
    format!(
        r#"
        schema = 1
        [simulation]
        duration = 2.0
        integrator = {{ method = "linearly-implicit", step = {step} }}
        record = {{ every = {step} }}
        [materials.ground]
        normal = {{ law = "hunt-crossley", stiffness = {stiffness}, exponent = 1, alpha = 0.1 }}
        friction = {{ law = "spring-clutch", variant = "linear", friction = 0.4, stiffness = {stiffness}, damping = 300.0 }}
        [bodies.ball]
        mass = 1.0
        shape = {{ sphere = {{ radius = 0.05 }} }}
        position = [0.0, 0.0, 0.08]
        velocity = [1.0, 0.0, 0.0]
        [bodies.table]
        fixed = true
        shape = {{ plane = {{}} }}
        [[contacts]]
        between = ["ball", "table"]
        material = "ground"
        "#
    )
}

#[test]
fn no_step_and_no_stiffness_gains_energy() {
    let power = |scene: &str| scene.replace("exponent = 1,", "exponent = 1.5,");
    for (stiffness, step) in [1e5, 1e6, 1e7, 1e9].into_iter().flat_map(|k| [1e-3, 2e-3, 4e-3].map(|h| (k, h)))
    {
        for scene in [ball(stiffness, step), power(&ball(stiffness, step))] {
            let run = simulate(&scene, &[]);
            let of = |name: &str| column(&run, &format!("energy.{name}"));
            let parts = ["kinetic", "gravity", "elastic_normal", "elastic_tangential"].map(of);
            let total: Vec<f64> = (0..parts[0].len()).map(|i| parts.iter().map(|p| p[i]).sum()).collect();
            let most = total.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert!(
                most <= total[0] * (1.0 + 1e-9),
                "{stiffness:e} N/m, {step} s: {} J, then {most} J",
                total[0]
            );
            assert!(total.iter().all(|x| x.is_finite()));
        }
    }
}

#[test]
fn a_ball_comes_to_rest_where_its_weight_is_carried() {
    for step in [1e-3, 4e-3] {
        let run = simulate(&ball(1e6, step), &["bodies.ball.velocity=[0,0,0]".to_string()]);
        let depth = 0.05 - run.state.x[2];
        assert!((depth / (9.81 / 1e6) - 1.0).abs() < 1e-9, "{step} s: {depth} m");
    }
}

/// First order: halving the step halves what is left of the error.
#[test]
fn the_error_falls_with_the_step() {
    let slow = |step: f64| ball(2e3, step).replace("alpha = 0.1", "alpha = 0.02").replace("2.0\n", "0.4\n");
    let exact =
        simulate(&slow(1e-3).replace("method = \"linearly-implicit\", step = 0.001", "rtol = 1e-10"), &[]);
    let error = |step: f64| {
        let run = simulate(&slow(step), &[]);
        (0..3).map(|i| (run.state.x[i] - exact.state.x[i]).powi(2)).sum::<f64>().sqrt()
    };
    let errors = [4e-5, 2e-5, 1e-5].map(error);
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.6..2.4).contains(&ratio), "{errors:?}");
    }
}

#[test]
fn feet_that_stick_stay_where_they_are() {
    for step in ["1e-3", "4e-3"] {
        let method = format!("simulation.integrator={{method=\"linearly-implicit\",step={step}}}");
        let stiff = "materials.rubber.normal.stiffness=1e6";
        let run = ship(
            "quadruped_stand",
            &[&method, "simulation.duration=6", stiff, "materials.rubber.friction.stiffness=1e6"],
        );
        let (x, y, z) = (
            column(&run, "dog/trunk.position.x"),
            column(&run, "dog/trunk.position.y"),
            column(&run, "dog/trunk.position.z"),
        );
        let at = |t: f64| (t / 0.05).round() as usize;
        let (from, to) = (at(4.0), at(6.0));
        for axis in [&x, &y, &z] {
            let drift = (axis[to] - axis[from]) / 2.0;
            assert!(drift.abs() < 1e-12, "{step} s: {drift:e} m/s");
        }
        assert!(z[to] > 0.25, "{}", z[to]);
    }
}

#[test]
fn what_it_cannot_take_is_refused_when_the_scene_is_loaded() {
    let refusal = |scene: &str| {
        let scene = Scene::parse(scene, "implicit.toml", &[]).unwrap();
        prepare(&scene).err().unwrap().to_string()
    };
    let law = "law = \"volume-kelvin-voigt\", modulus = 1e6, damping = 1e3, bed_depth = 0.01";
    let point = "law = \"hunt-crossley\", stiffness = 1000000, exponent = 1, alpha = 0.1";
    let patch = ball(1e6, 1e-3)
        .replace(point, law)
        .replace("sphere = { radius = 0.05 }", "box = { size = [0.1, 0.1, 0.1] }");
    let message = refusal(&patch);
    assert!(message.contains("touch over a patch"), "{message}");
}

/// A slider that runs back and forth between its stops, far stiffer than the step resolves.
#[test]
fn a_joint_that_runs_into_its_stops_gains_nothing() {
    let scene = r#"
        schema = 1
        [simulation]
        duration = 4.0
        gravity = [0, 0, 0]
        integrator = { method = "linearly-implicit", step = 4e-3 }
        record = { every = 4e-3 }
        [bodies.cart]
        mass = 2.0
        [joints.rail]
        parent = "world"
        child = "cart"
        type = "prismatic"
        axis = [1, 0, 0]
        velocity = [1.7]
        limits = { lower = -0.2, upper = 0.3, stop = { law = "hertz", stiffness = 1e8 } }
        "#;
    let run = simulate(scene, &[]);
    let total: Vec<f64> = column(&run, "energy.kinetic")
        .iter()
        .zip(column(&run, "energy.elastic_joints"))
        .map(|(kinetic, elastic)| kinetic + elastic)
        .collect();
    assert!((total[0] - 0.5 * 2.0 * 1.7f64.powi(2)).abs() < 1e-12);
    let most = total.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(most <= total[0] * (1.0 + 1e-9), "{} J, then {most} J", total[0]);
    let reach = column(&run, "rail.position").iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!(reach > 0.3, "it runs into a stop: {reach}");
}
