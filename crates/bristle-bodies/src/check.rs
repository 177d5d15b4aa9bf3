//! What a tree must satisfy before anything is computed with it.
//!
//! Rules on single numbers come first, with messages that name them. Whether every joint meets inertia can depend
//! on the whole tree (a massless link between two joints is fine if its child resists), so the last rule is tested
//! at one irregular configuration: the freedom left to each joint must keep a share of the inertia it carries.

use crate::articulated::{Articulated, Rigid};
use crate::ldl::Ldl;
use crate::step::Kind;
use crate::{BodyError, Driven, Joint, Kinematics, Link, Loads, Pose, Scratch, Tree, Wrench};
use nalgebra::Vector3;

/// Relative slack for numbers that were rounded on their way here.
const SLACK: f64 = 1e-9;

/// Share of the carried inertia that must be left to a freedom; cancellation leaves about 1e-16 of it where nothing is.
const SHARE: f64 = 1e-12;

pub(crate) fn links(links: &[Link<f64>], armature: &[f64]) -> Result<(), BodyError> {
    let expected = links.iter().map(|link| link.joint.nv()).sum();
    if armature.len() != expected {
        return Err(BodyError::Armatures { given: armature.len(), expected });
    }
    let mut rest = armature;
    let mut is_leaf = vec![true; links.len()];
    for (index, link) in links.iter().enumerate() {
        let name = || link.name.clone();
        if let Some(parent) = link.parent {
            if parent >= index {
                return Err(BodyError::Parent { link: name(), parent, index });
            }
            if let Joint::Driven = link.joint {
                return Err(BodyError::DrivenParent { link: name(), parent: links[parent].name.clone() });
            }
            is_leaf[parent] = false;
        }
        frames(link)?;
        inertia(link)?;
        let (own, others) = rest.split_at(link.joint.nv());
        rotors(link, own)?;
        rest = others;
    }
    let mut rest = armature;
    for (link, is_leaf) in links.iter().zip(is_leaf) {
        let (own, others) = rest.split_at(link.joint.nv());
        if is_leaf && own.contains(&0.0) {
            moving_leaf(link)?;
        }
        rest = others;
    }
    Ok(())
}

/// Armature along the velocities of a link's joint.
fn rotors(link: &Link<f64>, armature: &[f64]) -> Result<(), BodyError> {
    let is_floating = matches!(link.joint, Joint::Floating);
    for (k, &a) in armature.iter().enumerate() {
        let unit = if link.joint.is_speed(k) { "kg" } else { "kg m²" };
        if !(a >= 0.0 && a.is_finite()) {
            return Err(value(link, "armature", a, unit, ">= 0 and finite"));
        }
        if is_floating && a != 0.0 {
            return Err(value(link, "armature", a, unit, "0 for a floating joint: nothing holds a rotor"));
        }
    }
    Ok(())
}

fn value(
    link: &Link<f64>,
    name: &'static str,
    value: f64,
    unit: &'static str,
    rule: &'static str,
) -> BodyError {
    BodyError::Value { link: link.name.clone(), name, value, unit, rule }
}

fn is_unit(length: f64) -> bool {
    (length - 1.0).abs() < SLACK
}

/// Placement and axis.
fn frames(link: &Link<f64>) -> Result<(), BodyError> {
    for &x in &link.placement.translation.vector {
        if !x.is_finite() {
            return Err(value(link, "placement", x, "m", "finite"));
        }
    }
    let length = link.placement.rotation.coords.norm();
    if !is_unit(length) {
        return Err(value(link, "length of the placement's quaternion", length, "", "1"));
    }
    let axes = match &link.joint {
        Joint::Prismatic { axis } | Joint::Revolute { axis } | Joint::Cylindrical { axis } => {
            std::slice::from_ref(axis)
        }
        Joint::Universal { axes } => axes,
        _ => &[],
    };
    for axis in axes {
        let length = axis.as_ref().norm();
        if !is_unit(length) {
            return Err(value(link, "length of the joint axis", length, "", "1"));
        }
    }
    if let [first, second] = axes {
        let sine = first.cross(second).norm();
        if sine < 1e-6 {
            let rule = "at least 1e-6: the axes must not be parallel";
            return Err(value(link, "sine of the angle between the joint axes", sine, "", rule));
        }
    }
    Ok(())
}

/// Mass, centre and rotational inertia of a body that can exist.
fn inertia(link: &Link<f64>) -> Result<(), BodyError> {
    let inertia = &link.inertia;
    if !(inertia.mass >= 0.0 && inertia.mass.is_finite()) {
        return Err(value(link, "mass", inertia.mass, "kg", ">= 0 and finite"));
    }
    if let Some(&x) = inertia.center.iter().find(|x| !x.is_finite()) {
        return Err(value(link, "centre of mass", x, "m", "finite"));
    }
    let about = &inertia.about_center;
    if let Some(&x) = about.iter().find(|x| !x.is_finite()) {
        return Err(value(link, "inertia", x, "kg m²", "finite"));
    }
    let size = about.abs().max();
    let skew = (about - about.transpose()).abs().max();
    if skew > SLACK * size {
        return Err(value(link, "asymmetry of the inertia", skew, "kg m²", "0"));
    }
    let mut principal = about.symmetric_eigenvalues();
    principal.as_mut_slice().sort_by(f64::total_cmp);
    let [low, middle, high] = [principal[0], principal[1], principal[2]];
    if low < -SLACK * size {
        return Err(value(link, "smallest principal inertia", low, "kg m²", ">= 0"));
    }
    if high > (low + middle) * (1.0 + SLACK) + SLACK * SLACK * size {
        let rule = "at most the sum of the other two (no mass distribution has this inertia)";
        return Err(value(link, "largest principal inertia", high, "kg m²", rule));
    }
    Ok(())
}

/// A link that moves without armature and carries nothing must have mass, and inertia if it is free to turn.
fn moving_leaf(link: &Link<f64>) -> Result<(), BodyError> {
    if link.inertia.mass <= 0.0 {
        return Err(value(
            link,
            "mass",
            link.inertia.mass,
            "kg",
            "> 0 for a link that moves and carries no other",
        ));
    }
    if let Joint::Floating = link.joint {
        let low = link.inertia.about_center.symmetric_eigenvalues().min();
        if low <= 1e-14 * link.inertia.about_center.abs().max() {
            let rule = "> 0 for a body that is free to turn";
            return Err(value(link, "smallest principal inertia", low, "kg m²", rule));
        }
    }
    Ok(())
}

/// Every freedom of every joint must meet inertia at an irregular configuration.
pub(crate) fn mobility(tree: &Tree<f64>) -> Result<(), BodyError> {
    let mut q: Vec<f64> = (1..=tree.nq()).map(|k| (k as f64 * 0.618_033_988_75).fract() - 0.4).collect();
    tree.normalise(&mut q);
    let v = vec![0.0; tree.nv()];
    let n = tree.links().len();
    let driven = vec![Driven::at_rest(Pose::identity()); tree.driven_count()];
    let wrenches = vec![Wrench::zero(); n];
    let (mut kin, mut ws, mut vdot) = (Kinematics::new(tree), Scratch::new(tree), v.clone());
    tree.kinematics(&q, &v, &driven, &mut kin);
    let loads =
        Loads { wrenches: &wrenches, efforts: &[], gravity: Vector3::zeros(), driven: &driven, yields: None };
    tree.recursion::<false>(|_| true, &kin, &v, &loads, &mut vdot, &mut ws);

    // Locked inertia: what the joint would carry if all joints beyond it were fixed.
    let mut locked = vec![Articulated::zero(); n];
    let takes_part = |kind| !matches!(kind, Kind::Still | Kind::Driven | Kind::Lone);
    for step in tree.steps().iter().rev().filter(|step| takes_part(step.kind)) {
        let i = step.link;
        let own = tree.links()[i].inertia.rotated(&kin.pose(i).rotation);
        locked[i].add(&Articulated::rigid(&Rigid::new(&own)));
        if let Some(parent) = tree.links()[i].parent {
            let passed = locked[i].seen_from(&(kin.origin(i) - kin.origin(parent)));
            locked[parent].add(&passed);
        }
        let columns: Vec<_> = (0..tree.links()[i].joint.nv()).map(|k| tree.column(&kin, i, k)).collect();
        let entry = |of: &Articulated<f64>, r: usize, c: usize| match (columns.get(r), columns.get(c)) {
            (Some(a), Some(b)) => a.power(&of.apply(b)),
            _ => f64::from(u8::from(r == c)),
        };
        let mut left = std::array::from_fn(|r| std::array::from_fn(|c| entry(&ws.links[i].inertia, r, c)));
        for (k, armature) in tree.armature()[tree.v_range(i)].iter().enumerate() {
            left[k][k] += armature;
        }
        let pivots = Ldl::<f64, 6>::new(&left).pivots;
        for (freedom, &pivot) in pivots.iter().enumerate().take(columns.len()) {
            let resists = pivot > SHARE * entry(&locked[i], freedom, freedom); // false for NaN
            if !resists {
                return Err(BodyError::Massless { link: tree.links()[i].name.clone(), freedom });
            }
        }
    }
    Ok(())
}
