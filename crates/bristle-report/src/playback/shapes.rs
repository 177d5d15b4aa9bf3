//! Shapes as the page draws them: sizes, triangles, or heights around where bodies move.

use super::coarse::coarse;
use super::pack::text;
use bristle::film::Film;
use bristle::geom::{Convex, Mesh, Pose, Shape, Terrain};
use bristle::math::Vector3;
use bristle::world::Model;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Facets of one mesh that are drawn, and of all: more make a page slow to load.
const MOST_FACETS: usize = 50_000;
const MOST_IN_ALL: usize = 150_000;
/// Heights of a terrain along its longer side.
const MOST_HEIGHTS: f64 = 127.0;

/// Shapes of a model for one page; meshes that several bodies share are there once.
pub(super) struct Shapes<'a> {
    model: &'a Model,
    film: &'a Film,
    /// Places in `meshes` by what tells a mesh from others.
    known: BTreeMap<String, usize>,
    meshes: Vec<Value>,
    notes: Vec<String>,
    most: usize,
}

impl<'a> Shapes<'a> {
    pub(super) fn new(model: &'a Model, film: &'a Film) -> Self {
        let large = |s: &Shape<f64>| matches!(s, Shape::Mesh(_) | Shape::Convex(_)).then(|| format!("{s:?}"));
        let distinct: std::collections::BTreeSet<String> =
            model.shapes.iter().filter_map(|s| large(&s.shape)).collect();
        let most = MOST_FACETS.min(MOST_IN_ALL / distinct.len().max(1));
        Self { model, film, known: BTreeMap::new(), meshes: Vec::new(), notes: Vec::new(), most }
    }

    /// Triangles that shapes refer to by number, and what a person should know about them.
    pub(super) fn finish(self) -> (Vec<Value>, Vec<String>) {
        (self.meshes, self.notes)
    }

    /// A shape of the body `name` that stands at `at` in the world at the start.
    pub(super) fn describe(&mut self, shape: &Shape<f64>, at: &Pose<f64>, name: &str) -> Value {
        match *shape {
            Shape::HalfSpace => json!({ "kind": "half-space" }),
            Shape::Sphere { radius } => json!({ "kind": "sphere", "radius": radius }),
            Shape::Cylinder { radius, half_length } => {
                json!({ "kind": "cylinder", "radius": radius, "half_length": half_length })
            }
            // An endless tube has `null`, as JSON knows no infinity.
            Shape::Tube { radius, half_length } => {
                json!({ "kind": "tube", "radius": radius, "half_length": half_length.is_finite().then_some(half_length) })
            }
            Shape::Capsule { radius, half_length } => {
                json!({ "kind": "capsule", "radius": radius, "half_length": half_length })
            }
            Shape::Cuboid { half } => json!({ "kind": "box", "half": [half.x, half.y, half.z] }),
            Shape::Ellipsoid { radii } => {
                json!({ "kind": "ellipsoid", "radii": [radii.x, radii.y, radii.z] })
            }
            Shape::Mesh(ref mesh) => self.mesh(mesh, name),
            Shape::Convex(ref body) => self.convex(body, name),
            Shape::Terrain(ref ground) => heights(ground, &self.region(ground, at)),
            // `Point`, and whatever has no drawing of its own: a dot.
            _ => json!({ "kind": "point" }),
        }
    }

    fn mesh(&mut self, mesh: &Mesh, name: &str) -> Value {
        let index = self.triangles(format!("{mesh:?}"), mesh.vertices(), mesh.triangles(), name);
        json!({ "kind": "mesh", "mesh": index, "reach": mesh.radius() })
    }

    fn convex(&mut self, body: &Convex, name: &str) -> Value {
        let triangles: Vec<[u32; 3]> = body.triangles().collect();
        let index = self.triangles(format!("{body:?}"), body.vertices(), &triangles, name);
        json!({ "kind": "mesh", "mesh": index, "reach": body.radius() })
    }

    /// The number of a mesh on the page.
    fn triangles(
        &mut self,
        key: String,
        vertices: &[Vector3<f64>],
        triangles: &[[u32; 3]],
        name: &str,
    ) -> usize {
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let thinned = (triangles.len() > self.most).then(|| coarse(vertices, triangles, self.most));
        let (vertices, drawn) = match &thinned {
            Some((vertices, triangles)) => (&vertices[..], &triangles[..]),
            None => (vertices, triangles),
        };
        if thinned.is_some() {
            self.notes.push(format!(
                "{name} has {} facets and is drawn with {}",
                triangles.len(),
                drawn.len()
            ));
        }
        let numbers = vertices.iter().flat_map(|v| [v.x, v.y, v.z]).flat_map(|x| (x as f32).to_le_bytes());
        let corners = drawn.iter().flatten().flat_map(|i| i.to_le_bytes());
        self.meshes.push(json!({ "vertices": text(numbers), "triangles": text(corners) }));
        self.known.insert(key, self.meshes.len() - 1);
        self.meshes.len() - 1
    }

    /// The part of a terrain that is drawn: where bodies move, with a margin.
    fn region(&self, ground: &Terrain, at: &Pose<f64>) -> Region {
        let into = at.inverse();
        let mut region = Region { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };
        let mut widest: f64 = 0.0;
        for (place, body) in self.film.bodies.iter().enumerate() {
            let own = self.model.shapes.iter().filter(|s| s.body == *body);
            let reaches = own.map(|s| s.pose.translation.vector.norm() + s.shape.bounding_radius());
            let reach = reaches.filter(|r| r.is_finite()).fold(0.0, f64::max);
            widest = widest.max(reach);
            for pose in self.film.frames.iter().map(|frame| &frame.poses[place]) {
                let point = Vector3::new(pose[0], pose[1], pose[2]).map(f64::from);
                if point.iter().all(|x| x.is_finite()) {
                    let local = into.rotation * point + into.translation.vector;
                    region.include([local.x, local.y], reach);
                }
            }
        }
        if region.min[0] > region.max[0] {
            region.include([0.0; 2], 1.0);
        }
        let longest = (region.max[0] - region.min[0]).max(region.max[1] - region.min[1]);
        let margin = if longest > 0.0 { 0.25 * longest + widest } else { 1.0 };
        for k in 0..2 {
            region.min[k] -= margin;
            region.max[k] += margin;
        }
        if let Terrain::Grid(grid) = ground {
            let half = [0, 1].map(|k| 0.5 * grid.spacing()[k] * (grid.size()[k] - 1) as f64);
            region.clip(half);
        }
        region
    }
}

/// A rectangle of a terrain, m.
struct Region {
    min: [f64; 2],
    max: [f64; 2],
}

impl Region {
    fn include(&mut self, place: [f64; 2], reach: f64) {
        self.min = [0, 1].map(|k| self.min[k].min(place[k] - reach));
        self.max = [0, 1].map(|k| self.max[k].max(place[k] + reach));
    }

    /// Cuts off what lies beyond a grid, unless nothing would be left.
    fn clip(&mut self, half: [f64; 2]) {
        if (0..2).all(|k| self.min[k] < half[k] && self.max[k] > -half[k]) {
            self.min = [0, 1].map(|k| self.min[k].max(-half[k]));
            self.max = [0, 1].map(|k| self.max[k].min(half[k]));
        }
    }
}

/// Heights row by row, x first, as far apart along x as along y or nearly so.
fn heights(ground: &Terrain, region: &Region) -> Value {
    let size = [0, 1].map(|k| region.max[k] - region.min[k]);
    let step = size[0].max(size[1]) / MOST_HEIGHTS;
    let cells = size.map(|s| (s / step).round().clamp(1.0, MOST_HEIGHTS));
    let spacing = [0, 1].map(|k| size[k] / cells[k]);
    let [columns, rows] = cells.map(|c| c as usize + 1);
    let at = |i: usize, j: usize| {
        let [x, y] = [(0, i), (1, j)].map(|(k, n)| region.min[k] + n as f64 * spacing[k]);
        ground.at(x, y).height as f32
    };
    let all = (0..rows).flat_map(|j| (0..columns).map(move |i| at(i, j)));
    json!({
        "kind": "terrain",
        "min": region.min,
        "spacing": spacing,
        "columns": columns,
        "heights": text(all.flat_map(f32::to_le_bytes)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;

    #[test]
    fn heights_cover_the_region_with_few_numbers() {
        let ground = Terrain::Slope { gradient: [0.5, 0.0] };
        let drawn = heights(&ground, &Region { min: [-2.0, 0.0], max: [2.0, 1.0] });
        let bytes =
            base64::engine::general_purpose::STANDARD.decode(drawn["heights"].as_str().unwrap()).unwrap();
        assert_eq!((drawn["columns"].as_u64(), bytes.len()), (Some(128), 4 * 128 * 33));
        let height = |i: usize| f32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap());
        assert_eq!((height(0), height(127)), (-1.0, 1.0));
    }

    #[test]
    fn a_grid_is_drawn_up_to_its_border() {
        let mut region = Region { min: [-3.0, 0.5], max: [3.0, 9.0] };
        region.clip([1.0, 1.0]);
        assert_eq!((region.min, region.max), ([-1.0, 0.5], [1.0, 1.0]));
        let mut beyond = Region { min: [4.0, 4.0], max: [5.0, 5.0] };
        beyond.clip([1.0, 1.0]);
        assert_eq!(beyond.min, [4.0, 4.0]);
    }
}
