//! A step whose stiff forces are taken at its end: linearly implicit Euler.
//!
//! ```text
//! M v̇ = τ⁺ + Σ Jᵀ f⁺        f⁺ = f̂ − D h J v̇        τ⁺ = τ̂ − h (d + h k) v̇        v⁺ = v + h v̇,  q⁺ = q + h q̇(v⁺)
//! ```
//! Forces of contacts, stops, servos, springs, dampers and dry friction of joints follow their own slopes
//! ([`slopes`]). What gives way to the acceleration of one body adds to the inertia of links and joints
//! ([`bristle_bodies::Yields`]), so a solve costs one recursion, as an explicit step does. Contacts between bodies that both move
//! and joints that follow others are solved for apart ([`coupled`]). Positions of what falls freely go on with the mean of gravity ([`held`]). Gravity and springs between bodies stay at the start.
//!
//! ```text
//! ΔE = Σ (h u⁺·f⁺ + ΔU) − ½ Δv·M Δv          less the work of motors and drives
//! ```
//! Energy cannot rise while no contact ends the step with more than it was given. What a solve has found is looked at: gaps that close after all and stops that are
//! reached ([`gap`]), friction that drives and laws that stiffen ([`rub`]). Where something is new the solve is repeated with it. Trees of joints end with another
//! inertia than the step was made with, their stops deeper, and their contacts elsewhere than along a straight line ([`arrival`]); their velocity at the end makes good for both ([`Balance`]).
//!
//! Losses are booked with the power at the start of the step: at steps that do not resolve a contact the closure of the ledger
//! shows what the method takes out of the motion.

mod acting;
mod arrival;
mod contacts;
mod coupled;
mod envelope;
mod gap;
mod held;
mod joints;
mod resist;
mod rub;
mod slopes;
mod stops;

use super::meeting::Places;
use super::mode::{ACTUATORS, Mode, WORLD_ACCOUNTS};
use super::model::{Model, Touching};
use super::number::Number;
use super::{Scratch, World};
use acting::Acting;
pub(super) use arrival::Arrival;
use arrival::Course;
use bristle_bodies::{Acts, Balance, Loads, Stride, Yields};
use bristle_laws::FrictionLaw;
use bristle_math::spatial::Wrench;
use coupled::Coupled;
use gap::Gap;
use held::Held;
use joints::Motor;
use rub::{Rub, SOLVES, Sight};
use slopes::STATES;
use stops::{Reach, Way};

/// The part of the energy of motion of a tree that it may owe to contacts before the solve is repeated: what is less costs half of that of its speed.
const DEAR: f64 = 0.01;
/// How often the way of a tree may be halved that after all solves owes more than it has: in the end it stays where it is.
const MOST_HALVES: u32 = 32;

/// What a step that looks at its end remembers of its forces.
pub(crate) struct Ends<T: Number> {
    yields: Yields<T>,
    /// Of trees of joints.
    balance: Balance<T>,
    pub(super) arrival: Arrival<T>,
    coupled: Coupled<T>,
    /// Friction, and states that follow the velocity at the end.
    rubs: Vec<Rub<T>>,
    gaps: Vec<Gap<T>>,
    /// The stops that are reached within the step.
    stops: Vec<Reach<T>>,
    /// What the motors give.
    motors: Vec<Motor<T>>,
    /// The velocity at the end, and that which positions go on with.
    v: Vec<T>,
    passage: Vec<T>,
    held: Held,
    /// Room for differences of positions and velocities.
    trial: Vec<T>,
}

impl<T: Number> Ends<T> {
    pub(crate) fn new(model: &Model<T>) -> Self {
        Self {
            yields: Yields::new(&model.tree),
            balance: Balance::new(&model.tree),
            arrival: Arrival::new(model),
            coupled: Coupled::new(model),
            rubs: Vec::new(),
            gaps: Vec::new(),
            stops: vec![Reach::none(); model.stops.len()],
            motors: Vec::with_capacity(model.actuators.len()),
            v: vec![T::lit(0.0); model.tree.nv()],
            passage: vec![T::lit(0.0); model.tree.nv()],
            held: Held::new(model),
            trial: Vec::new(),
        }
    }
}

impl<T: Number> Model<T> {
    /// Why a model has no linearly implicit step.
    pub(crate) fn not_yielding(&self) -> Option<String> {
        let name = |shape: usize| &self.bodies[self.shapes[shape].body].name;
        for a in 0..self.shapes.len() {
            for b in a + 1..self.shapes.len() {
                let (Some(meet), true) = (self.interaction(a, b), self.can_meet(a, b)) else { continue };
                let law = &self.materials[meet.material];
                if !matches!(meet.touching, Touching::Points(_)) || law.spins() {
                    return Some(format!(
                        "linearly-implicit takes contacts at points, and {} and {} touch over a patch",
                        name(a),
                        name(b)
                    ));
                }
            }
        }
        let states =
            self.materials.iter().filter_map(|m| m.friction()).chain(self.frictions.iter().map(|f| &f.law));
        let most = states.map(|law| law.states().len()).max().unwrap_or(0);
        (most > STATES)
            .then(|| format!("linearly-implicit takes friction laws of at most {STATES} states, not {most}"))
    }
}

impl<T: Number> World<'_, T> {
    /// Mean rates over a step `h` with stiff forces at its end.
    pub(crate) fn rates_to_end(
        &self,
        t: T,
        h: T,
        x: &[T],
        mode: &Mode<T>,
        dx: &mut [T],
        ws: &mut Scratch<T>,
    ) {
        let model = self.model;
        self.move_to(t, x, ws);
        ws.has_inertias = false; // those that are found here give way
        model.tree.moving().iter().for_each(|&link| ws.wrenches[link] = Wrench::zero());
        ws.ends.yields.clear(h);
        ws.ends.rubs.clear();
        ws.ends.gaps.clear();
        ws.ends.gaps.reserve(mode.contacts.len());
        ws.ends.rubs.reserve(mode.contacts.len() + mode.frictions.len());
        ws.ends.coupled.clear(model, mode);
        let world = mode.accounts();
        dx[world..world + WORLD_ACCOUNTS.len()].fill(T::lit(0.0));
        self.contacts_to_end(h, x, mode, dx, ws);
        if model.has_elements() {
            model.act(t, &mut dx[world..world + WORLD_ACCOUNTS.len()], ws);
        }
        if !ws.efforts.is_empty() {
            model.joints_to_end((t, h), x, mode, dx, ws);
        }
        let (nq, nv) = (model.tree.nq(), model.tree.nv());
        let Scratch { kin, placed, wrenches, driven, efforts, tree, found, ends, .. } = ws;
        let Ends { yields, balance, arrival, coupled, rubs, gaps, stops, motors, .. } = ends;
        let (v_end, passage, held) = (&mut ends.v, &mut ends.passage, &mut ends.held);
        let (q, v) = x[..nq + nv].split_at(nq);
        balance.start(&model.tree, kin);
        held.is_all = false;
        for number in 0..SOLVES {
            let gives = Some(&*yields);
            let loads = Loads { wrenches, efforts, gravity: model.gravity, driven, yields: gives };
            let vdot = &mut dx[nq..nq + nv];
            model.tree.accelerations_under(kin, v, &loads, vdot, tree);
            coupled.give_way(model, kin, &loads, tree, vdot);
            v_end.iter_mut().zip(v.iter().zip(&*vdot)).for_each(|(end, (v, rate))| *end = *v + h * *rate);
            // what is placed now moves with the velocity at the end, and is not what `x` says
            model.tree.twists(v_end, driven, kin);
            let mut acting = Acting { wrenches, efforts, yields, coupled };
            let places = Places { kin, placed };
            let mut is_new = false;
            if number + 1 < SOLVES {
                let at = Sight { model, mode, x, v: v_end, places };
                let step = (h, number + 2 == SOLVES);
                let way = Way { h, q, v, v_end };
                for gap in gaps.iter_mut() {
                    is_new |= gap.look(step, (model, &mode.pairs), places, &mut acting);
                }
                is_new |= model.look_at_stops(&way, step.1, mode, stops, &mut acting);
                for rub in rubs.iter_mut() {
                    is_new |= rub.look(step, &at, found, &mut acting);
                }
            }
            if !is_new {
                // states go on with the velocity that was found
                for rub in rubs.iter().filter(|rub| rub.count > 0) {
                    let change = rub.follow(model, x, &rub.place.velocity(kin, v_end));
                    (0..rub.count).for_each(|i| dx[rub.z + i] = change[i] / h);
                }
                // positions go on with it too, but for what falls
                held.look(model, (h, q, [v, v_end]), kin, (rubs, gaps));
                let loads =
                    Loads { wrenches, efforts, gravity: model.gravity, driven, yields: Some(&*yields) };
                let acts = Acts { loads: &loads, is_held: &held.links };
                let stride = Stride { step: h, v: [v, v_end], gravity: model.gravity };
                balance.weigh(&model.tree, (kin, tree), &stride, &acts);
                balance.passage(&model.tree, kin, &stride, &acts, passage);
                if balance.is_empty() {
                    model.tree.rates(q, passage, &mut dx[..nq]);
                    break;
                }
                let is_last = number + 1 == SOLVES;
                for _ in 0..MOST_HALVES {
                    model.tree.rates(q, passage, &mut dx[..nq]);
                    arrival.reach(model, mode, &Course { t, h, x, dx, v_end });
                    arrival.look((model, mode), (h, kin), (rubs, gaps), found, balance);
                    let way = Way { h, q, v, v_end };
                    model.look_back_at_stops(&way, (mode, x, arrival.state()), stops, &held.stops, balance);
                    if !is_last || !balance.shorten(&model.tree, passage) {
                        break;
                    }
                }
                if is_last || balance.owed() <= DEAR {
                    break;
                }
                held.is_all = true;
                let mut acting = Acting { wrenches, efforts, yields, coupled };
                gaps.iter_mut().for_each(|gap| gap.bend(h, (model, &mode.pairs), places, &mut acting));
                rubs.iter_mut().for_each(|rub| rub.bend(h, kin, &mut acting));
            }
            model.tree.twists(v, driven, kin);
        }
        ws.motion.clear();
        balance.settle(
            &model.tree,
            [kin, arrival.kin()],
            &Stride { step: h, v: [v, v_end], gravity: model.gravity },
            &mut dx[nq..nq + nv],
        );
        if !model.actuators.is_empty() {
            dx[world + ACTUATORS] = model.motor_power(h, (v, v_end), motors);
        }
    }
}
