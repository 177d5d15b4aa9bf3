//! Nothing is dropped in silence: what has no counterpart is a warning with line and element.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::robot::{ActuatorLaw, Effect, Robot};

const URDF: &str = r#"<robot name="r" version="1.0">
<link name="a"><colour/>
  <visual><geometry><mesh filename="a.dae"/></geometry></visual>
  <collision><geometry><mesh filename="a.stl"/></geometry></collision>
</link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/>
  <limit lower="-1" effort="3"/><calibration rising="0"/><safety_controller k_velocity="1"/>
  <dynamics damping="1" stiction="2"/>
</joint>
<gazebo reference="a"/>
<transmission name="t"/>
some words
</robot>"#;

const MJCF: &str = r#"<mujoco>
<option integrator="RK4" iterations="50"><flag contact="disable"/></option>
<size memory="1M"/>
<default><geom solref="0.01 1"/></default>
<asset><texture name="t"/><hfield name="h"/></asset>
<worldbody>
  <light/>
  <geom type="hfield" hfield="h"/>
  <body name="a" gravcomp="1">
    <joint name="j" margin="0.1" damping="1 0.5" polished="yes"/>
    <site name="s"/><geom size="0.1" solref="0.02 1"/><geom size="0.1" solref="0.03 1"/>
    <composite type="cable"/>
  </body>
</worldbody>
<contact><pair geom1="x" geom2="y"/></contact>
<equality><weld body1="a"/></equality>
<tendon><fixed name="f"><joint joint="j" coef="1"/></fixed><spatial name="s"/></tendon>
<actuator>
  <motor name="pull" tendon="f"/>
  <muscle name="biceps" joint="j"/>
  <general name="slow" joint="j" dyntype="filter" dynprm="0.1"/>
  <general name="odd" joint="j" biastype="muscle"/>
  <position name="servo" joint="j" dampratio="1"/>
</actuator>
<sensor>
  <tendonpos name="length" tendon="f"/>
  <actuatorpos name="pulled" actuator="pull"/>
  <gyro name="turn" site="s" noise="0.1"/>
  <framepos objtype="camera" objname="c"/>
</sensor>
<keyframe><key qpos="1"/></keyframe>
</mujoco>"#;

fn said(robot: &Robot, effect: Effect) -> Vec<String> {
    robot.warnings.iter().filter(|w| w.effect == effect).map(ToString::to_string).collect()
}

#[test]
fn losses_of_urdf() {
    let robot = Robot::parse(URDF, "x").unwrap();
    let out = "has no counterpart and is left out";
    let expected = [
        format!("x:1: robot: text {out}"),
        format!("x:2: colour {out}"),
        "x:4: mesh: filename a.stl is not read: the robot is given as text; it touches nothing".to_string(),
        format!("x:8: calibration {out}"),
        format!("x:8: safety_controller {out}"),
        format!("x:9: dynamics: stiction {out}"),
        format!("x:11: gazebo {out}"),
        format!("x:12: transmission {out}"),
    ];
    assert_eq!(said(&robot, Effect::Motion), expected);
    let expected = [
        "x:1: robot: version does not change the motion and is left out",
        "x:3: mesh: filename a.dae is only seen, and not drawn",
        "x:8: limit: lower means nothing for a continuous joint",
    ];
    assert_eq!(said(&robot, Effect::Looks), expected);
}

#[test]
fn losses_of_mjcf() {
    let robot = Robot::parse(MJCF, "x").unwrap();
    let out = "has no counterpart and is left out";
    let expected = [
        format!("x:2: flag {out}"),
        format!("x:2: option: integrator {out}"),
        format!("x:4: geom: solref {out} (3 times, also in line 11)"),
        format!("x:5: hfield {out}"),
        "x:8: geom: type is a field or is fitted to a mesh, and is left out: it touches nothing".to_string(),
        format!("x:9: body: gravcomp {out}"),
        "x:10: joint: damping counts as its first number: a polynomial has no counterpart".to_string(),
        format!("x:10: joint: margin {out}"),
        format!("x:10: joint: polished {out}"),
        format!("x:12: composite {out}"),
        format!("x:15: pair {out}"),
        format!("x:16: weld {out}"),
        format!("x:17: fixed {out}"),
        format!("x:17: spatial {out}"),
        "x:19: motor drives a tendon, which has no counterpart; the actuator is left out".to_string(),
        format!("x:20: muscle {out}"),
        "x:21: general: dyntype is left out: the control acts without delay".to_string(),
        "x:22: general has a gain or bias that has no counterpart; the actuator is left out".to_string(),
        format!("x:23: position: dampratio {out}"),
        "x:26: tendonpos measures a tendon and is left out".to_string(),
        "x:27: actuatorpos measures an actuator that is not read and is left out".to_string(),
        format!("x:28: gyro: noise {out}"),
        "x:29: framepos measures a camera or geometry and is left out".to_string(),
        "x:31: key is left out: bodies that it speaks of are".to_string(),
    ];
    let mut expected = expected.to_vec();
    let mut found = said(&robot, Effect::Motion);
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(said(&robot, Effect::Looks).len(), 4); // iterations, size, texture, light
    let kept: Vec<&str> = robot.actuators.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(kept, ["slow", "servo"]);
}

/// Classes hold one set of values for all kinds of actuators. The laws of a `<position>`, `<velocity>` and
/// `<general>` without values of their own are those that MuJoCo 4.0.0 makes of the same defaults.
#[test]
fn actuators_share_their_defaults() {
    let position = |stiffness, damping| ActuatorLaw::Position { stiffness, damping };
    let velocity = |gain| ActuatorLaw::Velocity { gain };
    let affine = |gain, bias| ActuatorLaw::Affine { gain, bias };
    let general = r#"<general gainprm="7" biasprm="1 2 -3" biastype="affine"/>"#;
    let cases = [
        (
            r#"<velocity kv="5"/>"#.to_string(),
            [position(1.0, 0.0), velocity(5.0), affine(5.0, [0.0, 0.0, -5.0])],
        ),
        (
            r#"<position kp="50"/><motor/>"#.to_string(),
            [position(1.0, 0.0), velocity(1.0), ActuatorLaw::Motor],
        ),
        (
            r#"<position kp="50" kv="3"/><velocity kv="5"/>"#.to_string(),
            [position(1.0, 0.0), velocity(5.0), affine(5.0, [0.0, 0.0, -5.0])],
        ),
        (
            r#"<position kp="5"/><general ctrlrange="-1 1"/>"#.to_string(),
            [position(5.0, 0.0), velocity(5.0), affine(5.0, [0.0, -5.0, -0.0])],
        ),
        (general.to_string(), [position(7.0, 3.0), velocity(7.0), affine(7.0, [1.0, 2.0, -3.0])]),
        (format!("{general}<motor/>"), [position(1.0, 0.0), velocity(1.0), ActuatorLaw::Motor]),
    ];
    for (defaults, expected) in cases {
        let text = format!(
            r#"<mujoco><default>{defaults}</default>
            <worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
            <actuator><position joint="j"/><velocity joint="j"/><general joint="j"/></actuator></mujoco>"#
        );
        let robot = Robot::parse(&text, "x").unwrap();
        let laws: Vec<ActuatorLaw> = robot.actuators.iter().map(|a| a.law).collect();
        assert_eq!(laws, expected, "{defaults}");
    }
}

#[test]
fn an_impossible_part_of_a_possible_body_is_kept_and_said() {
    let text = r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="lid"><inertial><mass value="0.001"/><inertia ixx="1e-6" iyy="1e-6" izz="3e-6"/></inertial></link>
<joint name="j" type="fixed"><parent link="a"/><child link="lid"/></joint></robot>"#;
    let robot = Robot::parse(text, "x").unwrap();
    assert_eq!(
        said(&robot, Effect::Motion),
        [
            "x:3: link lid has the inertia 0.000001 0.000001 0.000003, which must be possible: no principal moment above \
             the sum of the other two (kg m²); it is kept, because the body that it is fixed to makes up for it"
        ]
    );
}
