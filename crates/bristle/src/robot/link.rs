//! Links of a robot and what they are made of.

use super::error::Place;
use super::inertial::Inertial;
use bristle_geom::Shape;
use nalgebra::{Isometry3, Vector3};
use std::path::PathBuf;

/// A rigid body of a robot.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Name; no two links have the same.
    pub name: String,
    /// Mass, centre of mass, inertia.
    pub inertial: Inertial,
    /// Solids that touch or are only seen.
    pub geometries: Vec<Geometry>,
    /// True for a link without mass between two joints of one MJCF body.
    pub is_between_joints: bool,
    /// Where it stands.
    pub place: Place,
}

/// A solid on a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Geometry {
    /// Name, if given.
    pub name: Option<String>,
    /// What it is.
    pub solid: Solid,
    /// Its frame in the link frame.
    pub pose: Isometry3<f64>,
    /// Which contacts it takes part in.
    pub contact: Contact,
    /// Sliding (no unit), torsional (m) and rolling (m) coefficient; none if the file does not say.
    pub friction: Option<[f64; 3]>,
    /// Group that it is put in (MJCF); 0 if not said.
    pub group: i32,
    /// Colour: red, green, blue, opacity, each 0 to 1; none if the file does not say.
    pub color: Option<[f64; 4]>,
    /// Where it stands.
    pub place: Place,
}

/// Which contacts a geometry takes part in. Two geometries touch if the kind of one is among those that the other
/// accepts, bit by bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contact {
    /// Bits of its own kind (`contype`).
    pub kind: u32,
    /// Bits of the kinds it accepts (`conaffinity`).
    pub accepts: u32,
    /// Directions in which contact acts (`condim`): 1 normal, 3 and sliding, 4 and torsion, 6 and rolling.
    pub directions: u8,
}

impl Contact {
    /// Touches everything, with sliding friction.
    pub const ALL: Self = Self { kind: 1, accepts: 1, directions: 3 };
    /// Touches nothing: only to be seen.
    pub const NONE: Self = Self { kind: 0, accepts: 0, directions: 3 };

    /// Whether it only is to be seen.
    pub fn is_visual_only(&self) -> bool {
        self.kind == 0 && self.accepts == 0
    }

    /// Whether two geometries touch by their bits.
    pub fn meets(&self, other: &Self) -> bool {
        self.kind & other.accepts != 0 || other.kind & self.accepts != 0
    }
}

/// A solid in its own frame, centred on the origin; axes of cylinders and capsules are z. Sizes in m.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Solid {
    /// Everything below z = 0, whatever size it is drawn in.
    Plane,
    /// A ball.
    Sphere {
        /// m
        radius: f64,
    },
    /// A cylinder with half a ball at each end.
    Capsule {
        /// m
        radius: f64,
        /// From the centre of one half ball to that of the other, m.
        length: f64,
    },
    /// A cylinder.
    Cylinder {
        /// m
        radius: f64,
        /// m
        length: f64,
    },
    /// A box.
    Box {
        /// Full edge lengths, m.
        size: Vector3<f64>,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Half axes, m.
        radii: Vector3<f64>,
    },
    /// Triangles of another file.
    Mesh {
        /// The file as it is named.
        file: String,
        /// Where it lies, if it was found.
        path: Option<PathBuf>,
        /// Factor along each axis.
        scale: Vector3<f64>,
        /// What touches: the surface itself in URDF, its convex hull in MJCF. None if it is only seen, or if its file
        /// is not there or gives no solid: then it touches nothing.
        shape: Option<Shape<f64>>,
    },
}

impl Solid {
    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Plane => "plane",
            Self::Sphere { .. } => "sphere",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Box { .. } => "box",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Mesh { .. } => "mesh",
        }
    }

    /// The shape that touches; none for a mesh that touches nothing.
    pub fn shape(&self) -> Option<Shape<f64>> {
        Some(match *self {
            Self::Plane => Shape::HalfSpace,
            Self::Sphere { radius } => Shape::Sphere { radius },
            Self::Capsule { radius, length } => Shape::Capsule { radius, half_length: length / 2.0 },
            Self::Cylinder { radius, length } => Shape::Cylinder { radius, half_length: length / 2.0 },
            Self::Box { size } => Shape::Cuboid { half: size / 2.0 },
            Self::Ellipsoid { radii } => Shape::Ellipsoid { radii },
            Self::Mesh { ref shape, .. } => return shape.clone(),
        })
    }

    /// Mass, centre and inertia at a density of 1 kg/m³: the mass is the volume. None for planes and meshes that touch
    /// nothing.
    pub fn measure(&self) -> Option<Inertial> {
        self.shape()?.inertia(1.0).map(Inertial::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_ellipsoid_is_a_ball() {
        let ball = Solid::Sphere { radius: 0.3 }.measure().unwrap();
        let round = Solid::Ellipsoid { radii: Vector3::repeat(0.3) }.measure().unwrap();
        assert!((ball.mass - round.mass).abs() < 1e-16 && (ball.inertia - round.inertia).amax() < 1e-16);
        assert_eq!(Solid::Plane.measure(), None);
    }

    #[test]
    fn contact_bits_decide_in_both_directions() {
        let floor = Contact { kind: 0, accepts: 1, directions: 3 };
        let foot = Contact { kind: 1, accepts: 0, directions: 3 };
        assert!(floor.meets(&foot) && foot.meets(&floor) && !foot.meets(&foot));
        assert!(Contact::NONE.is_visual_only() && !foot.is_visual_only());
    }
}
