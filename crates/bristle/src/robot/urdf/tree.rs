//! Links and joints of a URDF file put together: one root, no cycles, every name once.

use super::super::error::{Log, Place, RobotError};
use super::super::link::Link;
use super::super::xml::Element;
use super::super::{Mimic, Robot};
use super::LooseJoint;
use crate::scene::shortened;
use std::collections::BTreeMap;

/// Fills the robot with links, parents first, and their joints. `None` if there are errors.
pub(crate) fn assemble(
    robot: &mut Robot,
    root: &Element,
    links: Vec<Link>,
    joints: Vec<LooseJoint<'_>>,
    log: &mut Log,
) -> Option<()> {
    let index = by_name("link", links.iter().map(|l| (l.name.as_str(), &l.place)), log);
    let joint_index = by_name("joint", joints.iter().map(|j| (j.joint.name.as_str(), &j.joint.place)), log);
    let mut carried_by: Vec<Option<usize>> = vec![None; links.len()];
    let mut carries: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
    for (i, loose) in joints.iter().enumerate() {
        let ends = [(loose.parent, "parent"), (loose.child, "child")].map(|(name, tag)| {
            let found = index.get(name).copied();
            if let (None, Some(end)) = (found, loose.element.all(tag).next()) {
                let label = format!("{}: {tag}", loose.element.label());
                log.no_such((end, label), "link", "link", index.keys().map(String::as_str));
            }
            found
        });
        let [Some(parent), Some(child)] = ends else { continue };
        match carried_by[child] {
            Some(first) => {
                let first = shortened(&joints[first].joint.name);
                let child = shortened(loose.child);
                let message = format!("carries link {child}, which joint {first} carries already");
                log.error(loose.element.complain(message));
            }
            None => {
                carried_by[child] = Some(i);
                carries[parent].push(i);
            }
        }
    }
    let mimics: Vec<Option<usize>> =
        joints.iter().map(|loose| followed(loose, &joints, &joint_index, log)).collect();
    check_mimics(&mimics, &joints, log);
    if log.has_errors() {
        return None;
    }
    let root = find_root(root, &links, &joints, &carried_by, &index, log)?;
    // depth first, children in the order of the file
    let mut order = vec![root];
    let mut new_index = vec![0; links.len()];
    let mut joint_order = Vec::new();
    let mut waiting: Vec<usize> = carries[root].iter().rev().copied().collect();
    while let Some(i) = waiting.pop() {
        let Some(child) = index.get(joints[i].child).copied() else { continue };
        new_index[child] = order.len();
        order.push(child);
        joint_order.push(i);
        waiting.extend(carries[child].iter().rev());
    }
    if let Some(lost) = (0..links.len()).find(|i| *i != root && new_index[*i] == 0) {
        log.error(cycle(lost, &links, &joints, &carried_by, &index));
        return None;
    }
    let mut new_joint = vec![0; joints.len()];
    joint_order.iter().enumerate().for_each(|(new, old)| new_joint[*old] = new);
    for old in &joint_order {
        let loose = &joints[*old];
        let mut joint = loose.joint.clone();
        joint.parent = index.get(loose.parent).map_or(0, |i| new_index[*i]);
        joint.child = index.get(loose.child).map_or(0, |i| new_index[*i]);
        joint.mimic = loose.mimic.zip(mimics[*old]).map(|((_, _, multiplier, offset), followed)| Mimic {
            joint: new_joint[followed],
            multiplier,
            offset,
        });
        robot.joints.push(joint);
    }
    let mut links: Vec<Option<Link>> = links.into_iter().map(Some).collect();
    robot.links.extend(order.into_iter().filter_map(|i| links[i].take()));
    Some(())
}

/// Indices by name; a name that is there twice is an error.
fn by_name<'a>(
    kind: &str,
    named: impl Iterator<Item = (&'a str, &'a Place)>,
    log: &mut Log,
) -> BTreeMap<String, usize> {
    let mut index: BTreeMap<String, (usize, &Place)> = BTreeMap::new();
    for (i, (name, place)) in named.enumerate() {
        match index.get(name) {
            Some((_, first)) => log.error(RobotError::Twice {
                place: place.clone(),
                element: format!("{kind} {}", shortened(name)),
                first: (*first).clone(),
            }),
            None => drop(index.insert(name.to_string(), (i, place))),
        }
    }
    index.into_iter().map(|(name, (i, _))| (name, i)).collect()
}

fn followed(
    loose: &LooseJoint<'_>,
    joints: &[LooseJoint<'_>],
    index: &BTreeMap<String, usize>,
    log: &mut Log,
) -> Option<usize> {
    let (element, name, ..) = loose.mimic?;
    let Some(first) = index.get(name).copied() else {
        let label = format!("{}: mimic", loose.element.label());
        log.no_such((element, label), "joint", "joint", index.keys().map(String::as_str));
        return None;
    };
    if joints[first].joint.kind.freedoms() != 1 || loose.joint.kind.freedoms() != 1 {
        log.error(loose.element.complain("can only follow a joint if both have one degree of freedom"));
        return None;
    }
    Some(first)
}

/// Joints that follow each other in a circle.
fn check_mimics(mimics: &[Option<usize>], joints: &[LooseJoint<'_>], log: &mut Log) {
    const UNSEEN: usize = usize::MAX;
    let mut seen_from = vec![UNSEEN; mimics.len()];
    for start in 0..mimics.len() {
        let mut at = start;
        while seen_from[at] == UNSEEN {
            seen_from[at] = start;
            match mimics[at] {
                Some(next) => at = next,
                None => break,
            }
        }
        if seen_from[at] == start && mimics[at].is_some() {
            log.error(joints[at].element.complain("follows itself"));
        }
    }
}

/// The one link that no joint carries.
fn find_root(
    robot: &Element,
    links: &[Link],
    joints: &[LooseJoint<'_>],
    carried_by: &[Option<usize>],
    index: &BTreeMap<String, usize>,
    log: &mut Log,
) -> Option<usize> {
    let roots: Vec<usize> = (0..links.len()).filter(|i| carried_by[*i].is_none()).collect();
    match roots.as_slice() {
        [root] => return Some(*root),
        [] if links.is_empty() => log.error(robot.complain("has no link")),
        [] => log.error(cycle(0, links, joints, carried_by, index)),
        [first, second, rest @ ..] => {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            let [a, b] = [first, second].map(|i| shortened(&links[*i].name));
            log.error(RobotError::Model {
                place: links[*second].place.clone(),
                element: "robot".to_string(),
                message: format!("has more than one root: no joint carries the links {a}, {b}{more}"),
            });
        }
    }
    None
}

/// The circle that a link hangs on.
fn cycle(
    start: usize,
    links: &[Link],
    joints: &[LooseJoint<'_>],
    carried_by: &[Option<usize>],
    index: &BTreeMap<String, usize>,
) -> RobotError {
    let parent = |i: usize| carried_by[i].and_then(|j| index.get(joints[j].parent)).copied().unwrap_or(i);
    let on_circle = (0..links.len()).fold(start, |i, _| parent(i));
    let mut names = vec![shortened(&links[on_circle].name)];
    let mut at = parent(on_circle);
    while at != on_circle && names.len() < 10 {
        names.push(shortened(&links[at].name));
        at = parent(at);
    }
    if at != on_circle {
        names.push("…".to_string());
    }
    names.push(names[0].clone());
    RobotError::Model {
        place: links[on_circle].place.clone(),
        element: "robot".to_string(),
        message: format!("is no tree: its links form a circle, {}", names.join(" on ")),
    }
}
