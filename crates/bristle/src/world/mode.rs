//! What is constant between commits: which pairs are near each other, which contacts touch, and where their
//! states stand in the flat vector.
//!
//! ```text
//! x = [ q | v | z of joints, z of every candidate contact | accounts of the world, accounts of every candidate pair ]
//! ```
//!
//! A slot belongs to a candidate contact (pair and feature), not to a touching one: it is there before the bodies
//! meet, so touchdown changes no length, and a pair that drifts out of reach gives it back.

use super::actuator::Held;
use super::model::{BodyShape, Interaction, Model, Place, Touching};
use super::number::{AnyNumber, Number};
use super::plain::Short;
use bristle_bodies::{Kinematics, Pose};
use bristle_geom::{Aabb, BroadScratch, Shape, candidate_pairs};
use bristle_laws::{FrictionLaw, NormalLaw, Phase};
use bristle_math::Vector3;
use bristle_ode::Layout;
use nalgebra::{Quaternion, UnitQuaternion};
use std::ops::Range;

/// Makes a length longer by more than rounding can.
const BEYOND_ROUNDING: f64 = 1.0 + 1e-12;

/// Accounts of the world as a whole, in this order.
pub const WORLD_ACCOUNTS: [&str; 10] = [
    "normal",
    "damper",
    "clutch",
    "viscous",
    "stiffness",
    "released",
    "spring_dampers",
    "joint_losses",
    "work",
    "actuators",
];
/// How many of them are losses: the first. The rest is work done from outside.
pub const LOSSES: usize = 8;
/// Accounts of a pair: the first six of the world's.
pub const PAIR_ACCOUNTS: usize = 6;
/// Index of `released` in both.
pub const RELEASED: usize = 5;
/// Index of the energy lost in springs' dampers.
pub const SPRING_DAMPERS: usize = 6;
/// Index of the energy lost in dampers, friction and stops of joints.
pub const JOINT_LOSSES: usize = 7;
/// Index of the work of forces and driven bodies.
pub const WORK: usize = 8;
/// Index of the work of actuators.
pub const ACTUATORS: usize = 9;

/// Scenes of up to this many shapes keep all pairs as candidates: cheaper than looking for the near ones.
pub(crate) const ALL_PAIRS: usize = 24;

/// A candidate pair of shapes.
#[derive(Debug, Clone, PartialEq)]
pub struct PairSlot<T: AnyNumber = f64> {
    /// Shapes, the first with the smaller index.
    pub shapes: [usize; 2],
    /// Its contacts.
    pub contacts: Range<usize>,
    /// Links that carry the shapes.
    pub links: [usize; 2],
    /// Whether those can move, so that what acts on them matters.
    pub moves: [bool; 2],
    /// The geometry.
    pub touching: Touching<T>,
    /// Its short form, if it has one.
    pub short: Option<Short<T>>,
    /// There is a gap where the frames of its shapes are further apart than this, m: endless if one has no end, or if they touch over a patch.
    pub reach: f64,
    /// Material.
    pub material: usize,
    /// Where its accounts stand in `x`.
    pub accounts: usize,
}

/// One patch of a candidate pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Its pair.
    pub pair: usize,
    /// Where it stands.
    pub phase: Phase,
    /// There was a gap after the last step: steps that end at touches do not feel it until then (`ahead.rs`).
    pub is_apart: bool,
    /// Where its states stand in `x`.
    pub z: usize,
}

/// A pose without derivatives.
fn plain<T: Number>(pose: &Pose<T>) -> Pose<f64> {
    let turn = Quaternion::from(pose.rotation.coords.map(|x| x.value()));
    Pose::from_parts(pose.translation.vector.map(|x| x.value()).into(), UnitQuaternion::new_unchecked(turn))
}

/// The discrete part of a world's state.
#[derive(Debug, Clone)]
pub struct Mode<T: AnyNumber = f64> {
    /// What the numbers of `x` are.
    pub layout: Layout,
    /// Candidate pairs, in order of their shapes.
    pub pairs: Vec<PairSlot<T>>,
    /// Their contacts, pair after pair.
    pub contacts: Vec<Contact>,
    /// Stops of joints, in the order of the model; `pair` has no meaning.
    pub stops: Vec<Contact>,
    /// Where all their states stand in `x`.
    pub stop_states: Range<usize>,
    /// Where the states of each friction of joints stand in `x`.
    pub frictions: Vec<usize>,
    /// What each motor is told.
    pub held: Vec<Held>,
    /// Link poses when the candidates were found.
    anchors: Vec<Pose<f64>>,
    /// How far the shapes of a link lie from its origin, m: what a turn moves.
    arms: Vec<f64>,
    /// How far a link may move before they are found anew, m; infinite if all pairs are kept.
    pub margin: f64,
    /// Whether all there is are free bodies on ground that stands still: see `rolling.rs`.
    pub(super) rolls: bool,
}

impl<T: Number> Model<T> {
    /// Pairs of shapes that interact and lie within reach of each other.
    fn near_pairs(&self, kin: &Kinematics<T>, margin: f64) -> Vec<[usize; 2]> {
        let n = self.shapes.len();
        let interacts = |a: usize, b: usize| self.can_meet(a, b) && self.interaction(a, b).is_some();
        if n <= ALL_PAIRS {
            let all = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b]));
            return all.filter(|[a, b]| interacts(*a, *b)).collect();
        }
        if self.interactions.iter().all(Option::is_none) {
            return Vec::new();
        }
        let grow = Vector3::repeat(margin);
        let boxes: Vec<Aabb> = self
            .shapes
            .iter()
            .map(|s| {
                let tight = s.shape.plain().aabb(&plain(&(kin.pose(s.link) * s.pose)));
                Aabb { min: tight.min - grow, max: tight.max + grow }
            })
            .collect();
        let movable: Vec<bool> = self.shapes.iter().map(|s| self.bodies[s.body].is_movable).collect();
        let mut pairs = Vec::new();
        candidate_pairs(&boxes, &movable, &mut pairs, &mut BroadScratch::default());
        let pairs = pairs.into_iter().map(|(a, b)| [a as usize, b as usize]);
        pairs.filter(|[a, b]| interacts(*a, *b)).collect()
    }

    /// The mode of a world in which nothing touches yet.
    pub(crate) fn mode(&self, kin: &Kinematics<T>) -> Mode<T> {
        let margin = if self.shapes.len() <= ALL_PAIRS { f64::INFINITY } else { self.reach() };
        let mut layout = Layout::new();
        for (l, link) in self.tree.links().iter().enumerate() {
            for (k, i) in self.tree.q_range(l).enumerate() {
                let scale = if self.is_length(l, k) { self.scale.length } else { 1.0 };
                layout = layout.with_q(format!("{}.q[{i}]", link.name), scale);
            }
        }
        for (l, link) in self.tree.links().iter().enumerate() {
            for (k, i) in self.tree.v_range(l).enumerate() {
                let turn = self.scale.speed / self.scale.length;
                let scale = if self.is_speed(l, k) { self.scale.speed } else { turn };
                layout = layout.with_v(format!("{}.v[{i}]", link.name), scale);
            }
        }
        let mut mode = Mode {
            layout,
            pairs: Vec::new(),
            contacts: Vec::new(),
            stops: Vec::new(),
            stop_states: 0..0,
            frictions: Vec::new(),
            held: self.actuators.iter().map(|a| Held { phase: a.phase_at(0.0), ..Held::default() }).collect(),
            anchors: Vec::new(),
            arms: Vec::new(),
            margin,
            rolls: false,
        };
        mode.find(self, kin);
        mode
    }

    /// How far from the origin of each link its shapes lie, m. Balls around the origin turn without moving; what has no
    /// end reaches as far as there are links.
    pub(crate) fn arms(&self, anchors: &[Pose<f64>]) -> Vec<f64> {
        let mut arms = vec![0.0f64; anchors.len()];
        for shape in &self.shapes {
            let own = match shape.shape {
                Shape::Sphere { .. } | Shape::Point => 0.0,
                _ => shape.shape.plain().bounding_radius(),
            };
            let from = anchors[shape.link].translation.vector;
            let far = || anchors.iter().map(|a| (a.translation.vector - from).norm()).fold(0.0, f64::max);
            let own = if own.is_finite() { own } else { far() };
            arms[shape.link] = arms[shape.link].max(plain(&shape.pose).translation.vector.norm() + own);
        }
        arms
    }

    /// How far candidates reach: a quarter of the smallest movable shape that touches anything.
    fn reach(&self) -> f64 {
        let touches = |class: usize| {
            let row = &self.interactions[class * self.classes..(class + 1) * self.classes];
            row.iter().any(Option::is_some)
        };
        let radii = self.shapes.iter().filter(|s| self.bodies[s.body].is_movable && touches(s.class));
        0.25 * radii.map(|s| s.shape.plain().bounding_radius()).fold(f64::INFINITY, f64::min)
    }

    /// Whether the k-th coordinate of a link is a length (otherwise an angle or part of a quaternion).
    fn is_length(&self, link: usize, k: usize) -> bool {
        self.tree.links()[link].joint.is_distance(k)
    }

    /// Whether the k-th velocity of a link is linear (otherwise angular).
    pub(crate) fn is_speed(&self, link: usize, k: usize) -> bool {
        self.tree.links()[link].joint.is_speed(k)
    }
}

impl<T: Number> Model<T> {
    /// A pair of shapes that interact, with neither contacts nor accounts yet.
    pub(crate) fn pair_slot(&self, shapes: [usize; 2], still: &Kinematics<T>) -> Option<PairSlot<T>> {
        let Interaction { touching, material } = self.interaction(shapes[0], shapes[1])?;
        let links = shapes.map(|s| self.shapes[s].link);
        Some(PairSlot {
            shapes,
            contacts: 0..0,
            links,
            moves: links.map(|link| !self.tree.is_still(link)),
            touching: *touching,
            short: self.short(shapes, touching, still),
            reach: self.both_radii(shapes, touching),
            material: *material,
            accounts: 0,
        })
    }

    /// The radii of the balls around both shapes together, m, if they touch at points.
    fn both_radii(&self, shapes: [usize; 2], touching: &Touching<T>) -> f64 {
        match touching {
            Touching::Points(_) => {
                let radii = shapes.map(|s| self.shapes[s].shape.plain().bounding_radius());
                (radii[0] + radii[1]) * BEYOND_ROUNDING
            }
            _ => f64::INFINITY,
        }
    }
}

impl<T: AnyNumber> Model<T> {
    /// The short form of a pair of balls in the frames of their links, or of one over ground that stands still.
    pub(crate) fn short(
        &self,
        shapes: [usize; 2],
        touching: &Touching<T>,
        still: &Kinematics<T>,
    ) -> Option<Short<T>> {
        let Touching::Points(pair) = touching else { return None };
        let [first, second] = shapes.map(|s| &self.shapes[s]);
        let is_centred = |shape: &BodyShape<T>| shape.place == Place::Link;
        if let Some(balls) = pair.balls(&first.shape, &second.shape) {
            return (is_centred(first) && is_centred(second)).then_some(Short::Balls(balls));
        }
        let [at_first, at_second] = [first, second].map(|s| still.links[s.link].carrying(&s.pose));
        let ground = pair.ground((&first.shape, &at_first), (&second.shape, &at_second))?;
        let does_ground_move = !self.tree.is_still(ground.ball([second.link, first.link]));
        let is_central = is_centred(ground.ball([first, second]));
        let short = if is_central { Short::Ground } else { Short::Beside };
        (!does_ground_move).then(|| short(ground))
    }
}

impl<T: Number> Mode<T> {
    /// Takes other candidate pairs, which were found where the links were then. Nothing touches yet.
    pub(crate) fn rearrange(&mut self, model: &Model<T>, pairs: &[[usize; 2]], anchors: Vec<Pose<f64>>) {
        self.lay_out(model, pairs);
        self.arms = model.arms(&anchors);
        self.anchors = anchors;
    }

    /// Where the links were when the candidates were found.
    pub(crate) fn anchors(&self) -> &[Pose<f64>] {
        &self.anchors
    }

    /// How far a link may move before candidates are found anew, m: two may approach each other.
    pub(crate) fn leeway(&self) -> f64 {
        0.45 * self.margin
    }

    /// Finds the candidate pairs and lays out their slots. Answers nothing about `x`: see [`Mode::renew`].
    fn find(&mut self, model: &Model<T>, kin: &Kinematics<T>) {
        self.lay_out(model, &model.near_pairs(kin, self.margin));
        self.anchors = kin.links.iter().map(|l| plain(&l.pose)).collect();
        self.arms = model.arms(&self.anchors);
    }

    /// Slots for candidate pairs.
    fn lay_out(&mut self, model: &Model<T>, pairs: &[[usize; 2]]) {
        let (nq, nv) = (model.tree.nq(), model.tree.nv());
        let mut layout = Layout::new();
        for (i, c) in self.layout.components()[..nq + nv].iter().enumerate() {
            layout = if i < nq {
                layout.with_q(c.name.clone(), c.scale)
            } else {
                layout.with_v(c.name.clone(), c.scale)
            };
        }
        self.pairs.clear();
        self.contacts.clear();
        let mut z = nq + nv;
        // Joints come first: their states never move. Phases of stops that are there already stay.
        let before = std::mem::take(&mut self.stops);
        for (i, stop) in model.stops.iter().enumerate() {
            let fresh = Contact { pair: i, phase: Phase::Open, is_apart: false, z };
            self.stops.push(before.get(i).map_or(fresh, |stop| Contact { z, ..*stop }));
            for state in stop.law.states() {
                layout = layout.with_z(format!("{}.{}", stop.name, state.name), state.scale);
                z += 1;
            }
        }
        self.stop_states = nq + nv..z;
        self.frictions.clear();
        for friction in &model.frictions {
            self.frictions.push(z);
            for state in friction.law.states() {
                layout = layout.with_z(format!("{}.{}", friction.name, state.name), state.scale);
                z += 1;
            }
        }
        let still = Kinematics::new(&model.tree);
        for &[a, b] in pairs {
            let Some(mut pair) = model.pair_slot([a, b], &still) else { continue };
            let first = self.contacts.len();
            let names = [a, b].map(|s| &model.bodies[model.shapes[s].body].name);
            for patch in 0..pair.touching.contacts() {
                self.contacts.push(Contact {
                    pair: self.pairs.len(),
                    phase: Phase::Open,
                    is_apart: false,
                    z,
                });
                for state in model.materials[pair.material].states() {
                    layout = layout
                        .with_z(format!("{}-{}#{patch}.{}", names[0], names[1], state.name), state.scale);
                    z += 1;
                }
            }
            pair.contacts = first..self.contacts.len();
            self.pairs.push(pair);
        }
        let energy = model.scale.energy;
        for name in WORLD_ACCOUNTS {
            layout = layout.with_w(name, energy);
        }
        let mut accounts = z + WORLD_ACCOUNTS.len();
        for pair in &mut self.pairs {
            pair.accounts = accounts;
            accounts += PAIR_ACCOUNTS;
            for name in &WORLD_ACCOUNTS[..PAIR_ACCOUNTS] {
                layout = layout.with_w(*name, energy);
            }
        }
        // The ledger steers the step too: see `docs/decisions.md`.
        for i in layout.w() {
            if let Some(account) = layout.component_mut(i) {
                account.is_controlled = true;
            }
        }
        self.layout = layout;
        self.rolls = self.is_rolling(model);
    }

    /// Where the world's accounts stand in `x`.
    pub fn accounts(&self) -> usize {
        self.layout.w().start
    }

    /// Positive while no link has left its margin.
    pub fn room(&self, kin: &Kinematics<T>) -> f64 {
        if self.margin.is_infinite() {
            return 1.0;
        }
        let links = kin.links.iter().zip(&self.anchors).zip(&self.arms);
        let moved = links.map(|((link, anchor), arm)| {
            let pose = plain(&link.pose);
            let shift = (pose.translation.vector - anchor.translation.vector).norm();
            // a chord of the turn: 2 sin(θ/2) = 2 √(1 − (q·q₀)²)
            let same = pose.rotation.coords.dot(&anchor.rotation.coords);
            shift + 2.0 * (1.0 - same * same).max(0.0).sqrt() * arm
        });
        self.leeway() - moved.fold(0.0, f64::max)
    }

    /// Finds the candidates anew and moves states and accounts of pairs that stay; accounts of pairs that go are
    /// added to the world's.
    pub fn renew(&mut self, model: &Model<T>, kin: &Kinematics<T>, x: &mut Vec<T>) {
        let (old_pairs, old_contacts) = (self.pairs.clone(), self.contacts.clone());
        let (old, old_accounts) = (x.clone(), self.accounts());
        self.find(model, kin);
        let fixed = model.tree.nq() + model.tree.nv() + model.joint_states();
        x.clear();
        x.resize(self.layout.len(), T::lit(0.0));
        x[..fixed].copy_from_slice(&old[..fixed]);
        let world = self.accounts();
        x[world..world + WORLD_ACCOUNTS.len()]
            .copy_from_slice(&old[old_accounts..old_accounts + WORLD_ACCOUNTS.len()]);
        for pair in &old_pairs {
            match self.pairs.binary_search_by_key(&pair.shapes, |p| p.shapes) {
                Ok(now) => {
                    let now = self.pairs[now].clone();
                    let size = model.materials[now.material].parts().total;
                    for (from, to) in pair.contacts.clone().zip(now.contacts) {
                        let (from, to) = (&old_contacts[from], &mut self.contacts[to]);
                        to.phase = from.phase;
                        x[to.z..to.z + size].copy_from_slice(&old[from.z..from.z + size]);
                    }
                    x[now.accounts..now.accounts + PAIR_ACCOUNTS]
                        .copy_from_slice(&old[pair.accounts..pair.accounts + PAIR_ACCOUNTS]);
                }
                Err(_) => {
                    for i in 0..PAIR_ACCOUNTS {
                        x[world + i] += old[pair.accounts + i];
                    }
                }
            }
        }
    }
}
