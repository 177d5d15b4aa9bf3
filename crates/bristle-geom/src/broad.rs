//! Candidate pairs of many bodies, in a time that grows with their number and not with its square.
//!
//! A stack of grids, one per size class: a box lives in the grid whose cells are its longest edge rounded up to a
//! power of two, in the cell of its lower corner. So a box reaches at most one cell further, and whatever meets it
//! has its lower corner in one of at most 27 cells of each grid. Every box looks into the grids of its own size and
//! coarser ones. Cells are numbered into a table of about as many buckets as there are boxes and sorted by
//! counting, so the order is fixed. A grain of sand and a floor plate do not disturb each other, because they live in
//! different grids; boxes without end (a half-space) are compared with all others. Boxes of about one size that lie close take a
//! single grid without holes (`even.rs`).

use crate::even::EvenGrid;
use nalgebra::Vector3;

/// A box along the world's axes; extents may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Lower corner, m.
    pub min: Vector3<f64>,
    /// Upper corner, m.
    pub max: Vector3<f64>,
}

impl Aabb {
    /// The least of n·x over the box.
    #[inline]
    pub(crate) fn lowest(&self, n: &Vector3<f64>) -> f64 {
        self.span(n).0
    }

    /// From where to where it reaches along a direction, m.
    #[inline]
    pub(crate) fn span(&self, n: &Vector3<f64>) -> (f64, f64) {
        let (a, b) = (n.component_mul(&self.min), n.component_mul(&self.max));
        let sum = |v: Vector3<f64>| v.x + v.y + v.z;
        (sum(a.inf(&b)), sum(a.sup(&b)))
    }

    /// True where the boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // all six are compared: which of them fails first cannot be foretold
        (0..3).fold(true, |is, i| is & (self.min[i] <= other.max[i]) & (other.min[i] <= self.max[i]))
    }

    /// The smallest box around this one, where its frame is turned and moved.
    pub fn seen(&self, pose: &crate::Pose<f64>) -> Self {
        let (middle, half) = ((self.min + self.max) * 0.5, (self.max - self.min) * 0.5);
        let center = pose.transform_point(&middle.into()).coords;
        let reach = pose.rotation.to_rotation_matrix().matrix().abs() * half;
        Self { min: center - reach, max: center + reach }
    }

    /// Distance between the boxes, m; zero where they overlap.
    pub fn distance(&self, other: &Self) -> f64 {
        let apart = |i: usize| (self.min[i] - other.max[i]).max(other.min[i] - self.max[i]).max(0.0);
        Vector3::new(apart(0), apart(1), apart(2)).norm()
    }

    /// The box with `margin` (m) added on all sides.
    #[inline]
    pub fn fattened(&self, margin: f64) -> Self {
        Self { min: self.min.add_scalar(-margin), max: self.max.add_scalar(margin) }
    }

    /// The smallest box that holds both.
    #[inline]
    pub fn joined(&self, other: &Self) -> Self {
        Self { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    fn is_finite(&self) -> bool {
        (0..3).all(|i| self.min[i].is_finite() && self.max[i].is_finite())
    }

    pub(crate) fn longest_edge(&self) -> f64 {
        (self.max - self.min).max()
    }
}

/// A cell: its grid (power of two of the cell size) and place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    level: i32,
    at: [i64; 3],
}

impl Cell {
    /// Numbers that mix well; the same on every machine.
    #[inline]
    fn bucket(&self, mask: usize) -> usize {
        let mut h = u64::from(self.level.cast_unsigned()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for x in self.at {
            h = (h ^ x.cast_unsigned()).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            h ^= h >> 29;
        }
        h as usize & mask
    }
}

/// One box in a bucket.
#[derive(Debug, Clone, Copy)]
struct Entry {
    cell: Cell,
    body: u32,
}

/// Buffers of [`candidate_pairs`], kept from call to call.
#[derive(Debug, Clone, Default)]
pub struct BroadScratch {
    cells: Vec<Entry>,
    sorted: Vec<Entry>,
    starts: Vec<u32>,
    levels: Vec<i32>,
    /// Boxes with an end, and those without.
    finite: Vec<u32>,
    endless: Vec<u32>,
    even: EvenGrid,
    /// What each thread has found.
    found: Vec<Vec<(u32, u32)>>,
    comparisons: usize,
}

impl BroadScratch {
    /// How many boxes the last call compared: the measure of its work.
    pub fn comparisons(&self) -> usize {
        self.comparisons
    }

    /// Tells boxes with an end from those without.
    fn part(&mut self, boxes: &[Aabb]) {
        self.finite.clear();
        self.endless.clear();
        for (body, b) in (0u32..).zip(boxes) {
            if b.is_finite() { self.finite.push(body) } else { self.endless.push(body) }
        }
    }

    /// Finds the grid and cell of every box with an end.
    fn place(&mut self, boxes: &[Aabb]) {
        self.cells.clear();
        self.levels.clear();
        let finest = finest_level(boxes);
        for &body in &self.finite {
            let b = &boxes[body as usize];
            let level = level_of(b.longest_edge()).max(finest);
            self.cells.push(Entry { cell: cell_of(&b.min, level), body });
            if let Err(place) = self.levels.binary_search(&level) {
                self.levels.insert(place, level);
            }
        }
    }

    /// Sorts the boxes into buckets by counting.
    fn sort(&mut self) {
        let buckets = (2 * self.cells.len()).next_power_of_two();
        let mask = buckets - 1;
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        for entry in &self.cells {
            self.starts[entry.cell.bucket(mask)] += 1;
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total; // one past the bucket's end; filling from behind leaves its beginning
        }
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.cells);
        for entry in self.cells.iter().rev() {
            let slot = &mut self.starts[entry.cell.bucket(mask)];
            *slot -= 1;
            self.sorted[*slot as usize] = *entry;
        }
    }

    /// All boxes in one cell.
    #[inline]
    fn bodies_in(&self, cell: Cell) -> impl Iterator<Item = u32> + '_ {
        let bucket = cell.bucket(self.starts.len() - 2);
        let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        self.sorted[range].iter().filter(move |e| e.cell == cell).map(|e| e.body)
    }

    /// All pairs of overlapping boxes that the stack of grids holds. Answers how many it compared.
    fn each_pair(
        &self,
        boxes: &[Aabb],
        counts: impl Fn(u32, u32) -> bool,
        found: &mut Vec<(u32, u32)>,
    ) -> usize {
        let mut comparisons = 0;
        for entry in &self.cells {
            let (body, own) = (entry.body, entry.cell.level);
            let around = &boxes[body as usize];
            let from = self.levels.partition_point(|level| *level < own);
            for &level in &self.levels[from..] {
                let low = cell_of(&around.min, level).at.map(|x| x.saturating_sub(1));
                let high = cell_of(&around.max, level).at;
                for x in low[0]..=high[0] {
                    for y in low[1]..=high[1] {
                        for z in low[2]..=high[2] {
                            let others = self.bodies_in(Cell { level, at: [x, y, z] });
                            for other in others.filter(|&o| level > own || o > body) {
                                comparisons += 1;
                                let (first, second) = (body.min(other), body.max(other));
                                if around.overlaps(&boxes[other as usize]) && counts(first, second) {
                                    found.push((first, second));
                                }
                            }
                        }
                    }
                }
            }
        }
        comparisons
    }
}

/// The power of two just above `edge`; the least number there is for zero. From the bits of the number, because a
/// logarithm that rounds down would let a box reach over two cells.
fn level_of(edge: f64) -> i32 {
    if edge > 0.0 { (edge.to_bits() >> 52) as i32 - 1022 } else { i32::MIN }
}

/// No grid is finer than the smallest box with a size; if none has, than the mean spacing of the points.
fn finest_level(boxes: &[Aabb]) -> i32 {
    let finite = || boxes.iter().filter(|b| b.is_finite());
    let smallest = finite().map(Aabb::longest_edge).filter(|e| *e > 0.0).fold(f64::INFINITY, f64::min);
    if smallest.is_finite() {
        return level_of(smallest);
    }
    let all = finite().copied().reduce(|a, b| a.joined(&b));
    let spacing = all.map_or(0.0, |a| a.longest_edge() / (boxes.len() as f64).cbrt());
    level_of(spacing).max(-1000)
}

/// The cell that holds a point. Far away from the origin numbers saturate, which only costs time.
fn cell_of(point: &Vector3<f64>, level: i32) -> Cell {
    let scale = (-f64::from(level)).exp2();
    Cell { level, at: [0, 1, 2].map(|i| (point[i] * scale).floor() as i64) }
}

/// Writes all pairs (i, j), i < j, of overlapping boxes to `out`, sorted; pairs of two immovable bodies are left out.
///
/// Boxes come with their margin already added. Infinite extents are allowed. The result depends on nothing but
/// the boxes. After the first calls nothing is allocated, unless there are more bodies or pairs than ever before.
///
/// ```
/// use bristle_geom::{BroadScratch, Pose, Shape, candidate_pairs};
/// let ball = Shape::Sphere { radius: 0.5 };
/// let boxes = [
///     Shape::HalfSpace.aabb(&Pose::identity()),
///     ball.aabb(&Pose::translation(0.0, 0.0, 0.4)),
///     ball.aabb(&Pose::translation(0.0, 0.0, 1.3)),
/// ];
/// let mut pairs = Vec::new();
/// candidate_pairs(&boxes, &[false, true, true], &mut pairs, &mut BroadScratch::default());
/// assert_eq!(pairs, [(0, 1), (1, 2)]);
/// ```
pub fn candidate_pairs(
    boxes: &[Aabb],
    is_movable: &[bool],
    out: &mut Vec<(u32, u32)>,
    scratch: &mut BroadScratch,
) {
    candidate_pairs_where(boxes, |i, j| is_movable[i as usize] || is_movable[j as usize], 1, out, scratch);
}

/// Writes those pairs (i, j), i < j, of overlapping boxes to `out`, sorted, of which `counts` holds; looks for them on so many
/// threads, on which the result does not depend. Otherwise as [`candidate_pairs`].
///
/// ```
/// use bristle_geom::{BroadScratch, Pose, Shape, candidate_pairs_where};
/// let ball = Shape::Sphere { radius: 0.5 };
/// let boxes: Vec<_> = (0..100).map(|i| ball.aabb(&Pose::translation(0.4 * f64::from(i), 0.0, 0.0))).collect();
/// let mut pairs = Vec::new();
/// candidate_pairs_where(&boxes, |i, j| j == i + 2, 2, &mut pairs, &mut BroadScratch::default());
/// assert_eq!((pairs.len(), pairs[7]), (98, (7, 9)));
/// ```
pub fn candidate_pairs_where(
    boxes: &[Aabb],
    counts: impl Fn(u32, u32) -> bool + Sync,
    threads: usize,
    out: &mut Vec<(u32, u32)>,
    scratch: &mut BroadScratch,
) {
    scratch.part(boxes);
    let mut found = std::mem::take(&mut scratch.found);
    found.resize_with(threads.max(1), Vec::new);
    found.iter_mut().for_each(Vec::clear);
    let mut comparisons = if scratch.even.sort(boxes, &scratch.finite) {
        scratch.even.each_pair_on(&mut found, &counts)
    } else {
        scratch.place(boxes);
        scratch.sort();
        scratch.each_pair(boxes, &counts, &mut found[0])
    };
    let mut compare = |i: u32, j: u32| {
        let (i, j) = (i.min(j), i.max(j));
        comparisons += 1;
        if boxes[i as usize].overlaps(&boxes[j as usize]) && counts(i, j) {
            found[0].push((i, j));
        }
    };
    for (rank, &i) in scratch.endless.iter().enumerate() {
        scratch.endless[rank + 1..].iter().for_each(|&j| compare(i, j));
        scratch.finite.iter().for_each(|&j| compare(i, j));
    }
    scratch.comparisons = comparisons;
    sort_pairs(&found, boxes.len(), out, &mut scratch.starts);
    scratch.found = found;
}

/// Sorts by the first body by counting, which is linear, and the few pairs of each by the second.
fn sort_pairs(found: &[Vec<(u32, u32)>], bodies: usize, out: &mut Vec<(u32, u32)>, starts: &mut Vec<u32>) {
    let all = || found.iter().flatten();
    starts.clear();
    starts.resize(bodies + 1, 0);
    for (first, _) in all() {
        starts[*first as usize] += 1;
    }
    let mut total = 0;
    for start in starts.iter_mut() {
        total += *start;
        *start = total;
    }
    out.clear();
    out.resize(total as usize, (0, 0));
    for pair in all() {
        let slot = &mut starts[pair.0 as usize];
        *slot -= 1;
        out[*slot as usize] = *pair;
    }
    for range in starts.windows(2) {
        out[range[0] as usize..range[1] as usize].sort_unstable();
    }
}
