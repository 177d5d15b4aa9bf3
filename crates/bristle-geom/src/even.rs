//! Candidate pairs among boxes of about one size: one grid without holes, whose cells lie in memory as they do in space.
//!
//! A cell is as long as the longest edge and holds the boxes whose lower corners lie in it, so boxes that meet stand in the same cell
//! or in neighbours. Three cells on end along z are one stretch of the list, and of two neighbours only one looks at the other: five
//! stretches for each box.

use crate::broad::Aabb;
use nalgebra::Vector3;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many times longer the longest edge may be than the shortest: a cell then holds few boxes that do not meet.
const EVEN: f64 = 2.0;
/// Cells for each box, at most.
const SPARSE: f64 = 8.0;
/// More than roundings of a place in the grid add to a box.
const SLACK: f64 = 1.001;

/// A box and whose it is.
#[derive(Debug, Clone, Copy)]
struct Entry {
    around: Aabb,
    body: u32,
}

/// Boxes sorted into cells.
#[derive(Debug, Clone, Default)]
pub(crate) struct EvenGrid {
    entries: Vec<Entry>,
    /// Of every box the cell; where each cell begins.
    cells: Vec<u32>,
    starts: Vec<u32>,
    /// From a cell to its neighbours along x and y.
    strides: [usize; 2],
}

impl EvenGrid {
    /// Sorts the `bodies` into cells. Answers false where another way is better: boxes of very different sizes, or far apart.
    pub fn sort(&mut self, boxes: &[Aabb], bodies: &[u32]) -> bool {
        let all = || bodies.iter().map(|body| &boxes[*body as usize]);
        let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0f64);
        for b in all() {
            (low, high) = (low.inf(&b.min), high.sup(&b.min));
            let edge = b.longest_edge();
            (shortest, longest) = (shortest.min(edge), longest.max(edge));
        }
        let cell = SLACK * longest;
        // one more on all sides, so that every cell that holds boxes has all its neighbours
        let sides = ((high - low) / cell).map(|side| side.floor() + 3.0);
        let is_dense = sides.product() <= SPARSE * bodies.len() as f64;
        if !(is_dense && shortest > 0.0 && longest <= EVEN * shortest) {
            return false;
        }
        let [_, ny, nz] = [0, 1, 2].map(|k| sides[k] as usize);
        self.strides = [ny * nz, nz];
        let cell_of = |b: &Aabb| {
            let [x, y, z] = [0, 1, 2].map(|k| ((b.min[k] - low[k]) / cell) as usize + 1);
            (x * ny + y) * nz + z
        };
        self.cells.clear();
        self.cells.extend(all().map(|b| cell_of(b) as u32));
        self.count(sides.product() as usize);
        let nothing = Aabb { min: low, max: low };
        self.entries.clear();
        self.entries.resize(bodies.len(), Entry { around: nothing, body: 0 });
        // from behind, which leaves each cell's beginning
        for (cell, &body) in self.cells.iter().zip(bodies).rev() {
            let start = &mut self.starts[*cell as usize];
            *start -= 1;
            self.entries[*start as usize] = Entry { around: boxes[body as usize], body };
        }
        true
    }

    /// Where each cell ends.
    fn count(&mut self, cells: usize) {
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        for cell in &self.cells {
            self.starts[*cell as usize] += 1;
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
    }

    fn boxes_in(&self, cells: Range<usize>) -> &[Entry] {
        &self.entries[self.starts[cells.start] as usize..self.starts[cells.end] as usize]
    }

    /// Lists all pairs of boxes that share a point and of which `counts` holds, in no order, each thread those of some of the cells:
    /// as many as there are lists. Answers how many were compared.
    pub fn each_pair_on(
        &self,
        lists: &mut [Vec<(u32, u32)>],
        counts: &(impl Fn(u32, u32) -> bool + Sync),
    ) -> usize {
        let threads = lists.len();
        // about as many boxes for each
        let cut = |thread: usize| {
            self.starts.partition_point(|start| (*start as usize) * threads < thread * self.entries.len())
        };
        let last = self.starts.len() - 1;
        let cells = |thread: usize| {
            if thread + 1 == threads { cut(thread)..last } else { cut(thread)..cut(thread + 1) }
        };
        let work = |thread: usize, found: &mut Vec<(u32, u32)>| {
            self.each_pair(cells(thread), |i, j| {
                if counts(i, j) {
                    found.push((i, j));
                }
            })
        };
        let Some((first, others)) = lists.split_first_mut() else { return 0 };
        let compared = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for (i, found) in others.iter_mut().enumerate() {
                let (work, compared) = (&work, &compared);
                scope.spawn(move || compared.fetch_add(work(i + 1, found), Ordering::Relaxed));
            }
            compared.fetch_add(work(0, first), Ordering::Relaxed);
        });
        compared.into_inner()
    }

    /// Tells all pairs of boxes that share a point, one of them in these cells, in no order. Answers how many it compared.
    fn each_pair(&self, cells: Range<usize>, mut found: impl FnMut(u32, u32)) -> usize {
        let ([x, y], mut compared) = (self.strides, 0);
        for cell in cells {
            let own = self.boxes_in(cell..cell + 1);
            if own.is_empty() {
                continue;
            }
            let row = |middle: usize| self.boxes_in(middle - 1..middle + 2);
            let ahead = [row(cell + y), row(cell + x - y), row(cell + x), row(cell + x + y)];
            let above = self.boxes_in(cell + 1..cell + 2);
            for (i, one) in own.iter().enumerate() {
                for others in [&own[i + 1..], above, ahead[0], ahead[1], ahead[2], ahead[3]] {
                    compared += others.len();
                    for other in others {
                        if one.around.overlaps(&other.around) {
                            found(one.body.min(other.body), one.body.max(other.body));
                        }
                    }
                }
            }
        }
        compared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes of edges from 1 to 1.9 around places without order, far from the origin.
    fn boxes(count: u64) -> Vec<Aabb> {
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let side = (count as f64).cbrt();
        let mut one = || {
            let min = Vector3::new(next(), next(), next()) * side + Vector3::new(1e6, -3e5, 0.0);
            Aabb { min, max: min + Vector3::repeat(1.0 + 0.9 * next()) }
        };
        (0..count).map(|_| one()).collect()
    }

    #[test]
    fn the_grid_tells_every_pair_once() {
        for count in [1, 2, 40, 700] {
            let boxes = boxes(count);
            let bodies: Vec<u32> = (0..count as u32).collect();
            let mut grid = EvenGrid::default();
            // few boxes fill less of the cells around them, and go another way
            if !grid.sort(&boxes, &bodies) {
                assert!(count < 40);
                continue;
            }
            let all = bodies.iter().flat_map(|&a| (a + 1..count as u32).map(move |b| (a, b)));
            let meet = |(a, b): &(u32, u32)| boxes[*a as usize].overlaps(&boxes[*b as usize]);
            let all: Vec<_> = all.filter(meet).collect();
            for threads in [1, 2, 7] {
                let mut lists = vec![Vec::new(); threads];
                grid.each_pair_on(&mut lists, &|_, _| true);
                let mut found = lists.concat();
                found.sort_unstable();
                assert_eq!(found, all);
            }
        }
    }

    #[test]
    fn boxes_of_unlike_sizes_or_far_apart_go_another_way() {
        let mut few = boxes(100);
        let bodies: Vec<u32> = (0..100).collect();
        assert!(EvenGrid::default().sort(&few, &bodies));
        few[3].max += Vector3::repeat(1.0);
        assert!(!EvenGrid::default().sort(&few, &bodies));
        few[3] = few[3].fattened(-0.5);
        few[3].max.x = few[3].min.x + 1.0;
        few[4].min += Vector3::repeat(1e9);
        few[4].max += Vector3::repeat(1e9);
        assert!(!EvenGrid::default().sort(&few, &bodies));
    }
}
