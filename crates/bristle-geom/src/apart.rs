//! A quick look at whether there is a gap for certain: whether a face of a box has the other shape beyond it.
//!
//! ```text
//! |nᵢ·d| > hᵢ + w(nᵢ)        d from centre to centre, nᵢ the axes of the box, hᵢ its half sizes, w half the width of the other along nᵢ
//! ```
//! For pairs that touch or nearly do the pair itself tells; most candidates of a heap do not.

use crate::{Placed, Shape};
use bristle_math::{Scalar, Vector3};

/// Makes a length longer by more than rounding can.
const BEYOND_ROUNDING: f64 = 1.0 + 1e-12;

/// Whether a face of one of two shapes parts them. They may be apart where none does.
///
/// ```
/// use bristle_geom::{Placed, Shape, is_parted_by_faces};
/// use nalgebra::{Isometry3, Vector3};
/// let cube: Shape<f64> = Shape::Cuboid { half: Vector3::repeat(0.1) };
/// let at = |x: f64| Placed::at_rest(Isometry3::translation(x, 0.15, 0.0));
/// assert!(is_parted_by_faces((&cube, &at(0.0)), (&cube, &at(0.21))));
/// assert!(!is_parted_by_faces((&cube, &at(0.0)), (&cube, &at(0.19))));
/// ```
#[inline]
pub fn is_parted_by_faces<T: Scalar>(a: (&Shape<T>, &Placed<T>), b: (&Shape<T>, &Placed<T>)) -> bool {
    has_face_between(a, b) || has_face_between(b, a)
}

/// Whether the second shape is beyond a face of the first, which is a box.
fn has_face_between<T: Scalar>(
    (cuboid, at): (&Shape<T>, &Placed<T>),
    (other, on): (&Shape<T>, &Placed<T>),
) -> bool {
    let Shape::Cuboid { half } = cuboid else { return false };
    let axes = at.pose.rotation.to_rotation_matrix().into_inner();
    let turn = on.pose.rotation.to_rotation_matrix().into_inner().transpose() * axes;
    let between = axes.tr_mul(&(on.origin() - at.origin()));
    (0..3).any(|i| {
        let width = other.half_width(&turn.column(i).into_owned());
        width.is_some_and(|width| between[i].value().abs() > (half[i] + width).value() * BEYOND_ROUNDING)
    })
}

impl<T: Scalar> Shape<T> {
    /// Half the width along a unit vector in its own frame, m; none for what has no end or is not simple.
    fn half_width(&self, n: &Vector3<T>) -> Option<T> {
        let along = |half: T, n: T| (half * n).abs();
        match *self {
            Self::Point => Some(T::lit(0.0)),
            Self::Sphere { radius } => Some(radius),
            Self::Capsule { radius, half_length } => Some(radius + along(half_length, n.z)),
            Self::Cylinder { radius, half_length } => {
                Some(radius * (n.x * n.x + n.y * n.y).sqrt() + along(half_length, n.z))
            }
            Self::Cuboid { half } => Some(along(half.x, n.x) + along(half.y, n.y) + along(half.z, n.z)),
            Self::Ellipsoid { radii } => Some(radii.component_mul(n).norm_squared().sqrt()),
            Self::HalfSpace | Self::Tube { .. } | Self::Convex(_) | Self::Mesh(_) | Self::Terrain(_) => None,
        }
    }
}
