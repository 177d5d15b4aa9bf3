//! `<body>`, `<frame>` and `<inertial>`.

use super::super::inertial::Inertial;
use super::super::link::Link;
use super::super::xml::{Element, Range};
use super::super::{Joint, JointKind};
use super::compiler::FromGeoms;
use super::{Reader, pose};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

/// Elements that make bodies or joints, and of which nothing is read.
const MAKERS: [&str; 4] = ["composite", "flexcomp", "replicate", "attach"];

impl Reader<'_> {
    /// Geoms, sites, frames and bodies inside an element; `frame` is its frame in the link.
    pub(crate) fn read_contents(
        &mut self,
        element: &Element,
        link: usize,
        frame: &Isometry3<f64>,
        class: Option<&str>,
    ) {
        for child in &element.children {
            match child.tag.as_str() {
                "geom" => self.read_geom(child, link, frame, class),
                "site" => self.read_site(child, link, frame, class),
                "body" => self.read_body(child, link, frame, class),
                "frame" => {
                    self.classes.check(child, "childclass", self.log);
                    let inner = frame * pose::read(child, &self.compiler, self.log);
                    self.read_contents(child, link, &inner, child.text("childclass").or(class));
                }
                tag => self.is_incomplete |= MAKERS.contains(&tag),
            }
        }
    }

    fn read_body(&mut self, element: &Element, parent: usize, frame: &Isometry3<f64>, class: Option<&str>) {
        self.classes.check(element, "childclass", self.log);
        let class = element.text("childclass").or(class);
        let name = match element.text("name") {
            Some(name) if !name.is_empty() => name.to_string(),
            _ => format!("body#{}", self.robot.links.len()),
        };
        let in_parent = frame * pose::read(element, &self.compiler, self.log);
        let joints = self.read_joints(element, &name, class);
        let is_free = joints.iter().any(|joint| joint.kind == JointKind::Floating);
        if is_free && joints.len() > 1 {
            self.log.error(element.complain("has a free joint beside others"));
        }
        if is_free && parent != 0 {
            self.log.error(
                element.complain("has a free joint inside another body; only bodies in the world can"),
            );
        }
        let link = self.hang(element, &name, parent, in_parent, joints);
        self.names.add("body", &name, link, element, self.log);
        self.read_contents(element, link, &Isometry3::identity(), class);
        self.robot.links[link].inertial = self.read_mass(element, link);
    }

    /// Links and joints of one body: several joints are a chain, with links without mass between them.
    fn hang(
        &mut self,
        element: &Element,
        name: &str,
        parent: usize,
        in_parent: Isometry3<f64>,
        mut joints: Vec<Joint>,
    ) -> usize {
        if joints.is_empty() {
            joints.push(Joint::new(format!("{name}#fixed"), JointKind::Fixed, [0, 0], element.place.clone()));
        }
        let count = joints.len();
        let (mut above, mut start) = (parent, in_parent);
        for (i, mut joint) in joints.into_iter().enumerate() {
            let is_last = i + 1 == count;
            let link = self.robot.links.len();
            self.robot.links.push(Link {
                name: if is_last { name.to_string() } else { format!("{name}#{}", i + 1) },
                inertial: Inertial::zero(),
                geometries: Vec::new(),
                is_between_joints: !is_last,
                place: element.place.clone(),
            });
            self.parts.push(Vec::new());
            (joint.parent, joint.child) = (above, link);
            if joint.kind == JointKind::Floating {
                let (p, q) = (start.translation.vector, start.rotation);
                joint.reference = vec![p.x, p.y, p.z, q.w, q.i, q.j, q.k];
            } else {
                joint.in_parent = start * joint.in_parent;
            }
            if joint.kind != JointKind::Fixed {
                self.names.add("joint", &joint.name, self.robot.joints.len(), element, self.log);
            }
            self.robot.joints.push(joint);
            (above, start) = (link, Isometry3::identity());
        }
        above
    }

    /// From `<inertial>` or from the geoms, as the compiler settings say.
    fn read_mass(&mut self, element: &Element, link: usize) -> Inertial {
        let written = element.one("inertial", self.log).map(|inertial| self.read_inertial(inertial));
        let counts = self.compiler.from_geoms != FromGeoms::Always;
        let mass = match written.filter(|_| counts) {
            Some(inertial) => inertial,
            None if self.compiler.from_geoms == FromGeoms::Never => Inertial::zero(),
            None => {
                self.weigh_meshes(link);
                Inertial::sum(&self.parts[link])
            }
        };
        self.bounded(mass)
    }

    fn read_inertial(&mut self, element: &Element) -> Inertial {
        if !element.has("mass") {
            self.log.error(element.missing("mass", "the mass (kg)"));
        }
        let mass = element.number("mass", Range::NotNegative, "kg", self.log).unwrap_or(0.0);
        let pose = pose::read(element, &self.compiler, self.log);
        let inertia = match (element.has("diaginertia"), element.has("fullinertia")) {
            (true, true) => {
                self.log.error(element.wrong("fullinertia", "left out beside diaginertia"));
                None
            }
            (true, false) => element
                .array::<3>("diaginertia", Range::Any, "kg m²", self.log)
                .map(|moments| Matrix3::from_diagonal(&Vector3::from(moments))),
            (false, true) => {
                if pose.rotation != UnitQuaternion::identity() {
                    self.log.error(element.wrong("fullinertia", "given in the axes of the body, not turned"));
                }
                let six = element.array::<6>("fullinertia", Range::Any, "kg m²", self.log);
                six.map(|[xx, yy, zz, xy, xz, yz]| Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
            }
            (false, false) => {
                self.log.error(element.missing("diaginertia", "give diaginertia or fullinertia (kg m²)"));
                None
            }
        };
        let inertia = inertia.unwrap_or_default();
        Inertial { mass, center: Vector3::zeros(), inertia }.seen_from(&pose)
    }

    /// `boundmass`, `boundinertia` and `balanceinertia`.
    fn bounded(&self, mut mass: Inertial) -> Inertial {
        let (least_mass, least_moment) = self.compiler.least;
        mass.mass = mass.mass.max(least_mass);
        if least_moment > 0.0 {
            let mut axes = mass.inertia.symmetric_eigen();
            axes.eigenvalues.apply(|moment| *moment = moment.max(least_moment));
            let bounded = axes.recompose();
            mass.inertia = (bounded + bounded.transpose()) * 0.5;
        }
        if self.compiler.balances {
            let moments = mass.inertia.symmetric_eigenvalues();
            if 2.0 * moments.max() > moments.sum() {
                mass.inertia = Matrix3::identity() * (moments.sum() / 3.0);
            }
        }
        mass
    }
}
