//! Broken robot files: one clear error each, with file, line, element, value and rule.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bristle::robot::Robot;

/// What is wrong, the file, and what is said about it, without the name of the file.
const BROKEN: &[(&str, &str, &str)] = &[
    ("not_xml", r#"hello"#, r#"x:1: is no XML: unknown token"#),
    ("empty", r#""#, r#"x:1: is no XML: the document does not have a root node"#),
    (
        "unclosed",
        r#"<robot name="r">
<link name="a">
</robot>"#,
        r#"x:3: is no XML: expected 'link' tag, not 'robot'"#,
    ),
    (
        "twice_attribute",
        r#"<robot name="r">
<link name="a" name="b"/></robot>"#,
        r#"x:2: is no XML: attribute 'name' is already defined"#,
    ),
    (
        "unknown_entity",
        r#"<robot name="&nothing;"/>"#,
        r#"x:1: is no XML: unknown entity reference 'nothing'"#,
    ),
    (
        "entity_bomb",
        r#"<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>
<robot name="&b;"/>"#,
        r#"x:1: a DTD, which may define entities, is not read"#,
    ),
    (
        "undeclared_prefix",
        r#"<robot name="r">
<gazebo:plugin/></robot>"#,
        r#"x:2: is no XML: an unknown namespace prefix 'gazebo'"#,
    ),
    (
        "xacro",
        r#"<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="leg"/></robot>"#,
        r#"x:2: is a xacro macro file; expand it first: xacro FILE > robot.urdf"#,
    ),
    (
        "other_root",
        r#"<sdf version="1.6"/>"#,
        r#"x:1: sdf is no robot: the root must be <robot> (URDF) or <mujoco> (MJCF)"#,
    ),
    (
        "no_links",
        r#"<robot name="r">

</robot>"#,
        r#"x:1: robot r: link is missing; a robot has one or more <link name="…">"#,
    ),
    (
        "link_without_name",
        r#"<robot name="r">
<link/>
</robot>"#,
        r#"x:2: link: name is missing; every link has a name"#,
    ),
    (
        "link_with_empty_name",
        r#"<robot name="r">
<link name=""/>
</robot>"#,
        r#"x:2: link: name = "" must be given, not empty"#,
    ),
    (
        "link_twice",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:3: link a is there twice; the first is in x:2"#,
    ),
    (
        "joint_twice",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="j" type="continuous"><parent link="a"/><child link="c"/></joint>
</robot>"#,
        r#"x:6: joint j is there twice; the first is in x:5"#,
    ),
    (
        "two_roots",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
</robot>"#,
        r#"x:4: robot has more than one root: no joint carries the links a, c"#,
    ),
    (
        "three_roots",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:3: robot has more than one root: no joint carries the links a, b and 1 more"#,
    ),
    (
        "cycle",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="continuous"><parent link="b"/><child link="a"/></joint>
</robot>"#,
        r#"x:2: robot is no tree: its links form a circle, a on b on a"#,
    ),
    (
        "cycle_beside_a_root",
        r#"<robot name="r">
<link name="root"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint>
<joint name="l" type="continuous"><parent link="c"/><child link="a"/></joint>
</robot>"#,
        r#"x:5: robot is no tree: its links form a circle, c on b on a on c"#,
    ),
    (
        "own_parent",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="continuous"><parent link="b"/><child link="b"/></joint>
</robot>"#,
        r#"x:5: joint k carries link b, which joint j carries already"#,
    ),
    (
        "two_parents",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="continuous"><parent link="a"/><child link="c"/></joint>
<joint name="l" type="continuous"><parent link="b"/><child link="c"/></joint>
</robot>"#,
        r#"x:7: joint l carries link c, which joint k carries already"#,
    ),
    (
        "missing_parent",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
</robot>"#,
        r#"x:4: joint j: parent: link = base names no link; known are a, arm"#,
    ),
    (
        "misspelt_child",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="forearm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="forarm"/></joint>
</robot>"#,
        r#"x:4: joint j: child: link = forarm names no link; did you mean forearm?"#,
    ),
    (
        "no_parent",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="fixed"><child link="b"/></joint>
</robot>"#,
        r#"x:4: joint j: parent is missing; a joint has a <parent link="…"/> and a <child link="…"/>"#,
    ),
    (
        "no_type",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j"><parent link="a"/><child link="b"/></joint>
</robot>"#,
        r#"x:4: joint j: type is missing; revolute, continuous, prismatic, fixed, floating or planar"#,
    ),
    (
        "unknown_joint_type",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="hinge"><parent link="a"/><child link="b"/></joint>
</robot>"#,
        r#"x:4: joint j: type = hinge must be one of revolute, continuous, prismatic, fixed, floating, planar"#,
    ),
    (
        "zero_axis",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 0"/></joint>
</robot>"#,
        r#"x:4: axis of joint j: xyz = 0 0 0 must be a direction, not zero"#,
    ),
    (
        "axis_without_xyz",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis/></joint>
</robot>"#,
        r#"x:4: axis of joint j: xyz is missing; the direction of the axis"#,
    ),
    (
        "no_limit",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>
</robot>"#,
        r#"x:4: joint j: limit is missing; give <limit lower="…" upper="…"/>, or type continuous"#,
    ),
    (
        "limits_swapped",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="1" upper="-1"/></joint>
</robot>"#,
        r#"x:4: limit of joint j: lower = 1 must be at most upper = -1 (rad)"#,
    ),
    (
        "limit_nan",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="nan" upper="1"/></joint>
</robot>"#,
        r#"x:4: limit of joint j: lower = nan must be a number or an infinite one (rad)"#,
    ),
    (
        "negative_effort",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="0" upper="1" effort="-1"/></joint>
</robot>"#,
        r#"x:4: limit of joint j: effort = -1 must be a number >= 0"#,
    ),
    (
        "negative_damping",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><dynamics damping="-1"/></joint>
</robot>"#,
        r#"x:4: dynamics of joint j: damping = -1 must be a number >= 0 and at most 1e12 (N m s/rad or N s/m)"#,
    ),
    (
        "mimic_of_nothing",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><mimic joint="k"/></joint>
</robot>"#,
        r#"x:4: joint j: mimic: joint = k names no joint; did you mean j?"#,
    ),
    (
        "mimic_circle",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><mimic joint="k"/></joint>
<joint name="k" type="continuous"><parent link="a"/><child link="c"/><mimic joint="j"/></joint>
</robot>"#,
        r#"x:5: joint j follows itself"#,
    ),
    (
        "mimic_of_fixed",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><mimic joint="k"/></joint>
<joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>
</robot>"#,
        r#"x:5: joint j can only follow a joint if both have one degree of freedom"#,
    ),
    (
        "mass_missing",
        r#"<robot name="r">
<link name="a"><inertial><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: inertial of link a: mass is missing; give <mass value="…"/> (kg)"#,
    ),
    (
        "mass_no_value",
        r#"<robot name="r">
<link name="a"><inertial><mass/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: mass of link a: value is missing; the mass (kg)"#,
    ),
    (
        "inertia_missing",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/></inertial></link>
</robot>"#,
        r#"x:2: inertial of link a: inertia is missing; give <inertia ixx="…" iyy="…" izz="…"/> (kg m²)"#,
    ),
    (
        "moment_missing",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1"/></inertial></link>
</robot>"#,
        r#"x:2: inertia of link a: izz is missing; the moments ixx, iyy, izz (kg m²)"#,
    ),
    (
        "mass_negative",
        r#"<robot name="r">
<link name="a"><inertial><mass value="-1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: mass of link a: value = -1 must be a number >= 0 and at most 1e12 (kg)"#,
    ),
    (
        "mass_absurd",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1e300"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: mass of link a: value = 1e300 must be a number >= 0 and at most 1e12 (kg)"#,
    ),
    (
        "mass_tiny",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1e-20"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: link a weighs 1e-20 kg; the least is 1e-12 kg"#,
    ),
    (
        "mass_word",
        r#"<robot name="r">
<link name="a"><inertial><mass value="heavy"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: mass of link a: value = heavy must be a number (kg)"#,
    ),
    (
        "mass_nan",
        r#"<robot name="r">
<link name="a"><inertial><mass value="NaN"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: mass of link a: value = NaN must be a number >= 0 and at most 1e12 (kg)"#,
    ),
    (
        "two_inertials",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: link a: inertial is there twice; the first is in x:2"#,
    ),
    (
        "moment_infinite",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="inf" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: inertia of link a: ixx = inf must be a number between -1e12 and 1e12 (kg m²)"#,
    ),
    (
        "moment_negative",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="-1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: link a has the inertia -1 1 1, which must be positive definite: every principal moment > 0 (kg m²)"#,
    ),
    (
        "moments_impossible",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3"/></inertial></link>
</robot>"#,
        r#"x:2: link a has the inertia 1 1 3, which must be possible: no principal moment above the sum of the other two (kg m²)"#,
    ),
    (
        "not_positive_definite",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="2"/></inertial></link>
</robot>"#,
        r#"x:2: link a has the inertia xx 1, yy 1, zz 1, xy 2, xz 0, yz 0, which must be positive definite: every principal moment > 0 (kg m²)"#,
    ),
    (
        "inertia_without_mass",
        r#"<robot name="r">
<link name="a"><inertial><mass value="0"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>"#,
        r#"x:2: link a has an inertia but no mass"#,
    ),
    (
        "moving_without_mass",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
</robot>"#,
        r#"x:3: link b moves, but has no mass"#,
    ),
    (
        "moving_without_mass_fixed",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"></link>
<link name="c"></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint>
</robot>"#,
        r#"x:3: link b moves, but, with all that is fixed to it, has no mass"#,
    ),
    (
        "moving_point",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="0" iyy="0" izz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
</robot>"#,
        r#"x:3: link b moves, but has the inertia 0 0 0, which must be positive definite: every principal moment > 0 (kg m²)"#,
    ),
    (
        "origin_two_numbers",
        r#"<robot name="r">
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 1"/></joint>
</robot>"#,
        r#"x:4: origin of joint j: xyz = 0 1 must be 3 numbers (m)"#,
    ),
    (
        "geometry_empty",
        r#"<robot name="r">
<link name="a"><collision><geometry/></collision></link>
</robot>"#,
        r#"x:2: geometry of link a: solid is missing; one of <box>, <sphere>, <cylinder>, <capsule>, <mesh>"#,
    ),
    (
        "geometry_missing",
        r#"<robot name="r">
<link name="a"><collision/></link>
</robot>"#,
        r#"x:2: collision of link a: geometry is missing; one of <box>, <sphere>, <cylinder>, <capsule>, <mesh>"#,
    ),
    (
        "sphere_negative",
        r#"<robot name="r">
<link name="a"><collision><geometry><sphere radius="-1"/></geometry></collision></link>
</robot>"#,
        r#"x:2: sphere of link a: radius = -1 must be a number > 0 and at most 1e12 (m)"#,
    ),
    (
        "cylinder_without_length",
        r#"<robot name="r">
<link name="a"><collision><geometry><cylinder radius="1"/></geometry></collision></link>
</robot>"#,
        r#"x:2: cylinder of link a: length is missing; a length (m)"#,
    ),
    (
        "mesh_without_file",
        r#"<robot name="r">
<link name="a"><collision><geometry><mesh/></geometry></collision></link>
</robot>"#,
        r#"x:2: mesh of link a: filename is missing; the file of the mesh"#,
    ),
    (
        "friction_negative",
        r#"<robot name="r">
<link name="a"><contact><lateral_friction value="-1"/></contact></link>
</robot>"#,
        r#"x:2: lateral_friction of link a: value = -1 must be a number >= 0 and at most 1e12"#,
    ),
    (
        "mjcf_unknown_joint",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j" type="screw"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: joint j: type = screw must be one of hinge, slide, ball, free"#,
    ),
    (
        "mjcf_unknown_geom",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom type="cone" size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: type = cone must be one of plane, sphere, capsule, cylinder, box, ellipsoid, mesh, hfield, sdf"#,
    ),
    (
        "mjcf_no_size",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom type="box"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: size is missing; radius, half lengths or half edges (m)"#,
    ),
    (
        "mjcf_few_sizes",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom type="box" size="0.1 0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: size = 0.1 0.1 must be 3 numbers (m)"#,
    ),
    (
        "mjcf_zero_size",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: size = 0 must be greater than zero (m)"#,
    ),
    (
        "mjcf_two_orientations",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1" euler="1 0 0" quat="1 0 0 0"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: euler = 1 0 0 must be left out beside quat: one orientation is enough"#,
    ),
    (
        "mjcf_zero_quaternion",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1" quat="0 0 0 0"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: quat = 0 0 0 0 must be a quaternion, not zero"#,
    ),
    (
        "mjcf_parallel_axes",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1" xyaxes="1 0 0 2 0 0"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: xyaxes = 1 0 0 2 0 0 must be two directions, not zero and not parallel"#,
    ),
    (
        "mjcf_fromto_point",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom type="capsule" size="0.1" fromto="0 0 0 0 0 0"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: fromto = 0 0 0 0 0 0 must be two points that are not the same (m)"#,
    ),
    (
        "mjcf_fromto_sphere",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1" fromto="0 0 0 0 0 1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: fromto = 0 0 0 0 0 1 must be given for capsules, cylinders, boxes and ellipsoids only"#,
    ),
    (
        "mjcf_fromto_pos",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom type="capsule" size="0.1" fromto="0 0 0 0 0 1" pos="1 0 0"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: fromto = 0 0 0 0 0 1 must be left out beside a position or orientation"#,
    ),
    (
        "mjcf_mesh_unknown",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom type="mesh" mesh="foot"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: mesh = foot names no mesh; there are none"#,
    ),
    (
        "mjcf_condim",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1" condim="2"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: condim = 2 must be one of 1, 3, 4, 6"#,
    ),
    (
        "mjcf_contype",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1" contype="1.5"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: contype = 1.5 must be a whole number of at most 31 bits"#,
    ),
    (
        "mjcf_body_twice",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
<body name="a"><joint name="k"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:4: body a is there twice; the first is in x:3"#,
    ),
    (
        "mjcf_joint_twice",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
<body name="b"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:4: joint j is there twice; the first is in x:3"#,
    ),
    (
        "mjcf_free_inside",
        r#"<mujoco>
<worldbody>
<body name="a"><joint/><geom size="0.1"/>
<body name="b"><freejoint/><geom size="0.1"/></body></body>
</worldbody>
</mujoco>"#,
        r#"x:4: body b has a free joint inside another body; only bodies in the world can"#,
    ),
    (
        "mjcf_free_and_hinge",
        r#"<mujoco>
<worldbody>
<body name="a"><freejoint/><joint/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: body a has a free joint beside others"#,
    ),
    (
        "mjcf_no_mass",
        r#"<mujoco>
<worldbody>
<body name="a"><joint/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: link a moves, but has no mass"#,
    ),
    (
        "mjcf_massless_geoms",
        r#"<mujoco>
<worldbody>
<body name="a"><joint/><geom size="0.1" mass="0"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: link a moves, but has no mass"#,
    ),
    (
        "mjcf_impossible",
        r#"<mujoco>
<worldbody>
<body name="a"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: link a has the inertia 1 1 3, which must be possible: no principal moment above the sum of the other two (kg m²)"#,
    ),
    (
        "mjcf_inertial_no_inertia",
        r#"<mujoco>
<worldbody>
<body name="a"><joint/><inertial pos="0 0 0" mass="1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: inertial of body a: diaginertia is missing; give diaginertia or fullinertia (kg m²)"#,
    ),
    (
        "mjcf_inertial_both",
        r#"<mujoco>
<worldbody>
<body name="a"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: inertial of body a: fullinertia = 1 1 1 0 0 0 must be left out beside diaginertia"#,
    ),
    (
        "mjcf_range_reversed",
        r#"<mujoco>
<worldbody>
<body name="a"><joint range="10 -10"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: joint of body a: range = 10 -10 must be two numbers, the first below the second"#,
    ),
    (
        "mjcf_limited_without_range",
        r#"<mujoco>
<worldbody>
<body name="a"><joint limited="true"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: joint of body a: range is missing; what is limited has a range"#,
    ),
    (
        "mjcf_no_auto_limits",
        r#"<mujoco>
<compiler autolimits="false"/><worldbody>
<body name="a"><joint range="-1 1"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: joint of body a: limited is missing; autolimits is false: say whether the range counts"#,
    ),
    (
        "mjcf_ball_range",
        r#"<mujoco>
<worldbody>
<body name="a"><joint type="ball" range="-10 10"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: joint of body a: range = -10 10 must be 0 and the greatest angle, for a ball joint"#,
    ),
    (
        "mjcf_unknown_class",
        r#"<mujoco>
<default><default class="legs"/></default><worldbody>
<body name="a" childclass="leg"><joint/><geom size="0.1" class="led"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: body a: childclass = leg names no class; did you mean legs?
x:3: geom of body a: class = led names no class; did you mean legs?"#,
    ),
    (
        "mjcf_class_twice",
        r#"<mujoco>
<default>
<default class="x"/>
<default class="x"/></default><worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:4: class x is there twice; the first is in x:3"#,
    ),
    (
        "mjcf_class_without_name",
        r#"<mujoco>
<default><default/></default><worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:2: default: class is missing; a class inside another has a name"#,
    ),
    (
        "mjcf_coordinate",
        r#"<mujoco>
<compiler coordinate="global"/><worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:2: compiler: coordinate = global must be local"#,
    ),
    (
        "mjcf_eulerseq",
        r#"<mujoco>
<compiler eulerseq="xyw"/><worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:2: compiler: eulerseq = xyw must be three letters of x, y, z, X, Y, Z"#,
    ),
    (
        "mjcf_angle",
        r#"<mujoco>
<compiler angle="gon"/><worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:2: compiler: angle = gon must be one of degree, radian"#,
    ),
    (
        "mjcf_gravity",
        r#"<mujoco>
<option gravity="0 0 -1e13"/><worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:2: option: gravity = 0 0 -1e13 must be 3 numbers, each between -1e12 and 1e12 (m/s²)"#,
    ),
    (
        "mjcf_time_step",
        r#"<mujoco>
<option timestep="0"/><worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:2: option: timestep = 0 must be a number > 0 and at most 1e12 (s)"#,
    ),
    (
        "mjcf_actuator_of_nothing",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
<actuator><motor joint="k"/></actuator></mujoco>"#,
        r#"x:5: motor: joint = k names no joint; did you mean j?"#,
    ),
    (
        "mjcf_actuator_without_joint",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
<actuator><motor name="m"/></actuator></mujoco>"#,
        r#"x:5: motor m: joint is missing; the joint that it drives"#,
    ),
    (
        "mjcf_actuator_gain",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
<actuator><position joint="j" kp="-1"/></actuator></mujoco>"#,
        r#"x:5: position: kp = -1 must be a number >= 0 and at most 1e12 (N m/rad or N/m)"#,
    ),
    (
        "mjcf_control_range",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
<actuator><motor joint="j" ctrlrange="1 1"/></actuator></mujoco>"#,
        r#"x:5: motor: ctrlrange = 1 1 must be two numbers, the first below the second"#,
    ),
    (
        "mjcf_exclude_of_nothing",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
<contact><exclude body1="a" body2="c"/></contact></mujoco>"#,
        r#"x:5: exclude: body2 = c names no body; did you mean a?"#,
    ),
    (
        "mjcf_exclude_half",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
<contact><exclude body1="a"/></contact></mujoco>"#,
        r#"x:5: exclude: body2 is missing; an exclude names body1 and body2"#,
    ),
    (
        "mjcf_sensor_of_nothing",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
<sensor><gyro site="imu"/></sensor></mujoco>"#,
        r#"x:5: gyro: site = imu names no site; there are none"#,
    ),
    (
        "mjcf_key_length",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="0.1"/></body>
</worldbody>
<keyframe><key name="k" qpos="0 0"/></keyframe></mujoco>"#,
        r#"x:5: key k: qpos = 0 0 must be a number"#,
    ),
    (
        "mjcf_key_quaternion",
        r#"<mujoco>
<worldbody>
<body name="a"><freejoint/><geom size="0.1"/></body>
</worldbody>
<keyframe><key qpos="0 0 0 0 0 0 0"/></keyframe></mujoco>"#,
        r#"x:5: key: qpos = 0 0 0 0 0 0 0 must be coordinates whose quaternions are not zero"#,
    ),
    (
        "mjcf_include",
        r#"<mujoco>
<worldbody>
<include file="other.xml"/>
</worldbody>
</mujoco>"#,
        r#"x:3: include cannot be followed: the text comes from no file"#,
    ),
    (
        "mjcf_two_errors",
        r#"<mujoco>
<worldbody>
<body name="a"><joint name="j"/><geom size="x"/>
<geom size="0.1" mass="-1"/></body>
</worldbody>
</mujoco>"#,
        r#"x:3: geom of body a: size = x must be 1 to 3 numbers (m)
x:4: geom of body a: mass = -1 must be a number >= 0 and at most 1e12 (kg)"#,
    ),
];

#[test]
fn every_broken_file_is_refused_with_its_line() {
    let mut wrong = Vec::new();
    for (name, text, expected) in BROKEN {
        match Robot::parse(text, "x") {
            Ok(_) => wrong.push(format!("{name}: accepted")),
            Err(errors) if errors.to_string() != *expected => wrong.push(format!("{name}: {errors}")),
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
