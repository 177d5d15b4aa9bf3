//! The right-hand side of several worlds at once. The physics is that of [`crate::world`]: its tree, its pairs, its laws; what
//! is decided there contact by contact is a mask here.

use super::touch::{Phases, Stops, TouchWork, gap, is_clear};
use crate::world::meeting::{Meeting, Places};
use crate::world::mode::{ACTUATORS, JOINT_LOSSES, PAIR_ACCOUNTS, SPRING_DAMPERS, WORK, WORLD_ACCOUNTS};
use crate::world::{Model, PairSlot, Touching};
use bristle_bodies::{Kinematics, Loads};
use bristle_geom::{Patch, Placed};
use bristle_math::spatial::Wrench;
use bristle_math::{Lanes, Real};
use bristle_ode::{Layout, System};

/// Where the states of a law stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub z: usize,
    pub count: usize,
}

/// Models of one form on lanes, and where their states stand: constant during a run.
pub(super) struct LaneWorld {
    pub model: Model<Lanes>,
    pub pairs: Vec<PairSlot<Lanes>>,
    /// States of every contact.
    pub contacts: Vec<Slot>,
    /// Of every stop.
    pub stops: Vec<Slot>,
    /// Of every friction of joints.
    pub frictions: Vec<Slot>,
    pub layout: Layout,
    /// Where the accounts stand, if they are kept.
    pub accounts: usize,
    pub keeps_ledger: bool,
    /// Whether laws of contacts have states.
    pub has_contact_states: bool,
    /// Whether laws of joints have states.
    pub has_joint_states: bool,
}

/// Buffers of one thread.
pub(super) struct Scratch {
    pub kin: Kinematics<Lanes>,
    pub placed: Vec<Placed<Lanes>>,
    /// Patches of a pair that touches at several points.
    pub patches: Vec<Patch<Lanes>>,
    wrenches: Vec<Wrench<Lanes>>,
    efforts: Vec<Lanes>,
    tree: bristle_bodies::Scratch<Lanes>,
    /// Whether no contact acts in any world where everything is placed now, which a commit finds out.
    pub is_clear: bool,
}

impl LaneWorld {
    /// Poses and twists of all links and shapes.
    #[inline(always)]
    pub fn place(&self, x: &[Lanes], ws: &mut Scratch) {
        let (nq, nv) = (self.model.tree.nq(), self.model.tree.nv());
        let (q, v) = x[..nq + nv].split_at(nq);
        self.model.tree.kinematics(q, v, &[], &mut ws.kin);
        self.place_shapes(ws);
        ws.is_clear = false;
    }

    /// Other velocities at the same positions.
    #[inline(always)]
    fn set_in_motion(&self, x: &[Lanes], ws: &mut Scratch) {
        let (nq, nv) = (self.model.tree.nq(), self.model.tree.nv());
        self.model.tree.twists(&x[nq..nq + nv], &[], &mut ws.kin);
        self.place_shapes(ws);
    }

    #[inline(always)]
    fn place_shapes(&self, ws: &mut Scratch) {
        for &s in &self.model.offset_shapes {
            let shape = &self.model.shapes[s];
            ws.placed[s] = ws.kin.links[shape.link].carrying(&shape.pose);
        }
    }

    /// The patches of a pair that is no ball on ground.
    pub fn find<'p>(meeting: &Meeting<'_, Lanes>, patches: &'p mut [Patch<Lanes>]) -> &'p [Patch<Lanes>] {
        let Touching::Points(points) = &meeting.pair.touching else { return &[] };
        let ([a, b], [at_a, at_b]) = (meeting.shapes(), meeting.at);
        let patches = &mut patches[..meeting.pair.contacts.len()];
        points.touches(&a.shape, at_a, &b.shape, at_b, patches);
        patches.iter_mut().for_each(|patch| *patch = meeting.measured(*patch));
        patches
    }

    /// Rates of states, of accounts if `books`, and wrenches on links.
    #[inline(always)]
    fn touch_all(&self, x: &[Lanes], phases: &Phases, books: bool, dx: &mut [Lanes], ws: &mut Scratch) {
        for pair in &self.pairs {
            match pair.ground() {
                // The commonest contact by itself: in a gap nothing of it passes through memory.
                Some(ground)
                    if is_clear(phases.contacts[pair.contacts.start], &gap(ground, pair, &ws.kin)) =>
                {
                    let Slot { z, count } = self.contacts[pair.contacts.start];
                    dx[z..z + count].fill(Lanes::lit(0.0));
                    if books {
                        dx[pair.accounts..][..PAIR_ACCOUNTS].fill(Lanes::lit(0.0));
                    }
                }
                Some(ground) => {
                    let Scratch { kin, wrenches, .. } = ws;
                    let material = &self.model.materials[pair.material];
                    let meeting = Meeting::on_ground(&self.model, pair, material, kin);
                    let patch = meeting.ground_patch(ground);
                    let contact = pair.contacts.start;
                    self.touch(contact, &meeting, &patch, x, phases, books, dx, (kin, wrenches));
                }
                None => self.touch_pair(pair, x, phases, books, dx, ws),
            }
        }
    }

    #[inline(never)]
    fn touch_pair(
        &self,
        pair: &PairSlot<Lanes>,
        x: &[Lanes],
        phases: &Phases,
        books: bool,
        dx: &mut [Lanes],
        ws: &mut Scratch,
    ) {
        let Scratch { kin, placed, patches, wrenches, .. } = ws;
        let meeting = Meeting::new(&self.model, pair, Places { kin, placed });
        let patches = Self::find(&meeting, patches);
        for (contact, patch) in pair.contacts.clone().zip(patches) {
            self.touch(contact, &meeting, patch, x, phases, books, dx, (kin, wrenches));
        }
    }

    /// One contact. The first of a pair begins its accounts, others add to them.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the inside of two loops, apart for the compiler")]
    fn touch(
        &self,
        contact: usize,
        meeting: &Meeting<'_, Lanes>,
        patch: &Patch<Lanes>,
        x: &[Lanes],
        phases: &Phases,
        books: bool,
        dx: &mut [Lanes],
        (kin, wrenches): (&Kinematics<Lanes>, &mut [Wrench<Lanes>]),
    ) {
        let Slot { z, count } = self.contacts[contact];
        let pair = meeting.pair;
        let work = TouchWork { meeting, patch, touching: phases.contacts[contact], z: &x[z..z + count] };
        let masked = work.evaluate(&mut dx[z..z + count]);
        if let Some(masked) = &masked {
            masked.push(pair, kin, wrenches);
        }
        if books {
            let accounts = &mut dx[pair.accounts..][..PAIR_ACCOUNTS];
            if contact == pair.contacts.start {
                accounts.fill(Lanes::lit(0.0));
            }
            if let Some(masked) = &masked {
                masked.add_losses(accounts);
            }
        }
    }

    /// Springs, pins and forces between bodies: what they lose, and the work of the forces.
    fn act(&self, t: Lanes, ws: &mut Scratch) -> [Lanes; 2] {
        let (model, Scratch { kin, wrenches, .. }) = (&self.model, ws);
        let mut sums = [Lanes::lit(0.0); 4];
        model.springs.iter().for_each(|s| sums[0] += s.act(kin, wrenches).dissipated);
        model.torsion_springs.iter().for_each(|s| sums[1] += s.act(kin, wrenches).dissipated);
        model.pins.iter().for_each(|p| sums[2] += p.act(kin, wrenches).dissipated);
        model.forces.iter().for_each(|f| sums[3] += f.act(t, kin, wrenches).external);
        [sums[0] + sums[1] + sums[2], sums[3]]
    }

    /// Efforts along the joints: what they lose, and the work of motors.
    fn push_joints(
        &self,
        t: Lanes,
        x: &[Lanes],
        phases: &Phases,
        dx: &mut [Lanes],
        efforts: &mut [Lanes],
    ) -> [Lanes; 2] {
        let model = &self.model;
        let (nq, nv) = (model.tree.nq(), model.tree.nv());
        let (q, v) = x[..nq + nv].split_at(nq);
        efforts.fill(Lanes::lit(0.0));
        let (mut lost, mut work) = (Lanes::lit(0.0), Lanes::lit(0.0));
        for spring in &model.joint_springs {
            let share = spring.act(q, v);
            efforts[spring.v] += share.effort;
            lost += share.lost;
        }
        for coupling in &model.couplings {
            let share = coupling.act(q, v);
            efforts[coupling.v[0]] += share.effort;
            lost += share.lost;
            efforts[coupling.v[1]] += -coupling.ratio * share.effort;
        }
        for ((stop, slot), touching) in model.stops.iter().zip(&self.stops).zip(&phases.stops) {
            let range = slot.z..slot.z + slot.count;
            let share = Stops { stop, touching: *touching }.act(q, v, &x[range.clone()], &mut dx[range]);
            if let Some(share) = share {
                efforts[stop.v] += share.effort;
                lost += share.lost;
            }
        }
        for (friction, slot) in model.frictions.iter().zip(&self.frictions) {
            let range = slot.z..slot.z + slot.count;
            let share = friction.act(v, &x[range.clone()], &mut dx[range]);
            efforts[friction.v] += share.effort;
            lost += share.lost;
        }
        for (actuator, held) in model.actuators.iter().zip(&phases.held) {
            let effort = actuator.effort(t, q, v, held);
            efforts[actuator.v] += effort;
            work += effort * v[actuator.v];
        }
        [lost, work]
    }

    #[inline(always)]
    fn clear_wrenches(&self, ws: &mut Scratch) {
        self.model.tree.moving().iter().for_each(|&link| ws.wrenches[link] = Wrench::zero());
    }

    /// All that acts, and every rate but the accelerations and those of the positions; accounts if `books`.
    #[inline(always)]
    fn act_all(
        &self,
        t: Lanes,
        x: &[Lanes],
        phases: &Phases,
        books: bool,
        dx: &mut [Lanes],
        ws: &mut Scratch,
    ) {
        self.clear_wrenches(ws);
        self.touch_all(x, phases, books, dx, ws);
        let mut accounts = [Lanes::lit(0.0); WORLD_ACCOUNTS.len()];
        if self.model.has_elements() {
            [accounts[SPRING_DAMPERS], accounts[WORK]] = self.act(t, ws);
        }
        if !ws.efforts.is_empty() {
            [accounts[JOINT_LOSSES], accounts[ACTUATORS]] =
                self.push_joints(t, x, phases, dx, &mut ws.efforts);
        }
        if books {
            dx[self.accounts..][..WORLD_ACCOUNTS.len()].copy_from_slice(&accounts);
        }
    }

    /// Rates of states and accounts alone: what of [`Self::act_all`] a step asks for at its new velocities.
    #[inline(always)]
    fn drift_all(&self, t: Lanes, x: &[Lanes], phases: &Phases, dx: &mut [Lanes], ws: &mut Scratch) {
        if self.keeps_ledger {
            return self.act_all(t, x, phases, true, dx, ws);
        }
        if self.has_contact_states {
            self.touch_all(x, phases, false, dx, ws);
        }
        if self.has_joint_states {
            self.push_joints(t, x, phases, dx, &mut ws.efforts);
        }
    }

    /// Accelerations under what [`Self::act_all`] has left.
    #[inline(always)]
    fn accelerate(&self, x: &[Lanes], dx: &mut [Lanes], ws: &mut Scratch) {
        let (nq, nv) = (self.model.tree.nq(), self.model.tree.nv());
        let Scratch { kin, wrenches, efforts, tree, .. } = ws;
        let loads = Loads { wrenches, efforts, gravity: self.model.gravity, driven: &[], yields: None };
        self.model.tree.accelerations_under(kin, &x[nq..nq + nv], &loads, &mut dx[nq..nq + nv], tree);
    }

    #[inline(always)]
    fn turn_all(&self, x: &[Lanes], dx: &mut [Lanes]) {
        let (nq, nv) = (self.model.tree.nq(), self.model.tree.nv());
        let (q, v) = x[..nq + nv].split_at(nq);
        self.model.tree.rates(q, v, &mut dx[..nq]);
    }

    /// A step of semi-implicit Euler in place, from where everything is placed: what [`bristle_ode::Kernel`] does, without
    /// the rates that this method does not use. `dx` is room for rates.
    pub fn step_in_place(
        &self,
        (t, h): (Lanes, Lanes),
        x: &mut [Lanes],
        phases: &Phases,
        dx: &mut [Lanes],
        ws: &mut Scratch,
    ) {
        let add = |x: &mut [Lanes], dx: &[Lanes]| x.iter_mut().zip(dx).for_each(|(x, rate)| *x += h * *rate);
        let (nq, nv) = (self.model.tree.nq(), self.model.tree.nv());
        // Bodies in flight: nothing but gravity acts, no state changes, nothing is booked.
        let is_idle = ws.is_clear && !self.model.has_elements() && ws.efforts.is_empty();
        if is_idle {
            self.clear_wrenches(ws);
        } else {
            self.act_all(t, x, phases, false, dx, ws);
        }
        self.accelerate(x, dx, ws);
        add(&mut x[nq..nq + nv], &dx[nq..nq + nv]);
        if !is_idle && (self.keeps_ledger || self.has_contact_states || self.has_joint_states) {
            self.set_in_motion(x, ws);
            self.drift_all(t, x, phases, dx, ws);
            add(&mut x[nq + nv..], &dx[nq + nv..]);
        }
        self.turn_all(x, dx);
        add(&mut x[..nq], &dx[..nq]);
    }
}

impl System<Lanes> for LaneWorld {
    type Mode = Phases;
    type Scratch = Scratch;

    fn layout<'a>(&'a self, _mode: &'a Phases) -> &'a Layout {
        &self.layout
    }

    fn scratch(&self) -> Scratch {
        let tree = &self.model.tree;
        let kin = Kinematics::new(tree);
        let most = self.pairs.iter().map(|p| p.contacts.len()).max().unwrap_or(0);
        Scratch {
            placed: self.model.shapes.iter().map(|s| kin.links[s.link].carrying(&s.pose)).collect(),
            kin,
            patches: vec![Patch::none(); most],
            wrenches: vec![Wrench::zero(); tree.links().len()],
            efforts: vec![Lanes::lit(0.0); if self.model.has_efforts() { tree.nv() } else { 0 }],
            tree: bristle_bodies::Scratch::new(tree),
            is_clear: false,
        }
    }

    fn derivative(&self, t: Lanes, x: &[Lanes], phases: &Phases, dx: &mut [Lanes], ws: &mut Scratch) {
        self.place(x, ws);
        self.act_all(t, x, phases, self.keeps_ledger, dx, ws);
        self.turn_all(x, dx);
        self.accelerate(x, dx, ws);
    }
}
