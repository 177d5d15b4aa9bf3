//! Balls on ground that stands still: the commonest contact, by itself, so that nothing of it passes through memory.
//!
//! It says what [`Meeting::touch`](super::meeting::Meeting::touch) says, for materials that ask for no patch.

use super::World;
use super::material::Material;
use super::mode::{Contact, Mode, PAIR_ACCOUNTS, PairSlot, WORLD_ACCOUNTS};
use super::model::Model;
use super::number::Number;
use bristle_geom::{Ground, Placed};
use bristle_laws::friction::WithFriction;
use bristle_laws::{FrictionLaw, FrictionOut, Indent, NormalLaw, Phase, Slip};
use bristle_math::Vector3;
use bristle_math::spatial::Wrench;

/// A ball on ground: rates of its states, power of its losses, and the wrench on the ball about its origin.
pub(super) struct OnGround<'a, T: Number> {
    pub model: &'a Model<T>,
    pub material: &'a Material<T>,
    pub ground: &'a Ground<T>,
    pub phase: Phase,
    pub ball: &'a Placed<T>,
    pub z: &'a [T],
    pub zdot: &'a mut [T],
    pub losses: &'a mut [T],
}

impl<T: Number> WithFriction<T> for OnGround<'_, T> {
    type Out = Wrench<T>;

    #[inline(always)]
    fn with<L: FrictionLaw<T> + ?Sized>(self, law: &L) -> Wrench<T> {
        let Self { model, material, ground, phase, ball, z, zdot, losses } = self;
        let (depth, rate) = ground.depth(ball);
        if phase == Phase::Open && depth.value() <= 0.0 {
            zdot.fill(T::lit(0.0));
            losses.fill(T::lit(0.0));
            return Wrench::zero();
        }
        let indent = Indent { lens: ground.lens(), ..Indent::point(depth, rate) };
        let own = material.parts().normal;
        let push = material.normal().eval(&indent, &z[..own], phase, &mut zdot[..own]);
        let (n, relative) = (ground.normal(), ground.relative(ball));
        let velocity = relative.linear - n * n.dot(&relative.linear);
        let slip = Slip { velocity, spin: relative.angular, normal: *n, load: push.force, indent };
        // at lift-off the depth is zero but for rounding, and what the bristles still store must be seen
        let friction = if depth.value() > 0.0 || phase == Phase::Touching {
            law.eval(&slip, &z[own..], &mut zdot[own..])
        } else {
            zdot[own..].fill(T::lit(0.0));
            FrictionOut::none()
        };
        let frame_spin = n * model.carried_spin(&ball.twist.angular, n);
        material.carry(&frame_spin, z, zdot);
        let lost = &friction.losses;
        let zero = T::lit(0.0);
        losses.copy_from_slice(&[
            push.dissipated,
            lost.damper,
            lost.clutch,
            lost.viscous,
            lost.stiffness,
            zero,
        ]);
        ground.wrench(n * (push.force + friction.normal) + friction.force, &friction.torque)
    }
}

impl<T: Number> Model<T> {
    /// Mean spin of two bodies about the normal, with which vector states turn, rad/s.
    #[inline(always)]
    pub(super) fn carried_spin(&self, spins: &Vector3<T>, normal: &Vector3<T>) -> T {
        if self.carries_spin { T::lit(0.5) * spins.dot(normal) } else { T::lit(0.0) }
    }
}

impl<T: Number> PairSlot<T> {
    /// The ground, where [`OnGround`] says all there is to say of this pair.
    #[inline(always)]
    pub(super) fn plain_ground(&self, material: &Material<T>) -> Option<&Ground<T>> {
        self.ground.as_ref().filter(|_| T::IS_PLAIN && self.contacts.len() == 1 && !material.needs_patch())
    }
}

impl<T: Number> World<'_, T> {
    /// Every rate of a world of which [`Mode::rolls`] holds, ball by ball.
    #[inline(always)]
    pub(super) fn roll(&self, x: &[T], mode: &Mode<T>, dx: &mut [T]) {
        let model = self.model;
        let (nq, nv) = (model.tree.nq(), model.tree.nv());
        let (motion, rest) = dx.split_at_mut(nq + nv);
        let (states, accounts) = rest.split_at_mut(mode.accounts() - motion.len());
        let (qdot, vdot) = motion.split_at_mut(nq);
        let (q, v) = x[..nq + nv].split_at(nq);
        accounts[..WORLD_ACCOUNTS.len()].fill(T::lit(0.0));
        let mut pairs = mode.pairs.iter();
        let mut next = pairs.next();
        for body in model.tree.loose() {
            let mut wrench = Wrench::zero();
            if let Some(pair) = next
                && let Some(ground) = &pair.ground
                && ground.ball(pair.links) == body.link
            {
                let material = &model.materials[pair.material];
                let Contact { phase, z: at, .. } = mode.contacts[pair.contacts.start];
                let count = material.parts().total;
                if let Some(friction) = material.only_friction() {
                    wrench = friction.with(OnGround {
                        model,
                        material,
                        ground,
                        phase,
                        ball: &body.placed(q, v),
                        z: &x[at..][..count],
                        zdot: &mut states[at - nq - nv..][..count],
                        losses: &mut accounts[pair.accounts - mode.accounts()..][..PAIR_ACCOUNTS],
                    });
                }
                next = pairs.next();
            }
            body.rates((q, v), &wrench, &model.gravity, (qdot, vdot));
        }
    }
}

impl<T: Number> Mode<T> {
    /// Whether all that moves are free bodies, and all that acts on them is gravity and ground that stands still: one pair for
    /// each at most, in the order of the bodies.
    pub(super) fn is_rolling(&self, model: &Model<T>) -> bool {
        let ball = |pair: &PairSlot<T>| {
            let material = &model.materials[pair.material];
            material.only_friction()?;
            pair.plain_ground(material).map(|ground| ground.ball(pair.links))
        };
        T::IS_PLAIN
            && model.tree.is_loose()
            && model.joints.is_empty()
            && !model.has_elements()
            && self.pairs.iter().all(|pair| ball(pair).is_some())
            && self.pairs.windows(2).all(|pair| ball(&pair[0]) < ball(&pair[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use bristle_ode::System;

    const FRICTION: [&str; 4] = [
        "law = 'coulomb', static = 0.3",
        "law = 'spring-clutch', friction = 0.3, stiffness = 1e6, damping = 300.0",
        "law = 'lugre', static = 0.3, stiffness = 1e5, damping = 30.0",
        "law = 'dwell-bristle', static = 0.5, kinetic = 0.3, stiffness = 1e5, damping = 30.0, stribeck_speed = 1e-3, dwell_time = 2.0",
    ];

    /// Two balls, named before and after the tilted plane under them.
    fn scene(friction: &str) -> Scene {
        let ball = |name: &str| {
            format!(
                "[bodies.{name}]\nshape = {{ sphere = {{ radius = 0.1 }} }}\nmass = 0.4\nposition = [0, 0, 0.1]\n"
            )
        };
        let text = format!(
            "schema = 1\n[simulation]\nduration = 1.0\n{}{}{}{}{friction} }}\n{}",
            ball("a"),
            "[bodies.n]\nfixed = true\nshape = { plane = { normal = [0.1, -0.2, 1.0], offset = 0.01 } }\n",
            ball("z"),
            "[materials.m]\nnormal = { law = 'hunt-crossley', stiffness = 1e6, damping = 0.3 }\nfriction = { ",
            "[[contacts]]\nbetween = ['n', '*']\nmaterial = 'm'\n",
        );
        Scene::parse(&text, "scene.toml", &[]).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Ball by ball and by the general way the rates are the same numbers; both are those of the contact as it is shown.
    #[test]
    fn the_short_way_says_what_the_long_way_says() {
        for friction in FRICTION {
            let prepared = crate::prepare(&scene(friction)).unwrap_or_else(|e| panic!("{e}"));
            let (model, world) = (&prepared.model, World::new(&prepared.model));
            let mut state = world.start(&prepared.q, &prepared.v);
            assert!(state.mode.rolls && state.mode.pairs.len() == 2);
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
                world.for_each_touch(0.0, &state.x, &state.mode, &mut ws, |pair, _, touch| {
                    let pair = &state.mode.pairs[pair];
                    let side = usize::from(pair.moves[1]);
                    let v = model.tree.v_range(pair.links[side]);
                    let acceleration = Vector3::from_column_slice(&rates[nq + v.start + 3..nq + v.end]);
                    let told = (acceleration - model.gravity) * (0.4 * [-1.0, 1.0][side]);
                    let (force, lost) = (touch.force(), touch.normal.dissipated);
                    // both find the lowest point to within rounding of its place
                    assert!(
                        (told - force).norm() <= 1e-10 * (1.0 + force.norm()),
                        "{friction}: {told} {force}"
                    );
                    assert!((rates[pair.accounts] - lost).abs() <= 1e-10 * (1.0 + lost.abs()), "{friction}");
                    touched += usize::from(force.norm() > 0.0);
                });
            }
            assert!(touched > 50, "{touched} touches are compared");
        }
    }
}
