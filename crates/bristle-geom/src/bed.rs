//! A mesh as a bed of elements, one for each facet, pressed into another shape.
//!
//! The support is A and the mesh is B. Columns of the bed stand along c; a facet of area a and outward normal m whose centre
//! lies at the depth δ in the support covers the area w = a (−c·m) of it. With a pressure p(δ) and P = ∫p dδ it stores w P,
//! and acts on the mesh with the gradient of that:
//!
//! ```text
//! force w p g + a P (∂c/∂x) m at the centre        couple a P m×c        g = −∇δ
//! ```
//!
//! On a half-space, sphere, box, cylinder and mesh the columns stand along the normal of the nearest point, c = g = n, and δ
//! is the distance from it. On a terrain they stand upright: δ is the height of the ground above the centre and g = (−h_x, −h_y,
//! 1), along the normal of the ground; a slope of θ is stiffer by 1/cos θ than the same slope as a half-space.
//!
//! So no motion of the mesh takes energy from nowhere while each centre stays under one face of the support. Under the edges of
//! a box, the rim of a cylinder and from facet to facet of a mesh the normal jumps, and so does what is stored, by the area that
//! covers more of one face than of the other. As facets shrink, the sums approach those of the closed
//! forms with the square of their size. Two meshes: see [`FacetTouch::seen_from_support`].
//!
//! A tree of boxes leads to the facets near the support, so the cost follows those and not the mesh.

use crate::{Aabb, GeomError, Mesh, Placed, Pose, Shape, Terrain};
use bristle_math::Vector3;

/// One element of a bed. World axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FacetTouch {
    /// Number of the facet: its identity over time.
    pub facet: u32,
    /// Centre of the facet, m.
    pub point: Vector3<f64>,
    /// Unit normal out of the support, into the mesh.
    pub normal: Vector3<f64>,
    /// Area of the support that it covers, m²: what it stores per P.
    pub area: f64,
    /// How deep the centre lies, m.
    pub depth: f64,
    /// Rate of the depth, m/s.
    pub rate: f64,
    /// Force on the mesh at the centre per pressure, m².
    pub push: Vector3<f64>,
    /// Force on the mesh at the centre per P, m: the area that it covers changes from place to place.
    pub lean: Vector3<f64>,
    /// Couple on the mesh per P, m²: the area that it covers changes as it turns.
    pub couple: Vector3<f64>,
}

impl FacetTouch {
    /// The same element where its mesh is A and the support is B. With two meshes the facets of each lie in the other, and
    /// both ways with half of each [share](Self::share) make one bed.
    #[must_use]
    pub fn seen_from_support(&self) -> Self {
        Self { normal: -self.normal, push: -self.push, lean: -self.lean, couple: -self.couple, ..*self }
    }

    /// The same element with a share of its area.
    #[must_use]
    pub fn share(&self, share: f64) -> Self {
        Self {
            area: self.area * share,
            push: self.push * share,
            lean: self.lean * share,
            couple: self.couple * share,
            ..*self
        }
    }
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

    /// Whether the support is a half-space: see [`crate::FlatBed`].
    pub fn is_flat(&self) -> bool {
        self.kind == Kind::HalfSpace
    }

    /// Adds the touched facets to `out`, in a fixed order. Allocates only while `out` grows.
    pub fn touches(
        &self,
        (support, at): (&Shape<f64>, &Placed<f64>),
        (mesh, on): (&Mesh, &Placed<f64>),
        out: &mut Vec<FacetTouch>,
    ) {
        let seen = at.pose.inverse() * on.pose; // the mesh seen from the support
        let turn = seen.rotation.to_rotation_matrix().into_inner();
        let to_world = at.pose.rotation.to_rotation_matrix().into_inner();
        let shift = seen.translation.vector;
        let region = Region::new(support, &seen, mesh);
        let add = |facet: u32| {
            let own = &mesh.facets()[facet as usize];
            let place = turn * own.center + shift;
            let Some(under) = inside(support, &place) else { return };
            let outward = turn * own.normal;
            let area = -own.area * outward.dot(&under.column);
            if area <= 0.0 {
                return;
            }
            let offset = to_world * place;
            let point = at.origin() + offset;
            let velocity = on.twist_at(&point).linear - at.velocity(&offset);
            let push = to_world * under.push;
            out.push(FacetTouch {
                facet,
                point,
                normal: to_world * under.normal,
                area,
                depth: under.depth,
                rate: -velocity.dot(&push),
                push: push * area,
                lean: to_world * (under.bend.apply(&outward) * own.area),
                couple: to_world * (outward.cross(&under.column) * own.area),
            });
        };
        mesh.for_facets(|bounds| region.may_touch(bounds), add);
    }

    /// A distance that the mesh and the support are at least apart, m; zero where that cannot be told.
    pub fn gap(&self, (support, at): (&Shape<f64>, &Placed<f64>), (mesh, on): (&Mesh, &Placed<f64>)) -> f64 {
        let back = on.pose.inverse() * at.pose; // the support seen from the mesh
        let up = back.rotation * Vector3::z();
        let above = |height: f64| {
            let lowest = mesh.lowest_corner(&up);
            up.dot(&(lowest - back.translation.vector)) - height
        };
        let gap = match support {
            Shape::HalfSpace => above(0.0),
            Shape::Terrain(terrain) => above(highest_under(terrain, &back.inverse(), mesh)),
            _ => support.aabb(&back).distance(&mesh.bounds()),
        };
        gap.max(0.0)
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
}

impl Region {
    /// `seen` is the mesh seen from the support.
    fn new(support: &Shape<f64>, seen: &Pose<f64>, mesh: &Mesh) -> Self {
        let below = |height: f64| Self::Below {
            normal: seen.rotation.inverse() * Vector3::z(),
            offset: height - seen.translation.vector.z,
        };
        match support {
            Shape::HalfSpace => below(0.0),
            Shape::Terrain(terrain) => below(highest_under(terrain, seen, mesh)),
            _ => Self::Box(support.aabb(&seen.inverse())),
        }
    }

    fn may_touch(&self, bounds: &Aabb) -> bool {
        match self {
            Self::Box(own) => own.overlaps(bounds),
            Self::Below { normal, offset } => bounds.lowest(normal) < *offset,
        }
    }
}

/// A height that the ground under a mesh, seen from it, does not exceed.
fn highest_under(terrain: &Terrain, seen: &Pose<f64>, mesh: &Mesh) -> f64 {
    let around = mesh.bounds().seen(seen);
    terrain.highest_between([around.min.x, around.min.y], [around.max.x, around.max.y])
}

/// A point inside a support, in the support's frame.
struct Under {
    depth: f64,
    /// Unit, outward.
    normal: Vector3<f64>,
    /// Along the columns of the bed, unit.
    column: Vector3<f64>,
    /// −∇δ.
    push: Vector3<f64>,
    bend: Bend,
}

/// How the columns turn from place to place: ∂c/∂x.
enum Bend {
    None,
    /// All ways across the normal, by the inverse of the distance from the centre.
    Ball {
        normal: Vector3<f64>,
        inverse: f64,
    },
    /// Around an axis.
    Rod {
        around: Vector3<f64>,
        inverse: f64,
    },
}

impl Bend {
    fn apply(&self, m: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Self::None => Vector3::zeros(),
            Self::Ball { normal, inverse } => (m - normal * normal.dot(m)) * *inverse,
            Self::Rod { around, inverse } => around * (around.dot(m) * inverse),
        }
    }
}

fn inside(support: &Shape<f64>, p: &Vector3<f64>) -> Option<Under> {
    let along = |depth: f64, normal: Vector3<f64>, bend: Bend| {
        (depth > 0.0).then_some(Under { depth, normal, column: normal, push: normal, bend })
    };
    match support {
        Shape::HalfSpace => along(-p.z, Vector3::z(), Bend::None),
        Shape::Sphere { radius } => {
            let distance = p.norm();
            if distance == 0.0 {
                return along(*radius, Vector3::z(), Bend::None);
            }
            let normal = p / distance;
            along(radius - distance, normal, Bend::Ball { normal, inverse: 1.0 / distance })
        }
        Shape::Cuboid { half } => {
            let gaps = half - p.abs();
            let axis = gaps.imin();
            along(gaps[axis], Vector3::ith(axis, 1f64.copysign(p[axis])), Bend::None)
        }
        Shape::Cylinder { radius, half_length } => {
            let rho = p.x.hypot(p.y);
            let (side, cap) = (radius - rho, half_length - p.z.abs());
            if cap <= side || rho == 0.0 {
                return along(cap, Vector3::z() * 1f64.copysign(p.z), Bend::None);
            }
            let outward = Vector3::new(p.x / rho, p.y / rho, 0.0);
            let around = Vector3::new(-outward.y, outward.x, 0.0);
            along(side, outward, Bend::Rod { around, inverse: 1.0 / rho })
        }
        Shape::Terrain(terrain) => above(terrain, p),
        Shape::Mesh(mesh) => mesh.depth(p).and_then(|(depth, normal)| along(depth, normal, Bend::None)),
        _ => None,
    }
}

fn above(terrain: &Terrain, p: &Vector3<f64>) -> Option<Under> {
    let ground = terrain.at(p.x, p.y);
    let depth = ground.height - p.z;
    let push = Vector3::new(-ground.slope[0], -ground.slope[1], 1.0);
    (depth > 0.0).then(|| Under {
        depth,
        normal: push.normalize(),
        column: Vector3::z(),
        push,
        bend: Bend::None,
    })
}
