//! Which entries of `[[contacts]]` do something, and which bodies touch nothing.

use super::{Warning, warn};
use crate::build::Prepared;
use crate::scene::{BodySpec, ContactRule, Scene, Who};
use std::collections::{BTreeMap, BTreeSet};

/// Masses this far apart make steps small and results coarse.
const EXTREME: f64 = 1e4;

/// Bodies that every entry treats alike.
struct Group<'s> {
    members: Vec<&'s BodySpec>,
    is_free: bool,
}

pub(super) fn check(scene: &Scene, prepared: &Prepared, all: &mut Vec<Warning>) {
    let groups = groups(scene);
    let (mut used, mut lonely) = (BTreeSet::new(), vec![true; groups.len()]);
    for (i, a) in groups.iter().enumerate() {
        for (j, b) in groups.iter().enumerate().skip(i) {
            let first = a.members[0];
            let Some(second) = b.members.iter().find(|m| m.name != first.name) else { continue };
            let Some((contact, _)) = scene.contact_between(&first.name, &second.name) else { continue };
            if a.is_free || b.is_free {
                used.insert(contact.place.key().to_string());
                (lonely[i], lonely[j]) = (false, false);
            }
        }
    }
    for (group, _) in groups.iter().zip(&lonely).filter(|(_, lonely)| **lonely) {
        // the floor of a robot's file need not be used
        for body in group.members.iter().filter(|b| b.robot.is_none() || b.is_free()) {
            let message =
                "touches nothing: no entry of [[contacts]] matches it and a body that could meet it";
            warn(all, body.place.clone(), "touches-nothing", message);
        }
    }
    entries(scene, &used, all);
    unused_materials(scene, &used, all);
    mass_ratios(scene, prepared, all);
}

/// Entries that name a body, each with the side, and whether it is free.
type Key = (Vec<(usize, usize)>, bool);

/// Bodies with shapes, by what the entries make of them.
fn groups(scene: &Scene) -> Vec<Group<'_>> {
    let mut entries: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    let mut patterns: Vec<(usize, usize, &Who)> = Vec::new();
    for (i, contact) in scene.contacts.iter().enumerate() {
        for (side, who) in contact.between.iter().enumerate() {
            match who {
                Who::Body(name) => entries.entry(name).or_default().push((i, side)),
                Who::Pattern(_) => patterns.push((i, side, who)),
                Who::Any => {}
            }
        }
    }
    let mut groups: BTreeMap<Key, Vec<&BodySpec>> = BTreeMap::new();
    for body in scene.bodies.iter().filter(|b| !b.shapes.is_empty()) {
        let mut own = entries.get(body.name.as_str()).cloned().unwrap_or_default();
        own.extend(
            patterns.iter().filter(|(_, _, who)| who.matches(&body.name)).map(|(i, side, _)| (*i, *side)),
        );
        groups.entry((own, body.is_free())).or_default().push(body);
    }
    groups.into_iter().map(|((_, is_free), members)| Group { members, is_free }).collect()
}

/// Entries that no pair of bodies comes to.
fn entries(scene: &Scene, used: &BTreeSet<String>, all: &mut Vec<Warning>) {
    for contact in scene.contacts.iter().filter(|c| !used.contains(c.place.key())) {
        let sides = contact.between.each_ref().map(|who| match who {
            Who::Any | Who::Pattern(_) => None,
            Who::Body(name) => scene.body(name),
        });
        let bare = sides.iter().flatten().find(|b| b.shapes.is_empty());
        let (code, message) = match (bare, sides) {
            (Some(body), _) => ("never-touch", format!("can never happen: {} has no shape", body.name)),
            (None, [Some(a), Some(b)]) if !a.is_free() && !b.is_free() => {
                ("never-touch", format!("can never happen: forces move neither {} nor {}", a.name, b.name))
            }
            _ => ("unused-contact", "is never used: earlier entries take every pair it matches".to_string()),
        };
        let is_harmless = contact.rule == ContactRule::Ignore && code == "never-touch";
        if !is_harmless {
            warn(all, contact.place.clone(), code, message);
        }
    }
}

fn unused_materials(scene: &Scene, used: &BTreeSet<String>, all: &mut Vec<Warning>) {
    for material in &scene.materials {
        let named = |key: Option<&BTreeSet<String>>| {
            scene.contacts.iter().any(|c| {
                matches!(&c.rule, ContactRule::Material(name) if *name == material.name)
                    && key.is_none_or(|keys| keys.contains(c.place.key()))
            })
        };
        // an entry that is never used has its own warning
        if !named(Some(used)) && !named(None) {
            warn(all, material.place.clone(), "unused-material", "is used by no entry of [[contacts]]");
        }
    }
}

/// Light and heavy bodies that can meet.
fn mass_ratios(scene: &Scene, prepared: &Prepared, all: &mut Vec<Warning>) {
    let model = &prepared.model;
    // lightest and heaviest body of every class
    let mut range: Vec<Option<[usize; 2]>> = vec![None; model.classes];
    let mass = |body: usize| model.tree.links()[model.bodies[body].link].inertia.mass;
    for shape in model.shapes.iter().filter(|s| model.bodies[s.body].is_movable) {
        let [light, heavy] = range[shape.class].get_or_insert([shape.body; 2]);
        *light = if mass(shape.body) < mass(*light) { shape.body } else { *light };
        *heavy = if mass(shape.body) > mass(*heavy) { shape.body } else { *heavy };
    }
    let mut seen = BTreeSet::new();
    for (i, interaction) in model.interactions.iter().enumerate() {
        let (Some(a), Some(b)) = (range[i / model.classes], range[i % model.classes]) else { continue };
        let (light, heavy) = (a[0], b[1]);
        let ratio = mass(heavy) / mass(light);
        if interaction.is_some() && ratio > EXTREME && seen.len() < 20 && seen.insert((light, heavy)) {
            let [light, heavy] = [light, heavy].map(|i| &scene.bodies[i]);
            let message = format!(
                "is {ratio:.1e} times heavier than {}, which it can meet: expect small steps",
                light.name
            );
            warn(all, heavy.place.clone(), "mass-ratio", message);
        }
    }
}
