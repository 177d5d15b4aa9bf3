//! A bed of facets on a half-space, where all that varies is linear in the place.
//!
//! All columns stand along the normal n of the plane. In the frame of the mesh a facet with the centre c and the area vector a
//! (its area along its outward normal) has
//!
//! ```text
//! depth δ = d − n·c      rate δ̇ = r + s·c      covered area w = −n·a
//! ```
//!
//! and with a pressure p(δ) and P = ∫p dδ the bed acts on the mesh with the force n Σpw at the centre Σpwc/Σpw and with the
//! couple (ΣPa)×n about it: what [`crate::Bed`] answers facet by facet in the world, in a fraction of the time.

use crate::{Mesh, Placed};
use bristle_math::{Lanes, Real, Vector3, select};
use nalgebra::{SimdBool, SimdPartialOrd, SimdValue};

/// Depth and rate of every place of a mesh on a half-space. Frame of the mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatBed {
    /// Out of the half-space, unit.
    pub normal: Vector3<f64>,
    offset: f64,
    rate: f64,
    slope: Vector3<f64>,
}

/// A block of facets, at least one of them touched. Those that are not have no covered area.
#[derive(Debug, Clone, Copy)]
pub struct FlatFacets {
    /// Which of [`Mesh::blocks`].
    pub block: u32,
    /// Areas of the half-space that they cover, m².
    pub area: Lanes,
    /// How deep the centres lie, m; not below zero.
    pub depth: Lanes,
}

/// Touched facets with the pressure p = δ, summed. Frame of the mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatSum<T> {
    /// Deepest centre, m.
    pub depth: T,
    /// Σw, m².
    pub area: T,
    /// Σδw, m³.
    pub volume: T,
    /// Σδwc, m⁴.
    pub first: Vector3<T>,
}

/// Further sums, which few laws ask for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatMoments {
    /// Σδ̇w, m³/s.
    pub volume_rate: f64,
    /// Σ½δ²w, m⁴.
    pub volume: f64,
    /// Σδ̇²w, m⁴/s².
    pub rate_square: f64,
}

impl FlatBed {
    /// A half-space at `at`, a mesh at `on`.
    pub fn new(at: &Placed<f64>, on: &Placed<f64>) -> Self {
        let (up, back) = (at.axis_z(), on.pose.rotation.inverse());
        let velocity = on.twist.linear - at.twist_at(&on.origin()).linear;
        let spin = on.twist.angular - at.twist.angular;
        Self {
            normal: back * up,
            offset: up.dot(&(at.origin() - on.origin())),
            rate: -up.dot(&velocity),
            slope: back * spin.cross(&up),
        }
    }

    /// Fills `out` with the touched facets, in a fixed order, and sums them.
    pub fn touches(&self, mesh: &Mesh, out: &mut Vec<FlatFacets>) -> FlatSum<f64> {
        let zero = Lanes::lit(0.0);
        let (normal, offset) = (self.normal.map(Lanes::lit), Lanes::lit(self.offset));
        let mut sum = FlatSum::none();
        out.clear();
        mesh.for_blocks_below(&self.normal, self.offset, |block, facets| {
            let depth = offset - dot(&normal, &facets.center);
            let area = -dot(&normal, &facets.outward);
            let is_touched = depth.simd_gt(zero) & area.simd_gt(zero);
            if is_touched.any() {
                let touched =
                    FlatFacets { block, area: select(is_touched, area, zero), depth: depth.positive() };
                sum.add(&touched, &facets.center);
                out.push(touched);
            }
        });
        sum.total()
    }

    /// Rates of the depths of several places, m/s.
    #[inline]
    pub fn rates(&self) -> impl Fn(&Vector3<Lanes>) -> Lanes + use<> {
        let (rate, slope) = (Lanes::lit(self.rate), self.slope.map(Lanes::lit));
        move |place| rate + dot(&slope, place)
    }

    /// Σδδ̇w, m⁴/s: δ̇ is linear in the place, so it is known from the sums.
    pub fn pressed_rate(&self, sum: &FlatSum<f64>) -> f64 {
        self.rate * sum.volume + self.slope.dot(&sum.first)
    }

    /// Further sums of the facets that touch.
    pub fn moments(&self, mesh: &Mesh, touched: &[FlatFacets]) -> FlatMoments {
        let rates = self.rates();
        let mut sums = [Lanes::lit(0.0); 3];
        for t in touched {
            let rate = rates(&mesh.blocks()[t.block as usize].center);
            let moved = t.area * rate;
            let half = Lanes::lit(0.5) * t.area * t.depth * t.depth;
            sums.iter_mut().zip([moved, half, moved * rate]).for_each(|(sum, x)| *sum += x);
        }
        let [volume_rate, volume, rate_square] = sums.map(over_lanes);
        FlatMoments { volume_rate, volume, rate_square }
    }
}

#[inline]
fn dot(a: &Vector3<Lanes>, b: &Vector3<Lanes>) -> Lanes {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// The sum of all lanes.
#[inline]
pub fn over_lanes(x: Lanes) -> f64 {
    (0..Lanes::LANES).map(|i| x.extract(i)).sum()
}

impl FlatSum<Lanes> {
    fn none() -> Self {
        let zero = Lanes::lit(0.0);
        Self { depth: zero, area: zero, volume: zero, first: Vector3::repeat(zero) }
    }

    #[inline]
    fn add(&mut self, t: &FlatFacets, center: &Vector3<Lanes>) {
        let zero = Lanes::lit(0.0);
        let pressed = t.area * t.depth;
        self.depth = Real::max(self.depth, select(t.area.simd_gt(zero), t.depth, zero));
        self.area += t.area;
        self.volume += pressed;
        self.first += center * pressed;
    }

    fn total(&self) -> FlatSum<f64> {
        FlatSum {
            depth: (0..Lanes::LANES).map(|i| self.depth.extract(i)).fold(0.0, f64::max),
            area: over_lanes(self.area),
            volume: over_lanes(self.volume),
            first: self.first.map(over_lanes),
        }
    }
}
