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
//! On the ground gravity has it too where nothing else acts, so that a pendulum does; beside other forces it has not, for what rests has a weight and a force that make up for each
//! other, and the loss of one alone says nothing. Of a tree that floats gravity moves the common centre only, which is left as it is.
//!
//! Left out: free bodies, which are exact, trees that only slide, and what hangs on driven links.

use crate::articulated::Rigid;
use crate::joints::{bias, write_twist};
use crate::step::{Kind, Step};
use crate::whirl::solve;
use crate::{Driven, Joint, Kinematics, Tree, Twist, Wrench};
use bristle_math::{Real, select};
use nalgebra::{Matrix3, Vector3};

/// Of the energy at play, what is rounding and not an excess.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Bounds of s²: a motion that has less energy than it has too much ends, one that stands still is not set going.
const SCALES: [f64; 2] = [1e-12, 2.0];

/// What is remembered of a step until its end.
#[derive(Debug, Clone)]
pub struct Balance<T> {
    /// Places of their links among the steps, parents first.
    trees: Vec<Vec<usize>>,
    /// Twists of links at the start.
    before: Vec<Twist<T>>,
    /// B of links: what they accelerate at v̇ = 0.
    drifts: Vec<Twist<T>>,
    /// All links at the end.
    end: Kinematics<T>,
    q: Vec<T>,
}

/// A step as the bodies have gone through it.
#[derive(Debug, Clone, Copy)]
pub struct Stride<'a, T> {
    /// Its length, s.
    pub step: T,
    /// Positions at its start and their mean rates.
    pub q: [&'a [T]; 2],
    /// Velocities at its start and its end.
    pub v: [&'a [T]; 2],
    /// Acceleration of gravity, m/s².
    pub gravity: Vector3<T>,
    /// Motion of each driven link.
    pub driven: &'a [Driven<T>],
}

impl<T: Real> Balance<T> {
    /// Room for all trees.
    pub fn new(tree: &Tree<T>) -> Self {
        let n = tree.links().len();
        let none = vec![Twist::zero(); n];
        let (before, drifts) = (none.clone(), none);
        Self {
            trees: trees(tree),
            before,
            drifts,
            end: Kinematics::new(tree),
            q: vec![T::lit(0.0); tree.nq()],
        }
    }

    /// Remembers how links move at the start of a step.
    pub fn start(&mut self, tree: &Tree<T>, kin: &Kinematics<T>) {
        for &number in self.trees.iter().flatten() {
            let link = tree.steps()[number].link;
            self.before[link] = *kin.twist(link);
        }
    }

    /// Changes `v̇` so that the step ends with the energy and the momentum that the forces give. `kin` has the poses of its start and the twists that go with the
    /// velocities of its end.
    pub fn settle(&mut self, tree: &Tree<T>, kin: &Kinematics<T>, by: &Stride<'_, T>, vdot: &mut [T]) {
        if self.trees.is_empty() {
            return;
        }
        let ([q, rates], h) = (by.q, by.step);
        self.q.iter_mut().zip(q.iter().zip(rates)).for_each(|(end, (q, rate))| *end = *q + h * *rate);
        tree.kinematics(&self.q, by.v[1], by.driven, &mut self.end);
        let Self { trees, before, drifts, end, .. } = self;
        for numbers in trees.iter() {
            let steps = numbers.iter().map(|&number| &tree.steps()[number]);
            let (mut early, mut late, mut moved) = (Sums::zero(), Sums::zero(), Work::zero());
            let root = &tree.steps()[numbers[0]];
            for step in steps.clone() {
                let link = step.link;
                drifts[link] = tree.velocity_drift(step, kin, by.v[0], before, drifts);
                let body = step.body.turned(kin.turn(link));
                let change = *kin.twist(link) - before[link];
                let bias = body.force(&drifts[link], &before[link].angular) * h;
                early.add(&body, &(kin.origin(link) - kin.origin(root.link)), kin.twist(link), &bias);
                let gained = momentum(&body, &change);
                moved.add(&gained, &bias, [&change, kin.twist(link)]);
                moved.weight += by.gravity.dot(&gained.force) * h * T::lit(0.5);
                let body = step.body.turned(end.turn(link));
                late.add(
                    &body,
                    &(end.origin(link) - end.origin(root.link)),
                    end.twist(link),
                    &Wrench::zero(),
                );
                for k in tree.v_range(link) {
                    let (a, [before, after]) = (tree.armature()[k], by.v.map(|v| v[k]));
                    moved.taken += T::lit(0.5) * a * (after - before).squared();
                    early.twice += a * after.squared();
                    late.twice += a * after.squared();
                }
            }
            let fallen =
                late.moment - early.moment + (end.origin(root.link) - kin.origin(root.link)) * early.mass;
            let height = by.gravity.dot(&(early.speed * h - fallen));
            let play = (kin.origin(root.link).norm() + T::lit(1.0)) * early.mass * by.gravity.norm();
            let excess = height - moved.bias - moved.taken + moved.loss(root.kind == Kind::Base);
            let excess = |gain: T| beyond(gain + excess, (play + late.twice) * T::lit(ROUNDING));
            if root.kind != Kind::Base {
                let all = late.twice * T::lit(0.5);
                let scale = scale(excess(all - early.twice * T::lit(0.5)), all) - T::lit(1.0);
                for k in steps.flat_map(|step| tree.v_range(step.link)) {
                    vdot[k] += by.v[1][k] * scale / h;
                }
                continue;
            }
            let turn = late.catch_up(&early);
            let rest = late.beyond_translation() + turn.energy;
            let gain = early.momentum.force.norm_squared() / early.mass - early.twice;
            let scale = scale(excess(rest + gain * T::lit(0.5)), rest);
            for k in steps.skip(1).flat_map(|step| tree.v_range(step.link)) {
                vdot[k] += by.v[1][k] * (scale - T::lit(1.0)) / h;
            }
            let old = *end.twist(root.link);
            let common = [&late, &early].map(|sums| sums.momentum.force / early.mass);
            let rest = old.linear - common[0] - turn.spin.cross(&late.center());
            let new = Twist { angular: (old.angular + turn.spin) * scale, linear: common[1] + rest * scale };
            let mut change = [T::lit(0.0); 6];
            write_twist(&(new - old).rotated(&tree.joint_axes(end, root.link).inverse()), &mut change);
            vdot[tree.v_range(root.link)].iter_mut().zip(change).for_each(|(rate, more)| *rate += more / h);
        }
    }
}

/// Links that hang together by joints, each tree by itself.
fn trees<T: Real>(tree: &Tree<T>) -> Vec<Vec<usize>> {
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
    found.retain(|numbers| {
        numbers.iter().any(|&number| tree.links()[tree.steps()[number].link].joint.rotates())
    });
    found
}

impl<T: Real> Tree<T> {
    /// B of a link, given that of what carries it: see [`Tree::link_accelerations`].
    fn velocity_drift(
        &self,
        step: &Step<T>,
        kin: &Kinematics<T>,
        v: &[T],
        twists: &[Twist<T>],
        drifts: &[Twist<T>],
    ) -> Twist<T> {
        let (i, range) = (step.link, self.v_range(step.link));
        let mut own = Twist::zero();
        if let joint @ Joint::Universal { .. } = &self.links()[i].joint {
            own.angular = bias(joint, kin.columns(range.clone()), &v[range]);
        }
        let Some(parent) = step.heir else { return own };
        let (offset, carrier) = (kin.origin(i) - kin.origin(parent), &twists[parent]);
        let (spin, carried) = (&carrier.angular, carrier.at(&offset));
        let relative = twists[i] - carried;
        let drift = Twist {
            angular: spin.cross(&relative.angular),
            linear: spin.cross(&(spin.cross(&offset) + relative.linear * T::lit(2.0))),
        };
        drifts[parent].at(&offset) + drift + own
    }
}

/// What the bodies of a tree have together, about the origin of its root.
struct Sums<T> {
    mass: T,
    /// Mass times place.
    moment: Vector3<T>,
    /// Mass times velocity.
    speed: Vector3<T>,
    rotational: Matrix3<T>,
    /// With what the bias adds over the step.
    momentum: Wrench<T>,
    /// 2 T
    twice: T,
}

/// What a step does to a tree, J.
struct Work<T> {
    /// h v⁺·c
    bias: T,
    /// ½h Δv·c
    mean: T,
    /// ½ Δv·M Δv
    taken: T,
    /// ½h Δv·g
    weight: T,
}

/// How a tree is to turn besides.
struct Turn<T> {
    spin: Vector3<T>,
    energy: T,
}

impl<T: Real> Work<T> {
    fn zero() -> Self {
        let zero = T::lit(0.0);
        Self { bias: zero, mean: zero, taken: zero, weight: zero }
    }

    /// What stays lost: ½ Δv·h (f + g), on the ground with the less of g the more it alone acts, w = 1 − |Δv·f| / |Δv·g|.
    fn loss(&self, floats: bool) -> T {
        let (all, zero) = (self.taken + self.mean, T::lit(0.0));
        if floats {
            return all.positive();
        }
        let (others, weight) = ((all - self.weight).abs(), self.weight.abs());
        let alone = (weight - others).positive() / weight.max(T::lit(f64::MIN_POSITIVE));
        (all - self.weight * alone.squared()).max(zero)
    }

    fn add(&mut self, gained: &Wrench<T>, bias: &Wrench<T>, [change, after]: [&Twist<T>; 2]) {
        let half = T::lit(0.5);
        self.bias += after.power(bias);
        self.mean += change.power(bias) * half;
        self.taken += change.power(gained) * half;
    }
}

impl<T: Real> Sums<T> {
    fn zero() -> Self {
        let (zero, none) = (T::lit(0.0), Vector3::zeros());
        let (rotational, momentum) = (Matrix3::zeros(), Wrench::zero());
        Self { mass: zero, moment: none, speed: none, rotational, momentum, twice: zero }
    }

    /// A body at a place.
    fn add(&mut self, body: &Rigid<T>, at: &Vector3<T>, twist: &Twist<T>, more: &Wrench<T>) {
        let own = momentum(body, twist);
        let place = at * body.mass + body.moment;
        self.mass += body.mass;
        self.moment += place;
        self.speed += own.force;
        self.twice += twist.power(&own);
        self.momentum += (own + *more).at(&-at);
        // m (a·a 1 − a aᵀ) + 2 a·μ 1 − a μᵀ − μ aᵀ, with μ = m c
        let mixed = at * (place + body.moment).transpose();
        self.rotational += body.rotational.full() + Matrix3::from_diagonal_element(mixed.trace());
        self.rotational -= at * place.transpose() + body.moment * at.transpose();
    }

    /// The common centre from the origin of the root.
    fn center(&self) -> Vector3<T> {
        self.moment / self.mass
    }

    /// T − ½ m v_c²
    fn beyond_translation(&self) -> T {
        (self.twice - self.momentum.force.norm_squared() / self.mass) * T::lit(0.5)
    }

    /// The rotation about the common centre that is missing of the angular momentum of others.
    fn catch_up(&self, other: &Self) -> Turn<T> {
        let c = self.center();
        let inertia =
            self.rotational - (Matrix3::from_diagonal_element(c.dot(&c)) - c * c.transpose()) * self.mass;
        let [own, all] = [self, other].map(|sums| sums.momentum.at(&sums.center()).torque);
        let spin = solve(&inertia, &(all - own));
        // nothing to turn: all mass on one line
        let size = inertia.trace();
        let columns: [Vector3<T>; 3] = std::array::from_fn(|k| inertia.column(k).into_owned());
        let volume = columns[0].dot(&columns[1].cross(&columns[2]));
        let is_solid = volume.simd_gt(size * size * size * T::lit(1e-12));
        let spin = spin.map(|x| select(is_solid, x, T::lit(0.0)));
        Turn { spin, energy: spin.dot(&(own + inertia * spin * T::lit(0.5))) }
    }
}

/// I V of a rigid body.
fn momentum<T: Real>(body: &Rigid<T>, twist: &Twist<T>) -> Wrench<T> {
    let Twist { angular, linear } = twist;
    Wrench {
        torque: &body.rotational * angular + body.moment.cross(linear),
        force: linear * body.mass + angular.cross(&body.moment),
    }
}

/// What of an excess is more than rounding.
fn beyond<T: Real>(excess: T, rounding: T) -> T {
    (excess - rounding).positive() - (-excess - rounding).positive()
}

/// s of a motion with some energy, part of which is in excess.
fn scale<T: Real>(excess: T, energy: T) -> T {
    let [low, high] = SCALES.map(T::lit);
    let has_any = energy.simd_gt(T::lit(f64::MIN_POSITIVE));
    let rest = T::lit(1.0) - excess / select(has_any, energy, T::lit(1.0));
    select(has_any, rest.max(low).min(high).sqrt(), T::lit(1.0))
}
