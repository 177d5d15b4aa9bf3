//! What acts along joints: springs, stops, dry friction, pins, motors and controllers, each against a closed form.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // what fails here, fails the test

use bristle::control::{Commands, Observation};
use bristle::run::{Run, run};
use bristle::runner::Runner;
use bristle::scene::Scene;
use bristle::{Prepared, prepare};

/// A wheel of 2 kg m² about z in free space, and more.
fn wheel(more: &str, duration: f64) -> Prepared {
    let text = format!(
        r#"
        schema = 1
        [simulation]
        duration = {duration}
        gravity = [0, 0, 0]
        integrator = {{ method = "dop853", rtol = 1e-11 }}
        record = {{ every = 0.01 }}
        [bodies.wheel]
        mass = 1.0
        inertia = [2, 2, 2]
        [joints.axle]
        parent = "world"
        child = "wheel"
        type = "revolute"
        {more}
        "#
    );
    prepare(&Scene::parse(&text, "wheel.toml", &[]).unwrap()).unwrap()
}

fn go(p: &Prepared) -> Run {
    let run = run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap();
    assert!(run.closure <= 1e-9 * run.in_play.max(1e-3), "closure {:e} of {:e}", run.closure, run.in_play);
    run
}

fn last(run: &Run, column: &str) -> f64 {
    *run.recording.column(column).unwrap_or_else(|| panic!("no {column}")).values.last().unwrap()
}

#[test]
fn a_spring_and_damper_swing_as_the_formula_says() {
    let p = wheel("position = 30\nstiffness = 50\nrest = 0\ndamping = 4\narmature = 0.5", 1.3);
    let run = go(&p);
    // 2.5 q'' + 4 q' + 50 q = 0
    let (decay, start) = (0.8f64, 30f64.to_radians());
    let omega = (20.0 - decay * decay).sqrt();
    let t: f64 = 1.3;
    let q = start * (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
    assert!((last(&run, "axle.position") - q).abs() < 1e-10);
    assert!(run.last.lost[7] > 0.0 && run.last.elastic_joints > 0.0);
}

#[test]
fn a_stop_returns_the_joint_with_the_restitution_of_its_law() {
    let stop = "limits = { lower = -5, upper = 20, stop = { law = \"gonthier\", stiffness = 1e5, restitution = 0.6 } }";
    let p = wheel(&format!("velocity = 2.0\n{stop}"), 0.5);
    let run = go(&p);
    // from 0 to 20 degrees with 2 rad/s, back with 1.2 rad/s to −5 degrees, and up again with 0.72
    let speeds = &run.recording.column("axle.velocity").unwrap().values;
    assert!(speeds.iter().any(|v| (v + 1.2).abs() < 1e-8), "restitution 0.6 at the upper stop");
    let run = go(&wheel(&format!("velocity = 2.0\n{stop}"), 1.2));
    assert!((last(&run, "axle.velocity") - 0.72).abs() < 1e-8, "and at the lower one");
    let lost = 0.5 * 2.0 * (4.0 - 0.72f64 * 0.72);
    assert!((run.last.lost[7] + run.last.lost[5] - lost).abs() < 1e-8, "all of it booked");
}

#[test]
fn dry_friction_holds_below_its_torque_and_slows_down_above_it() {
    let law = "friction = { law = \"spring-clutch\", variant = \"linear\", friction = 3, stiffness = 3e4, damping = 60 }";
    // held: 2.9 N m against 3 N m, put on slowly
    let motor = "[actuators.m]\njoint = \"axle\"\neffort = { times = [0, 1], values = [0, 2.9] }";
    let run = go(&wheel(&format!("{law}\n{motor}"), 2.0));
    let held = last(&run, "axle.position");
    assert!((held - 2.9 / 3e4).abs() < 1e-9, "only the play of the clutch: {held:e}");
    assert!(last(&run, "axle.velocity").abs() < 1e-10);
    // sliding: 2 kg m² slowed by 3 N m from 6 rad/s for 1 s
    let run = go(&wheel(&format!("velocity = 6.0\n{law}"), 1.0));
    assert!((last(&run, "axle.velocity") - 4.5).abs() < 1e-3, "{}", last(&run, "axle.velocity"));
}

#[test]
fn motors_follow_their_phases_to_the_instant() {
    let phases = "[actuators.m]\njoint = \"axle\"\nlimits = [-5, 5]\nphases = [{ until = 0.25, effort = 4 }, \
                  { until = 0.75, effort = \"-8*t\" }, { effort = { times = [0.75, 1.0], values = [2.0, 0.0] } }]";
    let run = go(&wheel(phases, 1.0));
    // ∫: 4·0.25, then −8t cut at −5 from t = 0.625 on, then the triangle
    let impulse = 1.0 - 4.0 * (0.625f64.powi(2) - 0.25f64.powi(2)) - 5.0 * 0.125 + 0.25;
    assert!((2.0 * last(&run, "axle.velocity") - impulse).abs() < 1e-11, "{}", last(&run, "axle.velocity"));
    assert!((run.last.actuators - run.last.kinetic).abs() < 1e-11, "the work of the motor is what moves");
    let (effort, power) = (last(&run, "axle.effort"), last(&run, "axle.power"));
    assert!(effort == 0.0 && power == 0.0);
}

#[test]
fn a_controller_is_called_at_its_ticks_and_held_between_them() {
    let p = wheel("[actuators.m]\njoint = \"axle\"\neffort = 0", 1.0);
    let mut times = Vec::new();
    let mut runner = Runner::new(&p.model, &p.q, &p.v, &p.options).unwrap();
    runner
        .control(8.0, |t, seen: &Observation<'_>, told: &mut Commands<'_>| {
            times.push(t);
            assert_eq!(seen.joint("axle").unwrap()[1], seen.v()[0]);
            told.of("m").unwrap().effort = if times.len() % 2 == 1 { 16.0 } else { -4.0 };
        })
        .unwrap();
    while runner.step().unwrap() {}
    let run = runner.finish();
    assert_eq!(times, [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]);
    // piecewise constant torque: v = Σ τ/2 · 1/8, exact but for rounding
    assert!((last(&run, "axle.velocity") - 4.0 * 0.125 * (8.0 - 2.0)).abs() < 1e-13);
    assert!(run.closure <= 1e-12 * run.in_play);
    assert!(Runner::new(&p.model, &p.q, &p.v, &p.options).unwrap().control(0.0, |_, _, _| {}).is_err());
}

#[test]
fn a_pin_closes_a_loop() {
    // a four-bar parallelogram: its coupler does not turn, so its energy is that of a pendulum
    let text = r#"
        schema = 1
        [simulation]
        duration = 1.0
        integrator = { method = "dop853", rtol = 1e-10 }
        record = { every = 0.01 }
        [bodies.left]
        mass = 1.0
        center_of_mass = [0, 0, -0.5]
        inertia = [0.1, 0.1, 0.01]
        [bodies.right]
        mass = 1.0
        center_of_mass = [0, 0, -0.5]
        inertia = [0.1, 0.1, 0.01]
        [bodies.coupler]
        mass = 2.0
        center_of_mass = [0.5, 0, 0]
        inertia = [0.2, 0.2, 0.2]
        [joints.a]
        parent = "world"
        child = "left"
        type = "revolute"
        axis = [0, 1, 0]
        position = 40
        [joints.b]
        parent = "world"
        child = "right"
        type = "revolute"
        axis = [0, 1, 0]
        in_parent = { position = [1, 0, 0] }
        position = 40
        [joints.c]
        parent = "left"
        child = "coupler"
        type = "revolute"
        axis = [0, 1, 0]
        in_parent = { position = [0, 0, -1] }
        position = -40
        [pins.d]
        between = ["right", "coupler"]
        points = [[0, 0, -1], [1, 0, 0]]
        stiffness = 1e8
        damping = 1e4
    "#;
    let p = prepare(&Scene::parse(text, "bars.toml", &[]).unwrap()).unwrap();
    let run = go(&p);
    let column = |name: &str| &run.recording.column(name).unwrap().values;
    let worst = |values: Vec<f64>| values.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let apart = column("a.position").iter().zip(column("b.position")).map(|(a, b)| a - b).collect();
    assert!(worst(apart) < 1e-6, "the bars stay parallel");
    // (0.1 + 0.25)·2 + 2·1² = 2.7 kg m² about the pivots; m g l = (0.5 + 0.5 + 2)·9.81
    let rate = *column("a.velocity").last().unwrap();
    let angle = *column("a.position").last().unwrap();
    let energy = 0.5 * 2.7 * rate * rate - 3.0 * 9.81 * angle.cos();
    assert!((energy + 3.0 * 9.81 * 40f64.to_radians().cos()).abs() < 1e-4, "a pendulum of one freedom");
}

#[test]
fn joints_of_every_type_conserve_energy() {
    for (kind, more) in [
        ("cylindrical", "axis = [1, 1, 0]\nposition = [0.1, 20]\nvelocity = [0.3, -2]"),
        ("planar", "axis = [0, 1, 0]\nposition = [0.1, 0.2, 15]\nvelocity = [0.5, -0.2, 1]"),
        ("spherical", "position = [1, 0.2, 0, 0.1]\nvelocity = [1, 2, -1]"),
        ("universal", "axis = [1, 0, 0]\nsecond_axis = [0, 1, 0]\nposition = [20, 30]\nvelocity = [1, -2]"),
        ("prismatic", "axis = [0, 0, 1]\nvelocity = 2"),
        ("revolute", "axis = [0, 1, 0]\nposition = 30\nin_child = { position = [0, 0, 0.4] }"),
        ("floating", "in_parent = { position = [0, 0, 1] }"),
    ] {
        let text = format!(
            "schema = 1\n[simulation]\nduration = 0.7\nintegrator = {{ method = \"dop853\", rtol = 1e-11 }}\n\
             [bodies.part]\nmass = 2\ninertia = [0.3, 0.2, 0.1]\ncenter_of_mass = [0.1, 0.2, -0.3]\n\
             [joints.j]\nparent = \"world\"\nchild = \"part\"\ntype = \"{kind}\"\n{more}\n"
        );
        let run = go(&prepare(&Scene::parse(&text, "x.toml", &[]).unwrap()).unwrap());
        assert!(run.in_play > 0.1, "{kind} moves");
    }
}
