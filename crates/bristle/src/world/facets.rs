//! The facets of meshes that touch: found, and pressed by a normal law facet by facet.

use super::facets_flat::Frame;
use super::meeting::Meeting;
use super::model::{ActsOn, Facets};
use super::number::FacetBed;
use super::spread::{Found, Pressed};
use bristle_geom::{Bed, BedSum, FacetTouch, FlatFacets, Patch, Shape};
use bristle_laws::{Indent, NormalOut, Phase};
use bristle_math::{Real, SafeNorm, Vector3};

/// Facets in touch: on a half-space in the frame of the mesh, otherwise in the world.
#[derive(Default)]
pub struct Touched {
    facets: Vec<FacetTouch>,
    pub(super) flat: Vec<FlatFacets>,
    /// The frame of the mesh of `flat`.
    pub(super) frame: Option<Frame>,
}

/// A bed that nothing touches ends this far from its support, in radii of the mesh.
pub(super) const TOUCH: f64 = 1e-12;

impl FacetBed<f64> for Facets {
    type Touched = Touched;

    fn find(&self, meeting: &Meeting<'_, f64>, found: &mut Found<f64>) {
        meeting.find_bed(self, found);
    }

    fn press(
        &self,
        meeting: &Meeting<'_, f64>,
        touched: &Touched,
        patch: &mut Patch<f64>,
        phase: Phase,
    ) -> Option<Pressed<f64>> {
        if self.acts == ActsOn::Patch {
            return None;
        }
        let pressed = meeting.press(self.acts, touched, patch, phase);
        let lever = meeting.material.wants_lever().then(|| touched.lever(meeting, patch));
        Some(Pressed { lever, ..pressed })
    }
}

impl Meeting<'_, f64> {
    fn find_bed(&self, facets: &Facets, found: &mut Found<f64>) {
        // A law on the whole patch asks for sums that the flat bed does not make.
        if let Some(support) = facets.half_space().filter(|_| facets.acts != ActsOn::Patch) {
            return self.find_flat(support, found);
        }
        let touched = &mut found.touched;
        touched.facets.clear();
        touched.frame = None;
        // facets of each in the other share the bed
        let share = if facets.first.is_some() && facets.second.is_some() { 0.5 } else { 1.0 };
        let mut gap = f64::INFINITY;
        if let Some(bed) = &facets.second {
            self.add_facets(bed, 0, &mut touched.facets, &mut gap);
        }
        let own = touched.facets.len();
        if let Some(bed) = &facets.first {
            self.add_facets(bed, 1, &mut touched.facets, &mut gap);
            touched.facets[own..].iter_mut().for_each(|t| *t = t.seen_from_support());
        }
        if share != 1.0 {
            touched.facets.iter_mut().for_each(|t| *t = t.share(share));
        }
        let BedSum { mut overlap, rates, lever } = BedSum::of(&touched.facets, self.at[0], self.at[1]);
        if touched.facets.is_empty() {
            overlap.patch.depth = -gap;
        }
        let relative = self.relative(&overlap.patch.point);
        self.keep(overlap, rates, lever, &relative, found);
    }

    /// Facets of one shape in the other, which is number `support`.
    fn add_facets(&self, bed: &Bed, support: usize, out: &mut Vec<FacetTouch>, gap: &mut f64) {
        let on = 1 - support;
        let Shape::Mesh(mesh) = &self.shapes()[on].shape else { return };
        let (under, above) =
            ((&self.shapes()[support].shape, self.at[support]), (mesh.as_ref(), self.at[on]));
        let before = out.len();
        bed.touches(under, above, out);
        if out.len() == before {
            // a bed begins without force: the touch need not be found better than this
            *gap = gap.min(bed.gap(under, above).max(TOUCH * mesh.radius()));
        }
    }

    /// The normal law on every facet. Moves the point of the patch to the centre of pressure.
    fn press(&self, acts: ActsOn, touched: &Touched, patch: &mut Patch<f64>, phase: Phase) -> Pressed<f64> {
        match &touched.frame {
            Some(frame) => self.press_flat(acts, frame, &touched.flat, patch, phase),
            None => self.press_facets(acts, &touched.facets, patch, phase),
        }
    }

    fn press_facets(
        &self,
        acts: ActsOn,
        facets: &[FacetTouch],
        patch: &mut Patch<f64>,
        phase: Phase,
    ) -> Pressed<f64> {
        let (mut out, mut first) = (NormalOut::none(), Vector3::zeros());
        let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
        self.material.normal().eval_each(
            facets,
            phase,
            |t| unit(acts, t.depth, t.rate),
            |t, p| {
                out.force += p.force * t.area;
                out.elastic += p.elastic * t.area;
                out.stored += p.stored * t.area;
                out.dissipated += p.dissipated * t.area;
                first += t.point * (p.force * t.area);
                let push = t.push * p.force + t.lean * p.stored;
                force += push;
                torque += t.point.cross(&push) + t.couple * p.stored;
            },
        );
        if out.force > 0.0 {
            patch.point = first / out.force;
        }
        Pressed { torque: torque - patch.point.cross(&force), force, out, lever: None }
    }
}

impl Touched {
    /// Lever of friction about the normal, m, with the pressure that follows the depth.
    fn lever(&self, meeting: &Meeting<'_, f64>, patch: &Patch<f64>) -> f64 {
        if patch.volume <= 0.0 {
            return 0.0;
        }
        let turning: f64 = if let Some(frame) = &self.frame {
            frame.turning(meeting, &self.flat, &patch.point)
        } else {
            let arm = |t: &FacetTouch| across(&(t.point - patch.point), &patch.normal);
            self.facets.iter().map(|t| t.area * t.depth * arm(t)).sum()
        };
        turning / patch.volume
    }
}

/// How long the part of a vector across a unit normal is.
pub(super) fn across<T: Real>(v: &Vector3<T>, normal: &Vector3<T>) -> T {
    (v - normal * normal.dot(v)).norm_eps()
}

/// A facet per area, as the law sees it: by its volume, or as a point.
#[inline(always)]
pub(super) fn unit<T: Real>(acts: ActsOn, depth: T, rate: T) -> Indent<T> {
    let point = Indent::point(depth, rate);
    match acts {
        ActsOn::Area => point,
        _ => Indent {
            area: T::lit(1.0),
            volume: depth,
            volume_rate: rate,
            volume_moment: T::lit(0.5) * depth * depth,
            rate_square: rate * rate,
            ..point
        },
    }
}
