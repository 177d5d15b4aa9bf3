//! The right-hand side, top to bottom: poses, patches, laws, wrenches, accelerations.

use super::mode::{Contact, Mode, PAIR_ACCOUNTS, PairSlot, SPRING_DAMPERS, WORK};
use super::model::{Material, Model};
use super::{Scratch, World};
use bristle_geom::{Patch, Placed};
use bristle_laws::{FrictionLaw, FrictionOut, Indent, Losses, NormalLaw, NormalOut, Phase, Slip};
use bristle_math::Vector3;
use bristle_math::spatial::Wrench;

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
    pub fn force(&self) -> Vector3<f64> {
        self.patch.normal * (self.normal.force + self.friction.normal) + self.friction.force
    }
}

impl World<'_> {
    /// Poses and twists of all links at a time.
    pub(crate) fn move_to(&self, t: f64, x: &[f64], ws: &mut Scratch) {
        for (slot, drive) in ws.driven.iter_mut().zip(&self.model.drives) {
            *slot = drive.at(t);
        }
        let (nq, nv) = (self.model.tree.nq(), self.model.tree.nv());
        self.model.tree.kinematics(&x[..nq], &x[nq..nq + nv], &ws.driven, &mut ws.kin);
    }

    /// Patches of a candidate pair, into `ws.patches`.
    pub(crate) fn find_patches(&self, pair: &PairSlot, ws: &mut Scratch) {
        let model = self.model;
        let [a, b] = pair.shapes;
        let place = |shape: usize| {
            let s = &model.shapes[shape];
            let pose = ws.kin.poses[s.link] * s.pose;
            let arm = pose.translation.vector - ws.kin.poses[s.link].translation.vector;
            Placed { pose, twist: ws.kin.twists[s.link].at(&arm) }
        };
        if let Some(interaction) = model.interaction(a, b) {
            let (at_a, at_b) = (place(a), place(b));
            let (shape_a, shape_b) = (&model.shapes[a].shape, &model.shapes[b].shape);
            interaction.pair.patches(shape_a, &at_a, shape_b, &at_b, &mut ws.patches[..pair.contacts.len()]);
        }
    }

    /// All laws of one contact. `None` for a gap without states that live on.
    pub(crate) fn touch(
        &self,
        pair: &PairSlot,
        contact: &Contact,
        patch: &Patch<f64>,
        x: &[f64],
        zdot: &mut [f64],
        ws: &Scratch,
    ) -> Option<Touch> {
        let model = self.model;
        let material = &model.materials[pair.material];
        let parts = model.parts(pair.material);
        if patch.depth <= 0.0 && contact.phase == Phase::Open {
            zdot.fill(0.0);
            return None;
        }
        let z = &x[contact.z..contact.z + parts.total];
        let indent = indent(patch);
        let (zdot_normal, zdot_rest) = zdot.split_at_mut(parts.normal);
        let normal = material.normal.eval(&indent, &z[..parts.normal], contact.phase, zdot_normal);
        let slip = self.slip(pair, patch, indent, normal.force, ws);
        // At lift-off the depth is zero but for rounding, and what the bristles still store must be seen.
        let friction = if patch.depth > 0.0 || contact.phase == Phase::Touching {
            resist(material, &slip, &z[parts.normal..], zdot_rest)
        } else {
            zdot_rest.fill(0.0);
            FrictionOut::none()
        };
        self.carry(pair, patch, &z[parts.normal..], zdot_rest, ws);
        Some(Touch { patch: *patch, slip, normal, friction })
    }

    /// Motion of the second body over the first at the contact point.
    fn slip(
        &self,
        pair: &PairSlot,
        patch: &Patch<f64>,
        indent: Indent<f64>,
        load: f64,
        ws: &Scratch,
    ) -> Slip<f64> {
        let [a, b] = pair.shapes.map(|s| self.model.shapes[s].link);
        let at = |link: usize| ws.kin.twists[link].at(&(patch.point - ws.kin.poses[link].translation.vector));
        let relative = at(b) - at(a);
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
    fn carry(&self, pair: &PairSlot, patch: &Patch<f64>, z: &[f64], zdot: &mut [f64], ws: &Scratch) {
        let material = &self.model.materials[pair.material];
        let [a, b] = pair.shapes.map(|s| ws.kin.twists[self.model.shapes[s].link].angular);
        let n = patch.normal;
        let mean_spin = if self.model.carries_spin { 0.5 * (a + b).dot(&n) } else { 0.0 };
        let frame_spin = n.cross(&patch.normal_rate) + n * mean_spin;
        let mut start = 0;
        let laws =
            material.friction.iter().map(|l| l.states()).chain(material.resist.iter().map(|l| l.states()));
        for states in laws {
            if states.len() >= 3 {
                let u = Vector3::new(z[start], z[start + 1], z[start + 2]);
                let turned = frame_spin.cross(&u);
                (0..3).for_each(|i| zdot[start + i] += turned[i]);
            }
            start += states.len();
        }
    }

    /// Every rate of `x`.
    pub(crate) fn rates(&self, t: f64, x: &[f64], mode: &Mode, dx: &mut [f64], ws: &mut Scratch) {
        let model = self.model;
        let (nq, nv) = (model.tree.nq(), model.tree.nv());
        self.move_to(t, x, ws);
        ws.wrenches.fill(Wrench::zero());
        let world = mode.accounts();
        dx[world..].fill(0.0);
        for pair in &mode.pairs {
            self.find_patches(pair, ws);
            let mut losses = [0.0; PAIR_ACCOUNTS];
            let [a, b] = pair.shapes.map(|s| model.shapes[s].link);
            for (i, contact) in mode.contacts[pair.contacts.clone()].iter().enumerate() {
                let patch = ws.patches[i];
                let size = model.parts(pair.material).total;
                let zdot = &mut dx[contact.z..contact.z + size];
                let Some(touch) = self.touch(pair, contact, &patch, x, zdot, ws) else { continue };
                let force = touch.force();
                let push = |link: usize, sign: f64| {
                    let arm = patch.point - ws.kin.poses[link].translation.vector;
                    let mut wrench = Wrench::from_force(force * sign, &arm);
                    wrench.torque += touch.friction.torque * sign;
                    wrench
                };
                let (on_a, on_b) = (push(a, -1.0), push(b, 1.0));
                ws.wrenches[a] += on_a;
                ws.wrenches[b] += on_b;
                book(&mut losses, touch.normal.dissipated, &touch.friction.losses);
            }
            dx[pair.accounts..pair.accounts + PAIR_ACCOUNTS].copy_from_slice(&losses);
        }
        // Whoever drives a body pays for what contact takes from it.
        let drives = model.bodies.iter().filter(|body| body.driven.is_some());
        dx[world + WORK] -= drives.map(|b| ws.kin.twists[b.link].power(&ws.wrenches[b.link])).sum::<f64>();
        let springs = model.springs.iter().map(|s| s.act(&ws.kin, &mut ws.wrenches)).sum_power();
        let torsion = model.torsion_springs.iter().map(|s| s.act(&ws.kin, &mut ws.wrenches)).sum_power();
        let forces = model.forces.iter().map(|f| f.act(t, &ws.kin, &mut ws.wrenches)).sum_power();
        dx[world + SPRING_DAMPERS] = springs.dissipated + torsion.dissipated;
        dx[world + WORK] += forces.external;
        model.tree.rates(&x[..nq], &x[nq..nq + nv], &mut dx[..nq]);
        let vdot = &mut dx[nq..nq + nv];
        model.tree.accelerations(
            &ws.kin,
            &x[nq..nq + nv],
            &ws.wrenches,
            &model.gravity,
            &ws.driven,
            vdot,
            &mut ws.tree,
        );
    }
}

/// Adds up the power of several elements.
trait SumPower {
    fn sum_power(self) -> super::elements::Power;
}

impl<I: Iterator<Item = super::elements::Power>> SumPower for I {
    fn sum_power(self) -> super::elements::Power {
        self.fold(super::elements::Power::default(), |mut sum, p| {
            sum.stored += p.stored;
            sum.dissipated += p.dissipated;
            sum.external += p.external;
            sum
        })
    }
}

/// What a normal law sees of a patch.
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

/// Friction and resistances of a material, added up.
fn resist(material: &Material, slip: &Slip<f64>, z: &[f64], zdot: &mut [f64]) -> FrictionOut<f64> {
    let mut sum = FrictionOut::none();
    let mut start = 0;
    if let Some(law) = &material.friction {
        let n = law.states().len();
        sum = law.eval(slip, &z[..n], &mut zdot[..n]);
        start = n;
    }
    for law in &material.resist {
        let n = law.states().len();
        let out = law.eval(slip, &z[start..start + n], &mut zdot[start..start + n]);
        sum.torque += out.torque;
        sum.stored += out.stored;
        sum.losses = Losses {
            damper: sum.losses.damper + out.losses.damper,
            clutch: sum.losses.clutch + out.losses.clutch,
            viscous: sum.losses.viscous + out.losses.viscous,
            stiffness: sum.losses.stiffness + out.losses.stiffness,
        };
        start += n;
    }
    sum
}

fn book(accounts: &mut [f64; PAIR_ACCOUNTS], normal: f64, l: &Losses<f64>) {
    for (account, loss) in accounts.iter_mut().zip([normal, l.damper, l.clutch, l.viscous, l.stiffness]) {
        *account += loss;
    }
}

impl Model {
    /// Energy stored in springs, J, without moving anything.
    pub(crate) fn spring_energy(&self, ws: &mut Scratch) -> f64 {
        let springs = self.springs.iter().map(|s| s.act(&ws.kin, &mut ws.wrenches)).sum_power();
        let torsion = self.torsion_springs.iter().map(|s| s.act(&ws.kin, &mut ws.wrenches)).sum_power();
        springs.stored + torsion.stored
    }
}
