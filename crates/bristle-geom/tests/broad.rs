//! Candidate pairs: the same as comparing all with all, for a cost that grows with the number of bodies.

mod support;

use bristle_geom::{Aabb, BroadScratch, candidate_pairs, candidate_pairs_where};
use bristle_math::Vector3;
use support::Random;

fn all_with_all(boxes: &[Aabb], is_movable: &[bool]) -> Vec<(u32, u32)> {
    let count = boxes.len();
    let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    pairs
        .filter(|&(i, j)| (is_movable[i] || is_movable[j]) && boxes[i].overlaps(&boxes[j]))
        .map(|(i, j)| (i as u32, j as u32))
        .collect()
}

/// Boxes of half edges up to `size(random)` in a cube of the given half edge.
fn cloud(random: &mut Random, count: usize, cube: f64, size: impl Fn(&mut Random) -> f64) -> Vec<Aabb> {
    let one = |random: &mut Random| {
        let (center, reach) = (random.vector(cube), size(random));
        let half = Vector3::new(random.within(0.0, reach), random.within(0.0, reach), reach);
        Aabb { min: center - half, max: center + half }
    };
    (0..count).map(|_| one(random)).collect()
}

fn found(boxes: &[Aabb], is_movable: &[bool], scratch: &mut BroadScratch) -> Vec<(u32, u32)> {
    let mut out = vec![(9, 9)];
    candidate_pairs(boxes, is_movable, &mut out, scratch);
    let (mut again, moves) = (Vec::new(), |i: u32, j: u32| is_movable[i as usize] || is_movable[j as usize]);
    candidate_pairs_where(boxes, moves, 3, &mut again, scratch);
    assert_eq!(again, out, "on any number of threads");
    out
}

#[test]
fn finds_what_comparing_all_with_all_finds() {
    let mut random = Random(1);
    let mut scratch = BroadScratch::default();
    let sizes: [fn(&mut Random) -> f64; 4] =
        [|_| 0.1, |_| 0.0, |r| r.within(0.0, 0.3), |r| 10f64.powf(r.within(-4.0, 0.5))];
    for count in [0, 1, 2, 10, 700] {
        for size in sizes {
            let mut boxes = cloud(&mut random, count, 1.0, size);
            let mut is_movable: Vec<bool> = boxes.iter().map(|_| random.within(0.0, 1.0) < 0.7).collect();
            assert_eq!(found(&boxes, &is_movable, &mut scratch), all_with_all(&boxes, &is_movable));
            let infinite = Vector3::repeat(f64::INFINITY);
            boxes.insert(count / 2, Aabb { min: -infinite, max: Vector3::new(f64::INFINITY, 0.3, 0.2) });
            is_movable.insert(count / 2, false);
            boxes.push(Aabb { min: -infinite, max: infinite });
            is_movable.push(true);
            assert_eq!(found(&boxes, &is_movable, &mut scratch), all_with_all(&boxes, &is_movable));
        }
    }
}

#[test]
fn touching_boxes_on_cell_borders_are_found() {
    let unit = |x: i32, y: i32, z: i32| {
        let min = Vector3::new(f64::from(x), f64::from(y), f64::from(z));
        Aabb { min, max: min + Vector3::repeat(1.0) }
    };
    let boxes: Vec<Aabb> = (0..125).map(|i| unit(i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2)).collect();
    let is_movable = vec![true; boxes.len()];
    let pairs = found(&boxes, &is_movable, &mut BroadScratch::default());
    assert_eq!(pairs, all_with_all(&boxes, &is_movable));
    assert_eq!(pairs.len(), (13 * 13 * 13 - 125) / 2, "each with all its neighbours, corners included");
}

#[test]
fn a_box_that_is_no_number_pairs_with_nobody() {
    let sound = Aabb { min: Vector3::zeros(), max: Vector3::repeat(1.0) };
    let broken = Aabb { min: Vector3::repeat(f64::NAN), max: Vector3::repeat(f64::NAN) };
    assert_eq!(found(&[sound, broken, sound], &[true; 3], &mut BroadScratch::default()), [(0, 2)]);
}

/// Grains on a floor: a half-space, one large plate, and ten times the grains in ten times the room.
#[test]
fn ten_times_the_bodies_cost_less_than_fifteen_times() {
    let mut work = Vec::new();
    for count in [3_000, 30_000] {
        let cube = 0.04 * (count as f64).cbrt();
        let mut boxes = cloud(&mut Random(2), count, cube, |r| r.within(0.02, 0.06));
        let infinite = Vector3::repeat(f64::INFINITY);
        boxes.push(Aabb { min: -infinite, max: Vector3::new(f64::INFINITY, f64::INFINITY, -0.9 * cube) });
        boxes.push(Aabb { min: Vector3::repeat(-cube), max: Vector3::new(cube, cube, -0.95 * cube) });
        let mut is_movable = vec![true; count];
        is_movable.extend([false, false]);
        let mut scratch = BroadScratch::default();
        let pairs = found(&boxes, &is_movable, &mut scratch).len();
        assert!(pairs > count, "{pairs} pairs of {count}");
        work.push(scratch.comparisons() as f64);
    }
    assert!(work[1] / work[0] < 15.0, "{} comparisons, then {}", work[0], work[1]);
    assert!(work[1] < 30_000.0 * 100.0, "{} comparisons", work[1]);
}
