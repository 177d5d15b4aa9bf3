//! Contacts with an extent: shapes that share a volume, and facets of meshes.
//!
//! One contact each, whose normal law acts on sums over the patch or on every facet, and whose force has a torque about the point
//! of the patch. Friction acts at that point, and on the spin about it over the lever of the patch.

use super::meeting::{MOST_STATES, Meeting, Touch};
use super::mode::Contact;
use super::model::Touching;
use super::number::{FacetBed, Number};
use bristle_geom::{BedRates, Interference, Overlap, OverlapScratch, Patch};
use bristle_laws::{Indent, NormalLaw, NormalOut, Phase};
use bristle_math::Vector3;
use bristle_math::spatial::Twist;

/// What was found of a pair: filled by [`Meeting::find`].
pub struct Found<T: Number> {
    /// Patches of a pair that touches at several points.
    pub(super) patches: Vec<Patch<T>>,
    pub(super) spread: Spread<T>,
    volumes: OverlapScratch<T>,
    pub(super) touched: <T::Bed as FacetBed<T>>::Touched,
}

impl<T: Number> Found<T> {
    /// Room for the patches of one pair.
    pub(super) fn new(most: usize) -> Self {
        Self {
            patches: vec![Patch::none(); most],
            spread: Spread { overlap: Overlap::none(), rates: BedRates::none(), lever: T::lit(0.0) },
            volumes: OverlapScratch::default(),
            touched: Default::default(),
        }
    }
}

/// What all facets do together to the second body.
pub struct Pressed<T> {
    pub(super) out: NormalOut<T>,
    pub(super) force: Vector3<T>,
    /// About the centre of pressure, N m.
    pub(super) torque: Vector3<T>,
    /// Lever of friction about the normal, m, if a law asks for it.
    pub(super) lever: Option<T>,
}

/// A contact with an extent.
pub struct Spread<T> {
    overlap: Overlap<T>,
    rates: BedRates<T>,
    lever: T,
}

impl<T: Number> Spread<T> {
    pub(super) fn new(overlap: Overlap<T>, rates: BedRates<T>, lever: T) -> Self {
        Self { overlap, rates, lever }
    }

    pub(super) fn patch(&self) -> Patch<T> {
        self.overlap.patch
    }

    pub(super) fn indent(&self) -> Indent<T> {
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
    /// does, its dampers as the bed of dampers, what is even as a pressure.
    fn wrench(&self, out: &NormalOut<T>) -> (Vector3<T>, Vector3<T>) {
        let volume = self.overlap.patch.volume;
        if volume.value() <= 0.0 {
            return (self.overlap.patch.normal * out.force, Vector3::zeros());
        }
        let springs = (out.force - out.even - out.bed_damping * self.rates.volume) / volume;
        let pressure = out.even / self.overlap.patch.area;
        let (Overlap { push, push_turn, .. }, rates) = (&self.overlap, &self.rates);
        (
            push * springs + rates.even * pressure + rates.force * out.bed_damping,
            push_turn * springs + rates.even_turn * pressure + rates.torque * out.bed_damping,
        )
    }
}

impl<T: Number> Meeting<'_, T> {
    /// Motion of the second body over the first at a point.
    pub(super) fn relative(&self, point: &Vector3<T>) -> Twist<T> {
        self.at[1].twist_at(point) - self.at[0].twist_at(point)
    }

    pub(super) fn find_volume(&self, pair: &Interference, found: &mut Found<T>) {
        let [a, b] = self.shapes();
        let overlap = pair.overlap((&a.shape, self.at[0]), (&b.shape, self.at[1]), &mut found.volumes);
        let relative = self.relative(&overlap.patch.point);
        let rates = overlap.bed_rates(&relative.angular);
        self.keep(overlap, rates, overlap.lever(), &relative, found);
    }

    pub(super) fn keep(
        &self,
        mut overlap: Overlap<T>,
        rates: BedRates<T>,
        lever: T,
        relative: &Twist<T>,
        found: &mut Found<T>,
    ) {
        overlap.patch.rate = overlap.press_rate(&relative.linear, &relative.angular);
        found.spread = Spread::new(overlap, rates, lever);
    }

    /// All laws of a contact with an extent.
    pub(super) fn touch_spread(
        &self,
        contact: &Contact,
        found: &Found<T>,
        x: &[T],
        zdot: &mut [T],
    ) -> Option<Touch<T>> {
        let spread = &found.spread;
        let mut patch = spread.overlap.patch;
        if contact.phase == Phase::Open && patch.depth.value() <= self.least_depth() {
            zdot.fill(T::lit(0.0));
            return None;
        }
        let mut indent = spread.indent();
        let parts = self.material.parts();
        let mut flat = [T::lit(0.0); MOST_STATES];
        let z = &mut flat[..parts.total];
        z.copy_from_slice(&x[contact.z..][..parts.total]);
        // The normal of a patch turns with its outline too, which nothing tells the rate of: laws see what lies in the plane.
        for &start in self.material.flat() {
            let v = &mut z[start..start + 3];
            let off = patch.normal.dot(&Vector3::new(v[0], v[1], v[2]));
            v.iter_mut().zip(patch.normal.iter()).for_each(|(v, n)| *v -= *n * off);
        }
        let pressed = match &self.pair.touching {
            Touching::Bed(bed) => bed.press(self, &found.touched, &mut patch, contact.phase),
            _ => None,
        };
        let (out, push, turn) = if let Some(pressed) = pressed {
            indent.lever = pressed.lever.unwrap_or(indent.lever);
            (pressed.out, pressed.force, pressed.torque)
        } else {
            let n = parts.normal;
            let out = self.material.normal().eval(&indent, &z[..n], contact.phase, &mut zdot[..n]);
            let (push, turn) = spread.wrench(&out);
            (out, push, turn)
        };
        Some(self.rub(contact.phase, &patch, indent, (out, push, turn), z, zdot))
    }
}
