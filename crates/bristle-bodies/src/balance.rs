//! Energy and momentum of trees of joints over a long step.
//!
//! A step v⁺ = v + Δv, q⁺ = q ⊕ h v⁺ with M Δv = h (f + g − c), all at q, ends with another inertia than it was made with. With the work h v⁺·f of what acts
//! besides gravity g it gains
//!
//! ```text
//! T(q⁺, v⁺) − T(q, v) + ΔV − h v⁺·f  =  ½ v⁺·(M⁺ − M) v⁺ + (ΔV + h v⁺·g) − h v̄·c  −  ½ Δv·h (f + g)          v̄ = v + ½Δv
//!                                       └──────────── inconsistent ────────────┘     └─ taken by steps ─┘
//! ```
//! The last term is what a step with forces at its end takes out of any motion; where it is a loss it stays. All else is made good by the velocity at the end: that of the
//! common centre and the rotation about it are set by the momentum and the angular momentum that the forces give, and what is beyond the uniform translation is
//! scaled, s² = 1 − excess / T. A tree on still ground has no momentum of its own and is scaled as a whole. The bias c has the mean velocity, as in [`crate::whirl`]: a tree that turns freely keeps its energy.
//!
//! Gravity has it too where nothing else acts, and there positions go on with its mean ([`Balance::passage`]): a pendulum and what falls lose nothing. Beside other forces it has not, for what
//! rests has a weight and a force that make up for each other, and the loss of one alone says nothing.
//!
//! Contacts may have given a tree more than they were given, for its links go along arcs ([`Balance::give`]). What of that is more than the step takes is in excess, too. Where the motion beyond the
//! translation has not that much, the translation pays the rest: momentum is then not kept, which no contact with the ground keeps.
//!
//! Left out: free bodies, which are exact once they fall with the mean, trees that only slide, and what hangs on driven links.

use crate::articulated::Rigid;
use crate::joints::write_twist;
use crate::step::Kind;
use crate::weights::{Sums, Work, beyond, scale};
use crate::{Kinematics, Loads, Scratch, Tree, Twist, Wrench};
use bristle_math::{Real, Scalar};
use nalgebra::Vector3;

/// Of the energy at play, what is rounding and not an excess.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A momentum that is that of free fall up to this part of what gravity gives.
const FALLS: f64 = 1e-9;
/// The part of its energy of motion that a tree can pay: less than all, for the end has another inertia than the start.
const PAYABLE: f64 = 0.5;

/// What is remembered of a step until its end.
#[derive(Debug, Clone)]
pub struct Balance<T> {
    trees: Vec<Grown<T>>,
    /// The tree of each link.
    of: Vec<Option<usize>>,
    /// Bodies that nothing holds.
    free: Vec<usize>,
    /// Twists of links at the start.
    before: Vec<Twist<T>>,
    /// Momenta of links with the velocity at the end and the poses of the start.
    momenta: Vec<Wrench<T>>,
}

/// Links that hang together by joints.
#[derive(Debug, Clone)]
struct Grown<T> {
    /// Their places among the steps, parents first.
    numbers: Vec<usize>,
    mass: T,
    /// What contacts have given it, J.
    given: T,
    weighed: Weighed<T>,
}

/// A tree that moves with the velocity of the end, where it is at the start.
#[derive(Debug, Clone, Copy)]
struct Weighed<T> {
    /// Energy of height, as far as rounding goes, J.
    play: T,
    sums: Sums<T>,
    moved: Work<T>,
    /// How far gravity acts alone, from 0 to 1.
    alone: T,
    /// What stays lost, J.
    loss: T,
    /// Whether nothing moves by more than rounding.
    rests: bool,
}

/// What acts on links and joints over a step besides gravity.
#[derive(Debug, Clone, Copy)]
pub struct Acts<'a, T> {
    /// What the accelerations were found with.
    pub loads: &'a Loads<'a, T>,
    /// Links that touch something, or may within the step, or have a joint that is tied to another.
    pub is_held: &'a [bool],
}

/// A step as the bodies have gone through it.
#[derive(Debug, Clone, Copy)]
pub struct Stride<'a, T> {
    /// Its length, s.
    pub step: T,
    /// Velocities at its start and its end.
    pub v: [&'a [T]; 2],
    /// Acceleration of gravity, m/s².
    pub gravity: Vector3<T>,
}

impl<T: Scalar> Grown<T> {
    /// The part of its energy of motion that it owes to contacts.
    fn owes(&self) -> f64 {
        let Weighed { sums, loss, rests, .. } = &self.weighed;
        if *rests { 0.0 } else { 2.0 * (self.given - *loss).value() / sums.twice.value() }
    }
}

impl<T: Scalar> Balance<T> {
    /// Room for all trees.
    pub fn new(tree: &Tree<T>) -> Self {
        let n = tree.links().len();
        let (trees, of) = trees(tree);
        let is_free = |&link: &usize| {
            let is_carried = tree.links()[link].parent.is_some_and(|parent| !tree.is_still(parent));
            tree.nodes()[link].free.is_some() && !is_carried
        };
        let free = (0..n).filter(is_free).collect();
        Self { trees, of, free, before: vec![Twist::zero(); n], momenta: vec![Wrench::zero(); n] }
    }

    /// Whether there is nothing to be balanced.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// The tree that a link belongs to, after [`Balance::weigh`]; none for one that rests, which has nothing to pay with.
    pub fn moving_tree(&self, link: usize) -> Option<usize> {
        self.of[link].filter(|&tree| !self.trees[tree].weighed.rests)
    }

    /// Remembers how links move at the start of a step.
    pub fn start(&mut self, tree: &Tree<T>, kin: &Kinematics<T>) {
        for &number in self.trees.iter().flat_map(|grown| &grown.numbers) {
            let link = tree.steps()[number].link;
            self.before[link] = *kin.twist(link);
        }
        self.free.iter().for_each(|&link| self.before[link] = *kin.twist(link));
    }

    /// What a contact gives to a tree beyond what it was given, J; what it takes is negative.
    pub fn give(&mut self, tree: usize, energy: T) {
        self.trees[tree].given += energy;
    }

    /// Weighs what moves, and forgets what was given. `kin` has the poses of the start and the twists that go with the velocities of the end, `ws` is what the accelerations were found with.
    pub fn weigh(
        &mut self,
        tree: &Tree<T>,
        (kin, ws): (&Kinematics<T>, &Scratch<T>),
        by: &Stride<'_, T>,
        acts: &Acts<'_, T>,
    ) {
        let Self { trees, before, momenta, .. } = self;
        for grown in trees {
            let steps = grown.numbers.iter().map(|&number| &tree.steps()[number]);
            let root = &tree.steps()[grown.numbers[0]];
            let mut sums = Sums::<T>::zero();
            for step in steps.clone() {
                let link = step.link;
                momenta[link] = ws.links[link].body.momentum(kin.twist(link));
                sums.twice += kin.twist(link).power(&momenta[link]);
                for k in tree.v_range(link) {
                    sums.twice += tree.armature()[k] * by.v[1][k].squared();
                }
            }
            let play = (kin.origin(root.link).norm() + T::lit(1.0)) * grown.mass * by.gravity.norm();
            let (mut moved, mut pushed) = (Work::zero(), Vector3::zeros());
            let rests = sums.twice.value() <= (play * T::lit(ROUNDING)).value();
            if !rests {
                for step in steps.clone() {
                    let link = step.link;
                    let body = &ws.links[link].body;
                    let change = *kin.twist(link) - before[link];
                    let bias = ws.links[link].velocity_bias() * by.step;
                    let at = kin.origin(link) - kin.origin(root.link);
                    sums.moment += at * body.mass + body.moment;
                    sums.speed += momenta[link].force;
                    sums.momentum += (momenta[link] + bias).at(&-at);
                    let gained = body.momentum(&change);
                    moved.add(&gained, &bias, [&change, kin.twist(link)]);
                    pushed += gained.force + bias.force;
                    moved.weight += by.gravity.dot(&gained.force) * by.step * T::lit(0.5);
                    for k in tree.v_range(link) {
                        let [before, after] = by.v.map(|v| v[k]);
                        moved.taken += T::lit(0.5) * tree.armature()[k] * (after - before).squared();
                    }
                }
            }
            let alone = match root.kind {
                _ if rests || steps.clone().any(|step| acts.holds(step.link)) => T::lit(0.0),
                Kind::Base if by.falls(&(pushed / grown.mass)) => T::lit(1.0),
                Kind::Base => T::lit(0.0),
                _ => {
                    let work = |link: usize| acts.work(tree, link, &(*kin.twist(link) - before[link]), by);
                    moved.alone(steps.map(|step| work(step.link)).fold(T::lit(0.0), |all, one| all + one))
                }
            };
            let loss = moved.loss(alone);
            (grown.given, grown.weighed) = (T::lit(0.0), Weighed { play, sums, moved, alone, loss, rests });
        }
    }

    /// The velocities that positions go on with, after [`Balance::weigh`]: those of the end, with gravity that acts alone in its mean. So what falls
    /// goes along a parabola.
    pub fn passage(
        &self,
        tree: &Tree<T>,
        kin: &Kinematics<T>,
        by: &Stride<'_, T>,
        acts: &Acts<'_, T>,
        passage: &mut [T],
    ) {
        let [before, after] = by.v;
        passage.copy_from_slice(after);
        for &link in self.free.iter().filter(|&&link| !acts.holds(link)) {
            let (old, new) = (self.before[link], kin.twist(link));
            let center = kin.links[link].pose.rotation * tree.links()[link].inertia.center;
            let change = *new - old;
            let arc = old.angular.cross(&old.angular.cross(&center)) * by.step;
            if by.falls(&(change.linear + change.angular.cross(&center) + arc)) {
                by.fall(tree, kin, link, passage);
            }
        }
        for grown in self.trees.iter().filter(|grown| grown.weighed.alone.value() > 0.0) {
            let root = &tree.steps()[grown.numbers[0]];
            if root.kind == Kind::Base {
                by.fall(tree, kin, root.link, passage);
                continue;
            }
            let part = grown.weighed.alone * T::lit(0.5);
            for k in grown.numbers.iter().flat_map(|&number| tree.v_range(tree.steps()[number].link)) {
                passage[k] -= part * (after[k] - before[k]);
            }
        }
    }

    /// Largest part of the energy of motion of a tree that is owed to contacts.
    pub fn owed(&self) -> f64 {
        self.trees.iter().map(Grown::owes).fold(0.0, f64::max)
    }

    /// Halves the way of trees that contacts have given more than they could pay, and forgets what those gave. Answers whether there are any.
    pub fn shorten(&mut self, tree: &Tree<T>, passage: &mut [T]) -> bool {
        let is_poor = |grown: &Grown<T>| grown.owes() > PAYABLE;
        if !self.trees.iter().any(is_poor) {
            return false;
        }
        for grown in &mut self.trees {
            if is_poor(grown) {
                let own = grown.numbers.iter().flat_map(|&number| tree.v_range(tree.steps()[number].link));
                own.for_each(|k| passage[k] *= T::lit(0.5));
            }
            grown.given = T::lit(0.0);
        }
        true
    }

    /// Changes `v̇` so that the step ends with the energy and the momentum that the forces give, after [`Balance::weigh`]. `end` has poses and twists of the end.
    pub fn settle(
        &mut self,
        tree: &Tree<T>,
        [kin, end]: [&Kinematics<T>; 2],
        by: &Stride<'_, T>,
        vdot: &mut [T],
    ) {
        for grown in self.trees.iter().filter(|grown| !grown.weighed.rests) {
            let Weighed { play, sums: early, moved, loss, .. } = &grown.weighed;
            let steps = grown.numbers.iter().map(|&number| &tree.steps()[number]);
            let root = &tree.steps()[grown.numbers[0]];
            let (mut late, mut all) = (Sums::zero(), Rigid::zero());
            for step in steps.clone() {
                let link = step.link;
                let body = step.body.turned(end.turn(link));
                let at = end.origin(link) - end.origin(root.link);
                let own = body.momentum(end.twist(link));
                late.twice += end.twist(link).power(&own);
                late.momentum += own.at(&-at);
                all.add(&body.seen_from(&at));
                for k in tree.v_range(link) {
                    late.twice += tree.armature()[k] * by.v[1][k].squared();
                }
            }
            late.moment = all.moment;
            let (h, mass) = (by.step, grown.mass);
            let fallen = late.moment - early.moment + (end.origin(root.link) - kin.origin(root.link)) * mass;
            let height = by.gravity.dot(&(early.speed * h - fallen));
            let owed = (grown.given - *loss).positive();
            let excess = height - moved.bias - moved.taken + *loss + owed;
            let excess = |gain: T| beyond(gain + excess, (*play + late.twice) * T::lit(ROUNDING));
            if root.kind != Kind::Base {
                let all = late.twice * T::lit(0.5);
                let scale = scale(excess(all - early.twice * T::lit(0.5)), all) - T::lit(1.0);
                for k in steps.flat_map(|step| tree.v_range(step.link)) {
                    vdot[k] += by.v[1][k] * scale / h;
                }
                continue;
            }
            let turn = late.catch_up(early, &all);
            let rest = late.beyond_translation(mass) + turn.energy;
            let gain = early.momentum.force.norm_squared() / mass - early.twice;
            let excess = excess(rest + gain * T::lit(0.5));
            let scale_rest = scale(excess, rest);
            for k in steps.skip(1).flat_map(|step| tree.v_range(step.link)) {
                vdot[k] += by.v[1][k] * (scale_rest - T::lit(1.0)) / h;
            }
            let old = *end.twist(root.link);
            let common = [&late, early].map(|sums| sums.momentum.force / mass);
            // what the motion beyond the translation has not, the translation pays
            let together = common[1].norm_squared() * mass * T::lit(0.5);
            let common_end = common[1] * scale((excess - rest).positive(), together);
            let rest = old.linear - common[0] - turn.spin.cross(&(late.moment / mass));
            let new = Twist {
                angular: (old.angular + turn.spin) * scale_rest,
                linear: common_end + rest * scale_rest,
            };
            let mut change = [T::lit(0.0); 6];
            write_twist(&(new - old).rotated(&tree.joint_axes(end, root.link).inverse()), &mut change);
            vdot[tree.v_range(root.link)].iter_mut().zip(change).for_each(|(rate, more)| *rate += more / h);
        }
    }
}

impl<T: Scalar> Stride<'_, T> {
    /// Whether a centre whose velocity has changed by so much, m/s, has fallen freely.
    fn falls(&self, change: &Vector3<T>) -> bool {
        let fallen = self.gravity * self.step;
        (change - fallen).norm().value() <= FALLS * fallen.norm().value()
    }

    /// Takes from the velocity of a floating link what gravity adds to it beyond the mean.
    fn fall(&self, tree: &Tree<T>, kin: &Kinematics<T>, link: usize, passage: &mut [T]) {
        let linear = self.gravity * (self.step * T::lit(-0.5));
        let back = Twist { angular: Vector3::zeros(), linear };
        let mut change = [T::lit(0.0); 6];
        write_twist(&back.rotated(&tree.joint_axes(kin, link).inverse()), &mut change);
        passage[tree.v_range(link)].iter_mut().zip(change).for_each(|(v, change)| *v += change);
    }
}

impl<T: Real> Acts<'_, T> {
    /// Whether more acts on a link than a force that is known.
    fn holds(&self, link: usize) -> bool {
        self.is_held[link] || self.loads.yields.is_some_and(|yields| yields.link(link).is_some())
    }

    /// What a link and its joint do over half the `change` of their motion, each by itself and without its sign, J.
    fn work(&self, tree: &Tree<T>, link: usize, change: &Twist<T>, by: &Stride<'_, T>) -> T {
        let mut all = change.power(&self.loads.wrenches[link]).abs();
        for k in tree.v_range(link) {
            let gives = self.loads.yields.map_or(T::lit(0.0), |yields| yields.along(k));
            let change = by.v[1][k] - by.v[0][k];
            all += ((self.loads.effort(k) - gives * change / by.step) * change).abs();
        }
        all * by.step * T::lit(0.5)
    }
}

/// Links that hang together by joints, each tree by itself, and the tree of each link.
fn trees<T: Real>(tree: &Tree<T>) -> (Vec<Grown<T>>, Vec<Option<usize>>) {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut of = vec![None; tree.links().len()];
    for (number, step) in tree.steps().iter().enumerate() {
        let is_carried = step.parent.is_some_and(|parent| !tree.is_still(parent));
        let place = match step.kind {
            Kind::Still | Kind::Driven | Kind::Lone => None,
            Kind::Base if is_carried => None,
            _ if is_carried => step.heir.and_then(|heir| of[heir]),
            _ => {
                found.push(Vec::new());
                Some(found.len() - 1)
            }
        };
        of[step.link] = place;
        if let Some(place) = place {
            found[place].push(number);
        }
    }
    let link = |number: &usize| tree.steps()[*number].link;
    found.retain(|numbers| numbers.iter().any(|number| tree.links()[link(number)].joint.rotates()));
    of.fill(None);
    for (place, numbers) in found.iter().enumerate() {
        numbers.iter().for_each(|number| of[link(number)] = Some(place));
    }
    let mass = |numbers: &[usize]| {
        numbers.iter().fold(T::lit(0.0), |sum, number| sum + tree.links()[link(number)].inertia.mass)
    };
    let none = Weighed {
        play: T::lit(0.0),
        alone: T::lit(0.0),
        sums: Sums::zero(),
        moved: Work::zero(),
        loss: T::lit(0.0),
        rests: true,
    };
    let grow =
        |numbers: Vec<usize>| Grown { mass: mass(&numbers), numbers, given: T::lit(0.0), weighed: none };
    (found.into_iter().map(grow).collect(), of)
}

impl<T: Real> crate::aba::Work<T> {
    /// What the motion of joints asks for.
    fn velocity_bias(&self) -> Wrench<T> {
        self.carrying - self.body.momentum(&self.steady)
    }
}
