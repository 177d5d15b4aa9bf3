//! Contacts between bodies that both move, and joints that follow others, at the end of a step.
//!
//! A force that gives way to the acceleration of one body adds to its inertia; one that gives way to the difference of two
//! accelerations, of points or of joints, ties two together, and the recursion over trees cannot take it. These few are solved for apart:
//!
//! ```text
//! f⁺ = f̂ − h D a        h D = B Bᵀ        a = J v̇ = a₀ + W f           W = J A⁻¹ Jᵀ
//! f⁺ = f̂ + B y          (1 + Bᵀ W B) y = −Bᵀ a₀                         a₀: under all f̂
//! ```
//! A is the articulated inertia with all that gives way to one body. Columns of W B are answers of the trees to pushes
//! ([`Response`]). The matrix is symmetric and at least the identity, whatever D: a contact that gives way in one direction only has one row.
//! Ties follow each other in the order in which a walk over the bodies meets them, so that the matrix has a narrow envelope,
//! and grasps that have no body in common are solved one by one.

use super::envelope::Envelope;
use super::resist::Resist;
use crate::world::joint::Coupling;
use crate::world::mode::Mode;
use crate::world::model::Model;
use crate::world::number::Number;
use bristle_bodies::{Kinematics, Loads, Push, Response};
use bristle_math::Vector3;
use bristle_math::spatial::{Twist, Wrench};

/// Matrices of up to this many ties find their room before the first step; a larger heap finds it when it first touches.
const ROOM: usize = 64;

const NONE: usize = usize::MAX;

/// What ties bodies and joints together in a step.
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
    /// How many contacts there is room for; none before the first step.
    room: usize,
}

/// Where two links are tied together.
enum At<T> {
    /// At a point, in all directions.
    Point(Vector3<T>),
    /// Along these velocities of their joints, the first times a ratio: along x, in what is said of it.
    Joints([usize; 2], T),
}

/// One contact, or a joint that follows another.
struct Tie<T> {
    links: [usize; 2],
    at: At<T>,
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
            room: NONE,
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
        let most = model.couplings.len() + ties.map(|pair| pair.contacts.len()).sum::<usize>();
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
        self.add(links, At::Point(point), gives)
    }

    /// A joint whose effort is less by `gives` times its acceleration over that of the joint that it follows.
    pub fn follow(&mut self, coupling: &Coupling<T>, gives: T) {
        let ([follower, other], [own, others]) = (coupling.links, coupling.v);
        let at = At::Joints([others, own], coupling.ratio);
        self.add([other, follower], at, &Resist::along(&Vector3::x(), gives));
    }

    fn add(&mut self, links: [usize; 2], at: At<T>, gives: &Resist<T>) -> usize {
        let (along, count) = gives.directions();
        self.ties.push(Tie { links, at, along, count, row: 0, next: [NONE; 2], is_met: false });
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
            let of = |link: usize| model.tree.acceleration_beyond_gravity(link, vdot, &model.gravity, tree);
            let over = tie.over(kin, |link| Some(of(link)), |_, v| Some(vdot[v]));
            let over = over.unwrap_or_else(Vector3::zeros);
            let last = tie.links.map(|link| spans[response.root(link)][1]).into_iter().fold(at, usize::max);
            for (column, along) in (tie.row..).zip(tie.directions()) {
                y[column] = -along.dot(&over);
                model.tree.respond(kin, tree, &tie.pushes(kin, *along), response);
                for other in order[at..=last].iter().map(|&number| &ties[number]) {
                    let of = |link: usize| response.of(link).copied();
                    let Some(moved) = other.over(kin, of, |link, v| response.along(link, v)) else {
                        continue;
                    };
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
            tie.pushes(kin, force).iter().for_each(|push| model.tree.push(kin, tree, push, response));
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

    /// A force on the second link and its opposite on the first; of joints, efforts along x.
    fn pushes(&self, kin: &Kinematics<T>, force: Vector3<T>) -> [Push<T>; 2] {
        let [first, second] = self.links;
        match self.at {
            At::Point(point) => {
                let on = |link, force| Push::On(link, Wrench::from_force(force, &(point - kin.origin(link))));
                [on(first, -force), on(second, force)]
            }
            At::Joints(v, ratio) => {
                let along = |link, v, effort| Push::Along { link, v, effort };
                [along(first, v[0], -ratio * force.x), along(second, v[1], force.x)]
            }
        }
    }

    /// The acceleration of the second over the first, from those of links and of their joints that are any; none if neither is.
    #[inline]
    fn over(
        &self,
        kin: &Kinematics<T>,
        twist: impl Fn(usize) -> Option<Twist<T>>,
        rate: impl Fn(usize, usize) -> Option<T>,
    ) -> Option<Vector3<T>> {
        let [first, second] = match self.at {
            At::Point(point) => {
                self.links.map(|link| twist(link).map(|all| all.at(&(point - kin.origin(link))).linear))
            }
            At::Joints([of_first, of_second], ratio) => {
                let along = |side: usize, v: usize, by: T| {
                    rate(self.links[side], v).map(|rate| Vector3::x() * (by * rate))
                };
                [along(0, of_first, ratio), along(1, of_second, T::lit(1.0))]
            }
        };
        match [first, second] {
            [None, None] => None,
            [Some(first), None] => Some(-first),
            [None, Some(second)] => Some(second),
            [Some(first), Some(second)] => Some(second - first),
        }
    }
}
