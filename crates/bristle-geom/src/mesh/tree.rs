//! A tree of boxes over facets: a question about a region costs what lies there.

use super::BLOCK;
use crate::Aabb;
use bristle_math::Vector3;
use std::ops::Range;

/// Facets of a leaf at most. Leaves begin at multiples of [`BLOCK`].
const LEAF: usize = 4 * BLOCK;

#[derive(Debug, Clone)]
struct Node {
    bounds: Aabb,
    /// Its facets, which stand side by side.
    first: u32,
    count: u32,
    /// The right child, zero for a leaf; the left child follows its parent.
    right: u32,
}

impl Node {
    fn facets(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
    fn is_leaf(&self) -> bool {
        self.right == 0
    }
}

/// How much of a box is asked for.
enum Share {
    None,
    Part,
    All,
}

/// Boxes in the order of a walk down the left. Leaves are ranges of facets, so facets that lie side by side are read in one go.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree, and the triangles in its order.
    pub fn new(vertices: &[Vector3<f64>], triangles: &[[u32; 3]]) -> (Self, Vec<[u32; 3]>) {
        let boxes: Vec<Aabb> = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| vertices[i as usize]);
                Aabb { min: a.inf(&b).inf(&c), max: a.sup(&b).sup(&c) }
            })
            .collect();
        let mut tree = Self { nodes: Vec::new() };
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        tree.split(&boxes, &mut order, 0);
        (tree, order.iter().map(|i| triangles[*i as usize]).collect())
    }

    /// Builds the subtree of some facets, the first of which comes to stand at `from`. Halving keeps the depth at the logarithm of
    /// their number.
    fn split(&mut self, boxes: &[Aabb], order: &mut [u32], from: usize) {
        let empty = Aabb { min: Vector3::repeat(f64::INFINITY), max: Vector3::repeat(f64::NEG_INFINITY) };
        let bounds = order.iter().fold(empty, |all, i| {
            let one = &boxes[*i as usize];
            Aabb { min: all.min.inf(&one.min), max: all.max.sup(&one.max) }
        });
        let own = self.nodes.len();
        self.nodes.push(Node { bounds, first: from as u32, count: order.len() as u32, right: 0 });
        if order.len() <= LEAF {
            return;
        }
        let axis = (bounds.max - bounds.min).imax();
        let middle = (order.len() / 2).next_multiple_of(BLOCK);
        let key = |i: &u32| boxes[*i as usize].min[axis] + boxes[*i as usize].max[axis];
        order.select_nth_unstable_by(middle, |i, j| key(i).total_cmp(&key(j)).then(i.cmp(j)));
        let (left, right) = order.split_at_mut(middle);
        self.split(boxes, left, from);
        self.nodes[own].right = self.nodes.len() as u32;
        self.split(boxes, right, from + middle);
    }

    pub fn bounds(&self) -> Aabb {
        self.nodes[0].bounds
    }

    /// Calls `visit` for the ranges of facets of all leaves whose boxes pass, in a fixed order.
    #[inline]
    pub fn for_leaves(&self, may_touch: impl Fn(&Aabb) -> bool, visit: impl FnMut(Range<usize>)) {
        self.for_ranges(|bounds| if may_touch(bounds) { Share::Part } else { Share::None }, visit);
    }

    /// Calls `visit` for ranges that hold all facets with a part below a height along a direction, in a fixed order.
    #[inline]
    pub fn for_ranges_below(&self, n: &Vector3<f64>, height: f64, visit: impl FnMut(Range<usize>)) {
        let share = |bounds: &Aabb| match bounds.span(n) {
            (low, _) if low >= height => Share::None,
            (_, high) if high < height => Share::All,
            _ => Share::Part,
        };
        self.for_ranges(share, visit);
    }

    #[inline]
    fn for_ranges(&self, share: impl Fn(&Aabb) -> Share, mut visit: impl FnMut(Range<usize>)) {
        // Twice the depth of a tree of 2³² facets.
        let mut waiting = [0u32; 64];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let index = waiting[count];
            let node = &self.nodes[index as usize];
            match share(&node.bounds) {
                Share::None => {}
                Share::Part if !node.is_leaf() => {
                    (waiting[count], waiting[count + 1]) = (node.right, index + 1);
                    count += 2;
                }
                Share::Part | Share::All => visit(node.facets()),
            }
        }
    }

    /// The least of `cost` over all facets; `bound` is how small it can be in a box.
    pub fn least<R>(
        &self,
        bound: impl Fn(&Aabb) -> f64,
        mut cost: impl FnMut(u32) -> (f64, R),
    ) -> Option<(f64, R)> {
        let mut best: Option<(f64, R)> = None;
        let mut waiting = [(0u32, 0.0); 64];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (index, least) = waiting[count];
            if best.as_ref().is_some_and(|b| least >= b.0) {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.is_leaf() {
                for i in node.facets() {
                    let found = cost(i as u32);
                    if best.as_ref().is_none_or(|b| found.0 < b.0) {
                        best = Some(found);
                    }
                }
            } else {
                let (left, right) = (index + 1, node.right);
                let [l, r] = [left, right].map(|i| bound(&self.nodes[i as usize].bounds));
                // The nearer one is looked at first.
                let pair = if l < r { [(right, r), (left, l)] } else { [(left, l), (right, r)] };
                (waiting[count], waiting[count + 1]) = (pair[0], pair[1]);
                count += 2;
            }
        }
        best
    }
}
