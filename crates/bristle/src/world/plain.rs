//! Balls on ground that stands still, and balls on balls: the commonest contacts, by themselves, so that nothing of them passes
//! through memory.
//!
//! They say what [`Meeting::touch`](super::meeting::Meeting::touch) says, for materials that ask for no patch.

use super::ahead::Ahead;
use super::material::{Material, carry};
use super::mode::{Contact, PAIR_ACCOUNTS, PairSlot};
use super::model::Model;
use super::number::{AnyNumber, Number};
use bristle_geom::{Balls, BallsMet, Ground, Placed};
use bristle_laws::friction::WithFriction;
use bristle_laws::{Friction, FrictionLaw, FrictionOut, Indent, NormalLaw, Phase, Slip};
use bristle_math::Vector3;
use bristle_math::lens::Lens;
use bristle_math::spatial::{Twist, Wrench};

/// The short form of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Short<T> {
    /// A ball over ground that stands still, in the frame of its link.
    Ground(Ground<T>),
    /// A ball over ground that stands still, away from the frame of its link.
    Beside(Ground<T>),
    /// Two balls.
    Balls(Balls<T>),
}

/// How a short pair lies at one instant.
pub(crate) trait Near<T: AnyNumber> {
    /// What acts on the balls, about their centres.
    type Push;
    /// Depth and its rate; depth zero or less is all that is asked of a gap.
    fn depth(&self) -> (T, T);
    fn lens(&self) -> Lens<T>;
    /// From the first body into the second.
    fn normal(&self) -> Vector3<T>;
    /// Motion of the second over the first at the point of contact.
    fn relative(&self) -> Twist<T>;
    /// With which vector states turn: with the mean spin about the normal, if they are carried by it.
    fn frame_spin(&self, carries_spin: bool) -> Vector3<T>;
    /// Of a force on the second at the point, and a torque.
    fn push(&self, force: Vector3<T>, torque: &Vector3<T>) -> Self::Push;
}

/// A ball on ground; motion and push are those at its centre.
pub(crate) struct OnGround<'a, T>(pub &'a Ground<T>, pub &'a Placed<T>);

impl<T: Number> OnGround<'_, T> {
    /// What a law that asks for no patch sees.
    #[inline(always)]
    pub(super) fn indent(&self) -> Indent<T> {
        let (depth, rate) = self.depth();
        Indent { lens: self.lens(), ..Indent::point(depth, rate) }
    }
}

impl<T: AnyNumber> Near<T> for OnGround<'_, T> {
    type Push = Wrench<T>;
    #[inline(always)]
    fn depth(&self) -> (T, T) {
        self.0.depth(self.1)
    }
    #[inline(always)]
    fn lens(&self) -> Lens<T> {
        self.0.lens()
    }
    #[inline(always)]
    fn normal(&self) -> Vector3<T> {
        *self.0.normal()
    }
    #[inline(always)]
    fn relative(&self) -> Twist<T> {
        self.0.relative(self.1)
    }
    #[inline(always)]
    fn frame_spin(&self, carries_spin: bool) -> Vector3<T> {
        let n = self.0.normal();
        n * carried_spin(carries_spin, &self.1.twist.angular, n)
    }
    #[inline(always)]
    fn push(&self, force: Vector3<T>, torque: &Vector3<T>) -> Wrench<T> {
        self.0.wrench(self.1, force, torque)
    }
}

/// Two balls.
pub(crate) struct OnBall<'a, T> {
    pub balls: &'a Balls<T>,
    pub met: BallsMet<T>,
    /// The sum of their angular velocities, rad/s.
    pub spins: Vector3<T>,
}

impl<'a, T: AnyNumber> OnBall<'a, T> {
    #[inline(always)]
    pub fn new(balls: &'a Balls<T>, at: [&Placed<T>; 2]) -> Self {
        Self { balls, met: balls.meet(at), spins: at[0].twist.angular + at[1].twist.angular }
    }
}

impl<T: AnyNumber> Near<T> for OnBall<'_, T> {
    type Push = [Wrench<T>; 2];
    #[inline(always)]
    fn depth(&self) -> (T, T) {
        (self.met.depth, self.met.rate)
    }
    #[inline(always)]
    fn lens(&self) -> Lens<T> {
        self.balls.lens()
    }
    #[inline(always)]
    fn normal(&self) -> Vector3<T> {
        self.met.normal
    }
    #[inline(always)]
    fn relative(&self) -> Twist<T> {
        self.met.relative
    }
    #[inline(always)]
    fn frame_spin(&self, carries_spin: bool) -> Vector3<T> {
        let n = &self.met.normal;
        n * carried_spin(carries_spin, &self.spins, n) + n.cross(&self.met.normal_rate)
    }
    #[inline(always)]
    fn push(&self, force: Vector3<T>, torque: &Vector3<T>) -> [Wrench<T>; 2] {
        self.met.wrenches(force, torque)
    }
}

/// The laws of a short pair that has a friction law and no resistances, where it acts.
pub(crate) struct Acting<'a, T: AnyNumber, N, G> {
    pub carries_spin: bool,
    pub normal: &'a N,
    /// How many states the normal law has.
    pub own: usize,
    /// Where the states that are vectors stand.
    pub vectors: &'a [usize],
    pub near: &'a G,
    pub phase: Phase,
    pub z: &'a [T],
    pub zdot: &'a mut [T],
}

/// What they answer.
pub(crate) struct Answer<T> {
    /// On the second body, N.
    pub force: Vector3<T>,
    /// On the second body, N m.
    pub torque: Vector3<T>,
    /// Power of the losses, by account, W.
    pub losses: [T; PAIR_ACCOUNTS],
    /// Energy stored, J.
    pub stored: T,
}

impl<T: AnyNumber, N: NormalLaw<T>, G: Near<T>> Acting<'_, T, N, G> {
    /// All laws; friction only if it `rubs`.
    #[inline(always)]
    pub fn evaluate<L: FrictionLaw<T> + ?Sized>(self, law: &L, rubs: bool) -> Answer<T> {
        let Self { carries_spin, normal, own, vectors, near, phase, z, zdot } = self;
        let (depth, rate) = near.depth();
        let indent = Indent { lens: near.lens(), ..Indent::point(depth, rate) };
        let push = normal.eval(&indent, &z[..own], phase, &mut zdot[..own]);
        let (n, relative) = (near.normal(), near.relative());
        let velocity = relative.linear - n * n.dot(&relative.linear);
        let slip = Slip { velocity, spin: relative.angular, normal: n, load: push.force, indent };
        let friction = if rubs {
            law.eval(&slip, &z[own..], &mut zdot[own..])
        } else {
            zdot[own..].fill(T::lit(0.0));
            FrictionOut::none()
        };
        carry(vectors, &near.frame_spin(carries_spin), z, zdot);
        let (lost, zero) = (&friction.losses, T::lit(0.0));
        Answer {
            force: n * push.force + n * friction.normal + friction.force,
            torque: friction.torque,
            losses: [push.dissipated, lost.damper, lost.clutch, lost.viscous, lost.stiffness, zero],
            stored: push.stored + friction.stored,
        }
    }
}

/// A contact of a short pair that has a friction law and no resistances: rates of its states, power of its losses.
pub(super) struct Plain<'a, T: Number, G> {
    pub model: &'a Model<T>,
    pub material: &'a Material<T>,
    pub near: G,
    pub contact: &'a Contact,
    pub ahead: &'a mut Ahead,
    pub z: &'a [T],
    pub zdot: &'a mut [T],
    pub losses: &'a mut [T],
}

impl<T: Number, G: Near<T>> WithFriction<T> for Plain<'_, T, G> {
    /// Nothing across a gap that no state bridges.
    type Out = Option<G::Push>;

    #[inline(always)]
    fn with<L: FrictionLaw<T> + ?Sized>(self, law: &L) -> Option<G::Push> {
        let Self { model, material, near, contact, ahead, z, zdot, losses } = self;
        let (depth, phase) = (near.depth().0.value(), contact.phase);
        if phase == Phase::Open && (depth <= 0.0 || ahead.waits(contact, depth)) {
            zdot.fill(T::lit(0.0));
            losses.fill(T::lit(0.0));
            return None;
        }
        let (normal, own, vectors) = (material.normal(), material.parts().normal, material.vectors());
        let carries_spin = model.carries_spin;
        let acting = Acting { carries_spin, normal, own, vectors, near: &near, phase, z, zdot };
        // at lift-off the depth is zero but for rounding, and what the bristles still store must be seen
        let answer = acting.evaluate(law, depth > 0.0 || phase == Phase::Touching);
        losses.copy_from_slice(&answer.losses);
        Some(near.push(answer.force, &answer.torque))
    }
}

/// Mean spin of two bodies about the normal, with which vector states turn, rad/s.
#[inline(always)]
pub(super) fn carried_spin<T: AnyNumber>(carries_spin: bool, spins: &Vector3<T>, normal: &Vector3<T>) -> T {
    if carries_spin { T::lit(0.5) * spins.dot(normal) } else { T::lit(0.0) }
}

impl<T: Number> PairSlot<T> {
    /// The short form and the friction law, where [`Plain`] says all there is to say of this pair.
    #[inline(always)]
    pub(super) fn plain<'a>(&'a self, material: &'a Material<T>) -> Option<(&'a Short<T>, &'a Friction<T>)> {
        let is_plain = T::IS_PLAIN && self.contacts.len() == 1 && !material.needs_patch();
        let short = self.short.as_ref().filter(|short| !matches!(short, Short::Beside(_)));
        if is_plain { short.zip(material.only_friction()) } else { None }
    }
}

impl<T: AnyNumber> PairSlot<T> {
    /// The ground, where the pair is a ball over ground that stands still.
    #[inline(always)]
    pub(crate) fn ground(&self) -> Option<&Ground<T>> {
        match &self.short {
            Some(Short::Ground(ground)) => Some(ground),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use crate::world::World;
    use bristle_ode::System;

    const FRICTION: [&str; 4] = [
        "law = 'coulomb', static = 0.3",
        "law = 'spring-clutch', friction = 0.3, stiffness = 1e6, damping = 300.0",
        "law = 'lugre', static = 0.3, stiffness = 1e5, damping = 30.0",
        "law = 'dwell-bristle', static = 0.5, kinetic = 0.3, stiffness = 1e5, damping = 30.0, stribeck_speed = 1e-3, dwell_time = 2.0",
    ];

    /// Two balls, named before and after the tilted plane under them, that touch it or each other too.
    fn scene(friction: &str, between: &str) -> Scene {
        let ball = |name: &str, x: f64| {
            format!(
                "[bodies.{name}]\nshape = {{ sphere = {{ radius = 0.1 }} }}\nmass = 0.4\nposition = [{x}, 0, 0.1]\n"
            )
        };
        let text = format!(
            "schema = 1\n[simulation]\nduration = 1.0\n{}{}{}{}{friction} }}\n[[contacts]]\nbetween = {between}\nmaterial = 'm'\n",
            ball("a", 0.0),
            "[bodies.n]\nfixed = true\nshape = { plane = { normal = [0.1, -0.2, 1.0], offset = 0.01 } }\n",
            ball("z", 0.19),
            "[materials.m]\nnormal = { law = 'hunt-crossley', stiffness = 1e6, damping = 0.3 }\nfriction = { ",
        );
        Scene::parse(&text, "scene.toml", &[]).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Ball by ball and pair by pair the rates are the same numbers; both are those of the contacts as they are shown.
    #[test]
    fn the_short_way_says_what_the_long_way_says() {
        for (friction, between) in
            FRICTION.into_iter().flat_map(|f| ["['n', '*']", "['*', '*']"].map(|b| (f, b)))
        {
            let prepared = crate::prepare(&scene(friction, between)).unwrap_or_else(|e| panic!("{e}"));
            let (model, world) = (&prepared.model, World::new(&prepared.model));
            let mut state = world.start(&prepared.q, &prepared.v);
            let is_all = between == "['*', '*']";
            assert_eq!((state.mode.rolls, state.mode.pairs.len()), (!is_all, if is_all { 3 } else { 2 }));
            let mut long = state.mode.clone();
            long.rolls = false;
            let (mut ws, n) = (world.scratch(), state.x.len());
            let (nq, mut rates, mut others) = (model.tree.nq(), vec![0.0; n], vec![0.0; n]);
            let (mut seed, mut touched) = (1_u64, 0);
            for _ in 0..200 {
                let motion = nq + model.tree.nv();
                for (i, x) in state.x.iter_mut().enumerate() {
                    seed =
                        seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let noise = (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
                    *x += if i < motion { 0.01 } else { 1e-6 } * noise;
                }
                state
                    .mode
                    .contacts
                    .iter_mut()
                    .chain(&mut long.contacts)
                    .for_each(|c| c.phase = Phase::Touching);
                world.derivative(0.0, &state.x, &state.mode, &mut rates, &mut ws);
                world.derivative(0.0, &state.x, &long, &mut others, &mut ws);
                assert_eq!(rates, others, "{friction}");
                let mut loads = vec![Wrench::zero(); model.tree.links().len()];
                let placed = world.kinematics(0.0, &state.x, &mut ws).clone();
                world.for_each_touch(0.0, &state.x, &state.mode, &mut ws, |pair, _, touch| {
                    let pair = &state.mode.pairs[pair];
                    let [a, b] = pair.links;
                    loads[a] += -touch.wrench_about(placed.origin(a));
                    loads[b] += touch.wrench_about(placed.origin(b));
                    let lost = touch.normal.dissipated;
                    assert!((rates[pair.accounts] - lost).abs() <= 1e-10 * (1.0 + lost.abs()), "{friction}");
                    touched += usize::from(touch.normal.force > 0.0);
                });
                for body in model.tree.loose() {
                    let v = &rates[nq..][model.tree.v_range(body.link)];
                    let (spin, linear) = (Vector3::new(v[0], v[1], v[2]), Vector3::new(v[3], v[4], v[5]));
                    let (force, torque) = ((linear - model.gravity) * 0.4, spin * (0.4 * 0.4 * 0.01));
                    let load = &loads[body.link];
                    // both find the point of a contact to within rounding of its place
                    let size = 1.0 + load.force.norm();
                    assert!(
                        (force - load.force).norm() <= 1e-10 * size,
                        "{friction}: {force} {}",
                        load.force
                    );
                    assert!(
                        (torque - load.torque).norm() <= 1e-10 * size,
                        "{friction}: {torque} {}",
                        load.torque
                    );
                }
            }
            assert!(touched > 50, "{touched} touches are compared");
        }
    }
}
