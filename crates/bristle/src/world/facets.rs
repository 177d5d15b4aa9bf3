//! The facets of meshes that touch: found, and pressed by a normal law facet by facet.

use super::meeting::Meeting;
use super::model::{ActsOn, Facets};
use super::number::FacetBed;
use super::spread::{Found, Pressed, Spread};
use bristle_geom::{
    Bed, BedRates, BedSum, FacetTouch, FlatBed, FlatFacets, FlatSum, Overlap, Patch, Placed, Pose, Shape,
    over_lanes,
};
use bristle_laws::{Indent, NormalLaw, NormalOut, Phase};
use bristle_math::{Lanes, Real, SafeNorm, Vector3, select};
use nalgebra::{SimdPartialOrd, SimdValue};

/// Facets in touch: on a half-space in the frame of the mesh, otherwise in the world.
#[derive(Default)]
pub struct Touched {
    facets: Vec<FacetTouch>,
    flat: Vec<FlatFacets>,
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
        found.spread = Spread::new(overlap, rates, 0.0);
    }

    /// The normal law on every facet. Moves the point of the patch to the centre of pressure.
    fn press(&self, acts: ActsOn, touched: &Touched, patch: &mut Patch<f64>, phase: Phase) -> Pressed<f64> {
        match &touched.frame {
            Some(frame) => self.press_flat(acts, frame, &touched.flat, patch, phase),
            None => self.press_facets(acts, &touched.facets, patch, phase),
        }
    }

    fn press_flat(
        &self,
        acts: ActsOn,
        frame: &Frame,
        flat: &[FlatFacets],
        patch: &mut Patch<f64>,
        phase: Phase,
    ) -> Pressed<f64> {
        let mut sum = PressedLanes::none();
        match self.material.normal().map(&mut Lanes::lit) {
            Some(law) => {
                law.eval_each(flat, phase, |t| unit(acts, t.depth, t.rate), |t, p| sum.add(t, &p));
            }
            // a law from outside knows no lanes
            None => flat.iter().for_each(|t| sum.add(t, &self.lane_by_lane(acts, t, phase))),
        }
        let out = sum.out();
        if out.force > 0.0 {
            patch.point = frame.place(&(sum.first.map(over_lanes) / out.force));
        }
        let torque = frame.couple(&sum.tilt.map(over_lanes));
        Pressed { force: patch.normal * out.force, torque, out, lever: None }
    }

    fn lane_by_lane(&self, acts: ActsOn, t: &FlatFacets, phase: Phase) -> NormalOut<Lanes> {
        let mut all = NormalOut::<Lanes>::none();
        for i in 0..Lanes::LANES {
            let at = unit(acts, t.depth.extract(i), t.rate.extract(i));
            let out = self.material.normal().eval(&at, &[], phase, &mut []);
            all.force.replace(i, out.force);
            all.elastic.replace(i, out.elastic);
            all.stored.replace(i, out.stored);
            all.dissipated.replace(i, out.dissipated);
        }
        all
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

/// Sums of pressures over facets in lanes.
struct PressedLanes {
    force: Lanes,
    elastic: Lanes,
    stored: Lanes,
    dissipated: Lanes,
    /// Σpwc.
    first: Vector3<Lanes>,
    /// ΣPa.
    tilt: Vector3<Lanes>,
}

impl PressedLanes {
    fn none() -> Self {
        let (zero, none) = (Lanes::lit(0.0), Vector3::repeat(Lanes::lit(0.0)));
        Self { force: zero, elastic: zero, stored: zero, dissipated: zero, first: none, tilt: none }
    }

    #[inline(always)]
    fn add(&mut self, t: &FlatFacets, p: &NormalOut<Lanes>) {
        let zero = Lanes::lit(0.0);
        let pressed = p.force * t.area;
        self.force += pressed;
        self.elastic += p.elastic * t.area;
        self.stored += p.stored * t.area;
        self.dissipated += p.dissipated * t.area;
        self.first += t.center * pressed;
        self.tilt += t.outward * select(t.area.simd_gt(zero), p.stored, zero);
    }

    fn out(&self) -> NormalOut<f64> {
        NormalOut {
            force: over_lanes(self.force),
            elastic: over_lanes(self.elastic),
            stored: over_lanes(self.stored),
            dissipated: over_lanes(self.dissipated),
            bed_damping: 0.0,
        }
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
    fn overlap(&self, sum: &FlatSum<f64>, at: &Placed<f64>) -> Overlap<f64> {
        if sum.volume <= 0.0 {
            return Overlap::none();
        }
        let normal = at.axis_z() * self.sign;
        let patch = Patch {
            point: self.place(&(sum.first / sum.volume)),
            normal,
            normal_rate: at.twist.angular.cross(&normal),
            depth: sum.depth,
            rate: sum.pressed_rate / sum.volume,
            area: sum.area,
            volume: sum.volume,
            volume_rate: sum.volume_rate,
            volume_moment: sum.volume_moment,
            ..Patch::none()
        };
        Overlap { patch, ..Overlap::none() }
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
            let (center, normal) = (center.map(Lanes::lit), frame.normal.map(Lanes::lit));
            let arm = |t: &FlatFacets| across(&(t.center - center), &normal);
            self.flat.iter().map(|t| over_lanes(t.area * t.depth * arm(t))).sum()
        } else {
            let arm = |t: &FacetTouch| across(&(t.point - patch.point), &patch.normal);
            self.facets.iter().map(|t| t.area * t.depth * arm(t)).sum()
        };
        turning / patch.volume
    }
}

/// How long the part of a vector across a unit normal is.
fn across<T: Real>(v: &Vector3<T>, normal: &Vector3<T>) -> T {
    (v - normal * normal.dot(v)).norm_eps()
}

/// A facet per area, as the law sees it: by its volume, or as a point.
#[inline(always)]
fn unit<T: Real>(acts: ActsOn, depth: T, rate: T) -> Indent<T> {
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
