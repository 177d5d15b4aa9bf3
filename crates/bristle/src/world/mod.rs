//! Bodies in contact, as one system of differential equations with events.

mod elements;
mod mode;
mod model;
mod rhs;

pub use crate::schedule::Schedule;
pub use elements::{AppliedForce, Drive, End, Spring, TorsionSpring};
pub use mode::{Contact, Mode, PairSlot, WORLD_ACCOUNTS};
pub use model::{Body, BodyShape, Interaction, Material, Model, Scale};
pub use rhs::Touch;

use bristle_bodies::{Driven, Kinematics};
use bristle_geom::Patch;
use bristle_laws::{FrictionLaw, NormalLaw, Phase};
use bristle_math::Vector3;
use bristle_math::spatial::Wrench;
use bristle_ode::{Change, Fired, Layout, State, System};
use mode::{PAIR_ACCOUNTS, RELEASED, SPRING_DAMPERS, WORK};
use rhs::indent;

/// A [`Model`] as a [`System`].
pub struct World<'m> {
    pub(crate) model: &'m Model,
}

/// Buffers of one thread.
pub struct Scratch {
    pub(crate) kin: Kinematics<f64>,
    pub(crate) driven: Vec<Driven<f64>>,
    pub(crate) wrenches: Vec<Wrench<f64>>,
    pub(crate) patches: Vec<Patch<f64>>,
    pub(crate) tree: bristle_bodies::Scratch<f64>,
}

/// Where the energy of a world is, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// In the field of gravity.
    pub gravity: f64,
    /// In normal laws.
    pub elastic_normal: f64,
    /// In friction laws and resistances.
    pub elastic_tangential: f64,
    /// In springs.
    pub springs: f64,
    /// Lost so far: the accounts of [`WORLD_ACCOUNTS`] but for the work.
    pub lost: [f64; 7],
    /// Work done from outside.
    pub work: f64,
}

impl Energy {
    /// What stays constant but for integration error.
    pub fn balance(&self) -> f64 {
        self.kinetic
            + self.gravity
            + self.elastic_normal
            + self.elastic_tangential
            + self.springs
            + self.lost.iter().sum::<f64>()
            - self.work
    }
}

/// Most states a contact may have.
const MOST_STATES: usize = 32;

impl<'m> World<'m> {
    /// A world of the given model.
    pub fn new(model: &'m Model) -> Self {
        Self { model }
    }

    /// The state at time zero for a configuration and velocity; contacts that overlap are in touch.
    pub fn start(&self, q: &[f64], v: &[f64]) -> State<f64, Mode> {
        let mut ws = self.scratch();
        let mut x: Vec<f64> = q.iter().chain(v).copied().collect();
        self.move_to(0.0, &x, &mut ws);
        let mode = self.model.mode(&ws.kin);
        x.resize(mode.layout.len(), 0.0);
        let mut state = State::new(0.0, x, mode);
        self.settle_phases(&mut state, &mut ws);
        // states that the scene sets for contacts that begin in touch
        for pair in state.mode.pairs.clone() {
            let initial = &self.model.materials[pair.material].initial;
            for contact in &state.mode.contacts[pair.contacts.clone()] {
                if contact.phase != Phase::Touching {
                    continue;
                }
                for (i, info) in self.model.states(pair.material).enumerate() {
                    if let Some((_, value)) = initial.iter().find(|(name, _)| name == info.name) {
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
        t: f64,
        x: &[f64],
        mode: &Mode,
        ws: &mut Scratch,
        mut visit: impl FnMut(usize, usize, &Touch),
    ) {
        self.move_to(t, x, ws);
        for (p, pair) in mode.pairs.iter().enumerate() {
            self.find_patches(pair, ws);
            for c in pair.contacts.clone() {
                let patch = ws.patches[c - pair.contacts.start];
                let mut zdot = [0.0; MOST_STATES];
                let size = self.model.parts(pair.material).total;
                if let Some(touch) = self.touch(pair, &mode.contacts[c], &patch, x, &mut zdot[..size], ws) {
                    visit(p, c, &touch);
                }
            }
        }
    }

    /// Depth of every candidate contact, gaps included: `visit(pair, depth)`.
    pub fn for_each_gap(
        &self,
        t: f64,
        x: &[f64],
        mode: &Mode,
        ws: &mut Scratch,
        mut visit: impl FnMut(usize, f64),
    ) {
        self.move_to(t, x, ws);
        for (p, pair) in mode.pairs.iter().enumerate() {
            self.find_patches(pair, ws);
            ws.patches[..pair.contacts.len()].iter().for_each(|patch| visit(p, patch.depth));
        }
    }

    /// Names of a pair's bodies, joined by a hyphen.
    pub fn pair_name(&self, pair: &PairSlot) -> String {
        pair.shapes.map(|s| self.model.bodies[self.model.shapes[s].body].name.as_str()).join("-")
    }

    /// Where the energy is.
    pub fn energy(&self, t: f64, x: &[f64], mode: &Mode, ws: &mut Scratch) -> Energy {
        let mut energy = Energy::default();
        self.for_each_touch(t, x, mode, ws, |_, _, touch| {
            energy.elastic_normal += touch.normal.stored;
            energy.elastic_tangential += touch.friction.stored;
        });
        energy.kinetic = self.model.tree.kinetic_energy(&ws.kin);
        energy.gravity = self.model.tree.potential_energy(&ws.kin, &self.model.gravity);
        energy.springs = self.model.spring_energy(ws);
        let world = mode.accounts();
        energy.lost[..=SPRING_DAMPERS].copy_from_slice(&x[world..=world + SPRING_DAMPERS]);
        energy.work = x[world + WORK];
        for pair in &mode.pairs {
            for i in 0..PAIR_ACCOUNTS {
                energy.lost[i] += x[pair.accounts + i];
            }
        }
        energy
    }

    /// Poses and twists of all links in a state.
    pub fn kinematics<'w>(&self, t: f64, x: &[f64], ws: &'w mut Scratch) -> &'w Kinematics<f64> {
        self.move_to(t, x, ws);
        &ws.kin
    }

    /// Opens and closes contacts by the sign of their law's `touching`. Answers whether any did.
    fn settle_phases(&self, state: &mut State<f64, Mode>, ws: &mut Scratch) -> bool {
        let mut changed = false;
        self.move_to(state.t, &state.x, ws);
        for p in 0..state.mode.pairs.len() {
            let pair = state.mode.pairs[p].clone();
            self.find_patches(&pair, ws);
            let law = &self.model.materials[pair.material].normal;
            let parts = self.model.parts(pair.material);
            for c in pair.contacts.clone() {
                let patch = ws.patches[c - pair.contacts.start];
                let at = indent(&patch);
                let contact = state.mode.contacts[c];
                let range = contact.z..contact.z + parts.normal;
                let touching = law.touching(&at, &state.x[range.clone()], contact.phase);
                let next = match contact.phase {
                    // a body that starts on the surface and moves into it touches from the start
                    Phase::Open if touching > 0.0 || (touching == 0.0 && at.rate > 0.0) => Phase::Touching,
                    Phase::Recovering if touching > 0.0 => Phase::Touching,
                    Phase::Recovering if law.is_spent(&state.x[range.clone()]) => Phase::Open,
                    Phase::Touching if touching < 0.0 && law.is_spent(&state.x[range.clone()]) => Phase::Open,
                    Phase::Touching if touching < 0.0 => Phase::Recovering,
                    same => same,
                };
                if next == contact.phase {
                    continue;
                }
                changed = true;
                let before = self.stored(&pair, &contact, &patch, &state.x, ws);
                let states = &mut state.x[contact.z..contact.z + parts.total];
                match (contact.phase, next) {
                    (Phase::Open, _) => {
                        states.fill(0.0);
                        law.touch(&at, &mut states[..parts.normal]);
                    }
                    (_, Phase::Open) => states.fill(0.0),
                    (_, Phase::Recovering) => states[parts.normal..].fill(0.0),
                    _ => {}
                }
                state.mode.contacts[c].phase = next;
                let after = self.stored(&pair, &state.mode.contacts[c], &patch, &state.x, ws);
                if contact.phase != Phase::Open {
                    state.x[pair.accounts + RELEASED] += before - after;
                }
            }
        }
        changed
    }

    fn stored(&self, pair: &PairSlot, contact: &Contact, patch: &Patch<f64>, x: &[f64], ws: &Scratch) -> f64 {
        let mut zdot = [0.0; MOST_STATES];
        let size = self.model.parts(pair.material).total;
        let touch = self.touch(pair, contact, patch, x, &mut zdot[..size], ws);
        touch.map_or(0.0, |t| t.normal.stored + t.friction.stored)
    }

    /// Takes the small normal component out of vector states and books the energy that goes with it.
    fn flatten(&self, state: &mut State<f64, Mode>, ws: &mut Scratch) {
        for p in 0..state.mode.pairs.len() {
            let pair = state.mode.pairs[p].clone();
            let material = &self.model.materials[pair.material];
            if material.friction.is_none() && material.resist.is_empty() {
                continue;
            }
            let is_active = |c: usize| state.mode.contacts[c].phase == Phase::Touching;
            if !pair.contacts.clone().any(is_active) {
                continue;
            }
            self.find_patches(&pair, ws);
            for c in pair.contacts.clone() {
                let contact = state.mode.contacts[c];
                if contact.phase != Phase::Touching {
                    continue;
                }
                let patch = ws.patches[c - pair.contacts.start];
                let before = self.stored(&pair, &contact, &patch, &state.x, ws);
                let mut start = contact.z + self.model.parts(pair.material).normal;
                let friction = material.friction.iter().map(|l| l.states().len());
                for n in friction.chain(material.resist.iter().map(|l| l.states().len())) {
                    if n >= 3 {
                        let u = Vector3::new(state.x[start], state.x[start + 1], state.x[start + 2]);
                        let flat = u - patch.normal * patch.normal.dot(&u);
                        state.x[start..start + 3].copy_from_slice(flat.as_slice());
                    }
                    start += n;
                }
                let after = self.stored(&pair, &contact, &patch, &state.x, ws);
                state.x[pair.accounts + RELEASED] += before - after;
            }
        }
    }

    /// Event functions of one contact: touching, then the switches of its laws.
    fn contact_events(&self, material: &Material) -> usize {
        1 + material.normal.switch_count()
            + material.friction.as_ref().map_or(0, |l| l.switch_count())
            + material.resist.iter().map(|l| l.switch_count()).sum::<usize>()
    }
}

impl System<f64> for World<'_> {
    type Mode = Mode;
    type Scratch = Scratch;

    fn layout<'a>(&'a self, mode: &'a Mode) -> &'a Layout {
        &mode.layout
    }

    fn scratch(&self) -> Scratch {
        let tree = &self.model.tree;
        let links = tree.links().len();
        let most = self.model.interactions.iter().flatten().map(|i| i.pair.patch_count()).max().unwrap_or(0);
        Scratch {
            kin: Kinematics::new(tree),
            driven: self.model.drives.iter().map(|d| d.at(0.0)).collect(),
            wrenches: vec![Wrench::zero(); links],
            patches: vec![Patch::none(); most],
            tree: bristle_bodies::Scratch::new(tree),
        }
    }

    fn derivative(&self, t: f64, x: &[f64], mode: &Mode, dx: &mut [f64], ws: &mut Scratch) {
        self.rates(t, x, mode, dx, ws);
    }

    fn event_count(&self, mode: &Mode) -> usize {
        let contacts: usize = mode
            .pairs
            .iter()
            .map(|p| p.contacts.len() * self.contact_events(&self.model.materials[p.material]))
            .sum();
        contacts + 1
    }

    fn events(&self, t: f64, x: &[f64], mode: &Mode, g: &mut [f64], ws: &mut Scratch) {
        self.move_to(t, x, ws);
        g[0] = mode.room(&ws.kin);
        let mut next = 1;
        for pair in &mode.pairs {
            self.find_patches(pair, ws);
            let material = &self.model.materials[pair.material];
            let parts = self.model.parts(pair.material);
            for c in pair.contacts.clone() {
                let (contact, patch) = (&mode.contacts[c], ws.patches[c - pair.contacts.start]);
                let at = indent(&patch);
                let z = &x[contact.z..contact.z + parts.total];
                let slots = &mut g[next..next + self.contact_events(material)];
                next += slots.len();
                slots[0] = material.normal.touching(&at, &z[..parts.normal], contact.phase);
                let (normal_switches, friction_switches) =
                    slots[1..].split_at_mut(material.normal.switch_count());
                let mut zdot = [0.0; MOST_STATES];
                let touch = match contact.phase {
                    Phase::Touching if patch.depth > 0.0 => {
                        self.touch(pair, contact, &patch, x, &mut zdot[..parts.total], ws)
                    }
                    _ => None,
                };
                let Some(touch) = touch else {
                    // Nothing to switch without contact: constant signs.
                    normal_switches.fill(1.0);
                    friction_switches.fill(-1.0);
                    continue;
                };
                material.normal.switches(&at, &z[..parts.normal], contact.phase, normal_switches);
                let (mut state, mut slot) = (parts.normal, 0);
                if let Some(law) = &material.friction {
                    let (n, k) = (law.states().len(), law.switch_count());
                    law.switches(&touch.slip, &z[state..state + n], &mut friction_switches[slot..slot + k]);
                    (state, slot) = (state + n, slot + k);
                }
                for law in &material.resist {
                    let (n, k) = (law.states().len(), law.switch_count());
                    law.switches(&touch.slip, &z[state..state + n], &mut friction_switches[slot..slot + k]);
                    (state, slot) = (state + n, slot + k);
                }
            }
        }
    }

    fn commit(&self, state: &mut State<f64, Mode>, _fired: &[Fired], ws: &mut Scratch) -> Change {
        let nq = self.model.tree.nq();
        self.model.tree.normalise(&mut state.x[..nq]);
        let opened = self.settle_phases(state, ws);
        self.flatten(state, ws);
        if state.mode.room(&ws.kin) <= 0.0 {
            state.mode.renew(self.model, &ws.kin, &mut state.x);
            return Change::Jumped;
        }
        if opened { Change::Jumped } else { Change::Projected }
    }
}
