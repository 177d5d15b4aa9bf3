//! The reference page of the scene format: prose with examples, and a table of keys for every table of the form.

use super::SCENE;
use super::form::{Kind, TableInfo};
use super::schema::unit;

/// Prose and examples. A line `<!-- keys NAME -->` stands for the table of keys of that name.
const PROSE: &str = include_str!("reference.txt");

/// The reference page as Markdown, made from the tables that the reader checks against.
pub fn reference() -> String {
    let mut page = String::new();
    for line in PROSE.lines() {
        match line.strip_prefix("<!-- keys ").and_then(|rest| rest.strip_suffix(" -->")) {
            Some(name) => match SCENE.all().into_iter().find(|info| info.name == name) {
                Some(info) => page += &keys(info),
                None => page += &format!("{line}\n"),
            },
            None => page += &format!("{line}\n"),
        }
    }
    page
}

fn keys(info: &'static TableInfo) -> String {
    let mut out = "| key | value | default | |\n|---|---|---|---|\n".to_string();
    for key in info.keys {
        let default = match (key.need, key.is_kind) {
            (Some(_), _) => "must be given",
            (None, true) => "one of these",
            (None, false) => key.default,
        };
        let row = [&format!("`{}`", key.name), &value(&key.kind), default, key.about];
        out += &format!("| {} |\n", row.map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
    out
}

/// What a key holds, in a few words.
fn value(kind: &Kind) -> String {
    let with_unit = |text: &str| match unit(kind) {
        "" => text.to_string(),
        unit if text.is_empty() => unit.to_string(),
        unit => format!("{text}, {unit}"),
    };
    match kind {
        Kind::Number { bounds, .. } => {
            with_unit(&format!("number {}", bounds.rule()).trim_end().replace(">=", "≥").replace("<=", "≤"))
        }
        Kind::Version => "1".to_string(),
        Kind::Flag => "`true` or `false`".to_string(),
        Kind::Text { .. } => "name".to_string(),
        Kind::Word(words) => words.iter().map(|w| format!("`\"{w}\"`")).collect::<Vec<_>>().join(", "),
        Kind::Words { .. } => "list of words".to_string(),
        Kind::Vector { .. } => with_unit("`[x, y, z]`"),
        Kind::Direction => "direction `[x, y, z]`".to_string(),
        Kind::Quaternion => "four numbers".to_string(),
        Kind::Euler => with_unit("three angles"),
        Kind::Vectors { .. } => with_unit("list of `[x, y, z]`"),
        Kind::Points { .. } => with_unit("two points `[[x, y, z], [x, y, z]]`"),
        Kind::Times => with_unit("list of times"),
        Kind::Inertia => with_unit("3, 6 or 9 numbers"),
        Kind::Pair { .. } => "two names".to_string(),
        Kind::Table(info) => format!("table [{}](#{})", spaced(info.name), anchor(info.name)),
        Kind::Tables { info, .. } => format!("list of [{}](#{})", spaced(info.name), anchor(info.name)),
        Kind::Named(info) => format!("tables [{}](#{}) by name", spaced(info.name), anchor(info.name)),
        Kind::Numbers => "numbers by name".to_string(),
        Kind::Files => "file name or list".to_string(),
        Kind::Coordinates => "number or list of numbers".to_string(),
        Kind::Signal { .. } => with_unit("number, formula in `t`, or `{ times, values }`"),
        Kind::Formula { .. } => with_unit("formula"),
        Kind::FormulaPair => "formula or list of two".to_string(),
        Kind::Formulas => "formulas by name".to_string(),
        Kind::Range { .. } => with_unit("`[least, greatest]`"),
        Kind::Patterns => "list of names, `*` for any letters".to_string(),
        Kind::Pairs => "list of pairs of names".to_string(),
        Kind::Law(_) => "[law](laws.md) and parameters".to_string(),
    }
}

fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// Where the page describes a table: forces and torques share a section.
fn anchor(name: &str) -> &str {
    match name {
        "motion_sine" | "motion_table" | "motion_turn" => "motion",
        "force_schedule" | "torque_schedule" => "schedule",
        "force_ramp" | "torque_ramp" | "force_sine" | "torque_sine" | "force_table" | "torque_table" => {
            "schedule"
        }
        "sphere" | "plane" | "point" | "cylinder" | "tube" | "capsule" | "box" | "ellipsoid" | "ball" => {
            "shape"
        }
        "waves" | "step" | "slope" | "grid" => "terrain",
        "torsion_spring" => "torsion-spring",
        "limits" => "limits-of-joints",
        "nonsmooth" => "nonsmooth-system",
        "nonsmooth_state" => "nonsmooth-state",
        "nonsmooth_contact" => "nonsmooth-contact",
        "nonsmooth_friction" => "nonsmooth-friction",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use crate::scene::read::ASKED;

    #[test]
    fn every_table_is_on_the_page_once_and_every_link_leads_to_a_heading() {
        let page = reference();
        assert!(!page.contains("<!--"), "a slot without a table");
        for info in SCENE.all() {
            // torque schedules differ from force schedules by the unit alone and share their tables
            let slot = format!("<!-- keys {} -->", info.name.replace("torque_", "force_"));
            assert_eq!(PROSE.matches(&slot).count(), 1, "{slot}");
            let heading = format!("# {}\n", spaced(anchor(info.name)).replace('-', " "));
            let found = page.to_lowercase().contains(&heading.to_lowercase());
            assert!(found || info.name == SCENE.name, "{heading}");
        }
    }

    /// What is described is read: otherwise it would be an option that does nothing.
    #[test]
    fn every_key_that_is_described_is_asked_for() {
        ASKED.with(|asked| asked.borrow_mut().clear());
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/scenes");
        let load = |set: &str| Scene::load(format!("{folder}/every_key.toml"), &[set.to_string()]).unwrap();
        load("simulation.duration=1");
        // one scene cannot have every alternative of one key
        for set in [
            "forces.shake.torque={ ramp = { to = [1,0,0], start = 0, end = 1 } }",
            "forces.shake.torque={ table = { times = [0, 1], values = [[0,0,0],[0,0,1]] } }",
            "forces.tug.force={ sine = { amplitude = [1,0,0], frequency = 1 } }",
            "simulation.integrator={ method = \"rk4\", step = 1e-4 }",
            "bodies.belt.motion={ turn = { axis = [0,0,1], rate = 1, about = [0,0,0] } }",
        ] {
            load(set);
        }
        Scene::load(format!("{folder}/every_joint.toml"), &[]).unwrap();
        Scene::load(format!("{folder}/every_surface.toml"), &[]).unwrap();
        Scene::load(format!("{folder}/every_nonsmooth.toml"), &[]).unwrap();
        ASKED.with(|asked| {
            for info in SCENE.all() {
                for key in info.keys {
                    let is_asked = asked.borrow().contains(&(info.name, key.name.to_string()));
                    assert!(is_asked, "{} of {} is described but never read", key.name, info.name);
                }
            }
        });
    }
}
