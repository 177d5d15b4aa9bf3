//! Derivatives through contact: against central differences of whole runs, and where they are refused.

#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle::gradient::{GradientError, differences, gradient};
use bristle::sweep::Source;

fn source(text: &str, overrides: &[&str]) -> Source {
    let overrides = overrides.iter().map(ToString::to_string).collect();
    Source { text: text.to_string(), file: "scene.toml".to_string(), overrides }
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

/// Tolerance of the runs that are differenced. With less, steps at touchdown fall below what time resolves.
const RTOL: f64 = 1e-11;
/// Part of a quantity over its key that their differences resolve: what a run is off, about ten `RTOL` of the quantity
/// (`docs/integrators.md`), over the shortest step, 5e-4 of the key. Nothing smaller can be told from zero.
const RESOLVED: f64 = 10.0 * RTOL / 5e-4;

/// Every derivative agrees with differences of runs to 1e-6 of itself; where it is nearly zero, to what they resolve. Returns the
/// table.
fn agrees(scene: &Source, keys: &[&str], quantities: &[&str]) -> String {
    let (keys, quantities) = (words(keys), words(quantities));
    let exact = gradient(scene, &keys, &quantities, &mut |_| true).unwrap();
    let tight = format!("simulation.integrator.rtol={RTOL}");
    let tight = Source { overrides: [scene.overrides.clone(), vec![tight]].concat(), ..scene.clone() };
    let rough = differences(&tight, &keys, &quantities, &mut |_| true).unwrap();
    let (mut table, mut is_right) = (String::new(), true);
    for (i, quantity) in exact.quantities.iter().enumerate() {
        for (k, key) in exact.keys.iter().enumerate() {
            let (a, b) = (exact.jacobian[i][k], rough.jacobian[i][k]);
            let size = if key.value == 0.0 { 1.0 } else { key.value.abs() };
            let natural = quantity.value.abs() / size;
            let is_close = (a - b).abs() <= (1e-6 * b.abs()).max(RESOLVED * natural);
            is_right &= is_close;
            let name = format!("{} by {}", quantity.name, key.name);
            let (apart, part) = ((a - b).abs() / b.abs(), (a - b).abs() / natural);
            let mark = if is_close { "" } else { "  WRONG" };
            table += &format!("{name:<92} {a:>20.12e} {b:>20.12e}  {apart:.1e}  {part:.1e}{mark}\n");
        }
        let (value, again) = (quantity.value, rough.quantities[i].value);
        assert!((value - again).abs() <= 1e-9 * again.abs(), "{}: {value} {again}", quantity.name);
    }
    assert!(is_right, "derivative, by differences, apart, apart in value/key\n{table}");
    table
}

const BALL: &str = r#"
schema = 1
[simulation]
duration = 0.6
integrator = { method = "dop853", rtol = 1e-11 }
[materials.m]
normal = { law = "gonthier", stiffness = 1e6, restitution = 0.7 }
[bodies.ball]
mass = 0.2
shape = { sphere = { radius = 0.02 } }
position = [0.0, 0.0, 0.12]
velocity = [0.4, 0.0, -0.5]
[bodies.ground]
fixed = true
shape = { plane = { normal = [0.0, 0.0, 1.0] } }
[[contacts]]
between = ["ball", "ground"]
material = "m"
"#;

#[test]
fn a_free_fall_has_the_derivatives_of_its_closed_form() {
    let scene = source(BALL, &["bodies.ball.position[2]=10", "simulation.gravity=[0,0,-9.81]"]);
    let keys = words(&["simulation.gravity[2]", "bodies.ball.velocity[2]", "bodies.ball.position[2]"]);
    let of = words(&["ball.position.z", "ball.velocity.z", "at(ball.position.z, 0.25)", "energy.kinetic"]);
    let found = gradient(&scene, &keys, &of, &mut |_| true).unwrap();
    let (t, v) = (0.6, -0.5 - 9.81 * 0.6);
    let exact =
        [[0.5 * t * t, t, 1.0], [t, 1.0, 0.0], [0.5 * 0.0625, 0.25, 1.0], [0.2 * v * t, 0.2 * v, 0.0]];
    for (row, exact) in found.jacobian.iter().zip(exact) {
        for (a, b) in row.iter().zip(exact) {
            // the seeds: 1e-13 of rounding over a few operations; the path is a parabola, which steps reproduce
            assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()) * 10.0, "{a} {b}");
        }
    }
    assert_eq!(found.keys[1].unit, "m/s");
    assert_eq!((found.quantities[3].unit, found.quantities[3].name.as_str()), ("J", "energy.kinetic"));
}

#[test]
fn a_ball_that_bounces_slips_and_rolls_has_the_derivatives_of_its_runs() {
    let text = include_str!("../../../scenes/rolling_sphere.toml");
    agrees(
        &source(text, &["simulation.integrator.rtol=1e-11"]),
        &[
            "bodies.ball.velocity[0]",
            "materials.steel-on-ground.friction.friction",
            "materials.steel-on-ground.normal.stiffness",
            "materials.steel-on-ground.normal.damping",
            "bodies.ball.position[2]",
        ],
        &[
            "ball.position.x",
            "max(ball.position.z, from=0.14, to=0.4)",
            "max(ball.position.z, from=0.36, to=0.45)",
            "energy.normal",
        ],
    );
}

#[test]
fn restitution_and_stiffness_of_gonthier_bounces_have_the_derivatives_of_their_runs() {
    agrees(
        &source(BALL, &[]),
        &[
            "materials.m.normal.restitution",
            "materials.m.normal.stiffness",
            "bodies.ball.velocity[2]",
            "bodies.ball.position[2]",
            "bodies.ball.mass",
        ],
        &[
            "max(ball.position.z, from=0.15, to=0.3)",
            "max(ball.position.z, from=0.37, to=0.5)",
            "ball.position.z",
            "energy.normal",
            "max(ball-ground.normal_force)",
        ],
    );
}

#[test]
fn a_hunt_crossley_ball_with_a_linear_clutch_has_the_derivatives_of_its_runs() {
    let scene = source(
        BALL,
        &[
            "simulation.integrator.rtol=1e-10",
            "materials.m.normal={ law = \"hunt-crossley\", stiffness = 1e6, dissipation = 0.3 }",
            "materials.m.friction={ law = \"spring-clutch\", variant = \"linear\", friction = 0.2, stiffness = 5e4, damping = 10, viscous = 0.1 }",
        ],
    );
    agrees(
        &scene,
        &[
            "bodies.ball.velocity[0]",
            "materials.m.normal.dissipation",
            "materials.m.normal.stiffness",
            "materials.m.friction.friction",
        ],
        &[
            "ball.position.x",
            "ball.angular_velocity.y",
            "max(ball.position.z, from=0.15, to=0.3)",
            "energy.lost",
        ],
    );
}

/// The overrides that give a scene these laws.
fn with_laws(normal: &str, friction: &str) -> [String; 3] {
    let material = "materials.steel-on-ground";
    [
        "simulation.integrator.rtol=1e-11".to_string(),
        format!("{material}.normal={{ {normal} }}"),
        format!(
            "{material}.friction={{ law = \"spring-clutch\", friction = 0.2, stiffness = 12.75e6, damping = 3.1e3, viscous = 0.1{friction} }}"
        ),
    ]
}

#[test]
fn rolling_distance_apex_height_and_energy_loss_have_derivatives_across_bounces() {
    let text = include_str!("../../../scenes/rolling_sphere.toml");
    let gonthier = "law = \"gonthier\", stiffness = 8.5e6, restitution = 0.6";
    let azad = "law = \"azad-featherstone\", stiffness = 8.5e6, damping = 3.1e3";
    let printed = ", variant = \"as-printed\"";
    for (normal, friction, e) in [
        (gonthier, "", "restitution"),
        (gonthier, printed, "restitution"),
        (azad, "", "damping"),
        (azad, printed, "damping"),
    ] {
        let overrides = with_laws(normal, friction);
        let scene = source(text, &overrides.each_ref().map(String::as_str));
        let e = format!("materials.steel-on-ground.normal.{e}");
        let table = agrees(
            &scene,
            &[
                "materials.steel-on-ground.normal.stiffness",
                &e,
                "materials.steel-on-ground.friction.friction",
                "bodies.ball.velocity[0]",
            ],
            // the second apex; the loss after two bounces and at the end, when the ball rolls
            &[
                "ball.position.x",
                "max(ball.position.z, from=0.3, to=0.37)",
                "at(energy.lost, 0.33)",
                "energy.lost",
            ],
        );
        println!("{normal}{friction}\n{table}");
    }
}

#[test]
fn accounts_of_a_ball_that_slips_have_the_derivatives_of_its_runs() {
    let text = include_str!("../../../scenes/rolling_sphere.toml");
    for variant in ["conservative", "as-printed"] {
        let variant = format!("materials.steel-on-ground.friction.variant={variant}");
        agrees(
            &source(text, &["simulation.integrator.rtol=1e-11", &variant]),
            &[
                "bodies.ball.velocity[0]",
                "materials.steel-on-ground.friction.friction",
                "materials.steel-on-ground.normal.stiffness",
                "materials.steel-on-ground.normal.damping",
            ],
            &["energy.clutch", "energy.viscous", "energy.normal"],
        );
    }
}

#[test]
fn what_is_missing_is_what_the_accounts_hold() {
    let scene = source(include_str!("../../../scenes/rolling_sphere.toml"), &[]);
    let accounts = ["normal", "damper", "clutch", "viscous", "stiffness", "released"];
    let of: Vec<String> = ["lost"].iter().chain(&accounts).map(|name| format!("energy.{name}")).collect();
    let found = gradient(&scene, &words(&["bodies.ball.velocity[0]"]), &of, &mut |_| true).unwrap();
    let (lost, held) = (&found.jacobian[0][0], found.jacobian[1..].iter().map(|row| row[0]).sum::<f64>());
    assert!((lost - held).abs() < 1e-6 * lost.abs(), "{lost} {held}");
    // ten rtol of error in every account
    let held: f64 = found.quantities[1..].iter().map(|account| account.value).sum();
    let lost = found.quantities[0].value;
    assert!((lost - held).abs() < 6.0 * 10.0 * 1e-10 * lost, "{lost} {held}");
}

#[test]
fn balls_that_come_to_rest_or_roll_down_have_the_derivatives_of_their_runs() {
    let bouncing = include_str!("../../../scenes/bouncing_sphere.toml");
    let set = ["simulation.integrator.rtol=1e-11", "bodies.ball.velocity=[0, 0, -0.1]"];
    let material = "materials.ground.normal";
    agrees(
        &source(bouncing, &set),
        &[
            &format!("{material}.stiffness"),
            &format!("{material}.damping"),
            "bodies.ball.velocity[2]",
            "bodies.ball.mass",
        ],
        &["energy.lost", "at(energy.lost, 0.45)", "max(ball.position.z, from=0.3, to=0.45)"],
    );
    let incline = include_str!("../../../scenes/ball_on_incline.toml");
    let material = "materials.ball-on-plane";
    for variant in ["passive", "as-printed"] {
        let variant = format!("{material}.friction.variant={variant}");
        agrees(
            &source(incline, &["simulation.integrator.rtol=1e-11", &variant]),
            &[
                &format!("{material}.normal.stiffness"),
                &format!("{material}.normal.restitution"),
                &format!("{material}.friction.kinetic"),
                "bodies.ball.velocity[0]",
                "bodies.ball.mass",
            ],
            &["ball.position.x", "energy.lost"],
        );
    }
}

fn refusal(scene: &Source, key: &str, quantity: &str) -> GradientError {
    gradient(scene, &words(&[key]), &words(&[quantity]), &mut |_| true).unwrap_err()
}

#[test]
fn what_has_no_derivative_is_refused_with_the_reason() {
    let stiffness = "materials.m.normal.stiffness";
    for (overrides, key, quantity, reason) in [
        (
            &["simulation.integrator={ method = \"rk4\", step = 1e-5 }"][..],
            stiffness,
            "ball.position.z",
            "fixed step",
        ),
        (&[], "materials.m.normal.stifness", "ball.position.z", "no number written"),
        (&[], "materials.m.normal.law", "ball.position.z", "no number written"),
        (&[], "simulation.duration", "ball.position.z", "changes how the run is made"),
        (&[], stiffness, "ball.position.q", "did you mean ball.position."),
        (&[], stiffness, "mean(ball.position.z)", "must be NAME"),
        (&[], stiffness, "at(ball.position.z, 9)", "within the run"),
        (
            &["materials.m.normal.restitution=1"],
            "materials.m.normal.restitution",
            "ball.position.z",
            "both sides of 1",
        ),
        (
            &["materials.m.normal.restitution=[[0.1, 0.9], [2.0, 0.7]]"],
            "materials.m.normal.restitution[1][1]",
            "ball.position.z",
            "table of restitutions would change with it",
        ),
    ] {
        let error = refusal(&source(BALL, overrides), key, quantity);
        assert!(error.is_bad_input() && error.to_string().contains(reason), "{error}");
    }
    let none = gradient(&source(BALL, &[]), &[], &words(&["ball.position.z"]), &mut |_| true);
    assert_eq!(none.unwrap_err().to_string(), "a gradient needs at least one key");
}

#[test]
fn facets_of_meshes_are_refused() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/rover_on_terrain.toml").to_string();
    let text = bristle::scene::Scene::merged(&file, bristle::scene::Access::Folder).unwrap();
    let scene =
        Source { text, file, overrides: vec!["simulation.integrator={ method = \"dopri5\" }".to_string()] };
    let error = refusal(&scene, "parameters.radius", "energy.lost");
    assert!(error.to_string().contains("facets of a mesh"), "{error}");
}

/// A second ball like the first, beside it.
const SECOND: &str = r#"
[bodies.other]
mass = 0.2
shape = { sphere = { radius = 0.02 } }
position = [0.0, 1.0, 0.12]
velocity = [0.4, 0.0, -0.5]
[[contacts]]
between = ["other", "ground"]
material = "m"
"#;

#[test]
fn events_at_once_that_a_key_pulls_apart_are_refused() {
    let scene = source(&format!("{BALL}{SECOND}"), &[]);
    let error = refusal(&scene, "bodies.other.position[2]", "other.position.z");
    let text = error.to_string();
    assert!(!error.is_bad_input() && text.contains("ball-ground") && text.contains("ground-other"), "{text}");
    // what moves both alike keeps them together
    agrees(&scene, &["materials.m.normal.stiffness"], &["max(ball.position.z, from=0.15, to=0.3)"]);
}

#[test]
fn a_gradient_can_be_stopped() {
    let scene = source(BALL, &[]);
    let (keys, of) = (words(&["bodies.ball.mass"]), words(&["ball.position.z"]));
    let error = gradient(&scene, &keys, &of, &mut |t| t < 0.2).unwrap_err();
    assert!(matches!(error, GradientError::Stopped { time } if time >= 0.2), "{error}");
}
