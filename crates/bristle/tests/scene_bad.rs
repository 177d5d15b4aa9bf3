//! Bad scenes: every fault is said in one line that names file, line, column, key, value and rule.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::scene::Scene;

/// Lines 1 to 19; each case changes one of them or adds lines from 20 on.
const GOOD: &str = r#"schema = 1
[simulation]
duration = 1.0
[materials.steel]
normal = { law = "hertz", stiffness = 1e9 }
friction = { law = "coulomb", static = 0.3, kinetic = 0.2, slip_speed = 1e-3 }
[bodies.ball]
mass = 1.0
shape = { sphere = { radius = 0.1 } }
velocity = [1.0, 0.0, 0.0]
[bodies.ground]
fixed = true
shape = { plane = { normal = [0, 0, 1] } }
[[contacts]]
between = ["ball", "ground"]
material = "steel"
[springs.leg]
between = ["ball", "world"]
points = [[0, 0, 0], [0, 0, 1]]
stiffness = 10
"#;

/// All that is wrong, one line each, without the name of the file.
#[track_caller]
fn refused(text: &str, message: &str) {
    let errors = Scene::parse(text, "x.toml", &[]).expect_err(message).to_string();
    let lines: Vec<&str> = errors.lines().map(|l| l.strip_prefix("x.toml:").expect(l)).collect();
    assert_eq!(lines.join("\n"), message);
}

/// The good scene with one line in place of another.
#[track_caller]
fn replaced(line: &str, by: &str, message: &str) {
    assert!(GOOD.contains(line), "{line}");
    refused(&GOOD.replacen(line, by, 1), message);
}

/// The good scene with lines added at the end, from line 21.
#[track_caller]
fn added(lines: &str, message: &str) {
    refused(&format!("{GOOD}{lines}\n"), message);
}

#[test]
fn the_good_scene_is_good() {
    Scene::parse(GOOD, "x.toml", &[]).unwrap();
}

#[test]
fn text_that_is_no_toml() {
    replaced("mass = 1.0", "mass = ", "8:8: string values must be quoted, expected literal string");
    replaced("mass = 1.0", "mass = 1.0\nmass = 2.0", "9:1: duplicate key: mass");
    added("[bodies.ball]", "21:9: duplicate key: ball");
    replaced("[bodies.ground]", "[bodies.ground", "11:15: unclosed table, expected `]`");
    replaced(
        "mass = 1.0",
        "mass = 99999999999999999999999999999999999999999999",
        "8:8: bodies.ball.mass = 99999999999999999999999999999999999999999999 must be a number that fits",
    );
}

#[test]
fn schema_and_top_level() {
    refused(
        "",
        "1:1: schema is missing; give the version of the format: schema = 1\n1:1: simulation is missing; give [simulation] with duration (s)\n1:1: bodies is missing; give at least one body: [bodies.NAME], or a robot: [robots.NAME]",
    );
    refused(
        "schema = 1",
        "1:1: simulation is missing; give [simulation] with duration (s)\n1:1: bodies is missing; give at least one body: [bodies.NAME], or a robot: [robots.NAME]",
    );
    refused(
        "schema = 1\n[simulation]\nduration = 1",
        "1:1: bodies is missing; give at least one body: [bodies.NAME], or a robot: [robots.NAME]",
    );
    refused(
        "schema = 1\nbodies = {}\n[simulation]\nduration = 1",
        "1:1: bodies is missing; give at least one body: [bodies.NAME], or a robot: [robots.NAME]",
    );
    replaced(
        "schema = 1",
        "schema = 2",
        "1:10: schema = 2 must be 1, the version of the format that this release reads",
    );
    replaced("schema = 1", "schema = \"1\"", "1:10: schema = \"1\" must be a finite number");
    replaced("[simulation]", "[simulatoin]", "2:2: simulatoin is unknown; did you mean simulation?");
    added(
        "[world]",
        "21:2: world is unknown; known are schema, include, parameters, simulation, materials, bodies, joints, robots, actuators, sensors, contacts, springs, pins, torsion_springs, forces, nonsmooth",
    );
    replaced(
        "[bodies.ball]",
        "[bodies.world]",
        "7:9: bodies.world is no name: it must be a word other than world and *\n15:12: contacts[0].between[0] = \"ball\" names no body; known are ground, world\n18:12: springs.leg.between[0] = \"ball\" names no body; known are ground, world",
    );
}

#[test]
fn simulation() {
    let line = "duration = 1.0";
    replaced(line, "", "2:2: simulation.duration is missing; give the simulated time (s)");
    replaced(line, "duration = 0", "3:12: simulation.duration = 0 must be > 0 (s)");
    replaced(line, "duration = nan", "3:12: simulation.duration = NaN must be a finite number (s)");
    replaced(line, "duration = inf", "3:12: simulation.duration = inf must be a finite number (s)");
    replaced(line, "duration = \"1 s\"", "3:12: simulation.duration = \"1 s\" must be a finite number (s)");
    replaced(
        line,
        "duration = 1979-05-27",
        "3:12: simulation.duration = 1979-05-27 must be a finite number (s)",
    );
    replaced(
        line,
        "duration = 1\ngravity = -9.81",
        "4:11: simulation.gravity = -9.81 must be three numbers (m/s²)",
    );
    replaced(
        line,
        "duration = 1\ngravity = [0, 9.81]",
        "4:11: simulation.gravity = [0, 9.81] must be three numbers (m/s²)",
    );
    replaced(
        line,
        "duration = 1\ngravity = [0,\n 0,\n true]",
        "6:2: simulation.gravity[2] = true must be a finite number (m/s²)",
    );
    let integrator = |text: &str| format!("duration = 1\nintegrator = {{ {text} }}");
    replaced(
        line,
        &integrator("method = \"rk5\""),
        "4:25: simulation.integrator.method = \"rk5\" must be one of dopri5, dop853, rodas4, bdf, euler, semi-implicit-euler, rk3, rk4, linearly-implicit, auto",
    );
    replaced(
        line,
        &integrator("method = \"rk4\""),
        "4:1: simulation.integrator.step is missing; give the step (s) of method \"rk4\"",
    );
    replaced(
        line,
        &integrator("step = 1e-3"),
        "4:16: simulation.integrator.step cannot stand beside method \"dopri5\"; an adaptive method chooses its steps; give max_step or a fixed-step method",
    );
    replaced(
        line,
        &integrator("method = \"rk4\", step = 1e-3, rtol = 1e-6"),
        "4:45: simulation.integrator.rtol cannot stand beside method \"rk4\"; a fixed-step method has only step",
    );
    replaced(line, &integrator("rtol = 1"), "4:23: simulation.integrator.rtol = 1 must be > 0 and < 1");
    replaced(
        line,
        &integrator("min_step = 1e-3, max_step = 1e-4"),
        "4:44: simulation.integrator.max_step = 0.0001 must be > min_step (s)",
    );
    let record = |text: &str| format!("duration = 1\nrecord = {{ {text} }}");
    replaced(line, &record("every = -1"), "4:20: simulation.record.every = -1 must be > 0 (s)");
    replaced(
        line,
        &record("during_contact = 1"),
        "4:29: simulation.record.during_contact = 1 must be <= every (s)",
    );
    replaced(
        line,
        &record("quantities = [\"forces\"]"),
        "4:26: simulation.record.quantities[0] = \"forces\" must be one of positions, velocities, orientations, angular_velocities, contacts, energy, joints, wrenches, sensors",
    );
    replaced(
        line,
        &record("quantities = [\"energy\", \"energy\"]"),
        "4:36: simulation.record.quantities[1] = \"energy\" must be given once",
    );
    refused(
        "schema = 1\nsimulation = 1",
        "1:1: bodies is missing; give at least one body: [bodies.NAME], or a robot: [robots.NAME]\n2:14: simulation = 1 must be a table",
    );
}

#[test]
fn materials() {
    let line = "normal = { law = \"hertz\", stiffness = 1e9 }";
    replaced(line, "", "4:12: materials.steel.normal is missing; give a normal law: { law = \"…\", … }");
    replaced(
        line,
        "normal = { stiffness = 1e9 }",
        "5:1: materials.steel.normal.law is missing; give the id of a law: one of kelvin-voigt, hertz, hunt-crossley, gonthier, azad-featherstone, volume-kelvin-voigt, volume-hunt-crossley, proxy",
    );
    let normal = |text: &str| format!("normal = {{ {text} }}");
    replaced(
        line,
        &normal("law = \"herz\""),
        "5:18: materials.steel.normal.law = \"herz\" names no normal law; did you mean hertz?",
    );
    replaced(
        line,
        &normal("law = \"coulomb\""),
        "5:18: materials.steel.normal.law = \"coulomb\" names no normal law; known are kelvin-voigt, hertz, hunt-crossley, gonthier, azad-featherstone, volume-kelvin-voigt, volume-hunt-crossley, proxy",
    );
    replaced(
        line,
        &normal("law = \"hertz\", stifness = 1e9"),
        "5:27: materials.steel.normal.stifness is unknown; did you mean stiffness?",
    );
    replaced(
        line,
        &normal("law = \"hertz\", stiffness = -1"),
        "5:39: materials.steel.normal.stiffness: hertz: stiffness = -1 N/mⁿ must be > 0 and finite",
    );
    replaced(
        line,
        &normal("law = \"hertz\", stiffness = nan"),
        "5:39: materials.steel.normal.stiffness = NaN must be a number",
    );
    replaced(
        line,
        &normal("law = \"hertz\""),
        "5:10: materials.steel.normal: hertz: stiffness (N/mⁿ) is missing",
    );
    replaced(
        line,
        &normal("law = \"hertz\", stiffness = \"hard\""),
        "5:39: materials.steel.normal.stiffness: hertz: stiffness = \"hard\" must be a number",
    );
    replaced(
        line,
        &normal("law = \"hertz\", young = { bal = 1e9 }, poisson = 0.3"),
        "5:37: materials.steel.normal.young.bal is unknown; did you mean ball?",
    );
    replaced(
        line,
        &normal("law = \"kelvin-voigt\", stiffness = 1, damping = { ball = 1 }"),
        "5:59: materials.steel.normal.damping: kelvin-voigt: damping = [1, 1] must be a number",
    );
    replaced(line, "normal = 3", "5:10: materials.steel.normal = 3 must be a table");
    let design =
        |text: &str| normal(&format!("law = \"kelvin-voigt\", stiffness = 1e3, design = {{ {text} }}"));
    replaced(
        line,
        &design("speed = 1"),
        "5:60: materials.steel.normal.design = { speed = 1 } must be a wish for restitution, peak_force, peak_depth or duration",
    );
    replaced(
        line,
        &design("restitution = 2, speed = 1"),
        "5:76: materials.steel.normal.design.restitution = 2 must be > 0 and <= 1",
    );
    replaced(
        line,
        &design("restitution = 0.5"),
        "5:51: materials.steel.normal.design.speed is missing; give the approach speed (m/s)",
    );
    replaced(
        line,
        &design("peak_force = 5, speed = 1"),
        "5:34: materials.steel.normal.stiffness cannot stand beside design.peak_force; design finds stiffness",
    );
    replaced(
        line,
        &design("peak_force = 5, duration = 2, speed = 1"),
        "5:78: materials.steel.normal.design.duration cannot stand beside peak_force; give one of them",
    );
    replaced(
        "static = 0.3",
        "static = 0.3, stiffness = 1",
        "6:45: materials.steel.friction.stiffness is unknown; known are static, kinetic, slip_speed, viscous, law",
    );
    added(
        "[materials.other]\nnormal = { law = \"hertz\", stiffness = 1 }\nrolling = { law = \"spin\" }",
        "23:19: materials.other.rolling.law = \"spin\" names no resistance law; known are rolling",
    );
}

#[test]
fn bodies() {
    let line = "mass = 1.0";
    replaced(line, "mass = -1", "8:8: bodies.ball.mass = -1 must be > 0 (kg)");
    replaced(line, "mass = nan", "8:8: bodies.ball.mass = NaN must be a finite number (kg)");
    replaced(line, "mas = 1", "8:1: bodies.ball.mas is unknown; did you mean mass?");
    replaced(
        line,
        "",
        "7:9: bodies.ball.mass is missing; give mass (kg), or density (kg/m³), or fixed = true",
    );
    replaced(
        line,
        "mass = 1\ndensity = 1",
        "9:1: bodies.ball.density cannot stand beside mass; give one of them",
    );
    replaced(
        line,
        "mass = 1\ninertia = [1, 1]",
        "9:11: bodies.ball.inertia = [1, 1] must be [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or three rows of three (kg m²)",
    );
    replaced(
        line,
        "mass = 1\ninertia = [1, 1, 3]",
        "9:11: bodies.ball.inertia = [1, 1, 3] must be possible: no principal moment above the sum of the other two (kg m²)",
    );
    replaced(
        line,
        "mass = 1\ninertia = [1, 1, 1, 2, 0, 0]",
        "9:11: bodies.ball.inertia = [1, 1, 1, 2, 0, 0] must be positive definite: every principal moment > 0 (kg m²)",
    );
    replaced(
        line,
        "mass = 1\ninertia = [0, 0, 0]",
        "9:11: bodies.ball.inertia = [0, 0, 0] must be positive definite: every principal moment > 0 (kg m²)",
    );
    replaced(
        line,
        "mass = 1\ninertia = [[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]",
        "9:11: bodies.ball.inertia = [[1, 0, 0], [0.1, 1, 0], [0, 0, 1]] must be symmetric (kg m²)",
    );
    let line = "velocity = [1.0, 0.0, 0.0]";
    replaced(
        line,
        "velocity = [1, 2, 3, 4]",
        "10:12: bodies.ball.velocity = [1, 2, 3, 4] must be three numbers (m/s)",
    );
    replaced(
        line,
        "orientation = { quaternion = [0, 0, 0, 0] }",
        "10:30: bodies.ball.orientation.quaternion = [0, 0, 0, 0] must be a quaternion, not zero",
    );
    replaced(
        line,
        "orientation = { axis = [0, 0, 0], angle = 1 }",
        "10:24: bodies.ball.orientation.axis = [0, 0, 0] must be a direction, not zero",
    );
    replaced(
        line,
        "orientation = { axis = [0, 0, 1] }",
        "10:1: bodies.ball.orientation.angle is missing; give the turn about axis (degrees)",
    );
    replaced(
        line,
        "orientation = { euler = [0, 0, 1], angle = 3 }",
        "10:36: bodies.ball.orientation.angle cannot stand beside euler; angle goes with axis",
    );
    replaced(
        line,
        "orientation = {}",
        "10:15: bodies.ball.orientation = { } must be one of { quaternion = [w, x, y, z] }, { axis, angle }, { euler }",
    );
    replaced(
        line,
        "velocity = [0, 1, 0]\nmove = [\"x\"]",
        "10:16: bodies.ball.velocity[1] = 1 must be 0: move does not have y (m/s)",
    );
    replaced(line, "move = [\"x\", \"x\"]", "10:14: bodies.ball.move[1] = \"x\" must be given once");
    replaced(
        line,
        "move = []",
        "10:8: bodies.ball.move = [] must be a list of some of x, y, z, rx, ry, rz (a body that does not move is fixed = true)",
    );
    replaced(
        line,
        "copies = { count = [2, 1.5, 1], spacing = [1, 1, 1] }",
        "10:20: bodies.ball.copies.count = [2, 1.5, 1] must be three whole numbers, and no more than 100000 in all",
    );
    replaced(
        line,
        "copies = { count = [2, 1, 1], spacing = [1, 1, 1] }\n[bodies.ball-1]\nfixed = true",
        "11:9: bodies.ball-1 is one of the copies of ball; give it another name",
    );
    replaced(line, "start = \"Rest\"", "10:9: bodies.ball.start = \"Rest\" must be one of given, rest");
    replaced(
        line,
        "start = \"rest\"\nvelocity = [0, 0, 0]",
        "11:1: bodies.ball.velocity cannot stand beside start; a body that starts at rest has no velocity",
    );
    replaced(
        line,
        "motion = { velocity = [1, 0, 0] }\nfixed = true",
        "10:1: bodies.ball.motion cannot stand beside fixed; a fixed body does not move\n19:11: springs.leg.between = [\"ball\", \"world\"] must be at least one body that is free to move",
    );
    replaced(
        line,
        "motion = { velocity = [1, 0, 0] }\nvelocity = [1, 0, 0]",
        "11:1: bodies.ball.velocity cannot stand beside motion; motion says how the body moves\n19:11: springs.leg.between = [\"ball\", \"world\"] must be at least one body that is free to move",
    );
    replaced(
        line,
        "motion = {}",
        "10:10: bodies.ball.motion = { } must be a table with one of velocity, sine, table, turn",
    );
    replaced(
        line,
        "motion = { table = { times = [0, 1, 1], positions = [] } }",
        "10:37: bodies.ball.motion.table.times[2] = 1 must be > 1, the time before it (s)\n10:53: bodies.ball.motion.table.positions = [] must be as many vectors as times: 3, not 0\n18:11: springs.leg.between = [\"ball\", \"world\"] must be at least one body that is free to move",
    );
    replaced(
        line,
        "motion = { table = { times = [0, 1], positions = [[0, 0, 0]] } }",
        "10:50: bodies.ball.motion.table.positions = [[0, 0, 0]] must be as many vectors as times: 2, not 1\n18:11: springs.leg.between = [\"ball\", \"world\"] must be at least one body that is free to move",
    );
    replaced(
        "fixed = true",
        "fixed = true\nvelocity = [0, 0, 0]",
        "13:1: bodies.ground.velocity cannot stand beside fixed; a fixed body does not move",
    );
    replaced("fixed = true", "fixed = \"yes\"", "12:9: bodies.ground.fixed = \"yes\" must be true or false");
}

#[test]
fn shapes() {
    let line = "shape = { sphere = { radius = 0.1 } }";
    replaced(
        line,
        "shape = { sphere = { radius = 0 } }",
        "9:31: bodies.ball.shape.sphere.radius = 0 must be > 0 (m)",
    );
    replaced(
        line,
        "shape = { sphere = {} }",
        "9:11: bodies.ball.shape.sphere.radius is missing; give the radius (m)",
    );
    replaced(line, "shape = { sphere = 0.1 }", "9:20: bodies.ball.shape.sphere = 0.1 must be a table");
    replaced(
        line,
        "shape = { spher = { radius = 1 } }",
        "9:11: bodies.ball.shape.spher is unknown; did you mean sphere?",
    );
    replaced(
        line,
        "shape = { position = [0, 0, 0] }",
        "9:9: bodies.ball.shape = { position = [0, 0, 0] } must be a table with one of sphere, plane, point, cylinder, tube, capsule, box, ellipsoid, convex, mesh, terrain, spheres",
    );
    replaced(
        line,
        "shape = { sphere = { radius = 1 }, point = {} }",
        "9:36: bodies.ball.shape.point cannot stand beside sphere; give one of them",
    );
    replaced(
        line,
        "shape = { box = { size = [1, 0, 1] } }",
        "9:30: bodies.ball.shape.box.size[1] = 0 must be > 0 (m)",
    );
    replaced(
        line,
        "shape = { spheres = [] }",
        "9:21: bodies.ball.shape.spheres = [] must be a list of at least one { center, radius }",
    );
    replaced(
        line,
        "shape = { capsule = { radius = 1 } }",
        "9:11: bodies.ball.shape.capsule.length is missing; give the length (m)",
    );
    replaced(
        line,
        "shape = { point = {} }",
        "7:9: bodies.ball.inertia is missing; give the inertia (kg m²): no shape of the body has a volume; or move = [\"x\", \"y\", \"z\"]",
    );
    replaced(line, "shapes = []", "9:10: bodies.ball.shapes = [] must be a list of at least one shape");
    replaced(
        line,
        &format!("{line}\nshapes = []"),
        "10:1: bodies.ball.shapes cannot stand beside shape; put all shapes into shapes\n10:10: bodies.ball.shapes = [] must be a list of at least one shape",
    );
    replaced(
        "normal = [0, 0, 1]",
        "normal = [0, 0, 0]",
        "13:30: bodies.ground.shape.plane.normal = [0, 0, 0] must be a direction, not zero",
    );
    let text = GOOD.replacen("mass = 1.0", "density = 1.0", 1).replacen(
        line,
        "shape = { tube = { radius = 1 } }",
        1,
    );
    refused(
        &text,
        "7:9: bodies.ball.inertia is missing; give the inertia (kg m²): no shape of the body has a volume; or move = [\"x\", \"y\", \"z\"]\n8:11: bodies.ball.density = 1 must be given for a body with a shape that has a volume; give mass",
    );
}

#[test]
fn contacts() {
    let line = "between = [\"ball\", \"ground\"]";
    replaced(
        line,
        "between = [\"bal\", \"ground\"]",
        "15:12: contacts[0].between[0] = \"bal\" names no body; did you mean ball?",
    );
    replaced(
        line,
        "between = [\"ball\"]",
        "15:11: contacts[0].between = [\"ball\"] must be two names of bodies, or \"*\" for any",
    );
    replaced(
        line,
        "between = [\"ball\", \"ball\"]",
        "15:11: contacts[0].between = [\"ball\", \"ball\"] must be two different bodies",
    );
    replaced(line, "", "14:1: contacts[0].between is missing; give two names of bodies, or \"*\" for any");
    let line = "material = \"steel\"";
    replaced(
        line,
        "material = \"stell\"",
        "16:12: contacts[0].material = \"stell\" names no material; did you mean steel?",
    );
    replaced(
        line,
        "",
        "14:1: contacts[0].material is missing; give the name of a material, or ignore = true",
    );
    replaced(
        line,
        "material = \"steel\"\nignore = true",
        "16:1: contacts[0].material cannot stand beside ignore; give one of them",
    );
    replaced(
        line,
        "material = \"steel\"\ninitial = { dwell = \"long\" }",
        "17:21: contacts[0].initial.dwell = \"long\" must be a finite number",
    );
    replaced(
        "[[contacts]]",
        "[contacts]",
        "14:2: contacts = { between = [\"ball\", \"ground\"], material = \"steel\" } must be a list of tables: [[contacts]]",
    );
    added(
        "[[contacts]]\nbetween = [\"ground\", \"ball\"]\nignore = true",
        "22:11: contacts[1].between = [\"ground\", \"ball\"] must be a pair that contacts[0] does not take first",
    );
}

#[test]
fn springs_and_forces() {
    let line = "between = [\"ball\", \"world\"]";
    replaced(
        line,
        "between = [\"ball\", \"moon\"]",
        "18:20: springs.leg.between[1] = \"moon\" names no body; known are ball, ground",
    );
    replaced(
        line,
        "between = [\"ground\", \"world\"]",
        "18:11: springs.leg.between = [\"ground\", \"world\"] must be at least one body that is free to move",
    );
    replaced(
        line,
        "between = [\"ball\", \"ball\"]",
        "18:11: springs.leg.between = [\"ball\", \"ball\"] must be two different things",
    );
    replaced(
        "stiffness = 10\n",
        "\n",
        "17:10: springs.leg.stiffness is missing; give stiffness (N/m), damping (N s/m) or both",
    );
    replaced(
        "stiffness = 10\n",
        "stiffness = -10\n",
        "20:13: springs.leg.stiffness = -10 must be >= 0 (N/m)",
    );
    let force = |text: &str| format!("[forces.push]\n{text}");
    added(
        &force("on = \"bell\""),
        "21:9: forces.push.force is missing; give force (N) or torque (N m)\n22:6: forces.push.on = \"bell\" names no body; did you mean ball?",
    );
    added(
        &force("on = \"ground\""),
        "21:9: forces.push.force is missing; give force (N) or torque (N m)\n22:6: forces.push.on = \"ground\" must be a body that is free to move",
    );
    added(&force("on = \"ball\""), "21:9: forces.push.force is missing; give force (N) or torque (N m)");
    added(
        &force("on = \"ball\"\nforce = { ramp = { to = [1, 0, 0], start = 1, end = 1 } }"),
        "23:53: forces.push.force.ramp.end = 1 must be > start (s)",
    );
    added(
        &force("on = \"ball\"\ntorque = { constant = [1, 0, 0] }\nat = [0, 0, 0]"),
        "24:1: forces.push.at cannot stand beside torque; a torque has no point of action",
    );
    added(&force("on = \"ball\"\nforce = [1, 0, 0]"), "23:9: forces.push.force = [1, 0, 0] must be a table");
    added(
        "[torsion_springs.t]\nbetween = [\"ball\", \"world\"]\nstiffness = 1",
        "21:18: torsion_springs.t.axis is missing; give the axis, in the frame of the first body",
    );
}

#[test]
fn files_that_cannot_be_read() {
    let error = Scene::load("no/such/file.toml", &[]).unwrap_err().to_string();
    assert!(error.starts_with("no/such/file.toml: cannot be read: "), "{error}");
}

/// A scene with one jointed body; `more` goes into the joint.
fn jointed(more: &str) -> String {
    let text = format!(
        "schema = 1\n[simulation]\nduration = 1\n[bodies]\na = {{ mass = 1, inertia = [1, 1, 1] }}\n\
         b = {{ mass = 1, inertia = [1, 1, 1] }}\n[joints.j]\nparent = \"world\"\nchild = \"a\"\ntype = \"revolute\"\n{more}"
    );
    match bristle::scene::Scene::parse(&text, "x", &[]) {
        Ok(scene) => bristle::prepare(&scene).map(|_| String::new()).unwrap_or_else(|e| e.to_string()),
        Err(errors) => errors.to_string(),
    }
    .replace("x:", "")
}

#[test]
fn joints() {
    let stop = "stop = { law = \"kelvin-voigt\", stiffness = 1e3 }";
    let mut wrong = Vec::new();
    for (more, message) in [
        ("typ = 1", "11:1: joints.j.typ is unknown"),
        ("axis = [0, 0, 0]", "11:8: joints.j.axis = [0, 0, 0] must be a direction, not zero"),
        ("second_axis = [1, 0, 0]", "11:1: joints.j.second_axis is for universal joints"),
        ("position = [1, 2]", "11:12: joints.j.position = [1, 2] must be one number"),
        ("velocity = nan", "11:12: joints.j.velocity = NaN must be a finite number"),
        ("damping = -1", "11:11: joints.j.damping = -1 must be >= 0 (N m s/rad or N s/m)"),
        (
            &format!("limits = {{ {stop} }}"),
            "11:1: joints.j.limits.lower is missing; give lower, upper or both",
        ),
        (
            &format!("limits = {{ lower = 2, upper = 1, {stop} }}"),
            "11:31: joints.j.limits.upper = 1 must be > lower",
        ),
        (&format!("limits = {{ upper = -1, {stop} }}"), "beyond its limits of none and -1.0000 degrees"),
        ("limits = { upper = 1 }", "joints.j.limits.stop is missing; give the law that pushes back"),
        (
            "limits = { upper = 1, stop = { law = \"volume-kelvin-voigt\", modulus = 1e6, damping = 1, bed_depth = 1 } }",
            "works on the patch of a contact, which a stop has not",
        ),
        (
            "[joints.k]\nparent = \"a\"\nchild = \"a\"\ntype = \"fixed\"",
            "child = \"a\" must be another body than parent",
        ),
        (
            "[joints.k]\nparent = \"b\"\nchild = \"a\"\ntype = \"fixed\"",
            "a is carried by j already; a loop is closed by [pins.NAME]",
        ),
        (
            "[joints.k]\nparent = \"c\"\nchild = \"b\"\ntype = \"fixed\"",
            "12:10: joints.k.parent = \"c\" names no body; did you mean a?",
        ),
        (
            "[actuators.m]\njoint = \"i\"\neffort = 1",
            "actuators.m.joint = \"i\" names no joint; did you mean j?",
        ),
        ("[actuators.m]\njoint = \"j\"", "actuators.m.effort is missing"),
        ("[actuators.m]\njoint = \"j\"\nfreedom = 1\neffort = 1", "has 1 freedoms: there is no freedom 1"),
        ("[actuators.m]\njoint = \"j\"\neffort = \"2*x\"", "is no formula in t: x is unknown"),
        (
            "[actuators.m]\njoint = \"j\"\neffort = 1\nlimits = [2, 1]",
            "must be two numbers [least, greatest]",
        ),
        (
            "[actuators.m]\njoint = \"j\"\neffort = 1\ntarget = 3",
            "actuators.m.target does nothing without stiffness",
        ),
        (
            "[actuators.m]\njoint = \"j\"\nphases = [{ effort = 1 }, { effort = 2 }]",
            "phases[0].until is missing; give the time at which the next phase begins (s)",
        ),
        (
            "[pins.p]\nbetween = [\"a\", \"a\"]\npoints = [[0,0,0],[0,0,0]]\nstiffness = 1",
            "must be two different things",
        ),
        ("[sensors.s]\non = \"d\"", "sensors.s.on = \"d\" names no body; did you mean a?"),
        ("[robots.r]\nfile = \"dog.urdf\"", "cannot be read: a scene given as text names no files"),
    ] {
        let found = jointed(more);
        if !found.contains(message) {
            wrong.push(format!("{more}\n  found  {found}\n  wanted {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(jointed(""), "", "as it stands it is right");
}
