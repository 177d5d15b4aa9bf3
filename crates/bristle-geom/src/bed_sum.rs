//! The sums of a bed as one patch, for laws that act on it as a whole.

use crate::{BedRates, FacetTouch, Overlap, Patch, Placed};
use bristle_math::{Matrix3, Vector3};

/// A bed with unit stiffness (p = δ) and unit damping, summed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BedSum {
    /// As one patch.
    pub overlap: Overlap<f64>,
    /// Dampers.
    pub rates: BedRates<f64>,
    /// Lever of friction about the normal, m: Σ p w r over Σ p w.
    pub lever: f64,
}

impl BedSum {
    /// Sums elements; `at` and `on` are the places of support and mesh. Without elements, nothing, at a depth of zero: see
    /// [`crate::Bed::gap`].
    pub fn of(touches: &[FacetTouch], at: &Placed<f64>, on: &Placed<f64>) -> Self {
        let volume: f64 = touches.iter().map(|t| t.area * t.depth).sum();
        if volume <= 0.0 {
            return Self { overlap: Overlap::none(), rates: BedRates::none(), lever: 0.0 };
        }
        let vector: Vector3<f64> = touches.iter().map(|t| t.push).sum();
        let covered: f64 = touches.iter().map(|t| t.area).sum();
        let point = touches.iter().map(|t| t.point * (t.area * t.depth)).sum::<Vector3<f64>>() / volume;
        let area_center = touches.iter().map(|t| t.point * t.area).sum::<Vector3<f64>>() / covered;
        let normal = vector.normalize();
        let across = Matrix3::identity() - normal * normal.transpose();
        let mut sum = Overlap { area_center, ..Overlap::none() };
        let mut rates = BedRates { even: vector, ..BedRates::none() };
        let (mut deepest, mut moment, mut turning) = (0.0f64, 0.0, 0.0);
        for t in touches {
            let (arm, out) = (t.point - point, t.point - area_center);
            let half = 0.5 * t.depth * t.depth;
            let (pushed, damped) = (t.push * t.depth + t.lean * half, t.push * t.rate);
            sum.second += out * out.transpose() * t.area;
            sum.volume_turn -= arm.cross(&t.push);
            sum.push += pushed;
            sum.push_turn += arm.cross(&pushed) + t.couple * half;
            rates.force += damped;
            rates.torque += arm.cross(&damped);
            rates.volume += t.area * t.rate;
            rates.square += t.area * t.rate * t.rate;
            moment += t.area * half;
            deepest = deepest.max(t.depth);
            turning += t.area * t.depth * (across * arm).norm();
        }
        rates.even_turn = -sum.volume_turn;
        sum.second = across * sum.second * across;
        sum.patch = Patch {
            point,
            normal,
            normal_rate: at.twist.angular.cross(&normal),
            depth: deepest,
            rate: (at.twist_at(&point).linear - on.twist_at(&point).linear).dot(&normal),
            area: covered,
            volume,
            volume_rate: rates.volume,
            volume_moment: moment,
            ..Patch::none()
        };
        Self { overlap: sum, rates, lever: turning / volume }
    }
}
