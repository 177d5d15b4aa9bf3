//! `<visual>` and `<collision>` of URDF links.

use super::super::error::{Effect, Log};
use super::super::file::Files;
use super::super::link::{Contact, Geometry, Solid};
use super::super::mesh::{MeshFiles, solid};
use super::super::xml::{Element, Range};
use super::read_origin;
use crate::scene::resolve_file;
use bristle_geom::{Mesh, Shape};
use nalgebra::{Isometry3, Vector3};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files and colours that geometries refer to.
pub(crate) struct Surroundings<'a> {
    files: Option<&'a Files>,
    colors: BTreeMap<String, [f64; 4]>,
    mesh_files: MeshFiles,
    /// Meshes by file and the bits of their scale: wheels share one.
    meshes: BTreeMap<(PathBuf, [u64; 3]), Result<Arc<Mesh>, String>>,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(root: &Element, files: Option<&'a Files>, log: &mut Log) -> Self {
        let mut colors = BTreeMap::new();
        for material in root.all("material") {
            let color = read_color(material, log);
            if let (Some(name), Some(color)) = (material.text("name"), color) {
                colors.insert(name.to_string(), color);
            }
        }
        Self { files, colors, mesh_files: MeshFiles::default(), meshes: BTreeMap::new() }
    }

    pub(crate) fn geometries(&mut self, link: &Element, log: &mut Log) -> Vec<Geometry> {
        let friction = link.one("contact", log).and_then(|contact| read_friction(contact, log));
        let mut geometries = Vec::new();
        for element in &link.children {
            let contact = match element.tag.as_str() {
                "visual" => Contact::NONE,
                "collision" => Contact::ALL,
                _ => continue,
            };
            let Some(solid) = self.read_solid(element, contact, log) else { continue };
            let material = element.one("material", log);
            let named = material.and_then(|m| m.text("name")).and_then(|name| self.colors.get(name).copied());
            geometries.push(Geometry {
                name: element.text("name").map(str::to_string),
                solid,
                pose: read_origin(element, log),
                contact,
                friction: if contact.is_visual_only() { None } else { friction },
                group: 0,
                color: material.and_then(|m| read_color(m, log)).or(named),
                place: element.place.clone(),
            });
        }
        geometries
    }

    fn read_solid(&mut self, element: &Element, contact: Contact, log: &mut Log) -> Option<Solid> {
        const RULE: &str = "one of <box>, <sphere>, <cylinder>, <capsule>, <mesh>";
        let Some(geometry) = element.one("geometry", log) else {
            log.error(element.missing("geometry", RULE));
            return None;
        };
        let known = ["box", "sphere", "cylinder", "capsule", "mesh"];
        let mut found = geometry.children.iter().filter(|c| known.contains(&c.tag.as_str()));
        let Some(solid) = found.next() else {
            log.error(geometry.missing("solid", RULE));
            return None;
        };
        if found.next().is_some() {
            log.error(geometry.complain("holds more than one solid"));
        }
        let mut size = |name: &'static str| {
            if !solid.has(name) {
                log.error(solid.missing(name, "a length (m)"));
            }
            solid.number(name, Range::Positive, "m", log)
        };
        match solid.tag.as_str() {
            "box" => {
                if !solid.has("size") {
                    log.error(solid.missing("size", "three edge lengths (m)"));
                }
                let size = Vector3::from(solid.array::<3>("size", Range::Positive, "m", log)?);
                Some(Solid::Box { size })
            }
            "sphere" => Some(Solid::Sphere { radius: size("radius")? }),
            "mesh" => self.read_mesh(solid, contact, log),
            tag => {
                let (radius, length) = (size("radius"), size("length"));
                let (radius, length) = (radius?, length?);
                let is_capsule = tag == "capsule";
                Some(if is_capsule {
                    Solid::Capsule { radius, length }
                } else {
                    Solid::Cylinder { radius, length }
                })
            }
        }
    }

    /// What is only seen is not read.
    fn read_mesh(&mut self, mesh: &Element, contact: Contact, log: &mut Log) -> Option<Solid> {
        let file = mesh.required("filename", "the file of the mesh", log)?.to_string();
        let scale = mesh.vector("scale", "", log).unwrap_or(Vector3::repeat(1.0));
        let path = self.find(&file);
        let mut warn =
            |message: &str, effect| log.warn(&mesh.place, "mesh", Some("filename"), message, effect);
        if contact.is_visual_only() {
            let what = if path.is_none() && self.files.is_some() { "not found" } else { "not drawn" };
            warn(&format!("{file} is only seen, and {what}"), Effect::Looks);
            return Some(Solid::Mesh { file, path, scale, shape: None });
        }
        let surface = match (&path, self.files) {
            (Some(path), _) => self.surface(path, &scale),
            (None, Some(_)) => Err("is not found in the folder of the robot file".to_string()),
            (None, None) => Err("is not read: the robot is given as text".to_string()),
        };
        match &surface {
            Ok(mesh) => mesh.warnings().iter().for_each(|w| warn(&format!("{file}: {w}"), Effect::Looks)),
            Err(reason) => warn(&format!("{file} {reason}; it touches nothing"), Effect::Motion),
        }
        Some(Solid::Mesh { file, path, scale, shape: surface.ok().map(Shape::Mesh) })
    }

    fn surface(&mut self, path: &Path, scale: &Vector3<f64>) -> Result<Arc<Mesh>, String> {
        let key = (path.to_path_buf(), [scale.x, scale.y, scale.z].map(f64::to_bits));
        let files = &mut self.mesh_files;
        let read = || {
            let surface = files.read(path)?.seen_from(&Isometry3::identity(), scale);
            solid(surface).map(Arc::new)
        };
        self.meshes.entry(key).or_insert_with(read).clone()
    }

    /// `package://NAME/…` is looked for in the folder of the robot file, with and without NAME, and in the folders
    /// above it up to one called NAME; other names are relative to the robot file.
    fn find(&self, name: &str) -> Option<PathBuf> {
        let files = self.files?;
        let resolve = |name: &str| resolve_file(name, &files.root, &files.root, files.access).ok();
        let Some(rest) = name.strip_prefix("package://") else {
            return resolve(name.strip_prefix("file://").unwrap_or(name));
        };
        let (package, inner) = rest.split_once('/')?;
        let above = files.root.canonicalize().ok().and_then(|root| {
            let folder = root.ancestors().find(|a| a.file_name().is_some_and(|n| n == package))?;
            resolve_file(inner, folder, &files.root, files.access).ok()
        });
        resolve(rest).or_else(|| resolve(inner)).or(above)
    }
}

fn read_color(material: &Element, log: &mut Log) -> Option<[f64; 4]> {
    material.one("color", log)?.array::<4>("rgba", Range::NotNegative, "", log)
}

/// `<contact>` of a link, an extension that several simulators read.
fn read_friction(contact: &Element, log: &mut Log) -> Option<[f64; 3]> {
    let mut value = |tag: &str| {
        let element = contact.one(tag, log)?;
        if !element.has("value") {
            log.error(element.missing("value", "the coefficient of friction"));
        }
        element.number("value", Range::NotNegative, "", log)
    };
    let [lateral, spinning, rolling] =
        [value("lateral_friction"), value("spinning_friction"), value("rolling_friction")];
    lateral.map(|lateral| [lateral, spinning.unwrap_or(0.0), rolling.unwrap_or(0.0)])
}
