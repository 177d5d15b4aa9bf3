//! The facets of a mesh on a half-space, several at a time in the frame of the mesh.

use super::facets::{TOUCH, across, unit};
use super::meeting::Meeting;
use super::model::ActsOn;
use super::spread::{Found, Pressed, Spread};
use bristle_geom::{
    Bed, BedRates, FacetBlock, FlatBed, FlatFacets, FlatSum, Mesh, Overlap, Patch, Placed, Pose, Shape,
    over_lanes,
};
use bristle_laws::{NormalLaw, NormalOut, Phase};
use bristle_math::{Lanes, Real, Vector3, select};
use nalgebra::{SimdPartialOrd, SimdValue};

/// A mesh on a half-space.
pub(super) struct Frame {
    /// Which of the two shapes the half-space is.
    support: usize,
    /// Where the mesh is.
    pose: Pose<f64>,
    bed: FlatBed,
}

impl Meeting<'_, f64> {
    /// Facets in a half-space, which is number `support`.
    pub(super) fn find_flat(&self, (support, bed): (usize, Bed), found: &mut Found<f64>) {
        let (at, on) = (self.at[support], self.at[1 - support]);
        let Some(mesh) = self.mesh(1 - support) else { return };
        let flat = &mut found.touched.flat;
        let frame = Frame { support, pose: on.pose, bed: FlatBed::new(at, on) };
        let sum = frame.bed.touches(mesh, flat);
        let mut overlap = frame.overlap(&sum, at);
        let mut rates = BedRates::none();
        if flat.is_empty() {
            let under = &self.shapes()[support].shape;
            overlap.patch.depth = -bed.gap((under, at), (mesh, on)).max(TOUCH * mesh.radius());
        } else if self.material.rubs_on_patch() {
            let moments = frame.bed.moments(mesh, flat);
            (rates.volume, rates.square) = (moments.volume_rate, moments.rate_square);
            (overlap.patch.volume_rate, overlap.patch.volume_moment) = (moments.volume_rate, moments.volume);
        }
        found.touched.frame = Some(frame);
        found.spread = Spread::new(overlap, rates, 0.0);
    }

    fn mesh(&self, shape: usize) -> Option<&Mesh> {
        match &self.shapes()[shape].shape {
            Shape::Mesh(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// The normal law on every facet. Moves the point of the patch to the centre of pressure.
    pub(super) fn press_flat(
        &self,
        acts: ActsOn,
        frame: &Frame,
        flat: &[FlatFacets],
        patch: &mut Patch<f64>,
        phase: Phase,
    ) -> Pressed<f64> {
        let blocks = self.mesh(1 - frame.support).map_or(&[][..], Mesh::blocks);
        let block = |t: &FlatFacets| &blocks[t.block as usize];
        let rates = frame.bed.rates();
        let mut sum = PressedLanes::none();
        match self.material.normal().map(&mut Lanes::lit) {
            Some(law) => law.eval_each(
                flat,
                phase,
                |t| unit(acts, t.depth, rates(&block(t).center)),
                |t, p| sum.add(t, block(t), &p),
            ),
            // a law from outside knows no lanes
            None => flat.iter().for_each(|t| {
                let rate = rates(&block(t).center);
                sum.add(t, block(t), &self.lane_by_lane(acts, t.depth, rate, phase));
            }),
        }
        let out = sum.out();
        if out.force > 0.0 {
            patch.point = frame.place(&(sum.first.map(over_lanes) / out.force));
        }
        let torque = frame.couple(&sum.tilt.map(over_lanes));
        Pressed { force: patch.normal * out.force, torque, out, lever: None }
    }

    fn lane_by_lane(&self, acts: ActsOn, depth: Lanes, rate: Lanes, phase: Phase) -> NormalOut<Lanes> {
        let mut all = NormalOut::<Lanes>::none();
        for i in 0..Lanes::LANES {
            let at = unit(acts, depth.extract(i), rate.extract(i));
            let out = self.material.normal().eval(&at, &[], phase, &mut []);
            all.force.replace(i, out.force);
            all.elastic.replace(i, out.elastic);
            all.stored.replace(i, out.stored);
            all.dissipated.replace(i, out.dissipated);
        }
        all
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
    fn add(&mut self, t: &FlatFacets, facets: &FacetBlock, p: &NormalOut<Lanes>) {
        let zero = Lanes::lit(0.0);
        let pressed = p.force * t.area;
        self.force += pressed;
        self.elastic += p.elastic * t.area;
        self.stored += p.stored * t.area;
        self.dissipated += p.dissipated * t.area;
        self.first += facets.center * pressed;
        self.tilt += facets.outward * select(t.area.simd_gt(zero), p.stored, zero);
    }

    fn out(&self) -> NormalOut<f64> {
        NormalOut {
            force: over_lanes(self.force),
            elastic: over_lanes(self.elastic),
            stored: over_lanes(self.stored),
            dissipated: over_lanes(self.dissipated),
            bed_damping: 0.0,
            even: 0.0,
        }
    }
}

impl Frame {
    /// 1 if the mesh is the second body, −1 if it is the first.
    fn sign(&self) -> f64 {
        if self.support == 0 { 1.0 } else { -1.0 }
    }

    /// A place of the mesh in the world.
    fn place(&self, p: &Vector3<f64>) -> Vector3<f64> {
        self.pose.rotation * p + self.pose.translation.vector
    }

    /// The couple on the second body, in the world, of Σ P a.
    fn couple(&self, tilt: &Vector3<f64>) -> Vector3<f64> {
        self.pose.rotation * tilt.cross(&self.bed.normal) * self.sign()
    }

    /// The sums as one patch; `at` is the place of the half-space.
    fn overlap(&self, sum: &FlatSum<f64>, at: &Placed<f64>) -> Overlap<f64> {
        if sum.volume <= 0.0 {
            return Overlap::none();
        }
        let normal = at.axis_z() * self.sign();
        let patch = Patch {
            point: self.place(&(sum.first / sum.volume)),
            normal,
            normal_rate: at.twist.angular.cross(&normal),
            depth: sum.depth,
            rate: self.bed.pressed_rate(sum) / sum.volume,
            area: sum.area,
            volume: sum.volume,
            ..Patch::none()
        };
        Overlap { patch, ..Overlap::none() }
    }

    /// Σδw times the distance from a point of the world, across the normal, m⁴.
    pub(super) fn turning(
        &self,
        meeting: &Meeting<'_, f64>,
        flat: &[FlatFacets],
        point: &Vector3<f64>,
    ) -> f64 {
        let Some(mesh) = meeting.mesh(1 - self.support) else { return 0.0 };
        let center = self.pose.inverse_transform_point(&(*point).into()).coords.map(Lanes::lit);
        let normal = self.bed.normal.map(Lanes::lit);
        let arm = |t: &FlatFacets| across(&(mesh.blocks()[t.block as usize].center - center), &normal);
        flat.iter().map(|t| over_lanes(t.area * t.depth * arm(t))).sum()
    }
}
