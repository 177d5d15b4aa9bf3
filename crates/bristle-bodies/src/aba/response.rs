//! What more forces add to accelerations that are known already.
//!
//! Accelerations are linear in what acts. Once [`Tree::accelerations_under`] has found the articulated inertias, a further
//! wrench w on a link, or effort τ of its joint, asks for the part of the recursion that carries forces only:
//!
//! ```text
//! inward, from the link to its root     u = τ + Sᵀ w     s += D⁻¹ u     w_p = Xᵀ (w − K u)
//! root that floats                      A = (Iᴬ)⁻¹ Σ w
//! outward                               v̇ = s − Kᵀ X A_p           A = X A_p + S v̇
//! ```
//! Links are asked for first; then each push costs the joints between its link and the root, and those that carry a link asked
//! for. Links under one root answer to each other, others do not.

use super::Scratch;
use crate::articulated::{Articulated, Rigid};
use crate::joints::{read_twist, write_twist};
use crate::ldl::Ldl;
use crate::step::{Kind, Step};
use crate::{Kinematics, Loads, Tree, Twist, Wrench};
use bristle_math::Real;
use nalgebra::Vector3;
use std::ops::Range;

/// Something that pushes a link asked for.
#[derive(Debug, Clone, Copy)]
pub enum Push<T> {
    /// A wrench on a link at its origin, in world axes.
    On(usize, Wrench<T>),
    /// An effort along a velocity of the joint of a link, one of at most three freedoms.
    Along {
        /// The link that the joint moves.
        link: usize,
        /// Where the velocity stands in `v`.
        v: usize,
        /// N m or N.
        effort: T,
    },
}

impl<T> Push<T> {
    /// The link that is pushed.
    pub fn link(&self) -> usize {
        let (Self::On(link, _) | Self::Along { link, .. }) = self;
        *link
    }
}

/// Answers of links to pushes. Buffers grow with the first question and with every larger one.
#[derive(Debug, Clone)]
pub struct Response<T> {
    links: Vec<Answer<T>>,
    /// s of each velocity.
    starts: Vec<T>,
    /// v̇ of each velocity, where a link asked for has it.
    rates: Vec<T>,
    /// Rows of D⁻¹ of the joints asked for.
    inverses: Vec<[T; 3]>,
    /// Inertias of the floating links asked for.
    bases: Vec<Ldl<T, 6>>,
    /// Links asked for and what carries them, by root, parents first.
    asked: Vec<usize>,
    /// Roots of the links that were pushed last.
    pushed: [usize; 2],
}

/// What is known of one link.
#[derive(Debug, Clone)]
struct Answer<T> {
    /// Its place among the steps; none for a free body in world axes, and for what stands still alone.
    step: Option<usize>,
    /// What a force on it is passed on to.
    heir: Option<usize>,
    /// The last of those.
    root: usize,
    is_asked: bool,
    /// Of a root: the links asked for that it carries, itself included.
    group: Range<usize>,
    /// Of a link that floats: its inertia.
    base: usize,
    /// Σ w of a link that floats.
    push: Wrench<T>,
    /// A
    rest: Twist<T>,
}

impl<T: Real> Response<T> {
    /// Nothing is asked yet.
    pub fn new() -> Self {
        let (starts, rates) = (vec![], vec![]);
        Self { links: vec![], starts, rates, inverses: vec![], bases: vec![], asked: vec![], pushed: [0; 2] }
    }

    /// Forgets what was asked; `count` links may be asked for without allocating.
    pub fn clear(&mut self, tree: &Tree<T>, count: usize) {
        if self.links.len() != tree.links().len() {
            self.links = answers(tree);
            self.starts = vec![T::lit(0.0); tree.nv()];
            self.rates = vec![T::lit(0.0); tree.nv()];
            self.inverses = vec![[T::lit(0.0); 3]; tree.nv()];
            self.asked.reserve(tree.links().len());
        }
        self.asked.drain(..).for_each(|link| self.links[link].is_asked = false);
        self.bases.clear();
        self.bases.reserve(count.min(tree.links().len()));
    }

    /// Wants to know how `link` answers.
    pub fn ask(&mut self, link: usize) {
        let mut next = Some(link);
        while let Some(i) = next.filter(|&i| !self.links[i].is_asked) {
            self.links[i].is_asked = true;
            self.asked.push(i);
            next = self.links[i].heir;
        }
    }

    /// What `link` hangs on: links under different roots do not answer to each other.
    pub fn root(&self, link: usize) -> usize {
        self.links[link].root
    }

    /// What the last [`Tree::respond`] adds to the acceleration of a link asked for, at its origin; none if nothing.
    pub fn of(&self, link: usize) -> Option<&Twist<T>> {
        let answer = &self.links[link];
        self.pushed.contains(&answer.root).then_some(&answer.rest)
    }

    /// What it adds to v̇ of a velocity of the joint of a link asked for, one of at most three freedoms.
    pub fn along(&self, link: usize, v: usize) -> Option<T> {
        self.pushed.contains(&self.links[link].root).then_some(self.rates[v])
    }
}

impl<T: Real> Default for Response<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// All links before anything is asked.
fn answers<T: Real>(tree: &Tree<T>) -> Vec<Answer<T>> {
    let empty = |root: usize| Answer {
        step: None,
        heir: None,
        root,
        is_asked: false,
        group: 0..0,
        base: 0,
        push: Wrench::zero(),
        rest: Twist::zero(),
    };
    let mut links: Vec<Answer<T>> = (0..tree.links().len()).map(empty).collect();
    for (number, step) in tree.steps().iter().enumerate() {
        let heir = step.heir.filter(|_| !matches!(step.kind, Kind::Base | Kind::Lone));
        let root = heir.map_or(step.link, |heir| links[heir].root);
        let link = &mut links[step.link];
        (link.step, link.heir, link.root) = (Some(number), heir, root);
    }
    links
}

impl<T: Real> Tree<T> {
    /// Whether a force on `link` moves it: not what stands still or is driven, nor what is fixed to such.
    pub fn is_pushable(&self, link: usize) -> bool {
        let (of, node) = (&self.links()[link], &self.nodes()[link]);
        match (node.is_still, of.joint.nv()) {
            (true, _) => false,
            (false, 0) => of.parent.is_some_and(|parent| self.is_pushable(parent)),
            _ => true,
        }
    }

    /// By how much the velocity of a link at its origin changes beyond gravity, 1/s, if it were to stay where it is: as what gives way sees it, after
    /// [`Tree::accelerations_under`].
    pub fn acceleration_beyond_gravity(
        &self,
        link: usize,
        vdot: &[T],
        gravity: &Vector3<T>,
        ws: &Scratch<T>,
    ) -> Twist<T> {
        if self.nodes()[link].free.as_ref().is_some_and(|free| free.is_aligned) {
            let mut all = read_twist(&vdot[self.v_range(link)]);
            all.linear -= gravity;
            return all;
        }
        ws.links[link].steady + ws.links[link].rest
    }

    /// Gets the links asked for ready to answer, after [`Tree::accelerations_under`] with the same loads.
    pub fn prepare(&self, kin: &Kinematics<T>, loads: &Loads<'_, T>, ws: &Scratch<T>, r: &mut Response<T>) {
        let Response { links, asked, .. } = r;
        asked.sort_unstable_by_key(|&link| (links[link].root, link));
        for at in 0..r.asked.len() {
            let link = r.asked[at];
            let root = r.links[link].root;
            // the root comes first of its group, for it has the lowest number
            r.links[root].group = if link == root { at..at + 1 } else { r.links[root].group.start..at + 1 };
            let step = r.links[link].step.map(|number| &self.steps()[number]);
            match step.map(|step| (step, step.kind)) {
                None | Some((_, Kind::Lone)) => {
                    let Some(body) = &self.nodes()[link].free else { continue };
                    let turn = kin.links[link].pose.rotation.to_rotation_matrix().into_inner();
                    let mut all = Articulated::rigid(&Rigid::new(&body.inertia).turned(&turn));
                    if let Some(by) = loads.yields.and_then(|yields| yields.link(link)) {
                        all.add(by);
                    }
                    r.float(link, &all);
                }
                Some((_, Kind::Base)) => r.float(link, &ws.links[link].inertia),
                Some((step, Kind::Turn | Kind::Shift)) => self.invert::<1>(step, kin, loads, ws, r),
                Some((step, Kind::Two)) => self.invert::<2>(step, kin, loads, ws, r),
                Some((step, Kind::Three)) => self.invert::<3>(step, kin, loads, ws, r),
                Some((_, Kind::Fixed | Kind::Still | Kind::Driven)) => {}
            }
        }
    }

    /// D⁻¹ of a joint.
    fn invert<const N: usize>(
        &self,
        step: &Step<T>,
        kin: &Kinematics<T>,
        loads: &Loads<'_, T>,
        ws: &Scratch<T>,
        r: &mut Response<T>,
    ) {
        let columns = kin.columns(step.v..step.v + N);
        let held: [Wrench<T>; N] = std::array::from_fn(|k| ws.links[step.link].inertia.apply(&columns[k]));
        let mut inertia: [[T; N]; N] =
            std::array::from_fn(|r| std::array::from_fn(|c| columns[r].power(&held[c])));
        for (k, row) in inertia.iter_mut().enumerate() {
            row[k] += loads.added(step.v + k, self.armature()[step.v + k]);
        }
        let factors = Ldl::<T, N>::new(&inertia);
        for c in 0..N {
            let column = factors.inverse_column(c);
            (0..N).for_each(|row| r.inverses[step.v + row][c] = column[row]);
        }
    }

    /// Adds a push on a link asked for to those that [`Tree::settle`] takes together.
    pub fn push(&self, kin: &Kinematics<T>, ws: &Scratch<T>, push: &Push<T>, r: &mut Response<T>) {
        let (mut at, mut wrench, mut own) = match *push {
            Push::On(link, wrench) => (link, wrench, None),
            Push::Along { link, v, effort } => (link, Wrench::zero(), Some((v, effort))),
        };
        loop {
            let Some(step) = r.links[at].step.map(|number| &self.steps()[number]) else {
                return r.links[at].push += wrench;
            };
            let count = match step.kind {
                Kind::Base | Kind::Lone => return r.links[at].push += wrench,
                Kind::Turn | Kind::Shift => 1,
                Kind::Two => 2,
                Kind::Three => 3,
                Kind::Fixed | Kind::Still | Kind::Driven => 0,
            };
            let range = step.v..step.v + count;
            let mut along = [T::lit(0.0); 3];
            for (along, column) in along.iter_mut().zip(kin.columns(range.clone())) {
                *along = column.power(&wrench);
            }
            if let Some((v, effort)) = own.take() {
                along[v - range.start] += effort;
            }
            for k in range.clone() {
                let row = &r.inverses[k];
                r.starts[k] += (0..count).fold(T::lit(0.0), |sum, c| sum + row[c] * along[c]);
            }
            for (gain, along) in ws.gain[range].iter().zip(along) {
                wrench = wrench - *gain * along;
            }
            let Some(heir) = step.heir else { return };
            wrench = wrench.at(&-ws.links[at].offset);
            at = heir;
        }
    }

    /// What two pushes, each on a link asked for, add to the accelerations of links asked for: see [`Response::of`] and [`Response::along`].
    pub fn respond(&self, kin: &Kinematics<T>, ws: &Scratch<T>, pushes: &[Push<T>; 2], r: &mut Response<T>) {
        pushes.iter().for_each(|push| self.push(kin, ws, push, r));
        r.pushed = [r.root(pushes[0].link()), r.root(pushes[1].link())];
        let [first, second] = r.pushed;
        self.answer(first, kin, ws, r);
        if second != first {
            self.answer(second, kin, ws, r);
        }
    }

    /// Outward under one root, as far as links are asked for.
    fn answer(&self, root: usize, kin: &Kinematics<T>, ws: &Scratch<T>, r: &mut Response<T>) {
        for at in r.links[root].group.clone() {
            let link = r.asked[at];
            match r.links[link].step.map(|number| &self.steps()[number]) {
                Some(step) if !matches!(step.kind, Kind::Base | Kind::Lone) => {
                    self.pass_on(step, kin, ws, r, |_, _| {});
                }
                _ => r.start_floating(link),
            }
        }
    }

    /// v̇ and A of a joint, given A of what carries it; leaves nothing behind in s.
    fn pass_on(
        &self,
        step: &Step<T>,
        kin: &Kinematics<T>,
        ws: &Scratch<T>,
        r: &mut Response<T>,
        mut rate_of: impl FnMut(usize, T),
    ) {
        let offset = &ws.links[step.link].offset;
        let carried = step.heir.map_or_else(Twist::zero, |heir| r.links[heir].rest.at(offset));
        let mut total = carried;
        for k in self.v_range(step.link) {
            let rate = r.starts[k] - carried.power(&ws.gain[k]);
            r.starts[k] = T::lit(0.0);
            r.rates[k] = rate;
            total += kin.columns(k..k + 1)[0] * rate;
            rate_of(k, rate);
        }
        r.links[step.link].rest = total;
    }

    /// Adds to `v̇` what all wrenches since the last answer add to it.
    pub fn settle(&self, kin: &Kinematics<T>, ws: &Scratch<T>, r: &mut Response<T>, vdot: &mut [T]) {
        for at in 0..r.asked.len() {
            let link = r.asked[at];
            if r.links[link].step.is_none() {
                r.start_floating(link);
                let more = r.links[link].rest;
                let own = &mut vdot[self.v_range(link)];
                write_twist(&(read_twist(own) + more), own);
            }
        }
        for step in self.steps() {
            let link = step.link;
            match step.kind {
                Kind::Still | Kind::Driven => {}
                Kind::Base | Kind::Lone => {
                    r.links[link].rest = Twist::zero();
                    if r.links[link].is_asked {
                        r.start_floating(link);
                    }
                    let offset = &ws.links[link].offset;
                    let carried = step.heir.map_or_else(Twist::zero, |heir| r.links[heir].rest.at(offset));
                    let more = (r.links[link].rest - carried).rotated(&self.joint_axes(kin, link).inverse());
                    let own = &mut vdot[self.v_range(link)];
                    write_twist(&(read_twist(own) + more), own);
                }
                _ => self.pass_on(step, kin, ws, r, |k, rate| vdot[k] += rate),
            }
        }
    }
}

impl<T: Real> Response<T> {
    /// Keeps the inertia of a link that floats.
    fn float(&mut self, link: usize, inertia: &Articulated<T>) {
        self.links[link].base = self.bases.len();
        self.bases.push(Ldl::new(&inertia.rows()));
    }

    /// A of a link that floats; leaves nothing behind of what pushed it.
    fn start_floating(&mut self, link: usize) {
        let answer = &mut self.links[link];
        let Wrench { torque: t, force: f } = answer.push;
        let x = self.bases[answer.base].solve([t.x, t.y, t.z, f.x, f.y, f.z]);
        answer.rest = read_twist(&x);
        answer.push = Wrench::zero();
    }
}
