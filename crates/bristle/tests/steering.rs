//! Runs that are seen and told from outside between their steps, and laws of one's own in them.
#![allow(clippy::unwrap_used)] // what fails here, fails the test

use bristle::laws::{Indent, Normal, NormalLaw, NormalOut, Phase};
use bristle::runner::Runner;
use bristle::scene::Scene;
use bristle::world::Command;
use bristle::{OwnLaws, Prepared, prepare, run::run};
use std::sync::Arc;

const WHEEL: &str = r#"
schema = 1
[simulation]
duration = 0.5
gravity = [0, 0, 0]
[bodies.wheel]
mass = 1.0
inertia = [1, 1, 1]
[joints.axle]
parent = "world"
child = "wheel"
type = "revolute"
[actuators.motor]
joint = "axle"
effort = 0
"#;

const BALL: &str = r#"
schema = 1
[simulation]
duration = 0.3
integrator = { method = "dop853", rtol = 1e-10 }
[materials.ground]
normal = { law = "kelvin-voigt", stiffness = 1e4, damping = 5.0 }
[bodies.ball]
mass = 0.154
shape = { sphere = { radius = 0.0165 } }
position = [0.0, 0.0, 0.1165]
[bodies.ground]
fixed = true
shape = { plane = {} }
[[contacts]]
between = ["ball", "ground"]
material = "ground"
"#;

fn runner(p: &Prepared) -> Runner<'_> {
    Runner::new(&p.model, &p.q, &p.v, &p.options).unwrap()
}

fn prepared(text: &str) -> (Scene, Prepared) {
    let scene = Scene::parse(text, "scene.toml", &[]).unwrap();
    let prepared = prepare(&scene).unwrap();
    (scene, prepared)
}

#[test]
fn told_from_outside_is_told_by_a_controller_to_the_bit() {
    let (_, p) = prepared(WHEEL);
    let effort = |speed: f64| 20.0 * (1.0 - speed);
    let mut inside = runner(&p);
    inside
        .control(100.0, |_, seen, told| {
            let [_, speed] = seen.joint("axle").unwrap();
            told.of("motor").unwrap().effort = effort(speed);
        })
        .unwrap();
    while inside.step().unwrap() {}
    let mut outside = runner(&p);
    for tick in 0..50 {
        assert_eq!(outside.time(), f64::from(tick) / 100.0, "no step crosses a tick");
        let speed = outside.state().x[1];
        outside.set_command(0, Command { effort: effort(speed), ..Command::default() }).unwrap();
        assert_eq!(outside.command(0).unwrap().effort, effort(speed));
        while outside.step_to(f64::from(tick + 1) / 100.0).unwrap() {}
    }
    let (inside, outside) = (inside.finish(), outside.finish());
    assert_eq!(inside.recording, outside.recording);
    assert!(outside.cut.is_none());
}

#[test]
fn commands_that_make_no_sense_are_refused() {
    let (_, p) = prepared(WHEEL);
    let mut run = runner(&p);
    assert!(run.set_command(1, Command::default()).is_err());
    assert!(run.set_command(0, Command { target: f64::NAN, ..Command::default() }).is_err());
    assert!(run.command(1).is_none());
}

#[test]
fn what_is_measured_is_what_is_recorded() {
    let (_, p) = prepared(BALL);
    let mut run = runner(&p);
    while run.step_to(0.2).unwrap() {}
    let mut row = Vec::new();
    run.measure(&mut row);
    let names: Vec<String> = run.columns().map(|(name, _)| name.to_string()).collect();
    assert_eq!((names.len(), row[0]), (row.len(), 0.2));
    let recording = run.finish().recording;
    for (name, measured) in names.iter().zip(&row) {
        // the sample lies on the end of the step: dense output and state agree to rounding of positions of 0.1 m and energies
        // of 0.2 J, forces are zero in flight
        let recorded = recording.column(name).unwrap().values.last().copied().unwrap();
        assert!((recorded - measured).abs() < 1e-12, "{name}: {recorded} {measured}");
    }
}

#[test]
fn contacts_are_shown_while_they_act() {
    let (_, p) = prepared(BALL);
    let mut run = runner(&p);
    let mut seen = 0;
    while run.step().unwrap() {
        let mut push = 0.0;
        run.for_each_touch(|t| {
            assert_eq!((t.bodies, t.patch), (["ball", "ground"], 0));
            push += t.touch.normal.force;
        });
        seen += usize::from(push > 0.0);
    }
    assert!(seen > 5, "{seen}");
}

/// `kelvin-voigt`, from outside.
struct Spring;

impl NormalLaw<f64> for Spring {
    fn eval(&self, at: &Indent<f64>, _z: &[f64], _phase: Phase, _zdot: &mut [f64]) -> NormalOut<f64> {
        if at.depth <= 0.0 {
            return NormalOut::none();
        }
        NormalOut::unilateral(1e4 * at.depth, 5.0 * at.rate, 0.5e4 * at.depth * at.depth, at.rate)
    }
}

#[test]
fn a_law_that_is_put_in_a_place_acts_there() {
    let (_, built_in) = prepared(BALL);
    let (scene, mut own) = prepared(&BALL.replace("stiffness = 1e4, damping = 5.0", "stiffness = 9e4"));
    let laws = OwnLaws { normal: Some(Normal::Custom(Arc::new(Spring))), friction: None };
    own.put_laws(&scene, "ground", &laws).unwrap();
    let go = |p: &Prepared| run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap();
    let (a, b) = (go(&built_in), go(&own));
    assert_eq!(a.episodes.len(), b.episodes.len());
    // the same equations; the built-in law has its zero force located too, which moves steps by the error per step, 1e-10 of
    // 0.1 m, over some hundred steps
    assert!((a.state.x[2] - b.state.x[2]).abs() < 1e-9);
    assert!(b.closure < 1e-8 * b.in_play);
}

#[test]
fn a_law_for_a_material_that_touches_nothing_is_refused() {
    let (scene, mut p) = prepared(BALL);
    let error = p.put_laws(&scene, "steel", &OwnLaws::default()).unwrap_err().to_string();
    assert!(error.contains("materials.steel is the material of no contact"), "{error}");
}
