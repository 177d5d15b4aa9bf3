//! Bodies in contact, as one system of differential equations with events.

mod actuator;
mod ahead;
mod efforts;
mod elements;
mod facets;
mod facets_flat;
mod implicit;
pub(crate) mod joint;
mod lift;
pub(crate) mod material;
pub(crate) mod meeting;
pub(crate) mod mode;
mod model;
mod number;
pub(crate) mod phases;
pub(crate) mod plain;
pub(crate) mod rhs;
mod rolling;
mod saved;
mod spread;
mod system;
mod watch;

pub use crate::schedule::Schedule;
pub use crate::signal::Signal;
pub use actuator::{Actuator, Command, Control, Held};
pub use elements::{AppliedForce, Drive, End, Motion, Pin, Spring, TorsionSpring};
pub use joint::{Coupling, JointFriction, JointSpring, Stop};
pub use lift::LiftError;
pub use material::Material;
pub use meeting::Touch;
pub use mode::{Contact, LOSSES, Mode, PairSlot, WORLD_ACCOUNTS};
pub(crate) use model::can_meet;
pub use model::{
    ActsOn, Body, BodyShape, Facets, Interaction, JointPlace, Model, Place, Scale, Sensor, Touching,
};
pub use number::{AnyNumber, NoFacets, Number};
pub use plain::Short;
pub(crate) use saved::SavedMode;

use ahead::Ahead;
use bristle_bodies::{Driven, Kinematics};
use bristle_geom::Placed;
use bristle_laws::Phase;
use bristle_math::Scalar;
use bristle_math::spatial::Wrench;
use bristle_ode::{State, System};
use meeting::{Meeting, Places};
use mode::{ACTUATORS, PAIR_ACCOUNTS, RELEASED, WORK};
use spread::Found;

/// A [`Model`] as a [`System`].
pub struct World<'m, T: Number = f64> {
    pub(crate) model: &'m Model<T>,
}

/// Buffers of one thread.
pub struct Scratch<T: Number = f64> {
    pub(crate) kin: Kinematics<T>,
    pub(crate) driven: Vec<Driven<T>>,
    pub(crate) wrenches: Vec<Wrench<T>>,
    /// Where every shape is.
    pub(crate) placed: Vec<Placed<T>>,
    pub(crate) found: Found<T>,
    /// Time, position and velocity of all that is placed, in worlds with joints; NaN where nothing is.
    time: T,
    motion: Vec<T>,
    /// Along each velocity; empty where nothing acts along joints.
    pub(crate) efforts: Vec<T>,
    pub(crate) tree: bristle_bodies::Scratch<T>,
    /// Whether `tree` has the articulated inertias of these poses.
    has_inertias: bool,
    ends: implicit::Ends<T>,
    pub(crate) ahead: Ahead,
}

impl<T: Number> Scratch<T> {
    /// Where everything is, and room for what a pair has.
    pub(crate) fn split(&mut self) -> (Places<'_, T>, &mut Found<T>) {
        (Places { kin: &self.kin, placed: &self.placed }, &mut self.found)
    }
}

/// Where the energy of a world is, J.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Energy<T = f64> {
    /// Of motion.
    pub kinetic: T,
    /// In the field of gravity.
    pub gravity: T,
    /// In normal laws.
    pub elastic_normal: T,
    /// In friction laws and resistances.
    pub elastic_tangential: T,
    /// In springs.
    pub springs: T,
    /// In springs, stops and friction of joints.
    pub elastic_joints: T,
    /// Lost so far: the first accounts of [`WORLD_ACCOUNTS`].
    pub lost: [T; LOSSES],
    /// Work done by forces and driven bodies.
    pub work: T,
    /// Work done by actuators.
    pub actuators: T,
}

impl<T: Scalar> Energy<T> {
    /// No energy anywhere.
    fn none() -> Self {
        let zero = T::lit(0.0);
        Self {
            kinetic: zero,
            gravity: zero,
            elastic_normal: zero,
            elastic_tangential: zero,
            springs: zero,
            elastic_joints: zero,
            lost: [zero; LOSSES],
            work: zero,
            actuators: zero,
        }
    }

    /// What stays constant but for integration error.
    pub fn balance(&self) -> T {
        self.kinetic
            + self.gravity
            + self.elastic_normal
            + self.elastic_tangential
            + self.springs
            + self.elastic_joints
            + self.lost.iter().fold(T::lit(0.0), |sum, lost| sum + *lost)
            - self.work
            - self.actuators
    }

    /// All that can be given back: of motion, of height, stored.
    pub fn mechanical(&self) -> T {
        self.kinetic
            + self.gravity
            + self.elastic_normal
            + self.elastic_tangential
            + self.springs
            + self.elastic_joints
    }
}

impl<'m, T: Number> World<'m, T> {
    /// A world of the given model.
    pub fn new(model: &'m Model<T>) -> Self {
        Self { model }
    }

    /// The state at time zero for a configuration and velocity; contacts that overlap are in touch.
    pub fn start(&self, q: &[T], v: &[T]) -> State<T, Mode<T>> {
        let mut ws = self.scratch();
        let mut x: Vec<T> = q.iter().chain(v).copied().collect();
        self.move_to(T::lit(0.0), &x, &mut ws);
        let mode = self.model.mode(&ws.kin);
        x.resize(mode.layout.len(), T::lit(0.0));
        let mut state = State::new(T::lit(0.0), x, mode);
        self.settle(&mut state, &mut ws);
        self.model.settle_joints(&mut state);
        // states that the scene sets for contacts that begin in touch
        for pair in state.mode.pairs.clone() {
            let material = &self.model.materials[pair.material];
            for contact in &state.mode.contacts[pair.contacts.clone()] {
                if contact.phase != Phase::Touching {
                    continue;
                }
                for (i, info) in material.states().enumerate() {
                    if let Some((_, value)) = material.initial().iter().find(|(name, _)| name == info.name) {
                        state.x[contact.z + i] = *value;
                    }
                }
            }
        }
        state
    }

    /// Every contact that exists in a state, evaluated: `visit(pair, contact, touch)`.
    pub fn for_each_touch(
        &self,
        t: T,
        x: &[T],
        mode: &Mode<T>,
        ws: &mut Scratch<T>,
        mut visit: impl FnMut(usize, usize, &Touch<T>),
    ) {
        self.move_to(t, x, ws);
        let (places, found) = ws.split();
        for (p, pair) in mode.pairs.iter().enumerate() {
            let meeting = Meeting::new(self.model, pair, places);
            meeting.find(found);
            for (i, c) in pair.contacts.clone().enumerate() {
                let patch = meeting.patch(i, found);
                if let Some(touch) = meeting.look(&mode.contacts[c], &patch, found, x) {
                    visit(p, c, &touch);
                }
            }
        }
    }

    /// Depth of every candidate contact, gaps included: `visit(pair, depth)`.
    pub fn for_each_gap(
        &self,
        t: T,
        x: &[T],
        mode: &Mode<T>,
        ws: &mut Scratch<T>,
        mut visit: impl FnMut(usize, T),
    ) {
        self.move_to(t, x, ws);
        let (places, found) = ws.split();
        for (p, pair) in mode.pairs.iter().enumerate() {
            let meeting = Meeting::new(self.model, pair, places);
            meeting.find(found);
            (0..pair.contacts.len()).for_each(|i| visit(p, meeting.patch(i, found).depth));
        }
    }

    /// Names of a pair's bodies, joined by a hyphen.
    pub fn pair_name(&self, pair: &PairSlot<T>) -> String {
        pair.shapes.map(|s| self.model.bodies[self.model.shapes[s].body].name.as_str()).join("-")
    }

    /// What an event function watches, for messages.
    pub(crate) fn event_name(&self, mode: &Mode<T>, event: usize) -> String {
        match self.pair_event(mode, event) {
            Some((pair, true)) => format!("the touch of {}", self.pair_name(pair)),
            Some((pair, false)) => format!("a switch of a law of {}", self.pair_name(pair)),
            None => "a limit of a joint or a motor".to_string(),
        }
    }

    /// The pair that an event function belongs to, and whether it is a touch or a switch of a law.
    fn pair_event<'a>(&self, mode: &'a Mode<T>, event: usize) -> Option<(&'a PairSlot<T>, bool)> {
        let mut next = event.checked_sub(1 + self.model.joint_event_count())?;
        for pair in &mode.pairs {
            let each = self.model.materials[pair.material].event_count();
            let all = each * pair.contacts.len();
            if next < all {
                return Some((pair, next.is_multiple_of(each)));
            }
            next -= all;
        }
        None
    }

    /// Where the energy is.
    pub fn energy(&self, t: T, x: &[T], mode: &Mode<T>, ws: &mut Scratch<T>) -> Energy<T> {
        self.energy_and_touches(t, x, mode, ws, |_, _, _| {})
    }

    /// Where the energy is, and every contact as in [`World::for_each_touch`].
    pub(crate) fn energy_and_touches(
        &self,
        t: T,
        x: &[T],
        mode: &Mode<T>,
        ws: &mut Scratch<T>,
        mut visit: impl FnMut(usize, usize, &Touch<T>),
    ) -> Energy<T> {
        let mut energy = Energy::none();
        self.for_each_touch(t, x, mode, ws, |pair, contact, touch| {
            energy.elastic_normal += touch.normal.stored;
            energy.elastic_tangential += touch.friction.stored;
            visit(pair, contact, touch);
        });
        energy.kinetic = self.model.tree.kinetic_energy(&ws.kin);
        energy.gravity = self.model.tree.potential_energy(&ws.kin, &self.model.gravity);
        energy.springs = self.model.spring_energy(ws);
        energy.elastic_joints = self.model.joint_energy(x, mode);
        let world = mode.accounts();
        energy.lost.copy_from_slice(&x[world..world + LOSSES]);
        (energy.work, energy.actuators) = (x[world + WORK], x[world + ACTUATORS]);
        for pair in &mode.pairs {
            for i in 0..PAIR_ACCOUNTS {
                energy.lost[i] += x[pair.accounts + i];
            }
        }
        energy
    }

    /// Poses and twists of all links in a state.
    pub fn kinematics<'w>(&self, t: T, x: &[T], ws: &'w mut Scratch<T>) -> &'w Kinematics<T> {
        self.move_to(t, x, ws);
        &ws.kin
    }

    /// Opens and closes contacts by the sign of their law's `touching`, and flattens the states of those that
    /// stay. Answers whether any opened or closed.
    fn settle(&self, state: &mut State<T, Mode<T>>, ws: &mut Scratch<T>) -> bool {
        let mut changed = false;
        self.move_to(state.t, &state.x, ws);
        let (places, found) = ws.split();
        let State { x, mode, .. } = state;
        for pair in &mode.pairs {
            let contacts = &mut mode.contacts[pair.contacts.clone()];
            let mut released = x[pair.accounts + RELEASED];
            changed |= self.settle_pair(pair, contacts, (places, found), x, &mut released);
            x[pair.accounts + RELEASED] = released;
        }
        changed
    }

    /// The contacts of a pair, whose states stand in `x`; adds the energy that was still stored in states that ended to
    /// `released`, J. Answers whether any opened or closed.
    #[inline(always)]
    pub(crate) fn settle_pair(
        &self,
        pair: &PairSlot<T>,
        contacts: &mut [Contact],
        (places, found): (Places<'_, T>, &mut Found<T>),
        x: &mut [T],
        released: &mut T,
    ) -> bool {
        let meeting = Meeting::new(self.model, pair, places);
        if meeting.is_far(contacts) {
            contacts.iter_mut().for_each(|contact| contact.is_apart = true);
            return false;
        }
        let mut changed = false;
        meeting.find(found);
        for (i, contact) in contacts.iter_mut().enumerate() {
            let patch = meeting.patch(i, found);
            let at = meeting.indent(&patch, found);
            let next = meeting.next_phase(contact, &at, x);
            contact.is_apart = next == Phase::Open && at.depth.value() < 0.0;
            *released += match next {
                next if next != contact.phase => {
                    changed = true;
                    meeting.enter(contact, next, &patch, found, x)
                }
                Phase::Touching => meeting.flatten(contact, &patch, found, x),
                _ => T::lit(0.0),
            };
        }
        changed
    }
}
