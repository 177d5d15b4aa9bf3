//! MJCF: bodies inside bodies, with defaults by class and compiler settings.

mod actuator;
mod body;
mod class;
mod compiler;
mod forms;
mod geom;
mod include;
mod joint;
mod kind;
mod mesh;
mod pose;
mod state;

use super::error::{Log, RobotError};
use super::file::Files;
use super::form::report_losses;
use super::inertial::Inertial;
use super::link::Link;
use super::mesh::MeshFiles;
use super::xml::{Element, Range};
use super::{Exclude, Format, Robot};
use class::Classes;
use compiler::Compiler;
#[cfg(test)]
pub(crate) use forms::FORMS;
use nalgebra::Isometry3;
use std::collections::BTreeMap;

/// What is known while a model is read.
pub(crate) struct Reader<'a> {
    pub(crate) log: &'a mut Log,
    pub(crate) compiler: Compiler,
    pub(crate) classes: Classes,
    pub(crate) files: Option<&'a Files>,
    /// Meshes by name.
    pub(crate) meshes: BTreeMap<String, mesh::Asset>,
    pub(crate) mesh_files: MeshFiles,
    pub(crate) robot: Robot,
    pub(crate) names: Names,
    /// Masses of the geoms of each link.
    pub(crate) parts: Vec<Vec<Inertial>>,
    /// Meshes that count as mass where their body has no other.
    pub(crate) unweighed: Vec<mesh::Unweighed>,
    /// Whether a body was left out, so that lists of coordinates are longer than ours.
    pub(crate) is_incomplete: bool,
}

/// Where named things stand, by kind and name.
#[derive(Default)]
pub(crate) struct Names(BTreeMap<(&'static str, String), (usize, super::Place)>);

impl Names {
    /// Adds a name; one that is there already is an error.
    pub(crate) fn add(
        &mut self,
        kind: &'static str,
        name: &str,
        index: usize,
        element: &Element,
        log: &mut Log,
    ) {
        if name.is_empty() {
            return;
        }
        match self.0.get(&(kind, name.to_string())) {
            Some((_, first)) => log.error(RobotError::Twice {
                place: element.place.clone(),
                element: format!("{kind} {}", crate::scene::shortened(name)),
                first: first.clone(),
            }),
            None => drop(self.0.insert((kind, name.to_string()), (index, element.place.clone()))),
        }
    }

    /// The index of what an attribute names; a name that is not there is an error.
    pub(crate) fn find(
        &self,
        kind: &'static str,
        element: &Element,
        attribute: &'static str,
        log: &mut Log,
    ) -> Option<usize> {
        let value = element.text(attribute)?.to_string();
        if let Some((index, _)) = self.0.get(&(kind, value)) {
            return Some(*index);
        }
        let known = self.0.keys().filter(|(k, _)| *k == kind).map(|(_, name)| name.as_str());
        log.no_such((element, element.label()), attribute, kind, known);
        None
    }
}

/// Reads a `<mujoco>`; `None` only if there are errors.
pub(crate) fn read(root: Element, mut files: Option<&mut Files>, log: &mut Log) -> Option<Robot> {
    let root = match include::expand(root, files.as_deref_mut(), 0) {
        Ok(root) => root,
        Err(errors) => {
            errors.iter().for_each(|error| log.error(error.clone()));
            return None;
        }
    };
    report_losses(&root, forms::FORMS, log);
    let compiler = Compiler::read(&root, log);
    let classes = Classes::read(&root, log);
    let robot = Robot::new(root.text("model").unwrap_or_default().to_string(), Format::Mjcf);
    let mut reader = Reader {
        log,
        compiler,
        classes,
        files: files.as_deref(),
        meshes: BTreeMap::new(),
        mesh_files: MeshFiles::default(),
        robot,
        names: Names::default(),
        parts: Vec::new(),
        unweighed: Vec::new(),
        is_incomplete: false,
    };
    reader.read_options(&root);
    reader.read_meshes(&root);
    reader.read_world(&root);
    reader.spread_mass();
    reader.read_excludes(&root);
    let actuators = reader.read_actuators(&root);
    reader.read_sensors(&root);
    reader.read_keyframes(&root, &actuators);
    Some(reader.robot)
}

impl Reader<'_> {
    fn read_options(&mut self, root: &Element) {
        for option in root.all("option") {
            let gravity = option.vector("gravity", "m/s²", self.log);
            let step = option.number("timestep", Range::Positive, "s", self.log);
            self.robot.gravity = gravity.or(self.robot.gravity);
            self.robot.time_step = step.or(self.robot.time_step);
        }
    }

    fn read_world(&mut self, root: &Element) {
        self.robot.links.push(Link {
            name: "world".to_string(),
            inertial: Inertial::zero(),
            geometries: Vec::new(),
            is_between_joints: false,
            place: root.place.clone(),
        });
        self.parts.push(Vec::new());
        self.names.add("body", "world", 0, root, self.log);
        for world in root.all("worldbody") {
            self.read_contents(world, 0, &Isometry3::identity(), None);
        }
    }

    /// `settotalmass` scales what all bodies weigh.
    fn spread_mass(&mut self) {
        let total: f64 = self.robot.links.iter().map(|link| link.inertial.mass).sum();
        if let Some(wanted) = self.compiler.total_mass
            && total > 0.0
        {
            let factor = wanted / total;
            self.robot.links.iter_mut().for_each(|link| link.inertial = link.inertial.scaled(factor));
        }
    }

    fn read_excludes(&mut self, root: &Element) {
        for exclude in root.all("contact").flat_map(|contact| contact.all("exclude")) {
            for body in ["body1", "body2"] {
                if !exclude.has(body) {
                    self.log.error(exclude.missing(body, "an exclude names body1 and body2"));
                }
            }
            let [first, second] =
                ["body1", "body2"].map(|body| self.names.find("body", exclude, body, self.log));
            if let (Some(first), Some(second)) = (first, second) {
                self.robot.excludes.push(Exclude { links: [first, second], place: exclude.place.clone() });
            }
        }
    }
}
