//! A step whose stiff forces are taken at its end: linearly implicit Euler.
//!
//! ```text
//! M v̇ = τ⁺ + Σ Jᵀ f⁺        f⁺ = f̂ − D h J v̇        τ⁺ = τ̂ − h (d + h k) v̇        v⁺ = v + h v̇,  q⁺ = q + h q̇(v⁺)
//! ```
//! Forces of contacts, stops, servos, springs, dampers and dry friction of joints follow their own slopes
//! ([`slopes`]). What gives way to the acceleration adds to the inertia of links and joints ([`bristle_bodies::Yields`]), so
//! a step costs one recursion, as an explicit one does. Gravity, gyroscopic terms and springs between bodies stay at the start.
//!
//! Losses are booked with the power at the start of the step: at steps that do not resolve a contact the closure of the ledger
//! shows what the method takes out of the motion.

mod joints;
mod slopes;

use super::meeting::{MOST_STATES, Meeting, Places};
use super::mode::Mode;
use super::model::{Model, Touching};
use super::number::Number;
use super::{Scratch, Touch, World};
use crate::world::Contact;
use bristle_bodies::{Kinematics, Loads, Yields};
use bristle_geom::Patch;
use bristle_laws::{FrictionLaw, NormalLaw, Phase, Slip};
use bristle_math::Vector3;
use bristle_math::spatial::Wrench;
use nalgebra::Matrix3;
use slopes::{AtEnd, STATES, Start};

/// What a step that looks at its end remembers of its forces.
pub(crate) struct Ends<T: Number> {
    yields: Yields<T>,
    /// States that follow the velocity at the end.
    followers: Vec<Follower<T>>,
    /// The velocity at the end.
    v: Vec<T>,
    /// Room for differences of positions and velocities.
    trial: Vec<T>,
}

/// States of a contact or of a joint.
struct Follower<T> {
    /// Where they stand in `x`, and how many there are.
    z: usize,
    count: usize,
    place: Place<T>,
    end: AtEnd<T>,
}

/// Where a velocity is taken.
enum Place<T> {
    /// Of the second link over the first at a point.
    Point { links: [usize; 2], point: Vector3<T>, before: Vector3<T> },
    /// Along a joint.
    Along { v: usize, before: T },
}

impl<T: Number> Ends<T> {
    pub(crate) fn new(model: &Model<T>) -> Self {
        Self {
            yields: Yields::new(&model.tree),
            followers: Vec::new(),
            v: vec![T::lit(0.0); model.tree.nv()],
            trial: Vec::new(),
        }
    }
}

impl<T: Number> Model<T> {
    /// Why a model has no linearly implicit step.
    pub(crate) fn not_yielding(&self) -> Option<String> {
        let name = |shape: usize| &self.bodies[self.shapes[shape].body].name;
        if let Some(coupling) = self.couplings.first() {
            let joint = self.joints.iter().find(|j| self.tree.v_range(j.link).contains(&coupling.v[0]));
            let name = joint.map_or("a joint", |j| j.name.as_str());
            return Some(format!("linearly-implicit takes no joints that follow others, as {name} does"));
        }
        for a in 0..self.shapes.len() {
            for b in a + 1..self.shapes.len() {
                let (Some(meet), true) = (self.interaction(a, b), self.can_meet(a, b)) else { continue };
                if [a, b].iter().all(|s| self.bodies[self.shapes[*s].body].is_movable) {
                    return Some(format!(
                        "linearly-implicit takes contacts with bodies that stand still or are driven, and {} and {} both \
                         move; leave the pair out of the contacts, or take another method",
                        name(a),
                        name(b)
                    ));
                }
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
        self.drifts(t, x, mode, dx, ws);
        ws.ends.yields.clear();
        ws.ends.followers.clear();
        self.contacts_to_end(h, x, mode, dx, ws);
        let model = self.model;
        if !ws.efforts.is_empty() {
            model.joints_to_end((t, h), x, mode, dx, ws);
        }
        let (nq, nv) = (model.tree.nq(), model.tree.nv());
        let Scratch { kin, wrenches, driven, efforts, tree, ends, .. } = ws;
        let (q, v) = x[..nq + nv].split_at(nq);
        let yields = Some(&ends.yields);
        let loads = Loads { wrenches, efforts, gravity: model.gravity, driven, yields };
        model.tree.accelerations_under(kin, v, &loads, &mut dx[nq..nq + nv], tree);
        ends.v.iter_mut().zip(v.iter().zip(&dx[nq..])).for_each(|(end, (v, rate))| *end = *v + h * *rate);
        model.tree.rates(q, &ends.v, &mut dx[..nq]);
        // what is placed now moves with the velocity at the end, and is not what `x` says
        model.tree.twists(&ends.v, driven, kin);
        ws.motion.clear();
        for follower in &ends.followers {
            let change = follower.place.change(kin, &ends.v);
            for i in 0..follower.count {
                dx[follower.z + i] = (follower.end.states[i] + follower.end.follow[i].dot(&change)) / h;
            }
        }
    }

    /// Forces of contacts at the end: what they differ by from those that act already, and how they give way.
    fn contacts_to_end(&self, h: T, x: &[T], mode: &Mode<T>, dx: &[T], ws: &mut Scratch<T>) {
        let Scratch { kin, placed, wrenches, found, ends, .. } = ws;
        for pair in &mode.pairs {
            let meeting = Meeting::new(self.model, pair, Places { kin, placed });
            meeting.find(found);
            for (i, contact) in mode.contacts[pair.contacts.clone()].iter().enumerate() {
                let patch = meeting.patch(i, found);
                let Some(touch) = meeting.look(contact, &patch, found, x) else {
                    if contact.phase == Phase::Open {
                        meeting.meet_within(h, &patch, kin, wrenches, &mut ends.yields);
                    }
                    continue;
                };
                let point = touch.patch.point;
                let before = relative(kin, pair.links, &point);
                let end = meeting.at_end(contact, &touch, before, h, x, dx);
                let gives = end.resist_safely(&touch.patch.normal) * h;
                meeting.push_at(&point, end.force - touch.force(), &gives, kin, wrenches, &mut ends.yields);
                let parts = meeting.material.parts();
                if parts.friction > 0 {
                    let place = Place::Point { links: pair.links, point, before };
                    let z = contact.z + parts.normal;
                    ends.followers.push(Follower { z, count: parts.friction, place, end });
                }
            }
        }
    }
}

impl<T: Number> Meeting<'_, T> {
    /// A gap that closes within the step: its spring acts already, or the body would arrive in it for nothing.
    fn meet_within(
        &self,
        h: T,
        patch: &Patch<T>,
        kin: &Kinematics<T>,
        wrenches: &mut [Wrench<T>],
        yields: &mut Yields<T>,
    ) {
        let depth = patch.depth + h * patch.rate;
        if depth.value() <= 0.0 {
            return;
        }
        let (n, own) = (patch.normal, self.material.parts().normal);
        let indent = self.indent_at(patch, depth, patch.rate);
        let (z, mut rates) = ([T::lit(0.0); MOST_STATES], [T::lit(0.0); MOST_STATES]);
        let elastic = self.material.normal().eval(&indent, &z[..own], Phase::Open, &mut rates[..own]).elastic;
        let gives = n * n.transpose() * (h * h * elastic / depth);
        self.push_at(&patch.point, n * elastic, &gives, kin, wrenches, yields);
    }

    /// A force on the second body at a point, its opposite on the first, and how both give way to the acceleration there.
    fn push_at(
        &self,
        point: &Vector3<T>,
        force: Vector3<T>,
        gives: &Matrix3<T>,
        kin: &Kinematics<T>,
        wrenches: &mut [Wrench<T>],
        yields: &mut Yields<T>,
    ) {
        for (side, force) in
            [-force, force].into_iter().enumerate().filter(|(side, _)| self.pair.moves[*side])
        {
            let link = self.pair.links[side];
            let arm = point - kin.origin(link);
            wrenches[link] += Wrench::from_force(force, &arm);
            yields.add_at(link, &arm, gives);
        }
    }

    /// The force on the second body at the end of a step.
    fn at_end(
        &self,
        contact: &Contact,
        touch: &Touch<T>,
        velocity: Vector3<T>,
        h: T,
        x: &[T],
        dx: &[T],
    ) -> AtEnd<T> {
        let parts = self.material.parts();
        let start = contact.z + parts.normal;
        let own = start..start + parts.friction;
        let at = Start {
            depth: Some((touch.patch.depth, touch.patch.normal)),
            velocity,
            states: &x[own.clone()],
            rates: &dx[own],
        };
        let scales = self.material.friction().map_or(&[][..], |law| law.states()).iter().map(|s| s.scale);
        let z_normal = &x[contact.z..start];
        AtEnd::new(h, &at, scales, |depth, velocity, z, rates| {
            self.force_at(contact.phase, touch, (depth, velocity), z_normal, z, rates)
        })
    }

    /// The force on the second body at another depth, velocity and state of friction.
    fn force_at(
        &self,
        phase: Phase,
        touch: &Touch<T>,
        (depth, velocity): (T, &Vector3<T>),
        z_normal: &[T],
        z: &[T; STATES],
        rates: &mut [T; STATES],
    ) -> Vector3<T> {
        let n = touch.patch.normal;
        let closing = n.dot(velocity);
        let indent = self.indent_at(&touch.patch, depth, -closing);
        let mut unused = [T::lit(0.0); MOST_STATES];
        let load = self.material.normal().eval(&indent, z_normal, phase, &mut unused[..z_normal.len()]).force;
        let mut force = n * load;
        if let Some(law) = self.material.friction() {
            let slip =
                Slip { velocity: velocity - n * closing, spin: touch.slip.spin, normal: n, load, indent };
            let count = law.states().len();
            let out = law.eval(&slip, &z[..count], &mut rates[..count]);
            force += n * out.normal + out.force;
        }
        force
    }
}

impl<T: Number> Place<T> {
    /// By how much the velocity there has changed.
    fn change(&self, kin: &Kinematics<T>, v: &[T]) -> Vector3<T> {
        match self {
            Self::Point { links, point, before } => relative(kin, *links, point) - before,
            Self::Along { v: k, before } => Vector3::new(v[*k] - *before, T::lit(0.0), T::lit(0.0)),
        }
    }
}

/// Velocity of the second link over the first at a point, m/s.
fn relative<T: Number>(kin: &Kinematics<T>, [a, b]: [usize; 2], point: &Vector3<T>) -> Vector3<T> {
    kin.velocity_at(b, point) - kin.velocity_at(a, point)
}
