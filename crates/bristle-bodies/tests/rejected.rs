//! What a tree refuses, and how it says so.
#![allow(clippy::unwrap_used)]

use bristle_bodies::{Inertia, Joint, Link, Pose, SlideAxes, Tree};
use nalgebra::{Matrix3, Quaternion, Unit, UnitQuaternion, Vector3};

fn ball(name: &str, parent: Option<usize>, joint: Joint<f64>) -> Link<f64> {
    let inertia = Inertia::solid_sphere(1.0, 0.1);
    Link { name: name.into(), parent, joint, placement: Pose::identity(), inertia }
}

fn message(links: Vec<Link<f64>>) -> String {
    Tree::new(links).unwrap_err().to_string()
}

fn with(change: impl Fn(&mut Link<f64>)) -> String {
    let mut link = ball("ball", None, Joint::Floating);
    change(&mut link);
    message(vec![link])
}

#[test]
fn a_parent_must_come_first() {
    let found = message(vec![ball("a", Some(1), Joint::Planar), ball("b", None, Joint::Fixed)]);
    assert_eq!(found, "link \"a\": parent = 1 must be the index of an earlier link, below 0");
}

#[test]
fn a_driven_link_hangs_on_nothing() {
    let found = message(vec![ball("cart", None, Joint::Planar), ball("plate", Some(0), Joint::Driven)]);
    assert_eq!(
        found,
        "link \"plate\": a driven joint moves in the world and must have no parent, not \"cart\""
    );
}

#[test]
fn mass_must_not_be_negative_and_not_vanish_on_a_moving_leaf() {
    assert_eq!(with(|link| link.inertia.mass = -2.0), "link \"ball\": mass = -2 kg must be >= 0 and finite");
    assert!(with(|link| link.inertia.mass = f64::NAN).contains("mass = NaN kg"));
    assert_eq!(
        with(|link| link.inertia = Inertia::point(0.0)),
        "link \"ball\": mass = 0 kg must be > 0 for a link that moves and carries no other"
    );
}

#[test]
fn inertia_must_belong_to_a_mass_distribution() {
    let diagonal = |x, y, z| Matrix3::from_diagonal(&Vector3::new(x, y, z));
    let found = with(|link| link.inertia.about_center = diagonal(1.0, 1.0, 2.5));
    assert!(
        found.starts_with("link \"ball\": largest principal inertia = 2.5 kg m² must be at most"),
        "{found}"
    );
    let found = with(|link| link.inertia.about_center = diagonal(1.0, 1.0, -1.0));
    assert_eq!(found, "link \"ball\": smallest principal inertia = -1 kg m² must be >= 0");
    let found = with(|link| link.inertia.about_center[(0, 1)] = 1e-3);
    assert_eq!(found, "link \"ball\": asymmetry of the inertia = 0.001 kg m² must be 0");
    let found = with(|link| link.inertia.about_center = diagonal(0.0, 1.0, 1.0));
    assert_eq!(
        found,
        "link \"ball\": smallest principal inertia = 0 kg m² must be > 0 for a body that is free to turn"
    );
}

#[test]
fn axes_and_placements_must_be_unit_and_finite() {
    let axis = Unit::new_unchecked(Vector3::new(0.0, 0.0, 2.0));
    let found = with(|link| link.joint = Joint::Revolute { axis });
    assert_eq!(found, "link \"ball\": length of the joint axis = 2 must be 1");
    let found = with(|link| link.placement.translation.vector.x = f64::INFINITY);
    assert_eq!(found, "link \"ball\": placement = inf m must be finite");
}

#[test]
fn a_freedom_that_moves_no_mass_is_found_anywhere_in_the_tree() {
    // a point mass on its own hinge cannot resist turning
    let mut hinge = ball("hinge", None, Joint::Revolute { axis: Vector3::x_axis() });
    hinge.inertia = Inertia::point(1.0);
    assert!(message(vec![hinge]).starts_with("link \"hinge\": velocity 0 of its joint moves no mass"));
    // two sliders along the same line with nothing between them
    let slide = |name, parent| ball(name, parent, Joint::Slide { axes: SlideAxes::XZ });
    let mut first = slide("first", None);
    first.inertia = Inertia::point(0.0);
    let found = message(vec![first, slide("second", Some(0))]);
    assert!(found.starts_with("link \"first\": velocity 0"), "{found}");
}

#[test]
fn a_massless_link_between_crossed_hinges_is_fine() {
    let mut cross = ball("cross", None, Joint::Revolute { axis: Vector3::x_axis() });
    cross.inertia = Inertia::point(0.0);
    let rotor = ball("rotor", Some(0), Joint::Revolute { axis: Vector3::y_axis() });
    assert!(Tree::new(vec![cross, rotor]).is_ok());
}

#[test]
fn a_light_link_may_carry_a_heavy_one_along_the_same_line() {
    let slide = |name, parent, mass| {
        let inertia = Inertia::point(mass);
        Link { inertia, ..ball(name, parent, Joint::Slide { axes: SlideAxes::X }) }
    };
    assert!(Tree::new(vec![slide("light", None, 1e-6), slide("heavy", Some(0), 1e3)]).is_ok());
}

#[test]
fn a_point_mass_may_slide_without_rotational_inertia() {
    let mut point = ball("point", None, Joint::Slide { axes: SlideAxes::XYZ });
    point.inertia = Inertia::point(0.5);
    let tree = Tree::new(vec![point]).unwrap();
    assert_eq!((tree.nq(), tree.nv(), tree.q_range(0), tree.v_range(0)), (3, 3, 0..3, 0..3));
}

#[test]
fn the_axes_of_a_universal_joint_must_cross() {
    let axes = [Vector3::x_axis(), -Vector3::x_axis()];
    let found = with(|link| link.joint = Joint::Universal { axes });
    assert_eq!(
        found,
        "link \"ball\": sine of the angle between the joint axes = 0 must be at least 1e-6: the axes must not be parallel"
    );
    let axes = [Vector3::x_axis(), Unit::new_unchecked(Vector3::new(0.0, f64::NAN, 0.0))];
    assert!(
        with(|link| link.joint = Joint::Universal { axes })
            .contains("length of the joint axis = NaN must be 1")
    );
    let axis = Unit::new_unchecked(Vector3::zeros());
    assert!(
        with(|link| link.joint = Joint::Cylindrical { axis })
            .contains("length of the joint axis = 0 must be 1")
    );
}

#[test]
fn numbers_that_are_not_numbers_are_named() {
    let found = with(|link| link.inertia.about_center[(1, 2)] = f64::NAN);
    assert_eq!(found, "link \"ball\": inertia = NaN kg m² must be finite");
    let found = with(|link| link.inertia.center.y = f64::NAN);
    assert_eq!(found, "link \"ball\": centre of mass = NaN m must be finite");
    let found = with(|link| {
        link.placement.rotation = UnitQuaternion::new_unchecked(Quaternion::new(f64::NAN, 0.0, 0.0, 0.0))
    });
    assert_eq!(found, "link \"ball\": length of the placement's quaternion = NaN must be 1");
}

#[test]
fn a_ball_joint_needs_inertia_about_every_axis() {
    let mut bob = ball("bob", None, Joint::Spherical);
    bob.inertia = Inertia { center: Vector3::new(0.0, 0.0, -1.0), ..Inertia::point(1.0) };
    let found = message(vec![bob]);
    assert!(found.starts_with("link \"bob\": velocity 2 of its joint moves no mass"), "{found}");
}

fn with_armature(joint: Joint<f64>, armature: &[f64]) -> Result<Tree<f64>, String> {
    let mut link = ball("ball", None, joint);
    link.inertia = Inertia::point(0.0);
    Tree::with_armature(vec![link], armature.to_vec()).map_err(|error| error.to_string())
}

#[test]
fn armature_must_be_one_number_for_each_velocity_that_a_rotor_can_have() {
    let hinge = Joint::Revolute { axis: Vector3::x_axis() };
    let refused = |joint, armature: &[f64]| with_armature(joint, armature).unwrap_err();
    assert_eq!(
        refused(hinge.clone(), &[0.1, 0.2]),
        "armature: 2 numbers given, must be 1: one for each velocity of the joints"
    );
    assert_eq!(
        refused(hinge.clone(), &[-0.1]),
        "link \"ball\": armature = -0.1 kg m² must be >= 0 and finite"
    );
    let slider = Joint::Prismatic { axis: Vector3::x_axis() };
    assert_eq!(refused(slider, &[f64::NAN]), "link \"ball\": armature = NaN kg must be >= 0 and finite");
    assert_eq!(
        refused(Joint::Floating, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.1]),
        "link \"ball\": armature = 0.1 kg must be 0 for a floating joint: nothing holds a rotor"
    );
    assert!(with_armature(hinge, &[0.1]).is_ok(), "a rotor alone can be turned");
    assert!(refused(Joint::Planar, &[0.1, 0.0, 0.1]).contains("mass = 0 kg must be > 0"));
}
