//! `shape` and `shapes` of a body: what touches, and where it sits on the body.

use super::error::SceneError;
use super::form::{Bounds, KeyInfo, Kind, TableInfo};
use super::orientation::ORIENTATION;
use super::place::Place;
use super::reach::Reach;
use super::surface;
use super::tree::Node;
use bristle_geom::{Convex, Mesh, Shape, Terrain};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::sync::Arc;

/// A shape on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct PosedShape {
    /// The shape.
    pub shape: ShapeSpec,
    /// Its frame in the body frame.
    pub pose: Isometry3<f64>,
    /// Of a robot file: bits of its own kind and of the kinds it accepts among shapes of the same robot.
    pub bits: Option<[u32; 2]>,
    /// Where it stands.
    pub place: Place,
}

/// A shape in its own frame. Axes of cylinders, tubes and capsules are z; all are centred on the origin.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ShapeSpec {
    /// Everything below the plane z = 0; `normal` and `offset` of the scene are in the pose.
    HalfSpace,
    /// A tip: the origin.
    Point,
    /// A ball.
    Sphere {
        /// m
        radius: f64,
    },
    /// The outside of a cylinder.
    Cylinder {
        /// m
        radius: f64,
        /// m
        length: f64,
    },
    /// The inside of a cylinder: bodies move inside it.
    Tube {
        /// m
        radius: f64,
        /// m; `None`: endless
        length: Option<f64>,
    },
    /// A cylinder with half a ball at each end.
    Capsule {
        /// m
        radius: f64,
        /// Length of the cylinder, from the centre of one half ball to that of the other, m.
        length: f64,
    },
    /// A box.
    Box {
        /// Full edge lengths, m.
        size: Vector3<f64>,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Semi-axes, m.
        radii: Vector3<f64>,
    },
    /// A union of balls.
    Spheres(Vec<BallSpec>),
    /// A convex polyhedron.
    Convex(Arc<Convex>),
    /// A closed surface of triangles.
    Mesh(Arc<Mesh>),
    /// Ground whose height changes from place to place.
    Terrain(Arc<Terrain>),
}

/// One ball of a union.
#[derive(Debug, Clone, PartialEq)]
pub struct BallSpec {
    /// Centre in the frame of the shape, m.
    pub center: Vector3<f64>,
    /// m
    pub radius: f64,
}

const RADIUS: KeyInfo = KeyInfo::new("radius", Kind::positive("m"), "radius").need("the radius (m)");
const LENGTH: KeyInfo = KeyInfo::new("length", Kind::positive("m"), "length along z").need("the length (m)");

/// A shape of a few keys.
macro_rules! solid {
    ($($name:ident = $id:literal: $($key:expr),*;)+) => {
        $(pub(super) static $name: TableInfo = TableInfo::new($id, &[$($key),*]);)+
    };
}

solid! {
    SPHERE = "sphere": RADIUS;
    PLANE = "plane":
        KeyInfo::new("normal", Kind::Direction, "out of the material").default("[0, 0, 1]"),
        KeyInfo::new("offset", Kind::number("m"), "of the plane along the normal").default("0");
    POINT = "point": ;
    CYLINDER = "cylinder": RADIUS, LENGTH;
    TUBE = "tube": RADIUS, KeyInfo::new("length", Kind::positive("m"), "length along z").default("endless");
    CAPSULE = "capsule": RADIUS,
        KeyInfo::new("length", Kind::positive("m"), "between the centres of the two round ends").need("the length (m)");
    BOX = "box":
        KeyInfo::new("size", Kind::Vector { unit: "m", bounds: Bounds::Positive }, "full edges `[x, y, z]`")
            .need("the edge lengths [x, y, z] (m)");
    ELLIPSOID = "ellipsoid":
        KeyInfo::new("radii", Kind::Vector { unit: "m", bounds: Bounds::Positive }, "semi-axes `[x, y, z]`")
            .need("the semi-axes [x, y, z] (m)");
    BALL = "ball":
        KeyInfo::new("center", Kind::vector("m"), "centre, in the frame of the shape").need("the centre [x, y, z] (m)"),
        RADIUS;
}

pub(crate) static SHAPE: TableInfo = TableInfo::choice(
    "shape",
    &[
        KeyInfo::new("sphere", Kind::Table(&SPHERE), "a ball").kind(),
        KeyInfo::new("plane", Kind::Table(&PLANE), "everything behind a plane").kind(),
        KeyInfo::new("point", Kind::Table(&POINT), "a tip; no keys").kind(),
        KeyInfo::new("cylinder", Kind::Table(&CYLINDER), "outside of a cylinder").kind(),
        KeyInfo::new("tube", Kind::Table(&TUBE), "inside of a cylinder: bodies move in it").kind(),
        KeyInfo::new("capsule", Kind::Table(&CAPSULE), "a cylinder with half a ball at each end").kind(),
        KeyInfo::new("box", Kind::Table(&BOX), "a box").kind(),
        KeyInfo::new("ellipsoid", Kind::Table(&ELLIPSOID), "an ellipsoid").kind(),
        KeyInfo::new("convex", Kind::Table(&surface::CONVEX), "a convex polyhedron").kind(),
        KeyInfo::new("mesh", Kind::Table(&surface::MESH), "a closed surface of triangles").kind(),
        KeyInfo::new("terrain", Kind::Table(&surface::TERRAIN), "ground of changing height").kind(),
        KeyInfo::new(
            "spheres",
            Kind::Tables {
                info: &BALL,
                rule: "a list of at least one { center, radius }",
                can_be_empty: false,
                most: 10_000,
            },
            "a union of balls",
        )
        .kind(),
        KeyInfo::new("position", Kind::vector("m"), "of the shape on the body").default("[0, 0, 0]"),
        KeyInfo::new("orientation", Kind::Table(&ORIENTATION), "of the shape on the body")
            .default("that of the body"),
    ],
);

impl ShapeSpec {
    /// Name in scenes.
    pub fn name(&self) -> &'static str {
        match self {
            Self::HalfSpace => "plane",
            Self::Point => "point",
            Self::Sphere { .. } => "sphere",
            Self::Cylinder { .. } => "cylinder",
            Self::Tube { .. } => "tube",
            Self::Capsule { .. } => "capsule",
            Self::Box { .. } => "box",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Spheres(_) => "spheres",
            Self::Convex(_) => "convex",
            Self::Mesh(_) => "mesh",
            Self::Terrain(_) => "terrain",
        }
    }

    /// Whether mass and inertia can come from the shape.
    pub fn has_volume(&self) -> bool {
        !matches!(self, Self::HalfSpace | Self::Point | Self::Tube { .. } | Self::Terrain(_))
    }

    /// The shape as the geometry knows it; `None` for a union, which is several.
    pub(crate) fn solid(&self) -> Option<Shape<f64>> {
        Some(match self {
            Self::HalfSpace => Shape::HalfSpace,
            Self::Point => Shape::Point,
            Self::Sphere { radius } => Shape::Sphere { radius: *radius },
            Self::Cylinder { radius, length } => {
                Shape::Cylinder { radius: *radius, half_length: 0.5 * length }
            }
            Self::Tube { radius, length } => {
                let half_length = length.map_or(f64::INFINITY, |l| 0.5 * l);
                Shape::Tube { radius: *radius, half_length }
            }
            Self::Capsule { radius, length } => Shape::Capsule { radius: *radius, half_length: 0.5 * length },
            Self::Box { size } => Shape::Cuboid { half: size * 0.5 },
            Self::Ellipsoid { radii } => Shape::Ellipsoid { radii: *radii },
            Self::Convex(body) => Shape::Convex(Arc::clone(body)),
            Self::Mesh(mesh) => Shape::Mesh(Arc::clone(mesh)),
            Self::Terrain(terrain) => Shape::Terrain(Arc::clone(terrain)),
            Self::Spheres(_) => return None,
        })
    }

    /// The shapes of the geometry that it is made of, each with its pose in the frame of the whole.
    pub fn pieces(&self) -> Vec<(Shape<f64>, Isometry3<f64>)> {
        let ball = |ball: &BallSpec| (Shape::Sphere { radius: ball.radius }, Isometry3::from(ball.center));
        match self {
            Self::Spheres(balls) => balls.iter().map(ball).collect(),
            one => one.solid().map(|shape| (shape, Isometry3::identity())).into_iter().collect(),
        }
    }
}

impl PosedShape {
    /// `{ sphere = { radius = … }, position = …, orientation = … }`.
    pub(crate) fn read(node: &Node, reach: &Reach<'_>, errors: &mut Vec<SceneError>) -> Option<Self> {
        let fields = node.fields(&SHAPE);
        let position = fields.vector("position").unwrap_or_default();
        let mut pose = Isometry3::from_parts(Translation3::from(position), fields.orientation(errors));
        let (kind, inner) = fields.chosen()?;
        let shape = match kind {
            "plane" => {
                pose *= plane(inner);
                ShapeSpec::HalfSpace
            }
            "spheres" => ShapeSpec::Spheres(inner.list().iter().map(ball).collect::<Option<_>>()?),
            "mesh" | "convex" | "terrain" => surface::read(kind, inner, reach, errors)?,
            _ => solid(kind, inner)?,
        };
        Some(Self { shape, pose, bits: None, place: node.place.clone() })
    }
}

/// The pose that takes z = 0 to the plane.
fn plane(node: &Node) -> Isometry3<f64> {
    let fields = node.fields(&PLANE);
    let normal = fields.direction("normal").unwrap_or_else(Vector3::z_axis);
    let offset = fields.number("offset").unwrap_or(0.0);
    // straight down has no shortest turn: any half turn about a horizontal axis will do
    let turn = UnitQuaternion::rotation_between_axis(&Vector3::z_axis(), &normal)
        .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI));
    Isometry3::from_parts(Translation3::from(normal.into_inner() * offset), turn)
}

pub(super) fn solid(kind: &str, node: &Node) -> Option<ShapeSpec> {
    let fields = node.fields(SHAPE.key(kind)?.kind.table()?);
    let (radius, length) = (|| fields.number("radius"), || fields.number("length"));
    Some(match kind {
        "point" => ShapeSpec::Point,
        "sphere" => ShapeSpec::Sphere { radius: radius()? },
        "cylinder" => ShapeSpec::Cylinder { radius: radius()?, length: length()? },
        "tube" => ShapeSpec::Tube { radius: radius()?, length: length() },
        "capsule" => ShapeSpec::Capsule { radius: radius()?, length: length()? },
        "ellipsoid" => ShapeSpec::Ellipsoid { radii: fields.vector("radii")? },
        _ => ShapeSpec::Box { size: fields.vector("size")? },
    })
}

fn ball(node: &Node) -> Option<BallSpec> {
    let fields = node.fields(&BALL);
    Some(BallSpec { center: fields.vector("center")?, radius: fields.number("radius")? })
}
