//! `copies` of a free body: a block of the same bodies in rows, for grains, stacks and heaps.

use super::body::{BODY, BodySpec};
use super::error::SceneError;
use super::form::{Bounds, KeyInfo, Kind, MAX_ENTRIES, TableInfo};
use super::known::Known;
use super::tree::Node;
use nalgebra::Vector3;
use std::collections::BTreeMap;

pub(crate) static COPIES: TableInfo = TableInfo::new(
    "copies",
    &[
        KeyInfo::new(
            "count",
            Kind::Vector { unit: "", bounds: Bounds::Positive },
            "how many along x, y and z; whole numbers. A body `grain` becomes `grain-0`, `grain-1` and so on, along x first, then y, then z",
        )
        .need("count: how many along x, y and z"),
        KeyInfo::new(
            "spacing",
            Kind::Vector { unit: "m", bounds: Bounds::NotNegative },
            "from one to the next along x, y and z; the first is where `position` says",
        )
        .need("spacing (m): from one to the next along x, y and z"),
        KeyInfo::new(
            "scatter",
            Kind::not_negative("m"),
            "by how much each is moved at most along each axis, by a rule that is always the same; a perfect block falls perfectly",
        )
        .default("0"),
    ],
);

/// A block of bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Copies {
    count: [usize; 3],
    spacing: Vector3<f64>,
    scatter: f64,
}

impl Copies {
    fn read(node: &Node, errors: &mut Vec<SceneError>) -> Option<Self> {
        let fields = node.fields(&COPIES);
        let (count, spacing) = (fields.get("count"), fields.vector("spacing"));
        let scatter = fields.number("scatter").unwrap_or(0.0);
        let numbers = count?.vector()?;
        let is_whole = numbers.iter().all(|n| n.fract() == 0.0);
        if !is_whole || numbers.product() > MAX_ENTRIES as f64 {
            errors.push(count?.wrong(format!("three whole numbers, and no more than {MAX_ENTRIES} in all")));
            return None;
        }
        Some(Self { count: [0, 1, 2].map(|k| numbers[k] as usize), spacing: spacing?, scatter })
    }

    fn total(&self) -> usize {
        self.count.iter().product()
    }

    /// From the first to the one with this number, m.
    fn offset(&self, number: usize) -> Vector3<f64> {
        let [nx, ny, _] = self.count;
        let place = [number % nx, number / nx % ny, number / nx / ny];
        // numbers of a linear congruential generator that starts anew for each: scattered, and the same on every machine
        let mut seed = number as u64 + 1;
        Vector3::from_fn(|k, _| {
            for _ in 0..3 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            }
            let share = (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
            place[k] as f64 * self.spacing[k] + self.scatter * share
        })
    }
}

fn name(of: &str, number: usize) -> String {
    format!("{of}-{number}")
}

/// Whether a name is one of `total` copies of a body.
fn is_copy(other: &str, body: &str, total: usize) -> bool {
    let number = other.strip_prefix(body).and_then(|rest| rest.strip_prefix('-')?.parse().ok());
    number.is_some_and(|number| number < total && other == name(body, number))
}

/// Bodies that stand for blocks, by name. Their copies become known in their place.
pub(crate) fn read(
    bodies: Option<&Node>,
    known: &mut Known<'_>,
    errors: &mut Vec<SceneError>,
) -> BTreeMap<String, Copies> {
    let (mut blocks, mut left) = (BTreeMap::new(), MAX_ENTRIES);
    let all = bodies.map(Node::entries).unwrap_or_default();
    for (body, node) in all {
        let Some(copies) = node.fields(&BODY).get("copies").and_then(|node| Copies::read(node, errors))
        else {
            continue;
        };
        let total = copies.total();
        if total > left {
            errors.push(
                node.complain(format!("has more copies than a scene takes: {MAX_ENTRIES} of all bodies")),
            );
            break;
        }
        left -= total;
        if let Some((_, node)) = all.iter().find(|(other, _)| is_copy(other, body, total)) {
            errors.push(node.complain(format!("is one of the copies of {body}; give it another name")));
            continue;
        }
        known.multiply(body, (0..total).map(|number| name(body, number)));
        blocks.insert(body.clone(), copies);
    }
    blocks
}

/// All bodies, with blocks in the place of those that stand for them.
pub(crate) fn expand(bodies: Vec<BodySpec>, blocks: &BTreeMap<String, Copies>) -> Vec<BodySpec> {
    let mut all = Vec::with_capacity(bodies.len());
    for body in bodies {
        let Some(copies) = blocks.get(&body.name) else {
            all.push(body);
            continue;
        };
        for number in 0..copies.total() {
            let mut copy = BodySpec { name: name(&body.name, number), ..body.clone() };
            copy.pose.translation.vector += copies.offset(number);
            all.push(copy);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    const BLOCK: &str = "schema = 1\n[simulation]\nduration = 1.0\n[bodies.grain]\nmass = 1\nposition = [1, 2, 3]\n\
        shape = { sphere = { radius = 0.1 } }\ncopies = { count = [2, 3, 2], spacing = [0.3, 0.4, 0.5] }\n\
        [bodies.ground]\nfixed = true\nshape = { plane = {} }\n[materials.m]\nnormal = { law = 'hertz', stiffness = 1e6 }\nfriction = 'none'\n\
        [[contacts]]\nbetween = ['grain-*', '*']\nmaterial = 'm'\n";

    fn parse(text: &str) -> Scene {
        Scene::parse(text, "block.toml", &[]).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn a_block_stands_in_rows_along_x_then_y_then_z() {
        let scene = parse(BLOCK);
        assert_eq!(scene.bodies.len(), 13);
        for (number, [x, y, z]) in
            [(0, [1.0, 2.0, 3.0]), (1, [1.3, 2.0, 3.0]), (3, [1.3, 2.4, 3.0]), (11, [1.3, 2.8, 3.5])]
        {
            let body = scene.body(&format!("grain-{number}")).unwrap_or_else(|| panic!("{number}"));
            assert!((body.pose.translation.vector - Vector3::new(x, y, z)).norm() < 1e-15, "{number}");
        }
        assert!(scene.body("grain").is_none());
    }

    #[test]
    fn scatter_moves_each_otherwise_within_its_bounds() {
        let scattered = parse(&BLOCK.replace("0.5] }", "0.5], scatter = 0.01 }"));
        let (even, again) = (parse(BLOCK), scattered.clone());
        let moved: Vec<Vector3<f64>> = (0..12)
            .map(|i| scattered.bodies[i].pose.translation.vector - even.bodies[i].pose.translation.vector)
            .collect();
        assert!(moved.iter().all(|m| m.amax() <= 0.01));
        assert!(moved.iter().flatten().any(|x| *x > 0.005) && moved.iter().flatten().any(|x| *x < -0.005));
        assert!((1..12).all(|i| (moved[i] - moved[i - 1]).norm() > 1e-4), "no two alike");
        assert_eq!(scattered.bodies, again.bodies);
    }
}
