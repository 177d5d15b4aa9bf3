//! Contacts with an extent: shapes that share a volume, and facets of meshes.
//!
//! One contact each, whose normal law acts on sums over the patch or on every facet, and whose force has a torque about the point
//! of the patch. Friction acts at that point, and on the spin about it over the lever of the patch.

use super::facets::Touched;
use super::meeting::{MOST_STATES, Meeting, Touch};
use super::mode::Contact;
use super::model::ActsOn;
use bristle_geom::{BedRates, Interference, Overlap, OverlapScratch, Patch};
use bristle_laws::{Indent, NormalLaw, NormalOut, Phase};
use bristle_math::Vector3;
use bristle_math::spatial::Twist;

/// What was found of a pair: filled by [`Meeting::find`].
#[derive(Default)]
pub(crate) struct Found {
    /// Patches of a pair that touches at several points.
    pub(super) patches: Vec<Patch<f64>>,
    pub(super) spread: Spread,
    volumes: OverlapScratch<f64>,
    pub(super) touched: Touched,
}

impl Found {
    /// Room for the patches of one pair.
    pub(super) fn new(most: usize) -> Self {
        Self { patches: vec![Patch::none(); most], ..Self::default() }
    }
}

/// A contact with an extent.
pub(crate) struct Spread {
    overlap: Overlap<f64>,
    rates: BedRates<f64>,
    lever: f64,
}

impl Default for Spread {
    fn default() -> Self {
        Self { overlap: Overlap::none(), rates: BedRates::none(), lever: 0.0 }
    }
}

impl Spread {
    pub(super) fn new(overlap: Overlap<f64>, rates: BedRates<f64>, lever: f64) -> Self {
        Self { overlap, rates, lever }
    }

    pub(super) fn patch(&self) -> Patch<f64> {
        self.overlap.patch
    }

    pub(super) fn indent(&self) -> Indent<f64> {
        let patch = &self.overlap.patch;
        Indent {
            depth: patch.depth,
            rate: patch.rate,
            lens: patch.lens,
            area: patch.area,
            volume: patch.volume,
            volume_rate: self.rates.volume,
            volume_moment: patch.volume_moment,
            rate_square: self.rates.square,
            lever: self.lever,
        }
    }

    /// Force and torque about the point of what a law answered for the whole patch: its springs act as the bed of springs
    /// does, its dampers as the bed of dampers.
    fn wrench(&self, out: &NormalOut<f64>) -> (Vector3<f64>, Vector3<f64>) {
        let volume = self.overlap.patch.volume;
        if volume <= 0.0 {
            return (self.overlap.patch.normal * out.force, Vector3::zeros());
        }
        let springs = (out.force - out.bed_damping * self.rates.volume) / volume;
        (
            self.overlap.push * springs + self.rates.force * out.bed_damping,
            self.overlap.push_turn * springs + self.rates.torque * out.bed_damping,
        )
    }
}

impl Meeting<'_> {
    /// Motion of the second body over the first at a point.
    pub(super) fn relative(&self, point: &Vector3<f64>) -> Twist<f64> {
        self.at[1].twist_at(point) - self.at[0].twist_at(point)
    }

    pub(super) fn find_volume(&self, pair: &Interference, found: &mut Found) {
        let [a, b] = self.shapes;
        let overlap = pair.overlap((&a.shape, self.at[0]), (&b.shape, self.at[1]), &mut found.volumes);
        let relative = self.relative(&overlap.patch.point);
        let rates = overlap.bed_rates(&relative.angular);
        self.keep(overlap, rates, overlap.lever(), &relative, found);
    }

    pub(super) fn keep(
        &self,
        mut overlap: Overlap<f64>,
        rates: BedRates<f64>,
        lever: f64,
        relative: &Twist<f64>,
        found: &mut Found,
    ) {
        overlap.patch.rate = overlap.press_rate(&relative.linear, &relative.angular);
        found.spread = Spread::new(overlap, rates, lever);
    }

    /// All laws of a contact with an extent.
    pub(super) fn touch_spread(
        &self,
        contact: &Contact,
        found: &Found,
        x: &[f64],
        zdot: &mut [f64],
    ) -> Option<Touch> {
        let spread = &found.spread;
        let mut patch = spread.overlap.patch;
        if patch.depth <= 0.0 && contact.phase == Phase::Open {
            zdot.fill(0.0);
            return None;
        }
        let mut indent = spread.indent();
        let acts = match self.pair.touching {
            super::Touching::Bed(facets) => facets.acts,
            _ => ActsOn::Patch,
        };
        let parts = self.material.parts();
        let mut flat = [0.0; MOST_STATES];
        let z = &mut flat[..parts.total];
        z.copy_from_slice(&x[contact.z..][..parts.total]);
        // The normal of a patch turns with its outline too, which nothing tells the rate of: laws see what lies in the plane.
        for &start in self.material.flat() {
            let v = &mut z[start..start + 3];
            let off = patch.normal.dot(&Vector3::new(v[0], v[1], v[2]));
            v.iter_mut().zip(patch.normal.iter()).for_each(|(v, n)| *v -= n * off);
        }
        let (out, push, turn) = if acts == ActsOn::Patch {
            let n = parts.normal;
            let out = self.material.normal().eval(&indent, &z[..n], contact.phase, &mut zdot[..n]);
            let (push, turn) = spread.wrench(&out);
            (out, push, turn)
        } else {
            let pressed = self.press(acts, &found.touched, &mut patch, contact.phase);
            if self.material.wants_lever() {
                indent.lever = found.touched.lever(&patch);
            }
            (pressed.out, pressed.force, pressed.torque)
        };
        Some(self.rub(contact.phase, &patch, indent, (out, push, turn), z, zdot))
    }
}
