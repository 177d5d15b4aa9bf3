//! Meshes of simple shapes, for beds of elements on them.

use super::{Mesh, MeshOptions};
use crate::convex::CUBE;
use crate::{GeomError, Shape};
use bristle_math::Vector3;
use std::f64::consts::TAU;

impl Mesh {
    /// A mesh of a sphere, ellipsoid, cylinder, box or convex polyhedron whose edges are at most `longest`, m. Corners lie on the
    /// surface.
    pub fn of_shape(shape: &Shape<f64>, longest: f64, options: &MeshOptions) -> Result<Self, GeomError> {
        if !(longest.is_finite() && longest > 0.0) {
            let what = format!("longest edge = {longest} m must be > 0 and finite");
            return Err(GeomError::BadMesh { what });
        }
        let made = match shape {
            Shape::Sphere { radius } => ball(&Vector3::repeat(*radius), longest, options),
            Shape::Ellipsoid { radii } => ball(radii, longest, options),
            Shape::Cylinder { radius, half_length } => rod(*radius, *half_length, longest, options),
            Shape::Cuboid { half } => {
                let signed = |bit: u32, h: f64| if bit & 1 == 0 { h } else { -h };
                let corner =
                    |i: u32| Vector3::new(signed(i, half.x), signed(i >> 1, half.y), signed(i >> 2, half.z));
                let triangles = CUBE.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
                let whole = Self::new((0..8).map(corner).collect(), triangles, options)?;
                whole.refined(longest, options.max_facets)
            }
            Shape::Convex(body) => {
                let whole = Self::new(body.vertices().to_vec(), body.triangles().collect(), options)?;
                whole.refined(longest, options.max_facets)
            }
            _ => Err(GeomError::BadMesh { what: format!("of a {} is not offered", shape.name()) }),
        };
        // what is put right here concerns nobody: poles and seams of a form fall into one
        made.map(|mesh| Self { warnings: Vec::new(), ..mesh })
    }
}

/// An octahedron whose facets are cut into n² and blown up.
fn ball(radii: &Vector3<f64>, longest: f64, options: &MeshOptions) -> Result<Mesh, GeomError> {
    let n = (0.5 * std::f64::consts::PI * radii.max() / longest).ceil().max(1.0);
    super::read::check_count((8.0 * n * n) as usize, options)?;
    let n = n as i32;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for octant in 0..8 {
        let sign = |bit: i32| if octant >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let is_even = (octant as u32).count_ones().is_multiple_of(2);
        let corner = |i: i32, j: i32| {
            let k = n - i - j;
            // Angles rather than lengths share the edges evenly.
            let [a, b, c] = [i, j, k].map(|x| (0.25 * TAU * f64::from(x) / f64::from(n)).sin());
            let p = Vector3::new(sign(0) * a, sign(1) * b, sign(2) * c).normalize();
            p.component_mul(radii)
        };
        for i in 0..n {
            for j in 0..n - i {
                let base = vertices.len() as u32;
                vertices.extend([corner(i, j), corner(i + 1, j), corner(i, j + 1)]);
                triangles.push(if is_even { [base, base + 1, base + 2] } else { [base, base + 2, base + 1] });
                if i + j + 2 <= n {
                    vertices.push(corner(i + 1, j + 1));
                    let [p, q, r] = [base + 1, base + 3, base + 2];
                    triangles.push(if is_even { [p, q, r] } else { [p, r, q] });
                }
            }
        }
    }
    Mesh::new(vertices, triangles, options)
}

/// Rings around the axis; each cap has rings towards its centre.
fn rod(radius: f64, half_length: f64, longest: f64, options: &MeshOptions) -> Result<Mesh, GeomError> {
    let around = (TAU * radius / longest).ceil().max(6.0);
    let (along, inward) = ((2.0 * half_length / longest).ceil().max(1.0), (radius / longest).ceil().max(1.0));
    super::read::check_count((2.0 * around * (along + 2.0 * inward)) as usize, options)?;
    // The outline from the centre of the lower cap to that of the upper one.
    let mut outline: Vec<(f64, f64)> = Vec::new();
    let (along, inward, around) = (along as u32, inward as u32, around as u32);
    outline.extend((0..inward).map(|i| (radius * f64::from(i) / f64::from(inward), -half_length)));
    outline
        .extend((0..=along).map(|i| (radius, half_length * (2.0 * f64::from(i) / f64::from(along) - 1.0))));
    outline.extend((0..inward).rev().map(|i| (radius * f64::from(i) / f64::from(inward), half_length)));
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let point = |(r, z): (f64, f64), i: u32| {
        let angle = TAU * f64::from(i % around) / f64::from(around);
        // The centre of a cap is one point, whatever the angle.
        if r == 0.0 { Vector3::new(0.0, 0.0, z) } else { Vector3::new(r * angle.cos(), r * angle.sin(), z) }
    };
    for pair in outline.windows(2) {
        for i in 0..around {
            let base = vertices.len() as u32;
            vertices.extend([
                point(pair[0], i),
                point(pair[0], i + 1),
                point(pair[1], i + 1),
                point(pair[1], i),
            ]);
            triangles.extend([[base, base + 1, base + 2], [base, base + 2, base + 3]]);
        }
    }
    Mesh::new(vertices, triangles, options)
}
