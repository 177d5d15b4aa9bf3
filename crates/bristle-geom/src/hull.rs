//! The convex hull of points: faces that see a new point are replaced by a cone from it to their border.

use crate::{Convex, GeomError};
use bristle_math::Vector3;

/// A point must lie this far outside of a face, relative to the size, to count as outside.
const OUTSIDE: f64 = 1e-10;
/// More points than this are refused: the time grows with points times faces.
const MOST_POINTS: usize = 20_000;

impl Convex {
    /// The smallest convex solid that holds the given points, m. Its faces are triangles.
    pub fn hull(points: &[Vector3<f64>]) -> Result<Self, GeomError> {
        let bad = |what: String| Err(GeomError::BadConvex { what });
        if points.len() > MOST_POINTS {
            return bad(format!("hull of {} points, at most {MOST_POINTS} are taken", points.len()));
        }
        if let Some(i) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return bad(format!("point {i} is not finite"));
        }
        let Some(mut hull) = Hull::start(points) else {
            return bad(format!("hull of {} points that lie in one plane", points.len()));
        };
        (0..points.len() as u32).for_each(|i| hull.add(i));
        let mut number = vec![u32::MAX; points.len()];
        let mut corners = Vec::new();
        let mut renumber = |i: u32| {
            if number[i as usize] == u32::MAX {
                number[i as usize] = corners.len() as u32;
                corners.push(points[i as usize]);
            }
            number[i as usize]
        };
        let faces = hull.faces.iter().map(|f| f.corners.iter().map(|i| renumber(*i)).collect()).collect();
        Self::new(corners, faces)
    }
}

struct Face {
    corners: [u32; 3],
    normal: Vector3<f64>,
    offset: f64,
}

struct Hull<'p> {
    points: &'p [Vector3<f64>],
    faces: Vec<Face>,
    outside: f64,
}

impl<'p> Hull<'p> {
    /// Four points that span a solid: each the farthest from what the ones before span.
    fn start(points: &'p [Vector3<f64>]) -> Option<Self> {
        let first = points.first()?;
        let farthest = |distance: &dyn Fn(&Vector3<f64>) -> f64| {
            (0..points.len()).max_by(|i, j| distance(&points[*i]).total_cmp(&distance(&points[*j])))
        };
        let a = farthest(&|p| (p - first).norm())?;
        let b = farthest(&|p| (p - points[a]).norm())?;
        let along = points[b] - points[a];
        let c = farthest(&|p| (p - points[a]).cross(&along).norm())?;
        let normal = along.cross(&(points[c] - points[a]));
        let d = farthest(&|p| (p - points[a]).dot(&normal).abs())?;
        let size = along.norm();
        let height = (points[d] - points[a]).dot(&normal);
        if size == 0.0
            || height.abs() <= OUTSIDE * size * normal.norm()
            || normal.norm() <= OUTSIDE * size * size
        {
            return None;
        }
        // Seen from outside, the base turns against the top.
        let [a, b, c, d] = [a, b, c, d].map(|i| i as u32);
        let (b, c) = if height > 0.0 { (c, b) } else { (b, c) };
        let mut hull = Self { points, faces: Vec::new(), outside: OUTSIDE * size };
        for corners in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            hull.push(corners);
        }
        Some(hull)
    }

    fn push(&mut self, corners: [u32; 3]) {
        let [a, b, c] = corners.map(|i| self.points[i as usize]);
        let normal = (b - a).cross(&(c - a));
        let normal = normal / normal.norm().max(f64::MIN_POSITIVE);
        self.faces.push(Face { corners, normal, offset: normal.dot(&a) });
    }

    fn add(&mut self, point: u32) {
        let place = self.points[point as usize];
        let outside = self.outside;
        let sees = |f: &Face| f.normal.dot(&place) - f.offset > outside;
        if !self.faces.iter().any(sees) {
            return;
        }
        let mut sides = Vec::new();
        self.faces.retain(|face| {
            let is_seen = sees(face);
            if is_seen {
                let [a, b, c] = face.corners;
                sides.extend([(a, b), (b, c), (c, a)]);
            }
            !is_seen
        });
        sides.sort_unstable();
        // Sides inside the hole come in both directions; the others are its border.
        let border: Vec<_> = sides.iter().filter(|(i, j)| sides.binary_search(&(*j, *i)).is_err()).collect();
        for (i, j) in border {
            self.push([*i, *j, point]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_grid_is_its_box() {
        let at = |i: i32| Vector3::new(f64::from(i % 4), f64::from(i / 4 % 4), f64::from(i / 16)) * 0.1;
        let points: Vec<_> = (0..64).map(at).collect();
        let hull = Convex::hull(&points).unwrap();
        assert!((hull.inertia().mass - 0.027).abs() < 1e-15);
        assert!((hull.inertia().center - Vector3::repeat(0.15)).norm() < 1e-14);
        assert!(hull.vertices().len() < 30, "points inside are left out");
    }

    #[test]
    fn the_hull_of_points_on_a_ball_holds_them() {
        let point = |i: i32| {
            let (z, turn) = ((f64::from(i) + 0.5) / 100.0 - 1.0, 2.4 * f64::from(i));
            let r = (1.0 - z * z).sqrt();
            Vector3::new(r * turn.cos(), r * turn.sin(), z)
        };
        let points: Vec<_> = (0..200).map(point).collect();
        let hull = Convex::hull(&points).unwrap();
        assert_eq!((hull.vertices().len(), hull.faces().len()), (200, 396));
        let ball = 4.0 / 3.0 * std::f64::consts::PI;
        assert!(hull.inertia().mass < ball && hull.inertia().mass > 0.96 * ball);
    }

    #[test]
    fn flat_and_broken_points_are_refused() {
        let flat: Vec<_> = (0..9).map(|i| Vector3::new(f64::from(i % 3), f64::from(i / 3), 0.5)).collect();
        for points in [&flat[..], &flat[..3], &flat[..1], &[], &[Vector3::repeat(0.1); 6]] {
            assert!(Convex::hull(points).unwrap_err().to_string().contains("in one plane"));
        }
        let error = Convex::hull(&[Vector3::repeat(f64::NAN)]).unwrap_err().to_string();
        assert_eq!(error, "convex polyhedron: point 0 is not finite");
        assert!(
            Convex::hull(&vec![Vector3::zeros(); 20_001]).unwrap_err().to_string().contains("at most 20000")
        );
    }
}
