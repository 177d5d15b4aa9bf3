//! The shapes and their sizes.

use crate::{Convex, GeomError, Mesh, MeshOptions, Terrain};
use bristle_math::{Real, Scalar};
use nalgebra::Vector3;
use std::sync::Arc;

/// A solid in its own frame; sizes in m. Cheap to clone: large shapes are shared.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape<T> {
    /// Solid below z = 0, outward normal +z.
    HalfSpace,
    /// A tip at the origin.
    Point,
    /// A ball around the origin.
    Sphere {
        /// Radius, m.
        radius: T,
    },
    /// A solid cylinder along z.
    Cylinder {
        /// Radius, m.
        radius: T,
        /// Half of its length, m.
        half_length: T,
    },
    /// The inside of a bore along z: the wall is the solid, outside of `radius`.
    Tube {
        /// Radius of the bore, m.
        radius: T,
        /// Half of its length, m; may be infinite.
        half_length: T,
    },
    /// All points within `radius` of a segment along z.
    Capsule {
        /// Radius, m.
        radius: T,
        /// Half of the length of the straight part, m; zero is a ball.
        half_length: T,
    },
    /// A box around the origin.
    Cuboid {
        /// Half of its edges, m.
        half: Vector3<T>,
    },
    /// An ellipsoid around the origin.
    Ellipsoid {
        /// Semi-axes along x, y and z, m.
        radii: Vector3<T>,
    },
    /// A convex polyhedron.
    Convex(Arc<Convex>),
    /// A closed surface of triangles.
    Mesh(Arc<Mesh>),
    /// Ground below a height that changes from place to place.
    Terrain(Arc<Terrain>),
}

impl Shape<f64> {
    /// One of each kind.
    pub(crate) fn samples() -> Vec<Self> {
        let (radius, half_length) = (1.0, 1.0);
        vec![
            Self::HalfSpace,
            Self::Point,
            Self::Sphere { radius },
            Self::Cylinder { radius, half_length },
            Self::Tube { radius, half_length },
            Self::Capsule { radius, half_length },
            Self::Cuboid { half: Vector3::repeat(1.0) },
            Self::Ellipsoid { radii: Vector3::repeat(1.0) },
        ]
        .into_iter()
        .chain(Convex::cuboid(&Vector3::repeat(1.0)).map(|c| Self::Convex(Arc::new(c))))
        .chain(
            Mesh::of_shape(&Self::Cuboid { half: Vector3::repeat(1.0) }, 4.0, &MeshOptions::default())
                .map(|m| Self::Mesh(Arc::new(m))),
        )
        .chain([Self::Terrain(Arc::new(Terrain::Slope { gradient: [0.0; 2] }))])
        .collect()
    }

    /// The same shape if its sizes make sense.
    pub fn checked(self) -> Result<Self, GeomError> {
        let positive = |name, value: f64| self.range(name, value, value > 0.0, "> 0 and finite");
        match self {
            Self::HalfSpace | Self::Point | Self::Convex(_) | Self::Mesh(_) => {}
            Self::Terrain(ref terrain) => terrain.check()?,
            Self::Sphere { radius } => positive("radius", radius)?,
            Self::Cylinder { radius, half_length } => {
                positive("radius", radius)?;
                positive("half_length", half_length)?;
            }
            Self::Tube { radius, half_length } => {
                positive("radius", radius)?;
                if half_length != f64::INFINITY {
                    self.range("half_length", half_length, half_length > 0.0, "> 0 (infinite: endless)")?;
                }
            }
            Self::Capsule { radius, half_length } => {
                positive("radius", radius)?;
                self.range("half_length", half_length, half_length >= 0.0, ">= 0 and finite")?;
            }
            Self::Cuboid { half } => {
                positive("half.x", half.x)?;
                positive("half.y", half.y)?;
                positive("half.z", half.z)?;
            }
            Self::Ellipsoid { radii } => {
                positive("radii.x", radii.x)?;
                positive("radii.y", radii.y)?;
                positive("radii.z", radii.z)?;
            }
        }
        Ok(self)
    }

    fn range(
        &self,
        name: &'static str,
        value: f64,
        holds: bool,
        rule: &'static str,
    ) -> Result<(), GeomError> {
        if holds && value.is_finite() {
            Ok(())
        } else {
            Err(GeomError::Range { shape: self.name(), name, value, rule })
        }
    }
}

impl<T: Real> Shape<T> {
    /// The same shape on another scalar: `f` is called for every size in the order of the fields.
    pub fn map<U: Real>(&self, f: &mut dyn FnMut(T) -> U) -> Shape<U> {
        match *self {
            Self::HalfSpace => Shape::HalfSpace,
            Self::Point => Shape::Point,
            Self::Sphere { radius } => Shape::Sphere { radius: f(radius) },
            Self::Cylinder { radius, half_length } => {
                Shape::Cylinder { radius: f(radius), half_length: f(half_length) }
            }
            Self::Tube { radius, half_length } => {
                Shape::Tube { radius: f(radius), half_length: f(half_length) }
            }
            Self::Capsule { radius, half_length } => {
                Shape::Capsule { radius: f(radius), half_length: f(half_length) }
            }
            Self::Cuboid { half } => Shape::Cuboid { half: Vector3::new(f(half.x), f(half.y), f(half.z)) },
            Self::Ellipsoid { radii } => {
                Shape::Ellipsoid { radii: Vector3::new(f(radii.x), f(radii.y), f(radii.z)) }
            }
            Self::Convex(ref body) => Shape::Convex(Arc::clone(body)),
            Self::Mesh(ref mesh) => Shape::Mesh(Arc::clone(mesh)),
            Self::Terrain(ref terrain) => Shape::Terrain(Arc::clone(terrain)),
        }
    }
}

impl<T: Scalar> Shape<T> {
    /// The same shape without derivatives.
    pub fn plain(&self) -> Shape<f64> {
        self.map(&mut |size| size.value())
    }
}

impl<T> Shape<T> {
    /// What the shape is called in scenes and messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::HalfSpace => "half-space",
            Self::Point => "point",
            Self::Sphere { .. } => "sphere",
            Self::Cylinder { .. } => "cylinder",
            Self::Tube { .. } => "tube",
            Self::Capsule { .. } => "capsule",
            Self::Cuboid { .. } => "cuboid",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Convex(_) => "convex polyhedron",
            Self::Mesh(_) => "mesh",
            Self::Terrain(_) => "terrain",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_size_is_named_with_its_rule() {
        let error = Shape::Sphere { radius: -0.2 }.checked().unwrap_err();
        assert_eq!(error.to_string(), "sphere: radius = -0.2 m must be > 0 and finite");
        let error = Shape::Cuboid { half: Vector3::new(1.0, f64::NAN, 1.0) }.checked().unwrap_err();
        assert_eq!(error.to_string(), "cuboid: half.y = NaN m must be > 0 and finite");
    }

    #[test]
    fn only_a_tube_may_be_endless() {
        let half_length = f64::INFINITY;
        assert!(Shape::Tube { radius: 1.0, half_length }.checked().is_ok());
        assert!(Shape::Tube { radius: 1.0, half_length: f64::NAN }.checked().is_err());
        assert!(Shape::Cylinder { radius: 1.0, half_length }.checked().is_err());
        assert!(Shape::Capsule { radius: 1.0, half_length }.checked().is_err());
        assert!(Shape::Capsule { radius: 1.0, half_length: 0.0 }.checked().is_ok());
    }

    #[test]
    fn sizes_are_mapped_in_order() {
        let mut seen = Vec::new();
        let half = Vector3::new(1.0, 2.0, 3.0);
        let copy = Shape::Cuboid { half }.map(&mut |x| {
            seen.push(x);
            x
        });
        assert_eq!((copy, seen), (Shape::Cuboid { half }, vec![1.0, 2.0, 3.0]));
    }
}
