//! A mesh with fewer facets, for pictures: corners that share a cell of a grid become one.

use bristle::math::Vector3;
use std::collections::BTreeMap;

/// Corners and triangles, at most `most` of them.
pub(super) fn coarse(
    vertices: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    most: usize,
) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let low = vertices.iter().fold(Vector3::repeat(f64::INFINITY), |a, v| a.inf(v));
    let high = vertices.iter().fold(Vector3::repeat(f64::NEG_INFINITY), |a, v| a.sup(v));
    let longest = (high - low).max();
    // A cube has two facets for each of its 6 n² cells; most solids have less surface.
    let mut cells = (most as f64 / 4.0).sqrt();
    loop {
        let clustered = clusters(vertices, triangles, &low, longest / cells);
        if clustered.1.len() <= most || cells < 2.0 {
            return clustered;
        }
        cells *= 0.8;
    }
}

fn clusters(
    vertices: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    low: &Vector3<f64>,
    size: f64,
) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let mut numbers: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let mut sums: Vec<(Vector3<f64>, f64)> = Vec::new();
    let of: Vec<u32> = vertices
        .iter()
        .map(|v| {
            let cell = (v - low) / size;
            let number = *numbers.entry([cell.x as u32, cell.y as u32, cell.z as u32]).or_insert_with(|| {
                sums.push((Vector3::zeros(), 0.0));
                sums.len() as u32 - 1
            });
            let (sum, count) = &mut sums[number as usize];
            (*sum, *count) = (*sum + v, *count + 1.0);
            number
        })
        .collect();
    let merged = triangles.iter().map(|t| t.map(|i| of[i as usize]));
    let kept = merged.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    (sums.into_iter().map(|(sum, count)| sum / count).collect(), kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::geom::{Mesh, MeshOptions, Shape};

    #[test]
    fn a_fine_ball_becomes_a_coarse_one() {
        let ball = Mesh::of_shape(&Shape::Sphere { radius: 1.0 }, 0.02, &MeshOptions::default()).unwrap();
        let (vertices, triangles) = coarse(ball.vertices(), ball.triangles(), 2000);
        assert!(ball.triangles().len() > 40_000 && triangles.len() <= 2000 && triangles.len() > 500);
        // corners are means of those of a cell, which is 2/22 wide at most
        assert!(vertices.iter().all(|v| v.norm() <= 1.0 && v.norm() > 0.9));
    }
}
