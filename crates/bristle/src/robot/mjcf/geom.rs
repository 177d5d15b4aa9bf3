//! `<geom>` and `<site>`.

use super::super::Site;
use super::super::error::Effect;
use super::super::link::{Contact, Geometry, Solid};
use super::super::xml::{Element, Range};
use super::{Reader, pose};
use nalgebra::{Isometry3, Vector3};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Plane,
    Sphere,
    Capsule,
    Cylinder,
    Box,
    Ellipsoid,
    Mesh,
    /// Height fields and signed distance fields.
    Field,
}

const KINDS: &[(&str, Kind)] = &[
    ("plane", Kind::Plane),
    ("sphere", Kind::Sphere),
    ("capsule", Kind::Capsule),
    ("cylinder", Kind::Cylinder),
    ("box", Kind::Box),
    ("ellipsoid", Kind::Ellipsoid),
    ("mesh", Kind::Mesh),
    ("hfield", Kind::Field),
    ("sdf", Kind::Field),
];

/// Density of MJCF geoms that say nothing, kg/m³.
const DENSITY: f64 = 1000.0;

impl Reader<'_> {
    /// Adds a geom to a link, and its mass to the parts of the link.
    pub(crate) fn read_geom(
        &mut self,
        written: &Element,
        link: usize,
        frame: &Isometry3<f64>,
        class: Option<&str>,
    ) {
        let geom = self.classes.apply(written, class, self.log);
        let kind = geom.choice("type", KINDS, self.log);
        let kind = if geom.has("type") { kind } else { Some(Kind::Sphere) };
        let Some(kind) = kind else { return };
        if kind == Kind::Field || (kind != Kind::Mesh && geom.has("mesh")) {
            let message = "is a field or is fitted to a mesh, and is left out: it touches nothing";
            self.log.warn(&geom.place, "geom", Some("type"), message, Effect::Motion);
            return;
        }
        let contact = self.read_contact(&geom);
        let Some((solid, own)) = self.read_solid(&geom, kind, contact) else { return };
        let pose = frame * own;
        let name = written.text("name").map(str::to_string);
        if let Some(name) = &name {
            let index = self.robot.links[link].geometries.len();
            self.names.add("geom", name, index, written, self.log);
        }
        let group = geom.number("group", Range::Any, "", self.log).unwrap_or(0.0);
        self.weigh(&geom, link, &solid, &pose, group);
        let geometry = Geometry {
            name,
            solid,
            pose,
            contact,
            friction: Some(self.read_friction(&geom)),
            group: group as i32,
            color: geom.array::<4>("rgba", Range::NotNegative, "", self.log),
            place: written.place.clone(),
        };
        self.robot.links[link].geometries.push(geometry);
    }

    fn read_solid(
        &mut self,
        geom: &Element,
        kind: Kind,
        contact: Contact,
    ) -> Option<(Solid, Isometry3<f64>)> {
        let line = match geom.has("fromto") {
            true if ["pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"].iter().any(|a| geom.has(a)) => {
                self.log.error(geom.wrong("fromto", "left out beside a position or orientation"));
                return None;
            }
            true if matches!(kind, Kind::Plane | Kind::Sphere | Kind::Mesh) => {
                self.log
                    .error(geom.wrong("fromto", "given for capsules, cylinders, boxes and ellipsoids only"));
                return None;
            }
            true => Some(pose::from_to(geom, self.log)?),
            false => None,
        };
        let (own, length) = match line {
            Some((pose, length)) => (pose, Some(length)),
            None => (pose::read(geom, &self.compiler, self.log), None),
        };
        let solid = match (kind, length) {
            (Kind::Plane, _) => {
                geom.list("size", (1, 3), Range::NotNegative, "m", self.log); // for drawing
                Solid::Plane
            }
            (Kind::Mesh, _) => self.read_mesh(geom, contact)?,
            (Kind::Sphere, _) => Solid::Sphere { radius: self.sizes::<1>(geom)?[0] },
            (Kind::Capsule | Kind::Cylinder, length) => {
                let [radius, length] = match length {
                    Some(length) => [self.sizes::<1>(geom)?[0], length],
                    None => self.sizes::<2>(geom).map(|[radius, half]| [radius, 2.0 * half])?,
                };
                let is_capsule = kind == Kind::Capsule;
                if is_capsule {
                    Solid::Capsule { radius, length }
                } else {
                    Solid::Cylinder { radius, length }
                }
            }
            (_, length) => {
                let half = match length {
                    Some(length) => self.sizes::<1>(geom).map(|[w]| Vector3::new(w, w, length / 2.0))?,
                    None => Vector3::from(self.sizes::<3>(geom)?),
                };
                if kind == Kind::Box {
                    Solid::Box { size: half * 2.0 }
                } else {
                    Solid::Ellipsoid { radii: half }
                }
            }
        };
        Some((solid, own))
    }

    /// The first numbers of `size`; what is beyond has no meaning for the kind.
    fn sizes<const N: usize>(&mut self, geom: &Element) -> Option<[f64; N]> {
        if !geom.has("size") {
            self.log.error(geom.missing("size", "radius, half lengths or half edges (m)"));
        }
        let all = geom.list("size", (N, 3), Range::NotNegative, "m", self.log)?;
        if all[..N].contains(&0.0) {
            self.log.error(geom.wrong("size", "greater than zero (m)"));
            return None;
        }
        all[..N].try_into().ok()
    }

    fn read_contact(&mut self, geom: &Element) -> Contact {
        let mut bits = |name: &str| match geom.number(name, Range::NotNegative, "", self.log) {
            Some(x) if x.fract() == 0.0 && x <= f64::from(i32::MAX) => x as u32,
            Some(_) => {
                self.log.error(geom.wrong(name, "a whole number of at most 31 bits"));
                0
            }
            None => 1,
        };
        let (kind, accepts) = (bits("contype"), bits("conaffinity"));
        let words = [("1", 1), ("3", 3), ("4", 4), ("6", 6)];
        let directions = geom.choice("condim", &words, self.log).unwrap_or(3);
        Contact { kind, accepts, directions }
    }

    fn read_friction(&mut self, geom: &Element) -> [f64; 3] {
        let mut friction = [1.0, 0.005, 0.0001]; // MuJoCo's defaults
        let given = geom.list("friction", (1, 3), Range::NotNegative, "", self.log).unwrap_or_default();
        friction.iter_mut().zip(given).for_each(|(f, g)| *f = g);
        friction
    }

    fn weigh(&mut self, geom: &Element, link: usize, solid: &Solid, pose: &Isometry3<f64>, group: f64) {
        let given = geom.number("mass", Range::NotNegative, "kg", self.log);
        let density = geom.number("density", Range::NotNegative, "kg/m³", self.log).unwrap_or(DENSITY);
        let [first, last] = self.compiler.groups;
        if !(first..=last).contains(&group) {
            return;
        }
        if given.unwrap_or(density) == 0.0 {
            return; // a mesh that weighs nothing need not be there
        }
        if matches!(solid, Solid::Mesh { .. }) {
            self.weigh_later(geom, link, pose, given, density);
        } else if let Some(unit) = solid.measure() {
            let factor = given.map_or(density, |mass| mass / unit.mass);
            self.parts[link].push(unit.scaled(factor).seen_from(pose));
        }
    }

    pub(crate) fn read_site(
        &mut self,
        written: &Element,
        link: usize,
        frame: &Isometry3<f64>,
        class: Option<&str>,
    ) {
        let site = self.classes.apply(written, class, self.log);
        let own = match site.has("fromto") {
            true => pose::from_to(&site, self.log).map(|(pose, _)| pose).unwrap_or_default(),
            false => pose::read(&site, &self.compiler, self.log),
        };
        let name = written.text("name").unwrap_or_default().to_string();
        self.names.add("site", &name, self.robot.sites.len(), written, self.log);
        self.robot.sites.push(Site { name, link, pose: frame * own, place: written.place.clone() });
    }
}
