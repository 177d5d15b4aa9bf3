//! Two shapes in place and the laws between them: patches, forces, rates of the laws' states.

use super::material::Material;
use super::mode::{Contact, PairSlot};
use super::model::{BodyShape, Model, Place};
use bristle_bodies::Kinematics;
use bristle_geom::{Ground, Patch, Placed};
use bristle_laws::{FrictionOut, Indent, NormalLaw, NormalOut, Phase, Slip};
use bristle_math::Vector3;
use bristle_math::spatial::Wrench;

/// Most states a contact may have.
const MOST_STATES: usize = 32;

/// One contact, evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// The geometry.
    pub patch: Patch<f64>,
    /// What the friction law saw.
    pub slip: Slip<f64>,
    /// Answer of the normal law.
    pub normal: NormalOut<f64>,
    /// Answers of the friction law and the resistances, added up.
    pub friction: FrictionOut<f64>,
}

impl Touch {
    /// Force on the second body, N.
    #[inline(always)]
    pub fn force(&self) -> Vector3<f64> {
        self.patch.normal * (self.normal.force + self.friction.normal) + self.friction.force
    }

    /// Force and torque on the second body about a point; the first feels the opposite.
    #[inline(always)]
    pub fn wrench_about(&self, point: &Vector3<f64>) -> Wrench<f64> {
        let mut wrench = Wrench::from_force(self.force(), &(self.patch.point - point));
        wrench.torque += self.friction.torque;
        wrench
    }

    /// Energy stored, J.
    pub fn stored(&self) -> f64 {
        self.normal.stored + self.friction.stored
    }
}

/// Where links and shapes are.
#[derive(Clone, Copy)]
pub(crate) struct Places<'m> {
    pub(crate) kin: &'m Kinematics<f64>,
    /// By shape; those in the frame of their link are not repeated here.
    pub(crate) placed: &'m [Placed<f64>],
}

/// A candidate pair at one instant.
pub(crate) struct Meeting<'m> {
    model: &'m Model,
    pub(crate) pair: &'m PairSlot,
    pub(crate) material: &'m Material,
    shapes: [&'m BodyShape; 2],
    at: [&'m Placed<f64>; 2],
}

impl<'m> Meeting<'m> {
    /// The pair where its shapes are now.
    #[inline(always)]
    pub(crate) fn new(model: &'m Model, pair: &'m PairSlot, ws: Places<'m>) -> Self {
        let shapes = pair.shapes.map(|s| &model.shapes[s]);
        let at = |i: usize| match shapes[i].place {
            Place::Link => &ws.kin.links[shapes[i].link],
            Place::Still | Place::Offset => &ws.placed[pair.shapes[i]],
        };
        Self { model, pair, material: &model.materials[pair.material], shapes, at: [at(0), at(1)] }
    }

    /// Finds the patches of a pair that has several, for [`Meeting::patch`] to answer with.
    #[inline(always)]
    pub(crate) fn find(&self, patches: &mut [Patch<f64>]) {
        if self.pair.contacts.len() > 1 {
            let [a, b] = self.shapes;
            self.pair.pair.touches(&a.shape, self.at[0], &b.shape, self.at[1], patches);
        }
    }

    /// The patch of a ball on ground that stands still.
    #[inline(always)]
    pub(crate) fn ground_patch(&self, ground: &Ground<f64>) -> Patch<f64> {
        let mut patch = ground.touch(self.at[ground.ball()]);
        if self.material.needs_patch() {
            patch.measure();
        }
        patch
    }

    /// One patch. A single one is found on the spot: most pairs have one, and it then passes through no memory.
    #[inline(always)]
    pub(crate) fn patch(&self, index: usize, patches: &[Patch<f64>]) -> Patch<f64> {
        if let Some(ground) = &self.pair.ground {
            return self.ground_patch(ground);
        }
        let mut patch = if self.pair.contacts.len() > 1 {
            patches[index]
        } else {
            let [a, b] = self.shapes;
            self.pair.pair.touch((&a.shape, self.at[0]), (&b.shape, self.at[1]))
        };
        if self.material.needs_patch() {
            patch.measure();
        }
        patch
    }

    /// All laws of one contact. `None` for a gap without states that live on.
    #[inline(always)]
    pub(crate) fn touch(
        &self,
        contact: &Contact,
        patch: &Patch<f64>,
        x: &[f64],
        zdot: &mut [f64],
    ) -> Option<Touch> {
        if patch.depth <= 0.0 && contact.phase == Phase::Open {
            zdot.fill(0.0);
            return None;
        }
        let material = self.material;
        let parts = material.parts();
        let z = &x[contact.z..][..parts.total];
        let indent = indent(patch);
        let (zdot_normal, zdot_rest) = zdot.split_at_mut(parts.normal);
        let normal = material.normal().eval(&indent, &z[..parts.normal], contact.phase, zdot_normal);
        let slip = self.slip(patch, indent, normal.force);
        // At lift-off the depth is zero but for rounding, and what the bristles still store must be seen.
        let friction = if patch.depth > 0.0 || contact.phase == Phase::Touching {
            material.resistance(&slip, &z[parts.normal..], zdot_rest)
        } else {
            zdot_rest.fill(0.0);
            FrictionOut::none()
        };
        if !material.vectors().is_empty() {
            self.carry(patch, z, zdot);
        }
        Some(Touch { patch: *patch, slip, normal, friction })
    }

    /// As [`Meeting::touch`], without the rates.
    pub(crate) fn look(&self, contact: &Contact, patch: &Patch<f64>, x: &[f64]) -> Option<Touch> {
        let mut zdot = [0.0; MOST_STATES];
        self.touch(contact, patch, x, &mut zdot[..self.material.parts().total])
    }

    /// Energy a contact stores, J.
    pub(crate) fn stored(&self, contact: &Contact, patch: &Patch<f64>, x: &[f64]) -> f64 {
        self.look(contact, patch, x).map_or(0.0, |touch| touch.stored())
    }

    /// Motion of the second body over the first at the contact point.
    #[inline(always)]
    fn slip(&self, patch: &Patch<f64>, indent: Indent<f64>, load: f64) -> Slip<f64> {
        let at = |i: usize| self.at[i].twist_at(&patch.point);
        let relative = match self.pair.moves {
            [false, _] => at(1),
            [true, false] => -at(0),
            [true, true] => at(1) - at(0),
        };
        let normal = patch.normal;
        Slip {
            velocity: relative.linear - normal * normal.dot(&relative.linear),
            spin: relative.angular,
            normal,
            load,
            indent,
        }
    }

    /// Vector states travel with the contact frame: the normal's own rotation and the mean spin about it.
    #[inline(always)]
    fn carry(&self, patch: &Patch<f64>, z: &[f64], zdot: &mut [f64]) {
        let n = patch.normal;
        let spins = self.at[0].twist.angular + self.at[1].twist.angular;
        let mean_spin = if self.model.carries_spin { 0.5 * spins.dot(&n) } else { 0.0 };
        let mut frame_spin = n * mean_spin;
        if self.pair.ground.is_none() {
            frame_spin += n.cross(&patch.normal_rate);
        }
        for &start in self.material.vectors() {
            let (u, rate) = (&z[start..start + 3], &mut zdot[start..start + 3]);
            let turned = frame_spin.cross(&Vector3::new(u[0], u[1], u[2]));
            (0..3).for_each(|i| rate[i] += turned[i]);
        }
    }
}

/// What a normal law sees of a patch.
#[inline(always)]
pub(crate) fn indent(patch: &Patch<f64>) -> Indent<f64> {
    Indent {
        depth: patch.depth,
        rate: patch.rate,
        lens: patch.lens,
        area: patch.area,
        volume: patch.volume,
        volume_rate: patch.volume_rate,
        volume_moment: patch.volume_moment,
    }
}
