//! Volume, centre and inertia of a closed surface of triangles.
//!
//! Every triangle spans a tetrahedron with a reference point; signed sums over a closed surface are those of the
//! solid. Source: Eberly (2002), Polyhedral mass properties (revisited).

use bristle_math::spatial::Inertia;
use bristle_math::{Matrix3, Vector3};

/// Mass properties for the density 1 kg/m³: mass is the volume. Triangles are counter-clockwise from outside; a
/// surface that is inside out has a negative mass.
pub(crate) fn inertia(vertices: &[Vector3<f64>], triangles: impl Iterator<Item = [u32; 3]>) -> Inertia<f64> {
    let count = vertices.len().max(1) as f64;
    let base = vertices.iter().sum::<Vector3<f64>>() / count;
    let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| vertices[i as usize] - base);
        let part = a.dot(&b.cross(&c)) / 6.0;
        let sum = a + b + c;
        volume += part;
        first += sum * (part / 4.0);
        let squares = a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose();
        second += squares * (part / 20.0);
    }
    let center = if volume == 0.0 { Vector3::zeros() } else { first / volume };
    let about = second - center * center.transpose() * volume;
    let about_center = Matrix3::identity() * about.trace() - about;
    Inertia { mass: volume, center: base + center, about_center }
}

/// A number that tells two sets of coordinates apart (FNV-1a over their bits).
pub(crate) fn digest(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
