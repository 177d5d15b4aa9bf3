//! The facets of meshes that touch: found, and pressed by a normal law facet by facet.

use super::meeting::Meeting;
use super::model::{ActsOn, Facets};
use super::number::FacetBed;
use super::spread::{Found, Pressed};
use bristle_geom::{
    Bed, BedRates, BedSum, FacetTouch, FlatBed, FlatFacet, FlatSum, Overlap, Patch, Placed, Pose, Shape,
};
use bristle_laws::{Indent, NormalLaw, NormalOut, Phase};
use bristle_math::Vector3;
use bristle_math::lens::Lens;

/// Facets in touch: on a half-space in the frame of the mesh, otherwise in the world.
#[derive(Default)]
pub struct Touched {
    facets: Vec<FacetTouch>,
    flat: Vec<FlatFacet>,
    /// The frame of the mesh of `flat`.
    frame: Option<Frame>,
}

/// A mesh on a half-space.
struct Frame {
    pose: Pose<f64>,
    /// Out of the half-space, in the frame of the mesh.
    normal: Vector3<f64>,
    /// 1 if the mesh is the second body, −1 if it is the first.
    sign: f64,
}

/// A bed that nothing touches ends this far from its support, in radii of the mesh.
const TOUCH: f64 = 1e-12;

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
        let lever = meeting.material.wants_lever().then(|| touched.lever(patch));
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
        let Shape::Mesh(mesh) = &self.shapes[on].shape else { return };
        let (under, above) = ((&self.shapes[support].shape, self.at[support]), (mesh.as_ref(), self.at[on]));
        let before = out.len();
        bed.touches(under, above, out);
        if out.len() == before {
            // a bed begins without force: the touch need not be found better than this
            *gap = gap.min(bed.gap(under, above).max(TOUCH * mesh.radius()));
        }
    }

    /// Facets in a half-space, which is number `support`.
    fn find_flat(&self, (support, bed): (usize, Bed), found: &mut Found<f64>) {
        let (at, on) = (self.at[support], self.at[1 - support]);
        let Shape::Mesh(mesh) = &self.shapes[1 - support].shape else { return };
        let flat = FlatBed::new(at, on);
        let sum = flat.touches(mesh, &mut found.touched.flat);
        let frame = Frame { pose: on.pose, normal: flat.normal, sign: if support == 0 { 1.0 } else { -1.0 } };
        let mut overlap = frame.overlap(&sum, at);
        if found.touched.flat.is_empty() {
            let under = &self.shapes[support].shape;
            overlap.patch.depth = -bed.gap((under, at), (mesh, on)).max(TOUCH * mesh.radius());
        }
        found.touched.frame = Some(frame);
        let rates = BedRates { volume: sum.volume_rate, square: sum.rate_square, ..BedRates::none() };
        let relative = self.relative(&overlap.patch.point);
        self.keep(overlap, rates, 0.0, &relative, found);
    }

    /// The normal law on every facet. Moves the point of the patch to the centre of pressure.
    fn press(&self, acts: ActsOn, touched: &Touched, patch: &mut Patch<f64>, phase: Phase) -> Pressed<f64> {
        let law = self.material.normal();
        let pressure = |depth: f64, rate: f64| {
            let at = match acts {
                ActsOn::Area => Indent::point(depth, rate),
                _ => unit_element(depth, rate),
            };
            law.eval(&at, &[], phase, &mut [])
        };
        let (mut out, mut first) = (NormalOut::none(), Vector3::zeros());
        let mut add = |p: &NormalOut<f64>, area: f64, place: &Vector3<f64>| {
            first += place * (p.force * area);
            out.force += p.force * area;
            out.elastic += p.elastic * area;
            out.stored += p.stored * area;
            out.dissipated += p.dissipated * area;
        };
        if let Some(frame) = &touched.frame {
            let mut tilt = Vector3::zeros();
            for t in &touched.flat {
                let p = pressure(t.depth, t.rate);
                add(&p, t.area, &t.center);
                tilt += t.outward * p.stored;
            }
            if out.force > 0.0 {
                patch.point = frame.place(&(first / out.force));
            }
            return Pressed {
                force: patch.normal * out.force,
                torque: frame.couple(&tilt),
                out,
                lever: None,
            };
        }
        let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
        for t in &touched.facets {
            let p = pressure(t.depth, t.rate);
            add(&p, t.area, &t.point);
            let push = t.push * p.force + t.lean * p.stored;
            force += push;
            torque += t.point.cross(&push) + t.couple * p.stored;
        }
        if out.force > 0.0 {
            patch.point = first / out.force;
        }
        Pressed { torque: torque - patch.point.cross(&force), force, out, lever: None }
    }
}

impl Frame {
    /// A place of the mesh in the world.
    fn place(&self, p: &Vector3<f64>) -> Vector3<f64> {
        self.pose.rotation * p + self.pose.translation.vector
    }

    /// The couple on the second body, in the world, of Σ P a.
    fn couple(&self, tilt: &Vector3<f64>) -> Vector3<f64> {
        self.pose.rotation * tilt.cross(&self.normal) * self.sign
    }

    /// The sums as one patch; `at` is the place of the half-space.
    fn overlap(&self, sum: &FlatSum, at: &Placed<f64>) -> Overlap<f64> {
        if sum.volume <= 0.0 {
            return Overlap::none();
        }
        let normal = at.axis_z() * self.sign;
        let patch = Patch {
            point: self.place(&(sum.first / sum.volume)),
            normal,
            normal_rate: at.twist.angular.cross(&normal),
            depth: sum.depth,
            area: sum.area,
            volume: sum.volume,
            volume_rate: sum.volume_rate,
            volume_moment: sum.volume_moment,
            ..Patch::none()
        };
        Overlap { push: normal * sum.volume, push_turn: self.couple(&sum.tilt), patch, ..Overlap::none() }
    }
}

impl Touched {
    /// Lever of friction about the normal, m, with the pressure that follows the depth.
    fn lever(&self, patch: &Patch<f64>) -> f64 {
        if patch.volume <= 0.0 {
            return 0.0;
        }
        let turning: f64 = if let Some(frame) = &self.frame {
            let center = frame.pose.inverse_transform_point(&patch.point.into()).coords;
            let arm = |t: &FlatFacet| across(&(t.center - center), &frame.normal);
            self.flat.iter().map(|t| t.area * t.depth * arm(t)).sum()
        } else {
            let arm = |t: &FacetTouch| across(&(t.point - patch.point), &patch.normal);
            self.facets.iter().map(|t| t.area * t.depth * arm(t)).sum()
        };
        turning / patch.volume
    }
}

/// How long the part of a vector across a unit normal is.
fn across(v: &Vector3<f64>, normal: &Vector3<f64>) -> f64 {
    (v - normal * normal.dot(v)).norm()
}

/// A facet as a law on volume sees it, per area.
fn unit_element(depth: f64, rate: f64) -> Indent<f64> {
    Indent {
        depth,
        rate,
        lens: Lens { curvature_a: 0.0, curvature_b: 0.0 },
        area: 1.0,
        volume: depth,
        volume_rate: rate,
        volume_moment: 0.5 * depth * depth,
        rate_square: rate * rate,
        lever: 0.0,
    }
}
