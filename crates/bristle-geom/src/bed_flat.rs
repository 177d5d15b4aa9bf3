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
use bristle_math::Vector3;

/// Depth and rate of every place of a mesh on a half-space. Frame of the mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatBed {
    /// Out of the half-space, unit.
    pub normal: Vector3<f64>,
    offset: f64,
    rate: f64,
    slope: Vector3<f64>,
}

/// A touched facet. Frame of the mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatFacet {
    /// Centre, m.
    pub center: Vector3<f64>,
    /// Area along the outward normal, m².
    pub outward: Vector3<f64>,
    /// Area of the half-space that it covers, m².
    pub area: f64,
    /// How deep the centre lies, m.
    pub depth: f64,
    /// Rate of the depth, m/s.
    pub rate: f64,
}

/// Touched facets with the pressure p = δ, summed. Frame of the mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatSum {
    /// Deepest centre, m.
    pub depth: f64,
    /// Σw, m².
    pub area: f64,
    /// Σδw, m³.
    pub volume: f64,
    /// Σδ̇w, m³/s.
    pub volume_rate: f64,
    /// Σ½δ²w, m⁴.
    pub volume_moment: f64,
    /// Σδ̇²w, m⁴/s².
    pub rate_square: f64,
    /// Σδδ̇w, m⁴/s.
    pub pressed_rate: f64,
    /// Σδwc, m⁴.
    pub first: Vector3<f64>,
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
    pub fn touches(&self, mesh: &Mesh, out: &mut Vec<FlatFacet>) -> FlatSum {
        let Self { normal, offset, rate, slope } = *self;
        let (mut sum, facets) = (FlatSum::none(), mesh.facets());
        out.clear();
        mesh.for_leaves(
            |bounds| bounds.lowest(&normal) < offset,
            |leaf| {
                for facet in &facets[leaf] {
                    let depth = offset - normal.dot(&facet.center);
                    let share = normal.dot(&facet.normal);
                    if depth > 0.0 && share < 0.0 {
                        let rate = rate + slope.dot(&facet.center);
                        let (area, outward) = (-share * facet.area, facet.normal * facet.area);
                        let touched = FlatFacet { center: facet.center, outward, area, depth, rate };
                        sum.add(&touched);
                        out.push(touched);
                    }
                }
            },
        );
        sum
    }
}

impl FlatSum {
    fn none() -> Self {
        Self {
            depth: 0.0,
            area: 0.0,
            volume: 0.0,
            volume_rate: 0.0,
            volume_moment: 0.0,
            rate_square: 0.0,
            pressed_rate: 0.0,
            first: Vector3::zeros(),
        }
    }

    #[inline]
    fn add(&mut self, t: &FlatFacet) {
        let (pressed, moved) = (t.area * t.depth, t.area * t.rate);
        self.depth = self.depth.max(t.depth);
        self.area += t.area;
        self.volume += pressed;
        self.volume_rate += moved;
        self.volume_moment += 0.5 * pressed * t.depth;
        self.rate_square += moved * t.rate;
        self.pressed_rate += pressed * t.rate;
        self.first += t.center * pressed;
    }
}
