//! Two shapes in place and the laws between them: patches, forces, rates of the laws' states.

use super::material::Material;
use super::mode::{Contact, PairSlot};
use super::model::{BodyShape, Model, Place, Touching};
use super::number::{AnyNumber, FacetBed, Number};
use super::plain::{Short, carried_spin};
use super::spread::Found;
use bristle_bodies::Kinematics;
use bristle_geom::{Ground, Patch, Placed, is_parted_by_faces};
use bristle_laws::{FrictionOut, Indent, Losses, NormalLaw, NormalOut, Phase, Slip};
use bristle_math::spatial::Wrench;
use bristle_math::{Real, Vector3};

/// Most states a contact may have.
pub(crate) const MOST_STATES: usize = 32;

/// One contact, evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Touch<T = f64> {
    /// The geometry.
    pub patch: Patch<T>,
    /// What the friction law saw; with its part along the normal where friction acts on the spin of a patch.
    pub slip: Slip<T>,
    /// Answer of the normal law.
    pub normal: NormalOut<T>,
    /// Force of the normal law on the second body, N.
    pub push: Vector3<T>,
    /// Its torque on the second body about the point of the patch, N m.
    pub turn: Vector3<T>,
    /// Answers of the friction law and the resistances, added up.
    pub friction: FrictionOut<T>,
}

impl<T: Real> Touch<T> {
    /// Force on the second body, N.
    #[inline(always)]
    pub fn force(&self) -> Vector3<T> {
        self.push + self.patch.normal * self.friction.normal + self.friction.force
    }

    /// Force and torque on the second body about a point; the first feels the opposite.
    #[inline(always)]
    pub fn wrench_about(&self, point: &Vector3<T>) -> Wrench<T> {
        let mut wrench = Wrench::from_force(self.force(), &(self.patch.point - point));
        wrench.torque += self.friction.torque + self.turn;
        wrench
    }
}

impl<T: Number> Touch<T> {
    /// The same, with forces and powers that carry no derivatives.
    #[inline(always)]
    fn plain(mut self) -> Self {
        let plain = |x: T| T::lit(x.value());
        self.push = self.push.map(plain);
        self.turn = self.turn.map(plain);
        self.normal = NormalOut {
            force: plain(self.normal.force),
            elastic: plain(self.normal.elastic),
            stored: plain(self.normal.stored),
            dissipated: plain(self.normal.dissipated),
            bed_damping: plain(self.normal.bed_damping),
            even: plain(self.normal.even),
        };
        let losses = self.friction.losses;
        self.friction = FrictionOut {
            force: self.friction.force.map(plain),
            normal: plain(self.friction.normal),
            torque: self.friction.torque.map(plain),
            stored: plain(self.friction.stored),
            losses: Losses {
                damper: plain(losses.damper),
                clutch: plain(losses.clutch),
                viscous: plain(losses.viscous),
                stiffness: plain(losses.stiffness),
            },
        };
        self
    }

    /// Velocity of the second body over the first in the plane of contact, m/s.
    pub fn sliding(&self) -> Vector3<T> {
        let (v, n) = (self.slip.velocity, self.patch.normal);
        v - n * n.dot(&v)
    }

    /// Energy stored, J.
    pub fn stored(&self) -> T {
        self.normal.stored + self.friction.stored
    }
}

/// Where links and shapes are.
#[derive(Clone, Copy)]
pub struct Places<'m, T> {
    pub(crate) kin: &'m Kinematics<T>,
    /// By shape; those in the frame of their link are not repeated here.
    pub(crate) placed: &'m [Placed<T>],
}

/// A candidate pair at one instant.
pub struct Meeting<'m, T: AnyNumber> {
    model: &'m Model<T>,
    pub(crate) pair: &'m PairSlot<T>,
    pub(crate) material: &'m Material<T>,
    pub(crate) at: [&'m Placed<T>; 2],
}

impl<'m, T: AnyNumber> Meeting<'m, T> {
    /// The pair where its shapes are now.
    #[inline(always)]
    pub(crate) fn new(model: &'m Model<T>, pair: &'m PairSlot<T>, ws: Places<'m, T>) -> Self {
        let at = pair.shapes.map(|s| match model.shapes[s].place {
            Place::Link => &ws.kin.links[model.shapes[s].link],
            Place::Still | Place::Offset => &ws.placed[s],
        });
        Self { model, pair, material: &model.materials[pair.material], at }
    }

    /// The shapes.
    pub(crate) fn shapes(&self) -> [&'m BodyShape<T>; 2] {
        self.pair.shapes.map(|s| &self.model.shapes[s])
    }
}

impl<T: Number> Meeting<'_, T> {
    /// Whether nothing touches and a quick look tells that there is a gap: balls around both shapes are apart, or a face of a box is between them.
    #[inline(always)]
    pub(crate) fn is_far(&self, contacts: &[Contact]) -> bool {
        if contacts.iter().any(|c| c.phase != Phase::Open) {
            return false;
        }
        let between = self.at[1].origin() - self.at[0].origin();
        let square = between.map(|x| x.value()).norm_squared();
        if square > self.pair.reach * self.pair.reach {
            return true;
        }
        let [a, b] = self.shapes();
        self.pair.reach.is_finite() && is_parted_by_faces((&a.shape, self.at[0]), (&b.shape, self.at[1]))
    }

    /// Finds what a pair has beyond one point, for [`Meeting::patch`] and [`Meeting::touch`] to answer with.
    #[inline(always)]
    pub(crate) fn find(&self, found: &mut Found<T>) {
        match &self.pair.touching {
            Touching::Points(pair) if self.pair.contacts.len() > 1 => {
                let [a, b] = self.shapes();
                pair.touches(&a.shape, self.at[0], &b.shape, self.at[1], &mut found.patches);
            }
            Touching::Points(_) => {}
            Touching::Volume(pair) => self.find_volume(pair, found),
            Touching::Bed(facets) => facets.find(self, found),
        }
    }
}

impl<'m, T: AnyNumber> Meeting<'m, T> {
    /// A ball on ground that stands still. What matters of the ground is in the pair; its place here is that of its link.
    #[inline(always)]
    pub(crate) fn on_ground(
        model: &'m Model<T>,
        pair: &'m PairSlot<T>,
        material: &'m Material<T>,
        kin: &'m Kinematics<T>,
    ) -> Self {
        Self { model, pair, material, at: pair.links.map(|link| &kin.links[link]) }
    }

    /// The patch of a ball on ground that stands still.
    #[inline(always)]
    pub(crate) fn ground_patch(&self, ground: &Ground<T>) -> Patch<T> {
        self.measured(ground.touch(ground.ball(self.at)))
    }
}

impl<T: Number> Meeting<'_, T> {
    /// One patch. A single one is found on the spot: most pairs have one, and it then passes through no memory.
    #[inline(always)]
    pub(crate) fn patch(&self, index: usize, found: &Found<T>) -> Patch<T> {
        match &self.pair.short {
            Some(Short::Ground(ground) | Short::Beside(ground)) => return self.ground_patch(ground),
            Some(Short::Balls(balls)) => return self.measured(balls.touch(self.at)),
            None => {}
        }
        let patch = match &self.pair.touching {
            Touching::Points(pair) if self.pair.contacts.len() == 1 => {
                let [a, b] = self.shapes();
                pair.touch((&a.shape, self.at[0]), (&b.shape, self.at[1]))
            }
            Touching::Points(_) => found.patches[index],
            _ => return found.spread.patch(),
        };
        self.measured(patch)
    }
}

impl<'m, T: AnyNumber> Meeting<'m, T> {
    /// With area and volume, if a law asks for them.
    #[inline(always)]
    pub(crate) fn measured(&self, patch: Patch<T>) -> Patch<T> {
        if self.material.needs_patch() { patch.measured() } else { patch }
    }
}

impl<T: Number> Meeting<'_, T> {
    /// What the normal law sees of a patch.
    #[inline(always)]
    pub(crate) fn indent(&self, patch: &Patch<T>, found: &Found<T>) -> Indent<T> {
        match self.pair.touching {
            Touching::Points(_) => self.point_indent(patch),
            _ => found.spread.indent(),
        }
    }
}

impl<'m, T: AnyNumber> Meeting<'m, T> {
    /// What the normal law sees of a point or a round patch.
    #[inline(always)]
    pub(crate) fn point_indent(&self, patch: &Patch<T>) -> Indent<T> {
        Indent {
            depth: patch.depth,
            rate: patch.rate,
            lens: patch.lens,
            area: patch.area,
            volume: patch.volume,
            volume_rate: patch.volume_rate,
            volume_moment: patch.volume_moment,
            rate_square: patch.area * patch.rate * patch.rate,
            lever: if self.material.needs_patch() { Indent::round_lever(patch.area) } else { T::lit(0.0) },
        }
    }

    /// What the normal law would see of a patch at a point at another depth and rate.
    #[inline(always)]
    pub(super) fn indent_at(&self, patch: &Patch<T>, depth: T, rate: T) -> Indent<T> {
        if self.material.needs_patch() {
            return self.point_indent(&Patch { depth, rate, ..*patch }.measured());
        }
        Indent { depth, rate, rate_square: patch.area * rate * rate, ..self.point_indent(patch) }
    }
}

impl<T: Number> Meeting<'_, T> {
    /// All laws of one contact. `None` for a gap without states that live on.
    #[inline(always)]
    pub(crate) fn touch(
        &self,
        contact: &Contact,
        patch: &Patch<T>,
        found: &Found<T>,
        x: &[T],
        zdot: &mut [T],
    ) -> Option<Touch<T>> {
        match self.pair.touching {
            Touching::Points(_) => self.touch_point(contact, patch, x, zdot),
            _ => self.touch_spread(contact, found, x, zdot),
        }
    }

    /// Depth at which a contact that has not begun acts, m.
    #[inline(always)]
    pub(super) fn least_depth(&self) -> f64 {
        T::ROUNDING * self.model.scale.length
    }

    /// The normal law of a contact at a point, and what rubs.
    #[inline(always)]
    pub(crate) fn touch_point(
        &self,
        contact: &Contact,
        patch: &Patch<T>,
        x: &[T],
        zdot: &mut [T],
    ) -> Option<Touch<T>> {
        if contact.phase == Phase::Open && patch.depth.value() <= self.least_depth() {
            zdot.fill(T::lit(0.0));
            return None;
        }
        let parts = self.material.parts();
        let z = &x[contact.z..][..parts.total];
        let indent = self.point_indent(patch);
        let (z_normal, zdot_normal) = (&z[..parts.normal], &mut zdot[..parts.normal]);
        let normal = self.material.normal().eval(&indent, z_normal, contact.phase, zdot_normal);
        let push = patch.normal * normal.force;
        Some(self.rub(contact.phase, patch, indent, (normal, push, Vector3::zeros()), z, zdot))
    }

    /// Adds friction and resistances to what the normal law answered: its scalars, force and torque.
    #[inline(always)]
    pub(super) fn rub(
        &self,
        phase: Phase,
        patch: &Patch<T>,
        indent: Indent<T>,
        (normal, push, turn): (NormalOut<T>, Vector3<T>, Vector3<T>),
        z: &[T],
        zdot: &mut [T],
    ) -> Touch<T> {
        let material = self.material;
        let parts = material.parts();
        let zdot_rest = &mut zdot[parts.normal..];
        let slip = self.slip_and_spin(patch, indent, normal.force);
        // At lift-off the depth is zero but for rounding, and what the bristles still store must be seen.
        let mut friction = if patch.depth.value() > 0.0 || phase == Phase::Touching {
            material.resistance(&slip, &z[parts.normal..], zdot_rest)
        } else {
            zdot_rest.fill(T::lit(0.0));
            FrictionOut::none()
        };
        if material.spins() {
            let along = patch.normal.dot(&friction.force);
            friction.force -= patch.normal * along;
            friction.torque += patch.normal * (indent.lever * along);
        }
        if !material.vectors().is_empty() {
            self.carry(patch, z, zdot);
        }
        let touch = Touch { patch: *patch, slip, normal, push, turn, friction };
        if phase == Phase::Open {
            // A step ends where the touch begins. Stages beyond are beyond by rounding: what acts there is nothing, but its
            // derivative may be anything.
            zdot.iter_mut().for_each(|rate| *rate = T::lit(rate.value()));
            return touch.plain();
        }
        touch
    }

    /// What friction sees.
    #[inline(always)]
    fn slip_and_spin(&self, patch: &Patch<T>, indent: Indent<T>, load: T) -> Slip<T> {
        let mut slip = self.slip(patch, indent, load);
        if self.material.spins() {
            slip.velocity += patch.normal * (indent.lever * patch.normal.dot(&slip.spin));
        }
        slip
    }

    /// What friction sees of a contact in touch, without asking friction.
    #[inline(always)]
    pub(super) fn slip_of(
        &self,
        contact: &Contact,
        patch: &Patch<T>,
        found: &Found<T>,
        x: &[T],
    ) -> Option<Slip<T>> {
        if !matches!(self.pair.touching, Touching::Points(_)) {
            return self.look(contact, patch, found, x).map(|touch| touch.slip);
        }
        let own = self.material.parts().normal;
        let mut zdot = [T::lit(0.0); MOST_STATES];
        let indent = self.point_indent(patch);
        let z = &x[contact.z..][..own];
        let normal = self.material.normal().eval(&indent, z, contact.phase, &mut zdot[..own]);
        Some(self.slip_and_spin(patch, indent, normal.force))
    }

    /// As [`Meeting::touch`], without the rates.
    pub(crate) fn look(
        &self,
        contact: &Contact,
        patch: &Patch<T>,
        found: &Found<T>,
        x: &[T],
    ) -> Option<Touch<T>> {
        let mut zdot = [T::lit(0.0); MOST_STATES];
        self.touch(contact, patch, found, x, &mut zdot[..self.material.parts().total])
    }

    /// Energy a contact stores, J.
    pub(crate) fn stored(&self, contact: &Contact, patch: &Patch<T>, found: &Found<T>, x: &[T]) -> T {
        self.look(contact, patch, found, x).map_or(T::lit(0.0), |touch| touch.stored())
    }
}

impl<'m, T: AnyNumber> Meeting<'m, T> {
    /// Motion of the second body over the first at the contact point.
    #[inline(always)]
    pub(crate) fn slip(&self, patch: &Patch<T>, indent: Indent<T>, load: T) -> Slip<T> {
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
    pub(crate) fn carry(&self, patch: &Patch<T>, z: &[T], zdot: &mut [T]) {
        self.material.carry(&self.frame_spin(patch), z, zdot);
    }

    /// How the contact frame turns, rad/s.
    #[inline(always)]
    pub(super) fn frame_spin(&self, patch: &Patch<T>) -> Vector3<T> {
        let n = patch.normal;
        let spins = self.at[0].twist.angular + self.at[1].twist.angular;
        let mut frame_spin = n * carried_spin(self.model.carries_spin, &spins, &n);
        if self.pair.ground().is_none() {
            frame_spin += n.cross(&patch.normal_rate);
        }
        frame_spin
    }
}
