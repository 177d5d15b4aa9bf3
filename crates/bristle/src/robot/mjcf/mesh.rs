//! `<mesh>` among the assets, and geoms made of them: they touch as their convex hull, and weigh what the mesh says.

use super::super::Place;
use super::super::error::Effect;
use super::super::file::Files;
use super::super::inertial::Inertial;
use super::super::link::{Contact, Solid};
use super::super::mesh::{MeshFiles, solid};
use super::super::xml::Element;
use super::{Reader, pose};
use crate::scene::resolve_file;
use bristle_geom::{Convex, Shape, Triangles};
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};
use std::sync::Arc;

/// How a mesh is measured when its geom counts as mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// The volume of its convex hull.
    Hull,
    /// The volume inside.
    Exact,
    /// The sizes of the tetrahedra between the facets and the centre: too much where the mesh is not convex.
    Legacy,
    /// Mass on the surface.
    Shell,
}

const MEASURES: &[(&str, Measure)] = &[
    ("convex", Measure::Hull),
    ("exact", Measure::Exact),
    ("legacy", Measure::Legacy),
    ("shell", Measure::Shell),
];

/// A mesh among the assets; its file is read when a geom needs it.
pub(crate) struct Asset {
    file: String,
    path: Option<std::path::PathBuf>,
    scale: Vector3<f64>,
    /// Frame of the asset in the file.
    frame: Isometry3<f64>,
    measure: Measure,
    content: Option<Content>,
}

/// Errors read as the rest of a sentence about the file.
#[derive(Clone)]
struct Content {
    triangles: Result<Arc<Triangles>, String>,
    hull: Result<Arc<Convex>, String>,
}

/// A geom whose mesh is measured once it is known that its body has no other mass.
pub(crate) struct Unweighed {
    pub(crate) link: usize,
    place: Place,
    mesh: String,
    pose: Isometry3<f64>,
    mass: Option<f64>,
    density: f64,
}

impl Asset {
    fn content(&mut self, files: Option<&Files>, meshes: &mut MeshFiles) -> Content {
        let (frame, scale, path) = (self.frame, self.scale, self.path.as_deref());
        let read = || {
            let triangles = match (path, files) {
                (Some(path), _) => meshes.read(path).map(|t| Arc::new(t.seen_from(&frame, &scale))),
                (None, Some(_)) => Err("is not found in the folder of the robot file".to_string()),
                (None, None) => Err("is not read: the robot is given as text".to_string()),
            };
            let hull = triangles.as_ref().map_err(Clone::clone).and_then(|t: &Arc<Triangles>| {
                t.hull().map(Arc::new).map_err(|error| format!("has no hull: {error}"))
            });
            Content { triangles, hull }
        };
        self.content.get_or_insert_with(read).clone()
    }

    /// Mass, centre and inertia at a density of 1 kg/m³.
    fn measured(&mut self, files: Option<&Files>, meshes: &mut MeshFiles) -> Result<Inertial, String> {
        let content = self.content(files, meshes);
        let of_hull = |hull: &Arc<Convex>| Inertial::from(*hull.inertia());
        let measured = match self.measure {
            Measure::Hull => content.hull.as_ref().map(of_hull).map_err(Clone::clone),
            Measure::Legacy => content.triangles.map(|t| overcounted(&t)),
            Measure::Exact | Measure::Shell => {
                let mesh = content.triangles.and_then(|t| solid(Triangles::clone(&t)));
                mesh.map(|mesh| Inertial::from(*mesh.inertia()))
            }
        }?;
        let is_solid = measured.mass > 0.0 && measured.mass.is_finite();
        if is_solid { Ok(measured) } else { Err("has no volume".to_string()) }
    }
}

/// As MuJoCo measures by default: tetrahedra with the centre of the facets as their tip give the centre of mass, those
/// with this as their tip volume and inertia, and all count as positive.
fn overcounted(mesh: &Triangles) -> Inertial {
    let corners = || mesh.triangles.iter().map(|t| t.map(|i| mesh.vertices[i as usize]));
    let (mut area, mut tip) = (0.0, Vector3::zeros());
    for [a, b, c] in corners() {
        let part = (b - a).cross(&(c - a)).norm();
        (area, tip) = (area + part, tip + (a + b + c) * (part / 3.0));
    }
    tip /= area;
    let size = |a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>| (a.dot(&b.cross(c)) / 6.0).abs();
    let (mut volume, mut first) = (0.0, Vector3::zeros());
    for [a, b, c] in corners().map(|t| t.map(|p| p - tip)) {
        let part = size(&a, &b, &c);
        (volume, first) = (volume + part, first + (a + b + c) * (part / 4.0));
    }
    let center = tip + first / volume;
    let (mut volume, mut second) = (0.0, Matrix3::zeros());
    for [a, b, c] in corners().map(|t| t.map(|p| p - center)) {
        let (part, sum) = (size(&a, &b, &c), a + b + c);
        let squares = a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose();
        (volume, second) = (volume + part, second + squares * (part / 20.0));
    }
    Inertial { mass: volume, center, inertia: Matrix3::identity() * second.trace() - second }
}

impl Reader<'_> {
    pub(super) fn read_meshes(&mut self, root: &Element) {
        for mesh in root.all("asset").flat_map(|asset| asset.all("mesh")) {
            let merged = self.classes.apply(mesh, None, self.log);
            let scale = merged.vector("scale", "", self.log).unwrap_or(Vector3::repeat(1.0));
            let Some(file) = merged.text("file") else {
                self.log.error(mesh.missing("file", "only meshes from files are read"));
                continue;
            };
            // the name of the file without its ending, unless the mesh has a name
            let stem = std::path::Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file);
            let name = mesh.text("name").unwrap_or(stem);
            self.names.add("mesh", name, self.meshes.len(), mesh, self.log);
            let measure = merged.choice("inertia", MEASURES, self.log).unwrap_or(Measure::Legacy);
            if measure == Measure::Shell {
                let message = "counts as exact: mass on the surface alone has no counterpart";
                self.log.warn(&mesh.place, "mesh", Some("inertia"), message, Effect::Motion);
            }
            let position = merged.vector("refpos", "", self.log).unwrap_or_default();
            let turn = match merged.has("refquat") {
                true => pose::quaternion(&merged, "refquat", self.log),
                false => None,
            };
            let frame = Isometry3::from_parts(
                Translation3::from(position),
                turn.unwrap_or_else(UnitQuaternion::identity),
            );
            let file = self.compiler.mesh_path(file);
            let path = self.files.and_then(|f| resolve_file(&file, &f.root, &f.root, f.access).ok());
            self.meshes.insert(name.to_string(), Asset { file, path, scale, frame, measure, content: None });
        }
    }

    /// The solid of a geom. What is only seen is not read.
    pub(super) fn read_mesh(&mut self, geom: &Element, contact: Contact) -> Option<Solid> {
        if !geom.has("mesh") {
            self.log.error(geom.missing("mesh", "the name of a mesh among the assets"));
            return None;
        }
        self.names.find("mesh", geom, "mesh", self.log)?;
        let asset = geom.text("mesh").and_then(|name| self.meshes.get_mut(name))?;
        let (file, path, scale) = (asset.file.clone(), asset.path.clone(), asset.scale);
        if contact.is_visual_only() {
            let message = match path.is_none() && self.files.is_some() {
                true => format!("{file} is only seen, and not found"),
                false => format!("{file} is only seen, and not drawn"),
            };
            self.log.warn(&geom.place, "geom", Some("mesh"), &message, Effect::Looks);
            return Some(Solid::Mesh { file, path, scale, shape: None });
        }
        let hull = asset.content(self.files, &mut self.mesh_files).hull;
        if let Err(reason) = &hull {
            let message = format!("{file} {reason}; it touches nothing");
            self.log.warn(&geom.place, "geom", Some("mesh"), &message, Effect::Motion);
        }
        Some(Solid::Mesh { file, path, scale, shape: hull.ok().map(Shape::Convex) })
    }

    /// Keeps a mesh geom until the mass of its body is asked for.
    pub(super) fn weigh_later(
        &mut self,
        geom: &Element,
        link: usize,
        pose: &Isometry3<f64>,
        mass: Option<f64>,
        density: f64,
    ) {
        let Some(mesh) = geom.text("mesh") else { return };
        let (place, mesh) = (geom.place.clone(), mesh.to_string());
        self.unweighed.push(Unweighed { link, place, mesh, pose: *pose, mass, density });
    }

    /// Adds the meshes of a link to its parts.
    pub(super) fn weigh_meshes(&mut self, link: usize) {
        let all = std::mem::take(&mut self.unweighed);
        let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|part| part.link == link);
        self.unweighed = others;
        for Unweighed { place, mesh, pose, mass, density, .. } in own {
            let Some(asset) = self.meshes.get_mut(&mesh) else { continue };
            match asset.measured(self.files, &mut self.mesh_files) {
                Ok(unit) => {
                    let factor = mass.map_or(density, |mass| mass / unit.mass);
                    self.parts[link].push(unit.scaled(factor).seen_from(&pose));
                }
                Err(reason) => {
                    let message = format!("{} {reason}; the mass of its body lacks it", asset.file);
                    self.log.warn(&place, "geom", Some("mesh"), &message, Effect::Motion);
                }
            }
        }
    }
}
