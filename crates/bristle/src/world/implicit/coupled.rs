//! Contacts between bodies that both move, at the end of a step.
//!
//! A force that gives way to the acceleration of one body adds to its inertia; one that gives way to the difference of two
//! accelerations ties two bodies together, and the recursion over trees cannot take it. These few are solved for apart:
//!
//! ```text
//! f⁺ = f̂ − h D a        h D = B Bᵀ        a = J v̇ = a₀ + W f           W = J A⁻¹ Jᵀ
//! f⁺ = f̂ + B y          (1 + Bᵀ W B) y = −Bᵀ a₀                         a₀: under all f̂
//! ```
//! A is the articulated inertia with all that gives way to one body. Columns of W B are answers of the trees to pushes
//! ([`Response`]). The matrix is symmetric and at least the identity, whatever D: a contact that gives way in one direction only has one row.
//! Contacts follow each other in the order in which a walk over the bodies meets them, so that the matrix has a narrow envelope,
//! and grasps that have no body in common are solved one by one.

use super::envelope::Envelope;
use super::resist::Resist;
use crate::world::mode::Mode;
use crate::world::model::Model;
use crate::world::number::Number;
use bristle_bodies::{Kinematics, Loads, Response};
use bristle_math::Vector3;
use bristle_math::spatial::Wrench;

/// Matrices of up to this many contacts find their room before the first step; a larger heap finds it when it first touches.
const ROOM: usize = 64;

const NONE: usize = usize::MAX;

/// The contacts of a step that tie bodies together.
pub(super) struct Coupled<T> {
    /// Links that forces move.
    is_pushable: Vec<bool>,
    ties: Vec<Tie<T>>,
    /// The ties in the order of their rows.
    order: Vec<usize>,
    /// By root: its first tie and side, if it has not been walked over yet; then where it stands first and last in the order.
    heads: Vec<usize>,
    spans: Vec<[usize; 2]>,
    response: Response<T>,
    matrix: Envelope<T>,
    /// Right-hand side, then y.
    y: Vec<T>,
    /// How many contacts there is room for.
    room: usize,
}

/// One contact.
struct Tie<T> {
    links: [usize; 2],
    point: Vector3<T>,
    /// B, and how many of its columns there are.
    along: [Vector3<T>; 3],
    count: usize,
    /// Of its first row.
    row: usize,
    /// The next tie and side under the same root.
    next: [usize; 2],
    is_met: bool,
}

impl<T: Number> Coupled<T> {
    pub fn new(model: &Model<T>) -> Self {
        let links = model.tree.links().len();
        Self {
            is_pushable: (0..links).map(|link| model.tree.is_pushable(link)).collect(),
            ties: Vec::new(),
            order: Vec::new(),
            heads: Vec::new(),
            spans: Vec::new(),
            response: Response::new(),
            matrix: Envelope::new(),
            y: Vec::new(),
            room: 0,
        }
    }

    /// Forgets the last step; finds room for what can touch in this mode.
    pub fn clear(&mut self, model: &Model<T>, mode: &Mode<T>) {
        self.ties.clear();
        if self.room == mode.contacts.len() {
            return;
        }
        self.room = mode.contacts.len();
        let ties = mode.pairs.iter().filter(|pair| self.couples(&pair.links));
        let most: usize = ties.map(|pair| pair.contacts.len()).sum();
        if most > 0 {
            self.ties.reserve(most);
            self.order.reserve(most);
            self.y.reserve(3 * most);
            self.matrix.reserve(3 * most.min(ROOM));
            self.heads.resize(self.is_pushable.len(), NONE);
            self.spans.resize(self.is_pushable.len(), [NONE; 2]);
            self.response.clear(&model.tree, 2 * most);
        }
    }

    /// Whether forces move both links.
    pub fn couples(&self, links: &[usize; 2]) -> bool {
        links.iter().all(|&link| self.is_pushable[link])
    }

    /// A contact whose force, on the second link at a point, is less by `gives` times the acceleration over the first.
    /// Answers its number.
    pub fn tie(&mut self, links: [usize; 2], point: Vector3<T>, gives: &Resist<T>) -> usize {
        let (along, count) = gives.directions();
        self.ties.push(Tie { links, point, along, count, row: 0, next: [NONE; 2], is_met: false });
        self.ties.len() - 1
    }

    /// Lets a contact give way otherwise.
    pub fn change(&mut self, tie: usize, gives: &Resist<T>) {
        (self.ties[tie].along, self.ties[tie].count) = gives.directions();
    }

    /// Puts into `v̇`, found under the forces f̂, that they give way.
    pub fn give_way(
        &mut self,
        model: &Model<T>,
        kin: &Kinematics<T>,
        loads: &Loads<'_, T>,
        tree: &bristle_bodies::Scratch<T>,
        vdot: &mut [T],
    ) {
        if self.ties.is_empty() {
            return;
        }
        self.response.clear(&model.tree, 2 * self.ties.len());
        self.ties.iter().flat_map(|tie| tie.links).for_each(|link| self.response.ask(link));
        model.tree.prepare(kin, loads, tree, &mut self.response);
        self.walk();
        self.lay_out();
        let Self { ties, order, spans, response, matrix, y, .. } = self;
        for (at, &number) in order.iter().enumerate() {
            let tie = &ties[number];
            let [before, after] = tie.links.map(|link| {
                let all = model.tree.acceleration_beyond_gravity(link, vdot, &model.gravity, tree);
                all.at(&(tie.point - kin.origin(link))).linear
            });
            let last = tie.links.map(|link| spans[response.root(link)][1]).into_iter().fold(at, usize::max);
            for (column, along) in (tie.row..).zip(tie.directions()) {
                y[column] = -along.dot(&(after - before));
                model.tree.respond(kin, tree, &tie.pushes(kin, *along), response);
                for other in order[at..=last].iter().map(|&number| &ties[number]) {
                    let Some(moved) = other.moved(kin, response) else { continue };
                    for (row, along) in
                        (other.row..).zip(other.directions()).filter(|(row, _)| *row >= column)
                    {
                        *matrix.entry(row, column) += along.dot(&moved);
                    }
                }
            }
        }
        matrix.factor();
        matrix.solve(y);
        for tie in ties.iter() {
            let force = (tie.row..).zip(tie.directions()).fold(Vector3::zeros(), |f, (i, b)| f + b * y[i]);
            for (link, wrench) in tie.pushes(kin, force) {
                model.tree.push(kin, tree, link, &wrench, response);
            }
        }
        model.tree.settle(kin, tree, response, vdot);
    }

    /// Orders the ties: from each over its bodies to all that these touch, then on from there.
    fn walk(&mut self) {
        let Self { ties, order, heads, response, .. } = self;
        for number in (0..ties.len()).rev() {
            for side in 0..2 {
                let head = &mut heads[response.root(ties[number].links[side])];
                ties[number].next[side] = std::mem::replace(head, 2 * number + side);
            }
        }
        order.clear();
        ties.iter_mut().for_each(|tie| tie.is_met = false);
        for start in 0..ties.len() {
            if std::mem::replace(&mut ties[start].is_met, true) {
                continue;
            }
            let mut done = order.len();
            order.push(start);
            while let Some(&number) = order.get(done) {
                done += 1;
                for link in ties[number].links {
                    let mut next = std::mem::replace(&mut heads[response.root(link)], NONE);
                    while next != NONE {
                        let tie = &mut ties[next / 2];
                        if !std::mem::replace(&mut tie.is_met, true) {
                            order.push(next / 2);
                        }
                        next = tie.next[next % 2];
                    }
                }
            }
        }
    }

    /// Rows of the matrix: each from the first tie that has a body in common with its own.
    fn lay_out(&mut self) {
        let Self { ties, order, spans, response, matrix, y, .. } = self;
        for &number in order.iter() {
            ties[number].links.iter().for_each(|&link| spans[response.root(link)] = [NONE; 2]);
        }
        matrix.clear();
        let mut rows = 0;
        for (at, &number) in order.iter().enumerate() {
            ties[number].row = rows;
            let roots = ties[number].links.map(|link| response.root(link));
            for root in roots {
                let [first, _] = spans[root];
                spans[root] = [first.min(at), at];
            }
            let first = roots.map(|root| ties[order[spans[root][0]]].row).into_iter().fold(rows, usize::min);
            (0..ties[number].count).for_each(|_| matrix.add_row(first));
            rows += ties[number].count;
        }
        y.clear();
        y.resize(rows, T::lit(0.0));
    }
}

impl<T: Number> Tie<T> {
    fn directions(&self) -> impl Iterator<Item = &Vector3<T>> {
        self.along[..self.count].iter()
    }

    /// A force on the second link and its opposite on the first.
    fn pushes(&self, kin: &Kinematics<T>, force: Vector3<T>) -> [(usize, Wrench<T>); 2] {
        let [first, second] = self.links;
        let on = |link: usize, force| (link, Wrench::from_force(force, &(self.point - kin.origin(link))));
        [on(first, -force), on(second, force)]
    }

    /// What a push somewhere adds to the acceleration of the second link over the first; none if nothing.
    fn moved(&self, kin: &Kinematics<T>, response: &Response<T>) -> Option<Vector3<T>> {
        let of =
            |link: usize| response.of(link).map(|answer| answer.at(&(self.point - kin.origin(link))).linear);
        match self.links.map(of) {
            [None, None] => None,
            [Some(first), None] => Some(-first),
            [None, Some(second)] => Some(second),
            [Some(first), Some(second)] => Some(second - first),
        }
    }
}
