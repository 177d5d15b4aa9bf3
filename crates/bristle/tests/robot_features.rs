//! Everything that is read of URDF and MJCF means what it means elsewhere. Expected numbers come from MuJoCo 4.0.0
//! (MJCF) and Pinocchio 4.1.0 (URDF), given the same files; tolerances are rounding over a few dozen operations.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::math::Vector3;
use bristle::robot::{ActuatorLaw, Contact, Effect, JointKind, Options, Robot, SensorTarget, Solid};

const ROUNDING: f64 = 1e-14;

fn load(name: &str) -> Robot {
    let path = format!("{}/testdata/robots/{name}", env!("CARGO_MANIFEST_DIR"));
    Robot::load_with(path, &Options { is_strict: true, ..Options::default() }).unwrap()
}

fn assert_close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    let largest = b.iter().fold(1.0, |l: f64, x| l.max(x.abs()));
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= ROUNDING * largest), "{a:?} {b:?}");
}

#[test]
fn masses_of_every_way_to_give_them() {
    let robot = load("features.xml");
    let totals = robot.totals();
    assert_close(&[totals.mass], &[8.611316634943613]);
    assert_close(totals.center.as_slice(), &[0.426807047519068, 0.2066005089049591, 0.8225705162166067]);
    assert_eq!((totals.coordinates, totals.freedoms, totals.moving_joints), (15, 13, 6));
    // name, mass, centre, xx yy zz xy xz yz
    type Row = (&'static str, f64, [f64; 3], [f64; 6]);
    let expected: [Row; 6] = [
        (
            "crate",
            4.000000000000001,
            [0.0; 3],
            [0.016666666666666673, 0.05666666666666669, 0.0666666666666667, 0.0, 0.0, 0.0],
        ),
        (
            "shoulder",
            1.1730276290714592,
            [0.1414750516081912, 0.02073752580409561, 0.006819958713447023],
            [
                0.0012259814813328444,
                0.010323630113774584,
                0.010576175466766225,
                -0.0017377789682380398,
                0.0003356465667116693,
                0.0001659002064327419,
            ],
        ),
        (
            "forearm",
            0.8377580409572783,
            [0.0, 0.0, 0.1],
            [0.0019435986550208864, 0.002094395102393196, 0.0006869615935849683, 0.0, 0.0, 0.0],
        ),
        (
            "hand",
            0.1005309649148734,
            [0.0; 3],
            [4.356341812977848e-05, 4.356341812977848e-05, 8.042477193189872e-05, 0.0, 0.0, 0.0],
        ),
        (
            "weight",
            2.0,
            [0.01, 0.02, 0.03],
            [0.02, 0.034131759111665355, 0.03586824088833466, 0.0, 0.0, -0.0049240387650610435],
        ),
        ("plate", 0.5, [0.0; 3], [0.01, 0.02, 0.025, 0.001, 0.002, -0.003]),
    ];
    for (name, mass, center, inertia) in expected {
        let own = &robot.links[robot.link(name).unwrap()].inertial;
        let m = &own.inertia;
        assert_close(&[own.mass], &[mass]);
        assert_close(own.center.as_slice(), &center);
        assert_close(&[m.m11, m.m22, m.m33, m.m12, m.m13, m.m23], &inertia);
    }
}

#[test]
fn links_stand_where_the_key_frame_puts_them() {
    let robot = load("features.xml");
    let key = &robot.keyframes[0];
    assert_eq!((key.name.as_str(), key.time), ("bent", 1.5));
    assert_eq!(key.v[7], 0.5);
    assert_eq!(key.control, [0.1, 0.2, 0.3, 0.4, 0.5]);
    let half = 0.5f64.sqrt();
    assert_close(&key.q[3..7], &[1.0, 0.0, 0.0, 0.0]); // written as 2 0 0 0
    assert_close(&key.q[10..14], &[half, 0.0, half, 0.0]);
    let poses = robot.link_poses(&key.q);
    let expected = [
        ("shoulder", [0.3, 0.2, 0.8], [0.9486236714380601, 0.014420867496485714, 0.3124343333028371]),
        (
            "forearm",
            [0.547360834996681, 0.30803057052859734, 0.5858616882092162],
            [0.8819326211685727, -0.3496994182876296, 0.27033895024177823],
        ),
        (
            "hand",
            [0.619820419954267, 0.44910492903973986, 0.7077125557418029],
            [0.4324620320431102, -0.3630807464561829, 0.8147790419127382],
        ),
        ("plate", [1.0, 0.0, 0.9], [1.0, 0.0, 0.0]),
    ];
    for (name, position, [w, x, y]) in expected {
        let pose = poses[robot.link(name).unwrap()];
        assert_close(pose.translation.vector.as_slice(), &position);
        assert_close(&[pose.rotation.w, pose.rotation.i, pose.rotation.j], &[w, x, y]);
    }
}

#[test]
fn joints_have_the_properties_of_their_classes() {
    let robot = load("features.xml");
    let joint = |name: &str| &robot.joints[robot.joint(name).unwrap()];
    let degree = 1f64.to_radians();
    assert_eq!(joint("root").kind, JointKind::Floating);
    assert_close(
        &joint("root").reference,
        &[0.1, 0.2, 1.0, 0.9515485246437885, 0.03813457647485015, 0.189307857412, 0.2392983377447303],
    );
    let pitch = joint("pitch");
    assert_eq!((pitch.kind, pitch.axis), (JointKind::Revolute, Vector3::y()));
    assert_close(&pitch.limits.unwrap(), &[-40.0 * degree, 80.0 * degree]);
    assert_close(&[pitch.reference[0], pitch.spring_reference], &[10.0 * degree, 5.0 * degree]);
    assert_eq!((pitch.damping, pitch.armature, pitch.stiffness), (0.4, 0.01, 3.0));
    let reach = joint("reach");
    assert_eq!(
        (reach.kind, reach.limits, reach.reference[0]),
        (JointKind::Prismatic, Some([-0.1, 0.2]), 0.05)
    );
    assert_eq!(joint("wrist").kind, JointKind::Spherical);
    assert_close(&joint("wrist").limits.unwrap(), &[0.0, 60.0 * degree]);
    let lift = joint("lift");
    assert_eq!((lift.axis, lift.friction_loss, lift.damping), (-Vector3::z(), 0.3, 0.0));
    assert_eq!((lift.limits, lift.effort_limits), (None, Some([-4.0, 5.0])));
    assert_eq!(joint("plate#fixed").kind, JointKind::Fixed);
    // two joints of one body: a chain with a link between them
    let between = &robot.links[joint("yaw").child];
    assert!(between.is_between_joints && between.inertial.mass == 0.0);
    assert_eq!((joint("yaw").child, pitch.parent), (2, 2));
    assert!(robot.joints.iter().enumerate().all(|(i, j)| j.child == i + 1 && j.parent <= i));
}

#[test]
fn geometries_have_the_properties_of_their_classes() {
    let robot = load("features.xml");
    let all: Vec<_> = robot.links.iter().flat_map(|l| &l.geometries).collect();
    let find = |name: &str| *all.iter().find(|g| g.name.as_deref() == Some(name)).unwrap();
    assert_eq!(find("floor").solid, Solid::Plane);
    assert_eq!(find("floor").friction, Some([0.9, 0.01, 0.0001])); // the last is built in
    let upper = find("upper");
    assert_eq!(upper.friction, Some([0.6, 0.01, 0.0001])); // the first of its class, the second of the class above
    let Solid::Capsule { radius, length } = upper.solid else { panic!("{upper:?}") };
    assert_close(&[radius, length / 2.0], &[0.03, 0.15206906325745548]);
    let q = upper.pose.rotation;
    assert_close(
        &[q.w, q.i, q.j, q.k],
        &[std::f64::consts::FRAC_1_SQRT_2, 0.1162476387438193, -0.6974858324629156, 0.0],
    );
    let q = find("pad").pose.rotation; // its own orientation displaces that of its class
    assert_close(
        &[q.w, q.i, q.j, q.k],
        &[0.7036655234717202, 0.06967661786618205, 0.06967661786618205, 0.7036655234717203],
    );
    assert_eq!(find("pad").solid, Solid::Box { size: Vector3::new(0.1, 0.04, 0.02) });
    assert_eq!(find("window").contact, Contact::NONE);
    assert_eq!(find("shell").contact, Contact::ALL);
    assert_eq!(find("lower").solid, Solid::Ellipsoid { radii: Vector3::new(0.05, 0.04, 0.1) });
    assert_eq!(find("palm").solid, Solid::Cylinder { radius: 0.04, length: 0.02 });
    let slanted = all.last().unwrap(); // a box between two points
    let Solid::Box { size } = slanted.solid else { panic!("{slanted:?}") };
    assert_close(size.as_slice(), &[0.04, 0.04, 2.0 * 0.08660254037844388]);
    let q = slanted.pose.rotation;
    assert_close(&[q.w, q.i, q.j, q.k], &[0.45970084338098305, 0.6279630301995544, -0.6279630301995544, 0.0]);
}

#[test]
fn actuators_sensors_and_options() {
    let robot = load("features.xml");
    assert_eq!((robot.gravity, robot.time_step), (Some(Vector3::new(0.0, 0.0, -1.62)), Some(0.002)));
    let actuator = |name: &str| robot.actuators.iter().find(|a| a.name == name).unwrap();
    let turn = actuator("turn");
    assert_eq!((turn.law, turn.gear[0], turn.control_limits), (ActuatorLaw::Motor, 30.0, Some([-1.0, 1.0])));
    let hold = actuator("hold");
    assert_eq!(hold.law, ActuatorLaw::Position { stiffness: 50.0, damping: 2.0 });
    assert_eq!((hold.force_limits, robot.joints[hold.joint].name.as_str()), (Some([-9.0, 9.0]), "pitch"));
    assert_close(&actuator("stretch").control_limits.unwrap(), &[-0.025, 0.125]);
    let roll = actuator("roll");
    assert_eq!((roll.law, roll.control_limits), (ActuatorLaw::Velocity { gain: 4.0 }, None));
    let drive = actuator("drive");
    assert_eq!((drive.law, drive.gear[0]), (ActuatorLaw::Affine { gain: 3.0, bias: [1.0, -2.0, -0.5] }, 2.0));

    let hand = robot.link("hand").unwrap();
    let targets: Vec<_> = robot.sensors.iter().map(|s| (s.kind.as_str(), s.target)).collect();
    let expected = [
        ("accelerometer", Some(SensorTarget::Site(0))),
        ("jointpos", Some(SensorTarget::Joint(robot.joint("pitch").unwrap()))),
        ("actuatorfrc", Some(SensorTarget::Actuator(0))),
        ("framepos", Some(SensorTarget::Link(hand))),
        ("framequat", Some(SensorTarget::CenterOfLink(hand))),
        ("clock", None),
    ];
    assert_eq!(targets, expected);
    assert_eq!(robot.sites[0].pose.translation.vector, Vector3::new(0.05, 0.0, 0.0));
    let excluded = robot.excludes[0].links.map(|i| robot.links[i].name.as_str());
    assert_eq!(excluded, ["crate", "shoulder"]);
    assert!(robot.warnings.is_empty(), "{:?}", robot.warnings);
}

#[test]
fn urdf_says_the_same_as_elsewhere() {
    let robot = load("features.urdf");
    let totals = robot.totals();
    assert_close(&[totals.mass], &[2.6999999999999997]);
    assert_close(totals.center.as_slice(), &[0.46332192966286395, 0.05555081494749181, 0.9459010008055105]);
    assert_eq!((totals.freedoms, robot.links.len(), robot.links[0].name.as_str()), (3, 5, "base"));
    let slider = &robot.links[robot.link("slider").unwrap()].inertial;
    let m = slider.inertia;
    assert_close(
        &[m.m11, m.m22, m.m33, m.m12, m.m13, m.m23],
        &[
            0.022373341933155953,
            0.02989808798830639,
            0.03772857007853766,
            -0.0025763908220851474,
            0.006615717128235112,
            -0.002154286382604635,
        ],
    );
    // coordinates in the order of the joints: rail, elbow, spin
    let poses = robot.link_poses(&[0.2, 0.7, -1.3]);
    let expected = [
        ("arm", [0.45205744613957966, 0.08775825618903726, 1.2], [0.8872721876797528, 0.052132410889548036]),
        (
            "tool",
            [0.1825706464655913, 0.04355919473888389, 0.907727340025795],
            [0.8872721876797528, 0.052132410889548036],
        ),
        (
            "wheel",
            [0.41224174381096274, -0.04794255386042032, 1.2],
            [0.7713354811367747, 0.14972551286611033],
        ),
    ];
    for (name, position, [w, x]) in expected {
        let pose = poses[robot.link(name).unwrap()];
        assert_close(pose.translation.vector.as_slice(), &position);
        assert_close(&[pose.rotation.w, pose.rotation.i], &[w, x]);
    }
    let joint = |name: &str| &robot.joints[robot.joint(name).unwrap()];
    let rail = joint("rail");
    assert_eq!((rail.kind, rail.axis, rail.limits), (JointKind::Prismatic, Vector3::z(), Some([-0.5, 0.5])));
    assert_eq!((rail.damping, rail.friction_loss, rail.velocity_limit), (3.0, 0.2, Some(2.0)));
    assert_eq!(rail.effort_limits, Some([-100.0, 100.0]));
    let mimic = joint("spin").mimic.unwrap();
    assert_eq!((mimic.joint, mimic.multiplier, mimic.offset), (robot.joint("elbow").unwrap(), -2.0, 0.1));
    let geometries = &robot.links[robot.link("slider").unwrap()].geometries;
    assert_eq!((geometries[0].contact, geometries[0].color), (Contact::NONE, Some([0.0, 0.0, 0.8, 1.0])));
    assert_eq!((geometries[1].contact, geometries[1].friction), (Contact::ALL, Some([0.7, 0.02, 0.01])));
}

#[test]
fn one_robot_in_both_formats() {
    for (name, mass, freedoms) in [("quadruped", 13.6, 12), ("humanoid", 62.0, 21)] {
        let urdf =
            Robot::load(format!("{}/../../scenes/robots/{name}.urdf", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let mjcf =
            Robot::load(format!("{}/../../scenes/robots/{name}.xml", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let (a, b) = (urdf.totals(), mjcf.totals());
        assert!((a.mass - mass).abs() < 1e-12 && (b.mass - mass).abs() < 1e-12);
        assert_eq!((a.freedoms, b.freedoms), (freedoms, freedoms + 6));
        assert_eq!(urdf.links.len() + 1, mjcf.links.len());
        // the trunk is the root of the one and floats in the other
        let poses = (urdf.link_poses(&[]), mjcf.link_poses(&[]));
        let trunk = poses.1[1];
        for (i, link) in urdf.links.iter().enumerate() {
            let other = &mjcf.links[i + 1];
            assert_eq!(link.name, other.name);
            let (own, theirs) = (&link.inertial, &other.inertial);
            assert!((own.inertia - theirs.inertia).amax() <= 1e-15 * own.inertia.amax());
            assert_eq!((own.mass, own.center), (theirs.mass, theirs.center));
            let there = trunk * poses.0[i];
            assert!((there.translation.vector - poses.1[i + 1].translation.vector).norm() < 1e-15);
        }
        for (j, joint) in urdf.joints.iter().enumerate() {
            let other = &mjcf.joints[j + 1];
            assert_eq!((&joint.name, joint.axis), (&other.name, other.axis));
        }
    }
}

#[test]
fn what_is_lost_is_said_with_its_line() {
    let path = format!("{}/testdata/robots/transmissions.urdf", env!("CARGO_MANIFEST_DIR"));
    let robot = Robot::load(&path).unwrap();
    let warnings: Vec<String> =
        robot.warnings.iter().map(|w| w.to_string().replace(&path, "q.urdf")).collect();
    assert_eq!(warnings, EXPECTED);
    assert!(robot.warnings.iter().all(|w| w.effect == Effect::Motion));
    let strict = Robot::load_with(&path, &Options { is_strict: true, ..Options::default() }).unwrap_err();
    assert_eq!(strict.to_string().replace(&path, "q.urdf"), EXPECTED[0]);
}

const EXPECTED: [&str; 1] = [
    "q.urdf:58: transmission has no counterpart and is left out (12 times, also in lines 59, 60, 61, 62, 63 … 69)",
];

#[test]
fn compiler_settings_change_masses() {
    let robot = load("settings.xml");
    // name, mass, xx yy zz xy xz yz
    let expected = [
        (
            "a",
            2.7772040330048475,
            [
                0.10010240100270938,
                0.10480490986879466,
                0.008381958863268283,
                0.0008193982928532141,
                -0.02162114373278171,
                0.00365949381529822,
            ],
        ),
        (
            "b",
            1.1619821674092279,
            [0.0006756826324139508, 0.0035775687891185333, 0.0035775687891185333, 0.0, 0.0, 0.0],
        ),
        (
            "c",
            0.5304068997929624,
            [0.0006910572339406618, 0.0006910572339406618, 0.0006910572339406618, 0.0, 0.0, 0.0],
        ),
        (
            "g",
            0.5304068997929624,
            [0.0005304068997929623, 0.0005304068997929623, 0.0005304068997929623, 0.0, 0.0, 0.0],
        ),
    ];
    for (name, mass, inertia) in expected {
        let own = &robot.links[robot.link(name).unwrap()].inertial;
        let m = &own.inertia;
        assert_close(&[own.mass], &[mass]);
        assert_close(&[m.m11, m.m22, m.m33, m.m12, m.m13, m.m23], &inertia);
    }
    let impossible = r#"<mujoco><compiler balanceinertia="true"/><worldbody><body name="a"><joint/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 4"/></body></worldbody></mujoco>"#;
    let balanced = Robot::parse(impossible, "x").unwrap();
    assert_eq!(balanced.links[1].inertial.inertia.diagonal(), Vector3::repeat(2.0)); // as MuJoCo has it
}

/// Names that nothing refers to, a folder that another setting displaces, and an orientation that every geom of its
/// class displaces.
const WITHOUT_EFFECT: &[&str] = &["exclude name", "frame name", "compiler assetdir", "geom euler=\"0 0 90\""];

/// Where each value of a text begins and ends, with its element and attribute.
fn values(text: &str) -> Vec<(String, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    let mut tag = "";
    let quotes: Vec<usize> = text.match_indices('"').map(|(i, _)| i).collect();
    for pair in quotes.chunks_exact(2) {
        let before = &text[..pair[0]];
        let start = before.rfind('<').unwrap();
        tag = before[start + 1..].split_whitespace().next().unwrap_or(tag);
        let name = before.trim_end_matches('=').rsplit(char::is_whitespace).next().unwrap();
        found.push((format!("{tag} {name}"), pair[0] + 1..pair[1]));
    }
    found
}

#[test]
fn every_attribute_matters() {
    let read = |text: &str| Robot::parse(text, "x").map(|robot| robot.to_json().to_string());
    let defaults = include_str!("../testdata/robots/parts/defaults.xml");
    let inner = defaults.replace("<mujocoinclude>", "").replace("</mujocoinclude>", "");
    let features = include_str!("../testdata/robots/features.xml")
        .replace("<include file=\"parts/defaults.xml\"/>", &inner);
    let mut unseen = Vec::new();
    for text in [
        features.as_str(),
        include_str!("../testdata/robots/features.urdf"),
        include_str!("../testdata/robots/settings.xml"),
    ] {
        let whole = read(text).unwrap();
        let mut count = 0;
        for (name, range) in values(text) {
            let written = format!("{name}=\"{}\"", &text[range.clone()]);
            if name.contains("xml ") || WITHOUT_EFFECT.iter().any(|w| written.starts_with(w)) {
                continue;
            }
            let changed = format!("{}?{}", &text[..range.start], &text[range.end..]);
            let is_seen = read(&changed).is_ok_and(|json| json != whole) || read(&changed).is_err();
            if !is_seen {
                unseen.push(format!("{name} = {}", &text[range]));
            }
            count += 1;
        }
        assert!(count > 40, "{count}");
    }
    assert!(unseen.is_empty(), "{}", unseen.join("\n"));
}
