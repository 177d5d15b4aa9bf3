//! Every key of the scene format, resolved.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::laws::Value;
use bristle::scene::*;
use nalgebra::{Point3, UnitQuaternion, Vector3};
use std::f64::consts::{FRAC_PI_2, PI};

fn scene() -> Scene {
    Scene::parse(include_str!("support/scenes/every_key.toml"), "every_key.toml", &[]).unwrap()
}

fn body(name: &str) -> BodySpec {
    scene().body(name).unwrap().clone()
}

#[test]
fn simulation_keys() {
    let simulation = scene().simulation;
    assert_eq!((simulation.duration, simulation.gravity.z), (2.0, -1.62));
    let i = &simulation.integrator;
    assert_eq!((i.method, i.rtol, i.atol, i.step), (Method::Dop853, 1e-10, 1e-14, None));
    assert_eq!((i.initial_step, i.min_step, i.max_step), (Some(1e-6), 1e-12, 1e-2));
    let record = &simulation.record;
    assert_eq!((record.every, record.during_contact), (1e-2, Some(1e-5)));
    assert_eq!(record.quantities, [Quantity::Positions, Quantity::Energy, Quantity::Contacts]);
    assert_eq!((i.place.line(), record.place.line()), (Some(9), Some(7)));
}

#[test]
fn fixed_step_methods_have_a_step() {
    for (name, method) in Method::NAMES.into_iter().filter(|(_, m)| !m.is_adaptive()) {
        let set = format!("simulation.integrator={{ method = \"{name}\", step = 1e-4 }}");
        let text = include_str!("support/scenes/example.toml");
        let integrator = Scene::parse(text, "x.toml", &[set]).unwrap().simulation.integrator;
        assert_eq!((integrator.method, integrator.step, method.name()), (method, Some(1e-4), name));
    }
}

#[test]
fn values_by_body_name_are_resolved_for_a_pair() {
    let scene = scene();
    let glass = &scene.material("glass").unwrap().normal;
    let sides = |a: f64, b: f64| Some(Value::List(vec![Value::Number(a), Value::Number(b)]));
    let params = glass.params_for("ground", "ball").unwrap();
    assert_eq!(params.get("young").cloned(), sides(1e9, 70e9));
    assert_eq!(params.get("poisson").cloned(), sides(0.2, 0.3));
    let params = glass.params_for("ball", "foot").unwrap();
    assert_eq!(params.get("young").cloned(), sides(70e9, 5e9));
    let bed = scene.material("bed").unwrap().normal.params_for("foot", "ground").unwrap();
    assert_eq!(bed.get("modulus").cloned(), sides(1e6, f64::INFINITY));
}

#[test]
fn a_side_without_value_is_an_error_with_its_line() {
    let set = "materials.glass.normal.young={ ball = 1e9, ground = 2e9 }".to_string();
    let text = include_str!("support/scenes/every_key.toml");
    let scene = Scene::parse(text, "x.toml", &[set]).unwrap();
    let error = scene.material("glass").unwrap().normal.params_for("foot", "ground").unwrap_err();
    assert_eq!(
        error.to_string(),
        "x.toml: --set materials.glass.normal.young={ ball = 1e9, ground = 2e9 }: \
         materials.glass.normal.young.foot is missing; give young of foot, or of \"*\" for every other body"
    );
}

#[test]
fn material_keys() {
    let scene = scene();
    let glass = scene.material("glass").unwrap();
    let design = glass.normal.design.as_ref().unwrap();
    assert_eq!((design.targets.restitution, design.speed, design.mass), (Some(0.8), 1.0, Some(0.5)));
    assert_eq!(glass.friction.as_ref().unwrap().info.id, "coulomb");
    assert_eq!(glass.rolling.as_ref().unwrap().info.id, "rolling");
    assert_eq!(glass.spin.as_ref().unwrap().params.get("radius"), Some(&Value::Number(1e-3)));
    let soft = &scene.material("soft").unwrap().normal;
    assert_eq!(soft.design.as_ref().unwrap().targets.peak_depth, Some(1e-3));
    assert_eq!(soft.params.get("restitution").unwrap().to_string(), "{ alpha = 0.1 }");
}

#[test]
fn body_keys() {
    let ball = body("ball");
    assert_eq!(ball.inertia.unwrap().diagonal(), Vector3::new(1e-3, 2e-3, 2.5e-3));
    assert_eq!(ball.center_of_mass, Some(Vector3::new(0.0, 0.0, 0.01)));
    assert!(ball.pose.rotation.angle_to(&UnitQuaternion::from_euler_angles(0.0, 0.0, FRAC_PI_2)) < 1e-15);
    assert_eq!((ball.velocity.x, ball.angular_velocity.z), (0.1, 5.0));
    let foot = body("foot");
    assert_eq!(foot.mass, Some(MassSpec::Density(1000.0)));
    assert_eq!(foot.freedoms, Freedoms { linear: [true, false, true], angular: [false, true, false] });
    assert_eq!((foot.start, ball.start), (Start::Rest, Start::AsGiven));
    assert_eq!(body("tip").inertia.unwrap()[(1, 0)], 0.1);
    assert!(
        body("tip").pose.rotation.angle_to(&UnitQuaternion::from_euler_angles(FRAC_PI_2, 0.0, 0.0)) < 1e-15
    );
    assert!(body("rod").is_free());
    assert_eq!(body("rod").inertia.unwrap()[(0, 1)], 0.1);
}

#[test]
fn shapes_and_their_poses() {
    let shapes = body("ball").shapes;
    let names: Vec<&str> = shapes.iter().map(|s| s.shape.name()).collect();
    assert_eq!(names, ["sphere", "capsule", "point", "cylinder", "box"]);
    assert_eq!(shapes[1].shape, ShapeSpec::Capsule { radius: 0.02, length: 0.3 });
    let tip = shapes[1].pose * Point3::new(0.0, 0.0, 0.15); // a quarter turn about y takes z to x
    assert!((tip - Point3::new(0.25, 0.0, 0.0)).norm() < 1e-15);
    assert_eq!(shapes[1].place.key(), "bodies.ball.shapes[1]");
    assert_eq!(shapes[1].place.line(), Some(45));
    assert_eq!(shapes[4].shape, ShapeSpec::Box { size: Vector3::new(0.1, 0.2, 0.3) });
    let ShapeSpec::Spheres(balls) = &body("foot").shapes[0].shape else { panic!("no spheres") };
    assert_eq!((balls[1].center.x, balls[1].radius), (-0.1, 0.02));
    let pipe = body("pipe").shapes;
    assert_eq!(pipe[0].shape, ShapeSpec::Tube { radius: 1.0, length: Some(4.0) });
    assert_eq!(pipe[1].shape, ShapeSpec::Tube { radius: 2.0, length: None });
}

#[test]
fn a_plane_is_a_half_space_with_a_pose() {
    let ground = &body("ground").shapes[0];
    assert_eq!(ground.shape, ShapeSpec::HalfSpace);
    assert!((ground.pose.rotation * Vector3::z() + Vector3::z()).norm() < 1e-15);
    assert_eq!(ground.pose.translation.vector, Vector3::new(0.0, 0.0, -0.5));
}

#[test]
fn motions() {
    assert_eq!(body("belt").kind, BodyKind::Driven(MotionSpec::Velocity(Vector3::new(0.1, 0.0, 0.0))));
    let (axis, amplitude, frequency, phase) = (Vector3::z_axis(), 1e-3, 50.0, FRAC_PI_2);
    let sine = MotionSpec::Sine { axis, amplitude, frequency, phase };
    assert_eq!(body("shaker").kind, BodyKind::Driven(sine));
    let slide = body("slide");
    assert_eq!(slide.pose.translation.vector, Vector3::x());
    let BodyKind::Driven(MotionSpec::Table { times, positions }) = slide.kind else { panic!("no table") };
    assert_eq!((times.len(), positions[1].x), (3, 2.0));
}

#[test]
fn contacts_and_the_first_match() {
    let scene = scene();
    assert_eq!(scene.contacts[0].name.as_deref(), Some("landing"));
    assert_eq!(scene.contacts[0].initial["dwell"], 1.0);
    let rule = |a, b| scene.contact_between(a, b).map(|(c, order)| (c.rule.clone(), order));
    let material = |name: &str| ContactRule::Material(name.to_string());
    assert_eq!(rule("ground", "ball"), Some((material("glass"), ["ball", "ground"])));
    assert_eq!(rule("ground", "foot"), Some((material("bed"), ["foot", "ground"])));
    assert_eq!(rule("tip", "ball"), Some((ContactRule::Ignore, ["tip", "ball"])));
}

#[test]
fn springs_and_forces() {
    let scene = scene();
    let leg = &scene.springs[0];
    assert_eq!(leg.between, [Anchor::Body("ball".to_string()), Anchor::World]);
    assert_eq!((leg.points[1].z, leg.stiffness, leg.damping, leg.rest_length), (4.0, 100.0, 1.5, Some(0.5)));
    assert_eq!((scene.springs[1].stiffness, scene.springs[1].rest_length), (0.0, None));
    let ankle = &scene.torsion_springs[0];
    assert_eq!((ankle.axis, ankle.stiffness, ankle.rest_angle), (Vector3::y_axis(), 3.0, Some(PI / 4.0)));
    let names: Vec<&str> = scene.forces.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["push", "steady", "shake", "tug"]);
    let (from, to) = (Vector3::zeros(), Vector3::new(5.0, 0.0, 0.0));
    let schedule = Schedule::Ramp { from, to, start: 0.5, end: 1.0 };
    let at = Some(Vector3::new(0.0, 0.0, 0.1));
    assert_eq!(scene.forces[0].load, LoadSpec::Force { schedule, at });
    assert_eq!((scene.forces[0].frame, scene.forces[1].frame), (ForceFrame::Body, ForceFrame::World));
    let LoadSpec::Torque(Schedule::Sine { phase, offset, .. }) = &scene.forces[2].load else {
        panic!("no sine")
    };
    assert_eq!((*phase, offset.z), (PI, 0.5));
}

#[test]
fn later_errors_name_the_line_too() {
    let scene = scene();
    let error = scene.error("bodies.ball.shapes[2].point", "{}", "met by a pair that is supported");
    assert_eq!(
        error.to_string(),
        "every_key.toml:46:15: bodies.ball.shapes[2].point = {} must be met by a pair that is supported"
    );
    let error = scene.complain("contacts[1].initial.dwell", "is no state of the law");
    assert_eq!(error.to_string(), "every_key.toml:97:1: contacts[1].initial.dwell is no state of the law");
}

#[test]
fn joints_motors_and_robots() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/scenes/every_joint.toml");
    let scene = Scene::load(path, &[]).unwrap();
    let joint = |name: &str| scene.joints.iter().find(|j| j.name == name).unwrap();
    let shoulder = joint("shoulder");
    assert_eq!((shoulder.axis, shoulder.velocity[0], shoulder.armature), (Vector3::y_axis(), 1.0, 0.05));
    assert!((shoulder.position[0] - PI / 6.0).abs() < 1e-15 && shoulder.limits[1] == Some(PI / 3.0));
    assert!((shoulder.in_parent * Point3::new(1.0, 0.0, 0.0) - Point3::new(0.0, 1.0, 2.0)).norm() < 1e-15);
    assert_eq!((joint("rail").position[0], joint("ball").position[0]), (0.25, 1.0));
    let motor = |name: &str| scene.actuators.iter().find(|a| a.name == name).unwrap();
    assert_eq!((motor("shoulder").phases.len(), motor("shoulder").phases[0].until), (2, Some(0.05)));
    assert_eq!((motor("wrist").freedom, motor("shoulder").gear), (1, 10.0));
    assert_eq!((scene.pins[0].stiffness, scene.sensors[0].pose.translation.vector.y), (1e4, 0.1));
    // the file: names, key frame, what the scene changes
    let (arm, lower) = (&scene.robots[0], joint("arm/elbow"));
    assert_eq!(arm.bodies, ["arm/world", "arm/base", "arm/upper", "arm/lower"]);
    assert_eq!((lower.position[0], lower.velocity[0]), (-PI / 4.0, 0.25), "the scene before the key frame");
    assert_eq!((joint("arm/shoulder").position[0], joint("arm/shoulder").offset), (0.3, 0.2));
    let base = scene.body("arm/base").unwrap();
    assert!((base.pose.translation.vector - Vector3::new(3.0, 0.0, 1.2)).norm() < 1e-15);
    assert!((base.velocity - Vector3::new(0.0, 0.1, 0.0)).norm() < 1e-15, "turned with the robot");
    assert_eq!((base.shapes.len(), scene.body("arm/lower").unwrap().shapes.len()), (0, 1), "touch");
    let servo = motor("arm/servo");
    assert_eq!((servo.limits, servo.phases[0].stiffness), (Some([-9.0, 9.0]), 20.0));
    assert_eq!(motor("arm/drive").gear, 5.0);
    assert_eq!(motor("still/elbow").limits, Some([-5.0, 5.0]));
    assert!(scene.sensors.iter().any(|s| s.name == "arm/chip"));
    let p = bristle::prepare(&scene).unwrap();
    let run = bristle::run::run(&p.model, &p.q, &p.v, &p.options, |_| true).unwrap();
    assert!(run.closure <= 1e-6 * run.in_play, "{:e}", run.closure / run.in_play);
    // a sensor at rest in a free fall feels nothing; on the ground it would feel 9.81
    assert!(run.recording.column("arm/chip.acceleration.z").is_some());
}
