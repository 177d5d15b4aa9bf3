//! What must hold for a robot of any format: possible masses on all that moves.

use super::error::{Effect, Log, RobotError};
use super::{Inertial, Link, Robot};
use crate::scene::broken_inertia_rule;
use nalgebra::Matrix3;

/// A body lighter than this cannot be moved by forces of any size that matters, kg.
const LIGHTEST: f64 = 1e-12;

/// Links that are fixed to each other move as one body, and it is this body that must be possible.
pub(crate) fn check(robot: &Robot, log: &mut Log) {
    let poses = robot.link_poses(&[]);
    let carrier = robot.carriers();
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
    carrier.iter().enumerate().for_each(|(link, carrier)| groups[*carrier].push(link));
    for (first, group) in groups.iter().enumerate().filter(|(_, group)| !group.is_empty()) {
        let seen: Vec<Inertial> =
            group.iter().map(|i| robot.links[*i].inertial.seen_from(&poses[*i])).collect();
        check_group(robot, first, group, &Inertial::sum(&seen), log);
    }
}

fn check_group(robot: &Robot, first: usize, group: &[usize], whole: &Inertial, log: &mut Log) {
    let link = &robot.links[first];
    let moves = first > 0 && !link.is_between_joints;
    let with = if group.len() > 1 { ", with all that is fixed to it," } else { "" };
    // a root is often a frame alone, and the world has no mass
    if whole.mass == 0.0 && moves {
        return log.error(complain(link, format!("moves, but{with} has no mass")));
    }
    let faults = group.iter().filter_map(|i| Some((&robot.links[*i], fault(&robot.links[*i].inertial)?)));
    let is_possible = !moves && whole.inertia == Matrix3::zeros() || fault_of_body(whole).is_none();
    for (part, fault) in faults.clone() {
        if group.len() == 1 || !is_possible {
            log.error(complain(part, fault));
        } else {
            let message =
                format!("{fault}; it is kept, because the body that it is fixed to makes up for it");
            log.warn(&part.place, &format!("link {}", part.name), None, &message, Effect::Motion);
        }
    }
    if let (false, None, Some(fault)) = (is_possible, faults.clone().next(), fault_of_body(whole)) {
        log.error(complain(link, format!("moves, but{with} {fault}")));
    }
}

fn complain(link: &Link, message: String) -> RobotError {
    let element = format!("link {}", crate::scene::shortened(&link.name));
    RobotError::Model { place: link.place.clone(), element, message }
}

/// What is wrong with a link by itself, which may be nothing at all or a point mass.
fn fault(inertial: &Inertial) -> Option<String> {
    let is_point = inertial.inertia == Matrix3::zeros();
    match (inertial.mass == 0.0, is_point) {
        (true, true) => None,
        (true, false) => Some("has an inertia but no mass".to_string()),
        (false, true) if inertial.mass >= LIGHTEST => None,
        _ => fault_of_body(inertial),
    }
}

/// What is wrong with a body that moves.
fn fault_of_body(body: &Inertial) -> Option<String> {
    if body.mass < LIGHTEST {
        return Some(format!("weighs {:e} kg; the least is {LIGHTEST:e} kg", body.mass));
    }
    let rule = broken_inertia_rule(&body.inertia)?;
    Some(format!("has the inertia {}, which must be {rule}", text(&body.inertia)))
}

/// The three numbers of a diagonal, or the six of a symmetric matrix.
fn text(m: &Matrix3<f64>) -> String {
    let [xx, yy, zz, xy, xz, yz] = [m.m11, m.m22, m.m33, m.m12, m.m13, m.m23];
    if xy == 0.0 && xz == 0.0 && yz == 0.0 {
        return format!("{xx} {yy} {zz}");
    }
    format!("xx {xx}, yy {yy}, zz {zz}, xy {xy}, xz {xz}, yz {yz}")
}
