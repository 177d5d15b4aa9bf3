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

/// Facets in lanes, at least one of them touched. Frame of the mesh; those that are not touched have no covered area.
#[derive(Debug, Clone, Copy)]
pub struct FlatFacets {
    /// Centres, m.
    pub center: Vector3<Lanes>,
    /// Areas along the outward normals, m².
    pub outward: Vector3<Lanes>,
    /// Areas of the half-space that they cover, m².
    pub area: Lanes,
    /// How deep the centres lie, m; not below zero.
    pub depth: Lanes,
    /// Rates of the depths, m/s.
    pub rate: Lanes,
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
    /// Σδ̇w, m³/s.
    pub volume_rate: T,
    /// Σ½δ²w, m⁴.
    pub volume_moment: T,
    /// Σδ̇²w, m⁴/s².
    pub rate_square: T,
    /// Σδδ̇w, m⁴/s.
    pub pressed_rate: T,
    /// Σδwc, m⁴.
    pub first: Vector3<T>,
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
        let (normal, slope) = (self.normal.map(Lanes::lit), self.slope.map(Lanes::lit));
        let (offset, rate) = (Lanes::lit(self.offset), Lanes::lit(self.rate));
        let mut sum = FlatSum::none();
        out.clear();
        mesh.for_blocks(
            |bounds| bounds.lowest(&self.normal) < self.offset,
            |facets| {
                let depth = offset - dot(&normal, &facets.center);
                let share = dot(&normal, &facets.normal);
                let is_touched = depth.simd_gt(zero) & share.simd_lt(zero);
                if is_touched.any() {
                    let touched = FlatFacets {
                        center: facets.center,
                        outward: facets.normal * facets.area,
                        area: select(is_touched, -share * facets.area, zero),
                        depth: depth.positive(),
                        rate: rate + dot(&slope, &facets.center),
                    };
                    sum.add(&touched);
                    out.push(touched);
                }
            },
        );
        sum.total()
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
        Self {
            depth: zero,
            area: zero,
            volume: zero,
            volume_rate: zero,
            volume_moment: zero,
            rate_square: zero,
            pressed_rate: zero,
            first: Vector3::repeat(zero),
        }
    }

    #[inline]
    fn add(&mut self, t: &FlatFacets) {
        let (pressed, moved) = (t.area * t.depth, t.area * t.rate);
        let touched = select(t.area.simd_gt(Lanes::lit(0.0)), t.depth, Lanes::lit(0.0));
        self.depth = Real::max(self.depth, touched);
        self.area += t.area;
        self.volume += pressed;
        self.volume_rate += moved;
        self.volume_moment += Lanes::lit(0.5) * pressed * t.depth;
        self.rate_square += moved * t.rate;
        self.pressed_rate += pressed * t.rate;
        self.first += t.center * pressed;
    }

    fn total(&self) -> FlatSum<f64> {
        FlatSum {
            depth: (0..Lanes::LANES).map(|i| self.depth.extract(i)).fold(0.0, f64::max),
            area: over_lanes(self.area),
            volume: over_lanes(self.volume),
            volume_rate: over_lanes(self.volume_rate),
            volume_moment: over_lanes(self.volume_moment),
            rate_square: over_lanes(self.rate_square),
            pressed_rate: over_lanes(self.pressed_rate),
            first: self.first.map(over_lanes),
        }
    }
}
