//! Contacts and stops on lanes: laws are evaluated for all worlds, and what they answer counts where the contact acts.

use crate::world::joint::Share;
use crate::world::meeting::{MOST_STATES, Meeting};
use crate::world::rhs::losses;
use crate::world::{Held, PairSlot, Stop, Touch};
use bristle_bodies::Kinematics;
use bristle_geom::{Ground, Patch};
use bristle_laws::{Indent, Normal, NormalLaw, NormalOut, Phase};
use bristle_math::nalgebra::{SimdBool, SimdPartialOrd, SimdValue};
use bristle_math::spatial::Wrench;
use bristle_math::{Lanes, Real, Vector3, select};

/// A yes or no for every world of a group.
pub(super) type Mask = <Lanes as SimdValue>::SimdBool;

/// What is constant between commits.
#[derive(Debug, Clone)]
pub(super) struct Phases {
    /// Where each contact touches.
    pub contacts: Vec<Mask>,
    /// Where each stop is reached.
    pub stops: Vec<Mask>,
    /// What each motor does, in all worlds alike.
    pub held: Vec<Held>,
}

/// One contact of a group of worlds.
pub(super) struct TouchWork<'a, 'm> {
    pub meeting: &'a Meeting<'m, Lanes>,
    pub patch: &'a Patch<Lanes>,
    /// Where it touches.
    pub touching: Mask,
    /// Its states.
    pub z: &'a [Lanes],
}

/// A contact, evaluated: what it does where it acts.
pub(super) struct Masked {
    touch: Touch<Lanes>,
    /// `None` if it acts in all worlds.
    acting: Option<Mask>,
}

/// Whether there is a gap in all worlds and was one before: nothing to do, which is most of the time.
#[inline(always)]
pub(super) fn is_clear(touching: Mask, at: &Indent<Lanes>) -> bool {
    (touching | at.depth.simd_ge(Lanes::lit(0.0))).none()
}

/// Depth of a ball on ground and its rate, of the patch that [`Ground::touch`] gives.
#[inline(always)]
pub(super) fn gap(ground: &Ground<Lanes>, pair: &PairSlot<Lanes>, kin: &Kinematics<Lanes>) -> Indent<Lanes> {
    let patch = ground.touch(&kin.links[ground.ball(pair.links)]);
    Indent::point(patch.depth, patch.rate)
}

/// A law in contact, and where a stage of a step has gone beyond its begin.
#[inline(always)]
fn press(
    law: &Normal<Lanes>,
    at: &Indent<Lanes>,
    z: &[Lanes],
    zdot: &mut [Lanes],
    touching: Mask,
    acting: Mask,
) -> NormalOut<Lanes> {
    let out = law.eval(at, z, Phase::Touching, zdot);
    if (acting & !touching).none() {
        return out;
    }
    let mut rates = [Lanes::lit(0.0); MOST_STATES];
    let open = law.eval(at, z, Phase::Open, &mut rates[..zdot.len()]);
    zdot.iter_mut().zip(rates).for_each(|(rate, open)| *rate = select(touching, *rate, open));
    NormalOut {
        force: select(touching, out.force, open.force),
        elastic: select(touching, out.elastic, open.elastic),
        stored: select(touching, out.stored, open.stored),
        dissipated: select(touching, out.dissipated, open.dissipated),
        bed_damping: select(touching, out.bed_damping, open.bed_damping),
        even: select(touching, out.even, open.even),
    }
}

impl TouchWork<'_, '_> {
    /// All laws, as [`crate::world`] evaluates them. `None` where there is a gap in all worlds.
    #[inline(always)]
    pub fn evaluate(&self, zdot: &mut [Lanes]) -> Option<Masked> {
        let acting = self.touching | self.patch.depth.simd_gt(Lanes::lit(0.0));
        if acting.none() {
            zdot.fill(Lanes::lit(0.0));
            return None;
        }
        let Self { meeting, patch, touching, z } = *self;
        let material = meeting.material;
        let own = material.parts().normal;
        let indent = meeting.point_indent(patch);
        let (zdot_normal, zdot_rest) = zdot.split_at_mut(own);
        let normal = press(material.normal(), &indent, &z[..own], zdot_normal, touching, acting);
        let mut slip = meeting.slip(patch, indent, normal.force);
        if material.spins() {
            slip.velocity += patch.normal * (indent.lever * patch.normal.dot(&slip.spin));
        }
        let mut friction = material.resistance(&slip, &z[own..], zdot_rest);
        if material.spins() {
            let along = patch.normal.dot(&friction.force);
            friction.force -= patch.normal * along;
            friction.torque += patch.normal * (indent.lever * along);
        }
        if !material.vectors().is_empty() {
            meeting.carry(patch, z, zdot);
        }
        let acting = (!acting.all()).then_some(acting);
        if let Some(mask) = acting {
            zdot.iter_mut().for_each(|rate| *rate = select(mask, *rate, Lanes::lit(0.0)));
        }
        let push = patch.normal * normal.force;
        let touch = Touch { patch: *patch, slip, normal, push, turn: Vector3::zeros(), friction };
        Some(Masked { touch, acting })
    }

    /// Energy stored where it acts, J.
    pub fn stored(&self) -> Lanes {
        let mut zdot = [Lanes::lit(0.0); MOST_STATES];
        self.evaluate(&mut zdot[..self.z.len()]).map_or(Lanes::lit(0.0), |masked| {
            masked.keep(masked.touch.normal.stored + masked.touch.friction.stored)
        })
    }
}

impl Masked {
    #[inline(always)]
    fn keep(&self, x: Lanes) -> Lanes {
        self.acting.map_or(x, |mask| select(mask, x, Lanes::lit(0.0)))
    }

    /// Wrenches on the links of the pair.
    #[inline(always)]
    pub fn push(&self, pair: &PairSlot<Lanes>, kin: &Kinematics<Lanes>, wrenches: &mut [Wrench<Lanes>]) {
        let [a, b] = pair.links;
        let about = |link: usize| {
            let wrench = self.touch.wrench_about(kin.origin(link));
            let keep = |v: Vector3<Lanes>| v.map(|x| self.keep(x));
            Wrench { torque: keep(wrench.torque), force: keep(wrench.force) }
        };
        if pair.moves[0] {
            wrenches[a] += -about(a);
        }
        if pair.moves[1] {
            wrenches[b] += about(b);
        }
    }

    /// Power lost, by account.
    #[inline(always)]
    pub fn add_losses(&self, accounts: &mut [Lanes]) {
        accounts.iter_mut().zip(losses(&self.touch)).for_each(|(account, loss)| *account += self.keep(loss));
    }
}

/// One stop of a group of worlds.
pub(super) struct Stops<'a> {
    pub stop: &'a Stop<Lanes>,
    /// Where it is reached.
    pub touching: Mask,
}

impl Stops<'_> {
    /// As [`Stop::act`] does; `None` where the joint is within its limit in all worlds.
    #[inline(always)]
    pub fn act(&self, q: &[Lanes], v: &[Lanes], z: &[Lanes], zdot: &mut [Lanes]) -> Option<Share<Lanes>> {
        let zero = Lanes::lit(0.0);
        let at = self.stop.indent(q, v);
        let acting = self.touching | at.depth.simd_gt(zero);
        if acting.none() {
            zdot.fill(zero);
            return None;
        }
        let out = press(&self.stop.law, &at, z, zdot, self.touching, acting);
        zdot.iter_mut().for_each(|rate| *rate = select(acting, *rate, zero));
        Some(Share {
            effort: select(acting, -self.stop.side() * out.force, zero),
            stored: select(acting, out.stored, zero),
            lost: select(acting, out.dissipated, zero),
        })
    }

    /// Energy stored, J.
    pub fn stored(&self, q: &[Lanes], v: &[Lanes], z: &[Lanes]) -> Lanes {
        let mut zdot = [Lanes::lit(0.0); MOST_STATES];
        self.act(q, v, z, &mut zdot[..z.len()]).map_or(Lanes::lit(0.0), |share| share.stored)
    }
}
