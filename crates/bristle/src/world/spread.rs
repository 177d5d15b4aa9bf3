//! Contacts with an extent: shapes that share a volume, and facets of meshes.
//!
//! One contact each, whose normal law acts on sums over the patch or on every facet, and whose force has a torque about the point
//! of the patch. Friction acts at that point, and on the spin about it over the lever of the patch.

use super::meeting::{MOST_STATES, Meeting, Touch};
use super::mode::Contact;
use super::model::{ActsOn, Facets};
use bristle_geom::{Bed, BedRates, BedSum, FacetTouch, Interference, Overlap, OverlapScratch, Patch, Shape};
use bristle_laws::{Indent, NormalLaw, NormalOut, Phase};
use bristle_math::Vector3;
use bristle_math::lens::Lens;
use bristle_math::spatial::Twist;

/// What was found of a pair: filled by [`Meeting::find`].
#[derive(Default)]
pub(crate) struct Found {
    /// Patches of a pair that touches at several points.
    pub(super) patches: Vec<Patch<f64>>,
    pub(super) spread: Spread,
    volumes: OverlapScratch<f64>,
    facets: Vec<FacetTouch>,
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
    fn relative(&self, point: &Vector3<f64>) -> Twist<f64> {
        self.at[1].twist_at(point) - self.at[0].twist_at(point)
    }

    pub(super) fn find_volume(&self, pair: &Interference, found: &mut Found) {
        let [a, b] = self.shapes;
        let overlap = pair.overlap((&a.shape, self.at[0]), (&b.shape, self.at[1]), &mut found.volumes);
        let relative = self.relative(&overlap.patch.point);
        let rates = overlap.bed_rates(&relative.angular);
        self.keep(overlap, rates, overlap.lever(), &relative, found);
    }

    pub(super) fn find_bed(&self, facets: &Facets, found: &mut Found) {
        found.facets.clear();
        // facets of each in the other share the bed
        let share = if facets.first.is_some() && facets.second.is_some() { 0.5 } else { 1.0 };
        let mut gap = f64::INFINITY;
        if let Some(bed) = &facets.second {
            self.add_facets(bed, 0, found, &mut gap);
        }
        let own = found.facets.len();
        if let Some(bed) = &facets.first {
            self.add_facets(bed, 1, found, &mut gap);
            found.facets[own..].iter_mut().for_each(|t| *t = t.seen_from_support());
        }
        if share != 1.0 {
            found.facets.iter_mut().for_each(|t| *t = t.share(share));
        }
        let BedSum { mut overlap, rates, lever } = BedSum::of(&found.facets, self.at[0], self.at[1]);
        if found.facets.is_empty() {
            overlap.patch.depth = -gap;
        }
        let relative = self.relative(&overlap.patch.point);
        self.keep(overlap, rates, lever, &relative, found);
    }

    /// Facets of one shape in the other, which is number `support`.
    fn add_facets(&self, bed: &Bed, support: usize, found: &mut Found, gap: &mut f64) {
        let on = 1 - support;
        let Shape::Mesh(mesh) = &self.shapes[on].shape else { return };
        let (under, above) = ((&self.shapes[support].shape, self.at[support]), (mesh.as_ref(), self.at[on]));
        let before = found.facets.len();
        bed.touches(under, above, &mut found.facets);
        if found.facets.len() == before {
            // a bed begins without force: the touch need not be found better than this
            *gap = gap.min(bed.gap(under, above).max(TOUCH * mesh.radius()));
        }
    }

    fn keep(
        &self,
        mut overlap: Overlap<f64>,
        rates: BedRates<f64>,
        lever: f64,
        relative: &Twist<f64>,
        found: &mut Found,
    ) {
        overlap.patch.rate = overlap.press_rate(&relative.linear, &relative.angular);
        found.spread = Spread { overlap, rates, lever };
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
            let pressed = self.press_facets(acts, &found.facets, contact.phase);
            patch.point = pressed.point.unwrap_or(patch.point);
            indent.lever = pressed.lever(&found.facets, &patch);
            (pressed.out, pressed.force, pressed.torque_about(&patch.point))
        };
        Some(self.rub(contact.phase, &patch, indent, (out, push, turn), z, zdot))
    }

    /// The normal law on every facet.
    fn press_facets(&self, acts: ActsOn, facets: &[FacetTouch], phase: Phase) -> Pressed {
        let law = self.material.normal();
        let mut sum = Pressed::default();
        let mut middle = Vector3::zeros();
        for t in facets {
            let (at, scale) = match acts {
                ActsOn::Area => (Indent::point(t.depth, t.rate), t.area),
                _ => (element(t), 1.0),
            };
            let out = law.eval(&at, &[], phase, &mut []);
            let (pressure, potential) = (out.force * scale / t.area, out.stored * scale / t.area);
            let force = t.push * pressure + t.lean * potential;
            sum.force += force;
            sum.torque += t.point.cross(&force) + t.couple * potential;
            middle += t.point * (out.force * scale);
            sum.out.force += out.force * scale;
            sum.out.elastic += out.elastic * scale;
            sum.out.stored += out.stored * scale;
            sum.out.dissipated += out.dissipated * scale;
            sum.weight += out.force * scale;
        }
        sum.point = (sum.weight > 0.0).then(|| middle / sum.weight);
        sum
    }
}

/// A bed that nothing touches ends this far from its support, in radii of the mesh.
const TOUCH: f64 = 1e-12;

/// A facet as a law on volume sees it.
fn element(t: &FacetTouch) -> Indent<f64> {
    Indent {
        depth: t.depth,
        rate: t.rate,
        lens: Lens { curvature_a: 0.0, curvature_b: 0.0 },
        area: t.area,
        volume: t.area * t.depth,
        volume_rate: t.area * t.rate,
        volume_moment: 0.5 * t.area * t.depth * t.depth,
        rate_square: t.area * t.rate * t.rate,
        lever: 0.0,
    }
}

/// What all facets do together.
struct Pressed {
    out: NormalOut<f64>,
    force: Vector3<f64>,
    /// About the origin of the world, N m.
    torque: Vector3<f64>,
    /// Centre of pressure, m.
    point: Option<Vector3<f64>>,
    weight: f64,
}

impl Default for Pressed {
    fn default() -> Self {
        let zero = Vector3::zeros();
        Self { out: NormalOut::none(), force: zero, torque: zero, point: None, weight: 0.0 }
    }
}

impl Pressed {
    fn torque_about(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.torque - point.cross(&self.force)
    }

    /// Lever of friction about the normal, m, with the pressure that follows the depth.
    fn lever(&self, facets: &[FacetTouch], patch: &Patch<f64>) -> f64 {
        let across = |v: Vector3<f64>| (v - patch.normal * patch.normal.dot(&v)).norm();
        let turning: f64 = facets.iter().map(|t| t.area * t.depth * across(t.point - patch.point)).sum();
        if patch.volume > 0.0 { turning / patch.volume } else { 0.0 }
    }
}
