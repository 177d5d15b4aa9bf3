//! Free balls on ground that stands still: all rates in one pass, ball by ball.

use super::World;
use super::ahead::Ahead;
use super::mode::{Mode, PAIR_ACCOUNTS, PairSlot, WORLD_ACCOUNTS};
use super::model::Model;
use super::number::Number;
use super::plain::{OnGround, Plain};
use bristle_math::spatial::Wrench;

impl<T: Number> World<'_, T> {
    /// Every rate of a world of which [`Mode::rolls`] holds, ball by ball. Leaves nothing in a scratch.
    #[inline(always)]
    pub(super) fn roll(&self, x: &[T], mode: &Mode<T>, dx: &mut [T], ahead: &mut Ahead) {
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
                && let Some(ground) = pair.ground()
                && ground.ball(pair.links) == body.link
            {
                let material = &model.materials[pair.material];
                let contact = &mode.contacts[pair.contacts.start];
                let at = contact.z;
                let count = material.parts().total;
                if let Some(friction) = material.only_friction() {
                    let plain = Plain {
                        model,
                        material,
                        near: OnGround(ground, &body.placed(q, v)),
                        contact,
                        ahead,
                        z: &x[at..][..count],
                        zdot: &mut states[at - nq - nv..][..count],
                        losses: &mut accounts[pair.accounts - mode.accounts()..][..PAIR_ACCOUNTS],
                    };
                    wrench = friction.with(plain).unwrap_or_else(Wrench::zero);
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
            pair.plain(&model.materials[pair.material])?;
            pair.ground().map(|ground| ground.ball(pair.links))
        };
        T::IS_PLAIN
            && model.tree.is_loose()
            && model.joints.is_empty()
            && !model.has_elements()
            && self.pairs.iter().all(|pair| ball(pair).is_some())
            && self.pairs.windows(2).all(|pair| ball(&pair[0]) < ball(&pair[1]))
    }
}
