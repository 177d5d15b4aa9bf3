//! A mesh as a bed of elements, one for each facet, pressed into another shape.
//!
//! The support is A and the mesh is B. A facet whose centre lies inside the support and that faces its surface is an
//! element: depth δ and normal n are those of the nearest point of the support's surface, and the element covers the
//! area a cos θ of it, cos θ = −n·m with the facet's outward normal m. With a pressure p(δ) and P = ∫ p dδ,
//!
//! ```text
//! force on the mesh a cos θ p n at the centre        couple on it a P m×n        stored a cos θ P
//! ```
//!
//! which is the gradient of what is stored where the support is flat: turning a facet changes the area that it covers.
//! As facets shrink, the sums approach those of the closed forms with the square of their size. Against a terrain depth
//! is the height above the facet times the normal's part along z, right where the slope does not change over that
//! depth. Two meshes: the facets of one in the other; use both ways with half the stiffness for a symmetric bed.
//!
//! A tree of boxes leads to the facets near the support, so the cost follows those and not the mesh.

use crate::{Aabb, GeomError, Mesh, Overlap, Patch, Placed, Shape, Terrain};
use bristle_math::{Matrix3, Vector3};

/// One element of a bed. World axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FacetTouch {
    /// Number of the facet: its identity over time.
    pub facet: u32,
    /// Centre of the facet, m.
    pub point: Vector3<f64>,
    /// Unit normal out of the support, into the mesh.
    pub normal: Vector3<f64>,
    /// Outward unit normal of the facet.
    pub facet_normal: Vector3<f64>,
    /// Area that it covers along the normal, a cos θ, m².
    pub area: f64,
    /// Area of the facet itself, m².
    pub facet_area: f64,
    /// How deep the centre lies, m.
    pub depth: f64,
    /// Rate of the depth, m/s.
    pub rate: f64,
}

/// Support surfaces that answer for a point with depth and normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    HalfSpace,
    Sphere,
    Cuboid,
    Cylinder,
    Terrain,
    Mesh,
}

/// A mesh on a support; chosen once, when a model is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bed {
    kind: Kind,
}

impl Bed {
    /// A bed of the facets of a mesh on a support. Names of both in the error if there is none.
    pub fn of(support: &Shape<f64>, mesh: &Shape<f64>) -> Result<Self, GeomError> {
        let kind = Self::kind(support);
        match (kind, mesh) {
            (Some(kind), Shape::Mesh(_)) => Ok(Self { kind }),
            _ => {
                let known = crate::table::names_that(|s| Self::kind(s).is_some());
                Err(GeomError::NoBed { support: support.name(), mesh: mesh.name(), known })
            }
        }
    }

    fn kind(support: &Shape<f64>) -> Option<Kind> {
        match support {
            Shape::HalfSpace => Some(Kind::HalfSpace),
            Shape::Sphere { .. } => Some(Kind::Sphere),
            Shape::Cuboid { .. } => Some(Kind::Cuboid),
            Shape::Cylinder { .. } => Some(Kind::Cylinder),
            Shape::Terrain(_) => Some(Kind::Terrain),
            Shape::Mesh(_) => Some(Kind::Mesh),
            _ => None,
        }
    }

    /// Writes the touched facets to `out`, in a fixed order. Allocates only while `out` grows.
    pub fn touches(
        &self,
        (support, at): (&Shape<f64>, &Placed<f64>),
        (mesh, on): (&Mesh, &Placed<f64>),
        out: &mut Vec<FacetTouch>,
    ) {
        out.clear();
        let seen = at.pose.inverse() * on.pose; // the mesh seen from the support
        let turn = seen.rotation.to_rotation_matrix().into_inner();
        let to_world = at.pose.rotation.to_rotation_matrix().into_inner();
        let shift = seen.translation.vector;
        let region = Region::new(support, &seen.inverse(), &turn, &shift);
        let add = |facet: u32| {
            let own = &mesh.facets()[facet as usize];
            let place = turn * own.center + shift;
            let Some((depth, normal)) = inside(support, &place) else { return };
            let outward = turn * own.normal;
            let facing = -outward.dot(&normal);
            if facing <= 0.0 || own.area == 0.0 {
                return;
            }
            let (offset, normal) = (to_world * place, to_world * normal);
            let point = at.origin() + offset;
            let velocity = on.twist_at(&point).linear - at.velocity(&offset);
            out.push(FacetTouch {
                facet,
                point,
                normal,
                facet_normal: to_world * outward,
                area: own.area * facing,
                facet_area: own.area,
                depth,
                rate: -velocity.dot(&normal),
            });
        };
        mesh.for_facets(|bounds| region.may_touch(bounds), add);
    }
}

/// Where facets may touch, in the frame of the mesh.
enum Region {
    /// n·x ≤ offset.
    Below {
        normal: Vector3<f64>,
        offset: f64,
    },
    Box(Aabb),
    All,
}

impl Region {
    /// `back` is the support seen from the mesh; a point x of the mesh is `turn` x + `shift` for the support.
    fn new(support: &Shape<f64>, back: &crate::Pose<f64>, turn: &Matrix3<f64>, shift: &Vector3<f64>) -> Self {
        let below = |height: f64| Self::Below { normal: turn.row(2).transpose(), offset: height - shift.z };
        match support {
            Shape::HalfSpace => below(0.0),
            Shape::Terrain(terrain) if terrain.highest().is_finite() => below(terrain.highest()),
            Shape::Terrain(_) => Self::All,
            _ => Self::Box(support.aabb(back)),
        }
    }

    fn may_touch(&self, bounds: &Aabb) -> bool {
        match self {
            Self::All => true,
            Self::Box(own) => own.overlaps(bounds),
            Self::Below { normal, offset } => bounds.lowest(normal) < *offset,
        }
    }
}

/// Depth and outward normal for a point inside a support, in the support's frame.
fn inside(support: &Shape<f64>, p: &Vector3<f64>) -> Option<(f64, Vector3<f64>)> {
    let (depth, normal) = match support {
        Shape::HalfSpace => (-p.z, Vector3::z()),
        Shape::Sphere { radius } => {
            let distance = p.norm();
            (radius - distance, if distance > 0.0 { p / distance } else { Vector3::z() })
        }
        Shape::Cuboid { half } => {
            let gaps = half - p.abs();
            let axis = gaps.imin();
            (gaps[axis], Vector3::ith(axis, 1f64.copysign(p[axis])))
        }
        Shape::Cylinder { radius, half_length } => {
            let rho = p.x.hypot(p.y);
            let (side, cap) = (radius - rho, half_length - p.z.abs());
            let outward = if rho > 0.0 { Vector3::new(p.x / rho, p.y / rho, 0.0) } else { Vector3::x() };
            if side < cap { (side, outward) } else { (cap, Vector3::z() * 1f64.copysign(p.z)) }
        }
        Shape::Terrain(terrain) => above(terrain, p),
        Shape::Mesh(mesh) => return mesh.depth(p),
        _ => return None,
    };
    (depth > 0.0).then_some((depth, normal))
}

fn above(terrain: &Terrain, p: &Vector3<f64>) -> (f64, Vector3<f64>) {
    let ground = terrain.at(p.x, p.y);
    let [a, b] = ground.slope;
    let up = 1.0 / (1.0 + a * a + b * b).sqrt();
    ((ground.height - p.z) * up, Vector3::new(-a * up, -b * up, up))
}

impl Overlap<f64> {
    /// The sums of a bed with unit stiffness, as one patch: for laws whose pull is cut over the whole patch. `at` and
    /// `on` are the places of support and mesh. Without elements, [`Overlap::none`]: a bed begins with no force, so no
    /// gap has to be known to find the touch.
    pub fn of_bed(touches: &[FacetTouch], at: &Placed<f64>, on: &Placed<f64>) -> Self {
        let volume: f64 = touches.iter().map(|t| t.area * t.depth).sum();
        if volume <= 0.0 {
            return Self::none();
        }
        let vector: Vector3<f64> = touches.iter().map(|t| t.normal * t.area).sum();
        let covered: f64 = touches.iter().map(|t| t.area).sum();
        let weighted: Vector3<f64> = touches.iter().map(|t| t.point * (t.area * t.depth)).sum();
        let point = weighted / volume;
        let area_center = touches.iter().map(|t| t.point * t.area).sum::<Vector3<f64>>() / covered;
        let (area, normal) = (vector.norm(), vector.normalize());
        let across = Matrix3::identity() - normal * normal.transpose();
        let (mut second, mut volume_turn, mut push_turn) =
            (Matrix3::zeros(), Vector3::zeros(), Vector3::zeros());
        for t in touches {
            let (arm, out) = (t.point - point, t.point - area_center);
            second += out * out.transpose() * t.area;
            volume_turn -= arm.cross(&t.normal) * t.area;
            let couple = t.facet_normal.cross(&t.normal) * (0.5 * t.facet_area * t.depth * t.depth);
            push_turn += arm.cross(&t.normal) * (t.area * t.depth) + couple;
        }
        let patch = Patch {
            point,
            normal,
            normal_rate: at.twist.angular.cross(&normal),
            depth: touches.iter().map(|t| t.depth).fold(0.0, f64::max),
            rate: (at.twist_at(&point).linear - on.twist_at(&point).linear).dot(&normal),
            area,
            volume,
            volume_rate: touches.iter().map(|t| t.area * t.rate).sum(),
            volume_moment: touches.iter().map(|t| 0.5 * t.area * t.depth * t.depth).sum(),
            ..Patch::none()
        };
        let push = touches.iter().map(|t| t.normal * (t.area * t.depth)).sum();
        Self { patch, area_center, second: across * second * across, volume_turn, push, push_turn }
    }
}
