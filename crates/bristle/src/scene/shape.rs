//! `shape` and `shapes` of a body: what touches, and where it sits on the body.

use super::error::SceneError;
use super::place::Place;
use super::tree::Node;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// A shape on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct PosedShape {
    /// The shape.
    pub shape: ShapeSpec,
    /// Its frame in the body frame.
    pub pose: Isometry3<f64>,
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
    /// A union of balls.
    Spheres(Vec<BallSpec>),
}

/// One ball of a union.
#[derive(Debug, Clone, PartialEq)]
pub struct BallSpec {
    /// Centre in the frame of the shape, m.
    pub center: Vector3<f64>,
    /// m
    pub radius: f64,
}

const KINDS: [&str; 8] = ["sphere", "plane", "point", "cylinder", "tube", "capsule", "box", "spheres"];

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
            Self::Spheres(_) => "spheres",
        }
    }

    /// Whether mass and inertia can come from the shape.
    pub fn has_volume(&self) -> bool {
        !matches!(self, Self::HalfSpace | Self::Point | Self::Tube { .. })
    }
}

impl PosedShape {
    /// `{ sphere = { radius = … }, position = …, orientation = … }`.
    pub(crate) fn read(node: &Node) -> Result<Self, SceneError> {
        let mut known = KINDS.to_vec();
        known.extend(["position", "orientation"]);
        let fields = node.fields(&known)?;
        let (kind, inner) = fields.one_of(&KINDS)?;
        let position = fields.read("position", |n| n.vector("m"))?.unwrap_or_default();
        let orientation = fields.read("orientation", Node::orientation)?.unwrap_or_default();
        let mut pose = Isometry3::from_parts(Translation3::from(position), orientation);
        let shape = match kind {
            "plane" => {
                pose *= plane(inner)?;
                ShapeSpec::HalfSpace
            }
            "spheres" => spheres(inner)?,
            _ => solid(kind, inner)?,
        };
        Ok(Self { shape, pose, place: node.place.clone() })
    }
}

/// The pose that takes z = 0 to the plane.
fn plane(node: &Node) -> Result<Isometry3<f64>, SceneError> {
    let fields = node.fields(&["normal", "offset"])?;
    let normal = fields.read("normal", Node::direction)?.unwrap_or_else(Vector3::z_axis);
    let offset = fields.read("offset", |n| n.number("m"))?.unwrap_or(0.0);
    // straight down has no shortest turn: any half turn about a horizontal axis will do
    let turn = UnitQuaternion::rotation_between_axis(&Vector3::z_axis(), &normal)
        .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI));
    Ok(Isometry3::from_parts(Translation3::from(normal.into_inner() * offset), turn))
}

fn solid(kind: &str, node: &Node) -> Result<ShapeSpec, SceneError> {
    let known: &[&str] = match kind {
        "point" => &[],
        "sphere" => &["radius"],
        "box" => &["size"],
        _ => &["radius", "length"],
    };
    let fields = node.fields(known)?;
    let radius = || fields.need("radius", "the radius (m)")?.positive("m");
    let length = || fields.need("length", "the length (m)")?.positive("m");
    Ok(match kind {
        "point" => ShapeSpec::Point,
        "sphere" => ShapeSpec::Sphere { radius: radius()? },
        "cylinder" => ShapeSpec::Cylinder { radius: radius()?, length: length()? },
        "tube" => ShapeSpec::Tube { radius: radius()?, length: fields.read("length", |n| n.positive("m"))? },
        "capsule" => ShapeSpec::Capsule { radius: radius()?, length: length()? },
        _ => {
            let size = fields.need("size", "the edge lengths [x, y, z] (m)")?;
            for edge in size.array::<3>("three numbers (m)")? {
                edge.positive("m")?;
            }
            ShapeSpec::Box { size: size.vector("m")? }
        }
    })
}

fn spheres(node: &Node) -> Result<ShapeSpec, SceneError> {
    let rule = "a list of at least one { center, radius }";
    let items = node.list(rule)?;
    if items.is_empty() {
        return Err(node.wrong(rule));
    }
    let ball = |node: &Node| {
        let fields = node.fields(&["center", "radius"])?;
        Ok(BallSpec {
            center: fields.need("center", "the centre [x, y, z] (m)")?.vector("m")?,
            radius: fields.need("radius", "the radius (m)")?.positive("m")?,
        })
    };
    Ok(ShapeSpec::Spheres(items.iter().map(ball).collect::<Result<_, SceneError>>()?))
}
